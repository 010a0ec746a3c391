//! What the frontier learns from comparisons, what it aims at, what it forgets.

use model::ClassName;

use super::entry::{PATIENCE, SPARE};
use super::*;
use crate::testing::machine::Value;
use crate::testing::world::{World, class};
use crate::testing::{case, op, told};

/// A comparison of two numbers whose ways have these probes.
fn number(probes: [u32; 2]) -> Comparison {
    let outcomes = vec![(probes[0], Edge::FallThrough), (probes[1], Edge::Taken)];
    let kind = ComparisonKind::Int;
    Comparison { method: 0, instruction: 0, kind, outcomes, counts: false, until: None }
}

fn world() -> World {
    let gate = class("a/Gate")
        .method("pass(I)V", |_, _| Ok(Value::Null))
        .method("rests()V", |_, _| Ok(Value::Null));
    World::of([gate])
}

/// A test that passes this number.
fn passing(number: i32) -> TestCase {
    case(&world(), "a/Gate", &[&format!("pass {number}")])
}

/// What was compared in a test: each with the numbers.
struct Seen(Vec<Compared>, Vec<(i64, i64)>);

impl Seen {
    /// These comparisons, by their numbers, of these operands.
    fn of(compared: &[(u32, i64, i64)]) -> Self {
        let told = (0..).zip(compared).map(|(place, (number, left, right))| Compared {
            number: *number,
            place,
            distance: (left - right).abs() as f64,
        });
        Self(told.collect(), compared.iter().map(|(_, left, right)| (*left, *right)).collect())
    }
}

impl Values for Seen {
    fn is_null(&self, _: model::Slot) -> bool {
        false
    }

    fn primitive(&self, _: model::Slot) -> Option<Literal> {
        None
    }

    fn class_of(&self, _: model::Slot) -> Option<Type> {
        None
    }

    fn steps(&self) -> u32 {
        1
    }

    fn observe(&self, _: model::Slot) -> Observation {
        Observation::Object { class: ClassName::internal("a/Gate"), views: Vec::new() }
    }

    fn compared(&self) -> &[Compared] {
        &self.0
    }

    fn numbers(&self, place: u32) -> (i64, i64) {
        self.1[place as usize]
    }

    fn objects(&self, place: u32) -> (Observation, Observation) {
        unreachable!("no objects were compared at {place}")
    }

    fn covered(&self) -> &[u8] {
        &[]
    }
}

/// A frontier of one comparison that went one of its ways.
fn half_way() -> Frontier {
    let mut frontier = Frontier::new(vec![number([0, 1])], &[], &[], Vec::new());
    frontier.update(&COVERED, &passing(0));
    frontier
}

const COVERED: [u8; 2] = [1, 0];

/// The numbers that the tests which came closest pass, the closest first.
fn nearest(frontier: &Frontier) -> Vec<String> {
    let near = frontier.entries.get(&0).map(|entry| &entry.near[..]).unwrap_or_default();
    near.iter().map(|near| told(&near.case).remove(1)).collect()
}

/// All that waits, in turn.
fn aims_of(frontier: &mut Frontier) -> Vec<String> {
    std::iter::from_fn(|| frontier.next_aim()).map(|aim| told(&aim).remove(1)).collect()
}

fn learn(frontier: &mut Frontier, number: i32, wanted: i64) {
    let seen = Seen::of(&[(0, i64::from(number), wanted)]);
    frontier.learn(&passing(number), &seen, &COVERED);
}

#[test]
fn texts_hash_as_in_java() {
    assert_eq!(hash_code(&"".into()), 0);
    assert_eq!(hash_code(&"hello".into()), 99_162_322);
    assert_eq!(hash_code(&"polygenelubricants".into()), i32::MIN);
}

#[test]
fn a_branch_is_watched_from_its_first_way_to_its_last() {
    let mut frontier = Frontier::new(vec![number([0, 1])], &[], &[], Vec::new());
    assert_eq!(frontier.take_watched(), None);
    frontier.update(&[0, 0], &passing(0));
    assert_eq!(frontier.take_watched(), None);
    frontier.update(&COVERED, &passing(1));
    assert_eq!(frontier.take_watched(), Some(&[1][..]));
    assert_eq!(frontier.take_watched(), None);
    // What brought it was not watched there: it is run again, once.
    assert_eq!(frontier.next_again().as_deref(), Some(&passing(1)));
    assert_eq!(frontier.next_again(), None);
    learn(&mut frontier, 3, 10);
    assert!(!frontier.is_empty());
    frontier.update(&[1, 1], &passing(10));
    assert_eq!(frontier.take_watched(), Some(&[0][..]));
    assert!(frontier.is_empty());
    assert_eq!(frontier.next_aim(), None);
}

#[test]
fn the_tests_that_came_closest_are_kept_the_closest_first() {
    let mut frontier = half_way();
    for number in [0, 50, 20, 90, 10, 95] {
        learn(&mut frontier, number, 100);
    }
    assert_eq!(nearest(&frontier), ["pass 95", "pass 90", "pass 50"]);
    // What is no closer than all of them is not learned from.
    frontier.waiting.clear();
    learn(&mut frontier, 30, 100);
    assert_eq!(nearest(&frontier), ["pass 95", "pass 90", "pass 50"]);
    assert_eq!(aims_of(&mut frontier), [] as [&str; 0]);
}

#[test]
fn one_that_is_as_close_takes_the_oldest_place_after_many_vain_tries() {
    let mut frontier = half_way();
    let mut rng = Rng::new(1);
    // The code compares the same numbers, whatever it is given.
    let learn = |frontier: &mut Frontier, number| {
        frontier.learn(&passing(number), &Seen::of(&[(0, 1, 2)]), &COVERED);
    };
    for number in [10, 20, 30, 40] {
        learn(&mut frontier, number);
    }
    assert_eq!(nearest(&frontier), ["pass 10", "pass 20", "pass 30"]);
    for _ in 0..PATIENCE {
        frontier.next_base(&mut rng).expect("a test to be changed");
    }
    learn(&mut frontier, 40);
    assert_eq!(nearest(&frontier), ["pass 20", "pass 30", "pass 40"]);
    // The next one has to wait as long.
    learn(&mut frontier, 50);
    assert_eq!(nearest(&frontier), ["pass 20", "pass 30", "pass 40"]);
    for _ in 0..PATIENCE {
        frontier.next_base(&mut rng).expect("a test to be changed");
    }
    learn(&mut frontier, 50);
    assert_eq!(nearest(&frontier), ["pass 30", "pass 40", "pass 50"]);
}

#[test]
fn tests_that_come_as_close_do_not_get_longer_and_longer() {
    let mut frontier = half_way();
    let mut rng = Rng::new(1);
    let longer = |calls: usize| {
        let passes: Vec<String> = (0..calls).map(|number| format!("pass {number}")).collect();
        let passes: Vec<&str> = passes.iter().map(|call| &**call).collect();
        case(&world(), "a/Gate", &passes)
    };
    let lengths = |frontier: &Frontier| -> Vec<usize> {
        frontier.entries[&0].near.iter().map(|near| near.case.calls.len()).collect()
    };
    let mut learn = |frontier: &mut Frontier, calls: usize| {
        for _ in 0..PATIENCE {
            frontier.next_base(&mut rng);
        }
        frontier.learn(&longer(calls), &Seen::of(&[(0, 1, 2)]), &COVERED);
    };
    // Each with a call of the constructor.
    for calls in [30, 1, 2] {
        learn(&mut frontier, calls);
    }
    assert_eq!(lengths(&frontier), [31, 2, 3]);
    for calls in 3..39 {
        learn(&mut frontier, calls);
    }
    let left = lengths(&frontier);
    assert!(left.iter().all(|calls| *calls <= 2 + SPARE), "{left:?}");
    assert!(left.contains(&(2 + SPARE)), "what adds a little is gone on with: {left:?}");
    // What comes closer may be as long as it is.
    frontier.learn(&longer(35), &Seen::of(&[(0, 1, 1)]), &COVERED);
    assert_eq!(lengths(&frontier)[0], 36);
}

#[test]
fn what_is_not_on_the_frontier_is_not_learned() {
    let mut frontier = Frontier::new(vec![number([0, 1]), number([2, 3])], &[], &[], Vec::new());
    frontier.update(&[1, 0, 0, 0], &passing(0));
    let seen = Seen::of(&[(1, 3, 4), (7, 3, 4)]);
    frontier.learn(&passing(3), &seen, &[1, 0, 0, 0]);
    assert!(frontier.is_empty());
}

#[test]
fn an_operand_of_the_test_is_aimed_at_the_other_and_beside_it() {
    let mut frontier = half_way();
    learn(&mut frontier, 3, 100);
    let aims = aims_of(&mut frontier);
    for wanted in ["pass 100", "pass 99", "pass 101"] {
        assert!(aims.contains(&wanted.to_owned()), "{aims:?}");
    }
}

#[test]
fn a_number_that_is_no_operand_is_moved_and_what_helped_is_doubled() {
    let mut frontier = half_way();
    // The code compares a number that it made of the one given.
    frontier.learn(&passing(3), &Seen::of(&[(0, 30, 100)]), &COVERED);
    let up = frontier.next_aim().expect("a step up");
    assert_eq!(told(&up)[1], "pass 4");
    frontier.learn(&up, &Seen::of(&[(0, 40, 100)]), &COVERED);
    let aims = aims_of(&mut frontier);
    let turn = |aim: &str| aims.iter().position(|waiting| waiting == aim);
    // The step down of the first test waits before; a single step further comes after.
    assert_eq!(turn("pass 2"), Some(0));
    assert!(turn("pass 6").is_some() && turn("pass 6") < turn("pass 5"), "{aims:?}");
}

#[test]
fn a_step_that_led_away_is_not_repeated() {
    let mut frontier = half_way();
    frontier.learn(&passing(3), &Seen::of(&[(0, 30, 100)]), &COVERED);
    let up = frontier.next_aim().expect("a step up");
    frontier.learn(&up, &Seen::of(&[(0, 20, 100)]), &COVERED);
    assert!(!aims_of(&mut frontier).contains(&"pass 6".to_owned()));
}

#[test]
fn what_makes_calls_of_an_operation_is_forgotten() {
    let mut frontier = half_way();
    learn(&mut frontier, 3, 100);
    let rests = case(&world(), "a/Gate", &["rests", "pass 5"]);
    frontier.learn(&rests, &Seen::of(&[(0, 5, 100)]), &COVERED);
    assert_eq!(frontier.entries[&0].near.len(), 2);
    let is_left = |aim: &TestCase| aim.calls.iter().all(|call| &*call.op.name != "rests");
    frontier.purge(&op(&world(), "a/Gate", "rests"));
    assert_eq!(nearest(&frontier), ["pass 3"]);
    assert!(std::iter::from_fn(|| frontier.next_aim()).all(|aim| is_left(&aim)));
    assert!(!frontier.is_empty());
    // The last one takes the branch with it.
    frontier.purge(&op(&world(), "a/Gate", "pass"));
    assert!(frontier.is_empty());
    assert_eq!(frontier.next_again(), None);
}

#[test]
fn the_branch_that_least_was_tried_for_is_next() {
    let mut frontier = Frontier::new(vec![number([0, 1]), number([2, 3])], &[], &[], Vec::new());
    let covered = [1, 0, 1, 0];
    frontier.update(&covered, &passing(0));
    frontier.learn(&passing(3), &Seen::of(&[(0, 3, 100), (1, 3, 50)]), &covered);
    let mut rng = Rng::new(1);
    let mut tried = [0; 2];
    for _ in 0..100 {
        let (number, base) = frontier.next_base(&mut rng).expect("a test to be changed");
        assert_eq!(*base, passing(3));
        tried[number as usize] += 1;
    }
    assert!(tried.iter().all(|times| (40..=60).contains(times)), "{tried:?}");
}
