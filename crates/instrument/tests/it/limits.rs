//! What does not fit is left as it is and listed; plans are dense, storable and of one class.

use std::fmt::Write;
use std::fs;

use classfile::ClassFile;
use instrument::coverage::Summary;
use instrument::{Base, InstrumentError, Options, Plan, SkipReason, place, rewrite};

use crate::harness::java::compile;
use crate::harness::jdk::jdk_homes;
use crate::harness::subject::Subject;

const BOTH: Options = Options { coverage: true, steps: true, comparisons: true };

/// A class whose method `huge` has so many conditions that jumps cannot pass over their probes.
fn huge_source() -> String {
    let mut source = String::from(
        "public class Huge {
    static int small(int n) { return n > 3 ? 1 : 2; }
    public static void main(String[] arguments) { System.out.println(small(4) + huge(77)); }
    static int huge(int n) {
        int sum = 0;\n",
    );
    for number in 0..2_500 {
        writeln!(source, "        if (n > {}) sum += n;", number % 100).expect("text grows");
    }
    source + "        return sum;\n    }\n}\n"
}

#[test]
fn a_method_that_would_be_too_large_is_left_as_it_is() {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let file = scratch.path().join("Huge.java");
    fs::write(&file, huge_source()).expect("scratch is writable");
    for home in jdk_homes() {
        let subject = Subject::compile(&home, &["-g"], std::slice::from_ref(&file));
        let plain = subject.run_plain();
        let run = subject.run_instrumented(BOTH, 100, u64::MAX >> 1);
        assert_eq!(run.output, plain.output);
        let (plan, first) = &run.plans[0];
        assert_eq!(plan.skipped.len(), 1);
        assert_eq!(plan.skipped[0].name, "huge");
        assert!(matches!(plan.skipped[0].reason, SkipReason::TooLarge(_)), "{:?}", plan.skipped);
        let summary = Summary::new(plan, &run.map[*first..]).expect("the map is long enough");
        assert_eq!((summary.branches.covered, summary.branches.total), (1, 2), "of `small`");
    }
}

/// Compiles one class.
fn class_of(source: &str) -> ClassFile {
    let home = jdk_homes().pop().expect("these tests need a JDK: set JAVA_HOME");
    let scratch = tempfile::tempdir().expect("a scratch directory");
    compile(&home, &["-g"], "C.java", source, scratch.path());
    let bytes = fs::read(scratch.path().join("C.class")).expect("javac writes it");
    ClassFile::parse(&bytes).expect("javac writes good classes")
}

const SOURCE: &str = "class C {
    int f(int n) { return n > 0 ? n : -n; }
    void g(Runnable r) { for (;;) { r.run(); } }
}";

#[test]
fn probe_ids_are_dense_and_reproducible_and_plans_can_be_stored() {
    let class = class_of(SOURCE);
    let plan = place(&class, &BOTH).expect("it can be placed");
    assert_eq!(plan, place(&class, &BOTH).expect("it can be placed"));
    let mut next = 0;
    for (number, method) in (0..).zip(&plan.methods) {
        assert_eq!(method.probes.start, next);
        next = method.probes.end;
        for probe in &plan.probes[method.probes.start as usize..next as usize] {
            assert_eq!(probe.method, number);
        }
    }
    assert_eq!(next as usize, plan.probes.len());
    let stored = serde_json::to_string(&plan).expect("a plan can be stored");
    assert_eq!(serde_json::from_str::<Plan>(&stored).expect("and read"), plan);
}

#[test]
fn a_plan_is_refused_for_another_class_a_short_map_and_too_few_hits() {
    let plan = place(&class_of(SOURCE), &BOTH).expect("it can be placed");
    for other in ["class C { int f(int n) { return n; } }", "class C {}"] {
        let outcome = rewrite(&class_of(other), &plan, Base { probe: 0, ..Base::default() });
        assert!(matches!(outcome, Err(InstrumentError::PlanMismatch { .. })), "{outcome:?}");
    }
    let outcome =
        rewrite(&class_of(SOURCE), &plan, Base { probe: i32::MAX as u32, ..Base::default() });
    assert!(matches!(outcome, Err(InstrumentError::MapTooLarge { .. })), "{outcome:?}");
    let short = vec![1; plan.probes.len() - 1];
    let outcome = Summary::new(&plan, &short);
    assert!(matches!(outcome, Err(InstrumentError::MissingHits { .. })), "{outcome:?}");
}

#[test]
fn nothing_asked_for_changes_nothing() {
    let class = class_of(SOURCE);
    let plan = place(&class, &Options { coverage: false, steps: false, comparisons: false })
        .expect("it can be placed");
    assert!(plan.is_empty());
    assert_eq!(
        rewrite(&class, &plan, Base { probe: 7, ..Base::default() }).expect("it can be written"),
        class.to_bytes()
    );
}
