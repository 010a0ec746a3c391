//! Damaged classes have mutants or have none; nothing panics.

use classfile::ClassFile;
use mutants::{Operators, apply_to, mutants};

use crate::damage::damage;
use crate::fixture::classes;
use crate::numbers::Numbers;

#[test]
fn damaged_classes_never_make_mutating_panic() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut written, mut refused) = (0_u32, 0_u32);
    for (name, bytes) in classes() {
        for round in 0..400 {
            let mut damaged = bytes.clone();
            damage(&mut damaged, &mut numbers);
            let Ok(class) = ClassFile::parse(&damaged) else { continue };
            let outcome = std::panic::catch_unwind(|| {
                let Ok(found) = mutants(&class, Operators::all()) else { return (0, 1) };
                let made = found.iter().step_by(7).map(|mutant| apply_to(&class, mutant).is_ok());
                let made: Vec<bool> = made.collect();
                let good = made.iter().filter(|good| **good).count() as u32;
                (good, made.len() as u32 - good)
            });
            let Ok((good, bad)) = outcome else { panic!("round {round} of {name} panicked") };
            written += good;
            refused += bad;
        }
    }
    assert!(written > 2_000 && refused > 0, "{written} written, {refused} refused");
}
