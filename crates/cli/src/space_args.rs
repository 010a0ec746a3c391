//! The command line of `space`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};
use space::BigUint;

const EXAMPLES: &str = "\
Examples:
  testhound space --class org.example.Account --classpath target/classes --length 5
      What tests of five calls there are for a class: the calls, the values, how many tests
  testhound space --class java.util.ArrayList --length 3 --index 123456
      One of them, as Java
  testhound space --context account.toml --classpath target/classes
      The same with methods, pool sizes and values of your own
  testhound space density --calls 45 --failing 3 --best-length
      How long random tests should be to find a failure that takes three calls out of 45

Exit codes: 0 done; 2 bad input; 3 no JDK; 4 the output cannot be written.";

const DENSITY_EXAMPLES: &str = "\
Examples:
  testhound space density --calls 45 --failing 3 --length 100
      Of all tests of 100 calls, how many contain the one sequence of three that fails
  testhound space density --calls 10 --failing 2 --best-length --svg density.svg
      The length at which a call is worth most, and a picture

Exit codes: 0 done; 2 bad input; 4 the output cannot be written.";

/// Show the search space of a class
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(group = ArgGroup::new("of").required(true).multiple(true).args(["class", "context"]))]
#[command(after_help = EXAMPLES)]
pub(crate) struct SpaceOptions {
    #[command(subcommand)]
    pub(crate) command: Option<SpaceCommand>,
    /// The class whose methods are called (`org.example.Foo`, `java.util.ArrayList`)
    #[arg(long, value_name = "NAME")]
    pub(crate) class: Option<String>,
    /// Folders and jars with the class and what it needs, separated by `:`; `lib/*` stands for the
    /// jars in `lib`; classes of the JDK need none
    #[arg(long, value_name = "PATH")]
    pub(crate) classpath: Option<String>,
    /// A test context: methods, pool sizes and initial values, as TOML (the manual has the format)
    /// [default: all methods, two values of primitive types, one object per class]
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,
    /// How many calls a test has
    #[arg(long, value_name = "CALLS", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) length: u32,
    /// Show the test of this number, from 0
    #[arg(long, value_name = "NUMBER")]
    pub(crate) index: Option<BigUint>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Home of the JDK whose classes are seen [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SpaceCommand {
    /// Say how many tests of a length fail, if one sequence of calls does, and which length is best
    Density(DensityOptions),
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["length", "best_length"]))]
#[command(after_help = DENSITY_EXAMPLES)]
pub(crate) struct DensityOptions {
    /// How many distinct calls there are (`testhound space` tells it of a class)
    #[arg(long, value_name = "J", value_parser = clap::value_parser!(u64).range(1..=1 << 62))]
    pub(crate) calls: u64,
    /// How many calls the failing sequence has
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) failing: u64,
    /// How many calls a test has
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) length: Option<u64>,
    /// Take the length at which the density per call is highest
    #[arg(long)]
    pub(crate) best_length: bool,
    /// Draw densities over lengths to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}
