//! What comes of the call under test, in words: what it returned, else what it changed.

use model::{
    Call, CheckKind, Expectation, FailureKind, Literal, Observation, Operation, OperationKind,
    Passed, Temporary, Type, UnitTest, Verified,
};

use super::{integer_word, literal_word};
use crate::body::simple_name;
use crate::flow::Flow;
use crate::identifier::{capitalized, lower_camel, upper_camel};

/// Outcomes that are tried.
const MAX_OUTCOMES: usize = 6;
/// Elements told of an array, and arguments of a call.
const MAX_ELEMENTS: usize = 3;

fn makes_new(call: &Call) -> bool {
    use OperationKind::{Constructor, Implement, Inject};
    matches!(call.op.kind, Constructor | Implement | Inject)
}

/// What comes of it: what is told first, and what else is asserted.
pub(super) fn expected(test: &UnitTest, call: &Call, flow: &Flow) -> Vec<String> {
    let mut all = vec![first_expected(test, call, flow)];
    if matches!(test.expectation, Expectation::Returns) {
        let about_result = |number: usize| {
            let result = flow.writes[test.subject];
            result.is_some() && flow.checks[number].first() == result.as_ref()
        };
        let after = (0..).zip(&test.checks).filter(|(_, check)| check.after >= test.subject);
        for (number, check) in after {
            let word = match &check.kind {
                CheckKind::Holds(_, seen) if about_result(number) => {
                    format!("returns{}", detailed_word(seen))
                }
                CheckKind::Holds(_, seen @ Observation::Array { .. }) => {
                    format!("arrayIs{}", detailed_word(seen))
                }
                CheckKind::Holds(_, seen) if check.after > test.subject => {
                    property(&test.case.calls[check.after].op.name, seen)
                }
                CheckKind::View(_, view, seen) => view_word(view, seen),
                CheckKind::Verified(verified) => detailed_calls(verified),
                CheckKind::Holds(..) | CheckKind::NotNull(_) | CheckKind::Same(..) => continue,
            };
            if !all.contains(&word) {
                all.push(word);
            }
        }
    }
    all.truncate(MAX_OUTCOMES);
    all
}

fn first_expected(test: &UnitTest, call: &Call, flow: &Flow) -> String {
    if let Some(failure) = &test.failure
        && let FailureKind::UnexpectedException { class, .. } = &failure.kind
    {
        return format!("doesNotThrow{}", simple_name(class));
    }
    if let Some(failure) = &test.failure
        && let FailureKind::Breach { .. } = failure.kind
    {
        return "keepsItsContract".to_owned();
    }
    if let Expectation::Throws(class) = &test.expectation {
        return format!("throws{}", simple_name(class));
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
    returned.or_else(asked).or_else(first).or_else(done).unwrap_or_else(|| {
        if makes_new(call) {
            format!("creates{}", upper_camel(simple_name(&call.op.owner)))
        } else {
            "returnsNormally".to_owned()
        }
    })
}

/// `callsNoteWithA`, `callsNoteThreeTimes`.
fn detailed_calls(verified: &Verified) -> String {
    let values = verified.args.iter().filter_map(|arg| match arg {
        Passed::Value(seen) => Some(observation_word(seen)),
        Passed::Slot(_) | Passed::Any => None,
    });
    let values: Vec<String> = values.take(MAX_ELEMENTS).collect();
    let with = if values.is_empty() { "" } else { "With" };
    let times = match verified.times {
        1 => String::new(),
        2 => "Twice".to_owned(),
        times => format!("{}Times", integer_word(times.into())),
    };
    let name = upper_camel(&verified.method.name);
    format!("calls{name}{with}{}{times}", values.join("And"))
}

/// The same as [`observation_word`], of an array with its first elements.
fn detailed_word(seen: &Observation) -> String {
    let word = observation_word(seen);
    let Observation::Array { elements: Some(elements), .. } = seen else { return word };
    let told: Vec<String> = elements.iter().take(MAX_ELEMENTS).map(observation_word).collect();
    if told.is_empty() { word } else { format!("{word}Of{}", told.join("And")) }
}

/// What an object says when asked, in a word.
fn view_word(view: &Operation, seen: &Observation) -> String {
    let is_false = matches!(seen, Observation::Value { value: Literal::Boolean(false), .. });
    if let Observation::Object { views, .. } = seen
        && let [(inner, seen)] = &views[..]
        && !["get", "is", "has"].iter().any(|verb| is_verb_of(verb, &view.name))
    {
        // Of `build().getName()` the name is told, of `keys().toString()` the keys.
        return if &*inner.name == "toString" {
            property(&view.name, seen)
        } else {
            view_word(inner, seen)
        };
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
