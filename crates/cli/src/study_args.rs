//! The command line of `study`, as typed.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::seconds;

#[derive(Debug, Args)]
pub(crate) struct StudyOptions {
    #[command(subcommand)]
    pub(crate) experiment: Experiment,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Experiment {
    /// Write tests for classes of six libraries from Maven Central, run them by Maven alone, and
    /// say how many are green and what JaCoCo measures
    Libraries(LibrariesOptions),
    /// Write tests for classes of twelve programs that published systems were measured on, with
    /// several budgets; coverage by JaCoCo and mutation score by PIT stand beside the published ones
    Guided(GuidedOptions),
    /// Write tests on releases that fixed a bug and say whether they fail on the release before
    Regressions(RegressionsOptions),
    /// Make test data for five classes with contracts by three strategies; meaningful, redundant and
    /// meaningless test cases and the time stand beside the published ones
    Jet(JetOptions),
}

#[derive(Debug, Args)]
pub(crate) struct LibrariesOptions {
    /// Seconds of search for each class
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 2.0, value_parser = seconds)]
    pub(crate) time_per_class: f64,
    /// Classes per library: public top-level ones with a branch, drawn by a hash of their names
    #[arg(long, value_name = "NUMBER", default_value_t = 12)]
    pub(crate) classes: usize,
    /// A library to try (`commons-io`) [default: all six]; can be repeated
    #[arg(long = "library", value_name = "NAME")]
    pub(crate) libraries: Vec<String>,
    /// Where random numbers start
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The folder for projects and results; libraries finished there are not done again
    #[arg(long, value_name = "DIR", default_value = "testhound-study")]
    pub(crate) out: PathBuf,
    /// Home of the JDK to use [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

const GUIDED_EXAMPLES: &str = "\
Examples:
  testhound study guided --quick
      Two classes of three programs at 2 s: a few minutes, to see how it works
  testhound study guided --components
      All of it; Ctrl-C at any time, the same command goes on where it was
  testhound study guided --budget 60 --no-mutation --peer-jar evosuite.jar
      A peer beside it, with the same budget";

/// Which command line a peer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum PeerStyle {
    /// EvoSuite's
    Evosuite,
    /// Randoop's
    Randoop,
}

#[derive(Debug, Args)]
#[command(after_help = GUIDED_EXAMPLES)]
pub(crate) struct GuidedOptions {
    /// Seconds of search for each class; can be repeated [default: 2, 10 and 30]
    #[arg(long = "budget", value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    pub(crate) budgets: Vec<f64>,
    /// The budget at which PIT measures the mutation score
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds, default_value_t = 10.0)]
    pub(crate) mutation_budget: f64,
    /// No mutation score
    #[arg(long, conflicts_with = "mutation_budget")]
    pub(crate) no_mutation: bool,
    /// Measure each component of the search too: all, none, each off in turn, each alone, on twenty
    /// of the classes
    #[arg(long)]
    pub(crate) components: bool,
    /// Seconds of search for each class with --components
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds, default_value_t = 5.0)]
    pub(crate) component_budget: f64,
    /// A program to try (`jdom`) [default: all twelve]; can be repeated
    #[arg(long = "program", value_name = "NAME")]
    pub(crate) programs: Vec<String>,
    /// Classes per program: public top-level ones with a branch, drawn by a hash of their names
    #[arg(long, value_name = "NUMBER", default_value_t = 5,
        value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) classes: u16,
    /// A try: two classes of the first three programs, 2 s each, with mutation score
    #[arg(long, conflicts_with_all = ["budgets", "mutation_budget", "programs", "classes"])]
    pub(crate) quick: bool,
    /// The jar of a peer that writes tests for the same classes, with all it needs; it runs confined
    /// to writing below --out
    #[arg(long, value_name = "JAR")]
    pub(crate) peer_jar: Option<PathBuf>,
    /// The peer's command line
    #[arg(long, value_name = "STYLE", value_enum, default_value_t = PeerStyle::Evosuite,
        requires = "peer_jar")]
    pub(crate) peer_style: PeerStyle,
    /// Where random numbers start
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The folder for projects and results; pieces finished there are not done again
    #[arg(long, value_name = "DIR", default_value = "testhound-study-guided")]
    pub(crate) out: PathBuf,
    /// Home of the JDK to use [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RegressionsOptions {
    /// Seconds of search for each class
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 10.0, value_parser = seconds)]
    pub(crate) time_per_class: f64,
    /// Only pairs of this library (`commons-cli`) or issue (`CLI-347`) [default: all]; can be repeated
    #[arg(long = "pair", value_name = "NAME")]
    pub(crate) pairs: Vec<String>,
    /// Where random numbers start
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The folder for projects and results; pairs finished there are not done again
    #[arg(long, value_name = "DIR", default_value = "testhound-study-regressions")]
    pub(crate) out: PathBuf,
    /// Home of the JDK to use [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct JetOptions {
    /// Runs with each strategy, with consecutive seeds; the figures are medians
    #[arg(long, value_name = "NUMBER", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) seeds: u64,
    /// The first of these seeds
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
    /// A try: one seed, and only the three strategies
    #[arg(long, conflicts_with = "seeds")]
    pub(crate) quick: bool,
    /// The folder for results; runs finished there are not made again
    #[arg(long, value_name = "DIR", default_value = "testhound-study-jet")]
    pub(crate) out: PathBuf,
    /// Home of the JDK to use [default: JAVA_HOME, else the one on PATH]
    #[arg(long, value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub(crate) json: bool,
}
