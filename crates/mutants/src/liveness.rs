//! Which local variables are read again.
//!
//! Solved backward over instructions until nothing changes; what is handled from an instruction on may be
//! entered from it.

use crate::body::Body;

/// For each instruction the variables that are read after it, before they are written.
pub(crate) struct Liveness {
    /// Bits by slot, so many words for each instruction.
    after: Vec<u64>,
    words: usize,
}

impl Liveness {
    pub(crate) fn of(body: &Body<'_>) -> Self {
        let count = body.count();
        let words = usize::from(body.code.max_locals).div_ceil(64).max(1);
        let mut solved = Self { after: vec![0; count * words], words };
        let mut before = vec![0_u64; (count + 1) * words];
        let handlers: Vec<_> = body
            .code
            .handlers
            .iter()
            .map(|handler| (body.at(handler.start)..body.at(handler.end), body.at(handler.target)))
            .collect();
        loop {
            let mut changed = false;
            for at in (0..count).rev() {
                let instruction = body.instructions[at];
                let mut live = vec![0_u64; words];
                let mut join = |next: usize| {
                    for (word, more) in live.iter_mut().zip(&before[next * words..]) {
                        *word |= more;
                    }
                };
                if instruction.falls_through() {
                    join(at + 1);
                }
                instruction.targets().for_each(|label| join(body.at(label)));
                for (_, target) in handlers.iter().filter(|(range, _)| range.contains(&at)) {
                    join(*target);
                }
                solved.after[at * words..][..words].copy_from_slice(&live);
                if let Some(slot) = body.slot(at) {
                    let (word, bit) = (usize::from(slot) / 64, 1_u64 << (slot % 64));
                    if let Some(word) = live.get_mut(word) {
                        let writes = body.is_store(at);
                        *word = if writes { *word & !bit } else { *word | bit };
                    }
                }
                // What a store overwrites may be read where an exception before it is handled.
                for (_, target) in handlers.iter().filter(|(range, _)| range.contains(&at)) {
                    for (word, more) in live.iter_mut().zip(&before[target * words..]) {
                        *word |= more;
                    }
                }
                let known = &mut before[at * words..][..words];
                if known != live {
                    known.copy_from_slice(&live);
                    changed = true;
                }
            }
            if !changed {
                return solved;
            }
        }
    }

    /// Whether a variable may be read after an instruction, as that leaves it.
    pub(crate) fn is_read_after(&self, at: usize, slot: u16) -> bool {
        let word = self.after[at * self.words..][..self.words].get(usize::from(slot) / 64);
        word.is_none_or(|word| word >> (slot % 64) & 1 != 0)
    }
}
