//! Damaged classes are instrumented or refused, never a panic.

use classfile::ClassFile;
use instrument::{Base, Options, place, rewrite};

use crate::damage::damage;
use crate::harness::jdk::{java_base, jdk_homes};
use crate::harness::sources::for_each_class;
use crate::numbers::Numbers;

#[test]
fn damaged_classes_never_make_instrumenting_panic() {
    let home = jdk_homes().pop().expect("these tests need a JDK: set JAVA_HOME");
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = java_base(&home, scratch.path());
    let mut numbers = Numbers(0xD1B5_4A32_D192_ED03);
    let (mut seen, mut written, mut refused, mut skipped) = (0_u32, 0, 0, 0);
    for_each_class(&base, &mut |name, bytes| {
        seen += 1;
        if !seen.is_multiple_of(16) || bytes.len() > 40_000 {
            return;
        }
        for round in 0..20 {
            let mut damaged = bytes.to_vec();
            damage(&mut damaged, &mut numbers);
            let Ok(class) = ClassFile::parse(&damaged) else { continue };
            let outcome = std::panic::catch_unwind(|| {
                let plan =
                    place(&class, &Options { coverage: true, steps: true, comparisons: true })
                        .ok()?;
                Some((
                    rewrite(&class, &plan, Base { probe: 40_000, ..Base::default() }).is_ok(),
                    plan.skipped.len(),
                ))
            });
            match outcome {
                Ok(Some((true, methods))) => {
                    written += 1;
                    skipped += methods;
                }
                Ok(_) => refused += 1,
                Err(_) => panic!("round {round} of {name} panicked"),
            }
        }
    })
    .expect("java.base can be read");
    let counts = format!("{written} written, {refused} refused, {skipped} methods skipped");
    assert!(written > 1_000 && refused > 10 && skipped > 100, "{counts}");
}
