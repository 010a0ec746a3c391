//! Lines of source, for whoever is shown a mutant.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use classfile::ClassFile;

/// Folders of sources, and the files of them that were asked for.
pub(super) struct Sources {
    folders: Vec<PathBuf>,
    files: RefCell<BTreeMap<String, Option<Rc<SourceFile>>>>,
}

/// A source file.
pub(super) struct SourceFile {
    pub(super) path: PathBuf,
    lines: Vec<String>,
}

impl Sources {
    pub(super) fn of(folders: Vec<PathBuf>) -> Self {
        Self { folders, files: RefCell::default() }
    }

    /// The file that a class was compiled from, if it is at hand.
    pub(super) fn file(&self, name: &str) -> Option<Rc<SourceFile>> {
        let mut files = self.files.borrow_mut();
        files.entry(name.to_owned()).or_insert_with(|| self.read(name).map(Rc::new)).clone()
    }

    fn read(&self, name: &str) -> Option<SourceFile> {
        self.folders.iter().find_map(|folder| {
            let path = folder.join(name);
            let bytes = std::fs::read(&path).ok()?;
            let text = String::from_utf8_lossy(&bytes);
            Some(SourceFile { path, lines: text.lines().map(str::to_owned).collect() })
        })
    }
}

impl SourceFile {
    /// A line, without what it is indented by.
    pub(super) fn line(&self, number: u16) -> Option<&str> {
        let line = self.lines.get(usize::from(number).checked_sub(1)?)?;
        Some(line.trim())
    }
}

/// The file of a class by its own account, below a folder of sources.
pub(super) fn file_name(class: &str, bytes: &[u8]) -> String {
    let (package, simple) = class.rsplit_once('/').unwrap_or(("", class));
    let parsed = ClassFile::parse(bytes).ok();
    let told = parsed.as_ref().and_then(|class| {
        class.attributes.source_file(&class.pool).ok().flatten().map(|name| name.into_owned())
    });
    let top = simple.split('$').next().unwrap_or(simple);
    let file = told.unwrap_or_else(|| format!("{top}.java"));
    if package.is_empty() { file } else { format!("{package}/{file}") }
}
