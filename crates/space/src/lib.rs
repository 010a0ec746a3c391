//! The search space of explorative strategies: which tests there are, and in which order they are
//! gone through. Source: Andrews, Zhang, Groce, "Comparing Automated Unit Testing Strategies"
//! (requirements E1, E4 to E9, E13).
//!
//! A [`Context`] fixes what may be called and on which values. Of the `j` distinct calls it has,
//! tests of length `n` are the `z = j^n` sequences. A call is a digit below `j`, a test a sequence
//! of digits, and the paper's index of a test the number that those digits write in base `j`.
//!
//! Invariants: index and test determine each other; a [`Permutation`] has every index once; nothing
//! here runs, reads or prints anything. It knows no JVM and no strategy's driver.

mod additive;
mod context;
pub mod density;
mod depth_first;
mod file;
mod mixing;
mod numbering;
mod permutation;
mod shard;
mod text;
mod uniformity;
mod usual;
mod value;
mod walk;
mod words;

pub use additive::{Additive, USUAL_PRIME};
pub use context::{Context, ContextError, Pool};
pub use depth_first::DepthFirst;
pub use file::{ContextFile, FileError};
pub use num_bigint::BigUint;
pub use num_rational::BigRational;
pub use numbering::{digits_of, index_of, size};
pub use permutation::{Cursor, Permutation};
pub use shard::{Shard, ShardError};
pub use text::{java_text, literal as java_literal};
pub use uniformity::{Uniformity, Verdict};
