//! Same seed, classes and steps: byte-identical output, whatever the number of workers.

use crate::fixture::Fixture;
use crate::run::Generate;

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
fn another_seed_gives_other_tests() {
    assert_ne!(files("2", "7"), files("2", "8"));
}
