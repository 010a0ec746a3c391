//! What there is of Mockito on the class path of tests.
//!
//! Mocks are written only for who has Mockito already: no build file is ever changed.

use std::path::PathBuf;

use classpath::ClassPath;
use writer::Junit;

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
