//! Q3: whatever a call does to its process, the run goes on, other members get their tests, and the
//! user is told why the bad one has none.

use crate::fixture::Fixture;
use crate::run::{Generate, Generated, STEPS};

/// Generates for a class of the fixture `faults`, all of which have a good method.
fn generated(class: &str) -> Generated {
    on(&Fixture::shared("faults"), class)
}

fn on(fixture: &Fixture, class: &str) -> Generated {
    Generate::on(fixture).with(["--class", &format!("faults.{class}")]).run()
}

/// The good method has a test; the bad ones have none, for one reason each, which is given.
fn check(class: &str, bad: &[(&str, &str)]) {
    check_run(&generated(class), class, bad);
}

fn check_run(generated: &Generated, class: &str, bad: &[(&str, &str)]) {
    let name = format!("faults.{class}");
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let source = generated.sources();
    assert!(
        source.contains(".doubled()"),
        "the good method has no test: {:#}",
        generated.said.json()
    );
    let calls = generated.class(&name)["calls"].as_u64();
    assert!(calls >= STEPS.parse().ok(), "the search ended after {calls:?} calls");
    for (member, reason) in bad {
        assert!(!source.contains(&format!(".{member}(")), "{member} is in a test:\n{source}");
        assert_eq!(generated.reasons(&name, member), [*reason], "{member}");
    }
}

/// As `check`, where what is told depends on how far the machine lets the call go.
fn check_any(class: &str, member: &str, codes: &[&str]) {
    let reason = reason(&generated(class), class, member);
    assert!(codes.iter().any(|code| reason.starts_with(&format!("{code}: "))), "{reason}");
}

/// The one reason for which the bad member has no test; the good method has one.
fn reason(generated: &Generated, class: &str, member: &str) -> String {
    check_run(generated, class, &[]);
    let source = generated.sources();
    assert!(!source.contains(&format!(".{member}(")), "{member} is in a test:\n{source}");
    let reasons = generated.reasons(&format!("faults.{class}"), member);
    let [reason] = &reasons[..] else { panic!("one reason is enough: {reasons:?}") };
    reason.clone()
}

#[test]
fn an_endless_loop_is_cut_by_the_step_budget() {
    let reason = reason(&generated("EndlessLoop"), "EndlessLoop", "spin");
    assert!(reason.starts_with("hangs: cut short ") && !reason.contains("clock"), "{reason}");
}

#[test]
fn an_endless_recursion_is_an_exception_that_no_test_expects() {
    check("EndlessRecursion", &[("recurse", "always-throws: java.lang.StackOverflowError")]);
}

#[test]
fn an_exit_is_refused_and_told() {
    check("Exits", &[("exit", "unsafe-effect: asked the JVM to exit")]);
}

#[test]
fn a_halt_is_refused_and_told() {
    check("Halts", &[("halt", "unsafe-effect: asked the JVM to exit")]);
}

#[test]
fn a_full_heap_is_survived() {
    check_any("FillsHeap", "fill", &["always-throws", "hangs", "crashes"]);
}

#[test]
fn full_direct_memory_is_survived() {
    check_any("FillsDirectMemory", "fill", &["always-throws", "hangs", "crashes"]);
}

#[test]
fn threads_without_end_are_survived() {
    check("StartsThreads", &[("fill", "unsafe-effect: left a thread running")]);
}

#[test]
fn a_deadlock_between_threads_is_survived() {
    check_any("Deadlocks", "deadlock", &["hangs"]);
}

#[test]
fn a_wait_for_a_lock_of_its_own_is_cut() {
    check_any("WaitsForLock", "acquireTwice", &["hangs"]);
}

#[test]
fn a_loop_that_catches_everything_is_survived() {
    check_any("CatchesEverything", "spin", &["hangs"]);
}

#[test]
fn a_thread_left_running_is_an_effect() {
    check("LeavesThreads", &[("leave", "unsafe-effect: left a thread running")]);
}

#[test]
fn what_the_user_types_is_in_no_test() {
    check_any("ReadsInput", "read", &["unsafe-effect"]);
}

#[test]
fn output_without_end_is_cut() {
    let generated = generated("FloodsOutput");
    check_run(&generated, "FloodsOutput", &[]);
    assert!(!generated.sources().contains(".flood("));
    assert!(generated.said.out.len() < 100_000 && generated.said.err.is_empty());
    let reasons = generated.reasons("faults.FloodsOutput", "flood");
    assert!(reasons.len() == 1 && reasons[0].starts_with("hangs"), "{reasons:?}");
}

#[test]
fn replaced_streams_are_effects() {
    let replaced = "unsafe-effect: replaced or closed a standard stream";
    let bad = ["replaceOut", "replaceErr", "replaceIn"].map(|member| (member, replaced));
    check("ReplacesStreams", &bad);
}

#[test]
fn changed_settings_are_effects() {
    check(
        "ChangesSettings",
        &[
            ("changeLocale", "unsafe-effect: changed the default locale"),
            ("changeTimeZone", "unsafe-effect: changed the default time zone"),
            ("changeProperty", "unsafe-effect: changed system properties"),
            ("removeProperty", "unsafe-effect: changed system properties"),
        ],
    );
}

#[test]
fn a_segmentation_fault_is_survived() {
    check_any("Segfaults", "crash", &["crashes"]);
}

#[test]
fn a_class_whose_initializer_throws_is_told() {
    let generated = generated("InitializerThrows");
    assert_eq!(generated.said.code(), 0);
    assert!(generated.files.is_empty());
    let reasons = generated.reasons("faults.InitializerThrows", "");
    let [reason] = &reasons[..] else { panic!("one reason is enough: {reasons:?}") };
    assert!(reason.starts_with("initializer-fails: "), "{reason}");
    assert!(reason.contains("NumberFormatException"), "the cause is what helps: {reason}");
}

#[test]
fn a_class_that_fails_verification_is_told() {
    let fixture = Fixture::own("faults");
    let file = fixture.class_file("faults/FailsVerification");
    let mut bytes = std::fs::read(&file).expect("a class file");
    // `ldc #n; ireturn` becomes `ldc #n; areturn`: an int where a reference must be.
    let at = bytes.windows(3).position(|w| w[0] == 0x12 && w[2] == 0xac).expect("ldc; ireturn");
    bytes[at + 2] = 0xb0;
    std::fs::write(&file, bytes).expect("a damaged class file");
    let generated = on(&fixture, "FailsVerification");
    assert_eq!(generated.said.code(), 0);
    assert!(generated.files.is_empty());
    let reasons = generated.reasons("faults.FailsVerification", "");
    let [reason] = &reasons[..] else { panic!("one reason is enough: {reasons:?}") };
    assert!(reason.starts_with("unlinkable: ") && reason.contains("VerifyError"), "{reason}");
}

#[test]
fn a_missing_class_costs_only_the_members_that_need_it() {
    let fixture = Fixture::own("faults");
    std::fs::remove_file(fixture.class_file("faults/Missing")).expect("a class file to remove");
    let generated = on(&fixture, "NeedsMissing");
    check_run(&generated, "NeedsMissing", &[]);
    for member in ["useMissing", "makeMissing"] {
        assert!(!generated.sources().contains(&format!(".{member}(")));
        let reasons = generated.reasons("faults.NeedsMissing", member);
        let [reason] = &reasons[..] else { panic!("one reason is enough: {reasons:?}") };
        assert!(reason.contains("NoClassDefFoundError"), "{reason}");
    }
    let report = generated.said.json();
    assert_eq!(report["missing"][0]["name"], "faults.Missing");
    assert_eq!(report["missing"][0]["needed_by"][0], "faults.NeedsMissing");
    assert_eq!(report["missing"].as_array().map(Vec::len), Some(1), "{}", report["missing"]);
    let warning = "faults.Missing is missing, needed by faults.NeedsMissing; \
                   add its jar with --dependencies";
    assert_eq!(report["warnings"], serde_json::json!([warning]));
}

#[test]
fn an_argument_that_nothing_makes_is_named() {
    let generated = generated("NeedsKey");
    assert!(generated.sources().contains(".doors("), "{}", generated.sources());
    let reasons = |member| generated.reasons("faults.NeedsKey", member);
    let what = "no-value-of-type: nothing makes a faults.NeedsKey$Key; ";
    let throws = format!("{what}with null it throws java.lang.NullPointerException");
    assert_eq!(reasons("open"), [throws]);
    let hides = format!("{what}it was called with null, and branches of it are open");
    assert_eq!(reasons("look"), std::slice::from_ref(&hides));
    assert_eq!(reasons("has"), [hides]);
    assert_eq!(reasons("doors"), [] as [&str; 0]);
}

#[test]
fn what_a_dependency_lacks_is_named() {
    let fixture = Fixture::own("transitive");
    let library = tempfile::tempdir().expect("a temporary folder");
    let classes = fixture.classes();
    std::fs::rename(classes.join("lib"), library.path().join("lib")).expect("a folder to move");
    std::fs::remove_dir_all(classes.join("gone")).expect("a folder to remove");
    let generate = Generate::on(&fixture).with(["--dependencies".as_ref(), library.path()]);
    let generated = generate.run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    assert!(generated.sources().contains(".answer()"), "{}", generated.said.out);
    let missing = serde_json::json!([{"name": "gone.Pattern", "needed_by": ["lib.Formatter"]}]);
    assert_eq!(generated.said.json()["missing"], missing, "{}", generated.said.out);
}

#[test]
fn nothing_is_missing_where_all_is_there() {
    let generated = Generate::on(&Fixture::shared("library")).run();
    assert_eq!(generated.said.json()["missing"], serde_json::json!([]));
    assert_eq!(generated.said.json()["warnings"], serde_json::json!([]));
}

#[test]
fn an_endless_loop_in_the_jdk_is_stopped_by_the_clock() {
    let reason = reason(&generated("EndlessInJdk"), "EndlessInJdk", "search");
    assert!(
        reason.starts_with("hangs: cut short ") && reason.ends_with(", by the clock"),
        "{reason}"
    );
}

#[test]
fn a_sleep_without_end_is_stopped_by_the_clock() {
    check_any("Sleeps", "sleep", &["hangs"]);
}

#[test]
fn a_wait_in_native_code_is_survived() {
    // Stopping the thread does not help: the process is killed.
    check("WaitsInNativeCode", &[("read", "hangs: it did not end and could not be stopped")]);
}

#[test]
fn every_jdk_survives_what_takes_processes_down() {
    let fixture = Fixture::shared("faults");
    for home in testkit::jdk_homes() {
        let generated = |class: &str| {
            Generate::on(&fixture)
                .with(["--class", &format!("faults.{class}"), "--jvm-arg", "-Xcheck:jni"])
                .with(["--jdk".as_ref(), home.as_os_str()])
                .run()
        };
        for (class, member, expected) in [
            ("Exits", "exit", "unsafe-effect: asked the JVM to exit"),
            ("Halts", "halt", "unsafe-effect: asked the JVM to exit"),
            ("EndlessRecursion", "recurse", "always-throws: java.lang.StackOverflowError"),
            ("EndlessLoop", "spin", "hangs: cut short "),
            ("CatchesEverything", "spin", "hangs: "),
            ("Segfaults", "crash", "crashes: the process "),
            ("LeavesThreads", "leave", "unsafe-effect: left a thread running"),
        ] {
            let reason = reason(&generated(class), class, member);
            assert!(reason.starts_with(expected), "{}, {class}: {reason}", home.display());
        }
    }
}
