//! Runs tests that somebody wrote, one by one, and hands on what they tell of their calls.
//!
//! Each test has a class loader of its own; the process is replaced when a test has ended it or does
//! not end, and now and then, for what tests leave in the JDK.

use std::sync::Arc;
use std::time::Duration;

use instrument::{RecordSite, SiteKind};
use model::{ClassName, MethodDescriptor, Operation, OperationKind, Type};

use crate::environment::Environment;
use crate::process::{Launcher, WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};
use crate::scratch::Scratch;
use crate::setup::{Role, Subject};

/// A test may take so long.
const TIMEOUT_MILLIS: i32 = 20_000;
/// The process says something in this time.
const LIMIT: Duration = Duration::from_secs(60);
/// Tests that one process runs.
const TESTS_PER_PROCESS: u32 = 400;

/// See the module.
pub struct Recorder {
    launcher: Launcher,
    subject: Subject,
    scratch: Arc<Scratch>,
    process: Option<WorkerProcess>,
    served: u32,
}

/// What came of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// These lines.
    Lines(Vec<String>),
    /// The process ended, and how.
    Died(String),
}

impl Recorder {
    /// A recorder for tests of a subject; its process starts when it is first needed.
    pub fn new(launcher: Launcher, subject: Subject, scratch: Arc<Scratch>) -> Self {
        Self { launcher, subject, scratch, process: None, served: 0 }
    }

    /// The tests of a class, by binary name: name, version of JUnit, and why it cannot be run alone.
    pub fn tests_of(&mut self, class_path: &str, class: &str) -> Result<Answer, WorkerError> {
        let (class_path, class) = (class_path.to_owned(), class.to_owned());
        self.ask(&Request::TestsOf { class_path, class })
    }

    /// Runs a test whose class tells its calls. `own` are the classes whose objects are the test.
    pub fn record(
        &mut self,
        class_path: &str,
        (class, method): (&str, &str),
        own: &[String],
    ) -> Result<Answer, WorkerError> {
        self.ask(&Request::Record {
            class_path: class_path.to_owned(),
            class: class.to_owned(),
            method: method.to_owned(),
            own: own.to_vec(),
            timeout_millis: TIMEOUT_MILLIS,
        })
    }

    fn ask(&mut self, request: &Request) -> Result<Answer, WorkerError> {
        if self.served >= TESTS_PER_PROCESS {
            self.process = None;
        }
        let process = match &mut self.process {
            Some(process) => process,
            none => {
                let role = Role::Runner(Environment::Usual);
                let mut process = self.launcher.start(role, &self.subject, &self.scratch)?;
                process.wait_until_ready()?;
                self.served = 0;
                none.insert(process)
            }
        };
        self.served += 1;
        let answer = process.send(request).and_then(|()| process.receive(LIMIT));
        match answer {
            Ok(Reply::Lines(lines)) => {
                if lines.last().is_some_and(|line| line.starts_with("E\ttimeout\t")) {
                    self.process = None;
                }
                Ok(Answer::Lines(lines))
            }
            Ok(other) => Err(WorkerError::Failed(format!("an unexpected reply: {other:?}"))),
            Err(WorkerError::Died { how, .. } | WorkerError::Failed(how)) => {
                self.process = None;
                Ok(Answer::Died(how))
            }
            Err(error) => Err(error),
        }
    }
}

/// What is done at a recorded site, in the terms of test cases; `None` for descriptors that are none.
pub fn site(site: &RecordSite) -> Option<canon::Site> {
    let owner = ClassName::internal(&site.owner);
    let object = Type::Class(owner.clone());
    let field = || Type::parse(&site.descriptor).ok();
    let method = || MethodDescriptor::parse(&site.descriptor).ok();
    let (kind, params, result) = match site.kind {
        SiteKind::Static => {
            let MethodDescriptor { params, result } = method()?;
            (OperationKind::StaticMethod, params, result)
        }
        SiteKind::Instance => {
            let MethodDescriptor { mut params, result } = method()?;
            params.insert(0, object);
            (OperationKind::InstanceMethod, params, result)
        }
        SiteKind::New => (OperationKind::Constructor, method()?.params, Some(object)),
        SiteKind::GetStatic => (OperationKind::StaticField, Vec::new(), Some(field()?)),
        SiteKind::GetField => (OperationKind::InstanceField, vec![object], Some(field()?)),
        SiteKind::PutStatic => (OperationKind::StaticField, vec![field()?], Some(field()?)),
        SiteKind::PutField => (OperationKind::SetField, vec![object, field()?], None),
    };
    let name = site.name.as_str().into();
    let op = Operation { kind, owner, name, params, result, implementation: None };
    Some(canon::Site { op: op.into(), sets_static: site.kind == SiteKind::PutStatic })
}
