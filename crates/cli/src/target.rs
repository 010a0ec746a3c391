//! What tests are written for, with all that is needed to run and compile them: from a class path,
//! a Maven project, or a Gradle build that was built.

mod builds;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use classpath::World;
use model::ClassName;
use search::Exceptions;
use toolchain::{JUnitKind, JUnitSources, Jdk, Looked};
use worker::{Launcher, MonitorSurvey, Scratch, Services, Subject};
use writer::Junit;

use crate::args::{GenerateOptions, MachineOptions};
use crate::class_path::{entries, join, refuse_broken_entries};
use crate::console;
use crate::exit::Failure;
use crate::jml::{self, Checked, Sources};
use crate::missing::Remedy;
use crate::mockito::Mockito;
use crate::monitor;
use crate::select::{Selection, exceptions};

/// The oldest JDK that runs the tests.
const MIN_JDK: u32 = 17;

/// A set of classes and how their tests are made.
pub(crate) struct Target {
    pub(crate) subject: Subject,
    pub(crate) world: Arc<World>,
    /// The subject, JUnit and whatever tests may use.
    pub(crate) test_class_path: String,
    pub(crate) junit: Junit,
    /// What tests may use of Mockito.
    pub(crate) mockito: Mockito,
    pub(crate) out: PathBuf,
    /// The contracts that are checked, if the classes have any.
    pub(crate) contracts: Option<Arc<Checked>>,
    /// Where classes lie that were made for this run only.
    pub(crate) made_in: Option<Arc<Scratch>>,
}

/// The JDK to use; a `JAVA_HOME` that is passed over is told of.
pub(crate) fn jdk(options: &MachineOptions) -> anyhow::Result<Jdk> {
    select_jdk(options.jdk.as_deref())
}

/// The same, where no other option counts.
pub(crate) fn select_jdk(named: Option<&Path>) -> anyhow::Result<Jdk> {
    let jdk = toolchain::select(named, MIN_JDK)?;
    if named.is_none()
        && let Some(looked) = toolchain::unsuitable_java_home(MIN_JDK)
    {
        console::note(&passed_over(&looked, &jdk));
    }
    Ok(jdk)
}

/// Says that `JAVA_HOME` is not used.
fn passed_over(looked: &Looked, jdk: &Jdk) -> String {
    format!(
        "warning: JAVA_HOME is `{}`, which cannot be used ({}); using `{}`",
        looked.home.display(),
        looked.reason,
        jdk.home.display()
    )
}

/// A JDK with what the effect monitor knows of it.
pub(crate) type On<'a> = (&'a Jdk, &'a MonitorSurvey);

/// A subject of these classes on that JDK.
pub(crate) fn subject(
    (jdk, survey): On<'_>,
    project: Vec<PathBuf>,
    dependencies: Vec<PathBuf>,
) -> Subject {
    Subject {
        jdk_home: jdk.home.clone(),
        libjvm: jdk.libjvm.clone(),
        feature: jdk.version.feature,
        project,
        dependencies,
        release: None,
        summaries: None,
        unknown_natives: survey.taken_for_effects.clone(),
        checked: None,
    }
}

/// The classes of a subject.
pub(crate) fn world(subject: &Subject) -> anyhow::Result<Arc<World>> {
    Ok(Arc::new(subject.world()?))
}

/// What tests are compiled for, if the classes are for that release: they go where those are
/// compiled. JUnit needs 8.
fn release_of_tests(release: u16, subject: &Subject) -> u16 {
    release.max(8).min(subject.feature as u16)
}

/// What a command line asks for.
pub(crate) struct Order {
    /// One target, or one per module of a build that has chosen classes; none is empty.
    pub(crate) targets: Vec<(Target, Vec<ClassName>)>,
    pub(crate) exceptions: Exceptions,
    pub(crate) remedy: Remedy,
    /// What there is to tell of the JDK and of contracts.
    pub(crate) warnings: Vec<String>,
}

/// Reads the command line. All names on it are looked up before anything is fetched or run.
pub(crate) fn order(options: &GenerateOptions) -> anyhow::Result<Order> {
    let jdk = jdk(&options.machine)?;
    let survey = monitor::survey(&jdk.home)?;
    let on = (&jdk, &survey);
    let mut order = match (&options.project, &options.classpath) {
        (Some(directory), _) => builds::of_project(options, on, directory),
        (None, _) if !options.source.is_empty() => of_sources(options, on),
        (None, Some(path)) => of_class_path(options, on, path),
        (None, None) => Err(Failure::bad_input("give --classpath, --source or --project").into()),
    }?;
    let told = std::mem::replace(&mut order.warnings, monitor::warnings(&survey));
    order.warnings.extend(told);
    Ok(order)
}

/// The classes chosen in each world, and the exceptions named.
fn choose(
    options: &GenerateOptions,
    worlds: &[&World],
) -> Result<(Vec<Vec<ClassName>>, Exceptions), Failure> {
    let selection = Selection {
        classes: &options.classes,
        packages: &options.packages,
        exclude: &options.exclude,
    };
    let named = [
        &options.failure_exceptions[..],
        &options.invalid_exceptions[..],
        &options.expected_exceptions[..],
    ];
    let named = exceptions(worlds, named)?;
    let exceptions = Exceptions { noise: options.noise.clone(), ..named };
    Ok((selection.choose(worlds)?, exceptions))
}

/// Classes to write tests for, without a build that tells what they need.
struct Classes {
    project: Vec<PathBuf>,
    dependencies: Vec<PathBuf>,
    /// What they are tested with, unless the user says otherwise.
    junit: JUnitKind,
    /// Where tests go, unless the user says otherwise.
    out: PathBuf,
}

impl Classes {
    /// Opens them.
    fn open(&self, on: On<'_>) -> anyhow::Result<(Subject, Arc<World>)> {
        opened(on, self.project.clone(), self.dependencies.clone())
    }

    fn entries(&self) -> Vec<PathBuf> {
        self.project.iter().chain(&self.dependencies).cloned().collect()
    }

    fn target(
        &self,
        options: &GenerateOptions,
        (subject, world): (Subject, Arc<World>),
    ) -> anyhow::Result<Target> {
        let kind = match options.junit {
            Some(4) => JUnitKind::JUnit4,
            Some(_) => JUnitKind::Jupiter,
            None => self.junit,
        };
        let given = options.junit_jars.as_deref().map_or(Ok(Vec::new()), entries)?;
        let for_tests = options.test_dependencies.as_deref().map_or(Ok(Vec::new()), entries)?;
        let tools =
            Subject { project: Vec::new(), dependencies: for_tests.clone(), ..subject.clone() };
        refuse_broken_entries(&*self::world(&tools)?, &for_tests)?;
        let mut test_path = self.entries();
        test_path.extend(for_tests);
        let mut seen = BTreeSet::new();
        test_path.retain(|entry| seen.insert(entry.clone()));
        let jars =
            toolchain::junit_jars(kind, JUnitSources { given: &given, class_path: &test_path })?;
        let junit = match kind {
            JUnitKind::JUnit4 => Junit::Four { assert_throws: has_assert_throws(&jars) },
            JUnitKind::Jupiter => Junit::Five,
        };
        let others = jars.into_iter().filter(|jar| !test_path.contains(jar)).collect::<Vec<_>>();
        test_path.extend(others);
        Ok(Target {
            test_class_path: join(&test_path),
            mockito: Mockito::on(&test_path, junit, subject.feature),
            subject,
            world,
            junit,
            out: options.out.clone().unwrap_or_else(|| self.out.clone()),
            contracts: None,
            made_in: None,
        })
    }
}

/// Classes of a class path as tests may use them; what was named and cannot be opened is refused.
pub(crate) fn opened(
    on: On<'_>,
    project: Vec<PathBuf>,
    dependencies: Vec<PathBuf>,
) -> anyhow::Result<(Subject, Arc<World>)> {
    let mut subject = subject(on, project, dependencies);
    let compiled = world(&subject)?;
    let named: Vec<PathBuf> =
        subject.project.iter().chain(&subject.dependencies).cloned().collect();
    refuse_broken_entries(&compiled, &named)?;
    let release = compiled.release_of_project();
    subject.release = release.map(|release| release_of_tests(release, &subject));
    let world = world(&subject)?;
    Ok((subject, world))
}

fn dependencies(options: &GenerateOptions) -> Result<Vec<PathBuf>, Failure> {
    options.dependencies.as_deref().map_or(Ok(Vec::new()), entries)
}

/// Java sources, with the classes of a class path or with those that they are compiled to.
fn of_sources(options: &GenerateOptions, on: On<'_>) -> anyhow::Result<Order> {
    let keys = contracts::Keys::new(options.contracts.jml_keys.iter().map(String::as_str));
    let sources = Sources::read(&options.source, &keys)?;
    let scratch = Arc::new(Scratch::new()?);
    let dependencies = dependencies(options)?;
    let compiling = subject(on, Vec::new(), dependencies.clone());
    let services = Services::new(launcher(&options.machine)?, compiling, scratch.clone());
    let project = match &options.classpath {
        Some(path) => entries(path)?,
        None => {
            let folder = scratch.folder("plain")?;
            jml::compile_plain(&sources, &services, &join(&dependencies), &folder)?;
            vec![folder]
        }
    };
    let (junit, out) = (JUnitKind::Jupiter, PathBuf::from("testhound-tests"));
    let classes = Classes { project, dependencies, junit, out };
    let (mut subject, world) = classes.open(on)?;
    let mut checked = None;
    if sources.have_contracts() && !options.contracts.no_contracts {
        let folder = scratch.folder("checked")?;
        let known = (&*world, &*join(&classes.entries()));
        let woven =
            jml::check_classes(&sources, &services, known, &folder, &options.contracts.weaving())?;
        subject.checked = Some(woven.classes.clone());
        checked = Some(Arc::new(woven));
    }
    let (mut chosen, exceptions) = choose(options, &[&world])?;
    let mut target = classes.target(options, (subject, world))?;
    target.contracts = checked;
    target.made_in = Some(scratch);
    let targets = vec![(target, chosen.pop().unwrap_or_default())];
    Ok(Order { targets, exceptions, remedy: Remedy::Dependencies, warnings: Vec::new() })
}

/// Workers as the command line wants them.
pub(crate) fn launcher(options: &MachineOptions) -> std::io::Result<Launcher> {
    let mut launcher = Launcher::this_executable(!options.no_sandbox)?;
    launcher.jvm_args.clone_from(&options.jvm_args);
    Ok(launcher)
}

fn of_class_path(options: &GenerateOptions, on: On<'_>, path: &str) -> anyhow::Result<Order> {
    let project = entries(path)?;
    if project.is_empty() {
        return Err(Failure::bad_input("the class path is empty").into());
    }
    let (junit, out) = (JUnitKind::Jupiter, PathBuf::from("testhound-tests"));
    let classes = Classes { project, dependencies: dependencies(options)?, junit, out };
    let opened = classes.open(on)?;
    let (mut chosen, exceptions) = choose(options, &[&opened.1])?;
    let target = classes.target(options, opened)?;
    let targets = vec![(target, chosen.pop().unwrap_or_default())];
    Ok(Order { targets, exceptions, remedy: Remedy::Dependencies, warnings: Vec::new() })
}

/// JUnit 4 has `assertThrows` since 4.13, which is in the jar's name if Maven put it there.
fn has_assert_throws(jars: &[PathBuf]) -> bool {
    jars.iter().any(|jar| {
        jar.file_name().and_then(|n| n.to_str()).is_some_and(|name| name.starts_with("junit-4.13"))
    })
}
