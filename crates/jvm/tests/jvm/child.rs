//! Inside the process of one case: a JVM set up as a worker does it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jvm::{Blackbox, Executor, Jvm, NativeMethod, Options};
use model::{
    CallEnd, ClassName, Literal, MethodDescriptor, Observation, Operation, OperationKind, Slot,
    TestCase, Type,
};
use toolchain::Jdk;

use crate::Case;
use crate::hooks::Rewriter;

/// The JVM a case works with, and a folder of its own.
pub struct Child {
    pub jvm: Jvm,
    pub jdk: Jdk,
    /// Where the fixtures are.
    pub classes: PathBuf,
    pub temp: PathBuf,
}

/// Room for the probes of the fixtures.
pub const MAP_SIZE: u32 = 4096;

/// Starts the JVM and runs the case. Files can be written below `temp` only: processes and sockets, in
/// `temp` as well, are what cases are about.
pub fn run(case: Case, home: &Path, classes: &Path, temp: &Path) {
    sandbox::enter(&sandbox::Policy::files_only([temp])).expect("the sandbox can be entered");
    let jdk = Jdk::at(home).expect("the JDK that was found");
    let mut args = vec![
        "-Xcheck:jni".to_owned(),
        "-Xmx256m".to_owned(),
        "-XX:TieredStopAtLevel=1".to_owned(),
        "-XX:-UsePerfData".to_owned(),
        format!("-Djava.class.path={}", classes.display()),
        format!("-Djava.io.tmpdir={}", temp.display()),
        format!("-Duser.home={}", temp.display()),
        format!("-Dtesthound.map={MAP_SIZE}"),
    ];
    let (unknown, further): (Vec<&str>, Vec<&str>) =
        case.1.iter().partition(|arg| arg.starts_with("unknown "));
    args.extend(further.into_iter().map(str::to_owned));
    if jdk.version.feature >= 22 {
        args.push("--enable-native-access=ALL-UNNAMED".to_owned());
    }
    let unknown_natives = unknown.into_iter().map(native).collect();
    let options = Options { libjvm: jdk.libjvm.clone(), args, unknown_natives };
    let jvm = Jvm::create(&options).expect("the JVM starts");
    jvm.define_boot_classes(runtime::boot_classes()).expect("the boot classes are good");
    jvm::set_known_class_path(&[classes.to_owned()]);
    assert!(jvm::set_class_hook(Box::new(Rewriter)), "the hook can be set");
    case.2(&Child { jvm, jdk, classes: classes.to_owned(), temp: temp.to_owned() });
}

/// A native method from `unknown CLASS METHOD DESCRIPTOR`.
fn native(text: &str) -> NativeMethod {
    let [_, class, method, descriptor] = text.split(' ').collect::<Vec<_>>()[..] else {
        panic!("{text}")
    };
    NativeMethod {
        class: class.to_owned(),
        method: method.to_owned(),
        descriptor: descriptor.to_owned(),
    }
}

impl Child {
    /// An executor for the current thread.
    pub fn executor(&self) -> Executor<'_> {
        self.executor_and_box().0
    }

    /// An executor and its black box.
    pub fn executor_and_box(&self) -> (Executor<'_>, Arc<Blackbox>) {
        let blackbox = Blackbox::create(&self.temp.join("blackbox")).expect("a file in a folder");
        let blackbox = Arc::new(blackbox);
        let executor = Executor::new(&self.jvm, blackbox.clone()).expect("the JVM is up");
        (executor, blackbox)
    }

    /// A path in the case's folder.
    pub fn path(&self, name: &str) -> String {
        self.temp.join(name).to_str().expect("a path in UTF-8").to_owned()
    }
}

/// An operation of a fixture: `method` by descriptor, or field by type.
fn operation(kind: OperationKind, owner: &str, name: &str, descriptor: &str) -> Arc<Operation> {
    let owner = ClassName::internal(&format!("fixture/{owner}"));
    let this = Type::Class(owner.clone());
    let is_field = matches!(kind, OperationKind::StaticField | OperationKind::InstanceField);
    let (mut params, mut result) = if is_field {
        (Vec::new(), Some(Type::parse(descriptor).expect("a descriptor")))
    } else {
        let parsed = MethodDescriptor::parse(descriptor).expect("a descriptor");
        (parsed.params, parsed.result)
    };
    if matches!(kind, OperationKind::InstanceMethod | OperationKind::InstanceField) {
        params.insert(0, this.clone());
    }
    if kind == OperationKind::Constructor {
        result = Some(this);
    }
    Arc::new(Operation { kind, owner, name: name.into(), params, result, implementation: None })
}

/// `fixture.Owner.name`, a static method.
pub fn static_method(owner: &str, name: &str, descriptor: &str) -> Arc<Operation> {
    operation(OperationKind::StaticMethod, owner, name, descriptor)
}

/// A method of objects of `fixture.Owner`.
pub fn method(owner: &str, name: &str, descriptor: &str) -> Arc<Operation> {
    operation(OperationKind::InstanceMethod, owner, name, descriptor)
}

/// A constructor of `fixture.Owner`.
pub fn constructor(owner: &str, descriptor: &str) -> Arc<Operation> {
    operation(OperationKind::Constructor, owner, "<init>", descriptor)
}

/// A static field of `fixture.Owner`.
pub fn static_field(owner: &str, name: &str, ty: &str) -> Arc<Operation> {
    operation(OperationKind::StaticField, owner, name, ty)
}

/// A field of objects of `fixture.Owner`.
pub fn field(owner: &str, name: &str, ty: &str) -> Arc<Operation> {
    operation(OperationKind::InstanceField, owner, name, ty)
}

/// Runs all calls of a case that must return; it stays open.
pub fn run_case(executor: &mut Executor<'_>, case: &TestCase) {
    let (last, before) = case.calls.split_last().expect("a call to make");
    executor.begin(&case.slots).expect("the slots can be filled");
    for call in before {
        assert_eq!(executor.call(call), CallEnd::Returned, "{}", call.op);
    }
    let end = executor.call(last);
    assert_eq!(end, CallEnd::Returned, "{}: {:?}", last.op, executor.thrown());
}

/// Runs a case whose last call does not return; it stays open.
pub fn run_to_end(executor: &mut Executor<'_>, case: &TestCase) -> CallEnd {
    let (last, before) = case.calls.split_last().expect("a call to make");
    executor.begin(&case.slots).expect("the slots can be filled");
    for call in before {
        assert_eq!(executor.call(call), CallEnd::Returned, "{}", call.op);
    }
    executor.call(last)
}

/// Calls a static method with literals; what it returned, observed.
pub fn call(
    executor: &mut Executor<'_>,
    op: &Arc<Operation>,
    args: &[(Type, Literal)],
) -> Observation {
    let mut case = TestCase::default();
    let slots: Vec<Slot> = args.iter().map(|(ty, l)| case.literal(ty.clone(), l.clone())).collect();
    let result = case.call(op, &slots);
    run_case(executor, &case);
    let observed = result.map_or(Observation::Nothing, |slot| executor.observe(slot));
    executor.end();
    observed
}

/// The observation of a plain value.
pub fn plain(value: Literal) -> Observation {
    Observation::Value { value, boxed: false }
}

/// The observation of a boxed value.
pub fn boxed(value: Literal) -> Observation {
    Observation::Value { value, boxed: true }
}

/// The observation of a string.
pub fn text(text: &str) -> Observation {
    plain(Literal::String(text.into()))
}
