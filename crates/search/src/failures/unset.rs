//! Objects that were not set up: what is `null` has a setter, and the test does not call it.
//!
//! Which part is `null` is told by the JVM's own message; whether it can be set, by the class files.

use std::sync::Arc;

use model::{Class, ClassName, ClassSource, Frame, Hierarchy, Origin, TestCase};

/// A method that sets a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setter {
    /// The class that declares the field.
    pub class: ClassName,
    /// The field.
    pub field: Box<str>,
    /// The method, of this or another class.
    pub method: Arc<str>,
}

impl Setter {
    /// Whether a method is one that callers set an object up with, by its name and number of
    /// parameters.
    pub fn is_name_of_one(name: &str, params: usize) -> bool {
        let is_followed = |prefix: &str| {
            let rest = name.strip_prefix(prefix);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_lowercase()))
        };
        params > 0 && ["set", "with", "init"].into_iter().any(is_followed)
    }
}

/// What was `null`.
#[derive(PartialEq, Eq, Debug)]
enum Absent<'m> {
    Field(&'m str),
    /// What a method returned.
    Returned(&'m str),
}

impl<'m> Absent<'m> {
    /// As the JVM tells it: `… because "this.list" is null`.
    fn in_message(message: &'m str) -> Option<Self> {
        let (_, because) = message.rsplit_once(" because ")?;
        let told = because.strip_suffix("\" is null")?;
        if let Some(call) = told.strip_prefix("the return value of \"") {
            let name = call.split('(').next()?.rsplit('.').next()?;
            return Some(Self::Returned(name));
        }
        let (_, field) = told.strip_prefix('"')?.rsplit_once('.')?;
        field.chars().all(char::is_alphanumeric).then_some(Self::Field(field))
    }

    /// The property it is, if it is one.
    fn property(&self) -> &'m str {
        match self {
            Self::Field(name) => name,
            Self::Returned(name) => name.strip_prefix("get").unwrap_or(name),
        }
    }
}

/// Whether a null pointer exception with this message, from there, comes of something that the test
/// could have set and did not.
pub(crate) fn is_unset(
    classes: &dyn ClassSource,
    setters: &[Setter],
    case: &TestCase,
    message: &str,
    frame: &Frame,
) -> bool {
    let Some(absent) = Absent::in_message(message) else { return false };
    let is_called = |method: &str| case.calls.iter().any(|call| &*call.op.name == method);
    let mut concerned: Vec<Arc<Class>> = Vec::new();
    let made = case.calls.iter().map(|call| &call.op.owner);
    for name in std::iter::once(&frame.class).chain(made) {
        let supertypes = classes.supertypes(name).into_iter();
        concerned.extend(supertypes.filter(|class| class.origin != Origin::Jdk));
    }
    let by_name = setter_of(absent.property());
    let has_setter = concerned.iter().flat_map(|class| &class.methods).any(|method| {
        method.name == by_name && !method.params.is_empty() && !method.access.is_private()
    });
    if has_setter {
        return !is_called(&by_name);
    }
    let Absent::Field(field) = absent else { return false };
    if is_called(field) {
        return false;
    }
    concerned.iter().any(|class| {
        let declared = class.fields.iter().find(|f| &*f.name == field);
        let Some(declared) = declared.filter(|f| !f.access.is_static() && !f.access.is_final())
        else {
            return false;
        };
        let is_set_by = |setter: &&Setter| setter.class == class.name && &*setter.field == field;
        let mut setters = setters.iter().filter(is_set_by).peekable();
        let is_open = declared.access.is_public() || declared.access.is_protected();
        is_open || (setters.peek().is_some() && !setters.any(|s| is_called(&s.method)))
    })
}

/// `setName` for `name`.
fn setter_of(property: &str) -> Arc<str> {
    let mut letters = property.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let name: String = "set".chars().chain(first).chain(letters).collect();
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_the_jvm_tells_what_is_null() {
        let check = |message, absent| assert_eq!(Absent::in_message(message), absent, "{message}");
        let field = "Cannot invoke \"a.B.c()\" because \"this.list\" is null";
        check(field, Some(Absent::Field("list")));
        let nested = "Cannot read the array length because \"this.net.rules\" is null";
        check(nested, Some(Absent::Field("rules")));
        let returned = "Cannot invoke \"a.B.c(int)\" because the return value of \
                        \"a.D.getName(a.E)\" is null";
        check(returned, Some(Absent::Returned("getName")));
        check("Cannot invoke \"a.B.c()\" because \"local\" is null", None);
        check("Cannot load from object array because \"this.rows[1]\" is null", None);
        check("name must be given", None);
    }

    #[test]
    fn setters_are_told_by_their_names() {
        let is = Setter::is_name_of_one;
        assert!(is("setName", 1) && is("withName", 2) && is("init", 1));
        assert!(!is("setName", 0) && !is("settle", 1) && !is("name", 1));
    }
}
