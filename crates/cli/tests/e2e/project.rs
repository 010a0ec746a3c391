//! `--project`: a Maven project gets tests, and `mvn test` is green with them in it.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use toolchain::Maven;

use crate::fixture::{compile, copy, java_files, source_folder};
use crate::run::{Running, Said, say, testhound};

pub fn project(name: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    copy(&source_folder(name), folder.path());
    folder
}

fn generate(project: &Path, options: &[&str]) -> Said {
    let mut command = testhound();
    command.arg("generate").arg("--project").arg(project).args(["--steps", "2000", "--json"]);
    say(command.args(options))
}

/// Runs the project's tests, confined to it.
pub fn maven_test(project: &Path, options: &[&str]) -> Said {
    let maven = Maven::find(None).expect("tests need Maven");
    let repository = toolchain::local_repository().expect("a local repository");
    let temporary = project.join("target/tmp");
    fs::create_dir_all(&temporary).expect("a folder");
    let mut command = testhound();
    command.arg("confined").arg("--write").arg(project).arg("--write").arg(&repository);
    command.arg("--").arg(maven.program()).args(["-B", "-q", "test"]).args(options);
    command.env("MAVEN_OPTS", format!("-Djava.io.tmpdir={}", temporary.display()));
    say(command.current_dir(project))
}

/// The same; says how many tests there were, all of which passed.
pub fn passing_tests(project: &Path, options: &[&str]) -> u64 {
    let said = maven_test(project, options);
    assert_eq!(said.code(), 0, "{}{}", said.out, said.err);
    let reports = fs::read_dir(project.join("target/surefire-reports")).expect("reports");
    let mut tests = 0;
    for report in reports {
        let path = report.expect("a report").path();
        if path.extension().is_some_and(|e| e == "txt") {
            let text = fs::read_to_string(&path).expect("a report");
            let count = text.split_once("Tests run: ").expect("a count").1;
            let digits: String = count.chars().take_while(char::is_ascii_digit).collect();
            tests += digits.parse::<u64>().expect("a number");
        }
    }
    tests
}

#[test]
fn a_junit_5_project_is_green_with_the_new_tests() {
    let project = project("maven-junit5");
    let by_hand = project.path().join("src/test/java/org/example/bank/InterestTest.java");
    let before = fs::read_to_string(&by_hand).expect("a test");
    let said = generate(project.path(), &[]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let account = project.path().join("src/test/java/org/example/bank/AccountTest.java");
    let source = fs::read_to_string(account).expect("a test for the account");
    assert!(source.contains("import org.junit.jupiter.api.Test;"), "{source}");
    assert_eq!(fs::read_to_string(&by_hand).expect("a test"), before, "a user's test is kept");
    let report = said.json();
    let interest = &report["classes"][1];
    assert_eq!(interest["name"], "org.example.bank.Interest");
    assert_eq!(interest["reasons"][0]["code"], "file-exists");
    let existing = serde_json::json!({"files": 1, "tests": 1, "left_out": []});
    assert_eq!(report["existing"], existing, "the user's test takes part");
    assert_eq!(Some(passing_tests(project.path(), &[])), report["tests"].as_u64().map(|n| n + 1));
    let said = generate(project.path(), &["--force", "--class", "org.example.bank.Interest"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    assert_ne!(fs::read_to_string(&by_hand).expect("a test"), before, "--force overwrites");
    assert_ne!(said.json()["tests"], Value::from(0));
}

#[test]
fn a_junit_4_project_is_green_with_the_new_tests() {
    let project = project("maven-junit4");
    let said = generate(project.path(), &[]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let words = project.path().join("src/test/java/org/example/text/WordsTest.java");
    let source = fs::read_to_string(words).expect("a test for the words");
    assert!(source.contains("import org.junit.Test;"), "{source}");
    assert!(!source.contains("var "), "Java 8 has no var: {source}");
    assert_eq!(Some(passing_tests(project.path(), &[])), said.json()["tests"].as_u64());
    let said = generate(project.path(), &["--junit", "5"]);
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("has JUnit 4"), "{}", said.err);
}

#[test]
fn modules_of_a_build_are_one_run() {
    let project = project("maven-modules");
    // A name need not fit in each module, and a module without chosen classes needs no JUnit.
    let said = generate(project.path(), &["--class", "org.example.shop.Discount"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    assert_eq!(report["classes"].as_array().map(Vec::len), Some(1), "{report:#}");
    assert_ne!(report["tests"], Value::from(0));
    let test = project.path().join("shop/src/test/java/org/example/shop/DiscountTest.java");
    assert!(test.is_file());
    assert!(!project.path().join("core/src/test").exists());
    // A folder of the user's choice can be had for one module, not for several.
    let out = project.path().join("elsewhere");
    let choice = ["--out", out.to_str().expect("a plain path"), "--package"];
    let said = generate(project.path(), &[&choice[..], &["org.example.*"]].concat());
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("--out is for the classes of one module"), "{}", said.err);
    assert!(!out.exists());
    let said = generate(project.path(), &[&choice[..], &["org.example.core"]].concat());
    assert_eq!(said.code(), 0, "{}", said.err);
    assert!(out.join("org/example/core/PercentTest.java").is_file());
    let said = generate(project.path(), &["--force", "--exclude", "org.example.plain.*"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    let classes = report["classes"].as_array().expect("a list");
    let names: Vec<_> = classes.iter().filter_map(|class| class["name"].as_str()).collect();
    assert_eq!(names, ["org.example.core.Percent", "org.example.shop.Discount"]);
    for (class, module) in classes.iter().zip(["core", "shop"]) {
        let out = class["out"].as_str().expect("a folder");
        assert!(out.ends_with(&format!("{module}/src/test/java")), "{out}");
        assert!(class["files"][0].as_str().is_some_and(|file| file.starts_with(out)), "{class}");
    }
    let outs: Vec<_> = classes.iter().map(|class| class["out"].clone()).collect();
    assert_eq!(report["out"], Value::from(outs));
    let tests: u64 = classes.iter().filter_map(|class| class["tests"].as_u64()).sum();
    assert_eq!(report["tests"], Value::from(tests));
}

#[test]
fn an_error_in_one_module_leaves_the_report_of_those_before_it() {
    for is_json in [true, false] {
        let project = project("maven-modules");
        let mut command = testhound();
        command.arg("generate").arg("--project").arg(project.path()).args(["--steps", "2000"]);
        command.args(["--exclude", "org.example.plain.*"]).args(is_json.then_some("--json"));
        let running = Running::start(&mut command);
        // The first module is all but done; the second finds a file where its folder was to be.
        let first = project.path().join("core/src/test/java/org/example/core/PercentTest.java");
        let deadline = Instant::now() + Duration::from_secs(240);
        while !first.exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
        fs::write(project.path().join("shop/src/test"), "in the way").expect("a file");
        let said = running.wait();
        assert_eq!(said.code(), 4, "{}{}", said.out, said.err);
        assert!(said.err.contains("cannot write") && said.err.contains("Discount"), "{}", said.err);
        assert!(first.is_file());
        if is_json {
            let report = said.json();
            let classes = report["classes"].as_array().expect("a list");
            assert_eq!(classes.len(), 1, "{report:#}");
            assert_eq!(classes[0]["name"], "org.example.core.Percent");
            assert_ne!(report["tests"], Value::from(0));
            assert_eq!(report["tests"], classes[0]["tests"]);
            let error = report["error"].as_str().expect("an error");
            assert!(said.err.contains(error), "{error}");
        } else {
            assert!(said.out.contains("org.example.core.Percent "), "{}", said.out);
            assert!(said.out.contains("an error ended the run"), "{}", said.out);
            assert!(!said.out.contains("org.example.shop"), "{}", said.out);
        }
    }
}

/// The folders as Gradle leaves them; a project may use the classes of another.
#[test]
fn a_built_gradle_build_gets_tests_in_its_test_folders() {
    let build = tempfile::tempdir().expect("a temporary folder");
    fs::write(build.path().join("settings.gradle"), "include 'core', 'shop'").expect("a file");
    let mut class_path = String::new();
    for module in ["core", "shop"] {
        let folder = build.path().join(module);
        copy(&source_folder(&format!("maven-modules/{module}")), &folder);
        fs::remove_file(folder.join("pom.xml")).expect("a file");
        fs::write(folder.join("build.gradle"), "test { useJUnitPlatform() }").expect("a file");
        let classes = folder.join("build/classes/java/main");
        compile(&java_files(&folder.join("src/main")), &classes, &class_path);
        class_path = classes.display().to_string();
    }
    let said = generate(build.path(), &[]);
    assert_eq!(said.code(), 0, "{}", said.err);
    let report = said.json();
    assert_eq!(report["warnings"], Value::from(Vec::<Value>::new()));
    let files = [
        "core/src/test/java/org/example/core/PercentTest.java",
        "shop/src/test/java/org/example/shop/DiscountTest.java",
    ];
    for file in files {
        let source = fs::read_to_string(build.path().join(file)).expect("a test");
        assert!(source.contains("import org.junit.jupiter.api.Test;"), "{source}");
    }
}

#[test]
fn a_name_that_fits_in_no_module_is_an_error() {
    let project = project("maven-modules");
    for (option, name, part) in [
        ("--class", "org.example.Discont", "did you mean org.example.shop.Discount?"),
        ("--package", "org.example.stop", "did you mean org.example.shop?"),
        ("--package", "org.example", "`org.example.*`"),
    ] {
        let said = generate(project.path(), &[option, name]);
        assert_eq!(said.code(), 2, "{}", said.err);
        assert!(said.err.contains(part), "{}", said.err);
        assert_eq!(said.out, "");
    }
    assert!(!project.path().join("core/src/test").exists(), "nothing is written");
}
