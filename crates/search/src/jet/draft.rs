//! What is being built: a test case or an object, with the call that comes next.
//!
//! Invariant: the first `sure` calls of a frame's test case worked, or are taken to work. What comes
//! after them belongs to the draft, and goes with it. Not all of them have to do with the object.

use std::sync::Arc;

use model::{Args, Literal, OperationKind, Slot, TestCase, Type};

use super::object::{History, Key, Object, Step};
use crate::api::{Api, OpId, TypeId};

/// What a frame is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// Testing this method.
    Test(OpId),
    /// Making a value of this type.
    Value(TypeId),
}

/// A test case or an object in the making.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) goal: Goal,
    pub(super) case: TestCase,
    pub(super) sure: usize,
    /// The object, once there is one, and its type.
    pub(super) object: Option<(Slot, TypeId)>,
    pub(super) history: History,
    /// Methods still to be called on it.
    pub(super) left: u32,
    /// Infeasible calls taken back, in a row.
    pub(super) tries: u32,
    pub(super) draft: Option<Draft>,
    /// Whether it goes on with the object that the open test has.
    pub(super) is_alive: bool,
    /// New objects of a test case, each with the number of calls after which it is there.
    pub(super) parts: Vec<(usize, Arc<Object>)>,
}

/// The next call.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) op: OpId,
    pub(super) wants: Vec<TypeId>,
    /// The place of the object that the call is to change.
    pub(super) own: Option<usize>,
    pub(super) args: Args,
    pub(super) keys: Vec<Key>,
    /// Places of values that were drawn, so that others can be.
    pub(super) drawn: Vec<usize>,
    /// Whether a `null` is passed that was not drawn.
    pub(super) has_null: bool,
    /// Whether an object of the test case is passed once more.
    pub(super) shares: bool,
    /// Whether the call is in the test case already.
    pub(super) is_made: bool,
}

impl Frame {
    pub(super) fn new(goal: Goal) -> Self {
        Self {
            goal,
            case: TestCase::default(),
            sure: 0,
            object: None,
            history: History::Steps(Vec::new()),
            left: 0,
            tries: 0,
            draft: None,
            is_alive: false,
            parts: Vec::new(),
        }
    }

    /// Goes on with an object that was built.
    pub(super) fn going_on(object: &Object, left: u32) -> Self {
        let mut frame = Self::new(Goal::Value(object.ty));
        frame.case = (*object.case).clone();
        frame.sure = frame.case.calls.len();
        frame.object = Some((object.slot, object.ty));
        frame.history = object.history.clone();
        frame.left = left;
        frame
    }

    /// Begins a call of an operation with so many arguments of these types.
    pub(super) fn begin(&mut self, op: OpId, wants: Vec<TypeId>, own: Option<usize>) {
        self.draft = Some(Draft {
            op,
            wants,
            own,
            args: Args::new(),
            keys: Vec::new(),
            drawn: Vec::new(),
            has_null: false,
            shares: false,
            is_made: false,
        });
    }

    /// The type of the next argument and its place, if the call lacks one.
    pub(super) fn wanted(&self) -> Option<(usize, TypeId)> {
        let draft = self.draft.as_ref()?;
        let at = draft.args.len();
        Some((at, *draft.wants.get(at)?))
    }

    /// The next argument of the call is in this slot.
    pub(super) fn pass(&mut self, slot: Slot, key: Key) {
        if let Some(draft) = &mut self.draft {
            draft.args.push(slot);
            draft.keys.push(key);
        }
    }

    /// The next argument is this literal.
    pub(super) fn pass_literal(&mut self, (ty, literal): (Type, Literal)) {
        let slot = self.case.literal(ty, literal.clone());
        if let Some(draft) = &mut self.draft {
            draft.drawn.push(draft.args.len());
        }
        self.pass(slot, Key::Literal(literal));
    }

    /// The next argument is `null`, which no other value of the type stands in for by drawing again.
    pub(super) fn pass_null(&mut self, ty: Type) {
        let slot = self.case.literal(ty, Literal::Null);
        self.pass(slot, Key::Literal(Literal::Null));
        if let Some(draft) = &mut self.draft {
            draft.has_null = true;
        }
    }

    /// The next argument is this object, which is built before; `is_new` if it is not of the pool.
    pub(super) fn pass_object(&mut self, object: Arc<Object>, is_new: bool) {
        let offset = self.case.append(&object.case);
        if is_new && matches!(self.goal, Goal::Test(_)) {
            self.parts.push((self.case.calls.len(), object.clone()));
        }
        self.pass(Slot(object.slot.0 + offset), Key::Object(object));
    }

    /// The next argument is an object that the test case has already.
    pub(super) fn share(&mut self, slot: Slot) {
        self.pass(slot, Key::Itself);
        if let Some(draft) = &mut self.draft {
            draft.shares = true;
        }
    }

    /// Puts the call of the draft into the test case.
    pub(super) fn call(&mut self, api: &Api) {
        if let Some(draft) = &mut self.draft {
            api.call(&mut self.case, draft.op, &draft.args);
            draft.is_made = true;
        }
    }

    /// Takes it out again; slots stay, as they do in an open test.
    pub(super) fn take_back(&mut self) {
        if let Some(draft) = &mut self.draft
            && std::mem::take(&mut draft.is_made)
        {
            self.case.calls.pop();
        }
    }

    /// What was built for a call that was not made stays: it can be shared, and is no part of the object.
    pub(super) fn keep_passed(&mut self) {
        self.sure = self.case.calls.len();
    }

    /// Gives up the draft, with all that was built for it.
    pub(super) fn drop_draft(&mut self) {
        self.draft = None;
        self.case.calls.truncate(self.sure);
        self.parts.clear();
    }

    /// Whether there are other arguments than what is drawn and what the method is called on.
    pub(super) fn has_others(&self) -> bool {
        let mut others = self.draft.iter().flat_map(|draft| draft.keys.iter().skip(1));
        others.any(|key| !matches!(key, Key::Literal(literal) if *literal != Literal::Null))
    }

    /// Whether the call takes an object that was built.
    pub(super) fn takes_objects(&self) -> bool {
        let mut keys = self.draft.iter().flat_map(|draft| &draft.keys);
        keys.any(|key| matches!(key, Key::Object(_)))
    }

    /// Chooses all arguments anew, but for what the method is called on; objects that were passed stay in
    /// the test case, where they can be shared.
    pub(super) fn choose_others(&mut self) {
        if let Some(draft) = &mut self.draft {
            draft.args.truncate(1);
            draft.keys.truncate(1);
            draft.drawn.clear();
            draft.has_null = false;
            draft.shares = false;
        }
    }

    /// Begins anew, without anything that was built.
    pub(super) fn restart(&mut self) {
        self.is_alive = false;
        self.draft = None;
        self.case = TestCase::default();
        self.parts.clear();
    }

    /// Whether drawing other values is likely to make the call feasible.
    pub(super) fn has_drawn(&self) -> bool {
        self.draft.as_ref().is_some_and(|draft| !draft.drawn.is_empty() && !draft.has_null)
    }

    /// The call of the draft worked: it is a part of the object.
    pub(super) fn settle(&mut self, api: &Api) {
        let Some(draft) = self.draft.take() else { return };
        if self.object.is_none()
            && let Some(made) = self.case.calls.last().and_then(|call| call.result)
            && let Goal::Value(wanted) = self.goal
        {
            self.object = Some((made, api.result(draft.op).unwrap_or(wanted)));
        }
        let is_array = api.operation(draft.op).kind == OperationKind::Array;
        match &mut self.history {
            _ if draft.shares => self.history = History::Shared,
            _ if is_array => self.history = History::Elements(draft.keys),
            History::Steps(steps) => {
                steps.push(Step { op: api.first(draft.op), args: draft.keys });
            }
            History::Elements(_) | History::Shared => {}
        }
        self.sure = self.case.calls.len();
        self.tries = 0;
    }

    /// The object that was built.
    pub(super) fn finished(mut self, serial: u32) -> Option<Object> {
        let (slot, ty) = self.object?;
        self.case.calls.truncate(self.sure);
        let renamed = self.case.compact(&[slot]);
        let slot = renamed[slot.index()]?;
        Some(Object { case: Arc::new(self.case), slot, ty, history: self.history, serial })
    }
}
