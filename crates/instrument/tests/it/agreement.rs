//! Coverage counts as JaCoCo counts it: the same figures for every method of the same run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use instrument::Options;
use instrument::coverage::{Count, Summary};

use crate::behaviour::{feature_version, fixtures};
use crate::harness::jdk::jdk_homes;
use crate::harness::subject::Subject;

const JACOCO: [&str; 4] = [
    "org.jacoco:org.jacoco.core:0.8.14",
    "org.ow2.asm:asm:9.9",
    "org.ow2.asm:asm-commons:9.9",
    "org.ow2.asm:asm-tree:9.9",
];

fn shown(count: Count) -> String {
    format!("{}/{}", count.covered, count.total)
}

#[test]
fn jacoco_finds_the_same_covered_of_every_method() {
    let jars: Vec<PathBuf> = JACOCO.iter().map(|jar| testkit::library(jar)).collect();
    for home in jdk_homes() {
        let subject = Subject::compile(&home, &["-g"], &fixtures(feature_version(&home)));
        let options = Options { coverage: true, steps: false, comparisons: true };
        let run = subject.run_instrumented(options, 0, u64::MAX >> 1);
        let mut own = BTreeSet::new();
        for (plan, first) in &run.plans {
            let summary = Summary::new(plan, &run.map[*first..]).expect("the map is long enough");
            for method in summary.methods {
                if method.counted && method.instructions.total > 0 {
                    own.insert(format!(
                        "{}.{}{} instructions {} branches {} lines {}",
                        plan.class,
                        method.name,
                        method.descriptor,
                        shown(method.instructions),
                        shown(method.branches),
                        shown(method.lines),
                    ));
                }
            }
        }
        let jacoco = subject.run_with_jacoco(&jars);
        let only = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.difference(other).cloned().collect::<Vec<_>>().join("\n  ")
        };
        assert!(own.len() > 50, "{} methods are too few", own.len());
        assert!(
            own == jacoco,
            "on {}: own\n  {}\nJaCoCo\n  {}",
            home.display(),
            only(&own, &jacoco),
            only(&jacoco, &own)
        );
    }
}
