//! The differential oracle (requirement E11): one test case, run on two versions of the code.
//!
//! Compared are the exceptions that calls throw and the values that calls return and that are left in the
//! pools at the end. What two runs on the same version do not agree on says nothing of the other version
//! and is passed over.
//!
//! Invariant: of the calls, only the first one that differs is told. What comes after it works on other
//! values and differs for that reason.

use model::{CallOutcome, ClassName, End, JavaString, Literal, Observation, Slot, Thrown};

use crate::observed::Observed;

/// What another version does otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A call returns another value.
    Returned {
        /// What it returned.
        before: Observation,
        /// What it returns.
        after: Observation,
    },
    /// A call returned and throws.
    NowThrows {
        /// This.
        after: ClassName,
    },
    /// A call threw and returns.
    NowReturns {
        /// What it threw.
        before: ClassName,
    },
    /// A call throws something else.
    ThrowsOther {
        /// What it threw.
        before: ClassName,
        /// What it throws.
        after: ClassName,
    },
    /// An exception has another message.
    Message {
        /// What it said.
        before: Option<JavaString>,
        /// What it says.
        after: Option<JavaString>,
    },
    /// A call cannot be made any more.
    Gone {
        /// Why, in the words of the JVM.
        why: String,
    },
    /// A call ended, and does not end any more.
    Hangs,
    /// A call did not end, and ends.
    Ends,
    /// Something else is left in a slot when the test is over.
    Left {
        /// The slot.
        slot: Slot,
        /// What was in it.
        before: Observation,
        /// What is in it.
        after: Observation,
    },
    /// An object that is left says something else when it is asked for its text.
    Text {
        /// Its class.
        class: ClassName,
        /// What it said.
        before: Observation,
        /// What it says.
        after: Observation,
    },
}

/// A difference, and where it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The call; for what is left at the end, the last one.
    pub call: usize,
    /// What is different.
    pub change: Change,
}

/// What comparing came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Compared {
    /// Both versions do the same.
    Same,
    /// They do not.
    Different(Difference),
    /// Not even one version does the same twice.
    Unstable,
}

/// Compares two runs on one version with a run on another one. Messages of exceptions are compared if
/// asked for: many are made by the JVM, of names in the code.
pub fn compared(before: [&Observed; 2], after: &Observed, messages: bool) -> Compared {
    let [first, second] = before;
    for (call, one) in first.outcome.calls.iter().enumerate() {
        let (Some(other), Some(now)) =
            (second.outcome.calls.get(call), after.outcome.calls.get(call))
        else {
            return Compared::Unstable;
        };
        if !ends_alike(one, other) {
            return Compared::Unstable;
        }
        if let Some(change) = change_of([one, other], now, messages) {
            return Compared::Different(Difference { call, change });
        }
        if !matches!(one.end, End::Returned(_) | End::Threw(_) | End::NotRun) {
            // Nobody knows what a call did that did not end.
            return Compared::Same;
        }
    }
    let last = first.outcome.calls.len().saturating_sub(1);
    match left_otherwise(before, after) {
        Some(change) => Compared::Different(Difference { call: last, change }),
        None => Compared::Same,
    }
}

/// Whether two calls ended in the same way, whatever they returned.
fn ends_alike(one: &CallOutcome, other: &CallOutcome) -> bool {
    match (&one.end, &other.end) {
        (End::Returned(_), End::Returned(_)) => true,
        (End::Threw(one), End::Threw(other)) => one.class == other.class,
        (one, other) => one == other,
    }
}

fn change_of(before: [&CallOutcome; 2], after: &CallOutcome, messages: bool) -> Option<Change> {
    let [one, other] = before;
    Some(match (&one.end, &after.end) {
        (End::Returned(before), End::Returned(after)) => {
            let End::Returned(again) = &other.end else { return None };
            if !differ([before, again], after) {
                return None;
            }
            Change::Returned { before: before.clone(), after: after.clone() }
        }
        (End::Threw(before), End::Threw(after)) if before.class == after.class => {
            let End::Threw(again) = &other.end else { return None };
            if !messages || before.message != again.message || before.message == after.message {
                return None;
            }
            Change::Message { before: before.message.clone(), after: after.message.clone() }
        }
        (End::Threw(before), End::Threw(after)) => {
            Change::ThrowsOther { before: before.class.clone(), after: after.class.clone() }
        }
        (_, End::Unlinkable(why)) if !matches!(one.end, End::Unlinkable(_)) => {
            Change::Gone { why: why.clone() }
        }
        (End::Returned(_), End::Threw(Thrown { class, .. })) => {
            Change::NowThrows { after: class.clone() }
        }
        (End::Threw(Thrown { class, .. }), End::Returned(_)) => {
            Change::NowReturns { before: class.clone() }
        }
        (End::Returned(_) | End::Threw(_), End::Hung(_) | End::Crashed) => Change::Hangs,
        (End::Hung(_) | End::Crashed, End::Returned(_) | End::Threw(_)) => Change::Ends,
        _ => return None,
    })
}

/// What is left in the pools is compared where both runs of the first version left the same.
fn left_otherwise([one, other]: [&Observed; 2], after: &Observed) -> Option<Change> {
    let slots = (0..).map(Slot);
    let all = slots.zip(&one.left).zip(&other.left).zip(&after.left);
    for (((slot, before), again), after) in all {
        if differ([before, again], after) {
            return Some(Change::Left { slot, before: before.clone(), after: after.clone() });
        }
    }
    let all = one.left.iter().zip(&one.texts).zip(&other.texts).zip(&after.texts);
    for (((object, before), again), after) in all {
        if let (Observation::Object { class, .. }, Some(before), Some(again), Some(after)) =
            (object, before, again, after)
            && differ([before, again], after)
            && ![before, after].into_iter().any(says_identity)
        {
            let (class, before, after) = (class.clone(), before.clone(), after.clone());
            return Some(Change::Text { class, before, after });
        }
    }
    None
}

/// Whether a value is another one, where the first version has the same twice.
fn differ([before, again]: [&Observation; 2], after: &Observation) -> bool {
    before == again && before != after && !have_no_names(before, after)
}

/// Classes that nobody named have numbers in their names: those that the JVM makes up by the order of
/// loading, anonymous ones by their order in the source.
fn have_no_names(before: &Observation, after: &Observation) -> bool {
    let has_none = |observation: &Observation| {
        let Observation::Object { class, .. } = observation else { return false };
        let name = class.as_internal();
        let last = name.rsplit('$').next().unwrap_or_default();
        let is_anonymous = last.len() < name.len() && last.bytes().all(|c| c.is_ascii_digit());
        is_anonymous || name.contains("$$") || name.contains("$Proxy")
    };
    has_none(before) && has_none(after)
}

/// Whether a text has a hash code of identity in it, as that of `Object` has it:
/// `Foo@1b2c3d`.
fn says_identity(text: &Observation) -> bool {
    let Observation::Value { value: Literal::String(text), .. } = text else { return false };
    let text = text.to_string();
    let is_hash = |rest: &str| rest.chars().take_while(char::is_ascii_hexdigit).count() >= 5;
    text.match_indices('@').any(|(at, _)| is_hash(&text[at + 1..]))
}

#[cfg(test)]
mod tests {
    use model::{Cut, Outcome};

    use super::*;

    fn int(value: i32) -> Observation {
        Observation::Value { value: Literal::Int(value), boxed: false }
    }

    fn text(text: &str) -> Observation {
        Observation::Value { value: Literal::String(text.into()), boxed: false }
    }

    fn returned(value: i32) -> End {
        End::Returned(int(value))
    }

    fn threw(class: &str, message: &str) -> End {
        let message = Some(message.into());
        End::Threw(Thrown { class: ClassName::internal(class), message, frames: Vec::new() })
    }

    fn run(ends: &[End]) -> Observed {
        let calls = ends.iter().map(|end| CallOutcome { end: end.clone(), effects: Vec::new() });
        Observed { outcome: Outcome { calls: calls.collect() }, ..Observed::default() }
    }

    fn check(before: [&[End]; 2], after: &[End], expect: Option<(usize, Change)>) {
        let [one, other] = before.map(run);
        let found = match compared([&one, &other], &run(after), false) {
            Compared::Same => None,
            Compared::Different(found) => Some((found.call, found.change)),
            Compared::Unstable => panic!("{before:?} is unstable"),
        };
        assert_eq!(found, expect, "{before:?} against {after:?}");
    }

    #[test]
    fn the_first_call_that_differs_is_told() {
        let before = [returned(1), returned(2), returned(3)];
        let after = [returned(1), returned(5), returned(6)];
        let change = Change::Returned { before: int(2), after: int(5) };
        check([&before, &before], &after, Some((1, change)));
        check([&before, &before], &before, None);
    }

    #[test]
    fn exceptions_that_come_and_go_are_told() {
        let (a, b) = (ClassName::internal("a/A"), ClassName::internal("b/B"));
        let (returns, throws) = ([returned(1)], [threw("a/A", "why")]);
        let check = |before: &[End; 1], after: &[End; 1], change: Option<Change>| {
            check([before, before], after, change.map(|change| (0, change)));
        };
        check(&returns, &throws, Some(Change::NowThrows { after: a.clone() }));
        check(&throws, &returns, Some(Change::NowReturns { before: a.clone() }));
        let other = [threw("b/B", "why")];
        check(&throws, &other, Some(Change::ThrowsOther { before: a, after: b }));
        let gone = [End::Unlinkable("no such method".to_owned())];
        check(&returns, &gone, Some(Change::Gone { why: "no such method".to_owned() }));
        check(&gone, &gone, None);
        check(&returns, &[End::Hung(Cut::Steps)], Some(Change::Hangs));
        check(&[End::Hung(Cut::Steps)], &returns, Some(Change::Ends));
    }

    #[test]
    fn messages_are_compared_if_asked_for() {
        let (before, after) = (run(&[threw("a/A", "one")]), run(&[threw("a/A", "two")]));
        assert_eq!(compared([&before, &before], &after, false), Compared::Same);
        let change = Change::Message { before: Some("one".into()), after: Some("two".into()) };
        let expected = Compared::Different(Difference { call: 0, change });
        assert_eq!(compared([&before, &before], &after, true), expected);
    }

    #[test]
    fn values_that_one_version_does_not_repeat_are_passed_over() {
        check(
            [&[returned(1), returned(7)], &[returned(2), returned(7)]],
            &[returned(3), returned(7)],
            None,
        );
        let change = Change::Returned { before: int(7), after: int(8) };
        check(
            [&[returned(1), returned(7)], &[returned(2), returned(7)]],
            &[returned(3), returned(8)],
            Some((1, change)),
        );
    }

    #[test]
    fn a_test_that_ends_otherwise_the_second_time_is_unstable() {
        let (one, other) = (run(&[returned(1)]), run(&[threw("a/A", "")]));
        assert_eq!(compared([&one, &other], &one, false), Compared::Unstable);
    }

    #[test]
    fn what_is_left_in_slots_and_what_objects_say_is_compared() {
        let class = ClassName::internal("a/A");
        let found = |before: &Observed, after: &Observed| compared([before, before], after, false);
        let different = |change| Compared::Different(Difference { call: 0, change });
        let left = |value| Observed { left: vec![int(value)], ..run(&[returned(1)]) };
        let change = Change::Left { slot: Slot(0), before: int(1), after: int(2) };
        assert_eq!(found(&left(1), &left(2)), different(change));
        let says = |said: &str| Observed {
            left: vec![Observation::Object { class: class.clone(), views: Vec::new() }],
            texts: vec![Some(text(said))],
            ..run(&[returned(1)])
        };
        let (before, after) = (text("[1]"), text("[2]"));
        let change = Change::Text { class: class.clone(), before, after };
        assert_eq!(found(&says("[1]"), &says("[2]")), different(change));
        assert_eq!(found(&says("a.A@1f2e3d"), &says("a.A@3f2e3d")), Compared::Same);
    }

    #[test]
    fn names_that_nobody_gave_are_no_difference() {
        let object = |class: &str| {
            let class = ClassName::internal(class);
            [End::Returned(Observation::Object { class, views: Vec::new() })]
        };
        for (one, other) in [("a/A$$Lambda/0x1", "a/A$$Lambda/0x2"), ("a/A$2", "a/A$3")] {
            let (one, other) = (object(one), object(other));
            check([&one, &one], &other, None);
        }
        let (one, other) = (object("a/A$B"), object("a/A$C"));
        let observation = |end: &[End; 1]| match &end[0] {
            End::Returned(observation) => observation.clone(),
            _ => unreachable!("both return"),
        };
        let (before, after) = (observation(&one), observation(&other));
        check([&one, &one], &other, Some((0, Change::Returned { before, after })));
    }
}
