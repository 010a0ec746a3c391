//! Names of tests: `subject_condition_expected`.
//!
//! A test is described at several levels; tests that would share a name get the next
//! level, and only those that still share one get a number. So a name is as short as its class
//! allows, and depends on nothing but the suite.

mod expected;
mod fit;
mod state;
mod text;
mod told;

use std::collections::{HashMap, HashSet};

use model::{
    Answer, Call, Contract, FailureKind, Literal, Operation, OperationKind, Temporary, Type,
    UnitTest, is_identifier,
};

use crate::body::simple_name;
use crate::flow::{Flow, From, ValueId};
use crate::generics::Scope;
use crate::identifier::{capitalized, upper_camel};
use crate::variable::parameter_name;

use self::expected::expected;
use self::fit::{Clause, Title};
use self::state::{history, state};
use self::text::{char_word, text_word};

/// Of the arguments what is remarkable, and nothing else.
const REMARKABLE: usize = 0;
/// All arguments.
const ALL: usize = 1;
/// All arguments, and what was done before.
const STATE: usize = 2;
/// The same, and what arguments are made of.
const MADE_OF: usize = 3;

/// How a test is told from others.
#[derive(Clone, Copy)]
enum Level {
    /// By its condition, in so much detail.
    Condition(usize),
    /// By the parameter types of an overloaded member as well.
    Overload(usize),
    /// By one of the calls before.
    History,
    /// By what else is asserted.
    Asserted,
}

/// The levels, in the order in which they are tried.
const LEVELS: [Level; 9] = [
    Level::Condition(REMARKABLE),
    Level::Condition(ALL),
    Level::Overload(REMARKABLE),
    Level::Overload(ALL),
    Level::Condition(STATE),
    Level::Overload(STATE),
    Level::Condition(MADE_OF),
    Level::History,
    Level::Asserted,
];
/// Values told that an argument is made of.
const MAX_PARTS: usize = 2;

/// Names for the tests, each once, none of those in `reserved`.
pub(crate) fn titles(scope: Scope, tests: &[&UnitTest], reserved: &[&str]) -> Vec<String> {
    let described: Vec<[Vec<String>; LEVELS.len()]> = tests
        .iter()
        .map(|test| {
            let is_overloaded = tests.iter().any(|other| is_other_overload(test, other));
            LEVELS.map(|level| describe(scope, test, level, is_overloaded))
        })
        .collect();
    let mut taken: HashSet<String> = reserved.iter().map(|r| (*r).to_owned()).collect();
    let mut names: Vec<Option<String>> = vec![None; tests.len()];
    // The fewest tests that share a name with a test, and that name.
    let mut nearest: Vec<Option<(usize, &str)>> = vec![None; tests.len()];
    for level in 0..LEVELS.len() {
        let most = described.iter().map(|levels| levels[level].len()).max().unwrap_or(0);
        for form in 0..most {
            let open = (0..tests.len()).filter(|&test| names[test].is_none());
            let tried: Vec<(usize, &str)> = open
                .filter_map(|test| Some((test, &**described[test][level].get(form)?)))
                .collect();
            let mut count: HashMap<&str, usize> = HashMap::new();
            tried.iter().for_each(|(_, name)| *count.entry(name).or_default() += 1);
            for (test, name) in tried {
                let sharing = count[name] + usize::from(taken.contains(name));
                if sharing == 1 {
                    names[test] = Some(name.to_owned());
                } else if nearest[test].is_none_or(|(least, _)| sharing < least) {
                    nearest[test] = Some((sharing, name));
                }
            }
            taken.extend(names.iter().flatten().cloned());
        }
    }
    let numbered = names.into_iter().zip(nearest).map(|(name, nearest)| {
        name.unwrap_or_else(|| {
            let base = nearest.map_or("test", |(_, name)| name);
            let name = (1..)
                .map(|n| if n == 1 { base.to_owned() } else { format!("{base}_{n}") })
                .find(|name| !taken.contains(name))
                .expect("there are endless numbers");
            taken.insert(name.clone());
            name
        })
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

/// The names a test may have at a level, the best first.
fn describe(scope: Scope, test: &UnitTest, level: Level, is_overloaded: bool) -> Vec<String> {
    if let Some(failure) = &test.failure
        && let FailureKind::Contract { contract, .. } = failure.kind
    {
        return vec![law(contract).to_owned()];
    }
    let Some(call) = test.case.calls.get(test.subject) else { return vec!["test".to_owned()] };
    let Ok(flow) = Flow::of(test) else { return vec!["test".to_owned()] };
    let subject = match call.op.kind {
        OperationKind::Constructor | OperationKind::Implement | OperationKind::Inject => {
            "constructor".to_owned()
        }
        OperationKind::Array => "array".to_owned(),
        _ => call.op.name.to_string(),
    };
    let overload = match level {
        Level::Overload(_) if !is_overloaded => return Vec::new(),
        Level::Overload(_) => overload(call),
        Level::Condition(_) | Level::History | Level::Asserted => None,
    };
    let conditions = match level {
        Level::Condition(detail) | Level::Overload(detail) => {
            vec![condition(scope, test, &flow, detail)]
        }
        Level::History => {
            history(scope, test, &flow, MADE_OF).into_iter().map(|one| vec![one]).collect()
        }
        Level::Asserted => vec![condition(scope, test, &flow, REMARKABLE)],
    };
    let outcomes = expected(test, call, &flow);
    let (first, others) = outcomes.split_at(1);
    let outcomes = if matches!(level, Level::Asserted) { others } else { first };
    let titles = conditions.iter().flat_map(|condition| {
        outcomes.iter().map(|outcome| Title {
            subject: subject.clone(),
            overload: overload.clone(),
            condition: condition.clone(),
            outcome: outcome.clone(),
        })
    });
    let as_identifier = |name: String| {
        if is_identifier(&name) { name } else { format!("test_{}", upper_camel(&name)) }
    };
    titles.flat_map(|title| title.spellings()).map(as_identifier).collect()
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
fn condition(scope: Scope, test: &UnitTest, flow: &Flow, level: usize) -> Vec<Clause> {
    if level >= ALL
        && let Some(told) = told::told(test)
    {
        return vec![told];
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
    if level == REMARKABLE {
        words.truncate(2);
    }
    words.dedup();
    let arguments = (!words.is_empty()).then(|| Clause::of("with", words));
    let state = if receiver == 1 { state(scope, test, flow, reads[0], level) } else { None };
    let state = state.filter(|_| level >= ALL || arguments.is_none());
    arguments.into_iter().chain(state).collect()
}

/// An argument in a word; at the first level only if it is remarkable.
fn argument(test: &UnitTest, flow: &Flow, value: ValueId, level: usize) -> Option<String> {
    let all = level >= ALL;
    let word = plain_argument(test, flow, value, all)?;
    let From::Call(made) = flow.values[value.0].from else { return Some(word) };
    use OperationKind::{Array, Constructor, StaticMethod};
    let kind = test.case.calls[made].op.kind;
    if level < MADE_OF || !matches!(kind, Constructor | Array | StaticMethod) {
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
                _ if all => Some(result_word(&call.op)),
                _ => None,
            }
        }
    }
}

/// What a method returns, in a word: `Duration` of `Duration.of`, `DurationOfHours`, `Name` of
/// `getName`.
fn result_word(op: &Operation) -> String {
    const MAKERS: [&str; 8] =
        ["of", "valueOf", "copyOf", "from", "create", "get", "getInstance", "newInstance"];
    let name = upper_camel(&op.name);
    let class = op.result.as_ref().and_then(Type::as_class).map(simple_name).map(upper_camel);
    if op.kind == OperationKind::StaticMethod
        && let Some(class) = class
    {
        let follows = |preposition: &str| {
            let rest = name.strip_prefix(preposition);
            rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
        };
        if MAKERS.contains(&&*op.name) {
            return class;
        }
        if ["Of", "From"].into_iter().any(follows) {
            return class + &name;
        }
    }
    name.strip_prefix("Get").filter(|name| !name.is_empty()).unwrap_or(&name).to_owned()
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
