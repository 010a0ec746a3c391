//! Expressions of JML as expressions of Java.
//!
//! Names, types and overloads are javac's business: what is written here is what was written there,
//! but for what Java does not have. Quantifiers become switch expressions with loops in them, which
//! may read any local variable and allocate nothing. Values of the state before the call become
//! local variables that whoever weaves the clause declares ([`Olds`]).
//!
//! Invariant: an expression that cannot be executed is an `Err` with the reason, never `true`.

mod old;
mod operators;
mod quantifier;
mod range;

use std::cell::RefCell;
use std::collections::BTreeSet;

pub(super) use old::Olds;
pub(super) use operators::calculates;

use super::clause::ClauseId;
use super::members::Members;
use super::program::{Program, TypeId};
use crate::jml::ast::{
    Code, Expr, ExprKind, LambdaBody, Literal, Name, NewArray, Pattern, UnaryOp,
};

/// Java, or why there is none.
pub(super) type Text = Result<String, String>;

/// How whole numbers are calculated with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Math {
    /// As Java does.
    Java,
    /// As in mathematics: in wider types, an error where those do not suffice.
    Wide,
    /// As in mathematics, in big integers.
    Big,
}

/// What a name of a specification stands for.
#[derive(Debug, Clone)]
pub(super) enum Binding<'a> {
    /// A variable of that name.
    Variable,
    /// A variable bound by a quantifier, and its name in Java.
    Bound(String),
    /// A value of the state before the call (`old T x = e`).
    Before(&'a Expr, &'a str),
    /// Nothing that has a value (`forall T x`).
    Nothing,
}

/// What printing asked for beside the text.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// Private fields that specifications elsewhere read: their types and names.
    accessors: RefCell<BTreeSet<(TypeId, String)>>,
}

impl Needs {
    /// Needs what another printing needed, too.
    pub fn take(&self, other: &BTreeSet<(TypeId, String)>) {
        self.accessors.borrow_mut().extend(other.iter().cloned());
    }

    /// The fields of a type that others read.
    pub fn of(&self, ty: TypeId) -> Vec<String> {
        let all = self.accessors.borrow();
        all.iter().filter(|(owner, _)| *owner == ty).map(|(_, name)| name.clone()).collect()
    }
}

pub(super) struct Printer<'p, 'a> {
    pub program: &'p Program<'a>,
    pub members: &'p Members,
    /// Private fields of other types that were read.
    pub needs: BTreeSet<(TypeId, String)>,
    /// The type the clause stands in.
    pub ty: TypeId,
    pub clause: ClauseId,
    pub math: Math,
    /// Whether sums and the like are floating numbers.
    pub floating: bool,
    /// The variables in sight, innermost last.
    pub scope: Vec<(String, Binding<'a>)>,
    /// Names of type variables of the method.
    pub type_variables: Vec<String>,
    /// Values of the state before the call; `None` where that is the state that is spoken of.
    pub olds: Option<Olds>,
    /// What `\fresh` looks at: the objects a call was given.
    pub roots: String,
    /// Whether any code of others is called.
    pub calls: bool,
    /// Ends the names of local variables: an expression may be printed in several ways.
    pub suffix: &'static str,
    /// The quantifiers around.
    quantifiers: Vec<&'a Expr>,
    counter: u32,
}

/// Prefix of the run-time part.
pub(super) const RUN: &str = "testhound.contracts.";

impl<'p, 'a> Printer<'p, 'a> {
    pub fn new(
        program: &'p Program<'a>,
        members: &'p Members,
        ty: TypeId,
        clause: ClauseId,
        math: Math,
    ) -> Self {
        Printer {
            program,
            members,
            needs: BTreeSet::new(),
            ty,
            clause,
            math,
            floating: false,
            scope: Vec::new(),
            type_variables: Vec::new(),
            olds: None,
            roots: String::new(),
            calls: false,
            suffix: "",
            quantifiers: Vec::new(),
            counter: 0,
        }
    }

    /// A name nothing else has.
    fn unique(&mut self, what: &str) -> String {
        self.counter += 1;
        let clause = self.clause;
        format!("jml${what}{clause}_{}{}", self.counter, self.suffix)
    }

    /// An expression whose value is compared or asked for: numbers may have a wider type.
    pub fn wide(&mut self, expr: &'a Expr) -> Text {
        self.print(expr, true)
    }

    /// An expression that must have the type it has in Java.
    pub fn narrow(&mut self, expr: &'a Expr) -> Text {
        self.print(expr, false)
    }

    fn print(&mut self, expr: &'a Expr, wide: bool) -> Text {
        match &expr.kind {
            ExprKind::Name(name) => self.name(name),
            ExprKind::Literal(literal) => literal_text(literal),
            ExprKind::This => Ok("this".to_owned()),
            ExprKind::Super => Ok("super".to_owned()),
            ExprKind::Parens(inner) => Ok(format!("({})", self.print(inner, wide)?)),
            ExprKind::Field { target, name } => self.field(target, &name.text),
            ExprKind::Call { target, type_arguments, name, arguments } => {
                let own = target.as_ref().is_none_or(|target| {
                    matches!(target.unwrapped().kind, ExprKind::This | ExprKind::Super)
                });
                let at = (self.ty, own);
                if self.members.lacks_body(self.program, at, &name.text, arguments.len()) {
                    return Err(format!("the model method `{}` has no body", name.text));
                }
                self.calls = true;
                let target = match target {
                    Some(target) => format!("{}.", self.narrow(target)?),
                    None => String::new(),
                };
                let explicit = type_arguments.as_ref().map_or("", |text| text.text.as_str());
                Ok(format!("{target}{explicit}{}({})", name.text, self.arguments(arguments)?))
            }
            ExprKind::Index { array, index } => {
                Ok(format!("{}[{}]", self.narrow(array)?, self.narrow(index)?))
            }
            ExprKind::Unary { op, operand } => self.unary(*op, operand, wide),
            ExprKind::Binary { op, left, right, .. } => self.binary(*op, left, right, wide),
            ExprKind::Assign { op, target, value } => {
                let operator = op.0.map(operators::java_symbol).unwrap_or_default();
                Ok(format!("{} {operator}= {}", self.narrow(target)?, self.narrow(value)?))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = self.wide(condition)?;
                let then = self.print(then, wide)?;
                Ok(format!("(({condition}) ? {then} : {})", self.print(otherwise, wide)?))
            }
            ExprKind::Cast { ty, operand } => {
                let wide = super::names::is_primitive(&ty.text) && self.math != Math::Big;
                Ok(format!("(({}) ({}))", java_type(&ty.text), self.print(operand, wide)?))
            }
            ExprKind::InstanceOf { operand, pattern } => {
                let operand = self.narrow(operand)?;
                Ok(match pattern {
                    Pattern::Type { ty, binding } => {
                        if let Some(name) = binding {
                            self.scope.push((name.text.clone(), Binding::Variable));
                        }
                        let name = binding.as_ref().map_or("", |name| name.text.as_str());
                        format!("({operand} instanceof {} {name})", ty.text)
                    }
                    Pattern::Record(code) => {
                        format!("({operand} instanceof {})", self.code(code)?)
                    }
                })
            }
            ExprKind::New { outer, class, arguments, body } => {
                self.calls = true;
                let outer = match outer {
                    Some(outer) => format!("{}.", self.narrow(outer)?),
                    None => String::new(),
                };
                let body = match body {
                    Some(body) => self.code(body)?,
                    None => String::new(),
                };
                let arguments = self.arguments(arguments)?;
                Ok(format!("{outer}new {}({arguments}) {body}", class.text))
            }
            ExprKind::NewArray(array) => self.new_array(array),
            ExprKind::ArrayInit(elements) => Ok(format!("{{{}}}", self.arguments(elements)?)),
            ExprKind::Lambda { parameters, body } => self.lambda(parameters, body),
            ExprKind::MethodRef { target, name } => {
                self.calls = true;
                Ok(format!("{}::{}", self.code(target)?, name.text))
            }
            ExprKind::ClassLiteral(ty) => Ok(format!("{}.class", ty.text)),
            ExprKind::Switch(code) => {
                self.calls = true;
                Ok(format!("({})", self.code(code)?))
            }
            ExprKind::Informal(_) => Ok("true".to_owned()),
            ExprKind::Result => Ok("jml$result".to_owned()),
            ExprKind::Old { expr: inner, label, .. } => match label {
                Some(label) => Err(format!("the state at `{}` is not kept", label.text)),
                None => self.old(inner, wide),
            },
            ExprKind::Quantified { .. } => self.quantified(expr, wide),
            ExprKind::Fresh(all) => self.fresh(all),
            ExprKind::NonNullElements(all) => self.each(all, "Types.nonNullElements"),
            ExprKind::InvariantFor(all) => {
                self.calls = true;
                self.each(all, "Types.invariantFor")
            }
            ExprKind::TypeOf(inner) => Ok(format!("{RUN}Types.of({})", self.narrow(inner)?)),
            ExprKind::Type(ty) => Ok(format!("{}.class", super::names::erased(&ty.text))),
            ExprKind::ElemType(inner) => Ok(format!("{RUN}Types.element({})", self.narrow(inner)?)),
            ExprKind::NotModified(places) => self.not_modified(places),
            ExprKind::Reach { expr: inner, narrowed: None } => {
                Ok(format!("(new {RUN}Reach(new Object[] {{{}}}))", self.narrow(inner)?))
            }
            ExprKind::Label { expr: inner, .. } => self.print(inner, wide),
            ExprKind::Same => Ok("true".to_owned()),
            other => Err(unsupported(other)),
        }
    }

    fn name(&mut self, name: &str) -> Text {
        let found = self.scope.iter().rev().find(|(known, _)| known == name);
        match found.map(|(_, binding)| binding.clone()) {
            Some(Binding::Variable) => Ok(name.to_owned()),
            Some(Binding::Bound(java)) => Ok(java),
            Some(Binding::Before(value, ty)) => {
                let value = self.old(value, false)?;
                Ok(format!("(({}) ({value}))", java_type(ty)))
            }
            Some(Binding::Nothing) => {
                Err(format!("`{name}` stands for every value, which cannot be tried"))
            }
            None if self.members.has_model_field(self.program, self.ty, name) => {
                self.model_field("", name)
            }
            None => match self.members.hidden_above(self.program, self.ty, name) {
                Some(owner) => {
                    self.needs.insert((owner, name.to_owned()));
                    Ok(format!("jml$get${name}()"))
                }
                None => Ok(name.to_owned()),
            },
        }
    }

    fn field(&mut self, target: &'a Expr, name: &str) -> Text {
        let text = self.narrow(target)?;
        let own = matches!(target.unwrapped().kind, ExprKind::This | ExprKind::Super);
        let is_model = if own {
            self.members.has_model_field(self.program, self.ty, name)
        } else {
            self.members.is_only_model(name)
        };
        if is_model {
            return self.model_field(&format!("{text}."), name);
        }
        // Arrays have it, which are not told from objects here; a field of that name that is hidden
        // costs the clauses that ask for it from outside.
        let of_array = name == "length" && !own;
        let hidden = self.members.hidden_elsewhere(self.program, self.ty, name, own);
        if let Some(owner) = hidden.filter(|_| !of_array) {
            self.needs.insert((owner, name.to_owned()));
            return Ok(format!("{text}.jml$get${name}()"));
        }
        Ok(format!("{text}.{name}"))
    }

    fn model_field(&mut self, target: &str, name: &str) -> Text {
        if !self.members.represented.contains(name) {
            return Err(format!("the model field `{name}` has no value that can be computed"));
        }
        self.calls = true;
        Ok(format!("{target}jml$model${name}()"))
    }

    fn arguments(&mut self, arguments: &'a [Expr]) -> Text {
        let texts: Result<Vec<String>, String> =
            arguments.iter().map(|argument| self.narrow(argument)).collect();
        Ok(texts?.join(", "))
    }

    /// A conjunction of the same question to each.
    fn each(&mut self, all: &'a [Expr], question: &str) -> Text {
        let texts: Result<Vec<String>, String> =
            all.iter().map(|one| Ok(format!("{RUN}{question}({})", self.narrow(one)?))).collect();
        Ok(format!("({})", texts?.join(" && ")))
    }

    fn lambda(&mut self, parameters: &'a Code, body: &'a LambdaBody) -> Text {
        self.calls = true;
        let depth = self.scope.len();
        let inner = parameters.text.trim().trim_start_matches('(').trim_end_matches(')');
        for parameter in inner.split(',') {
            if let Some(name) = parameter.split_whitespace().next_back() {
                self.scope.push((name.to_owned(), Binding::Variable));
            }
        }
        let body = match body {
            LambdaBody::Expr(body) => self.narrow(body),
            LambdaBody::Block(code) => self.code(code),
        };
        self.scope.truncate(depth);
        Ok(format!("{} -> {}", self.code(parameters)?, body?))
    }

    fn new_array(&mut self, array: &'a NewArray) -> Text {
        let mut text = format!("new {}", array.element.text);
        for length in &array.lengths {
            text.push_str(&format!("[{}]", self.narrow(length)?));
        }
        text.push_str(&"[]".repeat(array.empty as usize));
        if let Some(elements) = &array.elements {
            text.push_str(&format!("{{{}}}", self.arguments(elements)?));
        }
        Ok(text)
    }

    /// Java that was not parsed: on one line, with the names that quantifiers gave.
    fn code(&self, code: &Code) -> Text {
        if code.text.contains("\"\"\"") {
            return Err("text blocks cannot be put on one line".to_owned());
        }
        if code.text.contains('\\') && !code.text.contains('"') && !code.text.contains('\'') {
            return Err("specification in code that is only handed on".to_owned());
        }
        let mut text = String::new();
        let mut word = String::new();
        for c in code.text.chars().chain([' ']) {
            if c.is_alphanumeric() || c == '_' || c == '$' {
                word.push(c);
                continue;
            }
            let bound = self.scope.iter().rev().find(|(name, _)| *name == word);
            match bound {
                Some((_, Binding::Bound(java))) => text.push_str(java),
                Some((_, Binding::Nothing | Binding::Before(..))) => {
                    return Err(format!("`{word}` in code that is only handed on"));
                }
                _ => text.push_str(&word),
            }
            word.clear();
            text.push(if c.is_whitespace() { ' ' } else { c });
        }
        Ok(text.trim_end().to_owned())
    }

    fn unary(&mut self, op: UnaryOp, operand: &'a Expr, wide: bool) -> Text {
        let is_literal = matches!(operand.kind, ExprKind::Literal(_));
        Ok(match op {
            UnaryOp::Not => format!("!({})", self.wide(operand)?),
            UnaryOp::Plus => format!("(+{})", self.print(operand, wide)?),
            UnaryOp::Minus if is_literal || self.math == Math::Java => {
                format!("(-{})", self.print(operand, wide)?)
            }
            UnaryOp::Minus => {
                let class = self.arithmetic(wide);
                format!("{RUN}{class}.negate({})", self.print(operand, wide)?)
            }
            UnaryOp::Complement => format!("(~{})", self.narrow(operand)?),
            UnaryOp::PreIncrement => format!("(++{})", self.narrow(operand)?),
            UnaryOp::PreDecrement => format!("(--{})", self.narrow(operand)?),
            UnaryOp::PostIncrement => format!("({}++)", self.narrow(operand)?),
            UnaryOp::PostDecrement => format!("({}--)", self.narrow(operand)?),
        })
    }
}

/// A type of JML's as one of Java's.
pub(super) fn java_type(ty: &str) -> String {
    match ty.trim() {
        "\\bigint" => "java.math.BigInteger".to_owned(),
        "\\real" => "double".to_owned(),
        "\\TYPE" => "Class<?>".to_owned(),
        other => other.to_owned(),
    }
}

fn literal_text(literal: &Literal) -> Text {
    Ok(match literal {
        Literal::Integer(text)
        | Literal::Floating(text)
        | Literal::Character(text)
        | Literal::String(text) => text.clone(),
        Literal::TextBlock(_) => return Err("text blocks cannot be put on one line".to_owned()),
        Literal::Boolean(value) => value.to_string(),
        Literal::Null => "null".to_owned(),
    })
}

fn unsupported(kind: &ExprKind) -> String {
    let named = |name: &Name| format!("`{}` cannot be executed", name.text);
    match kind {
        ExprKind::SetComprehension(_) => "set comprehensions cannot be executed".to_owned(),
        ExprKind::Only { keyword, .. } => named(keyword),
        ExprKind::Other { name, .. } | ExprKind::OtherQuantified { name, .. } => named(name),
        ExprKind::LoopState(name) => named(name),
        ExprKind::NotAssigned(_) => "`\\not_assigned` cannot be executed".to_owned(),
        ExprKind::OnlyAssigned(_) => "`\\only_assigned` cannot be executed".to_owned(),
        ExprKind::Reach { .. } => "`\\reach` with a type cannot be executed".to_owned(),
        ExprKind::StaticInvariantFor(_) => "`\\static_invariant_for` cannot be executed".to_owned(),
        ExprKind::IsInitialized(_) => "`\\is_initialized` cannot be executed".to_owned(),
        ExprKind::LockSet { .. } => "`\\lockset` cannot be executed".to_owned(),
        ExprKind::NotSpecified => "nothing is specified".to_owned(),
        _ => "it cannot be executed".to_owned(),
    }
}
