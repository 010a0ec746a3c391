//! Writing values into the call that uses them, where that keeps the order of evaluation.

use std::collections::HashMap;

use model::{Call, CheckKind, Operation, OperationKind};

use super::{INLINE_WIDTH, Pending, Writer};
use crate::assertion::is_single;
use crate::call::{self, Argument, Goal, Written};
use crate::flow::{Use, ValueId};
use crate::generics::Static;
use crate::implement;
use crate::rejection::Rejection;
use crate::temporary;

impl Writer<'_> {
    /// How many pending values, from the front, cannot stand in the arguments of the call.
    pub(super) fn inlined(&self, index: usize, only_calm: bool) -> usize {
        let mut limit = usize::MAX;
        let mut first = self.pending.len();
        while let Some(pending) = first.checked_sub(1).map(|i| &self.pending[i]) {
            match self.flow.values[pending.value.0].uses[..] {
                [Use::Argument { call, position }]
                    if call == index && position < limit && (pending.calm || !only_calm) =>
                {
                    limit = position;
                    first -= 1;
                }
                _ => break,
            }
        }
        first
    }

    /// Declares variables for the pending values before the given one.
    pub(super) fn flush(&mut self, upto: usize) -> Result<(), Rejection> {
        let rest = self.pending.split_off(upto);
        for pending in std::mem::replace(&mut self.pending, rest) {
            self.declare(pending.value, pending.written)?;
        }
        Ok(())
    }

    pub(super) fn flush_all(&mut self) -> Result<(), Rejection> {
        self.flush(self.pending.len())
    }

    /// Writes the operation of a call, using up the pending values.
    pub(super) fn operation(
        &mut self,
        index: usize,
        call: &Call,
        lambda: bool,
    ) -> Result<(Written, bool), Rejection> {
        let is_written_here = call.op.kind == OperationKind::Implement;
        let taken: Vec<ValueId> = self.flow.reads[index]
            .iter()
            .filter(|value| self.lambdas.contains_key(value))
            .copied()
            .collect();
        let mut written = self.operation_with_lambdas(index, call, lambda || is_written_here);
        if !taken.is_empty() && matches!(written, Err(Rejection::Unresolvable { .. })) {
            // Where they cannot stand in the call they are variables.
            for value in &taken {
                if let Some(pending) = self.lambdas.remove(value) {
                    self.declare(pending.value, pending.written)?;
                }
            }
            written = self.operation_with_lambdas(index, call, lambda || is_written_here);
        }
        self.pending.clear();
        taken.iter().for_each(|value| drop(self.lambdas.remove(value)));
        written
    }

    /// The same with all pending values in their places; they stay pending.
    fn operation_with_lambdas(
        &mut self,
        index: usize,
        call: &Call,
        lambda: bool,
    ) -> Result<(Written, bool), Rejection> {
        let mut pending: HashMap<ValueId, Pending> = self
            .pending
            .iter()
            .chain(self.lambdas.values())
            .map(|p| (p.value, p.clone()))
            .collect();
        let mut calm = matches!(call.op.kind, OperationKind::Array | OperationKind::StaticField)
            || temporary::is_name(&call.op);
        let mut args = Vec::new();
        for value in self.flow.reads[index].clone() {
            args.push(match pending.remove(&value) {
                Some(inline) => {
                    calm &= inline.calm;
                    Argument { expr: inline.written.expr, elements: inline.written.elements }
                }
                None => Argument { expr: self.read(value, lambda)?, elements: None },
            });
        }
        let chosen = self.flow.writes[index].and_then(|value| self.types.get(&value));
        let type_args = chosen.map_or(&[][..], Vec::as_slice);
        let written = if call.op.kind == OperationKind::Implement {
            implement::write(self.scope, &call.op, &args, type_args, &mut self.names)?
        } else {
            let value = self.flow.writes[index];
            let is_used = value.is_some_and(|value| !self.flow.values[value.0].uses.is_empty());
            let plain = temporary::for_its_effect(&call.op).filter(|_| !is_used);
            let goal = if is_used { Goal::Typed(type_args) } else { Goal::Nothing };
            call::write(self.scope, plain.as_ref().unwrap_or(&call.op), &args, goal)?
        };
        calm |= matches!(written.expr.ty, Static::Lambda(_));
        Ok((written, calm))
    }

    /// Whether the value need not be written before its only use.
    pub(super) fn may_wait(
        &self,
        value: ValueId,
        index: usize,
        op: &Operation,
        written: &Written,
    ) -> bool {
        let [only] = self.flow.values[value.0].uses[..] else { return false };
        let slot = self.value(value).ty;
        let known =
            written.certain
                && !written.parameterized
                && written.expr.ty.erased().is_some_and(|ty| {
                    self.scope.can_name(&ty) && self.scope.is_subtype(&ty, &slot)
                });
        match only {
            Use::Check(check) => {
                let first = self.test.checks.iter().position(|c| c.after == index);
                let direct = first == Some(check);
                // A lambda in an assertion has no type.
                direct
                    && !matches!(written.expr.ty, Static::Lambda(_))
                    && match &self.test.checks[check].kind {
                        CheckKind::Holds(_, seen) => is_single(seen),
                        CheckKind::NotNull(_) => true,
                        CheckKind::Same(..) | CheckKind::View(..) | CheckKind::Verified(_) => false,
                    }
            }
            Use::Argument { call, position } => {
                let user = &self.test.case.calls[call].op;
                let receiver = position == 0 && user.has_receiver();
                // What is captured is evaluated when it is asked for: only what never changes may
                // stand there.
                let given = user.implementation.as_ref().map(|i| usize::from(i.given));
                if given.is_some_and(|given| position >= given) {
                    return op.kind == OperationKind::StaticField && known;
                }
                match op.kind {
                    OperationKind::StaticField => known,
                    OperationKind::Temporary => known && temporary::is_name(op),
                    OperationKind::Implement => {
                        let takes = match user.kind {
                            OperationKind::Constructor
                            | OperationKind::StaticMethod
                            | OperationKind::InstanceMethod => !receiver,
                            OperationKind::Array => *user.param(position) == slot,
                            _ => false,
                        };
                        takes
                            && matches!(written.expr.ty, Static::Lambda(_))
                            && written.expr.doc.width() <= INLINE_WIDTH
                            && !self.is_outer(call, position)
                    }
                    OperationKind::Array => !receiver,
                    OperationKind::Constructor => {
                        known
                            && !self.scope.is_generic(&op.owner)
                            && !receiver
                            && written.expr.doc.width() <= INLINE_WIDTH
                            && !self.is_outer(call, position)
                    }
                    _ => false,
                }
            }
            Use::Failure | Use::Before => false,
        }
    }

    /// Whether the argument is the outer instance of an inner class's constructor.
    pub(super) fn is_outer(&self, call: usize, position: usize) -> bool {
        let op = &self.test.case.calls[call].op;
        position == 0
            && op.kind == OperationKind::Constructor
            && self
                .scope
                .classes
                .class(&op.owner)
                .is_some_and(|class| class.outer_instance().is_some())
    }
}
