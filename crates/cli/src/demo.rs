//! `demo`: the whole tool on a small project that comes with it; needs only a JDK.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use search::Exceptions;
use toolchain::{JUnitKind, JUnitSources};
use worker::{Launcher, Scratch, Services};
use writer::Junit;

use crate::args::{DemoOptions, Keep};
use crate::canon::Seeds;
use crate::class_path::join;
use crate::console::{self, Progress};
use crate::exit::{Exit, Failure, require_sandbox};
use crate::generate::{exit_of, stop_on_interrupt};
use crate::mockito::Mockito;
use crate::monitor;
use crate::output::Output;
use crate::report::Report;
use crate::run::{Plan, Spend, run};
use crate::select::Selection;
use crate::target::{Target, jdk, subject, world};

/// Calls per class: a second or so, and the same tests every time.
const STEPS: u64 = 60_000;
/// What the demo is compiled for.
const RELEASE: u16 = 17;

pub(crate) fn demo(options: &DemoOptions) -> anyhow::Result<Exit> {
    require_sandbox(&options.machine)?;
    let stop = stop_on_interrupt()?;
    let jdk = jdk(&options.machine)?;
    let temporary = tempfile::Builder::new().prefix("testhound-demo-").tempdir()?;
    let folder = match &options.out {
        Some(out) => out.clone(),
        None => temporary.path().join("shop"),
    };
    check_free(&folder)?;
    let launcher = Launcher {
        jvm_args: options.machine.jvm_args.clone(),
        ..Launcher::this_executable(!options.machine.no_sandbox)?
    };
    let classes = temporary.path().join("classes");
    std::fs::create_dir(&classes)?;
    let survey = monitor::survey(&jdk.home)?;
    let mut subject = subject((&jdk, &survey), vec![classes.clone()], Vec::new());
    subject.release = Some(RELEASE);
    compile(&launcher, &subject, &classes)?;
    let (junit, note) = junit(temporary.path())?;
    let mut test_path = vec![classes];
    test_path.extend(junit);
    let tests = folder.join("src/test/java");
    let target = Target {
        world: world(&subject)?,
        test_class_path: join(&test_path),
        junit: Junit::Five,
        mockito: Mockito::Absent,
        out: tests.clone(),
        subject,
        contracts: None,
        made_in: None,
    };
    let selection = Selection { classes: &[], packages: &[], exclude: &[] };
    // All that can fail before the search has not: a folder that is left half filled would be refused
    // the next time.
    unpack(&folder)?;
    let output = Output::open(&tests, true)?;
    let plan = Plan {
        seeds: Seeds::default(),
        classes: selection.choose(&[&target.world])?.concat(),
        target: &target,
        spend: Spend::Steps(STEPS),
        seed: 1,
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        keep: Keep::Both,
        exceptions: Exceptions::default(),
        // Studying the JDK takes seconds and leaves a file in the user's cache.
        components: search::Components::all().without(search::Component::Impurity),
        approach: worker::Approach::Guided,
        attempts_of: Vec::new(),
        searches_only: 0,
        suffix: "Test".to_owned(),
        output: &output,
        launcher,
        stop,
        started: Instant::now(),
        later: 0,
    };
    let progress = Progress::new(options.json);
    progress.start(plan.classes.len());
    let outcome = run(&plan, &progress);
    progress.finish();
    let (mut report, error) = outcome?;
    if let Some(error) = error {
        return Err(error);
    }
    report.out = vec![tests.display().to_string()];
    report.warnings.extend(monitor::warnings(&survey));
    let exit = match exit_of(&report) {
        // That is what it is there to show.
        Exit::FailuresFound => Exit::Done,
        exit => exit,
    };
    let written = report.clone();
    if options.out.is_none() {
        forget_files(&mut report);
    }
    if options.json {
        console::json(&report)?;
        return Ok(exit);
    }
    console::summary(&report, Keep::Both);
    if let Some(note) = note {
        console::line(note);
    }
    show_examples(&tests, &written)?;
    match &options.out {
        Some(out) => console::line(&format!(
            "\nThe project is in {}: read its tests, or run `mvn test` there; the tests in files named \
             FailingTest fail, for they show what is wrong.",
            out.display()
        )),
        None => console::line(
            "\nWith --out DIR the project and its tests are kept to look at. For tests of your own \
             classes: testhound generate --help",
        ),
    }
    Ok(exit)
}

/// Takes the files out of a report: they go with the folder that they are in.
fn forget_files(report: &mut Report) {
    report.out.clear();
    for class in &mut report.classes {
        class.files.clear();
        class.out.clear();
        class.failing_tests.iter_mut().for_each(|failing| failing.file = None);
    }
}

fn check_free(folder: &Path) -> Result<(), Failure> {
    if folder.is_file() {
        let message = format!("`{}` is a file; name a new folder with --out", folder.display());
        return Err(Failure::bad_input(message));
    }
    if folder.exists() && std::fs::read_dir(folder).is_ok_and(|mut d| d.next().is_some()) {
        let message = format!("`{}` is not empty; name a new folder", folder.display());
        return Err(Failure::bad_input(message));
    }
    Ok(())
}

fn unpack(folder: &Path) -> anyhow::Result<()> {
    for (path, text) in runtime::demo_files() {
        let file = folder.join(path);
        let parent = file.parent().context("a demo file has a folder")?;
        std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&file, text)).map_err(
            |error| Failure::cannot_write(format!("cannot write `{}`: {error}", file.display())),
        )?;
    }
    Ok(())
}

fn compile(launcher: &Launcher, subject: &worker::Subject, classes: &Path) -> anyhow::Result<()> {
    let scratch = Arc::new(Scratch::new()?);
    let services = Services::new(launcher.clone(), subject.clone(), scratch);
    let sources: Vec<(String, String)> = runtime::demo_files()
        .iter()
        .filter_map(|(path, text)| {
            let name = path.strip_prefix("src/main/java/")?;
            Some((name.to_owned(), (*text).to_owned()))
        })
        .collect();
    let errors = services.compile_to(&sources, "", classes, Some(RELEASE))?;
    if let Some(error) = errors.first() {
        bail!("the demo does not compile: {}:{}: {}", error.file, error.line, error.message);
    }
    Ok(())
}

/// JUnit's jars, or the stand-in's folder with a word about it.
fn junit(folder: &Path) -> anyhow::Result<(Vec<PathBuf>, Option<&'static str>)> {
    let installed = toolchain::installed_junit_jars(JUnitKind::Jupiter, JUnitSources::default());
    if let Ok(Some(jars)) = installed {
        return Ok((jars, None));
    }
    let standin = folder.join("junit");
    for (name, bytes) in runtime::standin_classes() {
        let file = standin.join(format!("{name}.class"));
        std::fs::create_dir_all(file.parent().context("a class has a package")?)?;
        std::fs::write(file, bytes)?;
    }
    let note = "JUnit is not on this machine: the tests were checked with a stand-in for its API.";
    Ok((vec![standin], Some(note)))
}

/// Shows a test that passes and one that fails.
fn show_examples(tests: &Path, report: &Report) -> anyhow::Result<()> {
    let all = || report.classes.iter().flat_map(|c| &c.files);
    let failing = all().find(|file| file.ends_with("FailingTest.java"));
    let passing = all().find(|file| !file.ends_with("FailingTest.java"));
    for (file, what) in [(passing, "A test it wrote"), (failing, "What it found wrong")] {
        let Some(file) = file else { continue };
        let text = std::fs::read_to_string(file)?;
        let shown = Path::new(file).strip_prefix(tests).unwrap_or(Path::new(file));
        console::line(&format!("\n{what} ({}):\n", shown.display()));
        for line in example(&text) {
            console::line(line);
        }
    }
    Ok(())
}

/// The lines of the test method to show: the shortest one with a call that is made for what it does,
/// and with what came of it; else the first.
fn example(text: &str) -> Vec<&str> {
    let mut tests: Vec<Vec<&str>> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        if line == "    @Test" {
            is_inside = true;
            tests.push(Vec::new());
        }
        if let Some(test) = tests.last_mut().filter(|_| is_inside) {
            test.push(line);
        }
        is_inside &= line != "    }";
    }
    let telling = tests.iter().filter(|test| tells_what_a_call_did(test));
    telling.min_by_key(|test| test.len()).or(tests.first()).cloned().unwrap_or_default()
}

/// Whether a value is asserted after a statement that is a call on an object: `account.close();`.
fn tells_what_a_call_did(test: &[&str]) -> bool {
    let mut statements = test.iter().filter_map(|line| line.strip_prefix("        "));
    let is_call = |line: &str| {
        let (called, _) = line.split_once('(').unwrap_or_default();
        called.contains('.') && called.starts_with(char::is_lowercase) && !called.contains(' ')
    };
    statements.any(is_call) && statements.any(|line| line.starts_with("assertEquals("))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_shown_that_tells_what_a_call_did() {
        let test = |name: &str, lines: &[&str]| {
            let lines: String = lines.iter().map(|line| format!("        {line}\n")).collect();
            format!("    @Test\n    void {name}() {{\n{lines}    }}\n\n")
        };
        let returned = test("returned", &["A a = new A();", "assertEquals(", "    a.b());"]);
        let long = test("long", &["A a = new A();", "a.c();", "a.c();", "assertEquals(3, a.b());"]);
        let short = test("short", &["A a = new A();", "a.c();", "assertEquals(3, a.b());"]);
        let thrown = test("thrown", &["A a = new A();", "a.c();", "assertThrows(E.class, a);"]);
        let shown = |tests: &[&String]| {
            let text: String = tests.iter().map(|test| test.as_str()).collect();
            example(&format!("class ATest {{\n{text}}}\n"))[1].trim().to_owned()
        };
        assert_eq!(shown(&[&returned, &thrown, &long, &short]), "void short() {");
        assert_eq!(shown(&[&returned, &thrown, &long]), "void long() {");
        assert_eq!(shown(&[&returned, &thrown]), "void returned() {");
    }
}
