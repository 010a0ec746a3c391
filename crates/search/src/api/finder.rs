//! Finds the operations of an [`Api`]: members of the class under test, then whatever makes their
//! arguments (`makers`), and what is written on the spot for those that nothing makes
//! (`implement`).

mod implement;
mod makers;

use std::sync::Arc;

use model::{
    Class, ClassName, Hierarchy, Implementations, Method, Operation, OperationKind, Origin, Type,
    is_identifier, member_accessible, type_accessible,
};
use rustc_hash::FxHashMap;

use super::literals::{literal_types, literals_of};
use super::{Api, OpId, TypeId};

/// Enum constants and static fields taken of one class.
const MAX_CONSTANTS: usize = 12;

pub(super) struct Finder<'w> {
    world: &'w dyn Implementations,
    package: String,
    api: Api,
    /// Types whose makers are still to be looked for.
    wanted: Vec<(TypeId, u32)>,
    explored: Vec<bool>,
    /// Whether classes are written on the spot.
    writes: bool,
}

impl<'w> Finder<'w> {
    pub(super) fn new(world: &'w dyn Implementations, class: &Class, writes: bool) -> Self {
        let api = Api {
            class: class.name.clone(),
            operations: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            subjects: Vec::new(),
            types: Vec::new(),
            type_ids: FxHashMap::default(),
            op_ids: FxHashMap::default(),
            op_ids_by_address: FxHashMap::default(),
            makers: Vec::new(),
            fits: Vec::new(),
            literals: Vec::new(),
            mutators: Vec::new(),
            needs_first: Vec::new(),
            is_public: Vec::new(),
            is_deprecated: Vec::new(),
        };
        let package = class.name.package().to_owned();
        Self { world, package, api, wanted: Vec::new(), explored: Vec::new(), writes }
    }

    fn type_id(&mut self, ty: &Type) -> TypeId {
        if let Some(id) = self.api.type_ids.get(ty) {
            return *id;
        }
        let id = TypeId(self.api.types.len() as u32);
        self.api.types.push(ty.clone());
        self.api.type_ids.insert(ty.clone(), id);
        self.explored.push(false);
        id
    }

    /// Adds an operation if every type in it can be named; its parameter types become wanted.
    fn add(&mut self, op: Operation, depth: u32) -> Option<OpId> {
        if let Some(id) = self.api.op_ids.get(&op) {
            return Some(*id);
        }
        let nameable = |ty: &Type| type_accessible(self.world, ty, &self.package);
        if !op.params.iter().all(nameable) {
            return None;
        }
        // A result that cannot be named can still be dropped, so it is of no type here.
        let result = op.result.clone().filter(|ty| nameable(ty));
        let mut params: Vec<TypeId> = op.params.iter().map(|ty| self.type_id(ty)).collect();
        if op.kind == OperationKind::Array {
            let element = op.param(0).clone();
            params = vec![self.type_id(&element)];
        }
        for param in &params {
            self.wanted.push((*param, depth));
        }
        let result = result.map(|ty| self.type_id(&ty));
        let needs_first = op.has_receiver()
            || (op.kind == OperationKind::Constructor
                && self.world.class(&op.owner).is_some_and(|c| c.outer_instance().is_some()));
        let id = OpId(self.api.operations.len() as u32);
        let op = Arc::new(op);
        self.api.op_ids_by_address.insert(Arc::as_ptr(&op).addr(), id);
        self.api.op_ids.insert(op.clone(), id);
        self.api.operations.push(op);
        self.api.params.push(params);
        self.api.results.push(result);
        self.api.needs_first.push(needs_first);
        self.api.is_public.push(self.is_public(id));
        self.api.is_deprecated.push(self.is_deprecated(id));
        Some(id)
    }

    /// Whether callers outside the package can make the call.
    fn is_public(&self, id: OpId) -> bool {
        let op = &self.api.operations[id.0 as usize];
        let descriptor = op.descriptor();
        self.world.supertypes(&op.owner).iter().any(|class| {
            class.access.is_public()
                && class.method(&op.name, &descriptor).is_some_and(|m| m.access.is_public())
        })
    }

    /// Whether the member, where it is declared, or the class that it is called on is deprecated.
    fn is_deprecated(&self, id: OpId) -> bool {
        let op = &self.api.operations[id.0 as usize];
        let descriptor = op.descriptor();
        let mut classes = self.world.supertypes(&op.owner).into_iter();
        let declared = classes.find_map(|c| c.method(&op.name, &descriptor).map(|m| m.deprecated));
        declared.unwrap_or(false) || self.world.class(&op.owner).is_some_and(|c| c.deprecated)
    }

    pub(super) fn add_subjects(&mut self, class: &Class) {
        let mut seen: Vec<(Arc<str>, Vec<Type>)> = Vec::new();
        for declaring in self.world.supertypes(&class.name) {
            let own = declaring.name == class.name;
            if !own && declaring.origin == Origin::Jdk {
                continue;
            }
            for method in &declaring.methods {
                if !self.is_usable(&declaring, method) || (!own && !inherits(method)) {
                    continue;
                }
                if method.is_constructor() && !(own && class.is_instantiable()) {
                    continue;
                }
                let key = (
                    method.name.clone(),
                    method.params.iter().map(|p| p.ty.clone()).collect::<Vec<_>>(),
                );
                if seen.contains(&key) {
                    continue;
                }
                // Static methods of interfaces are not inherited (JLS §8.4.8).
                let owner = if declaring.is_interface() && method.access.is_static() && !own {
                    continue;
                } else {
                    class
                };
                seen.push(key);
                if let Some(id) = self.add(Operation::of_method(owner, method), 0) {
                    self.api.subjects.push(id);
                }
            }
        }
        self.add_constants(class, 0);
        let id = self.type_id(&Type::Class(class.name.clone()));
        self.wanted.push((id, 0));
    }

    fn is_usable(&self, declaring: &Class, method: &Method) -> bool {
        let by_compiler = method.access.is_synthetic() || method.access.is_bridge();
        // The collector's, not a caller's.
        let is_finalizer = &*method.name == "finalize" && method.params.is_empty();
        !by_compiler
            && !is_finalizer
            && (method.is_constructor() || is_identifier(&method.name))
            && member_accessible(self.world, declaring, method.access, &self.package)
    }

    /// Enum constants and static fields that hold objects.
    fn add_constants(&mut self, class: &Class, depth: u32) {
        if is_of_process(&class.name) {
            return;
        }
        let fields: Vec<_> = class
            .fields
            .iter()
            .filter(|f| {
                f.access.is_static()
                    && f.access.is_final()
                    && !f.access.is_synthetic()
                    && (f.access.is_enum() || f.ty == Type::Class(class.name.clone()))
                    && member_accessible(self.world, class, f.access, &self.package)
            })
            .take(MAX_CONSTANTS)
            .cloned()
            .collect();
        for field in fields {
            self.add(Operation::of_field(class, &field), depth);
        }
    }

    pub(super) fn finish(mut self) -> Api {
        for ty in literal_types() {
            self.type_id(&ty);
        }
        let types = self.api.types.clone();
        let fits = |from: &Type| -> Vec<TypeId> {
            (0..types.len() as u32)
                .map(TypeId)
                .filter(|to| self.world.is_subtype(from, &types[to.0 as usize]))
                .collect()
        };
        let all_fits: Vec<Vec<TypeId>> = types.iter().map(fits).collect();
        let mut makers = vec![Vec::new(); types.len()];
        for (index, result) in self.api.results.iter().enumerate() {
            if let Some(result) = result {
                for ty in &all_fits[result.0 as usize] {
                    makers[ty.0 as usize].push(OpId(index as u32));
                }
            }
        }
        let mut literals = vec![Vec::new(); types.len()];
        for literal_type in literal_types() {
            let id = self.api.type_ids[&literal_type];
            for ty in &all_fits[id.0 as usize] {
                for value in literals_of(&literal_type, &self.api.class) {
                    literals[ty.0 as usize].push((literal_type.clone(), value));
                }
            }
        }
        self.api.fits = all_fits;
        self.api.makers = makers;
        self.api.literals = literals;
        self.api
    }
}

/// Whether a subclass has the method too.
fn inherits(method: &Method) -> bool {
    !method.is_constructor() && !method.access.is_private()
}

/// Whether the constants of a class belong to the process and not to a test: whoever closes the
/// descriptor of standard output takes it from the test runner, which talks to its parent by it.
fn is_of_process(name: &ClassName) -> bool {
    name.as_internal() == "java/io/FileDescriptor"
}
