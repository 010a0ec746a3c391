//! Classes with contract checks woven in: which of their code is the user's.
//!
//! The checks of contracts are methods with names of their own beside the user's; a method that is
//! checked calls its body, which stands apart. What counts is the body, under the name it has in the
//! source, so that plans and reports of a checked class read as those of the class without checks.

use classfile::{ClassFile, ClassFileError};
use rustc_hash::FxHashSet;

/// What the names of all that is woven in begin with.
const PREFIX: &str = "jml$";
/// What the name of a body begins with that was moved out of its method: `jml$body3$withdraw`.
const BODY: &str = "jml$body";
/// What the name of a method begins with that calls the body of an inherited method, for a method that
/// is checked where it is inherited: nothing of either is written in the class.
const INHERITED: &str = "jml$super";

/// The methods of a class whose bodies stand apart, by name and descriptor.
pub(crate) struct Woven {
    checked: FxHashSet<(String, String)>,
}

impl Woven {
    pub(crate) fn of(class: &ClassFile) -> Result<Self, ClassFileError> {
        let mut checked = FxHashSet::default();
        for method in &class.methods {
            let name = method.name(&class.pool)?;
            if let Some(name) = method_of(&name).or_else(|| inherited(&name)) {
                let descriptor = method.descriptor(&class.pool)?.into_owned();
                checked.insert((name.to_owned(), descriptor));
            }
        }
        Ok(Self { checked })
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
        let woven = Woven { checked };
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
