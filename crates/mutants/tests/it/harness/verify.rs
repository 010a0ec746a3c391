//! Has HotSpot verify every mutant of every class of a library.
//!
//! Some classes cannot be linked for want of optional dependencies; what their mutants come to must be
//! the same then.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

use classfile::{ClassFile, Code};
use mutants::{Mutant, Operator, Operators, apply_to, mutants};

use super::java::{Classes, Message, run};
use super::sources::for_each_class;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    pub classes: usize,
    pub linked: usize,
    /// Mutants that were found, and those of them that were tried.
    pub found: usize,
    pub mutants: usize,
    pub by_operator: BTreeMap<Operator, usize>,
    pub finding: f64,
    pub applying: f64,
    /// Mutants that are wrong, and how.
    pub wrong: Vec<String>,
}

/// Verifies the mutants of all classes of these files, with dependencies on the class path; of each class
/// no more than so many, evenly chosen.
pub fn verify(
    home: &Path,
    paths: &[PathBuf],
    dependencies: &[PathBuf],
    per_class: usize,
) -> Report {
    let mut report = Report::default();
    let mut plain = Classes::new();
    for path in paths {
        for_each_class(path, &mut |file, bytes| {
            let Ok(class) = ClassFile::parse(bytes) else { panic!("{file} cannot be parsed") };
            if !class.is_module() && !file.starts_with("META-INF/") {
                let name = class.name().expect("a class has a name").replace('/', ".");
                plain.insert(name, bytes.to_vec());
            }
        })
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    report.classes = plain.len();
    let mut tried: Vec<(String, Option<String>)> = Vec::new();
    let found = &mut report;
    let told = &mut tried;
    let outcomes = run(home, ("Verify", include_str!("Verify.java")), dependencies, |out| {
        let mut message = Message::default();
        message.classes(&plain);
        out.write_all(&message.0).expect("the JVM reads");
        for (name, bytes) in &plain {
            send(out, name, bytes);
            told.push((name.clone(), None));
            mutate(name, bytes, per_class, found, &mut |mutant, written| {
                send(out, name, written);
                told.push((name.clone(), Some(format!("{} {}", mutant.id, mutant.description))));
            });
        }
    });
    assert_eq!(outcomes.len(), tried.len(), "every try has an outcome");
    let mut expected = String::new();
    for ((_, mutant), outcome) in tried.into_iter().zip(outcomes) {
        match mutant {
            None => {
                report.linked += usize::from(outcome == "linked");
                expected = without_chance(&outcome).to_owned();
            }
            Some(mutant) if without_chance(&outcome) != expected => {
                report.wrong.push(format!("{mutant}: {outcome}"));
            }
            Some(_) => {}
        }
    }
    report
}

fn send(out: &mut dyn Write, name: &str, bytes: &[u8]) {
    let mut message = Message::default();
    message.class(name, bytes);
    out.write_all(&message.0).expect("the JVM reads");
}

/// Makes all mutants of a class, and checks what can be checked without a JVM.
fn mutate(
    name: &str,
    bytes: &[u8],
    at_most: usize,
    report: &mut Report,
    each: &mut dyn FnMut(&Mutant, &[u8]),
) {
    let class = ClassFile::parse(bytes).expect("parsed before");
    let start = std::time::Instant::now();
    let found = mutants(&class, Operators::all()).unwrap_or_else(|error| panic!("{name}: {error}"));
    report.finding += start.elapsed().as_secs_f64();
    let (mut ids, mut seen) = (BTreeSet::new(), BTreeSet::new());
    report.found += found.len();
    for mutant in found.iter().step_by(found.len().div_ceil(at_most).max(1)) {
        report.mutants += 1;
        for operator in mutant.operators.iter() {
            *report.by_operator.entry(operator).or_default() += 1;
        }
        let start = std::time::Instant::now();
        let written = match apply_to(&class, mutant) {
            Ok(written) => written,
            Err(error) => {
                report.wrong.push(format!("{}: {error:?}", mutant.id));
                continue;
            }
        };
        report.applying += start.elapsed().as_secs_f64();
        let mut wrong = |what: &str| report.wrong.push(format!("{}: {what}", mutant.id));
        if written == bytes {
            wrong("it is the original");
        }
        if !ids.insert(&mutant.id) {
            wrong("another one has its id");
        }
        if !decodes(&written) {
            wrong("it cannot be read");
        }
        each(mutant, &written);
        // All the bytes of a large class with its thousands of mutants would not fit into memory.
        let mut hasher = DefaultHasher::new();
        written.hash(&mut hasher);
        if !seen.insert(hasher.finish()) {
            report.wrong.push(format!("{}: another one has its bytes", mutant.id));
        }
    }
}

fn decodes(bytes: &[u8]) -> bool {
    let Ok(class) = ClassFile::parse(bytes) else { return false };
    class.methods.iter().all(|method| Code::decode(&class, method).is_ok())
}

/// An outcome without what differs from run to run of the same classes: which of several missing classes
/// a JVM comes across first.
fn without_chance(outcome: &str) -> &str {
    const MISSING: &str = "java.lang.NoClassDefFoundError";
    if outcome.starts_with(MISSING) { MISSING } else { outcome }
}
