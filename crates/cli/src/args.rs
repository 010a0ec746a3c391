//! The command line, as typed.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use contracts::weave::{Arithmetic, Options};
use search::{Component, Noise};

use crate::canon_args::CanonOptions;
use crate::check_args::{CheckOptions, EnclosedOptions};
use crate::compare_args::CompareOptions;
use crate::mutate_args::MutateOptions;
use crate::space_args::SpaceOptions;
use crate::study_args::StudyOptions;

/// Writes unit tests for Java: point it at compiled classes, get JUnit source that compiles and
/// passes.
#[derive(Debug, Parser)]
#[command(name = "testhound", version, max_term_width = 100, after_help = TO_BEGIN)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const TO_BEGIN: &str = "\
To begin:
  testhound demo                               see it work, on a project of its own
  testhound doctor                             see whether anything is missing here
  testhound generate --project DIR             write tests for a Maven or Gradle project
  testhound generate --classpath DIR --out OUT write tests for the classes in DIR";

const EXAMPLES: &str = "\
Examples:
  testhound generate --project .
      Build the Maven project here, write tests for all its classes to src/test/java
  testhound generate --classpath target/classes --dependencies 'lib/*' --out tests
      The same without Maven: classes in a folder, the jars they need in another
  testhound generate --project . --dependencies 'lib/*'
      Read the Gradle build here, once `./gradlew testClasses` has built it
  testhound generate --source src --keep fail
      Compile sources with contracts in JML, write tests that show which contracts are broken
  testhound generate --project . --class org.example.Account --keep fail
      Only tests that fail: what is wrong in one class

Exit codes: 0 done; 1 done, and failures were found in the code; 2 bad input; 3 a JDK, JUnit, Maven
or the sandbox is missing; 4 the output cannot be written; 70 a defect of Testhound; 130
interrupted, what was found is written.";

const CONFINED_EXAMPLE: &str = "\
Example, tests of a Maven project that cannot write anywhere else:
  mkdir -p target/tmp
  JAVA_TOOL_OPTIONS=-Djava.io.tmpdir=$PWD/target/tmp \\
      testhound confined --write . --write ~/.m2 -- mvn test
Tests with mocks need `--write /tmp` too: Mockito attaches an agent to its own JVM.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a test suite for the classes of a Maven or Gradle project or of a class path
    Generate(Box<GenerateOptions>),
    /// Run a program or its tests and say which contracts of its sources are broken
    Check(Box<CheckOptions>),
    /// Say what two versions of the same classes do otherwise
    Compare(Box<CompareOptions>),
    /// Score a suite: how many small faults put into the code its tests notice
    Mutate(Box<MutateOptions>),
    /// Convert existing JUnit tests to straight lines of calls (canonical forms)
    Canon(Box<CanonOptions>),
    /// Show what Testhound does, on a small project that comes with it; needs only a JDK
    Demo(DemoOptions),
    /// Say what was found on this machine and what is missing
    Doctor(DoctorOptions),
    /// Show which tests of a length there are for a class, how they are numbered, how many would fail
    Space(Box<SpaceOptions>),
    /// Run an experiment on real libraries and print its table
    Study(StudyOptions),
    /// Run a program, such as `mvn test`, that can write only below the given folders
    Confined(ConfinedOptions),
    /// Become a program that is confined as code under test is
    #[command(hide = true)]
    Enclosed(EnclosedOptions),
    /// Serve a supervisor
    #[command(hide = true)]
    Worker,
}

// The headings of the manual.
const TESTED: &str = "What is tested";
const CONTRACTS: &str = "Contracts";
const STRATEGY: &str = "How tests are looked for";
const BUDGET: &str = "How long";
const RUN: &str = "How it is run";
const WRITTEN: &str = "What is written";

/// Which tests are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Keep {
    /// Tests that pass: a regression suite
    Pass,
    /// Tests that fail: what is wrong in the code
    Fail,
    /// Both, in files of their own
    Both,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("input").required(true).multiple(true)
    .args(["project", "classpath", "source"]))]
#[command(after_help = EXAMPLES)]
pub(crate) struct GenerateOptions {
    /// Folders and jars of compiled classes to write tests for, separated by `:`; `lib/*` stands for
    /// the jars in `lib`
    #[arg(long, value_name = "PATH", help_heading = TESTED)]
    pub(crate) classpath: Option<String>,
    /// Folders and jars that those, or the classes of a Gradle build, need, separated by `:`; they
    /// get no tests
    #[arg(long, value_name = "PATH", help_heading = TESTED)]
    pub(crate) dependencies: Option<String>,
    /// A Maven project, which is built, or a Gradle build, which must have been (with the jars it
    /// needs in --dependencies); tests go to its test folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["classpath", "source"],
        help_heading = TESTED)]
    pub(crate) project: Option<PathBuf>,
    /// Java sources, compiled if no --classpath has their classes; contracts in JML are checked while
    /// tests are looked for: calls that break a precondition are left out, other violations are
    /// failures; can be repeated
    #[arg(long, value_name = "DIR", help_heading = TESTED)]
    pub(crate) source: Vec<PathBuf>,
    #[command(flatten, next_help_heading = CONTRACTS)]
    pub(crate) contracts: ContractOptions,
    #[command(flatten, next_help_heading = STRATEGY)]
    pub(crate) strategy: StrategyOptions,
    /// Only this class (`org.example.Foo`, `org.example.Foo.Bar` for a nested one); can be repeated
    /// [default: all classes]
    #[arg(long = "class", value_name = "NAME", help_heading = TESTED)]
    pub(crate) classes: Vec<String>,
    /// Only this package, without those below it (`org.example`) or with them (`org.example.*`); can
    /// be repeated
    #[arg(long = "package", value_name = "NAME", help_heading = TESTED)]
    pub(crate) packages: Vec<String>,
    /// Classes to leave out, by name or with `*` for any text (`*.internal.*`); can be repeated
    #[arg(long, value_name = "PATTERN", help_heading = TESTED)]
    pub(crate) exclude: Vec<String>,
    /// Seconds of search for all classes together
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds, help_heading = BUDGET)]
    pub(crate) time: Option<f64>,
    /// Seconds of search for each class [default: 5, if neither --time nor --steps is given]; with
    /// --time, the most that a class gets
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds, help_heading = BUDGET)]
    pub(crate) time_per_class: Option<f64>,
    /// Calls to make for each class, instead of a time: the same seed and steps give the same tests
    #[arg(long, value_name = "CALLS", conflicts_with_all = ["time", "time_per_class"],
        allow_negative_numbers = true, value_parser = calls, help_heading = BUDGET)]
    pub(crate) steps: Option<u64>,
    /// A component of the guided search to do without: constants, impurity, elephant, detective,
    /// orienteering, bloodhound, frontier, trail, files or mocks; can be repeated
    #[arg(long, value_name = "COMPONENT", value_parser = component, help_heading = RUN)]
    pub(crate) without: Vec<Component>,
    /// Where random numbers start: another number, other tests
    #[arg(long, value_name = "NUMBER", default_value_t = 1, allow_negative_numbers = true,
        help_heading = RUN)]
    pub(crate) seed: u64,
    /// Classes worked on at a time [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256),
        help_heading = BUDGET)]
    pub(crate) jobs: Option<u16>,
    /// The JUnit to write for, 4 or 5 [default: what the project has, else 5]
    #[arg(long, value_name = "VERSION", value_parser = clap::value_parser!(u8).range(4..=5),
        help_heading = WRITTEN)]
    pub(crate) junit: Option<u8>,
    /// JUnit's jars, separated by `:` [default: found on the class path or by Maven]
    #[arg(long, value_name = "PATH", help_heading = WRITTEN)]
    pub(crate) junit_jars: Option<String>,
    /// Folders and jars that only tests need, such as Mockito's, separated by `:` [default for a Maven
    /// project: what it has]
    #[arg(long, value_name = "PATH", help_heading = WRITTEN)]
    pub(crate) test_dependencies: Option<String>,
    /// Which tests to write
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Keep::Pass,
        help_heading = WRITTEN)]
    pub(crate) keep: Keep,
    /// An exception class (`java.io.IOException`) that shows a failure of the code wherever it comes
    /// from, and those that extend it; can be repeated
    #[arg(long = "failure-exception", value_name = "CLASS", help_heading = WRITTEN)]
    pub(crate) failure_exceptions: Vec<String>,
    /// An exception class that says that the input was not valid, and those that extend it: calls that
    /// throw one are in no test; can be repeated
    #[arg(long = "invalid-exception", value_name = "CLASS", help_heading = WRITTEN)]
    pub(crate) invalid_exceptions: Vec<String>,
    /// An exception class that is never a failure, and those that extend it; can be repeated
    #[arg(long = "expected-exception", value_name = "CLASS", help_heading = WRITTEN)]
    pub(crate) expected_exceptions: Vec<String>,
    /// A kind of failure to report that is otherwise only counted: `deprecated` methods, `internal`
    /// packages, `self-containing` objects, `memory`, `unset` fields; can be repeated
    #[arg(long = "with-noise", value_name = "KIND", value_parser = noise, help_heading = WRITTEN)]
    pub(crate) noise: Vec<Noise>,
    /// The folder that gets `package/folders/ClassTest.java` [default: the project's test folder,
    /// else `testhound-tests`]
    #[arg(long, value_name = "DIR", help_heading = WRITTEN)]
    pub(crate) out: Option<PathBuf>,
    /// What the names of test classes end with
    #[arg(long, value_name = "TEXT", default_value = "Test", value_parser = suffix,
        help_heading = WRITTEN)]
    pub(crate) suffix: String,
    /// Overwrite test files that exist; without it, their classes are left out
    #[arg(long, help_heading = WRITTEN)]
    pub(crate) force: bool,
    /// Print one JSON object instead of a summary
    #[arg(long, help_heading = WRITTEN)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = RUN)]
    pub(crate) machine: MachineOptions,
}

/// How contracts are read and checked.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ContractOptions {
    /// Check no contracts, though the sources have some
    #[arg(long)]
    pub(crate) no_contracts: bool,
    /// References may be `null` where a contract does not say `non_null`
    #[arg(long)]
    pub(crate) nullable_by_default: bool,
    /// Numbers in contracts overflow as they do in Java
    #[arg(long)]
    pub(crate) java_arithmetic: bool,
    /// A key of conditional contracts (`//+KEY@`) to read; can be repeated
    #[arg(long = "jml-key", value_name = "KEY")]
    pub(crate) jml_keys: Vec<String>,
}

impl ContractOptions {
    /// How contracts are woven.
    pub(crate) fn weaving(&self) -> Options {
        let arithmetic =
            if self.java_arithmetic { Arithmetic::Java } else { Arithmetic::Mathematical };
        Options { non_null_by_default: !self.nullable_by_default, arithmetic, values: false }
    }
}

/// A strategy.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, ValueEnum)]
pub(crate) enum StrategyName {
    /// Feedback-directed random search, guided by analyses of the code
    #[default]
    Guided,
    /// Each method on its own, all calls of a test decided at once
    Pure,
    /// The same, with objects that worked reused
    Pooled,
    /// The same, with each call checked before the next one is decided
    Incremental,
    /// All tests of a length, depth first
    Exhaustive,
    /// Tests of a length, drawn at random
    Random,
    /// All tests of a length, each once, in an order that looks random
    Bobw,
}

/// What is tried in place of an infeasible call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum RetryWith {
    /// Another method
    Method,
    /// The same method with other arguments
    Arguments,
}

/// How tests are looked for.
#[derive(Clone, Debug, Args)]
pub(crate) struct StrategyOptions {
    /// The strategy; --length to --naive are for `exhaustive`, `random` and `bobw`, the options below
    /// those for `pure`, `pooled` and `incremental`
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    pub(crate) strategy: StrategyName,
    /// How many calls a test has [default: 10]
    #[arg(long, value_name = "CALLS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) length: Option<u32>,
    /// After how many tests of each class the search ends [default: when the budget is spent, or all
    /// tests were run]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tests: Option<u64>,
    /// What is called, on which values: a file, as for `space` [default: all methods of the class, two
    /// values of primitive types, one object per class]
    #[arg(long, value_name = "FILE")]
    pub(crate) context: Option<PathBuf>,
    /// Where in the order of tests to begin, from 0: where an earlier run with the same seed ended
    #[arg(long, value_name = "INDEX")]
    pub(crate) from: Option<space::BigUint>,
    /// The part of the order to run: `2/8` for the second of eight
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<space::Shard>,
    /// Run every test from its start, though it begins as the one before (exhaustive)
    #[arg(long)]
    pub(crate) naive: bool,
    /// Folders and jars of compiled JUnit tests, separated by `:`: what they call is where each search
    /// begins
    #[arg(long, value_name = "PATH")]
    pub(crate) seed_tests: Option<String>,
    /// Test cases to attempt for each class: the search ends with the last one [default: as many as the
    /// budget allows]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) attempts: Option<u64>,
    /// The same for one class (`org.example.Foo=700`); can be repeated
    #[arg(long, value_name = "CLASS=NUMBER", value_parser = attempts_of, hide = true)]
    pub(crate) attempts_of: Vec<(String, u64)>,
    /// Test only what classes declare themselves
    #[arg(long, hide = true)]
    pub(crate) declared: bool,
    /// Write no tests: make the same search so often, and count what became of the attempts
    #[arg(long, value_name = "TIMES", default_value_t = 0, hide = true)]
    pub(crate) search_only: u32,
    /// How often an infeasible call is taken back for another one (incremental)
    /// [default: 10]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) tries: Option<u32>,
    /// What the other one is (incremental)
    /// [default: arguments]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(crate) retry: Option<RetryWith>,
    /// Objects of a class that are kept to be reused [default: 200]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pool_size: Option<u32>,
    /// Reuse no objects
    #[arg(long, conflicts_with = "pool_size")]
    pub(crate) no_pool: bool,
    /// Do not look whether a test case is equivalent to an earlier one
    #[arg(long)]
    pub(crate) no_redundancy_check: bool,
}

/// What is used of the machine.
#[derive(Clone, Debug, Args)]
pub(crate) struct MachineOptions {
    /// Home of the JDK to use [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Run code under test without confinement: it can delete files, start programs, use the network
    #[arg(long)]
    pub(crate) no_sandbox: bool,
    /// A further argument for the JVMs that run code under test; can be repeated
    #[arg(long = "jvm-arg", value_name = "ARG", allow_hyphen_values = true, hide = true)]
    pub(crate) jvm_args: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DemoOptions {
    /// Keep the demo project, with its new tests, in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object instead of a summary
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorOptions {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Home of the JDK to check [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = CONFINED_EXAMPLE)]
pub(crate) struct ConfinedOptions {
    /// A folder that may be written to, with all below it; can be repeated
    #[arg(long = "write", value_name = "DIR")]
    pub(crate) write: Vec<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<std::ffi::OsString>,
}

/// Seconds of a budget.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1e7 => Ok(value),
        _ => Err("a number of seconds greater than 0 is needed".to_owned()),
    }
}

/// Calls of a budget.
fn calls(text: &str) -> Result<u64, String> {
    match text.parse::<u64>() {
        Ok(value) if value > 0 => Ok(value),
        _ => Err("a number of calls, 1 or more, is needed (20000 take a few seconds)".to_owned()),
    }
}

fn attempts_of(text: &str) -> Result<(String, u64), String> {
    let parts = text.split_once('=').map(|(class, count)| (class.to_owned(), count.parse()));
    match parts {
        Some((class, Ok(count))) if count > 0 => Ok((class, count)),
        _ => {
            Err("a class and a number of attempts, 1 or more, are needed: CLASS=NUMBER".to_owned())
        }
    }
}

fn suffix(text: &str) -> Result<String, String> {
    let valid = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if valid { Ok(text.to_owned()) } else { Err("letters, digits and `_` only".to_owned()) }
}

fn component(name: &str) -> Result<Component, String> {
    Component::of_name(name).ok_or_else(|| {
        let names: Vec<&str> = Component::ALL.into_iter().map(Component::name).collect();
        format!("there is no such component; there are {}", names.join(", "))
    })
}

fn noise(name: &str) -> Result<Noise, String> {
    Noise::of_name(name).ok_or_else(|| {
        let names: Vec<&str> = Noise::ALL.into_iter().map(Noise::name).collect();
        format!("there is no such kind; there are {}", names.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn a_budget_is_time_or_steps() {
        let parse = |args: &[&str]| {
            let start = ["testhound", "generate", "--classpath", "x"];
            Arguments::try_parse_from(start.iter().chain(args)).is_ok()
        };
        assert!(parse(&["--time-per-class", "2"]));
        assert!(!parse(&["--time-per-class", "0"]));
        assert!(!parse(&["--time-per-class", "2", "--steps", "5"]));
        assert!(!parse(&["--time", "2", "--steps", "5"]));
        assert!(parse(&["--steps", "1"]));
        assert!(!parse(&["--steps", "0"]));
        assert!(!parse(&["--steps", "-1"]));
        assert!(!parse(&["--junit", "3"]));
        assert!(!parse(&["--suffix", "../x"]));
    }
}
