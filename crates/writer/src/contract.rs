//! Contracts of `Object`, `Comparable` and `Cloneable` as plain assertions.
//!
//! An implication is written as its premises and its conclusion, all asserted: the test shows the
//! objects for which the premises hold and the conclusion does not.

use model::{ClassName, Contract, Operation, OperationKind, Type};

use crate::assertion::Assertions;
use crate::call::{self, Argument};
use crate::doc::Doc;
use crate::generics::{Scope, Static};
use crate::literal::Expr;
use crate::rejection::Rejection;

const OBJECT: &str = "java/lang/Object";

/// Writes the assertions of a contract that the values break.
pub(crate) fn assertions(
    out: &mut Assertions,
    contract: Contract,
    values: &[Expr],
) -> Result<Vec<Doc>, Rejection> {
    let scope = out.scope;
    let [a, ..] = values else { return Err(Rejection::Dangling { what: "the failure" }) };
    let at = |index: usize| values.get(index).unwrap_or(a);
    let (b, c) = (at(1), at(2));
    let equals = |a: &Expr, b: &Expr| invoke(scope, a, "equals", Some(b), "Z");
    let hash = |a: &Expr| invoke(scope, a, "hashCode", None, "I");
    let compare = |a: &Expr, b: &Expr| invoke(scope, a, "compareTo", Some(b), "I");
    let zero = || Doc::text("0");
    Ok(match contract {
        Contract::EqualsReflexive => vec![out.assert("assertTrue", vec![equals(a, a)?])],
        Contract::EqualsSymmetric => {
            vec![out.assert("assertEquals", vec![equals(a, b)?, equals(b, a)?])]
        }
        Contract::EqualsTransitive => vec![
            out.assert("assertTrue", vec![equals(a, b)?]),
            out.assert("assertTrue", vec![equals(b, c)?]),
            out.assert("assertTrue", vec![equals(a, c)?]),
        ],
        Contract::EqualsNull => {
            let null = Expr::primary(Doc::text("null"), Static::Null);
            vec![out.assert("assertFalse", vec![equals(a, &null)?])]
        }
        Contract::EqualsHashCode => vec![
            out.assert("assertTrue", vec![equals(a, b)?]),
            out.assert("assertEquals", vec![hash(a)?, hash(b)?]),
        ],
        Contract::CompareAntisymmetric => {
            let back = Doc::Seq(vec![Doc::text("-"), sign(compare(b, a)?)]);
            vec![out.assert("assertEquals", vec![sign(compare(a, b)?), back])]
        }
        Contract::CompareTransitive => vec![
            out.assert("assertTrue", vec![positive(compare(a, b)?)]),
            out.assert("assertTrue", vec![positive(compare(b, c)?)]),
            out.assert("assertTrue", vec![positive(compare(a, c)?)]),
        ],
        Contract::CompareConsistent => vec![
            out.assert("assertEquals", vec![zero(), compare(a, b)?]),
            out.assert("assertEquals", vec![sign(compare(a, c)?), sign(compare(b, c)?)]),
        ],
        Contract::CompareReflexive => {
            vec![out.assert("assertEquals", vec![zero(), compare(a, a)?])]
        }
        Contract::CloneFresh => {
            let clone = clone_of(scope, a)?;
            vec![out.assert("assertNotSame", vec![a.doc.clone(), clone])]
        }
        Contract::CloneClass => {
            let class = |doc: Doc| Doc::Seq(vec![doc, Doc::text(".getClass()")]);
            let clone = class(clone_of(scope, a)?);
            vec![out.assert("assertEquals", vec![class(a.clone().operand()), clone])]
        }
        Contract::ToStringReturns => {
            vec![invoke(scope, a, "toString", None, "Ljava/lang/String;")?]
        }
        Contract::HashCodeReturns => vec![hash(a)?],
        Contract::EqualsReturns => vec![equals(a, b)?],
    })
}

/// Whether the contract calls `clone`, which may declare an exception.
pub(crate) fn may_throw(contract: Contract) -> bool {
    matches!(contract, Contract::CloneFresh | Contract::CloneClass)
}

fn sign(doc: Doc) -> Doc {
    let class = Doc::Class(ClassName::internal("java/lang/Integer"));
    Doc::call(Doc::Seq(vec![class, Doc::text(".signum")]), vec![doc])
}

fn positive(doc: Doc) -> Doc {
    Doc::Seq(vec![doc, Doc::text(" > 0")])
}

fn clone_of(scope: Scope, a: &Expr) -> Result<Doc, Rejection> {
    invoke(scope, a, "clone", None, "Ljava/lang/Object;")
}

/// `a.name(argument)`, of a method of `Object` or `Comparable`.
fn invoke(
    scope: Scope,
    receiver: &Expr,
    name: &str,
    argument: Option<&Expr>,
    result: &str,
) -> Result<Doc, Rejection> {
    let owner = if name == "compareTo" { "java/lang/Comparable" } else { OBJECT };
    let mut params = vec![Type::class(owner)];
    params.extend(argument.map(|_| Type::object()));
    let op = Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal(owner),
        name: name.into(),
        params,
        result: Some(Type::parse(result).expect("the descriptors above are well formed")),
    };
    let args: Vec<Argument> = std::iter::once(receiver)
        .chain(argument)
        .map(|expr| Argument { expr: expr.clone(), elements: None })
        .collect();
    Ok(call::write(scope, &op, &args, &[])?.expr.doc)
}
