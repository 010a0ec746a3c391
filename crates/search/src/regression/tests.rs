//! What tests over classes declared in Rust assert.

use std::sync::Arc;

use model::{
    Access, CheckKind, ClassName, ClassSource, Field, Literal, Observation, Operation, TestCase,
    Type, UnitTest,
};

use crate::finish;
use crate::guided::Knowledge;
use crate::strategy::Move;
use crate::testing::machine::{Heap, Value};
use crate::testing::world::{
    FINAL, PRIVATE, PROTECTED, STATIC, World, bare_class, class, enumeration, jdk_class,
};
use crate::testing::{case, followed, op, told};

/// What is known of the methods of a class, by their names.
#[derive(Clone, Copy, Default)]
struct Facts<'a> {
    changing: &'a [&'a str],
    preserving: &'a [&'a str],
}

/// The calls and assertions of the test that comes of a kept one.
fn tested(
    world: &World,
    class: &str,
    kept: TestCase,
    facts: Facts<'_>,
) -> (Vec<String>, Vec<String>) {
    let last = kept.calls.last().expect("a call").op.clone();
    followed(world, class, vec![Move::Run(Arc::new(kept))], |driver, _| {
        let ids = |names: &[&str]| {
            let id = |name: &&str| driver.api.first_of(&op(world, class, name)).expect("its own");
            names.iter().map(id).collect()
        };
        let (changing, preserving) = (ids(facts.changing), ids(facts.preserving));
        let knowledge = Knowledge { changing, preserving, ..Knowledge::default() };
        let finished = finish(driver, world, &knowledge, &|_, _| Vec::new());
        let is_of_last =
            |(test, _): &&(UnitTest, Vec<u32>)| test.case.calls[test.subject].op == last;
        let of_last = finished.tests.iter().rfind(is_of_last);
        let (test, _) = of_last.or(finished.tests.last()).expect("a test").clone();
        (told(&test.case), test.checks.iter().map(|check| said(&check.kind)).collect())
    })
}

fn check(
    world: &World,
    (class, calls): (&str, &[&str]),
    facts: Facts<'_>,
    (expected_calls, expected_checks): (&[&str], &[&str]),
) {
    let (calls, checks) = tested(world, class, case(world, class, calls), facts);
    assert_eq!(calls, expected_calls);
    assert_eq!(checks, expected_checks);
}

/// An assertion in short.
fn said(kind: &CheckKind) -> String {
    match kind {
        CheckKind::Holds(_, seen) => seen_as(seen),
        CheckKind::NotNull(_) => "not null".to_owned(),
        CheckKind::Same(..) => "same".to_owned(),
        CheckKind::View(_, view, seen) => format!("{}{}", view.name, seen_as(seen)),
        CheckKind::Verified(verified) => format!("{} is called", verified.method.name),
    }
}

fn seen_as(seen: &Observation) -> String {
    match seen {
        Observation::Value { value: Literal::Int(value), .. } => format!(" = {value}"),
        Observation::Value { value: Literal::Boolean(value), .. } => format!(" = {value}"),
        Observation::Value { value: Literal::String(text), .. } => format!(" = {text}"),
        Observation::Object { views, .. } => {
            views.iter().map(|(view, seen)| format!(".{}{}", view.name, seen_as(seen))).collect()
        }
        other => format!(" = {other:?}"),
    }
}

#[test]
fn what_a_call_did_is_asked_with_its_own_arguments() {
    let drawer = class("a/Drawer")
        .method("put(I)V", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], args[1].as_int());
            Ok(Value::Null)
        })
        .method("has(I)Z", |heap, args| {
            let is_there = heap.get(&args[0]) == args[1].as_int();
            heap.hit(if is_there { 2 } else { 3 });
            Ok(Value::boolean(is_there))
        });
    let world = World::of([drawer]);
    let kept: (&str, &[&str]) = ("a/Drawer", &["put 5"]);
    let asked: (&[&str], &[&str]) = (&["<init>", "put 3", "has 3"], &[" = true"]);
    check(&world, kept, Facts { preserving: &["has"], ..Facts::default() }, asked);
    // Only where it is known that the question changes nothing.
    check(&world, kept, Facts::default(), (&["<init>", "put 3"], &[]));
}

#[test]
fn where_nothing_tells_of_a_call_what_it_was_given_is_asked_for_anyway() {
    let drawer = class("a/Drawer")
        .method("remove(I)V", |heap, _| {
            heap.hit(1);
            Ok(Value::Null)
        })
        .method("has(I)Z", |_, _| Ok(Value::boolean(false)))
        .method("opens(Ljava/lang/String;)Z", |_, _| Ok(Value::boolean(true)));
    let world = World::of([drawer]);
    let kept: (&str, &[&str]) = ("a/Drawer", &["remove 3"]);
    let asked: (&[&str], &[&str]) = (&["<init>", "remove 3", "has 3"], &[" = false"]);
    check(&world, kept, Facts { preserving: &["opens", "has"], ..Facts::default() }, asked);
    // That another question is answered says nothing of the call.
    let unasked: (&[&str], &[&str]) = (&["<init>", "remove 3"], &[]);
    check(&world, kept, Facts { preserving: &["opens"], ..Facts::default() }, unasked);
}

#[test]
fn a_question_takes_what_it_is_not_given_from_thin_air() {
    let rule = class("a/Rule")
        .method("tighten()V", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], 5);
            Ok(Value::Null)
        })
        .method("accepts(I)Z", |heap, args| {
            heap.hit(2);
            Ok(Value::boolean(args[1].as_int() >= heap.get(&args[0])))
        });
    let world = World::of([rule]);
    let facts = Facts { preserving: &["accepts"], ..Facts::default() };
    let asked: (&[&str], &[&str]) = (&["<init>", "tighten", "accepts 3"], &[" = false"]);
    check(&world, ("a/Rule", &["tighten"]), facts, asked);
}

#[test]
fn a_call_that_returns_something_is_asked_for_what_it_changed_too() {
    let store = class("a/Store")
        .method("receive(I)Z", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], args[1].as_int() + heap.get(&args[0]));
            Ok(Value::boolean(true))
        })
        .method("holds(I)Z", |heap, args| {
            heap.hit(2);
            Ok(Value::boolean(heap.get(&args[0]) >= args[1].as_int()))
        });
    let world = World::of([store]);
    let kept: (&str, &[&str]) = ("a/Store", &["receive 5"]);
    let facts = Facts { changing: &["receive"], preserving: &["holds"] };
    let asked: (&[&str], &[&str]) = (&["<init>", "receive 3", "holds 3"], &[" = true", " = true"]);
    check(&world, kept, facts, asked);
    let facts = Facts { changing: &[], preserving: &["holds"] };
    check(&world, kept, facts, (&["<init>", "receive 3"], &[" = true"]));
}

#[test]
fn a_constructor_is_not_told_by_what_it_was_given() {
    let count = |heap: &mut Heap, args: &[Value]| Ok(Value::int(heap.get(&args[0])));
    let pile = bare_class("a/Pile")
        .constructor("()V", |heap, args| {
            heap.set(&args[0], 3);
            Ok(Value::Null)
        })
        .method("size()I", count);
    let shelf = bare_class("a/Shelf")
        .constructor("(La/Pile;)V", |heap, _| {
            heap.hit(1);
            Ok(Value::Null)
        })
        .member(1 | STATIC, "fill(La/Pile;)V", |heap, _| {
            heap.hit(2);
            Ok(Value::Null)
        });
    let world = World::of([pile, shelf]);
    let given_to = |method: &str| {
        let mut kept = TestCase::default();
        let pile = kept.call(&op(&world, "a/Pile", "<init>"), &[]).expect("an object");
        kept.call(&op(&world, "a/Shelf", method), &[pile]);
        tested(&world, "a/Shelf", kept, Facts::default()).1
    };
    assert_eq!(given_to("<init>"), Vec::<String>::new());
    // Where nothing is made, that what was given stays as it was is all there is to know.
    assert_eq!(given_to("fill"), ["size = 3"]);
}

#[test]
fn a_fluent_setter_tells_what_it_set() {
    let brush = class("a/Brush")
        .method("width(I)La/Brush;", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], args[1].as_int());
            Ok(args[0].clone())
        })
        .method("getWidth()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([brush]);
    let expected: (&[&str], &[&str]) = (&["<init>", "width 3"], &["getWidth = 3", "same"]);
    check(&world, ("a/Brush", &["width 5"]), Facts::default(), expected);
}

#[test]
fn a_builder_tells_what_it_was_told_by_what_it_builds() {
    let builder = class("a/Builder")
        .method("width(I)La/Builder;", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], args[1].as_int());
            Ok(args[0].clone())
        })
        .method("build()La/Window;", |heap, args| {
            let width = heap.get(&args[0]);
            Ok(heap.make("a/Window", width))
        });
    let window = class("a/Window")
        .method("getWidth()I", |heap, args| Ok(Value::int(heap.get(&args[0]))))
        .method("getFrame()La/Frame;", |heap, args| {
            let width = heap.get(&args[0]);
            Ok(heap.make("a/Frame", width + 2))
        });
    let frame = class("a/Frame")
        .method("getOuterWidth()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([builder, window, frame]);
    let facts = Facts { preserving: &["build"], ..Facts::default() };
    let all = ["build.getWidth = 3", "build.getFrame.getOuterWidth = 5", "same"];
    check(&world, ("a/Builder", &["width 5"]), facts, (&["<init>", "width 3"], &all));
    check(
        &world,
        ("a/Builder", &["width 5"]),
        Facts::default(),
        (&["<init>", "width 3"], &["same"]),
    );
}

#[test]
fn the_text_of_what_is_built_tells_of_all_that_is_in_it() {
    let builder = class("a/Builder")
        .method("width(I)V", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], args[1].as_int());
            Ok(Value::Null)
        })
        .method("build()La/Window;", |heap, args| {
            let width = heap.get(&args[0]);
            Ok(heap.make("a/Window", width))
        });
    let window = class("a/Window")
        .method("toString()Ljava/lang/String;", |heap, args| {
            Ok(Value::text(if heap.get(&args[0]) == 0 { "none" } else { "wide" }))
        })
        .method("getFrame()La/Frame;", |heap, args| {
            let width = heap.get(&args[0]);
            Ok(heap.make("a/Frame", width + 2))
        });
    let frame = class("a/Frame")
        .method("getOuterWidth()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([builder, window, frame]);
    let facts = Facts { preserving: &["build"], ..Facts::default() };
    let expected: (&[&str], &[&str]) = (&["<init>", "width 3"], &["build.toString = wide"]);
    check(&world, ("a/Builder", &["width 5"]), facts, expected);
}

#[test]
fn where_nothing_changed_what_an_object_was_made_with_comes_after_what_else_it_says() {
    let box_of = |name: &str| {
        bare_class(name)
            .constructor("(I)V", |heap, args| {
                heap.set(&args[0], args[1].as_int());
                Ok(Value::Null)
            })
            .method("getLabel()I", |heap, args| Ok(Value::int(heap.get(&args[0]))))
            .method("getRoom()I", |_, _| Ok(Value::int(9)))
            .method("shake()V", |heap, _| {
                heap.hit(1);
                Ok(Value::Null)
            })
    };
    let mut sealed = box_of("a/Sealed");
    sealed.class.fields.push(Field {
        name: "label".into(),
        ty: Type::INT,
        access: Access(PRIVATE | FINAL),
        signature: None,
        annotations: Vec::new(),
    });
    let world = World::of([box_of("a/Box"), sealed]);
    let said = |class: &str| {
        let mut kept = TestCase::default();
        let label = kept.literal(Type::INT, Literal::Int(3));
        let made = kept.call(&op(&world, class, "<init>"), &[label]).expect("an object");
        kept.call(&op(&world, class, "shake"), &[made]);
        tested(&world, class, kept, Facts::default()).1
    };
    assert_eq!(said("a/Box"), ["getRoom = 9", "getLabel = 3"]);
    assert_eq!(said("a/Sealed"), ["getRoom = 9"], "no call changes a final field");
}

#[test]
fn what_is_in_an_optional_is_told() {
    let finder = class("a/Finder").method("find(I)Ljava/util/Optional;", |heap, args| {
        heap.hit(1);
        Ok(heap.make("java/util/Optional", args[1].as_int()))
    });
    let optional = jdk_class("java/util/Optional")
        .method("get()Ljava/lang/Object;", |heap, args| {
            let id = heap.get(&args[0]);
            Ok(heap.make("a/Thing", id))
        })
        .method("isPresent()Z", |_, _| Ok(Value::boolean(true)));
    let thing =
        class("a/Thing").method("getId()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([finder, optional, thing]);
    let expected: (&[&str], &[&str]) = (&["<init>", "find 3"], &["get.getId = 3"]);
    check(&world, ("a/Finder", &["find 5"]), Facts::default(), expected);
}

/// A test of one call with a literal.
fn called(world: &World, class: &str, method: &str, ty: Type, literal: Literal) -> TestCase {
    let mut case = case(world, class, &[]);
    let object = case.calls[0].result.expect("an object");
    let argument = case.literal(ty, literal);
    case.call(&op(world, class, method), &[object, argument]);
    case
}

#[test]
fn a_truth_is_set_to_what_it_was_not() {
    let door = class("a/Door")
        .method("setOpen(Z)V", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], i32::from(args[1] == Value::boolean(false)));
            Ok(Value::Null)
        })
        .method("isOpen()Z", |heap, args| Ok(Value::boolean(heap.get(&args[0]) == 0)));
    let world = World::of([door]);
    let truth = Type::Primitive(model::Primitive::Boolean);
    for given in [true, false] {
        let kept = called(&world, "a/Door", "setOpen", truth.clone(), Literal::Boolean(given));
        let (_, checks) = tested(&world, "a/Door", kept, Facts::default());
        assert_eq!(checks, ["isOpen = false"]);
    }
}

#[test]
fn a_constant_is_set_that_was_not_there() {
    let color = enumeration(
        "a/Color",
        [
            ("RED", |heap, _| Ok(heap.make("a/Color", 0))),
            ("BLUE", |heap, _| Ok(heap.make("a/Color", 1))),
        ],
    );
    let wall = class("a/Wall")
        .method("setColor(La/Color;)V", |heap, args| {
            heap.hit(1);
            let color = heap.get(&args[1]);
            heap.set(&args[0], color);
            Ok(Value::Null)
        })
        .member(PROTECTED, "getColor()La/Color;", |heap, args| {
            let color = heap.get(&args[0]);
            Ok(heap.make("a/Color", color))
        })
        .method("getNumber()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([color, wall]);
    let class = world.class(&ClassName::internal("a/Color")).expect("the enum");
    let red = Arc::new(Operation::of_field(&class, &class.fields[0]));
    let own = op(&world, "a/Wall", "getColor");
    for (color, takes_wall) in [(red, false), (own, true)] {
        let mut kept = case(&world, "a/Wall", &[]);
        let wall = kept.calls[0].result.expect("an object");
        let color = kept.call(&color, &[wall][..usize::from(takes_wall)]).expect("a constant");
        kept.call(&op(&world, "a/Wall", "setColor"), &[wall, color]);
        let (calls, checks) = tested(&world, "a/Wall", kept, Facts::default());
        assert_eq!(calls, ["<init>", "BLUE", "setColor"]);
        assert_eq!(checks, ["getNumber = 1"]);
    }
}

#[test]
fn a_call_is_given_something_to_change() {
    let jar = class("a/Jar")
        .method("put(II)V", |heap, args| {
            heap.set(&args[0], args[1].as_int() * args[2].as_int());
            Ok(Value::Null)
        })
        .method("empty()V", |heap, args| {
            heap.hit(1);
            heap.set(&args[0], 0);
            Ok(Value::Null)
        })
        .method("getCount()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([jar]);
    let facts = Facts { changing: &["put", "empty"], preserving: &["getCount"] };
    let expected: (&[&str], &[&str]) = (&["<init>", "put 3 5", "empty"], &["getCount = 0"]);
    check(&world, ("a/Jar", &["empty"]), facts, expected);
    // Where nothing is known to change it, what stayed as it was is told.
    let alone: (&[&str], &[&str]) = (&["<init>", "empty"], &["getCount = 0"]);
    check(&world, ("a/Jar", &["empty"]), Facts::default(), alone);
}

#[test]
fn a_change_that_is_seen_only_sometimes_is_none() {
    let lamp = class("a/Lamp")
        .method("press(Z)V", |heap, args| {
            heap.hit(1);
            let light = if args[1] == Value::boolean(true) { heap.tick() as i32 } else { 1 };
            heap.set(&args[0], light);
            Ok(Value::Null)
        })
        .method("getColor()I", |_, _| Ok(Value::int(7)))
        .method("getLight()I", |heap, args| Ok(Value::int(heap.get(&args[0]))));
    let world = World::of([lamp]);
    let truth = Type::Primitive(model::Primitive::Boolean);
    let kept = called(&world, "a/Lamp", "press", truth, Literal::Boolean(true));
    // Another value shows a change that lasts.
    let (_, checks) = tested(&world, "a/Lamp", kept, Facts::default());
    assert_eq!(checks, ["getLight = 1"]);
}
