//! What there is of Mockito on the class path of tests.
//!
//! Mocks are written only for who has Mockito already: no build file is ever changed.

use std::path::PathBuf;

use classpath::{ClassPath, World};
use model::{ClassName, ClassSource, Type};
use search::ReasonCode;
use writer::Junit;

use crate::report::ClassReport;

/// What tests may use of Mockito.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mockito {
    /// Nothing: there is none, or it is older than Mockito 2.
    Absent,
    /// Mocks.
    Mocks,
    /// Mocks, and objects that Mockito puts them into: what runs the tests can have it do so.
    MocksAndInjection,
}

impl Mockito {
    /// What is on the class path, for tests of this JUnit.
    pub(crate) fn on(class_path: &[PathBuf], junit: Junit, feature: u32) -> Self {
        // Opening all jars for it would take longer than a look at their names.
        let is_candidate = |path: &&PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| name.starts_with("mockito"))
        };
        let jars: Vec<PathBuf> = class_path.iter().filter(is_candidate).cloned().collect();
        let (classes, _) = ClassPath::open(&jars, &[], feature as u16);
        let runs = match junit {
            Junit::Four { .. } => "org/mockito/junit/MockitoJUnitRunner",
            Junit::Five => "org/mockito/junit/jupiter/MockitoExtension",
        };
        match () {
            () if !classes.contains("org/mockito/ArgumentMatchers") => Self::Absent,
            () if classes.contains(runs) => Self::MocksAndInjection,
            () => Self::Mocks,
        }
    }
}

/// What to say to who has no Mockito and classes that ask for it: members without a returning call,
/// and constructors or fields that take interfaces which are not the JDK's.
pub(crate) fn advice(world: &World, classes: &[ClassReport]) -> Option<String> {
    let is_stuck = |class: &&ClassReport| {
        let codes = [ReasonCode::NoValueOfType, ReasonCode::AlwaysThrows];
        class.reasons.iter().any(|reason| codes.contains(&reason.code))
    };
    let stuck = classes.iter().filter(is_stuck);
    let mut names = stuck.map(|class| &class.name).filter(|name| takes_interfaces(world, name));
    let example = names.next()?;
    let others = match names.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Some(format!(
        "{example}{others}: interfaces that nothing makes are mocked if Mockito (2 or later) is on \
         the test class path; what a container injects into fields needs mockito-junit-jupiter too, \
         with JUnit 5"
    ))
}

fn takes_interfaces(world: &World, class: &str) -> bool {
    let Some(class) = world.class(&ClassName::internal(&class.replace('.', "/"))) else {
        return false;
    };
    let is_mocked = |ty: &Type| {
        let declared = ty.as_class().and_then(|name| world.class(name));
        declared.is_some_and(|interface| search::is_mocked_if_missing(world, &interface))
    };
    let mut taken = class.constructors().flat_map(|c| c.params.iter().map(|p| &p.ty));
    let mut fields = class.fields.iter().filter(|f| !f.annotations.is_empty()).map(|f| &f.ty);
    taken.any(is_mocked) || fields.any(is_mocked)
}
