//! Laws that every class has to keep: `equals`, `hashCode`, `compareTo`, `compare`, `clone`,
//! `toString` (requirement G10).

mod question;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use model::{
    Cause, Class, ClassName, ClassSource, Contract, Expectation, Failure, FailureKind, Frame,
    Hierarchy, Literal, Method, Operation, OperationKind, Origin, Slot, TestCase, Thrown, Type,
    UnitTest,
};

use crate::api::TypeId;
use crate::driver::Driver;
use crate::executor::Executor;
use crate::failures::{NULL_POINTER, Noise, is_unset, trace_of};
use crate::minimize::minimize;
use crate::record::record;
use crate::regression::Known;

pub use question::contract_operations;
use question::violates;
pub(crate) use question::{equals, hash_code};

/// A built object: a test case and the slot it leaves the object in.
pub type Built = (Arc<TestCase>, Slot);

/// Objects compared with each other.
const MAX_OBJECTS: usize = 36;
/// Of these, objects that kept tests call the methods of the laws on.
const MAX_KEPT: usize = 12;
/// Comparators whose laws are checked, and objects that are compared with those of other classes.
const MAX_COMPARATORS: usize = 4;
/// Tuples of objects tried for one law.
const MAX_TUPLES: usize = 1296;

/// Checks the laws on objects of the class under test; each broken law is reported once, by its
/// shortest test. `objects` gives built objects that can be used as a type, up to a limit.
pub(crate) fn audit<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    objects: &dyn Fn(TypeId, usize) -> Vec<Built>,
) -> Vec<UnitTest> {
    let Known { classes, knowledge, .. } = known;
    let class = driver.api.class.clone();
    let objects_of = |driver: &Driver<'_, E>, ty: &Type, limit: usize| {
        let mut found = kept_objects(driver, ty);
        let more = limit - found.len().min(limit);
        found.extend(driver.api.type_id(ty).map(|id| objects(id, more)).unwrap_or_default());
        // An object that was given a null may well throw, one that was given what the test itself
        // wrote does what that says, and one that was tampered with is none of its authors': none of
        // them says anything of the class.
        found.retain(|(case, _)| {
            let is_for_callers = driver.api.is_for_callers(&case.calls);
            !is_given_null(case) && !is_written(case) && is_for_callers
        });
        found
    };
    let own = objects_of(driver, &Type::Class(class.clone()), MAX_OBJECTS);
    let mut broken: Vec<(Contract, TestCase, Vec<Slot>)> = Vec::new();
    for law in laws_of(classes, &class) {
        let found = first_broken(driver, law, &[], &own).or_else(|| {
            // Objects of other classes may think otherwise of being equal.
            let others = literals(driver, &Type::object());
            let some =
                own.iter().take(MAX_COMPARATORS).filter(|_| law == Contract::EqualsSymmetric);
            some.filter_map(|own| first_broken(driver, law, std::slice::from_ref(own), &others))
                .next()
        });
        broken.extend(found);
    }
    if let Some(ty) = compared_by(classes, &class) {
        let mut compared = literals(driver, &ty);
        compared.extend(objects_of(driver, &ty, MAX_OBJECTS / 2));
        for law in COMPARATOR_LAWS {
            let comparators = own.iter().take(MAX_COMPARATORS);
            broken.extend(
                comparators
                    .filter_map(|by| first_broken(driver, law, std::slice::from_ref(by), &compared))
                    .next(),
            );
        }
    }
    broken
        .into_iter()
        .filter_map(|(law, case, slots)| {
            let (case, slots) = shorten(driver, classes, law, case, slots);
            let thrown = question::thrown(driver, law, &case, &slots);
            let is_noise = thrown.as_ref().is_some_and(|(thrown, frame)| {
                let message = thrown.message.as_ref().map(ToString::to_string).unwrap_or_default();
                thrown.class.as_internal() == NULL_POINTER
                    && is_unset(classes, &knowledge.setters, &case, &message, frame)
                    && driver.failures.counts(Noise::Unset, &thrown.class, frame)
            });
            (!is_noise).then(|| {
                let by = declaring(classes, &class, law);
                report(law, case, slots, &by, thrown.as_ref())
            })
        })
        .collect()
}

/// The objects of the type that kept tests call `equals` and the like on: such a test is kept because the
/// method did there what it had not done before, which few objects of a pool have it do.
fn kept_objects<E: Executor>(driver: &Driver<'_, E>, ty: &Type) -> Vec<Built> {
    let mut found: Vec<Built> = Vec::new();
    for kept in driver.kept() {
        let Some(last) = kept.case.calls.last() else { continue };
        if !last.op.has_receiver() || !METHODS_OF_LAWS.contains(&&*last.op.name) {
            continue;
        }
        let mut earlier = kept.case.clone();
        earlier.calls.pop();
        let earlier = Arc::new(earlier);
        for slot in &last.args {
            let is_made = earlier.calls.iter().any(|call| call.result == Some(*slot));
            let built = (earlier.clone(), *slot);
            if is_made && earlier.ty(*slot) == ty && !found.contains(&built) {
                found.push(built);
            }
        }
    }
    found.truncate(MAX_KEPT);
    found
}

/// What kind of noise the laws that the class breaks are, if nobody asked for that.
pub(crate) fn noise_of<E: Executor>(
    driver: &Driver<'_, E>,
    classes: &dyn ClassSource,
) -> Option<Noise> {
    let class = &driver.api.class;
    let is_deprecated = classes.class(class).is_some_and(|class| class.deprecated);
    let kinds = [(Noise::Deprecated, is_deprecated), (Noise::Internal, Noise::is_internal(class))];
    let mut kinds = kinds.into_iter().filter(|(_, is_so)| *is_so).map(|(kind, _)| kind);
    kinds.find(|kind| !driver.failures.exceptions.noise.contains(kind))
}

/// The methods that laws speak of.
const METHODS_OF_LAWS: [&str; 5] = ["equals", "hashCode", "toString", "compareTo", "clone"];

/// The class whose code breaks the law: it, or the nearest superclass that has the method.
fn declaring(classes: &dyn ClassSource, class: &ClassName, law: Contract) -> ClassName {
    // Who overrides `equals` has to override `hashCode`.
    let name = if law == Contract::EqualsHashCode { "equals" } else { law.method() };
    let supertypes = classes.supertypes(class);
    let mut own = supertypes.iter().filter(|c| c.origin != Origin::Jdk);
    let has =
        |c: &&Arc<Class>| c.methods.iter().any(|m| &*m.name == name && !m.access.is_abstract());
    own.find(has).map_or_else(|| class.clone(), |c| c.name.clone())
}

/// The first objects that break the law: those `given`, then as many others as it speaks of.
fn first_broken<E: Executor>(
    driver: &mut Driver<'_, E>,
    law: Contract,
    given: &[Built],
    others: &[Built],
) -> Option<(Contract, TestCase, Vec<Slot>)> {
    let wanted = law.operands() - given.len();
    tuples(others.len(), wanted).find_map(|which| {
        let chosen = given.iter().chain(which.iter().map(|index| &others[*index]));
        let (case, slots) = combine(chosen);
        violates(driver, law, &case, &slots).then_some((law, case, slots))
    })
}

/// Values of the type that can be written down, as if they had been built.
fn literals<E: Executor>(driver: &Driver<'_, E>, ty: &Type) -> Vec<Built> {
    let known = driver.api.type_id(ty).map(|id| driver.api.literals(id)).unwrap_or_default();
    let step = known.len().div_ceil(MAX_OBJECTS / 2).max(1);
    let written = known.iter().step_by(step).map(|(ty, value)| {
        let mut case = TestCase::default();
        let slot = case.literal(ty.clone(), value.clone());
        (Arc::new(case), slot)
    });
    written.collect()
}

fn is_written(case: &TestCase) -> bool {
    case.calls.iter().any(|call| call.op.kind == OperationKind::Implement)
}

fn is_given_null(case: &TestCase) -> bool {
    let mut given = case.calls.iter().flat_map(|call| &call.args);
    given.any(|slot| case.slots[slot.index()].init == Some(Literal::Null))
}

/// Tuples of numbers below `count`: all of them, or some that are spread evenly. Those of three and
/// more have no number twice.
fn tuples(count: usize, length: usize) -> impl Iterator<Item = Vec<usize>> {
    let total = count.pow(length as u32);
    // All tuples are numbered. Steps of the golden ratio spread over them, and meet each once if the
    // step shares no factor with their number.
    let mut step = (total * 618 / 1000).max(1);
    while greatest_common_divisor(step, total) > 1 {
        step += 1;
    }
    (0..total.min(MAX_TUPLES))
        .map(move |turn| {
            let mut number = if total <= MAX_TUPLES { turn } else { turn * step % total };
            let mut tuple = vec![0; length];
            for place in tuple.iter_mut().rev() {
                *place = number % count;
                number /= count;
            }
            tuple
        })
        .filter(move |t| length < 3 || (1..length).all(|place| !t[..place].contains(&t[place])))
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

const COMPARATOR_LAWS: [Contract; 4] = [
    Contract::ComparatorReflexive,
    Contract::ComparatorAntisymmetric,
    Contract::ComparatorTransitive,
    Contract::ComparatorConsistent,
];

/// What objects of the class compare, if they are comparators by code of the project's own.
fn compared_by(classes: &dyn ClassSource, class: &ClassName) -> Option<Type> {
    if !classes.is_subclass(class, &ClassName::internal("java/util/Comparator")) {
        return None;
    }
    let compares = |method: &&Method| {
        &*method.name == "compare"
            && method.result == Some(Type::INT)
            && !method.access.is_static()
            && !method.access.is_abstract()
            && !method.access.is_bridge()
            && matches!(&method.params[..], [x, y] if x.ty == y.ty && x.ty.is_reference())
    };
    let supertypes = classes.supertypes(class);
    let mut own = supertypes.iter().filter(|c| c.origin != Origin::Jdk);
    own.find_map(|c| c.methods.iter().find(compares).map(|m| m.params[0].ty.clone()))
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

fn combine<'b>(objects: impl Iterator<Item = &'b Built>) -> (TestCase, Vec<Slot>) {
    let mut case = TestCase::default();
    let slots = objects
        .map(|(built, slot)| {
            let offset = case.append(built);
            Slot(slot.0 + offset)
        })
        .collect();
    (case, slots)
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
    let api = driver.api;
    let shortest = minimize(&gathered, &outcome, api, &classes, |candidate| {
        let (case, slots) = split(candidate);
        violates(driver, law, &case, &slots)
    });
    let (mut case, slots) = split(&shortest);
    let renamed = case.compact(&slots);
    let slots = slots.iter().filter_map(|s| renamed[s.index()]).collect();
    (case, slots)
}

fn report(
    law: Contract,
    case: TestCase,
    slots: Vec<Slot>,
    by: &ClassName,
    thrown: Option<&(Thrown, Frame)>,
) -> UnitTest {
    let explanation = match law {
        Contract::EqualsReflexive => "an object must be equal to itself",
        Contract::EqualsSymmetric => "a.equals(b) must say the same as b.equals(a)",
        Contract::EqualsTransitive => "if a equals b and b equals c, then a must equal c",
        Contract::EqualsNull => "a.equals(null) must return false",
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
        Contract::ComparatorAntisymmetric => "compare(x, y) must be the opposite of compare(y, x)",
        Contract::ComparatorTransitive => "if compare says x > y and y > z, then it must say x > z",
        Contract::ComparatorConsistent => {
            "objects that compare as equal must compare alike with every other object"
        }
        Contract::ComparatorReflexive => "compare must say that an object is equal to itself",
    };
    let (explanation, cause) = match thrown {
        Some((thrown, frame)) => {
            let Thrown { class, message, .. } = thrown;
            let message = message.as_ref().map_or_else(String::new, |m| format!(": {m}"));
            let said = format!("{explanation}, but throws {class}{message} in {frame}");
            (said, Cause::of_exception(trace_of(thrown, frame)))
        }
        None => (explanation.to_owned(), Cause::of_law(format!("{law:?} of {by}"))),
    };
    UnitTest {
        subject: case.calls.len().saturating_sub(1),
        case,
        expectation: Expectation::Returns,
        checks: Vec::new(),
        failure: Some(Failure {
            kind: FailureKind::Contract { contract: law, slots },
            explanation,
            cause,
        }),
    }
}
