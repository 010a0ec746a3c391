//! A jar: its classes by name, inflated on demand.
//!
//! The central directory is read once. In a multi-release jar each class stands for its newest
//! version that the JVM at hand would take (JEP 238).

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::manifest::Manifest;
use crate::positioned::PositionedFile;
use crate::{Diagnostic, Reason};

/// No class file comes near; what claims more is not inflated.
pub(crate) const MAX_CLASS_SIZE: u64 = 64 << 20;

/// An open jar.
#[derive(Debug)]
pub(crate) struct Jar {
    path: PathBuf,
    archive: ZipArchive<PositionedFile>,
}

/// What a jar holds, as far as its directory and manifest tell.
#[derive(Debug)]
pub(crate) struct Contents {
    /// Internal names of its classes with the number of their entry.
    pub(crate) classes: Vec<(String, u32)>,
    /// The entries of `Class-Path` in its manifest.
    pub(crate) class_path: Vec<String>,
    /// What was odd about it.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Jar {
    /// Opens a jar for a JVM of the given feature release.
    pub(crate) fn open(path: &Path, release: u16) -> Result<(Self, Contents), Reason> {
        let jar = Self::open_any(path)?;
        let contents = jar.contents(release);
        Ok((jar, contents))
    }

    /// Opens a zip file, whatever it holds.
    pub(crate) fn open_any(path: &Path) -> Result<Self, Reason> {
        let mut file = PositionedFile::open(path)?;
        check_entry_count(&mut file)?;
        let archive = ZipArchive::new(file)?;
        Ok(Self { path: path.to_owned(), archive })
    }

    /// Its entries by number and name; names that are not Unicode are left out.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u32, &str)> {
        let names = (0..).zip(self.archive.file_names_raw());
        names.filter_map(|(index, raw)| Some((index, str::from_utf8(raw).ok()?)))
    }

    /// The first bytes of an entry, at most as many as asked for.
    pub(crate) fn read_head(&self, index: u32, length: u64) -> Result<Vec<u8>, Reason> {
        let mut archive = self.archive.clone();
        let mut bytes = Vec::new();
        archive.by_index(index as usize)?.take(length).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// The bytes of an entry.
    pub(crate) fn read(&self, index: u32) -> Result<Vec<u8>, Reason> {
        // A clone shares the directory and the open file, not the position in it.
        let mut archive = self.archive.clone();
        let mut entry = archive.by_index(index as usize)?;
        // The size is a claim of the file's: trusted as a hint only.
        let hint = entry.size().min(1 << 20) as usize;
        let mut bytes = Vec::with_capacity(hint);
        (&mut entry).take(MAX_CLASS_SIZE + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_CLASS_SIZE {
            return Err(Reason::TooLarge { limit: MAX_CLASS_SIZE });
        }
        Ok(bytes)
    }

    /// `jar!entry`.
    pub(crate) fn entry_path(&self, index: u32) -> String {
        let name = self.archive.name_for_index(index as usize).and_then(Result::ok);
        format!("{}!{}", self.path.display(), name.unwrap_or_default())
    }

    fn contents(&self, release: u16) -> Contents {
        let mut diagnostics = Vec::new();
        let manifest = self.manifest().unwrap_or_else(|diagnostic| {
            diagnostics.push(diagnostic);
            Manifest::default()
        });
        // Name to entry and version, 0 for what lies outside of META-INF/versions.
        let mut newest: FxHashMap<&str, (u32, u16)> = FxHashMap::default();
        let mut order = Vec::new();
        for (index, raw) in (0_u32..).zip(self.archive.file_names_raw()) {
            if !raw.ends_with(b".class") {
                continue;
            }
            let Ok(entry) = str::from_utf8(raw) else {
                diagnostics.push(Diagnostic::new(self.entry_path(index), Reason::Name));
                continue;
            };
            let (version, path) = match versioned(entry) {
                Some((version, path)) if manifest.multi_release && version <= release => {
                    (version, path)
                }
                Some(_) => continue,
                None => (0, entry),
            };
            let Some(name) = class_of_path(path) else { continue };
            let best = newest.entry(name).or_insert_with(|| {
                order.push(name);
                (index, version)
            });
            if version > best.1 {
                *best = (index, version);
            }
        }
        let classes = order.into_iter().map(|name| (name.to_owned(), newest[name].0)).collect();
        Contents { classes, class_path: manifest.class_path, diagnostics }
    }

    fn manifest(&self) -> Result<Manifest, Diagnostic> {
        let name = b"META-INF/MANIFEST.MF";
        let mut names = (0_u32..).zip(self.archive.file_names_raw());
        let Some((index, _)) = names.find(|(_, raw)| raw.eq_ignore_ascii_case(name)) else {
            return Ok(Manifest::default());
        };
        match self.read(index) {
            Ok(bytes) => Ok(Manifest::parse(&bytes)),
            Err(reason) => Err(Diagnostic::new(self.entry_path(index), reason)),
        }
    }
}

/// Refuses a file whose 64-bit directory claims more entries than the file has room for: the zip
/// reader would make room for them before it looks.
fn check_entry_count(file: &mut PositionedFile) -> Result<(), Reason> {
    const LOCATOR: &[u8] = b"PK\x06\x07";
    // A locator of 20 bytes, the record that ends the file (22 bytes), a comment of up to 64 KiB.
    const TAIL: u64 = 20 + 22 + 0xffff;
    const SMALLEST_ENTRY: u64 = 46;
    let length = file.length();
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    file.take(TAIL).read_to_end(&mut tail)?;
    for locator in tail.windows(16).filter(|window| window.starts_with(LOCATOR)) {
        let (at, _) = locator[8..].split_first_chunk().expect("the window has 16 bytes");
        let mut record = [0; 40];
        file.seek(SeekFrom::Start(u64::from_le_bytes(*at)))?;
        if file.read_exact(&mut record).is_err() {
            continue;
        }
        let (count, _) = record[32..].split_first_chunk().expect("the record has 40 bytes");
        if u64::from_le_bytes(*count) > length / SMALLEST_ENTRY {
            let reason = "its directory claims more entries than fit into the file";
            return Err(ZipError::InvalidArchive(reason.into()).into());
        }
    }
    Ok(())
}

/// The release and the path below it of an entry below `META-INF/versions`; releases below 9
/// do not exist there.
fn versioned(entry: &str) -> Option<(u16, &str)> {
    let (release, path) = entry.strip_prefix("META-INF/versions/")?.split_once('/')?;
    let release = release.parse().ok().filter(|release| *release >= 9)?;
    Some((release, path))
}

/// The internal name of the class a path names; `None` for `module-info`, `package-info` and
/// whatever lies in META-INF, where no class loader looks for classes.
pub(crate) fn class_of_path(path: &str) -> Option<&str> {
    let name = path.strip_suffix(".class")?;
    let local = name.rsplit('/').next().unwrap_or(name);
    let skipped = matches!(local, "module-info" | "package-info")
        || name.starts_with("META-INF/")
        || name.split('/').any(str::is_empty);
    (!skipped).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_classes_unless_they_describe_modules_and_packages() {
        assert_eq!(class_of_path("a/B$C.class"), Some("a/B$C"));
        assert_eq!(class_of_path("Top.class"), Some("Top"));
        for none in [
            "module-info.class",
            "a/package-info.class",
            "META-INF/versions/9/a/B.class",
            "a/B.java",
            "/a/B.class",
            "a//B.class",
            "a/.class",
        ] {
            assert_eq!(class_of_path(none), None, "{none}");
        }
    }

    #[test]
    fn versions_begin_at_nine() {
        assert_eq!(versioned("META-INF/versions/11/a/B.class"), Some((11, "a/B.class")));
        assert_eq!(versioned("META-INF/versions/8/a/B.class"), None);
        assert_eq!(versioned("META-INF/versions/x/a/B.class"), None);
        assert_eq!(versioned("a/B.class"), None);
    }
}
