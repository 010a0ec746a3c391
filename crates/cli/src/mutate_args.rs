//! The command line of `mutate`, as typed.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::args::MachineOptions;

const EXAMPLES: &str = "\
A mutant is a copy of a class with one small fault: `<` where `<=` was, a call left out, `null`
returned. A test that fails on it kills it. A mutant that survives shows what no test looks at.

Examples:
  testhound mutate --project .
      Build the Maven project here and score its own tests
  testhound mutate --project . --class org.example.Account --all-kills
      Only the mutants of one class, with every test that kills each of them
  testhound mutate --classpath target/classes --test-classpath target/test-classes \\
          --dependencies 'lib/*' --source src/main/java
      The same without Maven: compiled classes, compiled tests, the jars that both need

Exit codes: 0 done, whatever the score; 1 the score is below --min-score; 2 bad input; 3 a JDK, Maven,
JUnit or the sandbox is missing; 4 standard output cannot be written; 70 a defect of Testhound; 130
interrupted, what was found is told.";

const MUTATED: &str = "What is mutated";
const TESTS: &str = "Tests";
const TOLD: &str = "What is told";
const HOW: &str = "How it is run";

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("input").required(true).args(["project", "classpath"]))]
#[command(after_help = EXAMPLES)]
pub(crate) struct MutateOptions {
    /// A Maven project, which is built; its classes are mutated, its tests judge
    #[arg(long, value_name = "DIR", help_heading = MUTATED)]
    pub(crate) project: Option<PathBuf>,
    /// Folders and jars of the compiled classes to mutate, separated by `:`
    #[arg(long, value_name = "PATH", requires = "test_classpath", help_heading = MUTATED)]
    pub(crate) classpath: Option<String>,
    /// Only this class (`org.example.Foo`), with those nested in it; can be repeated [default: all
    /// classes]
    #[arg(long = "class", value_name = "NAME", help_heading = MUTATED)]
    pub(crate) classes: Vec<String>,
    /// Only this package, without those below it (`org.example`) or with them (`org.example.*`); can
    /// be repeated
    #[arg(long = "package", value_name = "NAME", help_heading = MUTATED)]
    pub(crate) packages: Vec<String>,
    /// Classes to leave as they are, by name or with `*` for any text (`*.internal.*`); can be repeated
    #[arg(long, value_name = "PATTERN", help_heading = MUTATED)]
    pub(crate) exclude: Vec<String>,
    /// The kinds of faults, separated by commas: `default` (those that PIT makes by default), `paper`
    /// (replace operator, replace constant, negate decision, delete statement), `all`, or names such as
    /// `MATH`
    #[arg(long, value_name = "NAMES", default_value = "default", help_heading = MUTATED)]
    pub(crate) operators: String,
    /// Folders and jars of compiled tests for JUnit 3, 4 or 5, separated by `:`
    #[arg(long, value_name = "PATH", conflicts_with = "project", help_heading = TESTS)]
    pub(crate) test_classpath: Option<String>,
    /// Folders and jars that classes and tests need, separated by `:`; `lib/*` stands for the jars in
    /// `lib`
    #[arg(long, value_name = "PATH", conflicts_with = "project", help_heading = TESTS)]
    pub(crate) dependencies: Option<String>,
    /// Only the tests of this class; can be repeated [default: all tests]
    #[arg(long = "test-class", value_name = "NAME", help_heading = TESTS)]
    pub(crate) test_classes: Vec<String>,
    /// Find all tests that kill a mutant, not only the first
    #[arg(long, help_heading = TESTS)]
    pub(crate) all_kills: bool,
    /// A test that takes so many times what it takes without a mutant counts as not ending
    #[arg(long, value_name = "FACTOR", default_value_t = 5,
        value_parser = clap::value_parser!(u32).range(2..=1000), help_heading = TESTS)]
    pub(crate) timeout_factor: u32,
    /// Sources of the classes, for the lines that are shown; can be repeated [default for a Maven
    /// project: its own]
    #[arg(long, value_name = "DIR", help_heading = TOLD)]
    pub(crate) source: Vec<PathBuf>,
    /// End with status 1 if fewer of 100 mutants are killed
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100),
        help_heading = TOLD)]
    pub(crate) min_score: Option<u32>,
    /// Print one JSON object, with all mutants, instead of a summary
    #[arg(long, help_heading = TOLD)]
    pub(crate) json: bool,
    /// Processes that judge mutants at a time [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256),
        help_heading = HOW)]
    pub(crate) jobs: Option<u16>,
    #[command(flatten, next_help_heading = HOW)]
    pub(crate) machine: MachineOptions,
}
