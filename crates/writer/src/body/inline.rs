//! Writing values into the call that uses them, where that keeps the order of evaluation.

use std::collections::HashMap;

use model::{Call, CheckKind, Operation, OperationKind};

use super::{INLINE_WIDTH, Pending, Writer};
use crate::assertion::is_single;
use crate::call::{self, Argument, Written};
use crate::flow::{Use, ValueId};
use crate::rejection::Rejection;

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
        let mut pending: HashMap<ValueId, Pending> =
            self.pending.drain(..).map(|p| (p.value, p)).collect();
        let mut calm = matches!(call.op.kind, OperationKind::Array | OperationKind::StaticField);
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
        let written = call::write(self.scope, &call.op, &args, type_args)?;
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
                direct
                    && match &self.test.checks[check].kind {
                        CheckKind::Holds(_, seen) => is_single(seen),
                        CheckKind::NotNull(_) => true,
                        CheckKind::Same(..) | CheckKind::View(..) => false,
                    }
            }
            Use::Argument { call, position } => {
                let user = &self.test.case.calls[call].op;
                let receiver = position == 0 && user.has_receiver();
                match op.kind {
                    OperationKind::StaticField => known,
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
