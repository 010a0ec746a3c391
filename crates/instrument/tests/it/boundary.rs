//! Comparisons by order tell when both sides are equal, and nothing else does.

use std::collections::BTreeMap;
use std::path::Path;

use crate::harness::jdk::jdk_homes;
use crate::harness::subject::Subject;
use instrument::{ComparisonKind, Edge, Options, ProbeKind};

const ALL: Options = Options { coverage: true, steps: true, comparisons: true };

#[test]
fn a_boundary_is_hit_if_and_only_if_both_sides_are_equal() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/boundaries/Boundaries.java");
    let source = std::fs::read_to_string(&file).expect("the fixture is readable");
    let told = |text: &str| text.split_once("// ").map(|(_, comment)| comment == "equal");
    let expected: BTreeMap<u16, bool> =
        (1..).zip(source.lines()).filter_map(|(line, text)| Some((line, told(text)?))).collect();
    for home in jdk_homes() {
        let subject = Subject::compile(&home, &["-g"], std::slice::from_ref(&file));
        let plain = subject.run_plain();
        let run = subject.run_instrumented(ALL, 7, u64::MAX >> 1);
        assert_eq!(run.output, plain.output, "the program does what it did");
        let (plan, first) = &run.plans[0];
        let mut found = BTreeMap::new();
        for (probe, id) in plan.probes.iter().zip(0_u32..) {
            let ProbeKind::Boundary { instruction } = probe.kind else { continue };
            let line = plan.probes.iter().find_map(|other| match other.kind {
                ProbeKind::Branch { instruction: at, line, .. } if at == instruction => {
                    line.filter(|_| other.method == probe.method)
                }
                _ => None,
            });
            found.insert(line.expect("a jump has a line"), run.map[first + id as usize] != 0);
            let is_aimed_at = |c: &instrument::Comparison| c.outcomes.contains(&(id, Edge::Equal));
            assert!(plan.comparisons.iter().any(is_aimed_at), "nobody would try to reach it");
            assert!(plan.branches.iter().all(|branch| branch.probe != id), "it is no branch");
        }
        assert_eq!(found, expected, "on {}", home.display());
    }
}

#[test]
fn a_dropped_answer_is_told_as_it_is() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/boundaries/Dropping.java");
    let source = std::fs::read_to_string(&file).expect("the fixture is readable");
    let expected: Vec<String> =
        source.lines().filter_map(|text| Some(text.split_once("; // ")?.1.to_owned())).collect();
    for home in jdk_homes() {
        let subject = Subject::compile(&home, &["-g"], std::slice::from_ref(&file));
        let plain = subject.run_plain();
        let run = subject.run_instrumented(ALL, 7, u64::MAX >> 1);
        assert_eq!(run.output, plain.output, "the program does what it did");
        let (plan, first) = &run.plans[0];
        let mut found: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
        for (probe, id) in plan.probes.iter().zip(0_u32..) {
            let ProbeKind::Dropped { instruction, is_some } = probe.kind else { continue };
            let seen = found.entry(instruction).or_default();
            if run.map[first + id as usize] != 0 {
                seen.push(if is_some { "some" } else { "none" });
            }
        }
        let found: Vec<String> = found.into_values().map(|seen| seen.join(" ")).collect();
        assert_eq!(found, expected, "on {}", home.display());
    }
}

#[test]
fn without_comparisons_there_are_no_boundaries() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/boundaries/Boundaries.java");
    let home = &jdk_homes()[0];
    let subject = Subject::compile(home, &["-g"], &[file]);
    let run = subject.run_instrumented(Options { comparisons: false, ..ALL }, 0, u64::MAX >> 1);
    let is_boundary = |kind: &ProbeKind| matches!(kind, ProbeKind::Boundary { .. });
    assert!(!run.plans[0].0.probes.iter().any(|probe| is_boundary(&probe.kind)));
}

#[test]
fn what_is_compared_for_a_branch_is_compared_for_one_that_counts() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/boundaries/Made.java");
    for home in jdk_homes() {
        let subject = Subject::compile(&home, &["-g"], std::slice::from_ref(&file));
        let plain = subject.run_plain();
        let run = subject.run_instrumented(ALL, 7, u64::MAX >> 1);
        assert_eq!(run.output, plain.output, "the program does what it did");
        let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (plan, _) in &run.plans {
            for comparison in &plan.comparisons {
                let method = &plan.methods[comparison.method as usize];
                assert!(method.counted, "{}.{}", plan.class, method.name);
                for (probe, edge) in &comparison.outcomes {
                    let counts = plan.branches.iter().any(|branch| branch.probe == *probe);
                    assert!(counts || *edge == Edge::Equal, "{comparison:?} of {}", method.name);
                }
                let kind = match &comparison.kind {
                    ComparisonKind::Object(name) => name.clone(),
                    kind => format!("{kind:?}"),
                };
                let kind = kind.split(['(', ' ']).next().unwrap_or_default().to_owned();
                kinds.entry(method.name.clone()).or_default().push(kind);
            }
        }
        let of = |method: &str| kinds.get(method).cloned().unwrap_or_default();
        assert_eq!(
            of("text"),
            ["Hash", "equals", "equals", "Key"],
            "texts still lead to its cases"
        );
        assert_eq!(of("size"), ["Constant"]);
        assert_eq!(of("asserted"), ["Zero"]);
        assert_eq!(of("closed"), ["Null"], "of the source, not of the closing");
    }
}
