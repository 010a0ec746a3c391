//! The library study in its short form: what is emitted for real libraries is green in a plain
//! Surefire run and leaves nothing behind.

use crate::study;

const SHORT: [&str; 5] = ["libraries", "--classes", "3", "--time-per-class", "1"];

#[test]
fn suites_for_six_libraries_are_green_under_maven_and_leave_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("study");
    let (result, _) = study(&SHORT, &out);
    let totals = &result["totals"];
    let number = |key: &str| totals[key].as_u64().unwrap_or_else(|| panic!("no {key}: {totals}"));
    assert_eq!(number("classes"), 18);
    assert!(number("with_tests") >= 15, "{totals}");
    assert!(number("tests") >= 60, "{totals}");
    assert_eq!(number("green"), number("tests"));
    assert_eq!((number("red"), number("not_run"), number("left_behind")), (0, 0, 0));
    for library in result["libraries"].as_array().expect("libraries") {
        // Both measure the same classes and the same tests; filters and exceptions aside.
        let share = |who: &str| {
            let branches = &library[who]["branches"];
            let [covered, total] = ["covered", "total"].map(|key| branches[key].as_f64());
            covered.expect("covered") / total.expect("total")
        };
        let (own, jacoco) = (share("own"), share("jacoco"));
        assert!(own > 0.2 && (own - jacoco).abs() < 0.1, "{own} {jacoco} {library}");
    }

    let (again, said) = study(&SHORT, &out);
    assert_eq!(again, result, "finished libraries are not done again");
    assert_eq!(said.lines().filter(|line| line.ends_with("done before")).count(), 6, "{said}");
}
