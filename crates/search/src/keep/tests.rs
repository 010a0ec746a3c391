//! What is left of the tests a search kept.

use model::{Cut, EffectKind, Expectation, UnitTest};

use super::{Candidate, Choice, Seen, finish};
use crate::Knowledge;
use crate::testing::classes::{counter, dice, stack};
use crate::testing::machine::{Halt, Value, null_pointer, throw};
use crate::testing::world::{World, bare_class, class};
use crate::testing::{case, finish_tests, finished, followed, run, searched, settings, told};

/// The tests that come of kept ones.
fn check(world: &World, class: &str, kept: &[&[&str]], expected: &[&[&str]]) {
    let moves = kept.iter().map(|calls| run(world, class, calls)).collect();
    followed(world, class, moves, |driver, _| {
        let finished = finish_tests(driver, world);
        assert_eq!(finished.flaky, 0);
        let found: Vec<_> = finished.tests.iter().map(|(test, _)| told(&test.case)).collect();
        assert_eq!(found, expected);
    });
}

fn candidate(world: &World, calls: &[&str], hits: &[u8]) -> Candidate {
    let seen = Seen::returned(hits.to_vec());
    Candidate { case: case(world, "a/Counter", calls), seen }
}

/// Chooses until nothing is left; only those that work out are settled.
fn chosen(candidates: &[Candidate], works: impl Fn(usize) -> bool) -> Vec<(usize, Vec<usize>)> {
    let mut choice = Choice::new(candidates);
    let mut chosen = Vec::new();
    while let Some((index, goal)) = choice.next() {
        if works(index) {
            choice.settle(&goal);
            chosen.push((index, goal));
        }
    }
    chosen
}

#[test]
fn the_choice_covers_all_that_any_covers_by_what_adds_most() {
    let world = World::of([counter()]);
    let candidates = [
        candidate(&world, &[], &[1, 0, 0, 0, 0]),
        candidate(&world, &["get"], &[1, 1, 0, 0, 0]),
        candidate(&world, &["get"], &[0, 0, 1, 1, 0]),
        candidate(&world, &["get", "get"], &[1, 1, 1, 0, 0]),
        candidate(&world, &["get"], &[0, 1, 1, 1, 0]),
    ];
    // The shorter one of those that hit three; then what is left.
    assert_eq!(chosen(&candidates, |_| true), [(4, vec![1, 2, 3]), (0, vec![0])]);
    assert_eq!(chosen(&[], |_| true), []);
    // What one that does not work out was there for is left to others.
    let without = chosen(&candidates, |index| index != 4);
    let mut covered: Vec<usize> = without.iter().flat_map(|(_, goal)| goal.clone()).collect();
    covered.sort_unstable();
    assert_eq!(covered, [0, 1, 2, 3]);
}

#[test]
fn the_tests_of_a_search_cover_all_that_it_covered() {
    let world = World::of([counter(), stack()]);
    for (class, probes) in [("a/Counter", 0..5), ("a/Stack", 5..9)] {
        let finished = finished(&world, class, 20_000);
        for probe in probes {
            let covers = |(_, hits): &(UnitTest, Vec<u32>)| hits.contains(&probe);
            assert!(finished.tests.iter().any(covers), "{class}: {probe}");
        }
        assert_eq!(finished.flaky, 0);
        assert!(finished.failures.is_empty());
    }
}

#[test]
fn a_test_has_no_call_that_it_does_not_need() {
    let world = World::of([counter()]);
    let kept: [&[&str]; 1] = [&["get", "add 6", "get", "add 6", "get"]];
    // One test for what each last call covers, and the two additions only where it takes both; a
    // sum that is not zero says more.
    let expected: [&[&str]; 4] = [
        &["<init>", "add 3", "get"],
        &["<init>", "add 3"],
        &["<init>"],
        &["<init>", "add 10", "add 3", "get"],
    ];
    check(&world, "a/Counter", &kept, &expected);
}

#[test]
fn a_member_is_seen_with_every_answer_that_says_something() {
    // One probe, whatever it answers.
    let gate = class("a/Gate").method("open(I)Z", |heap, args| {
        heap.hit(1);
        Ok(Value::boolean(args[1].as_int() > 5))
    });
    let world = World::of([gate]);
    let kept: [&[&str]; 3] = [&["open 7"], &["open 3"], &["open 4"]];
    let expected: [&[&str]; 2] = [&["<init>", "open 10"], &["<init>", "open 3"]];
    check(&world, "a/Gate", &kept, &expected);
}

#[test]
fn a_member_that_answers_nothing_has_a_test_of_its_own() {
    // Filling it does all that adding does.
    let basket = class("a/Basket")
        .method("fill()V", |heap, _| {
            heap.hit(1);
            heap.hit(2);
            Ok(Value::Null)
        })
        .method("add()V", |heap, _| {
            heap.hit(2);
            Ok(Value::Null)
        });
    let world = World::of([basket]);
    let kept: [&[&str]; 2] = [&["fill"], &["add"]];
    let expected: [&[&str]; 2] = [&["<init>", "fill"], &["<init>", "add"]];
    check(&world, "a/Basket", &kept, &expected);
}

#[test]
fn a_number_is_seen_small_large_and_below_zero() {
    // One probe, whatever it answers.
    let scale = class("a/Scale").method("twice(I)I", |heap, args| {
        heap.hit(1);
        Ok(Value::int(args[1].as_int() * 2))
    });
    let world = World::of([scale]);
    let kept: [&[&str]; 4] = [&["twice 4"], &["twice 500"], &["twice -4"], &["twice 600"]];
    let expected: [&[&str]; 3] =
        [&["<init>", "twice 3"], &["<init>", "twice 100"], &["<init>", "twice -3"]];
    check(&world, "a/Scale", &kept, &expected);
}

#[test]
fn literals_are_simplified_as_far_as_the_test_does_the_same() {
    let world = World::of([counter()]);
    let added: [&[&str]; 2] = [&["<init>", "add 3"], &["<init>"]];
    check(&world, "a/Counter", &[&["add 1000"]], &added);
    let refused: [&[&str]; 2] = [&["<init>"], &["<init>", "add 0"]];
    check(&world, "a/Counter", &[&["add -7"]], &refused);
}

#[test]
fn what_a_test_throws_is_what_it_expects() {
    let world = World::of([counter()]);
    let moves = vec![run(&world, "a/Counter", &["add -1"])];
    followed(&world, "a/Counter", moves, |driver, _| {
        let finished = finish_tests(driver, &world);
        let (test, hits) = finished.tests.last().unwrap();
        let expected = model::ClassName::internal("java/lang/IllegalArgumentException");
        assert_eq!(test.expectation, Expectation::Throws(expected));
        assert_eq!(*hits, [0, 2]);
        assert_eq!(test.subject, 1);
    });
}

#[test]
fn tests_that_do_not_do_the_same_again_are_counted_and_dropped() {
    let world = World::of([dice()]);
    let moves = vec![run(&world, "a/Dice", &["rolls"]), run(&world, "a/Dice", &["rests"])];
    followed(&world, "a/Dice", moves, |driver, _| {
        assert_eq!(driver.kept().len(), 2);
        let finished = finish_tests(driver, &world);
        assert_eq!(finished.flaky, 1);
        let found: Vec<_> = finished.tests.iter().map(|(test, _)| told(&test.case)).collect();
        assert_eq!(found, [["<init>", "rests"]]);
    });
}

#[test]
fn a_test_that_flickers_only_later_is_dropped_and_counted() {
    // Throws once, at its thousandth call.
    let moody = class("a/Moody").method("works()V", |heap, _| {
        heap.hit(1);
        if heap.tick() == 1000 { throw("IllegalStateException", 1) } else { Ok(Value::Null) }
    });
    let world = World::of([moody]);
    // With so many calls left until then: the tests, and those that were flaky.
    let finished = |left: u32| {
        let moves = vec![run(&world, "a/Moody", &["works"])];
        followed(&world, "a/Moody", moves, |driver, _| {
            assert_eq!(driver.kept().len(), 1);
            driver.executor.set_ticks(1000 - left);
            let finished = finish_tests(driver, &world);
            (finished.tests.len(), finished.flaky)
        })
    };
    // When it is measured; then after it was minimized and observed; then never.
    assert_eq!(finished(1), (0, 1));
    assert!((2..100).any(|left| finished(left) == (0, 1)));
    assert_eq!(finished(500), (1, 0));
}

#[test]
fn an_effect_that_comes_later_drops_the_test() {
    let late = class("a/Late").method("works()V", |heap, _| {
        heap.hit(1);
        if heap.tick() > 1 {
            heap.affect(EffectKind::Network);
        }
        Ok(Value::Null)
    });
    let world = World::of([late]);
    followed(&world, "a/Late", vec![run(&world, "a/Late", &["works"])], |driver, _| {
        let finished = finish_tests(driver, &world);
        assert!(finished.tests.is_empty());
        assert_eq!(finished.flaky, 1);
    });
}

#[test]
fn a_guarded_call_at_the_end_is_no_flaky_test() {
    let world = World::of([counter()]);
    let mut guarded = case(&world, "a/Counter", &["add -1"]);
    guarded.calls[1].guarded = true;
    let moves = vec![crate::Move::Run(std::sync::Arc::new(guarded))];
    followed(&world, "a/Counter", moves, |driver, _| {
        let finished = finish_tests(driver, &world);
        assert_eq!(finished.flaky, 0);
        assert_eq!(finished.tests.len(), 2);
        assert_eq!(finished.tests[1].0.expectation, Expectation::Returns);
    });
}

#[test]
fn a_number_that_makes_no_difference_becomes_one_that_does() {
    let scale = class("a/Scale").method("cost(I)I", |heap, args| {
        heap.hit(1);
        Ok(Value::int(300 + args[1].as_int() / 100 * 20))
    });
    let world = World::of([scale]);
    check(&world, "a/Scale", &[&["cost 5"]], &[&["<init>", "cost 100"]]);
    // But not where the test is there for something else then.
    let gate = class("a/Gate").method("level(I)I", |heap, args| {
        let is_high = args[1].as_int() > 5;
        heap.hit(if is_high { 1 } else { 2 });
        Ok(Value::int(if is_high { 2 } else { 1 }))
    });
    let world = World::of([gate]);
    check(&world, "a/Gate", &[&["level 4"]], &[&["<init>", "level 3"]]);
}

#[test]
fn what_only_the_clock_could_stop_is_not_tried_again_after_the_search() {
    // By what it answers an object could be asked what became of it.
    let endless = counter().method("isEven()Z", |_, _| Err(Halt::Cut(Cut::Stopped)));
    let world = World::of([endless]);
    let calls = searched(&world, "a/Counter", settings(3000), |driver, strategy| {
        let before = driver.executor.calls_of("a.Counter.isEven()");
        let objects = |ty, limit| strategy.objects(ty, limit);
        finish(driver, &world, &Knowledge::default(), &objects);
        (before, driver.executor.calls_of("a.Counter.isEven()"))
    });
    assert_eq!(calls, (4, 4));
}

#[test]
fn a_text_that_is_almost_taken_makes_a_test() {
    // One probe, whatever it answers: digits are left to somebody else to read.
    let reader = class("a/Reader").method("reads(Ljava/lang/String;)Z", |heap, args| {
        heap.hit(1);
        let Value::Plain(model::Literal::String(text)) = &args[1] else {
            return throw("NullPointerException", 1);
        };
        let is_digit = |unit: &u16| (48..58).contains(unit);
        Ok(Value::boolean(!text.units().is_empty() && text.units().iter().all(is_digit)))
    });
    let world = World::of([reader]);
    let finished = finished(&world, "a/Reader", 5_000);
    let given = |test: &UnitTest| {
        test.case.slots.iter().find_map(|slot| match &slot.init {
            Some(model::Literal::String(text)) => Some(text.to_string()),
            _ => None,
        })
    };
    let texts: Vec<String> = finished.tests.iter().filter_map(|(test, _)| given(test)).collect();
    let has = |start: &dyn Fn(char) -> bool| texts.iter().any(|text| text.starts_with(start));
    assert!(has(&|c| ('\u{ff10}'..='\u{ff19}').contains(&c)), "{texts:?}");
    assert!(has(&|c| c == '+'), "{texts:?}");
    assert_eq!(texts.len(), 4, "one that it takes, one that is plainly wrong, two near: {texts:?}");
}

#[test]
fn an_exception_from_elsewhere_than_a_failure_keeps_its_test() {
    let holder = class("a/Holder").method("hash(Ljava/lang/Object;)V", |heap, args| {
        let is_null = args[1] == Value::Null;
        heap.hit(if is_null { 1 } else { 2 });
        null_pointer(if is_null { 3 } else { 4 })
    });
    let finished = finished(&World::of([holder]), "a/Holder", 2000);
    let [failure] = &finished.failures[..] else { panic!("{:?}", finished.failures) };
    let explanation = &failure.failure.as_ref().expect("a failing test").explanation;
    assert!(explanation.contains("a.Holder.hash (line 4)"), "{explanation}");
    let tests: Vec<_> = finished.tests.iter().map(|(test, _)| told(&test.case)).collect();
    assert_eq!(tests, [["<init>", "hash null"]]);
}

#[test]
fn a_text_that_is_only_looked_up_has_no_near_misses() {
    // It knows the one text that it was made with.
    let keeper = bare_class("a/Keeper")
        .constructor("(Ljava/lang/String;)V", |heap, args| {
            let Value::Plain(model::Literal::String(text)) = &args[1] else {
                return throw("NullPointerException", 1);
            };
            heap.set(&args[0], text.units().iter().map(|unit| i32::from(*unit)).sum());
            Ok(Value::Null)
        })
        .method("knows(Ljava/lang/String;)Z", |heap, args| {
            heap.hit(1);
            let Value::Plain(model::Literal::String(text)) = &args[1] else {
                return throw("NullPointerException", 1);
            };
            let sum: i32 = text.units().iter().map(|unit| i32::from(*unit)).sum();
            Ok(Value::boolean(sum == heap.get(&args[0])))
        });
    let world = World::of([keeper]);
    let finished = finished(&world, "a/Keeper", 5_000);
    let asked =
        finished.tests.iter().filter(|(test, _)| told(&test.case).concat().contains("knows"));
    assert_eq!(asked.count(), 2, "one that it knows and one that it does not");
}
