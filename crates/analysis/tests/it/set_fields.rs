//! Which fields code sets at will.

use analysis::{SetTo, set_fields};
use classfile::ClassFile;

use crate::fixture::{compile, jdks};

#[test]
fn setters_are_told_from_caches_and_counters() {
    let text = include_str!("../fixtures/Setting.java");
    for jdk in jdks() {
        let folder = compile(&jdk, &[], "Setting.java", text);
        let class = |name: &str| {
            let bytes = std::fs::read(folder.path().join(format!("{name}.class"))).unwrap();
            ClassFile::parse(&bytes).unwrap()
        };
        let classes = [class("Elsewhere"), class("Setting")];
        let found = set_fields(&classes);
        let names = |to: SetTo| {
            let found = found.iter().filter(move |(_, is)| **is == to);
            found.map(|((_, name), _)| name.clone()).collect::<Vec<String>>()
        };
        assert_eq!(names(SetTo::Null), ["dropped"]);
        let set = names(SetTo::Anything);
        let declared = classes[1].fields.iter().map(|field| field.name(&classes[1].pool).unwrap());
        let mut expected: Vec<String> =
            declared.filter(|name| name.starts_with("set")).map(Into::into).collect();
        expected.sort();
        assert_eq!(set, expected);
        // Only what the classes given declare is told of.
        let alone = set_fields(&classes[..1]);
        assert!(alone.is_empty(), "{alone:?}");
    }
}
