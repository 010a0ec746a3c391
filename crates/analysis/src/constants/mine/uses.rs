//! Notes the constants that instructions use.

use classfile::opcode::*;
use model::{JavaString, Literal, Primitive};
use std::sync::Arc;

use super::super::value::{Known, primitive, typed};
use super::super::{Mined, Passed};
use super::Miner;
use crate::AnalysisError;
use crate::machine::{Step, UNKNOWN, Value};
use crate::refs::{Member, References};

impl Miner<'_> {
    /// Notes the use of a value as one of the given type.
    pub(super) fn note(&mut self, value: Value, ty: Option<Primitive>, compared: bool) {
        if let Known::OneOf(choices) = self.values.get(value) {
            let choices = choices.clone();
            choices.iter().for_each(|choice| self.note(*choice, ty, compared));
            return;
        }
        let constant = match self.values.get(value) {
            Known::Constant(literal) => typed(literal, ty).map(Mined::Literal),
            Known::Static(class, name) => {
                Some(Mined::Static { class: class.clone(), name: Arc::clone(name) })
            }
            Known::Builder(_, text) if !text.is_empty() => {
                Some(Mined::Literal(Literal::String(JavaString::from_units(text))))
            }
            _ => None,
        };
        if let Some(constant) = constant {
            self.tally.add(constant, compared);
        }
    }

    /// Notes a number that the code compares a value with, unless the value is a mere token.
    pub(super) fn note_compared(&mut self, number: i32, with: Value) {
        if *self.values.get(with) != Known::Token
            && self.values.choices(&with).is_empty()
            && let Some(literal) = typed(&Literal::Int(number), self.values.primitive(with))
        {
            self.tally.add(Mined::Literal(literal), true);
        }
    }

    pub(super) fn visit_call(
        &mut self,
        step: &Step<'_>,
        member: &Member,
        refs: &mut References<'_>,
    ) -> Result<(), AnalysisError> {
        if step.instruction.opcode() == INVOKEDYNAMIC {
            let (whole, texts) = self.concatenated(step, member, refs)?;
            if whole.is_some() {
                return Ok(());
            }
            for text in texts {
                self.tally
                    .add(Mined::Literal(Literal::String(JavaString::from_units(&text))), false);
            }
        } else {
            let change = self.call(step, member);
            let replaced = change.replace.map_or(UNKNOWN, |(_, new)| new);
            let known = [change.result, replaced];
            let is_known =
                |v: &Value| matches!(self.values.get(*v), Known::Constant(_) | Known::Builder(..));
            if known.iter().any(is_known) {
                return Ok(());
            }
        }
        let compared = is_comparison(member);
        let types = member.params.iter().map(|param| primitive(*param));
        let receivers = step.args.len() - member.params.len();
        let types = std::iter::repeat_n(None, receivers).chain(types);
        for (value, ty) in step.args.iter().zip(types) {
            self.note(*value, ty, compared);
        }
        for value in &step.args[receivers..] {
            self.note_passed(*value, member);
        }
        Ok(())
    }

    /// Notes a text or class that is passed to a method.
    fn note_passed(&mut self, value: Value, to: &Member) {
        if let Known::OneOf(choices) = self.values.get(value) {
            let choices = choices.clone();
            choices.iter().for_each(|choice| self.note_passed(*choice, to));
            return;
        }
        if let Some(constant @ (Literal::String(_) | Literal::Class(_))) =
            self.values.literal(value).cloned()
        {
            let (class, method) = (to.class.clone(), to.name.clone());
            self.passed.push(Passed { class, method, constant });
        }
    }

    /// Operands of arithmetic, array accesses and returns.
    pub(super) fn visit_operands(&mut self, step: &Step<'_>, op: u8) {
        let folded = self.computed(op, step.args);
        if self.values.literal(folded).is_some() {
            return;
        }
        let ty = match op {
            IRETURN => primitive(self.result),
            CASTORE => Some(Primitive::Char),
            SASTORE => Some(Primitive::Short),
            BASTORE => Some(Primitive::Byte),
            _ => None,
        };
        let compared = matches!(op, LCMP..=DCMPG);
        let is_store = matches!(op, IASTORE..=SASTORE);
        // The index of an array access is where it goes, not what it is.
        let from = if is_store { 2 } else { 0 };
        let is_place = matches!(op, IALOAD..=SALOAD) || matches!(op, ANEWARRAY | NEWARRAY);
        if !is_place {
            for value in step.args.iter().skip(from) {
                self.note(*value, ty, compared);
            }
        }
    }
}

/// Whether a method compares its arguments: `equals…`, `compare…`, and what a string is asked.
pub(super) fn is_comparison(member: &Member) -> bool {
    member.name.starts_with("equals")
        || member.name.starts_with("compare")
        || member.class == "java/lang/String" && matches!(member.result, b'Z' | b'I')
}
