//! Classes on which orienteering and bloodhound pay: with the same budget, a search without one of
//! them covers less.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use instrument::{MethodPlan, Options, Plan, Probe, ProbeKind, Site};
use model::{ClassName, ClassSource};

use super::{Component, Components, Knowledge};
use crate::testing::machine::{Machine, PROBES, Value};
use crate::testing::world::{Declaration, World, class};
use crate::testing::{api, settings};
use crate::{Driver, FeedbackDirected, Settings};

/// Seeds that a search is tried with.
const SEEDS: u64 = 40;
/// Budgets that mostly suffice with the component.
const STEPS_OF_CROWD: u64 = 1_000;
const STEPS_OF_SLEEPER: u64 = 100_000;

/// In how many of the searches the last probe of the class is hit, with just these components; each
/// may take so many steps.
fn successes(world: &World, name: &str, last: usize, with: &[Component], steps: u64) -> usize {
    let api = api(world, name);
    let knowledge = Knowledge { plans: vec![plan(world, name)], ..Knowledge::default() };
    let components = with.iter().fold(Components::NONE, |all, component| all.with(*component));
    let hits = |seed: &u64| {
        let stop = Arc::new(AtomicBool::new(false));
        let mut machine = Machine::new(world);
        machine.stop_after(steps, stop.clone());
        let settings = Settings { seed: *seed, stop: Some(stop), ..settings(u64::MAX) };
        let mut driver = Driver::new(&mut machine, &api, world, settings);
        let mut strategy = FeedbackDirected::guided(&api, &[], components, &knowledge);
        driver.run(&mut strategy, &mut |_| {});
        driver.covered()[last] != 0
    };
    (1..=SEEDS).filter(hits).count()
}

/// Each method has the probe of its number among the methods; what is left belongs to the last one.
fn plan(world: &World, name: &str) -> Plan {
    let declared = world.class(&ClassName::internal(name)).expect("a class of the test");
    let methods: Vec<_> = declared.methods.iter().filter(|m| &*m.name != "<init>").collect();
    let last = methods.len() as u32 - 1;
    let probes = (0..PROBES as u32).map(|probe| Probe {
        method: probe.min(last),
        kind: ProbeKind::Place,
        site: Site::Before(probe),
    });
    let methods = (0..).zip(&methods).map(|(at, method)| MethodPlan {
        index: at as u16,
        name: method.name.to_string(),
        descriptor: "()V".to_owned(),
        access: 0,
        counted: true,
        probes: at..if at == last { PROBES as u32 } else { at + 1 },
        steps: Vec::new(),
        comparisons: 0..0,
    });
    Plan {
        class: name.to_owned(),
        options: Options { coverage: true, steps: true, comparisons: false },
        methods: methods.collect(),
        probes: probes.collect(),
        branches: Vec::new(),
        segments: Vec::new(),
        comparisons: Vec::new(),
        skipped: Vec::new(),
    }
}

/// A method that must be called many times of the same object: the probe of its height is hit.
fn with_climb(class: Declaration) -> Declaration {
    class.method("climb()V", |heap, args| {
        heap.take(1);
        let height = (heap.get(&args[0]) + 1).min(7);
        heap.set(&args[0], height);
        heap.hit(8 + height as usize);
        Ok(Value::Null)
    })
}

/// It stands among many that are soon known.
fn crowd() -> Declaration {
    let names = ["a()V", "b()V", "c()V", "d()V", "e()V", "f()V", "g()V", "h()V"];
    let idle = |crowd: Declaration, name: &&str| {
        crowd.method(name, |heap, _| {
            heap.take(1);
            (0..8).for_each(|probe| heap.hit(probe));
            Ok(Value::Null)
        })
    };
    with_climb(names.iter().fold(class("a/Crowd"), idle))
}

/// It stands beside one that takes long and changes nothing.
fn sleeper() -> Declaration {
    with_climb(class("a/Sleeper").method("rest()V", |heap, _| {
        heap.take(1000);
        heap.hit(0);
        Ok(Value::Null)
    }))
}

#[test]
fn where_one_method_has_all_that_is_left_bloodhound_covers_more() {
    let world = World::of([crowd()]);
    let all = successes(&world, "a/Crowd", 12, &[Component::Bloodhound], STEPS_OF_CROWD);
    let without = successes(&world, "a/Crowd", 12, &[], STEPS_OF_CROWD);
    assert!(all >= without + 15, "{all} with it and {without} without of {SEEDS}");
}

#[test]
fn where_some_sequences_take_long_orienteering_covers_more() {
    let world = World::of([sleeper()]);
    let all = successes(&world, "a/Sleeper", 14, &[Component::Orienteering], STEPS_OF_SLEEPER);
    let without = successes(&world, "a/Sleeper", 14, &[], STEPS_OF_SLEEPER);
    assert!(all >= without + 5, "{all} with it and {without} without of {SEEDS}");
}
