//! The command line of `canon`, as typed.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use crate::args::MachineOptions;

const EXAMPLES: &str = "\
Examples:
  testhound canon org.example.FooTest#pushes --classpath classes --test-classpath test-classes
      Print a JUnit test as a straight line of calls over pools of values
  testhound canon org.example.FooTest --project . --form 1 --form 2 --form 3 --out canonical
      Write all three forms of all tests of a class of a Maven project
  testhound canon --all --classpath foo.jar --test-classpath foo-tests.jar --dependencies 'lib/*'
      Say how many tests of a library can be converted, and why the others cannot

Exit codes: 0 done; 1 a test that was named could not be converted; 2 bad input; 3 a JDK, Maven, JUnit
or the sandbox is missing; 4 the output cannot be written; 70 a defect of Testhound; 130 interrupted.";

const TESTS: &str = "Which tests";
const HOW: &str = "What is made of them";

/// A canonical form, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormNumber {
    /// Simple statements over variables, with the arithmetic of the test
    #[value(name = "1")]
    One,
    /// The same without arithmetic: constants and calls
    #[value(name = "2")]
    Two,
    /// Calls over pools of values, one pool for each type
    #[value(name = "3")]
    Three,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["tests", "all"]))]
#[command(group = ArgGroup::new("place").required(true).args(["test_classpath", "project"]))]
#[command(after_help = EXAMPLES)]
pub(crate) struct CanonOptions {
    /// Tests to convert: a class (`org.example.FooTest`) or one method of it
    /// (`org.example.FooTest#method`)
    #[arg(value_name = "CLASS[#METHOD]", help_heading = TESTS)]
    pub(crate) tests: Vec<String>,
    /// All tests there are
    #[arg(long, help_heading = TESTS)]
    pub(crate) all: bool,
    /// Folders and jars of compiled tests, separated by `:`
    #[arg(long, value_name = "PATH", conflicts_with = "project", help_heading = TESTS)]
    pub(crate) test_classpath: Option<String>,
    /// Folders and jars of what they test, separated by `:`
    #[arg(long, value_name = "PATH", conflicts_with = "project", help_heading = TESTS)]
    pub(crate) classpath: Option<String>,
    /// Folders and jars that those need, separated by `:`; `lib/*` stands for the jars in `lib`
    #[arg(long, value_name = "PATH", conflicts_with = "project", help_heading = TESTS)]
    pub(crate) dependencies: Option<String>,
    /// A Maven project, which is built
    #[arg(long, value_name = "DIR", help_heading = TESTS)]
    pub(crate) project: Option<PathBuf>,
    /// The canonical form; can be repeated [default: 3]
    #[arg(long = "form", value_name = "FORM", help_heading = HOW)]
    pub(crate) forms: Vec<FormNumber>,
    /// The folder that the sources go to, below it by package [default: they are printed, unless
    /// --all or --json is given]
    #[arg(long, value_name = "DIR", help_heading = HOW)]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite files that are there
    #[arg(long, requires = "out", help_heading = HOW)]
    pub(crate) force: bool,
    /// Print one JSON object
    #[arg(long, help_heading = HOW)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) machine: MachineOptions,
}
