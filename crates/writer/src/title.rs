//! Names of tests: `subject_condition_expected`.
//!
//! A test is described at three levels of detail; tests that would share a name get the next
//! level, and only those that still share one get a number. So a name is as short as its class
//! allows, and depends on nothing but the suite.

mod expected;
mod text;
mod told;

use std::collections::{HashMap, HashSet};

use model::{
    Answer, Call, Contract, FailureKind, Hierarchy, Literal, Operation, OperationKind, Temporary,
    Type, UnitTest, is_identifier,
};

use crate::body::simple_name;
use crate::flow::{Flow, From, Use, ValueId};
use crate::generics::Scope;
use crate::identifier::{capitalized, upper_camel};
use crate::variable::parameter_name;

use self::expected::expected;
use self::text::{char_word, text_word};

/// Longer names are cut.
const MAX_LENGTH: usize = 70;
/// How much is told of the arguments: the remarkable; all; all with the calls before; of overloaded
/// methods the parameter types as well; what arguments are made of instead.
const LEVELS: usize = 5;
/// The level of parameter types.
const OVERLOAD: usize = 3;
/// The level of what arguments are made of.
const MADE_OF: usize = 4;
/// Values told that an argument is made of.
const MAX_PARTS: usize = 2;

/// Names for the tests, each once, none of those in `reserved`.
pub(crate) fn titles(scope: Scope, tests: &[&UnitTest], reserved: &[&str]) -> Vec<String> {
    let described: Vec<[String; LEVELS]> = tests
        .iter()
        .map(|test| {
            let is_overloaded = tests.iter().any(|other| is_other_overload(test, other));
            [0, 1, 2, 3, 4].map(|level| describe(scope, test, level, is_overloaded))
        })
        .collect();
    let mut levels = vec![0; tests.len()];
    for level in 1..LEVELS {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for (names, &at) in described.iter().zip(&levels) {
            *count.entry(&names[at]).or_default() += 1;
        }
        for (names, at) in described.iter().zip(&mut levels) {
            if count[&*names[*at]] > 1 {
                *at = level;
            }
        }
    }
    let mut taken: HashSet<String> = reserved.iter().map(|r| (*r).to_owned()).collect();
    let numbered = described.iter().zip(&levels).map(|(names, &level)| {
        let base = &names[level];
        let name = (1..)
            .map(|n| if n == 1 { base.clone() } else { format!("{base}_{n}") })
            .find(|name| !taken.contains(name))
            .expect("there are endless numbers");
        taken.insert(name.clone());
        name
    });
    numbered.collect()
}

/// Whether two tests are about members of one name that take different things.
fn is_other_overload(test: &UnitTest, other: &UnitTest) -> bool {
    let subject = |test: &UnitTest| test.case.calls.get(test.subject).map(|call| call.op.clone());
    match (subject(test), subject(other)) {
        (Some(a), Some(b)) => a.name == b.name && a.arguments() != b.arguments(),
        _ => false,
    }
}

fn describe(scope: Scope, test: &UnitTest, level: usize, is_overloaded: bool) -> String {
    if let Some(failure) = &test.failure
        && let FailureKind::Contract { contract, .. } = failure.kind
    {
        return law(contract).to_owned();
    }
    let Some(call) = test.case.calls.get(test.subject) else { return "test".to_owned() };
    let Ok(flow) = Flow::of(test) else { return "test".to_owned() };
    let subject = match call.op.kind {
        OperationKind::Constructor | OperationKind::Implement | OperationKind::Inject => {
            "constructor".to_owned()
        }
        OperationKind::Array => "array".to_owned(),
        _ => call.op.name.to_string(),
    };
    let expected = expected(test, call, &flow);
    let condition = condition(scope, test, &flow, level);
    let overload = (level == OVERLOAD && is_overloaded).then(|| overload(call)).flatten();
    let join = |parts: [Option<&String>; 4]| {
        parts.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join("_")
    };
    let (about, when, then) = (Some(&subject), condition.as_ref(), expected.as_ref());
    let mut name = join([about, overload.as_ref(), when, then]);
    if name.len() > MAX_LENGTH {
        // What tells it from others goes last.
        let beside = |parts| MAX_LENGTH.saturating_sub(join(parts).len() + 1);
        let with_end = beside([about, overload.as_ref(), then, None]);
        let without_end = beside([about, overload.as_ref(), None, None]);
        let fitting = |room| condition.as_ref().and_then(|when| whole_parts(when, room));
        let is_most = |part: &&str| when.is_some_and(|when| part.len() * 2 >= when.len());
        let short = fitting(with_end).filter(is_most).map(str::to_owned);
        let shorter = fitting(without_end).map(str::to_owned);
        name = join(match (&short, &shorter) {
            _ if level == 0 => [about, then, None, None],
            (Some(short), _) => [about, overload.as_ref(), Some(short), then],
            (_, shorter) => [about, overload.as_ref(), shorter.as_ref().or(when), None],
        });
    }
    while name.len() > MAX_LENGTH {
        // Whole words go from the end.
        let end = name.rfind(|c: char| c.is_uppercase() || c == '_').filter(|&end| end > 0);
        name.truncate(end.unwrap_or_else(|| {
            (0..=MAX_LENGTH).rev().find(|&i| name.is_char_boundary(i)).unwrap_or(0)
        }));
    }
    if is_identifier(&name) { name } else { format!("test_{}", upper_camel(&name)) }
}

/// As much of a condition as there is room for, up to where it says `_` or `And`.
fn whole_parts(condition: &str, room: usize) -> Option<&str> {
    let is_joint = |(at, word): &(usize, &str)| {
        let next = condition[at + word.len()..].chars().next();
        *word == "_" || next.is_some_and(char::is_uppercase)
    };
    let joints = condition.match_indices('_').chain(condition.match_indices("And"));
    let ends = joints.filter(is_joint).map(|(at, _)| at).chain([condition.len()]);
    let end = ends.filter(|&end| end > 0 && end <= room).max()?;
    Some(&condition[..end])
}

/// The parameter types, to tell overloads apart.
fn overload(call: &Call) -> Option<String> {
    let word = |ty: &Type| {
        let name = ty.to_string().replace("[]", "Array");
        upper_camel(name.rsplit(['.', '$', '/']).next().unwrap_or(&name))
    };
    let words: Vec<String> = call.op.arguments().iter().map(word).collect();
    (!words.is_empty()).then(|| format!("of{}", words.join("And")))
}

/// What the arguments and the receiver have of note.
fn condition(scope: Scope, test: &UnitTest, flow: &Flow, level: usize) -> Option<String> {
    if level > 0
        && let Some(told) = told::told(test)
    {
        return Some(told);
    }
    let call = &test.case.calls[test.subject];
    let receiver = usize::from(call.op.has_receiver());
    let reads = &flow.reads[test.subject];
    let several = reads.len() > receiver + 1;
    let mut words = Vec::new();
    for (position, value) in reads.iter().enumerate().skip(receiver) {
        let Some(word) = argument(test, flow, *value, level) else { continue };
        let generic = ["Null", "Zero", "Negative", "EmptyString", "EmptyArray", "BlankString"]
            .contains(&&*word);
        let name = parameter_name(scope, &call.op, position).filter(|_| several && generic);
        words.push(match name {
            Some(name) => word.replace("String", "").replace("Array", "") + &capitalized(&name),
            None => word,
        });
    }
    let limit = if level > 0 { 4 } else { 2 };
    words.truncate(limit);
    words.dedup();
    let arguments = (!words.is_empty()).then(|| format!("with{}", words.join("And")));
    let state = if receiver == 1 { state(scope, test, flow, reads[0], level) } else { None };
    match (arguments, state) {
        (Some(arguments), Some(state)) if level > 0 => Some(format!("{arguments}_{state}")),
        (arguments, state) => arguments.or(state),
    }
}

/// An argument in a word; at the first level only if it is remarkable.
fn argument(test: &UnitTest, flow: &Flow, value: ValueId, level: usize) -> Option<String> {
    let all = level > 0;
    let word = plain_argument(test, flow, value, all)?;
    let From::Call(made) = flow.values[value.0].from else { return Some(word) };
    let kind = test.case.calls[made].op.kind;
    if level < MADE_OF || !matches!(kind, OperationKind::Constructor | OperationKind::Array) {
        return Some(word);
    }
    let parts = flow.reads[made].iter().filter_map(|part| plain_argument(test, flow, *part, true));
    let parts: Vec<String> = parts.take(MAX_PARTS).collect();
    Some(if parts.is_empty() { word } else { format!("{word}Of{}", parts.join("And")) })
}

fn plain_argument(test: &UnitTest, flow: &Flow, value: ValueId, all: bool) -> Option<String> {
    let value = &flow.values[value.0];
    let decl = &test.case.slots[value.slot.index()];
    match value.from {
        From::Initial => literal_word(decl.init.as_ref()?, all),
        From::Call(call) | From::Guarded { call, .. } => {
            let call = &test.case.calls[call];
            match call.op.kind {
                OperationKind::Array if call.args.is_empty() => Some("EmptyArray".to_owned()),
                OperationKind::StaticField => Some(upper_camel(&call.op.name)),
                OperationKind::Implement => written_word(test, call, all),
                OperationKind::Temporary => file_word(&call.op, all),
                OperationKind::Inject if all => Some(upper_camel(simple_name(&call.op.owner))),
                OperationKind::Constructor if all => Some(upper_camel(simple_name(&call.op.owner))),
                OperationKind::Array if all => Some("Array".to_owned()),
                _ if all => {
                    let name = upper_camel(&call.op.name);
                    Some(name.strip_prefix("Get").filter(|n| !n.is_empty()).unwrap_or(&name).into())
                }
                _ => None,
            }
        }
    }
}

/// A temporary file in a word: `MissingFile`, `EmptyFolder`.
fn file_word(op: &Operation, all: bool) -> Option<String> {
    Some(match Temporary::of(op)?.0 {
        Temporary::Missing => "MissingFile".to_owned(),
        Temporary::EmptyFolder => "EmptyFolder".to_owned(),
        Temporary::FilledFolder => "Folder".to_owned(),
        Temporary::Folder => "TemporaryFolder".to_owned(),
        Temporary::File if all => "File".to_owned(),
        Temporary::OtherFile if all => "OtherFile".to_owned(),
        _ => return None,
    })
}

/// What is written on the spot, in a word: `ThrowingCallable`, `TruePredicate`.
fn written_word(test: &UnitTest, call: &Call, all: bool) -> Option<String> {
    let name = upper_camel(simple_name(&call.op.owner));
    let methods = &call.op.implementation.as_ref()?.methods;
    let answer = &methods.first().map(|first| &first.answer);
    let alike = methods.iter().all(|method| Some(&method.answer) == *answer);
    let adjective = match answer.filter(|_| alike) {
        Some(Answer::Throws(_)) => return Some(format!("Throwing{name}")),
        _ if !all => return None,
        Some(Answer::Captured(place) | Answer::First(place)) => {
            let slot = call.args.get(usize::from(*place))?;
            let value = test.case.slots[slot.index()].init.as_ref();
            value.and_then(|value| literal_word(value, true)).unwrap_or_default()
        }
        Some(Answer::Argument(_)) => "Identity".to_owned(),
        Some(Answer::Nothing | Answer::Default) | None => String::new(),
    };
    Some(adjective + &name)
}

fn literal_word(value: &Literal, all: bool) -> Option<String> {
    let number = |v: i64, min: i64, max: i64| match v {
        0 => Some("Zero".to_owned()),
        v if v == min => Some("MinValue".to_owned()),
        v if v == max => Some("MaxValue".to_owned()),
        v if all => Some(integer_word(v)),
        v if v < 0 => Some("Negative".to_owned()),
        _ => None,
    };
    match value {
        Literal::Null => Some("Null".to_owned()),
        Literal::Boolean(v) => Some(if *v { "True" } else { "False" }.to_owned()),
        Literal::Byte(v) => number((*v).into(), i8::MIN.into(), i8::MAX.into()),
        Literal::Short(v) => number((*v).into(), i16::MIN.into(), i16::MAX.into()),
        Literal::Int(v) => number((*v).into(), i32::MIN.into(), i32::MAX.into()),
        Literal::Long(v) => number(*v, i64::MIN, i64::MAX),
        Literal::Float(v) => float_word(f64::from(*v), &format!("{v:?}"), all),
        Literal::Double(v) => float_word(*v, &format!("{v:?}"), all),
        Literal::Char(unit) => match char::from_u32((*unit).into()) {
            Some(' ') => Some("Space".to_owned()),
            Some(c) if all => char_word(c),
            _ => None,
        },
        Literal::String(s) => {
            let text = s.to_string();
            if text.is_empty() {
                Some("EmptyString".to_owned())
            } else if text.trim().is_empty() {
                Some("BlankString".to_owned())
            } else {
                all.then(|| text_word(&text)).flatten()
            }
        }
        Literal::Class(Some(ty)) if all => {
            Some(upper_camel(&ty.to_string().rsplit(['.', '$']).next()?.replace("[]", "Array")))
        }
        Literal::Class(_) => None,
    }
}

fn integer_word(value: i64) -> String {
    const WORDS: [&str; 11] =
        ["Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
    let magnitude = value.unsigned_abs();
    let word = usize::try_from(magnitude)
        .ok()
        .and_then(|i| WORDS.get(i))
        .map_or_else(|| magnitude.to_string(), |w| (*w).to_owned());
    if value < 0 { format!("Minus{word}") } else { word }
}

fn float_word(value: f64, text: &str, all: bool) -> Option<String> {
    Some(match value {
        v if v.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "NegativeInfinity".to_owned(),
        0.0 => if value.is_sign_negative() { "NegativeZero" } else { "Zero" }.to_owned(),
        v if all && v.fract() == 0.0 && v.abs() < 1e9 => integer_word(v as i64),
        v if all && text.len() <= 8 && !text.contains('e') => {
            let minus = if v < 0.0 { "Minus" } else { "" };
            format!("{minus}{}", text.trim_start_matches('-').replace('.', "Point"))
        }
        v if v < 0.0 => "Negative".to_owned(),
        _ => return None,
    })
}

/// What state the receiver is in: new, or after which call.
fn state(
    scope: Scope,
    test: &UnitTest,
    flow: &Flow,
    receiver: ValueId,
    level: usize,
) -> Option<String> {
    let value = &flow.values[receiver.0];
    let mut earlier = value.uses.iter().filter_map(|u| match u {
        Use::Argument { call, .. } if *call < test.subject => Some(*call),
        _ => None,
    });
    let From::Call(made) = value.from else { return None };
    let op = &test.case.calls[made].op;
    match earlier.next_back() {
        None if op.kind == OperationKind::Constructor && op.params.is_empty() => {
            let holds_things = scope.classes.supertypes(&op.owner).iter().any(|class| {
                class.methods.iter().any(|m| &*m.name == "isEmpty" && m.params.is_empty())
            });
            let adjective = if holds_things { "Empty" } else { "New" };
            (holds_things || level > 0)
                .then(|| format!("on{adjective}{}", upper_camel(simple_name(&op.owner))))
        }
        Some(at) if level > 1 => {
            let call = &test.case.calls[at];
            let reads = flow.reads[at].iter().skip(usize::from(call.op.has_receiver()));
            let words: Vec<_> = reads.filter_map(|v| argument(test, flow, *v, level)).collect();
            let of = if words.is_empty() { "" } else { "Of" };
            Some(format!("after{}{of}{}", upper_camel(&call.op.name), words.join("And")))
        }
        None if level > 1 && op.kind == OperationKind::Constructor => {
            let words: Vec<_> =
                flow.reads[made].iter().filter_map(|v| argument(test, flow, *v, level)).collect();
            (!words.is_empty()).then(|| format!("of{}", words.join("And")))
        }
        _ => None,
    }
}

/// The law a contract states.
fn law(contract: Contract) -> &'static str {
    match contract {
        Contract::EqualsReflexive => "equals_isReflexive",
        Contract::EqualsSymmetric => "equals_isSymmetric",
        Contract::EqualsTransitive => "equals_isTransitive",
        Contract::EqualsNull => "equals_withNull_returnsFalse",
        Contract::EqualsHashCode => "hashCode_ofEqualObjects_isEqual",
        Contract::CompareAntisymmetric => "compareTo_isAntisymmetric",
        Contract::CompareTransitive => "compareTo_isTransitive",
        Contract::CompareConsistent => "compareTo_ofEqualObjects_isConsistent",
        Contract::CompareReflexive => "compareTo_withItself_returnsZero",
        Contract::CloneFresh => "clone_returnsAnotherObject",
        Contract::CloneClass => "clone_keepsTheClass",
        Contract::ToStringReturns => "toString_returnsNormally",
        Contract::HashCodeReturns => "hashCode_returnsNormally",
        Contract::EqualsReturns => "equals_returnsNormally",
        Contract::ComparatorAntisymmetric => "compare_isAntisymmetric",
        Contract::ComparatorTransitive => "compare_isTransitive",
        Contract::ComparatorConsistent => "compare_ofEqualObjects_isConsistent",
        Contract::ComparatorReflexive => "compare_withItself_returnsZero",
    }
}
