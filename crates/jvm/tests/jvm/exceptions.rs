//! Exceptions: what is known of them, and that they leave nothing behind.

use jvm::Executor;
use model::{CallEnd, Literal, Observation, TestCase, Thrown, Type};

use crate::Case;
use crate::child::{Child, call, constructor, plain, run_to_end, static_method};

pub const CASES: &[Case] = &[
    ("an_exception_tells_class_message_and_frames", &[], described),
    ("constructors_can_throw", &[], constructors),
    ("long_stack_traces_are_cut", &[], long_traces),
    ("unruly_exceptions_are_described_as_far_as_they_go", &[], unruly),
    ("stack_overflow_is_an_exception_like_others", &[], overflow),
    ("failing_initializers_make_a_class_unlinkable", &[], initializers),
];

/// Runs a case whose last call throws; what is known of the exception.
fn thrown(executor: &mut Executor<'_>, case: &TestCase) -> Thrown {
    assert_eq!(run_to_end(executor, case), CallEnd::Threw);
    let thrown = executor.thrown().expect("it threw");
    assert_eq!(executor.thrown().as_ref(), Some(&thrown), "it can be asked for twice");
    executor.end();
    assert_eq!(executor.thrown(), None, "it is gone with its test case");
    thrown
}

/// A case of one call with one literal.
fn one_call(owner: &str, name: &str, descriptor: &str, value: Literal) -> TestCase {
    let mut case = TestCase::default();
    let ty = value.primitive().map_or(Type::string(), Type::Primitive);
    let slot = case.literal(ty, value);
    case.call(&static_method(owner, name, descriptor), &[slot]);
    case
}

fn frames(thrown: &Thrown) -> Vec<String> {
    thrown.frames.iter().map(|f| format!("{}.{}", f.class, f.method)).collect()
}

fn described(child: &Child) {
    let mut executor = child.executor();
    for message in [Literal::String("why: 😀\0".into()), Literal::Null] {
        let case = one_call("Thrower", "plain", "(Ljava/lang/String;)V", message.clone());
        let thrown = thrown(&mut executor, &case);
        assert_eq!(thrown.class.as_internal(), "java/lang/IllegalStateException");
        let expected = match message {
            Literal::String(text) => Some(text),
            _ => None,
        };
        assert_eq!(thrown.message, expected);
        assert_eq!(frames(&thrown), ["fixture.Thrower.plain"]);
        assert_eq!(thrown.frames[0].line, 12);
    }
    let mut case = TestCase::default();
    let [one, zero] = [1, 0].map(|i| case.literal(Type::INT, Literal::Int(i)));
    case.call(&static_method("Thrower", "divide", "(II)I"), &[one, zero]);
    let thrown = thrown(&mut executor, &case);
    assert_eq!(thrown.class.as_internal(), "java/lang/ArithmeticException");
    assert_eq!(thrown.message, Some("/ by zero".into()));
}

fn constructors(child: &Child) {
    let mut executor = child.executor();
    let mut case = TestCase::default();
    let word = case.literal(Type::string(), Literal::String("no".into()));
    let object = case.call(&constructor("Thrower", "(Ljava/lang/String;)V"), &[word]);
    assert_eq!(run_to_end(&mut executor, &case), CallEnd::Threw);
    assert!(executor.is_null(object.expect("a constructor has a result")));
    let thrown = executor.thrown().expect("it threw");
    assert_eq!(thrown.class.as_internal(), "java/lang/IllegalArgumentException");
    assert_eq!(frames(&thrown), ["fixture.Thrower.<init>"]);
}

fn long_traces(child: &Child) {
    let mut executor = child.executor();
    let case = one_call("Thrower", "deep", "(I)V", Literal::Int(100));
    let thrown = thrown(&mut executor, &case);
    assert_eq!(thrown.frames.len(), 24);
    assert_eq!(thrown.message, None);
}

fn unruly(child: &Child) {
    let mut executor = child.executor();
    // What is wrong with the exception, its message, the number of its frames.
    let expected = [(0, None, 1), (1, None, 1), (2, Some("unruly"), 0), (3, Some("unruly"), 0)];
    for (how, message, count) in expected.into_iter().chain([(4, Some("unruly"), 0)]) {
        let case = one_call("Thrower", "unruly", "(I)V", Literal::Int(how));
        let thrown = thrown(&mut executor, &case);
        assert_eq!(thrown.class.as_internal(), "fixture/Thrower$Unruly");
        assert_eq!(thrown.message, message.map(Into::into), "{how}");
        assert_eq!(thrown.frames.len(), count, "{how}");
    }
    // Nothing is left pending.
    let same = static_method("Values", "same", "(I)I");
    let observed = call(&mut executor, &same, &[(Type::INT, Literal::Int(1))]);
    assert_eq!(observed, plain(Literal::Int(1)));
}

fn overflow(child: &Child) {
    // As a worker does it: a small stack of our own, not the process's.
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(1 << 20);
        let thread = builder.spawn_scoped(scope, || {
            let mut executor = child.executor();
            let mut case = TestCase::default();
            case.call(&static_method("Thrower", "overflow", "()V"), &[]);
            for _ in 0..3 {
                let thrown = thrown(&mut executor, &case);
                assert_eq!(thrown.class.as_internal(), "java/lang/StackOverflowError");
                assert_eq!(thrown.frames.len(), 24);
            }
        });
        thread.expect("a thread").join().expect("it passes");
    });
}

fn initializers(child: &Child) {
    let mut executor = child.executor();
    for (owner, word) in [
        ("Thrower$Broken", "ExceptionInInitializerError"),
        ("Thrower$Unnamed", "ExceptionInInitializerError"),
        ("Missing", "NoClassDefFoundError"),
    ] {
        let number = static_method(owner, "number", "()I");
        let error = executor.link(&number).expect_err("it cannot be linked").to_string();
        assert!(error.contains(word), "{error}");
        let mut case = TestCase::default();
        case.call(&number, &[]);
        let end = run_to_end(&mut executor, &case);
        let CallEnd::Unlinkable(why) = end else { panic!("{end:?}") };
        assert!(why.contains(word), "the first reason is kept: {why}");
        executor.end();
    }
    for wrong in [
        static_method("Values", "missing", "()I"),
        static_method("Values", "kept", "(I)I"),
        crate::child::field("Values", "missing", "I"),
        crate::child::static_field("Values", "i", "I"),
    ] {
        assert!(executor.link(&wrong).is_err(), "{wrong}");
    }
    let observed = call(
        &mut executor,
        &static_method("Values", "same", "(I)I"),
        &[(Type::INT, Literal::Int(3))],
    );
    assert_eq!(observed, Observation::Value { value: Literal::Int(3), boxed: false });
}
