//! Orders compiled classes so that each comes after its superclass and interfaces.
//!
//! A JVM resolves the direct supertypes of a class while it defines it (JVMS 5.3.5), and the
//! loader these classes are defined into cannot find one that is not there yet. All other
//! references are resolved when first used.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// The internal name and file of each class below a folder, supertypes first, else by name.
pub fn of_classes_below(folder: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let mut waiting = BTreeMap::new();
    for file in super::files_below(folder, "class")? {
        let names = names(&fs::read(&file)?).ok_or_else(|| format!("{}: odd", file.display()))?;
        waiting.insert(names.this, (names.supertypes, file));
    }
    let mut ordered = Vec::new();
    while !waiting.is_empty() {
        let ready: Vec<String> = waiting
            .iter()
            .filter(|(_, (supertypes, _))| supertypes.iter().all(|s| !waiting.contains_key(s)))
            .map(|(name, _)| name.clone())
            .collect();
        assert!(!ready.is_empty(), "javac accepts no class that is its own supertype");
        for name in ready {
            let (_, file) = waiting.remove(&name).expect("taken from the map just now");
            ordered.push((name, file));
        }
    }
    Ok(ordered)
}

struct Names {
    this: String,
    supertypes: Vec<String>,
}

/// Reads just the names from a class file (JVMS 4.1). `None` if it is cut short or malformed.
fn names(bytes: &[u8]) -> Option<Names> {
    let u2 = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]) as usize);
    let count = u2(8)?;
    let mut entries = vec![0; count];
    let mut at = 10;
    let mut index = 1;
    while index < count {
        entries[index] = at;
        let tag = *bytes.get(at)?;
        at += match tag {
            1 => 3 + u2(at + 1)?,
            3 | 4 | 9 | 10 | 11 | 12 | 17 | 18 => 5,
            5 | 6 => 9,
            7 | 8 | 16 | 19 | 20 => 3,
            15 => 4,
            _ => return None,
        };
        // Long and double take two indices (JVMS 4.4.5).
        index += if matches!(tag, 5 | 6) { 2 } else { 1 };
    }
    let class_name = |at: usize| {
        let name = *entries.get(u2(*entries.get(u2(at)?)? + 1)?)?;
        let text = bytes.get(name + 3..name + 3 + u2(name + 1)?)?;
        String::from_utf8(text.to_vec()).ok()
    };
    let interfaces = u2(at + 6)?;
    let supertypes = (0..=interfaces).map(|i| {
        // The superclass, then the count read above, then the interfaces.
        class_name(if i == 0 { at + 4 } else { at + 6 + 2 * i })
    });
    Some(Names { this: class_name(at + 2)?, supertypes: supertypes.collect::<Option<_>>()? })
}
