//! Which operations make objects, which change them (requirement J7; section III-C.1 of the paper).
//!
//! A class is basic constructors, which make an object without another one of the class, extended
//! constructors, which need one, mutators, and observers, which building objects has no use for.
//! Signatures tell, and contracts where there are any: they make static methods and methods with a
//! result mutators too.
//!
//! Beyond the paper: settings of public fields are mutators (requirement J15), constants of the
//! class are basic constructors, and so is what tests write for an interface that nothing
//! implements.

use model::{ClassSource, Operation, OperationKind, Primitive, Type};

use super::facts::Facts;
use crate::api::{Api, OpId, TypeId};

/// What an operation is to a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Makes an object of the class without another one.
    BasicConstructor,
    /// Makes an object of the class, and needs one for that.
    ExtendedConstructor,
    /// May change an object of the class.
    Mutator,
    /// None of these.
    Observer,
}

/// The role of an operation to a class.
pub fn role(classes: &dyn ClassSource, facts: &Facts, class: &Type, op: &Operation) -> Role {
    let said = facts.of(classes, op);
    let takes_one = op.arguments().contains(class);
    let constructor = if takes_one { Role::ExtendedConstructor } else { Role::BasicConstructor };
    let changes = said.is_some_and(|said| said.assigns == Some(true));
    match op.kind {
        OperationKind::Constructor
        | OperationKind::StaticField
        | OperationKind::Implement
        | OperationKind::Temporary
        | OperationKind::Array => constructor,
        OperationKind::StaticMethod if said.is_some_and(|said| said.pure && !said.fresh_result) => {
            Role::Observer
        }
        OperationKind::StaticMethod
            if op.result.as_ref() == Some(class) && said.is_none_or(|said| said.fresh_result) =>
        {
            constructor
        }
        OperationKind::StaticMethod if changes && takes_one => Role::Mutator,
        OperationKind::InstanceMethod if said.is_some_and(|said| said.pure) => Role::Observer,
        OperationKind::InstanceMethod => {
            let is_void = op.result.is_none();
            // A contract that names no places lets everything be changed.
            let may = said.map_or(is_void, |said| said.assigns.unwrap_or(true));
            if may { Role::Mutator } else { Role::Observer }
        }
        OperationKind::SetField => Role::Mutator,
        _ => Role::Observer,
    }
}

/// The operations by what they are to each type.
#[derive(Debug)]
pub(super) struct Roles {
    creators: Vec<Vec<OpId>>,
    /// Those that need no objects of other classes.
    simple: Vec<Vec<OpId>>,
    /// With the place of the object among the parameters.
    mutators: Vec<Vec<(OpId, usize)>>,
    is_avoided: Vec<bool>,
    /// Those that change nothing, as their contracts say.
    is_pure: Vec<bool>,
}

impl Roles {
    pub(super) fn of(api: &Api, classes: &dyn ClassSource, facts: &Facts, avoid: &[OpId]) -> Self {
        let types = || (0..api.type_count() as u32).map(TypeId);
        let creators: Vec<Vec<OpId>> =
            types().map(|ty| creators(api, classes, facts, ty)).collect();
        let is_written = |ty: &TypeId| {
            !api.literals(*ty).is_empty() || matches!(api.ty(*ty), Type::Primitive(_))
        };
        let is_simple = |op: &OpId| api.params(*op).iter().all(is_written);
        let simple = creators.iter().map(|all| all.iter().copied().filter(is_simple).collect());
        let simple = simple.collect();
        let mutators = types().map(|ty| mutators(api, classes, facts, ty)).collect();
        let is_avoided = vec![false; api.operations().count()];
        let says_pure = |op| facts.of(classes, api.operation(op)).is_some_and(|said| said.pure);
        let is_pure = api.operations().map(says_pure).collect();
        let mut roles = Self { creators, simple, mutators, is_avoided, is_pure };
        for op in avoid {
            roles.avoid(api, *op);
        }
        roles
    }

    /// What makes a value of the type, without objects of other classes if it is to be `simple`.
    pub(super) fn creators(&self, ty: TypeId, simple: bool) -> &[OpId] {
        let all = if simple { &self.simple } else { &self.creators };
        &all[ty.0 as usize]
    }

    /// What changes an object of the type.
    pub(super) fn mutators(&self, ty: TypeId) -> &[(OpId, usize)] {
        &self.mutators[ty.0 as usize]
    }

    /// Whether a contract says that it changes nothing.
    pub(super) fn is_pure(&self, op: OpId) -> bool {
        self.is_pure[op.0 as usize]
    }

    /// Whether it is known to change what it is called on, if that is of the type.
    pub(super) fn changes(&self, api: &Api, ty: TypeId, op: OpId) -> bool {
        self.mutators(ty).iter().any(|(mutator, _)| api.first(*mutator) == api.first(op))
    }

    pub(super) fn may_call(&self, op: OpId) -> bool {
        !self.is_avoided[op.0 as usize]
    }

    pub(super) fn avoid(&mut self, api: &Api, op: OpId) {
        let first = api.first(op);
        for variant in api.variants(first) {
            self.is_avoided[variant.0 as usize] = true;
        }
        for of_type in self.creators.iter_mut().chain(&mut self.simple) {
            of_type.retain(|op| api.first(*op) != first);
        }
        for of_type in &mut self.mutators {
            of_type.retain(|(op, _)| api.first(*op) != first);
        }
    }
}

/// What makes values of a type: of its very class, or else of those that can be used as it. Numbers and
/// texts are drawn instead.
fn creators(api: &Api, classes: &dyn ClassSource, facts: &Facts, ty: TypeId) -> Vec<OpId> {
    if is_drawn(api.ty(ty)) {
        return Vec::new();
    }
    let makes = |op: &OpId| {
        let operation = api.operation(*op);
        let class = operation.result.as_ref().unwrap_or(api.ty(ty));
        let role = role(classes, facts, class, operation);
        operation.kind != OperationKind::Inject
            && matches!(role, Role::BasicConstructor | Role::ExtendedConstructor)
    };
    let all: Vec<OpId> = api.makers(ty).iter().copied().filter(makes).collect();
    let is_exact = |op: &OpId| api.operation(*op).result.as_ref() == Some(api.ty(ty));
    let exact: Vec<OpId> = all.iter().copied().filter(is_exact).collect();
    let mut found = if exact.is_empty() { all } else { exact };
    if found.is_empty() {
        // What others give away is better than nothing.
        found = api.makers(ty).to_vec();
        found.retain(|op| {
            let operation = api.operation(*op);
            let gives = matches!(
                operation.kind,
                OperationKind::InstanceMethod | OperationKind::InstanceField
            );
            gives && operation.params.first() != operation.result.as_ref()
        });
    }
    for_callers(api, found, |op| *op)
}

/// Whether values of a type are drawn: primitives, boxed ones, texts.
pub(super) fn is_drawn(ty: &Type) -> bool {
    match ty {
        Type::Primitive(_) => true,
        Type::Class(name) => {
            *ty == Type::string() || Primitive::unboxed(name.as_internal()).is_some()
        }
        Type::Array(_) => false,
    }
}

/// What changes objects of a type, each method once: as its very class has it, if that does.
fn mutators(api: &Api, classes: &dyn ClassSource, facts: &Facts, ty: TypeId) -> Vec<(OpId, usize)> {
    let Type::Class(class) = api.ty(ty) else { return Vec::new() };
    let mut found: Vec<(OpId, usize)> = Vec::new();
    for op in api.operations() {
        let operation = api.operation(op);
        let is_of = |param: &TypeId| api.fits(ty).contains(param);
        let at = match operation.kind {
            OperationKind::InstanceMethod | OperationKind::SetField => {
                api.params(op).first().filter(|first| is_of(first)).map(|_| 0)
            }
            OperationKind::StaticMethod => {
                api.params(op).iter().position(|param| is_of(param) && api.ty(*param) == api.ty(ty))
            }
            _ => None,
        };
        let Some(at) = at else { continue };
        if role(classes, facts, &operation.params[at], operation) != Role::Mutator {
            continue;
        }
        let is_same = |other: &(OpId, usize)| {
            let other = api.operation(other.0);
            (other.kind, &other.name, other.arguments())
                == (operation.kind, &operation.name, operation.arguments())
        };
        match found.iter().position(is_same) {
            Some(known) if operation.owner == *class => found[known] = (op, at),
            Some(_) => {}
            None => found.push((op, at)),
        }
    }
    for_callers(api, found, |(op, _)| *op)
}

/// Those that callers of the class have too, if there are any: what is not for them may break what
/// they can rely upon.
fn for_callers<T>(api: &Api, all: Vec<T>, op: impl Fn(&T) -> OpId) -> Vec<T> {
    let is_for_them = |of: &T| {
        let operation = api.operation(op(of));
        let is_member = matches!(
            operation.kind,
            OperationKind::Constructor
                | OperationKind::StaticMethod
                | OperationKind::InstanceMethod
        );
        !is_member || api.is_public(op(of))
    };
    let has_any = all.iter().any(is_for_them);
    all.into_iter().filter(|of| !has_any || is_for_them(of)).collect()
}

#[cfg(test)]
mod tests {
    use model::ClassName;

    use super::*;
    use crate::jet::ContractFacts;
    use crate::testing::machine::Value;
    use crate::testing::world::{Body, STATIC, World, class};
    use crate::testing::{api, op};

    fn world() -> World {
        let quiet: Body = |_, _| Ok(Value::Null);
        let base = class("a/Base").method("reset()V", quiet);
        let mut account = class("a/Account")
            .constructor("(La/Account;)V", quiet)
            .member(1 | STATIC, "of(I)La/Account;", quiet)
            .member(1 | STATIC, "join(La/Account;La/Account;)La/Account;", quiet)
            .member(1 | STATIC, "audit(La/Account;)V", quiet)
            .method("deposit(I)V", quiet)
            .method("withdraw(I)Z", quiet)
            .method("balance()I", quiet);
        account.class.superclass = Some(ClassName::internal("a/Base"));
        World::of([base, account])
    }

    /// The role of a member, without and with what its contract says.
    fn check(member: &str, said: ContractFacts, plain: Role, told: Role) {
        let world = world();
        let name = ClassName::internal("a/Account");
        let op = op(&world, "a/Account", member);
        let class = Type::Class(name.clone());
        assert_eq!(role(&world, &Facts::default(), &class, &op), plain, "{member}");
        let mut facts = Facts::default();
        facts.tell(&name, member, op.arguments(), said);
        assert_eq!(role(&world, &facts, &class, &op), told, "{member}, {said:?}");
    }

    #[test]
    fn signatures_tell_roles_and_contracts_tell_better() {
        let none = ContractFacts::default();
        let pure = ContractFacts { pure: true, ..none };
        let fresh = ContractFacts { fresh_result: true, ..none };
        let assigns = ContractFacts { assigns: Some(true), ..none };
        let assigns_nothing = ContractFacts { assigns: Some(false), ..none };
        use Role::{BasicConstructor, ExtendedConstructor, Mutator, Observer};
        check("<init>", none, BasicConstructor, BasicConstructor);
        check("of", fresh, BasicConstructor, BasicConstructor);
        check("of", none, BasicConstructor, Observer);
        check("join", fresh, ExtendedConstructor, ExtendedConstructor);
        check("audit", assigns, Observer, Mutator);
        check("deposit", none, Mutator, Mutator);
        check("deposit", assigns_nothing, Mutator, Observer);
        check("deposit", pure, Mutator, Observer);
        check("withdraw", assigns, Observer, Mutator);
        check("balance", none, Observer, Mutator);
    }

    #[test]
    fn a_constructor_that_takes_an_object_of_the_class_is_extended() {
        let world = world();
        let account = Type::class("a/Account");
        let class = ClassSource::class(&world, &ClassName::internal("a/Account")).unwrap();
        let roles = class.constructors().map(|method| {
            role(&world, &Facts::default(), &account, &Operation::of_method(&class, method))
        });
        let roles: Vec<Role> = roles.collect();
        assert_eq!(roles, [Role::BasicConstructor, Role::ExtendedConstructor]);
    }

    #[test]
    fn inherited_methods_change_objects_too() {
        let world = world();
        let api = api(&world, "a/Account");
        let roles = Roles::of(&api, &world, &Facts::default(), &[]);
        let account = api.type_id(&Type::class("a/Account")).unwrap();
        let names = roles.mutators(account).iter().map(|(op, _)| api.operation(*op).name.clone());
        let mut names: Vec<_> = names.collect();
        names.sort();
        assert_eq!(names.iter().map(|name| &**name).collect::<Vec<_>>(), ["deposit", "reset"]);
        assert_eq!(roles.creators(account, false).len(), 4);
        assert_eq!(roles.creators(account, true).len(), 2);
    }
}
