//! Where tests find classes: jars, jmods and directories.

use std::fs;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// Calls `visit` with name and bytes of every class in a jar, a jmod, a class file or below a
/// directory.
pub fn for_each_class(path: &Path, visit: &mut dyn FnMut(&str, &[u8])) -> io::Result<()> {
    if path.is_dir() {
        let mut entries = fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?;
        entries.sort_by_key(fs::DirEntry::path);
        return entries.iter().try_for_each(|entry| {
            let path = entry.path();
            let wanted = path.is_dir() || path.extension().is_some_and(|kind| kind == "class");
            if wanted { for_each_class(&path, visit) } else { Ok(()) }
        });
    }
    let bytes = fs::read(path)?;
    if path.extension().is_some_and(|kind| kind == "class") {
        visit(&path.display().to_string(), &bytes);
        return Ok(());
    }
    // A jmod is a zip behind four bytes of its own.
    let zip = bytes.strip_prefix(b"JM\x01\x00").unwrap_or(&bytes);
    let mut archive = zip::ZipArchive::new(Cursor::new(zip))?;
    let mut class = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let name = entry.name()?.into_owned();
        if name.ends_with(".class") {
            class.clear();
            entry.read_to_end(&mut class)?;
            visit(&name, &class);
        }
    }
    Ok(())
}
