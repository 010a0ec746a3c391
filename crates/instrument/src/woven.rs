//! Classes with contract checks woven in: which of their code is the user's.
//!
//! The checks of contracts are methods with names of their own beside the user's; a method that is
//! checked calls its body, which stands apart. What counts is the body, under the name it has in the
//! source, so that plans and reports of a checked class read as those of the class without checks. In
//! constructors, initializers and around statements checks stand between the user's code, which is told
//! from them by the class without checks ([`alike`](crate::alike)).

use classfile::opcode::{INVOKESTATIC, INVOKEVIRTUAL};
use classfile::{ClassFile, ClassFileError, Code, Instruction, Member};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alike::Said;
use crate::filters::Filters;
use crate::flow::Flow;
use crate::lines::lines_of;

/// What the names of all that is woven in begin with.
const PREFIX: &str = "jml$";
/// What the name of a body begins with that was moved out of its method: `jml$body3$withdraw`.
const BODY: &str = "jml$body";
/// What the name of a method begins with that calls the body of an inherited method, for a method that
/// is checked where it is inherited: nothing of either is written in the class.
const INHERITED: &str = "jml$super";
/// What the names of methods begin with that answer which cases of a precondition hold, of those that
/// ask that before a constructor goes on, and of those that answer whether a clause holds.
const ASKED: &str = "jml$pre";
const FIRST: &str = "jml$first";
const CLAUSE: &str = "jml$c";

/// The methods of a class whose bodies stand apart, by name and descriptor.
pub(crate) struct Woven<'c> {
    checked: FxHashSet<(String, String)>,
    /// The class without checks, if it has some.
    plain: Option<&'c ClassFile>,
    /// The methods that preconditions are made of, each with the method whose precondition it is.
    preconditions: FxHashMap<String, Method>,
}

/// A method, by name and descriptor.
pub(crate) type Method = (String, String);

/// What of a method is the user's.
pub(crate) struct Own {
    pub(crate) filters: Filters,
    pub(crate) lines: Vec<Option<u16>>,
}

impl<'c> Woven<'c> {
    pub(crate) fn of(
        class: &ClassFile,
        plain: Option<&'c ClassFile>,
    ) -> Result<Self, ClassFileError> {
        let mut checked = FxHashSet::default();
        for method in &class.methods {
            let name = method.name(&class.pool)?;
            if let Some(name) = method_of(&name).or_else(|| inherited(&name)) {
                let descriptor = method.descriptor(&class.pool)?.into_owned();
                checked.insert((name.to_owned(), descriptor));
            }
        }
        Ok(Self { checked, plain, preconditions: preconditions(class)? })
    }

    /// The method that a method is part of the precondition of, if it is.
    pub(crate) fn asked_by(&self, name: &str) -> Option<&Method> {
        self.preconditions.get(name)
    }

    /// What of a method is the user's, by the same method of the class without checks; none if that has
    /// no such method, or there is no such class. Lambdas are numbered otherwise in the two.
    pub(crate) fn own(
        &self,
        (class, method): (&ClassFile, &Member),
        (name, descriptor): (&str, &str),
        code: &Code,
        flow: &Flow<'_>,
    ) -> Result<Option<Own>, ClassFileError> {
        let Some(plain) = self.plain else { return Ok(None) };
        let name = source_name(name);
        for other in &plain.methods {
            if other.name(&plain.pool)? != name || other.descriptor(&plain.pool)? != descriptor {
                continue;
            }
            let Ok(Some(other_code)) = Code::decode(plain, other) else { return Ok(None) };
            let other_flow = Flow::of(&other_code);
            let (one, all) =
                (Said::of(plain, &other_code, &other_flow), Said::of(class, code, flow));
            let found = one.found_in(&all);
            let filters =
                Filters::of_method(plain, other, name, descriptor, &other_code, &other_flow);
            let mut lines = all.lines;
            for (at, now) in found.iter().enumerate() {
                if let Some(now) = now {
                    lines[*now] = one.lines[at];
                }
            }
            let filters = filters.carried(&found, lines.len());
            return Ok(Some(Own { filters, lines }));
        }
        let is_lambda = name.starts_with("lambda$");
        if is_lambda {
            return Ok(None);
        }
        // A static initializer that there is for what is woven in alone.
        let mut filters = Filters::of_method(class, method, name, descriptor, code, flow);
        filters.whole_method = true;
        Ok(Some(Own { filters, lines: lines_of(code, flow) }))
    }

    /// Whether a method is a check, or calls its body between checks.
    pub(crate) fn is_check(&self, name: &str, descriptor: &str) -> bool {
        let own = name.strip_prefix("lambda$").unwrap_or(name);
        if own.starts_with(PREFIX) {
            return method_of(own).is_none();
        }
        match (self.checked.is_empty(), name == own) {
            (true, _) => false,
            (false, true) => self.checked.contains(&(name.to_owned(), descriptor.to_owned())),
            // A lambda of a method that calls its body: the user's are in the body, and named after it.
            (false, false) => {
                let method = own.rsplit_once('$').map_or(own, |(method, _number)| method);
                self.checked.iter().any(|(name, _)| name == method)
            }
        }
    }
}

/// A method asks `jml$pre…`, a constructor maybe by way of `jml$first…`, and that asks clause by clause.
fn preconditions(class: &ClassFile) -> Result<FxHashMap<String, Method>, ClassFileError> {
    let mut of: FxHashMap<String, Method> = FxHashMap::default();
    let mut names = Vec::new();
    for method in &class.methods {
        names.push((method.name(&class.pool)?.into_owned(), method));
    }
    if !names.iter().any(|(name, _)| name.starts_with(ASKED)) {
        return Ok(of);
    }
    for (name, method) in names.iter().filter(|(name, _)| !name.starts_with(PREFIX)) {
        let asked = called(class, method, &[FIRST, ASKED])?;
        let descriptor = method.descriptor(&class.pool)?.into_owned();
        of.extend(asked.into_iter().map(|asked| (asked, (name.clone(), descriptor.clone()))));
    }
    for (by, asked) in [(FIRST, ASKED), (ASKED, CLAUSE)] {
        for (name, method) in names.iter().filter(|(name, _)| name.starts_with(by)) {
            let Some(whose) = of.get(name).cloned() else { continue };
            let asked = called(class, method, &[asked])?;
            of.extend(asked.into_iter().map(|asked| (asked, whose.clone())));
        }
    }
    Ok(of)
}

/// The methods of the class with such names that a method calls.
fn called(
    class: &ClassFile,
    method: &Member,
    begin: &[&str],
) -> Result<Vec<String>, ClassFileError> {
    let (Ok(Some(code)), this) = (Code::decode(class, method), class.name()?) else {
        return Ok(Vec::new());
    };
    let called = code.instructions().filter_map(|instruction| {
        let index = match instruction {
            Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, index }
            | Instruction::InvokeInterface { index, .. } => *index,
            _ => return None,
        };
        let member = class.pool.member_ref(index).ok()?;
        let is_meant =
            member.class == this && begin.iter().any(|begin| member.name.starts_with(begin));
        is_meant.then(|| member.name.into_owned())
    });
    Ok(called.collect())
}

/// The name that a method has in the source: that of the method whose body it is, else its own.
pub(crate) fn source_name(name: &str) -> &str {
    method_of(name).unwrap_or(name)
}

/// The name of the method whose body has this name.
fn method_of(name: &str) -> Option<&str> {
    behind(BODY, name)
}

/// The name of the inherited method that a method of this name calls.
fn inherited(name: &str) -> Option<&str> {
    behind(INHERITED, name)
}

fn behind<'n>(prefix: &str, name: &'n str) -> Option<&'n str> {
    let (_number, method) = name.strip_prefix(prefix)?.split_once('$')?;
    Some(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_the_name_of_its_method() {
        assert_eq!(source_name("jml$body3$withdraw"), "withdraw");
        assert_eq!(source_name("jml$pre$withdraw"), "jml$pre$withdraw");
        assert_eq!(source_name("withdraw"), "withdraw");
        assert_eq!(inherited("jml$super1_2$withdraw"), Some("withdraw"));
    }

    #[test]
    fn checks_are_told_from_bodies_and_from_methods_without_checks() {
        let checked = [("withdraw".to_owned(), "(I)V".to_owned())].into_iter().collect();
        let preconditions = FxHashMap::default();
        let woven = Woven { checked, plain: None, preconditions };
        assert!(woven.is_check("withdraw", "(I)V"));
        assert!(!woven.is_check("withdraw", "(J)V"));
        assert!(woven.is_check("jml$pre$withdraw", "(I)I"));
        assert!(woven.is_check("lambda$jml$post$withdraw$0", "(I)Z"));
        assert!(!woven.is_check("jml$body3$withdraw", "(I)V"));
        assert!(!woven.is_check("lambda$jml$body3$withdraw$0", "()V"));
        assert!(!woven.is_check("balance", "()I"));
        assert!(woven.is_check("jml$super1_2$withdraw", "(I)V"));
        assert!(woven.is_check("lambda$withdraw$1", "()Z"));
        assert!(!woven.is_check("lambda$balance$1", "()Z"));
    }
}
