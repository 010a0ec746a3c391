//! What is told of contracts: how many clauses are checked, and which are not.

use std::collections::BTreeMap;

use contracts::weave::{Unforwarded, Weaving};
use contracts::{Diagnostic, Severity};
use serde::Serialize;

/// The contracts of a run.
#[derive(Clone, Default, Debug, Serialize)]
pub(crate) struct ContractsReport {
    /// Clauses that are written.
    pub(crate) clauses: usize,
    /// Those that are checked.
    pub(crate) checked: usize,
    /// Those that are not.
    pub(crate) skipped: Vec<SkippedClause>,
    /// Inherited methods that are not checked by what the class that inherits them asks of them.
    pub(crate) inherited: Vec<String>,
    /// What of the specifications was not understood, a line each with file, line and column.
    pub(crate) errors: Vec<String>,
    /// What was understood and means nothing here.
    pub(crate) notes: Vec<String>,
}

/// A clause that is not checked.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SkippedClause {
    pub(crate) file: String,
    pub(crate) line: u32,
    /// Keyword and expression.
    pub(crate) clause: String,
    pub(crate) reason: String,
}

impl ContractsReport {
    pub(super) fn of(weaving: &Weaving<'_>, diagnostics: &[Diagnostic]) -> Self {
        let (checked, clauses) = weaving.counts();
        let skipped = weaving.skipped.iter().filter_map(|skipped| {
            let clause = weaving.clause(skipped.clause).filter(|clause| !clause.implied)?;
            Some(SkippedClause {
                file: clause.file.clone(),
                line: clause.line,
                clause: format!("{} {}", clause.keyword, clause.text),
                reason: skipped.reason.lines().next().unwrap_or_default().to_owned(),
            })
        });
        let of = |wanted: &dyn Fn(Severity) -> bool| -> Vec<String> {
            let wanted = diagnostics.iter().filter(|diagnostic| wanted(diagnostic.severity));
            wanted.map(ToString::to_string).collect()
        };
        let unforwarded = weaving.unforwarded.iter().map(|one| {
            let Unforwarded { owner, from, member, reason } = one;
            format!("calls of {member} that {owner} inherits from {from} ({reason})")
        });
        Self {
            clauses,
            checked,
            skipped: skipped.collect(),
            inherited: unforwarded.collect(),
            errors: of(&|severity| severity == Severity::Error),
            notes: of(&|severity| severity != Severity::Error),
        }
    }

    /// Adds the clauses of files that are left out, of `all` there would be with them, with the reason.
    pub(super) fn leave_out(&mut self, all: &Weaving<'_>, files: &BTreeMap<String, String>) {
        for clause in all.clauses.iter().filter(|clause| !clause.implied) {
            let java = clause.file.strip_suffix(".jml").map(|name| format!("{name}.java"));
            if let Some(reason) = files.get(java.as_ref().unwrap_or(&clause.file)) {
                self.clauses += 1;
                self.skipped.push(SkippedClause {
                    file: clause.file.clone(),
                    line: clause.line,
                    clause: format!("{} {}", clause.keyword, clause.text),
                    reason: reason.clone(),
                });
            }
        }
        self.skipped.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    }

    /// `checked 41 of 43 clauses`, and what is not checked.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = vec![format!("checked {} of {} clauses", self.checked, self.clauses)];
        lines.extend(self.skipped.iter().map(|skipped| {
            let SkippedClause { file, line, clause, reason } = skipped;
            format!("  not checked: {file}:{line}: {clause} ({reason})")
        }));
        lines.extend(self.inherited.iter().map(|calls| format!("  not checked: {calls}")));
        lines.extend(self.errors.iter().map(|error| format!("  {error}")));
        lines
    }
}
