//! A broken clause as plain assertions of a test that knows nothing of JML.
//!
//! A clause sees what is private, speaks of the state before the call and calculates without
//! overflow. A test has the object, what it passes and what it gets: values of before the call are
//! kept in variables, private fields are read by the getters that give them, sums are taken in `long`
//! or by methods that refuse to overflow. Names are resolved here, as far as that takes, because the
//! test stands elsewhere.
//!
//! Invariant: what cannot be said is an `Err` with the reason, or, of a conjunction, left out; it is
//! never said otherwise than the clause does.

mod access;
mod claim;
mod find;
mod java;
mod member;
mod old;
mod operator;
mod print;
mod quantifier;
mod template;
mod types;

pub use find::Place;
pub use template::{Asserted, Claim, KeptValue, Piece, Restated, Template};
pub use types::Library;

use self::find::{Found, Said, find};
use self::java::Ty;
use self::print::{Printer, Site};
use self::types::{TypeId, Types};
use crate::java::{JavaModifier, Method, MethodKind};
use crate::source::Source;

/// The last call of the test. Class names are full, nested classes after a dot.
#[derive(Debug, Clone)]
pub struct Called<'a> {
    /// The class it is made on.
    pub class: &'a str,
    /// The method, `<init>` for constructors.
    pub method: &'a str,
    /// Whether there is an object it is made on.
    pub has_receiver: bool,
    /// The types of what it is given, the receiver not counted; `None` for `null`.
    pub arguments: Vec<Option<String>>,
    /// The package of the test.
    pub package: &'a str,
}

/// The clause at a place in the words of a test that ends with a call, or why there are none.
pub fn restate(
    sources: &[Source],
    library: &dyn Library,
    place: &Place<'_>,
    called: &Called<'_>,
) -> Result<Restated, String> {
    let types = Types::new(sources, library);
    let found = find(&types, place).ok_or("it was not found in the sources")?;
    let mut printer = Printer::new(&types, called, Site::of(found.ty));
    let Found { ty, method, said } = found;
    if let Some(method) = method {
        let owned = match &said {
            Said::Other(reason) => Err((*reason).to_owned()),
            _ => is_called(&types, called, ty, method),
        };
        owned?;
        printer.site.method = Some(method);
    }
    match said {
        Said::Other(reason) => return Err(reason.to_owned()),
        Said::ThrowsNot => return Ok(Restated::default()),
        Said::Throws => printer.unreached(),
        Said::Ensures { expr, olds, unknown } => {
            printer.site.receiver = receiver(called);
            printer.olds = olds;
            printer.unknown = unknown;
            printer.claim(expr);
        }
        Said::ResultNotNull => printer.result_not_null(),
        Said::Initially(expr) if called.method == "<init>" => {
            printer.site.receiver = receiver(called);
            printer.claim(expr);
        }
        Said::Initially(_) => return Err("it is broken by an object that the code makes".into()),
        Said::Constraint { expr, is_static } | Said::OfObject { expr, is_static } => {
            for object in objects(&types, called, ty, is_static)? {
                printer.site.receiver = object;
                printer.claim(expr);
            }
        }
        Said::FieldNotNull { field, is_static } => {
            for object in objects(&types, called, ty, is_static)? {
                printer.site.receiver = object;
                printer.field_not_null(field);
            }
        }
    }
    printer.finish()
}

fn receiver(called: &Called<'_>) -> Option<Template> {
    let has = called.has_receiver || called.method == "<init>";
    has.then(|| vec![Piece::Receiver])
}

/// Whether it is this method that the test calls: only then its result and arguments are known.
fn is_called(
    types: &Types<'_>,
    called: &Called<'_>,
    ty: TypeId,
    method: &Method,
) -> Result<(), String> {
    let name = match method.kind {
        MethodKind::Method => method.name.text.as_str(),
        MethodKind::Constructor | MethodKind::CompactConstructor => "<init>",
    };
    let params = match method.kind {
        MethodKind::CompactConstructor => types.all[ty].decl.components.len(),
        _ => method.params.len(),
    };
    let is_static = method.modifiers.has(JavaModifier::Static) || name == "<init>";
    let is_of = types.named(called.class).is_some_and(|class| types.is_subtype(class, ty));
    let fits = name == called.method && called.arguments.len() == params && is_of;
    if fits && is_static != called.has_receiver {
        return Ok(());
    }
    Err("it is of a method that the code calls, not of the one that the test calls".to_owned())
}

/// The objects of a type that the test has after the call: one of them, at least, breaks what holds
/// of all.
fn objects(
    types: &Types<'_>,
    called: &Called<'_>,
    ty: TypeId,
    is_static: bool,
) -> Result<Vec<Option<Template>>, String> {
    if is_static {
        return Ok(vec![None]);
    }
    let is_of = |name: &str| types.named(name).is_some_and(|class| types.is_subtype(class, ty));
    let mut found = Vec::new();
    if is_of(called.class) {
        found.extend(receiver(called).map(Some));
    }
    for (at, argument) in called.arguments.iter().enumerate() {
        if argument.as_deref().is_some_and(is_of) {
            found.push(Some(vec![Piece::Argument(at)]));
        }
    }
    let result = types
        .named(called.class)
        .and_then(|class| types.method(class, called.method, called.arguments.len()))
        .and_then(|(at, method)| Some((at, method, method.return_type.as_ref()?)))
        .map(|(at, method, written)| types.ty(at, Some(method), &written.text));
    if found.is_empty() && matches!(&result, Some(Ty::Class(name)) if is_of(name)) {
        found.push(Some(vec![Piece::Result]));
    }
    if found.is_empty() {
        return Err("the object it is of is not one that the test has".to_owned());
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
