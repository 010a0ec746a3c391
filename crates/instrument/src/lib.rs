//! Class to class: coverage probes, a step budget, told comparisons, and hooks at method entries.
//!
//! Three modules for coverage: [`place`](place()) decides where probes go and says so in a
//! [`Plan`]; [`rewrite`](rewrite()) writes them; [`coverage`] reads hits back as branches and
//! lines. A report needs the plan only, never the rewritten class.
//!
//! Invariants: probe ids are dense and depend on the class bytes only, because workers
//! instrument independently and their coverage is merged by id. No type inference: probes are
//! straight-line code, and detours end where a frame already stands. Deliberately absent: JVMs.

mod alike;
mod artefacts;
mod compare;
pub mod coverage;
mod emit;
mod entered;
mod error;
mod filters;
mod flow;
mod hook;
mod insertion;
mod lines;
mod names;
mod place;
mod plan;
mod points;
mod proof;
mod record;
mod rewrite;
mod segments;
mod steps;
mod throwing;
#[cfg(test)]
mod walk;
mod woven;

pub use artefacts::Artefacts;
pub use entered::{Entered, place_entered};
pub use error::InstrumentError;
pub use hook::{Hook, HookCall, Hooked, hook_entries};
pub use names::{RUNTIME, RuntimeNames};
pub use place::{place, place_checked};
pub use plan::{
    Branch, Comparison, ComparisonKind, Edge, MethodPlan, Options, Plan, Probe, ProbeKind, ReadBy,
    Segment, Site, SkipReason, Skipped, StepSite,
};
pub use record::{RecordSite, RecordSites, SiteKind, record_calls};
pub use rewrite::{Base, rewrite};
