//! Each law is broken by one class, which is reported for just that; well-behaved ones are not.

use std::sync::Arc;

use model::{
    ClassName, Contract, EffectKind, Failure, FailureKind, Literal, TestCase, Type, UnitTest,
};

use super::{Noise, tuples};
use crate::regression::Known;
use crate::strategy::Move;
use crate::testing::machine::{Halt, Heap, Machine, Value, throw};
use crate::testing::world::{Body, Declaration, World, bare_class, class};
use crate::testing::{api, finish_tests, finished, followed, op, settings};
use crate::{Driver, Knowledge};

const ITEM: &str = "a/Item";
const ORDER: &str = "a/Order";
const EQUALS: &str = "equals(Ljava/lang/Object;)Z";
const HASH_CODE: &str = "hashCode()I";
const TO_STRING: &str = "toString()Ljava/lang/String;";
const COMPARE_TO: &str = "compareTo(Ljava/lang/Object;)I";
const COMPARE: &str = "compare(La/Item;La/Item;)I";
const CLONE: &str = "clone()Ljava/lang/Object;";

/// A class whose objects hold a number.
fn item() -> Declaration {
    bare_class(ITEM).constructor("(I)V", |heap, args| {
        heap.set(&args[0], args[1].as_int());
        Ok(Value::Null)
    })
}

fn comparable(body: Body) -> Declaration {
    item().implements("java/lang/Comparable").method(COMPARE_TO, body)
}

fn comparator(body: Body) -> Declaration {
    class(ORDER).implements("java/util/Comparator").method(COMPARE, body)
}

fn cloneable(body: Body) -> Declaration {
    item().implements("java/lang/Cloneable").method(CLONE, body)
}

/// The laws that a class under test is reported to break, by objects of few numbers.
fn broken(world: &World, under_test: &str) -> Vec<Contract> {
    let api = api(world, under_test);
    let objects = |ty, _| {
        let objects = (0..8).map(|number| {
            let mut case = TestCase::default();
            let Type::Class(class) = api.ty(ty) else { panic!("no class") };
            let op = op(world, class.as_internal(), "<init>");
            let args: Vec<_> =
                op.params.iter().map(|_| case.literal(Type::INT, Literal::Int(number))).collect();
            let slot = case.call(&op, &args).expect("an object");
            (Arc::new(case), slot)
        });
        objects.collect()
    };
    let mut machine = Machine::new(world);
    let mut driver = Driver::new(&mut machine, &api, &world, settings(0));
    let known = Known { classes: world, knowledge: &Knowledge::default(), package: "a" };
    laws(world, &super::audit(&mut driver, known, &objects))
}

/// The same by what a search built.
fn broken_by_a_search(world: &World, under_test: &str) -> Vec<Contract> {
    laws(world, &finished(world, under_test, 3000).failures)
}

/// The laws that are reported, each by a test with as many objects as the law speaks of and no call
/// but those that make them.
fn laws(world: &World, failing: &[UnitTest]) -> Vec<Contract> {
    let laws = failing.iter().map(|test| {
        let failure = test.failure.as_ref().expect("a failing test");
        let FailureKind::Contract { contract, slots } = &failure.kind else { panic!("{test:?}") };
        assert_eq!(slots.len(), contract.operands());
        let is_alone = *contract == Contract::EqualsHashCode && slots[0] == slots[1];
        assert!(!is_alone, "an object always has its own hash code: {:?}", test.case);
        assert!(test.case.calls.len() <= slots.len(), "{contract:?}: {:?}", test.case);
        assert!(test.case.calls.iter().all(|call| &*call.op.name == "<init>"), "{:?}", test.case);
        test.case.check(world).expect("a well-formed test");
        *contract
    });
    laws.collect()
}

fn check(declared: Declaration, expected: &[Contract]) {
    assert_eq!(broken(&World::of([declared]), ITEM), expected);
}

/// A comparator of items, with the items it compares.
fn check_comparator(body: Body, expected: &[Contract]) {
    assert_eq!(broken(&World::of([item(), comparator(body)]), ORDER), expected);
}

/// The numbers of the last two arguments, which are items or else cannot be compared.
fn numbers(heap: &Heap, args: &[Value]) -> Result<(i64, i64), Halt> {
    let (x, y) = (&args[args.len() - 2], &args[args.len() - 1]);
    if is_item(x) && is_item(y) {
        return Ok((i64::from(heap.get(x)), i64::from(heap.get(y))));
    }
    Err(Halt::Throw { class: "IllegalArgumentException", message: None, line: 9 })
}

fn is_item(value: &Value) -> bool {
    matches!(value, Value::Object(_))
}

fn zero(_: &mut Heap, _: &[Value]) -> Result<Value, Halt> {
    Ok(Value::int(0))
}

/// `equals` by what is said of the two numbers; no item equals anything else.
fn equal(heap: &Heap, args: &[Value], equal: impl FnOnce(i64, i64) -> bool) -> Result<Value, Halt> {
    if !is_item(&args[1]) {
        return Ok(Value::boolean(false));
    }
    let (x, y) = numbers(heap, args)?;
    Ok(Value::boolean(equal(x, y)))
}

fn ordered(sign: i64) -> Result<Value, Halt> {
    Ok(Value::int(sign.signum() as i32 * 7))
}

#[test]
fn equals_that_denies_itself_is_reported() {
    check(item().method(EQUALS, |_, _| Ok(Value::boolean(false))), &[Contract::EqualsReflexive]);
}

#[test]
fn equals_that_takes_null_for_itself_is_reported() {
    let body: Body = |_, args| Ok(Value::boolean(args[1] == Value::Null || args[0] == args[1]));
    check(item().method(EQUALS, body).method(HASH_CODE, zero), &[Contract::EqualsNull]);
}

#[test]
fn equals_that_depends_on_who_is_asked_is_reported() {
    let body: Body = |heap, args| equal(heap, args, |x, y| x <= y);
    check(item().method(EQUALS, body).method(HASH_CODE, zero), &[Contract::EqualsSymmetric]);
}

#[test]
fn equals_that_throws_on_null_is_reported() {
    let body: Body = |_, args| match args[1] {
        Value::Null => Err(Halt::Throw { class: "NullPointerException", message: None, line: 3 }),
        _ => Ok(Value::boolean(args[0] == args[1])),
    };
    check(item().method(EQUALS, body).method(HASH_CODE, zero), &[Contract::EqualsNull]);
}

#[test]
fn equals_of_neighbours_is_reported_as_not_transitive() {
    let body: Body = |heap, args| equal(heap, args, |x, y| (x - y).abs() <= 1);
    check(item().method(EQUALS, body).method(HASH_CODE, zero), &[Contract::EqualsTransitive]);
}

#[test]
fn equal_objects_of_other_hash_codes_are_reported() {
    let body: Body = |heap, args| equal(heap, args, |x, y| x == y);
    check(item().method(EQUALS, body), &[Contract::EqualsHashCode]);
}

#[test]
fn equals_that_throws_is_reported() {
    let body: Body = |heap, args| match equal(heap, args, |x, y| x == y) {
        Ok(same) if same == Value::boolean(false) && is_item(&args[1]) => {
            throw("IllegalStateException", 1)
        }
        answer => answer,
    };
    check(item().method(EQUALS, body).method(HASH_CODE, zero), &[Contract::EqualsReturns]);
}

#[test]
fn hash_code_and_to_string_that_throw_are_reported() {
    let throws: Body = |_, _| throw("IllegalStateException", 1);
    check(item().method(HASH_CODE, throws), &[Contract::HashCodeReturns]);
    check(item().method(TO_STRING, throws), &[Contract::ToStringReturns]);
}

/// Greater than itself, and in order with all others.
fn compare_reflexive(heap: &mut Heap, args: &[Value]) -> Result<Value, Halt> {
    let (x, y) = numbers(heap, args)?;
    ordered(if args[args.len() - 2] == args[args.len() - 1] { 1 } else { x - y })
}

/// One and two are each less than the other.
fn compare_antisymmetric(heap: &mut Heap, args: &[Value]) -> Result<Value, Halt> {
    let (x, y) = numbers(heap, args)?;
    ordered(if (x, y) == (2, 1) { -1 } else { x - y })
}

/// Around in a circle of three.
fn compare_transitive(heap: &mut Heap, args: &[Value]) -> Result<Value, Halt> {
    let (x, y) = numbers(heap, args)?;
    ordered(match (x - y).rem_euclid(3) {
        2 => -1,
        other => other,
    })
}

/// Neighbours are equal.
fn compare_consistent(heap: &mut Heap, args: &[Value]) -> Result<Value, Halt> {
    let (x, y) = numbers(heap, args)?;
    ordered(if (x - y).abs() <= 1 { 0 } else { x - y })
}

fn compare_well(heap: &mut Heap, args: &[Value]) -> Result<Value, Halt> {
    let (x, y) = numbers(heap, args)?;
    ordered(x - y)
}

#[test]
fn each_broken_law_of_compare_to_is_reported() {
    check(comparable(compare_reflexive), &[Contract::CompareReflexive]);
    check(comparable(compare_antisymmetric), &[Contract::CompareAntisymmetric]);
    check(comparable(compare_transitive), &[Contract::CompareTransitive]);
    check(comparable(compare_consistent), &[Contract::CompareConsistent]);
}

#[test]
fn each_broken_law_of_a_comparator_is_reported() {
    check_comparator(compare_reflexive, &[Contract::ComparatorReflexive]);
    check_comparator(compare_antisymmetric, &[Contract::ComparatorAntisymmetric]);
    check_comparator(compare_transitive, &[Contract::ComparatorTransitive]);
    check_comparator(compare_consistent, &[Contract::ComparatorConsistent]);
}

#[test]
fn a_search_finds_broken_laws_by_objects_it_built() {
    let never_equal = item().method(EQUALS, |_, _| Ok(Value::boolean(false)));
    assert_eq!(broken_by_a_search(&World::of([never_equal]), ITEM), [Contract::EqualsReflexive]);
    // Items are made only to be compared.
    let world = World::of([item(), comparator(compare_consistent)]);
    assert_eq!(broken_by_a_search(&world, ORDER), [Contract::ComparatorConsistent]);
}

#[test]
fn a_comparator_of_literals_is_asked_about_literals() {
    let of_text = class(ORDER)
        .implements("java/util/Comparator")
        .method("compare(Ljava/lang/String;Ljava/lang/String;)I", |_, _| Ok(Value::int(1)));
    assert_eq!(
        broken_by_a_search(&World::of([of_text]), ORDER),
        [Contract::ComparatorReflexive, Contract::ComparatorAntisymmetric]
    );
}

#[test]
fn a_method_named_compare_makes_no_comparator() {
    let order = class(ORDER).method(COMPARE, |_, _| Ok(Value::int(1)));
    assert_eq!(broken(&World::of([item(), order]), ORDER), []);
}

#[test]
fn a_clone_that_is_the_object_itself_is_reported() {
    check(cloneable(|_, args| Ok(args[0].clone())), &[Contract::CloneFresh]);
}

#[test]
fn a_clone_of_another_class_is_reported() {
    check(cloneable(|heap, _| Ok(heap.make("a/Other", 0))), &[Contract::CloneClass]);
}

#[test]
fn a_well_behaved_class_is_not_reported() {
    let equals: Body = |heap, args| equal(heap, args, |x, y| x == y);
    let good = comparable(compare_well)
        .implements("java/lang/Cloneable")
        .method(EQUALS, equals)
        .method(HASH_CODE, |heap, args| Ok(Value::int(heap.get(&args[0]))))
        .method(TO_STRING, |_, _| Ok(Value::text("item")))
        .method(CLONE, |heap, args| {
            let value = heap.get(&args[0]);
            Ok(heap.make(ITEM, value))
        });
    check(good, &[]);
    check_comparator(compare_well, &[]);
}

#[test]
fn an_answer_that_says_nothing_of_the_law_is_not_reported() {
    // It throws where it could answer.
    check(comparable(|_, _| throw("IllegalArgumentException", 1)), &[]);
    check_comparator(|_, _| throw("IllegalArgumentException", 1), &[]);
    // Its stack is too small.
    check(item().method(HASH_CODE, |_, _| throw("StackOverflowError", 1)), &[]);
    // It used up its steps, and made something else of that.
    let wraps: Body = |heap, _| {
        heap.overrun();
        throw("IllegalStateException", 1)
    };
    check(item().method(TO_STRING, wraps), &[]);
    // It writes a file, so no test may ask.
    let writes: Body = |heap, _| {
        heap.affect(EffectKind::FileWrite);
        Ok(Value::boolean(false))
    };
    check(item().method(EQUALS, writes), &[]);
    let writes_and_throws: Body = |heap, _| {
        heap.affect(EffectKind::FileWrite);
        throw("IllegalStateException", 1)
    };
    check(item().method(TO_STRING, writes_and_throws), &[]);
}

#[test]
fn an_object_that_a_kept_test_asks_is_asked_for_the_laws() {
    // Of all numbers one.
    let picky: Body = |heap, args| {
        heap.hit(1);
        equal(heap, args, |x, y| x == y && x != 4711)
    };
    let world = World::of([item().method(EQUALS, picky).method(HASH_CODE, zero)]);
    let kept = |number| {
        let mut case = TestCase::default();
        let number = case.literal(Type::INT, Literal::Int(number));
        let object = case.call(&op(&world, ITEM, "<init>"), &[number]).expect("an object");
        case.call(&op(&world, ITEM, "equals"), &[object, object]);
        Arc::new(case)
    };
    let reported = |number| {
        followed(&world, ITEM, vec![Move::Run(kept(number))], |driver, _| {
            laws(&world, &finish_tests(driver, &world).failures)
        })
    };
    assert_eq!(reported(4711), [Contract::EqualsReflexive]);
    assert_eq!(reported(4712), []);
}

#[test]
fn an_object_that_was_given_null_is_not_asked() {
    let holder = bare_class(ITEM)
        .constructor("(Ljava/lang/String;)V", |_, _| Ok(Value::Null))
        .method(HASH_CODE, |_, _| throw("IllegalStateException", 1));
    let world = World::of([holder]);
    let api = api(&world, ITEM);
    let reported = |given: Literal| {
        let objects = |_, _| {
            let mut case = TestCase::default();
            let argument = case.literal(Type::string(), given.clone());
            let slot = case.call(&op(&world, ITEM, "<init>"), &[argument]).expect("an object");
            vec![(Arc::new(case), slot)]
        };
        let mut machine = Machine::new(&world);
        let mut driver = Driver::new(&mut machine, &api, &world, settings(0));
        let known = Known { classes: &world, knowledge: &Knowledge::default(), package: "a" };
        super::audit(&mut driver, known, &objects).len()
    };
    assert_eq!(reported(Literal::Null), 0);
    assert_eq!(reported(Literal::String("a".into())), 1);
}

#[test]
fn what_a_comparator_compares_is_not_told_by_its_bridge() {
    let bridged = class(ORDER)
        .implements("java/util/Comparator")
        .member(0x1041, "compare(Ljava/lang/Object;Ljava/lang/Object;)I", compare_transitive)
        .method(COMPARE, compare_transitive);
    let world = World::of([item(), bridged]);
    assert_eq!(broken(&world, ORDER), [Contract::ComparatorTransitive]);
}

#[test]
fn every_object_has_its_turn_in_every_place() {
    for count in 0..=24 {
        for length in 1..=3 {
            let all: Vec<Vec<usize>> = tuples(count, length).collect();
            assert!(all.len() <= super::MAX_TUPLES);
            if length == 3 && count < 3 {
                assert_eq!(all.len(), 0);
                continue;
            }
            for place in 0..length {
                let seen = |number: usize| all.iter().any(|tuple| tuple[place] == number);
                assert!((0..count).all(seen), "{count} {length} {place}");
            }
        }
    }
    assert_eq!(tuples(24, 2).count(), 24 * 24);
}

/// The failures and noise that a search reports of a class.
fn reported(world: &World, under_test: &str) -> (Vec<Failure>, Vec<(Noise, u32)>) {
    let finished = finished(world, under_test, 3000);
    (finished.failures.into_iter().filter_map(|test| test.failure).collect(), finished.noise)
}

#[test]
fn a_law_that_is_broken_by_an_exception_names_it_and_where_it_comes_from() {
    let thrower = item().method(TO_STRING, |_, _| throw("IllegalStateException", 4));
    let (failures, _) = reported(&World::of([thrower]), ITEM);
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    let thrown = "java.lang.IllegalStateException in a.Item.toString (line 4)";
    assert_eq!(failure.explanation, format!("toString must not throw, but throws {thrown}"));
    assert_eq!(failure.cause.text, thrown);
}

#[test]
fn a_law_broken_by_a_superclass_is_one_cause() {
    let never: Body = |_, _| Ok(Value::boolean(false));
    let mut special = class("a/Special");
    special.class.superclass = Some(ClassName::internal("a/Base"));
    let world = World::of([class("a/Base").method(EQUALS, never), special]);
    let causes = |name: &str| reported(&world, name).0.into_iter().map(|f| f.cause.text).collect();
    let causes: [Vec<String>; 2] = ["a/Base", "a/Special"].map(causes);
    assert_eq!(causes[0], ["EqualsReflexive of a.Base"]);
    assert_eq!(causes[0], causes[1]);
}

#[test]
fn laws_that_a_deprecated_class_breaks_are_noise() {
    let mut old = item().method(HASH_CODE, |_, _| throw("IllegalStateException", 1));
    old.class.deprecated = true;
    let world = World::of([old]);
    assert_eq!(reported(&world, ITEM), (Vec::new(), vec![(Noise::Deprecated, 1)]));
}

#[test]
fn an_object_that_was_not_set_up_breaks_no_law() {
    let unset = |setter: &str| {
        let part = item().method(setter, zero).method(TO_STRING, |_, _| {
            let message = Some("Cannot invoke \"a.B.c()\" because \"this.part\" is null");
            Err(Halt::Throw { class: "NullPointerException", message, line: 4 })
        });
        reported(&World::of([part]), ITEM)
    };
    let (failures, noise) = unset("setPart(La/Item;)I");
    assert_eq!((failures.len(), noise), (0, vec![(Noise::Unset, 1)]));
    let (failures, noise) = unset("fill(La/Item;)I");
    assert_eq!((failures.len(), noise), (1, vec![]));
}

#[test]
fn a_cast_that_fails_is_a_broken_law_only_of_equals() {
    let cast: Body = |_, _| throw("ClassCastException", 1);
    check(item().method(TO_STRING, cast).method(HASH_CODE, cast), &[]);
    let broken = broken(&World::of([item().method(EQUALS, cast)]), ITEM);
    assert!(broken.contains(&Contract::EqualsReturns), "{broken:?}");
}
