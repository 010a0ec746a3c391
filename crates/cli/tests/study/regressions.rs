//! The study of regressions on one pair of releases, whose bug shows on an empty object.

use crate::study;

#[test]
fn a_suite_of_the_fixed_release_fails_on_the_release_with_the_bug() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("study");
    let arguments = ["regressions", "--pair", "TEXT-236", "--time-per-class", "3"];
    let (result, _) = study(&arguments, &out);
    let pair = &result["pairs"][0];
    assert_eq!((&result["judged"], &result["detected"]), (&1.into(), &1.into()), "{pair}");
    assert_eq!(pair["green_on_fixed"], pair["tests"]);
    assert_eq!((&pair["rejected"], &pair["role"]), (&serde_json::Value::Null, &"tuning".into()));
    let red = pair["red_on_buggy"].as_array().expect("a list");
    let by_the_bug = red.iter().filter(|test| {
        let part = |key: &str| test[key].as_str().unwrap_or_default();
        part("name").contains("insert") && part("message").contains("out of range")
    });
    assert!(by_the_bug.count() > 0, "{pair}");

    let (again, said) = study(&arguments, &out);
    assert_eq!(again, result, "a finished pair is not done again");
    assert!(said.contains("0 pairs to do") && said.contains("1 done before"), "{said}");
}
