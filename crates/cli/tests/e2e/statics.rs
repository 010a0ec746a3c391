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
fn caches_counters_and_growing_lists_harm_nobody() {
    let (fixture, generated) =
        generated(&["statics.Memo", "statics.Ticket", "statics.Registry", "statics.Single"]);
    junit::assert_green(&fixture, &generated, &[]);
    for name in ["statics.Memo", "statics.Ticket"] {
        assert_eq!(generated.class(name)["dropped"]["static_state"], 0);
    }
    let source = generated.sources();
    for call in [".square(", ".entry(", ".text(", ".length()", ".listen(", "Single.get()"] {
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
