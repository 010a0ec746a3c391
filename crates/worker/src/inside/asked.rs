//! What a mock's methods do before they answer: they tell `java.lang.TesthoundMocks` that they were
//! called and with what, and then whether the answer is `null`.
//!
//! Invariant: no jump, and no box unless somebody wants to know: a call on a mock stays cheap.

use classfile::opcode::{ALOAD, ARETURN, DUP, INVOKESTATIC};
use classfile::{ClassFileError, ConstantPool, Instruction};
use model::{ImplementedMethod, Type};

use crate::inside::implement::{load, load_op, slots};

/// What hears of it.
const MOCKS: &str = "java/lang/TesthoundMocks";

/// Has the body of a method, by its number in the class, tell what it is asked and answers.
pub(super) fn tell(
    pool: &mut ConstantPool,
    number: usize,
    method: &ImplementedMethod,
    body: &mut Vec<Instruction>,
) -> Result<(), ClassFileError> {
    let called = pool.add_method_ref(MOCKS, "called", "(Ljava/lang/Object;I)V")?;
    let mut telling = vec![
        load(ALOAD, 0),                                            // this
        Instruction::PushShort(number as i16),                     // this number
        Instruction::Constant { op: INVOKESTATIC, index: called }, // ..
    ];
    let mut slot = 1;
    for ty in &method.params {
        let descriptor = if ty.is_reference() { Type::object() } else { ty.clone() }.descriptor();
        let index = pool.add_method_ref(MOCKS, "given", &format!("({descriptor})V"))?;
        telling.push(load(load_op(ty), slot)); // argument
        telling.push(Instruction::Constant { op: INVOKESTATIC, index }); // ..
        slot += slots(ty);
    }
    if let Some(Instruction::Plain(ARETURN)) = body.last() {
        let index = pool.add_method_ref(MOCKS, "answered", "(Ljava/lang/Object;)V")?;
        body.pop();
        body.extend([
            Instruction::Plain(DUP),                           // answer answer
            Instruction::Constant { op: INVOKESTATIC, index }, // answer
            Instruction::Plain(ARETURN),                       // ..
        ]);
    }
    body.splice(0..0, telling);
    Ok(())
}
