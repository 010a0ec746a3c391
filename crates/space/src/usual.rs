//! The context that a class has if nobody says otherwise, as in the paper's study (section 6.2): all
//! its methods, all their types, two primitive values, one object of each class.
//!
//! Beyond the study: constructors and constants of the classes that its methods take, because a class
//! whose arguments nothing makes would only ever be given `null`; `Integer`s where a type variable or
//! a general type is expected, as the study's wrappers had them; and strings have values like
//! primitive types. Methods of `Object` that a class does not declare are left out.

use std::collections::HashSet;
use std::sync::Arc;

use model::{
    Class, ClassKind, ClassName, ClassSource, Hierarchy, Method, Operation, OperationKind, Origin,
    Primitive, Type, member_accessible, type_accessible,
};

use crate::context::paper_inputs;
use crate::{Context, ContextError, Pool, value};

/// How often makers are looked for of what makers take.
const ROUNDS: usize = 3;
/// How many makers are added at most: they take part in every choice of a call.
const MAX_MAKERS: usize = 24;

impl Context {
    /// The usual context of a class.
    pub fn of_class(class: &Class, classes: &dyn ClassSource) -> Result<Self, ContextError> {
        let package = package_of_tests(class);
        let mut methods = methods_of(class, classes, &package);
        add_makers(&mut methods, classes, &package);
        let pools = usual_pools(&methods, &[]);
        Self::new(methods, pools, classes)
    }
}

/// The package that tests of a class are in.
pub(crate) fn package_of_tests(class: &Class) -> String {
    match class.origin {
        Origin::Jdk => String::new(),
        Origin::Project | Origin::Dependency => class.name.package().to_owned(),
    }
}

/// What can be called of a class from a package: constructors, constants, methods, inherited ones
/// too, in the order of declaration.
pub(crate) fn methods_of(
    class: &Class,
    classes: &dyn ClassSource,
    package: &str,
) -> Vec<Arc<Operation>> {
    let mut found = makers_of(class, classes, package);
    let mut seen: HashSet<(Arc<str>, Vec<Type>)> = HashSet::new();
    for declaring in classes.supertypes(&class.name) {
        if declaring.name.as_internal() == "java/lang/Object" {
            continue;
        }
        for method in declaring.methods.iter().filter(|method| !method.is_constructor()) {
            let params = method.params.iter().map(|param| param.ty.clone()).collect();
            if !seen.insert((method.name.clone(), params)) {
                continue;
            }
            let access = method.access;
            // Static methods of interfaces are not inherited.
            let is_lost =
                declaring.name != class.name && access.is_static() && declaring.is_interface();
            let is_plain = !access.is_synthetic() && !access.is_bridge();
            let reachable =
                is_plain && !is_lost && member_accessible(classes, &declaring, access, package);
            let op = Operation::of_method(class, method);
            if reachable && types_accessible(&op, classes, package) {
                found.push(Arc::new(op));
            }
        }
    }
    found
}

/// Constructors and constants of a class.
fn makers_of(class: &Class, classes: &dyn ClassSource, package: &str) -> Vec<Arc<Operation>> {
    let mut found = Vec::new();
    if class.kind == ClassKind::Enum {
        let constants = class.enum_constants();
        found.extend(constants.map(|field| Arc::new(Operation::of_field(class, field))));
    }
    if class.is_instantiable() {
        let reachable = |method: &&Method| {
            !method.access.is_synthetic()
                && member_accessible(classes, class, method.access, package)
        };
        let constructors = class.constructors().filter(reachable);
        let operations = constructors.map(|method| Operation::of_method(class, method));
        let usable = operations.filter(|op| types_accessible(op, classes, package));
        found.extend(usable.map(Arc::new));
    }
    found
}

fn types_accessible(op: &Operation, classes: &dyn ClassSource, package: &str) -> bool {
    op.params.iter().chain(&op.result).all(|ty| type_accessible(classes, ty, package))
}

/// Adds constructors and constants of classes that are wanted and that nothing makes.
pub(crate) fn add_makers(
    methods: &mut Vec<Arc<Operation>>,
    classes: &dyn ClassSource,
    package: &str,
) {
    let own = methods.len();
    for _ in 0..ROUNDS {
        let mut wanted: Vec<ClassName> = Vec::new();
        for ty in methods.iter().flat_map(|op| paper_inputs(op)) {
            let Some(name) = ty.as_class() else { continue };
            let made = |op: &Arc<Operation>| {
                op.result.as_ref().is_some_and(|result| classes.is_subtype(result, ty))
            };
            let has_values = !value::usual(ty).is_empty() || takes_integer(ty);
            if !has_values && !wanted.contains(name) && !methods.iter().any(made) {
                wanted.push(name.clone());
            }
        }
        let before = methods.len();
        for class in wanted.iter().filter_map(|name| classes.class(name)) {
            for maker in makers_of(&class, classes, package) {
                if methods.len() - own < MAX_MAKERS && !methods.contains(&maker) {
                    methods.push(maker);
                }
            }
        }
        if methods.len() == before {
            break;
        }
    }
}

/// Whether the study's wrappers would have taken an `Integer` there.
fn takes_integer(ty: &Type) -> bool {
    ty.as_class().is_some_and(|name| {
        matches!(
            name.as_internal(),
            "java/lang/Object" | "java/lang/Comparable" | "java/lang/Number"
        )
    })
}

/// A pool for each type that the methods mention, in the order in which they do, after those given.
pub(crate) fn usual_pools(methods: &[Arc<Operation>], given: &[Pool]) -> Vec<Pool> {
    let mut pools = given.to_vec();
    let mut types: Vec<Type> = Vec::new();
    for op in methods {
        types.extend(paper_inputs(op).chain(&op.result).cloned());
        let is_array = op.kind == OperationKind::Array;
        if !is_array && paper_inputs(op).any(takes_integer) {
            types.push(Type::class(Primitive::Int.boxed()));
        }
    }
    for ty in types {
        if !pools.iter().any(|pool| pool.ty == ty) {
            pools.push(usual_pool(ty));
        }
    }
    pools
}

/// The pool that a type has if nobody says otherwise.
pub(crate) fn usual_pool(ty: Type) -> Pool {
    let values = value::usual(&ty);
    Pool { size: values.len().max(1) as u32, ty, values }
}
