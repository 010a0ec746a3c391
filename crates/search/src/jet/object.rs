//! What test cases are made of: objects as the calls that build them (section III-A of the paper).

use std::sync::Arc;

use model::{Literal, Slot, TestCase};

use crate::api::{OpId, TypeId};

/// An object or array: the calls that build it, and what tells it from others.
#[derive(Debug)]
pub(super) struct Object {
    /// Just the calls that it takes.
    pub(super) case: Arc<TestCase>,
    pub(super) slot: Slot,
    pub(super) ty: TypeId,
    pub(super) history: History,
    /// Another one for each object.
    pub(super) serial: u32,
}

/// What an object was made of.
#[derive(Clone, Debug)]
pub(super) enum History {
    /// A constructor, then the methods that changed it.
    Steps(Vec<Step>),
    /// Elements of an array.
    Elements(Vec<Key>),
    /// The same object was passed more than once: the calls alone tell which.
    Shared,
}

/// A call of an object's sequence.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The first number of the operation.
    pub(super) op: OpId,
    pub(super) args: Vec<Key>,
}

/// What an argument is.
#[derive(Clone, Debug)]
pub(super) enum Key {
    Literal(Literal),
    Object(Arc<Object>),
    /// The object whose sequence this is.
    Itself,
}
