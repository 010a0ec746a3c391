//! What each instruction does to locals and operand stack (JVMS 6.5).

use std::rc::Rc;

use classfile::opcode::*;
use classfile::{ClassFile, Constant, Instruction, MethodDescriptor};

use super::{Kind, Operand, State};

/// Goes on behind the instruction at `at`; `None` if it does not fit what it finds.
pub(super) fn step(
    class: &ClassFile,
    instructions: &[&Instruction],
    at: usize,
    state: &mut State,
) -> Option<()> {
    let mut machine = Machine { at, state };
    match instructions[at] {
        Instruction::Plain(op) => machine.plain(*op),
        Instruction::PushByte(_) | Instruction::PushShort(_) => machine.push(Kind::Int),
        Instruction::Ldc { index, .. } => machine.push(constant(class, *index)?),
        Instruction::Local { op, index, .. } => machine.local(*op, usize::from(*index)),
        Instruction::Increment { index, .. } => {
            (machine.state.locals.get(usize::from(*index))? == &Kind::Int).then_some(())
        }
        Instruction::Jump { op, .. } => match *op {
            GOTO | GOTO_W => Some(()),
            IF_ICMPEQ..=IF_ACMPNE => machine.drop(2),
            JSR | JSR_W => None,
            _ => machine.drop(1),
        },
        Instruction::TableSwitch(_) | Instruction::LookupSwitch(_) => machine.drop(1),
        Instruction::Constant { op: op @ GETSTATIC..=PUTFIELD, index } => {
            let field = class.pool.member_ref(*index).ok()?;
            match *op {
                GETSTATIC => machine.push(Kind::of(&field.descriptor)),
                PUTSTATIC => machine.drop(1),
                GETFIELD => {
                    machine.drop(1)?;
                    machine.push(Kind::of(&field.descriptor))
                }
                _ => machine.drop(2),
            }
        }
        Instruction::Constant { op: op @ INVOKEVIRTUAL..=INVOKESTATIC, index } => {
            let method = class.pool.member_ref(*index).ok()?;
            let descriptor = MethodDescriptor::parse(&method.descriptor).ok()?;
            machine.drop(descriptor.parameters.len())?;
            if *op != INVOKESTATIC {
                let receiver = machine.pop()?;
                if method.name == "<init>" {
                    machine.initialize(class, instructions, receiver)?;
                }
            }
            machine.result(descriptor.result)
        }
        Instruction::InvokeInterface { index, .. } => {
            let method = class.pool.member_ref(*index).ok()?;
            let descriptor = MethodDescriptor::parse(&method.descriptor).ok()?;
            machine.drop(descriptor.parameters.len() + 1)?;
            machine.result(descriptor.result)
        }
        Instruction::InvokeDynamic { index } => {
            let (_, _, descriptor) = class.pool.dynamic(*index).ok()?;
            let descriptor = MethodDescriptor::parse(&descriptor).ok()?;
            machine.drop(descriptor.parameters.len())?;
            machine.result(descriptor.result)
        }
        Instruction::Constant { op: NEW, .. } => machine.push(Kind::New(at)),
        Instruction::Constant { op: INSTANCEOF, .. } => {
            machine.drop(1)?;
            machine.push(Kind::Int)
        }
        Instruction::Constant { op, index } => {
            let name = class.pool.class_name(*index).ok()?;
            machine.drop(1)?;
            machine.push(match *op {
                ANEWARRAY if name.starts_with('[') => Kind::object(&format!("[{name}")),
                ANEWARRAY => Kind::object(&format!("[L{name};")),
                _ => Kind::object(&name),
            })
        }
        Instruction::NewArray(of) => {
            let of = b"ZCFDBSIJ".get(usize::from(*of).checked_sub(4)?)?;
            machine.drop(1)?;
            machine.push(Kind::object(&format!("[{}", char::from(*of))))
        }
        Instruction::MultiNewArray { index, dimensions } => {
            machine.drop(usize::from(*dimensions))?;
            machine.push(Kind::object(&class.pool.class_name(*index).ok()?))
        }
    }
}

fn constant(class: &ClassFile, index: u16) -> Option<Kind> {
    Some(match class.pool.get(index).ok()? {
        Constant::Integer(_) => Kind::Int,
        Constant::Float(_) => Kind::Float,
        Constant::Long(_) => Kind::Long,
        Constant::Double(_) => Kind::Double,
        Constant::String(_) => Kind::object("java/lang/String"),
        Constant::Class(_) => Kind::object("java/lang/Class"),
        Constant::MethodHandle { .. } => Kind::object("java/lang/invoke/MethodHandle"),
        Constant::MethodType(_) => Kind::object("java/lang/invoke/MethodType"),
        Constant::Dynamic { .. } => Kind::of(&class.pool.dynamic(index).ok()?.2),
        _ => return None,
    })
}

struct Machine<'s> {
    at: usize,
    state: &'s mut State,
}

impl Machine<'_> {
    fn push(&mut self, kind: Kind) -> Option<()> {
        self.state.stack.push(Operand { kind, origin: Some(self.at) });
        Some(())
    }

    fn pop(&mut self) -> Option<Operand> {
        self.state.stack.pop()
    }

    fn drop(&mut self, count: usize) -> Option<()> {
        let left = self.state.stack.len().checked_sub(count)?;
        self.state.stack.truncate(left);
        Some(())
    }

    fn result(&mut self, descriptor: &str) -> Option<()> {
        if descriptor == "V" { Some(()) } else { self.push(Kind::of(descriptor)) }
    }

    fn replace(&mut self, pops: usize, push: Kind) -> Option<()> {
        self.drop(pops)?;
        self.push(push)
    }

    /// A constructor was called for this object: every copy of it is initialized.
    fn initialize(
        &mut self,
        class: &ClassFile,
        instructions: &[&Instruction],
        receiver: Operand,
    ) -> Option<()> {
        let made = match receiver.kind {
            Kind::New(at) => match instructions.get(at)? {
                Instruction::Constant { op: NEW, index } => class.pool.class_name(*index).ok()?,
                _ => return None,
            },
            Kind::NewThis => class.name().ok()?,
            _ => return None,
        };
        let made = Kind::object(&made);
        for local in Rc::make_mut(&mut self.state.locals) {
            if *local == receiver.kind {
                *local = made.clone();
            }
        }
        for operand in &mut self.state.stack {
            if operand.kind == receiver.kind {
                operand.kind = made.clone();
            }
        }
        Some(())
    }

    fn local(&mut self, op: u8, slot: usize) -> Option<()> {
        match op {
            ILOAD..=ALOAD => self.push(self.state.locals.get(slot)?.clone()),
            ISTORE..=ASTORE => {
                let stored = self.pop()?.kind;
                let wide = stored.slots() == 2;
                let locals = Rc::make_mut(&mut self.state.locals);
                // A long or double that began one slot before is broken.
                if slot > 0 && locals.get(slot - 1)?.slots() == 2 {
                    locals[slot - 1] = Kind::Top;
                }
                *locals.get_mut(slot)? = stored;
                if wide {
                    *locals.get_mut(slot + 1)? = Kind::Top;
                }
                Some(())
            }
            _ => None,
        }
    }

    fn plain(&mut self, op: u8) -> Option<()> {
        use Kind::{Double, Float, Int, Long};
        match op {
            NOP | RETURN => Some(()),
            ACONST_NULL => self.push(Kind::Null),
            ICONST_M1..=ICONST_5 => self.push(Int),
            LCONST_0 | LCONST_1 => self.push(Long),
            FCONST_0..=FCONST_2 => self.push(Float),
            DCONST_0 | DCONST_1 => self.push(Double),
            ILOAD_0..=ALOAD_3 => {
                let of = op - ILOAD_0;
                self.local(ILOAD + of / 4, usize::from(of % 4))
            }
            ISTORE_0..=ASTORE_3 => {
                let of = op - ISTORE_0;
                self.local(ISTORE + of / 4, usize::from(of % 4))
            }
            IALOAD | BALOAD | CALOAD | SALOAD => self.replace(2, Int),
            LALOAD => self.replace(2, Long),
            FALOAD => self.replace(2, Float),
            DALOAD => self.replace(2, Double),
            AALOAD => {
                let element = match &self.state.top(1)?.kind {
                    Kind::Object(array) if array.starts_with('[') => Kind::of(&array[1..]),
                    Kind::Object(_) => Kind::object(""),
                    Kind::Null => Kind::Null,
                    _ => return None,
                };
                self.replace(2, element)
            }
            IASTORE..=SASTORE => self.drop(3),
            IRETURN..=ARETURN | ATHROW | MONITORENTER | MONITOREXIT => self.drop(1),
            IADD | ISUB | IMUL | IDIV | IREM | ISHL | ISHR | IUSHR | IAND | IOR | IXOR => {
                self.replace(2, Int)
            }
            LADD | LSUB | LMUL | LDIV | LREM | LSHL | LSHR | LUSHR | LAND | LOR | LXOR => {
                self.replace(2, Long)
            }
            FADD | FSUB | FMUL | FDIV | FREM => self.replace(2, Float),
            DADD | DSUB | DMUL | DDIV | DREM => self.replace(2, Double),
            INEG | L2I | F2I | D2I | I2B | I2C | I2S | ARRAYLENGTH => self.replace(1, Int),
            LNEG | I2L | F2L | D2L => self.replace(1, Long),
            FNEG | I2F | L2F | D2F => self.replace(1, Float),
            DNEG | I2D | L2D | F2D => self.replace(1, Double),
            LCMP | FCMPL | FCMPG | DCMPL | DCMPG => self.replace(2, Int),
            POP => self.drop_slots(1),
            POP2 => self.drop_slots(2),
            DUP => self.copy(1, 0),
            DUP_X1 => self.copy(1, 1),
            DUP_X2 => self.copy(1, 2),
            DUP2 => self.copy(2, 0),
            DUP2_X1 => self.copy(2, 1),
            DUP2_X2 => self.copy(2, 2),
            SWAP => {
                let (one, other) = (self.pop()?, self.pop()?);
                self.state.stack.extend([one, other]);
                Some(())
            }
            _ => None,
        }
    }

    /// How many values on top of the first `under` ones take so many slots.
    fn values(&self, under: usize, slots: usize) -> Option<usize> {
        let (mut values, mut seen) = (0, 0);
        while seen < slots {
            seen += self.state.top(under + values)?.kind.slots();
            values += 1;
        }
        (seen == slots).then_some(values)
    }

    fn drop_slots(&mut self, slots: usize) -> Option<()> {
        let values = self.values(0, slots)?;
        self.drop(values)
    }

    /// Copies the top `slots` slots below the next `below` ones.
    fn copy(&mut self, slots: usize, below: usize) -> Option<()> {
        let copied = self.values(0, slots)?;
        let passed = self.values(copied, below)?;
        let stack = &mut self.state.stack;
        let top: Vec<Operand> = stack[stack.len() - copied..].to_vec();
        let at = stack.len() - copied - passed;
        stack.splice(at..at, top);
        Some(())
    }
}
