//! Assertions on what a test was seen to do (requirement G12).
//!
//! A test gets the few assertions a reader expects: what the call under test returned, and what it
//! changed in the object it worked on and in its arguments; if it changed nothing that can be seen,
//! what that object says. Only what many runs agree on is asserted: a random bit looks the same
//! twice in every second case.

mod interactions;
mod question;

use std::sync::Arc;

use model::{
    Call, Check, CheckKind, ClassSource, FileType, Implementation, Literal, Observation, Operation,
    OperationKind, Slot, Temporary, TestCase, Type, type_accessible,
};

use self::interactions::{Done, has_mocks, watched};
use crate::answers::is_blank;
use crate::driver::Driver;
use crate::executor::Executor;
use crate::guided::Knowledge;
use crate::strategy::Ending;
use crate::views::Asker;

/// Getters that tell of one object.
const MAX_VIEWS: usize = 3;
/// Changes told besides a result that speaks for itself.
const MAX_CHANGES: usize = 2;
/// Getters asked of one object.
const MAX_ASKED: usize = 20;
/// Objects looked at that a call was not given.
const MAX_OTHERS: usize = 4;
/// How often a test is observed.
const LOOKS: u32 = 10;
/// Longer strings make no readable assertion.
const MAX_TEXT: usize = 300;

/// What an object says of itself: an array by its elements, others by their getters. What a getter
/// returns is an object with one view where the getter's object was asked in turn.
type State = Vec<(Option<Arc<Operation>>, Observation)>;

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

/// The assertions for a test that returns normally, and the test: where only a question with
/// arguments tells what the last call did, it is at its end.
pub(crate) fn checks<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: TestCase,
) -> Option<(TestCase, Vec<Check>)> {
    let before = before(driver, known, &case)?;
    let (mut checks, is_told) = observe(driver, known, &case, &before)?;
    if !is_told && let Some(asked) = question::asked(driver, known, &case) {
        return Some(asked);
    }
    for _ in 1..LOOKS {
        let (again, _) = observe(driver, known, &case, &before)?;
        checks.retain(|check| again.contains(check));
    }
    Some((case, checks))
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

/// What a run of the test lets one assert, and whether that tells what the last call did.
fn observe<E: Executor>(
    driver: &mut Driver<'_, E>,
    known: Known<'_>,
    case: &TestCase,
    before: &[(Slot, State)],
) -> Option<(Vec<Check>, bool)> {
    let (ending, done) = watched(driver, known, case);
    let clean = ending == Ending::Normal && driver.executor.effects(true).may_be_emitted();
    let checks = clean.then(|| {
        let mut looker = Looker { driver, known, case: case.clone(), checks: Vec::new(), before };
        let is_told = looker.look(done);
        (looker.checks, is_told)
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
    /// Looks for what to assert; `false` if that is only what was so before the call.
    fn look(&mut self, done: Done) -> bool {
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
        let mut changes = 0;
        let seen: Vec<Slot> = inputs(&call).chain(others(&self.case, &call)).collect();
        for slot in seen.into_iter().filter(|slot| call.result != Some(*slot)) {
            changes += self.check_changes(slot, MAX_CHANGES - changes);
            if changes == MAX_CHANGES {
                break;
            }
        }
        let is_told = said || changes > 0 || is_verified || self.check_what_was_set(&call);
        if !is_told {
            // That the object stayed as it was is worth knowing too; that arguments did, only where
            // nothing else is known.
            let silent = self.checks.is_empty();
            let told = if silent { usize::MAX } else { usize::from(call.op.has_receiver()) };
            let _ = inputs(&call).take(told).any(|slot| self.check_views(slot, &[]));
        }
        if self.checks.is_empty() {
            self.add_verified(&call, done.questions);
        }
        is_told
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
        // How many says whether any, and all there is to say if there are none.
        let is = |name: &str, op: &Option<Arc<Operation>>| {
            op.as_ref().is_some_and(|op| &*op.name == name)
        };
        let count = state.iter().find(|(op, _)| is("size", op) || is("length", op)).cloned();
        if let Some((_, Observation::Value { value, .. })) = &count {
            let none = *value == Literal::Int(0);
            state.retain(|(op, _)| !(is("isEmpty", op) || none && is("toString", op)));
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

    /// What an object or array says that can be asserted, the most telling first.
    fn state(&mut self, slot: Slot) -> State {
        let mut state = State::new();
        match self.driver.executor.observe(slot) {
            Observation::Object { .. } => {}
            observed @ Observation::Array { .. } => {
                state.extend(assertable(self.known, &observed).map(|observed| (None, observed)));
                return state;
            }
            _ => return state,
        }
        let actual = self.driver.executor.class_of(slot);
        let ty = self.case.ty(slot).clone();
        let Known { classes, knowledge, package } = self.known;
        let api = self.driver.api;
        let is_pure =
            |op: &Operation| api.id_of(op).is_some_and(|op| knowledge.preserving.contains(&op));
        let asker = Asker { classes, package, is_pure: &is_pure };
        let views =
            views_of_file(&self.case, &ty).unwrap_or_else(|| asker.views(&ty, actual.as_ref()));
        for path in views {
            let Some(observed) = self.view(&path, slot) else { continue };
            if self.view(&path, slot).as_ref() != Some(&observed) {
                continue;
            }
            let Some(mut observed) = assertable(self.known, &observed) else { continue };
            let mut path = path.into_iter();
            let first = path.next();
            if let Some(op) = path.next() {
                let Some(Type::Class(class)) = first.as_ref().and_then(|op| op.result.clone())
                else {
                    continue;
                };
                observed = Observation::Object { class, views: vec![(op, observed)] };
            }
            let is_text = first.as_ref().and_then(|op| Temporary::of(op));
            state.push((first, observed));
            // What a file holds says that it is there.
            if state.len() == MAX_ASKED || is_text.is_some_and(|(what, _)| what == Temporary::Text)
            {
                break;
            }
        }
        state
    }

    fn view(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Observation> {
        let executor = &mut *self.driver.executor;
        let observed = executor.view(path, slot)?;
        (!executor.overran() && executor.effects(false).may_be_emitted()).then_some(observed)
    }
}

/// As much of the value as can be asserted: of an array with elements that cannot, the length.
fn assertable(known: Known<'_>, observed: &Observation) -> Option<Observation> {
    let accessible = |ty: &Type| type_accessible(known.classes, ty, known.package);
    match observed {
        Observation::Null => {}
        Observation::Value { value: Literal::String(text), .. } => {
            let text = text.to_string();
            if text.len() > MAX_TEXT || shows_identity(&text) {
                return None;
            }
        }
        Observation::Value { value: Literal::Class(Some(ty)), .. } if !accessible(ty) => {
            return None;
        }
        Observation::Value { .. } => {}
        Observation::Enum { class, constant } => {
            if !accessible(&Type::Class(class.clone()))
                || known.classes.class(class)?.field(constant).is_none()
            {
                return None;
            }
        }
        Observation::Array { element, length, elements } => {
            if !accessible(element) {
                return None;
            }
            let same = |e: &Observation| assertable(known, e).as_ref() == Some(e);
            let elements = elements.clone().filter(|all| all.iter().all(same));
            return Some(Observation::Array {
                element: element.clone(),
                length: *length,
                elements,
            });
        }
        Observation::Object { .. } | Observation::Nothing => return None,
    }
    Some(observed.clone())
}

/// What to ask of a file in a test that has a temporary folder: the getters of files tell where the
/// folder is, when it was made and how much room there is.
fn views_of_file(case: &TestCase, ty: &Type) -> Option<Vec<Vec<Arc<Operation>>>> {
    if !Temporary::is_used_in(case) {
        return None;
    }
    // A text that is not observed as it is shows where the folder is; so does its length.
    if *ty == Type::string() {
        return Some(Vec::new());
    }
    let file = FileType::of(ty)?;
    let questions = [Temporary::Text, Temporary::Exists];
    Some(questions.into_iter().map(|what| vec![Arc::new(what.operation(file))]).collect())
}

/// Whether a text contains what `Object.toString` makes of an identity hash code, or the name of a
/// class that is another one in the emitted test.
fn shows_identity(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let digits = text[at + 1..].chars().take_while(char::is_ascii_hexdigit).count();
        digits >= 3
    }) || text.contains("$$Lambda")
        || text.contains("/0x")
        || Implementation::is_named_in(text)
}
