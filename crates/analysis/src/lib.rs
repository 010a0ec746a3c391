//! Program analyses on bytecode alone: constants, purity, and what methods read and write.
//!
//! [`Constants`] are what code compares and computes with, [`Weights`] tell which of them are
//! worth trying elsewhere. [`Purity`] tells what a method may change ([`MethodEffects`]) and which
//! fields it reads and writes ([`FieldAccess`]); of the JDK it knows [`Summaries`]. All rest on one abstract interpreter (`machine`), which moves values
//! through stack and variables and leaves their meaning to each analysis.
//!
//! Invariants: code that contradicts itself is an [`AnalysisError`], never a panic; results
//! depend on class bytes only. Deliberately absent: JVMs, annotated libraries, and lists of known
//! methods, but for the few natives that everything rests on (`purity/natives.rs`).

mod asked;
mod calls;
mod constants;
mod error;
mod machine;
mod purity;
mod refs;
mod set_fields;
mod shape;

pub use asked::{Asked, asked_types};
pub use calls::{CallSite, MethodKey, call_sites, calls};
pub use constants::{Constants, Mined, Passed, Signature, Use, Weighted, Weights};
pub use error::AnalysisError;
pub use purity::{
    FieldAccess, FieldRef, MethodEffects, Purity, Summaries, SummariesError, SummariesOrigin,
};
pub use set_fields::{FieldKey, SetTo, set_fields};
