//! Whether what was written does what the test did: u-equivalence, seen by running it.
//!
//! Both runs are recorded in the same way. They are u-equivalent if they make the same calls and the
//! same of them throw: then one ends by an uncaught exception at a call if and only if the other does.

use model::{Operation, OperationKind, Type};

use crate::convert::Form3;
use crate::record::{CallEnd, Event, How, Record, Site, Value};

/// What a comparison came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Equivalence {
    /// They throw at the same call, or not at all.
    Holds {
        /// Calls that returned another value than before: time, addresses and the like.
        other_values: usize,
    },
    /// They do not.
    Broken(String),
}

impl Equivalence {
    /// Compares a form with a run of what was written of it.
    pub fn of(form: &Form3, ran: &Record, sites: &dyn Fn(usize) -> Option<Site>) -> Self {
        match compare(form, ran, sites) {
            Ok(other_values) => Self::Holds { other_values },
            Err(why) => Self::Broken(why),
        }
    }
}

fn compare(
    form: &Form3,
    ran: &Record,
    sites: &dyn Fn(usize) -> Option<Site>,
) -> Result<usize, String> {
    let calls = form.case.calls.iter().zip(&form.told);
    let mut expected = calls.filter(|(call, _)| is_recorded(&call.op));
    let mut other_values = 0;
    for event in &ran.events {
        let Event::Call { site, end, .. } = event else { continue };
        let site = sites(*site).ok_or("a call that no site has")?;
        let Some((call, told)) = expected.next() else {
            return Err(format!("it calls {} at the end", site.op));
        };
        // The compiler may find a method of a subclass that returns something narrower.
        if site.op.name != call.op.name || site.op.arguments() != call.op.arguments() {
            return Err(format!("it calls {} instead of {}", site.op, call.op));
        }
        let threw = match end {
            CallEnd::Threw(id) => ran.objects.get(*id as usize).map(|object| &object.class),
            _ => None,
        };
        if threw != told.threw.as_ref() {
            let words = |threw: Option<&Type>| {
                threw.map_or_else(|| "returns".to_owned(), |class| format!("throws {class}"))
            };
            let (now, before) = (words(threw), words(told.threw.as_ref()));
            return Err(format!("{} {now} where it {before} before", call.op));
        }
        if let (CallEnd::Returned(Some(Value::Literal(now))), Some(before)) = (end, &told.value) {
            other_values += usize::from(now != before);
        }
    }
    if let Some((call, _)) = expected.next() {
        let why = format!("{} {}", ran.end.class, ran.end.message);
        return Err(format!("it ends before it calls {} {}", call.op, why.trim())
            .trim()
            .to_owned());
    }
    let ends_by_exception = ran.end.how != How::Passed;
    if ends_by_exception != form.throws.is_some() {
        return Err(format!("it ends with {} {}", ran.end.class, ran.end.message));
    }
    Ok(other_values)
}

/// Whether a run of it is told, as calls of tests are.
fn is_recorded(op: &Operation) -> bool {
    op.kind != OperationKind::Array && op.owner.as_internal() != "java/lang/reflect/Array"
}
