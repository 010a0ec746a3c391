//! Which types code asks for.

use analysis::asked_types;
use classfile::ClassFile;
use model::Type;

use crate::fixture::{compile, jdks};

fn check(file: &str, text: &str, class: &str, options: &[&str], tested: &[&str], cast: &[&str]) {
    for jdk in jdks() {
        if options.iter().any(|option| {
            option.parse::<u32>().is_ok_and(|release| release > u32::from(jdk.feature()))
        }) {
            continue;
        }
        let classes = compile(&jdk, options, file, text);
        let bytes = std::fs::read(classes.path().join(class)).unwrap();
        let asked = asked_types(&ClassFile::parse(&bytes).unwrap()).unwrap();
        let named = |types: &[Type]| types.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!((named(&asked.tested), named(&asked.cast)), (owned(tested), owned(cast)));
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(ToString::to_string).collect()
}

#[test]
fn types_that_are_tested_for_come_before_those_that_are_cast_to() {
    let text = include_str!("../fixtures/Asking.java");
    check(
        "Asking.java",
        text,
        "Asking.class",
        &[],
        &["java.util.Collection", "java.lang.String[]", "int[]", "java.util.Map"],
        &["java.util.List", "long[]"],
    );
    check("Asking.java", text, "Asking$Plain.class", &[], &[], &["java.lang.String"]);
}

#[test]
fn the_labels_of_a_switch_over_types_are_tested_for() {
    let text = "class Switching { int of(Object some) { return switch (some) { \
                case Integer number -> number; case CharSequence text -> 2; default -> 3; }; } }";
    let tested = ["java.lang.Integer", "java.lang.CharSequence"];
    check("Switching.java", text, "Switching.class", &["--release", "21"], &tested, &[]);
}
