//! What comes of the call under test, in words: what it returned, else what it changed.

use model::{
    Call, CheckKind, Expectation, FailureKind, Literal, Observation, Operation, OperationKind,
    Temporary, Type, UnitTest,
};

use super::literal_word;
use crate::body::simple_name;
use crate::flow::Flow;
use crate::identifier::{capitalized, lower_camel, upper_camel};

fn makes_new(call: &Call) -> bool {
    use OperationKind::{Constructor, Implement, Inject};
    matches!(call.op.kind, Constructor | Implement | Inject)
}

/// What comes of it.
pub(super) fn expected(test: &UnitTest, call: &Call, flow: &Flow) -> Option<String> {
    if let Some(failure) = &test.failure
        && let FailureKind::UnexpectedException { class, .. } = &failure.kind
    {
        return Some(format!("doesNotThrow{}", simple_name(class)));
    }
    if let Expectation::Throws(class) = &test.expectation {
        return Some(format!("throws{}", simple_name(class)));
    }
    let result = flow.writes[test.subject];
    let after = || (0..).zip(&test.checks).filter(|(_, check)| check.after >= test.subject);
    let about_result =
        |number: usize| result.is_some() && flow.checks[number].first() == result.as_ref();
    let returned = after().find_map(|(number, check)| match &check.kind {
        CheckKind::Holds(_, seen) if about_result(number) => {
            Some(format!("returns{}", observation_word(seen)))
        }
        _ => None,
    });
    // What a question says that comes after the call.
    let asked = || {
        after().filter(|(_, check)| check.after > test.subject).find_map(|(_, check)| {
            let question = &test.case.calls[check.after].op;
            match &check.kind {
                CheckKind::Holds(_, seen) => Some(property(&question.name, seen)),
                CheckKind::View(_, view, seen) => Some(view_word(view, seen)),
                _ => None,
            }
        })
    };
    let first = || {
        after().find_map(|(number, check)| match &check.kind {
            CheckKind::Same(..) => Some("returnsSame".to_owned()),
            CheckKind::NotNull(_) if about_result(number) && !makes_new(call) => {
                Some("returnsNotNull".to_owned())
            }
            CheckKind::View(_, view, seen) => Some(view_word(view, seen)),
            CheckKind::Holds(_, seen @ Observation::Array { .. }) => {
                Some(format!("arrayIs{}", observation_word(seen)))
            }
            _ => None,
        })
    };
    let done = || {
        after().find_map(|(_, check)| match &check.kind {
            CheckKind::Verified(verified) => {
                Some(format!("calls{}", upper_camel(&verified.method.name)))
            }
            _ => None,
        })
    };
    returned.or_else(asked).or_else(first).or_else(done).or_else(|| {
        Some(if makes_new(call) {
            format!("creates{}", upper_camel(simple_name(&call.op.owner)))
        } else {
            "returnsNormally".to_owned()
        })
    })
}

/// What an object says when asked, in a word.
fn view_word(view: &Operation, seen: &Observation) -> String {
    let is_false = matches!(seen, Observation::Value { value: Literal::Boolean(false), .. });
    if let Observation::Object { views, .. } = seen
        && let [(inner, seen)] = &views[..]
        && !["get", "is", "has"].iter().any(|verb| is_verb_of(verb, &view.name))
    {
        // Of `build().getName()` the name is told.
        return view_word(inner, seen);
    }
    match Temporary::of(view) {
        Some((Temporary::Exists, _)) if is_false => "fileIsGone".to_owned(),
        Some((Temporary::Exists, _)) => "fileExists".to_owned(),
        Some((Temporary::Text, _)) => property("text", seen),
        _ => property(&view.name, seen),
    }
}

/// Whether a name is this verb with a noun.
fn is_verb_of(verb: &str, name: &str) -> bool {
    name.strip_prefix(verb).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}

/// `sizeIsOne`, `isEmpty`, `isNotEmpty`.
fn property(method: &str, seen: &Observation) -> String {
    let truth = match seen {
        Observation::Value { value: Literal::Boolean(v), .. } => Some(*v),
        _ => None,
    };
    for verb in ["is", "has", "can"] {
        if let (Some(truth), Some(rest)) = (truth, method.strip_prefix(verb))
            && is_verb_of(verb, method)
        {
            return format!("{verb}{}{rest}", if truth { "" } else { "Not" });
        }
    }
    let name = match method {
        "get" => "value",
        _ => method.strip_prefix("get").unwrap_or(method),
    };
    format!("{}Is{}", lower_camel(name), observation_word(seen))
}

fn observation_word(seen: &Observation) -> String {
    match seen {
        Observation::Nothing => "Nothing".to_owned(),
        Observation::Null => "Null".to_owned(),
        Observation::Value { value, .. } => literal_word(value, true).unwrap_or_else(|| {
            match value {
                Literal::String(_) => "String",
                Literal::Char(_) => "Character",
                Literal::Class(_) => "Class",
                _ => "Number",
            }
            .to_owned()
        }),
        Observation::Enum { constant, .. } => upper_camel(constant),
        Observation::Array { length: 0, .. } => "EmptyArray".to_owned(),
        Observation::Array { element, .. } => match element {
            Type::Primitive(p) => format!("{}s", capitalized(p.keyword())),
            _ => "Array".to_owned(),
        },
        Observation::Object { class, views } => match &views[..] {
            [(_, seen)] => observation_word(seen),
            _ => upper_camel(simple_name(class)),
        },
    }
}
