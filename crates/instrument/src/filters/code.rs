//! Reads the code of a method by its instructions: what stands at an index, and what that begins.

use classfile::opcode::*;
use classfile::{ClassFile, Instruction, MemberRef};

use crate::flow::Flow;

/// The code of a method. Indices behind its end are those of an instruction that is none.
pub(super) struct Reader<'c> {
    pub(super) class: &'c ClassFile,
    pub(super) flow: &'c Flow<'c>,
}

impl<'c> Reader<'c> {
    pub(super) fn count(&self) -> usize {
        self.flow.instructions.len()
    }

    /// The operation at an index, in its general form: not that for one of the first four slots.
    pub(super) fn op(&self, at: usize) -> u8 {
        match self.flow.instructions.get(at).map_or(NOP, |instruction| instruction.opcode()) {
            short @ ILOAD_0..=ALOAD_3 => ILOAD + (short - ILOAD_0) / 4,
            short @ ISTORE_0..=ASTORE_3 => ISTORE + (short - ISTORE_0) / 4,
            LDC_W => LDC,
            GOTO_W => GOTO,
            op => op,
        }
    }

    /// The slot from which a reference is loaded.
    pub(super) fn load(&self, at: usize) -> Option<u16> {
        self.slot(at, ALOAD, ALOAD_0)
    }

    /// The slot to which a reference is stored.
    pub(super) fn store(&self, at: usize) -> Option<u16> {
        self.slot(at, ASTORE, ASTORE_0)
    }

    /// The slot of an operation, or of its form for one of the first four slots.
    fn slot(&self, at: usize, op: u8, first: u8) -> Option<u16> {
        match self.flow.instructions.get(at)? {
            Instruction::Local { op: found, index, .. } if *found == op => Some(*index),
            Instruction::Plain(found) if (first..first + 4).contains(found) => {
                Some(u16::from(found - first))
            }
            _ => None,
        }
    }

    /// The field that is read or written.
    pub(super) fn field(&self, at: usize) -> Option<MemberRef<'c>> {
        match self.flow.instructions.get(at)? {
            Instruction::Constant { op: GETSTATIC..=PUTFIELD, index } => {
                self.class.pool.member_ref(*index).ok()
            }
            _ => None,
        }
    }

    /// The method that is called.
    pub(super) fn method(&self, at: usize) -> Option<MemberRef<'c>> {
        match self.flow.instructions.get(at)? {
            Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, index }
            | Instruction::InvokeInterface { index, .. } => self.class.pool.member_ref(*index).ok(),
            _ => None,
        }
    }

    /// Whether a method of this name is called.
    pub(super) fn calls(&self, at: usize, name: &str) -> bool {
        self.method(at).is_some_and(|method| method.name == name)
    }

    /// The code of a switch by text that begins here, from its first switch to what its second
    /// goes by.
    pub(super) fn text_switch(&self, at: usize) -> Option<(usize, usize)> {
        let number = self.slot(at + 1, ISTORE, ISTORE_0)?;
        let text = self.load(at + 2)?;
        let is_start = self.op(at) == ICONST_M1
            && self.calls(at + 3, "hashCode")
            && self.flow.instructions.get(at + 4)?.is_switch();
        let mut next = at + 5;
        while is_start && self.load(next) == Some(text) {
            let is_comparison = self.calls(next + 2, "equals")
                && self.op(next + 3) == IFEQ
                && self.slot(next + 5, ISTORE, ISTORE_0) == Some(number);
            if !is_comparison {
                return None;
            }
            next += 6 + usize::from(self.op(next + 6) == GOTO);
        }
        let goes_by = self.slot(next, ILOAD, ILOAD_0) == Some(number)
            && self.flow.instructions.get(next + 1)?.is_switch();
        (is_start && goes_by).then_some((at + 4, next))
    }

    /// The slot of a resource that is closed here, unless it is `null`, and where that ends.
    pub(super) fn closing(&self, at: usize) -> Option<(u16, usize)> {
        let resource = self.load(at)?;
        let call = if self.op(at + 1) == IFNULL { at + 3 } else { at + 1 };
        let closes = self.method(call)?;
        (self.load(call - 1) == Some(resource)
            && closes.name == "close"
            && closes.descriptor == "()V")
            .then_some((resource, call + 1))
    }

    /// How many instructions the `finally` block has whose handler begins here.
    pub(super) fn finally_length(&self, handler: usize) -> Option<usize> {
        let thrown = self.store(handler)?;
        let mut at = handler + 1;
        while self.load(at) != Some(thrown) {
            at += 1;
            if at >= self.count() {
                return None;
            }
        }
        let length = at - handler - 1;
        (length > 0 && self.op(at + 1) == ATHROW).then_some(length)
    }

    /// Where the throwing of what a switch lacks ends, if it begins here.
    pub(super) fn throws_for_want_of_case(&self, at: usize) -> Option<usize> {
        const ERRORS: [&str; 2] =
            ["java/lang/MatchException", "java/lang/IncompatibleClassChangeError"];
        self.creates(at, &ERRORS)?;
        let end = (at + 2..self.count().min(at + 6)).find(|end| self.op(*end) == ATHROW)?;
        Some(end + 1)
    }

    /// Where a handler begins and ends that wraps what a pattern's accessor threw.
    pub(super) fn wraps_in_match_exception(&self, handler: usize) -> Option<(usize, usize)> {
        self.store(handler)?;
        self.creates(handler + 1, &["java/lang/MatchException"])?;
        (self.calls(handler + 4, "toString") && self.op(handler + 7) == ATHROW)
            .then_some((handler, handler + 8))
    }

    /// Whether an object of one of these classes is created.
    fn creates(&self, at: usize, names: &[&str]) -> Option<()> {
        let Instruction::Constant { op: NEW, index } = self.flow.instructions.get(at)? else {
            return None;
        };
        let name = self.class.pool.class_name(*index).ok()?;
        names.contains(&&*name).then_some(())
    }

    /// Whether a call site is linked by what makes the methods of records.
    pub(super) fn is_made_for_record(&self, at: usize) -> bool {
        let Some(Instruction::InvokeDynamic { index }) = self.flow.instructions.get(at) else {
            return false;
        };
        let Ok((_, name, _)) = self.class.pool.dynamic(*index) else { return false };
        matches!(&*name, "toString" | "hashCode" | "equals")
    }
}
