//! The study itself: library by library, from the jar to the verdict.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

use classpath::{JdkImage, World};
use model::ClassName;
use serde::{Deserialize, Serialize};
use toolchain::{Jdk, Maven, Transitive};

use crate::confined_maven::ConfinedMaven;
use crate::draw::draw;
use crate::error::last_lines;
use crate::generated::{Generated, Request};
use crate::leftovers::Snapshot;
use crate::project::{JACOCO, Project};
use crate::store::Store;
use crate::{
    ClassResult, Coverage, Library, LibraryResult, Seconds, StudyError, StudyResult, coverage,
    surefire,
};

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
    program: PathBuf,
    jdk: Jdk,
    maven: Maven,
    question: Question,
    store: Store,
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
        let question = Question {
            time_per_class,
            classes,
            seed,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            jdk: jdk.version.full.clone(),
            program: identity(program)?,
        };
        let maven = Maven::find(None)?.on(&jdk);
        let store = Store::open(out)?;
        Ok(Self { program: program.to_owned(), jdk, maven, question, store })
    }

    /// Works on the libraries, telling what it does; those that are finished are not done again.
    pub fn run(
        &self,
        libraries: &[Library],
        on_stage: &mut dyn FnMut(Stage),
    ) -> Result<StudyResult, StudyError> {
        let known: Vec<Option<LibraryResult>> =
            libraries.iter().map(|library| self.store.get(library, &self.question)).collect();
        if known.iter().any(Option::is_none) {
            on_stage(Stage::Fetching);
            self.fetch(libraries)?;
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
                    self.store.put(library, &result)?;
                    result
                }
            });
        }
        Ok(StudyResult::of(results))
    }

    /// Has Maven fetch whatever the confined runs will need: they have no network to fetch by.
    fn fetch(&self, libraries: &[Library]) -> Result<(), StudyError> {
        let folder = tempfile::Builder::new()
            .prefix("testhound-study-")
            .tempdir()
            .map_err(StudyError::io("create a folder in", std::env::temp_dir()))?;
        let project = Project::create(folder.path(), libraries, self.jdk.version.feature)?;
        project.add_trivial_test()?;
        self.maven.run(project.root(), &["test"], &[])?;
        Ok(())
    }

    fn one(
        &self,
        library: &Library,
        on_stage: &mut dyn FnMut(Stage),
    ) -> Result<LibraryResult, StudyError> {
        let folder = self.store.fresh(library)?;
        let jars = toolchain::resolve(&self.maven, &[&library.coordinates()], Transitive::Yes)?;
        let (jar, dependencies) = split(&jars, library)?;
        let image = Arc::new(JdkImage::open(&self.jdk.home)?);
        let world = World::new(std::slice::from_ref(jar), dependencies, image);
        let drawn = draw(&world, self.question.classes);
        if drawn.classes.is_empty() {
            return Err(StudyError::NothingDrawn { library: library.name.to_owned() });
        }
        let release = self.jdk.version.feature;
        let project = Project::create(&folder.join("project"), &[*library], release)?;
        let temporary = made(folder.join("generate-tmp"))?;

        on_stage(Stage::Generating(library.name, drawn.classes.len()));
        let before = Snapshot::take(&folder, &project.tests())?;
        let started = Instant::now();
        let request = Request {
            program: &self.program,
            jdk: &self.jdk,
            jar,
            dependencies,
            classes: &drawn.classes,
            time_per_class: self.question.time_per_class,
            seed: self.question.seed,
            jobs: self.question.jobs,
            out: &project.tests(),
            temporary: &temporary,
        };
        let generated = request.run()?;
        let generate = started.elapsed().as_secs_f64();
        let mut left_behind = before.differences()?;

        on_stage(Stage::Testing(library.name, generated.tests));
        let before = Snapshot::take(project.root(), &project.target())?;
        let maven_temporary = made(folder.join("maven-tmp"))?;
        let maven = ConfinedMaven {
            program: self.program.clone(),
            maven: self.maven.clone(),
            jdk: self.jdk.clone(),
        };
        let started = Instant::now();
        let maven_failure = maven.test(&project, &maven_temporary)?;
        let maven_seconds = started.elapsed().as_secs_f64();
        left_behind.extend(before.differences()?);
        let verdict = surefire::read(&project.reports())?;
        let measured = self.measure(&world, &generated, &project, &folder)?;

        let seconds = self.seconds(drawn.classes.len(), generate, maven_seconds);
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
            green: verdict.green,
            skipped: verdict.skipped,
            red: verdict.red,
            maven_failure,
            left_behind,
            own,
            jacoco,
            dropped: generated.dropped,
            warnings: generated.warnings,
            seconds,
        })
    }

    /// JaCoCo's view of the classes that the program measured, by internal name.
    fn measure(
        &self,
        world: &World,
        generated: &Generated,
        project: &Project,
        folder: &Path,
    ) -> Result<BTreeMap<String, Coverage>, StudyError> {
        let classes = made(folder.join("classes"))?;
        for name in generated.classes.iter().flat_map(|class| &class.measured) {
            let name = ClassName::binary(name);
            let file = classes.join(format!("{}.class", name.as_internal()));
            let Some(bytes) = world.class_bytes(&name) else { continue };
            made(file.parent().unwrap_or(&classes).to_owned())?;
            std::fs::write(&file, bytes).map_err(StudyError::io("write", &file))?;
        }
        let tool = format!("org.jacoco:org.jacoco.cli:{JACOCO}");
        let jars = toolchain::resolve(&self.maven, &[&tool], Transitive::Yes)?;
        let jars: Vec<String> = jars.iter().map(|jar| jar.display().to_string()).collect();
        let report = folder.join("jacoco.xml");
        let recorded = project.recorded();
        let java = self.jdk.home.join("bin/java");
        let mut command = Command::new(&java);
        command.arg("-cp").arg(jars.join(":")).args(["org.jacoco.cli.internal.Main", "report"]);
        // Without a test there is no recording, and JaCoCo reports that nothing is covered.
        command.args(recorded.is_file().then_some(&recorded));
        command.arg("--classfiles").arg(&classes).arg("--xml").arg(&report);
        let output = command.stdin(Stdio::null()).output().map_err(StudyError::io("run", &java))?;
        if !output.status.success() {
            return Err(StudyError::Program {
                program: "JaCoCo's report",
                status: output.status.to_string(),
                output: last_lines(&String::from_utf8_lossy(&output.stderr), 20),
            });
        }
        coverage::read(&report)
    }

    fn seconds(&self, classes: usize, generate: f64, maven: f64) -> Seconds {
        let jobs = self.question.jobs.min(classes).max(1);
        let budget = self.question.time_per_class * classes as f64 / jobs as f64;
        let overhead_per_class = (generate - budget) / classes as f64;
        Seconds { budget, generate, overhead_per_class, maven }
    }
}

/// The library's own jar, and the others.
fn split<'a>(
    jars: &'a [PathBuf],
    library: &Library,
) -> Result<(&'a PathBuf, &'a [PathBuf]), StudyError> {
    let name = format!("{}-{}.jar", library.artifact, library.version);
    match jars.split_first() {
        // What was asked for comes first on a class path, then what it needs.
        Some((jar, others)) if jar.ends_with(&name) => Ok((jar, others)),
        _ => Err(StudyError::BadOutput {
            what: "Maven's class path".to_owned(),
            reason: format!("{name} is not its first entry"),
        }),
    }
}

fn class_results(
    generated: Vec<crate::generated::GeneratedClass>,
    measured: &BTreeMap<String, Coverage>,
) -> Vec<ClassResult> {
    let of_class = |class: crate::generated::GeneratedClass| {
        let mut jacoco = Coverage::default();
        for name in &class.measured {
            let internal = ClassName::binary(name);
            jacoco += measured.get(internal.as_internal()).copied().unwrap_or_default();
        }
        let own = Coverage { branches: class.branches, lines: class.lines, ..Default::default() };
        ClassResult {
            name: class.name,
            tests: class.tests,
            failures: class.failures,
            calls: class.calls,
            own,
            jacoco,
            reasons: class.reasons,
            dropped: class.dropped,
            notes: class.notes,
        }
    };
    generated.into_iter().map(of_class).collect()
}

fn made(folder: PathBuf) -> Result<PathBuf, StudyError> {
    std::fs::create_dir_all(&folder).map_err(StudyError::io("create", &folder))?;
    Ok(folder)
}

/// What tells one build of the program from another.
fn identity(program: &Path) -> Result<String, StudyError> {
    let data = std::fs::metadata(program).map_err(StudyError::io("look at", program))?;
    let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let seconds = modified.map_or(0, |since| since.as_secs());
    Ok(format!("{} bytes of {seconds}", data.len()))
}
