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
        // Both count the same, and JaCoCo measures all tests together, each of which may reach
        // other classes too.
        let mut branches = 0;
        for class in library["classes"].as_array().expect("classes") {
            for figure in ["branches", "lines", "instructions"] {
                let count = |who: &str, key: &str| {
                    class[who][figure][key].as_u64().unwrap_or_else(|| panic!("{figure}: {class}"))
                };
                assert_eq!(count("own", "total"), count("jacoco", "total"), "{figure}: {class}");
                let (own, jacoco) = (count("own", "covered"), count("jacoco", "covered"));
                assert!(own <= jacoco, "{figure}: {class}");
            }
            branches += class["own"]["branches"]["covered"].as_u64().unwrap_or(0);
        }
        assert!(branches > 0, "{library}");
    }

    let (again, said) = study(&SHORT, &out);
    assert_eq!(again, result, "finished libraries are not done again");
    assert_eq!(said.lines().filter(|line| line.ends_with("done before")).count(), 6, "{said}");
}
