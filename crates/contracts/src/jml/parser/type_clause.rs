//! Clauses of types, and of fields.

use crate::java::Modifiers;
use crate::jml::ast::{FieldSpec, Maps, MethodName, Represents, TypeClause, TypeClauseKind};
use crate::jml::keyword::{self, TypeKeyword};
use crate::span::Span;

use super::{Parsed, Parser};

impl Parser<'_> {
    /// The clause that begins here with a keyword that `begins` it, behind its modifiers.
    pub(super) fn type_clause(
        &mut self,
        begins: TypeKeyword,
        modifiers: Modifiers,
        start: Span,
    ) -> Parsed<TypeClause> {
        let keyword = self.take_name();
        let (plain, redundantly) = keyword::redundantly(&keyword.text);
        if matches!(begins, TypeKeyword::Unchecked | TypeKeyword::Axiom) {
            self.note(keyword.span, format!("`{plain}` is not checked"));
        }
        let kind = match begins {
            TypeKeyword::Invariant => TypeClauseKind::Invariant(self.expr()?),
            TypeKeyword::Initially => TypeClauseKind::Initially(self.expr()?),
            TypeKeyword::Axiom => TypeClauseKind::Axiom(self.expr()?),
            TypeKeyword::Represents => TypeClauseKind::Represents(self.represents()?),
            TypeKeyword::Constraint => self.constraint()?,
            TypeKeyword::Unchecked => TypeClauseKind::Unchecked { body: self.skip_to_semicolon() },
        };
        self.semicolon()?;
        Ok(TypeClause { span: self.span_from(start), keyword, modifiers, redundantly, kind })
    }

    fn represents(&mut self) -> Parsed<Represents> {
        let target = self.store_ref()?;
        if self.backslash() == "\\such_that" {
            self.bump();
            return Ok(Represents::SuchThat { target, condition: self.expr()? });
        }
        let arrow = self.is("<") && self.is_ahead(1, "-");
        if arrow {
            self.at += 2;
        } else {
            self.expect("=", "`=`, `<-` or `\\such_that`")?;
        }
        Ok(Represents::Value { target, value: self.expr()? })
    }

    fn constraint(&mut self) -> Parsed<TypeClauseKind> {
        let expr = self.expr()?;
        let mut methods = None;
        if self.eat_word("for") {
            if self.backslash() == "\\everything" {
                self.bump();
            } else {
                let mut names = vec![self.method_name()?];
                while self.eat(",") {
                    names.push(self.method_name()?);
                }
                methods = Some(names);
            }
        }
        Ok(TypeClauseKind::Constraint { expr, methods })
    }

    fn method_name(&mut self) -> Parsed<MethodName> {
        let mut name = self.name("a method")?;
        let start = name.span;
        let mut qualifier = None;
        while self.eat(".") {
            let before = start.to(name.span);
            qualifier = Some(self.type_text(before).text);
            name = if self.is("*") { self.take_name() } else { self.name("a method")? };
        }
        let mut parameters = None;
        if self.eat("(") {
            let mut types = Vec::new();
            while !self.eat(")") {
                types.push(self.ty()?);
                if !self.is(")") {
                    self.expect(",", "`,` or `)`")?;
                }
            }
            parameters = Some(types);
        }
        Ok(MethodName { name, qualifier, parameters })
    }

    /// Whether `in` or `maps` stands here.
    pub(super) fn begins_data_group(&self) -> bool {
        matches!(keyword::redundantly(self.word()).0, "in" | "maps")
    }

    /// `in a, b;` or `maps x.f \into a, b;`
    pub(super) fn data_group(&mut self, spec: &mut FieldSpec) -> Parsed<()> {
        let start = self.token().span;
        let maps = self.word().starts_with("maps");
        self.bump();
        if maps {
            let member = self.store_ref()?;
            if self.backslash() != "\\into" {
                return Err(self.expected("`\\into`"));
            }
            self.bump();
            let groups = self.store_refs()?;
            spec.maps.push(Maps { span: self.span_from(start), member, groups });
        } else {
            spec.groups.extend(self.store_refs()?);
        }
        self.semicolon()
    }
}
