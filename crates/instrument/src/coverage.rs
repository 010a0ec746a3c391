//! Reads hits back: which branches, lines and instructions of a class were covered.
//!
//! Counts like JaCoCo: two branches for each conditional jump, one for each distinct target of
//! a switch; what the compiler made of nothing in the source does not count (see `filters`).
//! Code counts as covered once control came from it to the next place of interest (see `points`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::InstrumentError;
use crate::plan::{Plan, ProbeKind};

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// How many are covered.
    pub covered: u32,
    /// How many there are.
    pub total: u32,
}

impl Count {
    fn add(&mut self, covered: bool) {
        self.add_many(1, covered);
    }

    fn add_many(&mut self, count: u32, covered: bool) {
        self.total += count;
        self.covered += if covered { count } else { 0 };
    }
}

/// What was covered of a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The internal name of the class.
    pub class: String,
    /// Branches of all counted methods.
    pub branches: Count,
    /// Distinct lines of all counted methods.
    pub lines: Count,
    /// Instructions of all counted methods.
    pub instructions: Count,
    /// Counted methods that were entered.
    pub entered: Count,
    /// Each method, in order of the plan.
    pub methods: Vec<MethodSummary>,
    /// Each line of the counted methods, ascending.
    pub by_line: Vec<LineSummary>,
}

/// What was covered of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodSummary {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it counts in the totals of the class.
    pub counted: bool,
    /// Whether it was entered.
    pub entered: bool,
    /// Its branches.
    pub branches: Count,
    /// Its lines.
    pub lines: Count,
    /// Its instructions.
    pub instructions: Count,
}

/// What was covered of a source line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineSummary {
    /// The line number.
    pub line: u16,
    /// Whether any of it was executed.
    pub covered: bool,
    /// The branches of its jumps.
    pub branches: Count,
}

impl Summary {
    /// Reads the hits of a class: one byte per probe, not 0 where it was passed. Bytes behind
    /// the last probe are not looked at.
    pub fn new(plan: &Plan, hits: &[u8]) -> Result<Self, InstrumentError> {
        if hits.len() < plan.probes.len() {
            return Err(InstrumentError::MissingHits {
                class: plan.class.clone(),
                expected: plan.probes.len(),
                found: hits.len(),
            });
        }
        let hit = |probe: u32| hits[probe as usize] != 0;
        let mut methods: Vec<MethodSummary> = plan
            .methods
            .iter()
            .map(|method| MethodSummary {
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                counted: method.counted,
                entered: false,
                branches: Count::default(),
                lines: Count::default(),
                instructions: Count::default(),
            })
            .collect();
        for (probe, id) in plan.probes.iter().zip(0..) {
            if probe.kind == ProbeKind::Entry {
                methods[probe.method as usize].entered = hit(id);
            }
        }
        let reached = covered_segments(plan, hit);
        let mut by_line: BTreeMap<u16, LineSummary> = BTreeMap::new();
        let mut lines_of_methods: BTreeMap<(u32, u16), bool> = BTreeMap::new();
        let counted = plan.segments.iter().zip(merged(&reached, |at| plan.segments[at].copy_of));
        for (segment, covered) in counted {
            let Some(covered) = covered.filter(|_| segment.instructions > 0) else { continue };
            let method = &mut methods[segment.method as usize];
            method.instructions.add_many(segment.instructions, covered);
            let Some(number) = segment.line else { continue };
            *lines_of_methods.entry((segment.method, number)).or_default() |= covered;
            if method.counted {
                let line = by_line.entry(number).or_insert_with(|| LineSummary {
                    line: number,
                    covered: false,
                    branches: Count::default(),
                });
                line.covered |= covered;
            }
        }
        for ((method, _), covered) in lines_of_methods {
            methods[method as usize].lines.add(covered);
        }
        let taken: Vec<bool> = plan
            .branches
            .iter()
            .map(|branch| branch.to.map_or_else(|| hit(branch.probe), |to| reached[to as usize]))
            .collect();
        let counted = plan.branches.iter().zip(merged(&taken, |at| plan.branches[at].copy_of));
        for (branch, covered) in counted {
            let Some(covered) = covered else { continue };
            let method = &mut methods[branch.method as usize];
            method.branches.add(covered);
            if method.counted
                && let Some(line) = branch.line.and_then(|line| by_line.get_mut(&line))
            {
                line.branches.add(covered);
            }
        }
        let mut summary = Self {
            class: plan.class.clone(),
            branches: Count::default(),
            lines: Count::default(),
            instructions: Count::default(),
            entered: Count::default(),
            methods,
            by_line: by_line.into_values().collect(),
        };
        for line in &summary.by_line {
            summary.lines.add(line.covered);
        }
        for method in summary.methods.iter().filter(|method| method.counted) {
            if method.instructions.total > 0 {
                summary.entered.add(method.entered);
            }
            summary.instructions.covered += method.instructions.covered;
            summary.instructions.total += method.instructions.total;
            summary.branches.covered += method.branches.covered;
            summary.branches.total += method.branches.total;
        }
        Ok(summary)
    }
}

/// Which segments were covered: where a probe of theirs was hit, and those that lead there.
fn covered_segments(plan: &Plan, hit: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut covered = vec![false; plan.segments.len()];
    for (number, segment) in plan.segments.iter().enumerate() {
        if segment.probes.iter().any(|probe| hit(*probe)) {
            let mut at = Some(number);
            while let Some(number) = at.filter(|at| !covered[*at]) {
                covered[number] = true;
                at = plan.segments[number].before.map(|before| before as usize);
            }
        }
    }
    covered
}

/// Each with its copies taken together; none in place of a copy.
fn merged(covered: &[bool], copy_of: impl Fn(usize) -> Option<u32>) -> Vec<Option<bool>> {
    let mut all: Vec<Option<bool>> = covered.iter().copied().map(Some).collect();
    for (at, is_covered) in covered.iter().enumerate() {
        if let Some(original) = copy_of(at) {
            all[at] = None;
            if let Some(original) = &mut all[original as usize] {
                *original |= is_covered;
            }
        }
    }
    all
}
