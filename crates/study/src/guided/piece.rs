//! One program with one budget: suite, Surefire, JaCoCo, PIT.

use std::path::Path;
use std::time::Instant;

use model::ClassName;

use super::mutation;
use super::result::{GuidedClass, Piece, PieceKind, PieceQuestion};
use super::study::{Drawn, GuidedStage};
use crate::bench::{Bench, Order, made};
use crate::generated::{Generated, GeneratedClass};
use crate::leftovers::Snapshot;
use crate::{Count, StudyError, assertions};

/// Does a piece in a folder of its own.
pub(super) fn run(
    bench: &Bench,
    drawn: &Drawn,
    question: PieceQuestion,
    folder: &Path,
    on_stage: &mut dyn FnMut(GuidedStage),
) -> Result<Piece, StudyError> {
    let library = drawn.program.library;
    let project =
        bench.project_as_built(&folder.join("project"), (&library, &drawn.subject), false)?;
    let temporary = made(folder.join("generate-tmp"))?;
    let told = |what| GuidedStage::Working { program: library.name, budget: question.budget, what };

    on_stage(told("tests are written"));
    let before = Snapshot::take(folder, &project.tests())?;
    let order = Order {
        classes: &drawn.classes,
        time_per_class: question.budget,
        seed: question.seed,
        without: &[],
    };
    let (generated, wall) = bench.generate(&drawn.subject, &order, &project.tests(), &temporary)?;
    let mut left_behind = before.differences()?;

    on_stage(told("Maven runs them"));
    let maven_temporary = made(folder.join("maven-tmp"))?;
    let tested = bench.test(&project, &maven_temporary)?;
    left_behind.extend(tested.left_behind);
    let names: Vec<ClassName> =
        generated.classes.iter().flat_map(GeneratedClass::measured).collect();
    let world = &drawn.subject.world;
    let measured = bench.measure(world, &names, &project, folder)?;

    let started = Instant::now();
    let asked = question.mutation;
    let scores = if !asked {
        Ok(Default::default())
    } else if generated.tests == 0 || tested.maven_failure.is_some() {
        Err("there are no tests to run".to_owned())
    } else {
        on_stage(told("PIT runs them"));
        let tests = test_classes(&generated, &project.tests());
        let is_reached = measured.values().any(|coverage| coverage.instructions.covered > 0);
        let tests = (&*tests, is_reached);
        mutation::score(bench, &drawn.subject, &project, &names, tests, &maven_temporary)?
    };
    let mutation_seconds = started.elapsed().as_secs_f64();

    let mut classes = Vec::new();
    for class in &generated.classes {
        let mutants = |scores: &std::collections::BTreeMap<String, Count>| -> Count {
            let names = class.measured();
            names.iter().filter_map(|name| scores.get(&name.to_binary())).copied().sum()
        };
        classes.push(GuidedClass {
            name: class.name.clone(),
            measured: class.measured().iter().map(ClassName::to_binary).collect(),
            tests: class.tests,
            assertions: assertions::count_in(&class.files)?,
            calls: class.calls,
            own: class.own(),
            jacoco: class.jacoco(&measured),
            mutants: scores.as_ref().ok().filter(|_| asked).map(mutants),
            reasons: class.reasons.clone(),
            dropped: class.dropped.clone(),
        });
    }
    let (scheduled, overhead_per_class) =
        schedule(classes.len(), question.jobs, question.budget, wall);
    Ok(Piece {
        program: library.name.to_owned(),
        version: library.version.to_owned(),
        role: drawn.program.role,
        kind: PieceKind::Own,
        candidates: drawn.candidates,
        tests: generated.tests,
        assertions: classes.iter().map(|class| class.assertions).sum(),
        classes,
        green: tested.verdict.green,
        skipped: tested.verdict.skipped,
        red: tested.verdict.red,
        maven_failure: tested.maven_failure,
        mutation_failure: scores.err(),
        peer_troubles: Vec::new(),
        left_behind,
        dropped: generated.dropped,
        warnings: [drawn.subject.absent.clone(), generated.warnings].concat(),
        wall,
        scheduled,
        overhead_per_class,
        maven_seconds: tested.seconds,
        mutation_seconds,
        question,
    })
}

/// The names of the test classes that were written.
fn test_classes(generated: &Generated, root: &Path) -> Vec<String> {
    let files = generated.classes.iter().flat_map(|class| &class.files);
    let name = |file: &String| {
        let path = Path::new(file);
        let path = path.strip_prefix(root).unwrap_or(path).with_extension("");
        path.display().to_string().replace('/', ".")
    };
    files.map(name).collect()
}

/// How long search alone takes when jobs do it in rounds, and what is left per class of the time of
/// all jobs.
pub(super) fn schedule(classes: usize, jobs: usize, budget: f64, wall: f64) -> (f64, f64) {
    let jobs = jobs.min(classes).max(1);
    let scheduled = classes.div_ceil(jobs) as f64 * budget;
    let overhead = (wall - scheduled) * jobs as f64 / classes.max(1) as f64;
    (scheduled, overhead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_job_in_the_last_round_is_no_overhead() {
        assert_eq!(schedule(5, 2, 10.0, 30.0), (30.0, 0.0));
        assert_eq!(schedule(5, 2, 10.0, 35.0), (30.0, 2.0));
        assert_eq!(schedule(1, 8, 2.0, 3.0), (2.0, 1.0));
    }
}
