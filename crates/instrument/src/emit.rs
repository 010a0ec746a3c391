//! The instructions that are inserted.
//!
//! All have a fixed size whatever the id, so that the layout of a method does not depend on
//! where its probes begin in the map.

use classfile::opcode::{
    BASTORE, DCMPG, DCMPL, DUP, DUP_X2, DUP2, DUP2_X1, FCMPG, FCMPL, GETSTATIC, ICONST_1,
    INVOKESTATIC, LCMP, LDC_W, POP,
};
use classfile::{ClassFileError, ConstantPool, Instruction, Node};
use rustc_hash::FxHashMap;

use crate::names::{RUNTIME, RuntimeNames};

/// Operand stack slots a probe needs on top of what is there.
pub(crate) const PROBE_STACK: u16 = 3;

/// Bytes of a probe.
pub(crate) const PROBE_SIZE: usize = 8;

/// Bytes of a call of `step`.
pub(crate) const STEP_SIZE: usize = 3;

/// Bytes by which telling a comparison makes code grow, at most.
pub(crate) const TELL_SIZE: usize = 9;

/// How operands are told before they are compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tell {
    /// Two `int`s.
    Ints,
    /// One `int`.
    Zero,
    /// One `int`, for a switch.
    Key,
    /// A text or another object, alone.
    Text,
    /// The same with an argument of one slot above it.
    TextBeneath,
    /// Two references.
    Objects,
    /// The same with an argument of one slot above them.
    ObjectsBeneath,
    /// A character that is looked for.
    Character,
    /// The same with an argument of one slot above it.
    CharacterBeneath,
    /// A container and what is looked for in it.
    Held,
    /// Two arrays.
    Elements,
}

/// References to members of the runtime classes, looked up once per class.
#[derive(Clone, Default)]
pub(crate) struct Emitter {
    map: Option<u16>,
    step: Option<u16>,
    compare: FxHashMap<&'static str, u16>,
}

impl Emitter {
    /// Appends a probe: `.. -> ..`, with three slots more in between.
    pub(crate) fn probe(
        &mut self,
        pool: &mut ConstantPool,
        id: u32,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        const DESCRIPTOR: &str = RuntimeNames::MAP_DESCRIPTOR;
        let map = match self.map {
            Some(map) => map,
            None => pool.add_field_ref(RUNTIME.class, RUNTIME.map, DESCRIPTOR)?,
        };
        self.map = Some(map);
        push(out, Instruction::Constant { op: GETSTATIC, index: map }); // .. map
        number(pool, id, out)?; // .. map id
        push(out, Instruction::Plain(ICONST_1)); // .. map id 1
        push(out, Instruction::Plain(BASTORE)); // ..
        Ok(())
    }

    /// Appends a call that counts down the step budget: `.. -> ..`.
    pub(crate) fn step(
        &mut self,
        pool: &mut ConstantPool,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        const DESCRIPTOR: &str = RuntimeNames::STEP_DESCRIPTOR;
        let step = match self.step {
            Some(step) => step,
            None => pool.add_method_ref(RUNTIME.class, RUNTIME.step, DESCRIPTOR)?,
        };
        self.step = Some(step);
        push(out, Instruction::Constant { op: INVOKESTATIC, index: step });
        Ok(())
    }
}

impl Emitter {
    /// Appends a call that tells what is to be compared, which stays on the stack.
    pub(crate) fn tell(
        &mut self,
        pool: &mut ConstantPool,
        how: Tell,
        number: u32,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        const TWO: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        let (copy, method, descriptor): (&[u8], _, _) = match how {
            Tell::Ints => (&[DUP2], "ints", "(III)V"),
            Tell::Zero => (&[DUP], "zero", "(II)V"),
            Tell::Key => (&[DUP], "key", "(II)V"),
            Tell::Text => (&[DUP], "text", "(Ljava/lang/Object;I)V"),
            Tell::TextBeneath => (&[DUP2, POP], "text", "(Ljava/lang/Object;I)V"),
            Tell::Objects => (&[DUP2], "objects", TWO),
            // .. a b i -> .. i a b i -> .. i a b -> .. a b i a b
            Tell::ObjectsBeneath => (&[DUP_X2, POP, DUP2_X1], "objects", TWO),
            Tell::Character => (&[DUP], "character", "(II)V"),
            Tell::CharacterBeneath => (&[DUP2, POP], "character", "(II)V"),
            Tell::Held => (&[DUP2], "held", TWO),
            Tell::Elements => (&[DUP2], "elements", TWO),
        };
        self.call_with_copy(pool, (copy, number), method, descriptor, out)
    }

    /// Appends a call that passes a probe if the two numbers that are to be compared are equal, or
    /// the one is zero; they stay on the stack.
    pub(crate) fn equal(
        &mut self,
        pool: &mut ConstantPool,
        two: bool,
        probe: u32,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        let (copy, method, descriptor): (&[u8], _, _) =
            if two { (&[DUP2], "equal", "(III)V") } else { (&[DUP], "none", "(II)V") };
        self.call_with_copy(pool, (copy, probe), method, descriptor, out)
    }

    /// Appends a call that passes a probe if what is to be dropped is something, or nothing; it stays
    /// on the stack.
    pub(crate) fn dropped(
        &mut self,
        pool: &mut ConstantPool,
        (is_object, is_some): (bool, bool),
        probe: u32,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        const OBJECT: &str = "(Ljava/lang/Object;I)V";
        let (method, descriptor) = match (is_object, is_some) {
            (false, false) => ("none", "(II)V"),
            (false, true) => ("some", "(II)V"),
            (true, false) => ("nothing", OBJECT),
            (true, true) => ("something", OBJECT),
        };
        self.call_with_copy(pool, (&[DUP], probe), method, descriptor, out)
    }

    /// Appends a call that is given a copy of the operands on the stack, and a number.
    fn call_with_copy(
        &mut self,
        pool: &mut ConstantPool,
        (copy, number): (&[u8], u32),
        method: &'static str,
        descriptor: &str,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        for op in copy {
            push(out, Instruction::Plain(*op)); // .. operands operands
        }
        self::number(pool, number, out)?; // .. operands operands number
        self.call_compare(pool, method, descriptor, out) // .. operands
    }

    /// Appends a call in place of a comparing instruction: `.. left right -> .. int`.
    pub(crate) fn compare(
        &mut self,
        pool: &mut ConstantPool,
        op: u8,
        number: u32,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        let (method, descriptor) = match op {
            LCMP => ("longs", "(JJI)I"),
            FCMPL => ("floatsOrLess", "(FFI)I"),
            FCMPG => ("floatsOrGreater", "(FFI)I"),
            DCMPL => ("doublesOrLess", "(DDI)I"),
            DCMPG => ("doublesOrGreater", "(DDI)I"),
            _ => unreachable!("only comparing instructions are replaced"),
        };
        self::number(pool, number, out)?;
        self.call_compare(pool, method, descriptor, out)
    }

    fn call_compare(
        &mut self,
        pool: &mut ConstantPool,
        method: &'static str,
        descriptor: &str,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        let index = match self.compare.get(method) {
            Some(index) => *index,
            None => pool.add_method_ref(RUNTIME.compare, method, descriptor)?,
        };
        self.compare.insert(method, index);
        push(out, Instruction::Constant { op: INVOKESTATIC, index });
        Ok(())
    }
}

/// Appends a call of a method of the runtime class that takes an `int`: `.. int -> ..`.
pub(crate) fn call_with_int(
    pool: &mut ConstantPool,
    method: &str,
    out: &mut Vec<Node>,
) -> Result<(), ClassFileError> {
    let method = pool.add_method_ref(RUNTIME.class, method, RuntimeNames::INT_DESCRIPTOR)?;
    push(out, Instruction::Constant { op: INVOKESTATIC, index: method });
    Ok(())
}

/// Appends a push of a number, always in three bytes: `.. -> .. int`.
pub(crate) fn number(
    pool: &mut ConstantPool,
    value: u32,
    out: &mut Vec<Node>,
) -> Result<(), ClassFileError> {
    let instruction = match i16::try_from(value) {
        Ok(short) => Instruction::PushShort(short),
        Err(_) => Instruction::Ldc { op: LDC_W, index: pool.add_integer(value.cast_signed())? },
    };
    push(out, instruction);
    Ok(())
}

pub(crate) fn push(out: &mut Vec<Node>, instruction: Instruction) {
    out.push(Node::Instruction(instruction));
}
