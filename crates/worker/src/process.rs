//! A worker process, as the supervisor sees it.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use crate::protocol::{Reply, Request, read_message, write_message};
use crate::scratch::Scratch;
use crate::setup::{Role, Setup, Subject};

/// What is wrong with a worker, or with starting one.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The process could not be started.
    #[error("cannot start a worker process")]
    Start(#[source] io::Error),
    /// Its scratch folder could not be made.
    #[error("cannot make a scratch folder")]
    Scratch(#[source] io::Error),
    /// It did not come up, nor would another.
    #[error("workers cannot start: {0}")]
    Unstartable(String),
    /// It said why it cannot go on: a defect of Testhound.
    #[error("the worker failed: {0}")]
    Failed(String),
    /// It ended, or did not answer in time.
    #[error("the worker {how}{}", log_suffix(log))]
    Died {
        /// How.
        how: String,
        /// The end of what it wrote to its error stream.
        log: String,
    },
    /// Nobody waits for its answer any more.
    #[error("the worker was given up")]
    GivenUp,
}

impl WorkerError {
    /// Whether it concerns all workers, not only one and what it was asked.
    pub fn is_of_the_machine(&self) -> bool {
        matches!(self, Self::Start(_) | Self::Scratch(_) | Self::Unstartable(_))
    }
}

fn log_suffix(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!("; it said: {log}") }
}

/// How worker processes are started.
#[derive(Clone, Debug)]
pub struct Launcher {
    /// This executable.
    pub program: PathBuf,
    /// The arguments that make it a worker.
    pub args: Vec<String>,
    /// Whether workers confine themselves.
    pub sandbox: bool,
    /// Further arguments for their JVMs.
    pub jvm_args: Vec<String>,
}

impl Launcher {
    /// Workers that are this executable with the argument `worker`.
    pub fn this_executable(sandbox: bool) -> io::Result<Self> {
        Ok(Self {
            program: std::env::current_exe()?,
            args: vec!["worker".to_owned()],
            sandbox,
            jvm_args: Vec::new(),
        })
    }

    /// Starts a worker; it is ready once it says so.
    pub(crate) fn start(
        &self,
        role: Role,
        subject: &Subject,
        scratch: &Arc<Scratch>,
    ) -> Result<WorkerProcess, WorkerError> {
        self.start_in(role, subject, scratch, None)
    }

    /// The same; the process stands in that folder, if one is given.
    pub(crate) fn start_in(
        &self,
        role: Role,
        subject: &Subject,
        scratch: &Arc<Scratch>,
        working: Option<&Path>,
    ) -> Result<WorkerProcess, WorkerError> {
        let folder = scratch.folder("worker").map_err(WorkerError::Scratch)?;
        let setup = Setup {
            role,
            subject: subject.clone(),
            scratch: folder.clone(),
            sandbox: self.sandbox,
            working: working.map(Path::to_owned),
            jvm_args: self.jvm_args.clone(),
        };
        let places = setup.places();
        for place in [&places.working, &places.temporary, &places.home] {
            std::fs::create_dir_all(place).map_err(WorkerError::Scratch)?;
        }
        if role == Role::Runner(crate::Environment::Changed) {
            let home = setup.other_jdk_home();
            std::os::unix::fs::symlink(&subject.jdk_home, home).map_err(WorkerError::Scratch)?;
        }
        let log = std::fs::File::create(folder.join("log")).map_err(WorkerError::Scratch)?;
        let mut child = Command::new(&self.program)
            .args(&self.args)
            .env_clear()
            .envs(role.environment().variables(&folder))
            .current_dir(working.unwrap_or(&places.working))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log)
            // Ctrl-C is for the supervisor, which tells its workers itself.
            .process_group(0)
            .spawn()
            .map_err(WorkerError::Start)?;
        let stdin = child.stdin.take();
        let mut stdout = child.stdout.take().expect("stdout was asked to be a pipe");
        let (sender, replies): (Sender<Reply>, _) = channel();
        std::thread::spawn(move || {
            // The end of the stream is that of the process; a message that nobody can read is a defect
            // of ours, and no deed of code under test.
            loop {
                let reply = match read_message(&mut stdout) {
                    Ok(None) => break,
                    Ok(Some(reply)) => reply,
                    Err(error) => Reply::Failed(format!("a message that cannot be read: {error}")),
                };
                let is_last = matches!(reply, Reply::Failed(_));
                if sender.send(reply).is_err() || is_last {
                    break;
                }
            }
        });
        let mut process = WorkerProcess { child, stdin, replies, folder, ready: false };
        process.send(&Request::Setup(Box::new(setup)))?;
        Ok(process)
    }
}

/// A running worker; it is killed and its folder removed when this is dropped.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    replies: Receiver<Reply>,
    folder: PathBuf,
    ready: bool,
}

/// A JVM takes a fraction of a second to start; on a machine under load some more.
const START_LIMIT: Duration = Duration::from_secs(60);

impl WorkerProcess {
    pub(crate) fn send(&mut self, request: &Request) -> Result<(), WorkerError> {
        let Some(stdin) = &mut self.stdin else { return Err(self.died("was closed")) };
        if let Err(error) = write_message(stdin, request) {
            return Err(self.died(&format!("took no message ({error})")));
        }
        Ok(())
    }

    /// The next reply; an error if the worker is gone or silent for too long.
    pub(crate) fn receive(&mut self, limit: Duration) -> Result<Reply, WorkerError> {
        match self.replies.recv_timeout(limit) {
            Ok(Reply::Failed(why)) => Err(WorkerError::Failed(why)),
            Ok(reply) => Ok(reply),
            Err(RecvTimeoutError::Timeout) => {
                Err(self.died(&format!("was silent for {} s", limit.as_secs())))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let how = self.wait_for_end();
                Err(self.died(&how))
            }
        }
    }

    /// The next reply if one comes within `limit`.
    pub(crate) fn poll(&mut self, limit: Duration) -> Option<Result<Reply, WorkerError>> {
        match self.replies.recv_timeout(limit) {
            Err(RecvTimeoutError::Timeout) => None,
            Ok(reply) => Some(Ok(reply)),
            Err(RecvTimeoutError::Disconnected) => {
                let how = self.wait_for_end();
                Some(Err(self.died(&how)))
            }
        }
    }

    /// Waits until the JVM is up; does nothing if it was waited for before.
    pub(crate) fn wait_until_ready(&mut self) -> Result<(), WorkerError> {
        if self.ready {
            return Ok(());
        }
        match self.receive(START_LIMIT) {
            Ok(Reply::Ready) => {
                self.ready = true;
                Ok(())
            }
            Ok(other) => Err(WorkerError::Unstartable(format!("an unexpected reply: {other:?}"))),
            Err(WorkerError::Failed(why)) => Err(WorkerError::Unstartable(why)),
            Err(error) => Err(error),
        }
    }

    fn wait_for_end(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_secs(5);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("ended ({status})"),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => return "closed its output".to_owned(),
            }
        }
    }

    pub(crate) fn died(&self, how: &str) -> WorkerError {
        let log = std::fs::read(self.folder.join("log")).unwrap_or_default();
        let tail = String::from_utf8_lossy(&log[log.len().saturating_sub(600)..]).into_owned();
        WorkerError::Died { how: how.to_owned(), log: tail.trim().to_owned() }
    }

    /// The worker's folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        // Its input closed, a worker ends by itself, but nothing needs to wait for that.
        self.stdin = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
