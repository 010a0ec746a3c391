//! The tests of a command line: where they are and which of them are meant.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use classpath::World;
use model::{Class, ClassName, ClassSource, Hierarchy, Nesting, Origin};
use toolchain::{JUnitConsole, Jdk, Maven, MavenBuild};
use worker::Subject;

use super::bench::{Bench, Found};
use crate::canon_args::CanonOptions;
use crate::class_path::{entries, refuse_broken_entries};
use crate::exit::Failure;
use crate::monitor;
use crate::names::{did_you_mean, resolve, simple};
use crate::target::{jdk, subject, world};

/// Compiled tests with all they need.
pub(crate) struct Tests {
    pub(crate) subject: Subject,
    /// The tests are the project of this world.
    pub(crate) world: Arc<World>,
}

/// One of these is there where there are tests.
const JUNIT: [&str; 3] =
    ["org/junit/jupiter/api/Test", "org/junit/Test", "junit/framework/TestCase"];

impl Tests {
    /// Finds what the command line names.
    pub(crate) fn read(options: &CanonOptions) -> anyhow::Result<Self> {
        let jdk = jdk(&options.machine)?;
        match &options.project {
            Some(directory) => Self::of_project(&jdk, directory),
            None => {
                let of = |path: &Option<String>| path.as_deref().map_or(Ok(Vec::new()), entries);
                let tests = of(&options.test_classpath)?;
                if tests.is_empty() {
                    return Err(Failure::bad_input("the test class path is empty").into());
                }
                let mut others = of(&options.classpath)?;
                others.extend(of(&options.dependencies)?);
                Self::of_path(&jdk, tests, others)
            }
        }
    }

    /// Tests on a class path, with what they test and need.
    pub(crate) fn of_path(
        jdk: &Jdk,
        tests: Vec<PathBuf>,
        others: Vec<PathBuf>,
    ) -> anyhow::Result<Self> {
        let survey = monitor::survey(&jdk.home)?;
        let mut subject = subject((jdk, &survey), tests, others);
        let mut world = world(&subject)?;
        refuse_broken_entries(&world, &[&subject.project[..], &subject.dependencies].concat())?;
        if !JUNIT.iter().any(|class| world.contains(&ClassName::internal(class))) {
            let console = JUnitConsole::find(&subject.dependencies)?;
            subject.dependencies.extend(console.first.into_iter().chain(console.last));
            world = crate::target::world(&subject)?;
        }
        Ok(Self { subject, world })
    }

    fn of_project(jdk: &Jdk, directory: &Path) -> anyhow::Result<Self> {
        if !directory.is_dir() {
            let message = format!("the project folder `{}` does not exist", directory.display());
            return Err(Failure::bad_input(message).into());
        }
        let maven = Maven::find(Some(directory))?.on(jdk);
        let build = MavenBuild::read(&maven, directory)?;
        let mut tests = Vec::new();
        let mut others: Vec<PathBuf> = Vec::new();
        for module in &build.projects {
            let folder = &module.test_output_directory;
            if folder.is_dir() {
                tests.push(folder.clone());
            }
            for entry in module.test_class_path() {
                if entry.exists() && entry != *folder && !others.contains(&entry) {
                    others.push(entry);
                }
            }
        }
        if tests.is_empty() {
            return Err(Failure::bad_input("the project has no compiled tests").into());
        }
        others.retain(|entry| !tests.contains(entry));
        Self::of_path(jdk, tests, others)
    }

    /// The classes that are meant, with the tests that are; all, if none is named.
    pub(crate) fn chosen(
        &self,
        named: &[String],
        bench: &mut Bench<'_>,
    ) -> anyhow::Result<Vec<(ClassName, Vec<Found>)>> {
        if named.is_empty() {
            return self.all(bench);
        }
        let mut chosen: Vec<(ClassName, Vec<Found>)> = Vec::new();
        for name in named {
            let (class, method) = match name.split_once('#') {
                Some((class, method)) => (class, Some(method)),
                None => (&**name, None),
            };
            let class = self.class(class)?;
            let mut found = bench.tests_of(&class)?;
            if let Some(method) = method {
                let names = found.iter().map(|found| (found.name.clone(), found.name.clone()));
                let hint = did_you_mean(method, names);
                found.retain(|found| found.name == method || of_runs(&found.name) == method);
                if found.is_empty() {
                    let message = format!("the class `{class}` has no test `{method}`{hint}");
                    return Err(Failure::bad_input(message).into());
                }
                add(&mut chosen, class, found);
                continue;
            }
            let mut all = vec![(class.clone(), found)];
            for nested in self.nested(&class) {
                let found = bench.tests_of(&nested)?;
                all.push((nested, found));
            }
            all.retain(|(_, found)| !found.is_empty());
            if all.is_empty() {
                let message = format!("the class `{class}` has no tests");
                return Err(Failure::bad_input(message).into());
            }
            all.into_iter().for_each(|(class, found)| add(&mut chosen, class, found));
        }
        Ok(chosen)
    }

    /// The classes in a class that may have tests of their own.
    fn nested(&self, class: &ClassName) -> Vec<ClassName> {
        let prefix = format!("{}$", class.as_internal());
        let all = self.world.project_classes().iter();
        let nested = all.filter(|name| name.as_internal().starts_with(&prefix));
        nested.filter(|name| self.may_have_tests(name)).cloned().collect()
    }

    fn class(&self, wanted: &str) -> Result<ClassName, Failure> {
        let is_test = |name: &ClassName| self.world.origin(name) == Some(Origin::Project);
        resolve(wanted, is_test).ok_or_else(|| {
            let all = self.world.project_classes().iter();
            let names = all.map(|name| (simple(name.as_internal()).to_owned(), name.to_binary()));
            let hint = did_you_mean(simple(wanted), names);
            Failure::bad_input(format!("there is no test class `{wanted}`{hint}"))
        })
    }

    fn all(&self, bench: &mut Bench<'_>) -> anyhow::Result<Vec<(ClassName, Vec<Found>)>> {
        let mut all = Vec::new();
        for name in self.world.project_classes() {
            if !self.may_have_tests(name) {
                continue;
            }
            let found = bench.tests_of(name)?;
            if !found.is_empty() {
                all.push((name.clone(), found));
            }
        }
        if all.is_empty() {
            return Err(Failure::bad_input("there are no tests on the test class path").into());
        }
        Ok(all)
    }

    /// Whether a class can be made, and has, or inherits, methods that are marked as tests.
    fn may_have_tests(&self, name: &ClassName) -> bool {
        let is_made = self.world.class(name).is_some_and(|class| {
            !class.is_interface() && !class.access.is_abstract() && class.nesting != Nesting::Local
        });
        is_made && self.world.supertypes(name).iter().any(|class| has_tests(class))
    }
}

fn has_tests(class: &Class) -> bool {
    class.name.as_internal() == "junit/framework/TestCase"
        || class.methods.iter().flat_map(|method| &method.annotations).any(|annotation| {
            let name = annotation.ty.as_internal();
            name.starts_with("org/junit/") && name.contains("Test")
        })
}

/// The name of a test without the number of its run.
pub(super) fn of_runs(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// Adds tests of a class to those that are chosen.
fn add(chosen: &mut Vec<(ClassName, Vec<Found>)>, class: ClassName, mut found: Vec<Found>) {
    match chosen.iter_mut().find(|(known, _)| *known == class) {
        Some((_, tests)) => {
            found.retain(|new| !tests.iter().any(|known| known.name == new.name));
            tests.extend(found);
        }
        None => chosen.push((class, found)),
    }
}
