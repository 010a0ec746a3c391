//! Finds the operations of an [`Api`]: members of the class under test, then whatever makes their
//! arguments (`makers`), what is written on the spot for those that nothing makes (`implement`), and
//! mocks of what is left (`mock`).

mod anywhere;
mod asked;
mod buildable;
mod detective;
mod implement;
mod jdk;
mod makers;
mod mock;
mod mutators;
mod skeleton;
mod subjects;
mod temporary;
mod written;

pub use detective::Detective;
pub use mock::{Called, Mocking, is_mocked_if_missing};

use std::rc::Rc;
use std::sync::Arc;

use model::{
    Class, ClassName, Field, Hierarchy, Implementations, Literal, Method, Operation, OperationKind,
    Origin, Type, is_identifier, member_accessible, type_accessible,
};
use rustc_hash::FxHashMap;

use super::typed::Typed;
use super::typing::{Bindings, Shape, Super, Typing};
use super::{Api, Extras, OpId, TypeId};
use crate::answers::element_count;
use crate::readable::{texts_of_factories, texts_of_method};

/// Enum constants and static fields taken of one class.
const MAX_CONSTANTS: usize = 12;
/// The same of one of the JDK's classes.
const MAX_JDK_CONSTANTS: usize = 6;
/// With so many types, members under test have new ones without their arguments, and what needs
/// them to make arguments is left out.
const MAX_TYPES: usize = 600;

/// A method, by its class and its place there.
type Declared = (Arc<Class>, usize);

pub(super) struct Finder<'w> {
    world: &'w dyn Implementations,
    typing: Typing<'w>,
    package: String,
    api: Api,
    /// Types whose makers are still to be looked for.
    wanted: Vec<(TypeId, u32)>,
    explored: Vec<bool>,
    extras: &'w Extras,
    /// Methods that result in objects of a class, by the class.
    nearby: FxHashMap<ClassName, Rc<[Declared]>>,
    /// The number of each operation with each types.
    numbers: FxHashMap<(OpId, Vec<TypeId>, Option<TypeId>), OpId>,
}

impl<'w> Finder<'w> {
    pub(super) fn new(world: &'w dyn Implementations, class: &Class, extras: &'w Extras) -> Self {
        let api = Api {
            class: class.name.clone(),
            operations: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            firsts: Vec::new(),
            variants: Vec::new(),
            subjects: Vec::new(),
            file_names: None,
            types: Vec::new(),
            erased: Vec::new(),
            type_ids: FxHashMap::default(),
            op_ids: FxHashMap::default(),
            op_ids_by_address: FxHashMap::default(),
            makers: Vec::new(),
            fits: Vec::new(),
            of_class: FxHashMap::default(),
            literals: Vec::new(),
            texts: FxHashMap::default(),
            mutators: Vec::new(),
            needs_first: Vec::new(),
            is_wired: mock::is_wired(world, class),
            is_public: Vec::new(),
            is_deprecated: Vec::new(),
            element_counts: FxHashMap::default(),
        };
        let package = class.name.package().to_owned();
        // `equals` tests for the class itself, which is not what the class is of.
        let tested = extras.clues.tested.iter().filter(|ty| ty.as_class() != Some(&class.name));
        let typing = Typing::new(world, &package, tested);
        Self {
            world,
            typing,
            package,
            api,
            wanted: Vec::new(),
            explored: Vec::new(),
            extras,
            nearby: FxHashMap::default(),
            numbers: FxHashMap::default(),
        }
    }

    fn type_id(&mut self, ty: &Typed) -> TypeId {
        if let Some(id) = self.api.type_ids.get(ty) {
            return *id;
        }
        if self.api.types.len() >= MAX_TYPES && !ty.is_raw() {
            return self.type_id(&Typed::raw(&ty.erased()));
        }
        let id = TypeId(self.api.types.len() as u32);
        self.api.types.push(ty.clone());
        self.api.erased.push(ty.erased());
        self.api.type_ids.insert(ty.clone(), id);
        self.api.of_class.entry(ty.erased()).or_default().push(id);
        self.explored.push(false);
        id
    }

    /// Adds an operation with these types, the receiver's first, if every type in it can be named;
    /// its parameter types become wanted.
    fn add(&mut self, op: Operation, shape: &Shape, depth: u32) -> Option<OpId> {
        let nameable = |ty: &Type| type_accessible(self.world, ty, &self.package);
        if !op.params.iter().all(nameable) {
            return None;
        }
        let is_full = self.api.types.len() >= MAX_TYPES && depth > 0;
        let is_new = |ty: &Typed| !ty.is_raw() && !self.api.type_ids.contains_key(ty);
        if is_full && shape.params.iter().chain(&shape.result).any(is_new) {
            return None;
        }
        // A result that cannot be named can still be dropped, so it is of no type here.
        let result = shape.result.as_ref().filter(|ty| nameable(&ty.erased()));
        let result = result.map(|ty| self.type_id(ty));
        let params: Vec<TypeId> = shape.params.iter().map(|ty| self.type_id(ty)).collect();
        let id = OpId(self.api.operations.len() as u32);
        let first = self.api.op_ids.get(&op).copied().unwrap_or(id);
        if let Some(known) = self.numbers.get(&(first, params.clone(), result)) {
            return Some(*known);
        }
        for param in &params {
            self.wanted.push((*param, depth));
        }
        let needs_first = op.has_receiver()
            || (op.kind == OperationKind::Constructor
                && self.world.class(&op.owner).is_some_and(|c| c.outer_instance().is_some()));
        let owner = op.owner.as_internal();
        let texts = if op.has_receiver() {
            texts_of_method(owner, &op.name)
        } else {
            texts_of_factories(owner)
        };
        if !texts.is_empty() {
            let texts = texts.iter().map(|text| Literal::String((*text).into())).collect();
            self.api.texts.insert(id, texts);
        }
        let op = Arc::new(op);
        self.api.op_ids_by_address.insert(Arc::as_ptr(&op).addr(), id);
        self.api.op_ids.entry(op.clone()).or_insert(id);
        self.api.operations.push(op);
        self.numbers.insert((first, params.clone(), result), id);
        self.api.params.push(params);
        self.api.results.push(result);
        self.api.firsts.push(first);
        self.api.variants.push(Vec::new());
        self.api.variants[first.0 as usize].push(id);
        self.api.needs_first.push(needs_first);
        self.api.is_public.push(self.is_public(id));
        self.api.is_deprecated.push(self.is_deprecated(id));
        Some(id)
    }

    /// Adds a method or constructor, called on or by `owner`, a type of class `on`.
    fn add_method(
        &mut self,
        (on, owner): (&Class, &Typed),
        method: &Method,
        bindings: &Bindings,
        depth: u32,
    ) -> Option<OpId> {
        let op = Operation::of_method(on, method);
        let mut shape = self.typing.shape(method, bindings);
        if op.has_receiver() {
            shape.params.insert(0, owner.clone());
        }
        if op.kind == OperationKind::Constructor {
            shape.result = Some(owner.clone());
        }
        self.add(op, &shape, depth)
    }

    /// Whether callers outside the package can make the call.
    fn is_public(&self, id: OpId) -> bool {
        let op = &self.api.operations[id.0 as usize];
        let descriptor = op.descriptor();
        // That of a superclass makes another object.
        let is_declared_by =
            |class: &Class| op.kind != OperationKind::Constructor || class.name == op.owner;
        self.world.supertypes(&op.owner).iter().any(|class| {
            is_declared_by(class)
                && class.access.is_public()
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

    fn is_usable(&self, declaring: &Class, method: &Method) -> bool {
        let by_compiler = method.access.is_synthetic() || method.access.is_bridge();
        // The collector's, not a caller's.
        let is_finalizer = &*method.name == "finalize" && method.params.is_empty();
        !by_compiler
            && !is_finalizer
            && (method.is_constructor() || is_identifier(&method.name))
            && member_accessible(self.world, declaring, method.access, &self.package)
    }

    /// Enum constants and static fields that hold objects of the class.
    fn add_constants(&mut self, class: &Class, depth: u32) {
        self.add_constants_of(class, &Type::Class(class.name.clone()), depth);
    }

    /// Enum constants, and static fields of a type.
    fn add_constants_of(&mut self, class: &Class, ty: &Type, depth: u32) {
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
                    && (f.access.is_enum() || f.ty == *ty)
                    && member_accessible(self.world, class, f.access, &self.package)
            })
            .cloned()
            .collect();
        let limit = if class.origin == Origin::Jdk { MAX_JDK_CONSTANTS } else { MAX_CONSTANTS };
        let fields = self.most_telling(&class.name, fields, limit);
        for field in fields {
            let result = Some(self.typing.field(&field, &Bindings::new()));
            let shape = Shape { params: Vec::new(), result };
            self.add(Operation::of_field(class, &field), &shape, depth);
        }
    }

    /// The constants of a class that are taken: those that the code under test names, then the first.
    fn most_telling(&self, class: &ClassName, mut all: Vec<Field>, limit: usize) -> Vec<Field> {
        let named = |field: &Field| {
            let constants = &self.extras.clues.constants;
            constants.iter().any(|(of, name)| of == class && *name == field.name)
        };
        let mut room = limit.saturating_sub(all.iter().filter(|field| named(field)).count());
        all.retain(|field| {
            let is_taken = named(field) || room > 0;
            room -= usize::from(is_taken && !named(field));
            is_taken
        });
        all
    }

    pub(super) fn finish(mut self) -> Api {
        self.number_literal_types();
        self.api.fits = self.all_fits();
        self.api.makers = vec![Vec::new(); self.api.types.len()];
        for (index, result) in self.api.results.iter().enumerate() {
            for ty in result.iter().flat_map(|result| &self.api.fits[result.0 as usize]) {
                self.api.makers[ty.0 as usize].push(OpId(index as u32));
            }
        }
        self.lend_raw_makers();
        self.write_literals();
        for subject in self.api.subjects.clone() {
            let result = self.api.operation(subject).result.clone();
            let question = result.and_then(|ty| element_count(&self.world, &ty));
            self.api.element_counts.extend(question.map(|question| (subject, question)));
        }
        self.api
    }

    /// For each type the types its values can be used as.
    fn all_fits(&self) -> Vec<Vec<TypeId>> {
        let ids = &self.api.type_ids;
        let fits = |ty: &Typed| {
            let all = self.typing.supertypes(ty);
            let mut known: Vec<TypeId> = all.iter().filter_map(|ty| ids.get(ty).copied()).collect();
            known.sort_unstable();
            known
        };
        self.api.types.iter().map(fits).collect()
    }

    /// A type that nothing makes gets what makes it without arguments, as source may do it too.
    fn lend_raw_makers(&mut self) {
        for at in 0..self.api.types.len() {
            if self.api.types[at].is_raw() || !self.api.makers[at].is_empty() {
                continue;
            }
            let Type::Class(target) = &self.api.erased[at] else { continue };
            let raw = Typed::raw(&self.api.erased[at]);
            let Some(raw) = self.api.type_ids.get(&raw) else { continue };
            // What is known to have other arguments will not do.
            let is_unknown = |op: &&OpId| {
                let result = self.api.results[op.0 as usize];
                match result.map(|ty| &self.api.types[ty.0 as usize]) {
                    Some(Typed::Class { name, args }) => {
                        self.typing.supertype(name, args, target) == Some(Super::Raw)
                    }
                    _ => false,
                }
            };
            let lent = self.api.makers[raw.0 as usize].iter().filter(is_unknown).copied().collect();
            self.api.makers[at] = lent;
        }
    }
}

/// The type of a class whose variables stand for these.
fn owner_type(class: &Class, bindings: &Bindings) -> Typed {
    let bound = |name: &Arc<str>| {
        let found = bindings.iter().rev().find(|(bound, _)| bound == name);
        found.map_or_else(|| Typed::class("java/lang/Object"), |(_, ty)| ty.clone())
    };
    let args = Typing::params(class).iter().map(|param| bound(&param.name)).collect();
    Typed::Class { name: class.name.clone(), args }.bounded()
}

/// Whether the constants of a class belong to the process and not to a test: whoever closes the
/// descriptor of standard output takes it from the test runner, which talks to its parent by it.
fn is_of_process(name: &ClassName) -> bool {
    name.as_internal() == "java/io/FileDescriptor"
}
