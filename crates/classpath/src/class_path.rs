//! Directories and jars in order: which of them a class comes from, and its bytes.
//!
//! As on a JVM's class path the first entry that has a class wins, and a jar's `Class-Path` stands
//! right behind it. What a manifest brings in is a dependency unless it is listed as the project's.
//!
//! Invariant: opening reads names only; class bytes are read when asked for.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use model::{ClassName, Origin};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::directory::classes_below;
use crate::jar::{Jar, MAX_CLASS_SIZE};
use crate::manifest::resolve;
use crate::{Diagnostic, JdkImage, Reason};

/// An opened class path.
#[derive(Debug)]
pub struct ClassPath {
    entries: Vec<Entry>,
    index: FxHashMap<ClassName, Place>,
}

#[derive(Debug)]
struct Entry {
    origin: Origin,
    path: PathBuf,
    /// The open jar; `None` for a directory.
    jar: Option<Jar>,
}

/// Where a class is: the entry of the class path, and the entry in that jar.
#[derive(Clone, Copy, Debug)]
struct Place {
    entry: u32,
    jar_entry: u32,
}

impl ClassPath {
    /// Opens the entries for a JVM of the given feature release, the project's first.
    pub fn open(
        project: &[PathBuf],
        dependencies: &[PathBuf],
        release: u16,
    ) -> (Self, Vec<Diagnostic>) {
        let mut opening = Opening {
            path: Self { entries: Vec::new(), index: FxHashMap::default() },
            release,
            project: project.iter().filter_map(|path| path.canonicalize().ok()).collect(),
            opened: FxHashSet::default(),
            diagnostics: Vec::new(),
        };
        let listed = project.iter().map(|path| (Origin::Project, path));
        let needed = dependencies.iter().map(|path| (Origin::Dependency, path));
        for (origin, path) in listed.chain(needed) {
            opening.add_with_manifest_path(origin, path);
        }
        (opening.path, opening.diagnostics)
    }

    /// Whether there is a class of that internal name.
    pub fn contains(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// Whether the class belongs to the project or to what it needs.
    pub fn origin(&self, name: &str) -> Option<Origin> {
        self.index.get(name).map(|place| self.entry(*place).origin)
    }

    /// The names of all classes, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &ClassName> {
        self.index.keys()
    }

    /// The directories and jars that were opened, in the order they are searched.
    pub fn entries(&self) -> impl Iterator<Item = (&Path, Origin)> {
        self.entries.iter().map(|entry| (&*entry.path, entry.origin))
    }

    /// Where the class lies: a file, or `jar!entry`.
    pub fn location(&self, name: &str) -> Option<String> {
        let place = *self.index.get(name)?;
        let entry = self.entry(place);
        Some(match &entry.jar {
            Some(jar) => jar.entry_path(place.jar_entry),
            None => file_of(&entry.path, name).display().to_string(),
        })
    }

    /// The bytes of a class; `None` if there is no such class.
    pub fn read(&self, name: &str) -> Option<Result<Vec<u8>, Diagnostic>> {
        let place = *self.index.get(name)?;
        let entry = self.entry(place);
        let bytes = match &entry.jar {
            Some(jar) => jar.read(place.jar_entry),
            None => read_file(&file_of(&entry.path, name)),
        };
        Some(bytes.map_err(|reason| {
            Diagnostic::new(self.location(name).expect("its place was just found"), reason)
        }))
    }

    /// The highest major version of the project's class files, up to the given one, as far as they
    /// can be read; what cannot be is told when its class is asked for.
    pub(crate) fn newest_of_project(&self, up_to: u16) -> Option<u16> {
        let is_project = |place: &&Place| self.entry(**place).origin == Origin::Project;
        let of_project = self.index.iter().filter(|(_, place)| is_project(place));
        let version =
            |(name, place): (&ClassName, &Place)| self.major_version(name.as_internal(), *place);
        of_project.filter_map(version).filter(|version| *version <= up_to).max()
    }

    fn major_version(&self, name: &str, place: Place) -> Option<u16> {
        const HEADER: u64 = 8;
        let entry = self.entry(place);
        let header = match &entry.jar {
            Some(jar) => jar.read_head(place.jar_entry, HEADER).ok()?,
            None => {
                let mut header = Vec::new();
                let path = Some(file_of(&entry.path, name)).filter(|path| path.is_file())?;
                fs::File::open(path).ok()?.take(HEADER).read_to_end(&mut header).ok()?;
                header
            }
        };
        let is_class = header.starts_with(&[0xca, 0xfe, 0xba, 0xbe]);
        let major = header.get(6..8)?.first_chunk().map(|major| u16::from_be_bytes(*major));
        major.filter(|_| is_class)
    }

    /// Takes out what a JVM would never find here: classes in packages of the JDK's modules.
    pub(crate) fn yield_to(&mut self, jdk: &JdkImage) -> Vec<Diagnostic> {
        let mut shadowed = FxHashMap::default();
        let entries = &self.entries;
        self.index.retain(|name, place| match jdk.module_of_package(name.package()) {
            Some(module) => {
                shadowed.entry((place.entry, name.package().to_owned())).or_insert(module);
                false
            }
            None => true,
        });
        let mut shadowed: Vec<_> = shadowed.into_iter().collect();
        shadowed.sort_unstable();
        let tell = |((entry, package), module): ((u32, String), &str)| {
            let reason = Reason::ShadowedByJdk {
                package: package.replace('/', "."),
                module: module.to_owned(),
            };
            Diagnostic::file(&entries[entry as usize].path, reason)
        };
        shadowed.into_iter().map(tell).collect()
    }

    fn entry(&self, place: Place) -> &Entry {
        &self.entries[place.entry as usize]
    }
}

/// A class path being opened.
struct Opening {
    path: ClassPath,
    release: u16,
    /// What is listed as the project's, in canonical form.
    project: FxHashSet<PathBuf>,
    /// What was opened, in canonical form.
    opened: FxHashSet<PathBuf>,
    diagnostics: Vec<Diagnostic>,
}

impl Opening {
    /// Adds an entry and what its manifest names, depth first as the JVM does.
    fn add_with_manifest_path(&mut self, origin: Origin, listed: &Path) {
        let mut pending = vec![(origin, listed.to_owned(), None)];
        while let Some((origin, path, named_by)) = pending.pop() {
            let mut named = Vec::new();
            for entry in self.add(origin, &path, named_by) {
                match resolve(&path, &entry) {
                    Some(target) => {
                        let is_project =
                            target.canonicalize().is_ok_and(|path| self.project.contains(&path));
                        let origin = if is_project { Origin::Project } else { Origin::Dependency };
                        named.push((origin, target, Some(path.display().to_string())));
                    }
                    None => {
                        let reason = Reason::RemoteClassPath { entry };
                        self.diagnostics.push(Diagnostic::file(&path, reason));
                    }
                }
            }
            pending.extend(named.into_iter().rev());
        }
    }

    /// Adds one entry, once; returns the `Class-Path` of its manifest.
    fn add(&mut self, origin: Origin, path: &Path, named_by: Option<String>) -> Vec<String> {
        let canonical = match path.canonicalize() {
            Ok(canonical) => canonical,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let reason = match named_by {
                    Some(jar) => Reason::MissingFromManifest { jar },
                    None => Reason::Missing,
                };
                self.diagnostics.push(Diagnostic::file(path, reason));
                return Vec::new();
            }
            Err(error) => {
                self.diagnostics.push(Diagnostic::file(path, error));
                return Vec::new();
            }
        };
        if !self.opened.insert(canonical.clone()) {
            return Vec::new();
        }
        if canonical.is_dir() {
            self.add_directory(origin, path);
            return Vec::new();
        }
        if !canonical.is_file() {
            self.diagnostics.push(Diagnostic::file(path, Reason::NoFile));
            return Vec::new();
        }
        match Jar::open(path, self.release) {
            Ok((jar, contents)) => {
                self.diagnostics.extend(contents.diagnostics);
                self.enter(origin, path, Some(jar), contents.classes);
                contents.class_path
            }
            Err(reason) => {
                self.diagnostics.push(Diagnostic::file(path, reason));
                Vec::new()
            }
        }
    }

    fn add_directory(&mut self, origin: Origin, path: &Path) {
        let (names, diagnostics) = classes_below(path);
        self.diagnostics.extend(diagnostics);
        self.enter(origin, path, None, names.into_iter().map(|name| (name, 0)).collect());
    }

    fn enter(
        &mut self,
        origin: Origin,
        path: &Path,
        jar: Option<Jar>,
        classes: Vec<(String, u32)>,
    ) {
        let ClassPath { entries, index } = &mut self.path;
        let entry = entries.len() as u32;
        entries.push(Entry { origin, path: path.to_owned(), jar });
        index.reserve(classes.len());
        for (name, jar_entry) in classes {
            index.entry(ClassName::internal(&name)).or_insert(Place { entry, jar_entry });
        }
    }
}

fn file_of(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("{name}.class"))
}

fn read_file(path: &Path) -> Result<Vec<u8>, Reason> {
    // Asked before opening, because opening a pipe waits for a writer.
    let data = fs::metadata(path)?;
    if !data.is_file() {
        return Err(Reason::NoFile);
    }
    if data.len() > MAX_CLASS_SIZE {
        return Err(Reason::TooLarge { limit: MAX_CLASS_SIZE });
    }
    let mut bytes = Vec::with_capacity(data.len() as usize);
    fs::File::open(path)?.take(MAX_CLASS_SIZE).read_to_end(&mut bytes)?;
    Ok(bytes)
}
