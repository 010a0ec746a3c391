//! The test runner: what fixtures promise is what is reported.

use std::path::Path;

use tempfile::TempDir;

use crate::boot;
use crate::expectation::{Outcomes, expected, reported};
use crate::junit;
use crate::machine::{Jvm, folders, java, jdks};

/// Runs a folder of fixtures with these seeds; the lines of each run.
fn run(jvm: &Jvm, fixtures: &str, class_path: &str, seeds: &[&str]) -> Vec<Vec<String>> {
    let output = TempDir::new().expect("a temporary folder");
    let sources = java("fixtures").join(fixtures);
    let text = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let mut arguments = vec![text(&sources), text(output.path())];
    // Ample where nothing hangs, for the machine may be busy.
    let millis = if fixtures == "hang" { "1000" } else { "20000" };
    arguments.extend([class_path.to_owned(), millis.to_owned()]);
    arguments.extend(seeds.iter().map(|seed| seed.to_string()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let printed = jvm.run("RunTests", &arguments);
    let (printed, changed) = printed.split_once("changed ").expect("the driver's last line");
    assert_eq!(changed, "\n", "settings after all runs");
    let runs = printed.split("seed ").skip(1);
    runs.map(|run| run.lines().skip(1).map(str::to_owned).collect()).collect()
}

fn outcomes(lines: &[String]) -> Outcomes {
    reported(lines.iter().map(String::as_str))
}

/// Fixtures end as their comments say, on every JDK.
pub fn check(fixtures: &str, class_path: &str, jvm: impl Fn(Jvm) -> Jvm) {
    let expected = expected(&java("fixtures").join(fixtures));
    for home in jdks() {
        let runs = run(&jvm(Jvm::new(&home)), fixtures, class_path, &["0"]);
        assert_eq!(outcomes(&runs[0]), expected, "{}", home.display());
    }
}

fn standin() -> String {
    folders().standin().to_str().expect("UTF-8").to_owned()
}

#[test]
fn fixtures_end_as_they_say_with_junit_5() {
    check("jupiter", &junit::class_path(), |jvm| jvm);
}

#[test]
fn fixtures_end_as_they_say_with_the_standin() {
    check("jupiter", &standin(), |jvm| jvm);
}

#[test]
fn fixtures_end_as_they_say_with_junit_4() {
    check("junit4", &junit::class_path(), |jvm| jvm);
}

#[test]
fn tests_that_hang_are_given_up() {
    check("hang", &standin(), |jvm| jvm);
}

#[test]
fn exhausted_memory_is_reported() {
    check("memory", &standin(), |jvm| jvm.option("-Xmx64m"));
}

#[test]
fn exits_are_blamed_on_their_test_even_if_swallowed() {
    let root = TempDir::new().expect("a temporary folder");
    let boot = boot::with_exits_refused(&root);
    check("exit", &standin(), |jvm| jvm.boot(&boot));
}

#[test]
fn tests_run_as_junit_orders_them_or_backward_or_shuffled() {
    let home = &jdks()[0];
    let class_path = junit::class_path();
    let names = |lines: &Vec<String>| -> Vec<String> {
        lines.iter().map(|line| line.split('\t').next().expect("a name").to_owned()).collect()
    };
    let runs = run(&Jvm::new(home), "order", &class_path, &["0", "1", "0", "2", "3", "2"]);
    let orders: Vec<Vec<String>> = runs.iter().map(names).collect();
    let by_name: Vec<String> = ["FirstTest", "SecondTest"]
        .iter()
        .flat_map(|class| ["a", "b", "c", "d", "e", "f"].map(|test| format!("{class}#{test}")))
        .collect();
    assert_eq!(orders[0], by_name);
    assert_eq!(orders[2], by_name);
    assert_eq!(orders[1], by_name.iter().rev().cloned().collect::<Vec<_>>());
    assert_ne!(orders[3], orders[4], "another seed, another order");
    assert_eq!(orders[3], orders[5]);
    assert!([&by_name, &orders[1]].iter().all(|order| **order != orders[3]));
    for (order, lines) in orders.iter().zip(&runs) {
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(sorted, by_name);
        assert!(lines.iter().all(|line| line.contains("\tPASS\t")), "{lines:?}");
    }
}

#[test]
fn a_failure_is_told_with_its_frames_the_line_of_the_test_and_what_it_called() {
    let home = &jdks()[0];
    let runs = run(&Jvm::new(home), "jupiter", &standin(), &["0"]);
    let line = runs[0].iter().find(|line| line.contains("#assertionFails\t"));
    let fields: Vec<&str> = line.expect("the test was run").split('\t').collect();
    let [frames, line, called] = fields[4..] else { panic!("not seven fields: {fields:?}") };
    assert_eq!((line, called), ("30", "assertEquals"));
    let frames: Vec<&str> = frames.split(';').collect();
    assert!(frames[0].starts_with("org.junit.jupiter.api."), "{frames:?}");
    assert!(frames.contains(&"OutcomesTest/assertionFails/30"), "{frames:?}");
    assert!(frames.len() <= 24, "{frames:?}");
}

#[test]
fn what_the_runner_does_not_know_is_an_error_not_ignored() {
    let home = &jdks()[0];
    let runs = run(&Jvm::new(home), "unsupported", &junit::class_path(), &["0"]);
    let first_fields = |line: &String| line.splitn(5, '\t').take(4).collect::<Vec<_>>().join("\t");
    let lines: Vec<String> = runs[0].iter().map(first_fields).collect();
    let unsupported = "ERROR\ttesthound.runtime.UnsupportedTestException";
    assert_eq!(
        lines,
        [
            format!("DisabledTest#\t{unsupported}\t@org.junit.jupiter.api.Disabled on off"),
            format!(
                "NestedTest#\t{unsupported}\t@org.junit.jupiter.api.Nested on NestedTest$Inner"
            ),
            format!(
                "NoTestsTest#\t{unsupported}\tno test methods found; is JUnit on the class path?"
            ),
            format!("ParameterTest#\t{unsupported}\tparameter of info"),
            format!("StaticTest#\t{unsupported}\tstatic temporary folder shared"),
        ]
    );
}

#[test]
fn mockito_fills_fields_and_complains_of_answers_that_are_not_used() {
    let runs = run(&Jvm::new(&jdks()[0]), "mockito", &junit::class_path(), &["0"]);
    let starts: Vec<String> = runs[0]
        .iter()
        .map(|line| line.split('\t').take(3).collect::<Vec<_>>().join(" ").trim().to_owned())
        .collect();
    let unused = "ERROR org.mockito.exceptions.misusing.UnnecessaryStubbingException";
    let unsupported = "ERROR testhound.runtime.UnsupportedTestException";
    let expected = [
        format!("FourTest#unused {unused}"),
        "FourTest#used PASS".to_owned(),
        format!("MocksTest#unused {unused}"),
        "MocksTest#injected PASS".to_owned(),
        "MocksTest#toldNothing PASS".to_owned(),
        format!("OtherTest# {unsupported}"),
        format!("SpyTest# {unsupported}"),
    ];
    assert_eq!(starts, expected);
}

#[test]
fn a_project_that_is_a_test_library_is_loaded_anew_for_each_run_beside_its_tests() {
    for home in jdks() {
        let [project, tests] = [(); 2].map(|()| TempDir::new().expect("a temporary folder"));
        let sources = java("fixtures").join("marked");
        let folders = [&*sources, project.path(), tests.path()];
        let mut arguments = folders.map(|path| path.to_str().expect("UTF-8")).to_vec();
        let class_path = junit::class_path();
        arguments.push(&class_path);
        let printed = Jvm::new(&home).run("RunOwnLibrary", &arguments);
        let starts: Vec<_> = printed.lines().map(|line| line.split('\t').nth(1)).collect();
        assert_eq!(starts, [Some("PASS"); 2], "{printed} on {}", home.display());
    }
}
