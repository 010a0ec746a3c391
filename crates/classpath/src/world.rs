//! All classes there are: the project's, those it needs, and the JDK's.
//!
//! Classes are read when first asked for and kept. Many threads may ask at once.
//!
//! Invariant: what a name means never changes while the world lives: a class that could not be
//! read the first time stays unreadable, and is told of once.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use classfile::ClassFile;
use model::{Class, ClassName, ClassSource, Origin};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::declare::declare;
use crate::jdk::VERSION_OF_RELEASE_0;
use crate::release::ReleaseApi;
use crate::subtypes::Headers;
use crate::{ClassPath, Diagnostic, JdkImage, Reason};

/// The minor version of class files that use preview features.
const PREVIEW: u16 = 0xffff;

/// The classes of a project, of its dependencies and of a JDK.
#[derive(Debug)]
pub struct World {
    path: ClassPath,
    jdk: Arc<JdkImage>,
    /// What the JDK's classes offer, where that is less than they have.
    release: Option<ReleaseApi>,
    project: Vec<ClassName>,
    classes: RwLock<FxHashMap<ClassName, Option<Arc<Class>>>>,
    packages: OnceLock<FxHashMap<String, Vec<ClassName>>>,
    pub(crate) headers: OnceLock<Headers>,
    pub(crate) jdk_parents: RwLock<FxHashMap<ClassName, Arc<[ClassName]>>>,
    diagnostics: Mutex<Diagnostics>,
}

#[derive(Default, Debug)]
struct Diagnostics {
    list: Vec<Diagnostic>,
    told: FxHashSet<String>,
}

impl World {
    /// Opens everything, reads no class. What is wrong with it is in [`Self::diagnostics`].
    pub fn new(project: &[PathBuf], dependencies: &[PathBuf], jdk: Arc<JdkImage>) -> Self {
        let (mut path, mut diagnostics) = ClassPath::open(project, dependencies, jdk.feature());
        diagnostics.extend(path.yield_to(&jdk));
        let is_project =
            |name: &&ClassName| path.origin(name.as_internal()) == Some(Origin::Project);
        let mut project: Vec<ClassName> = path.names().filter(is_project).cloned().collect();
        project.sort_unstable();
        let world = Self {
            path,
            jdk,
            release: None,
            project,
            classes: RwLock::default(),
            packages: OnceLock::new(),
            headers: OnceLock::new(),
            jdk_parents: RwLock::default(),
            diagnostics: Mutex::default(),
        };
        world.tell(diagnostics);
        world
    }

    /// The same where the JDK's classes offer what they did in a release, as `javac --release` has
    /// it: a class that is newer is there, but not exported. If the JDK does not tell, they offer all
    /// they have, and a diagnostic says so.
    #[must_use]
    pub fn as_of(mut self, release: u16) -> Self {
        if release == self.jdk.feature() {
            return self;
        }
        match ReleaseApi::open(self.jdk.home(), release) {
            Ok(api) => self.release = Some(api),
            Err(reason) => {
                let path = ReleaseApi::path(self.jdk.home());
                self.tell([Diagnostic::file(&path, reason)]);
            }
        }
        self
    }

    /// The release that the project's classes were compiled for: that of the newest one that the
    /// JDK can run.
    pub fn release_of_project(&self) -> Option<u16> {
        let newest = self.path.newest_of_project(self.jdk.feature() + VERSION_OF_RELEASE_0);
        newest?.checked_sub(VERSION_OF_RELEASE_0)
    }

    /// The JDK.
    pub fn jdk(&self) -> &JdkImage {
        &self.jdk
    }

    /// The class path: the project's entries, then those of its dependencies.
    pub fn class_path(&self) -> &ClassPath {
        &self.path
    }

    /// The names of the project's classes, sorted; told by file names, so some may turn out to be
    /// unreadable.
    pub fn project_classes(&self) -> &[ClassName] {
        &self.project
    }

    /// The classes of a package (in internal form), sorted, wherever they come from.
    pub fn package_classes(&self, package: &str) -> Vec<ClassName> {
        if self.jdk.module_of_package(package).is_some() {
            return self.jdk.package_classes(package).unwrap_or_else(|error| {
                self.tell([Diagnostic::new(self.jdk.location(package), error)]);
                Vec::new()
            });
        }
        let packages = self.packages.get_or_init(|| {
            let mut packages: FxHashMap<String, Vec<ClassName>> = FxHashMap::default();
            for name in self.path.names() {
                packages.entry(name.package().to_owned()).or_default().push(name.clone());
            }
            packages.values_mut().for_each(|names| names.sort_unstable());
            packages
        });
        packages.get(package).cloned().unwrap_or_default()
    }

    /// Whether there is a class of that name; its file is not read.
    pub fn contains(&self, name: &ClassName) -> bool {
        self.origin(name).is_some()
    }

    /// Where the class of that name comes from, if there is one; its file is not read.
    pub fn origin(&self, name: &ClassName) -> Option<Origin> {
        if self.jdk.module_of_package(name.package()).is_none() {
            return self.path.origin(name.as_internal());
        }
        let found = self.jdk.contains(name.as_internal()).unwrap_or_else(|error| {
            self.tell([Diagnostic::new(self.location(name), error)]);
            false
        });
        found.then_some(Origin::Jdk)
    }

    /// The bytes of a class as they are on disk; `None` if it is missing or cannot be read.
    pub fn class_bytes(&self, name: &ClassName) -> Option<Vec<u8>> {
        self.read(name)?.map_err(|diagnostic| self.tell([diagnostic])).ok()
    }

    /// What could not be read so far, each thing once, in the order it was met.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner).list.clone()
    }

    /// The class file of a class, checked to be that class's and fit for the JDK at hand.
    pub(crate) fn class_file(&self, name: &ClassName) -> Option<ClassFile> {
        let parsed = self.read(name)?.and_then(|bytes| {
            self.parse(name, &bytes).map_err(|reason| Diagnostic::new(self.location(name), reason))
        });
        parsed.map_err(|diagnostic| self.tell([diagnostic])).ok()
    }

    pub(crate) fn tell(&self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let mut known = self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner);
        for diagnostic in diagnostics {
            if known.told.insert(diagnostic.to_string()) {
                known.list.push(diagnostic);
            }
        }
    }

    fn read(&self, name: &ClassName) -> Option<Result<Vec<u8>, Diagnostic>> {
        if self.jdk.module_of_package(name.package()).is_none() {
            return self.path.read(name.as_internal());
        }
        let bytes = self.jdk.read(name.as_internal());
        bytes.map_err(|error| Diagnostic::new(self.location(name), error)).transpose()
    }

    fn parse(&self, name: &ClassName, bytes: &[u8]) -> Result<ClassFile, Reason> {
        let file = ClassFile::parse(bytes)?;
        let declared = file.name()?;
        if *declared != *name.as_internal() {
            return Err(Reason::Misplaced { declared: declared.replace('/', ".") });
        }
        drop(declared);
        let (needed, feature) = (file.major_version - VERSION_OF_RELEASE_0, self.jdk.feature());
        if needed > feature {
            return Err(Reason::NeedsNewerJdk { needed, feature });
        }
        // Versions before 56 used minor versions freely (JVMS §4.1).
        if file.minor_version == PREVIEW && file.major_version >= 56 {
            return Err(Reason::Preview { release: needed });
        }
        Ok(file)
    }

    /// Where a class lies, for messages.
    pub(crate) fn location(&self, name: &ClassName) -> String {
        let on_path = self.path.location(name.as_internal());
        on_path.unwrap_or_else(|| self.jdk.location(name.as_internal()))
    }

    fn load(&self, name: &ClassName) -> Option<Arc<Class>> {
        let origin = self.origin(name)?;
        let exported = origin != Origin::Jdk || self.jdk.is_exported(name.package());
        let file = self.class_file(name)?;
        match declare(&file, origin, exported, &|| self.location(name)) {
            Ok((mut class, diagnostics)) => {
                self.tell(diagnostics);
                if let Some(release) = self.release.as_ref().filter(|_| origin == Origin::Jdk) {
                    self.tell(release.restrict(&mut class).err());
                }
                Some(Arc::new(class))
            }
            Err(reason) => {
                self.tell([Diagnostic::new(self.location(name), reason)]);
                None
            }
        }
    }
}

impl ClassSource for World {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        let known = self.classes.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(class) = known.get(name) {
            return class.clone();
        }
        drop(known);
        let class = self.load(name);
        let mut known = self.classes.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster; then its answer is everyone's.
        known.entry(name.clone()).or_insert(class).clone()
    }
}
