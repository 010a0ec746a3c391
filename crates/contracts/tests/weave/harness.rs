//! Weaves fixtures, compiles them with a real `javac`, dropping what it does not take, and runs them
//! with a real `java`. The fixtures are ours and harmless.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use contracts::weave::{CompilerError, NoSupertypes, Options};
use contracts::{Source, Weaving, parse, weave};
use tempfile::TempDir;

/// How a call ended.
#[derive(Debug, Clone)]
pub struct End {
    pub clause: u32,
    pub how: u32,
    pub undefined: u32,
    pub undefined_preconditions: u32,
    pub text: String,
}

/// A JDK: that of `JAVA_HOME`, else that of the `javac` on `PATH`.
pub fn home() -> PathBuf {
    let has_compiler = |home: &PathBuf| home.join("bin/javac").is_file();
    if let Some(home) = std::env::var_os("JAVA_HOME").map(PathBuf::from).filter(has_compiler) {
        return home;
    }
    let path = std::env::var_os("PATH").expect("a PATH");
    let javac = std::env::split_paths(&path)
        .map(|folder| folder.join("javac"))
        .find(|javac| javac.is_file())
        .expect("these tests need a JDK: set JAVA_HOME");
    let javac = javac.canonicalize().expect("it is there");
    javac.ancestors().nth(2).expect("it stands in bin").to_owned()
}

/// The sources of the run-time part.
fn run_time_part() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("../../runtime/contracts/testhound/contracts");
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the run-time part") {
        let path = entry.expect("an entry of it").path();
        files.push(path.to_str().expect("a plain path").to_owned());
    }
    files.sort();
    files
}

/// Sources as they are parsed; there must be nothing to complain of but notes.
pub fn parsed(files: &[(&str, &str)]) -> Vec<Source> {
    let mut sources = Vec::new();
    for (name, text) in files {
        let (source, diagnostics) = parse(name, text);
        let bad = diagnostics.iter().filter(|d| d.severity != contracts::Severity::Note);
        let bad: Vec<String> = bad.map(ToString::to_string).collect();
        assert!(bad.is_empty(), "{bad:#?}");
        sources.push(source);
    }
    sources
}

/// A folder with the classes of sources that are woven, and the clauses that were dropped on the way.
pub fn compiled<'a>(sources: &'a [Source], options: &Options) -> (TempDir, Weaving<'a>) {
    let mut weaving = weave(sources, &NoSupertypes, options);
    for _ in 0..12 {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let errors = compile(&weaving, folder.path());
        if errors.is_empty() {
            return (folder, weaving);
        }
        let shown = format!("{errors:#?}");
        assert!(weaving.refused(&errors), "{shown}\n{}", show(&weaving, &errors));
    }
    panic!("javac refuses again and again");
}

fn show(weaving: &Weaving<'_>, errors: &[CompilerError]) -> String {
    let mut shown = String::new();
    for error in errors.iter().take(5) {
        let file = weaving.files.iter().find(|file| file.name == error.file);
        let line = file.and_then(|file| file.text.lines().nth(error.line as usize - 1));
        shown.push_str(&format!("{}\n{}\n", error.message, line.unwrap_or_default()));
    }
    shown
}

fn compile(weaving: &Weaving<'_>, folder: &Path) -> Vec<CompilerError> {
    let sources = folder.join("src");
    let classes = folder.join("classes");
    for woven in &weaving.files {
        let path = sources.join(&woven.name);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
        std::fs::write(path, &woven.text).expect("a file");
    }
    std::fs::write(sources.join("Drive.java"), include_str!("java/Drive.java")).expect("a file");
    let table = classes.join("testhound/contracts/clauses.tsv");
    std::fs::create_dir_all(table.parent().expect("it has one")).expect("a folder");
    std::fs::write(table, weaving.table()).expect("a file");
    let names = weaving.files.iter().map(|woven| woven.name.clone());
    let output = Command::new(home().join("bin/javac"))
        .args(["-J-XX:TieredStopAtLevel=1", "-g", "-proc:none", "-Xlint:none", "-nowarn"])
        .args(["-Xmaxerrs", "1000", "--release", "17", "-encoding", "UTF-8"])
        .args(["-d", "../classes"])
        .args(run_time_part())
        .args(names.chain(["Drive.java".to_owned()]))
        .current_dir(&sources)
        .output()
        .expect("javac runs");
    if output.status.success() {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let errors = errors_of(&text);
    assert!(!errors.is_empty(), "{text}");
    errors
}

/// The errors in what javac prints: `File.java:3: error: what`, the line, a caret below the column.
fn errors_of(text: &str) -> Vec<CompilerError> {
    let lines: Vec<&str> = text.lines().collect();
    let mut errors = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((place, message)) = line.split_once(": error: ") else { continue };
        let Some((file, number)) = place.rsplit_once(':') else { continue };
        let caret = lines[at..].iter().find_map(|line| {
            let before = line.strip_suffix('^')?;
            before.trim().is_empty().then_some(before.len())
        });
        errors.push(CompilerError {
            file: file.to_owned(),
            line: number.parse().expect("a line number"),
            column: caret.unwrap_or(0) as u32 + 1,
            message: message.to_owned(),
        });
    }
    errors
}

/// Runs `java` and gives what it printed.
pub fn java(classes: &Path, options: &[&str], main: &[&str]) -> String {
    let output = Command::new(home().join("bin/java"))
        .args(["-Xshare:auto", "-XX:TieredStopAtLevel=1"])
        .args(options)
        .args(["-cp", classes.to_str().expect("a plain path")])
        .args(main)
        .output()
        .expect("java runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// How each of some calls ended, in one JVM.
pub fn drive(folder: &Path, options: &[&str], calls: &[String]) -> BTreeMap<String, End> {
    let mut main = vec!["Drive"];
    main.extend(calls.iter().map(String::as_str));
    let printed = java(&folder.join("classes"), options, &main);
    let mut ends = BTreeMap::new();
    for line in printed.lines() {
        let parts: Vec<&str> = line.splitn(3, '\t').collect();
        let [call, state, text] = parts.as_slice() else { panic!("{line}") };
        let state: Vec<u32> = state.split(' ').map(|n| n.parse().expect("a number")).collect();
        let end = End {
            clause: state[0],
            how: state[1],
            undefined: state[2],
            undefined_preconditions: state[3],
            text: (*text).to_owned(),
        };
        ends.insert((*call).to_owned(), end);
    }
    ends
}
