//! Why a member or a class got no test (requirement G14).

mod missing;
mod starved;
#[cfg(test)]
mod tests;
mod unentered;

use std::sync::Arc;

use model::{Class, ClassKind, Nesting, Operation, TestCase};
use serde::{Deserialize, Serialize};

use crate::api::{Api, OpId, TypeId};
use crate::contracts::Built;
use crate::driver::{Driver, Kept, OpStatistics};
use crate::executor::Executor;

pub(crate) use missing::add_called_with_null;
pub(crate) use starved::starved;
pub(crate) use unentered::unentered;

/// Gives built objects that can be used as a type, up to a limit.
pub(crate) type Objects<'o> = &'o dyn Fn(TypeId, usize) -> Vec<Built>;

/// Calls of a member, and of what makes its arguments, after which the search has tried.
const TRIED: u64 = 50;

/// The reasons, by the code users see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonCode {
    /// The class is private, local or synthetic: no test can name it.
    NotAccessible,
    /// An interface or annotation without code of its own.
    NothingToRun,
    /// No test can reach any of its members.
    NoAccessibleMember,
    /// Its static initializer throws.
    InitializerFails,
    /// A class it needs is missing or broken.
    Unlinkable,
    /// Nothing at hand makes an argument or receiver of a type it needs.
    NoValueOfType,
    /// Every call threw.
    AlwaysThrows,
    /// No call had arguments that its precondition allows.
    PreconditionNeverHeld,
    /// Every call had to be cut short.
    Hangs,
    /// The process died in it.
    Crashes,
    /// Calls tried something outside the heap that a test must not do.
    UnsafeEffect,
    /// It could not be called in the time given.
    NotReached,
    /// The search of the class ended before it had tried it.
    Starved,
    /// It has more to be measured than there is room for.
    TooLarge,
    /// Nothing that is measured calls it, and no test can.
    NotCalled,
    /// Something calls it, but no test got that far.
    NotEntered,
    /// What it does is reported as a failure, so no passing test asserts it.
    Reported,
    /// Tests were found but did something else when they were run again.
    NotReproducible,
    /// Tests were found but hold in one order or environment only.
    EnvironmentDependent,
    /// Tests were found but could not be written as source that compiles.
    NotWritable,
    /// Its test file exists and may not be overwritten.
    FileExists,
    /// Testhound itself failed on it.
    InternalError,
}

impl ReasonCode {
    /// The code as shown.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotAccessible => "not-accessible",
            Self::NothingToRun => "nothing-to-run",
            Self::NoAccessibleMember => "no-accessible-member",
            Self::InitializerFails => "initializer-fails",
            Self::Unlinkable => "unlinkable",
            Self::NoValueOfType => "no-value-of-type",
            Self::AlwaysThrows => "always-throws",
            Self::PreconditionNeverHeld => "precondition-never-held",
            Self::Hangs => "hangs",
            Self::Crashes => "crashes",
            Self::UnsafeEffect => "unsafe-effect",
            Self::NotReached => "not-reached",
            Self::Starved => "starved",
            Self::TooLarge => "too-large",
            Self::NotCalled => "not-called",
            Self::NotEntered => "not-entered",
            Self::Reported => "reported",
            Self::NotReproducible => "not-reproducible",
            Self::EnvironmentDependent => "environment-dependent",
            Self::NotWritable => "not-writable",
            Self::FileExists => "file-exists",
            Self::InternalError => "internal-error",
        }
    }
}

/// A reason for one member, or for the whole class.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Reason {
    /// Which.
    pub code: ReasonCode,
    /// The member; empty for the class.
    pub member: String,
    /// In words.
    pub detail: String,
}

impl Reason {
    /// A reason that holds for the whole class.
    pub fn of_class(code: ReasonCode, detail: impl Into<String>) -> Self {
        Self { code, member: String::new(), detail: detail.into() }
    }

    /// A reason that holds for one operation.
    pub fn of_operation(code: ReasonCode, op: &Operation, detail: impl Into<String>) -> Self {
        Self { code, member: op.to_string(), detail: detail.into() }
    }

    /// Why nothing can be tried at all on a class, if that can be seen from its declaration.
    pub fn before_search(class: &Class, accessible: bool, api: &Api) -> Option<Self> {
        if !accessible {
            let detail = match class.nesting {
                Nesting::Local => "the class is local to a method",
                _ if class.access.is_synthetic() => "the class is made by the compiler",
                _ => "the class is private",
            };
            return Some(Self::of_class(ReasonCode::NotAccessible, detail));
        }
        let has_code = class.methods.iter().any(|m| m.code_size > 0) || class.has_initializer;
        if !has_code {
            let what = match class.kind {
                ClassKind::Interface => "an interface without code of its own",
                ClassKind::Annotation => "an annotation type",
                _ => "a class without code of its own",
            };
            return Some(Self::of_class(ReasonCode::NothingToRun, what));
        }
        if api.subjects().is_empty() {
            let only_private = class.constructors().all(|c| c.access.is_private());
            let detail = if only_private && class.constructors().next().is_some() {
                "all constructors are private and no other member is accessible"
            } else {
                "no member is accessible from its package"
            };
            return Some(Self::of_class(ReasonCode::NoAccessibleMember, detail));
        }
        None
    }
}

/// Why operations of the class never returned normally.
pub(crate) fn after_search<E: Executor>(
    driver: &Driver<'_, E>,
    objects: Objects<'_>,
) -> Vec<Reason> {
    let api = driver.api;
    let mut reasons = Vec::new();
    for id in api.subjects() {
        let op = api.operation(*id);
        let Some(statistics) = driver.per_op.get(id) else {
            // It may have served other calls all the same, such as a constructor.
            let is_called = |kept: &Kept| kept.case.calls.iter().any(|call| call.op == *op);
            if !driver.kept().iter().any(is_called) {
                reasons.push(never_called(driver, api, *id));
            }
            continue;
        };
        if statistics.returned > 0 {
            continue;
        }
        let (code, detail) = if let Some(why) = &statistics.unlinkable {
            (ReasonCode::Unlinkable, why.clone())
        } else if !statistics.effects.may_be_emitted() {
            let forbidden = statistics.effects.iter().filter(|kind| !kind.may_be_emitted());
            let kinds: Vec<_> = forbidden.map(|kind| kind.describe()).collect();
            (ReasonCode::UnsafeEffect, kinds.join(", "))
        } else if statistics.cut > 0 && statistics.threw == 0 {
            let by_clock = match statistics.stopped {
                0 => String::new(),
                all if all == statistics.cut => ", by the clock".to_owned(),
                some => format!(", {some} of them by the clock"),
            };
            (ReasonCode::Hangs, format!("cut short {} times{by_clock}", statistics.cut))
        } else {
            let (code, what) = came_to(statistics);
            match missing::missing_argument(driver, objects, *id) {
                Some(why) if code == ReasonCode::AlwaysThrows => {
                    (ReasonCode::NoValueOfType, format!("{why}; with null it throws {what}"))
                }
                Some(why) => (ReasonCode::NoValueOfType, format!("{why}; with null {what}")),
                None => (code, what),
            }
        };
        reasons.push(Reason::of_operation(code, op, detail));
    }
    reasons
}

/// What became of calls none of which returned.
fn came_to(of: &OpStatistics) -> (ReasonCode, String) {
    let calls = |number: u64| match number {
        1 => "1 call breaks".to_owned(),
        _ => format!("all {number} calls break"),
    };
    if of.threw > 0 || of.breached + of.infeasible == 0 {
        let thrown = of.last_thrown.as_ref().map_or_else(String::new, |class| class.to_string());
        (ReasonCode::AlwaysThrows, thrown)
    } else if of.breached > 0 {
        (ReasonCode::Reported, format!("{} its contract", calls(of.breached)))
    } else {
        (ReasonCode::PreconditionNeverHeld, format!("{} its precondition", calls(of.infeasible)))
    }
}

/// Adds operations whose tests did not do the same again, if no test that is written calls them.
pub(crate) fn add_unsteady(
    reasons: &mut Vec<Reason>,
    unsteady: &[Arc<Operation>],
    written: &[&TestCase],
) {
    for op in unsteady {
        let is_called = |case: &&TestCase| case.calls.iter().any(|call| call.op == *op);
        let is_told = |reason: &Reason| reason.member == op.to_string();
        if !written.iter().any(is_called) && !reasons.iter().any(is_told) {
            let tests = unsteady.iter().filter(|other| *other == op).count();
            let detail = format!("{tests} found, which did something else when run again");
            reasons.push(Reason::of_operation(ReasonCode::NotReproducible, op, detail));
        }
    }
}

/// Adds operations that no passing test calls because what they do is reported as wrong.
pub(crate) fn add_reported(
    reasons: &mut Vec<Reason>,
    withheld: &[Arc<Operation>],
    passing: &[&TestCase],
) {
    for op in withheld {
        let is_called = |case: &&TestCase| case.calls.iter().any(|call| call.op == *op);
        let is_told = |reason: &Reason| reason.member == op.to_string();
        if !passing.iter().any(is_called) && !reasons.iter().any(is_told) {
            let detail = "what it does is among the failures";
            reasons.push(Reason::of_operation(ReasonCode::Reported, op, detail));
        }
    }
}

fn never_called<E: Executor>(driver: &Driver<'_, E>, api: &Api, id: OpId) -> Reason {
    let op = api.operation(id);
    let receiver = api.params(id).first().filter(|_| api.needs_first(id));
    let Some(ty) = receiver.filter(|ty| api.literals(**ty).is_empty()) else {
        return Reason::of_operation(ReasonCode::NotReached, op, "no call was put together");
    };
    let known = |maker: &OpId| driver.per_op.get(&api.first(*maker));
    let failed = |maker: &OpId| known(maker).is_none_or(|s| s.returned == 0);
    let makers = api.makers(*ty);
    if !makers.iter().all(failed) {
        return Reason::of_operation(ReasonCode::NotReached, op, "no call was put together");
    }
    if !makers.is_empty() && makers.iter().all(|maker| known(maker).is_none()) {
        let detail = format!("nothing was called that makes a {}", api.ty(*ty));
        return Reason::of_operation(ReasonCode::NotReached, op, detail);
    }
    let detail = missing::why_missing(driver, *ty);
    Reason::of_operation(ReasonCode::NoValueOfType, op, detail)
}
