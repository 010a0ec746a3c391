//! What is mutated and by which tests it is judged: a class path, or the modules of a Maven build.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use classfile::ClassFile;
use classpath::World;
use model::ClassName;
use mutants::Operators;
use toolchain::{JUnitConsole, Jdk, Maven, MavenBuild, MavenProject};
use worker::{MonitorSurvey, MutatedClass, Scratch, Subject, Suite};

use super::sources::Sources;
use crate::class_path::{entries, refuse_broken_entries};
use crate::exit::Failure;
use crate::monitor;
use crate::mutate_args::MutateOptions;
use crate::select::{Selection, matches};
use crate::target::{jdk, subject, world};

/// A program with its tests.
pub(super) struct Program {
    /// One, or one for each module that has classes to mutate.
    pub(super) parts: Vec<Part>,
    pub(super) operators: Operators,
    pub(super) warnings: Vec<String>,
    pub(super) scratch: Arc<Scratch>,
}

/// Classes that are judged by one suite.
pub(super) struct Part {
    /// The module, where there are several.
    pub(super) module: Option<String>,
    pub(super) subject: Subject,
    pub(super) suite: Suite,
    pub(super) classes: Vec<MutatedClass>,
    pub(super) sources: Sources,
}

/// A part of which it is not yet known which classes are meant.
struct Whole {
    module: Option<String>,
    subject: Subject,
    world: Arc<World>,
    /// Its tests.
    roots: Vec<PathBuf>,
    /// Tests, classes, what they need, in order.
    class_path: Vec<PathBuf>,
    working: PathBuf,
    sources: Vec<PathBuf>,
}

impl Program {
    /// Reads what the command line asks for. All names on it are looked up before anything is run.
    pub(super) fn read(options: &MutateOptions) -> anyhow::Result<Self> {
        let operators = operators(&options.operators)?;
        let jdk = jdk(&options.machine)?;
        let survey = monitor::survey(&jdk.home)?;
        let wholes = match &options.project {
            Some(directory) => of_project(options, (&jdk, &survey), directory)?,
            None => vec![of_class_path(options, (&jdk, &survey))?],
        };
        let worlds: Vec<&World> = wholes.iter().map(|whole| &*whole.world).collect();
        let selection = Selection {
            classes: &options.classes,
            packages: &options.packages,
            exclude: &options.exclude,
        };
        let chosen = selection.choose(&worlds)?;
        let mut warnings = monitor::warnings(&survey);
        let mut parts = Vec::new();
        for (whole, chosen) in wholes.into_iter().zip(chosen) {
            if !chosen.is_empty() {
                parts.push(whole.part(options, &chosen, operators, &mut warnings)?);
            }
        }
        check_test_classes(options, &parts)?;
        let scratch = Arc::new(Scratch::new()?);
        Ok(Self { parts, operators, warnings, scratch })
    }
}

fn operators(named: &str) -> Result<Operators, Failure> {
    let bad = |message: String| {
        let groups = Operators::GROUPS.map(|(name, _)| name).join(", ");
        let all: Vec<&str> = mutants::Operator::ALL.iter().map(|one| one.name()).collect();
        let known = format!("there are {groups} and {}", all.join(", "));
        Failure::bad_input(format!("--operators: {message}; {known}"))
    };
    let chosen: Operators =
        named.parse().map_err(|error: mutants::UnknownOperator| bad(error.to_string()))?;
    if chosen == Operators::NONE {
        return Err(bad("none is named".to_owned()));
    }
    Ok(chosen)
}

type On<'a> = (&'a Jdk, &'a MonitorSurvey);

fn of_class_path(options: &MutateOptions, on: On<'_>) -> anyhow::Result<Whole> {
    let of = |path: &Option<String>| path.as_deref().map_or(Ok(Vec::new()), entries);
    let project = of(&options.classpath)?;
    let roots = of(&options.test_classpath)?;
    if project.is_empty() || roots.is_empty() {
        return Err(Failure::bad_input("the class path is empty").into());
    }
    let dependencies = of(&options.dependencies)?;
    let class_path = [&*roots, &project, &dependencies].concat();
    let subject = subject(on, project, dependencies);
    let world = world(&subject)?;
    refuse_broken_entries(&world, &class_path)?;
    Ok(Whole {
        module: None,
        subject,
        world,
        roots,
        class_path,
        working: std::env::current_dir()?,
        sources: options.source.clone(),
    })
}

fn of_project(options: &MutateOptions, on: On<'_>, directory: &Path) -> anyhow::Result<Vec<Whole>> {
    let parent = directory.parent().filter(|_| directory.ends_with("pom.xml"));
    let directory = match parent {
        Some(parent) if parent == Path::new("") => Path::new("."),
        other => other.unwrap_or(directory),
    };
    if !directory.is_dir() {
        let message = format!("the project folder `{}` does not exist", directory.display());
        return Err(Failure::bad_input(message).into());
    }
    let maven = Maven::find(Some(directory))?.on(on.0);
    let build = MavenBuild::read(&maven, directory)?;
    let is_one = build.projects.len() == 1;
    let modules: Vec<&MavenProject> =
        build.projects.iter().filter(|module| module.test_output_directory.is_dir()).collect();
    if modules.is_empty() {
        let message = format!("the project in `{}` has no tests", directory.display());
        return Err(Failure::bad_input(message).into());
    }
    let whole = |module: &MavenProject| -> anyhow::Result<Whole> {
        let dependencies = module.runtime_class_path()[1..].to_vec();
        let subject = subject(on, vec![module.output_directory.clone()], dependencies);
        let world = world(&subject)?;
        let class_path = module.test_class_path();
        Ok(Whole {
            module: (!is_one).then(|| module.artifact.clone()),
            subject,
            world,
            roots: vec![module.test_output_directory.clone()],
            class_path: class_path.into_iter().filter(|entry| entry.exists()).collect(),
            working: module.directory.clone(),
            sources: [&*options.source, std::slice::from_ref(&module.source_directory)].concat(),
        })
    };
    modules.into_iter().map(whole).collect()
}

impl Whole {
    fn part(
        self,
        options: &MutateOptions,
        chosen: &[ClassName],
        operators: Operators,
        warnings: &mut Vec<String>,
    ) -> anyhow::Result<Part> {
        let console = JUnitConsole::find(&self.class_path)?;
        let own = [&*self.roots, &self.subject.project].concat();
        let suite = Suite {
            class_path: [&*console.first, &self.class_path, &console.last].concat(),
            own,
            roots: self.roots,
            classes: options.test_classes.clone(),
            working: self.working,
        };
        let is_meant = |name: &ClassName| {
            let binary = name.to_binary();
            let is_in = |class: &ClassName| {
                name == class
                    || name
                        .as_internal()
                        .strip_prefix(class.as_internal())
                        .is_some_and(|rest| rest.starts_with('$'))
            };
            chosen.iter().any(is_in) && !options.exclude.iter().any(|it| matches(it, &binary))
        };
        let mut classes = Vec::new();
        for name in self.world.project_classes().iter().filter(|name| is_meant(name)) {
            match mutated(&self.world, name, operators) {
                Ok(class) => classes.push(class),
                Err(why) => warnings.push(format!("{name} is not mutated: {why}")),
            }
        }
        classes.sort_by(|a, b| a.name.cmp(&b.name));
        classes.retain(|class| !class.mutants.is_empty());
        Ok(Part {
            module: self.module,
            subject: self.subject,
            suite,
            classes,
            sources: Sources::of(self.sources),
        })
    }
}

fn mutated(world: &World, name: &ClassName, operators: Operators) -> Result<MutatedClass, String> {
    let bytes = world.class_bytes(name).ok_or("it cannot be read")?;
    let class = ClassFile::parse(&bytes).map_err(|error| error.to_string())?;
    let mutants = mutants::mutants(&class, operators).map_err(|error| error.to_string())?;
    Ok(MutatedClass { name: name.as_internal().to_owned(), bytes, mutants })
}

/// A name that no module has a test class of is a slip of the finger.
fn check_test_classes(options: &MutateOptions, parts: &[Part]) -> Result<(), Failure> {
    for name in &options.test_classes {
        let file = format!("{}.class", name.replace('.', "/"));
        let roots = || parts.iter().flat_map(|part| &part.suite.roots);
        // What is in a jar JUnit looks for.
        if roots().all(|root| root.is_dir() && !root.join(&file).is_file()) {
            return Err(Failure::bad_input(format!("there is no test class `{name}`")));
        }
    }
    Ok(())
}
