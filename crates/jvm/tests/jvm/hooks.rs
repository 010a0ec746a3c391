//! Rewriting classes as they load, and once more later.

use classfile::ClassFile;
use instrument::{Base, Hook, HookCall, Options, Plan};
use jvm::ClassHook;
use model::{CallEnd, Effect, EffectKind, Literal, TestCase, Type};

use crate::Case;
use crate::child::{Child, call, plain, run_case, run_to_end, static_method, text};

pub const CASES: &[Case] = &[
    ("rewritten_classes_count_what_they_do", &[], coverage),
    ("loaded_classes_can_be_rewritten", &[], retransformed),
    ("exit_is_refused_and_noted", &[], exit),
    ("the_hook_is_set_once", &[], once),
];

/// Where the probes of `fixture.Endless` start in the map.
const BASE: u32 = 100;

/// Gives `fixture.Endless` probes and steps, `System` and `Runtime` effect hooks.
pub struct Rewriter;

fn plan(class: &ClassFile) -> Plan {
    let options = Options { coverage: true, steps: true, comparisons: false };
    instrument::place(class, &options).expect("javac writes good classes")
}

impl ClassHook for Rewriter {
    fn rewrite(&self, name: &str, boot: bool, bytes: &[u8]) -> Option<Vec<u8>> {
        let hook = |method: &str, call| Hook { method: method.to_owned(), descriptor: None, call };
        let hooks = match name {
            "fixture/Endless" => {
                assert!(!boot, "the fixtures are on the class path");
                let class = ClassFile::parse(bytes).expect("javac writes good classes");
                let written = instrument::rewrite(
                    &class,
                    &plan(&class),
                    Base { probe: BASE, ..Base::default() },
                );
                return Some(written.expect("the plan is of this class"));
            }
            "java/lang/System" => {
                vec![hook("setProperty", HookCall::Effect(EffectKind::SystemProperty as u32))]
            }
            "java/lang/Runtime" => ["exit", "halt"].map(|m| hook(m, HookCall::Exit)).into(),
            _ => return None,
        };
        assert!(boot, "the JDK's classes are the boot loader's");
        let class = ClassFile::parse(bytes).expect("JDK classes parse");
        let hooked = instrument::hook_entries(&class, &hooks).expect("JDK classes can be hooked");
        Some(hooked.bytes)
    }
}

fn coverage(child: &Child) {
    let mut executor = child.executor();
    let side = static_method("Endless", "side", "(I)Ljava/lang/String;");
    let probes = 64;
    let mut hits_of = |number: i32, expected: &str| {
        executor.clear_coverage(BASE, probes);
        let observed = call(&mut executor, &side, &[(Type::INT, Literal::Int(number))]);
        assert_eq!(observed, text(expected));
        let mut hits = vec![0; probes as usize];
        executor.read_coverage(BASE, &mut hits);
        hits
    };
    let (left, right) = (hits_of(-1, "left"), hits_of(1, "right"));
    assert!(left.contains(&1) && right.contains(&1));
    assert_ne!(left, right, "each side of the branch has its own probe");
    assert_eq!(left, hits_of(-7, "left"));
    let mut before = [9; 10];
    executor.read_coverage(BASE - 10, &mut before);
    assert_eq!(before, [0; 10], "no probe is below the base");
    executor.clear_coverage(BASE, probes);
    let mut cleared = vec![9; probes as usize];
    executor.read_coverage(BASE, &mut cleared);
    assert_eq!(cleared, vec![0; probes as usize]);
}

fn retransformed(child: &Child) {
    let mut executor = child.executor();
    let set = static_method("Effects", "setProperty", "()V");
    let mut case = TestCase::default();
    case.call(&set, &[]);
    run_case(&mut executor, &case);
    assert_eq!(executor.take_effects(), []);
    executor.end();
    child.jvm.retransform(&["java/lang/System"]).expect("it can be rewritten");
    run_case(&mut executor, &case);
    assert_eq!(
        executor.take_effects(),
        [Effect { kind: EffectKind::SystemProperty, on: String::new() }; 1]
    );
    assert!(executor.effect_kinds().contains(EffectKind::SystemProperty));
    executor.end();
    assert!(child.jvm.retransform(&["no/such/Class"]).is_err());
}

fn exit(child: &Child) {
    child.jvm.retransform(&["java/lang/Runtime"]).expect("it can be rewritten");
    let mut executor = child.executor();
    for (name, status) in [("exit", 3), ("halt", 4), ("runtimeExit", 5)] {
        let mut case = TestCase::default();
        let code = case.literal(Type::INT, Literal::Int(status));
        case.call(&static_method("Effects", name, "(I)V"), &[code]);
        assert_eq!(run_to_end(&mut executor, &case), CallEnd::Threw);
        let thrown = executor.thrown().expect("it threw");
        assert_eq!(thrown.class.as_internal(), "java/lang/TesthoundExit");
        let effects = executor.take_effects();
        let expected = Effect { kind: EffectKind::Exit, on: format!("status {status}") };
        assert_eq!(effects.first(), Some(&expected), "{effects:?}");
        assert!(effects.iter().all(|e| e.kind == EffectKind::Exit), "{effects:?}");
        executor.end();
    }
    // Code that catches everything is found out all the same.
    let mut case = TestCase::default();
    let caught = case.call(&static_method("Effects", "exitCaught", "()I"), &[]).expect("a number");
    run_case(&mut executor, &case);
    assert_eq!(executor.observe(caught), plain(Literal::Int(1)));
    assert!(executor.effect_kinds().contains(EffectKind::Exit));
}

fn once(_child: &Child) {
    assert!(!jvm::set_class_hook(Box::new(Rewriter)));
}
