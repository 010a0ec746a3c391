//! What the tests of this crate share: classes declared in Rust, an executor over them, a strategy
//! that follows a script.

pub(crate) mod checked;
pub(crate) mod classes;
pub(crate) mod machine;
pub(crate) mod mocks;
pub(crate) mod world;

use std::sync::Arc;

use model::{ClassName, ClassSource, Literal, Operation, Slot, TestCase, Type};

use self::machine::Machine;
use self::world::World;
use crate::Knowledge;
use crate::strategy::{Move, Report, Strategy, Values};
use crate::{
    Api, Budget, Driver, Event, Exceptions, FeedbackDirected, Finished, Rng, Settings, finish,
};

/// Settings of a search of so many calls.
pub(crate) fn settings(calls: u64) -> Settings {
    Settings {
        budget: Budget::Calls(calls),
        seed: 7,
        stop: None,
        exceptions: Exceptions::default(),
    }
}

pub(crate) fn api(world: &World, class: &str) -> Api {
    let name = ClassName::internal(class);
    Api::of(world, &world.class(&name).expect("a class of the test's own"))
}

/// Searches tests for a class at random and hands over what became of it.
pub(crate) fn searched<R>(
    world: &World,
    class: &str,
    settings: Settings,
    look: impl FnOnce(&mut Driver<'_, Machine<'_>>, &FeedbackDirected<'_>) -> R,
) -> R {
    let api = api(world, class);
    let mut machine = Machine::new(world);
    let mut driver = Driver::new(&mut machine, &api, world, settings);
    let mut strategy = FeedbackDirected::new(&api, &[]);
    driver.run(&mut strategy, &mut |_| {});
    look(&mut driver, &strategy)
}

/// Searches tests for a class at random, and finishes them.
pub(crate) fn finished(world: &World, class: &str, calls: u64) -> Finished {
    searched(world, class, settings(calls), |driver, strategy| {
        finish(driver, world, &Knowledge::default(), &|ty, limit| strategy.objects(ty, limit))
    })
}

/// Runs the moves one after the other; the driver and the reports are looked at in the end.
pub(crate) fn followed<R>(
    world: &World,
    class: &str,
    moves: Vec<Move>,
    look: impl FnOnce(&mut Driver<'_, Machine<'_>>, &[Report]) -> R,
) -> R {
    let api = api(world, class);
    let mut machine = Machine::new(world);
    let mut driver = Driver::new(&mut machine, &api, world, settings(10_000));
    let mut script = Script::new(moves);
    driver.run(&mut script, &mut |_| {});
    look(&mut driver, &script.reports)
}

/// No objects to audit.
pub(crate) fn finish_tests(driver: &mut Driver<'_, Machine<'_>>, world: &World) -> Finished {
    finish(driver, world, &Knowledge::default(), &|_, _| Vec::new())
}

/// A strategy that does what it was told and remembers what it heard.
pub(crate) struct Script {
    moves: std::vec::IntoIter<Move>,
    pub(crate) reports: Vec<Report>,
}

impl Script {
    pub(crate) fn new(moves: Vec<Move>) -> Self {
        Self { moves: moves.into_iter(), reports: Vec::new() }
    }
}

impl Strategy for Script {
    fn propose(&mut self, _: &mut Rng) -> Option<Move> {
        self.moves.next()
    }

    fn observe(&mut self, _: &TestCase, report: &Report, _: &dyn Values, _: &mut Rng) {
        self.reports.push(report.clone());
    }
}

/// The failures that a search tells of.
pub(crate) fn told_failures(
    world: &World,
    class: &str,
    moves: Vec<Move>,
) -> Vec<crate::Unexpected> {
    let api = api(world, class);
    let mut machine = Machine::new(world);
    let mut driver = Driver::new(&mut machine, &api, world, settings(10_000));
    let mut told = Vec::new();
    driver.run(&mut Script::new(moves), &mut |event| {
        if let Event::Failed(found) = event {
            told.push(found.clone());
        }
    });
    told
}

/// An operation by its class and name.
pub(crate) fn op(world: &World, class: &str, member: &str) -> Arc<Operation> {
    let class = world.class(&ClassName::internal(class)).expect("a class of the test's own");
    let method = class.methods.iter().find(|m| &*m.name == member).expect("a method of it");
    Arc::new(Operation::of_method(&class, method))
}

/// A test that makes an object of the class and calls these methods of it: a name, followed by
/// the `int` or `null` it is given, if any.
pub(crate) fn case(world: &World, class: &str, calls: &[&str]) -> TestCase {
    let mut case = TestCase::default();
    let object = case.call(&op(world, class, "<init>"), &[]).expect("an object");
    for call in calls {
        let (name, argument) = call.split_once(' ').unwrap_or((call, ""));
        let op = op(world, class, name);
        let mut args = vec![object];
        match argument {
            "" => {}
            "null" => args.push(case.literal(Type::object(), Literal::Null)),
            "new" => args.push(object),
            number => {
                let number = number.parse().expect("an int");
                args.push(case.literal(Type::INT, Literal::Int(number)));
            }
        }
        case.call(&op, &args);
    }
    case
}

/// The same as a move.
pub(crate) fn run(world: &World, class: &str, calls: &[&str]) -> Move {
    Move::Run(Arc::new(case(world, class, calls)))
}

/// The same as moves that build it call by call; the test stays open.
pub(crate) fn steps(world: &World, class: &str, calls: &[&str]) -> Vec<Move> {
    let case = case(world, class, calls);
    let mut moves = vec![Move::Open(case.slots)];
    moves.extend(case.calls.into_iter().map(Move::Call));
    moves
}

/// The names of the methods a test calls, with the numbers they are given.
pub(crate) fn told(case: &TestCase) -> Vec<String> {
    let argument = |slot: &Slot| match &case.slots[slot.index()].init {
        Some(Literal::Int(number)) => format!(" {number}"),
        Some(Literal::Null) => " null".to_owned(),
        _ => String::new(),
    };
    let named = case.calls.iter().map(|call| {
        let args: String = call.args.iter().map(argument).collect();
        format!("{}{args}", call.op.name)
    });
    named.collect()
}
