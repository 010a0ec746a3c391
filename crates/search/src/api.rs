//! The operations a search for one class works with: its own, and those that make what they need.
//!
//! Types and operations are numbered, so that choosing inputs in the search loop is indexing.
//! The order is that of discovery, which depends on the class files alone.

mod finder;
mod literals;

use std::sync::Arc;

use model::{Class, ClassName, Implementations, Literal, Operation, Type};
use rustc_hash::FxHashMap;

use finder::Finder;

/// An operation's number in an [`Api`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub u32);

/// A type's number in an [`Api`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// What can be called.
pub struct Api {
    /// The class under test.
    pub class: ClassName,
    operations: Vec<Arc<Operation>>,
    params: Vec<Vec<TypeId>>,
    results: Vec<Option<TypeId>>,
    subjects: Vec<OpId>,
    types: Vec<Type>,
    type_ids: FxHashMap<Type, TypeId>,
    op_ids: FxHashMap<Arc<Operation>, OpId>,
    /// Shortcut by address of the operations above, which live as long as this does.
    op_ids_by_address: FxHashMap<usize, OpId>,
    /// For each type the operations whose result can be used as it.
    makers: Vec<Vec<OpId>>,
    /// For each type the types it can be used as, itself included.
    fits: Vec<Vec<TypeId>>,
    /// For each type the values that can be written down for it, with the type of the literal.
    literals: Vec<Vec<(Type, Literal)>>,
    mutators: Vec<OpId>,
    needs_first: Vec<bool>,
    is_public: Vec<bool>,
    is_deprecated: Vec<bool>,
}

impl Api {
    /// Finds the operations for a class; tests will live in its package.
    pub fn of(world: &dyn Implementations, class: &Class) -> Self {
        let mut finder = Finder::new(world, class, false);
        finder.add_subjects(class);
        finder.add_makers();
        finder.finish()
    }

    /// The same, and classes that tests write on the spot for what nothing makes.
    pub fn with_implementations(world: &dyn Implementations, class: &Class) -> Self {
        let mut finder = Finder::new(world, class, true);
        finder.add_subjects(class);
        finder.add_makers();
        finder.add_implementations();
        finder.finish()
    }

    /// Operations to be tested: constructors, methods and constants of the class itself.
    pub fn subjects(&self) -> &[OpId] {
        &self.subjects
    }

    /// Operations that change objects of other classes, to vary arguments.
    pub fn mutators(&self) -> &[OpId] {
        &self.mutators
    }

    /// All operations.
    pub fn operations(&self) -> impl Iterator<Item = OpId> {
        (0..self.operations.len() as u32).map(OpId)
    }

    /// The operation itself.
    pub fn operation(&self, op: OpId) -> &Arc<Operation> {
        &self.operations[op.0 as usize]
    }

    /// The number of an operation.
    pub fn id_of(&self, op: &Operation) -> Option<OpId> {
        let address = std::ptr::from_ref(op).addr();
        self.op_ids_by_address.get(&address).or_else(|| self.op_ids.get(op)).copied()
    }

    /// The types of an operation's receiver and arguments.
    pub fn params(&self, op: OpId) -> &[TypeId] {
        &self.params[op.0 as usize]
    }

    /// The type of an operation's result.
    pub fn result(&self, op: OpId) -> Option<TypeId> {
        self.results[op.0 as usize]
    }

    /// Whether the first argument may not be `null`: a receiver, or the outer instance of an inner
    /// class.
    pub fn needs_first(&self, op: OpId) -> bool {
        self.needs_first[op.0 as usize]
    }

    /// Whether callers outside the package can make the call.
    pub fn is_public(&self, op: OpId) -> bool {
        self.is_public[op.0 as usize]
    }

    /// Whether the member or its class is deprecated.
    pub fn is_deprecated(&self, op: OpId) -> bool {
        self.is_deprecated[op.0 as usize]
    }

    /// The type itself.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.types[ty.0 as usize]
    }

    /// The number of a type, if any operation mentions it.
    pub fn type_id(&self, ty: &Type) -> Option<TypeId> {
        self.type_ids.get(ty).copied()
    }

    /// How many types there are.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// Operations whose result can be used as this type.
    pub fn makers(&self, ty: TypeId) -> &[OpId] {
        &self.makers[ty.0 as usize]
    }

    /// Types a value of this type can be used as.
    pub fn fits(&self, ty: TypeId) -> &[TypeId] {
        &self.fits[ty.0 as usize]
    }

    /// Literals of a type, each with the type its slot gets.
    pub fn literals(&self, ty: TypeId) -> &[(Type, Literal)] {
        &self.literals[ty.0 as usize]
    }
}
