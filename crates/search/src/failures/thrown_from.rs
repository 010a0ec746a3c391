//! Where an exception comes from: what tells two causes apart (requirement G11).
//!
//! Beside the line that throws counts the method of another class that led there, for a line that many use
//! is not to blame for what each of them gives it. That a subclass passes on what it is asked, that the class
//! calls itself on the way, or the line of the caller, says nothing of the cause.

use model::{ClassName, Frame, Implementation};
use serde::{Deserialize, Serialize};

/// Where an exception was thrown, and who led there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ThrownFrom {
    /// The line.
    pub frame: Frame,
    /// The nearest method of another class and another name on the way there, without its line; none if
    /// the test called that class itself.
    pub called_by: Option<Frame>,
}

impl ThrownFrom {
    /// Of an exception that was thrown there, with this stack trace.
    pub(crate) fn new(frame: Frame, trace: &[Frame]) -> Self {
        let outer = trace.iter().skip_while(|by| **by != frame).skip(1);
        let leads = |by: &&Frame| {
            !by.is_of_jdk()
                && top_level(&by.class) != top_level(&frame.class)
                && by.method != frame.method
                && !Implementation::is_name_of_one(by.class.as_internal())
        };
        let called_by = outer.into_iter().find(leads).map(|by| Frame { line: -1, ..by.clone() });
        Self { frame, called_by }
    }

    /// Whether two exceptions of the same class have the same cause: both come from the same line, and
    /// they were not led there by different methods.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let led = self.called_by.as_ref().zip(other.called_by.as_ref());
        self.frame == other.frame && led.is_none_or(|(one, other)| one == other)
    }

    /// What an exception says is wrong, with the class it comes from: if two methods of a class say the
    /// same, one mistake was made twice.
    pub(crate) fn mistake(&self, thrown: &ClassName, message: Option<&str>) -> Option<String> {
        // Variables without a name may be any.
        let message = message.filter(|message| !message.contains("\"<local"))?;
        Some(format!("{thrown}: {message} in {}", self.frame.class))
    }
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
    fn a_mistake_is_what_a_class_says_wherever_in_it() {
        let mistake = |trace: &[&str], message| {
            origin(trace).mistake(&ClassName::internal("a/Wrong"), message)
        };
        let value = mistake(&["a/Tasks.getValue 3"], Some("Index -1"));
        assert_eq!(value.as_deref(), Some("a.Wrong: Index -1 in a.Tasks"));
        assert_eq!(value, mistake(&["java/util/List.get 1", "a/Tasks.getEnd 9"], Some("Index -1")));
        assert_eq!(mistake(&["a/Tasks.getValue 3"], None), None);
        let unnamed = "Cannot invoke \"a.B.c()\" because \"<local1>\" is null";
        assert_eq!(mistake(&["a/Tasks.getValue 3"], Some(unnamed)), None);
    }
}
