//! The study itself: library by library, from the jar to the verdict.

use std::collections::BTreeMap;
use std::path::Path;

use model::ClassName;
use serde::{Deserialize, Serialize};
use toolchain::Jdk;

use crate::bench::{Bench, Order, made};
use crate::draw::draw;
use crate::generated::GeneratedClass;
use crate::leftovers::Snapshot;
use crate::store::{Answer, Store};
use crate::{ClassResult, Coverage, Library, LibraryResult, Seconds, StudyError, StudyResult};

/// What decides a library's result, machine and chance aside.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// Seconds of search per class.
    pub time_per_class: f64,
    /// Classes per library, at most.
    pub classes: usize,
    /// Where random numbers start.
    pub seed: u64,
    /// Classes worked on at a time.
    pub jobs: usize,
    /// The JDK's version.
    pub jdk: String,
    /// Which build of the program was asked.
    pub program: String,
}

/// What a study is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Maven fetches what the runs will need.
    Fetching,
    /// A result of an earlier run is used.
    Known(&'static str),
    /// Tests of this many classes are written.
    Generating(&'static str, usize),
    /// This many tests are compiled and run by Maven.
    Testing(&'static str, u32),
}

/// A study of libraries.
#[derive(Debug)]
pub struct Study {
    bench: Bench,
    question: Question,
    store: Store,
}

impl Answer for LibraryResult {
    type Question = Question;

    fn question(&self) -> &Question {
        &self.question
    }
}

impl Study {
    /// A study that has `program` (this executable) write the tests and keeps what it finds in
    /// the folder `out`.
    pub fn new(
        program: &Path,
        jdk: Jdk,
        out: &Path,
        time_per_class: f64,
        classes: usize,
        seed: u64,
    ) -> Result<Self, StudyError> {
        let bench = Bench::new(program, jdk)?;
        let question = Question {
            time_per_class,
            classes,
            seed,
            jobs: bench.jobs,
            jdk: bench.jdk.version.full.clone(),
            program: bench.build()?,
        };
        Ok(Self { bench, question, store: Store::open(out)? })
    }

    /// Works on the libraries, telling what it does; those that are finished are not done again.
    pub fn run(
        &self,
        libraries: &[Library],
        on_stage: &mut dyn FnMut(Stage),
    ) -> Result<StudyResult, StudyError> {
        let known: Vec<Option<LibraryResult>> =
            libraries.iter().map(|library| self.known(library)).collect();
        if known.iter().any(Option::is_none) {
            on_stage(Stage::Fetching);
            self.bench.fetch(libraries, false, false)?;
        }
        let mut results = Vec::new();
        for (library, known) in libraries.iter().zip(known) {
            results.push(match known {
                Some(result) => {
                    on_stage(Stage::Known(library.name));
                    result
                }
                None => {
                    let result = self.one(library, on_stage)?;
                    self.store.put(library.name, &result)?;
                    result
                }
            });
        }
        Ok(StudyResult::of(results))
    }

    fn known(&self, library: &Library) -> Option<LibraryResult> {
        let result: LibraryResult = self.store.get(library.name, &self.question)?;
        (result.version == library.version).then_some(result)
    }

    fn one(
        &self,
        library: &Library,
        on_stage: &mut dyn FnMut(Stage),
    ) -> Result<LibraryResult, StudyError> {
        let folder = self.store.fresh(library.name)?;
        let subject = self.bench.open(library)?;
        let drawn = draw(&subject.world, self.question.classes);
        if drawn.classes.is_empty() {
            return Err(StudyError::NothingDrawn { library: library.name.to_owned() });
        }
        let project = self.bench.project(&folder.join("project"), &[*library], false)?;
        let temporary = made(folder.join("generate-tmp"))?;

        on_stage(Stage::Generating(library.name, drawn.classes.len()));
        let before = Snapshot::take(&folder, &project.tests())?;
        let order = Order {
            classes: &drawn.classes,
            time_per_class: self.question.time_per_class,
            seed: self.question.seed,
            without: &[],
        };
        let (generated, generate) =
            self.bench.generate(&subject, &order, &project.tests(), &temporary)?;
        let mut left_behind = before.differences()?;

        on_stage(Stage::Testing(library.name, generated.tests));
        let tested = self.bench.test(&project, &made(folder.join("maven-tmp"))?)?;
        left_behind.extend(tested.left_behind);
        let names: Vec<ClassName> =
            generated.classes.iter().flat_map(GeneratedClass::measured).collect();
        let measured = self.bench.measure(&subject.world, &names, &project, &folder)?;

        let seconds = self.seconds(drawn.classes.len(), generate, tested.seconds);
        let classes: Vec<ClassResult> = class_results(generated.classes, &measured);
        let (mut own, mut jacoco) = (Coverage::default(), Coverage::default());
        for class in &classes {
            own += class.own;
            jacoco += class.jacoco;
        }
        Ok(LibraryResult {
            library: library.name.to_owned(),
            version: library.version.to_owned(),
            question: self.question.clone(),
            candidates: drawn.candidates as u32,
            classes,
            tests: generated.tests,
            failures: generated.failures,
            green: tested.verdict.green,
            skipped: tested.verdict.skipped,
            red: tested.verdict.red,
            maven_failure: tested.maven_failure,
            left_behind,
            own,
            jacoco,
            dropped: generated.dropped,
            warnings: generated.warnings,
            seconds,
        })
    }

    fn seconds(&self, classes: usize, generate: f64, maven: f64) -> Seconds {
        let jobs = self.question.jobs.min(classes).max(1);
        let budget = self.question.time_per_class * classes as f64 / jobs as f64;
        let overhead_per_class = (generate - budget) / classes as f64;
        Seconds { budget, generate, overhead_per_class, maven }
    }
}

fn class_results(
    generated: Vec<GeneratedClass>,
    measured: &BTreeMap<String, Coverage>,
) -> Vec<ClassResult> {
    let of_class = |class: GeneratedClass| ClassResult {
        own: class.own(),
        jacoco: class.jacoco(measured),
        name: class.name,
        tests: class.tests,
        failures: class.failures,
        calls: class.calls,
        reasons: class.reasons,
        dropped: class.dropped,
        notes: class.notes,
    };
    generated.into_iter().map(of_class).collect()
}
