//! Tests with mocks: how they are told what to answer, and how they are injected.

use std::sync::Arc;

use model::{
    Answer, CheckKind, ClassName, ClassSource, Literal, Observation, Operation, OperationKind,
    Passed, Sketch, Slot, Type, UnitTest, Verified, mockable,
};
use writer::{Junit, Options, Source, Suite};

use crate::fixture::{Script, boxed, fixtures, op, test, text, throwing};
use crate::toolchain::{file, javac, jdks, junit, library};

const COURIER: &str = "shop/Courier";
const DEPOT: &str = "shop/Courier$Depot";
const DESK: &str = "shop/Courier$Desk";
const LEDGER: &str = "shop/Courier$Ledger";

/// A mock that answers these methods, each by the start of its name and descriptor.
fn mock(s: &mut Script, of: &str, answers: &[(&str, Slot)]) -> Slot {
    let world = &fixtures().world;
    let class = world.class(&ClassName::internal(of)).expect("a class");
    let mut sketch = Sketch::mock(class.name.clone(), true);
    let mut args = Vec::new();
    for method in mockable(world, &class, "shop").expect("it can be mocked") {
        let erasure = &method.erasures[0];
        let name = method.method().name.clone();
        let told = answers.iter().find(|(told, _)| format!("{name}{erasure}").starts_with(told));
        let answer = match told {
            Some((_, slot)) => {
                args.push(*slot);
                match sketch.capture(erasure.result.clone().expect("it returns something")) {
                    Answer::Captured(place) if &*name == "next" => Answer::First(place),
                    captured => captured,
                }
            }
            None => Answer::Default,
        };
        sketch.add(&method, &answer);
    }
    s.case.call(&Arc::new(sketch.operation("shop")), &args).expect("a mock")
}

/// The object whose fields are set to these mocks.
fn inject(s: &mut Script, fields: &str, types: &[&str], mocks: &[Slot]) -> Slot {
    let owner = ClassName::internal(DESK);
    let op = Operation {
        kind: OperationKind::Inject,
        owner: owner.clone(),
        name: fields.into(),
        params: types.iter().map(|ty| Type::class(ty)).collect(),
        result: Some(Type::Class(owner)),
        implementation: None,
    };
    s.case.call(&Arc::new(op), mocks).expect("an object")
}

fn asked(answers: impl Fn(&mut Script) -> Vec<(&'static str, Slot)>) -> UnitTest {
    test(|s| {
        let answers = answers(s);
        let depot = mock(s, DEPOT, &answers);
        let courier = s.call(COURIER, "<init>", &[depot]);
        let said = s.call(COURIER, "ask", &[courier]);
        s.holds(said, text("a"));
    })
}

fn given() -> Vec<UnitTest> {
    vec![
        asked(|_| Vec::new()),
        asked(|s| {
            vec![("count(Ljava/lang/String;", s.int(3)), ("count(Ljava/lang/Object;", s.int(4))]
        }),
        asked(|s| vec![("room", s.long(5)), ("read", s.text("abc"))]),
        // A wildcard would be captured.
        asked(|s| vec![("sizes", s.call("java/util/ArrayList", "<init>()", &[]))]),
        asked(|s| vec![("find", s.call("java/util/Optional", "empty", &[]))]),
        asked(|s| vec![("best", s.literal("Ljava/lang/Number;", Literal::Null))]),
        asked(|s| vec![("next", s.literal("Z", Literal::Boolean(true)))]),
        asked(|s| vec![("next", s.literal("Z", Literal::Boolean(false)))]),
    ]
}

/// Tests that verify a call on a mock, with arguments made of the courier.
fn verifying() -> Vec<UnitTest> {
    fn report(s: &mut Script, member: &str, args: impl Fn(Slot) -> Vec<Passed>, times: u32) {
        let depot = mock(s, DEPOT, &[]);
        let ledger = mock(s, LEDGER, &[]);
        let courier = s.call(COURIER, "<init>", &[depot]);
        let said = s.text("a");
        s.call(COURIER, "report", &[courier, ledger, said]);
        let (method, args) = (op(LEDGER, member), args(courier));
        s.check(CheckKind::Verified(Verified { mock: ledger, method, args, times }));
    }
    let value = |seen: Observation| Passed::Value(seen);
    let row = || value(boxed(Literal::Int(1)));
    let null = || value(Observation::Null);
    let (of_text, of_object) = ("note(Ljava/lang/String;", "note(Ljava/lang/Object;");
    vec![
        test(|s| report(s, of_text, |_| vec![value(text("a"))], 1)),
        test(|s| report(s, of_object, |_| vec![value(text("a"))], 1)),
        test(|s| report(s, of_object, |courier| vec![Passed::Slot(courier)], 3)),
        test(|s| report(s, of_text, |_| vec![Passed::Any], 2)),
        test(|s| report(s, "enter", |courier| vec![row(), Passed::Slot(courier), null()], 1)),
        test(|s| report(s, "enter", |courier| vec![row(), Passed::Slot(courier), Passed::Any], 1)),
        test(|s| report(s, "enter", |_| vec![Passed::Any, Passed::Any, null()], 1)),
        throwing("java/lang/IllegalArgumentException", |s| {
            report(s, of_text, |_| vec![value(text("a"))], 1);
        }),
    ]
}

fn injected() -> Vec<UnitTest> {
    let asked = |is_told: bool| {
        test(|s| {
            let mut told = Vec::new();
            if is_told {
                told.push(("find", s.call("java/util/Optional", "empty", &[])));
            }
            let depot = mock(s, DEPOT, &told);
            let notes = mock(s, "java/util/List", &[]);
            let desk = inject(s, "depot,notes", &[DEPOT, "java/util/List"], &[depot, notes]);
            let said = s.call(DESK, "ask", &[desk]);
            s.holds(said, text("none0"));
        })
    };
    vec![asked(true), asked(false)]
}

fn sources() -> Vec<(&'static str, Source)> {
    let write = |class: &str, tests: Vec<UnitTest>, junit: Junit, suffix: &str| {
        let suite = Suite { class: ClassName::internal(class), tests };
        let options = Options { junit, suffix: suffix.to_owned(), ..Options::default() };
        let source = writer::write(&suite, &fixtures().world, &options);
        assert!(source.rejected.is_empty(), "{:?}", source.rejected);
        source
    };
    let four = Junit::Four { assert_throws: true };
    vec![
        ("mocks", write(COURIER, given(), Junit::Five, "Test")),
        ("verifying", write(COURIER, verifying(), Junit::Five, "VerifyingTest")),
        ("injected", write(DESK, injected(), Junit::Five, "Test")),
        ("injected-junit4", write(DESK, injected(), four, "Test4")),
    ]
}

#[test]
fn mocks_look_as_they_should() {
    for (name, source) in sources() {
        insta::assert_snapshot!(name, source.text);
    }
}

#[test]
fn tests_with_mocks_compile_with_old_and_new_mockito() {
    let mut class_path = junit();
    class_path.push(fixtures().classes.clone());
    class_path.push(library("org.mockito:mockito-junit-jupiter:4.11.0"));
    let files: Vec<_> = sources().iter().map(|(_, source)| file(source)).collect();
    let jdk = jdks().remove(0);
    for version in ["2.28.2", "4.11.0"] {
        let mut class_path = class_path.clone();
        class_path.push(library(&format!("org.mockito:mockito-core:{version}")));
        let folder = tempfile::tempdir().expect("a folder");
        javac(&jdk, &["--release", "8", "-Xlint:-options"], &class_path, &files, folder.path())
            .unwrap_or_else(|said| panic!("Mockito {version}: {said}"));
    }
}

#[test]
fn a_test_has_one_injected_object_and_a_mock_for_each_field() {
    let rejected = |build: &dyn Fn(&mut Script) -> Slot| {
        let unit = test(|s| {
            let desk = build(s);
            let said = s.call(DESK, "ask", &[desk]);
            s.holds(said, text("a"));
        });
        let suite = Suite { class: ClassName::internal(DESK), tests: vec![unit] };
        let source = writer::write(&suite, &fixtures().world, &Options::default());
        source.rejected.first().map(|(_, why)| why.to_string())
    };
    let twice = rejected(&|s| {
        let (first, second) = (mock(s, DEPOT, &[]), mock(s, DEPOT, &[]));
        inject(s, "depot", &[DEPOT], &[first]);
        inject(s, "depot", &[DEPOT], &[second])
    });
    assert!(twice.is_some_and(|why| why.contains("no way to write")));
    let real = rejected(&|s| {
        let depot = s.null("Lshop/Courier$Depot;");
        inject(s, "depot", &[DEPOT], &[depot])
    });
    assert_eq!(real.as_deref(), Some("the test case is not well formed"));
}
