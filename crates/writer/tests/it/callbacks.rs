//! Tests of the fixture that takes functions, with lambdas and anonymous classes.

use model::{Answer, CheckKind, Literal, Observation, Sketch, Slot, Type, Unimplemented, UnitTest};

use crate::fixture::{fixtures, test, text, throwing, value};
use crate::written;

const ACCOUNT: &str = "shop/Account";
/// Takes functions of all kinds.
pub const CALLBACKS: &str = "shop/Callbacks";
const SUPPLIER: &str = "java/util/function/Supplier";
const FUNCTION: &str = "java/util/function/Function";

/// A static method that is given one object of a class written on the spot.
fn given(
    method: &'static str,
    of: &'static str,
    answer: impl Fn(&mut Sketch, &Unimplemented) -> Answer,
    literals: &[(&str, Literal)],
    seen: Observation,
) -> UnitTest {
    test(|s| {
        let args: Vec<Slot> = literals.iter().map(|(ty, v)| s.literal(ty, v.clone())).collect();
        let callback = s.written(of, &args, answer);
        let result = s.call(CALLBACKS, method, &[callback]);
        s.holds(result, seen);
    })
}

/// Tests that pass lambdas and anonymous classes.
pub fn callbacks() -> Vec<UnitTest> {
    let world = &fixtures().world;
    let value_of = move |s: &mut Sketch, m: &Unimplemented| written::value(world, s, m);
    let captured = |ty: &'static str| {
        move |s: &mut Sketch, _: &Unimplemented| s.capture(Type::parse(ty).expect("a type"))
    };
    let argument = |_: &mut Sketch, m: &Unimplemented| written::argument(world, m).unwrap();
    let thrown = |_: &mut Sketch, m: &Unimplemented| written::thrown(world, m).unwrap();
    let a_text = ("Ljava/lang/String;", Literal::String("a".into()));
    let reader = "shop/Callbacks$Reader";
    vec![
        given(
            "mapped",
            FUNCTION,
            captured("Ljava/lang/String;"),
            std::slice::from_ref(&a_text),
            text("a"),
        ),
        given("mapped", FUNCTION, argument, &[], text("text")),
        given(
            "combined",
            "java/util/function/IntBinaryOperator",
            value_of,
            &[("I", Literal::Int(5))],
            value(Literal::Int(5)),
        ),
        given(
            "combined",
            "java/util/function/IntBinaryOperator",
            argument,
            &[],
            value(Literal::Int(3)),
        ),
        // Overloads that a lambda of this shape cannot be told apart for, and that it can.
        given("taken(Ljava/lang/Runnable;)", "java/lang/Runnable", value_of, &[], text("runnable")),
        given(
            "taken(Ljava/util/concurrent/Callable;)",
            "java/util/concurrent/Callable",
            captured("Ljava/lang/String;"),
            std::slice::from_ref(&a_text),
            text("callable a"),
        ),
        given("either(Lshop/Callbacks$Reader;)", reader, thrown, &[], text("reader")),
        given(
            "either(Ljava/util/function/Supplier;)",
            SUPPLIER,
            captured("Ljava/lang/String;"),
            std::slice::from_ref(&a_text),
            text("supplier"),
        ),
        given("read", reader, argument, &[], text("file")),
        given("read", reader, thrown, &[], text("failed")),
        test(|s| {
            // A constant is written where it is answered.
            let days = s.call("java/util/concurrent/TimeUnit", "DAYS", &[]);
            let unit = Type::class("java/util/concurrent/TimeUnit");
            let supplier = s.written(SUPPLIER, &[days], |s, _| s.capture(unit.clone()));
            let result = s.call(CALLBACKS, "unit", &[supplier]);
            s.holds(result, text("DAYS"));
        }),
        test(|s| {
            // An object is made once, whoever asks how often.
            let list = s.call("java/util/ArrayList", "<init>()", &[]);
            let (name, size) = (s.text("a"), s.int(2));
            let source = s.answering("shop/Callbacks$Source", &[name, size, list]);
            let result = s.call(CALLBACKS, "describe", &[source]);
            s.holds(result, text("a20"));
        }),
        test(|s| {
            let (name, answer) = (s.text("job"), s.int(3));
            let job = s.written("shop/Callbacks$Job", &[name, answer], |s, m| match m.result {
                Some(_) => s.capture(Type::class("java/lang/Integer")),
                None => Answer::Nothing,
            });
            s.case.slots[answer.index()].ty = Type::class("java/lang/Integer");
            let result = s.call("shop/Callbacks$Job", "run", &[job]);
            s.holds(result, text("job: 3"));
        }),
        test(|s| {
            // What is used twice is a variable, and so is what it captures.
            let callbacks = s.call(CALLBACKS, "<init>", &[]);
            let order = s.int(0);
            let comparator = s.answering("java/util/Comparator", &[order]);
            let same = s.call(CALLBACKS, "sortedBy", &[callbacks, comparator]);
            s.check(CheckKind::Same(comparator, same));
        }),
        test(|s| {
            // A guarded call's result is assigned twice, and captured all the same.
            let a = {
                let (owner, balance) = (s.text("Ann"), s.long(1));
                s.call(ACCOUNT, "<init>", &[owner, balance])
            };
            let too_much = s.long(10);
            s.call(ACCOUNT, "transferTo", &[a, a, too_much]);
            let call = s.case.calls.last_mut().unwrap();
            call.guarded = true;
            call.result = Some(a);
            let account = Type::class(ACCOUNT);
            let function = s.written(FUNCTION, &[a], |s, _| s.capture(account.clone()));
            let result = s.call(CALLBACKS, "mapped", &[function]);
            s.check(CheckKind::Same(a, result));
        }),
        test(|s| {
            let callbacks = s.call(CALLBACKS, "<init>", &[]);
            let truth = s.literal("Z", Literal::Boolean(true));
            let predicate = s.answering("java/util/function/Predicate", &[truth]);
            let tested = s.text("x");
            let result = s.call(CALLBACKS, "tested", &[callbacks, predicate, tested]);
            s.holds(result, value(Literal::Boolean(true)));
        }),
        test(|s| {
            let operator = s.written("java/util/function/BinaryOperator", &[], argument);
            let (first, second) = (s.text("a"), s.text("b"));
            let result = s.call(CALLBACKS, "reduced", &[operator, first, second]);
            s.holds(result, text("a"));
        }),
        test(|s| {
            let scale = s.written("shop/Callbacks$Scale", &[], argument);
            let number = s.literal("Ljava/lang/Integer;", Literal::Int(4));
            let result = s.call(CALLBACKS, "doubled", &[scale, number]);
            s.holds(result, value(Literal::Int(8)));
        }),
        test(|s| {
            let one = s.literal("Ljava/lang/Integer;", Literal::Int(1));
            let supplier = s.answering(SUPPLIER, &[one]);
            let null = s.null("Ljava/lang/Object;");
            let other = s.answering(SUPPLIER, &[null]);
            let array = s.array("Ljava/util/function/Supplier;", &[supplier, other]);
            let result = s.call(CALLBACKS, "count", &[array]);
            s.holds(result, value(Literal::Int(2)));
        }),
        throwing("java/lang/NullPointerException", |s| {
            let callbacks = s.call(CALLBACKS, "<init>", &[]);
            let null = s.null("Ljava/lang/Object;");
            let function = s.written(FUNCTION, &[null], |s, _| s.capture(Type::object()));
            let nothing = s.call(CALLBACKS, "mapped", &[function]);
            s.call("java/lang/Object", "toString", &[nothing]);
            let _ = callbacks;
        }),
    ]
}
