//! What every study does with a library: fetch it, have tests written for some of its classes, have
//! Maven run them, have JaCoCo measure.
//!
//! Invariant: whatever runs emitted tests runs confined, without network to fetch by; all it needs
//! was fetched before by Maven projects that run nothing but a trivial test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Instant, UNIX_EPOCH};

use classpath::{JdkImage, World};
use model::ClassName;
use toolchain::{Jdk, Maven, Transitive};

use crate::confined_maven::ConfinedMaven;
use crate::error::last_lines;
use crate::generated::{Generated, Request};
use crate::leftovers::Snapshot;
use crate::project::{JACOCO, Project};
use crate::surefire::Surefire;
use crate::{Coverage, Library, StudyError, coverage, surefire};

/// What tests get for their mocks: what a project of today would have.
const MOCKITO: [&str; 2] =
    ["org.mockito:mockito-core:5.14.2", "org.mockito:mockito-junit-jupiter:5.14.2"];

/// The tools of a study.
#[derive(Debug)]
pub(crate) struct Bench {
    /// This program.
    pub(crate) program: PathBuf,
    pub(crate) jdk: Jdk,
    pub(crate) maven: Maven,
    /// Mockito, for tests; its own jar is the first.
    pub(crate) mockito: Vec<PathBuf>,
    /// Classes worked on at a time.
    pub(crate) jobs: usize,
}

/// A library that was fetched.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) jar: PathBuf,
    pub(crate) dependencies: Vec<PathBuf>,
    pub(crate) world: World,
    /// Coordinates of what its POM declares, where that was asked for.
    pub(crate) declared: Vec<String>,
    /// Those of them that are in no repository, in words.
    pub(crate) absent: Vec<String>,
}

/// What tests are asked for.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    pub(crate) classes: &'a [ClassName],
    pub(crate) time_per_class: f64,
    pub(crate) seed: u64,
    /// Components of the search to do without.
    pub(crate) without: &'a [String],
}

/// What became of a suite under Maven.
#[derive(Debug)]
pub(crate) struct Tested {
    pub(crate) verdict: Surefire,
    pub(crate) maven_failure: Option<String>,
    pub(crate) left_behind: Vec<String>,
    pub(crate) seconds: f64,
}

impl Bench {
    /// The tools on this machine.
    pub(crate) fn new(program: &Path, jdk: Jdk) -> Result<Self, StudyError> {
        let maven = Maven::find(None)?.on(&jdk);
        let mockito = toolchain::resolve(&maven, &MOCKITO, Transitive::Yes)?;
        let jobs = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self { program: program.to_owned(), jdk, maven, mockito, jobs })
    }

    /// What tells one build of the program from another.
    pub(crate) fn build(&self) -> Result<String, StudyError> {
        let program = &self.program;
        let data = std::fs::metadata(program).map_err(StudyError::io("look at", program))?;
        let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let seconds = modified.map_or(0, |since| since.as_secs());
        Ok(format!("{} bytes of {seconds}", data.len()))
    }

    /// Fetches a library and what it depends on, and reads its classes.
    pub(crate) fn open(&self, library: &Library) -> Result<Subject, StudyError> {
        self.open_with(library, Vec::new(), Vec::new())
    }

    /// The same with all that its POM declares, as those who compile it have it: optional and provided
    /// dependencies too. What is in no repository (any more) is left out and told.
    pub(crate) fn open_as_built(&self, library: &Library) -> Result<Subject, StudyError> {
        let declared = toolchain::declared(&self.maven, &library.coordinates())?;
        let resolved = |all: &[String]| {
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            toolchain::resolve(&self.maven, &all, Transitive::Yes)
        };
        if declared.is_empty() || resolved(&declared).is_ok() {
            return self.open_with(library, declared, Vec::new());
        }
        let (mut there, mut absent) = (Vec::new(), Vec::new());
        for one in declared {
            match resolved(std::slice::from_ref(&one)) {
                Ok(_) => there.push(one),
                Err(error) => absent.push(format!("done without {one}: {error}")),
            }
        }
        self.open_with(library, there, absent)
    }

    fn open_with(
        &self,
        library: &Library,
        declared: Vec<String>,
        absent: Vec<String>,
    ) -> Result<Subject, StudyError> {
        let own = library.coordinates();
        let all = std::iter::once(&own).chain(&declared).map(String::as_str);
        let jars = toolchain::resolve(&self.maven, &all.collect::<Vec<_>>(), Transitive::Yes)?;
        let (jar, dependencies) = split(&jars, library)?;
        let image = Arc::new(JdkImage::open(&self.jdk.home)?);
        let world = World::new(std::slice::from_ref(jar), dependencies, image);
        let (jar, dependencies) = (jar.clone(), dependencies.to_vec());
        Ok(Subject { jar, dependencies, world, declared, absent })
    }

    /// A project for tests of these libraries; tests for JUnit 4 run too if that is asked for.
    pub(crate) fn project(
        &self,
        root: &Path,
        libraries: &[Library],
        with_junit4: bool,
    ) -> Result<Project, StudyError> {
        let all: Vec<String> = libraries.iter().map(Library::coordinates).collect();
        self.project_of(root, &all, with_junit4)
    }

    /// A project for tests of a library with what its POM declares.
    pub(crate) fn project_as_built(
        &self,
        root: &Path,
        (library, subject): (&Library, &Subject),
        with_junit4: bool,
    ) -> Result<Project, StudyError> {
        let own = std::iter::once(library.coordinates());
        let all: Vec<String> = own.chain(subject.declared.iter().cloned()).collect();
        self.project_of(root, &all, with_junit4)
    }

    fn project_of(
        &self,
        root: &Path,
        dependencies: &[String],
        with_junit4: bool,
    ) -> Result<Project, StudyError> {
        let agent = self.mockito.first().map(PathBuf::as_path);
        Project::create(root, dependencies, self.jdk.version.feature, with_junit4, agent)
    }

    /// Has the program write tests into a project; with the seconds it took.
    pub(crate) fn generate(
        &self,
        subject: &Subject,
        order: &Order<'_>,
        out: &Path,
        temporary: &Path,
    ) -> Result<(Generated, f64), StudyError> {
        let started = Instant::now();
        let request = Request {
            program: &self.program,
            jdk: &self.jdk,
            jar: &subject.jar,
            dependencies: &subject.dependencies,
            test_dependencies: &self.mockito,
            classes: order.classes,
            time_per_class: order.time_per_class,
            seed: order.seed,
            jobs: self.jobs,
            without: order.without,
            out,
            temporary,
        };
        let generated = request.run()?;
        Ok((generated, started.elapsed().as_secs_f64()))
    }

    /// Maven, confined.
    pub(crate) fn confined(&self) -> ConfinedMaven {
        ConfinedMaven {
            program: self.program.clone(),
            maven: self.maven.clone(),
            jdk: self.jdk.clone(),
        }
    }

    /// Has Maven compile and run the tests of a project and nothing else.
    pub(crate) fn test(&self, project: &Project, temporary: &Path) -> Result<Tested, StudyError> {
        let before = Snapshot::take(project.root(), &project.target())?;
        let started = Instant::now();
        let maven_failure = self.confined().test(project, temporary)?;
        let seconds = started.elapsed().as_secs_f64();
        let left_behind = before.differences()?;
        let verdict = surefire::read(&project.reports())?;
        Ok(Tested { verdict, maven_failure, left_behind, seconds })
    }

    /// JaCoCo's view of these classes after the tests of a project ran, by internal name.
    pub(crate) fn measure(
        &self,
        world: &World,
        names: &[ClassName],
        project: &Project,
        folder: &Path,
    ) -> Result<BTreeMap<String, Coverage>, StudyError> {
        let classes = made(folder.join("classes"))?;
        unpack(world, names, &classes)?;
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

    /// Has Maven fetch whatever confined runs will need beside the libraries, by a project with one
    /// trivial test.
    pub(crate) fn fetch(
        &self,
        libraries: &[Library],
        with_mutation: bool,
        with_junit4: bool,
    ) -> Result<(), StudyError> {
        let folder = tempfile::Builder::new()
            .prefix("testhound-study-")
            .tempdir()
            .map_err(StudyError::io("create a folder in", std::env::temp_dir()))?;
        let project = self.project(folder.path(), libraries, with_junit4)?;
        project.add_trivial_test()?;
        self.maven.run(project.root(), &["test"], &[])?;
        if with_mutation {
            crate::guided::mutation::fetch(&self.maven, &project)?;
        }
        Ok(())
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

/// Writes class files of a library to a folder.
pub(crate) fn unpack(world: &World, names: &[ClassName], to: &Path) -> Result<(), StudyError> {
    for name in names {
        let file = to.join(format!("{}.class", name.as_internal()));
        let Some(bytes) = world.class_bytes(name) else { continue };
        made(file.parent().unwrap_or(to).to_owned())?;
        std::fs::write(&file, bytes).map_err(StudyError::io("write", &file))?;
    }
    Ok(())
}

/// A folder, made if it is not there.
pub(crate) fn made(folder: PathBuf) -> Result<PathBuf, StudyError> {
    std::fs::create_dir_all(&folder).map_err(StudyError::io("create", &folder))?;
    Ok(folder)
}

/// All source files below a folder, sorted.
pub(crate) fn sources_below(root: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(StudyError::io("read", &folder))? {
            let path = entry.map_err(StudyError::io("read", &folder))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "java") {
                found.push(path);
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}
