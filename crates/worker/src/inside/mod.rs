//! The worker's side: confine, start the JVM, do what is asked, end with the supervisor.

mod asked;
mod explored;
mod feared;
mod file_names;
mod folders;
mod foreign;
mod fresh_statics;
mod hook;
mod implement;
mod knowledge;
mod machine;
pub mod measure;
mod mutation;
mod observing;
mod open_files;
pub(crate) mod own_folder;
mod planned;
mod read_texts;
mod readings;
mod statics;
mod thread_time;
mod unit;
mod untold;
mod watchdog;

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use classpath::SearchPath;
use jvm::{Arg, Jvm, Service};
use rustc_hash::FxHashSet;

use self::folders::Folders;
use self::hook::Others;

use crate::environment::Environment;
use crate::moments;
use crate::protocol::{Reply, Request, Sender, read_message, write_message};
use crate::setup::{Role, Setup};

/// Stack of the thread that runs code under test: overflow comes soon and costs little.
const STACK: usize = 1 << 20;

/// Runs this process as a worker until its input closes.
pub fn worker_main() -> ExitCode {
    let (input, output) = match take_streams() {
        Ok(streams) => streams,
        Err(_) => return ExitCode::from(70),
    };
    let sender: Sender = Arc::new(Mutex::new(output));
    match serve(input, &sender) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            tell(&sender, &Reply::Failed(why));
            ExitCode::from(70)
        }
    }
}

/// Moves the pipes to the supervisor out of reach of `System.in` and `System.out`, which get an
/// empty input and no output.
fn take_streams() -> io::Result<(File, File)> {
    let input: OwnedFd = nix::unistd::dup(io::stdin())?;
    let output: OwnedFd = nix::unistd::dup(io::stdout())?;
    let null = File::options().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&null)?;
    nix::unistd::dup2_stdout(&null)?;
    Ok((File::from(input), File::from(output)))
}

pub(crate) fn tell(sender: &Sender, reply: &Reply) {
    let mut pipe = sender.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // A supervisor that is gone needs no answer; this process ends when its input closes.
    let _ = write_message(&mut *pipe, reply);
}

fn serve(mut input: File, sender: &Sender) -> Result<(), String> {
    let setup = match read_message::<Request>(&mut input).map_err(|e| e.to_string())? {
        Some(Request::Setup(setup)) => *setup,
        Some(_) => return Err("the first message is not a setup".to_owned()),
        None => return Ok(()),
    };
    if setup.sandbox {
        sandbox::enter(&sandbox::Policy::code_under_test(&setup.scratch))
            .map_err(|error| describe(&error))?;
    }
    if !matches!(setup.role, Role::Compiler | Role::Mutation) {
        renew(&Folders::of(&setup))?;
    }
    let jvm = start_jvm(&setup).map_err(|error| describe(&error))?;
    let stop = Arc::new(AtomicBool::new(false));
    let requests = listen(input, &stop);
    let (setup, jvm, stop) = (&setup, &jvm, &stop);
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("test".to_owned()).stack_size(STACK);
        let worker = thread.spawn_scoped(scope, move || match setup.role {
            Role::Search => search(setup, jvm, &requests, stop, sender),
            Role::Compiler => services(setup, jvm, &requests, sender, "Compiler"),
            Role::Runner(_) => services(setup, jvm, &requests, sender, "TestRunner"),
            Role::Mutation => mutation::serve(setup, jvm, &requests, sender),
        });
        match worker.map_err(|e| e.to_string())?.join() {
            Ok(result) => result,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                Err(format!("the worker panicked: {}", text.unwrap_or("for no reason given")))
            }
        }
    })
}

/// An error with its causes, in one line.
pub(crate) fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}

fn start_jvm(setup: &Setup) -> Result<Jvm, jvm::JvmError> {
    let jvm = Jvm::create(&setup.jvm_options())?;
    let walk = match setup.role {
        Role::Runner(Environment::Changed) => jvm::Walk::Backward,
        _ => jvm::Walk::Forward,
    };
    jvm::set_walk(&jvm, walk)?;
    jvm.define_boot_classes(runtime::boot_classes())?;
    let others = match setup.role {
        Role::Search => Others::Counted,
        Role::Mutation => Others::CountedButJunit,
        Role::Compiler | Role::Runner(Environment::Usual) => Others::Plain,
        Role::Runner(Environment::Changed) => Others::WithForeignMembers,
    };
    hook::install(&jvm, others)?;
    match setup.role {
        Role::Search => {
            jvm::count_clock(&jvm)?;
            jvm::change_file_attributes(&jvm, jvm::FileAttributes::OfOneAge)?;
            // They come at moments that differ from search to search; the runner collects garbage
            // and drops tests that leave such objects behind.
            jvm::leave_out_cleaning();
        }
        Role::Compiler | Role::Mutation => {}
        Role::Runner(Environment::Usual) => {
            jvm::shift_clock(&jvm, moments::USUAL, jvm::Readings::MayBeAlike)?;
            jvm::change_file_attributes(&jvm, jvm::FileAttributes::OfOtherAges)?;
        }
        Role::Runner(Environment::Changed) => {
            jvm::shift_clock(&jvm, moments::CHANGED, jvm::Readings::Differ)?;
            jvm::change_file_attributes(&jvm, jvm::FileAttributes::OfElsewhere)?;
            jvm::reverse_members(&jvm)?;
        }
    }
    Ok(jvm)
}

/// Reads requests on a thread of its own, so that a stop is heard during work. The process ends
/// with its input: the supervisor is gone then.
fn listen(mut input: File, stop: &Arc<AtomicBool>) -> Receiver<Request> {
    let (sender, receiver) = channel();
    let stop = stop.clone();
    std::thread::spawn(move || {
        loop {
            match read_message::<Request>(&mut input) {
                Ok(Some(Request::Stop)) => stop.store(true, Ordering::Release),
                Ok(Some(request)) => {
                    if sender.send(request).is_err() {
                        return;
                    }
                }
                // Not `exit`: that would wait for the JVM, whose threads may never end.
                Ok(None) | Err(_) => std::process::abort(),
            }
        }
    });
    receiver
}

fn search(
    setup: &Setup,
    jvm: &Jvm,
    requests: &Receiver<Request>,
    stop: &Arc<AtomicBool>,
    sender: &Sender,
) -> Result<(), String> {
    let world = unit::open_world(setup)?;
    let summaries = unit::summaries(setup)?;
    let mut machine = machine::Machine::new(setup, jvm, sender).map_err(|e| describe(&e))?;
    let watchdog = watchdog::start(jvm, &machine, sender).map_err(|e| describe(&e))?;
    tell(sender, &Reply::Ready);
    while let Ok(request) = requests.recv() {
        match request {
            Request::Search(unit) => {
                watchdog.watch_for(&unit.budget);
                machine.judge_threads_for(&unit.budget);
                let result =
                    unit::run(&world, summaries.as_ref(), &mut machine, &unit, stop, sender);
                hook::check_monitor().map_err(|e| describe(&e))?;
                tell(sender, &Reply::Done(Box::new(result)));
            }
            Request::Repeat { unit, cases, texts } => {
                watchdog.watch_for(&unit.budget);
                machine.judge_threads_for(&unit.budget);
                let result = observing::run(&world, &mut machine, &unit, (&cases, texts), sender);
                hook::check_monitor().map_err(|e| describe(&e))?;
                tell(sender, &Reply::Done(Box::new(result)));
            }
            other => return Err(format!("not for a search worker: {other:?}")),
        }
    }
    Ok(())
}

fn services(
    setup: &Setup,
    jvm: &Jvm,
    requests: &Receiver<Request>,
    sender: &Sender,
    service: &str,
) -> Result<(), String> {
    let folders = Folders::of(setup);
    let mut search_path = SearchPath::default();
    let mut project = statics::Project::default();
    let service = format!("testhound/runtime/{service}");
    let service = Service::define(jvm, runtime::service_classes(), &service)
        .map_err(|error| describe(&error))?;
    if let Role::Runner(environment) = setup.role {
        let pairs = environment.properties(setup.subject.feature, &setup.other_jdk_home());
        let pairs: Vec<String> = pairs.into_iter().flat_map(|(k, v)| [k.to_owned(), v]).collect();
        let set = service.call("setProperties", &[Arg::Texts(&pairs)]);
        set.map_err(|error| describe(&error))?;
    }
    let mut note_known = |class_path: &str| {
        let mut entries: Vec<PathBuf> = class_path.split(':').map(PathBuf::from).collect();
        entries.extend([setup.no_classes(), setup.other_jdk_home()]);
        jvm::set_known_class_path(&search_path.places(&entries));
    };
    tell(sender, &Reply::Ready);
    while let Ok(request) = requests.recv() {
        let answer = match &request {
            Request::Compile { names, sources, class_path, output, release } => service.call(
                "compile",
                &[
                    Arg::Texts(names),
                    Arg::Texts(sources),
                    Arg::Text(Some(class_path)),
                    Arg::Text(Some(output)),
                    Arg::Text(release.as_deref()),
                ],
            ),
            Request::Run { class_path, .. } => {
                note_known(class_path);
                let running = |s: &Service<'_>| {
                    run_tests(s, &request, sender, (setup, &mut project), &folders)
                };
                service.watching(running).0?;
                continue;
            }
            Request::Measure { class_path, .. } => {
                note_known(class_path);
                jvm::set_shifted_clock(moments::USUAL);
                let begins = begins_at(setup.role);
                let measuring = |s: &Service<'_>| {
                    statics::measure(s, &request, sender, (setup, &mut project), &folders, begins)
                };
                service.watching(measuring).0?;
                continue;
            }
            Request::TestsOf { class_path, class } => {
                note_known(class_path);
                let path = Arg::Text(Some(class_path));
                let args = [path, path, Arg::Text(Some(class))];
                service.watching(|service| service.call("testsOf", &args)).0
            }
            Request::Record { class_path, class, method, own, timeout_millis } => {
                note_known(class_path);
                // The same for every test, and for what is written of it.
                jvm::set_shifted_clock(moments::USUAL);
                renew(&folders)?;
                let path = Arg::Text(Some(class_path));
                let (class, method) = (Arg::Text(Some(class)), Arg::Text(Some(method)));
                let args = [path, path, class, method, Arg::Texts(own), Arg::Int(*timeout_millis)];
                service.watching(|service| service.call("record", &args)).0
            }
            other => return Err(format!("not for a service: {other:?}")),
        };
        match answer {
            Ok(lines) => tell(sender, &Reply::Lines(lines)),
            Err(error) => return Err(describe(&error)),
        }
    }
    Ok(())
}

/// The part of an even and the odd second after it at which each test starts: unlike in the other
/// environment, and unlike in the search, whose clock starts at 1619.
fn begins_at(role: Role) -> i64 {
    if role == Role::Runner(Environment::Changed) { 342 } else { 1087 }
}

/// Runs tests one by one. Each is named before it starts and told of when it has ended, so that the
/// supervisor knows whom to blame should this process end, and loses no answer.
fn run_tests(
    service: &Service<'_>,
    request: &Request,
    sender: &Sender,
    (setup, opened): (&Setup, &mut statics::Project),
    folders: &Folders,
) -> Result<(), String> {
    let Request::Run {
        class_path,
        project,
        classes,
        only,
        order,
        assertions,
        timeout_millis,
        statics,
        moment,
    } = request
    else {
        return Ok(());
    };
    let only: Option<FxHashSet<&str>> =
        only.as_ref().map(|only| only.iter().map(String::as_str).collect());
    let args = [
        Arg::Text(Some(class_path)),
        Arg::Text(Some(project)),
        Arg::Texts(classes),
        Arg::Int(*order),
        Arg::Int((*assertions).into()),
    ];
    let call = |method: &str, args: &[Arg<'_>]| {
        service.call(method, args).map_err(|error| describe(&error))
    };
    jvm::set_shifted_clock(moment.unwrap_or_else(|| moments::starting(setup.role)));
    let names = call("open", &args)?;
    for (index, name) in (0..).zip(&names) {
        // Without a method it is the answer for the whole class.
        let is_meant =
            name.ends_with('#') || only.as_ref().is_none_or(|only| only.contains(&**name));
        if is_meant {
            tell(sender, &Reply::Started(name.clone()));
            let args = [Arg::Int(index), Arg::Int(*timeout_millis)];
            if moment.is_none() {
                jvm::align_shifted_clock(begins_at(setup.role));
            }
            let dates = jvm::dates_read();
            let mut lines = call("runOne", &args)?;
            if jvm::dates_read() != dates {
                tell(sender, &Reply::AskedForDate);
            }
            if !folders.are_as_made() {
                lines.iter_mut().for_each(|line| *line = with_files_changed(line));
                renew(folders)?;
            }
            tell(sender, &Reply::Lines(lines));
        }
    }
    if *statics && statics::are_there(service, opened.open(setup), class_path, classes)? {
        tell(sender, &Reply::HasStatics);
    }
    // Collecting garbage takes longer than the tests do, and what these leave behind was looked at
    // before they ran at other moments.
    let mut late = match moment {
        None => call("afterwards", &[])?.into_iter().next(),
        Some(_) => None,
    };
    if !folders.are_as_made() {
        late.get_or_insert_with(|| "files".to_owned());
        renew(folders)?;
    }
    call("close", &[])?;
    hook::check_monitor().map_err(|error| describe(&error))?;
    tell(sender, &Reply::Ran(late));
    Ok(())
}

fn renew(folders: &Folders) -> Result<(), String> {
    folders.renew().map_err(|error| format!("the scratch folders cannot be made: {error}"))
}

/// What is said of a test that changed files without any effect having been seen: that it left
/// something changed, however it ended. A test that did not end stays one.
fn with_files_changed(line: &str) -> String {
    let mut fields: Vec<&str> = line.split('\t').collect();
    if let [_, status @ ("PASS" | "FAIL" | "ERROR"), _, message, ..] = &mut fields[..] {
        *status = "LEFT_CHANGED";
        *message = "files";
    }
    fields.join("\t")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{TestEnd, parse_run};

    #[test]
    fn a_test_that_changed_files_is_told_to_have_left_them_changed() {
        let check = |line: &str, end: TestEnd| {
            let run = parse_run(&with_files_changed(line)).expect("a line as runners write it");
            assert_eq!(run.end, end, "{line}");
        };
        let left = |what: &str| TestEnd::LeftChanged(what.to_owned());
        check("a.B#c\tPASS\t\t\t", left("left files changed"));
        check("a.B#c\tERROR\tjava.lang.Error\twhy\tframe", left("left files changed"));
        check("a.B#c\tLEFT_CHANGED\t\teffects 1\t", left("wrote a file"));
        check("a.B#c\tTIMEOUT\t\tno end\tframe", TestEnd::TimedOut);
    }
}
