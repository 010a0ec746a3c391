//! The compiler: all or nothing, and every error at its file.

use std::path::Path;

use tempfile::TempDir;

use crate::junit;
use crate::machine::{Jvm, jdks};

const GOOD: &str = "a/Good.java=package a; public class Good { Runnable r = () -> {}; }";

/// Compiles on every JDK; what is printed are errors, then the class files in the output folder.
fn check(class_path: &str, release: &str, files: &[&str], expected: &str) {
    for home in jdks() {
        assert_eq!(compile(&home, class_path, release, files), expected, "{}", home.display());
    }
}

fn compile(home: &Path, class_path: &str, release: &str, files: &[&str]) -> String {
    let output = TempDir::new().expect("a temporary folder");
    let mut arguments = vec![class_path, output.path().to_str().expect("UTF-8"), release];
    arguments.extend(files);
    Jvm::new(home).run("Compile", &arguments)
}

#[test]
fn good_files_become_classes() {
    check(
        "",
        "",
        &[GOOD, "B.java=class B { a.Good good; class C {} }"],
        "B$C.class\nB.class\na/Good.class\n",
    );
}

#[test]
fn errors_name_their_file_and_good_files_have_none() {
    check(
        "",
        "",
        &[
            "Type.java=class Type {\n  int x = \"text\";\n}",
            GOOD,
            "Parse.java=class Parse {\n  void m( {\n}",
            "Flow.java=class Flow { int m() { } }",
        ],
        "Parse.java:2:11:ERROR:illegal start of type\n\
         Parse.java:3:2:ERROR:reached end of file while parsing\n\
         Type.java:2:11:ERROR:incompatible types: java.lang.String cannot be converted to int\n\
         Flow.java:1:24:ERROR:missing return statement\n",
    );
}

#[test]
fn public_class_must_match_its_file() {
    check(
        "",
        "",
        &["a/Wrong.java=package a;\npublic class Good { }"],
        "a/Wrong.java:2:8:ERROR:class Good is public, should be declared in a file named Good.java\n",
    );
}

#[test]
fn warnings_are_no_errors() {
    check(
        "",
        "",
        &[
            "W.java=class W { @Deprecated void d() {} java.util.List raw = new java.util.ArrayList(); }",
        ],
        "W.class\n",
    );
}

#[test]
fn release_decides_which_language_and_library_there_is() {
    check(
        "",
        "8",
        &["L.java=class L { Object o = new java.util.ArrayList<String>() {}; }"],
        "L$1.class\nL.class\n",
    );
    check(
        "",
        "8",
        &["L.java=class L { Object o = java.util.List.of(); }"],
        "L.java:1:36:ERROR:cannot find symbol\\n  symbol:   method of()\\n  location: interface java.util.List\n",
    );
}

#[test]
fn unknown_release_is_an_error_of_no_file() {
    for home in jdks() {
        let printed = compile(&home, "", "3", &[GOOD]);
        assert!(printed.starts_with(":0:0:ERROR:"), "{printed}");
        assert!(printed.contains("release version 3 not supported"), "{printed}");
    }
}

#[test]
fn class_path_is_seen() {
    let test = "T.java=class T { @org.junit.jupiter.api.Test void t() { } }";
    check(&junit::class_path(), "", &[test], "T.class\n");
    check("", "", &[test], "T.java:1:33:ERROR:package org.junit.jupiter.api does not exist\n");
}

#[test]
fn deeply_nested_expressions_compile() {
    let sum = vec!["x"; 5_000].join("+");
    check(
        "",
        "",
        &[&format!("D.java=class D {{ int m(int x) {{ return {sum}; }} }}")],
        "D.class\n",
    );
}

#[test]
fn names_need_not_be_ascii() {
    check(
        "",
        "",
        &["Größe.java=class Größe { String s = \"→ü😀\"; int x = 1 }"],
        "Größe.java:1:43:ERROR:';' expected\n",
    );
}
