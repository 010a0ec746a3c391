//! What each instruction takes from the stack, and how much it puts there.

use std::rc::Rc;

use classfile::Instruction;
use classfile::opcode::*;

use super::{Domain, Machine, State, Value, bad};
use crate::AnalysisError;
use crate::refs::{Member, width};
use crate::shape::shape;

impl<D: Domain> Machine<'_, '_, D> {
    /// Takes the operands of an instruction from the stack; the width of what it will push.
    pub(super) fn take_args(
        &mut self,
        at: usize,
        instruction: &Instruction,
        member: Option<&Member>,
        state: &mut State,
    ) -> Result<u8, AnalysisError> {
        self.args.clear();
        let op = instruction.opcode();
        let mut take = |width: u8| -> Result<(), AnalysisError> {
            self.args.push(pop(at, &mut state.stack, width)?);
            Ok(())
        };
        // Operands come off the stack last first.
        let pushed = match (instruction, member) {
            (Instruction::Plain(op), _) => {
                let (pops, push) = shape(*op).ok_or(bad(at, "an unknown instruction"))?;
                pops.iter().rev().try_for_each(|width| take(*width))?;
                push
            }
            (_, Some(member)) if matches!(op, GETSTATIC..=PUTFIELD) => {
                if matches!(op, PUTSTATIC | PUTFIELD) {
                    take(width(member.result))?;
                }
                if matches!(op, GETFIELD | PUTFIELD) {
                    take(1)?;
                }
                if matches!(op, GETSTATIC | GETFIELD) { width(member.result) } else { 0 }
            }
            (_, Some(member)) => {
                member.params.iter().rev().try_for_each(|param| take(width(*param)))?;
                if !matches!(op, INVOKESTATIC | INVOKEDYNAMIC) {
                    take(1)?;
                }
                width(member.result)
            }
            (Instruction::Ldc { .. }, _) => {
                if op == LDC2_W {
                    2
                } else {
                    1
                }
            }
            (Instruction::Jump { .. }, _) => match op {
                IF_ICMPEQ..=IF_ACMPNE => {
                    take(1)?;
                    take(1)?;
                    0
                }
                JSR | JSR_W => 1,
                GOTO | GOTO_W => 0,
                _ => {
                    take(1)?;
                    0
                }
            },
            (Instruction::TableSwitch(_) | Instruction::LookupSwitch(_), _) => {
                take(1)?;
                0
            }
            (Instruction::Constant { op: NEW, .. }, _) => 1,
            (Instruction::Constant { .. } | Instruction::NewArray(_), _) => {
                take(1)?;
                1
            }
            (Instruction::MultiNewArray { dimensions, .. }, _) => {
                (0..*dimensions).try_for_each(|_| take(1))?;
                1
            }
            (Instruction::Increment { index, .. }, _) => {
                let variable = state.locals.get(usize::from(*index));
                self.args.push(*variable.ok_or(bad(at, "a variable beyond the last"))?);
                0
            }
            (Instruction::PushByte(_) | Instruction::PushShort(_), _) => 1,
            _ => 0,
        };
        self.args.reverse();
        Ok(pushed)
    }

    pub(super) fn member(
        &mut self,
        instruction: &Instruction,
    ) -> Result<Option<Rc<Member>>, AnalysisError> {
        Ok(match *instruction {
            Instruction::Constant { op: GETSTATIC..=INVOKESTATIC, index }
            | Instruction::InvokeInterface { index, .. }
            | Instruction::InvokeDynamic { index } => Some(self.refs.member(index)?),
            _ => None,
        })
    }
}

pub(super) fn pop(at: usize, stack: &mut Vec<Value>, width: u8) -> Result<Value, AnalysisError> {
    let empty = bad(at, "an empty stack");
    if width == 2 {
        stack.pop().ok_or(empty.clone())?;
    }
    stack.pop().ok_or(empty)
}
