//! Real Maven on small projects.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use tempfile::TempDir;
use toolchain::{
    JUnitKind, JUnitSources, Maven, MavenBuild, Scope, ToolchainError, junit_jars, select,
};

/// Maven runs that download the same file at once get in each other's way.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

const JUPITER: &str = "<dependency><groupId>org.junit.jupiter</groupId>
    <artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency>";
const JUNIT_4: &str = "<dependency><groupId>junit</groupId>
    <artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency>";
const LANG: &str = "<dependency><groupId>org.apache.commons</groupId>
    <artifactId>commons-lang3</artifactId><version>3.14.0</version><optional>true</optional>
    </dependency>";

fn surefire(version: &str) -> String {
    format!(
        "<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
         <version>{version}</version></plugin></plugins></build>"
    )
}

fn pom(artifact: &str, rest: &str) -> String {
    format!(
        "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><modelVersion>4.0.0</modelVersion>
         <groupId>org.example</groupId><artifactId>{artifact}</artifactId><version>1</version>
         <properties><maven.compiler.source>11</maven.compiler.source>
         <maven.compiler.target>11</maven.compiler.target>
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
         {rest}</project>"
    )
}

fn dependencies(dependencies: &[&str]) -> String {
    format!("<dependencies>{}</dependencies>", dependencies.concat())
}

/// A directory with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, text) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("in the directory")).expect("a directory");
        fs::write(path, text).expect("a file");
    }
    directory
}

fn read(directory: &Path) -> Result<MavenBuild, ToolchainError> {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let jdk = select(None, 17).expect("tests need a JDK");
    let maven = Maven::find(Some(directory)).expect("tests need Maven").on(&jdk);
    MavenBuild::read(&maven, directory)
}

const CLASS: &str = "package p; public class A { public int one() { return 1; } }";

#[test]
fn a_project_is_compiled_and_described_in_full() {
    let rest = dependencies(&[JUPITER, LANG]) + &surefire("3.2.5");
    let test =
        "package p; class ATest { @org.junit.jupiter.api.Test void one() { new A().one(); } }";
    let directory = project(&[
        ("pom.xml", &pom("single", &rest)),
        ("src/main/java/p/A.java", CLASS),
        ("src/test/java/p/ATest.java", test),
    ]);
    let build = read(directory.path()).expect("a good project");
    let root = directory.path().canonicalize().expect("it exists");
    let project = build.project("single").expect("the only one");
    assert_eq!(project.directory, root);
    assert_eq!(project.release, 11);
    assert!(project.output_directory.join("p/A.class").is_file());
    assert!(project.test_output_directory.join("p/ATest.class").is_file());
    assert_eq!(project.test_source_directory, root.join("src/test/java"));
    let junit = project.junit().expect("Jupiter");
    assert_eq!((junit.kind, junit.version.as_str()), (JUnitKind::Jupiter, "5.11.4"));

    let runtime = project.runtime_class_path();
    assert_eq!(runtime[0], project.output_directory);
    assert!(runtime[1].ends_with("commons-lang3-3.14.0.jar"), "{runtime:?}");
    assert_eq!(runtime.len(), 2);
    let test = project.test_class_path();
    assert_eq!(test[..2], [project.test_output_directory.clone(), runtime[0].clone()]);
    assert!(test.contains(&runtime[1]) && test.len() > 6, "{test:?}");
    assert!(test.iter().all(|part| part.exists()), "{test:?}");

    let made: Vec<_> = fs::read_dir(&root)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name != "pom.xml" && name != "src" && name != "target")
        .collect();
    assert!(made.is_empty(), "left behind: {made:?}");
}

#[test]
fn a_project_with_junit_4_says_so() {
    let directory = project(&[
        ("pom.xml", &pom("four", &dependencies(&[JUNIT_4]))),
        ("src/main/java/p/A.java", CLASS),
    ]);
    let build = read(directory.path()).expect("a good project");
    let junit = build.projects[0].junit().expect("JUnit 4");
    assert_eq!((junit.kind, junit.version.as_str()), (JUnitKind::JUnit4, "4.13.2"));
}

#[test]
fn a_project_without_a_junit_that_runs_is_told_what_to_add() {
    let parent = "<packaging>pom</packaging>
        <modules><module>bare</module><module>old</module></modules>";
    let old = dependencies(&[JUPITER]) + &surefire("2.12.4");
    let files = [
        ("pom.xml", &*pom("parent", parent)),
        ("bare/pom.xml", &pom("bare", "")),
        ("bare/src/main/java/p/A.java", CLASS),
        ("old/pom.xml", &pom("old", &old)),
        ("old/src/main/java/p/A.java", CLASS),
    ];
    let directory = project(&files);
    let build = read(directory.path()).expect("a good build");
    let check = |project: &str, expected: &str| {
        let project = build.project(project).expect("a module");
        let error = project.junit().expect_err("no JUnit that runs").to_string();
        assert!(error.contains(expected), "{error}");
    };
    check("bare", "<artifactId>junit-jupiter</artifactId>");
    check("old", "has JUnit 5.11.4 but Surefire 2.12.4, which does not run it");
    for (name, text) in files {
        let after = fs::read_to_string(directory.path().join(name)).expect("it is still there");
        assert_eq!(after, text, "{name} is never edited");
    }
}

#[test]
fn each_module_with_classes_is_a_project() {
    let parent = "<packaging>pom</packaging>
        <modules><module>base</module><module>upper/top</module><module>empty</module></modules>";
    let base = "<dependency><groupId>org.example</groupId><artifactId>base</artifactId>
        <version>1</version></dependency>";
    let user = "package q; public class B { int two() { return new p.A().one() + 1; } }";
    let directory = project(&[
        ("pom.xml", &pom("parent", parent)),
        ("base/pom.xml", &pom("base", &dependencies(&[JUNIT_4]))),
        ("base/src/main/java/p/A.java", CLASS),
        ("upper/top/pom.xml", &pom("top", &dependencies(&[base, JUNIT_4]))),
        ("upper/top/src/main/java/q/B.java", user),
        ("empty/pom.xml", &pom("empty", "")),
    ]);
    let build = read(directory.path()).expect("a good build");
    let names: Vec<&str> = build.projects.iter().map(|p| p.artifact.as_str()).collect();
    assert_eq!(names, ["base", "top"]);
    let [base, top] = [&build.projects[0], &build.projects[1]];
    assert_eq!(build.project("upper/top").expect("by directory"), top);
    let dependency = &top.dependencies[0];
    assert_eq!((dependency.scope, &dependency.file), (Scope::Compile, &base.output_directory));
    assert_eq!(top.runtime_class_path()[1], base.output_directory);
    let error = build.project("bottom").expect_err("no such module").to_string();
    assert_eq!(error, "no module `bottom` in the build; it has: base, top");
}

#[test]
fn errors_are_in_the_words_of_maven() {
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let directory = project(files);
        let error = read(directory.path()).expect_err("a broken project").to_string();
        expected.iter().for_each(|part| assert!(error.contains(part), "{error}"));
        assert!(!error.contains("[Help 1]") && !error.contains("-X switch"), "{error}");
    };
    check(
        &[("pom.xml", "<project><modelVersion>")],
        &["Non-readable POM", "pom.xml: no more data"],
    );
    let broken = ("src/main/java/p/A.java", "package p; class A { int x = ; }");
    check(&[("pom.xml", &pom("broken", "")), broken], &["A.java:[1,30]", "illegal start"]);
    check(&[("README", "")], &["has no pom.xml"]);
    check(&[("pom.xml", &pom("none", ""))], &["has no module with compiled classes"]);
}

#[test]
fn jars_of_junit_are_found_without_a_project_and_pass_as_given() {
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for (kind, first, count) in
        [(JUnitKind::JUnit4, "junit-4.", 2), (JUnitKind::Jupiter, "junit-jupiter-api-5.", 4)]
    {
        let jars = junit_jars(kind, JUnitSources::default()).expect("found or downloaded");
        let name = jars[0].file_name().expect("a file").to_string_lossy();
        assert!(name.starts_with(first) && jars.len() == count, "{jars:?}");
        // Named by the user, or on a class path, they are opened and found complete.
        let given = JUnitSources { given: &jars, class_path: &[] };
        assert_eq!(junit_jars(kind, given).expect("complete"), jars);
        let on_class_path = JUnitSources { given: &[], class_path: &jars };
        let mut found = junit_jars(kind, on_class_path).expect("complete");
        let mut expected = jars.clone();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}
