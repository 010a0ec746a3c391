//! A peer beside this program: its jar is given, it writes tests for the same classes with the same
//! budgets, and its suite is measured the same way.
//!
//! Two command lines are known ([`PeerKind`]). The peer runs confined to writing below the piece's
//! folder; unlike this program's own searches it can start processes and use the network, because
//! peers need them. What it writes is for JUnit 4 and must not need the peer itself to run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use model::ClassName;

use super::result::{GuidedClass, Piece, PieceKind, PieceQuestion};
use super::study::{Drawn, GuidedStage};
use crate::bench::{Bench, made, sources_below};
use crate::{Coverage, StudyError, assertions, javac_errors};

/// Which command line a peer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PeerKind {
    /// `java -jar JAR -class C -projectCP PATH -seed N -Dsearch_budget=S -Dtest_dir=OUT
    /// -Dreport_dir=TMP -Dno_runtime_dependency=true`
    EvoSuite,
    /// `java -cp JAR:PATH randoop.main.Main gentests --testclass=C --time-limit=S --randomseed=N
    /// --no-error-revealing-tests=true --junit-package-name=peer.cN
    /// --regression-test-basename=RegressionTest --junit-output-dir=OUT`
    Randoop,
}

/// A peer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Peer {
    /// Its jar, with all it needs.
    pub jar: PathBuf,
    /// Its command line.
    pub kind: PeerKind,
}

/// A peer that takes so much longer than its budget is given up.
const PATIENCE: Duration = Duration::from_secs(180);
/// Rounds of leaving out what does not compile: errors of one kind can hide others.
const COMPILE_ROUNDS: usize = 5;

impl Peer {
    /// What tells it from another.
    pub(super) fn identity(&self) -> Result<String, StudyError> {
        let data = std::fs::metadata(&self.jar).map_err(StudyError::io("look at", &self.jar))?;
        let name = self.jar.file_name().unwrap_or_default().display();
        Ok(format!("{:?} {name} of {} bytes", self.kind, data.len()))
    }

    fn command(
        &self,
        bench: &Bench,
        drawn: &Drawn,
        (number, class): (usize, &ClassName),
        question: &PieceQuestion,
        out: &Path,
        temporary: &Path,
    ) -> Command {
        let path = |entries: Vec<&PathBuf>| {
            let entries: Vec<String> = entries.iter().map(|e| e.display().to_string()).collect();
            entries.join(":")
        };
        let subject = &drawn.subject;
        let class_path: Vec<&PathBuf> =
            std::iter::once(&subject.jar).chain(&subject.dependencies).collect();
        let mut command = Command::new(&bench.program);
        command.arg("confined").arg("--write").arg(out).arg("--write").arg(temporary).arg("--");
        command.arg(bench.jdk.program("java"));
        command.arg(format!("-Djava.io.tmpdir={}", temporary.display()));
        let (name, seed) = (class.to_binary(), question.seed);
        let seconds = question.budget.ceil();
        match self.kind {
            PeerKind::EvoSuite => {
                command.arg("-jar").arg(&self.jar).args(["-class", &name, "-projectCP"]);
                command.arg(path(class_path)).args(["-seed", &seed.to_string()]);
                command.arg(format!("-Dsearch_budget={seconds}"));
                command.arg(format!("-Dtest_dir={}", out.display()));
                command.arg(format!("-Dreport_dir={}", temporary.display()));
                command.arg("-Dno_runtime_dependency=true");
            }
            PeerKind::Randoop => {
                let all = std::iter::once(&self.jar).chain(class_path).collect();
                command.arg("-cp").arg(path(all)).args(["randoop.main.Main", "gentests"]);
                command.arg(format!("--testclass={name}"));
                command.arg(format!("--time-limit={seconds}"));
                command.arg(format!("--randomseed={seed}"));
                command.arg("--no-error-revealing-tests=true");
                command.arg(format!("--junit-package-name=peer.c{number}"));
                command.arg("--regression-test-basename=RegressionTest");
                command.arg(format!("--junit-output-dir={}", out.display()));
            }
        }
        command.current_dir(temporary).stdin(Stdio::null());
        command
    }
}

/// Does a piece with a peer; `own` is the same piece by this program, which says what is measured.
pub(super) fn run(
    bench: &Bench,
    drawn: &Drawn,
    (peer, own): (&Peer, &Piece),
    question: PieceQuestion,
    folder: &Path,
    on_stage: &mut dyn FnMut(GuidedStage),
) -> Result<Piece, StudyError> {
    let library = drawn.program.library;
    let project =
        bench.project_as_built(&folder.join("project"), (&library, &drawn.subject), true)?;
    let temporary = made(folder.join("peer-tmp"))?;
    let told = |what| GuidedStage::Working { program: library.name, budget: question.budget, what };

    on_stage(told("the peer writes tests"));
    let started = Instant::now();
    let mut troubles = Vec::new();
    for (number, class) in drawn.classes.iter().enumerate() {
        let log = temporary.join(format!("{number}.log"));
        let command =
            peer.command(bench, drawn, (number, class), &question, &project.tests(), &temporary);
        let limit = Duration::from_secs_f64(question.budget) + PATIENCE;
        if let Some(trouble) = wait(command, &log, limit)? {
            troubles.push(format!("{}: {trouble}", class.to_binary()));
        }
    }
    let wall = started.elapsed().as_secs_f64();

    on_stage(told("Maven runs the peer's tests"));
    let maven_temporary = made(folder.join("maven-tmp"))?;
    for _ in 0..COMPILE_ROUNDS {
        let run = bench.confined().run(&project, &maven_temporary, &["test-compile"])?;
        let broken = javac_errors::places(&run.log).into_iter().map(|place| place.file);
        // Nothing but what the peer wrote is ever deleted, whatever a log says.
        let broken: BTreeSet<PathBuf> =
            broken.filter(|file| file.starts_with(project.tests())).collect();
        if run.failure.is_none() || broken.is_empty() {
            break;
        }
        for file in broken {
            std::fs::remove_file(&file).map_err(StudyError::io("delete", &file))?;
            let name = file.file_name().unwrap_or_default().display();
            troubles.push(format!("{name} does not compile"));
        }
    }
    let tested = bench.test(&project, &maven_temporary)?;
    let names = own.classes.iter().flat_map(|class| &class.measured);
    let names: Vec<ClassName> = names.map(|name| ClassName::binary(name)).collect();
    let measured = bench.measure(&drawn.subject.world, &names, &project, folder)?;
    let of_class = |class: &GuidedClass| {
        let mut jacoco = Coverage::default();
        for name in &class.measured {
            let name = ClassName::binary(name);
            jacoco += measured.get(name.as_internal()).copied().unwrap_or_default();
        }
        GuidedClass {
            name: class.name.clone(),
            measured: class.measured.clone(),
            tests: 0,
            assertions: 0,
            calls: 0,
            own: Coverage::default(),
            jacoco,
            mutants: None,
            reasons: Vec::new(),
            dropped: Default::default(),
        }
    };
    let red = tested.verdict.red;
    Ok(Piece {
        program: library.name.to_owned(),
        version: library.version.to_owned(),
        role: drawn.program.role,
        kind: PieceKind::Peer,
        candidates: drawn.candidates,
        classes: own.classes.iter().map(of_class).collect(),
        tests: tested.verdict.green + tested.verdict.skipped + red.len() as u32,
        assertions: assertions::count_in(&sources_below(&project.tests())?)?,
        green: tested.verdict.green,
        skipped: tested.verdict.skipped,
        red,
        maven_failure: tested.maven_failure,
        mutation_failure: None,
        peer_troubles: troubles,
        left_behind: tested.left_behind,
        dropped: Default::default(),
        warnings: Vec::new(),
        wall,
        scheduled: question.budget * drawn.classes.len() as f64,
        overhead_per_class: wall / drawn.classes.len() as f64 - question.budget,
        maven_seconds: tested.seconds,
        mutation_seconds: 0.0,
        question,
    })
}

/// Runs a program into a log; says what went wrong, if something did.
fn wait(mut command: Command, log: &Path, limit: Duration) -> Result<Option<String>, StudyError> {
    let file = std::fs::File::create(log).map_err(StudyError::io("create", log))?;
    let errors = file.try_clone().map_err(StudyError::io("write", log))?;
    let program = PathBuf::from(command.get_program());
    let mut child =
        command.stdout(file).stderr(errors).spawn().map_err(StudyError::io("run", &program))?;
    let started = Instant::now();
    loop {
        let ended = child.try_wait().map_err(StudyError::io("wait for", &program))?;
        if let Some(status) = ended {
            return Ok((!status.success()).then(|| format!("the peer ended with {status}")));
        }
        if started.elapsed() > limit {
            child.kill().map_err(StudyError::io("end", &program))?;
            child.wait().map_err(StudyError::io("wait for", &program))?;
            return Ok(Some(format!("the peer was ended after {} s", limit.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}
