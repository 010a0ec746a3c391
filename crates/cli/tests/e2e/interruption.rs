//! Q1, Q5: Ctrl-C keeps what was found; a killed supervisor leaves no process and no half file.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

use crate::fixture::{Fixture, files_below};
use crate::run::{Generate, Running, say, testhound};

/// Nothing waited for here takes longer, on a busy machine either.
const PATIENCE: Duration = Duration::from_secs(60);

fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A place for temporary files of its own, to see what is left there.
fn with_own_temporary_folder(generate: Generate) -> (Generate, TempDir) {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let generate = generate.env("TMPDIR", temporary.path());
    (generate, temporary)
}

fn send(running: &Running, signal: Signal) {
    kill(Pid::from_raw(running.child.id() as i32), signal).expect("a process to signal");
}

/// Processes that this one started.
fn children(parent: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("the list of processes");
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|pid| stat(*pid).is_some_and(|(_, its_parent)| its_parent == parent))
        .collect()
}

/// State and parent of a process.
fn stat(pid: u32) -> Option<(char, u32)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name before it may hold anything but ends with the last parenthesis.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Scratch folders of runs.
fn scratch_folders(temporary: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(temporary).expect("a folder").flatten().map(|entry| entry.path());
    entries.filter(|path| path.display().to_string().contains("testhound-run-")).collect()
}

fn is_whole(file: &Path) -> bool {
    // One that is being written may have its last name by now.
    let text = fs::read_to_string(file).unwrap_or_default();
    file.extension().is_some_and(|e| e == "java") && text.ends_with("}\n")
}

#[test]
fn an_interrupt_writes_what_was_found() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let fixture = Fixture::shared("library");
        let options = ["--json", "--jobs", "1", "--time-per-class", "100"];
        let classes = ["--class", "library.Stack", "--class", "library.Sums"];
        let generate = Generate::plain(&fixture.classes()).with(options).with(classes);
        let (mut generate, temporary) = with_own_temporary_folder(generate);
        let running = Running::start(&mut generate.command);
        let searches = |file: &Path| file.file_name().is_some_and(|name| name == "blackbox");
        wait_for("a search", || files_below(temporary.path()).iter().any(|f| searches(f)));
        // A few tests are found in the first fraction of a second.
        std::thread::sleep(Duration::from_secs(3));
        let sent = Instant::now();
        send(&running, signal);
        let said = running.wait();
        assert!(sent.elapsed() < PATIENCE, "it went on for {:?}", sent.elapsed());
        let generated = generate.after(said);
        assert_eq!(generated.said.code(), 130, "{}", generated.said.err);
        assert_eq!(generated.said.json()["interrupted"], true);
        assert!(generated.class("library.Stack")["tests"].as_u64() > Some(0));
        let names: Vec<&str> = generated.files.keys().map(String::as_str).collect();
        assert_eq!(names, ["library/StackTest.java"]);
        crate::junit::assert_green(&fixture, &generated, &[]);
        assert_eq!(files_below(temporary.path()), [] as [&Path; 0], "temporary files are left");
    }
}

#[test]
fn an_interrupted_build_is_told_as_one() {
    use std::os::unix::fs::PermissionsExt;
    let project = tempfile::tempdir().expect("a temporary folder");
    fs::write(project.path().join("pom.xml"), "<project/>").expect("a file");
    let wrapper = project.path().join("mvnw");
    fs::write(&wrapper, "#!/bin/sh\ntouch started\nsleep 2\nexit 1\n").expect("a file");
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).expect("a mode");
    for json in [false, true] {
        let mut command = testhound();
        command.arg("generate").arg("--project").arg(project.path());
        let running = Running::start(command.args(json.then_some("--json")));
        let started = project.path().join("started");
        wait_for("the build", || started.exists());
        send(&running, Signal::SIGINT);
        let said = running.wait();
        assert_eq!(said.code(), 130, "{}", said.err);
        assert!(said.err.contains("interrupted while the project was built"), "{}", said.err);
        if json {
            assert_eq!(said.json()["interrupted"], true);
        } else {
            assert_eq!(said.out, "");
        }
        fs::remove_file(started).expect("a file");
    }
}

#[test]
fn what_an_interrupt_leaves_holds_together() {
    let fixture = Fixture::shared("together");
    let options = ["--json", "--jobs", "3", "--time-per-class", "100"];
    let (mut generate, temporary) =
        with_own_temporary_folder(Generate::plain(&fixture.classes()).with(options));
    let running = Running::start(&mut generate.command);
    let searches = |file: &&PathBuf| file.file_name().is_some_and(|name| name == "blackbox");
    wait_for("three searches", || {
        files_below(temporary.path()).iter().filter(searches).count() >= 3
    });
    std::thread::sleep(Duration::from_secs(3));
    send(&running, Signal::SIGINT);
    let generated = generate.after(running.wait());
    assert_eq!(generated.said.code(), 130, "{}", generated.said.err);
    let dropped = generated.said.json()["dropped"]["environment"].as_u64();
    assert!(dropped > Some(0), "{}", generated.said.out);
    crate::junit::assert_green(&fixture, &generated, &[crate::together::BY_CLASS_NAME]);
}

#[test]
fn an_interrupt_does_not_wait_for_tests_that_take_long_together() {
    let fixture = Fixture::shared("lingering");
    let mut generate = Generate::on(&fixture);
    let running = Running::start(&mut generate.command);
    wait_for("both files", || {
        files_below(&generate.out()).iter().filter(|f| is_whole(f)).count() == 2
    });
    send(&running, Signal::SIGINT);
    let sent = Instant::now();
    let generated = generate.after(running.wait());
    // All of them take more than a minute, one setting after the other several.
    assert!(sent.elapsed() < Duration::from_secs(50), "it went on for {:?}", sent.elapsed());
    assert_eq!(generated.said.code(), 130, "{}", generated.said.err);
    let warnings = generated.said.json()["warnings"].to_string();
    assert!(warnings.contains("it was not found out whether all"), "{warnings}");
}

#[test]
fn a_killed_supervisor_leaves_no_process_and_no_half_file() {
    let fixture = Fixture::shared("library");
    let options = ["--jobs", "2", "--time-per-class", "1"];
    let generate = Generate::plain(&fixture.classes()).with(options);
    let (mut generate, temporary) = with_own_temporary_folder(generate);
    let running = Running::start(&mut generate.command);
    wait_for("a test file", || files_below(&generate.out()).iter().any(|f| is_whole(f)));
    let workers = children(running.child.id());
    assert!(workers.len() > 2, "{workers:?}");
    send(&running, Signal::SIGKILL);
    // Its readers would wait for workers that live on.
    let said = running.wait();
    assert_eq!(said.status.code(), None, "killed");
    let is_over = |pid: &u32| stat(*pid).is_none_or(|(state, _)| state == 'Z');
    wait_for("the end of all workers", || workers.iter().all(is_over));
    for file in files_below(&generate.out()) {
        assert!(is_whole(&file), "{} is not a whole test", file.display());
    }
    // Nothing left is in the way of the next run, which removes it.
    assert_eq!(scratch_folders(temporary.path()).len(), 1, "the killed run left its folder");
    let again = Generate::on(&fixture).with(["--class", "library.Stack"]);
    let again = again.env("TMPDIR", temporary.path()).run();
    assert_eq!(again.said.code(), 0, "{}", again.said.err);
    assert_eq!(scratch_folders(temporary.path()), [] as [&Path; 0], "folders are left");
}

#[test]
fn a_run_after_others_that_were_killed_at_any_moment_has_every_test() {
    let fixture = Fixture::shared("library");
    let out = tempfile::tempdir().expect("a temporary folder");
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let generate = || {
        let mut command = testhound();
        command.arg("generate").arg("--classpath").arg(fixture.classes());
        command.arg("--out").arg(out.path()).env("TMPDIR", temporary.path());
        command.args(["--steps", "500", "--jobs", "2", "--json"]);
        command
    };
    for moment in [20, 150, 500, 900, 1400, 2000, 2700, 3500] {
        let running = Running::start(&mut generate());
        std::thread::sleep(Duration::from_millis(moment));
        send(&running, Signal::SIGKILL);
        running.wait();
        for file in files_below(out.path()) {
            let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let is_unfinished = name.starts_with(".testhound-");
            assert!(is_whole(&file) || is_unfinished, "{} at {moment} ms", file.display());
        }
    }
    let said = say(&mut generate());
    assert_eq!(said.code(), 0, "{}", said.err);
    let alone = Generate::plain(&fixture.classes()).with(["--steps", "500", "--json"]).run();
    let names = |report: &serde_json::Value| -> Vec<String> {
        let classes = report["classes"].as_array().expect("classes").iter();
        classes.map(|class| class["name"].to_string()).collect()
    };
    assert_eq!(names(&said.json()), names(&alone.said.json()));
    for (path, text) in &alone.files {
        let there = fs::read_to_string(out.path().join(path)).expect("the test file");
        assert_eq!(there, *text, "{path}");
    }
    let left = files_below(temporary.path());
    assert_eq!(scratch_folders(temporary.path()), [] as [&Path; 0], "left: {left:?}");
}

#[test]
fn an_interrupted_demo_says_so() {
    let mut command = testhound();
    let running = Running::start(command.arg("demo"));
    std::thread::sleep(Duration::from_millis(1500));
    send(&running, Signal::SIGINT);
    assert_eq!(running.wait().code(), 130);
}

/// Breaks a contract and goes on for ever; the file says that it has come so far.
const ENDLESS: &str = "
public class Endless {
    //@ requires n > 0;
    static void take(int n) { }

    public static void main(String[] args) throws Exception {
        try {
            take(-1);
        } catch (Error swallowed) {
            java.nio.file.Files.createFile(java.nio.file.Path.of(args[0]));
        }
        while (true) {
            Thread.sleep(1000);
        }
    }
}
";

#[test]
fn an_interrupted_check_ends_its_program_and_tells_what_was_broken() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("Endless.java"), ENDLESS).expect("a source");
    let own = folder.path().join("own");
    fs::create_dir(&own).expect("a folder");
    let reached = own.join("reached");
    let mut command = testhound();
    command.arg("check").arg("--source").arg(folder.path()).args(["--main", "Endless", "--json"]);
    let running = Running::start(command.arg("--write").arg(&own).arg("--").arg(&reached));
    wait_for("the loop", || reached.is_file());
    let programs = children(running.child.id());
    assert!(!programs.is_empty(), "the program runs in a process of its own");
    send(&running, Signal::SIGINT);
    let said = running.wait();
    assert_eq!(said.code(), 130, "{}", said.err);
    let report = said.json();
    assert_eq!(report["interrupted"], true);
    assert_eq!(report["violations"][0]["clause"], "requires n > 0", "{report}");
    wait_for("the end of the program", || programs.iter().all(|pid| stat(*pid).is_none()));
}
