//! The places of a method where a report wants to know whether control came by.
//!
//! Coverage is told from behind, as JaCoCo does it, so that the figures of both agree: an
//! instruction counts as covered once control came from it to the next such place, wherever an
//! exception may have ended the way. The places are the exits of the method, every way into an
//! instruction that has several, the start of guarded code, and each line that calls something.

use classfile::{Code, opcode};

use crate::flow::Flow;

/// The places of a method, by instruction.
pub(crate) struct Points {
    /// Whether control is noted that comes from the instruction before.
    pub(crate) passed: Vec<bool>,
    /// Whether every jump to it is noted.
    joined: Vec<bool>,
}

impl Points {
    pub(crate) fn of(code: &Code, flow: &Flow<'_>) -> Self {
        let count = flow.instructions.len();
        let mut ways = vec![0_u32; count + 1];
        ways[0] = 1;
        for index in 0..count {
            for target in flow.targets(index) {
                ways[target] += 1;
            }
        }
        for handler in &code.handlers {
            ways[flow.at(handler.start)] += 1;
            ways[flow.at(handler.target)] += 1;
        }
        let continued = |index: usize| index > 0 && flow.instructions[index - 1].falls_through();
        let joined: Vec<bool> =
            (0..count).map(|index| ways[index] + u32::from(continued(index)) > 1).collect();
        let calling = lines_that_call(code, flow);
        let passed =
            (0..count).map(|index| continued(index) && (joined[index] || calling[index])).collect();
        Self { passed, joined }
    }

    /// Whether control is noted on the way of a jump to `target`.
    pub(crate) fn notes_jump_to(&self, target: usize) -> bool {
        self.joined[target]
    }

    /// Whether control is noted that comes from `before` to the instruction behind it.
    pub(crate) fn notes_pass_behind(&self, before: usize) -> bool {
        self.passed.get(before + 1).copied().unwrap_or(false)
    }
}

/// The first instructions of the entries of the line table that have a call.
fn lines_that_call(code: &Code, flow: &Flow<'_>) -> Vec<bool> {
    let mut starts: Vec<usize> = code.lines().map(|entry| flow.at(entry.at)).collect();
    starts.sort_unstable();
    starts.dedup();
    let mut calling = vec![false; flow.instructions.len()];
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(calling.len());
        if start < end {
            calling[start] = flow.instructions[start..end].iter().any(|i| i.is_invoke());
        }
    }
    calling
}

/// Whether a method ends with this instruction.
pub(crate) fn is_exit(instruction: &classfile::Instruction) -> bool {
    opcode::is_return(instruction.opcode()) || instruction.opcode() == opcode::ATHROW
}
