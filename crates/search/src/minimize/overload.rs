//! Members that take a text as such: `new StringBuilder((CharSequence) "Abc")` is
//! `new StringBuilder("Abc")`.

use std::sync::Arc;

use model::{Hierarchy, Method, Operation, OperationKind, TestCase, Type};

/// The test with call `index` of the overload that takes the texts it is given as texts.
pub(super) fn of_texts(
    case: &TestCase,
    index: usize,
    classes: &impl Hierarchy,
) -> Option<TestCase> {
    let call = &case.calls[index];
    let kinds =
        [OperationKind::Constructor, OperationKind::StaticMethod, OperationKind::InstanceMethod];
    if !kinds.contains(&call.op.kind) {
        return None;
    }
    let given = call.args.iter().zip(&call.op.params);
    let wanted: Vec<Type> = given
        .map(|(slot, param)| {
            let decl = &case.slots[slot.index()];
            let is_text = decl.ty == Type::string() && decl.init.is_some();
            if is_text { Type::string() } else { param.clone() }
        })
        .collect();
    if wanted == call.op.params {
        return None;
    }
    let class = classes.class(&call.op.owner)?;
    let takes_them = |method: &&Method| {
        let op = Operation::of_method(&class, method);
        let same = op.kind == call.op.kind && op.name == call.op.name;
        same && op.result == call.op.result && op.params == wanted && method.access.is_public()
    };
    let method = class.methods.iter().find(takes_them)?;
    let mut candidate = case.clone();
    candidate.calls[index].op = Arc::new(Operation::of_method(&class, method));
    Some(candidate)
}
