//! From sources with contracts to classes that check them.
//!
//! What javac does not take of a clause costs that clause; what it does not take of the user's own code
//! is an error of the input, or, where a build has compiled it, costs the contracts of that file.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use classpath::World;
use contracts::Source;
use contracts::weave::{Clause, ClauseId, CompilerError, Kind, Options, Weaving, weave};
use model::BreachKind;
use worker::{CheckedClasses, CheckedClause, Diagnostic, Services, WorkerError};

use super::built::unlike_those_of_the_build;
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
/// their checks call. The world has the classes as they are; sources that owe nothing are not compiled if
/// it has theirs.
pub(crate) fn check_classes(
    sources: &Sources,
    services: &Services,
    (world, class_path): (&World, &str),
    folder: &Path,
    options: &Options,
) -> anyhow::Result<Checked> {
    let compiled = Compiled(world);
    let path = format!("{}:{class_path}", folder.display());
    let compile = |texts: &[(String, String)]| match texts {
        [] => Ok(Vec::new()),
        texts => services.compile_to(texts, &path, folder, None),
    };
    let mut left_out: BTreeMap<String, String> = BTreeMap::new();
    // Each time round leaves out a source at least, or is the last.
    loop {
        write_classes(folder)?;
        let is_left = |source: &&Source| !left_out.contains_key(source.name());
        let parsed: Vec<Source> = sources.parsed.iter().filter(is_left).cloned().collect();
        let mut weaving = weave(&parsed, &compiled, options);
        let errors = compile_without_refused(&mut weaving, &parsed, &compiled, &compile)?;
        let more = match (errors.is_empty(), sources.are_built) {
            (true, false) => BTreeMap::new(),
            (true, true) => unlike_those_of_the_build(&parsed, world, folder),
            (false, true) => files_with_errors(&parsed, &errors),
            (false, false) => BTreeMap::new(),
        };
        if more.is_empty() && !errors.is_empty() {
            return Err(refused("the sources do not compile with their contracts", &errors));
        }
        if more.is_empty() {
            let table = folder.join("testhound/contracts/clauses.tsv");
            std::fs::write(&table, weaving.table())
                .with_context(|| format!("cannot write `{}`", table.display()))?;
            let mut report = ContractsReport::of(&weaving, &sources.diagnostics);
            report.errors.extend(sources.left_out.iter().cloned());
            if !left_out.is_empty() {
                report.leave_out(&weave(&sources.parsed, &compiled, options), &left_out);
            }
            return Ok(checked(weaving, report, (sources, world), folder));
        }
        left_out.extend(more);
        std::fs::remove_dir_all(folder)
            .and_then(|()| std::fs::create_dir(folder))
            .with_context(|| format!("cannot empty `{}`", folder.display()))?;
    }
}

/// Compiles names and texts of sources; what javac says against them.
type Compile<'a> = &'a dyn Fn(&[(String, String)]) -> Result<Vec<Diagnostic>, WorkerError>;

/// Compiles what is woven, without what javac refuses of it; the errors that are none of the weaver's.
fn compile_without_refused(
    weaving: &mut Weaving<'_>,
    parsed: &[Source],
    compiled: &Compiled<'_>,
    compile: Compile<'_>,
) -> anyhow::Result<Vec<Diagnostic>> {
    for _ in 0..MAX_ROUNDS {
        let texts: Vec<(String, String)> = (weaving.files.iter().zip(parsed))
            .filter(|(file, source)| file.changed || !compiled.has_types_of(source))
            .filter(|(file, _)| is_compiled(&file.name))
            .map(|(file, _)| (file.name.clone(), file.text.clone()))
            .collect();
        let errors = compile(&texts)?;
        if errors.is_empty()
            || !weaving.refused(&errors.iter().map(compiler_error).collect::<Vec<_>>())
        {
            return Ok(errors);
        }
    }
    Err(anyhow::anyhow!("contracts were not left with clauses that compile in {MAX_ROUNDS} rounds"))
}

/// The sources with errors, and the first of each.
fn files_with_errors(parsed: &[Source], errors: &[Diagnostic]) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for error in errors.iter().filter(|e| parsed.iter().any(|source| source.name() == e.file)) {
        files.entry(error.file.clone()).or_insert_with(|| {
            let said = on_one_line(&error.message);
            format!("its source does not compile here: line {}: {said}", error.line)
        });
    }
    files
}

fn checked(
    weaving: Weaving<'_>,
    report: ContractsReport,
    (sources, world): (&Sources, &World),
    folder: &Path,
) -> Checked {
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
            .map(|clause| CheckedClause { kind: breach(clause), member: member(clause.id) }),
    );
    Checked {
        classes: CheckedClasses {
            folder: folder.to_owned(),
            clauses: clauses.collect(),
            members: members(&weaving.methods, world),
        },
        report,
        clauses: weaving.clauses,
        sources: sources.parsed.clone(),
    }
}

fn breach(clause: &Clause) -> BreachKind {
    match clause.kind {
        Kind::Precondition => BreachKind::InternalPrecondition,
        Kind::Postcondition => BreachKind::Postcondition,
        Kind::ExceptionalPostcondition => BreachKind::ExceptionalPostcondition,
        Kind::Invariant => BreachKind::Invariant,
        Kind::Constraint => BreachKind::Constraint,
        Kind::Initially => BreachKind::Initially,
        Kind::Assignable => BreachKind::Assignable,
        Kind::NonNull if clause.member.is_empty() => BreachKind::NonNullField,
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
