//! Modifiers in comments, also annotations.

use crate::java::{Annotation, Modifiers};
use crate::jml::keyword;
use crate::jml::token::TokenKind;

use super::Parser;

impl Parser<'_> {
    /// All modifiers that stand here.
    pub(super) fn modifiers(&mut self) -> Modifiers {
        let mut modifiers = Modifiers::default();
        loop {
            let span = self.token().span;
            let word = self.slice(span);
            if self.is("@") && self.ahead(1).kind == TokenKind::Word {
                self.annotation(&mut modifiers);
            } else if let Some(modifier) = keyword::java_modifier(word) {
                self.bump();
                modifiers.java.push((modifier, span));
            } else if let Some(modifier) = keyword::jml_modifier(word) {
                self.bump();
                if self.is("(") {
                    self.at = self.closing_at(self.at) + 1;
                }
                modifiers.jml.push((modifier, span));
            } else {
                return modifiers;
            }
        }
    }

    fn annotation(&mut self, modifiers: &mut Modifiers) {
        let start = self.bump().span;
        let from = self.bump().span;
        while self.is(".") && self.ahead(1).kind == TokenKind::Word {
            self.at += 2;
        }
        let name = self.type_text(self.span_from(from)).text;
        let arguments = if self.is("(") { self.brackets().ok() } else { None };
        let span = self.span_from(start);
        if let Some(modifier) = keyword::jml_annotation(&name) {
            modifiers.jml.push((modifier, span));
        }
        modifiers.annotations.push(Annotation { span, name, arguments });
    }
}
