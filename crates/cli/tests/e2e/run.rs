//! Running the program and reading what it says and writes.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::{Fixture, files_below};

/// Nothing in these tests takes longer, unless it hangs.
const LIMIT: Duration = Duration::from_secs(900);

/// The program, to be given arguments.
pub fn testhound() -> Command {
    Command::new(env!("CARGO_BIN_EXE_testhound"))
}

/// Takes from a command what lets root write where nobody may, if the test has it. All else stays: the
/// sandbox of root needs some of it.
pub fn without_privileges(command: Command) -> Command {
    let folder = tempfile::tempdir().expect("a temporary folder");
    forbid(folder.path());
    if fs::write(folder.path().join("file"), "").is_err() {
        return command;
    }
    let mut plain = Command::new("setpriv");
    plain.args(["--bounding-set", "-dac_override", "--inh-caps", "-dac_override"]);
    plain.arg(command.get_program()).args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        plain.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => plain.env(name, value),
            None => plain.env_remove(name),
        };
    }
    plain
}

/// Has a folder be one that may only be read.
pub fn forbid(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).expect("a folder of ours");
}

/// What a command said.
pub struct Said {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
}

impl Said {
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| panic!("{} {}", self.status, self.err))
    }

    /// The one object on standard output.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|e| panic!("{e}\nstdout: {}\nstderr: {}", self.out, self.err))
    }
}

/// Runs a command to its end; one that does not end is killed and fails the test.
pub fn say(command: &mut Command) -> Said {
    let running = Running::start(command);
    running.wait()
}

/// A command under way.
pub struct Running {
    pub child: Child,
    out: JoinHandle<String>,
    err: JoinHandle<String>,
}

impl Running {
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let out = read_all(child.stdout.take().expect("a pipe"));
        let err = read_all(child.stderr.take().expect("a pipe"));
        Self { child, out, err }
    }

    pub fn wait(mut self) -> Said {
        let deadline = Instant::now() + LIMIT;
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child to wait for") {
                break status;
            }
            if Instant::now() > deadline {
                self.child.kill().expect("a child to kill");
                panic!("the command did not end in {} s", LIMIT.as_secs());
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let text = |thread: JoinHandle<String>| thread.join().expect("a reader");
        Said { status, out: text(self.out), err: text(self.err) }
    }
}

fn read_all(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe to read");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A `generate` to be run on a fixture, with an output folder of its own.
pub struct Generate {
    pub command: Command,
    folder: TempDir,
}

/// Calls per class where a test asks for nothing else.
pub const STEPS: &str = "2000";

impl Generate {
    /// On classes, with a budget that gives the same tests every time.
    pub fn on(fixture: &Fixture) -> Self {
        Self::plain(&fixture.classes()).with(["--steps", STEPS, "--json"])
    }

    /// On a class path, with no other option than the output folder.
    pub fn plain(class_path: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = testhound();
        command.arg("generate").arg("--classpath").arg(class_path);
        command.arg("--out").arg(folder.path().join("out"));
        // A default output folder, if one were made by mistake, would be seen here.
        command.current_dir(folder.path());
        Self { command, folder }
    }

    /// On Java sources, with no other option than the output folder.
    pub fn of_sources(sources: &Path) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut command = testhound();
        command.arg("generate").arg("--source").arg(sources);
        command.arg("--out").arg(folder.path().join("out")).current_dir(folder.path());
        Self { command, folder }
    }

    pub fn with<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.command.args(args);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Changes how it is run.
    pub fn started_by(mut self, change: impl FnOnce(Command) -> Command) -> Self {
        let command = std::mem::replace(&mut self.command, testhound());
        self.command = change(command);
        self
    }

    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// Runs it to its end.
    pub fn run(mut self) -> Generated {
        let said = say(&mut self.command);
        self.after(said)
    }

    /// What there is once it has ended.
    pub fn after(self, said: Said) -> Generated {
        let out = self.out();
        let files = files_below(self.folder.path())
            .into_iter()
            .map(|file| {
                let name = file.strip_prefix(&out).unwrap_or(&file).display().to_string();
                (name, fs::read_to_string(&file).expect("a readable file"))
            })
            .collect();
        Generated { said, files, folder: self.folder }
    }
}

/// What `generate` left.
pub struct Generated {
    pub said: Said,
    /// Every file below the output folder, by its path there.
    pub files: BTreeMap<String, String>,
    folder: TempDir,
}

impl Generated {
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// All emitted source.
    pub fn sources(&self) -> String {
        self.files.values().cloned().collect()
    }

    /// The report on a class.
    pub fn class(&self, name: &str) -> Value {
        let report = self.said.json();
        let classes = report["classes"].as_array().expect("a list of classes");
        let found = classes.iter().find(|class| class["name"] == name);
        found.unwrap_or_else(|| panic!("no class {name} in {report:#}")).clone()
    }

    /// The reasons given for a member of a class; of the class itself, if the member is empty.
    /// Each as `code: detail`.
    pub fn reasons(&self, class: &str, member: &str) -> Vec<String> {
        let class = self.class(class);
        let reasons = class["reasons"].as_array().expect("a list of reasons");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let is_meant = |reason: &&Value| {
            let named = text(&reason["member"]);
            if member.is_empty() {
                named.is_empty()
            } else {
                named.contains(&format!(".{member}("))
            }
        };
        let say = |r: &Value| format!("{}: {}", text(&r["code"]), text(&r["detail"]));
        reasons.iter().filter(is_meant).map(say).collect()
    }
}
