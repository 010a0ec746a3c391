//! Which methods call which.

use analysis::{call_sites, calls};
use classfile::ClassFile;

use crate::fixture::{compile, jdks};

#[test]
fn calls_of_all_kinds_and_bodies_of_lambdas_are_found_once_each() {
    let text = include_str!("../fixtures/Calling.java");
    for jdk in jdks() {
        let classes = compile(&jdk, &[], "Calling.java", text);
        let bytes = std::fs::read(classes.path().join("Calling.class")).unwrap();
        let all = calls(&ClassFile::parse(&bytes).unwrap()).unwrap();
        let called_by = |name: &str| -> Vec<String> {
            let (_, called) = all.iter().find(|((_, known, _), _)| known == name).unwrap();
            let names = called.iter().map(|(_, name, _)| name.clone());
            names.filter(|name| name != "<init>" && name != "valueOf").collect()
        };
        assert_eq!(called_by("twice"), ["hidden", "helper"]);
        assert_eq!(called_by("helper"), ["length"]);
        let lambda_of = |name: &str| -> Vec<String> {
            let lambdas = called_by(name);
            assert!(lambdas.iter().all(|name| name.starts_with("lambda$")), "{lambdas:?}");
            lambdas.iter().flat_map(|lambda| called_by(lambda)).collect()
        };
        assert_eq!(lambda_of("lazily"), ["helper"]);
        assert_eq!(lambda_of("<init>"), ["hidden"]);
    }
}

#[test]
fn call_sites_tell_what_results_are_cast_to_and_references_count() {
    let text = include_str!("../fixtures/Calling.java");
    for jdk in jdks() {
        let classes = compile(&jdk, &[], "Calling.java", text);
        let bytes = std::fs::read(classes.path().join("Calling.class")).unwrap();
        let sites = call_sites(&ClassFile::parse(&bytes).unwrap()).unwrap();
        let casts_of = |owner: &str, name: &str| -> Vec<Option<&str>> {
            let of = sites.iter().filter(|((o, n, _), _)| o == owner && n == name);
            of.map(|(_, cast)| cast.as_deref()).collect()
        };
        assert_eq!(casts_of("java/util/List", "get"), [Some("java/lang/String")]);
        assert_eq!(casts_of("java/util/Iterator", "next"), [None]);
        assert_eq!(casts_of("java/util/Iterator", "hasNext"), [None], "by reference");
        assert_eq!(casts_of("Calling", "hidden"), [None], "called twice");
    }
}
