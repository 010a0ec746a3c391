//! The test context (section 3.1 of the paper, requirement E4): methods, types of interest, pool
//! sizes, initial values; and from them what each parameter of each call may be.
//!
//! Parameters are the paper's: the arguments, then the target, then the place of the result. An
//! argument or target may be of a subtype of what is expected (E6): its choices are the pool of the
//! type itself and then those of its subtypes, as if the pool had copies of their members. Where an
//! `Object` is expected, these are the pools that have values or that a constructor fills.

use std::sync::Arc;

use model::{
    Call, ClassSource, Hierarchy, Literal, Operation, OperationKind, Slot, SlotDecl, Type,
};
use serde::{Deserialize, Serialize};

use crate::value;

/// Most slots that a context may have, so that a mistyped pool size is an error and not the end of
/// the memory.
const MAX_SLOTS: u64 = 1_000_000;
/// Digits stay below this, so that two of them add up without overflow.
const MAX_CALLS: u64 = 1 << 62;
/// Calls of contexts with at most so many are made once and then copied.
const MAX_KEPT: u64 = 1 << 16;

/// The value pool of a type of interest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pool {
    /// The type.
    pub ty: Type,
    /// How many values of it are at hand.
    pub size: u32,
    /// Initial values of its first members; the others are zero or `null`.
    pub values: Vec<Literal>,
}

/// Why there is no such context.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContextError {
    /// Nothing to call.
    #[error("there is no method to call")]
    NoMethods,
    /// A pool without members.
    #[error("the pool of {0} is empty")]
    EmptyPool(Type),
    /// Two pools of one type.
    #[error("there are two pools of {0}")]
    TwoPools(Type),
    /// A type that a method needs has no pool.
    #[error("{op} needs a pool of {ty}")]
    NoPool {
        /// The method.
        op: String,
        /// The type.
        ty: Type,
    },
    /// An initial value that does not fit.
    #[error("{value:?} cannot be in the pool of {ty}")]
    BadValue {
        /// The type.
        ty: Type,
        /// The value.
        value: Literal,
    },
    /// More initial values than members.
    #[error("the pool of {ty} has {size} members, and {values} initial values")]
    TooManyValues {
        /// The type.
        ty: Type,
        /// Its members.
        size: u32,
        /// The values given.
        values: usize,
    },
    /// Pools without measure.
    #[error("the pools have more than {MAX_SLOTS} members")]
    TooManySlots,
    /// More distinct calls than a digit can tell apart.
    #[error("there are more than 2^62 distinct calls")]
    TooManyCalls,
    /// What cannot be numbered: its parameters are not fixed, or tied to each other.
    #[error("{0} cannot be part of a context")]
    NotNumbered(String),
}

/// What may be called, and on what.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Context {
    stored: Stored,
    /// All pools, one after the other.
    slots: Vec<SlotDecl>,
    /// Of each method.
    pub(crate) signatures: Vec<Signature>,
    /// The number of the first call of each method, and `j` at the end.
    pub(crate) offsets: Vec<u64>,
    /// All calls by number, if they are not too many.
    pub(crate) kept: Vec<Call>,
}

/// What a context is made of and stored as.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stored {
    methods: Vec<Arc<Operation>>,
    pools: Vec<Pool>,
    /// The pools whose members may stand where the pool's type is expected, itself first.
    fitting: Vec<Vec<u32>>,
    guarded: bool,
}

/// A method's parameters in the paper's sense.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    /// What each may be: arguments, then target, then result.
    pub(crate) choices: Vec<Arc<[Slot]>>,
    /// How many distinct calls there are: the product of the numbers of choices.
    pub(crate) calls: u64,
}

impl Context {
    /// A context of these methods and pools.
    pub fn new(
        methods: Vec<Arc<Operation>>,
        pools: Vec<Pool>,
        classes: &dyn ClassSource,
    ) -> Result<Self, ContextError> {
        let is_made = |ty: &Type| {
            let makes = |op: &Arc<Operation>| op.result.as_ref() == Some(ty);
            methods.iter().any(|op| op.kind == OperationKind::Constructor && makes(op))
        };
        let fits = |from: &Pool, to: &Pool| {
            // Everything is an `Object`; all pools would make calls with one outnumber all others.
            let is_wanted = to.ty != Type::object() || !from.values.is_empty() || is_made(&from.ty);
            from.ty != to.ty && is_wanted && classes.is_subtype(&from.ty, &to.ty)
        };
        let fitting = (0u32..)
            .zip(&pools)
            .map(|(own, to)| {
                let others = (0u32..).zip(&pools).filter(|(_, from)| fits(from, to));
                std::iter::once(own).chain(others.map(|(at, _)| at)).collect()
            })
            .collect();
        Self::build(Stored { methods, pools, fitting, guarded: true })
    }

    /// The same context, with exceptions caught after every call (as by default) or none.
    pub fn guarded(mut self, guarded: bool) -> Self {
        self.stored.guarded = guarded;
        self.kept.iter_mut().for_each(|call| call.guarded = guarded);
        self
    }

    fn build(stored: Stored) -> Result<Self, ContextError> {
        if stored.methods.is_empty() {
            return Err(ContextError::NoMethods);
        }
        let (slots, pool_slots) = lay_out(&stored.pools)?;
        let mut signatures = Vec::with_capacity(stored.methods.len());
        let mut offsets = vec![0];
        let mut total = 0u64;
        for op in &stored.methods {
            let signature = signature(op, &stored, &pool_slots)?;
            total = total
                .checked_add(signature.calls)
                .filter(|total| *total < MAX_CALLS)
                .ok_or(ContextError::TooManyCalls)?;
            signatures.push(signature);
            offsets.push(total);
        }
        let mut context = Self { stored, slots, signatures, offsets, kept: Vec::new() };
        if total <= MAX_KEPT {
            context.kept = (0..total).map(|digit| context.make_call(digit)).collect();
        }
        Ok(context)
    }

    /// The methods, in the order of the numbering.
    pub fn methods(&self) -> &[Arc<Operation>] {
        &self.stored.methods
    }

    /// The pools, in the order of their slots.
    pub fn pools(&self) -> &[Pool] {
        &self.stored.pools
    }

    /// The slots of all pools, one pool after the other.
    pub fn slots(&self) -> &[SlotDecl] {
        &self.slots
    }

    /// Whether what a call throws is caught and the next call made.
    pub fn is_guarded(&self) -> bool {
        self.stored.guarded
    }

    /// `j`, the number of distinct calls.
    pub fn calls(&self) -> u64 {
        self.offsets.last().copied().unwrap_or(0)
    }

    /// `nc(m)`: the number of distinct calls of a method.
    pub fn calls_of(&self, method: usize) -> u64 {
        self.signatures[method].calls
    }

    /// The number of a method's first call.
    pub fn first_call_of(&self, method: usize) -> u64 {
        self.offsets[method]
    }

    /// How many choices each parameter of a method has: arguments, target, result.
    pub fn choices_of(&self, method: usize) -> impl Iterator<Item = usize> {
        self.signatures[method].choices.iter().map(|choices| choices.len())
    }
}

impl TryFrom<Stored> for Context {
    type Error = ContextError;

    fn try_from(stored: Stored) -> Result<Self, ContextError> {
        Self::build(stored)
    }
}

impl From<Context> for Stored {
    fn from(context: Context) -> Self {
        context.stored
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.stored, &other.stored);
        a.methods == b.methods
            && a.pools == b.pools
            && a.fitting == b.fitting
            && a.guarded == b.guarded
    }
}

/// The slots of all pools, and which of them each pool has.
fn lay_out(pools: &[Pool]) -> Result<(Vec<SlotDecl>, Vec<Vec<Slot>>), ContextError> {
    if pools.iter().map(|pool| u64::from(pool.size)).sum::<u64>() > MAX_SLOTS {
        return Err(ContextError::TooManySlots);
    }
    let mut slots = Vec::new();
    let mut of_pools = Vec::with_capacity(pools.len());
    for (at, pool) in pools.iter().enumerate() {
        let ty = &pool.ty;
        if pool.size == 0 {
            return Err(ContextError::EmptyPool(ty.clone()));
        }
        if pools[..at].iter().any(|other| other.ty == *ty) {
            return Err(ContextError::TwoPools(ty.clone()));
        }
        if pool.values.len() > pool.size as usize {
            let values = pool.values.len();
            return Err(ContextError::TooManyValues { ty: ty.clone(), size: pool.size, values });
        }
        if let Some(value) = pool.values.iter().find(|value| !value::fits(value, ty)) {
            return Err(ContextError::BadValue { ty: ty.clone(), value: value.clone() });
        }
        let rest = ty.as_primitive().map_or(Literal::Null, Literal::zero);
        let first = slots.len() as u32;
        for member in 0..pool.size as usize {
            let init = pool.values.get(member).unwrap_or(&rest).clone();
            slots.push(SlotDecl { ty: ty.clone(), init: Some(init) });
        }
        of_pools.push((first..slots.len() as u32).map(Slot).collect());
    }
    Ok((slots, of_pools))
}

fn signature(
    op: &Operation,
    stored: &Stored,
    slots: &[Vec<Slot>],
) -> Result<Signature, ContextError> {
    if matches!(op.kind, OperationKind::Array | OperationKind::Inject) {
        return Err(ContextError::NotNumbered(op.to_string()));
    }
    let pool_of = |ty: &Type| {
        let found = stored.pools.iter().position(|pool| pool.ty == *ty);
        found.ok_or_else(|| ContextError::NoPool { op: op.to_string(), ty: ty.clone() })
    };
    let mut choices: Vec<Arc<[Slot]>> = Vec::new();
    for ty in paper_inputs(op) {
        let fitting = stored.fitting.get(pool_of(ty)?).map_or(&[][..], Vec::as_slice);
        let all = fitting.iter().filter_map(|pool| slots.get(*pool as usize)).flatten();
        choices.push(all.copied().collect());
    }
    if let Some(result) = &op.result {
        choices.push(slots[pool_of(result)?].as_slice().into());
    }
    let product = choices.iter().try_fold(1u64, |product, c| product.checked_mul(c.len() as u64));
    let calls = product.filter(|calls| *calls < MAX_CALLS).ok_or(ContextError::TooManyCalls)?;
    Ok(Signature { choices, calls })
}

/// The types of what a call reads, in the paper's order: arguments first, then the target.
pub(crate) fn paper_inputs(op: &Operation) -> impl Iterator<Item = &Type> {
    let target = op.has_receiver().then(|| &op.params[0]);
    op.arguments().iter().chain(target)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use model::{Class, ClassName};

    /// Classes that nothing is known of.
    pub(crate) struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &ClassName) -> Option<Arc<Class>> {
            None
        }
    }

    pub(crate) fn op(
        kind: OperationKind,
        name: &str,
        params: &[Type],
        result: Option<Type>,
    ) -> Arc<Operation> {
        Arc::new(Operation {
            kind,
            owner: ClassName::internal("a/B"),
            name: name.into(),
            params: params.to_vec(),
            result,
            implementation: None,
        })
    }

    pub(crate) fn pool(ty: Type, values: &[i32]) -> Pool {
        let size = values.len().max(1) as u32;
        Pool { ty, size, values: values.iter().copied().map(Literal::Int).collect() }
    }

    /// A constructor, `int add(int, int)`, `void clear()`, and a static `B merge(B, Object)`.
    pub(crate) fn sample() -> Context {
        let b = Type::class("a/B");
        let methods = vec![
            op(OperationKind::Constructor, "<init>", &[], Some(b.clone())),
            op(
                OperationKind::InstanceMethod,
                "add",
                &[b.clone(), Type::INT, Type::INT],
                Some(Type::INT),
            ),
            op(OperationKind::InstanceMethod, "clear", std::slice::from_ref(&b), None),
            op(OperationKind::StaticMethod, "merge", &[b.clone(), Type::object()], Some(b.clone())),
        ];
        let pools = vec![pool(Type::INT, &[0, 1, 100]), pool(b, &[]), pool(Type::object(), &[])];
        Context::new(methods, pools, &Nothing).expect("a good context")
    }

    #[test]
    fn calls_are_counted_as_products_and_sums() {
        let context = sample();
        // new B(): 1; add: 3 * 3 * 1 * 3; clear: 1; merge: B has 1, Object has its own and B's, 1.
        let counts: Vec<u64> = (0..4).map(|method| context.calls_of(method)).collect();
        assert_eq!(counts, [1, 27, 1, 2]);
        assert_eq!(context.calls(), 31);
        assert_eq!(context.slots().len(), 5);
    }

    #[test]
    fn an_object_may_be_what_is_made_or_given_and_not_whatever_there_is() {
        let (list, iterator) = (Type::class("a/List"), Type::class("a/Iterator"));
        let methods = vec![
            op(OperationKind::Constructor, "<init>", &[], Some(list.clone())),
            op(
                OperationKind::InstanceMethod,
                "iterator",
                std::slice::from_ref(&list),
                Some(iterator.clone()),
            ),
            op(OperationKind::StaticMethod, "print", &[Type::object()], None),
        ];
        let integer = Type::class("java/lang/Integer");
        let pools = [(list, &[][..]), (iterator, &[]), (Type::object(), &[]), (integer, &[1, 2])];
        let pools = pools.map(|(ty, values)| pool(ty, values));
        let context = Context::new(methods, pools.to_vec(), &Nothing).expect("a good context");
        // The list, the object itself and two numbers; not the iterator.
        assert_eq!(context.calls_of(2), 4);
    }

    #[test]
    fn a_stored_context_is_the_same_context() {
        let text = serde_json::to_string(&sample().guarded(false)).expect("it can be written");
        let read: Context = serde_json::from_str(&text).expect("it can be read");
        assert_eq!(read, sample().guarded(false));
        assert_eq!(read.calls(), 31);
        assert!(!read.is_guarded());
    }

    #[test]
    fn what_makes_no_context_is_told() {
        let check = |methods: Vec<Arc<Operation>>, pools: Vec<Pool>, expected: &str| {
            let error = Context::new(methods, pools, &Nothing).expect_err("a bad context");
            assert_eq!(error.to_string(), expected);
        };
        let id = || vec![op(OperationKind::StaticMethod, "id", &[Type::INT], Some(Type::INT))];
        check(vec![], vec![], "there is no method to call");
        check(id(), vec![], "a.B.id(int) needs a pool of int");
        check(
            id(),
            vec![Pool { ty: Type::INT, size: 0, values: vec![] }],
            "the pool of int is empty",
        );
        check(
            id(),
            vec![Pool { ty: Type::INT, size: 1, values: vec![Literal::Null] }],
            "Null cannot be in the pool of int",
        );
        check(
            id(),
            vec![pool(Type::INT, &[1]), pool(Type::INT, &[2])],
            "there are two pools of int",
        );
        check(
            id(),
            vec![Pool { ty: Type::INT, size: u32::MAX, values: vec![] }],
            "the pools have more than 1000000 members",
        );
        let many = op(OperationKind::StaticMethod, "many", &[const { Type::INT }; 30], None);
        let pools = vec![Pool { ty: Type::INT, size: 1000, values: vec![] }];
        check(vec![many], pools, "there are more than 2^62 distinct calls");
    }
}
