//! Instructions with labels instead of offsets, each in the form it came in.
//!
//! `iload_1`, `iload 1` and `wide iload 1` stay apart, so that unchanged code is written back
//! byte for byte.

use super::Label;
use super::opcode::*;

/// An instruction (JVMS 6.5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// An instruction without operands.
    Plain(u8),
    /// `bipush`.
    PushByte(i8),
    /// `sipush`.
    PushShort(i16),
    /// `ldc`, `ldc_w` or `ldc2_w`.
    Ldc {
        /// Which of the three.
        op: u8,
        /// Index of the constant.
        index: u16,
    },
    /// A load, store or `ret` with an explicit slot.
    Local {
        /// The operation.
        op: u8,
        /// The slot.
        index: u16,
        /// Whether it has the `wide` prefix.
        wide: bool,
    },
    /// `iinc`.
    Increment {
        /// The slot.
        index: u16,
        /// What is added.
        amount: i16,
        /// Whether it has the `wide` prefix.
        wide: bool,
    },
    /// A conditional jump, `goto`, `jsr`, `goto_w` or `jsr_w`.
    Jump {
        /// The operation.
        op: u8,
        /// Where it leads.
        target: Label,
    },
    /// `tableswitch`.
    TableSwitch(Box<TableSwitch>),
    /// `lookupswitch`.
    LookupSwitch(Box<LookupSwitch>),
    /// A field access, `invokevirtual`, `invokespecial`, `invokestatic`, `new`, `anewarray`,
    /// `checkcast` or `instanceof`.
    Constant {
        /// The operation.
        op: u8,
        /// Index of the field, method or class.
        index: u16,
    },
    /// `invokeinterface`.
    InvokeInterface {
        /// Index of the method.
        index: u16,
        /// Slots of the arguments, receiver included.
        count: u8,
    },
    /// `invokedynamic`.
    InvokeDynamic {
        /// Index of the call site.
        index: u16,
    },
    /// `newarray`, with the code of its primitive type.
    NewArray(u8),
    /// `multianewarray`.
    MultiNewArray {
        /// Index of the array class.
        index: u16,
        /// How many dimensions are allocated.
        dimensions: u8,
    },
}

/// The operands of `tableswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSwitch {
    /// Where it leads if no target applies.
    pub default: Label,
    /// The value of the first target.
    pub low: i32,
    /// The targets of `low`, `low + 1` and so on.
    pub targets: Vec<Label>,
}

/// The operands of `lookupswitch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookupSwitch {
    /// Where it leads if no value matches.
    pub default: Label,
    /// Values, ascending, and their targets.
    pub pairs: Vec<(i32, Label)>,
}

impl Instruction {
    /// The operation code; that of the operation itself for `wide` ones.
    pub fn opcode(&self) -> u8 {
        match self {
            Self::Plain(op)
            | Self::Ldc { op, .. }
            | Self::Local { op, .. }
            | Self::Jump { op, .. }
            | Self::Constant { op, .. } => *op,
            Self::PushByte(_) => BIPUSH,
            Self::PushShort(_) => SIPUSH,
            Self::Increment { .. } => IINC,
            Self::TableSwitch(_) => TABLESWITCH,
            Self::LookupSwitch(_) => LOOKUPSWITCH,
            Self::InvokeInterface { .. } => INVOKEINTERFACE,
            Self::InvokeDynamic { .. } => INVOKEDYNAMIC,
            Self::NewArray(_) => NEWARRAY,
            Self::MultiNewArray { .. } => MULTIANEWARRAY,
        }
    }

    /// How many bytes the instruction takes at this offset (only switches depend on it).
    pub fn size(&self, offset: usize) -> usize {
        let padding = 3 - offset % 4;
        match self {
            Self::Plain(_) => 1,
            Self::PushByte(_) | Self::NewArray(_) => 2,
            Self::PushShort(_) | Self::Constant { .. } => 3,
            Self::Ldc { op, .. } => {
                if *op == LDC {
                    2
                } else {
                    3
                }
            }
            Self::Local { wide, .. } => {
                if *wide {
                    4
                } else {
                    2
                }
            }
            Self::Increment { wide, .. } => {
                if *wide {
                    6
                } else {
                    3
                }
            }
            Self::Jump { op, .. } => {
                if is_wide_jump(*op) {
                    5
                } else {
                    3
                }
            }
            Self::TableSwitch(switch) => 13 + padding + 4 * switch.targets.len(),
            Self::LookupSwitch(switch) => 9 + padding + 8 * switch.pairs.len(),
            Self::InvokeInterface { .. } | Self::InvokeDynamic { .. } => 5,
            Self::MultiNewArray { .. } => 4,
        }
    }

    /// Every label the instruction may lead to; for switches the default first, and targets as
    /// often as they occur.
    pub fn targets(&self) -> impl Iterator<Item = Label> {
        let (first, table, pairs): (Option<Label>, &[Label], &[(i32, Label)]) = match self {
            Self::Jump { target, .. } => (Some(*target), &[], &[]),
            Self::TableSwitch(switch) => (Some(switch.default), &switch.targets, &[]),
            Self::LookupSwitch(switch) => (Some(switch.default), &[], &switch.pairs),
            _ => (None, &[], &[]),
        };
        first.into_iter().chain(table.iter().copied()).chain(pairs.iter().map(|pair| pair.1))
    }

    /// Changes every label the instruction may lead to.
    pub fn map_targets(&mut self, mut map: impl FnMut(Label) -> Label) {
        match self {
            Self::Jump { target, .. } => *target = map(*target),
            Self::TableSwitch(switch) => {
                switch.default = map(switch.default);
                switch.targets.iter_mut().for_each(|target| *target = map(*target));
            }
            Self::LookupSwitch(switch) => {
                switch.default = map(switch.default);
                switch.pairs.iter_mut().for_each(|pair| pair.1 = map(pair.1));
            }
            _ => {}
        }
    }

    /// Whether this is a two-way jump.
    pub fn is_conditional(&self) -> bool {
        matches!(self, Self::Jump { op, .. } if is_conditional(*op))
    }

    /// Whether this is a switch.
    pub fn is_switch(&self) -> bool {
        matches!(self, Self::TableSwitch(_) | Self::LookupSwitch(_))
    }

    /// Whether this calls a method.
    pub fn is_invoke(&self) -> bool {
        matches!(self.opcode(), INVOKEVIRTUAL..=INVOKEDYNAMIC)
    }

    /// Whether control can go on to the next instruction. For `jsr` it cannot: it comes back
    /// by `ret`.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self.opcode(),
            GOTO | GOTO_W | JSR | JSR_W | RET | TABLESWITCH | LOOKUPSWITCH | ATHROW
        ) && !is_return(self.opcode())
    }
}

/// Whether a jump has an offset of four bytes.
pub(crate) fn is_wide_jump(op: u8) -> bool {
    matches!(op, GOTO_W | JSR_W)
}
