//! Comparison feedback for switches over enums: every other constant in place of one.
//!
//! The number that such a switch goes by is an index into a table of the compiler's, so which
//! constant leads where is not known; there are few, and each is tried.

use std::sync::Arc;

use model::{Args, ClassName, Operation, OperationKind, TestCase, Type};

/// Tests in which a constant of the enum is another, or stands where something else does.
pub(crate) fn switched(
    case: &TestCase,
    class: &ClassName,
    constants: &[Arc<Operation>],
) -> Vec<TestCase> {
    let ty = Type::Class(class.clone());
    let is_constant = |at: usize| {
        let op = &case.calls[at].op;
        op.kind == OperationKind::StaticField
            && op.owner == *class
            && op.result.as_ref() == Some(&ty)
    };
    let mut found = Vec::new();
    let mut made = Vec::new();
    for at in (0..case.calls.len()).filter(|at| is_constant(*at)) {
        made.extend(case.calls[at].result);
        let others = constants.iter().filter(|op| op.name != case.calls[at].op.name);
        found.extend(others.map(|op| {
            let mut changed = case.clone();
            changed.calls[at].op = op.clone();
            changed
        }));
    }
    let Some(last) = case.calls.last() else { return found };
    let at = case.calls.len() - 1;
    for (position, param) in last.op.params.iter().enumerate() {
        let is_other = last.args.get(position).is_some_and(|slot| !made.contains(slot));
        if *param != ty || !is_other {
            continue;
        }
        for op in constants {
            let mut changed =
                TestCase { slots: case.slots.clone(), calls: case.calls[..at].to_vec() };
            let Some(constant) = changed.call(op, &Args::new()) else { continue };
            let mut last = last.clone();
            last.args[position] = constant;
            changed.calls.push(last);
            found.push(changed);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use model::Literal;

    use super::*;

    fn constant(name: &str) -> Arc<Operation> {
        let owner = ClassName::internal("Color");
        Arc::new(Operation {
            kind: OperationKind::StaticField,
            owner: owner.clone(),
            name: name.into(),
            params: Vec::new(),
            result: Some(Type::Class(owner)),
            implementation: None,
        })
    }

    fn painting() -> Arc<Operation> {
        Arc::new(Operation {
            kind: OperationKind::StaticMethod,
            owner: ClassName::internal("Brush"),
            name: "paint".into(),
            params: vec![Type::class("Color")],
            result: None,
            implementation: None,
        })
    }

    fn names(cases: &[TestCase]) -> Vec<String> {
        cases.iter().map(|case| case.calls[0].op.name.to_string()).collect()
    }

    #[test]
    fn each_other_constant_stands_in_place_of_one_and_of_null() {
        let color = ClassName::internal("Color");
        let all = ["RED", "GREEN", "BLUE"].map(constant);
        let mut case = TestCase::default();
        let red = case.call(&all[0], &[]).expect("a constant");
        case.call(&painting(), &[red]);
        assert_eq!(names(&switched(&case, &color, &all)), ["GREEN", "BLUE"]);
        let mut case = TestCase::default();
        let null = case.literal(Type::class("Color"), Literal::Null);
        case.call(&painting(), &[null]);
        assert_eq!(names(&switched(&case, &color, &all)), ["RED", "GREEN", "BLUE"]);
    }
}
