//! The control flow of a method: blocks, and how each is entered.
//!
//! Blocks end at jumps only: an exception leaves a block in its middle, which is what the
//! placing of probes has to reckon with. Code that cannot be reached is in no block.

use classfile::{Code, Instruction, opcode};

/// The control flow graph of a method. Numbers are instruction indices.
pub(crate) struct Flow<'c> {
    pub(crate) instructions: Vec<&'c Instruction>,
    /// The reachable blocks in order of their code.
    pub(crate) blocks: Vec<Block>,
    /// For each label the instruction behind it.
    labels: Vec<usize>,
}

/// Instructions that are run one after the other, unless one throws.
pub(crate) struct Block {
    pub(crate) start: usize,
    /// Behind the last instruction.
    pub(crate) end: usize,
    pub(crate) entries: Vec<Entry>,
}

/// A way into a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It is where the method starts.
    Start,
    /// From the end of another block (its number), without condition.
    Flow(usize),
    /// Past the conditional jump at this instruction.
    NotTaken(usize),
    /// By the conditional jump or switch at this instruction.
    Taken(usize),
    /// By an exception, or back from a subroutine.
    Unknown,
}

impl<'c> Flow<'c> {
    pub(crate) fn of(code: &'c Code) -> Self {
        let instructions: Vec<_> = code.instructions().collect();
        let mut flow = Self { instructions, blocks: Vec::new(), labels: code.label_instructions() };
        let starts = flow.block_starts(code);
        let mut blocks: Vec<Block> = starts
            .iter()
            .zip(starts.iter().skip(1).chain([&flow.instructions.len()]))
            .map(|(&start, &end)| Block { start, end, entries: Vec::new() })
            .collect();
        let reachable = flow.reachable(code, &blocks);
        let mut kept = reachable.iter();
        blocks.retain(|_| *kept.next().expect("one flag per block"));
        flow.blocks = blocks;
        flow.connect(code);
        flow
    }

    /// The distinct instructions a jump leads to, in the order it names them.
    pub(crate) fn targets(&self, instruction: usize) -> Vec<usize> {
        let jump = self.instructions[instruction];
        if !jump.is_switch() {
            return jump.targets().map(|label| self.at(label)).collect();
        }
        let mut distinct = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for label in jump.targets() {
            let target = self.at(label);
            if seen.insert(target) {
                distinct.push(target);
            }
        }
        distinct
    }

    /// The conditional jump or switch a block ends with.
    pub(crate) fn decision(&self, block: &Block) -> Option<usize> {
        let last = self.instructions[block.end - 1];
        (last.is_conditional() || last.is_switch()).then_some(block.end - 1)
    }

    fn block_starts(&self, code: &Code) -> Vec<usize> {
        let count = self.instructions.len();
        let mut is_start = vec![false; count + 1];
        is_start[0] = true;
        for (index, instruction) in self.instructions.iter().enumerate() {
            for label in instruction.targets() {
                is_start[self.at(label)] = true;
            }
            if instruction.is_conditional() || !instruction.falls_through() {
                is_start[index + 1] = true;
            }
        }
        for handler in &code.handlers {
            is_start[self.at(handler.target)] = true;
        }
        (0..count).filter(|index| is_start[*index]).collect()
    }

    /// Which blocks can be reached, by jumps or by exceptions in blocks that can.
    fn reachable(&self, code: &Code, blocks: &[Block]) -> Vec<bool> {
        let block_of = |start| blocks.binary_search_by_key(&start, |block: &Block| block.start);
        let mut reached = vec![false; blocks.len()];
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            if std::mem::replace(&mut reached[number], true) {
                continue;
            }
            let block = &blocks[number];
            let handlers = code.handlers.iter().filter(|handler| {
                self.at(handler.start) < block.end && block.start < self.at(handler.end)
            });
            let handlers = handlers.map(|handler| self.at(handler.target));
            let next = self.continues(block).map(|(next, _)| next);
            let targets = self.targets(block.end - 1);
            open.extend(
                handlers.chain(next).chain(targets).filter_map(|start| block_of(start).ok()),
            );
        }
        reached
    }

    /// The instruction behind a block, if control can go there, and whether by `ret` only.
    fn continues(&self, block: &Block) -> Option<(usize, bool)> {
        let last = self.instructions[block.end - 1];
        let subroutine = matches!(last.opcode(), opcode::JSR | opcode::JSR_W);
        (last.falls_through() || subroutine).then_some((block.end, subroutine))
    }

    /// Finds the ways into each block.
    fn connect(&mut self, code: &Code) {
        let mut entries: Vec<(usize, Entry)> = vec![(0, Entry::Start)];
        for (number, block) in self.blocks.iter().enumerate() {
            let last = block.end - 1;
            let decides = self.decision(block).is_some();
            if let Some((next, by_ret)) = self.continues(block) {
                let entry = if by_ret {
                    Entry::Unknown
                } else if decides {
                    Entry::NotTaken(last)
                } else {
                    Entry::Flow(number)
                };
                entries.push((next, entry));
            }
            for target in self.targets(last) {
                entries
                    .push((target, if decides { Entry::Taken(last) } else { Entry::Flow(number) }));
            }
        }
        for handler in &code.handlers {
            entries.push((self.at(handler.target), Entry::Unknown));
        }
        for (start, entry) in entries {
            // A handler of unreachable code has no block.
            if let Ok(number) = self.blocks.binary_search_by_key(&start, |block| block.start)
                && !self.blocks[number].entries.contains(&entry)
            {
                self.blocks[number].entries.push(entry);
            }
        }
    }

    /// The instruction behind a label.
    pub(crate) fn at(&self, label: classfile::Label) -> usize {
        self.labels[label.number()]
    }
}
