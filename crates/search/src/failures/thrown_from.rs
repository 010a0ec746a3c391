//! Where an exception comes from: what tells two causes apart (requirement G11).
//!
//! Beside the line that throws counts the method of another class that led there, for a line that many use
//! is not to blame for what each of them gives it. That a subclass passes on what it is asked, that the class
//! calls itself on the way, or the line of the caller, says nothing of the cause. How alike two such ways
//! are is said in `model::Trace`; while a search goes on, only those from one line are folded, so that
//! every line that throws is known when it comes to what passing tests may assert.

use model::{ClassName, Frame, Implementation, Thrown, Trace};
use serde::{Deserialize, Serialize};

/// Methods on the way that are remembered.
const MAX_LEADING: usize = 7;
/// How often a method is in the trace of a stack overflow if it is one of those that call each other.
const ROUNDS: usize = 3;

/// Where an exception was thrown, and who led there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThrownFrom {
    /// The line.
    pub frame: Frame,
    /// Methods on the way there, the nearest first, each of another class and another name than the one
    /// before, without their lines; none if the test called that class itself.
    pub led_by: Vec<Frame>,
}

impl ThrownFrom {
    /// Of an exception that was thrown there, with this stack trace.
    pub(crate) fn new(frame: Frame, trace: &[Frame]) -> Self {
        let mut led_by: Vec<Frame> = Vec::new();
        for by in trace.iter().skip_while(|by| **by != frame).skip(1) {
            let before = led_by.last().unwrap_or(&frame);
            let leads = !by.is_of_jdk()
                && top_level(&by.class) != top_level(&before.class)
                && by.method != before.method
                && !Implementation::is_name_of_one(by.class.as_internal());
            if leads && led_by.len() < MAX_LEADING {
                led_by.push(Frame { line: -1, ..by.clone() });
            }
        }
        Self { frame, led_by }
    }

    /// Where the stack overflows with this stack trace: in the method of the circle that comes first by
    /// name, for where in the circle it ends differs from run to run.
    pub(crate) fn circle(trace: &[Frame]) -> Option<Frame> {
        let is_again = |frame: &&Frame| {
            let same = |other: &&Frame| other.class == frame.class && other.method == frame.method;
            trace.iter().filter(same).count() >= ROUNDS
        };
        let own = trace.iter().filter(|frame| !frame.is_of_jdk());
        let first =
            own.filter(is_again).min_by_key(|frame| (frame.class.as_internal(), &frame.method));
        first.map(|frame| Frame { line: -1, ..frame.clone() })
    }

    /// Whether two exceptions of the same class have the same cause: both come from the same line, and
    /// they were not led there by different methods.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let led = self.led_by.first().zip(other.led_by.first());
        self.frame == other.frame && led.is_none_or(|(one, other)| one == other)
    }

    /// Whether the same is told of both.
    pub(crate) fn is_told_alike(&self, other: &Self) -> bool {
        self.frame == other.frame && self.led_by.first() == other.led_by.first()
    }

    /// As what tells the cause of an exception of this class.
    pub(crate) fn trace(&self, thrown: &ClassName, message: Option<&str>) -> Trace {
        let way = std::iter::once(&self.frame).chain(&self.led_by).cloned().collect();
        Trace { thrown: thrown.clone(), message: message.map(str::to_owned), way }
    }
}

/// What tells the cause of an exception that comes from there.
pub(crate) fn trace_of(thrown: &Thrown, frame: &Frame) -> Trace {
    let message = thrown.message.as_ref().map(ToString::to_string);
    ThrownFrom::new(frame.clone(), &thrown.frames).trace(&thrown.class, message.as_deref())
}

/// The class around a nested one, which has the same author in mind.
fn top_level(class: &ClassName) -> &str {
    let name = class.as_internal();
    name.split_once('$').map_or(name, |(outer, _)| outer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack trace: `Class.method line`, the innermost first.
    fn origin(trace: &[&str]) -> ThrownFrom {
        let frame = |text: &&str| {
            let (place, line) = text.split_once(' ').expect("a line");
            let (class, method) = place.rsplit_once('.').expect("a method");
            let class = ClassName::internal(class);
            Frame { class, method: method.into(), line: line.parse().expect("a number") }
        };
        let trace: Vec<Frame> = trace.iter().map(frame).collect();
        let own = trace.iter().find(|frame| !frame.is_of_jdk()).expect("a frame of the project");
        ThrownFrom::new(own.clone(), &trace)
    }

    fn check(one: &[&str], other: &[&str], expected: bool) {
        let (one, other) = (origin(one), origin(other));
        assert_eq!(one.is_same(&other), expected, "{one:?} {other:?}");
        assert_eq!(other.is_same(&one), expected, "{one:?} {other:?}");
    }

    #[test]
    fn a_line_that_two_methods_of_others_lead_to_has_two_causes() {
        let ends = ["a/All.get 3", "a/Place.setToEnd 5", "a/Place.end 6", "a/Line.getEnd 7"];
        let reads = ["a/All.get 3", "a/Place.getCoordinate 8"];
        check(&ends, &reads, false);
        check(&ends, &ends[..3], true);
        check(&ends, &["a/All.get 3", "a/Place.setToEnd 9", "b/Other.asks 1"], true);
        check(&ends, &["a/All.get 4", "a/Place.setToEnd 5"], false);
    }

    #[test]
    fn who_calls_it_directly_or_from_within_has_the_same_cause() {
        let inner = ["a/Text.cut 3", "a/Text.trim 9"];
        check(&inner, &["a/Text.cut 3"], true);
        check(&inner, &["a/Text.cut 3", "a/Text$Builder.build 7"], true);
        check(&inner, &["a/Text.cut 3", "a/Text.trim 9", "a/Page.print 2"], true);
    }

    #[test]
    fn subclasses_that_pass_on_what_they_are_asked_repeat_a_cause() {
        check(&["a/Base.<init> 3", "a/One.<init> 5"], &["a/Base.<init> 3", "a/Two.<init> 6"], true);
        check(&["a/Base.size 3", "a/One.size 5"], &["a/Base.size 3", "a/Two.size 6"], true);
    }

    #[test]
    fn what_the_jdk_does_on_the_way_is_passed_over() {
        let sorted = ["java/util/List.get 9", "a/Order.compare 3", "java/util/List.sort 4"];
        let by = |who: &'static str| [&sorted[..], &[who]].concat();
        check(&by("a/Page.sorts 5"), &by("a/Page.sorts 6"), true);
        check(&by("a/Page.sorts 5"), &by("a/Book.sorts 5"), false);
    }

    #[test]
    fn the_way_has_each_method_that_led_there_once() {
        let trace = [
            "a/All.get 3",
            "java/util/List.forEach 9",
            "a/All.walk 4",
            "a/Place.setToEnd 5",
            "a/Place.end 6",
            "a/Line.end 7",
            "a/Page.asks 8",
        ];
        let led_by: Vec<String> = origin(&trace).led_by.iter().map(ToString::to_string).collect();
        assert_eq!(led_by, ["a.Place.setToEnd", "a.Line.end", "a.Page.asks"]);
    }

    #[test]
    fn a_stack_overflow_is_told_by_its_circle() {
        let frame = |text: &str| {
            let (class, method) = text.rsplit_once('.').expect("a method");
            Frame { class: ClassName::internal(class), method: method.into(), line: 3 }
        };
        let round = ["a/Node.visit", "java/util/List.forEach", "a/Edge.follow"].map(frame);
        let circle = |start: &[&str]| {
            let start = start.iter().map(|text| frame(text));
            let trace: Vec<Frame> = start.chain(round.iter().cycle().take(20).cloned()).collect();
            ThrownFrom::circle(&trace).map(|frame| frame.to_string())
        };
        assert_eq!(circle(&[]).as_deref(), Some("a.Edge.follow"));
        assert_eq!(circle(&["a/Deep.leaf", "a/Edge.follow"]), circle(&[]));
        assert_eq!(ThrownFrom::circle(&round), None);
    }
}
