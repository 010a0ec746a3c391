//! Same seed, classes and steps: byte-identical output, whatever the number of workers.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::fixture::Fixture;
use crate::junit;
use crate::run::{Generate, forbid, without_privileges};

fn files(jobs: &str, seed: &str) -> std::collections::BTreeMap<String, String> {
    let fixture = Fixture::shared("library");
    let generated = Generate::on(&fixture).with(["--jobs", jobs, "--seed", seed]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    assert!(generated.files.len() > 5, "{:?}", generated.files.keys());
    generated.files
}

#[test]
fn the_same_seed_gives_the_same_bytes_with_one_worker_and_with_two() {
    let one = files("1", "7");
    assert_eq!(one, files("2", "7"), "with two workers");
    assert_eq!(one, files("1", "7"), "once more");
}

#[test]
fn a_library_gets_the_same_tests_with_one_worker_and_with_two() {
    let jar = testkit::library("commons-cli:commons-cli:1.9.0");
    let files = |jobs: &str| {
        let generate = Generate::plain(&jar).with(["--steps", "400", "--jobs", jobs, "--json"]);
        let generated = generate.run();
        assert!(generated.said.code() < 2, "{}", generated.said.err);
        generated.files
    };
    let one = files("1");
    assert!(one.len() > 10, "{:?}", one.keys());
    assert_eq!(one, files("2"), "with two workers");
}

/// Months pass for the jar between the two runs; the clock of this machine goes on anyway.
#[test]
fn classes_of_a_library_get_the_same_tests_months_later() {
    const MONTHS: Duration = Duration::from_secs(200 * 24 * 3600);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jar = folder.path().join("lang.jar");
    let library = testkit::library("org.apache.commons:commons-lang3:3.17.0");
    fs::copy(library, &jar).expect("a copied jar");
    let classes = ["math.Fraction", "tuple.MutablePair", "CharRange", "BitField"];
    let classes = classes.map(|class| format!("org.apache.commons.lang3.{class}"));
    let files = |jobs: &str, modified: SystemTime| {
        let file = fs::File::options().append(true).open(&jar).expect("a jar of ours");
        file.set_modified(modified).expect("a file of ours");
        let mut generate =
            Generate::plain(&jar).with(["--steps", "5000", "--jobs", jobs, "--json"]);
        for class in &classes {
            generate = generate.with(["--class", class]);
        }
        let generated = generate.run();
        assert!(generated.said.code() < 2, "{}", generated.said.err);
        generated.files
    };
    let now = SystemTime::now();
    let before = files("1", now - MONTHS);
    assert_eq!(before.len(), classes.len(), "{:?}", before.keys());
    assert_eq!(before, files("2", now), "with two workers, months later");
}

#[test]
fn where_nothing_can_be_cached_the_tests_are_the_same() {
    let fixture = Fixture::shared("library");
    // Where JUnit is found is not what this is about.
    let jars: Vec<String> = junit::jars().iter().map(|jar| jar.display().to_string()).collect();
    let jars = jars.join(":");
    let generate =
        || Generate::on(&fixture).with(["--class", "library.Range", "--junit-jars", &jars]);
    let files = |generate: Generate, warned: &str| {
        let generated = generate.run();
        assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
        let warnings = generated.said.json()["warnings"].to_string();
        assert_eq!(warnings.contains("cannot be kept: "), !warned.is_empty(), "{warnings}");
        assert!(warnings.contains(warned), "{warnings}");
        generated.files
    };
    let usual = files(generate(), "");
    assert!(!usual.is_empty());
    let cache = tempfile::tempdir().expect("a temporary folder");
    forbid(cache.path());
    let read_only = generate().env("XDG_CACHE_HOME", cache.path()).started_by(without_privileges);
    assert_eq!(usual, files(read_only, "Permission denied"));
    let mut homeless = generate();
    homeless.command.env_remove("HOME").env_remove("XDG_CACHE_HOME");
    assert_eq!(usual, files(homeless, "neither XDG_CACHE_HOME nor HOME"));
}

#[test]
fn another_seed_gives_other_tests() {
    assert_ne!(files("2", "7"), files("2", "8"));
}

#[test]
fn code_that_reads_the_clock_gets_the_same_tests_at_another_time() {
    let fixture = Fixture::shared("surroundings");
    let files = |jobs: &str| {
        let generate = Generate::on(&fixture).with(["--class", "surroundings.Clocks"]);
        let generated = generate.with(["--class", "surroundings.Threads", "--jobs", jobs]).run();
        assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
        generated.files
    };
    let first = files("1");
    assert!(first.values().any(|source| source.contains("Clocks.describe(")), "{first:?}");
    assert_eq!(first, files("2"), "with two workers");
    // A clock that showed seconds only would have gone on by now too.
    std::thread::sleep(Duration::from_millis(1100));
    assert_eq!(first, files("1"), "later");
}
