use super::*;
use crate::testing::machine::Value;
use crate::testing::world::{World, class, jdk_class};

/// What is asked of an object of a class of the JDK with these methods, besides what `Object` has.
fn check(name: &str, methods: &[&str], expected: &[&str]) {
    let mut declared = jdk_class(name);
    for method in methods {
        declared = declared.method(method, |_, _| Ok(Value::Null));
    }
    let part = class("a/Part").method("getSize()I", |_, _| Ok(Value::int(1)));
    let world = World::of([declared, part]);
    let asker = Asker { classes: &world, package: "a", is_pure: &|_| false };
    let ty = Type::class(name);
    let asked: Vec<String> = (asker.views(&ty, Some(&ty)).iter())
        .map(|path| path.iter().map(|op| &*op.name).collect::<Vec<_>>().join("."))
        .collect();
    assert_eq!(asked, expected, "{name}");
}

const TEXT_OF_ITS_OWN: &str = "toString()Ljava/lang/String;";

#[test]
fn values_of_the_jdk_are_told_by_their_text_alone() {
    let methods = ["getCode()I", "getPart()La/Part;", "isOpaque()Z", TEXT_OF_ITS_OWN];
    for name in TOLD_BY_TEXT {
        check(name, &methods, &["toString"]);
    }
    check("java/time/LocalDate", &methods, &["toString"]);
}

#[test]
fn other_objects_of_the_jdk_are_asked_for_more_than_their_text() {
    let methods = ["getCode()I", "getPart()La/Part;", TEXT_OF_ITS_OWN];
    check("java/util/BitSet", &methods, &["getCode", "toString", "getPart.getSize"]);
    // Only what is in `java.time` itself is a value.
    check("java/time/format/DecimalStyle", &methods, &["getCode", "getPart.getSize"]);
}

#[test]
fn what_has_no_text_of_its_own_is_asked_as_ever() {
    check("java/util/Currency", &["getCode()I"], &["getCode"]);
}
