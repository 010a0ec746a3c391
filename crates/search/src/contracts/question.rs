//! Asking objects whether they keep a law: nearly every question is a run of its own, from fresh
//! objects.

use std::sync::Arc;

use model::{
    ClassName, Contract, Frame, Literal, Operation, OperationKind, Primitive, Slot, TestCase,
    Thrown, Type,
};

use crate::driver::{Driver, is_testable};
use crate::executor::Executor;
use crate::strategy::Ending;

fn method(name: &str, params: Vec<Type>, result: Type) -> Arc<Operation> {
    let owner = match name {
        "compareTo" => "java/lang/Comparable",
        "compare" => "java/util/Comparator",
        _ => "java/lang/Object",
    };
    let mut all = vec![Type::class(owner)];
    all.extend(params);
    Arc::new(Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal(owner),
        name: name.into(),
        params: all,
        result: Some(result),
        implementation: None,
    })
}

/// Asking an object whether it is equal to another one.
pub(crate) fn equals() -> Arc<Operation> {
    method("equals", vec![Type::object()], Type::Primitive(Primitive::Boolean))
}

/// Asking an object for its hash code.
pub(crate) fn hash_code() -> Arc<Operation> {
    method("hashCode", vec![], Type::INT)
}

/// The operations that laws are checked with, so that they can be linked ahead.
pub fn contract_operations() -> Vec<Arc<Operation>> {
    vec![
        equals(),
        hash_code(),
        method("compareTo", vec![Type::object()], Type::INT),
        method("compare", vec![Type::object(), Type::object()], Type::INT),
        method("toString", vec![], Type::string()),
        method("clone", vec![], Type::object()),
    ]
}

/// What one question to an object came to.
enum Answer {
    Value(Literal),
    Threw(Box<Thrown>),
    /// Cut short, unlinkable or with effects: says nothing of the law.
    Unknown,
}

fn ask<E: Executor>(
    driver: &mut Driver<'_, E>,
    case: &TestCase,
    op: &Arc<Operation>,
    args: &[Slot],
) -> Answer {
    let mut question = case.clone();
    let null = question.literal(Type::object(), Literal::Null);
    let args: Vec<Slot> = args.iter().map(|a| if a.0 == u32::MAX { null } else { *a }).collect();
    let result = question.call(op, &args);
    let last = question.calls.len() - 1;
    let ending = driver.execute(&question);
    let clean = driver.executor.effects(false).may_be_emitted();
    let answer = match ending {
        Ending::Normal if clean => result
            .and_then(|slot| driver.executor.primitive(slot))
            .map_or(Answer::Unknown, Answer::Value),
        Ending::Threw(at) if at == last && clean && !driver.executor.overran() => {
            match driver.executor.thrown() {
                Some(thrown) if is_testable(&thrown.class) => Answer::Threw(Box::new(thrown)),
                _ => Answer::Unknown,
            }
        }
        _ => Answer::Unknown,
    };
    driver.executor.end();
    answer
}

/// Whether a method without arguments threw for a reason of its own. A cast that fails there tells of
/// contents that the test put in by the erased type.
fn throws_of_itself(answer: &Answer) -> bool {
    matches!(answer, Answer::Threw(thrown)
        if thrown.class.as_internal() != "java/lang/ClassCastException")
}

const NULL: Slot = Slot(u32::MAX);

/// Whether the objects in the slots break the law; `false` where that cannot be told.
pub(super) fn violates<E: Executor>(
    driver: &mut Driver<'_, E>,
    law: Contract,
    case: &TestCase,
    slots: &[Slot],
) -> bool {
    let boolean = Type::Primitive(Primitive::Boolean);
    let equals_op = method("equals", vec![Type::object()], boolean);
    let hash_op = method("hashCode", vec![], Type::INT);
    let mut equals = |a: Slot, b: Slot| match ask(driver, case, &equals_op, &[a, b]) {
        Answer::Value(Literal::Boolean(value)) => Some(value),
        _ => None,
    };
    let (a, b, c) =
        (slots[0], slots.get(1).copied().unwrap_or(NULL), slots.get(2).copied().unwrap_or(NULL));
    match law {
        Contract::EqualsReflexive => equals(a, a) == Some(false),
        Contract::EqualsNull => match ask(driver, case, &equals_op, &[a, NULL]) {
            Answer::Value(value) => value == Literal::Boolean(true),
            Answer::Threw(_) => true,
            Answer::Unknown => false,
        },
        Contract::EqualsSymmetric => {
            matches!((equals(a, b), equals(b, a)), (Some(x), Some(y)) if x != y)
        }
        Contract::EqualsTransitive => {
            equals(a, b) == Some(true) && equals(b, c) == Some(true) && equals(a, c) == Some(false)
        }
        Contract::EqualsReturns => {
            matches!(ask(driver, case, &equals_op, &[a, b]), Answer::Threw(_))
        }
        Contract::EqualsHashCode => {
            // Of the same objects: the hash codes of others differ if they are by identity.
            let mut question = case.clone();
            let answers = [(&equals_op, &[a, b][..]), (&hash_op, &[a][..]), (&hash_op, &[b][..])]
                .map(|(op, args)| question.call(op, args));
            let ending = driver.execute(&question);
            let answers = answers.map(|slot| slot.and_then(|s| driver.executor.primitive(s)));
            let clean = driver.executor.effects(false).may_be_emitted();
            driver.executor.end();
            let [equal, one, other] = answers;
            ending == Ending::Normal
                && clean
                && equal == Some(Literal::Boolean(true))
                && one != other
        }
        Contract::HashCodeReturns => throws_of_itself(&ask(driver, case, &hash_op, &[a])),
        Contract::ToStringReturns => {
            let op = method("toString", vec![], Type::string());
            throws_of_itself(&ask(driver, case, &op, &[a]))
        }
        Contract::CompareReflexive
        | Contract::CompareAntisymmetric
        | Contract::CompareTransitive
        | Contract::CompareConsistent => {
            let op = method("compareTo", vec![Type::object()], Type::INT);
            order_violates(law, slots, |x, y| sign(ask(driver, case, &op, &[x, y])))
        }
        Contract::ComparatorReflexive
        | Contract::ComparatorAntisymmetric
        | Contract::ComparatorTransitive
        | Contract::ComparatorConsistent => {
            let op = method("compare", vec![Type::object(), Type::object()], Type::INT);
            order_violates(law, &slots[1..], |x, y| sign(ask(driver, case, &op, &[a, x, y])))
        }
        Contract::CloneFresh | Contract::CloneClass => clone_violates(driver, law, case, a),
    }
}

/// The exception that breaks the law, and the code outside the JDK that it comes from.
pub(super) fn thrown<E: Executor>(
    driver: &mut Driver<'_, E>,
    law: Contract,
    case: &TestCase,
    slots: &[Slot],
) -> Option<(Thrown, Frame)> {
    let boolean = Type::Primitive(Primitive::Boolean);
    let (op, args) = match law {
        Contract::EqualsNull => {
            (method("equals", vec![Type::object()], boolean), vec![slots[0], NULL])
        }
        Contract::EqualsReturns => {
            (method("equals", vec![Type::object()], boolean), slots.to_vec())
        }
        Contract::HashCodeReturns => (method("hashCode", vec![], Type::INT), slots.to_vec()),
        Contract::ToStringReturns => (method("toString", vec![], Type::string()), slots.to_vec()),
        _ => return None,
    };
    let Answer::Threw(thrown) = ask(driver, case, &op, &args) else { return None };
    let frame = thrown.frames.iter().find(|frame| !frame.is_of_jdk())?.clone();
    Some((*thrown, frame))
}

/// The sign of a comparison that returned.
fn sign(answer: Answer) -> Option<i32> {
    match answer {
        Answer::Value(Literal::Int(value)) => Some(value.signum()),
        _ => None,
    }
}

/// Whether a law of orders is broken; `compare` says the sign of a comparison, if it returned.
fn order_violates(
    law: Contract,
    compared: &[Slot],
    mut compare: impl FnMut(Slot, Slot) -> Option<i32>,
) -> bool {
    match (law, compared) {
        (Contract::CompareReflexive | Contract::ComparatorReflexive, &[x, ..]) => {
            matches!(compare(x, x), Some(sign) if sign != 0)
        }
        (Contract::CompareAntisymmetric | Contract::ComparatorAntisymmetric, &[x, y, ..]) => {
            matches!((compare(x, y), compare(y, x)), (Some(there), Some(back)) if there != -back)
        }
        (Contract::CompareTransitive | Contract::ComparatorTransitive, &[x, y, z]) => {
            compare(x, y) == Some(1)
                && compare(y, z) == Some(1)
                && matches!(compare(x, z), Some(sign) if sign != 1)
        }
        (Contract::CompareConsistent | Contract::ComparatorConsistent, &[x, y, z]) => {
            compare(x, y) == Some(0)
                && matches!((compare(x, z), compare(y, z)), (Some(one), Some(two)) if one != two)
        }
        _ => false,
    }
}

fn clone_violates<E: Executor>(
    driver: &mut Driver<'_, E>,
    law: Contract,
    case: &TestCase,
    a: Slot,
) -> bool {
    let clone = method("clone", vec![], Type::object());
    let mut question = case.clone();
    let Some(copy) = question.call(&clone, &[a]) else { return false };
    let ending = driver.execute(&question);
    let violated = ending == Ending::Normal
        && driver.executor.effects(false).may_be_emitted()
        && match law {
            Contract::CloneFresh => driver.executor.same(a, copy),
            _ => driver.executor.class_of(a) != driver.executor.class_of(copy),
        };
    driver.executor.end();
    violated
}
