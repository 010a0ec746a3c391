//! The explorative strategies over classes declared here.

use std::collections::BTreeSet;

use model::{ClassName, ClassSource, TestCase};
use space::{BigUint, Context, Shard};

use super::{Exploration, Explored, Explorer, Order, explorer};
use crate::strategy::{Move, Report, Strategy, Values};
use crate::testing::classes::{counter, looper, stack, thrower};
use crate::testing::machine::{Machine, Value, throw};
use crate::testing::world::{Declaration, World, class};
use crate::testing::{api, finish_tests, settings, told};
use crate::{Driver, Rng};

const BE: Order = Order::Exhaustive { naive: false };
const NAIVE: Order = Order::Exhaustive { naive: true };

/// Fails if it is armed and then fired. Probes: 1 armed, 2 fired, 3 rested.
fn fragile() -> Declaration {
    class("a/Fragile")
        .method("arm()V", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], 1);
            Ok(Value::Null)
        })
        .method("fire()V", |heap, args| {
            if heap.get(&args[0]) == 1 {
                return throw("AssertionError", 91);
            }
            heap.hit(2);
            Ok(Value::Null)
        })
        .method("rest()V", |heap, _| {
            heap.hit(3);
            Ok(Value::Null)
        })
}

fn exploration(order: Order, length: u32) -> Exploration {
    let (from, shard) = (BigUint::ZERO, Shard::WHOLE);
    Exploration { order, length, tests: None, from, shard, file: None }
}

/// What a run came to.
struct Ran {
    explored: Explored,
    /// The tests, in order, as they were reported.
    digits: Vec<Vec<u64>>,
    calls: u64,
    covered: Vec<u8>,
    /// The failing tests that would be written.
    failing: Vec<Vec<String>>,
}

/// Hands on to a strategy, and notes which tests are reported.
struct Noting<'c> {
    inner: Box<dyn Explorer + 'c>,
    context: &'c Context,
    digits: Vec<Vec<u64>>,
}

impl Strategy for Noting<'_> {
    fn propose(&mut self, rng: &mut Rng) -> Option<Move> {
        self.inner.propose(rng)
    }

    fn observe(&mut self, case: &TestCase, report: &Report, values: &dyn Values, rng: &mut Rng) {
        self.digits.push(self.context.digits(case).expect("a test of the context"));
        self.inner.observe(case, report, values, rng);
    }

    fn wants_verdicts(&self) -> bool {
        self.inner.wants_verdicts()
    }
}

fn ran(world: &World, name: &str, exploration: &Exploration) -> Ran {
    let class = world.class(&ClassName::internal(name)).expect("a class of the test's own");
    let context = Context::of_class(&class, world).expect("it has methods");
    let api = api(world, name);
    let mut machine = Machine::new(world);
    let mut driver = Driver::new(&mut machine, &api, world, settings(10_000_000));
    let inner = explorer(exploration, &context, 5);
    let mut strategy = Noting { inner, context: &context, digits: Vec::new() };
    driver.run(&mut strategy, &mut |_| {});
    let calls = driver.executor.calls();
    let covered = driver.covered().to_vec();
    let finished = finish_tests(&mut driver, world);
    Ran {
        explored: strategy.inner.explored(),
        digits: strategy.digits,
        calls,
        covered,
        failing: finished.failures.iter().map(|test| told(&test.case)).collect(),
    }
}

#[test]
fn the_naive_form_and_the_one_that_shares_prefixes_agree() {
    let world = World::of([counter(), fragile(), looper(), stack(), thrower()]);
    for name in ["a/Counter", "a/Fragile", "a/Looper", "a/Stack", "a/Thrower"] {
        for length in 1..=3 {
            let naive = ran(&world, name, &exploration(NAIVE, length));
            let sharing = ran(&world, name, &exploration(BE, length));
            assert_eq!(sharing.covered, naive.covered, "{name} {length}");
            assert_eq!(sharing.failing, naive.failing, "{name} {length}");
            // What was not run again was not compared with others.
            let compared = naive.explored.compared;
            let counts = Explored { compared, ..sharing.explored };
            assert_eq!(counts, naive.explored, "{name} {length}");
            assert_eq!(naive.explored.duplicates, 0);
            assert!(sharing.calls <= naive.calls, "{name} {length}");
        }
    }
    let naive = ran(&world, "a/Fragile", &exploration(NAIVE, 4)).calls;
    let sharing = ran(&world, "a/Fragile", &exploration(BE, 4)).calls;
    assert!(sharing * 10 < naive * 9, "{sharing} calls instead of {naive}");
}

#[test]
fn failures_are_found_in_the_middle_of_tests_and_shown_by_short_ones() {
    let world = World::of([fragile()]);
    for order in [BE, Order::Bobw] {
        let ran = ran(&world, "a/Fragile", &exploration(order, 4));
        assert_eq!(ran.failing, [["<init>", "arm", "fire"]]);
        // Of 4^4 tests, those in which an object is made, armed, not made anew, and fired.
        let j = 4u64;
        let fails = |digits: &Vec<u64>| {
            let (mut made, mut armed, mut failed) = (false, false, false);
            for digit in digits {
                match digit {
                    0 => (made, armed) = (true, false),
                    1 => armed |= made,
                    2 => failed |= armed,
                    _ => {}
                }
            }
            failed
        };
        let all = (0..j.pow(4)).map(|at| (0..4).map(|p| at / j.pow(p) % j).collect::<Vec<_>>());
        assert_eq!(ran.explored.failing, all.filter(fails).count() as u64);
        let first = ran.digits.iter().position(fails).expect("one fails");
        assert_eq!(ran.explored.earliest, Some(first as u64 + 1));
        let index = space::index_of(&ran.digits[first], j);
        assert_eq!(ran.explored.earliest_index, Some(index));
    }
}

#[test]
fn bobw_visits_each_index_once_whatever_the_shards() {
    let world = World::of([fragile()]);
    let whole = ran(&world, "a/Fragile", &exploration(Order::Bobw, 5)).digits;
    assert_eq!(whole.iter().collect::<BTreeSet<_>>().len(), 1024);
    assert_eq!(whole.len(), 1024);
    let mut parts = Vec::new();
    for number in 1..=3 {
        let shard = format!("{number}/3").parse().expect("a shard");
        let exploration = Exploration { shard, ..exploration(Order::Bobw, 5) };
        let ran = ran(&world, "a/Fragile", &exploration);
        assert_eq!(ran.explored.duplicates, 0);
        parts.extend(ran.digits);
    }
    assert_eq!(parts, whole);
}

#[test]
fn a_run_goes_on_where_another_one_ended() {
    let world = World::of([fragile()]);
    for order in [BE, NAIVE, Order::Random, Order::Bobw] {
        let of = |tests, from| {
            let exploration = Exploration { tests: Some(tests), from, ..exploration(order, 6) };
            ran(&world, "a/Fragile", &exploration)
        };
        let whole = of(300, BigUint::ZERO);
        let first = of(120, BigUint::ZERO);
        let next = first.explored.next.clone().expect("there are more");
        assert_eq!(next, BigUint::from(120u32));
        let second = of(180, next);
        assert_eq!([first.digits, second.digits].concat(), whole.digits, "{order:?}");
    }
}

#[test]
fn a_run_ends_with_the_last_test_and_says_that_nothing_is_left() {
    let world = World::of([fragile()]);
    for order in [BE, NAIVE, Order::Bobw] {
        let ran = ran(&world, "a/Fragile", &exploration(order, 3));
        assert_eq!((ran.explored.tests, ran.explored.next), (64, None), "{order:?}");
    }
    let beyond = Exploration { from: BigUint::from(64u32), ..exploration(Order::Bobw, 3) };
    assert_eq!(ran(&world, "a/Fragile", &beyond).explored.tests, 0);
}

#[test]
fn random_tests_repeat_themselves_and_shards_draw_others() {
    let world = World::of([fragile()]);
    let of = |shard: &str| {
        let shard = shard.parse().expect("a shard");
        let exploration = exploration(Order::Random, 3);
        ran(&world, "a/Fragile", &Exploration { tests: Some(200), shard, ..exploration })
    };
    let (one, other) = (of("1/2"), of("2/2"));
    assert_eq!(one.digits, of("1/2").digits);
    assert_ne!(one.digits, other.digits);
    let distinct = one.digits.iter().collect::<BTreeSet<_>>().len() as u64;
    assert!(distinct <= 64);
    assert_eq!(one.explored.duplicates, 200 - distinct);
    assert_eq!(one.explored.next, Some(BigUint::from(200u32)));
}

#[test]
fn tests_of_thousands_of_calls_are_run_and_cut_down() {
    let world = World::of([fragile()]);
    let exploration = Exploration { tests: Some(20), ..exploration(Order::Bobw, 3000) };
    let ran = ran(&world, "a/Fragile", &exploration);
    assert_eq!(ran.explored.tests, 20);
    assert_eq!(ran.explored.failing, 20);
    assert_eq!(ran.failing, [["<init>", "arm", "fire"]]);
}
