//! Classes of a build: a Maven project, or what Gradle left, in which modules need each other.
//!
//! Contracts of all modules are woven together, for code of one breaks those of another; what is made of
//! them stands before the classes of each module, in searches only.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use classpath::World;
use model::ClassName;
use toolchain::{GradleBuild, JUnitKind, Maven, MavenBuild, MavenProject};
use worker::{Scratch, Services, Subject};
use writer::Junit;

use super::{
    Classes, On, Order, Target, choose, dependencies, launcher, release_of_tests, subject, world,
};
use crate::args::GenerateOptions;
use crate::class_path::join;
use crate::exit::Failure;
use crate::jml::{self, Checked, Sources};
use crate::missing::Remedy;
use crate::mockito::Mockito;

pub(super) fn of_project(
    options: &GenerateOptions,
    on: On<'_>,
    directory: &Path,
) -> anyhow::Result<Order> {
    // Who names the build file means its folder.
    let is_build_file = directory.is_file()
        && (directory.ends_with("pom.xml") || GradleBuild::is_build_file(directory));
    let parent = directory.parent().filter(|_| is_build_file);
    let directory =
        parent.map_or(directory, |p| if p == Path::new("") { Path::new(".") } else { p });
    if directory.is_file() {
        let message = format!("`{}` is no folder: give that of the project", directory.display());
        return Err(Failure::bad_input(message).into());
    }
    if !directory.is_dir() {
        let message = format!("the project folder `{}` does not exist", directory.display());
        return Err(Failure::bad_input(message).into());
    }
    if !directory.join("pom.xml").is_file() && GradleBuild::is_in(directory) {
        return of_gradle(options, on, directory);
    }
    if options.dependencies.is_some() || options.test_dependencies.is_some() {
        let message = "--dependencies and --test-dependencies are for --classpath and for Gradle \
                       builds; what a Maven project needs stands in its POM";
        return Err(Failure::bad_input(message).into());
    }
    let maven = Maven::find(Some(directory))?.on(on.0);
    let build = MavenBuild::read(&maven, directory)?;
    let mut subjects = Vec::new();
    for module in &build.projects {
        let dependencies = module.runtime_class_path()[1..].to_vec();
        let mut subject = subject(on, vec![module.output_directory.clone()], dependencies);
        subject.release = Some(release_of_tests(module.release, &subject));
        let world = world(&subject)?;
        subjects.push((subject, world));
    }
    let worlds: Vec<&World> = subjects.iter().map(|(_, world)| &**world).collect();
    let (chosen, exceptions) = choose(options, &worlds)?;
    refuse_one_folder_for_several(options, &chosen)?;
    let mut targets = Vec::new();
    let modules = build.projects.iter().map(|module| {
        let classes = std::slice::from_ref(&module.output_directory);
        (&*module.source_directory, classes)
    });
    let paths = subjects.iter().map(|(subject, _)| subject).zip(&chosen);
    let contracts = Contracts::of(options, on, modules, paths)?;
    for ((module, (subject, world)), classes) in build.projects.iter().zip(subjects).zip(chosen) {
        if !classes.is_empty() {
            let target = of_module(options, module, subject, world)?;
            targets.push((contracts.checked_in(target), classes));
        }
    }
    let warnings = contracts.warnings;
    Ok(Order { targets, exceptions, remedy: Remedy::Pom, warnings })
}

/// A Gradle build as it was left by Gradle. Its projects may need each other.
fn of_gradle(options: &GenerateOptions, on: On<'_>, directory: &Path) -> anyhow::Result<Order> {
    let build = GradleBuild::read(directory)?;
    let named = dependencies(options)?;
    let mut parts = Vec::new();
    for project in &build.projects {
        let others = build.projects.iter().filter(|other| *other != project);
        let others = others.flat_map(|other| other.classes.iter().chain(&other.resources));
        let dependencies = project.resources.iter().chain(others).chain(&named).cloned().collect();
        let classes = Classes {
            project: project.classes.clone(),
            dependencies,
            junit: build.junit,
            out: project.test_source_directory(),
        };
        let opened = classes.open(on)?;
        parts.push((classes, opened));
    }
    let worlds: Vec<&World> = parts.iter().map(|(_, (_, world))| &**world).collect();
    let (chosen, exceptions) = choose(options, &worlds)?;
    refuse_one_folder_for_several(options, &chosen)?;
    let folders: Vec<PathBuf> = build.projects.iter().map(|it| it.source_directory()).collect();
    let modules = folders.iter().zip(&build.projects);
    let modules = modules.map(|(folder, project)| (&**folder, &*project.classes));
    let paths = parts.iter().map(|(_, (subject, _))| subject).zip(&chosen);
    let contracts = Contracts::of(options, on, modules, paths)?;
    let mut targets = Vec::new();
    for ((classes, opened), chosen) in parts.into_iter().zip(chosen) {
        if !chosen.is_empty() {
            targets.push((contracts.checked_in(classes.target(options, opened)?), chosen));
        }
    }
    let warnings = contracts.warnings;
    Ok(Order { targets, exceptions, remedy: Remedy::Dependencies, warnings })
}

/// The contracts of a build.
struct Contracts {
    /// Classes that check them, if there are any, and where they lie.
    checked: Option<(Arc<Checked>, Arc<Scratch>)>,
    warnings: Vec<String>,
}

impl Contracts {
    /// Those of the modules with chosen classes and of the modules that they need. A module is its
    /// source folder with its folders of classes; a path is that of a module with what is chosen there.
    fn of<'a>(
        options: &GenerateOptions,
        on: On<'_>,
        modules: impl Iterator<Item = (&'a Path, &'a [PathBuf])>,
        paths: impl Iterator<Item = (&'a Subject, &'a Vec<ClassName>)>,
    ) -> anyhow::Result<Self> {
        let mut contracts = Self { checked: None, warnings: Vec::new() };
        if options.contracts.no_contracts {
            return Ok(contracts);
        }
        let mut path: Vec<&PathBuf> = Vec::new();
        for (subject, _) in paths.filter(|(_, chosen)| !chosen.is_empty()) {
            path.extend(subject.project.iter().chain(&subject.dependencies));
        }
        let is_needed =
            |(_, classes): &(&Path, &[PathBuf])| classes.iter().any(|it| path.contains(&it));
        let (folders, classes): (Vec<_>, Vec<_>) = modules.filter(is_needed).unzip();
        let folders: Vec<PathBuf> = folders.into_iter().map(Path::to_owned).collect();
        let keys = contracts::Keys::new(options.contracts.jml_keys.iter().map(String::as_str));
        let sources = Sources::of_build(&folders, &keys)?;
        contracts.warnings.extend(sources.only_mistakes());
        if !sources.have_contracts() {
            return Ok(contracts);
        }
        let project: Vec<PathBuf> = classes.into_iter().flatten().cloned().collect();
        let mut seen: BTreeSet<&PathBuf> = project.iter().collect();
        path.retain(|entry| seen.insert(*entry));
        let others: Vec<PathBuf> = path.into_iter().cloned().collect();
        let class_path = join(&[&project[..], &others].concat());
        let all = subject(on, project, others);
        let known = world(&all)?;
        let scratch = Arc::new(Scratch::new()?);
        let services = Services::new(launcher(&options.machine)?, all, scratch.clone());
        let folder = scratch.folder("checked")?;
        let weaving = options.contracts.weaving();
        let known = (&*known, &*class_path);
        let checked = jml::check_classes(&sources, &services, known, &folder, &weaving)?;
        contracts.checked = Some((Arc::new(checked), scratch));
        Ok(contracts)
    }

    /// A module whose searches check contracts.
    fn checked_in(&self, mut target: Target) -> Target {
        if let Some((checked, scratch)) = &self.checked {
            target.subject.checked = Some(checked.classes.clone());
            target.contracts = Some(checked.clone());
            target.made_in = Some(scratch.clone());
        }
        target
    }
}

fn refuse_one_folder_for_several(
    options: &GenerateOptions,
    chosen: &[Vec<ClassName>],
) -> Result<(), Failure> {
    if options.out.is_some() && chosen.iter().filter(|classes| !classes.is_empty()).count() > 1 {
        let message = "--out is for the classes of one module, and these are of several, each of \
                       which has a test folder; leave it out, or choose classes with --package";
        return Err(Failure::bad_input(message));
    }
    Ok(())
}

fn of_module(
    options: &GenerateOptions,
    module: &MavenProject,
    subject: Subject,
    world: Arc<World>,
) -> anyhow::Result<Target> {
    let on_path = module.junit().with_context(|| format!("module {}", module.artifact))?;
    let has = if on_path.kind == JUnitKind::JUnit4 { 4 } else { 5 };
    if options.junit.is_some_and(|wanted| wanted != has) {
        let message = format!("{} has JUnit {has}; --junit asks for another", module.artifact);
        return Err(Failure::bad_input(message).into());
    }
    let junit = match on_path.kind {
        JUnitKind::JUnit4 => {
            let minor = on_path.version.strip_prefix("4.").and_then(|rest| {
                rest.split(['.', '-']).next().and_then(|minor| minor.parse::<u32>().ok())
            });
            Junit::Four { assert_throws: minor.is_some_and(|minor| minor >= 13) }
        }
        JUnitKind::Jupiter => Junit::Five,
    };
    let existing: Vec<PathBuf> =
        module.test_class_path().into_iter().filter(|entry| entry.exists()).collect();
    Ok(Target {
        mockito: Mockito::on(&existing, junit, subject.feature),
        world,
        subject,
        test_class_path: join(&existing),
        junit,
        out: options.out.clone().unwrap_or_else(|| module.test_source_directory.clone()),
        contracts: None,
        made_in: None,
    })
}
