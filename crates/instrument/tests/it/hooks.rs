//! Hooked methods tell the runtime class when they are entered.

use std::fs;

use classfile::ClassFile;
use instrument::{Hook, HookCall, InstrumentError, hook_entries};

use crate::harness::java::{compile, compile_runtime, java};
use crate::harness::jdk::{java_base, jdk_homes};
use crate::harness::sources::for_each_class;

const MAIN: &str = "
public class Main {
    public static void main(String[] arguments) throws Exception {
        java.util.Locale.setDefault(java.util.Locale.ROOT);
        try {
            Runtime.getRuntime().halt(7);
        } catch (ThreadDeath stopped) {
            System.out.println(\"stopped\");
        }
        System.out.println(Class.forName(\"java.lang.Testhound\").getField(\"effects\").get(null));
    }
}";

fn hook(method: &str, descriptor: Option<&str>, call: HookCall) -> Hook {
    Hook { method: method.into(), descriptor: descriptor.map(Into::into), call }
}

#[test]
fn hooked_jdk_methods_call_back_with_effect_or_status() {
    for home in jdk_homes() {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let [patch, main] = ["patch", "main"].map(|name| scratch.path().join(name));
        compile_runtime(&home, 1, &patch);
        compile(&home, &[], "Main.java", MAIN, &main);
        let base = java_base(&home, &scratch.path().join("base"));
        let mut hooked = 0;
        for_each_class(&base, &mut |name, bytes| {
            let (file, hooks) = if name.ends_with("/java/util/Locale.class") {
                let one = hook("setDefault", Some("(Ljava/util/Locale;)V"), HookCall::Effect(12));
                ("java/util/Locale.class", vec![one, hook("gone", None, HookCall::Effect(1))])
            } else if name.ends_with("/java/lang/Runtime.class") {
                let [exit, halt] = ["exit", "halt"].map(|name| hook(name, None, HookCall::Exit));
                ("java/lang/Runtime.class", vec![exit, halt])
            } else {
                return;
            };
            let class = ClassFile::parse(bytes).expect("JDK classes parse");
            let result = hook_entries(&class, &hooks).expect("JDK classes can be hooked");
            let unmatched: &[usize] = if file.contains("Locale") { &[1] } else { &[] };
            assert_eq!(result.unmatched, unmatched, "{file}");
            let file = patch.join(file);
            fs::create_dir_all(file.parent().expect("a file")).expect("scratch is writable");
            fs::write(file, result.bytes).expect("scratch is writable");
            hooked += 1;
        })
        .expect("java.base can be read");
        assert_eq!(hooked, 2);
        let output = java(&home, &[&patch], &[], &[&main], &["Main"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let expected = "stopped\neffect 12;exit 7;\n";
        assert_eq!(text, expected, "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_method_without_status_cannot_have_an_exit_hook() {
    let home = jdk_homes().pop().expect("these tests need a JDK: set JAVA_HOME");
    let scratch = tempfile::tempdir().expect("a scratch directory");
    compile(&home, &[], "Main.java", MAIN, scratch.path());
    let bytes = fs::read(scratch.path().join("Main.class")).expect("javac writes it");
    let class = ClassFile::parse(&bytes).expect("javac writes good classes");
    let outcome = hook_entries(&class, &[hook("main", None, HookCall::Exit)]);
    assert!(matches!(outcome, Err(InstrumentError::NoExitStatus { .. })), "{outcome:?}");
}
