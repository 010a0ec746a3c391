//! Asking an object whether it equals others, by test cases of their own.
//!
//! Where its class has a `hashCode` of its own too, only objects of the same hash code are compared:
//! others cannot be equal to it, as far as the class keeps that law.

use std::sync::Arc;

use model::{Literal, Operation, Slot, TestCase};

use super::object::Object;
use super::redundancy::{Number, Overrides};
use crate::contracts::{equals, hash_code};
use crate::strategy::{Ending, Report, Values};

/// Objects compared in one run.
const AT_ONCE: usize = 8;

/// An object that is being compared.
#[derive(Debug)]
pub(super) struct Identification {
    pub(super) object: Arc<Object>,
    /// Its hash code, if that is asked and the answer is known.
    pub(super) hash: Option<i32>,
    asks_hash: bool,
    questions: Questions,
    /// Those it was not compared with yet.
    left: Vec<(Number, Arc<Object>)>,
    /// The questions of the run that was proposed last: the calls, and where the answers are.
    asked: Vec<(usize, Slot)>,
}

/// The operations that are asked.
#[derive(Clone, Debug)]
pub(super) struct Questions {
    equals: Arc<Operation>,
    hash_code: Arc<Operation>,
}

impl Questions {
    pub(super) fn new() -> Self {
        Self { equals: equals(), hash_code: hash_code() }
    }
}

/// What is known after a run.
pub(super) enum Found {
    /// The hash code, so that it is known whom to compare with.
    Hash,
    /// It is equal to the object of this number.
    Equal(Number),
    /// Not yet anything.
    Nothing,
}

impl Identification {
    pub(super) fn of(object: Arc<Object>, overrides: Overrides, questions: Questions) -> Self {
        let (left, asked) = (Vec::new(), Vec::new());
        let asks_hash = overrides.hash_code;
        Self { object, hash: None, asks_hash, questions, left, asked }
    }

    /// Whether the hash code is to be asked first.
    pub(super) fn asks_hash(&self) -> bool {
        self.asks_hash
    }

    /// It is to be compared with these.
    pub(super) fn compare_with(&mut self, candidates: Vec<(Number, Arc<Object>)>) {
        self.left = candidates;
    }

    /// The next run; `None` if there is nothing left to ask.
    pub(super) fn next(&mut self) -> Option<TestCase> {
        self.asked.clear();
        if self.asks_hash {
            let mut case = (*self.object.case).clone();
            let hash_code = self.questions.hash_code.clone();
            self.ask(&mut case, &hash_code, &[self.object.slot]);
            return Some(case);
        }
        if self.left.is_empty() {
            return None;
        }
        let equals = self.questions.equals.clone();
        let mut case = (*self.object.case).clone();
        for at in 0..self.left.len().min(AT_ONCE) {
            let other = self.left[at].1.clone();
            let offset = case.append(&other.case);
            let other = Slot(other.slot.0 + offset);
            self.ask(&mut case, &equals, &[self.object.slot, other]);
        }
        Some(case)
    }

    fn ask(&mut self, case: &mut TestCase, op: &Arc<Operation>, args: &[Slot]) {
        let answer = case.call(op, args).expect("questions have an answer");
        self.asked.push((case.calls.len() - 1, answer));
    }

    /// Looks at what the run said. An object that cannot be asked is equal to none.
    pub(super) fn learn(&mut self, case: &TestCase, report: &Report, values: &dyn Values) -> Found {
        let asked = std::mem::take(&mut self.asked);
        let returned = if report.ending == Ending::Normal {
            case.calls.len()
        } else {
            report.ending.last(case.calls.len()).unwrap_or(0)
        };
        let answer = |at: usize| {
            let (call, slot) = asked[at];
            (call < returned).then(|| values.primitive(slot)).flatten()
        };
        if self.asks_hash {
            self.asks_hash = false;
            self.hash = match answer(0) {
                Some(Literal::Int(hash)) => Some(hash),
                _ => None,
            };
            return Found::Hash;
        }
        let equal = (0..asked.len()).find(|at| answer(*at) == Some(Literal::Boolean(true)));
        if let Some(at) = equal {
            return Found::Equal(self.left[at].0);
        }
        let answered = asked.iter().filter(|(call, _)| *call < returned).count();
        // The one that it could not be compared with is left out too.
        self.left.drain(..(answered + 1).min(asked.len()));
        Found::Nothing
    }
}
