//! What every other crate speaks of: types, classes, test cases and outcomes.
//!
//! The ground floor of the workspace: no I/O, no JVM, no search. A test case here is a test case
//! everywhere: strategies make it, the executor runs it, the minimizer shortens it, the writer
//! prints it.

mod access;
mod case;
mod cause;
mod class;
mod contract;
mod effect;
mod generic;
mod hierarchy;
mod identifier;
mod implementation;
mod interaction;
mod literal;
mod name;
mod operation;
mod outcome;
mod restated;
mod suite;
mod temporary;
mod trace;
mod ty;
mod unimplemented;

pub use access::{member_accessible, type_accessible};
pub use case::{Args, Call, Slot, SlotDecl, TestCase, Violation};
pub use cause::Cause;
pub use class::{
    Access, Annotation, Class, ClassKind, Field, Method, Nesting, Origin, Param, RecordComponent,
};
pub use contract::{Breach, BreachKind};
pub use effect::{Effect, EffectKind, EffectSet};
pub use generic::{
    ClassSignature, GenericType, MethodSignature, SignatureError, TypeArgument, TypeParameter,
};
pub use hierarchy::{ClassSource, Hierarchy, Implementations};
pub use identifier::is_identifier;
pub use implementation::{Answer, Implementation, ImplementedMethod, Sketch};
pub use interaction::{Interaction, Passed, Verified};
pub use literal::{JavaString, Literal};
pub use name::ClassName;
pub use operation::{Operation, OperationKind};
pub use outcome::{CallEnd, CallOutcome, Cut, End, Frame, Observation, Outcome, Thrown};
pub use restated::{Asserted, Claim, KeptValue, Piece, Restated, Template};
pub use suite::{Check, CheckKind, Contract, Expectation, Failure, FailureKind, UnitTest};
pub use temporary::{FileType, RUNTIME_CLASS as TEMPORARY_CLASS, Temporary};
pub use trace::{SAME, Trace};
pub use ty::{DescriptorError, MethodDescriptor, Primitive, Type};
pub use unimplemented::{Unimplemented, implementable, mockable, unimplemented};
