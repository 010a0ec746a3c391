//! Refusals: what code of other classes throws on purpose at what a member was given.
//!
//! A member that hands on what it is given may be refused where no probe of the class under test is:
//! a setter of a builder, by the table that it fills. Coverage does not ask for such a test, and code
//! that takes what it refused before passes all others. So each exception that a member lets through
//! is a goal beside the probes, up to a few.
//!
//! What the class under test throws itself has probes. What the JVM and the JDK throw is mostly an
//! accident, of which there is no end.
//!
//! They count as no coverage. Their number is bounded by that of the members, not by time.

use model::{Call, ClassName, Thrown};
use rustc_hash::FxHashMap;

use crate::api::{Api, OpId};

/// Exceptions of one member that are goals.
const MAX_OF_MEMBER: usize = 2;

/// What the JVM throws by itself, wherever it comes from.
const ACCIDENTS: [&str; 8] = [
    "java/lang/NullPointerException",
    "java/lang/ClassCastException",
    "java/lang/ArrayStoreException",
    "java/lang/NegativeArraySizeException",
    "java/lang/IndexOutOfBoundsException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/StringIndexOutOfBoundsException",
    "java/lang/AssertionError",
];

/// Which refusals there were.
#[derive(Debug)]
pub(crate) struct Refusals {
    under_test: ClassName,
    /// For each member its place among them, and what tests have it throw.
    members: FxHashMap<OpId, (usize, Vec<ClassName>)>,
}

impl Refusals {
    pub(crate) fn of(api: &Api) -> Self {
        let members = api.subjects().iter().zip(0..);
        let members = members.map(|(op, place)| (*op, (place, Vec::new()))).collect();
        Self { under_test: api.class.clone(), members }
    }

    /// How many goals there are.
    pub(crate) fn len(&self) -> usize {
        self.members.len() * MAX_OF_MEMBER
    }

    /// Whether a call that throws this is a goal that no test reached.
    pub(crate) fn is_new(&self, api: &Api, call: &Call, thrown: &Thrown) -> bool {
        let known = api.first_of(&call.op).and_then(|op| self.members.get(&op));
        known
            .is_some_and(|(_, known)| known.len() < MAX_OF_MEMBER && !known.contains(&thrown.class))
            && self.is_on_purpose(thrown)
    }

    /// A test has the call throw this.
    pub(crate) fn reach(&mut self, api: &Api, call: &Call, thrown: &ClassName) {
        if let Some((_, known)) = api.first_of(&call.op).and_then(|op| self.members.get_mut(&op)) {
            known.push(thrown.clone());
        }
    }

    /// The goal that a call reaches by throwing this.
    pub(crate) fn goal(&self, api: &Api, call: &Call, thrown: &Thrown) -> Option<usize> {
        let (place, known) = api.first_of(&call.op).and_then(|op| self.members.get(&op))?;
        let at = known.iter().position(|class| *class == thrown.class)?;
        self.is_on_purpose(thrown).then_some(place * MAX_OF_MEMBER + at)
    }

    fn is_on_purpose(&self, thrown: &Thrown) -> bool {
        let is_elsewhere = |class: &ClassName| *class != self.under_test;
        let message = thrown.message.as_ref().map(ToString::to_string);
        thrown.frames.first().is_some_and(|top| !top.is_of_jdk() && is_elsewhere(&top.class))
            && !ACCIDENTS.contains(&thrown.class.as_internal())
            && message.as_deref() != Some("/ by zero")
    }
}

#[cfg(test)]
mod tests {
    use model::Frame;

    use super::*;
    use crate::testing::classes::counter;
    use crate::testing::world::World;
    use crate::testing::{api, case};

    fn thrown(class: &str, by: &str) -> Thrown {
        let by = ClassName::internal(by);
        let frame = Frame { class: by, method: "check".into(), line: 3 };
        Thrown { class: ClassName::internal(class), message: None, frames: vec![frame] }
    }

    #[test]
    fn what_others_throw_on_purpose_is_a_goal_once() {
        let world = World::of([counter()]);
        let api = api(&world, "a/Counter");
        let case = case(&world, "a/Counter", &["add 1"]);
        let call = &case.calls[1];
        let mut refusals = Refusals::of(&api);
        let refused = thrown("java/lang/IllegalArgumentException", "a/Other");
        assert!(refusals.is_new(&api, call, &refused));
        assert_eq!(refusals.goal(&api, call, &refused), None);
        refusals.reach(&api, call, &refused.class);
        assert!(!refusals.is_new(&api, call, &refused));
        assert!(refusals.goal(&api, call, &refused).is_some_and(|goal| goal < refusals.len()));
        // Another member has its own.
        assert!(refusals.is_new(&api, &case.calls[0], &refused));
        assert_eq!(refusals.goal(&api, &case.calls[0], &refused), None);
        let other = thrown("java/lang/IllegalStateException", "a/Other");
        assert!(refusals.is_new(&api, call, &other));
        refusals.reach(&api, call, &other.class);
        let third = thrown("java/lang/UnsupportedOperationException", "a/Other");
        assert!(!refusals.is_new(&api, call, &third), "there are enough");
    }

    #[test]
    fn what_has_a_probe_and_what_is_an_accident_is_none() {
        let world = World::of([counter()]);
        let api = api(&world, "a/Counter");
        let case = case(&world, "a/Counter", &["add 1"]);
        let refusals = Refusals::of(&api);
        let check = |class: &str, by: &str| {
            assert!(!refusals.is_new(&api, &case.calls[1], &thrown(class, by)), "{class} by {by}");
        };
        check("java/lang/IllegalArgumentException", "a/Counter");
        check("java/lang/NumberFormatException", "java/lang/Integer");
        check("java/lang/NullPointerException", "a/Other");
    }
}
