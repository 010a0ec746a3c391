//! Failures that are true and that nobody wants to hear of (requirement G11).
//!
//! They are counted, and reported only on request, kind by kind.

use model::{ClassName, Operation, TestCase};
use serde::{Deserialize, Serialize};

/// A kind of noise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Noise {
    /// The failing method is deprecated: its authors know better already.
    Deprecated,
    /// The class is in a package named `internal`: its authors call it as they know how.
    Internal,
    /// The stack overflows over an object that was put into itself.
    SelfContaining,
    /// Memory ran out: what was asked for is too large.
    Memory,
    /// A field is `null` because the test does not call its setter.
    Unset,
}

impl Noise {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Deprecated, Self::Internal, Self::SelfContaining, Self::Memory, Self::Unset];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Deprecated => "deprecated",
            Self::Internal => "internal",
            Self::SelfContaining => "self-containing",
            Self::Memory => "memory",
            Self::Unset => "unset",
        }
    }

    /// The kind of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|noise| noise.name() == name)
    }

    /// Whether nothing in the package of a class is meant for others.
    pub(crate) fn is_internal(class: &ClassName) -> bool {
        class.package().split('/').any(|part| part == "internal")
    }

    /// What kind of noise it is if the last call of the test throws this class.
    pub(crate) fn of(case: &TestCase, thrown: &ClassName, is_deprecated: bool) -> Option<Self> {
        let owner = case.calls.last().map(|call: &model::Call| &call.op.owner);
        match thrown.as_internal() {
            "java/lang/OutOfMemoryError" => Some(Self::Memory),
            "java/lang/StackOverflowError" if puts_into_itself(case) => Some(Self::SelfContaining),
            _ if is_deprecated => Some(Self::Deprecated),
            _ if owner.is_some_and(Self::is_internal) => Some(Self::Internal),
            _ => None,
        }
    }
}

/// Whether any call is given its own receiver, or objects that hold each other: whatever was passed
/// to an object is later given that object.
fn puts_into_itself(case: &TestCase) -> bool {
    let mut given: Vec<(model::Slot, model::Slot)> = Vec::new();
    case.calls.iter().any(|call| {
        let op: &Operation = &call.op;
        let holder = if op.has_receiver() { call.args.first().copied() } else { call.result };
        let Some(holder) = holder else { return false };
        let parts = call.args.iter().skip(usize::from(op.has_receiver()));
        let mut closes = false;
        for part in parts.copied().filter(|part| case.slots[part.index()].init.is_none()) {
            closes |= part == holder || reaches(&given, part, holder);
            given.push((holder, part));
        }
        closes
    })
}

/// Whether `from` holds `to`, directly or through others.
fn reaches(given: &[(model::Slot, model::Slot)], from: model::Slot, to: model::Slot) -> bool {
    let mut seen = vec![from];
    let mut next = 0;
    while let Some(holder) = seen.get(next).copied() {
        next += 1;
        for (_, part) in given.iter().filter(|(by, _)| *by == holder) {
            if *part == to {
                return true;
            }
            if !seen.contains(part) {
                seen.push(*part);
            }
        }
    }
    false
}
