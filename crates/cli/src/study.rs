//! `study`: experiments that say what the emitted suites are worth.

use ::study::{
    GuidedStage, GuidedStudy, JetStage, JetStudy, Library, PROGRAMS, Pair, Peer, PeerKind, Program,
    RegressionStage, RegressionStudy, Stage, Study, guided_table, jet_table, regression_table,
    table,
};
use search::Component;

use crate::console;
use crate::exit::{Exit, Failure};
use crate::study_args::{
    Experiment, GuidedOptions, JetOptions, LibrariesOptions, PeerStyle, RegressionsOptions,
    StudyOptions,
};
use crate::summary::count;
use crate::target::select_jdk;

pub(crate) fn study(options: &StudyOptions) -> anyhow::Result<Exit> {
    match &options.experiment {
        Experiment::Libraries(options) => libraries(options),
        Experiment::Guided(options) => guided(options),
        Experiment::Regressions(options) => regressions(options),
        Experiment::Jet(options) => jet(options),
    }
}

/// A suite that cannot be taken as it is counts as a failure found.
fn exit(is_clean: bool) -> Exit {
    if is_clean { Exit::Done } else { Exit::FailuresFound }
}

fn libraries(options: &LibrariesOptions) -> anyhow::Result<Exit> {
    let libraries = Library::named(&options.libraries)?;
    let study = Study::new(
        &std::env::current_exe()?,
        select_jdk(options.jdk.as_deref())?,
        &options.out,
        options.time_per_class,
        options.classes,
        options.seed,
    )?;
    let result = study.run(&libraries, &mut |stage| console::note(&describe(stage)))?;
    if options.json {
        console::json(&result)?;
    } else {
        console::line(&table(&result));
    }
    Ok(exit(result.is_clean()))
}

fn describe(stage: Stage) -> String {
    match stage {
        Stage::Fetching => FETCHING.to_owned(),
        Stage::Known(library) => format!("{library}: done before"),
        Stage::Generating(library, classes) => format!("{library}: tests for {classes} classes"),
        Stage::Testing(library, tests) => format!("{library}: Maven runs {tests} tests"),
    }
}

/// Programs, classes and seconds of a quick try.
const QUICK: (usize, usize, f64) = (3, 2, 2.0);
const BUDGETS: [f64; 3] = [2.0, 10.0, 30.0];

fn guided(options: &GuidedOptions) -> anyhow::Result<Exit> {
    let mut programs = Program::named(&options.programs)?;
    let mut asked = ::study::GuidedOptions {
        classes: usize::from(options.classes),
        budgets: match options.budgets.is_empty() {
            true => BUDGETS.to_vec(),
            false => options.budgets.clone(),
        },
        mutation_budget: (!options.no_mutation).then_some(options.mutation_budget),
        components: options.components.then(|| (component_names(), options.component_budget)),
        peer: peer(options)?,
        seed: options.seed,
    };
    if options.quick {
        let (first, classes, budget) = QUICK;
        programs.truncate(first.min(PROGRAMS.len()));
        asked.classes = classes;
        asked.budgets = vec![budget];
        asked.mutation_budget = (!options.no_mutation).then_some(budget);
    }
    let program = std::env::current_exe()?;
    let jdk = select_jdk(options.jdk.as_deref())?;
    let study = GuidedStudy::new(&program, jdk, &options.out, asked)?;
    let result = study.run(&programs, &mut |stage| console::note(&describe_guided(stage)))?;
    if options.json {
        console::json(&result)?;
    } else {
        console::line(&guided_table(&result));
    }
    Ok(exit(result.is_clean()))
}

fn component_names() -> Vec<String> {
    Component::ALL.into_iter().map(|component| component.name().to_owned()).collect()
}

fn peer(options: &GuidedOptions) -> anyhow::Result<Option<Peer>> {
    let Some(jar) = &options.peer_jar else { return Ok(None) };
    let jar = jar.canonicalize().map_err(|error| {
        Failure::bad_input(format!("--peer-jar `{}` cannot be found: {error}", jar.display()))
    })?;
    let kind = match options.peer_style {
        PeerStyle::Evosuite => PeerKind::EvoSuite,
        PeerStyle::Randoop => PeerKind::Randoop,
    };
    Ok(Some(Peer { jar, kind }))
}

fn describe_guided(stage: GuidedStage) -> String {
    match stage {
        GuidedStage::Fetching => FETCHING.to_owned(),
        GuidedStage::Planned { pieces, known, seconds } => planned("piece", pieces, known, seconds),
        GuidedStage::Working { program, budget, what } => {
            format!("{program} at {budget} s: {what}")
        }
        GuidedStage::Variant(variant) => format!("components: {variant}"),
    }
}

fn regressions(options: &RegressionsOptions) -> anyhow::Result<Exit> {
    let pairs = Pair::named(&options.pairs)?;
    let study = RegressionStudy::new(
        &std::env::current_exe()?,
        select_jdk(options.jdk.as_deref())?,
        &options.out,
        options.time_per_class,
        options.seed,
    )?;
    let result = study.run(&pairs, &mut |stage| console::note(&describe_regressions(stage)))?;
    if options.json {
        console::json(&result)?;
    } else {
        console::line(&regression_table(&result));
    }
    Ok(exit(result.is_clean()))
}

fn describe_regressions(stage: RegressionStage) -> String {
    match stage {
        RegressionStage::Fetching => FETCHING.to_owned(),
        RegressionStage::Planned { pairs, known, seconds } => {
            planned("pair", pairs, known, seconds)
        }
        RegressionStage::Working { issue, what } => format!("{issue}: {what}"),
    }
}

/// How often each search of the study of contracts is made in one JVM, and in a try.
const ROUNDS: u32 = 10;
const QUICK_ROUNDS: u32 = 6;

fn jet(options: &JetOptions) -> anyhow::Result<Exit> {
    let first = options.seed;
    let asked = if options.quick {
        ::study::JetOptions { first, seeds: 1, rounds: QUICK_ROUNDS, costs: false }
    } else {
        ::study::JetOptions { first, seeds: options.seeds, rounds: ROUNDS, costs: true }
    };
    let jdk = select_jdk(options.jdk.as_deref())?;
    let study = JetStudy::new(&std::env::current_exe()?, jdk, &options.out, asked)?;
    let result = study.run(&mut |stage| console::note(&describe_jet(stage)))?;
    if options.json {
        console::json(&result)?;
    } else {
        console::line(&jet_table(&result));
    }
    Ok(exit(result.failed.is_empty()))
}

fn describe_jet(stage: JetStage) -> String {
    match stage {
        JetStage::Running(variant, seed) => format!("{}, seed {seed}", variant.name()),
        JetStage::Known(variant, seed) => format!("{}, seed {seed}: done before", variant.name()),
    }
}

const FETCHING: &str = "Maven fetches what is needed";

fn planned(what: &str, open: usize, known: usize, seconds: f64) -> String {
    let minutes = (seconds / 60.0).ceil();
    format!("{} to do, about {minutes} min; {known} done before", count(open, what))
}
