//! Parses Java and JML files and counts what is in them.
//!
//! `cargo run --release -p contracts --example parse -- [--quiet] [--key KEY]... PATH...`
//! Folders are searched for `.java` and `.jml` files. Ends with 1 if there was an error.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use contracts::java::TypeDecl;
use contracts::jml::ast::SpecCase;
use contracts::{Keys, Severity, Source, parse_jml, parse_with};

#[derive(Default)]
struct Counts {
    files: u64,
    bytes: u64,
    annotated: u64,
    broken_java: u64,
    with_errors: u64,
    clean: u64,
    kinds: BTreeMap<String, u64>,
    errors: BTreeMap<String, u64>,
    notes: u64,
    warnings: u64,
}

fn main() -> io::Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut quiet, mut keys, mut files) = (false, Vec::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--quiet" => quiet = true,
            "--key" => keys.extend(arguments.next()),
            path => collect(Path::new(path), &mut files)?,
        }
    }
    let keys = Keys::new(keys.iter().map(String::as_str));
    let mut counts = Counts::default();
    let begin = Instant::now();
    for path in &files {
        let bytes = fs::read(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let name = path.display().to_string();
        let is_jml = path.extension().is_some_and(|extension| extension == "jml");
        let read = if is_jml { parse_jml } else { parse_with };
        let (source, diagnostics) = read(&name, &text, &keys);
        counts.files += 1;
        counts.bytes += text.len() as u64;
        counts.annotated += u64::from(source.annotated);
        counts.broken_java += u64::from(!source.java_is_whole);
        let mut errors = 0;
        for diagnostic in &diagnostics {
            match diagnostic.severity {
                Severity::Note => counts.notes += 1,
                Severity::Warning => counts.warnings += 1,
                Severity::Error => {
                    errors += 1;
                    *counts.errors.entry(diagnostic.message.clone()).or_default() += 1;
                    if !quiet {
                        writeln!(out, "{diagnostic}")?;
                    }
                }
            }
        }
        counts.with_errors += u64::from(errors > 0);
        counts.clean += u64::from(errors == 0 && source.annotated);
        count(&source, &mut counts);
    }
    let seconds = begin.elapsed().as_secs_f64();
    let Counts { files, bytes, annotated, broken_java, with_errors, clean, .. } = counts;
    let speed = bytes as f64 / 1e6 / seconds;
    writeln!(out, "{files} files, {annotated} with JML, {clean} of them without an error")?;
    writeln!(out, "{with_errors} files with errors, {broken_java} whose Java is broken")?;
    writeln!(out, "{} warnings, {} notes, {speed:.1} MB/s", counts.warnings, counts.notes)?;
    for (kind, count) in &counts.kinds {
        writeln!(out, "{count:8} {kind}")?;
    }
    let mut errors: Vec<_> = counts.errors.into_iter().collect();
    errors.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    writeln!(out, "{} errors", errors.iter().map(|(_, count)| count).sum::<u64>())?;
    for (message, count) in errors.iter().take(40) {
        writeln!(out, "{count:8} {message}")?;
    }
    out.flush()?;
    Ok(if with_errors == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut stack = vec![path.to_owned()];
    while let Some(path) = stack.pop() {
        let is_source = path.extension().is_some_and(|found| found == "java" || found == "jml");
        if path.is_dir() {
            for entry in fs::read_dir(&path)? {
                stack.push(entry?.path());
            }
        } else if is_source {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

fn count(source: &Source, counts: &mut Counts) {
    let kinds = &mut counts.kinds;
    let mut add = |kind: &str| *kinds.entry(kind.to_owned()).or_default() += 1;
    for ty in source.all_types() {
        count_type(ty, &mut add);
    }
}

fn count_type(ty: &TypeDecl, add: &mut impl FnMut(&str)) {
    for clause in &ty.spec.clauses {
        add(&clause.keyword.text);
    }
    ty.spec.fields.iter().for_each(|field| add(&format!("{:?} field", field.origin)));
    ty.spec.types.iter().for_each(|_| add("model type"));
    for method in ty.methods.iter().chain(&ty.spec.methods) {
        if method.code.is_some() {
            add("model method with body");
        }
        let spec = &method.spec;
        for case in spec.cases.iter().chain(&spec.implies_that).chain(&spec.for_example) {
            count_case(case, add);
        }
        method.statements.iter().for_each(|statement| add(&statement.keyword.text));
        for clause in method.loops.iter().flat_map(|of| &of.clauses) {
            add(&clause.keyword.text);
        }
    }
}

fn count_case(case: &SpecCase, add: &mut impl FnMut(&str)) {
    case.clauses.iter().for_each(|clause| add(&clause.keyword.text));
    case.nested.iter().for_each(|nested| count_case(nested, add));
}
