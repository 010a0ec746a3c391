//! Tests do not spoil others through static state: those of the same run, of earlier runs, and the
//! user's own.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::fixture::Fixture;
use crate::junit;
use crate::run::{Generate, Generated, STEPS, say, testhound};

fn generated(classes: &[&str]) -> (Fixture, Generated) {
    let fixture = Fixture::shared("statics");
    let mut generate = Generate::on(&fixture);
    for class in classes {
        generate = generate.with(["--class", class]);
    }
    let generated = generate.run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    (fixture, generated)
}

/// Runs again for other classes into the same folder; the report.
fn again(fixture: &Fixture, out: &Path, classes: &[&str]) -> Value {
    let mut command = testhound();
    command.arg("generate").arg("--classpath").arg(fixture.classes()).args(["--steps", STEPS]);
    command.arg("--out").arg(out).arg("--json");
    for class in classes {
        command.args(["--class", class]);
    }
    let said = say(&mut command);
    assert_eq!(said.code(), 0, "{}", said.err);
    said.json()
}

fn has_note(class: &Value, text: &str) -> bool {
    let notes = class["notes"].as_array().expect("notes");
    notes.iter().any(|note| note.as_str().is_some_and(|note| note.contains(text)))
}

#[test]
fn who_leaves_a_static_field_set_goes_and_who_sees_the_default_stays() {
    let (fixture, generated) = generated(&["statics.Prefix", "statics.Quoted"]);
    junit::assert_green(&fixture, &generated, &[]);
    let prefix = generated.class("statics.Prefix");
    assert!(prefix["dropped"]["static_state"].as_u64() > Some(0), "{prefix:#}");
    assert!(has_note(&prefix, "leaves static state changed: statics.Prefix.prefix"), "{prefix:#}");
    let source = generated.sources();
    assert!(!source.contains("setPrefix("), "{source}");
    assert!(source.contains(".quote()"), "{source}");
    assert!(source.contains("Prefix.twice("), "{source}");
    let report = generated.said.json();
    assert_eq!(report["dropped"]["static_state"], prefix["dropped"]["static_state"]);
}

#[test]
fn the_report_says_where_the_time_went() {
    let (_fixture, generated) = generated(&["statics.Prefix", "statics.Plain"]);
    let report = generated.said.json();
    let of_run = |phase: &str| report["seconds"][phase].as_f64().expect("a number");
    assert!(of_run("together") > 0.0 && of_run("classes") > 0.0, "{}", report["seconds"]);
    for (class, has_statics) in [("statics.Prefix", true), ("statics.Plain", false)] {
        let class = generated.class(class);
        let phases = class["seconds"].as_object().expect("phases");
        for phase in ["prepare", "compile", "runs"] {
            assert!(phases[phase].as_f64() > Some(0.0), "{phase} of {class:#}");
        }
        // Without static state nothing is run to find out what becomes of it.
        assert_eq!(phases["statics"].as_f64() > Some(0.0), has_statics, "{class:#}");
        let sum: f64 = phases.values().filter_map(Value::as_f64).sum();
        assert!(sum <= of_run("classes") && of_run("classes") <= of_run("all"), "{class:#}");
    }
}

#[test]
fn who_asks_for_a_setting_is_tested_with_its_default() {
    let (fixture, generated) = generated(&["statics.Prefix", "statics.Single", "statics.Switches"]);
    junit::assert_green(&fixture, &generated, &[]);
    let source = generated.sources();
    for asked in ["(\"> ", "(\"7\", ", "(\"mode number 7\", ", "(\"plain off\", "] {
        assert!(source.contains(&format!("assertEquals{asked}")), "no {asked} in\n{source}");
    }
}

#[test]
fn caches_counters_and_growing_lists_harm_nobody() {
    let names = ["Memo", "Ticket", "Registry", "Single", "Shared"].map(|n| format!("statics.{n}"));
    let (fixture, generated) = generated(&names.each_ref().map(String::as_str));
    junit::assert_green(&fixture, &generated, &[]);
    for name in ["statics.Memo", "statics.Ticket", "statics.Shared"] {
        assert_eq!(generated.class(name)["dropped"]["static_state"], 0);
    }
    let source = generated.sources();
    for call in
        [".square(", ".entry(", ".text(", ".length()", ".listen(", "Single.get()", "shared.size()"]
    {
        assert!(source.contains(call), "{call} has no test: {source}");
    }
    // But what empties a table, or sets a field of the one object that all share, does.
    for call in [".forget()", ".setMode("] {
        assert!(!source.contains(call), "{call} is in a test: {source}");
    }
    let single = generated.class("statics.Single");
    assert!(has_note(&single, "changed: statics.Single.instance (mode)"), "{single:#}");
}

#[test]
fn who_makes_a_shared_object_and_sets_it_goes_and_who_sees_the_default_stays() {
    let (fixture, generated) = generated(&["statics.App", "statics.Told"]);
    junit::assert_green(&fixture, &generated, &[]);
    let app = generated.class("statics.App");
    let note = "leaves static state changed: statics.Config.instance (mode)";
    assert!(has_note(&app, note), "{app:#}");
    let source = generated.sources();
    assert!(!source.contains("App.strict("), "{source}");
    assert!(source.contains("\"plain\", Told.mode()"), "{source}");
}

#[test]
fn settings_that_no_setter_sets_are_settings() {
    let (fixture, generated) = generated(&["statics.Switches", "statics.Told"]);
    junit::assert_green(&fixture, &generated, &[]);
    let switches = generated.class("statics.Switches");
    for field in ["VALUES", "on", "flag"] {
        let note = format!("leaves static state changed: statics.Switches.{field}");
        assert!(has_note(&switches, &note), "{field}: {switches:#}");
    }
    let source = generated.sources();
    assert!(source.contains("\"plain off\", Told.switches()"), "{source}");
    for call in ["choose(", "enable("] {
        assert!(!source.contains(call), "{source}");
    }
    // A switch that is turned over twice is as it was.
    for test in source.split("@Test") {
        assert_eq!(test.matches("Switches.turnOver()").count() % 2, 0, "{source}");
    }
}

#[test]
fn a_class_whose_static_state_cannot_be_measured_says_so() {
    let (fixture, generated) = generated(&["statics.Slow"]);
    junit::assert_green(&fixture, &generated, &[]);
    let slow = generated.class("statics.Slow");
    let note = "static state was not looked at: the static initializers came to no end within";
    assert!(has_note(&slow, note), "{slow:#}");
    assert!(generated.sources().contains("Slow.twice("), "{}", generated.sources());
}

/// Test libraries are loaded once for all runs; the project is not, even if it is such a library.
#[test]
fn a_project_with_the_classes_of_a_test_library_has_tests_of_its_package() {
    let fixture = Fixture::shared("marked");
    let generated = Generate::on(&fixture).with(["--class", "org.hamcrest.Range"]).run();
    junit::assert_green(&fixture, &generated, &[]);
    let range = generated.class("org.hamcrest.Range");
    assert_eq!(range["dropped"]["unreproducible"], 0, "{range:#}");
    assert_eq!(range["dropped"]["environment"], 0, "{range:#}");
    assert!(generated.sources().contains(".size()"), "{}", generated.sources());
}

#[test]
fn the_suite_of_an_earlier_run_stays_green_and_as_it_is() {
    let fixture = Fixture::shared("together");
    let earlier = Generate::on(&fixture).with(["--class", "together.Joiner"]).run();
    let out = earlier.out();
    let file = out.join("together/JoinerTest.java");
    let before = fs::read_to_string(&file).expect("the earlier suite");
    assert!(before.contains(".joined()"), "{before}");
    let report = again(&fixture, &out, &["together.Defaults"]);
    assert_eq!(fs::read_to_string(&file).expect("it is still there"), before);
    assert_eq!(report["existing"]["files"], 1, "{report:#}");
    assert_eq!(report["existing"]["tests"].as_u64(), Some(before.matches("@Test").count() as u64));
    assert_eq!(report["existing"]["left_out"], serde_json::json!([]));
    assert!(out.join("together/DefaultsTest.java").exists());
    let verdict = junit::run(&fixture, &earlier, &[crate::together::BY_CLASS_NAME]);
    assert_eq!(verdict.failed, 0, "{}", verdict.text);
}

/// A list that grows is nothing to drop a test for, unless a test that was there relies on it.
#[test]
fn new_tests_that_break_the_users_own_are_found_and_dropped() {
    let fixture = Fixture::shared("statics");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    let write = |name: &str, body: &str| {
        let text = format!(
            "package statics;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\n\
             import org.junit.jupiter.api.Test;\n\nclass {name} {{\n    @Test\n    \
             void mine() throws Exception {{\n        {body}\n    }}\n}}\n"
        );
        fs::create_dir_all(out.join("statics")).expect("a folder");
        fs::write(out.join(format!("statics/{name}.java")), &text).expect("a test");
        text
    };
    let body = "java.lang.reflect.Field field = Registry.class.getDeclaredField(\"LISTENERS\");\n        \
                field.setAccessible(true);\n        \
                assertTrue(((java.util.List<?>) field.get(null)).isEmpty());";
    let mine = write("ZebraTest", body);
    write("RedTest", "fail();");
    write("BrokenTest", "no such statement");
    let report = again(&fixture, &out, &["statics.Registry", "statics.Ticket"]);
    assert_eq!(fs::read_to_string(out.join("statics/ZebraTest.java")).expect("mine"), mine);
    let (files, tests) = (&report["existing"]["files"], &report["existing"]["tests"]);
    assert_eq!((files.as_u64(), tests.as_u64()), (Some(3), Some(1)), "{report:#}");
    let left_out = report["existing"]["left_out"].to_string();
    assert!(left_out.contains("BrokenTest.java: it cannot be compiled here"), "{left_out}");
    assert!(left_out.contains("RedTest.java: mine: "), "{left_out}");
    let classes = report["classes"].as_array().expect("classes");
    let registry = classes.iter().find(|class| class["name"] == "statics.Registry");
    let registry = registry.expect("its report");
    let note = "listen_returnsTrue makes a test fail that was there: statics.ZebraTest#mine";
    assert!(has_note(registry, note), "{registry:#}");
    let ticket = fs::read_to_string(out.join("statics/TicketTest.java")).expect("a suite");
    assert!(ticket.contains(".length()"), "{ticket}");
    if let Ok(source) = fs::read_to_string(out.join("statics/RegistryTest.java")) {
        assert!(!source.contains(".listen("), "{source}");
    }
}

#[test]
fn tests_of_the_user_take_part_whatever_they_look_like_or_are_named() {
    let fixture = Fixture::shared("statics");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out");
    fs::create_dir_all(out.join("statics")).expect("a folder");
    let write = |name: &str, text: &[u8]| fs::write(out.join(name), text).expect("a file");
    let test = "@Test\n    void mine() {}\n}\n";
    let import = "import org.junit.jupiter.api.Test;";
    let latin =
        format!("package statics;\n{import}\nclass LatinTest {{\n    // \u{e9}\n    {test}");
    let latin: Vec<u8> = latin.chars().map(|c| u8::try_from(c).expect("Latin")).collect();
    write("statics/LatinTest.java", &latin);
    let commented = format!(
        "/*\npackage of.another;\n*/\npackage statics;\n{import}\nclass CommentedTest {{\n    {test}"
    );
    write("statics/CommentedTest.java", commented.as_bytes());
    let base = format!("package statics;\n{import}\nclass BaseTest {{\n    {test}");
    write("statics/BaseTest.java", base.as_bytes());
    write("statics/DerivedTest.java", b"package statics;\nclass DerivedTest extends BaseTest {}\n");
    write("statics/Helper.java", b"package statics;\ninterface Helper {}\n");
    write("AstrayTest.java", &latin);
    let report = again(&fixture, &out, &["statics.Ticket"]);
    let (files, tests) = (&report["existing"]["files"], &report["existing"]["tests"]);
    assert_eq!((files.as_u64(), tests.as_u64()), (Some(4), Some(4)), "{:#}", report["existing"]);
    let left_out = report["existing"]["left_out"].as_array().expect("those left out");
    let [astray, helper] = &left_out[..] else { panic!("{left_out:#?}") };
    assert_eq!(astray, "AstrayTest.java: it does not lie in the folder of its package");
    let is_told =
        |text: &str| text.starts_with("statics/Helper.java: ") && text.contains("no test");
    assert!(helper.as_str().is_some_and(is_told), "{helper}");
}
