//! The operations a search for one class works with: its own, and those that make what they need.
//!
//! Types and operations are numbered, so that choosing inputs in the search loop is indexing.
//! The order is that of discovery, which depends on the class files alone.
//!
//! Types have their arguments ([`typed`]), and an operation has a number for each way its types are
//! used: `add(Object)` of an `ArrayList<String>` takes a `String`. Test cases are erased all the
//! same. Each number has an operation object of its own, and a call of a test case refers to the
//! one it was made with, so that its types can be told from the test case; an equal operation from
//! elsewhere counts as the first of its numbers.

mod finder;
mod literals;
#[cfg(test)]
mod tests;
mod typed;
mod typing;

use std::sync::Arc;

use model::{
    Call, Class, ClassName, Implementations, JavaString, Literal, Operation, OperationKind, Slot,
    TestCase, Type,
};
use rustc_hash::FxHashMap;

pub use finder::{Called, Detective, Mocking, is_mocked_if_missing};

use crate::guided::MethodKey;
use finder::Finder;
use typed::Typed;

/// An operation's number in an [`Api`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub u32);

/// A type's number in an [`Api`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// What the code of the class under test tells of the objects it is given.
#[derive(Clone, Default, Debug)]
pub struct Clues {
    /// Types that it tests for.
    pub tested: Vec<Type>,
    /// Types that it only casts to.
    pub cast: Vec<Type>,
    /// Enum constants and the like that it names: classes with names of their static fields.
    pub constants: Vec<(ClassName, Arc<str>)>,
    /// Types that inherited code tests for.
    pub inherited: Vec<Type>,
    /// Whether it takes texts for names of files.
    pub names_files: bool,
}

/// What there is beside what signatures ask for and classes offer.
#[derive(Clone, Default, Debug)]
pub struct Extras {
    /// What is found and written for types that no method under test produces.
    pub detective: Detective,
    /// Files in a temporary folder.
    pub files: bool,
    /// Objects that code asks for where it takes any.
    pub clues: Clues,
    /// Mocks of what is then still missing.
    pub mocks: Option<Mocking>,
}

/// What can be called.
pub struct Api {
    /// The class under test.
    pub class: ClassName,
    operations: Vec<Arc<Operation>>,
    params: Vec<Vec<TypeId>>,
    results: Vec<Option<TypeId>>,
    /// For each operation the first number of the same one.
    firsts: Vec<OpId>,
    /// For each first number all of them.
    variants: Vec<Vec<OpId>>,
    subjects: Vec<OpId>,
    /// The type of texts, if those may name files.
    file_names: Option<TypeId>,
    types: Vec<Typed>,
    /// The types without their arguments.
    erased: Vec<Type>,
    type_ids: FxHashMap<Typed, TypeId>,
    op_ids: FxHashMap<Arc<Operation>, OpId>,
    /// By address of the operations above, which live as long as this does.
    op_ids_by_address: FxHashMap<usize, OpId>,
    /// For each type the operations whose result can be used as it.
    makers: Vec<Vec<OpId>>,
    /// For each type the types it can be used as, itself included.
    fits: Vec<Vec<TypeId>>,
    /// For each class the types that are of it.
    of_class: FxHashMap<Type, Vec<TypeId>>,
    /// For each type the values that can be written down for it, with the type of the literal.
    literals: Vec<Vec<(Type, Literal)>>,
    /// Texts that an operation reads, where few others will do.
    texts: FxHashMap<OpId, Vec<Literal>>,
    mutators: Vec<OpId>,
    needs_first: Vec<bool>,
    /// Whether a container sets fields of the class under test.
    is_wired: bool,
    is_public: Vec<bool>,
    is_deprecated: Vec<bool>,
    /// What tells whether the result of an operation to be tested holds anything.
    element_counts: FxHashMap<OpId, Arc<Operation>>,
}

impl Api {
    /// Finds the operations for a class; tests will live in its package.
    pub fn of(world: &dyn Implementations, class: &Class) -> Self {
        Self::with(world, class, &Extras::default())
    }

    /// The same, with whatever else there is.
    pub fn with(world: &dyn Implementations, class: &Class, extras: &Extras) -> Self {
        let mut finder = Finder::new(world, class, extras);
        finder.add_subjects(class);
        finder.want_asked(&extras.clues);
        finder.add_makers();
        finder.add_makers_anywhere();
        finder.add_implementations();
        if let Some(mocking) = &extras.mocks {
            finder.add_mocking(class, mocking);
        }
        finder.add_buildable_subjects(class);
        finder.finish()
    }

    /// Operations to be tested: constructors, methods and constants of the class itself, each once.
    pub fn subjects(&self) -> &[OpId] {
        &self.subjects
    }

    /// Whether an operation is to be tested, whichever its types.
    pub fn is_subject(&self, op: &Operation) -> bool {
        self.id_of(op).is_some_and(|id| self.subjects.contains(&self.first(id)))
    }

    /// Whether a container would set fields of the class under test, which are `null` without one.
    pub fn is_wired(&self) -> bool {
        self.is_wired
    }

    /// What to ask the result of an operation to be tested for whether it holds anything.
    pub(crate) fn element_count(&self, subject: OpId) -> Option<&Arc<Operation>> {
        self.element_counts.get(&subject)
    }

    /// Operations that change objects of other classes, to vary arguments.
    pub fn mutators(&self) -> &[OpId] {
        &self.mutators
    }

    /// All operations, once for each way their types are used.
    pub fn operations(&self) -> impl Iterator<Item = OpId> {
        (0..self.operations.len() as u32).map(OpId)
    }

    /// All operations, each once.
    pub fn erased_operations(&self) -> impl Iterator<Item = OpId> {
        self.operations().filter(|op| self.first(*op) == *op)
    }

    /// The operation itself.
    pub fn operation(&self, op: OpId) -> &Arc<Operation> {
        &self.operations[op.0 as usize]
    }

    /// The method or constructor that the operation calls, as class files name it.
    pub(crate) fn key(&self, op: OpId) -> MethodKey {
        let op = self.operation(op);
        (op.owner.as_internal().to_owned(), op.name.to_string(), op.descriptor())
    }

    /// The first number of the operation that has this one: what is counted for an operation goes
    /// by it.
    pub fn first(&self, op: OpId) -> OpId {
        self.firsts[op.0 as usize]
    }

    /// All numbers of the operation with this first one.
    pub fn variants(&self, first: OpId) -> &[OpId] {
        &self.variants[first.0 as usize]
    }

    /// The number of an operation: with the types it was chosen for, if it is one of ours.
    pub fn id_of(&self, op: &Operation) -> Option<OpId> {
        let address = std::ptr::from_ref(op).addr();
        self.op_ids_by_address.get(&address).or_else(|| self.op_ids.get(op)).copied()
    }

    /// The first number of an operation.
    pub fn first_of(&self, op: &Operation) -> Option<OpId> {
        self.id_of(op).map(|id| self.first(id))
    }

    /// The operations of the same class and name that make or return the same type, arguments of types
    /// included.
    pub(crate) fn siblings(&self, op: OpId) -> impl Iterator<Item = OpId> {
        let of = self.operation(op);
        self.operations().filter(move |other| {
            let operation = self.operation(*other);
            *other != op
                && (operation.kind, &operation.owner, &operation.name)
                    == (of.kind, &of.owner, &of.name)
                && self.result(*other) == self.result(op)
        })
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

    /// Whether callers outside the package can make these calls, and none of them sets a field: what
    /// an object does that was tampered with says nothing of its class.
    pub(crate) fn is_for_callers(&self, calls: &[Call]) -> bool {
        calls.iter().all(|call| match call.op.kind {
            OperationKind::Constructor
            | OperationKind::StaticMethod
            | OperationKind::InstanceMethod => {
                self.id_of(&call.op).is_none_or(|op| self.is_public(op))
            }
            OperationKind::SetField => false,
            _ => true,
        })
    }

    /// Whether the member or its class is deprecated.
    pub fn is_deprecated(&self, op: OpId) -> bool {
        self.is_deprecated[op.0 as usize]
    }

    /// The type itself, erased.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.erased[ty.0 as usize]
    }

    /// The type with its arguments, as Java source has it.
    pub fn type_name(&self, ty: TypeId) -> String {
        self.types[ty.0 as usize].to_string()
    }

    /// The number of a type without arguments, if any operation mentions it.
    pub fn type_id(&self, ty: &Type) -> Option<TypeId> {
        self.of_class.get(ty)?.iter().copied().find(|id| self.types[id.0 as usize].is_raw())
    }

    /// A type of this class, whatever its arguments, that can be used as the other.
    pub fn type_as(&self, class: &Type, wanted: TypeId) -> Option<TypeId> {
        self.of_class.get(class)?.iter().copied().find(|id| self.fits(*id).contains(&wanted))
    }

    /// A type of this class, whatever its arguments.
    pub fn any_type(&self, class: &Type) -> Option<TypeId> {
        self.of_class.get(class)?.first().copied()
    }

    /// The type of an object of this class that an operation with such a result returned. Its
    /// arguments are those that the result has; if that has none, nothing is known of them.
    pub fn narrowed(&self, result: TypeId, class: &Type) -> Option<TypeId> {
        if self.types[result.0 as usize].is_raw() {
            self.type_id(class)
        } else {
            self.type_as(class, result).or_else(|| self.type_id(class))
        }
    }

    /// Adds a call to a test case. Its result goes into a slot of the type it is known to be of,
    /// which may be narrower than what the erased operation says.
    pub fn call(&self, case: &mut TestCase, op: OpId, args: &[Slot]) -> Option<Slot> {
        let slot = case.call(self.operation(op), args)?;
        if let Some(result) = self.result(op)
            && self.ty(result) != case.ty(slot)
        {
            case.slots[slot.index()].ty = self.ty(result).clone();
        }
        Some(slot)
    }

    /// The type of what a slot of a test case holds after its last call.
    pub fn type_of(&self, case: &TestCase, slot: Slot) -> Option<TypeId> {
        let decl = &case.slots[slot.index()];
        if decl.init.is_some() {
            return self.type_id(&decl.ty);
        }
        let call = case.calls.iter().rev().find(|call| call.result == Some(slot))?;
        self.type_made(call, &decl.ty)
    }

    /// The type of what a call puts into a slot with this erased type.
    pub fn type_made(&self, call: &Call, slot: &Type) -> Option<TypeId> {
        let result = self.id_of(&call.op).and_then(|op| self.result(op));
        match result {
            Some(result) if self.ty(result) == slot => Some(result),
            Some(result) => self.narrowed(result, slot),
            None => self.type_id(slot),
        }
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

    /// Whether values of this type are texts that may name files.
    pub(crate) fn names_files(&self, ty: TypeId) -> bool {
        self.file_names == Some(ty)
    }

    /// Texts that an operation reads, if few others make it return.
    pub fn texts(&self, op: OpId) -> &[Literal] {
        self.texts.get(&op).map_or(&[], Vec::as_slice)
    }

    /// Literals of a type, each with the type its slot gets.
    pub fn literals(&self, ty: TypeId) -> &[(Type, Literal)] {
        &self.literals[ty.0 as usize]
    }

    /// The texts that a search starts with.
    pub(crate) fn texts_to_start_with(&self) -> impl Iterator<Item = JavaString> {
        let all = literals::literals_of(&Type::string(), &self.class);
        all.into_iter().filter_map(|literal| match literal {
            Literal::String(text) => Some(text),
            _ => None,
        })
    }
}
