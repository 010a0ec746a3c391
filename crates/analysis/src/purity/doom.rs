//! Which instructions can still lead to a normal return.
//!
//! Code that only prepares an exception (its message, its stack trace) reaches half of the JDK,
//! and nothing it does there is seen by a caller that gets the exception. So what cannot lead to
//! a return is no effect.

use classfile::opcode::ATHROW;
use classfile::{Code, opcode};

/// For each instruction, whether a return can be reached from it. All of them in a method that
/// never returns.
pub(super) fn can_return(code: &Code) -> Vec<bool> {
    let labels = code.label_instructions();
    let instructions: Vec<_> = code.instructions().collect();
    let handlers: Vec<_> = code
        .handlers
        .iter()
        .map(|h| [h.start, h.end, h.target].map(|label| labels[label.number()]))
        .collect();
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); instructions.len() + 1];
    let mut pending = Vec::new();
    for (at, instruction) in instructions.iter().enumerate() {
        let op = instruction.opcode();
        let mut leads_to = |target: usize| before[target].push(at as u32);
        if opcode::is_return(op) {
            pending.push(at);
        }
        // Subroutines come back by `ret`, so what follows a `jsr` counts as next.
        if instruction.falls_through() || matches!(op, opcode::JSR | opcode::JSR_W) {
            leads_to(at + 1);
        }
        instruction.targets().for_each(|label| leads_to(labels[label.number()]));
        if op == ATHROW {
            for [start, end, target] in &handlers {
                if (*start..*end).contains(&at) {
                    leads_to(*target);
                }
            }
        }
        if op == opcode::RET {
            pending.push(at);
        }
    }
    let mut can = vec![pending.is_empty(); instructions.len()];
    while let Some(at) = pending.pop() {
        if std::mem::replace(&mut can[at], true) {
            continue;
        }
        pending.extend(before[at].iter().map(|at| *at as usize));
    }
    can
}
