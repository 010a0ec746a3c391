//! Searching tests for one class, inside the worker.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use analysis::Summaries;
use classpath::{JdkImage, World};
use instrument::{Base, Plan};
use model::{
    Class, ClassName, ClassSource, Hierarchy, Implementations, Operation, OperationKind, Origin,
    Type, type_accessible,
};
use search::{
    Api, Budget, Built, Called, Clues, Component, Detective, Driver, Extras, Facts,
    FeedbackDirected, Finished, Jet, Kept, Knowledge, Mocking, OpId, Reason, ReasonCode, Settings,
    Strategy, TypeId, finish,
};

use crate::inside::explored;
use crate::inside::feared::Feared;
use crate::inside::machine::Machine;
use crate::inside::planned::planned;
use crate::inside::readings::Readings;
use crate::inside::thread_time::ThreadTime;
use crate::inside::{describe, fresh_statics, hook, knowledge, tell};
use crate::protocol::{Approach, Reply, Sender, Unit, UnitBudget, UnitResult, WorkedTest};
use crate::setup::Setup;
use crate::spent::{Spent, Watch};

/// How often the supervisor hears that a search goes on.
const ALIVE_EVERY: Duration = Duration::from_millis(200);

/// The classes at hand, read here as the supervisor reads them.
pub(crate) fn open_world(setup: &Setup) -> Result<World, String> {
    setup.subject.world().map_err(|error| describe(&error))
}

/// What is known of the JDK's methods, if the supervisor had that studied.
pub(crate) fn summaries(setup: &Setup) -> Result<Option<Summaries>, String> {
    let Some(file) = &setup.subject.summaries else { return Ok(None) };
    let image = JdkImage::open(&setup.subject.jdk_home).map_err(|error| describe(&error))?;
    Summaries::for_jdk(&image, file).map(Some).map_err(|error| describe(&error))
}

/// Packages of the JDK whose classes may stand for the JDK's own interfaces and abstract classes.
const JDK_PACKAGES: [&str; 9] = [
    "java/util",
    "java/lang",
    "java/io",
    "java/text",
    "java/math",
    "java/time",
    "java/nio",
    "java/nio/charset",
    "java/util/concurrent",
];

/// Looks up subtypes in the project, its dependencies, and for the JDK's types in the JDK.
struct Known<'w>(&'w World);

impl ClassSource for Known<'_> {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        self.0.class(name)
    }
}

impl Implementations for Known<'_> {
    fn subtypes(&self, name: &ClassName) -> Vec<ClassName> {
        // Everything is an `Object`; literals do for that.
        if name.as_internal() == "java/lang/Object" {
            return Vec::new();
        }
        let found = self.0.subtypes(name);
        if self.0.origin(name) != Some(Origin::Jdk) {
            return found;
        }
        // A list is better the JDK's than some library's, which tests would depend on.
        let (own, foreign): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|name| self.0.origin(name) == Some(Origin::Project));
        let mut usual = own;
        // What an interface is made for stands beside it: units of time beside `TemporalUnit`.
        let mut packages = JDK_PACKAGES.to_vec();
        packages.push(name.package());
        usual.extend(self.0.jdk_subtypes(name, &packages));
        if usual.is_empty() { foreign } else { usual }
    }

    fn package_classes(&self, package: &str) -> Vec<ClassName> {
        self.0.package_classes(package)
    }

    fn returning(&self, name: &ClassName) -> Vec<ClassName> {
        // What a project has for itself is better than what happens to be on its class path.
        let (own, foreign): (Vec<_>, Vec<_>) = (self.0.returning(name).into_iter())
            .partition(|name| self.0.origin(name) == Some(Origin::Project));
        if own.is_empty() { foreign } else { own }
    }
}

/// Searches tests for the unit's class; what cannot be done is a reason in the result.
pub(crate) fn run(
    world: &World,
    summaries: Option<&Summaries>,
    machine: &mut Machine<'_>,
    unit: &Unit,
    stop: &Arc<AtomicBool>,
    sender: &Sender,
) -> UnitResult {
    let mut watch = Watch::start();
    let readings = Readings::new(world);
    match prepare(&readings, machine, unit) {
        Ok(prepared) => {
            machine.set_feared(Feared::new(&unit.avoid, &unit.replay));
            let known = knowledge::of(&readings, summaries, &prepared.api, &prepared.plans);
            let prepare = watch.lap();
            let mut result = search((world, &known), machine, unit, &prepared, stop, sender);
            result.plans = prepared.plans;
            result.notes = prepared.notes;
            result.notes.extend(readings.notes());
            result.spent.prepare = prepare;
            result
        }
        Err(mut result) => {
            result.notes.extend(readings.notes());
            result.spent.prepare = watch.lap();
            *result
        }
    }
}

fn failed(plans: Vec<Plan>, reason: Reason) -> Box<UnitResult> {
    Box::new(UnitResult { plans, reasons: vec![reason], ..UnitResult::default() })
}

/// What there is before the first call.
pub(crate) struct Prepared {
    pub(crate) api: Api,
    pub(crate) plans: Vec<Plan>,
    pub(crate) avoid: Vec<OpId>,
    /// What is to be told of it.
    notes: Vec<String>,
}

/// Reads the class, instruments it, links what it needs; everything that can go wrong before the
/// first call.
pub(crate) fn prepare(
    readings: &Readings<'_>,
    machine: &mut Machine<'_>,
    unit: &Unit,
) -> Result<Prepared, Box<UnitResult>> {
    let world = readings.world;
    let name = ClassName::internal(&unit.class);
    let Some(class) = world.class(&name) else {
        let detail = world
            .diagnostics()
            .iter()
            .map(ToString::to_string)
            .find(|d| d.contains(name.local()))
            .unwrap_or_else(|| "the class cannot be read".to_owned());
        return Err(failed(Vec::new(), Reason::of_class(ReasonCode::Unlinkable, detail)));
    };
    let frontier = unit.components.has(Component::Frontier);
    let (plans, notes, too_large) = planned(readings, machine.checked(), &class, frontier);
    if let Some(reason) = too_large {
        return Err(failed(plans, reason));
    }
    let mocks = unit.components.has(Component::Mocks);
    let detective = unit.components.has(Component::Detective);
    let extras = Extras {
        detective: if detective { Detective::Writes } else { Detective::Off },
        files: unit.components.has(Component::Files),
        clues: if detective { knowledge::clues(readings, &name, &plans) } else { Clues::default() },
        mocks: mocks.then(|| Mocking { called: called(readings, &class), injects: unit.injection }),
    };
    let api = Api::with(&Known(world), &class, &extras);
    let accessible = type_accessible(world, &Type::Class(name.clone()), name.package());
    if let Some(reason) = Reason::before_search(&class, accessible, &api) {
        return Err(failed(plans, reason));
    }
    let mut base = Base::default();
    let placed: Vec<(Plan, Base)> = plans
        .iter()
        .map(|plan| {
            let placed = (plan.clone(), base);
            base.probe += plan.probes.len() as u32;
            base.comparison += plan.comparisons.len() as u32;
            placed
        })
        .collect();
    hook::set_targets(&placed);
    machine.set_probes(base.probe);
    let avoid = link(machine, &api, unit).map_err(|reason| failed(plans.clone(), reason))?;
    let statics = fresh_statics::watched(world, &api);
    if let Err(error) = machine.keep_statics_fresh(&statics) {
        machine.fail(&error);
    }
    Ok(Prepared { api, plans, avoid, notes })
}

/// The methods that the code of a class calls, and that of the project's classes which it extends and
/// of those inside it.
fn called(readings: &Readings<'_>, class: &Class) -> Vec<Called> {
    let world = readings.world;
    let mut names: Vec<ClassName> =
        world.supertypes(&class.name).iter().map(|class| class.name.clone()).collect();
    names.retain(|name| world.origin(name) == Some(Origin::Project));
    let prefix = format!("{}$", class.name.as_internal());
    let inside = world.package_classes(class.name.package()).into_iter();
    names.extend(inside.filter(|name| name.as_internal().starts_with(&prefix)));
    let mut found: Vec<Called> = Vec::new();
    for name in names {
        let sites = readings.of(&name, analysis::call_sites);
        for ((owner, name, descriptor), cast) in sites.into_iter().flatten() {
            let cast = cast.and_then(|name| {
                Type::parse(&if name.starts_with('[') { name } else { format!("L{name};") }).ok()
            });
            let owner = ClassName::internal(&owner);
            found.push(Called { owner, name, descriptor, cast });
        }
    }
    found
}

/// Links every operation, so that static initializers run now and are told apart from calls.
fn link(machine: &mut Machine<'_>, api: &Api, unit: &Unit) -> Result<Vec<OpId>, Reason> {
    let mut avoid = Vec::new();
    let own = |op: &Operation| op.owner == api.class && op.kind != OperationKind::Array;
    for id in api.erased_operations() {
        let op = api.operation(id);
        if unit.avoid.contains(op) {
            avoid.push(id);
            // Tests that need it were kept, so linking it kills nobody.
            let needs = |kept: &Kept| kept.case.calls.iter().any(|call| call.op == *op);
            if !unit.replay.iter().any(needs) {
                continue;
            }
        }
        match machine.link(op) {
            Ok(effects) => {
                let forbidden: Vec<_> = effects
                    .iter()
                    .filter(|e| !e.kind.may_be_emitted())
                    .map(ToString::to_string)
                    .collect();
                if !forbidden.is_empty() {
                    if own(op) {
                        let detail = format!("its initializer {}", forbidden.join(", "));
                        return Err(Reason::of_class(ReasonCode::UnsafeEffect, detail));
                    }
                    avoid.push(id);
                }
            }
            Err(error) => {
                let why = describe(&error);
                if own(op) && why.contains("ExceptionInInitializerError") {
                    return Err(Reason::of_class(ReasonCode::InitializerFails, why));
                }
                if own(op) && api.subjects().first() == Some(&id) {
                    return Err(Reason::of_class(ReasonCode::Unlinkable, why));
                }
                avoid.push(id);
            }
        }
    }
    // What the laws of objects are checked with; every JDK has it.
    for op in search::contract_operations() {
        if let Err(error) = machine.link(&op) {
            machine.fail(&error);
        }
    }
    Ok(avoid)
}

/// What the driver is told of a unit, and what may end its search.
pub(crate) fn settings(unit: &Unit, stop: Option<Arc<AtomicBool>>) -> Settings {
    let budget = match unit.budget {
        UnitBudget::Calls(calls) => Budget::Calls(calls),
        UnitBudget::Time(time) => Budget::Time(time),
    };
    Settings { budget, seed: unit.seed, stop, exceptions: unit.exceptions.clone() }
}

fn search(
    (world, knowledge): (&World, &Knowledge),
    machine: &mut Machine<'_>,
    unit: &Unit,
    prepared: &Prepared,
    stop: &Arc<AtomicBool>,
    sender: &Sender,
) -> UnitResult {
    let mut watch = Watch::start();
    let api = &prepared.api;
    let facts = machine.checked().map(|checked| checked.facts()).unwrap_or_default();
    let mut driver = Driver::new(machine, api, world, settings(unit, Some(stop.clone())));
    let (mut counts, mut explored, mut searches) = (None, None, Vec::new());
    let (finished, mut spent) = match &unit.approach {
        Approach::Guided => {
            let (avoid, components) = (&prepared.avoid, unit.components);
            let mut strategy = FeedbackDirected::guided(api, avoid, components, knowledge);
            look(&mut driver, &mut strategy, unit, sender);
            let search = watch.lap();
            let objects = |ty, limit| strategy.objects(ty, limit);
            let finished = finished(&mut driver, unit, (world, knowledge), &objects);
            (finished, Spent { search, ..Spent::default() })
        }
        Approach::Jet(options) => {
            let mut time = ThreadTime::of_current_thread();
            let mut strategy = Jet::new(api, world, &facts, &prepared.avoid, options.clone());
            look(&mut driver, &mut strategy, unit, sender);
            searches.push(time.advance());
            let search = watch.lap();
            counts = Some(strategy.counts());
            let objects = |ty, limit| strategy.objects(ty, limit);
            let finished = finished(&mut driver, unit, (world, knowledge), &objects);
            (finished, Spent { search, ..Spent::default() })
        }
        Approach::Explore(exploration) => {
            let context = match explored::context(world, api, exploration) {
                Ok(context) => context,
                Err(reason) => return *failed(Vec::new(), reason),
            };
            explored::link(driver.executor, api, &context, (unit, &prepared.avoid));
            driver.executor.allow_for(exploration.length);
            let mut time = ThreadTime::of_current_thread();
            let mut strategy = search::explorer(exploration, &context, unit.seed);
            look(&mut driver, strategy.as_mut(), unit, sender);
            searches.push(time.advance());
            let search = watch.lap();
            explored = Some(strategy.explored());
            let finished = finished(&mut driver, unit, (world, knowledge), &|_, _| Vec::new());
            (finished, Spent { search, ..Spent::default() })
        }
    };
    spent.finish = watch.lap();
    let again = (1..unit.searches_only)
        .map(|_| search_again((world, &facts), driver.executor, unit, prepared, sender));
    searches.extend(again);
    let statistics = driver.statistics();
    let initial = (0..).zip(driver.initial()).filter(|(_, hit)| **hit != 0).map(|(id, _)| id);
    let initial = initial.collect();
    let tests = finished.tests.into_iter().map(|(test, hits)| WorkedTest { test, hits }).collect();
    let mut reasons = finished.reasons;
    reasons.retain(|reason| unit.avoid.iter().all(|op| op.to_string() != reason.member));
    UnitResult {
        tests,
        failures: finished.failures,
        noise: finished.noise,
        initial,
        plans: Vec::new(),
        reasons,
        statistics,
        flaky: finished.flaky,
        uninstrumented: hook::take_failures(),
        notes: Vec::new(),
        counts,
        explored,
        searches,
        spent,
    }
}

/// Makes the search of a strategy that counts attempts once more; says how long it took.
fn search_again(
    (world, facts): (&World, &Facts),
    machine: &mut Machine<'_>,
    unit: &Unit,
    prepared: &Prepared,
    sender: &Sender,
) -> Duration {
    let mut time = ThreadTime::of_current_thread();
    let Approach::Jet(options) = &unit.approach else { return time.advance() };
    let api = &prepared.api;
    let mut driver = Driver::new(machine, api, world, settings(unit, None));
    let mut strategy = Jet::new(api, world, facts, &prepared.avoid, options.clone());
    look(&mut driver, &mut strategy, unit, sender);
    time.advance()
}

/// What is made of what was found.
fn finished(
    driver: &mut Driver<'_, Machine<'_>>,
    unit: &Unit,
    (world, knowledge): (&World, &Knowledge),
    objects: &dyn Fn(TypeId, usize) -> Vec<Built>,
) -> Finished {
    if unit.searches_only > 0 {
        return Finished::default();
    }
    finish(driver, world, knowledge, objects)
}

/// Searches, and tells the supervisor what is found as it is found.
fn look(
    driver: &mut Driver<'_, Machine<'_>>,
    strategy: &mut dyn Strategy,
    unit: &Unit,
    sender: &Sender,
) {
    for kept in &unit.replay {
        driver.replay(kept, strategy);
    }
    for failure in &unit.replay_failures {
        driver.replay_failure(failure);
    }
    let mut last = Instant::now();
    let mut on_event = |event: search::Event<'_>| match event {
        search::Event::Kept(kept) => tell(sender, &Reply::Kept(Box::new(kept.clone()))),
        search::Event::Failed(found) => tell(sender, &Reply::Failure(Box::new(found.clone()))),
        search::Event::Tick { calls, kept, covered, probes } => {
            if last.elapsed() >= ALIVE_EVERY {
                last = Instant::now();
                tell(sender, &Reply::Alive { calls, kept, covered, probes });
            }
        }
    };
    driver.sow(&unit.seeds, strategy, &mut on_event);
    driver.run(strategy, &mut on_event);
}
