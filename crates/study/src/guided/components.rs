//! What each component is worth: all, none, each off in turn, each alone.
//!
//! Measured by the program itself after all checks, because a Maven run per variant would take
//! longer than the searches, and what differs between variants is what was found, not how it is
//! measured. The names of the components are given by whoever starts the study.

use std::collections::BTreeMap;
use std::path::Path;

use model::ClassName;

use super::result::{ComponentQuestion, ComponentRow};
use super::study::Drawn;
use crate::StudyError;
use crate::bench::{Bench, Order, made};
use crate::draw::lowest;

/// So many of the drawn classes are tried.
pub(super) const CLASSES: usize = 20;

/// A choice of components: its name, and those switched off.
pub(super) fn variants(names: &[String]) -> Vec<(String, Vec<String>)> {
    let mut variants = vec![("all".to_owned(), Vec::new()), ("none".to_owned(), names.to_vec())];
    variants.extend(names.iter().map(|name| (format!("without-{name}"), vec![name.clone()])));
    variants.extend(names.iter().map(|name| {
        let others = names.iter().filter(|other| *other != name).cloned().collect();
        (format!("only-{name}"), others)
    }));
    variants
}

/// The classes that are tried, by program: those of all drawn whose names hash lowest.
pub(super) fn chosen(drawn: &[Drawn]) -> Vec<Vec<ClassName>> {
    let all: Vec<ClassName> = drawn.iter().flat_map(|d| d.classes.iter().cloned()).collect();
    let lowest = lowest(all, CLASSES);
    let of_program = |d: &Drawn| -> Vec<ClassName> {
        d.classes.iter().filter(|class| lowest.contains(class)).cloned().collect()
    };
    drawn.iter().map(of_program).collect()
}

/// Does a variant in a folder of its own.
pub(super) fn run(
    bench: &Bench,
    drawn: &[Drawn],
    variant: &str,
    question: ComponentQuestion,
    folder: &Path,
) -> Result<ComponentRow, StudyError> {
    let mut classes = BTreeMap::new();
    let (mut tests, mut calls) = (0, 0);
    let temporary = made(folder.join("generate-tmp"))?;
    for (drawn, names) in drawn.iter().zip(chosen(drawn)) {
        if names.is_empty() {
            continue;
        }
        let order = Order {
            classes: &names,
            time_per_class: question.budget,
            seed: question.seed,
            without: &question.without,
        };
        let out = made(folder.join(drawn.program.library.name))?;
        let (generated, _) = bench.generate(&drawn.subject, &order, &out, &temporary)?;
        tests += generated.tests;
        for class in generated.classes {
            calls += class.calls;
            classes.insert(class.name, class.branches);
        }
    }
    Ok(ComponentRow { question, variant: variant.to_owned(), classes, tests, calls })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_is_off_once_and_alone_once() {
        let names = ["nose", "ear", "eye"].map(str::to_owned);
        let variants = variants(&names);
        let expected: [(&str, &[&str]); 8] = [
            ("all", &[]),
            ("none", &["nose", "ear", "eye"]),
            ("without-nose", &["nose"]),
            ("without-ear", &["ear"]),
            ("without-eye", &["eye"]),
            ("only-nose", &["ear", "eye"]),
            ("only-ear", &["nose", "eye"]),
            ("only-eye", &["nose", "ear"]),
        ];
        let expected = expected.map(|(name, off)| {
            (name.to_owned(), off.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        });
        assert_eq!(variants, expected);
    }
}
