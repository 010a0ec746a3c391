//! The strategies on classes declared in Rust.

use model::{ClassName, FailureKind, Literal, TestCase, Type};

use super::*;
use crate::driver::{Driver, Kept};
use crate::strategy::Ending;
use crate::testing::checked::{SUM, account, bounded, digit};
use crate::testing::classes::{counter, dice, looper, scribe, stack, thrower};
use crate::testing::machine::{Machine, Value};
use crate::testing::world::{Declaration, World, bare_class, class};
use crate::testing::{api, followed, op, settings, told};
use crate::{Budget, Finished, Knowledge, finish};

const ALL: [Variant; 3] = [Variant::Pure, Variant::Pooled, Variant::Incremental];

/// A thousand attempts, and nothing that the paper does not have.
fn thousand(variant: Variant) -> JetOptions {
    JetOptions { attempts: Some(1000), aliasing: false, ..JetOptions::of(variant) }
}

/// Runs a strategy, and hands over what became of it.
fn jet<R>(
    world: &World,
    class: &str,
    options: JetOptions,
    calls: u64,
    look: impl FnOnce(&mut Driver<'_, Machine<'_>>, &Jet<'_>) -> R,
) -> R {
    let api = api(world, class);
    let mut machine = Machine::new(world);
    let mut driver = Driver::new(&mut machine, &api, world, settings(calls));
    let mut strategy = Jet::new(&api, world, &Facts::default(), &[], options);
    driver.run(&mut strategy, &mut |_| {});
    look(&mut driver, &strategy)
}

fn counts(declared: Declaration, options: JetOptions) -> Counts {
    let name = declared.class.name.clone();
    let world = World::of([declared]);
    jet(&world, name.as_internal(), options, u64::MAX, |_, jet| jet.counts())
}

fn finished(world: &World, class: &str, options: JetOptions) -> Finished {
    jet(world, class, options, u64::MAX, |driver, jet| {
        finish(driver, world, &Knowledge::default(), &|ty, limit| jet.objects(ty, limit))
    })
}

#[test]
fn every_attempt_is_counted_once() {
    for variant in ALL {
        for redundancy in [true, false] {
            for declared in [account(), bounded(), digit(true), counter(), looper()] {
                let name = declared.class.name.clone();
                let options = JetOptions { redundancy, ..thousand(variant) };
                let counts = counts(declared, options);
                assert_eq!(counts.total(), 1000, "{name}, {variant:?}: {counts:?}");
                assert!(redundancy || counts.redundant == 0, "{name}, {variant:?}");
            }
        }
    }
}

#[test]
fn incremental_building_finds_more_meaningful_cases_than_pure() {
    for declared in [account, bounded] {
        let [pure, pooled, incremental] =
            ALL.map(|variant| counts(declared(), thousand(variant)).meaningful);
        let found = format!("{pure}, {pooled}, {incremental}");
        assert!(incremental > pure * 12 / 10 && incremental > pooled, "{found}");
    }
}

#[test]
fn other_arguments_and_other_methods_both_help() {
    let pure = counts(account(), thousand(Variant::Pure));
    for retry in [Retry::Method, Retry::Arguments] {
        let options = JetOptions { retry, ..thousand(Variant::Incremental) };
        let counts = counts(account(), options);
        assert!(counts.meaningful > pure.meaningful, "{retry:?}: {counts:?}, {pure:?}");
        assert!(counts.taken_back > 0);
    }
    let options = JetOptions { tries: 1, ..thousand(Variant::Incremental) };
    let once = counts(account(), options);
    let often = counts(account(), thousand(Variant::Incremental));
    assert!(once.meaningful < often.meaningful, "{once:?}, {often:?}");
}

#[test]
fn objects_that_are_pooled_work_and_take_more_calls() {
    let world = World::of([account()]);
    let longest = |pool| {
        let options = JetOptions { pool, ..thousand(Variant::Incremental) };
        jet(&world, "a/Account", options, u64::MAX, |driver, jet| {
            let ty = jet.api.type_id(&Type::class("a/Account")).expect("the class under test");
            let objects = jet.objects(ty, 1000);
            for (case, _) in &objects {
                case.check(&world).expect("a well-formed test");
                assert_eq!(driver.execute(case), Ending::Normal);
            }
            objects.iter().map(|(case, _)| case.calls.len()).max()
        })
    };
    assert_eq!(longest(None), None);
    assert!(longest(Some(100)) > Some(6));
}

#[test]
fn a_full_pool_replaces() {
    let world = World::of([account()]);
    let options = |room| JetOptions { pool: Some(room), ..thousand(Variant::Incremental) };
    let pooled = |room, attempts| {
        let options = JetOptions { attempts: Some(attempts), ..options(room) };
        jet(&world, "a/Account", options, u64::MAX, |_, jet| {
            let ty = jet.api.type_id(&Type::class("a/Account")).expect("the class under test");
            jet.objects(ty, 1000).iter().map(|(case, _)| told(case)).collect::<Vec<_>>()
        })
    };
    let (few, later) = (pooled(4, 20), pooled(4, 500));
    assert_eq!((few.len(), later.len()), (4, 4));
    assert!(few.iter().any(|object| !later.contains(object)), "{few:?}, {later:?}");
    assert!(pooled(0, 500).is_empty());
}

#[test]
fn no_two_pooled_objects_are_equal() {
    for has_hash_code in [true, false] {
        let world = World::of([digit(has_hash_code)]);
        let options = JetOptions { mutations: 0, ..thousand(Variant::Incremental) };
        let pooled = jet(&world, "a/Digit", options, u64::MAX, |_, jet| {
            let ty = jet.api.type_id(&Type::class("a/Digit")).expect("the class under test");
            jet.objects(ty, 1000).len()
        });
        assert_eq!(pooled, 10);
    }
}

#[test]
fn objects_with_equals_are_redundant_if_they_are_equal() {
    // `shows` can be called on ten objects, the constructor be given any number.
    for variant in ALL {
        for has_hash_code in [true, false] {
            let world = World::of([digit(has_hash_code)]);
            let options = thousand(variant);
            let shown = jet(&world, "a/Digit", options, u64::MAX, |_, jet| {
                let constructed = jet.counts();
                assert!(constructed.redundant > 100, "{constructed:?}");
                assert_eq!(constructed.meaningless, 0);
                jet.redundancy
                    .candidates(&ClassName::internal("a/Digit"), has_hash_code.then_some(3))
            });
            assert_eq!(shown.len(), if has_hash_code { 1 } else { 10 }, "{variant:?}");
        }
    }
}

#[test]
fn an_array_is_drawn_with_its_elements() {
    let sums = bare_class("a/Sums").member(9, "sum([I[[J)I", |heap, args| {
        let (Value::Array(_, few), Value::Array(..)) = (&args[0], &args[1]) else {
            return Ok(Value::int(0));
        };
        heap.hit(few.len());
        Ok(Value::int(few.len() as i32))
    });
    let world = World::of([sums]);
    for variant in ALL {
        jet(&world, "a/Sums", thousand(variant), u64::MAX, |driver, jet| {
            assert_eq!(driver.covered()[..5], [1; 5], "{variant:?}");
            assert!(jet.counts().meaningful > 500, "{:?}", jet.counts());
        });
    }
}

#[test]
fn an_interface_is_null_if_nothing_implements_it() {
    let lonely = class("a/Lonely").interface();
    let shape = bare_class("a/Shape").interface();
    let square = class("a/Square").implements("a/Shape");
    let taker = bare_class("a/Taker").member(9, "take(La/Lonely;La/Shape;)V", |heap, args| {
        assert_eq!(args[0], Value::Null);
        heap.hit(usize::from(args[1] == Value::Null));
        Ok(Value::Null)
    });
    let world = World::of([lonely, shape, square, taker]);
    for variant in ALL {
        jet(&world, "a/Taker", thousand(variant), u64::MAX, |driver, _| {
            assert_eq!(driver.covered()[..2], [1, 1], "{variant:?}");
        });
    }
}

#[test]
fn fields_are_assigned_as_calls_are() {
    let mut point = class("a/Point").method("norm()I", |heap, args| {
        heap.hit(usize::from(heap.get(&args[0]) > 0));
        Ok(Value::int(1))
    });
    let field = model::Field {
        name: "x".into(),
        ty: Type::INT,
        access: model::Access(1),
        signature: None,
        annotations: Vec::new(),
    };
    point.class.fields.push(field);
    let world = World::of([point.setting("x", |heap, args| {
        let x = args[1].as_int();
        heap.set(&args[0], x);
        Ok(Value::Null)
    })]);
    for variant in ALL {
        jet(&world, "a/Point", thousand(variant), u64::MAX, |driver, _| {
            assert_eq!(driver.covered()[..2], [1, 1], "{variant:?}");
        });
    }
}

#[test]
fn a_broken_contract_is_one_failure_for_each_clause() {
    let world = World::of([account()]);
    for variant in ALL {
        let options = JetOptions { aliasing: true, ..thousand(variant) };
        let failures = finished(&world, "a/Account", options).failures;
        let [failure] = &failures[..] else { panic!("{variant:?}: {failures:?}") };
        let kind = failure.failure.as_ref().map(|failure| failure.kind.clone());
        let Some(FailureKind::Breach { breach, .. }) = kind else { panic!("{kind:?}") };
        assert_eq!(breach.clause, SUM);
        // An account transfers to itself.
        let [new, transfer] = &failure.case.calls[..] else { panic!("{:?}", told(&failure.case)) };
        assert_eq!(transfer.args[0], transfer.args[2]);
        assert_eq!(Some(transfer.args[0]), new.result);
    }
    // It takes an object that is passed twice.
    let without = finished(&world, "a/Account", thousand(Variant::Incremental));
    assert!(without.failures.is_empty());
    let counts = counts(account(), JetOptions { aliasing: true, ..thousand(Variant::Incremental) });
    assert!(counts.failed > 0 && counts.failed < counts.meaningful, "{counts:?}");
}

#[test]
fn what_is_infeasible_is_in_no_test() {
    let world = World::of([account(), bounded()]);
    for class in ["a/Account", "a/Bounded"] {
        for variant in ALL {
            let finished = finished(&world, class, thousand(variant));
            assert!(!finished.tests.is_empty());
            let cases = finished.tests.iter().map(|(test, _)| &test.case);
            for case in cases.chain(finished.failures.iter().map(|test| &test.case)) {
                case.check(&world).expect("a well-formed test");
                jet(&world, class, thousand(variant), 0, |driver, _| {
                    assert_eq!(driver.execute(case), Ending::Normal, "{:?}", told(case));
                });
            }
        }
    }
}

/// A test that opens an account with ten and pays this out.
fn withdrawing(world: &World, amounts: &[i32]) -> TestCase {
    let mut case = TestCase::default();
    let ten = case.literal(Type::INT, Literal::Int(10));
    let object = case.call(&op(world, "a/Account", "<init>"), &[ten]).expect("an object");
    for amount in amounts {
        let amount = case.literal(Type::INT, Literal::Int(*amount));
        case.call(&op(world, "a/Account", "withdraw"), &[object, amount]);
    }
    case
}

#[test]
fn an_infeasible_call_leaves_no_trace() {
    let world = World::of([account()]);
    let case = withdrawing(&world, &[4, 7, 6]);
    let call = |at: usize| Move::Extend(Vec::new(), vec![case.calls[at].clone()]);
    let moves = vec![
        Move::Open(case.slots[..2].to_vec()),
        call(0),
        Move::Extend(case.slots[2..].to_vec(), vec![case.calls[1].clone()]),
        call(2),
        // After it no call is made.
        call(3),
        Move::Undo,
        Move::Undo,
        call(3),
        Move::Close,
    ];
    followed(&world, "a/Account", moves, |driver, reports| {
        let infeasible = |report: &Report| match &report.ending {
            Ending::Breached(at, breach) => Some((*at, breach.clause)),
            _ => None,
        };
        let seen: Vec<_> = reports.iter().map(infeasible).collect();
        let breached = Some((2, 4));
        assert_eq!(seen, [None, None, breached, breached, None]);
        // The first call that is taken back was never made; taking back the other runs nothing again.
        assert_eq!(driver.executor.calls_of("new a.Account(int)"), 2);
        assert_eq!(driver.statistics().infeasible, 1);
        let kept: Vec<Vec<String>> = driver.kept().iter().map(|kept| told(&kept.case)).collect();
        assert_eq!(kept, [vec!["<init> 10"], vec!["<init> 10", "withdraw 4"]]);
    });
}

#[test]
fn taking_back_an_infeasible_call_runs_nothing_again() {
    let world = World::of([account()]);
    let case = withdrawing(&world, &[4, 7, 6]);
    let moves = vec![
        Move::Open(case.slots.clone()),
        Move::Extend(Vec::new(), case.calls[..3].to_vec()),
        Move::Undo,
        Move::Extend(Vec::new(), vec![case.calls[3].clone()]),
    ];
    followed(&world, "a/Account", moves, |driver, reports| {
        assert_eq!(reports.len(), 2);
        assert_eq!(reports[1].ending, Ending::Normal);
        assert_eq!(driver.executor.calls(), 4);
    });
}

#[test]
fn the_guided_strategy_works_with_contracts_too() {
    let world = World::of([account()]);
    let finished = crate::testing::finished(&world, "a/Account", 5000);
    let kinds = finished.failures.iter().filter_map(|test| test.failure.as_ref());
    let kinds: Vec<_> = kinds.map(|failure| failure.kind.to_owned()).collect();
    assert!(matches!(&kinds[..], [FailureKind::Breach { breach, .. }] if breach.clause == SUM));
    let covered = finished.tests.iter().flat_map(|(_, probes)| probes);
    let mut covered: Vec<u32> = covered.copied().collect();
    covered.sort_unstable();
    covered.dedup();
    assert_eq!(covered, [0, 1, 2, 3]);
}

#[test]
fn the_same_seed_gives_the_same_result() {
    let world = World::of([account(), stack(), digit(false)]);
    for class in ["a/Account", "a/Stack", "a/Digit"] {
        for variant in ALL {
            let search = |seed: u64| -> (Vec<Kept>, Counts) {
                let api = api(&world, class);
                let mut machine = Machine::new(&world);
                let mut settings = settings(u64::MAX);
                settings.seed = seed;
                let mut driver = Driver::new(&mut machine, &api, &world, settings);
                let options = thousand(variant);
                let mut strategy = Jet::new(&api, &world, &Facts::default(), &[], options);
                driver.run(&mut strategy, &mut |_| {});
                (driver.kept().to_vec(), strategy.counts())
            };
            let one = search(3);
            assert_eq!(one, search(3), "{class}, {variant:?}");
            assert!((4..20).any(|seed| search(seed) != one), "the seed makes no difference");
        }
    }
}

#[test]
fn a_budget_of_calls_ends_the_search() {
    let world = World::of([account(), stack(), digit(true), thrower(), scribe(), dice()]);
    for class in ["a/Account", "a/Stack", "a/Digit", "a/Thrower", "a/Scribe", "a/Dice"] {
        for variant in ALL {
            jet(&world, class, JetOptions::of(variant), 3000, |driver, _| {
                let calls = driver.statistics().calls;
                assert!(calls < 3100, "{class}, {variant:?}: {calls}");
                for kept in driver.kept() {
                    kept.case.check(&world).expect("a well-formed test");
                }
            });
        }
    }
}

#[test]
fn what_cannot_be_linked_is_tried_once_and_what_is_cut_is_left_alone() {
    let world = World::of([looper()]);
    for variant in ALL {
        let options = JetOptions { redundancy: false, ..JetOptions::of(variant) };
        jet(&world, "a/Looper", options, 20_000, |driver, _| {
            let calls = |op: &str| driver.executor.calls_of(op);
            assert_eq!(calls("a.Looper.needs()"), 1, "{variant:?}");
            assert!(calls("a.Looper.loops()") < 55, "{variant:?}");
            assert!(calls("a.Looper.waits()") < 8, "{variant:?}");
            assert!(calls("new a.Looper()") > 60, "{variant:?}");
        });
    }
}

#[test]
fn only_what_the_class_declares_is_tested_if_so_wanted() {
    let base = class("a/Base").method("reset()V", |_, _| Ok(Value::Null));
    let mut sub = class("a/Sub").method("set(I)V", |_, _| Ok(Value::Null));
    sub.class.superclass = Some(ClassName::internal("a/Base"));
    let world = World::of([base, sub]);
    for (inherited, expected) in [(true, 3), (false, 2)] {
        let options = JetOptions { inherited, ..thousand(Variant::Pure) };
        let methods = jet(&world, "a/Sub", options, 0, |_, jet| jet.methods().count());
        assert_eq!(methods, expected);
    }
}

#[test]
fn a_budget_of_time_ends_the_search_even_if_all_is_redundant() {
    let world = World::of([class("a/Bare")]);
    let api = api(&world, "a/Bare");
    let mut machine = Machine::new(&world);
    let mut settings = settings(0);
    settings.budget = Budget::Time(std::time::Duration::from_millis(20));
    let mut driver = Driver::new(&mut machine, &api, &world, settings);
    let options = JetOptions::of(Variant::Incremental);
    let mut strategy = Jet::new(&api, &world, &Facts::default(), &[], options);
    driver.run(&mut strategy, &mut |_| {});
    assert_eq!(strategy.counts().meaningful, 1);
    assert!(strategy.counts().redundant > 1000);
}
