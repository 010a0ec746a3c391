//! G3 to G9, G15, G19 and what goes beyond: what steers the search covers what plain random testing does not.

use crate::fixture::Fixture;
use crate::junit::assert_green;
use crate::run::{Generate, Generated};

/// All components, by the names of the command line.
const ALL: [&str; 10] = [
    "constants",
    "impurity",
    "elephant",
    "detective",
    "orienteering",
    "bloodhound",
    "frontier",
    "trail",
    "files",
    "mocks",
];

fn without(classes: &[&str], components: &[&str]) -> Generated {
    of("hard", classes, components)
}

fn of(fixture: &'static str, classes: &[&str], components: &[&str]) -> Generated {
    within(20_000, fixture, classes, components)
}

fn within(steps: u32, fixture: &'static str, classes: &[&str], components: &[&str]) -> Generated {
    let fixture = Fixture::shared(fixture);
    let mut generate = Generate::plain(&fixture.classes());
    for class in classes {
        generate = generate.with(["--class", class]);
    }
    for component in components {
        generate = generate.with(["--without", component]);
    }
    generate.with(["--steps", &steps.to_string(), "--json"]).run()
}

fn covered(generated: &Generated) -> (u64, u64) {
    let branches = &generated.said.json()["branches"];
    let number = |key: &str| branches[key].as_u64().expect("a number");
    (number("covered"), number("total"))
}

/// With the component nearly everything is covered, without it less.
fn check(class: &str, component: &str) {
    check_beside(class, component, &[]);
}

/// The same without others that would make up for it.
fn check_beside(class: &str, component: &str, others: &[&str]) {
    let (with, total) = covered(&without(&[class], others));
    let (less, _) = covered(&without(&[class], &[others, &[component]].concat()));
    assert!(with * 10 >= total * 9, "{with} of {total} with {component}");
    assert!(less < with, "{less} of {total} without {component}, {with} with it");
}

#[test]
fn what_is_made_of_a_text_gets_one_of_its_form() {
    let (with, total) = covered(&without(&["hard.Timetable$Ride"], &[]));
    assert!(total > 0 && with == total, "{with} of {total}");
}

#[test]
fn words_that_are_looked_up_take_constants() {
    check("hard.Codes", "constants");
}

#[test]
fn objects_of_a_hidden_type_take_the_elephant() {
    check("hard.Vault", "elephant");
}

#[test]
fn objects_that_must_be_changed_first_take_impurity() {
    check_beside("hard.Gate", "impurity", &["frontier"]);
}

#[test]
fn functions_and_what_nobody_implements_take_the_detective() {
    let with = of("detective", &[], &[]);
    let less = of("detective", &[], &["detective"]);
    let ((covered, total), (without, _)) = (covered(&with), covered(&less));
    assert!(covered * 100 >= total * 95, "{covered} of {total}");
    assert!(without * 3 < covered * 2, "{without} without the detective, {covered} with it");
    let text = with.sources();
    for expected in [
        "orders.first(x -> true)",
        "orders.fetch(() -> { throw new Exception(); })",
        "new Gauge() {",
        "new Report(\"Abc\") {",
        "protected String body(int",
        "boiler.warn(",
    ] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    assert!(!less.sources().contains("@Override"), "written without the detective");
    assert_green(&Fixture::shared("detective"), &with, &[]);
}

#[test]
fn papers_that_only_another_package_hands_out_take_the_detective() {
    let with = of("abroad", &["abroad.Traveller"], &[]);
    let ((all, total), (less, _)) =
        (covered(&with), covered(&of("abroad", &["abroad.Traveller"], &["detective"])));
    assert!(total > 0 && all == total, "{all} of {total} in\n{}", with.sources());
    assert_eq!(less, 0, "without the detective");
    let text = with.sources();
    for expected in ["Counter.issue(", "new Consul()", ".grant("] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    assert_green(&Fixture::shared("abroad"), &with, &[]);
}

#[test]
fn settings_that_inherited_code_looks_for_are_given_all_together() {
    let generated = of("options", &["options.Bisection"], &[]);
    assert_eq!(covered(&generated), (6, 6), "{}", generated.sources());
    assert_green(&Fixture::shared("options"), &generated, &[]);
}

#[test]
fn a_single_instance_known_by_its_interface_is_tested() {
    let generated = of("options", &["options.LastWord"], &[]);
    assert_eq!(covered(&generated), (2, 2), "{}", generated.sources());
    assert_green(&Fixture::shared("options"), &generated, &[]);
}

#[test]
fn formats_take_the_frontier() {
    check("hard.DateText", "frontier");
}

#[test]
fn fields_of_a_format_become_what_they_are_compared_with_whatever_the_seed() {
    let fixture = Fixture::shared("hard");
    for seed in ["2", "3", "4"] {
        let generate = Generate::plain(&fixture.classes()).with(["--class", "hard.DateText"]);
        let generated = generate.with(["--steps", "60000", "--seed", seed, "--json"]).run();
        let (covered, total) = covered(&generated);
        assert!(covered + 1 >= total, "{covered} of {total} with seed {seed}");
    }
}

#[test]
fn switches_over_enums_one_inside_the_other_take_the_frontier() {
    check("hard.Semaphore", "frontier");
}

#[test]
fn what_must_be_full_takes_the_frontier() {
    // Three things are to be filled before one of the branches.
    let covers = |less: &[&str]| covered(&within(400_000, "hard", &["hard.Stock"], less));
    let ((with, total), (less, _)) = (covers(&[]), covers(&["frontier"]));
    assert!(with * 10 >= total * 9, "{with} of {total}");
    assert!(less < with, "{less} of {total} without the frontier, {with} with it");
}

#[test]
fn what_is_looked_up_or_compared_by_calls_takes_the_frontier() {
    check("hard.Lookup", "frontier");
}

#[test]
fn conditions_one_inside_the_other_take_the_frontier() {
    check("hard.Conditions", "frontier");
}

#[test]
fn what_comes_in_is_filled_first() {
    let (covered, total) = covered(&without(&["hard.Depot"], &[]));
    assert!(total > 0 && covered == total, "{covered} of {total}");
}

#[test]
fn states_that_few_calls_lead_to_take_the_trail() {
    check("hard.Crowd", "trail");
}

#[test]
fn texts_that_the_jdk_reads_are_there_and_tests_show_them() {
    let all = without(&["hard.Formats"], &[]);
    let (covered, total) = covered(&all);
    assert!(covered * 100 >= total * 95, "{covered} of {total}");
    let text = all.sources();
    for expected in ["2024-02-29", "31.12.1999", "\"SATURDAY\"", "\"#123456\""] {
        assert!(text.contains(expected), "no {expected} in\n{text}");
    }
    assert_green(&Fixture::shared("hard"), &all, &[]);
}

#[test]
fn texts_that_the_jdk_reads_do_not_need_the_frontier() {
    let others = ["frontier", "impurity"];
    let (with, total) = covered(&without(&["hard.Formats"], &others));
    let (less, _) = covered(&without(&["hard.Formats"], &[&others[..], &["constants"]].concat()));
    assert!(with * 10 >= total * 7, "{with} of {total}");
    assert!(less * 2 < with, "{less} without constants, {with} with them");
}

#[test]
fn a_class_of_every_kind_is_an_argument() {
    let (covered, total) = covered(&without(&["hard.Kinds"], &[]));
    assert_eq!(covered, total);
}

#[test]
fn enum_constants_that_the_class_names_are_among_its_arguments() {
    let (covered, total) = covered(&without(&["hard.Tower"], &[]));
    assert_eq!(covered, total);
}

#[test]
fn hard_classes_are_covered_by_all_and_not_by_plain_random_testing() {
    let classes = ["hard.MagicNumbers", "hard.CheckDigits", "hard.Expression", "hard.Launcher"];
    let all = without(&classes, &[]);
    let (guided, total) = covered(&all);
    let (plain, _) = covered(&without(&classes, &ALL));
    assert!(guided >= 2 * plain, "{guided} and {plain} of {total}");
    assert_green(&Fixture::shared("hard"), &all, &[]);
}

#[test]
fn an_unknown_component_is_an_error_that_lists_them() {
    let said = without(&["hard.Codes"], &["nose"]).said;
    assert_eq!(said.code(), 2);
    for component in ALL {
        assert!(said.err.contains(component), "{}", said.err);
    }
}
