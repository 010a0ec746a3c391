//! Prints the mutants of every class of the given jars, a line each: class, method, line, operator, id and
//! description, with tabs between.
//!
//! `cargo run --release -p mutants --example list -- [--operators NAMES] JAR...`

#[path = "../../classfile/tests/sources/mod.rs"]
mod sources;

use std::path::{Path, PathBuf};

use classfile::ClassFile;
use mutants::{Operators, mutants};

#[expect(clippy::print_stdout, reason = "a command line program")]
fn main() {
    let mut operators = Operators::default();
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    while let Some(argument) = arguments.next() {
        if argument == Path::new("--operators") {
            let names = arguments.next().expect("names after --operators");
            operators = names.to_str().expect("text").parse().expect("names of operators");
            continue;
        }
        sources::for_each_class(&argument, &mut |file, bytes| {
            let class = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
            for mutant in mutants(&class, operators).expect("a class has a name") {
                println!(
                    "{}\t{}{}\t{}\t{}\t{}\t{}",
                    mutant.class,
                    mutant.method,
                    mutant.descriptor,
                    mutant.line.unwrap_or(0),
                    mutant.operator,
                    mutant.id,
                    mutant.description
                );
            }
        })
        .expect("the file can be read");
    }
}
