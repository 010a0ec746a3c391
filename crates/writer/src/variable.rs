//! Names of local variables.
//!
//! A value is named after what it is for (the parameter it is passed to), else after where it comes
//! from (the property or constant read), else after its type.

use std::collections::HashSet;

use model::{
    Answer, Class, ClassName, Hierarchy, Literal, Method, Observation, Operation, OperationKind,
    Passed, Piece, Temporary, Type, UnitTest,
};

use crate::flow::{Flow, From, Use, ValueId, claimed};
use crate::generics::Scope;
use crate::identifier::{is_variable_name, lower_camel};
use crate::imports::simple_names;
use crate::temporary;

/// The variable names of one test method.
pub(crate) struct Names {
    taken: HashSet<String>,
    /// Parameters of lambdas and of methods of anonymous classes: they may share names with each
    /// other, never with a variable.
    parameters: HashSet<String>,
}

impl Names {
    /// None taken but those that would hide a class or package the test mentions (JLS §6.4.2).
    pub(crate) fn new(scope: Scope, test: &UnitTest) -> Self {
        let mut taken = HashSet::new();
        for class in mentioned(test) {
            taken.extend(simple_names(scope.classes, &class));
            taken.extend(class.package().split('/').next().map(str::to_owned));
        }
        taken.extend(["org", "java"].map(str::to_owned));
        if Temporary::is_used_in(&test.case) {
            taken.insert(temporary::FIELD.to_owned());
        }
        Self { taken, parameters: HashSet::new() }
    }

    /// The name, with a number if it is taken.
    pub(crate) fn fresh(&mut self, base: &str) -> String {
        let base = if is_variable_name(base) { base } else { "value" };
        let numbered = (2..).map(|n| format!("{base}{n}"));
        let name = std::iter::once(base.to_owned())
            .chain(numbered)
            .find(|name| !self.taken.contains(name) && !self.parameters.contains(name))
            .expect("there are endless numbers");
        self.taken.insert(name.clone());
        name
    }

    /// The name for a parameter beside others, with a number if it is taken.
    pub(crate) fn parameter(&mut self, base: &str, beside: &[String]) -> String {
        let numbered = (2..).map(|n| format!("{base}{n}"));
        let name = std::iter::once(base.to_owned())
            .chain(numbered)
            .find(|name| !self.taken.contains(name) && !beside.contains(name))
            .expect("there are endless numbers");
        self.parameters.insert(name.clone());
        name
    }
}

/// All classes that may be spelled in the test.
fn mentioned(test: &UnitTest) -> Vec<ClassName> {
    fn ty(found: &mut Vec<ClassName>, ty: &Type) {
        found.extend(ty.innermost().as_class().cloned());
    }
    fn op(found: &mut Vec<ClassName>, op: &Operation) {
        found.push(op.owner.clone());
        op.params.iter().chain(&op.result).for_each(|t| ty(found, t));
        for method in op.implementation.iter().flat_map(|i| &i.methods) {
            method.params.iter().chain(&method.result).for_each(|t| ty(found, t));
            if let Answer::Throws(class) = &method.answer {
                found.push(class.clone());
            }
        }
    }
    fn observation(found: &mut Vec<ClassName>, seen: &Observation) {
        match seen {
            Observation::Nothing | Observation::Null => {}
            Observation::Value { value, .. } => {
                if let Literal::Class(Some(class)) = value {
                    ty(found, class);
                }
            }
            Observation::Enum { class, .. } => found.push(class.clone()),
            Observation::Array { element, elements, .. } => {
                ty(found, element);
                elements.iter().flatten().for_each(|e| observation(found, e));
            }
            Observation::Object { views, .. } => views.iter().for_each(|(view, seen)| {
                op(found, view);
                observation(found, seen);
            }),
        }
    }
    let mut found = Vec::new();
    for slot in &test.case.slots {
        ty(&mut found, &slot.ty);
        if let Some(Literal::Class(Some(class))) = &slot.init {
            ty(&mut found, class);
        }
    }
    test.case.calls.iter().for_each(|call| op(&mut found, &call.op));
    if let Some(restated) = claimed(test) {
        restated.before.iter().for_each(|kept| ty(&mut found, &kept.ty));
        found.extend(restated.templates().flatten().filter_map(|piece| match piece {
            Piece::Class(class) => Some(class.clone()),
            _ => None,
        }));
    }
    for check in &test.checks {
        use model::CheckKind::{Holds, NotNull, Same, Verified, View};
        match &check.kind {
            Holds(_, seen) => observation(&mut found, seen),
            View(_, view, seen) => {
                op(&mut found, view);
                observation(&mut found, seen);
            }
            NotNull(_) | Same(..) => {}
            Verified(verified) => {
                op(&mut found, &verified.method);
                for passed in &verified.args {
                    if let Passed::Value(seen) = passed {
                        observation(&mut found, seen);
                    }
                }
            }
        }
    }
    found
}

/// The name a value would best have.
pub(crate) fn base_name(scope: Scope, test: &UnitTest, flow: &Flow, value: ValueId) -> String {
    let value = &flow.values[value.0];
    let ty = test.case.ty(value.slot);
    let is_receiver = value.uses.iter().any(|u| match u {
        Use::Argument { call, position: 0 } => test.case.calls[*call].op.has_receiver(),
        _ => false,
    });
    let origin = match value.from {
        From::Initial => None,
        From::Call(call) | From::Guarded { call, .. } => origin_name(&test.case.calls[call].op, ty),
    };
    let purpose = || {
        value.uses.iter().find_map(|u| match u {
            Use::Argument { call, position } => {
                parameter_name(scope, &test.case.calls[*call].op, *position)
            }
            _ => None,
        })
    };
    let purpose = if is_receiver { None } else { purpose() };
    purpose.or(origin).unwrap_or_else(|| type_name(scope, ty))
}

/// The method or constructor an operation calls, and the class that declares it.
pub(crate) fn declaration(scope: Scope, op: &Operation) -> Option<(std::sync::Arc<Class>, usize)> {
    let descriptor_params = op.arguments();
    scope.classes.supertypes(&op.owner).into_iter().find_map(|class| {
        let matches =
            |m: &Method| m.name == op.name && m.params.iter().map(|p| &p.ty).eq(descriptor_params);
        let index = class.methods.iter().position(matches)?;
        (!op.name.starts_with('<') || class.name == op.owner).then_some((class, index))
    })
}

/// The declared name of the parameter at a position, where it says something.
pub(crate) fn parameter_name(scope: Scope, op: &Operation, position: usize) -> Option<String> {
    let position = position.checked_sub(usize::from(op.has_receiver()))?;
    let (class, index) = declaration(scope, op)?;
    let name = class.methods[index].params.get(position)?.name.as_deref()?;
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let made_up = stem != name && ["arg", "p", "param", "var", "paramAnonymous"].contains(&stem);
    (name.chars().count() > 1 && !made_up && is_variable_name(name)).then(|| name.to_owned())
}

/// Methods whose name says what they do, not what they give.
const VERBS: &[&str] = &[
    "apply", "build", "call", "clone", "close", "create", "get", "is", "next", "nextval", "of",
    "peek", "poll", "pop", "previous", "read", "remove", "run", "take", "test", "to",
];

/// The property or constant an operation reads, `getBalance` being `balance`.
fn origin_name(op: &Operation, ty: &Type) -> Option<String> {
    let plain = ty.as_primitive().is_some()
        || matches!(
            ty.as_class().map(ClassName::as_internal),
            Some("java/lang/String" | "java/lang/Object")
        );
    match op.kind {
        OperationKind::StaticField | OperationKind::InstanceField => Some(lower_camel(&op.name)),
        OperationKind::InstanceMethod | OperationKind::StaticMethod => {
            let getter = ["get", "is", "has"].iter().find_map(|prefix| {
                let rest = op.name.strip_prefix(prefix)?;
                (op.arguments().is_empty() && rest.starts_with(|c: char| c.is_uppercase()))
                    .then(|| lower_camel(rest))
            });
            let getter = getter.filter(|name| is_variable_name(name) && name != "class");
            let noun = || {
                let word = op.arguments().is_empty() && op.name.chars().all(char::is_lowercase);
                (plain && word && !VERBS.contains(&&*op.name)).then(|| op.name.to_string())
            };
            getter.or_else(noun).or_else(|| plain.then(|| "result".to_owned()))
        }
        OperationKind::Temporary => temporary::variable_name(op).map(str::to_owned),
        OperationKind::Constructor
        | OperationKind::SetField
        | OperationKind::Array
        | OperationKind::Implement
        | OperationKind::Inject => None,
    }
    .filter(|name| is_variable_name(name))
}

/// A name for any value of the type.
fn type_name(scope: Scope, ty: &Type) -> String {
    match ty {
        Type::Primitive(_) => "value".to_owned(),
        Type::Class(name) => {
            let simple = simple_names(scope.classes, name);
            lower_camel(simple.last().expect("a class has a name"))
        }
        Type::Array(_) => {
            let name = match ty.innermost() {
                Type::Primitive(p) => p.keyword().to_owned(),
                inner => type_name(scope, inner),
            };
            plural(&name)
        }
    }
}

fn plural(name: &str) -> String {
    match name {
        _ if name.ends_with(['s', 'x', 'z']) || name.ends_with("ch") || name.ends_with("sh") => {
            format!("{name}es")
        }
        _ if name.ends_with('y')
            && !name.ends_with("ay")
            && !name.ends_with("ey")
            && !name.ends_with("oy") =>
        {
            format!("{}ies", &name[..name.len() - 1])
        }
        _ => format!("{name}s"),
    }
}
