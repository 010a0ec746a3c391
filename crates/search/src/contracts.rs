//! Laws that every class has to keep: `equals`, `hashCode`, `compareTo`, `clone`, `toString`
//! (requirement G10).

use std::sync::Arc;

use model::{
    ClassName, ClassSource, Contract, Expectation, Failure, FailureKind, Hierarchy, Literal,
    Operation, OperationKind, Origin, Primitive, Slot, TestCase, Type, UnitTest,
};

use crate::driver::{Driver, is_testable};
use crate::executor::Executor;
use crate::minimize::minimize;
use crate::record::record;
use crate::strategy::Ending;

/// Objects compared with each other.
pub(crate) const MAX_OBJECTS: usize = 24;
/// Triples tried for laws of three objects.
const MAX_TRIPLES: usize = 400;

/// Checks the laws on the objects given; each broken law is reported once, by its shortest test.
pub(crate) fn audit<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    class: &ClassName,
    objects: &[(Arc<TestCase>, Slot)],
) -> Vec<UnitTest> {
    let laws = laws_of(classes, class);
    // An object that was given a null may well throw: that says nothing of the class.
    let objects: Vec<_> =
        objects.iter().filter(|(case, _)| !is_given_null(case)).cloned().collect();
    let mut broken: Vec<(Contract, TestCase, Vec<Slot>)> = Vec::new();
    let count = objects.len();
    for law in laws {
        let combinations: Vec<Vec<usize>> = match arity(law) {
            1 => (0..count).map(|a| vec![a]).collect(),
            2 => (0..count).flat_map(|a| (0..count).map(move |b| vec![a, b])).collect(),
            _ => triples(count),
        };
        for combination in combinations {
            let (case, slots) = combine(&objects, &combination);
            if violates(driver, law, &case, &slots) {
                broken.push((law, case, slots));
                break;
            }
        }
    }
    broken
        .into_iter()
        .map(|(law, case, slots)| {
            let (case, slots) = shorten(driver, classes, law, case, slots);
            report(law, case, slots)
        })
        .collect()
}

fn is_given_null(case: &TestCase) -> bool {
    let mut given = case.calls.iter().flat_map(|call| &call.args);
    given.any(|slot| case.slots[slot.index()].init == Some(Literal::Null))
}

fn arity(law: Contract) -> usize {
    match law {
        Contract::EqualsReflexive
        | Contract::EqualsNull
        | Contract::CompareReflexive
        | Contract::CloneFresh
        | Contract::CloneClass
        | Contract::ToStringReturns
        | Contract::HashCodeReturns => 1,
        Contract::EqualsSymmetric
        | Contract::EqualsHashCode
        | Contract::EqualsReturns
        | Contract::CompareAntisymmetric => 2,
        Contract::EqualsTransitive | Contract::CompareTransitive | Contract::CompareConsistent => 3,
    }
}

fn triples(count: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for a in 0..count {
        for b in 0..count {
            for c in 0..count {
                if all.len() == MAX_TRIPLES {
                    return all;
                }
                if a != b && b != c && a != c {
                    all.push(vec![a, b, c]);
                }
            }
        }
    }
    all
}

/// The laws that code of the project's own could break.
fn laws_of(classes: &dyn ClassSource, class: &ClassName) -> Vec<Contract> {
    let overrides = |name: &str, params: usize| {
        classes.supertypes(class).iter().any(|c| {
            c.origin != Origin::Jdk
                && c.methods.iter().any(|m| {
                    &*m.name == name
                        && m.params.len() == params
                        && !m.access.is_static()
                        && !m.access.is_abstract()
                })
        })
    };
    let mut laws = Vec::new();
    if overrides("equals", 1) {
        laws.extend([
            Contract::EqualsReturns,
            Contract::EqualsReflexive,
            Contract::EqualsNull,
            Contract::EqualsSymmetric,
            Contract::EqualsHashCode,
            Contract::EqualsTransitive,
        ]);
    }
    if overrides("hashCode", 0) {
        laws.push(Contract::HashCodeReturns);
    }
    if overrides("toString", 0) {
        laws.push(Contract::ToStringReturns);
    }
    let comparable = ClassName::internal("java/lang/Comparable");
    if classes.is_subclass(class, &comparable) && overrides("compareTo", 1) {
        laws.extend([
            Contract::CompareReflexive,
            Contract::CompareAntisymmetric,
            Contract::CompareTransitive,
            Contract::CompareConsistent,
        ]);
    }
    let public_clone = classes
        .class(class)
        .is_some_and(|c| c.methods.iter().any(|m| &*m.name == "clone" && m.access.is_public()));
    if public_clone && classes.is_subclass(class, &ClassName::internal("java/lang/Cloneable")) {
        laws.extend([Contract::CloneFresh, Contract::CloneClass]);
    }
    laws
}

fn combine(objects: &[(Arc<TestCase>, Slot)], which: &[usize]) -> (TestCase, Vec<Slot>) {
    let mut case = TestCase::default();
    let slots = which
        .iter()
        .map(|index| {
            let (built, slot) = &objects[*index];
            let offset = case.append(built);
            Slot(slot.0 + offset)
        })
        .collect();
    (case, slots)
}

fn method(name: &str, params: Vec<Type>, result: Type) -> Arc<Operation> {
    let owner = if name == "compareTo" { "java/lang/Comparable" } else { "java/lang/Object" };
    let mut all = vec![Type::class(owner)];
    all.extend(params);
    Arc::new(Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal(owner),
        name: name.into(),
        params: all,
        result: Some(result),
    })
}

/// The operations that laws are checked with, so that they can be linked ahead.
pub fn contract_operations() -> Vec<Arc<Operation>> {
    vec![
        method("equals", vec![Type::object()], Type::Primitive(Primitive::Boolean)),
        method("hashCode", vec![], Type::INT),
        method("compareTo", vec![Type::object()], Type::INT),
        method("toString", vec![], Type::string()),
        method("clone", vec![], Type::object()),
    ]
}

/// What one question to an object came to.
enum Answer {
    Value(Literal),
    Threw,
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
                Some(thrown) if is_testable(&thrown.class) => Answer::Threw,
                _ => Answer::Unknown,
            }
        }
        _ => Answer::Unknown,
    };
    driver.executor.end();
    answer
}

const NULL: Slot = Slot(u32::MAX);

fn violates<E: Executor>(
    driver: &mut Driver<'_, E>,
    law: Contract,
    case: &TestCase,
    slots: &[Slot],
) -> bool {
    let boolean = Type::Primitive(Primitive::Boolean);
    let equals_op = method("equals", vec![Type::object()], boolean);
    let hash_op = method("hashCode", vec![], Type::INT);
    let compare_op = method("compareTo", vec![Type::object()], Type::INT);
    let mut equals = |a: Slot, b: Slot| match ask(driver, case, &equals_op, &[a, b]) {
        Answer::Value(Literal::Boolean(value)) => Some(value),
        _ => None,
    };
    let (a, b, c) =
        (slots[0], slots.get(1).copied().unwrap_or(NULL), slots.get(2).copied().unwrap_or(NULL));
    match law {
        Contract::EqualsReflexive => equals(a, a) == Some(false),
        Contract::EqualsNull => equals(a, NULL) == Some(true),
        Contract::EqualsSymmetric => {
            matches!((equals(a, b), equals(b, a)), (Some(x), Some(y)) if x != y)
        }
        Contract::EqualsTransitive => {
            equals(a, b) == Some(true) && equals(b, c) == Some(true) && equals(a, c) == Some(false)
        }
        Contract::EqualsReturns => matches!(ask(driver, case, &equals_op, &[a, b]), Answer::Threw),
        Contract::EqualsHashCode => {
            if equals(a, b) != Some(true) {
                return false;
            }
            let mut hash = |slot| match ask(driver, case, &hash_op, &[slot]) {
                Answer::Value(value) => Some(value),
                _ => None,
            };
            matches!((hash(a), hash(b)), (Some(x), Some(y)) if x != y)
        }
        Contract::HashCodeReturns => matches!(ask(driver, case, &hash_op, &[a]), Answer::Threw),
        Contract::ToStringReturns => {
            let op = method("toString", vec![], Type::string());
            matches!(ask(driver, case, &op, &[a]), Answer::Threw)
        }
        Contract::CompareReflexive
        | Contract::CompareAntisymmetric
        | Contract::CompareTransitive
        | Contract::CompareConsistent => {
            let mut compare = |a: Slot, b: Slot| match ask(driver, case, &compare_op, &[a, b]) {
                Answer::Value(Literal::Int(value)) => Some(value.signum()),
                _ => None,
            };
            match law {
                Contract::CompareReflexive => matches!(compare(a, a), Some(sign) if sign != 0),
                Contract::CompareAntisymmetric => {
                    matches!((compare(a, b), compare(b, a)), (Some(x), Some(y)) if x != -y)
                }
                Contract::CompareTransitive => {
                    compare(a, b) == Some(1)
                        && compare(b, c) == Some(1)
                        && matches!(compare(a, c), Some(sign) if sign != 1)
                }
                _ => {
                    compare(a, b) == Some(0)
                        && matches!((compare(a, c), compare(b, c)),
                            (Some(x), Some(y)) if x != y)
                }
            }
        }
        Contract::CloneFresh | Contract::CloneClass => clone_violates(driver, law, case, a),
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

/// Shortens the test that builds the objects while the law stays broken. The minimizer keeps the
/// last call, so one is added that uses all the objects and is taken off again.
fn shorten<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    law: Contract,
    case: TestCase,
    slots: Vec<Slot>,
) -> (TestCase, Vec<Slot>) {
    let gather = Arc::new(Operation::array(&Type::object()));
    let mut gathered = case;
    gathered.call(&gather, &slots);
    let split = |with: &TestCase| {
        let mut without = with.clone();
        let slots = without.calls.pop().map(|call| call.args.to_vec()).unwrap_or_default();
        (without, slots)
    };
    let outcome = record(driver.executor, &gathered);
    let shortest = minimize(&gathered, &outcome, &classes, |candidate| {
        let (case, slots) = split(candidate);
        violates(driver, law, &case, &slots)
    });
    let (mut case, slots) = split(&shortest);
    let renamed = case.compact(&slots);
    let slots = slots.iter().filter_map(|s| renamed[s.index()]).collect();
    (case, slots)
}

fn report(law: Contract, case: TestCase, slots: Vec<Slot>) -> UnitTest {
    let explanation = match law {
        Contract::EqualsReflexive => "an object must be equal to itself",
        Contract::EqualsSymmetric => "a.equals(b) must say the same as b.equals(a)",
        Contract::EqualsTransitive => "if a equals b and b equals c, then a must equal c",
        Contract::EqualsNull => "no object may be equal to null",
        Contract::EqualsHashCode => "equal objects must have equal hash codes",
        Contract::CompareAntisymmetric => "a.compareTo(b) must be the opposite of b.compareTo(a)",
        Contract::CompareTransitive => "if a > b and b > c, then a must be greater than c",
        Contract::CompareConsistent => {
            "objects that compare as equal must compare alike with every other object"
        }
        Contract::CompareReflexive => "an object must compare as equal to itself",
        Contract::CloneFresh => "a clone must be another object",
        Contract::CloneClass => "a clone must have the same class",
        Contract::ToStringReturns => "toString must not throw",
        Contract::HashCodeReturns => "hashCode must not throw",
        Contract::EqualsReturns => "equals must not throw",
    };
    UnitTest {
        subject: case.calls.len().saturating_sub(1),
        case,
        expectation: Expectation::Returns,
        checks: Vec::new(),
        failure: Some(Failure {
            kind: FailureKind::Contract { contract: law, slots },
            explanation: explanation.to_owned(),
        }),
    }
}
