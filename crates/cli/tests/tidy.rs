//! The rules of the repository that no compiler checks: see `CONTRIBUTING.md`.
//!
//! Each check also asserts that it found something to check, so that none passes because the text
//! it looks for is spelled differently now.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Past this, a file has more than one concept.
const MAX_LINES: usize = 600;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file of the repository, by its path from the root; build output is none of it.
fn files() -> Vec<String> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("a folder of the repository") {
            let path = entry.expect("an entry of it").path();
            let name = path.file_name().and_then(|n| n.to_str()).expect("a plain name").to_owned();
            if path.is_dir() {
                if name == ".ci" || !(name.starts_with('.') || name == "target") {
                    walk(&path, root, found);
                }
            } else if name != ".git" {
                let relative = path.strip_prefix(root).expect("below the root");
                found.push(relative.to_str().expect("a plain path").to_owned());
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), &root(), &mut found);
    found.sort();
    assert!(found.len() > 300, "only {} files found", found.len());
    found
}

fn rust_files() -> impl Iterator<Item = String> {
    files().into_iter().filter(|path| path.ends_with(".rs"))
}

/// The code of a Rust file: lines with their numbers, comments cut off.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).map(|(number, line)| (number, line.split("//").next().unwrap_or("")))
}

fn check(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// The texts between backticks of a Markdown file, code blocks left out.
fn quoted(markdown: &str) -> Vec<&str> {
    let prose = markdown.split("\n```").step_by(2);
    prose.flat_map(|part| part.split('`').skip(1).step_by(2)).collect()
}

/// Targets of links to files of the repository.
fn linked(markdown: &str) -> impl Iterator<Item = &str> {
    markdown
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://"))
}

#[test]
fn documents_name_files_that_exist() {
    let tops = ["crates/", "runtime/", "demo/", "docs/", ".ci/"];
    let mut named = 0;
    let mut missing = Vec::new();
    for document in files().into_iter().filter(|path| path.ends_with(".md")) {
        let text = read(&document);
        let folder = root().join(&document).parent().expect("a file has a folder").to_owned();
        for path in quoted(&text) {
            let is_path =
                tops.iter().any(|top| path.starts_with(top)) && !path.contains([' ', '*']);
            if is_path {
                named += 1;
                if !root().join(path).exists() {
                    missing.push(format!("{document} names {path}"));
                }
            }
        }
        for target in linked(&text) {
            named += 1;
            if !folder.join(target).exists() {
                missing.push(format!("{document} links to {target}"));
            }
        }
    }
    check(missing);
    assert!(named > 60, "only {named} paths found in the documents");
}

#[test]
fn the_code_map_lists_every_crate() {
    let text = read("ARCHITECTURE.md");
    let crates: BTreeSet<String> = files()
        .iter()
        .filter_map(|path| path.strip_prefix("crates/")?.split_once('/').map(|(name, _)| name))
        .map(str::to_owned)
        .collect();
    assert!(crates.len() >= 12, "{crates:?}");
    check(
        crates
            .iter()
            .filter(|name| !text.contains(&format!("`crates/{name}`")))
            .map(|name| format!("ARCHITECTURE.md does not mention `crates/{name}`"))
            .collect(),
    );
}

#[test]
fn every_file_is_text() {
    check(
        files()
            .iter()
            .filter(|path| {
                let bytes = fs::read(root().join(path)).expect("a file that was just listed");
                std::str::from_utf8(&bytes).map_or(true, |text| text.contains('\0'))
            })
            .map(|path| format!("{path} is no text"))
            .collect(),
    );
}

#[test]
fn no_rust_file_is_long() {
    check(
        rust_files()
            .map(|path| (read(&path).lines().count(), path))
            .filter(|(lines, _)| *lines > MAX_LINES)
            .map(|(lines, path)| format!("{path} has {lines} lines, {MAX_LINES} are allowed"))
            .collect(),
    );
}

#[test]
fn unsafe_code_is_in_crate_jvm_only() {
    let word = "unsafe";
    let forms = ["{", "fn ", "impl ", "extern ", "trait "];
    let is_unsafe = |line: &str| {
        line.contains(&format!("{word}(")) // an attribute
            || line.contains(&format!("{word}_code"))
            || forms.iter().any(|form| line.contains(&format!("{word} {form}")))
    };
    let mut problems = Vec::new();
    let mut in_jvm = 0;
    for path in rust_files() {
        let text = read(&path);
        for (number, line) in code_lines(&text).filter(|(_, line)| is_unsafe(line)) {
            if path.starts_with("crates/jvm/") {
                in_jvm += 1;
            } else if !path.ends_with("tests/tidy.rs") {
                problems.push(format!("{path}:{number}: {}", line.trim()));
            }
        }
    }
    check(problems);
    assert!(in_jvm > 20, "only {in_jvm} places found in crate jvm");
}

#[test]
fn only_the_console_prints() {
    let macros = ["print", "println", "eprint", "eprintln", "dbg"].map(|name| format!("{name}!("));
    let prints = |line: &str| macros.iter().any(|name| line.contains(name.as_str()));
    let console = "crates/cli/src/console.rs";
    let mut problems = Vec::new();
    for path in rust_files().filter(|path| path.contains("/src/") && path != console) {
        let text = read(&path);
        for (number, line) in code_lines(&text).filter(|(_, line)| prints(line)) {
            problems.push(format!("{path}:{number}: {}", line.trim()));
        }
    }
    check(problems);
    assert!(read(console).lines().any(prints), "{console} is where printing is done");
}

#[test]
fn no_file_names_a_place_on_somebodys_machine() {
    let places = ["home", "root", "work", "Users"].map(|folder| format!("/{folder}/"));
    let mut problems = Vec::new();
    for path in files() {
        for (number, line) in (1..).zip(read(&path).lines()) {
            let starts_there = |place: &String| {
                line.match_indices(place.as_str()).any(|(at, _)| {
                    // `a/home/b` is a relative path, `$HOME/x` and `{scratch}/home/` are none.
                    let before = line[..at].chars().next_back();
                    before.is_none_or(|c| !c.is_alphanumeric() && !"}$_.-)/*".contains(c))
                })
            };
            // The folder JDKs are in may be named, one of them may not.
            let jdk = line.split("/usr/lib/jvm/").nth(1).and_then(|rest| rest.chars().next());
            if places.iter().any(starts_there) || jdk.is_some_and(|c| c.is_ascii_alphanumeric()) {
                problems.push(format!("{path}:{number}: {}", line.trim()));
            }
        }
    }
    check(problems);
}

#[test]
fn every_crate_but_jvm_takes_the_lints_of_the_workspace() {
    let manifests: Vec<String> = files()
        .into_iter()
        .filter(|path| path.starts_with("crates/") && path.ends_with("/Cargo.toml"))
        .collect();
    assert!(manifests.len() >= 12, "{manifests:?}");
    for path in manifests {
        let inherits = read(&path).contains("[lints]\nworkspace = true");
        assert_eq!(inherits, path != "crates/jvm/Cargo.toml", "{path}");
    }
    // The one exception denies all the same, but for what it is there for.
    assert!(read("crates/jvm/Cargo.toml").contains("undocumented_unsafe_blocks"));
}

/// Fails for those of `terms` that a document does not have between backticks.
fn check_documented(document: &str, terms: &[String], at_least: usize) {
    assert!(terms.len() >= at_least, "only {terms:?} found");
    let text = read(document);
    let quoted = quoted(&text);
    check(
        terms
            .iter()
            .filter(|term| !quoted.contains(&term.as_str()))
            .map(|term| format!("{document} says nothing of `{term}`"))
            .collect(),
    );
}

#[test]
fn the_manual_explains_every_reason() {
    let source = read("crates/search/src/reasons.rs");
    let codes: Vec<String> = source
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Self::")?.split_once(" => \""))
        .filter_map(|(_, code)| code.strip_suffix("\","))
        .map(str::to_owned)
        .collect();
    check_documented("docs/manual.md", &codes, 13);
}

#[test]
fn the_manual_lists_every_exit_code() {
    let source = read("crates/cli/src/exit.rs");
    let (_, body) = source.split_once("enum Exit {").expect("the exit codes");
    let (body, _) = body.split_once('}').expect("their end");
    let codes: Vec<String> = body
        .lines()
        .filter_map(|line| line.split_once(" = ").map(|(_, code)| code))
        .map(|code| code.trim_end_matches(',').to_owned())
        .collect();
    check_documented("docs/manual.md", &codes, 7);
}

#[test]
fn the_manual_explains_every_key_of_the_report() {
    let report = read("crates/cli/src/report.rs");
    // What is not written has no key.
    let report = report.replace("    #[serde(skip)]\n    pub(crate) ", "    ");
    let dropped = read("crates/worker/src/dropped.rs");
    let (_, dropped) = dropped.split_once("pub struct Dropped {").expect("what is counted");
    let (dropped, _) = dropped.split_once("\n}").expect("its end");
    let keys: Vec<String> = report
        .lines()
        .filter_map(|line| line.strip_prefix("    pub(crate) "))
        .chain(dropped.lines().filter_map(|line| line.strip_prefix("    pub ")))
        .filter(|line| !line.starts_with("fn "))
        .filter_map(|line| line.split_once(": ").map(|(key, _)| key.to_owned()))
        .collect();
    check_documented("docs/manual.md", &keys, 25);
}

#[test]
fn the_manual_describes_the_environments_tests_are_checked_in() {
    let source = read("crates/worker/src/environment.rs");
    let (_, environments) = source.split_once("fn jvm_arguments(").expect("the environments");
    let (environments, _) = environments.split_once("\n    }\n").expect("their end");
    let options = ["-Duser.timezone=", "-Duser.language=", "-Duser.country=", "-Dfile.encoding="];
    let values: Vec<String> = environments
        .lines()
        .filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","))
        .filter_map(|arg| options.iter().chain(&["-Xmx"]).find_map(|o| arg.strip_prefix(o)))
        .filter(|value| !value.is_empty())
        .map(str::to_owned)
        .collect();
    check_documented("docs/manual.md", &values, 9);
}

#[test]
fn the_manual_lists_every_effect() {
    let text = read("docs/manual.md");
    for kind in model::EffectKind::ALL {
        assert!(text.contains(kind.describe()), "`{}` is missing", kind.describe());
    }
}

#[test]
fn the_manual_explains_every_option() {
    let commands = [
        &["generate"][..],
        &["canon"],
        &["check"],
        &["mutate"],
        &["demo"],
        &["doctor"],
        &["study", "libraries"],
        &["study", "guided"],
        &["study", "regressions"],
        &["study", "jet"],
        &["confined"],
    ];
    for command in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_testhound"))
            .args(command)
            .arg("--help")
            .output()
            .expect("the program runs");
        let help = String::from_utf8(output.stdout).expect("help is text");
        let options: BTreeSet<String> = help
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .filter(|word| word.starts_with("--") && word.len() > 2)
            .map(str::to_owned)
            .collect();
        check_documented("docs/manual.md", &Vec::from_iter(options), 2);
    }
}

#[test]
fn every_dependency_was_chosen_with_a_reason() {
    let manifest = read("Cargo.toml");
    let (_, table) = manifest.split_once("[workspace.dependencies]").expect("the dependencies");
    let (table, _) = table.split_once("\n[").expect("what follows them");
    let names: Vec<String> = table
        .lines()
        .filter(|line| !line.contains("path = "))
        .filter_map(|line| line.split_once(" = ").map(|(name, _)| name.to_owned()))
        .collect();
    check_documented("docs/dependencies.md", &names, 15);
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let command = "cargo test --workspace";
    for path in ["README.md", "CONTRIBUTING.md", ".ci/run"] {
        assert!(read(path).contains(command), "{path} does not say `{command}`");
    }
    assert!(read("README.md").contains("cargo run --release -- demo"));
}

#[test]
fn the_readme_quotes_the_demo_as_it_is() {
    let readme = read("README.md");
    let block = readme.split("```java\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("the README shows a class");
    let demo: Vec<String> = files()
        .into_iter()
        .filter(|path| path.starts_with("demo/") && path.ends_with(".java"))
        .map(|path| read(&path))
        .collect();
    for line in block.lines().filter(|line| !line.trim().is_empty() && line.trim() != "// …") {
        assert!(demo.iter().any(|text| text.lines().any(|l| l == line)), "not in the demo: {line}");
    }
}
