//! The demo project: it compiles, and its README tells the truth.

use std::fs;
use std::process::Command;

use tempfile::TempDir;

use crate::jdk;
use crate::test_runner;

#[test]
fn demo_is_as_its_readme_says() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut sources = Vec::new();
    for (path, contents) in runtime::demo_files() {
        let file = folder.path().join(path);
        fs::create_dir_all(file.parent().expect("below the folder")).expect("a folder");
        fs::write(&file, contents).expect("a file of the demo");
        if path.ends_with(".java") {
            sources.push(file);
        }
    }
    let classes = folder.path().join("classes");
    let output = Command::new(jdk::javac().expect("a JDK"))
        .args(["--release", "17", "-Xlint:all", "-Werror", "-d"])
        .arg(&classes)
        .args(&sources)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let class_path = std::env::join_paths([crate::machine::folders().standin(), classes]);
    let class_path = class_path.expect("no path separator").into_string().expect("UTF-8");
    test_runner::check("demo", &class_path, |jvm| jvm);
}

#[test]
fn demo_has_a_build_file_and_only_sources_of_its_own() {
    let paths: Vec<&str> = runtime::demo_files().iter().map(|(path, _)| *path).collect();
    assert_eq!(paths[..2], ["pom.xml", "README.md"]);
    assert!(paths.len() >= 8, "{paths:?}");
    for path in &paths[2..] {
        assert!(path.starts_with("src/main/java/org/example/shop/"), "{path}");
    }
}
