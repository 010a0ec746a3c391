//! Which operations a search leaves alone: those that are cut short or spoil tests time and again.

use model::{Call, TestCase};

use super::FeedbackDirected;
use crate::api::OpId;
use crate::strategy::{Ending, Report};

/// Times an operation may be cut short before it is left alone.
const MAX_STEP_CUTS: u32 = 50;
const MAX_CLOCK_CUTS: u32 = 4;
/// Tests a maker of arguments may spoil by its effects before it is left alone; one that it does not
/// spoil makes up for so many.
const MAX_SPOILED: u32 = 8;
const MADE_UP_FOR: u32 = 4;
/// Tests in which a method under test may leave threads running before it is left alone: each is
/// given time to end.
const MAX_LEFT_THREADS: u32 = 12;

impl FeedbackDirected<'_> {
    pub(super) fn avoid(&mut self, op: OpId) {
        for variant in self.api.variants(op) {
            self.avoided[variant.0 as usize] = true;
        }
        self.subjects.retain(|s| *s != op);
        self.pool.purge(self.api.operation(op));
        if let Some(frontier) = &mut self.guidance.frontier {
            frontier.purge(self.api.operation(op));
        }
        if let Some(trail) = &mut self.guidance.trail {
            trail.purge(self.api.operation(op));
        }
    }

    /// A call was cut short: by the step budget, which is cheap, or by the clock, which is not. What
    /// made its arguments may be the cause, such as a stream that nobody writes to; but never a
    /// member under test, such as the constructor of the object that the call hangs on, without
    /// which there may be nothing left to test.
    pub(super) fn blame(&mut self, case: &TestCase, at: usize, cut: model::Cut) {
        let limit = if cut == model::Cut::Steps { MAX_STEP_CUTS } else { MAX_CLOCK_CUTS };
        let call = &case.calls[at];
        let is_subject = |op: &OpId| self.api.subjects().contains(op);
        let makers = case.calls[..at]
            .iter()
            .filter(|made| made.result.is_some_and(|result| call.args.contains(&result)))
            .filter_map(|made| self.api.first_of(&made.op))
            .filter(|op| cut != model::Cut::Steps && !is_subject(op));
        let blamed: Vec<OpId> = makers.chain(self.api.first_of(&call.op)).collect();
        for op in blamed {
            // What is not under test is easier to do without.
            let weight = if self.api.subjects().contains(&op) { 1 } else { 2 };
            let cuts = &mut self.cuts[op.0 as usize];
            *cuts += weight;
            if *cuts >= limit {
                self.avoid(op);
            }
        }
    }

    /// Blames calls for what no test may try. Methods under test may do without it next time, unless
    /// it is a thread that they leave running; makers of arguments, such as those of temporary files,
    /// spoil every test they are in. Who is in many tests that nothing spoils, such as the `build` of
    /// a builder that was told of a forbidden file now and then, is needed for those.
    pub(super) fn blame_for_effects(&mut self, case: &TestCase, report: &Report) {
        if report.effects.may_be_emitted() {
            if self.spoils && matches!(report.ending, Ending::Normal | Ending::Threw(_)) {
                let made = report.ending.last(case.calls.len()).map_or(0, |last| last + 1);
                self.make_up_for(&case.calls[..made]);
            }
            return;
        }
        let is_subject = |op: &OpId| self.api.subjects().contains(op);
        let of = |at: Option<usize>| at.and_then(|at| self.api.first_of(&case.calls[at].op));
        let culprit = of(report.culprit).filter(|op| !is_subject(op));
        let leaver = of(report.leaver).filter(|op| Some(*op) != culprit);
        for op in culprit.into_iter().chain(leaver) {
            let limit = if is_subject(&op) { MAX_LEFT_THREADS } else { MAX_SPOILED };
            self.spoiled[op.0 as usize] += 1;
            self.spoils |= !is_subject(&op);
            if self.spoiled[op.0 as usize] >= limit {
                self.avoid(op);
            }
        }
    }
    /// A test in which these calls were made was not spoiled.
    fn make_up_for(&mut self, calls: &[Call]) {
        for op in calls.iter().filter_map(|call| self.api.first_of(&call.op)) {
            let spoiled = &mut self.spoiled[op.0 as usize];
            if *spoiled > 0 && !self.api.subjects().contains(&op) {
                *spoiled = spoiled.saturating_sub(MADE_UP_FOR);
            }
        }
    }
}
