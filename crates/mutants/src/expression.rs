//! Values in terms of Java, as far as that is short.
//!
//! What an operand is told by the instructions that made it; where several ways lead to it, or it would be
//! long, there is `…`.

use classfile::MethodDescriptor;
use classfile::opcode::*;

use crate::body::{Body, Literal};
use crate::java::{simple, type_name};
use crate::types::Operand;

/// What cannot be told, or not in short.
const SHORT: &str = "…";

/// Longer texts are not told.
const LONGEST: usize = 48;

/// How deep expressions are looked into.
const DEEPEST: usize = 5;

/// Tells expressions of a method.
pub(crate) struct Expression<'b, 'c> {
    body: &'b Body<'c>,
    deep: usize,
}

impl<'b, 'c> Expression<'b, 'c> {
    pub(crate) fn of(body: &'b Body<'c>) -> Self {
        Self { body, deep: 0 }
    }

    /// The operand so many below the top that an instruction finds.
    pub(crate) fn operand(&self, at: usize, below: usize) -> String {
        match self.body.operand(at, below) {
            Some(Operand { origin: Some(origin), .. }) if self.deep < DEEPEST => {
                let inner = Self { body: self.body, deep: self.deep + 1 };
                let text = inner.pushed(*origin).unwrap_or_else(|| SHORT.to_owned());
                if text.chars().count() > LONGEST { SHORT.to_owned() } else { text }
            }
            _ => SHORT.to_owned(),
        }
    }

    /// Like [`operand`](Self::operand), in parentheses where a further operator needs them.
    fn part(&self, at: usize, below: usize) -> String {
        let text = self.operand(at, below);
        let composed = self.body.origin(at, below).is_some_and(
            |origin| matches!(self.body.op(origin), IADD..=DREM | ISHL..=LXOR | INSTANCEOF),
        );
        if composed && text.contains(' ') { format!("({text})") } else { text }
    }

    /// The two operands of an instruction with an operator between them.
    pub(crate) fn binary(&self, at: usize, symbol: &str) -> String {
        format!("{} {symbol} {}", self.part(at, 1), self.part(at, 0))
    }

    /// A variable by its slot.
    pub(crate) fn variable(&self, at: usize, slot: u16) -> String {
        if slot == 0 && !self.body.is_static {
            return "this".to_owned();
        }
        match self.body.variable(at, slot) {
            Some((name, _)) => name,
            None => format!("local{slot}"),
        }
    }

    /// A field that an instruction reads or writes.
    pub(crate) fn field(&self, at: usize) -> String {
        let Some(field) = self.body.field(at) else { return SHORT.to_owned() };
        let own = self.body.class.name().is_ok_and(|name| name == field.class);
        match self.body.op(at) {
            GETSTATIC | PUTSTATIC if own => field.name.into_owned(),
            GETSTATIC | PUTSTATIC => format!("{}.{}", simple(&field.class), field.name),
            op => match self.part(at, usize::from(op == PUTFIELD)) {
                this if this == "this" => field.name.into_owned(),
                object => format!("{object}.{}", field.name),
            },
        }
    }

    /// A call, by what it is called on, without arguments: `list.add`.
    pub(crate) fn callee(&self, at: usize) -> String {
        let Some(method) = self.body.method(at) else { return SHORT.to_owned() };
        let parsed = MethodDescriptor::parse(&method.descriptor);
        let below = parsed.map_or(0, |parsed| parsed.parameters.len());
        let own = self.body.class.name().is_ok_and(|name| name == method.class);
        match self.body.op(at) {
            INVOKESTATIC if own => method.name.into_owned(),
            INVOKESTATIC => format!("{}.{}", simple(&method.class), method.name),
            op => match self.part(at, below) {
                this if this == "this" && op == INVOKESPECIAL && !own => {
                    format!("super.{}", method.name)
                }
                this if this == "this" => method.name.into_owned(),
                long if long == SHORT => format!("{}.{}", simple(&method.class), method.name),
                object => format!("{object}.{}", method.name),
            },
        }
    }

    /// A call with its arguments, if they are short.
    pub(crate) fn call(&self, at: usize) -> String {
        let Some(method) = self.body.method(at) else { return SHORT.to_owned() };
        let parsed = MethodDescriptor::parse(&method.descriptor);
        let count = parsed.map_or(0, |parsed| parsed.parameters.len());
        let arguments: Vec<_> = (0..count).rev().map(|below| self.operand(at, below)).collect();
        let arguments = arguments.join(", ");
        let arguments = if arguments.len() > LONGEST / 2 { SHORT } else { &arguments };
        format!("{}({arguments})", self.callee(at))
    }

    /// What an instruction pushes.
    fn pushed(&self, at: usize) -> Option<String> {
        let body = self.body;
        if let Some(literal) = body.literal(at) {
            return Some(spell(literal));
        }
        if let Some(text) = body.text_at(at) {
            let plain = text.chars().count() <= 20 && !text.contains(char::is_control);
            return plain.then(|| format!("\"{text}\""));
        }
        Some(match body.op(at) {
            ILOAD..=ALOAD => self.variable(at, body.slot(at)?),
            GETSTATIC | GETFIELD => self.field(at),
            IALOAD..=SALOAD => format!("{}[{}]", self.part(at, 1), self.operand(at, 0)),
            ARRAYLENGTH => format!("{}.length", self.part(at, 0)),
            INEG..=DNEG => format!("-{}", self.part(at, 0)),
            op @ (IADD..=DREM | ISHL..=LXOR) => self.binary(at, symbol(op)?),
            I2L..=I2S | CHECKCAST => self.operand(at, 0),
            INSTANCEOF => {
                format!("{} instanceof {}", self.part(at, 0), class_name(&body.class_at(at)?))
            }
            NEW => format!("new {}(…)", class_name(&body.class_at(at)?)),
            INVOKEVIRTUAL..=INVOKEINTERFACE => self.unboxed(at).unwrap_or_else(|| self.call(at)),
            _ => return None,
        })
    }

    /// What is boxed or unboxed: Java does not say that it is.
    fn unboxed(&self, at: usize) -> Option<String> {
        let method = self.body.method(at)?;
        is_boxing(&method.class, &method.name, &method.descriptor).then(|| self.operand(at, 0))
    }
}

/// Whether a method boxes or unboxes a primitive value.
pub(crate) fn is_boxing(class: &str, name: &str, descriptor: &str) -> bool {
    const BOXES: [&str; 8] =
        ["Integer", "Long", "Boolean", "Character", "Byte", "Short", "Float", "Double"];
    let is_box = class.strip_prefix("java/lang/").is_some_and(|name| BOXES.contains(&name));
    let boxes = name == "valueOf" && descriptor.as_bytes().get(2) == Some(&b')');
    is_box && (boxes || name.ends_with("Value") && descriptor.starts_with("()"))
}

fn class_name(internal: &str) -> String {
    if internal.starts_with('[') { type_name(internal) } else { simple(internal).to_owned() }
}

/// A constant as it is written in Java.
pub(crate) fn spell(literal: Literal) -> String {
    match literal {
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(value) => format!("{value:?}f"),
        Literal::Double(value) => format!("{value:?}"),
        Literal::Null => "null".to_owned(),
    }
}

fn symbol(op: u8) -> Option<&'static str> {
    let symbols = ["+", "-", "*", "/", "%"];
    Some(match op {
        IADD..=DREM => symbols[usize::from((op - IADD) / 4)],
        ISHL | LSHL => "<<",
        ISHR | LSHR => ">>",
        IUSHR | LUSHR => ">>>",
        IAND | LAND => "&",
        IOR | LOR => "|",
        IXOR | LXOR => "^",
        _ => return None,
    })
}
