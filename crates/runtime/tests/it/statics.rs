//! What tests leave in static fields is told, and nothing else.

use std::collections::BTreeMap;

use tempfile::TempDir;

use crate::machine::{Jvm, folders, java, jdks};

/// What each test of the fixture says it leaves changed, by its name.
fn expected() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(java("fixtures").join("statics/StateTest.java"));
    let text = text.expect("the fixture");
    let (mut expected, mut left) = (BTreeMap::new(), None);
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("@Test") {
            left = Some(rest.trim_start_matches([' ', '/']).to_owned());
        } else if let Some(rest) = line.strip_prefix("void ") {
            let name = rest.split('(').next().expect("a name").to_owned();
            expected.insert(name, left.take().expect("an annotation before each test"));
        }
    }
    expected
}

#[test]
fn tests_leave_changed_what_they_say_in_both_orders() {
    let source = java("fixtures").join("statics");
    let settable = ["mode", "text", "options", "nothing"].map(|field| format!("State#{field}"));
    for home in jdks() {
        let output = TempDir::new().expect("a temporary folder");
        let standin = folders().standin();
        let paths = [&*source, output.path(), &*standin];
        let mut arguments: Vec<&str> = paths.map(|path| path.to_str().expect("UTF-8")).to_vec();
        arguments.push("StateTest");
        arguments.extend(settable.iter().map(String::as_str));
        arguments.push("State$Options#name");
        let printed = Jvm::new(&home).run("MeasureStatics", &arguments);
        let expected = expected();
        assert_eq!(printed.lines().count(), 2 * expected.len(), "{printed}");
        for line in printed.lines() {
            let (test, rest) = line.split_once(" PASS").unwrap_or_else(|| panic!("{line}"));
            let name = test.trim_start_matches("StateTest#");
            assert_eq!(rest.trim(), expected[name], "{line} on {}", home.display());
        }
    }
}

#[test]
fn a_list_that_a_thread_changes_is_not_known_to_have_lost_anything() {
    for home in jdks() {
        let printed = Jvm::new(&home).run("HoldingsUnderChange", &[]);
        assert_eq!(printed.trim(), "lost 0", "on {}", home.display());
    }
}

#[test]
fn containers_that_a_thread_changes_are_put_back_all_the_same() {
    for home in jdks() {
        let printed = Jvm::new(&home).run("ContentsUnderChange", &[]);
        assert_eq!(printed.trim(), "done", "on {}", home.display());
    }
}
