//! Bad input: one line that names the thing and what to do, the documented exit code, nothing
//! half-written.

use std::fs;
use std::path::Path;

use crate::fixture::{Fixture, files_below};
use crate::run::{Generate, Generated, forbid, say, testhound, without_privileges};

/// The input is refused with this code, in one line that has these parts.
fn check(generate: Generate, code: i32, parts: &[&str]) {
    let generated = generate.run();
    let said = &generated.said;
    assert_eq!(said.code(), code, "{}", said.err);
    assert_eq!(said.out, "");
    assert_eq!(said.err.lines().count(), 1, "one line is enough: {}", said.err);
    assert!(said.err.starts_with("testhound: "), "{}", said.err);
    for part in parts {
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    }
    assert!(generated.files.is_empty(), "{:?}", generated.files.keys());
    assert!(!generated.out().exists(), "the output folder was made");
}

#[test]
fn a_class_that_is_not_there_is_named_with_one_that_is() {
    let fixture = Fixture::shared("library");
    let parts = ["`org.example.Stack`", "not on the class path", "did you mean library.Stack?"];
    check(Generate::on(&fixture).with(["--class", "org.example.Stack"]), 2, &parts);
}

#[test]
fn a_package_that_is_not_there_is_named() {
    let fixture = Fixture::shared("library");
    let parts = ["`librari`", "did you mean library?"];
    check(Generate::on(&fixture).with(["--package", "librari"]), 2, &parts);
}

#[test]
fn names_that_fit_nothing_are_told_with_the_nearest_one() {
    let fixture = Fixture::shared("library");
    for (option, name, parts) in [
        ("--exclude", "Stack", ["--exclude `Stack` fits no class", "did you mean library.Stack?"]),
        ("--exclude", "librari.*", ["`librari.*`", "did you mean library.*?"]),
        ("--exclude", "*.internal.*", ["`*.internal.*`", "fits no class"]),
        ("--exclude", "org.example.Stak", ["fits no class", "did you mean library.Stack?"]),
        ("--exclude", "library.Outer.Inner", ["fits no", "did you mean library.Outer$Inner?"]),
        (
            "--expected-exception",
            "IllegalArgumentExcepton",
            [
                "--expected-exception `IllegalArg",
                "did you mean java.lang.IllegalArgumentException?",
            ],
        ),
        (
            "--failure-exception",
            "java.util.IllegalStateException",
            ["--failure-exception", "did you mean java.lang.IllegalStateException?"],
        ),
        ("--expected-exception", "library.Stack", ["`library.Stack`", "no exception"]),
        ("--invalid-exception", "library.Stack", ["--invalid-exception", "no exception"]),
        ("--class", "java.util.ArrayList", ["`java.util.ArrayList`", "class of the JDK"]),
    ] {
        check(Generate::on(&fixture).with([option, name]), 2, &parts);
    }
}

#[test]
fn a_class_of_a_dependency_is_told_from_one_that_is_not_there() {
    let (fixture, needed) = (Fixture::shared("library"), Fixture::shared("failing"));
    let dependencies = needed.classes();
    let generate = Generate::on(&fixture).with(["--class", "failing.Version"]);
    let generate = generate.with(["--dependencies".as_ref(), dependencies.as_os_str()]);
    check(generate, 2, &["`failing.Version`", "dependency", "--classpath"]);
}

#[test]
fn a_folder_of_jars_is_refused_with_what_names_them() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("a.jar"), "").expect("a file");
    let parts = ["holds jars but no classes", "/*` names its jars"];
    check(Generate::plain(folder.path()).with(["--steps", "10"]), 2, &parts);
    // With the star, the jar is looked into, and it is none.
    let star = folder.path().join("*");
    check(Generate::plain(&star).with(["--steps", "10"]), 2, &["a.jar: is empty"]);
}

#[test]
fn a_corrupt_jar_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jar = folder.path().join("corrupt.jar");
    fs::write(&jar, b"PK\x03\x04 and nothing else of a jar").expect("a file");
    let parts = ["corrupt.jar: is no jar, or a damaged one"];
    check(Generate::plain(&jar).with(["--steps", "10"]), 2, &parts);
}

#[test]
fn a_corrupt_jar_among_those_needed_is_named_as_well() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jar = folder.path().join("corrupt.jar");
    fs::write(&jar, b"PK\x03\x04 and nothing else of a jar").expect("a file");
    let fixture = Fixture::shared("library");
    for (option, part) in [
        ("--dependencies", "corrupt.jar: is no jar, or a damaged one"),
        ("--junit-jars", "corrupt.jar` is not a jar"),
        ("--test-dependencies", "corrupt.jar: is no jar, or a damaged one"),
    ] {
        let generate = Generate::on(&fixture).with([option.as_ref(), jar.as_os_str()]);
        check(generate, 2, &[part]);
    }
}

#[test]
fn no_calls_are_no_budget() {
    let fixture = Fixture::shared("library");
    let generate = Generate::plain(&fixture.classes());
    let said = generate.with(["--steps", "0"]).run().said;
    assert_eq!(said.code(), 2, "{}", said.err);
    assert!(said.err.contains("a number of calls, 1 or more, is needed"), "{}", said.err);
}

#[test]
fn a_class_path_entry_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let absent = folder.path().join("absent.jar");
    check(Generate::plain(&absent).with(["--steps", "10"]), 2, &["absent.jar", "does not exist"]);
}

#[test]
fn an_empty_class_path_is_told() {
    check(Generate::plain("".as_ref()).with(["--steps", "10"]), 2, &["class path is empty"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let parts = ["no classes on the class path"];
    check(Generate::plain(folder.path()).with(["--steps", "10"]), 2, &parts);
}

#[test]
fn a_jdk_that_is_none_is_named() {
    let fixture = Fixture::shared("library");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let home = folder.path().join("nonsense");
    let parts = ["nonsense"];
    check(Generate::on(&fixture).with(["--jdk".as_ref(), home.as_os_str()]), 3, &parts);
    // A folder that is there but has no JVM in it.
    let named = folder.path().display().to_string();
    let parts = [&*named, "is not a JDK"];
    check(Generate::on(&fixture).with(["--jdk".as_ref(), folder.path().as_os_str()]), 3, &parts);
}

#[test]
fn a_machine_without_a_jdk_is_told_what_to_do() {
    let fixture = Fixture::shared("library");
    let nothing = tempfile::tempdir().expect("a temporary folder");
    let mut generate = Generate::on(&fixture);
    generate.command.env_remove("JAVA_HOME");
    for variable in ["PATH", "HOME", "TESTHOUND_JDKS"] {
        generate = generate.env(variable, nothing.path());
    }
    check(generate, 3, &["no JDK 17 or later", "install one", "JAVA_HOME", "--jdk"]);
}

#[test]
fn a_machine_without_junit_is_told_what_to_do() {
    let fixture = Fixture::shared("library");
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let home = tempfile::tempdir().expect("a temporary folder");
    let mut generate = Generate::on(&fixture)
        .env("HOME", home.path())
        .env("PATH", home.path())
        .env("JAVA_HOME", jdk.home);
    for variable in ["XDG_CACHE_HOME", "MAVEN_HOME", "M2_HOME", "MAVEN_OPTS"] {
        generate.command.env_remove(variable);
    }
    check(generate, 3, &["JUnit 5", "--junit-jars"]);
    assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 0, "HOME is left alone");
}

#[test]
fn an_output_folder_that_is_a_file_is_named_and_left_alone() {
    let fixture = Fixture::shared("library");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("in-the-way");
    fs::write(&file, "a user's").expect("a file");
    let classes = fixture.classes();
    for out in [file.clone(), file.join("below")] {
        let mut command = testhound();
        command.arg("generate").arg("--classpath").arg(&classes).arg("--out").arg(&out);
        let said = say(command.args(["--steps", "10"]));
        assert_eq!(said.code(), 2, "{}", said.err);
        assert_eq!((&*said.out, said.err.lines().count()), ("", 1), "{}", said.err);
        assert!(said.err.contains("in-the-way` is a file") || said.err.contains("it is a file"));
        assert!(said.err.contains("output folder"), "{}", said.err);
        assert_eq!(fs::read_to_string(&file).expect("the file"), "a user's");
    }
}

#[test]
fn options_that_do_not_go_together_are_told() {
    let generated = Generate::on(&Fixture::shared("library")).with(["--time", "5"]).run();
    assert_eq!(generated.said.code(), 2);
    assert_eq!(generated.said.out, "");
    assert!(generated.said.err.contains("cannot be used with"));
    assert!(generated.files.is_empty());
}

#[test]
fn a_folder_without_a_pom_is_no_project() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = testhound();
    let said = say(command.arg("generate").arg("--project").arg(folder.path()));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert_eq!((&*said.out, said.err.lines().count()), ("", 1), "{}", said.err);
    assert!(said.err.contains("pom.xml"), "{}", said.err);
}

#[test]
fn a_gradle_build_that_was_not_built_is_told_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("build.gradle"), "plugins { id 'java' }").expect("a file");
    let mut command = testhound();
    let said = say(command.arg("generate").arg("--project").arg(folder.path()));
    assert_eq!(said.code(), 2, "{}", said.err);
    assert_eq!((&*said.out, said.err.lines().count()), ("", 1), "{}", said.err);
    assert!(said.err.contains("`./gradlew testClasses`"), "{}", said.err);
    assert!(said.err.contains("--dependencies"), "{}", said.err);
}

/// The class has no test for a reason that the user is told; that is no error.
fn check_untestable(generated: &Generated, class: &str, code: &str) {
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    assert_eq!(generated.said.err, "");
    assert!(generated.files.is_empty(), "{:?}", generated.files.keys());
    assert!(!generated.out().exists(), "the output folder was made");
    assert_eq!(generated.class(class)["tests"], 0);
    let reasons = generated.reasons(class, "");
    let [reason] = &reasons[..] else { panic!("one reason is enough: {reasons:?}") };
    assert!(reason.starts_with(&format!("{code}: ")), "{reason}");
}

#[test]
fn classes_that_no_test_can_use_are_told_and_are_no_error() {
    let fixture = Fixture::shared("untestable");
    let generated = Generate::on(&fixture).run();
    check_untestable(&generated, "untestable.OnlyPrivate", "no-accessible-member");
    check_untestable(&generated, "untestable.OnlyAbstract", "nothing-to-run");
    check_untestable(&generated, "untestable.InitializerThrows", "initializer-fails");
}

/// Damages the file of `library.Square`; whoever asks for it is told, the others get their tests.
fn check_damaged(damage: impl Fn(&mut Vec<u8>), reason: &str) {
    let fixture = Fixture::own("library");
    let file = fixture.class_file("library/Square");
    let mut bytes = fs::read(&file).expect("a class file");
    damage(&mut bytes);
    fs::write(&file, bytes).expect("a class file");
    let all = Generate::on(&fixture).run();
    assert_eq!(all.said.code(), 0, "{}", all.said.err);
    assert!(all.class("library.Stack")["tests"].as_u64() > Some(0), "the rest goes on");
    assert!(!all.files.contains_key("library/SquareTest.java"));
    let notes = all.class("library.Stack")["notes"].to_string();
    assert!(notes.contains("not analysed: library.Square: "), "{notes}");
    let warnings = all.said.json()["warnings"].to_string();
    assert!(warnings.contains("Square.class") && warnings.contains(reason), "{warnings}");
    let one = Generate::on(&fixture).with(["--class", "library.Square"]).run();
    check_untestable(&one, "library.Square", "unlinkable");
    let reasons = one.reasons("library.Square", "").concat();
    assert!(reasons.contains(reason), "{reasons}");
}

#[test]
fn a_class_of_a_newer_java_is_told_and_the_rest_goes_on() {
    let told =
        "class file version 99.0 (Java 55) is newer than 69 (Java 25): take a newer Testhound";
    check_damaged(|bytes| bytes[6..8].copy_from_slice(&[0, 99]), told);
}

#[test]
fn what_is_wrong_with_a_class_is_told_once() {
    let fixture = Fixture::own("library");
    let file = fixture.class_file("library/Square");
    let mut bytes = fs::read(&file).expect("a class file");
    bytes[6..8].copy_from_slice(&[0, 99]);
    fs::write(&file, bytes).expect("a class file");
    let generate = Generate::plain(&fixture.classes()).with(["--steps", "10"]);
    let said = generate.with(["--class", "library.Square"]).run().said;
    assert_eq!(said.code(), 0, "{}", said.err);
    assert_eq!(
        said.out.matches("Square.class: class file version 99.0").count(),
        1,
        "{}",
        said.out
    );
    assert_eq!(said.out.matches("take a newer Testhound").count(), 1, "{}", said.out);
}

#[test]
fn a_truncated_class_is_told_and_the_rest_goes_on() {
    check_damaged(|bytes| bytes.truncate(100), "end at byte 100");
}

#[test]
fn a_java_home_that_points_nowhere_is_told() {
    let fixture = Fixture::shared("library");
    let nowhere = "/no/such/jdk";
    let generate = Generate::on(&fixture).with(["--class", "library.Sums"]);
    let generated = generate.env("JAVA_HOME", nowhere).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let err = &generated.said.err;
    assert!(err.contains("warning: JAVA_HOME is `/no/such/jdk`"), "{err}");
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    let named = Generate::on(&fixture).with(["--class", "library.Sums", "--jdk"]).with([jdk.home]);
    let named = named.env("JAVA_HOME", nowhere).run();
    assert!(!named.said.err.contains("JAVA_HOME"), "it does not matter: {}", named.said.err);
}

#[test]
fn an_output_folder_that_cannot_be_written_is_refused_before_anything_is_run() {
    let fixture = Fixture::shared("library");
    let mut command = testhound();
    command.args(["generate", "--steps", "100", "--out", "/proc/nowhere", "--classpath"]);
    let said = say(command.arg(fixture.classes()));
    assert_eq!(said.code(), 4, "{}", said.err);
    assert_eq!(said.out, "");
    for part in ["the output folder `/proc/nowhere` cannot be written to", "--out"] {
        assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
    }
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
}

#[test]
fn a_folder_that_only_may_be_read_is_refused_before_anything_is_run() {
    let fixture = Fixture::shared("library");
    for (below, parts) in [
        ("", ["the output folder `", "cannot be written to (Permission denied", "--out"]),
        ("library", ["cannot write `", "library/", "may not be written to (Permission denied"]),
    ] {
        let out = tempfile::tempdir().expect("a temporary folder");
        let folder = out.path().join(below);
        fs::create_dir_all(&folder).expect("a folder");
        forbid(&folder);
        let mut command = testhound();
        command.args(["generate", "--steps", "100", "--classpath"]).arg(fixture.classes());
        command.arg("--out").arg(out.path());
        let said = say(&mut without_privileges(command));
        assert_eq!(said.code(), 4, "{}", said.err);
        assert_eq!((&*said.out, said.err.lines().count()), ("", 1), "{}", said.err);
        for part in parts {
            assert!(said.err.contains(part), "no `{part}` in: {}", said.err);
        }
        assert!(files_below(out.path()).is_empty());
    }
}

/// Refused because of something in the output folder, before anything is run.
fn check_in_the_way(put: impl FnOnce(&Path), expected: &str, more: &[&str]) {
    let fixture = Fixture::shared("library");
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(folder.path());
    let before = files_below(folder.path());
    let mut command = testhound();
    command.args(["generate", "--steps", "100", "--json", "--classpath"]);
    command.arg(fixture.classes()).arg("--out").arg(folder.path()).args(more);
    let said = say(&mut command);
    assert_eq!(said.code(), 4, "{}", said.err);
    assert_eq!(said.out, "");
    assert!(said.err.contains(expected), "no `{expected}` in: {}", said.err);
    assert_eq!(files_below(folder.path()), before);
}

#[test]
fn what_is_in_the_way_of_a_test_file_is_found_before_anything_is_run() {
    let file = |folder: &Path| fs::write(folder.join("library"), "mine").expect("a file");
    check_in_the_way(file, "library` is no folder", &[]);
    let link = |folder: &Path| {
        std::os::unix::fs::symlink("nowhere", folder.join("library")).expect("a link");
    };
    check_in_the_way(link, "library` is no folder", &[]);
    let inside = |folder: &Path| {
        fs::create_dir_all(folder.join("library/SumsTest.java")).expect("a folder");
    };
    check_in_the_way(inside, "SumsTest.java` is a folder", &["--force"]);
}

#[test]
fn a_result_that_nobody_gets_is_no_success() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a device of Linux");
    let mut command = testhound();
    command.args(["doctor", "--json"]).stdout(full).stderr(std::process::Stdio::piped());
    let output = command.spawn().and_then(|child| child.wait_with_output()).expect("it runs");
    assert_eq!(output.status.code(), Some(4));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("cannot write to standard output"), "{err}");
}
