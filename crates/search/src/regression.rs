//! Assertions on what a test was seen to do (requirement G12).
//!
//! A test gets the few assertions a reader expects: what the call under test returned, and what it
//! changed in the object it worked on and in its arguments; if it changed nothing that can be seen,
//! what that object says. Only what many runs agree on is asserted: a random bit looks the same
//! twice in every second case.

mod alike;
mod interactions;
mod question;
mod state;
#[cfg(test)]
mod tests;
pub(crate) mod unchanged;

use std::sync::Arc;

use model::{
    Call, Check, CheckKind, ClassSource, Literal, Observation, Operation, OperationKind, Slot,
    TestCase,
};

use self::interactions::{Done, has_mocks, watched};
use self::state::{State, assertable};
use crate::answers::is_blank;
use crate::driver::Driver;
use crate::executor::Executor;
use crate::guided::Knowledge;
use crate::strategy::Ending;

/// Getters that tell of one object.
const MAX_VIEWS: usize = 4;
/// Changes told of objects.
const MAX_CHANGES: usize = 3;
/// No more changes than one are told beside so many assertions.
const MANY: usize = 4;
/// Objects looked at that a call was not given.
const MAX_OTHERS: usize = 4;
/// How often a test is observed.
const LOOKS: u32 = 10;

/// What is known of the classes.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// Their members.
    pub(crate) classes: &'a dyn ClassSource,
    /// What analyses say of them.
    pub(crate) knowledge: &'a Knowledge,
    /// The package that tests will live in.
    pub(crate) package: &'a str,
}

/// What a test asserts.
pub(crate) struct Asserted {
    /// The test: where only a question with arguments tells what the last call did, it is at its end.
    pub(crate) case: TestCase,
    /// The call under test.
    pub(crate) subject: usize,
    pub(crate) checks: Vec<Check>,
    /// What of the last call is told.
    pub(crate) told: Told,
}

/// What of a call its assertions tell, from little to much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Told {
    /// What was so before the call.
    Nothing,
    /// What it set, which was so before.
    Set,
    /// What it returned.
    Result,
    /// What it changed.
    Change,
}

/// The assertions for a test that returns normally.
pub(crate) fn checks<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: TestCase,
) -> Option<Asserted> {
    let subject = case.calls.len().checked_sub(1)?;
    let before = before(driver, known, &case)?;
    let (mut checks, mut told) = observe(driver, known, &case, &before)?;
    let asked =
        if asks(driver, known, &case, told) { question::asked(driver, known, &case) } else { None };
    if told == Told::Nothing && asked.is_some() {
        // What else stayed as it was is not worth telling then.
        checks.retain(|check| matches!(check.kind, CheckKind::Same(..) | CheckKind::NotNull(_)));
    }
    for _ in 1..LOOKS {
        let (again, _) = observe(driver, known, &case, &before)?;
        checks.retain(|check| again.contains(check));
    }
    let mut case = case;
    if let Some((longer, check)) = asked {
        case = longer;
        checks.push(check);
        told = Told::Change;
    }
    Some(Asserted { case, subject, checks, told })
}

/// Whether questions with arguments are asked for what the last call did: where nothing tells it, and
/// where it returns something but can change its object too.
fn asks<E: Executor>(
    driver: &Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
    told: Told,
) -> bool {
    told == Told::Nothing || told == Told::Result && unchanged::may_change(driver, known, case)
}

/// What a test whose last call throws did to mocks before.
pub(crate) fn checks_of_throwing<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> Vec<Check> {
    if !has_mocks(case) {
        return Vec::new();
    }
    let after = case.calls.len() - 1;
    let deeds = |driver: &mut Driver<'_, E>| {
        let (_, done) = watched(driver, known, case);
        driver.executor.end();
        done.deeds
    };
    let mut kinds = deeds(driver);
    for _ in 1..LOOKS {
        if kinds.is_empty() {
            break;
        }
        let again = deeds(driver);
        kinds.retain(|kind| again.contains(kind));
    }
    kinds.into_iter().map(|kind| Check { after, kind }).collect()
}

/// What the receiver and the arguments of the last call say just before it, in a run of its own:
/// asking may change them.
fn before<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> Option<Vec<(Slot, State)>> {
    let mut earlier = case.clone();
    let call = earlier.calls.pop()?;
    let ending = driver.execute(&earlier);
    let states = (ending == Ending::Normal).then(|| {
        let mut looker = Looker { driver, known, case: earlier, checks: Vec::new(), before: &[] };
        let seen = inputs(&call).chain(others(&looker.case, &call));
        let seen: Vec<Slot> = seen.collect();
        seen.into_iter().map(|slot| (slot, looker.state(slot))).collect()
    });
    driver.executor.end();
    states
}

/// The slots a call reads, each once.
fn inputs(call: &Call) -> impl Iterator<Item = Slot> {
    call.args.iter().enumerate().filter(|(at, slot)| !call.args[..*at].contains(slot)).map(|a| *a.1)
}

/// Other objects of the test, which the call may change through those that it is given: the writer
/// that an object was made with.
fn others(case: &TestCase, call: &Call) -> impl Iterator<Item = Slot> {
    let made = case.calls.iter().filter_map(|earlier| earlier.result);
    made.filter(|slot| !call.args.contains(slot) && call.result != Some(*slot)).take(MAX_OTHERS)
}

/// What a run of the test lets one assert, and what that tells of the last call.
fn observe<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
    before: &[(Slot, State)],
) -> Option<(Vec<Check>, Told)> {
    let (ending, done) = watched(driver, known, case);
    let clean = ending == Ending::Normal && driver.executor.effects(true).may_be_emitted();
    let checks = clean.then(|| {
        let mut looker = Looker { driver, known, case: case.clone(), checks: Vec::new(), before };
        let told = looker.look(done);
        (looker.checks, told)
    });
    driver.executor.end();
    checks
}

struct Looker<'d, 'a, 'c, E> {
    driver: &'d mut Driver<'a, E>,
    known: Known<'c>,
    case: TestCase,
    checks: Vec<Check>,
    before: &'c [(Slot, State)],
}

impl<E: Executor> Looker<'_, '_, '_, E> {
    /// Looks for what to assert.
    fn look(&mut self, done: Done) -> Told {
        let call = self.case.calls[self.case.calls.len() - 1].clone();
        let mut said = false;
        if let Some(result) = call.result {
            let observed = self.driver.executor.observe(result);
            said = if matches!(observed, Observation::Object { .. }) {
                self.check_object(&call, result)
            } else {
                self.check_value(result, &observed)
            };
        }
        let is_verified = !done.deeds.is_empty();
        self.add_verified(&call, done.deeds);
        let most = MANY.saturating_sub(self.checks.len()).clamp(1, MAX_CHANGES);
        let mut changes = 0;
        let mut seen: Vec<Slot> = inputs(&call).chain(others(&self.case, &call)).collect();
        seen.retain(|slot| call.result != Some(*slot));
        for at in 0..seen.len() {
            let slot = seen[at];
            // Methods that return their object give it another name.
            if seen[..at].iter().any(|other| self.driver.executor.same(*other, slot)) {
                continue;
            }
            changes += self.check_changes(slot, most - changes);
            if changes == most {
                break;
            }
        }
        if changes > 0 {
            // What changed tells more than that the object returned itself.
            let is_little =
                |kind: &CheckKind| matches!(kind, CheckKind::Same(..) | CheckKind::NotNull(_));
            if is_little(&self.checks[0].kind) {
                self.checks.rotate_left(1);
            }
            return Told::Change;
        }
        if said || is_verified {
            return Told::Result;
        }
        if self.check_what_was_set(&call) {
            return Told::Set;
        }
        // That the object stayed as it was is worth knowing too; that arguments did, only where
        // nothing else is known.
        let silent = self.checks.is_empty();
        let told = if silent { usize::MAX } else { usize::from(call.op.has_receiver()) };
        let _ = inputs(&call).take(told).any(|slot| self.check_views(slot, &[]));
        if self.checks.is_empty() {
            self.add_verified(&call, done.questions);
        }
        Told::Nothing
    }

    /// Adds what was done to mocks: after what the call returned, which is best asserted where the
    /// call stands, and before getters are asked, which may ask mocks themselves.
    fn add_verified(&mut self, call: &Call, verified: Vec<CheckKind>) {
        let is_result = |check: &Check| match &check.kind {
            CheckKind::Holds(slot, _) | CheckKind::NotNull(slot) => call.result == Some(*slot),
            _ => false,
        };
        let at = self.checks.iter().take_while(|check| is_result(check)).count();
        let after = self.case.calls.len() - 1;
        let verified = verified.into_iter().map(|kind| Check { after, kind });
        self.checks.splice(at..at, verified);
    }

    /// Asserts what the getter of a setter says; `false` if there is none.
    fn check_what_was_set(&mut self, call: &Call) -> bool {
        let set = ["set", "with"].into_iter().find_map(|prefix| call.op.name.strip_prefix(prefix));
        let Some(property) = set.filter(|p| !p.is_empty() && call.op.has_receiver()) else {
            return false;
        };
        let says_it = |op: &Option<Arc<Operation>>| {
            let name = op.as_ref().map_or("", |op| &*op.name);
            let name = ["get", "is"].into_iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name);
            name.eq_ignore_ascii_case(property)
        };
        let state = self.state(call.args[0]);
        let Some((view, seen)) = state.into_iter().find(|(op, _)| says_it(op)) else {
            return false;
        };
        self.check_state(call.args[0], view, seen);
        true
    }

    fn add(&mut self, kind: CheckKind) {
        let after = self.case.calls.len() - 1;
        self.checks.push(Check { after, kind });
    }

    /// Asserts a value; `true` if that says all there is to say.
    fn check_value(&mut self, result: Slot, observed: &Observation) -> bool {
        match assertable(self.known, observed) {
            Some(observed) => self.add(CheckKind::Holds(result, observed)),
            None if matches!(observed, Observation::Nothing) => return false,
            None => {
                self.add(CheckKind::NotNull(result));
                return false;
            }
        }
        true
    }

    /// Asserts what a returned object says of itself; `true` if it says anything.
    fn check_object(&mut self, call: &Call, result: Slot) -> bool {
        let executor = &*self.driver.executor;
        let input = inputs(call).find(|input| executor.same(*input, result));
        if let Some(input) = input {
            self.add(CheckKind::Same(input, result));
            return false;
        }
        let given: Vec<Observation> = inputs(call).map(|slot| executor.observe(slot)).collect();
        let is_new = call.op.kind == OperationKind::Constructor;
        let said = self.check_views(result, if is_new { &given } else { &[] });
        if !said && !is_new {
            self.add(CheckKind::NotNull(result));
        }
        said
    }

    /// Asserts what an object says: of the getters that say what was given, those, else all;
    /// `true` if they say anything.
    fn check_views(&mut self, slot: Slot, given: &[Observation]) -> bool {
        let mut state = self.state(slot);
        let says_given = |seen: &Observation| {
            given.contains(seen)
                && !matches!(seen, Observation::Null)
                && !matches!(seen, Observation::Value { value: Literal::Boolean(_), .. })
        };
        if state.iter().any(|(_, seen)| says_given(seen)) {
            state.retain(|(_, seen)| says_given(seen));
        }
        // How many says all there is to say if there are none.
        let is = |name: &str, op: &Option<Arc<Operation>>| {
            op.as_ref().is_some_and(|op| &*op.name == name)
        };
        let count = state.iter().find(|(op, _)| is("size", op) || is("length", op)).cloned();
        if let Some((_, Observation::Value { value, .. })) = &count {
            let none = *value == Literal::Int(0);
            state.retain(|(op, _)| !(none && is("toString", op)));
        }
        // What any new object might say comes last.
        state.sort_by_key(|(_, seen)| is_blank(seen));
        state.truncate(MAX_VIEWS);
        let said = !state.is_empty();
        for (view, seen) in state {
            self.check_state(slot, view, seen);
        }
        said
    }

    fn check_state(&mut self, slot: Slot, view: Option<Arc<Operation>>, seen: Observation) {
        self.add(match view {
            Some(view) => CheckKind::View(slot, view, seen),
            None => CheckKind::Holds(slot, seen),
        });
    }

    /// Asserts what the call changed in an object, at most so much of it; how much that was.
    fn check_changes(&mut self, slot: Slot, limit: usize) -> usize {
        let Some((_, before)) = self.before.iter().find(|(known, _)| *known == slot) else {
            return 0;
        };
        let mut changed = self.state(slot);
        changed.retain(|now| !before.contains(now));
        changed.truncate(limit);
        let count = changed.len();
        for (view, seen) in changed {
            self.check_state(slot, view, seen);
        }
        count
    }
}
