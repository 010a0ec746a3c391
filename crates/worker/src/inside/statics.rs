//! The runner's side of finding tests that leave static state of the project changed.
//!
//! A run first tells which classes the tests initialize. In further runs, in class loaders of their
//! own, these are initialized before the first test, so that every test is measured against what
//! initialization leaves; what a test changes is put back before the next. Objects that are made on
//! first use have no state before. So a test that made some runs again after their fields were given
//! other values: who sets them does it again, who only made them does not. And tests run forward and
//! backward: who is the first to use an object in one of them is not in the other.
//!
//! How tests end does not matter here: other runs tell that.

use std::path::Path;

use classfile::ClassFile;
use classpath::ClassPath;
use jvm::{Arg, Service};

use super::{describe, folders::Folders, fresh_statics::spelled, renew, tell};
use crate::protocol::{Reply, Request, Sender};
use crate::setup::Setup;

/// The orders tests are measured in, as the runner numbers them.
const ORDERS: [i32; 2] = [0, 1];

/// The classes of the project, opened when first asked for.
#[derive(Default)]
pub(crate) struct Project(Option<ClassPath>);

impl Project {
    pub(crate) fn open(&mut self, setup: &Setup) -> &ClassPath {
        let subject = &setup.subject;
        let release = u16::try_from(subject.feature).unwrap_or(u16::MAX);
        // What cannot be read was told when the run began.
        self.0.get_or_insert_with(|| ClassPath::open(&subject.project, &[], release).0)
    }
}

/// See the module.
pub(crate) fn measure(
    service: &Service<'_>,
    request: &Request,
    sender: &Sender,
    (setup, project): (&Setup, &mut Project),
    folders: &Folders,
    begins: i64,
) -> Result<(), String> {
    let Request::Measure { class_path, project: roots, classes, assertions, timeout_millis } =
        request
    else {
        return Ok(());
    };
    let call = |method: &str, args: &[Arg<'_>]| {
        service.call(method, args).map_err(|error| describe(&error))
    };
    let open = |order: i32| {
        let args = [
            Arg::Text(Some(class_path)),
            Arg::Text(Some(roots)),
            Arg::Texts(classes),
            Arg::Int(order),
            Arg::Int((*assertions).into()),
        ];
        call("open", &args)
    };
    let run = |index: i32, name: &String| {
        tell(sender, &Reply::Started(name.clone()));
        jvm::align_shifted_clock(begins);
        let lines = call("runOne", &[Arg::Int(index), Arg::Int(*timeout_millis)])?;
        tell(sender, &Reply::Lines(lines));
        if folders.are_as_made() { Ok(()) } else { renew(folders) }
    };
    for (index, name) in (0..).zip(open(ORDERS[0])?) {
        run(index, &name)?;
    }
    let initialized = call("initialized", &[])?;
    let settable = settable(project.open(setup), &initialized, class_path, classes);
    // Most classes have none, and nothing to measure.
    let has_statics = !call("hasStatics", &[Arg::Texts(&settable)])?.is_empty();
    for order in ORDERS.into_iter().filter(|_| has_statics) {
        let names = open(order)?;
        let watched = [Arg::Texts(&initialized), Arg::Texts(&settable), Arg::Int(*timeout_millis)];
        let trouble = call("watchStatics", &watched)?;
        if !trouble.is_empty() {
            let why = format!("the static initializers came to {}", trouble.join(", "));
            tell(sender, &Reply::Unmeasured(why));
            break;
        }
        for (index, name) in (0..).zip(&names) {
            run(index, name)?;
            let mut changed = call("changedStatics", &[])?;
            if !call("unsettleStatics", &[])?.is_empty() {
                run(index, name)?;
                changed.extend(call("staticsSetAgain", &[])?);
            }
            if !changed.is_empty() {
                tell(sender, &Reply::LeftStatics(changed.join(", ")));
            }
        }
        if call("hasNewStatics", &[])?.is_empty() {
            break;
        }
    }
    call("close", &[])?;
    tell(sender, &Reply::Ran(None));
    Ok(())
}

/// Whether the classes that the tests of the open run have initialized have static state that could
/// be left changed.
pub(crate) fn are_there(
    service: &Service<'_>,
    project: &ClassPath,
    class_path: &str,
    tests: &[String],
) -> Result<bool, String> {
    let call = |method: &str, args: &[Arg<'_>]| {
        service.call(method, args).map_err(|error| describe(&error))
    };
    let initialized = call("initialized", &[])?;
    let settable = settable(project, &initialized, class_path, tests);
    Ok(!call("hasStatics", &[Arg::Texts(&settable)])?.is_empty())
}

/// The fields that the classes and their tests set at will.
fn settable(
    project: &ClassPath,
    initialized: &[String],
    class_path: &str,
    tests: &[String],
) -> Vec<String> {
    let of_project = initialized.iter().filter_map(|name| project.read(&internal(name))?.ok());
    // Tests assign fields themselves; they lie in the first folder.
    let folder = Path::new(class_path.split(':').next().unwrap_or_default());
    let of_tests = tests
        .iter()
        .filter_map(|name| std::fs::read(folder.join(format!("{}.class", internal(name)))).ok());
    // What the JVM has taken can be read.
    let parsed = of_project.chain(of_tests).filter_map(|bytes| ClassFile::parse(&bytes).ok());
    let fields = analysis::set_fields(&parsed.collect::<Vec<_>>());
    fields.iter().map(|(field, to)| spelled(field, *to)).collect()
}

fn internal(binary: &str) -> String {
    binary.replace('.', "/")
}
