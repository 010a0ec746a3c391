//! What starting a worker costs, and what a search costs beside the calls it makes.
//!
//! For the benchmarks, which cannot reach these parts from outside: the same steps as a worker's,
//! in a process that is made for it, with the clock looked at in between.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use jvm::Jvm;
use model::TestCase;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use search::{
    Budget, Components, Driver, Exceptions, Executor, FeedbackDirected, Move, Report, Rng,
    Settings, Strategy, Values,
};

use super::hook::Others;
use super::{describe, hook, knowledge, machine, unit, watchdog};
use crate::protocol::{Sender, Unit, UnitBudget};
use crate::setup::{Role, Setup, Subject};

/// Processor time of a search and of the same calls without it.
#[derive(Clone, Copy, Debug)]
pub struct Overhead {
    /// Calls made.
    pub calls: u64,
    /// By the search: choosing, running, looking at coverage and effects, keeping.
    pub search: Duration,
    /// By the same test cases, opened, run and closed.
    pub raw: Duration,
}

struct Phases {
    last: Instant,
    spent: Vec<(&'static str, Duration)>,
}

impl Phases {
    fn end(&mut self, name: &'static str) {
        let now = Instant::now();
        self.spent.push((name, now - self.last));
        self.last = now;
    }
}

fn setup(subject: &Subject, scratch: &Path) -> Setup {
    Setup {
        role: Role::Search,
        subject: subject.clone(),
        scratch: scratch.to_owned(),
        sandbox: true,
        // Its remarks would stand among the figures.
        jvm_args: vec!["-Xlog:disable".to_owned()],
    }
}

/// Replies go nowhere.
fn no_supervisor() -> Result<Sender, String> {
    let null = File::options().write(true).open("/dev/null").map_err(|e| e.to_string())?;
    Ok(Arc::new(Mutex::new(null)))
}

/// Starts as a worker does; what each phase took. Once in a process, before any thread.
pub fn start_phases(
    subject: &Subject,
    scratch: &Path,
) -> Result<Vec<(&'static str, Duration)>, String> {
    let mut phases = Phases { last: Instant::now(), spent: Vec::new() };
    let (setup, sender) = (setup(subject, scratch), no_supervisor()?);
    let policy = sandbox::Policy::code_under_test(&setup.scratch);
    sandbox::enter(&policy).map_err(|e| describe(&e))?;
    phases.end("sandbox");
    let jvm = Jvm::create(&setup.jvm_options()).map_err(|e| describe(&e))?;
    phases.end("JVM");
    jvm.define_boot_classes(runtime::boot_classes()).map_err(|e| describe(&e))?;
    phases.end("boot classes, natives");
    hook::install(&jvm, Others::Counted).map_err(|e| describe(&e))?;
    phases.end("hooks");
    let _world = unit::open_world(&setup)?;
    phases.end("world");
    let machine = machine::Machine::new(&setup, &jvm, &sender).map_err(|e| describe(&e))?;
    phases.end("executor, settings");
    let _watchdog = watchdog::start(&jvm, &machine, &sender).map_err(|e| describe(&e))?;
    phases.end("watchdog");
    Ok(phases.spent)
}

/// Notes what a strategy proposes.
struct Recorder<'s, 'a> {
    strategy: &'s mut FeedbackDirected<'a>,
    proposed: Vec<Arc<TestCase>>,
}

impl Strategy for Recorder<'_, '_> {
    fn propose(&mut self, rng: &mut Rng) -> Option<Move> {
        let proposed = self.strategy.propose(rng);
        if let Some(Move::Run(case)) = &proposed {
            self.proposed.push(case.clone());
        }
        proposed
    }

    fn observe(&mut self, case: &TestCase, report: &Report, values: &dyn Values, rng: &mut Rng) {
        self.strategy.observe(case, report, values, rng);
    }
}

/// Time this thread has been running.
fn cpu_time() -> Result<Duration, String> {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).map_err(|e| e.to_string())?;
    let total = usage.user_time() + usage.system_time();
    Ok(Duration::from_micros(total.num_microseconds().unsigned_abs()))
}

/// A unit of work for a class, steered by these components.
fn unit_of(class: &str, calls: u64, components: Components) -> Unit {
    Unit {
        class: class.to_owned(),
        seed: 1,
        budget: UnitBudget::Calls(calls),
        exceptions: Exceptions::default(),
        components,
        injection: false,
        avoid: Vec::new(),
        replay: Vec::new(),
        replay_failures: Vec::new(),
    }
}

fn settings(calls: u64) -> Settings {
    let exceptions = Exceptions::default();
    Settings { budget: Budget::Calls(calls), seed: 1, stop: None, exceptions }
}

/// Searches tests for a class, then runs the same test cases without search. Once in a process,
/// before any thread. All is done once before it is measured, so that code is compiled.
pub fn search_overhead(
    subject: &Subject,
    scratch: &Path,
    class: &str,
    calls: u64,
) -> Result<Overhead, String> {
    let (setup, sender) = (setup(subject, scratch), no_supervisor()?);
    let policy = sandbox::Policy::code_under_test(&setup.scratch);
    sandbox::enter(&policy).map_err(|e| describe(&e))?;
    let jvm = super::start_jvm(&setup).map_err(|e| describe(&e))?;
    let world = unit::open_world(&setup)?;
    let mut machine = machine::Machine::new(&setup, &jvm, &sender).map_err(|e| describe(&e))?;
    let _watchdog = watchdog::start(&jvm, &machine, &sender).map_err(|e| describe(&e))?;
    let unit = unit_of(class, calls, Components::NONE);
    let unit::Prepared { api, avoid, .. } = unit::prepare(&world, &mut machine, &unit)
        .map_err(|result| format!("{class}: {:?}", result.reasons))?;
    let mut strategy = FeedbackDirected::new(&api, &avoid);
    let mut recorder = Recorder { strategy: &mut strategy, proposed: Vec::new() };
    Driver::new(&mut machine, &api, settings(calls)).run(&mut recorder, &mut |_| {});
    let proposed = recorder.proposed;

    machine.clear_hits();
    let mut strategy = FeedbackDirected::new(&api, &avoid);
    let mut driver = Driver::new(&mut machine, &api, settings(calls));
    let before = cpu_time()?;
    driver.run(&mut strategy, &mut |_| {});
    let search = cpu_time()? - before;
    let searched = driver.statistics().calls;

    run_raw(&mut machine, &proposed[..proposed.len() / 10]);
    let before = cpu_time()?;
    let ran = run_raw(&mut machine, &proposed);
    let raw = cpu_time()? - before;
    // The same seed makes the same test cases, unless static state makes a difference.
    Ok(Overhead { calls: searched, search, raw: raw.mul_f64(searched as f64 / ran as f64) })
}

/// The memory in use, in KiB, when a search with everything on has made so many calls, for each of
/// these numbers. Once in a process, before any thread.
pub fn search_memory(
    subject: &Subject,
    scratch: &Path,
    class: &str,
    marks: &[u64],
) -> Result<Vec<u64>, String> {
    let (setup, sender) = (setup(subject, scratch), no_supervisor()?);
    let policy = sandbox::Policy::code_under_test(&setup.scratch);
    sandbox::enter(&policy).map_err(|e| describe(&e))?;
    let jvm = super::start_jvm(&setup).map_err(|e| describe(&e))?;
    let world = unit::open_world(&setup)?;
    let mut machine = machine::Machine::new(&setup, &jvm, &sender).map_err(|e| describe(&e))?;
    let _watchdog = watchdog::start(&jvm, &machine, &sender).map_err(|e| describe(&e))?;
    let calls = marks.iter().copied().max().unwrap_or(0);
    let unit = unit_of(class, calls, Components::all());
    let unit::Prepared { api, avoid, plans } = unit::prepare(&world, &mut machine, &unit)
        .map_err(|result| format!("{class}: {:?}", result.reasons))?;
    let known = knowledge::of(&world, None, &api, &plans);
    let mut strategy = FeedbackDirected::guided(&api, &avoid, unit.components, &known);
    let mut driver = Driver::new(&mut machine, &api, settings(calls));
    let mut used = Vec::new();
    driver.run(&mut strategy, &mut |event| {
        if let search::Event::Tick { calls, .. } = event
            && marks.get(used.len()).is_some_and(|mark| calls >= *mark)
        {
            used.push(resident());
        }
    });
    // The last tick may come before the last call.
    used.resize_with(marks.len(), resident);
    used.into_iter().collect()
}

/// The memory of this process, in KiB.
fn resident() -> Result<u64, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    number.ok_or_else(|| "the kernel does not tell how much memory is in use".to_owned())
}

/// Runs test cases as the driver does, up to the first call that does not return; calls made.
fn run_raw(executor: &mut impl Executor, cases: &[Arc<TestCase>]) -> u64 {
    let mut calls = 0;
    for case in cases {
        executor.begin(&case.slots);
        for call in &case.calls {
            calls += 1;
            let end = executor.call(call);
            if end != model::CallEnd::Returned {
                break;
            }
        }
        executor.end();
    }
    calls
}
