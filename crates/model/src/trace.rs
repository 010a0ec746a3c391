//! How alike two stack traces are: what tells the causes of two exceptions apart (requirement G11).
//!
//! A trace is reduced to its *way*: the line that throws, then the methods that led there, the nearest
//! first, without what says nothing of the cause (the JDK, the lines of callers, calls within a class,
//! subclasses that pass on what they are asked). Two ways are laid side by side, and each pair of places
//! counts half as much as the one before it:
//!
//! similarity = Σᵢ 2⁻ⁱ · alike(oneᵢ, otherᵢ) / Σᵢ 2⁻ⁱ
//!
//! If both end in the same line, the sums go as far as the shorter way, for whoever calls a method
//! directly just starts further in; else as far as the longer one. The place that throws is alike (1) if it
//! is the same line, if two methods of one class say the same is wrong, or if two classes of a package
//! are copies of each other there; half alike if it is another line of the same method. A method that led
//! there is alike if it is the same one. Traces whose similarity is at least [`SAME`] have one cause: two
//! lines never have, without a message that tells so, nor have two methods of others that lead to one line.
//!
//! Invariant: similarity is symmetric, between 0 and 1, and 1 for equal traces.

use serde::{Deserialize, Serialize};

use crate::{ClassName, Frame};

/// The similarity from which on two traces have one cause: more than the nearest method that led there
/// can make up for.
pub const SAME: f64 = 0.75;

/// Where an exception came from, as far as it tells the cause.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Trace {
    /// The class of the exception.
    pub thrown: ClassName,
    /// What it says.
    pub message: Option<String>,
    /// The line that throws, then the methods that led there, without their lines.
    pub way: Vec<Frame>,
}

impl Trace {
    /// Whether the two come of one cause.
    pub fn is_same(&self, other: &Self) -> bool {
        self.similarity(other) >= SAME
    }

    /// How alike the two are, from 0 to 1.
    pub fn similarity(&self, other: &Self) -> f64 {
        let (Some(one), Some(two)) = (self.way.first(), other.way.first()) else {
            return if self == other { 1.0 } else { 0.0 };
        };
        if self.thrown != other.thrown {
            return 0.0;
        }
        let lengths = [self.way.len(), other.way.len()];
        let [shorter, longer] = [lengths[0].min(lengths[1]), lengths[0].max(lengths[1])];
        let compared = if one == two { shorter } else { longer };
        let (mut alike, mut all, mut weight) = (0.0, 0.0, 1.0);
        for at in 0..compared {
            alike += weight
                * match at {
                    0 => self.alike_where_thrown(other, (one, two)),
                    _ if self.way.get(at) == other.way.get(at) => 1.0,
                    _ => 0.0,
                };
            all += weight;
            weight /= 2.0;
        }
        alike / all
    }

    fn alike_where_thrown(&self, other: &Self, (one, two): (&Frame, &Frame)) -> f64 {
        let says = |trace: &Self, frame: &Frame| {
            // Variables without a name may be any.
            let telling = trace.message.as_ref().filter(|message| !message.contains("\"<local"));
            telling.map(|message| message.replace(frame.class.local(), ""))
        };
        let says_same = says(self, one).is_some_and(|said| says(other, two) == Some(said));
        let is_copy = one.class.package() == two.class.package()
            && one.method == two.method
            && one.line == two.line
            && one.line > 0;
        if one == two || says_same && (one.class == two.class || is_copy) {
            1.0
        } else if one.class == two.class && one.method == two.method {
            0.5
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trace of `Class.method line`, then `Class.method` of those that led there.
    fn trace(message: &str, way: &[&str]) -> Trace {
        let frame = |text: &&str| {
            let (place, line) = text.split_once(' ').unwrap_or((text, "-1"));
            let (class, method) = place.rsplit_once('.').expect("a method");
            let line = line.parse().expect("a number");
            Frame { class: ClassName::internal(class), method: method.into(), line }
        };
        let message = (!message.is_empty()).then(|| message.to_owned());
        let thrown = ClassName::internal("a/Wrong");
        Trace { thrown, message, way: way.iter().map(frame).collect() }
    }

    fn check(one: &Trace, other: &Trace, similarity: f64) {
        for (one, other) in [(one, other), (other, one)] {
            let found = one.similarity(other);
            assert!((found - similarity).abs() < 0.005, "{found}: {one:?} {other:?}");
        }
        let is_same = similarity >= SAME;
        assert_eq!((one.is_same(one), one.is_same(other)), (true, is_same), "{one:?} {other:?}");
    }

    #[test]
    fn whoever_calls_a_method_directly_starts_further_in() {
        let inner = trace("", &["a/Text.cut 3", "a/Page.print", "a/Book.print"]);
        check(&inner, &trace("", &["a/Text.cut 3"]), 1.0);
        check(&inner, &trace("", &["a/Text.cut 3", "a/Page.print"]), 1.0);
    }

    #[test]
    fn a_line_that_two_methods_of_others_lead_to_has_two_causes() {
        let ends = trace("-1", &["a/All.get 3", "a/Place.setToEnd", "a/Line.getEnd"]);
        check(&ends, &trace("-1", &["a/All.get 3", "a/Place.getCoordinate"]), 0.67);
        // Who asked those is less telling.
        check(&ends, &trace("-1", &["a/All.get 3", "a/Place.setToEnd", "b/Other.asks"]), 0.86);
    }

    #[test]
    fn two_lines_have_two_causes_whoever_leads_there() {
        let one = ["a/All.get 3", "a/B.c", "a/D.e", "a/F.g", "a/H.i"];
        let other = [&["a/All.get 4"][..], &one[1..]].concat();
        check(&trace("", &one), &trace("", &other), 0.74);
        check(&trace("", &one[..1]), &trace("", &other[..1]), 0.5);
        check(&trace("", &one[..1]), &trace("", &["a/All.set 4"]), 0.0);
    }

    #[test]
    fn a_mistake_that_a_class_repeats_is_one_cause() {
        let value = trace("Index -1", &["a/Tasks.getValue 3"]);
        check(&value, &trace("Index -1", &["a/Tasks.getEndValue 7"]), 1.0);
        check(&value, &trace("Index -1", &["a/Tasks.getEndValue 7", "a/Chart.draw"]), 0.67);
        check(&value, &trace("Index 5", &["a/Tasks.getEndValue 7"]), 0.0);
        check(&value, &trace("Index -1", &["a/Other.getEndValue 7"]), 0.0);
        let unnamed = "Cannot invoke \"a.B.c()\" because \"<local1>\" is null";
        check(&trace(unnamed, &["a/B.c 3"]), &trace(unnamed, &["a/B.d 4"]), 0.0);
    }

    #[test]
    fn copies_of_a_class_in_its_package_repeat_a_cause() {
        let of = |class: &str, line: u32| {
            let message = format!("Cannot read \"a.{class}.keys\" because it is null");
            trace(&message, &[&format!("a/{class}.next {line}")])
        };
        check(&of("CharMap", 3), &of("ByteMap", 3), 1.0);
        check(&of("CharMap", 3), &of("ByteMap", 4), 0.0);
    }

    #[test]
    fn another_exception_has_another_cause() {
        let one = trace("", &["a/B.c 3"]);
        let thrown = ClassName::internal("a/Other");
        check(&one, &Trace { thrown, ..one.clone() }, 0.0);
    }
}
