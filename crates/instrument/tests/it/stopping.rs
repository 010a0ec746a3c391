//! A step budget ends every shape of endless program.

use std::path::Path;

use instrument::Options;

use crate::harness::jdk::jdk_homes;
use crate::harness::subject::Subject;

const BUDGET: u64 = 10_000;

#[test]
fn endless_programs_end_when_the_budget_is_used_up() {
    let names = ["EndlessGoto", "EndlessDo", "EndlessFor", "EndlessSwitch", "EndlessRecursion"];
    let more = ["EndlessCatch", "EndlessMutual", "EndlessLambda", "EndlessConstructor"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/endless");
    let files: Vec<_> =
        names.iter().chain(&more).map(|name| root.join(format!("{name}.java"))).collect();
    for home in jdk_homes() {
        let subject = Subject::compile(&home, &[], &files);
        for coverage in [true, false] {
            let options = Options { coverage, steps: true, comparisons: false };
            let first = subject.run_instrumented(options, 0, BUDGET).output;
            for name in &subject.names {
                let stopped = format!("== {name}\nthrown: java.lang.ThreadDeath\n");
                assert!(first.contains(&stopped), "{name} did not stop: {first}");
            }
            let second = subject.run_instrumented(options, 0, BUDGET).output;
            assert_eq!(first, second, "the same budget ends at the same step");
        }
    }
}
