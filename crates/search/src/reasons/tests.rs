//! Every reason that a search can give is given. The others are the worker's and the command's.

use model::{ClassKind, ClassName, ClassSource, Nesting, Type, type_accessible};

use super::{Reason, ReasonCode};
use crate::testing::classes::{looper, scribe, thrower};
use crate::testing::machine::{Value, throw};
use crate::testing::world::{ABSTRACT, Declaration, PRIVATE, World, bare_class, class};
use crate::testing::{api, finished};

/// The reason seen from the declaration.
fn before(declared: Declaration) -> Option<(ReasonCode, String)> {
    let name = declared.class.name.clone();
    let world = World::of([declared]);
    let accessible = type_accessible(&world, &Type::Class(name.clone()), name.package());
    let class = world.class(&name).unwrap();
    let reason = Reason::before_search(&class, accessible, &api(&world, name.as_internal()));
    reason.map(|reason| {
        assert!(reason.member.is_empty());
        (reason.code, reason.detail)
    })
}

/// The reason a member has after a search.
pub(super) fn after(world: &World, class: &str, member: &str) -> Option<(ReasonCode, String)> {
    let reasons = finished(world, class, 3000).reasons;
    let reason = reasons.into_iter().find(|reason| reason.member == member)?;
    Some((reason.code, reason.detail))
}

pub(super) fn check(
    found: Option<(ReasonCode, String)>,
    expected: impl Into<Option<(ReasonCode, &'static str)>>,
) {
    let found = found.as_ref().map(|(code, detail)| (*code, &**detail));
    assert_eq!(found, expected.into());
}

#[test]
fn a_class_that_no_test_can_name_is_not_accessible() {
    let mut local = class("a/Outer$1");
    local.class.nesting = Nesting::Local;
    check(before(local), (ReasonCode::NotAccessible, "the class is local to a method"));
    let mut synthetic = class("a/Made");
    synthetic.class.access.0 |= 0x1000;
    check(before(synthetic), (ReasonCode::NotAccessible, "the class is made by the compiler"));
    let mut private = class("a/Outer$Inner");
    let outer = ClassName::internal("a/Outer");
    private.class.nesting = Nesting::Member { outer, simple: "Inner".into(), is_static: true };
    private.class.access.0 = PRIVATE;
    check(before(private), (ReasonCode::NotAccessible, "the class is private"));
}

#[test]
fn a_class_without_code_has_nothing_to_run() {
    let mut interface =
        bare_class("a/Shape").member(ABSTRACT | 1, "area()I", |_, _| Ok(Value::Null));
    interface.class.kind = ClassKind::Interface;
    check(before(interface), (ReasonCode::NothingToRun, "an interface without code of its own"));
    let mut annotation = bare_class("a/Mark");
    annotation.class.kind = ClassKind::Annotation;
    check(before(annotation), (ReasonCode::NothingToRun, "an annotation type"));
}

#[test]
fn a_class_of_private_members_has_no_accessible_one() {
    let hidden = bare_class("a/Hidden").member(PRIVATE, "<init>()V", |_, _| Ok(Value::Null));
    let detail = "all constructors are private and no other member is accessible";
    check(before(hidden), (ReasonCode::NoAccessibleMember, detail));
    let mut closed = bare_class("a/Closed").member(PRIVATE, "works()V", |_, _| Ok(Value::Null));
    closed.class.has_initializer = true;
    let detail = "no member is accessible from its package";
    check(before(closed), (ReasonCode::NoAccessibleMember, detail));
}

#[test]
fn an_ordinary_class_has_no_reason_beforehand() {
    check(before(thrower()), None);
}

#[test]
fn a_member_that_never_returned_has_the_reason_why() {
    let world = World::of([thrower(), looper(), scribe()]);
    let always = (ReasonCode::AlwaysThrows, "java.lang.IllegalStateException");
    check(after(&world, "a/Thrower", "a.Thrower.always()"), always);
    check(after(&world, "a/Looper", "a.Looper.loops()"), (ReasonCode::Hangs, "cut short 50 times"));
    let waits = after(&world, "a/Looper", "a.Looper.waits()");
    check(waits, (ReasonCode::Hangs, "cut short 4 times, by the clock"));
    let missing = (ReasonCode::Unlinkable, "a class is missing");
    check(after(&world, "a/Looper", "a.Looper.needs()"), missing);
    let wrote = (ReasonCode::UnsafeEffect, "wrote a file");
    check(after(&world, "a/Scribe", "a.Scribe.writes()"), wrote);
    let left = (ReasonCode::UnsafeEffect, "left a thread running");
    check(after(&world, "a/Scribe", "a.Scribe.leaves()"), left);
    check(after(&world, "a/Scribe", "a.Scribe.rests()"), None);
    check(after(&world, "a/Thrower", "a.Thrower.hash(java.lang.Object)"), None);
}

#[test]
fn a_member_whose_receiver_cannot_be_made_says_what_is_missing() {
    let stubborn = bare_class("a/Stubborn")
        .constructor("()V", |_, _| throw("IllegalStateException", 1))
        .method("works()V", |_, _| Ok(Value::Null));
    let world = World::of([stubborn]);
    let detail = "no a.Stubborn could be made: new a.Stubborn() throws \
                  java.lang.IllegalStateException";
    check(after(&world, "a/Stubborn", "a.Stubborn.works()"), (ReasonCode::NoValueOfType, detail));
    let closed = bare_class("a/Closed").method("works()V", |_, _| Ok(Value::Null));
    let detail = "nothing makes a a.Closed";
    let world = World::of([closed]);
    check(after(&world, "a/Closed", "a.Closed.works()"), (ReasonCode::NoValueOfType, detail));
}

#[test]
fn a_member_that_there_was_no_time_for_was_not_reached() {
    let world = World::of([class("a/Slow").method("works()V", |_, _| Ok(Value::Null))]);
    let reasons = finished(&world, "a/Slow", 0).reasons;
    let found = reasons.iter().find(|reason| reason.member == "new a.Slow()").unwrap();
    assert_eq!(found.code, ReasonCode::NotReached);
    // Nobody knows yet whether one can be made.
    let works = reasons.iter().find(|reason| reason.member == "a.Slow.works()").unwrap();
    let told = (works.code, &*works.detail);
    assert_eq!(told, (ReasonCode::NotReached, "nothing was called that makes a a.Slow"));
}

#[test]
fn every_code_is_spelled_as_it_is_stored() {
    use ReasonCode as R;
    for code in [
        R::NotAccessible,
        R::NothingToRun,
        R::NoAccessibleMember,
        R::InitializerFails,
        R::Unlinkable,
        R::NoValueOfType,
        R::AlwaysThrows,
        R::Hangs,
        R::Crashes,
        R::UnsafeEffect,
        R::NotReached,
        R::Starved,
        R::TooLarge,
        R::NotReproducible,
        R::FileExists,
    ] {
        assert_eq!(serde_json::to_value(code).unwrap(), code.code());
    }
}

#[test]
fn a_member_whose_deeds_are_reported_as_wrong_has_no_passing_test() {
    let item = bare_class("a/Item")
        .constructor("(I)V", |heap, args| {
            heap.set(&args[0], args[1].as_int());
            Ok(Value::Null)
        })
        .method("equals(Ljava/lang/Object;)Z", |_, args| {
            Ok(Value::boolean(matches!(args[1], Value::Object(_))))
        })
        .method("hashCode()I", |heap, args| {
            heap.hit(1);
            Ok(Value::int(heap.get(&args[0])))
        });
    let world = World::of([item]);
    assert!(!finished(&world, "a/Item", 3000).failures.is_empty());
    let found = after(&world, "a/Item", "a.Item.hashCode()");
    check(found, (ReasonCode::Reported, "what it does is among the failures"));
}
