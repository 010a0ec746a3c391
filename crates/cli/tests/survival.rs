//! A process that dies takes no more with it than what killed it: runners that tests take down,
//! workers that keep dying.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::Value;
use worker::{Launcher, Scratch, Services, Subject};

/// Ends the process from Java, as broken native code does.
const CRASH: &str = "
    private static void crash() {
        try {
            java.lang.reflect.Field f = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\");
            f.setAccessible(true);
            ((sun.misc.Unsafe) f.get(null)).putAddress(0, 0);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
";

/// Methods that take down only a JVM in which tests are run.
const KILLS_RUNNERS: &str = "package fixture;
public class KillsRunners {
    public static int alive(int number) {
        return number > 100 ? number : 2 * number;
    }
    public static boolean isKiller(int number) {
        if (isTested()) {
            crash();
        }
        return number > 0;
    }
    public static String zone(String text) {
        if (isTested()) {
            crash();
        }
        return text + '!';
    }
    public static int last(int number) {
        return number < 0 ? -1 : 1;
    }
    private static boolean isTested() {
        return StackWalker.getInstance().walk(frames ->
                frames.anyMatch(frame -> frame.getClassName().endsWith(\"Test\")));
    }
    CRASH
}";

/// Crashes for some arguments only.
const CRASHES_AT_TIMES: &str = "package fixture;
public class CrashesAtTimes {
    public static int invert(int number) {
        if (number == 0) {
            crash();
        }
        return number > 0 ? 1 : 2;
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
    CRASH
}";

/// Every JVM dies in it sooner or later, whatever is called.
const WEARS_OUT: &str = "package fixture;
public class WearsOut {
    private static int calls;
    private static void use() {
        if (++calls > 60) {
            crash();
        }
    }
    public static int one(int n) { use(); return n > 0 ? 1 : 2; }
    public static int two(int n) { use(); return n < 7 ? 3 : 4; }
    public static int three(boolean b) { use(); return b ? 5 : 6; }
    public static int four(String s) { use(); return s == null ? 7 : 8; }
    public static int five(long n) { use(); return n == 0 ? 9 : 10; }
    public static int six(char c) { use(); return c == 'a' ? 11 : 12; }
    public static int seven(Object o) { use(); return o == null ? 13 : 14; }
    public static int eight(double d) { use(); return d > 0 ? 15 : 16; }
    CRASH
}";

/// Its initializer starts a thread that goes on.
const STARTS_WITH_THREAD: &str = "package fixture;
public class StartsWithThread {
    static {
        Thread thread = new Thread(() -> {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                return;
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

/// Its initializer starts threads that come to an end: a harmless one, and one with an effect.
const STARTS_BRIEFLY: &str = "package fixture;
public class StartsBriefly {
    static {
        new Thread(() -> System.nanoTime()).start();
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";
const STARTS_AND_DELETES: &str = "package fixture;
public class StartsAndDeletes {
    static {
        new Thread(() -> {
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                return;
            }
            new java.io.File(\"absent\").delete();
        }).start();
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

/// What is done after the call has returned, unless one interrupts it, as the search does.
const LATER: &str = "package fixture;
public class Later {
    private static void delete() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException e) {
            return;
        }
        new java.io.File(\"absent\").delete();
    }
    public static int byThread(int number) {
        new Thread(Later::delete).start();
        return number > 0 ? 1 : 2;
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

/// Takes long at first, as on a machine that is busy.
const WAITS_AT_FIRST: &str = "package fixture;
public class WaitsAtFirst {
    private static final int[] CALLS = new int[1];
    public static int nap(int number) throws InterruptedException {
        if (CALLS[0]++ < 4) {
            Thread.sleep(300);
        }
        return number > 0 ? 1 : 2;
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

/// Needs a display.
const OPENS_WINDOWS: &str = "package fixture;
public class OpensWindows {
    public static int open(int number) {
        new java.awt.Frame().dispose();
        return number;
    }
    public static int browse(int number) {
        java.awt.Desktop.getDesktop();
        return number;
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

/// What a run left.
struct Generated {
    report: Value,
    tests: String,
}

/// Compiles a class of package `fixture`, has tests written, returns its report and its tests.
fn generate(name: &str, source: &str) -> Generated {
    let folder = tempfile::tempdir().expect("a folder");
    let jdk = toolchain::select(None, 17).expect("a JDK");
    let file = folder.path().join(format!("{name}.java"));
    let classes = folder.path().join("classes");
    std::fs::write(&file, source.replace("CRASH", CRASH)).expect("a file");
    let compiled = Command::new(jdk.home.join("bin/javac"))
        .args([Path::new("-XDignore.symbol.file"), Path::new("-nowarn"), Path::new("-d")])
        .args([&classes, &file])
        .output()
        .expect("javac runs");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let out = folder.path().join("tests");
    let output = Command::new(env!("CARGO_BIN_EXE_testhound"))
        .args(["generate", "--json", "--steps", "3000", "--classpath"])
        .arg(&classes)
        .arg("--out")
        .arg(&out)
        .output()
        .expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let tests = out.join(format!("fixture/{name}Test.java"));
    let tests = std::fs::read_to_string(&tests).unwrap_or_default();
    Generated { report: report["classes"][0].clone(), tests }
}

#[test]
fn a_test_that_kills_the_runner_takes_no_other_with_it() {
    let Generated { report, tests } = generate("KillsRunners", KILLS_RUNNERS);
    assert!(!tests.contains(".isKiller(") && !tests.contains(".zone("), "{tests}");
    assert!(tests.contains(".alive(") && tests.contains(".last("), "{tests}\n{report:#}");
    let dropped = report["dropped"]["unreproducible"].as_u64().expect("a count");
    assert!((2..=4).contains(&dropped), "{report:#}");
    let notes = report["notes"].as_array().expect("notes");
    let told = notes.iter().filter_map(Value::as_str).filter(|n| n.contains("took the JVM down"));
    assert_eq!(told.count() as u64, dropped, "{report:#}");
}

/// The worker processes that this process started, by what the system says.
fn workers() -> Vec<i32> {
    let me = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").expect("a list of processes").flatten();
    let is_worker = |pid: &i32| {
        let read = |file: &str| std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default();
        let stat = String::from_utf8_lossy(&read("stat")).into_owned();
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
        parent == Some(&me) && read("cmdline").ends_with(b"\0worker\0")
    };
    processes
        .filter_map(|process| process.file_name().to_str()?.parse().ok())
        .filter(is_worker)
        .collect()
}

#[test]
fn a_compiler_that_dies_is_replaced_and_leaves_nothing_behind() {
    let jdk = toolchain::select(None, 17).expect("a JDK");
    let subject = Subject {
        libjvm: jdk.libjvm.clone(),
        feature: jdk.version.feature,
        jdk_home: jdk.home,
        project: Vec::new(),
        dependencies: Vec::new(),
        release: None,
        summaries: None,
        unknown_natives: Vec::new(),
        checked: None,
    };
    let launcher = Launcher {
        program: env!("CARGO_BIN_EXE_testhound").into(),
        args: vec!["worker".to_owned()],
        sandbox: true,
        jvm_args: Vec::new(),
    };
    let scratch = Arc::new(Scratch::new().expect("a folder"));
    let services = Services::new(launcher, subject, scratch.clone());
    let target = tempfile::tempdir().expect("a folder");
    let source = |name: &str| [(format!("{name}.java"), format!("class {name} {{}}"))];
    for name in ["First", "Second", "Third"] {
        let compiled = services.compile_to(&source(name), "", target.path(), None);
        assert_eq!(compiled.expect("a compiler"), []);
        let compilers = workers();
        assert_eq!(compilers.len(), 1, "the compiler only: {compilers:?}");
        for compiler in compilers {
            let pid = nix::unistd::Pid::from_raw(compiler);
            nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL).expect("a process");
        }
    }
    let mut classes: Vec<_> = std::fs::read_dir(target.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    classes.sort();
    assert_eq!(classes, ["First.class", "Second.class", "Third.class"]);
    let folders = std::fs::read_dir(scratch.path()).expect("a folder").flatten();
    let left = folders.filter(|folder| folder.path().join("compiled").exists());
    assert_eq!(left.count(), 0, "classes are gone once they are copied");
}

#[test]
fn an_operation_that_crashes_at_times_keeps_the_tests_that_do_not() {
    let Generated { report, tests } = generate("CrashesAtTimes", CRASHES_AT_TIMES);
    assert!(tests.contains(".invert(") && tests.contains(".twice("), "{tests}\n{report:#}");
    assert!(!tests.contains(".invert(0)"), "{tests}");
    let reasons = report["reasons"].as_array().expect("reasons");
    let crashes = |reason: &&Value| {
        reason["code"] == "crashes"
            && reason["member"].as_str().is_some_and(|m| m.contains("invert"))
    };
    assert_eq!(reasons.iter().filter(crashes).count(), 1, "{report:#}");
}

#[test]
fn what_was_kept_is_saved_although_workers_keep_dying() {
    let Generated { report, tests } = generate("WearsOut", WEARS_OUT);
    for method in ["one", "two", "three", "four", "five", "six", "seven", "eight"] {
        assert!(tests.contains(&format!(".{method}(")), "{method}: {tests}\n{report:#}");
    }
}

/// The class has no test, for its initializer has that effect.
fn check_initializer(name: &str, source: &str, effect: &str) {
    let Generated { report, tests } = generate(name, source);
    assert_eq!(tests, "", "{report:#}");
    let reasons = report["reasons"].as_array().expect("reasons");
    assert_eq!(reasons.len(), 1, "{report:#}");
    assert_eq!(reasons[0]["code"], "unsafe-effect");
    assert_eq!(reasons[0]["detail"], format!("its initializer {effect}"));
    assert_eq!(report["dropped"]["unsafe_effect"], 0, "the search knew: {report:#}");
}

#[test]
fn an_initializer_that_leaves_a_thread_is_told() {
    check_initializer("StartsWithThread", STARTS_WITH_THREAD, "left a thread running");
}

#[test]
fn what_threads_of_an_initializer_do_is_its_effect() {
    check_initializer("StartsAndDeletes", STARTS_AND_DELETES, "deleted a file (absent)");
}

#[test]
fn an_initializer_may_start_threads_that_end() {
    let Generated { report, tests } = generate("StartsBriefly", STARTS_BRIEFLY);
    assert!(tests.contains(".twice("), "{report:#}");
    assert_eq!(report["dropped"]["unsafe_effect"], 0, "{report:#}");
}

#[test]
fn what_a_thread_does_after_its_test_counts() {
    let Generated { report, tests } = generate("Later", LATER);
    assert!(tests.contains(".twice(") && !tests.contains(".byThread("), "{tests}");
    assert!(report["dropped"]["unsafe_effect"].as_u64() > Some(0), "{report:#}");
}

#[test]
fn a_counted_budget_gives_slow_calls_time() {
    let Generated { report, tests } = generate("WaitsAtFirst", WAITS_AT_FIRST);
    assert!(tests.contains(".nap(") && tests.contains(".twice("), "{tests}\n{report:#}");
    assert_eq!(report["reasons"].as_array().map(Vec::len), Some(0), "{report:#}");
}

#[test]
fn what_needs_a_display_is_in_no_test() {
    let Generated { report, tests } = generate("OpensWindows", OPENS_WINDOWS);
    assert!(tests.contains(".twice("), "{tests}\n{report:#}");
    assert!(!tests.contains(".open(") && !tests.contains(".browse("), "{tests}");
    let reasons = report["reasons"].as_array().expect("reasons");
    assert_eq!(reasons.len(), 2, "{report:#}");
    for reason in reasons {
        assert_eq!(reason["code"], "unsafe-effect", "{report:#}");
        // Loading its classes may set properties besides, and looks for settings in the home folder.
        let detail = reason["detail"].as_str().expect("a text");
        assert!(detail.contains("used the desktop"), "{report:#}");
    }
}
