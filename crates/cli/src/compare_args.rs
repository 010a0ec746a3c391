//! The command line of `compare`, as typed.

use clap::Args;

use crate::args::{MachineOptions, StrategyOptions, seconds};

const EXAMPLES: &str = "\
Examples:
  testhound compare --old app-1.4.jar --new target/classes
      Find test cases, run them on the release and on what was built since, and say what differs
  testhound compare --old old.jar --new new.jar --dependencies 'lib/*' --class org.example.Account
      One class only, with the jars that both need
  testhound compare --old old.jar --new new.jar --texts --messages --json
      Also compare what objects say of themselves and what exceptions say; one JSON object

Exit codes: 0 no difference was found; 1 differences were found; 2 bad input; 3 a JDK or the sandbox
is missing; 4 standard output cannot be written; 70 a defect of Testhound; 130 interrupted, what was
found is told.";

const COMPARED: &str = "What is compared";
const STRATEGY: &str = "How tests are looked for";
const BUDGET: &str = "How long";
const RUN: &str = "How it is run";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CompareOptions {
    /// Folders and jars of one version, separated by `:`
    #[arg(long, value_name = "PATH", help_heading = COMPARED)]
    pub(crate) old: String,
    /// Folders and jars of the version that is compared with it
    #[arg(long, value_name = "PATH", help_heading = COMPARED)]
    pub(crate) new: String,
    /// Folders and jars that both need; `lib/*` stands for the jars in `lib`
    #[arg(long, value_name = "PATH", help_heading = COMPARED)]
    pub(crate) dependencies: Option<String>,
    /// What the new version needs, if that is something else
    #[arg(long, value_name = "PATH", help_heading = COMPARED)]
    pub(crate) new_dependencies: Option<String>,
    /// Only this class; can be repeated [default: all classes of the old version]
    #[arg(long = "class", value_name = "NAME", help_heading = COMPARED)]
    pub(crate) classes: Vec<String>,
    /// Only this package, without those below it (`org.example`) or with them (`org.example.*`); can
    /// be repeated
    #[arg(long = "package", value_name = "NAME", help_heading = COMPARED)]
    pub(crate) packages: Vec<String>,
    /// Classes to leave out, by name or with `*` for any text; can be repeated
    #[arg(long, value_name = "PATTERN", help_heading = COMPARED)]
    pub(crate) exclude: Vec<String>,
    /// Compare what `toString` says of objects that are left, too
    #[arg(long, help_heading = COMPARED)]
    pub(crate) texts: bool,
    /// Compare messages of exceptions too
    #[arg(long, help_heading = COMPARED)]
    pub(crate) messages: bool,
    #[command(flatten, next_help_heading = STRATEGY)]
    pub(crate) strategy: StrategyOptions,
    /// Seconds of search for each class [default: 5, if --steps is not given]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds,
        help_heading = BUDGET)]
    pub(crate) time_per_class: Option<f64>,
    /// Calls to make for each class, instead of a time: the same seed and steps give the same answer
    #[arg(long, value_name = "CALLS", conflicts_with = "time_per_class",
        value_parser = clap::value_parser!(u64).range(1..), help_heading = BUDGET)]
    pub(crate) steps: Option<u64>,
    /// Classes worked on at a time [default: one per core]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=256),
        help_heading = BUDGET)]
    pub(crate) jobs: Option<u16>,
    /// Where random numbers start: another number, other tests
    #[arg(long, value_name = "NUMBER", default_value_t = 1, help_heading = RUN)]
    pub(crate) seed: u64,
    /// Print one JSON object instead of a summary
    #[arg(long, help_heading = RUN)]
    pub(crate) json: bool,
    #[command(flatten, next_help_heading = RUN)]
    pub(crate) machine: MachineOptions,
}
