//! Members that only specifications have: ghost and model fields, model methods, model types.

use crate::java::{Field, Import, JmlModifier, Method, MethodKind, Modifiers, Origin, Param};
use crate::jml::ast::{Code, FieldSpec, MethodSpec, Name, RawType, TypeText};
use crate::jml::token::TokenKind;
use crate::span::Span;

use super::{Parsed, Parser};

/// What was declared.
pub(super) enum Declared {
    Fields(Vec<Field>),
    Method(Box<Method>),
    Type(RawType),
    Import(Import),
}

impl Parser<'_> {
    /// The declaration behind `modifiers`.
    pub(super) fn declaration(&mut self, modifiers: Modifiers, start: Span) -> Parsed<Declared> {
        match self.word() {
            "import" => return self.import(start).map(Declared::Import),
            "class" | "interface" | "enum" | "record" => {
                self.bump();
                let name = self.name("the name of a type")?;
                while !self.at_end() && !self.is("{") && !self.is(";") {
                    self.bump();
                }
                self.brackets()?;
                let code = self.code(self.span_from(start));
                self.note(name.span, "a model type is not checked");
                return Ok(Declared::Type(RawType { name, code }));
            }
            _ => {}
        }
        let ghost = modifiers.is(JmlModifier::Ghost);
        let origin = if ghost { Origin::Ghost } else { Origin::Model };
        let type_parameters = if self.is("<") { Some(self.type_parameters()?) } else { None };
        if self.token().kind == TokenKind::Word && self.is_ahead(1, "(") {
            let name = self.name("a name")?;
            let head = (MethodKind::Constructor, None, name);
            return self.method(origin, modifiers, type_parameters, head, start);
        }
        let ty = self.ty()?;
        let name = self.name("the name of a field or method")?;
        if self.is("(") {
            let head = (MethodKind::Method, Some(ty), name);
            return self.method(origin, modifiers, type_parameters, head, start);
        }
        self.fields(origin, modifiers, ty, name, start).map(Declared::Fields)
    }

    fn fields(
        &mut self,
        origin: Origin,
        modifiers: Modifiers,
        ty: TypeText,
        first: Name,
        start: Span,
    ) -> Parsed<Vec<Field>> {
        let mut fields = Vec::new();
        let mut name = first;
        loop {
            let ty = self.with_brackets(&ty);
            let value = if self.eat("=") { Some(self.expr()?) } else { None };
            fields.push(Field {
                origin,
                name,
                ty,
                span: start,
                modifiers: modifiers.clone(),
                initializer: value.as_ref().map(|value| value.span),
                value,
                spec: FieldSpec::default(),
            });
            if !self.eat(",") {
                break;
            }
            name = self.name("the name of a field")?;
        }
        // `model int size in objectState;` and `model int size; in objectState;` are both written.
        if self.begins_data_group() {
            let mut spec = FieldSpec::default();
            self.data_group(&mut spec)?;
            fields.iter_mut().for_each(|field| field.spec = spec.clone());
        } else {
            self.semicolon()?;
        }
        let span = self.span_from(start);
        fields.iter_mut().for_each(|field| field.span = span);
        Ok(fields)
    }

    fn method(
        &mut self,
        origin: Origin,
        modifiers: Modifiers,
        type_parameters: Option<TypeText>,
        (kind, return_type, name): (MethodKind, Option<TypeText>, Name),
        start: Span,
    ) -> Parsed<Declared> {
        let open = self.token().span;
        self.bump();
        let mut params = Vec::new();
        while !self.eat(")") {
            params.push(self.param()?);
            if !self.is(")") {
                self.expect(",", "`,` or `)`")?;
            }
        }
        let params_span = self.span_from(open);
        let return_type = return_type.map(|ty| self.with_brackets(&ty));
        let mut throws = Vec::new();
        if self.eat_word("throws") {
            throws.push(self.ty()?);
            while self.eat(",") {
                throws.push(self.ty()?);
            }
        }
        let code: Option<Code> = if self.is("{") {
            Some(self.brackets()?)
        } else {
            self.semicolon()?;
            None
        };
        Ok(Declared::Method(Box::new(Method {
            origin,
            kind,
            name,
            span: self.span_from(start),
            modifiers,
            type_parameters,
            return_type,
            params,
            params_span,
            throws,
            body: code.as_ref().map(|code| code.span),
            code,
            explicit_call: None,
            spec: MethodSpec::default(),
            statements: Vec::new(),
            loops: Vec::new(),
        })))
    }

    fn param(&mut self) -> Parsed<Param> {
        let start = self.token().span;
        let modifiers = self.modifiers();
        let ty = self.ty()?;
        let varargs = self.eat("...");
        let name = self.name("a parameter")?;
        let ty = self.with_brackets(&ty);
        Ok(Param { span: self.span_from(start), modifiers, ty, name, varargs })
    }

    fn import(&mut self, start: Span) -> Parsed<Import> {
        self.bump();
        let is_static = self.eat_word("static");
        let mut name = self.name("the name of a type or package")?.text;
        let mut on_demand = false;
        while self.eat(".") {
            if self.eat("*") {
                on_demand = true;
                break;
            }
            name.push('.');
            name.push_str(&self.name("a name")?.text);
        }
        self.semicolon()?;
        Ok(Import { span: self.span_from(start), name, is_static, on_demand, model: true })
    }
}
