//! Reads and writes every class of jars, jmods and class directories: bytes must not change.
//!
//! `cargo run --release -p classfile --example roundtrip -- FILE_OR_DIRECTORY...`
//! Prints counts and every class that differs; ends with 1 if there was one.

#[path = "../tests/sources/mod.rs"]
mod sources;
#[path = "../tests/unchanged/mod.rs"]
mod unchanged;

use std::process::ExitCode;
use std::time::Instant;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program")]
fn main() -> ExitCode {
    let (mut classes, mut methods, mut bytes, mut wrong) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut spent = std::time::Duration::ZERO;
    for path in std::env::args_os().skip(1) {
        let visited = sources::for_each_class(path.as_ref(), &mut |name, class| {
            let start = Instant::now();
            let outcome = unchanged::round_trip(class);
            spent += start.elapsed();
            classes += 1;
            bytes += class.len() as u64;
            match outcome {
                Ok(count) => methods += count,
                Err(reason) => {
                    wrong += 1;
                    println!("{name}: {reason}");
                }
            }
        });
        if let Err(error) = visited {
            eprintln!("{}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    let speed = bytes as f64 / 1e6 / spent.as_secs_f64();
    println!("{classes} classes, {methods} methods, {bytes} bytes, {wrong} wrong, {speed:.0} MB/s");
    if wrong == 0 && classes > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
