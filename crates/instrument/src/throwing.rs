//! Which instructions can throw (JVMS chapter 6, "run-time exceptions" and "linking
//! exceptions").
//!
//! Errors on the safe side cost a probe. Left out: errors of the machine itself (no memory for
//! an interned string, asynchronous stops), and what cannot happen to a field the class itself
//! declares: it is there, and where a method runs the class is being initialized at least.

use classfile::opcode::*;
use classfile::{ClassFile, Constant, Instruction};
use rustc_hash::FxHashSet;

/// Knows the fields a class declares.
pub(crate) struct Throwing<'c> {
    class: &'c ClassFile,
    own_fields: FxHashSet<(&'c [u8], &'c [u8])>,
}

impl<'c> Throwing<'c> {
    pub(crate) fn of(class: &'c ClassFile) -> Self {
        let text = |index| class.pool.utf8_bytes(index).ok();
        let own_fields = class
            .fields
            .iter()
            .filter_map(|field| Some((text(field.name)?, text(field.descriptor)?)))
            .collect();
        Self { class, own_fields }
    }

    /// Whether `instruction` can throw; `receiver_is_this` if the top of the stack is `this`.
    pub(crate) fn can_throw(&self, instruction: &Instruction, receiver_is_this: bool) -> bool {
        match *instruction {
            Instruction::Constant { op: GETSTATIC | PUTSTATIC, index } => !self.is_own_field(index),
            Instruction::Constant { op: GETFIELD, index } => {
                !(receiver_is_this && self.is_own_field(index))
            }
            Instruction::Ldc { index, .. } => !matches!(
                self.class.pool.get(index),
                Ok(Constant::Integer(_)
                    | Constant::Float(_)
                    | Constant::Long(_)
                    | Constant::Double(_)
                    | Constant::String(_))
            ),
            _ => matches!(
                instruction.opcode(),
                IALOAD..=SALOAD
                    | IASTORE..=SASTORE
                    | IDIV
                    | LDIV
                    | IREM
                    | LREM
                    | PUTFIELD
                    | INVOKEVIRTUAL..=ATHROW
                    | CHECKCAST..=MONITOREXIT
                    | MULTIANEWARRAY
            ),
        }
    }

    fn is_own_field(&self, index: u16) -> bool {
        let pool = &self.class.pool;
        let Ok(Constant::FieldRef { class, name_and_type }) = pool.get(index) else { return false };
        let Ok(Constant::NameAndType { name, descriptor }) = pool.get(*name_and_type) else {
            return false;
        };
        *class == self.class.this_class
            && pool.utf8_bytes(*name).is_ok_and(|name| {
                pool.utf8_bytes(*descriptor)
                    .is_ok_and(|descriptor| self.own_fields.contains(&(name, descriptor)))
            })
    }
}
