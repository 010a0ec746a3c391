//! The API that the JDK's classes had in an earlier release.
//!
//! Tests for classes that were compiled for Java 8 must compile for Java 8. What `javac --release`
//! goes by is in `lib/ct.sym` of every JDK: a zip file of class files without code. The folder they
//! are in is named after the releases that have them in that shape, a digit (base 36) for each:
//! `89A/java.base/java/util/ArrayList.sig` is of 8, 9 and 10. The release of the JDK itself is not
//! in there.
//!
//! Invariant: a class that is restricted keeps its place in the hierarchy and all that callers
//! cannot reach anyway, for the objects it is asked about are those of the JDK at hand.

use std::path::{Path, PathBuf};

use classfile::ClassFile;
use model::{Class, Method, Origin};
use rustc_hash::FxHashMap;

use crate::declare::declare;
use crate::jar::Jar;
use crate::{Diagnostic, Reason};

/// What the JDK's classes offered in one release.
#[derive(Debug)]
pub(crate) struct ReleaseApi {
    archive: Jar,
    /// The entries of the release by internal name of the class.
    entries: FxHashMap<String, u32>,
}

impl ReleaseApi {
    /// Where a JDK keeps it.
    pub(crate) fn path(home: &Path) -> PathBuf {
        home.join("lib/ct.sym")
    }

    /// Opens it: reads names, no class.
    pub(crate) fn open(home: &Path, release: u16) -> Result<Self, Reason> {
        let unknown = || Reason::UnknownRelease { release };
        let digit = char::from_digit(u32::from(release), 36).ok_or_else(unknown)?;
        let archive = Jar::open_any(&Self::path(home))?;
        let of_release = |(entry, name): (u32, &str)| {
            let (releases, rest) = name.split_once('/')?;
            let (_module, path) = rest.split_once('/')?;
            let class = path.strip_suffix(".sig")?;
            releases.contains(digit.to_ascii_uppercase()).then(|| (class.to_owned(), entry))
        };
        let entries: FxHashMap<_, _> = archive.entries().filter_map(of_release).collect();
        if entries.is_empty() {
            return Err(unknown());
        }
        Ok(Self { archive, entries })
    }

    /// Takes from one of the JDK's classes what callers could not use in the release.
    pub(crate) fn restrict(&self, class: &mut Class) -> Result<(), Diagnostic> {
        let Some(entry) = self.entries.get(class.name.as_internal()) else {
            class.exported = false;
            return Ok(());
        };
        let then = self.read(*entry)?;
        class.fields.retain(|field| {
            let is_same = |then: &model::Field| then.name == field.name && then.ty == field.ty;
            is_out_of_reach(field.access) || then.fields.iter().any(is_same)
        });
        class.methods.retain_mut(|method| {
            let then = then.methods.iter().find(|then| is_same(then, method));
            // What is a default method now may have been abstract.
            method.access = then.map_or(method.access, |then| then.access);
            then.is_some() || is_out_of_reach(method.access)
        });
        Ok(())
    }

    fn read(&self, entry: u32) -> Result<Class, Diagnostic> {
        let path = || self.archive.entry_path(entry);
        let class = self.archive.read(entry).and_then(|bytes| {
            let file = ClassFile::parse(&bytes)?;
            // What cannot be read of annotations and the like matters for nothing here.
            declare(&file, Origin::Jdk, true, &path).map(|(class, _)| class)
        });
        class.map_err(|reason| Diagnostic::new(path(), reason))
    }
}

/// Whether no source outside the package and its subclasses can use it.
fn is_out_of_reach(access: model::Access) -> bool {
    access.is_synthetic() || !(access.is_public() || access.is_protected())
}

fn is_same(then: &Method, now: &Method) -> bool {
    let types = |method: &Method| method.params.iter().map(|p| p.ty.clone()).collect::<Vec<_>>();
    then.name == now.name && then.result == now.result && types(then) == types(now)
}
