//! Calls beyond their values: receivers, linking, views, the black box.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use jvm::{Blackbox, Position};
use model::{
    CallEnd, ClassName, Effect, EffectKind, Implementation, Literal, Operation, OperationKind,
    TestCase, Type,
};

use crate::Case;
use crate::child::{
    Child, call, constructor, field, method, plain, run_case, run_to_end, static_method, text,
};

pub const CASES: &[Case] = &[
    ("the_checker_is_on", &[], checker),
    ("a_null_receiver_throws_as_in_source", &[], null_receiver),
    ("linking_numbers_operations_once", &[], linking),
    ("linking_tells_the_effects_of_initializers", &[], initializer_effects),
    ("fields_of_every_type_are_set", &[], set_fields),
    ("views_change_no_slot", &[], views),
    ("mocks_are_made_without_a_constructor_and_put_into_private_fields", &[], injected),
    ("the_black_box_shows_the_call_under_way", &[], black_box),
    ("calls_from_a_second_thread_have_their_own_slots", &[], second_thread),
];

fn checker(child: &Child) {
    let mut executor = child.executor();
    let has = static_method("Machine", "hasArgument", "(Ljava/lang/String;)Z");
    let given = [(Type::string(), Literal::String("-Xcheck:jni".into()))];
    assert_eq!(call(&mut executor, &has, &given), plain(Literal::Boolean(true)));
}

fn null_receiver(child: &Child) {
    let (mut executor, blackbox) = child.executor_and_box();
    for op in [method("Counter", "next", "()I"), field("Counter", "count", "I")] {
        let mut case = TestCase::default();
        let null = case.literal(Type::class("fixture/Counter"), Literal::Null);
        case.call(&op, &[null]);
        executor.link(&op).expect("it is there");
        let before = blackbox.position();
        assert_eq!(run_to_end(&mut executor, &case), CallEnd::Threw);
        assert_eq!(blackbox.position(), before, "nothing was called");
        let thrown = executor.thrown().expect("it threw");
        assert_eq!(thrown.class.as_internal(), "java/lang/NullPointerException");
        assert_eq!((thrown.message, thrown.frames.len()), (None, 0));
        executor.end();
    }
    let same = static_method("Values", "same", "(I)I");
    let given = [(Type::INT, Literal::Int(1))];
    assert_eq!(call(&mut executor, &same, &given), plain(Literal::Int(1)));
}

fn linking(child: &Child) {
    let mut executor = child.executor();
    let next = method("Counter", "next", "()I");
    let get = method("Counter", "get", "()I");
    let (first, effects) = executor.link(&next).expect("it is there");
    assert_eq!(effects, []);
    let (second, _) = executor.link(&get).expect("it is there");
    assert_ne!(first, second);
    // Another value that is equal is the same operation.
    let (again, _) = executor.link(&method("Counter", "next", "()I")).expect("it is there");
    assert_eq!(first, again);
}

fn initializer_effects(child: &Child) {
    let mut executor = child.executor();
    let number = static_method("Counter$Initialized", "number", "()I");
    let (_, effects) = executor.link(&number).expect("it is there");
    assert_eq!(effects, [Effect { kind: EffectKind::FileDelete, on: child.path("gone") }]);
    // They are not the first call's.
    assert_eq!(call(&mut executor, &number, &[]), plain(Literal::Int(1)));
    assert_eq!(executor.take_effects(), []);
    assert!(executor.effect_kinds().is_empty());
}

fn set_fields(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let object = case.call(&constructor("Holder", "()V"), &[]).expect("an object");
    for (name, value) in [
        ("truth", Literal::Boolean(true)),
        ("small", Literal::Byte(-1)),
        ("letter", Literal::Char(0xe9)),
        ("medium", Literal::Short(-300)),
        ("number", Literal::Int(70_000)),
        ("large", Literal::Long(1 << 40)),
        ("rough", Literal::Float(0.5)),
        ("exact", Literal::Double(-0.25)),
        ("text", Literal::String("x".into())),
    ] {
        let ty = value.primitive().map_or_else(Type::string, Type::Primitive);
        let owner = ClassName::internal("fixture/Holder");
        let set = Operation {
            kind: OperationKind::SetField,
            name: name.into(),
            params: vec![Type::Class(owner.clone()), ty.clone()],
            owner,
            result: None,
            implementation: None,
        };
        let value = case.literal(ty, value);
        case.call(&Arc::new(set), &[object, value]);
    }
    let all = method("Holder", "all", "()Ljava/lang/String;");
    let result = case.call(&all, &[object]).expect("a text");
    run_case(&mut executor, &case);
    let seen = executor.observe(result);
    assert_eq!(seen, text("true -1 \u{e9} -300 70000 1099511627776 0.5 -0.25 x"));
}

fn views(child: &Child) {
    let (mut executor, blackbox) = child.executor_and_box();
    let mut case = TestCase::default();
    let object = case.call(&constructor("Counter", "()V"), &[]).expect("an object");
    let one = case.call(&method("Counter", "next", "()I"), &[object]).expect("a number");
    run_case(&mut executor, &case);
    let mut numbers = Vec::new();
    let start = blackbox.position().count;
    let mut view = |name, descriptor: &str| {
        let op = method("Counter", name, descriptor);
        executor.view(&[op], object, &mut |_, number| numbers.push(number))
    };
    assert_eq!(view("get", "()I"), Some(plain(Literal::Int(1))));
    assert_eq!(blackbox.position().count, start + 3, "linking, calling and looking are in the box");
    assert_eq!(view("get", "()I"), Some(plain(Literal::Int(1))));
    assert_eq!(blackbox.position().count, start + 5, "it is linked");
    assert_eq!(view("text", "()Ljava/lang/String;"), Some(text("at 1")));
    assert_eq!(view("fails", "()I"), None);
    assert_eq!(view("missing", "()I"), None);
    assert_eq!(view("missing", "()I"), None);
    let length = Arc::new(Operation {
        kind: OperationKind::InstanceMethod,
        owner: ClassName::internal("java/lang/String"),
        name: "length".into(),
        params: vec![Type::string()],
        result: Some(Type::INT),
        implementation: None,
    });
    let path = [method("Counter", "text", "()Ljava/lang/String;"), length];
    assert_eq!(executor.view(&path, object, &mut |_, _| {}), Some(plain(Literal::Int(4))));
    let [None, get, again, None, Some(_), None, Some(_), None] = numbers[..] else {
        panic!("each is told before it is linked, and with its number if it has one: {numbers:?}")
    };
    assert!(get.is_some() && get == again);
    assert_eq!(executor.primitive(one), Some(Literal::Int(1)));
    // The test case can go on.
    let mut more = case.clone();
    let two = more.call(&method("Counter", "next", "()I"), &[object]).expect("a number");
    executor.end();
    run_case(&mut executor, &more);
    assert_eq!(executor.primitive(two), Some(Literal::Int(2)));
}

fn injected(child: &Child) {
    let mut executor = child.executor();
    let told = ClassName::internal("fixture/Wired$Told");
    let mock = Arc::new(Operation {
        kind: OperationKind::Implement,
        owner: told.clone(),
        name: "".into(),
        params: vec![Type::INT],
        result: Some(Type::Class(told.clone())),
        implementation: Some(Arc::new(Implementation {
            class: told.clone(),
            is_interface: false,
            is_mock: true,
            given: 0,
            methods: Vec::new(),
        })),
    });
    let inject = |field: &str| {
        let owner = ClassName::internal("fixture/Wired");
        let (params, result) = (vec![Type::Class(told.clone())], Some(Type::Class(owner.clone())));
        let (kind, name) = (OperationKind::Inject, field.into());
        Arc::new(Operation { kind, owner, name, params, result, implementation: None })
    };
    let mut case = TestCase::default();
    let answer = case.literal(Type::INT, Literal::Int(7));
    let mocked = case.call(&mock, &[answer]).expect("an object");
    let wired = case.call(&inject("told"), &[mocked]).expect("an object");
    let said = case.call(&method("Wired", "ask", "()I"), &[wired]).expect("a number");
    run_case(&mut executor, &case);
    assert_eq!(executor.primitive(said), Some(Literal::Int(7)));
    assert!(executor.link(&inject("other")).is_err(), "there is no such field");
}

fn black_box(child: &Child) {
    let (mut executor, blackbox) = child.executor_and_box();
    let same = static_method("Values", "same", "(I)I");
    let sleep = static_method("Machine", "sleep", "(I)V");
    let (number, _) = executor.link(&sleep).expect("it is there");
    // Linking counts, for it runs static initializers.
    assert_eq!(blackbox.position(), Position { count: 1, operation: None });
    executor.link(&same).expect("it is there");
    for count in 3..=5 {
        call(&mut executor, &same, &[(Type::INT, Literal::Int(1))]);
        assert_eq!(blackbox.position(), Position { count, operation: None });
    }
    let file = child.temp.join("blackbox");
    let seen = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..2000 {
                let position = Blackbox::read(&file).expect("it is there");
                if position.operation.is_some() {
                    assert_eq!(position, Position { count: 6, operation: Some(number) });
                    seen.store(true, Ordering::Release);
                    return;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
        });
        call(&mut executor, &sleep, &[(Type::INT, Literal::Int(500))]);
    });
    assert!(seen.load(Ordering::Acquire), "the call was seen from another thread");
    assert_eq!(Blackbox::read(&file), Some(Position { count: 6, operation: None }));
}

fn second_thread(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let object = case.call(&constructor("Counter", "()V"), &[]).expect("an object");
    run_case(&mut executor, &case);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut other = child.executor();
            let same = static_method("Values", "same", "(I)I");
            let observed = call(&mut other, &same, &[(Type::INT, Literal::Int(7))]);
            assert_eq!(observed, plain(Literal::Int(7)));
        });
    });
    assert_eq!(executor.class_of(object), Some(Type::class("fixture/Counter")));
}
