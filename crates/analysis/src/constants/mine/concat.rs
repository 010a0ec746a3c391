//! Strings that are put together from constants: by builders, and by `invokedynamic` (JEP 280).
//!
//! A builder is a value with its contents; what is appended makes it another value, everywhere it
//! is held. Builders that meet in different states, as in loops, are unknown from there on.

use model::{JavaString, Literal};

use super::super::text::{Piece, append, pieces};
use super::super::value::Known;
use super::Miner;
use crate::AnalysisError;
use crate::machine::{Change, Step, UNKNOWN, Value};
use crate::refs::{Member, References};

impl Miner<'_> {
    /// Calls of a string builder whose contents are known.
    pub(super) fn builder_call(&mut self, step: &Step<'_>, member: &Member) -> Option<Change> {
        let receiver = *step.args.first()?;
        match self.values.get(receiver).clone() {
            Known::NewBuilder(site) if member.name == "<init>" => {
                let text = match (&*member.descriptor, step.args) {
                    ("()V" | "(I)V", _) => Some(Vec::new()),
                    ("(Ljava/lang/String;)V", &[_, text]) => match self.values.literal(text) {
                        Some(Literal::String(text)) => Some(text.units().to_vec()),
                        _ => None,
                    },
                    _ => None,
                };
                let new = text
                    .map_or(UNKNOWN, |text| self.values.number(Known::Builder(site, text.into())));
                Some(Change { result: UNKNOWN, replace: Some((receiver, new)) })
            }
            Known::Builder(site, text) => match (&*member.name, step.args) {
                ("append", &[_, value]) => {
                    let mut text = text.to_vec();
                    let appended = self
                        .values
                        .literal(value)
                        .and_then(|literal| append(&mut text, literal, member.params[0]));
                    let new = appended.map_or(UNKNOWN, |()| {
                        self.values.number(Known::Builder(site, text.into()))
                    });
                    Some(Change { result: new, replace: Some((receiver, new)) })
                }
                ("toString", &[_]) => Some(Change { result: self.string(&text), replace: None }),
                ("length", &[_]) => Some(Change { result: self.of(b'I'), replace: None }),
                _ => None,
            },
            _ => None,
        }
    }

    /// The string that these values, of these types, make together.
    pub(super) fn joined(&mut self, parts: &[(Value, u8)]) -> Option<Value> {
        let mut text = Vec::new();
        for (value, descriptor) in parts {
            append(&mut text, self.values.literal(*value)?, *descriptor)?;
        }
        Some(self.string(&text))
    }

    /// The result of string concatenation by `invokedynamic`, if constant; and its fixed texts.
    pub(super) fn concatenated(
        &mut self,
        step: &Step<'_>,
        member: &Member,
        refs: &mut References<'_>,
    ) -> Result<(Option<Value>, Vec<Vec<u16>>), AnalysisError> {
        let Some(number) = member.bootstrap else { return Ok((None, Vec::new())) };
        let bootstrap = refs.bootstrap(number)?;
        let (_, target) = refs.handle(bootstrap.method)?;
        if target.class != "java/lang/invoke/StringConcatFactory" {
            return Ok((None, Vec::new()));
        }
        let recipe = match bootstrap.arguments.first() {
            Some(index) => refs.class.pool.utf16(refs.class.pool.string_text(*index)?)?,
            None => vec![1; step.args.len()],
        };
        let mut args = step.args.iter().zip(&member.params);
        let mut constants = bootstrap.arguments.iter().skip(1);
        let (mut whole, mut texts) = (Some(Vec::new()), Vec::new());
        for piece in pieces(&recipe) {
            let (literal, descriptor) = match piece {
                Piece::Text(text) => {
                    texts.push(text.clone());
                    (Some(Literal::String(JavaString::from_units(&text))), b'L')
                }
                Piece::Argument => match args.next() {
                    Some((value, descriptor)) => {
                        (self.values.literal(*value).cloned(), *descriptor)
                    }
                    None => (None, b'L'),
                },
                Piece::Constant => match constants.next() {
                    Some(index) => {
                        let value = self.loaded(*index, refs)?;
                        (self.values.literal(value).cloned(), b'L')
                    }
                    None => (None, b'L'),
                },
            };
            let so_far = whole.take();
            whole = so_far.and_then(|mut text: Vec<u16>| {
                append(&mut text, &literal?, descriptor)?;
                Some(text)
            });
        }
        Ok((whole.map(|text| self.string(&text)), texts))
    }
}
