//! What methods return: `EMPTY_RETURNS`, `FALSE_RETURNS`, `TRUE_RETURNS`, `NULL_RETURNS` and
//! `PRIMITIVE_RETURNS`.
//!
//! What is visibly returned already is not made anew.

use classfile::opcode::*;

use crate::Operator;
use crate::body::{Body, Literal};
use crate::edit::Op;
use crate::expression::Expression;
use crate::found::Finding;
use crate::types::Kind;

/// A class with what there is that makes an empty one: class, method, whether that is an interface's, and
/// what is said of it.
type Empty = (&'static str, (&'static str, &'static str, bool), &'static str);

const EMPTY: [Empty; 7] = [
    ("java/util/List", ("java/util/Collections", "emptyList", false), "an empty list"),
    ("java/util/Collection", ("java/util/Collections", "emptyList", false), "an empty list"),
    ("java/lang/Iterable", ("java/util/Collections", "emptyList", false), "an empty list"),
    ("java/util/Set", ("java/util/Collections", "emptySet", false), "an empty set"),
    ("java/util/Map", ("java/util/Collections", "emptyMap", false), "an empty map"),
    ("java/util/Optional", ("java/util/Optional", "empty", false), "an empty `Optional`"),
    ("java/util/stream/Stream", ("java/util/stream/Stream", "empty", true), "an empty stream"),
];

/// Boxes, with the descriptors of what they hold. Where PIT returns `null` for a box, so it is here.
const BOXES: [(&str, &str); 6] = [
    ("java/lang/Integer", "I"),
    ("java/lang/Short", "S"),
    ("java/lang/Character", "C"),
    ("java/lang/Long", "J"),
    ("java/lang/Float", "F"),
    ("java/lang/Double", "D"),
];

pub(super) fn find(body: &Body<'_>, at: usize, found: &mut Vec<Finding>) {
    if !matches!(body.op(at), IRETURN..=ARETURN) {
        return;
    }
    let Some(result) = body.descriptor.rsplit(')').next() else { return };
    let returned = Returned { body, at, origin: body.origin(at, 0) };
    match result {
        "Z" => {
            returned.truth(Vec::new(), body.literal_operand(at, 0), found);
        }
        "B" | "C" | "S" | "I" | "J" | "F" | "D" => {
            let zero = zero(result);
            if returned.literal() != Some(zero) {
                returned.push(Operator::PrimitiveReturns, vec![push(zero)], "0", found);
            }
        }
        "Ljava/lang/Boolean;" => {
            let boxed = returned.boxed();
            returned.truth(vec![value_of("java/lang/Boolean", "Z")], boxed, found);
        }
        _ => returned.object(result, found),
    }
}

/// The 0 of a primitive type.
fn zero(descriptor: &str) -> Literal {
    match descriptor {
        "J" => Literal::Long(0),
        "F" => Literal::Float(0.0),
        "D" => Literal::Double(0.0),
        _ => Literal::Int(0),
    }
}

/// Pushes a constant.
pub(super) fn push(literal: Literal) -> Op {
    match literal {
        Literal::Int(value) => Op::Int(value),
        Literal::Long(value) => Op::Long(value),
        Literal::Float(value) => Op::Float(value.to_bits()),
        Literal::Double(value) => Op::Double(value.to_bits()),
        Literal::Null => Op::Plain(ACONST_NULL),
    }
}

/// Boxes a primitive value.
fn value_of(class: &str, primitive: &str) -> Op {
    Op::Call {
        class: class.to_owned(),
        name: "valueOf".to_owned(),
        descriptor: format!("({primitive})L{class};"),
        interface: false,
    }
}

/// A return instruction, and what made the value.
struct Returned<'b, 'c> {
    body: &'b Body<'c>,
    at: usize,
    origin: Option<usize>,
}

impl Returned<'_, '_> {
    fn literal(&self) -> Option<Literal> {
        self.body.literal(self.origin?)
    }

    /// The constant that is boxed.
    fn boxed(&self) -> Option<Literal> {
        let origin = self.origin?;
        let method = self.body.method(origin)?;
        (method.name == "valueOf").then(|| self.body.literal_operand(origin, 0))?
    }

    fn push(&self, operator: Operator, with: Vec<Op>, what: &str, found: &mut Vec<Finding>) {
        let pop = match self.body.operand(self.at, 0).map(|operand| &operand.kind) {
            Some(kind) if kind.slots() == 2 => POP2,
            _ => POP,
        };
        let mut all = vec![Op::Plain(pop)];
        all.extend(with);
        all.push(Op::Plain(self.body.instructions[self.at].opcode()));
        let instead = Expression::of(self.body).operand(self.at, 0);
        let truth = matches!(operator, Operator::FalseReturns | Operator::TrueReturns);
        let description = match instead.as_str() {
            "0" if truth => format!("returns {what} instead of `false`"),
            "1" if truth => format!("returns {what} instead of `true`"),
            "…" => format!("returns {what} instead of the result"),
            value => format!("returns {what} instead of `{value}`"),
        };
        found.push(Finding::replacing((operator, ""), self.at, all, description));
    }

    /// `false`, `true`, as they are or boxed by `more`.
    fn truth(&self, more: Vec<Op>, known: Option<Literal>, found: &mut Vec<Finding>) {
        let kinds = [(Operator::FalseReturns, 0, "FALSE"), (Operator::TrueReturns, 1, "TRUE")];
        for (operator, value, constant) in kinds {
            let is_constant = self.origin.and_then(|origin| self.body.field(origin));
            let same = is_constant
                .is_some_and(|field| field.class == "java/lang/Boolean" && field.name == *constant);
            if same || known == Some(Literal::Int(value)) {
                continue;
            }
            let with = [vec![Op::Int(value)], more.clone()].concat();
            self.push(operator, with, &format!("`{}`", constant.to_lowercase()), found);
        }
    }

    fn object(&self, result: &str, found: &mut Vec<Finding>) {
        let body = self.body;
        let class = result.trim_start_matches('L').trim_end_matches(';');
        let is_class = result.starts_with('L');
        if is_class && class == "java/lang/String" {
            if self.origin.and_then(|origin| body.text_at(origin)).as_deref() != Some("") {
                let with = vec![Op::Text(String::new())];
                self.push(Operator::EmptyReturns, with, "`\"\"`", found);
            }
        } else if let Some((class, of)) = BOXES.iter().find(|known| is_class && known.0 == class) {
            let zero = zero(of);
            if self.boxed() != Some(zero) {
                let with = vec![push(zero), value_of(class, of)];
                self.push(Operator::EmptyReturns, with, "0", found);
            }
        } else if let Some((class, (owner, name, interface), what)) =
            EMPTY.iter().find(|known| is_class && known.0 == class)
        {
            let made = self.origin.is_some_and(|origin| body.calls(origin, owner, name));
            if !made {
                let returned = match *owner {
                    "java/util/Collections" => format!("java/util/{}", &name["empty".len()..]),
                    _ => (*class).to_owned(),
                };
                let with = vec![Op::Call {
                    class: (*owner).to_owned(),
                    name: (*name).to_owned(),
                    descriptor: format!("()L{returned};"),
                    interface: *interface,
                }];
                self.push(Operator::EmptyReturns, with, what, found);
            }
        } else if !body.never_null && !self.is_null() {
            let with = vec![Op::Plain(ACONST_NULL)];
            self.push(Operator::NullReturns, with, "`null`", found);
        }
    }

    fn is_null(&self) -> bool {
        self.body.operand(self.at, 0).is_some_and(|operand| operand.kind == Kind::Null)
    }
}
