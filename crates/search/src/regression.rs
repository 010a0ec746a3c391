//! Assertions on what a test was seen to do (requirement G12).
//!
//! A test gets the few assertions a reader expects: what the call under test returned, and what it
//! changed in the object it worked on and in its arguments; if it changed nothing that can be seen,
//! what that object says. Only what many runs agree on is asserted: a random bit looks the same
//! twice in every second case.

pub(crate) mod alike;
mod interactions;
mod question;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use model::{
    Call, Check, CheckKind, ClassSource, Literal, Observation, Operation, OperationKind, Slot,
    TestCase,
};

use self::interactions::{Done, has_mocks, watched};
use self::state::{Said, State, assertable, check_of};
use crate::answers::is_blank;
use crate::driver::Driver;
use crate::executor::Executor;
use crate::guided::Knowledge;
use crate::strategy::Ending;
use crate::views::{self, is_fixed};

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
    /// What it returned, or did to mocks.
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
    let mut telling = observe(driver, known, &case, &before)?;
    for _ in 1..LOOKS {
        let again = observe(driver, known, &case, &before)?;
        telling.retain(|check| again.contains(check));
    }
    let told = most_told(&telling);
    let asked =
        if asks(driver, known, &case, told) { question::asked(driver, known, &case) } else { None };
    let mut checks: Vec<Check> = telling.into_iter().map(|(check, _)| check).collect();
    let Some((longer, check)) = asked else {
        let anyway = checks.is_empty().then(|| question::asked_anyway(driver, known, &case));
        let Some((longer, check)) = anyway.flatten() else {
            return Some(Asserted { case, subject, checks, told });
        };
        return Some(Asserted { case: longer, subject, checks: vec![check], told });
    };
    if told == Told::Nothing {
        // What else stayed as it was is not worth telling then.
        checks.retain(|check| is_little(&check.kind));
    }
    checks.push(check);
    Some(Asserted { case: longer, subject, checks, told: Told::Change })
}

/// The assertions for a test if they tell what its last call changed. Most do not, which one look
/// shows.
pub(crate) fn checks_of_change<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: TestCase,
) -> Option<Asserted> {
    let before = before(driver, known, &case)?;
    let told = most_told(&observe(driver, known, &case, &before)?);
    let may_tell = told == Told::Change
        || asks(driver, known, &case, told) && question::asked(driver, known, &case).is_some();
    let asserted = if may_tell { checks(driver, known, case) } else { None };
    asserted.filter(|asserted| asserted.told == Told::Change)
}

/// Whether questions with arguments are asked for what the last call did: where nothing tells it, and
/// where it returns something but can change its object too.
fn asks<E: Executor>(
    driver: &Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
    told: Told,
) -> bool {
    told == Told::Nothing || told == Told::Result && may_change(driver, known, case)
}

/// Whether the last call of a test can change its object, as far as one can tell.
pub(crate) fn may_change<E: Executor>(
    driver: &Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
) -> bool {
    let op = case.calls.last().and_then(|call| driver.api.id_of(&call.op));
    op.is_some_and(|op| known.knowledge.changing.contains(&op))
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

/// What these assertions tell together.
fn most_told(telling: &[(Check, Told)]) -> Told {
    telling.iter().map(|(_, told)| *told).max().unwrap_or(Told::Nothing)
}

/// Whether an assertion says hardly more than that there is an object.
fn is_little(kind: &CheckKind) -> bool {
    matches!(kind, CheckKind::Same(..) | CheckKind::NotNull(_))
}

/// What a run of the test lets one assert, each with what it tells of the last call.
fn observe<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
    before: &[(Slot, State)],
) -> Option<Vec<(Check, Told)>> {
    let (ending, done) = watched(driver, known, case);
    let clean = ending == Ending::Normal && driver.executor.effects(true).may_be_emitted();
    let checks = clean.then(|| {
        let mut looker = Looker { driver, known, case: case.clone(), checks: Vec::new(), before };
        looker.look(done);
        looker.checks
    });
    driver.executor.end();
    checks
}

struct Looker<'d, 'a, 'c, E> {
    driver: &'d mut Driver<'a, E>,
    known: Known<'c>,
    case: TestCase,
    /// Each with what it tells of the last call.
    checks: Vec<(Check, Told)>,
    before: &'c [(Slot, State)],
}

impl<E: Executor> Looker<'_, '_, '_, E> {
    /// Looks for what to assert.
    fn look(&mut self, done: Done) {
        let call = self.case.calls[self.case.calls.len() - 1].clone();
        if let Some(result) = call.result {
            let observed = self.driver.executor.observe(result);
            if matches!(observed, Observation::Object { .. }) {
                self.check_object(&call, result);
            } else {
                self.check_value(result, &observed);
            }
        }
        self.add_verified(&call, done.deeds, Told::Result);
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
            return self.checks.sort_by_key(|(check, _)| is_little(&check.kind));
        }
        if most_told(&self.checks) == Told::Result || self.check_what_was_set(&call) {
            return;
        }
        // That the object stayed as it was is worth knowing too; that arguments did, only where
        // nothing else is known, and it is no constructor: who makes an object wants to know of that.
        let silent = self.checks.is_empty() && call.op.kind != OperationKind::Constructor;
        let told = if silent { usize::MAX } else { usize::from(call.op.has_receiver()) };
        let _ = inputs(&call).take(told).any(|slot| self.check_views(slot, &[], Told::Nothing));
        if self.checks.is_empty() {
            self.add_verified(&call, done.questions, Told::Nothing);
        }
    }

    /// Adds what was done to mocks: after what the call returned, which is best asserted where the
    /// call stands, and before getters are asked, which may ask mocks themselves.
    fn add_verified(&mut self, call: &Call, verified: Vec<CheckKind>, told: Told) {
        let is_result = |(check, _): &&(Check, Told)| match &check.kind {
            CheckKind::Holds(slot, _) | CheckKind::NotNull(slot) => call.result == Some(*slot),
            _ => false,
        };
        let at = self.checks.iter().take_while(is_result).count();
        let after = self.case.calls.len() - 1;
        let verified = verified.into_iter().map(|kind| (Check { after, kind }, told));
        self.checks.splice(at..at, verified);
    }

    /// Asserts what the getter of a setter says; `false` if there is none.
    fn check_what_was_set(&mut self, call: &Call) -> bool {
        let set = ["set", "with"].into_iter().find_map(|prefix| call.op.name.strip_prefix(prefix));
        let Some(property) = set.filter(|p| !p.is_empty() && call.op.has_receiver()) else {
            return false;
        };
        let says_it = |op: &Option<Arc<Operation>>| {
            op.as_ref().is_some_and(|op| views::property(&op.name).eq_ignore_ascii_case(property))
        };
        let state = self.state(call.args[0]);
        let Some((view, seen)) = state.into_iter().find(|(op, _)| says_it(op)) else {
            return false;
        };
        self.check_state(call.args[0], (view, seen), Told::Set);
        true
    }

    fn add(&mut self, kind: CheckKind, told: Told) {
        let after = self.case.calls.len() - 1;
        self.checks.push((Check { after, kind }, told));
    }

    /// Asserts a value that was returned.
    fn check_value(&mut self, result: Slot, observed: &Observation) {
        match assertable(self.known, observed) {
            Some(observed) => self.add(CheckKind::Holds(result, observed), Told::Result),
            None if matches!(observed, Observation::Nothing) => {}
            None => self.add(CheckKind::NotNull(result), Told::Nothing),
        }
    }

    /// Asserts what a returned object says of itself.
    fn check_object(&mut self, call: &Call, result: Slot) {
        let executor = &*self.driver.executor;
        let input = inputs(call).find(|input| executor.same(*input, result));
        if let Some(input) = input {
            return self.add(CheckKind::Same(input, result), Told::Nothing);
        }
        let given: Vec<Observation> = inputs(call).map(|slot| executor.observe(slot)).collect();
        let is_new = call.op.kind == OperationKind::Constructor;
        let said = self.check_views(result, if is_new { &given } else { &[] }, Told::Result);
        if !said && !is_new {
            self.add(CheckKind::NotNull(result), Told::Nothing);
        }
    }

    /// Asserts what an object says: of the getters that say what was given, those, else all;
    /// `true` if they say anything.
    fn check_views(&mut self, slot: Slot, given: &[Observation], told: Told) -> bool {
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
        let mut made_with: Vec<Observation> = Vec::new();
        if told == Told::Nothing {
            // What the call could have changed tells more than what it could not.
            let classes = self.known.classes;
            let is_fixed = |(op, _): &Said| op.as_ref().is_some_and(|op| is_fixed(classes, op));
            if !state.iter().all(is_fixed) {
                state.retain(|said| !is_fixed(said));
            }
            let maker = self.case.calls.iter().find(|call| call.result == Some(slot));
            let given = maker.into_iter().flat_map(|call| &call.args);
            made_with.extend(given.map(|slot| self.driver.executor.observe(*slot)));
        }
        // What any new object might say comes last, and what it was told before that.
        state.sort_by_key(|(_, seen)| (is_blank(seen), made_with.contains(seen)));
        state.truncate(MAX_VIEWS);
        let said = !state.is_empty();
        for said in state {
            self.check_state(slot, said, told);
        }
        said
    }

    fn check_state(&mut self, slot: Slot, said: Said, told: Told) {
        self.add(check_of(slot, said), told);
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
        for said in changed {
            self.check_state(slot, said, Told::Change);
        }
        count
    }
}
