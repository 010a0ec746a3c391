//! Compiler and test runner: warm processes that serve all classes of a run.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::process::{Launcher, WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};
use crate::scratch::Scratch;
use crate::setup::{Environment, Role, Subject};

/// What the compiler said of a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The file, by the name it was given with.
    pub file: String,
    /// The line, from 1; 0 where there is none.
    pub line: u32,
    /// The message.
    pub message: String,
}

/// How a test ended in the runner.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestEnd {
    /// It passed.
    Passed,
    /// An assertion failed, or an exception came: its class and message.
    Failed {
        /// The exception's class, by binary name.
        exception: String,
        /// Its message.
        message: String,
    },
    /// It did not end in time.
    TimedOut,
    /// It left something changed or tried something outside the heap.
    LeftChanged(String),
}

impl fmt::Display for TestEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passed => f.write_str("passed"),
            Self::Failed { exception, message } if message.is_empty() => f.write_str(exception),
            Self::Failed { exception, message } => write!(f, "{exception}: {message}"),
            Self::TimedOut => f.write_str("did not end"),
            Self::LeftChanged(what) => write!(f, "left {what} changed"),
        }
    }
}

/// One test's run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestRun {
    /// The test class, by binary name.
    pub class: String,
    /// The test method.
    pub method: String,
    /// How it ended.
    pub end: TestEnd,
}

/// A run of one class's tests, or a compilation, does not take longer.
const ANSWER_LIMIT: Duration = Duration::from_secs(180);
/// A test may take so long.
const TEST_TIMEOUT_MILLIS: i32 = 5000;
/// A runner is replaced after so many classes: static state of the JDK piles up.
const CLASSES_PER_RUNNER: u32 = 40;

struct Service {
    role: Role,
    process: Option<WorkerProcess>,
    served: u32,
}

/// The services of a run.
pub struct Services {
    launcher: Launcher,
    subject: Subject,
    scratch: Arc<Scratch>,
    compiler: Mutex<Service>,
    usual: Mutex<Service>,
    changed: Mutex<Service>,
}

impl Services {
    /// Services for a subject; their processes start when they are first needed.
    pub fn new(launcher: Launcher, subject: Subject, scratch: Arc<Scratch>) -> Self {
        let service = |role| Mutex::new(Service { role, process: None, served: 0 });
        Self {
            launcher,
            subject,
            scratch,
            compiler: service(Role::Compiler),
            usual: service(Role::Runner(Environment::Usual)),
            changed: service(Role::Runner(Environment::Changed)),
        }
    }

    /// Starts all processes ahead of their first use.
    pub fn warm_up(&self) -> Result<(), WorkerError> {
        for service in [&self.compiler, &self.usual, &self.changed] {
            self.start(&mut service.lock().unwrap_or_else(PoisonError::into_inner))?;
        }
        Ok(())
    }

    fn start(&self, service: &mut Service) -> Result<(), WorkerError> {
        if service.process.is_none() {
            let process = self.launcher.start(service.role, &self.subject, &self.scratch)?;
            service.process = Some(process);
            service.served = 0;
            let started = service.process.as_mut().expect("just set");
            if let Err(error) = started.wait_until_ready() {
                service.process = None;
                return Err(error);
            }
        }
        Ok(())
    }

    fn ask(&self, service: &Mutex<Service>, request: &Request) -> Result<Vec<String>, WorkerError> {
        let mut service = service.lock().unwrap_or_else(PoisonError::into_inner);
        self.start(&mut service)?;
        service.served += 1;
        let is_worn = service.served >= CLASSES_PER_RUNNER && service.role != Role::Compiler;
        let process = service.process.as_mut().expect("started above");
        let answer = process.send(request).and_then(|()| process.receive(ANSWER_LIMIT));
        let lines = match answer {
            Ok(Reply::Lines(lines)) => Ok(lines),
            Ok(other) => Err(WorkerError::Failed(format!("an unexpected reply: {other:?}"))),
            Err(error) => Err(error),
        };
        if is_worn || lines.is_err() {
            service.process = None;
        }
        lines
    }

    /// The folder compiled classes may be written to: the compiler's own.
    pub(crate) fn compiler_folder(&self, name: &str) -> Result<std::path::PathBuf, WorkerError> {
        let mut service = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        self.start(&mut service)?;
        let process = service.process.as_ref().expect("started above");
        let folder = process.folder().join(name);
        std::fs::create_dir_all(&folder).map_err(WorkerError::Scratch)?;
        Ok(folder)
    }

    /// Compiles sources, given as (file name, text), into a folder.
    pub fn compile(
        &self,
        sources: &[(String, String)],
        class_path: &str,
        output: &Path,
        release: Option<u32>,
    ) -> Result<Vec<Diagnostic>, WorkerError> {
        let (names, sources) = sources.iter().cloned().unzip();
        let request = Request::Compile {
            names,
            sources,
            class_path: class_path.to_owned(),
            output: output.display().to_string(),
            release: release.map(|r| r.to_string()),
        };
        let lines = self.ask(&self.compiler, &request)?;
        Ok(lines.iter().map(|line| parse_diagnostic(line)).collect())
    }

    /// Compiles sources and copies the classes to a folder that the compiler cannot write to.
    pub fn compile_to(
        &self,
        sources: &[(String, String)],
        class_path: &str,
        target: &Path,
        release: Option<u32>,
    ) -> Result<Vec<Diagnostic>, WorkerError> {
        let output = self.compiler_folder("compiled")?;
        let errors = self.compile(sources, class_path, &output, release)?;
        if errors.is_empty() {
            copy_folder(&output, target).map_err(WorkerError::Scratch)?;
        }
        Ok(errors)
    }

    /// Runs the tests of compiled classes in one of the environments.
    pub fn run(
        &self,
        environment: Environment,
        class_path: &str,
        classes: &[String],
        order: i32,
    ) -> Result<Vec<TestRun>, WorkerError> {
        let request = Request::Run {
            class_path: class_path.to_owned(),
            classes: classes.to_vec(),
            order,
            timeout_millis: TEST_TIMEOUT_MILLIS,
        };
        let service = match environment {
            Environment::Usual => &self.usual,
            Environment::Changed => &self.changed,
        };
        let lines = self.ask(service, &request)?;
        let runs: Vec<TestRun> = lines.iter().filter_map(|line| parse_run(line)).collect();
        if runs.iter().any(|run| run.end == TestEnd::TimedOut) {
            // Its thread may go on forever.
            service.lock().unwrap_or_else(PoisonError::into_inner).process = None;
        }
        Ok(runs)
    }

    /// Replaces a runner by a fresh one before its next use.
    pub fn renew(&self, environment: Environment) {
        let service = match environment {
            Environment::Usual => &self.usual,
            Environment::Changed => &self.changed,
        };
        service.lock().unwrap_or_else(PoisonError::into_inner).process = None;
    }
}

fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// `file:line:column:ERROR:message`, as the Java part writes it.
fn parse_diagnostic(text: &str) -> Diagnostic {
    let mut parts = text.splitn(5, ':');
    let file = parts.next().unwrap_or_default().to_owned();
    let line = parts.next().and_then(|l| l.parse().ok()).unwrap_or(0);
    let message = parts.nth(2).unwrap_or(text).to_owned();
    Diagnostic { file, line, message }
}

/// `class#method`, status, exception, message and frame, separated by tabs.
fn parse_run(text: &str) -> Option<TestRun> {
    let mut parts = text.split('\t');
    let (class, method) = parts.next()?.split_once('#')?;
    let status = parts.next()?;
    let exception = parts.next().unwrap_or_default().to_owned();
    let message = parts.next().unwrap_or_default().to_owned();
    let end = match status {
        "PASS" => TestEnd::Passed,
        "TIMEOUT" => TestEnd::TimedOut,
        "LEFT_CHANGED" => TestEnd::LeftChanged(message),
        _ => TestEnd::Failed { exception, message },
    };
    Some(TestRun { class: class.to_owned(), method: method.to_owned(), end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_java_part_are_read() {
        assert_eq!(
            parse_diagnostic("a/BTest.java:12:5:ERROR:cannot find symbol: x"),
            Diagnostic {
                file: "a/BTest.java".into(),
                line: 12,
                message: "cannot find symbol: x".into()
            }
        );
        let run = parse_run("a.BTest#m\tERROR\tjava.lang.Error\twhy\tframe").unwrap();
        assert_eq!((&*run.class, &*run.method), ("a.BTest", "m"));
        let expected =
            TestEnd::Failed { exception: "java.lang.Error".into(), message: "why".into() };
        assert_eq!(run.end, expected);
        assert_eq!(parse_run("a.BTest#m\tPASS\t\t\t").unwrap().end, TestEnd::Passed);
        assert_eq!(parse_run("nonsense"), None);
    }
}
