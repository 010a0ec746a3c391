//! Which operations are left alone: those that cannot be linked, that are cut short time and again,
//! and makers of objects that try what no test may try.

use model::{Cut, TestCase};
use rustc_hash::FxHashMap;

use super::Jet;
use crate::api::OpId;
use crate::strategy::{Ending, Report};

/// Times an operation may be cut short by the step budget, which is cheap, or by the clock, which is
/// not.
const MAX_STEP_CUTS: u32 = 50;
const MAX_CLOCK_CUTS: u32 = 4;
/// Test cases that an operation may spoil by its effects.
const MAX_SPOILED: u32 = 8;

/// What operations are to blame for.
#[derive(Default, Debug)]
pub(super) struct Blame {
    cuts: FxHashMap<OpId, u32>,
    spoiled: FxHashMap<OpId, u32>,
}

impl Jet<'_> {
    /// Looks for what is to blame for a run that did not end by itself, or not without effects.
    pub(super) fn blame(&mut self, case: &TestCase, report: &Report) {
        let of = |at: usize| case.calls.get(at).and_then(|call| self.api.first_of(&call.op));
        match &report.ending {
            Ending::Unlinkable(at, _) => {
                if let Some(op) = of(*at) {
                    self.leave_alone(op);
                }
            }
            Ending::Cut(at, cut) => {
                if let Some(op) = of(*at) {
                    let limit = if *cut == Cut::Steps { MAX_STEP_CUTS } else { MAX_CLOCK_CUTS };
                    let cuts = self.blame.cuts.entry(op).or_default();
                    *cuts += 1;
                    if *cuts >= limit {
                        self.leave_alone(op);
                    }
                }
            }
            Ending::Normal | Ending::Threw(_) | Ending::Breached(..) => {}
        }
        if report.effects.may_be_emitted() {
            return;
        }
        let culprits = [report.culprit, report.leaver].map(|at| at.and_then(of));
        for op in culprits.into_iter().flatten() {
            let spoiled = self.blame.spoiled.entry(op).or_default();
            *spoiled += 1;
            if *spoiled >= MAX_SPOILED {
                self.avoid(op);
            }
        }
    }

    /// It is not called any more.
    fn leave_alone(&mut self, op: OpId) {
        self.avoid(op);
        self.turns.remove(op);
    }

    /// No object is built with it any more; tested it is all the same.
    fn avoid(&mut self, op: OpId) {
        self.roles.avoid(self.api, op);
        self.alive = None;
        let operation = self.api.operation(op);
        if let Some(pool) = &mut self.pool {
            pool.retain(|object| object.case.calls.iter().all(|call| call.op != *operation));
        }
    }
}
