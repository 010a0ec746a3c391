//! The main section of a jar's manifest: what bears on where classes are found.
//!
//! Lines are at most 72 bytes; a line that begins with a space continues the one before.

use std::path::{Path, PathBuf};

/// What a manifest says about finding classes.
#[derive(Default, PartialEq, Eq, Debug)]
pub(crate) struct Manifest {
    /// Whether `META-INF/versions` counts.
    pub(crate) multi_release: bool,
    /// The entries of `Class-Path`, as they stand.
    pub(crate) class_path: Vec<String>,
}

impl Manifest {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut manifest = Self::default();
        for (name, value) in main_section(&String::from_utf8_lossy(bytes)) {
            if name.eq_ignore_ascii_case("Multi-Release") {
                manifest.multi_release = value.trim().eq_ignore_ascii_case("true");
            } else if name.eq_ignore_ascii_case("Class-Path") {
                manifest.class_path = value.split_ascii_whitespace().map(str::to_owned).collect();
            }
        }
        manifest
    }
}

/// The attributes of the main section, which ends at the first empty line.
fn main_section(text: &str) -> Vec<(String, String)> {
    let mut attributes: Vec<(String, String)> = Vec::new();
    for line in
        text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
    {
        if let Some(rest) = line.strip_prefix(' ') {
            if let Some((_, value)) = attributes.last_mut() {
                value.push_str(rest);
            }
        } else if line.is_empty() {
            break;
        } else if let Some((name, value)) = line.split_once(':') {
            attributes.push((name.to_owned(), value.strip_prefix(' ').unwrap_or(value).to_owned()));
        }
    }
    attributes
}

/// The file a `Class-Path` entry names: a URL relative to the jar, or a `file:` URL; `None` if it
/// names something elsewhere.
pub(crate) fn resolve(jar: &Path, entry: &str) -> Option<PathBuf> {
    let scheme = entry.split_once(':').map(|(scheme, _)| scheme);
    let local = match scheme {
        Some("file") => {
            let path = &entry["file:".len()..];
            // `file:/a`, `file:///a` and `file://localhost/a` are the same.
            match path.strip_prefix("//") {
                Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
                None => path,
            }
        }
        Some(scheme)
            if scheme.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b)) =>
        {
            return None;
        }
        _ => entry,
    };
    let decoded = percent_decoded(local)?;
    Some(jar.parent().unwrap_or(Path::new("")).join(decoded))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        if byte == b'%' {
            let digits = str::from_utf8(tail.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &tail[2..];
        } else {
            bytes.push(byte);
            rest = tail;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, multi_release: bool, class_path: &[&str]) {
        let class_path = class_path.iter().map(|s| (*s).to_owned()).collect();
        assert_eq!(Manifest::parse(text.as_bytes()), Manifest { multi_release, class_path });
    }

    #[test]
    fn attributes_of_the_main_section_are_read() {
        check("Manifest-Version: 1.0\r\nMulti-Release: true\r\n\r\n", true, &[]);
        check("multi-release: TRUE\n", true, &[]);
        check("Multi-Release: false\n", false, &[]);
        check("Class-Path: a.jar lib/b.jar\n", false, &["a.jar", "lib/b.jar"]);
        check(
            "Class-Path: a.jar lib/\n  b.jar li\n b/c.jar\n",
            false,
            &["a.jar", "lib/", "b.jar", "lib/c.jar"],
        );
    }

    #[test]
    fn later_sections_do_not_count() {
        check("Manifest-Version: 1.0\n\nName: a\nMulti-Release: true\n", false, &[]);
    }

    #[test]
    fn noise_is_passed_over() {
        check(" continued from nothing\nno colon\nMulti-Release: true", true, &[]);
        Manifest::parse(&[0xff, 0xfe, b':', b'\n', b' ']);
    }

    #[test]
    fn class_path_entries_are_relative_to_the_jar() {
        let resolved = |entry| resolve(Path::new("/x/app.jar"), entry);
        assert_eq!(resolved("lib/a%20b.jar"), Some("/x/lib/a b.jar".into()));
        assert_eq!(resolved("file:/y/c.jar"), Some("/y/c.jar".into()));
        assert_eq!(resolved("file:///y/c.jar"), Some("/y/c.jar".into()));
        assert_eq!(resolved("https://host/c.jar"), None);
        assert_eq!(resolved("bad%zz.jar"), None);
        assert_eq!(resolve(Path::new("app.jar"), "b.jar"), Some("b.jar".into()));
    }
}
