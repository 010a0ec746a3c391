//! The command line of `check`, as typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::args::{ContractOptions, MachineOptions};

const EXAMPLES: &str = "\
Examples:
  testhound check --source src --main org.example.Main -- orders.txt
      Run a program with its contracts checked; what stands behind `--` is for the program
  testhound check --source src --dependencies 'lib/*' --tests test
      Compile the tests in `test` and run them with JUnit, the contracts of what they test checked
  testhound check --project .
      Build the Maven project here and run its tests with contracts checked
  testhound check --project . --tests org.example.AccountTest --json
      Only one test class of it; one JSON object on standard output

Exit codes: 0 no contract was broken and no test failed; 1 a contract was broken, or a test failed;
2 bad input; 3 a JDK, Maven, JUnit or the sandbox is missing; 4 standard output cannot be written;
70 a defect of Testhound; 130 interrupted, what was found is told. The status that the program itself
ends with is told, and is not that of `check`.";

const CHECKED: &str = "What is checked";
const RUN: &str = "What is run";
const CONTRACTS: &str = "Contracts";
const HOW: &str = "How it is run";

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("checked").required(true).args(["source", "project"]))]
#[command(group = ArgGroup::new("run").required(true).multiple(true)
    .args(["main", "tests", "project"]))]
#[command(after_help = EXAMPLES)]
pub(crate) struct CheckOptions {
    /// Java sources with contracts in JML, compiled if no --classpath has their classes; can be
    /// repeated
    #[arg(long, value_name = "DIR", help_heading = CHECKED)]
    pub(crate) source: Vec<PathBuf>,
    /// A Maven project, which is built; its tests are run, unless --main or --tests says otherwise
    #[arg(long, value_name = "DIR", conflicts_with_all = ["classpath", "dependencies"],
        help_heading = CHECKED)]
    pub(crate) project: Option<PathBuf>,
    /// Folders and jars of the classes that the sources were compiled to, separated by `:`; also for
    /// what stands beside them, such as configuration files
    #[arg(long, value_name = "PATH", help_heading = CHECKED)]
    pub(crate) classpath: Option<String>,
    /// Folders and jars that those, or the tests, need, separated by `:`; `lib/*` stands for the jars
    /// in `lib`
    #[arg(long, value_name = "PATH", help_heading = CHECKED)]
    pub(crate) dependencies: Option<String>,
    /// The class whose `main` is run
    #[arg(long, value_name = "CLASS", conflicts_with = "tests", help_heading = RUN)]
    pub(crate) main: Option<String>,
    /// Tests that are run by JUnit 3, 4 or 5: folders of test sources, folders of compiled tests, and
    /// names of test classes, if not all are to be run
    #[arg(long, value_name = "DIR|CLASS", num_args = 1.., help_heading = RUN)]
    pub(crate) tests: Vec<String>,
    /// What the program is given
    #[arg(last = true, value_name = "ARGS", requires = "main")]
    pub(crate) arguments: Vec<OsString>,
    #[command(flatten, next_help_heading = CONTRACTS)]
    pub(crate) contracts: ContractOptions,
    /// A folder that the program may write to, with all below it; can be repeated [default: only a
    /// folder for temporary files, which goes when it ends]
    #[arg(long = "write", value_name = "DIR", help_heading = HOW)]
    pub(crate) write: Vec<PathBuf>,
    /// Print one JSON object instead of a summary; what the program prints goes to standard error
    #[arg(long, help_heading = HOW)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = HOW)]
    pub(crate) machine: MachineOptions,
}

/// What a confined JVM is started with, by `check` itself.
#[derive(Debug, Args)]
pub(crate) struct EnclosedOptions {
    /// The folders that may be written to
    #[arg(long = "write", value_name = "DIR", required = true)]
    pub(crate) write: Vec<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    pub(crate) command: Vec<OsString>,
}
