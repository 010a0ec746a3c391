//! What starting a worker costs, and what a search costs beside the calls it makes.
//!
//! For the benchmarks, which cannot reach these parts from outside: the same steps as a worker's,
//! in a process that is made for it, with the clock looked at in between.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use classpath::World;
use jvm::Jvm;
use model::TestCase;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use search::{
    Components, Driver, Exceptions, Executor, FeedbackDirected, Knowledge, Move, Report, Rng,
    Strategy, Values,
};

use super::hook::Others;
use super::machine::Machine;
use super::readings::Readings;
use super::unit::{self, Prepared};
use super::{describe, hook, knowledge, watchdog};
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
        working: None,
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
    let machine = Machine::new(&setup, &jvm, &sender).map_err(|e| describe(&e))?;
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

/// How often each is measured.
const ROUNDS: usize = 5;

/// A unit of work for a class, steered by these components.
fn unit_of(class: &str, calls: u64, components: Components) -> Unit {
    Unit {
        class: class.to_owned(),
        seed: 1,
        budget: UnitBudget::Calls(calls),
        exceptions: Exceptions::default(),
        components,
        approach: crate::Approach::Guided,
        injection: false,
        searches_only: 0,
        avoid: Vec::new(),
        seeds: Vec::new(),
        replay: Vec::new(),
        replay_failures: Vec::new(),
    }
}

/// Starts as a worker does, up to the first call of a unit's search, and hands on what there is then.
/// Once in a process, before any thread.
fn prepared<T>(
    subject: &Subject,
    scratch: &Path,
    unit: &Unit,
    work: impl FnOnce(&mut Machine<'_>, &Prepared, (&World, &Knowledge)) -> Result<T, String>,
) -> Result<T, String> {
    let (setup, sender) = (setup(subject, scratch), no_supervisor()?);
    let policy = sandbox::Policy::code_under_test(&setup.scratch);
    sandbox::enter(&policy).map_err(|e| describe(&e))?;
    let jvm = super::start_jvm(&setup).map_err(|e| describe(&e))?;
    let world = unit::open_world(&setup)?;
    let summaries = unit::summaries(&setup)?;
    let mut machine = Machine::new(&setup, &jvm, &sender).map_err(|e| describe(&e))?;
    let _watchdog = watchdog::start(&jvm, &machine, &sender).map_err(|e| describe(&e))?;
    let readings = Readings::new(&world);
    let prepared = unit::prepare(&readings, &mut machine, unit)
        .map_err(|result| format!("{}: {:?}", unit.class, result.reasons))?;
    let known = knowledge::of(&readings, summaries.as_ref(), &prepared.api, &prepared.plans);
    work(&mut machine, &prepared, (&world, &known))
}

/// Searches tests for a class, then runs the same test cases without search, several times by turns:
/// the shortest times are those that the rest of the machine disturbed least. Once in a process, before
/// any thread. All is done once before it is measured, so that code is compiled. The search is plain, or
/// has all that guides it.
pub fn search_overhead(
    subject: &Subject,
    scratch: &Path,
    class: &str,
    calls: u64,
    guided: bool,
) -> Result<Overhead, String> {
    let components = if guided { Components::all() } else { Components::NONE };
    let unit = unit_of(class, calls, components);
    prepared(subject, scratch, &unit, |machine, Prepared { api, avoid, .. }, (world, known)| {
        let strategy = || FeedbackDirected::guided(api, avoid, components, known);
        let mut first = strategy();
        let mut recorder = Recorder { strategy: &mut first, proposed: Vec::new() };
        Driver::new(machine, api, world, unit::settings(&unit, None))
            .run(&mut recorder, &mut |_| {});
        let proposed = recorder.proposed;

        let (search, raw) = (Duration::MAX, Duration::MAX);
        let mut least = Overhead { calls: 0, search, raw };
        for _ in 0..ROUNDS {
            machine.clear_hits();
            let mut strategy = strategy();
            let mut driver = Driver::new(machine, api, world, unit::settings(&unit, None));
            let before = cpu_time()?;
            driver.run(&mut strategy, &mut |_| {});
            least.search = least.search.min(cpu_time()? - before);
            least.calls = driver.statistics().calls;

            let before = cpu_time()?;
            let ran = run_raw(machine, &proposed);
            // The same seed makes the same test cases, unless static state makes a difference.
            let raw = (cpu_time()? - before).mul_f64(least.calls as f64 / ran as f64);
            least.raw = least.raw.min(raw);
        }
        Ok(least)
    })
}

/// The memory in use, in KiB, when a search with everything on has made so many calls, for each of
/// these numbers. Once in a process, before any thread. What the JDK's methods change is known to it
/// if the subject says where that is written.
pub fn search_memory(
    subject: &Subject,
    scratch: &Path,
    class: &str,
    marks: &[u64],
) -> Result<Vec<u64>, String> {
    let calls = marks.iter().copied().max().unwrap_or(0);
    let unit = unit_of(class, calls, Components::all());
    prepared(subject, scratch, &unit, |machine, Prepared { api, avoid, .. }, (world, known)| {
        let mut strategy = FeedbackDirected::guided(api, avoid, unit.components, known);
        let mut driver = Driver::new(machine, api, world, unit::settings(&unit, None));
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
    })
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
