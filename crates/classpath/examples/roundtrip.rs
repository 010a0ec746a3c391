//! Reads and writes every class of jars, jmods, class directories and JDKs: bytes must not change.
//!
//! `cargo run --release -p classpath --example roundtrip -- [--jdk HOME] FILE_OR_DIRECTORY...`
//! Of a JDK, the classes are those of its run-time image, which every JDK has. It stands in this crate
//! and not in `classfile`, whose job it tests, because that knows no images. Prints counts and every class that differs; ends with 1 if there was one.

#[path = "../../classfile/tests/sources/mod.rs"]
mod sources;
#[path = "../../classfile/tests/unchanged/mod.rs"]
mod unchanged;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use classpath::JdkImage;

/// Visits every class of a JDK's run-time image.
fn of_jdk(home: &Path, visit: &mut dyn FnMut(&str, &[u8])) -> Result<(), String> {
    let image = JdkImage::open(home).map_err(|error| error.to_string())?;
    image.for_each_class(visit).map_err(|error| error.to_string())
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command line program")]
fn main() -> ExitCode {
    let (mut classes, mut methods, mut bytes, mut wrong) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut spent = std::time::Duration::ZERO;
    let mut arguments = std::env::args_os().skip(1);
    while let Some(path) = arguments.next() {
        let mut visit = |name: &str, class: &[u8]| {
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
        };
        let (path, visited) = if path == "--jdk" {
            let home = arguments.next().unwrap_or_default();
            let visited = of_jdk(home.as_ref(), &mut visit);
            (home, visited)
        } else {
            let visited = sources::for_each_class(path.as_ref(), &mut visit);
            (path, visited.map_err(|error| error.to_string()))
        };
        if let Err(error) = visited {
            eprintln!("{}: {error}", path.display());
            return ExitCode::from(2);
        }
    }
    let speed = bytes as f64 / 1e6 / spent.as_secs_f64();
    println!("{classes} classes, {methods} methods, {bytes} bytes, {wrong} wrong, {speed:.0} MB/s");
    if wrong == 0 && classes > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
