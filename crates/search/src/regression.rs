//! Assertions on what a test was seen to do (requirement G12).
//!
//! A test gets the few assertions a reader expects: what the call under test returned, or, if that
//! says nothing, what the getters of the object it worked on say. Only what many runs agree on is
//! asserted: a random bit looks the same twice in every second case.

use std::sync::Arc;

use model::{
    Check, CheckKind, ClassName, ClassSource, Hierarchy, Literal, Observation, Operation,
    OperationKind, Origin, Primitive, Slot, TestCase, Type, member_accessible, type_accessible,
};

use crate::driver::Driver;
use crate::executor::Executor;
use crate::strategy::Ending;

/// Getters asked of one object.
const MAX_VIEWS: usize = 3;
/// How often a test is observed.
const LOOKS: u32 = 10;
/// Longer strings make no readable assertion.
const MAX_TEXT: usize = 300;

/// The assertions for a test that returns normally.
pub(crate) fn checks<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    package: &str,
    case: &TestCase,
) -> Option<Vec<Check>> {
    let mut checks = observe(driver, classes, package, case)?;
    for _ in 1..LOOKS {
        let again = observe(driver, classes, package, case)?;
        checks.retain(|check| again.contains(check));
    }
    Some(checks)
}

fn observe<E: Executor>(
    driver: &mut Driver<'_, E>,
    classes: &dyn ClassSource,
    package: &str,
    case: &TestCase,
) -> Option<Vec<Check>> {
    let ending = driver.execute(case);
    let clean = ending == Ending::Normal && driver.executor.effects(true).may_be_emitted();
    let checks = clean.then(|| {
        let mut looker =
            Looker { driver, classes, package, case: case.clone(), checks: Vec::new() };
        looker.look();
        looker.checks
    });
    driver.executor.end();
    checks
}

struct Looker<'d, 'a, 'c, E> {
    driver: &'d mut Driver<'a, E>,
    classes: &'c dyn ClassSource,
    package: &'c str,
    case: TestCase,
    checks: Vec<Check>,
}

impl<E: Executor> Looker<'_, '_, '_, E> {
    fn look(&mut self) {
        let last = self.case.calls.len() - 1;
        let call = self.case.calls[last].clone();
        let mut said_enough = false;
        if let Some(result) = call.result {
            let observed = self.driver.executor.observe(result);
            if matches!(observed, Observation::Object { .. }) {
                said_enough = self.check_object(&call, result);
            } else {
                said_enough = self.check_value(result, &observed);
            }
        }
        if !said_enough && call.op.has_receiver() {
            self.views_of(call.args[0]);
        }
    }

    fn add(&mut self, kind: CheckKind) {
        let after = self.case.calls.len() - 1;
        self.checks.push(Check { after, kind });
    }

    /// Asserts a value; `true` if that says all there is to say.
    fn check_value(&mut self, result: Slot, observed: &Observation) -> bool {
        let assertable = self.is_assertable(observed);
        if assertable {
            self.add(CheckKind::Holds(result, observed.clone()));
        } else if !matches!(observed, Observation::Null | Observation::Nothing) {
            self.add(CheckKind::NotNull(result));
        }
        assertable
    }

    /// Asserts what a returned object says of itself; `true` if it says anything.
    fn check_object(&mut self, call: &model::Call, result: Slot) -> bool {
        let receiver = call.op.has_receiver().then(|| call.args[0]);
        if let Some(receiver) = receiver.filter(|r| self.driver.executor.same(*r, result)) {
            self.add(CheckKind::Same(receiver, result));
            return false;
        }
        let said = self.views_of(result);
        if !said && call.op.kind != OperationKind::Constructor {
            self.add(CheckKind::NotNull(result));
        }
        said
    }

    /// Asks the getters of an object; `true` if they said anything.
    fn views_of(&mut self, slot: Slot) -> bool {
        let mut said = 0;
        for op in views(self.classes, self.case.ty(slot), self.package) {
            let Some(observed) = self.view(&op, slot) else { continue };
            if self.view(&op, slot).as_ref() != Some(&observed) || !self.is_assertable(&observed) {
                continue;
            }
            self.add(CheckKind::View(slot, op, observed));
            said += 1;
            if said == MAX_VIEWS {
                break;
            }
        }
        said > 0
    }

    fn view(&mut self, op: &Arc<Operation>, slot: Slot) -> Option<Observation> {
        let executor = &mut *self.driver.executor;
        let observed = executor.view(op, slot)?;
        (!executor.overran() && executor.effects(false).may_be_emitted()).then_some(observed)
    }

    fn is_assertable(&self, observed: &Observation) -> bool {
        match observed {
            Observation::Null => true,
            Observation::Value { value: Literal::String(text), .. } => {
                let text = text.to_string();
                text.len() <= MAX_TEXT && !shows_identity(&text)
            }
            Observation::Value { value: Literal::Class(Some(ty)), .. } => {
                type_accessible(self.classes, ty, self.package)
            }
            Observation::Value { .. } => true,
            Observation::Enum { class, constant } => {
                let ty = Type::Class(class.clone());
                type_accessible(self.classes, &ty, self.package)
                    && self.classes.class(class).is_some_and(|c| c.field(constant).is_some())
            }
            Observation::Array { element, elements: Some(elements), .. } => {
                type_accessible(self.classes, element, self.package)
                    && elements.iter().all(|e| self.is_assertable(e))
            }
            Observation::Array { .. } | Observation::Object { .. } | Observation::Nothing => false,
        }
    }
}

/// Whether a text contains what `Object.toString` makes of an identity hash code.
fn shows_identity(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let digits = text[at + 1..].chars().take_while(char::is_ascii_hexdigit).count();
        digits >= 3
    }) || text.contains("$$Lambda")
        || text.contains("/0x")
}

/// Methods without arguments that tell something of an object of this type, best first.
pub(crate) fn views(classes: &dyn ClassSource, ty: &Type, package: &str) -> Vec<Arc<Operation>> {
    let Type::Class(name) = ty else { return Vec::new() };
    let Some(owner) = classes.class(name) else { return Vec::new() };
    let mut found: Vec<(u32, Arc<Operation>)> = Vec::new();
    let mut seen: Vec<Arc<str>> = Vec::new();
    for declaring in classes.supertypes(name) {
        if declaring.name.as_internal() == "java/lang/Object" {
            continue;
        }
        for method in &declaring.methods {
            let Some(rank) = rank(&declaring.name, declaring.origin, method) else { continue };
            let nameable = declaring.access.is_public() || declaring.name.package() == package;
            if seen.contains(&method.name)
                || !nameable
                || !member_accessible(classes, &declaring, method.access, package)
            {
                continue;
            }
            seen.push(method.name.clone());
            found.push((rank, Arc::new(Operation::of_method(&owner, method))));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, op)| op).collect()
}

/// How telling a getter is, smaller first; `None` if the method is none.
fn rank(declaring: &ClassName, origin: Origin, method: &model::Method) -> Option<u32> {
    let result = method.result.as_ref()?;
    let access = method.access;
    let is_getter = method.params.is_empty()
        && !access.is_static()
        && !access.is_synthetic()
        && !access.is_bridge()
        && !access.is_private()
        && !method.deprecated
        && method.exceptions.is_empty();
    if !is_getter {
        return None;
    }
    let tells = match result {
        Type::Primitive(_) => true,
        Type::Class(name) => {
            matches!(name.as_internal(), "java/lang/String" | "java/lang/Class")
                || Primitive::unboxed(name.as_internal()).is_some()
        }
        Type::Array(_) => false,
    };
    let name = &*method.name;
    let starts = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    if name == "hashCode" || name == "getClass" || !tells {
        return None;
    }
    if name == "toString" {
        return (origin != Origin::Jdk || declaring.package() == "java/util").then_some(2);
    }
    if matches!(name, "size" | "length" | "isEmpty") {
        return Some(0);
    }
    // Views of a number as each primitive type say the same thing again.
    if name.ends_with("Value") && !starts("get") {
        return (name == "doubleValue").then_some(3);
    }
    (starts("get") || starts("is") || starts("has")).then_some(1)
}
