//! The shifted clock.

use jvm::Executor;
use model::{Literal, Observation};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Case;
use crate::child::{Child, call, static_method};

pub const CASES: &[Case] = &[
    (
        "a_shifted_clock_is_seen_everywhere",
        &["-XX:+UnlockDiagnosticVMOptions", "-XX:DisableIntrinsic=_currentTimeMillis,_nanoTime"],
        shifted,
    ),
    ("the_clock_is_right_unless_shifted", &[], unshifted),
];

/// Ways to ask Java for the time.
const CLOCKS: [&str; 3] = ["millis", "instant", "date"];

fn read(executor: &mut Executor<'_>, clock: &str) -> i64 {
    match call(executor, &static_method("Machine", clock, "()J"), &[]) {
        Observation::Value { value: Literal::Long(millis), .. } => millis,
        other => panic!("{other:?}"),
    }
}

/// How far Java's clock is ahead of ours, to the hour.
fn ahead_in_hours(executor: &mut Executor<'_>, clock: &str) -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as i64;
    (read(executor, clock) - now + 1_800_000).div_euclid(3_600_000)
}

fn shifted(child: &Child) {
    let mut executor = child.executor();
    for hours in [0, 401 * 24 + 5, -30 * 24] {
        jvm::shift_clock(&child.jvm, hours * 3_600_000).expect("the clock can be shifted");
        for clock in CLOCKS {
            assert_eq!(ahead_in_hours(&mut executor, clock), hours, "{clock}");
            // As often as it takes to have it compiled.
            for _ in 0..3000 {
                read(&mut executor, clock);
            }
            assert_eq!(ahead_in_hours(&mut executor, clock), hours, "{clock}, compiled");
        }
        for clock in ["millis", "nanos"] {
            let first = read(&mut executor, clock);
            assert!(read(&mut executor, clock) > first, "{clock} differs with every reading");
        }
    }
}

fn unshifted(child: &Child) {
    let mut executor = child.executor();
    for clock in CLOCKS {
        assert_eq!(ahead_in_hours(&mut executor, clock), 0, "{clock}");
    }
}
