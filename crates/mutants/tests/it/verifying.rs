//! HotSpot's verifier accepts every mutant.

use std::path::PathBuf;

use classfile::opcode::POP2;
use mutants::{Op, apply};

use crate::fixture::{class, patterns, source};
use crate::harness::java::{Classes, Message, run};
use crate::harness::verify::verify;
use crate::operators::of_method;

fn check(homes: &[PathBuf], coordinates: &str, classes: usize, mutants: usize) {
    for home in homes {
        let report = verify(home, &[testkit::library(coordinates)], &[], usize::MAX);
        assert!(report.wrong.is_empty(), "{}: {:#?}", home.display(), report.wrong);
        assert!(report.linked > classes && report.mutants > mutants, "{report:?}");
    }
}

#[test]
fn mutants_of_the_fixtures_verify_whatever_the_compiler_tells() {
    for home in testkit::jdk_homes() {
        for options in [&["-g"][..], &["-g:none"], &["-g:lines", "-XDstringConcat=inline"]] {
            let files = [source("Operators"), source("Artefacts")];
            let compiled = testkit::compile(&home, options, &files);
            let report = verify(&home, &[compiled.path().to_owned()], &[], usize::MAX);
            assert!(report.wrong.is_empty(), "{}: {:#?}", home.display(), report.wrong);
            assert!(report.mutants > 400, "{report:?}");
        }
        if let Some(compiled) = patterns(&home) {
            let report = verify(&home, &[compiled.path().to_owned()], &[], usize::MAX);
            assert!(report.wrong.is_empty(), "{}: {:#?}", home.display(), report.wrong);
            assert!(report.mutants > 40, "{report:?}");
        }
    }
}

#[test]
fn mutants_of_libraries_verify() {
    let homes = testkit::jdk_homes();
    // From before Java 6, without frames, and from today.
    check(&homes[..1], "commons-collections:commons-collections:3.2.2", 400, 20_000);
    check(&homes, "commons-cli:commons-cli:1.9.0", 30, 3_000);
}

#[test]
fn what_does_not_verify_is_found_out() {
    let plain = class("Operators");
    let mut mutant = of_method(plain, "sum", "MATH").remove(0);
    mutant.edits[0].with = vec![Op::Plain(POP2)];
    let mut message = Message::default();
    message.classes(&Classes::from([("Operators".to_owned(), plain.to_vec())]));
    message.class("Operators", plain);
    message.class("Operators", &apply(plain, &mutant).expect("it can be written"));
    let home = testkit::jdk_homes().swap_remove(0);
    let outcomes = run(&home, ("Verify", include_str!("harness/Verify.java")), &[], |out| {
        out.write_all(&message.0).expect("the JVM reads");
    });
    assert_eq!(outcomes.len(), 2);
    assert_eq!(outcomes[0], "linked");
    assert!(outcomes[1].starts_with("java.lang.VerifyError"), "{outcomes:?}");
}
