//! What the driver does with what strategies want.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::{Cut, EffectKind, EffectSet, TestCase};

use super::{Driver, Event, Kept};
use crate::api::OpId;
use crate::strategy::{Ending, Move, Report, Strategy, Values};
use crate::testing::classes::{counter, dice, looper, scribe, stack, thrower};
use crate::testing::machine::{Halt, Machine, Value};
use crate::testing::world::{World, bare_class, class};
use crate::testing::{Script, api, case, followed, run, searched, settings, steps, told};
use crate::{Budget, FeedbackDirected, Rng};

fn kept(driver: &Driver<'_, Machine<'_>>) -> Vec<Vec<String>> {
    driver.kept().iter().map(|kept| told(&kept.case)).collect()
}

/// The tests that are kept of those the moves make.
fn check_kept(world: &World, class: &str, moves: Vec<Move>, expected: &[&[&str]]) {
    followed(world, class, moves, |driver, _| assert_eq!(kept(driver), expected));
}

fn endings(reports: &[Report]) -> Vec<Ending> {
    reports.iter().map(|report| report.ending.clone()).collect()
}

fn guarded(mut moves: Vec<Move>) -> Vec<Move> {
    for next in &mut moves {
        if let Move::Call(call) = next {
            call.guarded = true;
        }
    }
    moves
}

#[test]
fn a_whole_test_is_kept_only_if_it_covers_something_new() {
    let world = World::of([counter()]);
    let name = "a/Counter";
    let moves = vec![
        run(&world, name, &["add 1"]),
        run(&world, name, &["add 2"]),
        run(&world, name, &["add 1", "get"]),
        run(&world, name, &["get"]),
        run(&world, name, &["add -1"]),
        run(&world, name, &["add 20", "get"]),
    ];
    let expected: [&[&str]; 4] = [
        &["<init>", "add 1"],
        &["<init>", "add 1", "get"],
        &["<init>", "add -1"],
        &["<init>", "add 20", "get"],
    ];
    check_kept(&world, name, moves, &expected);
}

#[test]
fn what_is_thrown_is_kept_with_the_test() {
    let world = World::of([counter()]);
    followed(&world, "a/Counter", vec![run(&world, "a/Counter", &["add -1"])], |driver, _| {
        let throws = driver.kept()[0].throws.as_ref().map(ToString::to_string);
        assert_eq!(throws.as_deref(), Some("java.lang.IllegalArgumentException"));
    });
}

#[test]
fn a_test_that_throws_before_its_end_is_not_kept() {
    let world = World::of([counter()]);
    check_kept(&world, "a/Counter", vec![run(&world, "a/Counter", &["add -1", "get"])], &[]);
}

#[test]
fn an_exception_of_the_machine_is_not_kept() {
    let world = World::of([thrower()]);
    check_kept(&world, "a/Thrower", vec![run(&world, "a/Thrower", &["overflows"])], &[]);
}

#[test]
fn a_test_built_call_by_call_is_kept_after_each_call_that_covers_something_new() {
    let world = World::of([counter()]);
    let mut moves = steps(&world, "a/Counter", &["add 1", "add 2", "get"]);
    moves.push(Move::Close);
    let expected: [&[&str]; 3] =
        [&["<init>"], &["<init>", "add 1"], &["<init>", "add 1", "add 2", "get"]];
    check_kept(&world, "a/Counter", moves, &expected);
}

#[test]
fn a_call_taken_back_leaves_the_test_as_it_was() {
    let world = World::of([counter()]);
    let all = steps(&world, "a/Counter", &["add 20", "add 1", "get"]);
    // The first addition is taken back, so what is read is one, not 21.
    let [open, new, add_20, add_1, get] = &all[..] else { panic!("{all:?}") };
    let moves = [open, new, add_20, &Move::Undo, add_1, get, &Move::Close].map(Clone::clone);
    let expected: [&[&str]; 3] = [&["<init>"], &["<init>", "add 20"], &["<init>", "add 1", "get"]];
    followed(&world, "a/Counter", moves.to_vec(), |driver, reports| {
        assert_eq!(kept(driver), expected);
        assert_eq!(driver.covered()[3..5], [1, 0]);
        assert_eq!(reports.len(), 4);
        // The constructor is run again, and nothing else.
        assert_eq!(driver.executor.calls_of("new a.Counter()"), 2);
        assert_eq!(driver.executor.calls(), 5);
    });
}

#[test]
fn a_guarded_call_that_throws_lets_a_test_go_on() {
    let world = World::of([counter()]);
    let mut whole = case(&world, "a/Counter", &["add -1", "get"]);
    whole.calls[1].guarded = true;
    followed(&world, "a/Counter", vec![Move::Run(Arc::new(whole))], |driver, reports| {
        assert_eq!(endings(reports), [Ending::Normal]);
        assert_eq!(driver.kept().len(), 1);
    });
    let stepwise = guarded(steps(&world, "a/Counter", &["add -1", "get"]));
    followed(&world, "a/Counter", stepwise, |driver, reports| {
        assert_eq!(endings(reports), [Ending::Normal, Ending::Normal, Ending::Normal]);
        let longest = kept(driver).pop().unwrap();
        assert_eq!(longest, ["<init>", "add -1", "get"]);
        assert!(driver.kept().iter().all(|kept| kept.throws.is_none()));
    });
}

#[test]
fn no_call_is_made_after_one_that_threw_until_it_is_taken_back() {
    let world = World::of([counter()]);
    let mut moves = steps(&world, "a/Counter", &["add -1", "get"]);
    let get = moves.last().unwrap().clone();
    moves.extend([Move::Undo, Move::Undo, get]);
    followed(&world, "a/Counter", moves, |driver, reports| {
        let threw = Ending::Threw(1);
        assert_eq!(endings(reports), [Ending::Normal, threw.clone(), threw, Ending::Normal]);
        assert_eq!(driver.executor.calls_of("a.Counter.get()"), 1);
        let expected: [&[&str]; 3] = [&["<init>"], &["<init>", "add -1"], &["<init>", "get"]];
        assert_eq!(kept(driver), expected);
    });
}

#[test]
fn a_test_that_used_up_its_steps_is_cut_even_if_it_goes_on() {
    let world = World::of([looper()]);
    for method in ["swallows", "wraps"] {
        let cut = Ending::Cut(1, Cut::Steps);
        let whole = vec![run(&world, "a/Looper", &[method])];
        followed(&world, "a/Looper", whole, |driver, reports| {
            assert_eq!(endings(reports), std::slice::from_ref(&cut), "{method}");
            assert_eq!(driver.statistics().cuts, 1);
            assert!(driver.kept().is_empty(), "{method}");
        });
        let stepwise = steps(&world, "a/Looper", &[method]);
        followed(&world, "a/Looper", stepwise, |driver, reports| {
            assert_eq!(endings(reports), [Ending::Normal, cut.clone()], "{method}");
            assert!(driver.kept().is_empty(), "{method}");
        });
        // A guard does not help.
        let stepwise = guarded(steps(&world, "a/Looper", &[method]));
        followed(&world, "a/Looper", stepwise, |_, reports| {
            assert_eq!(endings(reports), [Ending::Normal, cut], "{method}");
        });
    }
}

#[test]
fn a_budget_of_calls_ends_the_search() {
    let world = World::of([stack()]);
    searched(&world, "a/Stack", settings(500), |driver, _| {
        let calls = driver.executor.calls();
        // The last test is run to its end.
        assert!((500..550).contains(&calls), "{calls}");
        assert_eq!(driver.statistics().calls, calls);
    });
}

#[test]
fn a_budget_of_time_ends_the_search() {
    let world = World::of([stack()]);
    let mut settings = settings(0);
    settings.budget = Budget::Time(Duration::ZERO);
    searched(&world, "a/Stack", settings.clone(), |driver, _| {
        assert_eq!(driver.executor.calls(), 0);
    });
    settings.budget = Budget::Time(Duration::from_millis(20));
    searched(&world, "a/Stack", settings, |driver, _| assert!(driver.executor.calls() > 0));
}

#[test]
fn the_stop_flag_ends_the_search() {
    let world = World::of([stack()]);
    let api = api(&world, "a/Stack");
    let mut machine = Machine::new(&world);
    let stop = Arc::new(AtomicBool::new(false));
    let mut settings = settings(u64::MAX);
    settings.stop = Some(stop.clone());
    let mut driver = Driver::new(&mut machine, &api, &world, settings);
    let mut strategy = FeedbackDirected::new(&api, &[]);
    driver.run(&mut strategy, &mut |event| {
        if matches!(event, Event::Tick { calls: 1.., .. }) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(driver.statistics().runs, 1001);
}

/// Wants the same forever.
struct Stubborn(Move);

impl Strategy for Stubborn {
    fn propose(&mut self, _: &mut Rng) -> Option<Move> {
        Some(self.0.clone())
    }

    fn observe(&mut self, _: &TestCase, _: &Report, _: &dyn Values, _: &mut Rng) {}
}

#[test]
fn moves_that_make_no_call_end_the_search_too() {
    let world = World::of([counter()]);
    let api = api(&world, "a/Counter");
    let call = case(&world, "a/Counter", &[]).calls.remove(0);
    for stubborn in [Move::Open(Vec::new()), Move::Call(call), Move::Undo, Move::Close] {
        let mut machine = Machine::new(&world);
        let mut driver = Driver::new(&mut machine, &api, &world, settings(100));
        driver.run(&mut Stubborn(stubborn), &mut |_| {});
        assert_eq!(driver.executor.calls(), 0);
    }
}

#[test]
fn the_same_seed_gives_the_same_tests() {
    let world = World::of([counter(), stack()]);
    for class in ["a/Counter", "a/Stack"] {
        let search = |seed: u64| {
            let mut settings = settings(2000);
            settings.seed = seed;
            searched(&world, class, settings, |driver, _| driver.kept().to_vec())
        };
        let one: Vec<Kept> = search(3);
        assert!(!one.is_empty());
        assert_eq!(one, search(3));
        assert!((4..20).any(|seed| search(seed) != one), "the seed makes no difference");
    }
}

#[test]
fn a_test_with_effects_is_not_kept_and_the_call_that_had_them_is_blamed() {
    let world = World::of([scribe()]);
    let name = "a/Scribe";
    let moves = vec![run(&world, name, &["rests", "writes", "rests"])];
    followed(&world, name, moves, |driver, reports| {
        assert!(driver.kept().is_empty());
        assert_eq!(reports[0].culprit, Some(2));
        assert!(reports[0].effects.contains(EffectKind::FileWrite));
        assert!(!reports[0].is_clean() && !reports[0].new_coverage);
        assert_eq!(driver.statistics().unsafe_runs, 1);
    });
    // A thread that was left running is seen at the end only; who started it is known.
    let moves = vec![run(&world, name, &["leaves", "rests"])];
    followed(&world, name, moves, |driver, reports| {
        assert!(driver.kept().is_empty());
        assert_eq!((reports[0].culprit, reports[0].leaver), (None, Some(1)));
    });
    // Nobody is blamed for what another call did.
    let moves = vec![run(&world, name, &["leaves", "writes", "rests"])];
    followed(&world, name, moves, |driver, reports| {
        assert_eq!((reports[0].culprit, reports[0].leaver), (Some(2), Some(1)));
        for (method, did) in [("leaves", EffectKind::Thread), ("writes", EffectKind::FileWrite)] {
            let is_it = |op: &&OpId| &*driver.api.operation(**op).name == method;
            let op = driver.per_op.keys().find(is_it).unwrap();
            assert_eq!(driver.per_op[op].effects, EffectSet::of(did));
        }
    });
    check_kept(&world, name, vec![run(&world, name, &["prints"])], &[&["<init>", "prints"]]);
}

#[test]
fn who_makes_arguments_is_left_alone_if_it_spoils_most_tests_and_not_if_it_spoils_some() {
    let reader = class("a/Reader").method("reads(La/Some;La/All;)V", |_, _| Ok(Value::Null));
    let some = bare_class("a/Some").constructor("(I)V", |heap, args| {
        if args.last().unwrap().as_int() < 0 {
            heap.affect(EffectKind::FileWrite);
        }
        Ok(Value::Null)
    });
    let all = bare_class("a/All").constructor("()V", |heap, _| {
        heap.affect(EffectKind::FileWrite);
        Ok(Value::Null)
    });
    let world = World::of([reader, some, all]);
    searched(&world, "a/Reader", settings(3000), |driver, strategy| {
        let unsafe_runs = driver.statistics().unsafe_runs;
        assert!(unsafe_runs > 30, "{unsafe_runs}");
        for (class, is_called) in [("a/Some", true), ("a/All", false)] {
            let makes = |op: &OpId| driver.api.operation(*op).owner.as_internal() == class;
            let maker = driver.api.operations().find(makes).unwrap();
            assert_eq!(strategy.may_call(maker), is_called, "{class}");
        }
    });
}

#[test]
fn what_only_an_unkeepable_test_covers_is_still_to_be_covered() {
    let world = World::of([scribe()]);
    let name = "a/Scribe";
    let moves = vec![run(&world, name, &["rests", "writes"]), run(&world, name, &["rests"])];
    followed(&world, name, moves, |driver, reports| {
        assert_eq!(kept(driver), [["<init>", "rests"]]);
        assert_eq!(driver.covered()[1], 0);
        assert!(reports[1].new_coverage);
    });
}

#[test]
fn a_replayed_test_counts_as_kept_and_can_be_built_upon() {
    let world = World::of([counter()]);
    let api = api(&world, "a/Counter");
    let mut machine = Machine::new(&world);
    let mut driver = Driver::new(&mut machine, &api, &world, settings(0));
    let mut script = Script::new(Vec::new());
    let earlier = Kept { case: case(&world, "a/Counter", &["add 20", "get"]), throws: None };
    driver.replay(&earlier, &mut script);
    assert_eq!(driver.kept(), [earlier]);
    assert!(script.reports[0].new_coverage);
}

/// Calls made of an operation in a long search.
fn calls_of(world: &World, class: &str, op: &str) -> u64 {
    searched(world, class, settings(20_000), |driver, _| driver.executor.calls_of(op))
}

#[test]
fn what_cannot_be_linked_is_tried_once() {
    let world = World::of([looper()]);
    assert_eq!(calls_of(&world, "a/Looper", "a.Looper.needs()"), 1);
}

#[test]
fn what_is_cut_is_left_alone_after_its_limit() {
    let world = World::of([looper()]);
    assert_eq!(calls_of(&world, "a/Looper", "a.Looper.loops()"), 50);
    assert_eq!(calls_of(&world, "a/Looper", "a.Looper.waits()"), 4);
    // Its constructor is under test as well, and never to blame.
    assert!(calls_of(&world, "a/Looper", "new a.Looper()") > 60);
}

#[test]
fn a_maker_that_makes_others_hang_is_left_alone() {
    let pipe = class("a/Pipe");
    let reader = class("a/Reader").method("read(La/Pipe;)V", |_, args| match args[1] {
        Value::Null => Ok(Value::Null),
        _ => Err(Halt::Cut(Cut::Stopped)),
    });
    let world = World::of([pipe, reader]);
    assert_eq!(calls_of(&world, "a/Reader", "new a.Pipe()"), 2);
    // The method itself got half the blame, and is still called without one.
    assert!(calls_of(&world, "a/Reader", "a.Reader.read(a.Pipe)") > 100);
}

#[test]
fn a_maker_with_effects_is_left_alone_but_no_member_under_test() {
    let file = bare_class("a/File").constructor("()V", |heap, _| {
        heap.affect(EffectKind::FileWrite);
        Ok(Value::Null)
    });
    let user = class("a/User").method("use(La/File;)V", |_, _| Ok(Value::Null));
    let world = World::of([file, user, scribe()]);
    assert_eq!(calls_of(&world, "a/User", "new a.File()"), 8);
    assert!(calls_of(&world, "a/Scribe", "a.Scribe.writes()") > 100);
}

#[test]
fn a_method_that_leaves_threads_running_is_left_alone_and_those_called_after_it_are_not() {
    let server = class("a/Server")
        .method("start()V", |heap, _| {
            heap.leave(EffectKind::Thread);
            Ok(Value::Null)
        })
        .method("stop()V", |_, _| Ok(Value::Null));
    let world = World::of([server]);
    assert_eq!(calls_of(&world, "a/Server", "a.Server.start()"), 12);
    assert!(calls_of(&world, "a/Server", "a.Server.stop()") > 100);
}

#[test]
fn a_search_covers_what_it_takes_several_calls_to_reach() {
    let world = World::of([counter(), stack(), dice()]);
    for (class, probes) in [("a/Counter", 0..5), ("a/Stack", 5..9), ("a/Dice", 1..3)] {
        searched(&world, class, settings(20_000), |driver, _| {
            assert!(driver.covered()[probes].iter().all(|hit| *hit == 1), "{class}");
        });
    }
}
