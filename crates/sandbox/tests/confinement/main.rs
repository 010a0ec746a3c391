//! Confinement, tried out on real processes.
//!
//! Each test starts this program again as a process that enters a sandbox and tries what
//! `attempts` lists; the test compares what it says with what is seen from outside.

#![expect(clippy::print_stdout, reason = "a test program with its own main reports by printing")]

mod attempts;
mod java;
mod world;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;

use attempts::*;
use nix::unistd::geteuid;
use sandbox::{Network, Permission, Policy, Processes, SandboxError};
use world::{Addresses, OTHER_USER, World};

const TESTS: &[(&str, fn())] = &[
    ("every_attempt_succeeds_without_a_sandbox", every_attempt_succeeds_without_a_sandbox),
    ("code_under_test_changes_its_scratch_only", code_under_test_changes_its_scratch_only),
    ("another_user_changes_its_scratch_only", another_user_changes_its_scratch_only),
    ("without_namespaces_there_are_no_sockets", without_namespaces_there_are_no_sockets),
    ("a_tool_changes_its_directories_only", a_tool_changes_its_directories_only),
    ("entering_with_a_second_thread_fails", entering_with_a_second_thread_fails),
    ("entering_with_a_missing_directory_fails", entering_with_a_missing_directory_fails),
    ("exec_needs_a_policy_that_allows_it", exec_needs_a_policy_that_allows_it),
    ("exec_of_a_missing_program_fails", exec_of_a_missing_program_fails),
    ("support_agrees_with_what_can_be_entered", support_agrees_with_what_can_be_entered),
    ("java_as_a_tool_deletes_nothing_outside", java::as_a_tool_deletes_nothing_outside),
    ("java_as_code_under_test_is_alone", java::as_code_under_test_is_alone),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("attempt") => {
            attempt_all(&arguments[1], &Addresses::from_arguments(&arguments[2..]));
            ExitCode::SUCCESS
        }
        Some("enter") => enter(&arguments[1]),
        Some("exec") => exec(&arguments[1..]),
        Some("--list") => {
            TESTS.iter().for_each(|(name, _)| println!("{name}: test"));
            ExitCode::SUCCESS
        }
        _ => run_tests(&arguments),
    }
}

fn run_tests(arguments: &[String]) -> ExitCode {
    let filter = arguments.iter().find(|argument| !argument.starts_with('-'));
    let mut failed = 0;
    for (name, test) in TESTS {
        if filter.is_some_and(|filter| !name.contains(filter.as_str())) {
            continue;
        }
        let passed = catch_unwind(AssertUnwindSafe(test)).is_ok();
        println!("test {name} ... {}", if passed { "ok" } else { "FAILED" });
        failed += usize::from(!passed);
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn policy(name: &str, scratch: &Path) -> Option<Policy> {
    let code = Policy::code_under_test(scratch);
    match name {
        "none" => None,
        "code" => Some(code),
        "replace" => Some(code.processes(Processes::Replace)),
        "no-sockets" => Some(code.network(Network::Deny)),
        "files" => Some(Policy::files_only([scratch])),
        other => panic!("no policy `{other}`"),
    }
}

/// In the confined process: enters, then tries everything.
fn attempt_all(name: &str, to: &Addresses) {
    if let Some(policy) = policy(name, &to.scratch) {
        let confinement = sandbox::enter(&policy).expect("the sandbox can be entered");
        println!("network {}", confinement.network);
    }
    report("", ALWAYS_ALLOWED, &to.scratch, to);
    report("inside/", ON_FILES, &to.scratch, to);
    report("outside/", ON_FILES, &to.outside, to);
    report("outside/", FROM_A_THREAD, &to.outside, to);
    report("", ESCAPING, &to.scratch, to);
    report("inside/", ON_METADATA, &to.scratch, to);
    report("outside/", ON_METADATA, &to.outside, to);
    report("", LIMITED, &to.scratch, to);
    report("", LOOPBACK, &to.scratch, to);
    report("", REACHING_OUT, &to.scratch, to);
    report("", STARTING, &to.scratch, to);
    report("", BECOMING, &to.scratch, to);
    report("", PRIVILEGED, &to.scratch, to);
    report("", ROOT_ONLY, &to.scratch, to);
    report("", SIGNALLING, &to.scratch, to);
}

/// Names of attempts expected to succeed.
fn names(prefix: &str, group: &[(&str, impl Sized)]) -> Vec<String> {
    group.iter().map(|(name, _)| format!("{prefix}{name}")).collect()
}

/// Runs all attempts by policy `name` and compares those that succeeded with `expected`.
fn check(name: &str, user: Option<u32>, mut expected: Vec<String>) -> World {
    let world = World::new(user);
    let output = world.run(&["attempt", name], &[]);
    let text = String::from_utf8(output.stdout).expect("output in UTF-8");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{name}: {}\n{text}\n{errors}", output.status);
    let outcomes: BTreeMap<&str, &str> = text.lines().filter_map(|l| l.split_once(' ')).collect();
    let mut succeeded: Vec<String> = outcomes
        .iter()
        .filter(|(_, outcome)| **outcome == "ok")
        .map(|(name, _)| (*name).to_owned())
        .collect();
    // A loopback device is there where the machine grants a namespace: see the test of `support`.
    if outcomes.get("network") == Some(&"private loopback") {
        expected.extend(names("", LOOPBACK));
    }
    expected.sort();
    succeeded.sort();
    assert_eq!(succeeded, expected, "{name} as user {user:?}:\n{text}");
    world
}

fn every_attempt_succeeds_without_a_sandbox() {
    let mut expected = [
        names("", ALWAYS_ALLOWED),
        names("inside/", ON_FILES),
        names("outside/", ON_FILES),
        names("outside/", FROM_A_THREAD),
        names("", ESCAPING),
        names("inside/", ON_METADATA),
        names("outside/", ON_METADATA),
        names("", LOOPBACK),
        names("", REACHING_OUT),
        names("", STARTING),
        names("", BECOMING),
        names("", LIMITED),
        names("", PRIVILEGED),
        names("", SIGNALLING),
    ]
    .concat();
    if geteuid().is_root() {
        expected.extend(names("", ROOT_ONLY));
    }
    let mut world = check("none", None, expected);
    assert!(!world.outside_is_untouched(), "files outside changed");
    assert!(world.was_reached(), "the servers outside were reached");
    assert!(!world.victim_lives(), "the process outside was killed");
}

fn code_under_test_changes_its_scratch_only() {
    code_under_test(None);
}

fn another_user_changes_its_scratch_only() {
    if geteuid().is_root() {
        code_under_test(Some(OTHER_USER));
    } else {
        println!("only root can start a process of another user; this one is no root either");
    }
}

fn code_under_test(user: Option<u32>) {
    let expected = [names("", ALWAYS_ALLOWED), names("inside/", ON_FILES)].concat();
    unharmed(check("code", user, expected));
}

fn without_namespaces_there_are_no_sockets() {
    let expected = [names("", ALWAYS_ALLOWED), names("inside/", ON_FILES)].concat();
    unharmed(check("no-sockets", None, expected));
}

fn a_tool_changes_its_directories_only() {
    let expected = [
        names("", ALWAYS_ALLOWED),
        names("inside/", ON_FILES),
        names("inside/", ON_METADATA),
        names("outside/", ON_METADATA),
        names("", LOOPBACK),
        names("", REACHING_OUT),
        names("", STARTING),
        names("", BECOMING),
        names("", &LIMITED[1..]),
        // Its process group is its own here. Landlock by itself refuses tracing and mounting.
        names("", &SIGNALLING[..1]),
        names("", &PRIVILEGED[1..]),
    ]
    .concat();
    let mut world = check("files", None, expected);
    assert!(world.victim_lives(), "the process outside lives");
}

/// Nothing outside changed, and nobody was reached or killed.
fn unharmed(mut world: World) {
    assert!(world.outside_is_untouched(), "files outside changed");
    assert!(!world.was_reached(), "a server outside was reached");
    assert!(world.victim_lives(), "the process outside was killed");
}

/// In a process of its own: enters in a wrong way and prints why that failed.
fn enter(how: &str) -> ExitCode {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let code = Policy::code_under_test(scratch.path());
    let outcome = match how {
        "second-thread" => {
            let (_keep, wait) = std::sync::mpsc::channel::<()>();
            std::thread::spawn(move || wait.recv());
            sandbox::enter(&code)
        }
        "missing-directory" => sandbox::enter(&code.writable("/no/such/directory")),
        other => panic!("no way `{other}` to enter"),
    };
    println!("{}", outcome.map_or_else(|error| error.to_string(), |c| format!("entered: {c}")));
    ExitCode::SUCCESS
}

fn check_enter(how: &str, expected: &str) {
    let this = std::env::current_exe().expect("this program");
    let output = std::process::Command::new(this).args(["enter", how]).output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{output:?}");
}

fn entering_with_a_second_thread_fails() {
    check_enter(
        "second-thread",
        "the sandbox must be entered by the only thread of a process, but there are 2",
    );
}

fn entering_with_a_missing_directory_fails() {
    check_enter("missing-directory", "cannot open writable directory `/no/such/directory`");
}

/// In a process of its own: becomes another program by policy; prints only if that failed.
fn exec(arguments: &[String]) -> ExitCode {
    let to = Addresses::from_arguments(&arguments[1..5]);
    let policy = policy(&arguments[0], &to.scratch).expect("a policy to run a program by");
    println!("{}", sandbox::exec(&policy, OsStr::new(&arguments[5]), &arguments[6..]));
    ExitCode::FAILURE
}

fn exec_needs_a_policy_that_allows_it() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let policy = Policy::code_under_test(scratch.path()).signals(Permission::Allow);
    let error = sandbox::exec(&policy, OsStr::new("true"), [""; 0]);
    assert!(matches!(error, SandboxError::ExecDenied { .. }), "{error}");
}

fn exec_of_a_missing_program_fails() {
    let world = World::new(None);
    let output = world.run(&["exec", "files"], &["/no/such/program"]);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout).trim(),
        "cannot run `/no/such/program`",
        "{output:?}"
    );
}

fn support_agrees_with_what_can_be_entered() {
    let support = sandbox::support();
    let world = World::new(None);
    for (policy, supported) in
        [("code", support.confines_code_under_test()), ("files", support.confines_tools())]
    {
        let entered = world.run(&["attempt", policy], &[]).status.success();
        assert_eq!(entered, supported, "{policy}: {support:?}");
    }
    let output = world.run(&["attempt", "code"], &[]);
    let private = String::from_utf8_lossy(&output.stdout).starts_with("network private loopback");
    assert_eq!(private, support.network_namespace.is_available(), "{support:?}");
}
