//! What is run: a main class or tests, on classes that check the contracts of their sources.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use classpath::World;
use model::{ClassName, ClassSource};
use toolchain::{Jdk, Maven, MavenBuild, MavenProject};
use worker::{MonitorSurvey, Scratch, Services};

use super::suite::Suite;
use crate::check_args::CheckOptions;
use crate::class_path::{entries, join, refuse_broken_entries};
use crate::exit::Failure;
use crate::jml::{self, Checked, Sources};
use crate::monitor;
use crate::names::{did_you_mean, resolve, simple};
use crate::target::{jdk, launcher, subject, world};

/// A program with its contracts.
pub(super) struct Program {
    pub(super) jdk: Jdk,
    /// What is checked; `None` if there are no contracts.
    pub(super) checked: Option<Checked>,
    /// One, or one for each module that has tests.
    pub(super) runs: Vec<Run>,
    /// Folders of classes that are the user's own, tests included.
    pub(super) own: Vec<PathBuf>,
    pub(super) warnings: Vec<String>,
    /// Where all that is made for this run lies.
    pub(super) scratch: Arc<Scratch>,
}

/// A JVM to start.
pub(super) struct Run {
    pub(super) class_path: String,
    /// Where it stands, if that is not where the user does.
    pub(super) folder: Option<PathBuf>,
    pub(super) what: What,
}

/// What it runs.
pub(super) enum What {
    /// `main` of a class.
    Main { class: String, arguments: Vec<OsString> },
    /// The test classes in these folders; if some are named, only those.
    Tests { folders: Vec<PathBuf>, classes: Vec<String> },
}

/// The compiled classes of a program.
struct Compiled {
    /// Its own classes, and what stands beside them.
    project: Vec<PathBuf>,
    dependencies: Vec<PathBuf>,
}

/// What a program is put together with.
pub(super) struct Workshop<'a> {
    pub(super) options: &'a CheckOptions,
    jdk: Jdk,
    survey: MonitorSurvey,
    scratch: Arc<Scratch>,
    keys: contracts::Keys,
}

impl Program {
    /// Reads what the command line asks for, weaves and compiles it.
    pub(super) fn read(options: &CheckOptions) -> anyhow::Result<Self> {
        let jdk = jdk(&options.machine)?;
        let workshop = Workshop {
            options,
            survey: monitor::survey(&jdk.home)?,
            jdk,
            scratch: Arc::new(Scratch::new()?),
            keys: contracts::Keys::new(options.contracts.jml_keys.iter().map(String::as_str)),
        };
        match &options.project {
            Some(directory) => workshop.of_project(directory),
            None => workshop.of_sources(),
        }
    }
}

impl Workshop<'_> {
    fn of_sources(self) -> anyhow::Result<Program> {
        let options = self.options;
        let sources = Sources::read(&options.source, &self.keys)?;
        let of = |path: &Option<String>| path.as_deref().map_or(Ok(Vec::new()), entries);
        let dependencies = of(&options.dependencies)?;
        let mut project = of(&options.classpath)?;
        let services = self.services(&[], &dependencies)?;
        if project.is_empty() {
            let folder = self.scratch.folder("plain")?;
            jml::compile_plain(&sources, &services, &join(&dependencies), &folder)?;
            project.push(folder);
        }
        let compiled = Compiled { project, dependencies };
        let checked = self.checked(&sources, &services, &compiled)?;
        let program = self.program(checked, &compiled);
        if options.main.is_some() {
            return self.with_main(program, &compiled);
        }
        let suite = Suite::of(&self, &services, &compiled.project, &compiled.dependencies)?;
        let runs =
            vec![suite.run(program.classes(), &compiled.project, &compiled.dependencies, None)?];
        let own = program.own.iter().chain(&suite.folders).cloned().collect();
        Ok(Program { runs, own, ..program })
    }

    fn of_project(self, directory: &Path) -> anyhow::Result<Program> {
        let parent = directory.parent().filter(|_| directory.ends_with("pom.xml"));
        let directory = match parent {
            Some(parent) if parent == Path::new("") => Path::new("."),
            other => other.unwrap_or(directory),
        };
        if !directory.is_dir() {
            let message = format!("the project folder `{}` does not exist", directory.display());
            return Err(Failure::bad_input(message).into());
        }
        let maven = Maven::find(Some(directory))?.on(&self.jdk);
        let build = MavenBuild::read(&maven, directory)?;
        let modules = &build.projects;
        let folders: Vec<PathBuf> = modules.iter().map(|m| m.source_directory.clone()).collect();
        let folders: Vec<PathBuf> = folders.into_iter().filter(|folder| folder.is_dir()).collect();
        let sources = Sources::read(&folders, &self.keys)?;
        let project: Vec<PathBuf> = modules.iter().map(|m| m.output_directory.clone()).collect();
        let mut dependencies: Vec<PathBuf> = Vec::new();
        for entry in modules.iter().flat_map(MavenProject::test_class_path) {
            if entry.exists() && !project.contains(&entry) && !dependencies.contains(&entry) {
                dependencies.push(entry);
            }
        }
        let services = self.services(&project, &dependencies)?;
        let compiled = Compiled { project, dependencies };
        let checked = self.checked(&sources, &services, &compiled)?;
        let program = self.program(checked, &compiled);
        if self.options.main.is_some() {
            return self.with_main(program, &compiled);
        }
        let mut runs = Vec::new();
        let mut own = program.own.clone();
        let mut is_found = vec![false; self.options.tests.len()];
        for module in modules {
            let folder = &module.test_output_directory;
            let path = module.test_class_path();
            let others: Vec<PathBuf> =
                path.into_iter().filter(|entry| entry.exists() && entry != folder).collect();
            if folder.is_dir() {
                let suite = Suite::compiled(folder, &self.options.tests, &mut is_found);
                own.push(folder.clone());
                if let Some(suite) = suite {
                    runs.push(suite.run(
                        program.classes(),
                        &[],
                        &others,
                        Some(&module.directory),
                    )?);
                }
            }
        }
        if let Some((name, _)) = self.options.tests.iter().zip(is_found).find(|(_, is)| !is) {
            let message = format!("there is no test class `{name}` in the project");
            return Err(Failure::bad_input(message).into());
        }
        if runs.is_empty() {
            let message = "the project has no compiled tests; name a class to run with --main";
            return Err(Failure::bad_input(message).into());
        }
        Ok(Program { runs, own, ..program })
    }

    /// Compilers for such a class path.
    fn services(&self, project: &[PathBuf], others: &[PathBuf]) -> anyhow::Result<Services> {
        let subject = subject((&self.jdk, &self.survey), project.to_vec(), others.to_vec());
        Ok(Services::new(launcher(&self.options.machine)?, subject, self.scratch.clone()))
    }

    fn world(&self, project: &[PathBuf], others: &[PathBuf]) -> anyhow::Result<Arc<World>> {
        let world = world(&subject((&self.jdk, &self.survey), project.to_vec(), others.to_vec()))?;
        refuse_broken_entries(&world, &[project, others].concat())?;
        Ok(world)
    }

    /// Classes that check the contracts of the sources, if there are any.
    fn checked(
        &self,
        sources: &Sources,
        services: &Services,
        compiled: &Compiled,
    ) -> anyhow::Result<Option<Checked>> {
        let world = self.world(&compiled.project, &compiled.dependencies)?;
        if !sources.have_contracts() || self.options.contracts.no_contracts {
            return Ok(None);
        }
        let path = join(&[&compiled.project[..], &compiled.dependencies].concat());
        let folder = self.scratch.folder("checked")?;
        let mut weaving = self.options.contracts.weaving();
        weaving.values = true;
        jml::check_classes(sources, services, (&world, &path), &folder, &weaving).map(Some)
    }

    /// The program without anything to run yet.
    fn program(&self, checked: Option<Checked>, compiled: &Compiled) -> Program {
        let mut warnings = Vec::new();
        if self.options.contracts.no_contracts {
            warnings.push("contracts are not checked, as --no-contracts says".to_owned());
        } else if checked.as_ref().is_none_or(|checked| checked.clauses.is_empty()) {
            warnings.push("the sources have no contracts: nothing is checked".to_owned());
        }
        Program {
            jdk: self.jdk.clone(),
            own: compiled.project.iter().filter(|entry| entry.is_dir()).cloned().collect(),
            checked,
            runs: Vec::new(),
            warnings,
            scratch: self.scratch.clone(),
        }
    }

    fn with_main(&self, program: Program, compiled: &Compiled) -> anyhow::Result<Program> {
        let wanted = self.options.main.as_deref().unwrap_or_default();
        let world = self.world(&compiled.project, &compiled.dependencies)?;
        let class = main_class(&world, wanted)?;
        let path = [program.classes(), &compiled.project, &compiled.dependencies].concat();
        let what = What::Main { class, arguments: self.options.arguments.clone() };
        let run = Run { class_path: join(&path), folder: None, what };
        Ok(Program { runs: vec![run], ..program })
    }

    /// Compiles test sources; what they are tests of stands in the class path as it was written.
    pub(super) fn compile(
        &self,
        services: &Services,
        folder: &Path,
        class_path: &str,
    ) -> anyhow::Result<PathBuf> {
        let sources = Sources::read(&[folder.to_owned()], &self.keys)?;
        let classes = self.scratch.folder("tests")?;
        jml::compile_plain(&sources, services, class_path, &classes)?;
        Ok(classes)
    }
}

impl Program {
    /// The folder of classes that check their contracts; it goes before all others.
    fn classes(&self) -> &[PathBuf] {
        self.checked.as_ref().map_or(&[], |checked| std::slice::from_ref(&checked.classes.folder))
    }
}

/// The class that a command line names, if it can be run.
fn main_class(world: &World, wanted: &str) -> Result<String, Failure> {
    let Some(name) = resolve(wanted, |name| world.contains(name)) else {
        let all = world.project_classes().iter();
        let names = all.map(|name| (simple(name.as_internal()).to_owned(), name.to_binary()));
        let hint = did_you_mean(simple(wanted), names);
        let message = format!("there is no class `{wanted}` to run{hint}");
        return Err(Failure::bad_input(message));
    };
    if has_main(world, &name) {
        return Ok(name.to_binary());
    }
    let others: Vec<String> = (world.project_classes().iter())
        .filter(|class| has_main(world, class))
        .map(ClassName::to_binary)
        .collect();
    let hint = match &*others {
        [] => "no class of the sources has one".to_owned(),
        others => format!("it is in {}", others.join(", ")),
    };
    Err(Failure::bad_input(format!("the class `{name}` has no method `main`; {hint}")))
}

/// Whether a class has a method `main`, be it inherited from a class that nobody can read.
fn has_main(world: &World, name: &ClassName) -> bool {
    let mut name = name.clone();
    // No hierarchy is as deep; one that is circular is no reason to hang.
    for _ in 0..256 {
        let Some(class) = world.class(&name) else { return true };
        if class.methods.iter().any(|method| &*method.name == "main") {
            return true;
        }
        match &class.superclass {
            Some(superclass) => name = superclass.clone(),
            None => return false,
        }
    }
    false
}
