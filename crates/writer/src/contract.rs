//! Contracts of `Object`, `Comparable`, `Comparator` and `Cloneable` as plain assertions.
//!
//! An implication is written as its premises and its conclusion, all asserted: the test shows the
//! objects for which the premises hold and the conclusion does not.

use model::{ClassName, Contract, Operation, OperationKind, Type};

use crate::assertion::Assertions;
use crate::call::{self, Argument, Goal};
use crate::doc::Doc;
use crate::generics::{Scope, Static};
use crate::literal::Expr;
use crate::rejection::Rejection;

const OBJECT: &str = "java/lang/Object";
const COMPARABLE: &str = "java/lang/Comparable";
const COMPARATOR: &str = "java/util/Comparator";

/// Writes the assertions of a contract that the values break.
pub(crate) fn assertions(
    out: &mut Assertions,
    contract: Contract,
    values: &[Expr],
) -> Result<Vec<Doc>, Rejection> {
    let scope = out.scope;
    // `flow` saw to it that there are as many values as the contract speaks of.
    let [a, rest @ ..] = values else { return Err(Rejection::Dangling { what: "the failure" }) };
    let at = |index: usize| rest.get(index).unwrap_or(a);
    let (b, c, d) = (at(0), at(1), at(2));
    let equals = |a: &Expr, b: &Expr| invoke(scope, OBJECT, "equals", &[a, b], "Z");
    let hash = |a: &Expr| invoke(scope, OBJECT, "hashCode", &[a], "I");
    let compare = |x: &Expr, y: &Expr| {
        if contract.is_of_comparator() {
            invoke(scope, COMPARATOR, "compare", &[a, x, y], "I")
        } else {
            invoke(scope, COMPARABLE, "compareTo", &[x, y], "I")
        }
    };
    // What is compared: a comparator comes before it.
    let (x, y, z) = if contract.is_of_comparator() { (b, c, d) } else { (a, b, c) };
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
        Contract::CompareAntisymmetric | Contract::ComparatorAntisymmetric => {
            let back = Doc::Seq(vec![Doc::text("-"), sign(compare(y, x)?)]);
            vec![out.assert("assertEquals", vec![sign(compare(x, y)?), back])]
        }
        Contract::CompareTransitive | Contract::ComparatorTransitive => vec![
            out.assert("assertTrue", vec![positive(compare(x, y)?)]),
            out.assert("assertTrue", vec![positive(compare(y, z)?)]),
            out.assert("assertTrue", vec![positive(compare(x, z)?)]),
        ],
        Contract::CompareConsistent | Contract::ComparatorConsistent => vec![
            out.assert("assertEquals", vec![zero(), compare(x, y)?]),
            out.assert("assertEquals", vec![sign(compare(x, z)?), sign(compare(y, z)?)]),
        ],
        Contract::CompareReflexive | Contract::ComparatorReflexive => {
            vec![out.assert("assertEquals", vec![zero(), compare(x, x)?])]
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
            vec![invoke(scope, OBJECT, "toString", &[a], "Ljava/lang/String;")?]
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
    invoke(scope, OBJECT, "clone", &[a], "Ljava/lang/Object;")
}

/// `a.name(b, ...)`, of a method of `Object`, `Comparable` or `Comparator`, which take objects.
fn invoke(
    scope: Scope,
    owner: &str,
    name: &str,
    values: &[&Expr],
    result: &str,
) -> Result<Doc, Rejection> {
    let mut params = vec![Type::object(); values.len()];
    params[0] = Type::class(owner);
    let op = Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal(owner),
        name: name.into(),
        params,
        result: Some(Type::parse(result).expect("the descriptors above are well formed")),
        implementation: None,
    };
    let args: Vec<Argument> =
        values.iter().map(|expr| Argument { expr: (*expr).clone(), elements: None }).collect();
    Ok(call::write(scope, &op, &args, Goal::Nothing)?.expr.doc)
}
