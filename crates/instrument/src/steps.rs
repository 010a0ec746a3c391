//! Decides where the step budget is counted down: on every cycle a program can run in.
//!
//! A cycle goes through a backward jump, a backward exception edge or a call. The call of
//! `step` throws when the budget is used up, so it must not stand where the method itself
//! catches what is thrown and comes back at once.

use classfile::{Code, opcode};

use crate::flow::Flow;
use crate::plan::StepSite;

/// The places in one method.
pub(crate) fn place_steps(code: &Code, flow: &Flow<'_>) -> Vec<StepSite> {
    let mut sites = Vec::new();
    // A method that calls nothing cannot recurse.
    if flow.instructions.iter().any(|instruction| instruction.is_invoke()) {
        sites.push(StepSite::Entry);
    }
    for block in &flow.blocks {
        let last = block.end - 1;
        let backward = flow.targets(last).into_iter().filter(|target| *target <= last);
        if flow.decision(block).is_some() {
            sites.extend(backward.map(|to| StepSite::Jump { from: last as u32, to: to as u32 }));
        } else if backward.count() > 0 || flow.instructions[last].opcode() == opcode::RET {
            sites.push(StepSite::Before(last as u32));
        }
    }
    for handler in &code.handlers {
        let target = flow.at(handler.target);
        let site = StepSite::Before(target as u32);
        let reached = flow.blocks.iter().any(|block| block.start == target);
        let catches_itself = code.handlers.iter().any(|other| {
            other.target == handler.target
                && (flow.at(other.start)..flow.at(other.end)).contains(&target)
        });
        if target < flow.at(handler.start) && reached && !catches_itself && !sites.contains(&site) {
            sites.push(site);
        }
    }
    sites
}
