//! Loaded classes get other bodies, and what rewritten ones count is read from outside.

use jvm::{LoadedClass, Meter, Service};
use model::{Literal, Type};

use crate::Case;
use crate::child::{Child, MAP_SIZE, call, static_method, text};

pub const CASES: &[Case] = &[
    ("loaded_classes_get_other_bodies_in_place", &[], redefined),
    ("what_is_counted_is_read_from_outside", &[], metered),
];

/// `iload_0 iload_1 iadd ireturn`, with which `join` adds.
const ADDS: [u8; 4] = [0x1a, 0x1b, 0x60, 0xac];
const ISUB: u8 = 0x64;

fn redefined(child: &Child) {
    let service = Service::find(&child.jvm, "fixture/Redefined").expect("it is on the class path");
    let class_of = |name: &str| LoadedClass::of(&service, "type", name).expect("it answers");
    assert!(class_of("fixture.Absent").is_none());
    let class = class_of("fixture.Redefined").expect("it is there");
    let original = std::fs::read(child.classes.join("fixture/Redefined.class")).expect("its file");
    let at = original.windows(4).position(|four| four == ADDS).expect("javac adds like that");
    let mut mutated = original.clone();
    mutated[at + 2] = ISUB;
    let answer = service.number("answer").expect("it is there");
    let asked = service.number("asked").expect("it is there");
    let ask = || answer.call().expect("a number");
    assert_eq!(ask(), 42);
    class.redefine(&mutated).expect("only a body is another one");
    assert_eq!(ask(), 38);
    // Static fields stay as they are: one was counted up, then down.
    assert_eq!(asked.call().expect("a number"), 0);
    class.redefine(&original).expect("as it was");
    assert_eq!(ask(), 42);
    let error = class.redefine(&original[..20]).expect_err("half a class").to_string();
    assert!(error.starts_with("JVMTI RedefineClasses failed with error"), "{error}");
    assert_eq!(ask(), 42);
}

fn metered(child: &Child) {
    let meter = Meter::new(&child.jvm).expect("the boot classes are there");
    let mut hits = vec![0; MAP_SIZE as usize];
    meter.clear_coverage(hits.len());
    let mut executor = child.executor();
    let side = static_method("Endless", "side", "(I)Ljava/lang/String;");
    let observed = call(&mut executor, &side, &[(Type::INT, Literal::Int(-1))]);
    assert_eq!(observed, text("left"));
    meter.read_coverage(&mut hits);
    assert!(hits.contains(&1), "what was called has probes");
    meter.clear_coverage(hits.len());
    meter.read_coverage(&mut hits);
    assert_eq!(hits, vec![0; MAP_SIZE as usize]);
    meter.begin(100);
    let count = meter.end(100);
    assert_eq!((count.steps, count.is_stopped, count.has_exited), (0, false, false));
}
