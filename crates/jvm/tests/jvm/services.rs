//! Calls of our own services.

use jvm::{Arg, Service};
use model::{EffectKind, TestCase};

use crate::Case;
use crate::child::{Child, run_case, static_method};

pub const CASES: &[Case] = &[
    ("services_take_and_give_strings", &[], strings),
    ("what_a_service_throws_is_an_error", &[], errors),
    ("numbers_are_asked_for_without_effects", &[], numbers),
    ("services_can_be_watched", &[], watched),
    ("services_can_be_defined", &[], defined),
];

fn echo(child: &Child) -> Service<'_> {
    Service::find(&child.jvm, "fixture/Echo").expect("it is on the class path")
}

fn strings(child: &Child) {
    let echo = echo(child);
    let many: Vec<String> = (0..1000).map(|i| format!("text {i} é😀")).collect();
    let args = [Arg::Text(Some("first\0")), Arg::Texts(&many), Arg::Int(-7)];
    let answer = echo.call("echo", &args).expect("it returns");
    assert_eq!(answer[..3], ["first\0", "-7", "1000"]);
    assert_eq!(answer[3..], many);
    let args = [Arg::Text(None), Arg::Texts(&[]), Arg::Int(0)];
    assert_eq!(echo.call("echo", &args).expect("it returns"), ["", "0", "0"]);
    assert_eq!(echo.call("nothing", &[]).expect("it returns"), [""; 0]);
}

fn errors(child: &Child) {
    let echo = echo(child);
    let error = echo.call("fail", &[Arg::Text(Some("because"))]).expect_err("it throws");
    assert_eq!(
        error.to_string(),
        "fixture.Echo.fail failed inside the JVM: java.lang.IllegalStateException: because"
    );
    let error = echo.call("missing", &[]).expect_err("there is none").to_string();
    assert!(error.contains("NoSuchMethodError"), "{error}");
    let error = Service::find(&child.jvm, "no/Such").err().expect("there is none").to_string();
    assert!(error.contains("NoClassDefFoundError"), "{error}");
    assert_eq!(echo.call("nothing", &[]).expect("nothing is left pending"), [""; 0]);
}

fn numbers(child: &Child) {
    let echo = echo(child);
    let count = echo.number("count").expect("it is there");
    assert_eq!((count.call().expect("a number"), count.call().expect("a number")), (1, 2));
    let failing = echo.number("failingCount").expect("it is there");
    let error = failing.call().expect_err("it throws").to_string();
    assert!(error.contains("uncountable"), "{error}");
    assert!(echo.number("echo").is_err(), "it takes arguments");
    // Asked during a test case, what it does is not the test case's.
    let mut executor = child.executor();
    let delete = echo.number("deleteTemporary").expect("it is there");
    let mut case = TestCase::default();
    case.call(&static_method("Echo", "deleteTemporary", "()I"), &[]);
    executor.begin(&case.slots).expect("there are no slots");
    assert_eq!(delete.call().expect("a number"), 0);
    assert!(executor.effect_kinds().is_empty());
    executor.end();
    run_case(&mut executor, &case);
    assert!(executor.effect_kinds().contains(EffectKind::FileDelete));
    assert_eq!(delete.call().expect("a number"), 0);
}

fn watched(child: &Child) {
    let echo = echo(child);
    let path = child.path("nothing");
    let delete = |service: &Service<'_>| service.call("delete", &[Arg::Text(Some(&path))]);
    let (answer, kinds) = echo.watching(delete);
    assert_eq!(answer.expect("it returns"), [""; 0]);
    assert!(kinds.contains(EffectKind::FileDelete));
    delete(&echo).expect("it returns");
    let (_, kinds) = echo.watching(|service| service.call("nothing", &[]));
    assert!(kinds.is_empty(), "what is done unwatched is forgotten: {kinds:?}");
}

fn defined(child: &Child) {
    let classes = runtime::service_classes();
    let settings = Service::define(&child.jvm, classes, "testhound/runtime/Settings");
    let settings = settings.expect("the classes are good");
    settings.number("begin").expect("it is there").call().expect("it returns");
    let changed = settings.number("putBackWhatChanged").expect("it is there");
    assert_eq!(changed.call().expect("it returns"), 0);
    let print = |service: &Service<'_>| service.call("print", &[Arg::Text(Some("seen"))]);
    let (answer, kinds) = echo(child).watching(print);
    assert_eq!(answer.expect("it returns"), [""; 0]);
    assert_eq!(kinds.iter().collect::<Vec<_>>(), [EffectKind::Output]);
    let again = Service::define(&child.jvm, classes, "testhound/runtime/Settings");
    let error = again.err().expect("a class can be defined once").to_string();
    assert!(error.contains("LinkageError"), "{error}");
}
