//! What the source looks like, shape by shape; that it compiles without a warning; and that it
//! says the truth about the fixture classes when JUnit runs it.

use std::process::Command;

use model::{
    CheckKind, ClassName, Contract, FailureKind, JavaString, Literal, Observation, Slot, Type,
    UnitTest,
};
use writer::{Junit, Options, Source, Suite};

use crate::breaches::breaches;
use crate::callbacks::{CALLBACKS, callbacks};
use crate::files::{ARCHIVE, files};
use crate::fixture::{Script, boxed, fixtures, test, text, throwing, value};
use crate::toolchain::{file, javac, jdks, junit, library};

const WHIM: &str = "shop/Whim";
const ACCOUNT: &str = "shop/Account";
const SHAPES: &str = "shop/Shapes";
const OVERLOADS: &str = "shop/Overloads";

fn account(s: &mut Script, balance: i64) -> Slot {
    let (owner, balance) = (s.text("Ann"), s.long(balance));
    s.call(ACCOUNT, "<init>", &[owner, balance])
}

fn accounts() -> Vec<UnitTest> {
    let mut expected_throw = Script::default();
    let receiver = account(&mut expected_throw, 5);
    let amount = expected_throw.long(6);
    expected_throw.call(ACCOUNT, "withdraw", &[receiver, amount]);
    vec![
        test(|s| {
            let a = account(s, 5);
            let balance = s.call(ACCOUNT, "getBalance", &[a]);
            s.holds(balance, value(Literal::Long(5)));
        }),
        expected_throw.throws("java/lang/IllegalArgumentException"),
        throwing("java/lang/NullPointerException", |s| {
            let (owner, balance) = (s.null("Ljava/lang/String;"), s.long(0));
            s.call(ACCOUNT, "<init>", &[owner, balance]);
        }),
        test(|s| {
            let a = account(s, 5);
            let amount = s.long(5);
            s.call(ACCOUNT, "withdraw", &[a, amount]);
            s.view(a, ACCOUNT, "isEmpty", value(Literal::Boolean(true)));
            s.view(a, ACCOUNT, "getBalance", value(Literal::Long(0)));
        }),
        test(|s| {
            let a = account(s, 0);
            let amount = s.long(-7);
            s.call(ACCOUNT, "deposit", &[a, amount]);
            s.view(a, ACCOUNT, "getBalance", value(Literal::Long(-7)));
        }),
        test(|s| {
            let a = account(s, 5);
            let shared = s.call(ACCOUNT, "SHARED", &[]);
            let amount = s.long(0);
            let result = s.call(ACCOUNT, "transferTo", &[a, shared, amount]);
            s.check(CheckKind::Same(a, result));
            s.view(result, ACCOUNT, "getOwner", text("Ann"));
        }),
        throwing("java/io/IOException", |s| {
            let a = account(s, 1);
            let file = s.text("");
            s.call(ACCOUNT, "save", &[a, file]);
        }),
        throwing("java/lang/AssertionError", |s| {
            let a = account(s, 1);
            s.call(ACCOUNT, "audit", &[a]);
            s.view(a, ACCOUNT, "isEmpty", value(Literal::Boolean(false)));
        }),
    ]
}

fn literals() -> Vec<UnitTest> {
    let echo = |literal: Literal, descriptor: &'static str| {
        test(move |s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let argument = s.literal(descriptor, literal.clone());
            let result = s.call(SHAPES, "echo", &[shapes, argument]);
            let seen = Observation::Value { boxed: literal.primitive().is_some(), value: literal };
            s.holds(result, seen);
        })
    };
    let lone = JavaString::from_units(&[0x61, 0xd800, 0x22, 0x5c, 0x75]);
    let long = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n".repeat(4);
    vec![
        echo(Literal::Int(i32::MIN), "Ljava/lang/Integer;"),
        echo(Literal::Long(-1), "Ljava/lang/Long;"),
        echo(Literal::Byte(-3), "Ljava/lang/Byte;"),
        echo(Literal::Short(300), "Ljava/lang/Short;"),
        echo(Literal::Char(0x27), "Ljava/lang/Character;"),
        echo(Literal::Boolean(true), "Ljava/lang/Boolean;"),
        echo(Literal::Float(1.5e-20), "Ljava/lang/Float;"),
        echo(Literal::Double(f64::NEG_INFINITY), "Ljava/lang/Double;"),
        echo(Literal::Double(-0.0), "Ljava/lang/Double;"),
        echo(Literal::String(lone), "Ljava/lang/String;"),
        echo(Literal::String(long.as_str().into()), "Ljava/lang/String;"),
        echo(Literal::Class(Some(Type::parse("[Ljava/util/List;").unwrap())), "Ljava/lang/Class;"),
        echo(Literal::Class(None), "Ljava/lang/Class;"),
        echo(Literal::Null, "Ljava/util/List;"),
    ]
}

fn overloads() -> Vec<UnitTest> {
    let take =
        |member: &'static str, descriptor: &'static str, literal: Literal, says: &'static str| {
            test(move |s| {
                let argument = s.literal(descriptor, literal);
                let result = s.call(OVERLOADS, member, &[argument]);
                s.holds(result, text(says));
            })
        };
    vec![
        take("take(I)", "I", Literal::Int(1), "int"),
        take("take(J)", "J", Literal::Long(1), "long"),
        take("take(Ljava/lang/Integer;)", "Ljava/lang/Integer;", Literal::Int(1), "Integer"),
        take("take(Ljava/lang/Object;)", "Ljava/lang/Integer;", Literal::Int(-1), "Object"),
        take(
            "take(Ljava/lang/Object;)",
            "Ljava/lang/String;",
            Literal::String("x".into()),
            "Object",
        ),
        take("take(Ljava/lang/String;)", "Ljava/lang/String;", Literal::Null, "String"),
        take("fill(Ljava/util/Map;)", "Ljava/util/Map;", Literal::Null, "Map"),
        take("fill(Ljava/util/Properties;)", "Ljava/util/Properties;", Literal::Null, "Properties"),
        test(|s| {
            let small = s.literal("Ljava/lang/Byte;", Literal::Byte(1));
            let result = s.call(OVERLOADS, "boxed", &[small, small]);
            s.holds(result, text("Byte"));
        }),
        test(|s| {
            let (a, b) = (s.text("a"), s.text("b"));
            let result = s.call(OVERLOADS, "both(Ljava/lang/Object;", &[a, b]);
            s.holds(result, text("Object, String"));
        }),
        test(|s| {
            let (separator, one, two) = (s.text("-"), s.text("one"), s.text("two"));
            let parts = s.array("Ljava/lang/Object;", &[one, two]);
            let result = s.call(OVERLOADS, "join", &[separator, parts]);
            s.holds(result, text("-2"));
        }),
        test(|s| {
            let (separator, null) = (s.text("-"), s.null("Ljava/lang/Object;"));
            let parts = s.array("Ljava/lang/Object;", &[null]);
            let result = s.call(OVERLOADS, "join", &[separator, parts]);
            s.holds(result, text("-1"));
        }),
        test(|s| {
            let separator = s.text("-");
            let strings = s.array("Ljava/lang/String;", &[separator]);
            let result = s.call(OVERLOADS, "join", &[separator, strings]);
            s.holds(result, text("-1"));
        }),
        test(|s| {
            let numbers = s.array("I", &[]);
            let result = s.call(OVERLOADS, "count", &[numbers]);
            s.holds(result, value(Literal::Int(0)));
        }),
        test(|s| {
            let (a, b) = (s.text("a"), s.text("b"));
            let elements = s.array("Ljava/lang/Object;", &[a, b]);
            let result = s.call(OVERLOADS, "kind", &[elements]);
            s.holds(result, value(Literal::Class(Some(Type::object()))));
        }),
        test(|s| {
            let (a, b) = (s.text("a"), s.text("b"));
            let elements = s.array("Ljava/lang/String;", &[a, b]);
            let result = s.call(OVERLOADS, "kind", &[elements]);
            s.holds(result, value(Literal::Class(Some(Type::string()))));
        }),
        test(|s| {
            let (a, b) = (s.text("a"), s.text("b"));
            let result = s.call(OVERLOADS, "larger", &[a, b]);
            s.holds(result, text("b"));
        }),
        throwing("java/lang/ClassCastException", |s| {
            let a = s.text("a");
            let b = s.literal("Ljava/lang/Integer;", Literal::Int(1));
            s.call(OVERLOADS, "larger", &[a, b]);
        }),
        test(|s| {
            let class = s.literal("Ljava/lang/Class;", Literal::Class(Some(Type::string())));
            let result = s.call(OVERLOADS, "name", &[class]);
            s.holds(result, text("String"));
        }),
        test(|s| {
            let list = s.call("java/util/ArrayList", "<init>()", &[]);
            s.call(OVERLOADS, "sneak", &[list]);
            s.view(list, "java/util/ArrayList", "size", value(Literal::Int(0)));
        }),
    ]
}

fn observations() -> Vec<UnitTest> {
    let sees = |member: &'static str, seen: Observation| {
        test(move |s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let result = s.call(SHAPES, member, &[shapes]);
            s.holds(result, seen);
        })
    };
    let constant = |class: &str, constant: &str| Observation::Enum {
        class: ClassName::internal(class),
        constant: constant.into(),
    };
    let array = |element: &str, elements: Vec<Observation>| Observation::Array {
        element: Type::parse(element).unwrap(),
        length: elements.len() as u32,
        elements: Some(elements),
    };
    let int = |v: i32| value(Literal::Int(v));
    let double = |v: f64| value(Literal::Double(v));
    let color = "shop/Shapes$Color";
    let hidden = Type::class("shop/Shapes$Hidden");
    vec![
        sees("color", constant(color, "DARK_GREEN")),
        sees("hidden()", constant("shop/Shapes$Hidden", "SECRET")),
        sees("hiddenClass", value(Literal::Class(Some(hidden)))),
        sees("grid", array("[I", vec![array("I", vec![int(1), int(2)]), array("I", vec![])])),
        sees(
            "mixed",
            array(
                "Ljava/lang/Object;",
                vec![
                    boxed(Literal::Int(1)),
                    text("two"),
                    Observation::Null,
                    boxed(Literal::Long(3)),
                    boxed(Literal::Char(0x63)),
                    boxed(Literal::Byte(4)),
                    constant(color, "RED"),
                    array("D", vec![double(0.5)]),
                ],
            ),
        ),
        sees("doubles", array("D", vec![double(f64::NAN), double(-0.0), double(1.5)])),
        sees("numbers", array("J", vec![value(Literal::Long(1))])),
        sees("none", array("Ljava/lang/String;", vec![])),
        sees("mixed", Observation::Array { element: Type::object(), length: 8, elements: None }),
        sees("ratio", double(0.1 + 0.2)),
        sees("nan", value(Literal::Float(f32::NAN))),
        sees("small", value(Literal::Byte(-3))),
        sees("letter", value(Literal::Char(0x27))),
        sees("boxed", boxed(Literal::Int(5))),
        sees("truth", boxed(Literal::Boolean(true))),
        sees("anything", boxed(Literal::Double(2.5))),
        sees("type", value(Literal::Class(Some(Type::INT.array_of())))),
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let result = s.call(SHAPES, "self", &[shapes]);
            s.check(CheckKind::NotNull(result));
        }),
        // Nothing to assert but that it returns.
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            s.call(SHAPES, "self", &[shapes]);
        }),
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let area = s.call(SHAPES, "area", &[shapes]);
            s.holds(area, int(6));
        }),
    ]
}

fn shapes() -> Vec<UnitTest> {
    let (boxes, ints) = ("shop/Shapes$Box", "shop/Shapes$IntBox");
    vec![
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let angle = s.int(90);
            let corner = s.call("shop/Shapes$Corner", "<init>", &[shapes, angle]);
            let result = s.call("shop/Shapes$Corner", "getAngle", &[corner]);
            s.holds(result, value(Literal::Int(90)));
        }),
        test(|s| {
            let red = s.call("shop/Shapes$Color", "RED", &[]);
            let dark = s.call("shop/Shapes$Color", "isDark", &[red]);
            s.holds(dark, value(Literal::Boolean(false)));
        }),
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let area = s.int(7);
            s.set(SHAPES, "area", &[shapes, area]);
            let result = s.call(SHAPES, "self", &[shapes]);
            s.check(CheckKind::NotNull(result));
        }),
        test(|s| {
            let one = s.call("shop/Shapes$Unit", "one", &[]);
            s.holds(one, value(Literal::Double(1.0)));
        }),
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let sides = s.call(SHAPES, "SIDES", &[]);
            let sum = s.call(SHAPES, "sum", &[shapes, sides]);
            s.holds(sum, value(Literal::Int(7)));
        }),
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let all: Vec<_> = (0..40).map(|i| s.int(i * 1000)).collect();
            let numbers = s.array("I", &all);
            let sum = s.call(SHAPES, "sum", &[shapes, numbers]);
            s.holds(sum, value(Literal::Int(780_000)));
        }),
        test(|s| {
            let content = s.text("content");
            let generic = s.call(boxes, "<init>", &[content]);
            // The slot is narrower than the erased result.
            let result = s.case.slot(Type::string());
            s.call(boxes, "get", &[generic]);
            s.case.calls.last_mut().unwrap().result = Some(result);
            let length = s.call("java/lang/String", "length", &[result]);
            s.holds(length, value(Literal::Int(7)));
        }),
        test(|s| {
            // An inherited method takes any object at run time, but only an Integer in source.
            let one = s.literal("Ljava/lang/Integer;", Literal::Int(1));
            let ints_box = s.call(ints, "<init>", &[one]);
            let content = s.text("text");
            s.call(ints, "set", &[ints_box, content]);
            s.check(CheckKind::NotNull(ints_box));
        }),
        test(|s| {
            // A slot written twice, and a guarded call that throws.
            let a = account(s, 1);
            let (other, big) = (s.text("Bob"), s.long(9));
            s.call(ACCOUNT, "<init>", &[other, big]);
            s.case.calls.last_mut().unwrap().result = Some(a);
            let too_much = s.long(10);
            s.call(ACCOUNT, "transferTo", &[a, a, too_much]);
            let call = s.case.calls.last_mut().unwrap();
            call.guarded = true;
            call.result = Some(a);
            let owner = s.call(ACCOUNT, "getOwner", &[a]);
            s.holds(owner, text("Bob"));
        }),
        throwing("java/lang/IllegalArgumentException", |s| {
            let a = account(s, 1);
            let amount = s.long(2);
            s.call(ACCOUNT, "transferTo", &[a, a, amount]);
            let call = s.case.calls.last_mut().unwrap();
            call.guarded = true;
            call.result = Some(a);
            s.call(ACCOUNT, "withdraw", &[a, amount]);
        }),
        test(|s| {
            let (first, second) =
                (s.text("Abc"), s.literal("Ljava/lang/Integer;", Literal::Int(3)));
            s.call("shop/Shapes$Pair", "<init>", &[first, second]);
        }),
        throwing("java/lang/IllegalArgumentException", |s| {
            let (first, second) = (s.null("Ljava/lang/Object;"), s.text("Abc"));
            s.call("shop/Shapes$Pair", "<init>", &[first, second]);
        }),
        test(|s| {
            // An enum that is a generic type by a cast.
            let (chests, hooks) = ("shop/Shapes$Chest", Type::class("shop/Shapes$NoHook"));
            let chest = s.call(chests, "open", &[]);
            let hook = s.call(chests, "hook()", &[chest]);
            s.case.slots[hook.index()].ty = hooks;
            let hooked = s.call(chests, "hooked", &[chest, hook]);
            s.check(CheckKind::Same(chest, hooked));
        }),
        test(|s| {
            // One boxed object, used twice.
            let big = s.literal("Ljava/lang/Integer;", Literal::Int(1000));
            let generic = s.call(boxes, "<init>", &[big]);
            let result = s.call(boxes, "get", &[generic]);
            s.check(CheckKind::Same(big, result));
        }),
    ]
}

fn failures() -> Vec<UnitTest> {
    let broken = |contract: Contract| {
        let mut s = Script::default();
        let (a, b) = (account(&mut s, 1), account(&mut s, 2));
        let kind = FailureKind::Contract { contract, slots: vec![a, b, a] };
        s.fails(kind, "Every object equals itself (Object.equals), but this one does not: equals returned false.")
    };
    let mut unexpected = Script::default();
    let a = account(&mut unexpected, 1);
    unexpected.call(ACCOUNT, "audit", &[a]);
    let class = ClassName::internal("java/lang/AssertionError");
    let unexpected = unexpected.fails(
        FailureKind::UnexpectedException { class, place: None },
        "The call threw an AssertionError.",
    );
    let mut all: Vec<UnitTest> = [
        Contract::EqualsReflexive,
        Contract::EqualsSymmetric,
        Contract::EqualsTransitive,
        Contract::EqualsNull,
        Contract::EqualsHashCode,
        Contract::CompareAntisymmetric,
        Contract::CompareTransitive,
        Contract::CompareConsistent,
        Contract::CompareReflexive,
        Contract::CloneFresh,
        Contract::CloneClass,
        Contract::ToStringReturns,
        Contract::HashCodeReturns,
        Contract::EqualsReturns,
    ]
    .map(broken)
    .to_vec();
    all.push(unexpected);
    all
}

fn comparators() -> Vec<UnitTest> {
    let broken = |contract: Contract, by: &str, values: &dyn Fn(&mut Script) -> Vec<Slot>| {
        let mut s = Script::default();
        let mut slots = vec![s.call(by, "<init>", &[])];
        slots.extend(values(&mut s));
        s.fails(FailureKind::Contract { contract, slots }, "Comparators keep some laws.")
    };
    let accounts = |contract, balances: &[i64]| {
        broken(contract, WHIM, &|s| balances.iter().map(|b| account(s, *b)).collect())
    };
    let texts = |contract, by| broken(contract, by, &|s| vec![s.text("a"), s.text("b")]);
    vec![
        accounts(Contract::ComparatorReflexive, &[0]),
        accounts(Contract::ComparatorAntisymmetric, &[5, 6]),
        accounts(Contract::ComparatorTransitive, &[3, 2, 1]),
        accounts(Contract::ComparatorConsistent, &[4, 1, 2]),
        texts(Contract::ComparatorReflexive, "shop/Whim$OfText"),
        texts(Contract::ComparatorAntisymmetric, "shop/Whim$OfText"),
        texts(Contract::ComparatorReflexive, "shop/Whim$Backwards"),
        texts(Contract::ComparatorReflexive, "shop/Whim$Raw"),
    ]
}

fn clashes() -> Vec<UnitTest> {
    vec![
        throwing("clash/Test$Exception", |s| {
            let string = s.call("clash/String", "<init>", &[]);
            let list = s.call("java/util/ArrayList", "<init>()", &[]);
            s.call("clash/Test", "join", &[string, list]);
        }),
        test(|s| {
            let string = s.call("clash/String", "<init>", &[]);
            let long = s.text(&"java ".repeat(12));
            let result = s.call("clash/String", "text", &[string, long]);
            s.check(CheckKind::Same(result, long));
        }),
    ]
}

fn suite(class: &str, tests: Vec<UnitTest>, junit: Junit, suffix: &str) -> Source {
    let options = Options { junit, java_release: 8, suffix: suffix.to_owned() };
    let suite = Suite { class: ClassName::internal(class), tests };
    let source = writer::write(&suite, &fixtures().world, &options);
    assert_eq!(source.rejected, []);
    source
}

const FOUR: Junit = Junit::Four { assert_throws: true };
const OLD: Junit = Junit::Four { assert_throws: false };

/// All suites that pass, by the name of their snapshot.
fn passing() -> Vec<(&'static str, Source)> {
    vec![
        ("account", suite(ACCOUNT, accounts(), Junit::Five, "Test")),
        ("account_junit4", suite(ACCOUNT, accounts(), FOUR, "FourTest")),
        ("account_old_junit4", suite(ACCOUNT, accounts(), OLD, "OldTest")),
        ("literals", suite(SHAPES, literals(), Junit::Five, "LiteralsTest")),
        ("overloads", suite(OVERLOADS, overloads(), Junit::Five, "Test")),
        ("observations", suite(SHAPES, observations(), Junit::Five, "ObservationsTest")),
        ("observations_junit4", suite(SHAPES, observations(), FOUR, "ObservationsFourTest")),
        ("shapes", suite(SHAPES, shapes(), Junit::Five, "Test")),
        ("callbacks", suite(CALLBACKS, callbacks(), Junit::Five, "Test")),
        ("callbacks_old_junit4", suite(CALLBACKS, callbacks(), OLD, "OldTest")),
        ("files", suite(ARCHIVE, files(), Junit::Five, "Test")),
        ("files_old_junit4", suite(ARCHIVE, files(), OLD, "OldTest")),
        ("clashes", suite("clash/Test", clashes(), Junit::Five, "Test")),
    ]
}

fn failing() -> Vec<(&'static str, Source)> {
    vec![
        ("failures", suite(ACCOUNT, failures(), Junit::Five, "FailingTest")),
        ("breaches", suite(ACCOUNT, breaches(), Junit::Five, "BreachFailingTest")),
        ("breaches_junit4", suite(ACCOUNT, breaches(), FOUR, "BreachFourFailingTest")),
        ("comparators", suite(WHIM, comparators(), Junit::Five, "FailingTest")),
    ]
}

#[test]
fn sources_look_as_they_should() {
    for (name, source) in passing().into_iter().chain(failing()) {
        insta::assert_snapshot!(name, source.text);
    }
}

#[test]
fn files_are_read_and_written_as_texts_where_java_can() {
    let options = Options { java_release: 11, ..Options::default() };
    let suite = Suite { class: ClassName::internal(ARCHIVE), tests: files() };
    let source = writer::write(&suite, &fixtures().world, &options);
    insta::assert_snapshot!("files_java11", source.text);
}

#[test]
fn no_line_is_longer_than_100_columns() {
    for (name, source) in passing().into_iter().chain(failing()) {
        for line in source.text.lines() {
            assert!(line.len() <= 100, "{name}: {line}");
        }
    }
}

/// Compiles all suites and returns where the classes are.
fn compiled(jdk: &classpath::JdkImage) -> tempfile::TempDir {
    let out = tempfile::tempdir().unwrap();
    let mut class_path = junit();
    class_path.push(fixtures().classes.clone());
    let sources: Vec<_> = passing().iter().chain(&failing()).map(|(_, s)| file(s)).collect();
    let options =
        ["--release", "8", "-Xlint:rawtypes", "-Xlint:unchecked", "-Xlint:-options", "-Werror"];
    javac(jdk, &options, &class_path, &sources, out.path()).unwrap_or_else(|said| panic!("{said}"));
    out
}

#[test]
fn sources_compile_as_java_8_without_a_warning_on_every_jdk() {
    for jdk in jdks() {
        compiled(&jdk);
    }
}

#[test]
fn suites_pass_in_junit_and_failing_tests_fail() {
    let jdk = jdks().remove(0);
    let out = compiled(&jdk);
    let console = library("org.junit.platform:junit-platform-console-standalone:1.10.2");
    let mut class_path = vec![console, library("junit:junit:4.13.2")];
    class_path.push(library("org.hamcrest:hamcrest-core:1.3"));
    class_path.push(fixtures().classes.clone());
    class_path.push(out.path().to_owned());
    let run = |pattern: &str| {
        let output = Command::new(jdk.home().join("bin/java"))
            .arg("-cp")
            .arg(std::env::join_paths(&class_path).unwrap())
            .args(["org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner"])
            .args([
                "--disable-ansi-colors",
                "--details",
                "tree",
                "--details-theme",
                "ascii",
                "-n",
                pattern,
            ])
            .arg(format!("--scan-class-path={}", out.path().display()))
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let count = |said: &str, what: &str| -> usize {
        let line = said.lines().find(|l| l.contains(what)).unwrap_or_else(|| panic!("{said}"));
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let said = run("(?!.*FailingTest).*Test");
    let written: usize = passing().iter().map(|(_, s)| s.tests.len()).sum();
    assert_eq!(count(&said, "tests failed"), 0, "{said}");
    assert_eq!(count(&said, "tests successful"), written, "{said}");
    let said = run(".*WhimFailingTest");
    assert_eq!(count(&said, "tests failed"), comparators().len(), "{said}");
    assert_eq!(count(&said, "tests successful"), 0, "{said}");
    for pattern in [".*AccountBreachFailingTest", ".*AccountBreachFourFailingTest"] {
        let said = run(pattern);
        assert_eq!(count(&said, "tests failed"), breaches().len(), "{said}");
    }
    // What the fixture breaks: equals of itself, hash codes, compareTo and clone; and audit throws.
    let said = run(".*AccountFailingTest");
    assert_eq!(count(&said, "tests failed"), 8, "{said}");
    assert_eq!(count(&said, "tests successful"), 7, "{said}");
    for broken in ["equals_isReflexive", "hashCode_ofEqualObjects_isEqual", "audit_doesNotThrow"] {
        let line = said.lines().find(|l| l.contains(broken)).unwrap_or_else(|| panic!("{said}"));
        assert!(line.contains("[X]"), "{line}");
    }
}
