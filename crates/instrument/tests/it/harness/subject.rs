//! Compiles fixtures, and runs them plain or instrumented.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use classfile::ClassFile;
use instrument::coverage::Summary;
use instrument::{Base, Options, Plan, place, rewrite};
use tempfile::TempDir;

use super::java::{compile, compile_runtime, java, javac};
use super::sources::for_each_class;

/// Compiled fixtures.
pub struct Subject {
    home: PathBuf,
    scratch: TempDir,
    /// The simple names of the fixtures: their main classes.
    pub names: Vec<String>,
}

/// What a run printed, and what it covered.
pub struct Run {
    pub output: String,
    pub map: Vec<u8>,
    /// The plans of the classes, and where in the map their probes begin.
    pub plans: Vec<(Plan, usize)>,
}

const MAP_SIZE: usize = 40_000;

impl Subject {
    /// Compiles the fixtures at these paths.
    pub fn compile(home: &Path, options: &[&str], fixtures: &[PathBuf]) -> Self {
        let stem = |path: &PathBuf| {
            path.file_stem().expect("a file").to_str().expect("fixture names are text").to_owned()
        };
        let subject = Self::empty(home, fixtures.iter().map(stem).collect());
        javac(home, options, fixtures, &subject.scratch.path().join("plain"));
        subject
    }

    /// Takes a class that was made by hand.
    pub fn of_class(home: &Path, name: &str, bytes: &[u8]) -> Self {
        let subject = Self::empty(home, vec![name.to_owned()]);
        let folder = subject.scratch.path().join("plain");
        fs::create_dir(&folder).expect("scratch is writable");
        fs::write(folder.join(format!("{name}.class")), bytes).expect("scratch is writable");
        subject
    }

    fn empty(home: &Path, names: Vec<String>) -> Self {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        compile(home, &[], "Run.java", include_str!("Run.java"), &scratch.path().join("harness"));
        compile_runtime(home, MAP_SIZE, &scratch.path().join("patch"));
        Self { home: home.to_owned(), scratch, names }
    }

    /// Runs all fixtures as they were compiled.
    pub fn run_plain(&self) -> Run {
        self.run("plain", u64::MAX >> 1, Vec::new())
    }

    /// Runs all fixtures with probes from `base` on, each with a budget of steps.
    pub fn run_instrumented(&self, options: Options, base: u32, budget: u64) -> Run {
        let mut base = base;
        let mut plans = Vec::new();
        let out = self.scratch.path().join("instrumented");
        fs::create_dir_all(&out).expect("scratch is writable");
        for_each_class(&self.scratch.path().join("plain"), &mut |_, bytes| {
            let class = ClassFile::parse(bytes).expect("javac writes good classes");
            let plan = place(&class, &options).expect("javac writes good classes");
            let written = rewrite(&class, &plan, Base { probe: base, ..Base::default() })
                .expect("the plan is of this class");
            fs::write(out.join(format!("{}.class", plan.class)), written).expect("writable");
            let first = base as usize;
            base += plan.probes.len() as u32;
            assert!(base as usize <= MAP_SIZE);
            plans.push((plan, first));
        })
        .expect("scratch is readable");
        self.run("instrumented", budget, plans)
    }

    /// Runs all fixtures under JaCoCo; what it finds covered, a line for each method.
    pub fn run_with_jacoco(&self, jars: &[PathBuf]) -> BTreeSet<String> {
        let path = |name: &str| self.scratch.path().join(name);
        let (measure, result) = (path("measure"), path("jacoco"));
        let class_path = std::env::join_paths(jars).expect("no separator in the paths");
        let class_path = class_path.to_str().expect("paths are text");
        let source = include_str!("Measure.java");
        compile(&self.home, &["-cp", class_path], "Measure.java", source, &measure);
        let plain = path("plain");
        let mut arguments = vec!["Measure", text(&result), text(&plain)];
        arguments.extend(self.names.iter().map(String::as_str));
        let class_path: Vec<&Path> =
            jars.iter().map(PathBuf::as_path).chain([measure.as_path()]).collect();
        let output = java(&self.home, &[&path("patch")], &["-Xss512k"], &class_path, &arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let result = fs::read_to_string(result).expect("the harness writes the result");
        result.lines().map(str::to_owned).collect()
    }

    fn run(&self, classes: &str, budget: u64, plans: Vec<(Plan, usize)>) -> Run {
        let path = |name: &str| self.scratch.path().join(name);
        let map = path("map");
        let budget = budget.to_string();
        let mut arguments = vec!["Run", map.to_str().expect("scratch is text"), &budget];
        arguments.extend(self.names.iter().map(String::as_str));
        let class_path = [path("harness"), path(classes)];
        let output = java(
            &self.home,
            &[&path("patch")],
            &["-Xss512k"],
            &[&class_path[0], &class_path[1]],
            &arguments,
        );
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
        let map = fs::read(map).expect("the harness writes the map");
        Run { output: text(&output.stdout), map, plans }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("scratch is text")
}

impl Run {
    /// Covered or not, branches covered, branches in all: by line, for one source file.
    pub fn lines_of(&self, fixture: &str) -> BTreeMap<usize, (bool, u32, u32)> {
        let mut lines = BTreeMap::new();
        let own =
            self.plans.iter().filter(|(plan, _)| plan.class.split('$').next() == Some(fixture));
        for (plan, first) in own {
            let summary = Summary::new(plan, &self.map[*first..]).expect("the map is long enough");
            for line in summary.by_line {
                let merged = lines.entry(usize::from(line.line)).or_insert((false, 0, 0));
                merged.0 |= line.covered;
                merged.1 += line.branches.covered;
                merged.2 += line.branches.total;
            }
        }
        lines
    }
}
