//! From sources with contracts to classes that check them.
//!
//! What javac does not take of a clause costs that clause; what it does not take of the user's own code
//! is an error of the input.

use std::path::Path;

use anyhow::Context;
use classpath::World;
use contracts::Source;
use contracts::weave::{Clause, ClauseId, CompilerError, Kind, Options, Weaving, weave};
use model::BreachKind;
use worker::{CheckedClasses, CheckedClause, Diagnostic, Services};

use super::members::members;
use super::sources::{Sources, is_compiled};
use super::summary::ContractsReport;
use super::world::Compiled;
use crate::exit::Failure;

/// Every round drops a clause at least, or is the last; so many show that something else is wrong.
const MAX_ROUNDS: usize = 200;
/// Errors that are told; the rest is counted.
const MAX_TOLD: usize = 10;

/// Classes that check their contracts.
pub(crate) struct Checked {
    pub(crate) classes: CheckedClasses,
    /// All clauses, by number: the first is number 1.
    pub(crate) clauses: Vec<Clause>,
    /// The sources they stand in.
    pub(crate) sources: Vec<Source>,
    /// What is checked and what is not.
    pub(crate) report: ContractsReport,
}

impl Checked {
    pub(crate) fn clause(&self, id: ClauseId) -> Option<&Clause> {
        self.clauses.get((id as usize).checked_sub(1)?)
    }
}

/// Compiles sources as they are into a folder.
pub(crate) fn compile_plain(
    sources: &Sources,
    services: &Services,
    class_path: &str,
    folder: &Path,
) -> anyhow::Result<()> {
    let errors = services.compile_to(&sources.texts(), class_path, folder, None)?;
    if errors.is_empty() { Ok(()) } else { Err(refused("the sources do not compile", &errors)) }
}

/// Weaves the contracts of sources into copies of them and compiles those into a folder, with all that
/// their checks call.
pub(crate) fn check_classes(
    sources: &Sources,
    services: &Services,
    (world, class_path): (&World, &str),
    folder: &Path,
    options: &Options,
) -> anyhow::Result<Checked> {
    write_classes(folder)?;
    let class_path = format!("{}:{class_path}", folder.display());
    let compiled = Compiled(world);
    let mut weaving = weave(&sources.parsed, &compiled, options);
    for _ in 0..MAX_ROUNDS {
        let texts: Vec<(String, String)> = (weaving.files.iter())
            .filter(|file| is_compiled(&file.name))
            .map(|file| (file.name.clone(), file.text.clone()))
            .collect();
        let errors = services.compile_to(&texts, &class_path, folder, None)?;
        if errors.is_empty() {
            let table = folder.join("testhound/contracts/clauses.tsv");
            std::fs::write(&table, weaving.table())
                .with_context(|| format!("cannot write `{}`", table.display()))?;
            return Ok(checked(weaving, (sources, world), folder));
        }
        if !weaving.refused(&errors.iter().map(compiler_error).collect::<Vec<_>>()) {
            return Err(refused("the sources do not compile with their contracts", &errors));
        }
    }
    Err(anyhow::anyhow!("contracts were not left with clauses that compile in {MAX_ROUNDS} rounds"))
}

fn checked(weaving: Weaving<'_>, (sources, world): (&Sources, &World), folder: &Path) -> Checked {
    let member = |id: ClauseId| {
        let mut of = weaving.methods.iter().filter(|m| m.preconditions.contains(&id));
        of.next().map(|method| (method.name.clone(), method.parameters.len()))
    };
    // Clauses count from 1.
    let nothing = CheckedClause { kind: BreachKind::Assertion, member: None };
    let clauses = std::iter::once(nothing).chain(
        weaving
            .clauses
            .iter()
            .map(|clause| CheckedClause { kind: breach(clause.kind), member: member(clause.id) }),
    );
    Checked {
        classes: CheckedClasses {
            folder: folder.to_owned(),
            clauses: clauses.collect(),
            members: members(&weaving.methods, world),
        },
        report: ContractsReport::of(&weaving, &sources.diagnostics),
        clauses: weaving.clauses,
        sources: sources.parsed.clone(),
    }
}

fn breach(kind: Kind) -> BreachKind {
    match kind {
        Kind::Precondition => BreachKind::InternalPrecondition,
        Kind::Postcondition => BreachKind::Postcondition,
        Kind::ExceptionalPostcondition => BreachKind::ExceptionalPostcondition,
        Kind::Invariant => BreachKind::Invariant,
        Kind::Constraint => BreachKind::Constraint,
        Kind::Initially => BreachKind::Initially,
        Kind::Assignable => BreachKind::Assignable,
        Kind::NonNull => BreachKind::NonNull,
        Kind::Assertion | Kind::Definition => BreachKind::Assertion,
    }
}

fn compiler_error(error: &Diagnostic) -> CompilerError {
    CompilerError {
        file: error.file.clone(),
        line: error.line,
        column: error.column,
        message: on_one_line(&error.message),
    }
}

/// What javac says, whose line ends come as `\n`: `cannot find symbol, symbol: variable x`.
fn on_one_line(message: &str) -> String {
    let lines = message.split("\\n").flat_map(str::lines);
    let words = lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ")
}

fn refused(what: &str, errors: &[Diagnostic]) -> anyhow::Error {
    let mut message = what.to_owned();
    for error in errors.iter().take(MAX_TOLD) {
        let said = on_one_line(&error.message);
        message.push_str(&format!("\n  {}:{}: {said}", error.file, error.line));
    }
    if errors.len() > MAX_TOLD {
        message.push_str(&format!("\n  and {} more errors", errors.len() - MAX_TOLD));
    }
    Failure::bad_input(message).into()
}

/// Puts the classes that checks call into a folder.
fn write_classes(folder: &Path) -> anyhow::Result<()> {
    for (name, bytes) in runtime::contract_classes() {
        let file = folder.join(format!("{name}.class"));
        let write = || {
            std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
            std::fs::write(&file, bytes)
        };
        write().with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javac_says_is_told_on_one_line() {
        let check = |message: &str, expected: &str| assert_eq!(on_one_line(message), expected);
        check(
            "cannot find symbol\\n  symbol:   variable x\\n  location: class A",
            "cannot find symbol, symbol: variable x, location: class A",
        );
        check("';' expected", "';' expected");
    }
}
