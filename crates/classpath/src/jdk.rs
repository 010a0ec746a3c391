//! The JDK's own classes: by name, by package, with what its modules export.
//!
//! A JVM started for a class path finds a class of a package that belongs to one of the JDK's
//! modules there and nowhere else, so the package alone decides.

use std::path::{Path, PathBuf};

use model::ClassName;
use rustc_hash::FxHashMap;

use crate::jimage::{Jimage, JimageError};
use crate::module::{Module, ModuleError};

/// Class file version of feature release `n` is `n + 44`.
pub(crate) const VERSION_OF_RELEASE_0: u16 = 44;

/// Why a JDK cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JdkError {
    /// There is no `lib/modules` below the given home.
    #[error("{} is not the home of a JDK 9 or later: it has no lib/modules", home.display())]
    NoImage {
        /// The home.
        home: PathBuf,
    },
    /// The image cannot be read.
    #[error("cannot use the JDK's modules")]
    Image(#[from] JimageError),
    /// The image has no `java.lang.Object`.
    #[error("{} holds no java.lang.Object", path.display())]
    NoObject {
        /// The image.
        path: PathBuf,
    },
    /// The JDK is newer than what can be read.
    #[error("the JDK in {} is release {feature}; releases up to {newest} are understood", home.display())]
    TooNew {
        /// Its home.
        home: PathBuf,
        /// Its feature release.
        feature: u16,
        /// The newest release that is understood.
        newest: u16,
    },
    /// A module's descriptor cannot be read.
    #[error("cannot read the descriptor of module {module}")]
    Module {
        /// The module.
        module: String,
        /// Why.
        #[source]
        source: ModuleError,
    },
}

/// The modules of a JDK.
#[derive(Debug)]
pub struct JdkImage {
    home: PathBuf,
    image: Jimage,
    feature: u16,
    packages: FxHashMap<String, Package>,
    modules: Vec<(String, Module)>,
}

#[derive(Debug)]
struct Package {
    /// The number of its module.
    module: usize,
    /// The slots its classes have in the image.
    slots: Vec<u32>,
}

impl JdkImage {
    /// Opens the JDK below `home`: reads the tables of its image and its module descriptors.
    pub fn open(home: &Path) -> Result<Self, JdkError> {
        let path = home.join("lib/modules");
        if !path.is_file() {
            return Err(JdkError::NoImage { home: home.to_owned() });
        }
        let image = Jimage::open(&path)?;
        let feature = feature_release(&image)?;
        let newest = classfile::NEWEST_MAJOR - VERSION_OF_RELEASE_0;
        if feature > newest {
            return Err(JdkError::TooNew { home: home.to_owned(), feature, newest });
        }
        let mut jdk = Self {
            home: home.to_owned(),
            image,
            feature,
            packages: FxHashMap::default(),
            modules: Vec::new(),
        };
        jdk.index()?;
        Ok(jdk)
    }

    /// Its home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Its feature release: 17, 25.
    pub fn feature(&self) -> u16 {
        self.feature
    }

    /// The names of its modules, in no particular order.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.modules.iter().map(|(name, _)| &**name)
    }

    /// The packages of its modules in internal form, in no particular order.
    pub fn packages(&self) -> impl Iterator<Item = &str> {
        self.packages.keys().map(|name| &**name)
    }

    /// The module a package (in internal form) belongs to, if a JVM started for a class path has
    /// that module: incubators count as absent.
    pub fn module_of_package(&self, package: &str) -> Option<&str> {
        self.visible(package).map(|(package, _)| &*self.modules[package.module].0)
    }

    /// Whether the package is exported to everyone.
    pub fn is_exported(&self, package: &str) -> bool {
        self.visible(package).is_some_and(|(_, module)| module.exports.contains(package))
    }

    /// Whether there is a class of that internal name.
    pub fn contains(&self, name: &str) -> Result<bool, JimageError> {
        match self.path_of(name) {
            Some(path) => Ok(self.image.find(&path)?.is_some()),
            None => Ok(false),
        }
    }

    /// The bytes of a class; `None` if there is no such class.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, JimageError> {
        let Some(path) = self.path_of(name) else { return Ok(None) };
        self.image.find(&path)?.map(|location| self.image.read(&location)).transpose()
    }

    /// The classes of a package (in internal form), sorted.
    pub fn package_classes(&self, package: &str) -> Result<Vec<ClassName>, JimageError> {
        let Some((found, _)) = self.visible(package) else { return Ok(Vec::new()) };
        let mut names = Vec::with_capacity(found.slots.len());
        for slot in &found.slots {
            let base = self.image.string(self.image.location(*slot)?.base)?;
            if !matches!(base, "module-info" | "package-info") {
                names.push(ClassName::internal(&format!("{package}/{base}")));
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    /// Visits name and bytes of every class file, in the order of the image: those of modules that a
    /// class path does not see, and the descriptors of modules, among them.
    pub fn for_each_class(&self, visit: &mut dyn FnMut(&str, &[u8])) -> Result<(), JimageError> {
        let image = &self.image;
        for slot in 0..image.slots() {
            let location = image.location(slot)?;
            if image.string(location.extension)? != "class" {
                continue;
            }
            let module = image.string(location.module)?;
            let (parent, base) = (image.string(location.parent)?, image.string(location.base)?);
            visit(&format!("/{module}/{parent}/{base}.class"), &image.read(&location)?);
        }
        Ok(())
    }

    /// `lib/modules!/module/name.class`, for messages.
    pub(crate) fn location(&self, name: &str) -> String {
        let entry = self.path_of(name).unwrap_or_else(|| name.to_owned());
        format!("{}!{entry}", self.image.path().display())
    }

    fn visible(&self, package: &str) -> Option<(&Package, &Module)> {
        let package = self.packages.get(package)?;
        let module = &self.modules[package.module].1;
        module.resolved.then_some((package, module))
    }

    /// The resource path of a class.
    fn path_of(&self, name: &str) -> Option<String> {
        let package = name.rfind('/').map_or("", |end| &name[..end]);
        self.module_of_package(package).map(|module| format!("/{module}/{name}.class"))
    }

    /// Goes over all resources once: packages by the classes in them, modules by their descriptors.
    fn index(&mut self) -> Result<(), JdkError> {
        let image = &self.image;
        let mut numbers = FxHashMap::default();
        // By module and directory, both as offsets: few of the strings need to be looked at.
        let mut directories: FxHashMap<(u64, u64), Vec<u32>> = FxHashMap::default();
        let mut extension_of_classes = None;
        for slot in 0..image.slots() {
            let location = image.location(slot)?;
            if extension_of_classes != Some(location.extension) {
                if image.string(location.extension)? != "class" {
                    continue;
                }
                extension_of_classes = Some(location.extension);
            }
            if !image.string(location.parent)?.is_empty() {
                directories.entry((location.module, location.parent)).or_default().push(slot);
            } else if image.string(location.base)? == "module-info" {
                let name = image.string(location.module)?;
                let module = Module::parse(&image.read(&location)?)
                    .map_err(|source| JdkError::Module { module: name.to_owned(), source })?;
                numbers.insert(location.module, self.modules.len());
                self.modules.push((name.to_owned(), module));
            }
        }
        for ((module, parent), slots) in directories {
            // What lies outside of any module is the image's own bookkeeping.
            if let Some(&module) = numbers.get(&module) {
                let package = Package { module, slots };
                self.packages.insert(image.string(parent)?.to_owned(), package);
            }
        }
        Ok(())
    }
}

/// Told by the version of the JDK's own class files.
fn feature_release(image: &Jimage) -> Result<u16, JdkError> {
    let missing = || JdkError::NoObject { path: image.path().to_owned() };
    let location = image.find("/java.base/java/lang/Object.class")?.ok_or_else(missing)?;
    let bytes = image.read(&location)?;
    let major = bytes.get(6..8).and_then(|major| major.first_chunk()).ok_or_else(missing)?;
    u16::from_be_bytes(*major).checked_sub(VERSION_OF_RELEASE_0).ok_or_else(missing)
}
