//! `study`: experiments that say what the emitted suites are worth.

use ::study::{Library, Stage, Study, table};

use crate::args::{Experiment, LibrariesOptions, StudyOptions};
use crate::console;
use crate::exit::Exit;

pub(crate) fn study(options: &StudyOptions) -> anyhow::Result<Exit> {
    match &options.experiment {
        Experiment::Libraries(options) => libraries(options),
    }
}

/// A suite that cannot be taken as it is counts as a failure found.
fn libraries(options: &LibrariesOptions) -> anyhow::Result<Exit> {
    let libraries = Library::named(&options.libraries)?;
    let study = Study::new(
        &std::env::current_exe()?,
        crate::target::select_jdk(options.jdk.as_deref())?,
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
    Ok(if result.is_clean() { Exit::Done } else { Exit::FailuresFound })
}

fn describe(stage: Stage) -> String {
    match stage {
        Stage::Fetching => "Maven fetches what is needed".to_owned(),
        Stage::Known(library) => format!("{library}: done before"),
        Stage::Generating(library, classes) => format!("{library}: tests for {classes} classes"),
        Stage::Testing(library, tests) => format!("{library}: Maven runs {tests} tests"),
    }
}
