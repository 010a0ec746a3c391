//! The source line of each instruction.

use classfile::Code;

use crate::flow::Flow;

/// For each instruction its line; none for code without line numbers.
///
/// Table entries may stand in any order; of several at one position the last holds.
pub(crate) fn lines_of(code: &Code, flow: &Flow<'_>) -> Vec<Option<u16>> {
    let mut entries: Vec<_> = code.lines().map(|entry| (flow.at(entry.at), entry.line)).collect();
    entries.sort_by_key(|(start, _)| *start);
    let mut lines = vec![None; flow.instructions.len()];
    for (number, &(start, line)) in entries.iter().enumerate() {
        let end = entries.get(number + 1).map_or(lines.len(), |(next, _)| *next);
        if start < end {
            lines[start..end].fill(Some(line));
        }
    }
    lines
}
