//! Compiler and test runner: warm processes that serve all classes of a run.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::answer::{Diagnostic, TestEnd, parse_diagnostic};
use crate::detours::Detours;
use crate::environment::Environment;
use crate::process::{Launcher, WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};
use crate::runners::{IsOver, Ran, Runners};
use crate::scratch::{Passing, Scratch};
use crate::setup::{Role, Subject};

/// A compilation does not take longer.
const COMPILE_LIMIT: Duration = Duration::from_secs(180);
/// A test may take so long by the clock. Ample, for a machine may be busy and what does not end was
/// cut by the search: the answer should not depend on it.
const TEST_TIMEOUT_MILLIS: i32 = 15_000;
/// Compilers that may die of the same sources before these are blamed.
const COMPILERS_PER_REQUEST: u32 = 2;

/// The services of a run.
pub struct Services {
    launcher: Launcher,
    subject: Subject,
    scratch: Arc<Scratch>,
    compiler: Mutex<Option<WorkerProcess>>,
    usual: Runners,
    changed: Runners,
    detours: Detours,
}

/// Compiled tests and how they are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Suite<'s> {
    /// The tests, the subject and JUnit.
    pub(crate) class_path: &'s str,
    /// The test classes, by binary name, in order.
    pub(crate) classes: &'s [String],
    /// The order of classes and their tests.
    pub(crate) order: Order,
    /// Whether `assert` is on.
    pub(crate) assertions: bool,
}

/// The order in which classes and the tests of each run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    /// Classes as given, tests as JUnit orders them.
    Usual,
    /// From the last to the first.
    Backward,
    /// Any other, by a seed.
    Shuffled(u8),
}

impl Order {
    /// What the runner calls it.
    fn number(self) -> i32 {
        match self {
            Self::Usual => 0,
            Self::Backward => 1,
            Self::Shuffled(seed) => 2 + i32::from(seed),
        }
    }
}

impl Services {
    /// Services for a subject; their processes start when they are first needed.
    pub fn new(launcher: Launcher, subject: Subject, scratch: Arc<Scratch>) -> Self {
        Self {
            launcher,
            subject,
            scratch,
            compiler: Mutex::default(),
            usual: Runners::default(),
            changed: Runners::default(),
            detours: Detours::default(),
        }
    }

    /// Starts all processes ahead of their first use.
    pub fn warm_up(&self) -> Result<(), WorkerError> {
        self.start_compiler(&mut self.compiler.lock().unwrap_or_else(PoisonError::into_inner))?;
        for environment in [Environment::Usual, Environment::Changed] {
            let start = || self.start(Role::Runner(environment));
            self.runners(environment).warm_up(&start)?;
        }
        Ok(())
    }

    fn start(&self, role: Role) -> Result<WorkerProcess, WorkerError> {
        self.launcher.start(role, &self.subject, &self.scratch)
    }

    fn start_compiler<'c>(
        &self,
        compiler: &'c mut Option<WorkerProcess>,
    ) -> Result<&'c mut WorkerProcess, WorkerError> {
        if compiler.is_none() {
            let mut process = self.start(Role::Compiler)?;
            process.wait_until_ready()?;
            *compiler = Some(process);
        }
        Ok(compiler.as_mut().expect("just started"))
    }

    fn runners(&self, environment: Environment) -> &Runners {
        match environment {
            Environment::Usual => &self.usual,
            Environment::Changed => &self.changed,
        }
    }

    /// A folder for compiled classes, out of the compiler's reach; it goes with the value.
    pub(crate) fn class_folder(&self) -> Result<Passing, WorkerError> {
        self.scratch.passing("classes").map_err(WorkerError::Scratch)
    }

    /// Compiles sources, given as (file name, text), and copies the classes to a folder that the
    /// compiler cannot write to. Sources that a compiler does not survive are refused.
    pub fn compile_to(
        &self,
        sources: &[(String, String)],
        class_path: &str,
        target: &Path,
        release: Option<u16>,
    ) -> Result<Vec<Diagnostic>, WorkerError> {
        let (names, sources): (Vec<_>, Vec<_>) = sources.iter().cloned().unzip();
        let mut compiler = self.compiler.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = None;
        for _ in 0..COMPILERS_PER_REQUEST {
            let process = self.start_compiler(&mut compiler)?;
            let output = process.folder().join("compiled");
            let request = Request::Compile {
                names: names.clone(),
                sources: sources.clone(),
                class_path: class_path.to_owned(),
                output: output.display().to_string(),
                release: release.map(|r| r.to_string()),
            };
            let answer = process.send(&request).and_then(|()| process.receive(COMPILE_LIMIT));
            match answer {
                Ok(Reply::Lines(errors)) => {
                    let errors: Vec<_> = errors.iter().map(|line| parse_diagnostic(line)).collect();
                    if errors.is_empty() {
                        copy_folder(&output, target).map_err(WorkerError::Scratch)?;
                    }
                    remove_folder(&output).map_err(WorkerError::Scratch)?;
                    return Ok(errors);
                }
                Ok(other) => {
                    let why = format!("an unexpected reply: {other:?}");
                    return Err(WorkerError::Failed(why));
                }
                Err(WorkerError::Died { how, .. } | WorkerError::Failed(how)) => {
                    *compiler = None;
                    last = Some(how);
                }
                Err(error) => return Err(error),
            }
        }
        let how = last.unwrap_or_default();
        let message = format!("the compiler did not survive it: it {how}");
        Ok(vec![Diagnostic { file: String::new(), line: 0, column: 0, message }])
    }

    /// The class path as an environment has it.
    fn class_path(
        &self,
        environment: Environment,
        class_path: &str,
    ) -> Result<String, WorkerError> {
        match environment {
            Environment::Usual => Ok(class_path.to_owned()),
            Environment::Changed => {
                self.detours.class_path(class_path, &self.scratch).map_err(WorkerError::Scratch)
            }
        }
    }

    fn request(
        &self,
        environment: Environment,
        suite: &Suite<'_>,
        only: Option<Vec<String>>,
    ) -> Result<Request, WorkerError> {
        Ok(Request::Run {
            class_path: self.class_path(environment, suite.class_path)?,
            project: self.class_path(environment, &self.subject.project_path())?,
            classes: suite.classes.to_vec(),
            only,
            order: suite.order.number(),
            assertions: suite.assertions,
            timeout_millis: TEST_TIMEOUT_MILLIS,
            statics: false,
            moment: None,
        })
    }

    /// Runs all tests of a suite in the warm process of an environment.
    pub(crate) fn run(
        &self,
        environment: Environment,
        suite: &Suite<'_>,
    ) -> Result<Ran, WorkerError> {
        let start = || self.start(Role::Runner(environment));
        self.runners(environment).run(&start, &self.request(environment, suite, None)?)
    }

    /// The same, and says whether there is static state that they could leave changed.
    pub(crate) fn run_with_statics(
        &self,
        environment: Environment,
        suite: &Suite<'_>,
    ) -> Result<Ran, WorkerError> {
        let start = || self.start(Role::Runner(environment));
        let mut request = self.request(environment, suite, None)?;
        if let Request::Run { statics, .. } = &mut request {
            *statics = true;
        }
        self.runners(environment).run(&start, &request)
    }

    /// Starts a process for each environment that will run no other test than all of them together.
    pub(crate) fn prepare_fresh(&self) -> Result<(), WorkerError> {
        for environment in [Environment::Usual, Environment::Changed] {
            let start = || self.start(Role::Runner(environment));
            self.runners(environment).prepare(&start)?;
        }
        Ok(())
    }

    /// Runs these tests in a process that has run no other, in the order of each of the suites, which
    /// are otherwise alike; those after one that does not pass as a whole are not run.
    pub(crate) fn run_fresh_until_bad(
        &self,
        environment: Environment,
        suites: &[Suite<'_>],
        only: &[String],
        is_over: IsOver<'_>,
    ) -> Result<Vec<Ran>, WorkerError> {
        let start = || self.start(Role::Runner(environment));
        let requests = suites.iter().map(|s| self.request(environment, s, Some(only.to_vec())));
        let requests = requests.collect::<Result<Vec<_>, _>>()?;
        let passes = |ran: &Ran| ran.runs.iter().all(|run| run.end == TestEnd::Passed);
        self.runners(environment).run_fresh_while(&start, &requests, passes, is_over)
    }

    /// Runs these tests in a process that has run no other, at each of the moments that the clock is
    /// set to; those after one that makes the process useless are left out.
    pub(crate) fn run_at(
        &self,
        moments: &[i64],
        suite: &Suite<'_>,
        only: &[String],
    ) -> Result<Vec<Ran>, WorkerError> {
        let environment = Environment::Usual;
        let start = || self.start(Role::Runner(environment));
        let requests = moments.iter().map(|at| {
            let mut request = self.request(environment, suite, Some(only.to_vec()))?;
            if let Request::Run { moment, .. } = &mut request {
                *moment = Some(*at);
            }
            Ok(request)
        });
        let requests = requests.collect::<Result<Vec<_>, WorkerError>>()?;
        self.runners(environment).run_fresh_while(&start, &requests, |_| true, &|| false)
    }

    /// Runs these tests (`class#method`) of a suite in a process that has run no other, which is
    /// given up once the time is over.
    pub(crate) fn run_fresh(
        &self,
        environment: Environment,
        suite: &Suite<'_>,
        only: Vec<String>,
        is_over: IsOver<'_>,
    ) -> Result<Ran, WorkerError> {
        let start = || self.start(Role::Runner(environment));
        let request = self.request(environment, suite, Some(only))?;
        self.runners(environment).run_fresh(&start, &request, is_over)
    }

    /// Runs all tests of a suite, whatever their order, to find those that leave static state of the
    /// project changed.
    pub(crate) fn measure(&self, process: Process, suite: &Suite<'_>) -> Result<Ran, WorkerError> {
        let start = || self.start(Role::Runner(Environment::Usual));
        let request = Request::Measure {
            class_path: suite.class_path.to_owned(),
            project: self.subject.project_path(),
            classes: suite.classes.to_vec(),
            assertions: suite.assertions,
            timeout_millis: TEST_TIMEOUT_MILLIS,
        };
        match process {
            Process::Warm => self.usual.run(&start, &request),
            Process::Fresh => self.usual.run_fresh(&start, &request, &|| false),
        }
    }
}

/// Which process runs tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Process {
    /// The warm one.
    Warm,
    /// One that has run no other test.
    Fresh,
}

pub(crate) fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
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

/// Removes a folder, if there is one: with errors nothing is written.
fn remove_folder(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
