//! Contracts in the sources of a build are used by themselves, as those of `--source` are.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::fixture::{compile, copy, java_files, source_folder};
use crate::project::{passing_tests, project};
use crate::run::{Said, say, testhound};

fn generate(project: &Path, options: &[&str]) -> Said {
    let mut command = testhound();
    command.arg("generate").arg("--project").arg(project).args(["--steps", "3000"]);
    say(command.args(options))
}

/// `Class: kind member` of all violations.
fn violations(report: &Value) -> Vec<String> {
    let classes = report["classes"].as_array().expect("a list of classes").iter();
    let of_class = |class: &Value| {
        let found = class["violations"].as_array().cloned().unwrap_or_default();
        let name = class["name"].as_str().unwrap_or_default().to_owned();
        let text = |violation: &Value, key: &str| violation[key].as_str().unwrap_or("?").to_owned();
        let say = move |v: &Value| format!("{name}: {} {}", text(v, "kind"), text(v, "member"));
        found.iter().map(say).collect::<Vec<_>>()
    };
    classes.flat_map(of_class).collect()
}

#[test]
fn contracts_of_a_maven_project_are_used_unless_they_are_switched_off() {
    let project = project("contracts/program");
    // By hand and for another purpose: it gives back what was not lent.
    fs::remove_dir_all(project.path().join("src/test")).expect("a folder");
    let said = generate(project.path(), &["--json"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    let report = said.json();
    let counts = (&report["contracts"]["checked"], &report["contracts"]["clauses"]);
    assert_eq!(counts, (&json!(30), &json!(30)));
    let found = violations(&report);
    assert!(found.contains(&"lending.Fines: postcondition owed".to_owned()), "{found:?}");
    assert_eq!(Some(passing_tests(project.path(), &[])), report["tests"].as_u64());
    let said = generate(project.path(), &["--force", "--class", "lending.Fines"]);
    assert!(said.out.contains("\nchecked 30 of 30 clauses\n"), "{}", said.out);
    let options = ["--json", "--force", "--class", "lending.Fines", "--no-contracts"];
    let report = generate(project.path(), &options).json();
    assert_eq!(report["contracts"], Value::Null);
    assert_eq!(violations(&report), [] as [&str; 0]);
}

const PERCENT: &str = "package org.example.core;

public final class Percent {
    private final int value;

    //@ requires 0 <= value && value <= 100;
    //@ ensures nothing() && this.value == value;
    public Percent(int value) {
        this.value = value;
    }

    //@ requires 0 <= amount && amount <= 1000000;
    //@ ensures 0 <= \\result && \\result <= amount;
    public /*@ pure @*/ int of(int amount) {
        return Math.floorDiv(amount * value, 100);
    }
}
";

/// Puts contracts into the modules: `shop` breaks a precondition of `core`.
fn put_contracts_into(project: &Path) {
    fs::write(project.join("core/src/main/java/org/example/core/Percent.java"), PERCENT)
        .expect("a source");
    let discount = project.join("shop/src/main/java/org/example/shop/Discount.java");
    let text = fs::read_to_string(&discount).expect("a source");
    let text =
        text.replace("public int price", "//@ ensures \\result <= full;\n    public int price");
    let text = text.replace("full > 0 ? full - rate.of(full) : 0", "full - rate.of(full)");
    fs::write(discount, text).expect("a source");
}

#[test]
fn modules_are_checked_together() {
    let project = project("maven-modules");
    put_contracts_into(project.path());
    let said = generate(project.path(), &["--json", "--exclude", "org.example.plain.*"]);
    assert_eq!(said.code(), 1, "{}", said.err);
    let report = said.json();
    // `nothing` is no method: its clause is left out, and told.
    let skipped = report["contracts"]["skipped"].as_array().expect("a list");
    assert_eq!(skipped.len(), 1, "{skipped:?}");
    assert_eq!(skipped[0]["line"], 7);
    let found = violations(&report);
    let expected = "org.example.shop.Discount: internal-precondition of".to_owned();
    assert!(found.contains(&expected), "{found:?}");
    assert!(found.iter().all(|told| !told.starts_with("org.example.core")), "{found:?}");
}

/// Lombok and its like: what the build compiles is more than its sources say.
#[test]
fn files_that_only_the_build_can_compile_are_left_out_and_told() {
    let build = tempfile::tempdir().expect("a temporary folder");
    fs::write(build.path().join("settings.gradle"), "include 'core', 'shop'").expect("a file");
    let modules = build.path();
    for module in ["core", "shop"] {
        copy(&source_folder(&format!("maven-modules/{module}")), &modules.join(module));
        fs::remove_file(modules.join(module).join("pom.xml")).expect("a file");
    }
    put_contracts_into(modules);
    let text = "test { useJUnitPlatform() }";
    let mut class_path = String::new();
    for module in ["core", "shop"] {
        let folder = modules.join(module);
        fs::write(folder.join("build.gradle"), text).expect("a file");
        let percent = folder.join("src/main/java/org/example/core/Percent.java");
        let plain = fs::read_to_string(&percent).ok();
        if let Some(plain) = &plain {
            let more = plain
                .replace("public /*@ pure", "public int twice(int n) { return 2 * n; }\n/*@ pure");
            fs::write(&percent, more.replace("/*@ pure @*/ int of", "public int of"))
                .expect("a source");
        }
        let classes = folder.join("build/classes/java/main");
        compile(&java_files(&folder.join("src/main")), &classes, &class_path);
        class_path = classes.display().to_string();
        if let Some(plain) = plain {
            fs::write(&percent, plain).expect("a source");
        }
    }
    let said = generate(modules, &["--json"]);
    assert_eq!(said.code(), 1, "{}{}", said.out, said.err);
    let report = said.json();
    let skipped = report["contracts"]["skipped"].as_array().expect("a list");
    assert_eq!(skipped.len(), 4, "{skipped:?}");
    for clause in skipped {
        assert_eq!(clause["reason"], "the build adds `twice`, which is not in its source");
    }
    let counts = (&report["contracts"]["checked"], &report["contracts"]["clauses"]);
    assert_eq!(counts, (&json!(1), &json!(5)));
}

#[test]
fn comments_of_other_tools_are_no_contracts() {
    let project = project("maven-modules");
    let discount = project.path().join("shop/src/main/java/org/example/shop/Discount.java");
    let text = fs::read_to_string(&discount).expect("a source");
    fs::write(
        &discount,
        text.replace("public int price", "//@todo round up\n    public int price"),
    )
    .expect("a source");
    let said = generate(project.path(), &["--json", "--class", "org.example.shop.Discount"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    assert_eq!(report["contracts"], Value::Null);
    let warnings = report["warnings"].as_array().expect("a list");
    let is_told =
        |warning: &&Value| warning.as_str().is_some_and(|w| w.starts_with("no contracts"));
    assert_eq!(warnings.iter().filter(is_told).count(), 1, "{warnings:?}");
}
