//! A method body that is looked at for places to mutate.

use std::ops::Range;

use classfile::opcode::*;
use classfile::{
    ClassFile, Code, CodeTable, Constant, Instruction, Label, MemberRef, MethodDescriptor,
};
use instrument::Artefacts;
use rustc_hash::FxHashMap;

use crate::types::{Operand, State, Types};

/// A method with all that is known of it. Numbers are those of instructions.
pub(crate) struct Body<'c> {
    pub(crate) class: &'c ClassFile,
    pub(crate) name: &'c str,
    pub(crate) descriptor: &'c str,
    pub(crate) is_static: bool,
    /// Whether an annotation says that it returns no `null`.
    pub(crate) never_null: bool,
    pub(crate) code: &'c Code,
    pub(crate) instructions: Vec<&'c Instruction>,
    pub(crate) types: Types,
    pub(crate) artefacts: Artefacts,
    pub(crate) labels: Vec<usize>,
    /// Whether control can come to an instruction otherwise than from the one before.
    entered: Vec<bool>,
    /// What takes the value that an instruction pushed, and how far below the top it takes it from.
    uses: FxHashMap<usize, Vec<(usize, usize)>>,
}

/// A constant that code pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Literal {
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    Null,
}

impl<'c> Body<'c> {
    pub(crate) fn new(
        class: &'c ClassFile,
        (name, descriptor): (&'c str, &'c str),
        (is_static, never_null): (bool, bool),
        code: &'c Code,
        types: Types,
        artefacts: Artefacts,
    ) -> Self {
        let instructions: Vec<_> = code.instructions().collect();
        let labels = code.label_instructions();
        let mut entered = vec![false; instructions.len() + 1];
        let targets = instructions.iter().flat_map(|instruction| instruction.targets());
        for label in targets.chain(code.handlers.iter().map(|handler| handler.target)) {
            entered[labels[label.number()]] = true;
        }
        let mut body = Self {
            class,
            name,
            descriptor,
            is_static,
            never_null,
            code,
            instructions,
            types,
            artefacts,
            labels,
            entered,
            uses: FxHashMap::default(),
        };
        body.find_uses();
        body
    }

    fn find_uses(&mut self) {
        for at in 0..self.count() {
            let Some(state) = self.types.before(at) else { continue };
            let taken = self.operand_count(at).min(state.stack.len());
            for below in 0..taken {
                if let Some(origin) = state.top(below).and_then(|operand| operand.origin) {
                    self.uses.entry(origin).or_default().push((at, below));
                }
            }
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.instructions.len()
    }

    /// The operation at an index, in its general form: not that for one of the first four slots.
    /// Behind the end there is none, which is `NOP`.
    pub(crate) fn op(&self, at: usize) -> u8 {
        match self.instructions.get(at).map_or(NOP, |instruction| instruction.opcode()) {
            short @ ILOAD_0..=ALOAD_3 => ILOAD + (short - ILOAD_0) / 4,
            short @ ISTORE_0..=ASTORE_3 => ISTORE + (short - ISTORE_0) / 4,
            LDC_W => LDC,
            GOTO_W => GOTO,
            op => op,
        }
    }

    /// The slot of a load, store or increment.
    pub(crate) fn slot(&self, at: usize) -> Option<u16> {
        match *self.instructions.get(at)? {
            Instruction::Local { index, .. } | Instruction::Increment { index, .. } => Some(*index),
            Instruction::Plain(op @ ILOAD_0..=ALOAD_3) => Some(u16::from((op - ILOAD_0) % 4)),
            Instruction::Plain(op @ ISTORE_0..=ASTORE_3) => Some(u16::from((op - ISTORE_0) % 4)),
            _ => None,
        }
    }

    /// Whether a value is loaded from a local variable.
    pub(crate) fn is_load(&self, at: usize) -> bool {
        matches!(self.op(at), ILOAD..=ALOAD)
    }

    /// Whether a value is stored to a local variable.
    pub(crate) fn is_store(&self, at: usize) -> bool {
        matches!(self.op(at), ISTORE..=ASTORE)
    }

    /// The field that is read or written.
    pub(crate) fn field(&self, at: usize) -> Option<MemberRef<'c>> {
        match self.instructions.get(at)? {
            Instruction::Constant { op: GETSTATIC..=PUTFIELD, index } => {
                self.class.pool.member_ref(*index).ok()
            }
            _ => None,
        }
    }

    /// The method that is called.
    pub(crate) fn method(&self, at: usize) -> Option<MemberRef<'c>> {
        match self.instructions.get(at)? {
            Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, index }
            | Instruction::InvokeInterface { index, .. } => self.class.pool.member_ref(*index).ok(),
            _ => None,
        }
    }

    /// Whether a method of this class and name is called.
    pub(crate) fn calls(&self, at: usize, class: &str, name: &str) -> bool {
        self.method(at).is_some_and(|method| method.class == class && method.name == name)
    }

    /// Name and descriptor of a call site that is linked at run time.
    pub(crate) fn call_site(&self, at: usize) -> Option<(String, String)> {
        let Instruction::InvokeDynamic { index } = self.instructions.get(at)? else { return None };
        let (_, name, descriptor) = self.class.pool.dynamic(*index).ok()?;
        Some((name.into_owned(), descriptor.into_owned()))
    }

    /// The class named by `new`, `checkcast`, `instanceof` or `anewarray`.
    pub(crate) fn class_at(&self, at: usize) -> Option<String> {
        match self.instructions.get(at)? {
            Instruction::Constant { op: NEW | ANEWARRAY | CHECKCAST | INSTANCEOF, index } => {
                self.class.pool.class_name(*index).ok().map(|name| name.into_owned())
            }
            _ => None,
        }
    }

    /// The number or `null` that is pushed.
    pub(crate) fn literal(&self, at: usize) -> Option<Literal> {
        Some(match *self.instructions.get(at)? {
            Instruction::Plain(ACONST_NULL) => Literal::Null,
            Instruction::Plain(op @ ICONST_M1..=ICONST_5) => {
                Literal::Int(i32::from(*op) - i32::from(ICONST_0))
            }
            Instruction::Plain(op @ (LCONST_0 | LCONST_1)) => {
                Literal::Long(i64::from(op - LCONST_0))
            }
            Instruction::Plain(op @ FCONST_0..=FCONST_2) => {
                Literal::Float(f32::from(op - FCONST_0))
            }
            Instruction::Plain(op @ (DCONST_0 | DCONST_1)) => {
                Literal::Double(f64::from(op - DCONST_0))
            }
            Instruction::PushByte(value) => Literal::Int((*value).into()),
            Instruction::PushShort(value) => Literal::Int((*value).into()),
            Instruction::Ldc { index, .. } => match *self.class.pool.get(*index).ok()? {
                Constant::Integer(value) => Literal::Int(value),
                Constant::Long(value) => Literal::Long(value),
                Constant::Float(bits) => Literal::Float(f32::from_bits(bits)),
                Constant::Double(bits) => Literal::Double(f64::from_bits(bits)),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The text that is pushed.
    pub(crate) fn text_at(&self, at: usize) -> Option<String> {
        let Instruction::Ldc { index, .. } = self.instructions.get(at)? else { return None };
        let text = self.class.pool.string_text(*index).ok()?;
        self.class.pool.utf8(text).ok().map(|text| text.into_owned())
    }

    /// The operand so many below the top that an instruction finds.
    pub(crate) fn operand(&self, at: usize, below: usize) -> Option<&Operand> {
        self.types.before(at)?.top(below)
    }

    /// Which instruction pushed that operand.
    pub(crate) fn origin(&self, at: usize, below: usize) -> Option<usize> {
        self.operand(at, below)?.origin
    }

    /// The constant that this operand is.
    pub(crate) fn literal_operand(&self, at: usize, below: usize) -> Option<Literal> {
        self.literal(self.origin(at, below)?)
    }

    /// What takes the value that an instruction pushed, as far as that is known; with each how far below
    /// the top it takes it from.
    pub(crate) fn uses(&self, at: usize) -> &[(usize, usize)] {
        self.uses.get(&at).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn state(&self, at: usize) -> Option<&State> {
        self.types.before(at)
    }

    /// Where a jump leads.
    pub(crate) fn target(&self, at: usize) -> Option<usize> {
        match self.instructions.get(at)? {
            Instruction::Jump { target, .. } => Some(self.at(*target)),
            _ => None,
        }
    }

    /// The instruction behind a label.
    pub(crate) fn at(&self, label: Label) -> usize {
        self.labels[label.number()]
    }

    /// Whether control can come to an instruction otherwise than from the one before.
    pub(crate) fn is_entered(&self, at: usize) -> bool {
        self.entered.get(at).copied().unwrap_or(false)
    }

    /// Whether exceptions are handled from this instruction on.
    pub(crate) fn is_handler(&self, at: usize) -> bool {
        self.code.handlers.iter().any(|handler| self.at(handler.target) == at)
    }

    /// Whether the instructions of a range run one after the other, from the first to the last.
    pub(crate) fn is_straight(&self, range: Range<usize>) -> bool {
        range.clone().skip(1).all(|at| !self.is_entered(at))
            && range.clone().all(|at| {
                let instruction = self.instructions[at];
                instruction.falls_through() && !instruction.is_conditional()
            })
    }

    /// Where control goes from an instruction when plain jumps are followed.
    pub(crate) fn arrives(&self, mut at: usize) -> usize {
        // A loop of plain jumps alone would not end.
        for _ in 0..16 {
            match (self.op(at), self.target(at)) {
                (GOTO, Some(target)) => at = target,
                _ => break,
            }
        }
        at
    }

    /// The name and the descriptor of the variable that a slot holds before an instruction, if the class
    /// file tells.
    pub(crate) fn variable(&self, at: usize, slot: u16) -> Option<(String, String)> {
        let tables = self.code.tables.iter().filter_map(|table| match table {
            CodeTable::Locals { name, variables } => {
                let is_plain = self.class.pool.utf8_bytes(*name) == Ok(b"LocalVariableTable");
                is_plain.then_some(variables)
            }
            _ => None,
        });
        let found = tables.flatten().find(|variable| {
            variable.index == slot && (self.at(variable.start)..self.at(variable.end)).contains(&at)
        })?;
        let pool = &self.class.pool;
        let (name, descriptor) = (pool.utf8(found.name).ok()?, pool.utf8(found.descriptor).ok()?);
        Some((name.into_owned(), descriptor.into_owned()))
    }

    /// Whether the class file tells of local variables, beside parameters.
    pub(crate) fn tells_variables(&self) -> bool {
        self.code.tables.iter().any(|table| match table {
            CodeTable::Locals { variables, .. } => !variables.is_empty(),
            _ => false,
        })
    }

    /// How many values an instruction takes from the stack; for `dup` and the like none, for the values
    /// stay what they are.
    pub(crate) fn operand_count(&self, at: usize) -> usize {
        let parameters = |descriptor: &str| {
            MethodDescriptor::parse(descriptor).map_or(0, |parsed| parsed.parameters.len())
        };
        match *self.instructions[at] {
            Instruction::Jump { op: IF_ICMPEQ..=IF_ACMPNE, .. } => 2,
            Instruction::Jump { op: GOTO | GOTO_W | JSR | JSR_W, .. } => 0,
            Instruction::Jump { .. }
            | Instruction::TableSwitch(_)
            | Instruction::LookupSwitch(_)
            | Instruction::NewArray(_) => 1,
            Instruction::MultiNewArray { dimensions, .. } => usize::from(dimensions),
            Instruction::InvokeDynamic { .. } => {
                self.call_site(at).map_or(0, |(_, descriptor)| parameters(&descriptor))
            }
            Instruction::Constant { op: INVOKEVIRTUAL..=INVOKESTATIC, .. }
            | Instruction::InvokeInterface { .. } => self.method(at).map_or(0, |method| {
                parameters(&method.descriptor) + usize::from(self.op(at) != INVOKESTATIC)
            }),
            Instruction::Constant { op, .. } => match op {
                GETSTATIC | NEW => 0,
                PUTFIELD => 2,
                _ => 1,
            },
            _ => match self.op(at) {
                IALOAD..=SALOAD => 2,
                ISTORE..=ASTORE | POP | POP2 => 1,
                IASTORE..=SASTORE => 3,
                IADD..=DREM | ISHL..=LXOR | LCMP..=DCMPG => 2,
                INEG..=DNEG | I2L..=I2S | IRETURN..=ARETURN | ARRAYLENGTH..=ATHROW => 1,
                MONITORENTER | MONITOREXIT => 1,
                _ => 0,
            },
        }
    }
}
