//! What is inserted into a method, sorted by where it goes.

use classfile::{ClassFile, ClassFileError, Code, Node};
use rustc_hash::FxHashMap;

use crate::compare::read;
use crate::emit::{self, Emitter};
use crate::plan::{Comparison, ComparisonKind, MethodPlan, Probe, Site, StepSite};
use crate::rewrite::Base;

/// What is inserted at one place: first the step, so that a probe is passed only if it did not
/// throw.
#[derive(Clone, Copy, Default)]
pub(crate) struct Insertion {
    pub(crate) step: bool,
    pub(crate) probe: Option<u32>,
    pub(crate) told: Option<Told>,
    /// A probe that is passed only if what is compared here is equal, and whether that are two
    /// numbers.
    pub(crate) equal: Option<(u32, bool)>,
    /// Probes for what is dropped here: nothing, something; and whether that is a reference.
    pub(crate) dropped: [Option<(u32, bool)>; 2],
}

/// A comparison that is told.
#[derive(Clone, Copy)]
pub(crate) struct Told {
    pub(crate) how: emit::Tell,
    pub(crate) number: u32,
}

impl Insertion {
    /// Appends the instructions.
    pub(crate) fn write(
        self,
        class: &mut ClassFile,
        emitter: &mut Emitter,
        out: &mut Vec<Node>,
    ) -> Result<(), ClassFileError> {
        if self.step {
            emitter.step(&mut class.pool, out)?;
        }
        if let Some(id) = self.probe {
            emitter.probe(&mut class.pool, id, out)?;
        }
        if let Some(told) = self.told {
            emitter.tell(&mut class.pool, told.how, told.number, out)?;
        }
        if let Some((id, two)) = self.equal {
            emitter.equal(&mut class.pool, two, id, out)?;
        }
        for (dropped, is_some) in self.dropped.into_iter().zip([false, true]) {
            if let Some((id, is_object)) = dropped {
                emitter.dropped(&mut class.pool, (is_object, is_some), id, out)?;
            }
        }
        Ok(())
    }
}

/// What is inserted into a method, by places. Numbers are instruction indices.
#[derive(Default)]
pub(crate) struct Insertions {
    pub(crate) entry: Insertion,
    pub(crate) before: FxHashMap<u32, Insertion>,
    pub(crate) after: FxHashMap<u32, Insertion>,
    pub(crate) jumps: FxHashMap<(u32, u32), Insertion>,
    /// Comparing instructions that become calls.
    pub(crate) replaced: FxHashMap<u32, u32>,
}

impl Insertions {
    pub(crate) fn of(
        method: &MethodPlan,
        probes: &[Probe],
        comparisons: &[Comparison],
        base: Base,
    ) -> Self {
        let mut all = Self::default();
        for (probe, id) in probes.iter().zip(base.probe + method.probes.start..) {
            let insertion = match probe.site {
                Site::Equal { at, two } => {
                    all.before.entry(at).or_default().equal = Some((id, two));
                    continue;
                }
                Site::Dropped { at, is_object, is_some } => {
                    let insertion = all.before.entry(at).or_default();
                    insertion.dropped[usize::from(is_some)] = Some((id, is_object));
                    continue;
                }
                Site::Entry => &mut all.entry,
                Site::Before(at) => all.before.entry(at).or_default(),
                Site::After(at) => all.after.entry(at).or_default(),
                Site::Jump { from, to } => all.jumps.entry((from, to)).or_default(),
            };
            debug_assert!(insertion.probe.is_none(), "one probe per place");
            insertion.probe = Some(id);
        }
        for site in &method.steps {
            let insertion = match *site {
                StepSite::Entry => &mut all.entry,
                StepSite::Before(at) => all.before.entry(at).or_default(),
                StepSite::Jump { from, to } => all.jumps.entry((from, to)).or_default(),
            };
            insertion.step = true;
        }
        let numbers = base.comparison + method.comparisons.start..;
        for (comparison, number) in comparisons.iter().zip(numbers) {
            let at = comparison.instruction;
            let how = match &comparison.kind {
                ComparisonKind::Int => emit::Tell::Ints,
                ComparisonKind::Zero | ComparisonKind::Truth => emit::Tell::Zero,
                ComparisonKind::Order => emit::Tell::Ints,
                ComparisonKind::Key(_) | ComparisonKind::Constant(_) => emit::Tell::Key,
                ComparisonKind::Placed(_) => emit::Tell::ObjectsBeneath,
                ComparisonKind::Character { beneath: false } => emit::Tell::Character,
                ComparisonKind::Character { beneath: true } => emit::Tell::CharacterBeneath,
                ComparisonKind::Held => emit::Tell::Held,
                ComparisonKind::Elements => emit::Tell::Elements,
                ComparisonKind::Hash | ComparisonKind::Null | ComparisonKind::Instance(_) => {
                    emit::Tell::Text
                }
                ComparisonKind::Read(by) if read::is_last(&by.descriptor) => emit::Tell::Text,
                ComparisonKind::Read(_) => emit::Tell::TextBeneath,
                ComparisonKind::Reference | ComparisonKind::Object(_) => emit::Tell::Objects,
                ComparisonKind::Long | ComparisonKind::Float | ComparisonKind::Double => {
                    all.replaced.insert(at, number);
                    continue;
                }
            };
            all.before.entry(at).or_default().told = Some(Told { how, number });
        }
        all
    }

    /// The greatest instruction index of all places.
    pub(crate) fn last_instruction(&self) -> usize {
        let places = self.before.keys().chain(self.after.keys()).chain(self.replaced.keys());
        let jumps = self.jumps.keys().flat_map(|(from, to)| [from, to]);
        places.chain(jumps).max().map_or(0, |last| *last as usize)
    }

    /// By how many bytes the method grows at most.
    pub(crate) fn size_bound(&self, code: &Code) -> usize {
        const GOTO_W_SIZE: usize = 5;
        const PADDING: usize = 3;
        let places = 1 + self.before.len() + self.after.len() + self.jumps.len();
        let switches = code.instructions().filter(|instruction| instruction.is_switch()).count();
        places * (emit::PROBE_SIZE + emit::STEP_SIZE)
            + (2 * self.before.len() + self.replaced.len()) * emit::TELL_SIZE
            + self.jumps.len() * GOTO_W_SIZE
            + switches * PADDING
    }

    pub(crate) fn has_inner_probes(&self) -> bool {
        let inner = self.before.values().chain(self.after.values()).chain(self.jumps.values());
        let has_any = |i: &Insertion| {
            let is_asked = i.told.is_some() || i.equal.is_some() || i.dropped != [None; 2];
            i.probe.is_some() || is_asked
        };
        !self.replaced.is_empty() || inner.into_iter().any(has_any)
    }
}
