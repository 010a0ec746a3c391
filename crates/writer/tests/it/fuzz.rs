//! Random tests over real libraries: whatever the writer writes, javac accepts.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{ClassName, TestCase};
use writer::{Junit, Options, Suite};

use crate::generator::{Api, Maker, Rng};
use crate::toolchain::{file, javac, jdks, junit, library};

/// Writes random tests for every `nth` class of a library and compiles them all.
fn check(jdk: &Arc<JdkImage>, jar: PathBuf, others: Vec<PathBuf>, seed: u64, nth: usize) {
    let world = World::new(std::slice::from_ref(&jar), &others, Arc::clone(jdk));
    let mut rng = Rng(seed);
    let mut apis: BTreeMap<String, Api> = BTreeMap::new();
    let mut sources = Vec::new();
    let (mut written, mut rejected) = (0, BTreeMap::new());
    for (index, name) in world.project_classes().iter().enumerate() {
        if index % nth != (seed as usize) % nth {
            continue;
        }
        let api = apis
            .entry(name.package().to_owned())
            .or_insert_with(|| Api::new(&world, name.package(), world.project_classes()));
        let operations = api.operations(name);
        let tests: Vec<_> = (0..12)
            .filter_map(|_| {
                Maker { api, rng: &mut rng, case: TestCase::default() }.test(&operations)
            })
            .collect();
        if tests.is_empty() {
            continue;
        }
        let junit = match index / nth % 3 {
            0 => Junit::Five,
            1 => Junit::Four { assert_throws: true },
            _ => Junit::Four { assert_throws: false },
        };
        let options = Options { junit, suffix: "GeneratedTest".to_owned(), ..Options::default() };
        let suite = Suite { class: ClassName::clone(name), tests };
        let source = writer::write(&suite, &world, &options);
        let again = writer::write(&suite, &world, &options);
        assert_eq!(source.text, again.text);
        written += source.tests.iter().flatten().count();
        for (_, reason) in &source.rejected {
            let text = format!("{reason:?}");
            *rejected.entry(text.split([' ', '(']).next().unwrap().to_owned()).or_insert(0) += 1;
        }
        sources.push(file(&source));
    }
    let out = tempfile::tempdir().unwrap();
    let mut class_path = vec![jar];
    class_path.extend(others);
    class_path.extend(junit());
    let said = javac(jdk, &["-nowarn"], &class_path, &sources, out.path());
    if let Ok(keep) = std::env::var("WRITER_FUZZ_KEEP") {
        for (path, text) in &sources {
            let path = std::path::Path::new(&keep).join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
    if let Err(said) = said {
        panic!("{written} tests written, {rejected:?} rejected; javac says\n{said}");
    }
    let refused: usize = rejected.values().sum();
    assert!(written > 100 && refused * 20 < written, "{written} written, {rejected:?} rejected");
}

fn seed() -> u64 {
    std::env::var("WRITER_FUZZ_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1)
}

#[test]
fn javac_accepts_random_tests_of_commons_lang() {
    let jar = library("org.apache.commons:commons-lang3:3.17.0");
    check(&jdks()[0], jar, vec![], seed(), 2);
}

#[test]
fn javac_accepts_random_tests_of_guava() {
    let jar = library("com.google.guava:guava:33.4.8-jre");
    let failure = library("com.google.guava:failureaccess:1.0.3");
    let jdk = jdks().pop().unwrap();
    check(&jdk, jar, vec![failure], seed(), 8);
}
