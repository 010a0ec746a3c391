//! A broken clause as assertions: values of before the last call, the call, then what does not hold.
//!
//! The text of a clause was made by whoever knows it; here its holes get the names that the test has
//! for what they stand for.

use model::{Asserted, OperationKind, Piece, Restated, Template};

use super::{Writer, assignment};
use crate::call::Throws;
use crate::doc::Doc;
use crate::flow::{ValueId, claimed};
use crate::literal::type_doc;
use crate::rejection::Rejection;

/// The names of what a clause speaks of.
#[derive(Default)]
pub(super) struct Told {
    /// Of values kept from before the call.
    kept: Vec<String>,
    /// Of variables of lambdas.
    variables: Vec<String>,
}

const DANGLING: Rejection = Rejection::Dangling { what: "the failure" };

impl<'a> Writer<'a> {
    /// The clause that is asserted after the last call.
    pub(super) fn claimed(&self) -> Option<&'a Restated> {
        claimed(self.test)
    }

    /// Declares what a clause compares with, before the call.
    pub(super) fn keep_values(&mut self) -> Result<(), Rejection> {
        let Some(restated) = self.claimed() else { return Ok(()) };
        if restated.throws {
            self.throws = self.throws.max(Throws::Exception);
        }
        self.told.variables =
            restated.variables.iter().map(|name| self.names.fresh(name)).collect();
        if restated.before.is_empty() {
            return Ok(());
        }
        // What is kept is of the moment of the call: all else was made before.
        self.flush_all()?;
        for kept in &restated.before {
            self.scope.nameable(&kept.ty)?;
            let value = self.template(&kept.value, false)?;
            let name = self.names.fresh(&kept.name);
            let target = vec![type_doc(&kept.ty), Doc::text(format!(" {name}"))];
            self.push(assignment(target, value));
            self.told.kept.push(name);
        }
        Ok(())
    }

    /// Asserts the clause.
    pub(super) fn claims(&mut self) -> Result<(), Rejection> {
        let Some(restated) = self.claimed() else { return Ok(()) };
        for claim in &restated.claims {
            let (name, operands) = match claim.asserted {
                Asserted::True => ("assertTrue", 1),
                Asserted::False => ("assertFalse", 1),
                Asserted::Equal => ("assertEquals", 2),
                Asserted::Same => ("assertSame", 2),
                Asserted::NotSame => ("assertNotSame", 2),
                Asserted::Null => ("assertNull", 1),
                Asserted::NotNull => ("assertNotNull", 1),
                Asserted::Unreached => ("fail", 0),
            };
            if claim.of.len() != operands {
                return Err(DANGLING);
            }
            let args: Result<Vec<Doc>, Rejection> =
                claim.of.iter().map(|of| self.template(of, true)).collect();
            let mut args = args?;
            if claim.asserted == Asserted::Unreached {
                args.push(Doc::text("\"expected an exception\""));
            }
            let assertion = self.assertions.assert(name, args);
            self.push(assertion);
        }
        Ok(())
    }

    /// An expression with its holes filled, before or after the call.
    fn template(&mut self, template: &Template, after: bool) -> Result<Doc, Rejection> {
        let mut docs = Vec::new();
        for (at, piece) in template.iter().enumerate() {
            match piece {
                Piece::Text(text) => text_docs(text, &mut docs),
                Piece::Class(class) => docs.push(Doc::Class(class.clone())),
                Piece::Kept(number) => {
                    docs.push(Doc::text(self.told.kept.get(*number).ok_or(DANGLING)?));
                }
                Piece::Variable(number) => {
                    docs.push(Doc::text(self.told.variables.get(*number).ok_or(DANGLING)?));
                }
                Piece::Receiver | Piece::Argument(_) | Piece::Result => {
                    let value = self.spoken_of(piece, after).ok_or(DANGLING)?;
                    // Expressions may have lambdas, which take only what is assigned once.
                    let expr = self.read(value, true)?;
                    docs.push(if is_apart(template, at) { expr.doc } else { expr.operand() });
                }
            }
        }
        Ok(Doc::Group(vec![Doc::Nest(docs)]))
    }

    /// The value that stands for a piece.
    fn spoken_of(&self, piece: &Piece, after: bool) -> Option<ValueId> {
        let last = self.test.case.calls.len().checked_sub(1)?;
        let op = &self.test.case.calls[last].op;
        let reads = &self.flow.reads[last];
        match piece {
            Piece::Receiver if op.has_receiver() => reads.first().copied(),
            Piece::Argument(at) => reads.get(at + usize::from(op.has_receiver())).copied(),
            Piece::Result if after => self.flow.writes[last],
            Piece::Receiver if after && op.kind == OperationKind::Constructor => {
                self.flow.writes[last]
            }
            _ => None,
        }
    }
}

/// Whether a piece is set apart from what is around it: it is an argument, or all there is.
fn is_apart(template: &Template, at: usize) -> bool {
    let opens = |text: &str| text.ends_with('(') || text.ends_with(", ");
    let is_first = match at.checked_sub(1).and_then(|before| template.get(before)) {
        None => true,
        // What follows a cast is no argument.
        Some(Piece::Text(text)) => opens(text) && !text.ends_with(") ("),
        Some(_) => false,
    };
    let is_last = match template.get(at + 1) {
        None => true,
        Some(Piece::Text(text)) => text.starts_with([')', ',']),
        Some(_) => false,
    };
    is_first && is_last
}

/// Text with places to break the line at: in front of operators that join conditions.
fn text_docs(text: &str, docs: &mut Vec<Doc>) {
    if text.contains('"') {
        docs.push(Doc::text(text));
        return;
    }
    let mut rest = text;
    while let Some(at) = [" && ", " || "].iter().filter_map(|op| rest.find(op)).min() {
        let (before, after) = rest.split_at(at);
        docs.extend((!before.is_empty()).then(|| Doc::text(before)));
        docs.push(Doc::Line);
        docs.push(Doc::text(&after[1..4]));
        rest = &after[4..];
    }
    docs.extend((!rest.is_empty()).then(|| Doc::text(rest)));
}
