//! The test case: canonical form 3 of the explorative strategies (requirement E1).
//!
//! Typed slots, some with an initial value, then calls that take receiver and arguments from slots
//! and put their result into one. The pool of a type is the slots of that type. A slot may be
//! written more than once, as numbered test spaces need it; most strategies write each once.
//!
//! An object has no other representation than the calls that build it, so a test case can be
//! rerun, shortened, stored and printed by parts that know nothing of the one that made it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::{Hierarchy, Literal, Operation, OperationKind, Type};

/// A place for a value in a test case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Slot(pub u32);

impl Slot {
    /// The slot as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The slots a call takes its receiver and arguments from.
pub type Args = SmallVec<[Slot; 6]>;

/// A slot's declaration.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct SlotDecl {
    /// Its type. Where it is narrower than the result put into it, the writer casts.
    pub ty: Type,
    /// Its value before the first call; a primitive literal in a slot of its boxed type is boxed.
    pub init: Option<Literal>,
}

/// One call.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Call {
    /// What is called.
    pub op: Arc<Operation>,
    /// Receiver (if any) and arguments.
    pub args: Args,
    /// Where the result goes; `None` drops it.
    pub result: Option<Slot>,
    /// Whether an exception is caught and the next call made (canonical form 3's guarded call).
    pub guarded: bool,
}

/// A test in canonical form 3.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct TestCase {
    /// The slots.
    pub slots: Vec<SlotDecl>,
    /// The calls, in order.
    pub calls: Vec<Call>,
}

/// What is wrong with a test case that is not well formed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    /// A call names a slot that is not declared.
    #[error("call {call} uses slot {slot}, which is not declared")]
    NoSuchSlot {
        /// The call.
        call: usize,
        /// The slot.
        slot: u32,
    },
    /// A call reads a slot that nothing has written.
    #[error("call {call} reads slot {slot} before it has a value")]
    Unset {
        /// The call.
        call: usize,
        /// The slot.
        slot: u32,
    },
    /// The number of arguments does not fit the operation.
    #[error("call {call} passes {given} values to {op}")]
    Arity {
        /// The call.
        call: usize,
        /// How many it passes.
        given: usize,
        /// To what.
        op: String,
    },
    /// An argument's type does not fit.
    #[error("call {call} passes {given} as {wanted} to {op}")]
    Mismatch {
        /// The call.
        call: usize,
        /// The slot's type.
        given: String,
        /// The parameter's type.
        wanted: String,
        /// To what.
        op: String,
    },
    /// What is put into a field is no mock, or one that is put somewhere else too.
    #[error("call {call} injects slot {slot}, which holds no mock of its own")]
    NoMock {
        /// Index of the call.
        call: usize,
        /// The slot.
        slot: u32,
    },
}

impl TestCase {
    /// Adds a slot with an initial value.
    pub fn literal(&mut self, ty: Type, value: Literal) -> Slot {
        self.slots.push(SlotDecl { ty, init: Some(value) });
        Slot(self.slots.len() as u32 - 1)
    }

    /// Adds an empty slot.
    pub fn slot(&mut self, ty: Type) -> Slot {
        self.slots.push(SlotDecl { ty, init: None });
        Slot(self.slots.len() as u32 - 1)
    }

    /// Adds a call whose result, if it has one, goes into a new slot of the operation's result type.
    pub fn call(&mut self, op: &Arc<Operation>, args: &[Slot]) -> Option<Slot> {
        let result = op.result.as_ref().map(|ty| self.slot(ty.clone()));
        self.calls.push(Call {
            op: op.clone(),
            args: Args::from_slice(args),
            result,
            guarded: false,
        });
        result
    }

    /// Appends another test case's slots and calls; its slot `s` becomes `Slot(offset + s)` with
    /// the offset returned.
    pub fn append(&mut self, other: &TestCase) -> u32 {
        let offset = self.slots.len() as u32;
        self.slots.extend(other.slots.iter().cloned());
        self.calls.extend(other.calls.iter().map(|call| Call {
            op: call.op.clone(),
            args: call.args.iter().map(|s| Slot(s.0 + offset)).collect(),
            result: call.result.map(|s| Slot(s.0 + offset)),
            guarded: call.guarded,
        }));
        offset
    }

    /// The type of a slot.
    pub fn ty(&self, slot: Slot) -> &Type {
        &self.slots[slot.index()].ty
    }

    /// Drops slots no call touches (except the ones in `keep`) and numbers the rest anew in order
    /// of first use, so that equal tests are equal values. Returns the new number of each old slot.
    pub fn compact(&mut self, keep: &[Slot]) -> Vec<Option<Slot>> {
        let mut renamed: Vec<Option<Slot>> = vec![None; self.slots.len()];
        let mut order = Vec::new();
        let used = self.calls.iter().flat_map(|c| c.args.iter().copied().chain(c.result));
        for slot in used.chain(keep.iter().copied()) {
            let entry = &mut renamed[slot.index()];
            if entry.is_none() {
                *entry = Some(Slot(order.len() as u32));
                order.push(slot);
            }
        }
        self.slots = order.iter().map(|s| self.slots[s.index()].clone()).collect();
        let rename = |s: Slot| renamed[s.index()].expect("every used slot was numbered");
        for call in &mut self.calls {
            for arg in &mut call.args {
                *arg = rename(*arg);
            }
            call.result = call.result.map(rename);
        }
        renamed
    }

    /// Checks that every value is set before it is read and fits where it goes.
    pub fn check(&self, classes: &impl Hierarchy) -> Result<(), Violation> {
        let mut set: Vec<bool> = self.slots.iter().map(|s| s.init.is_some()).collect();
        for (index, call) in self.calls.iter().enumerate() {
            let op = &call.op;
            if op.kind != OperationKind::Array && call.args.len() != op.params.len() {
                return Err(Violation::Arity {
                    call: index,
                    given: call.args.len(),
                    op: op.to_string(),
                });
            }
            for (position, arg) in call.args.iter().enumerate() {
                let Some(decl) = self.slots.get(arg.index()) else {
                    return Err(Violation::NoSuchSlot { call: index, slot: arg.0 });
                };
                if !set[arg.index()] {
                    return Err(Violation::Unset { call: index, slot: arg.0 });
                }
                let wanted = op.param(position);
                if decl.init != Some(Literal::Null) && !classes.is_subtype(&decl.ty, wanted) {
                    return Err(Violation::Mismatch {
                        call: index,
                        given: decl.ty.to_string(),
                        wanted: wanted.to_string(),
                        op: op.to_string(),
                    });
                }
            }
            if op.kind == OperationKind::Inject {
                self.check_injected(index)?;
            }
            if let Some(result) = call.result {
                *set.get_mut(result.index())
                    .ok_or(Violation::NoSuchSlot { call: index, slot: result.0 })? = true;
            }
        }
        Ok(())
    }

    /// Checks that every field is given a mock of its own: Mockito injects no others.
    fn check_injected(&self, index: usize) -> Result<(), Violation> {
        let args = &self.calls[index].args;
        for (position, arg) in args.iter().enumerate() {
            let mut made = self.calls[..index].iter().filter(|call| call.result == Some(*arg));
            let is_mock = made.next().is_some_and(|call| call.op.as_mock().is_some());
            if !is_mock || made.next().is_some() || args[..position].contains(arg) {
                return Err(Violation::NoMock { call: index, slot: arg.0 });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Class, ClassName, ClassSource};

    struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &ClassName) -> Option<Arc<Class>> {
            None
        }
    }

    fn op(kind: OperationKind, params: Vec<Type>, result: Option<Type>) -> Arc<Operation> {
        Arc::new(Operation {
            kind,
            owner: ClassName::internal("a/B"),
            name: "m".into(),
            params,
            result,
            implementation: None,
        })
    }

    fn sample() -> TestCase {
        let b = Type::class("a/B");
        let new = op(OperationKind::Constructor, vec![], Some(b.clone()));
        let add = op(OperationKind::InstanceMethod, vec![b, Type::INT], Some(Type::INT));
        let mut case = TestCase::default();
        let _unused = case.literal(Type::INT, Literal::Int(9));
        let one = case.literal(Type::INT, Literal::Int(1));
        let object = case.call(&new, &[]).unwrap();
        let sum = case.call(&add, &[object, one]).unwrap();
        case.call(&add, &[object, sum]);
        case
    }

    #[test]
    fn a_well_formed_case_passes_its_check() {
        sample().check(&Nothing).unwrap();
    }

    #[test]
    fn ill_formed_cases_are_told_apart() {
        let mut unset = sample();
        unset.calls.remove(0);
        assert!(matches!(unset.check(&Nothing), Err(Violation::Unset { call: 0, .. })));
        let mut arity = sample();
        arity.calls[1].args.pop();
        assert!(matches!(arity.check(&Nothing), Err(Violation::Arity { call: 1, .. })));
        let mut mismatch = sample();
        mismatch.calls[1].args.swap(0, 1);
        assert!(matches!(mismatch.check(&Nothing), Err(Violation::Mismatch { call: 1, .. })));
        let mut missing = sample();
        missing.calls[2].args[1] = Slot(77);
        assert!(matches!(
            missing.check(&Nothing),
            Err(Violation::NoSuchSlot { call: 2, slot: 77 })
        ));
    }

    #[test]
    fn compacting_drops_unused_slots_and_keeps_the_calls() {
        let mut case = sample();
        let renamed = case.compact(&[]);
        assert_eq!(renamed[0], None);
        assert_eq!(case.slots.len(), 4);
        case.check(&Nothing).unwrap();
        assert_eq!(case.calls[1].args[0], case.calls[0].result.unwrap());
    }

    #[test]
    fn appending_shifts_the_slots() {
        let mut case = sample();
        let offset = case.append(&sample());
        assert_eq!(offset, 5);
        assert_eq!(case.calls.len(), 6);
        case.check(&Nothing).unwrap();
    }

    #[test]
    fn a_case_survives_being_stored() {
        let case = sample();
        let bytes = postcard::to_stdvec(&case).unwrap();
        assert_eq!(postcard::from_bytes::<TestCase>(&bytes).unwrap(), case);
        let text = serde_json::to_string(&case).unwrap();
        assert_eq!(serde_json::from_str::<TestCase>(&text).unwrap(), case);
    }
}
