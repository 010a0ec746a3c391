//! Reads hits back: which branches and lines of a class were covered.
//!
//! Counts like JaCoCo: two branches for each conditional jump, one for each distinct target of
//! a switch; methods made by the compiler do not count, bodies of lambdas do.

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
        self.total += 1;
        self.covered += u32::from(covered);
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
            })
            .collect();
        for (probe, id) in plan.probes.iter().zip(0..) {
            if probe.kind == ProbeKind::Entry {
                methods[probe.method as usize].entered = hit(id);
            }
        }
        let mut by_line: BTreeMap<u16, LineSummary> = BTreeMap::new();
        for line in &plan.lines {
            let covered = line.probes.iter().any(|probe| hit(*probe));
            let method = &mut methods[line.method as usize];
            method.lines.add(covered);
            if method.counted {
                let number = line.line;
                let line = by_line.entry(number).or_insert_with(|| LineSummary {
                    line: number,
                    covered: false,
                    branches: Count::default(),
                });
                line.covered |= covered;
            }
        }
        for branch in &plan.branches {
            let covered = hit(branch.probe);
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
            entered: Count::default(),
            methods,
            by_line: by_line.into_values().collect(),
        };
        for line in &summary.by_line {
            summary.lines.add(line.covered);
        }
        for method in summary.methods.iter().filter(|method| method.counted) {
            summary.entered.add(method.entered);
            summary.branches.covered += method.branches.covered;
            summary.branches.total += method.branches.total;
        }
        Ok(summary)
    }
}
