//! The temporary folder of the test that is running: what it does with files there is no effect,
//! because whoever runs the test gives it such a folder and deletes it afterwards.
//!
//! Paths are compared as texts, which is enough: the folder's path is taken as it is given and with
//! its links resolved, a path with `..` is never below it, and there is no link in it to lead out,
//! for making one is an effect.
//!
//! Two things about the folder differ from machine to machine. Its path is kept out of what is
//! observed ([`shows_it`]), and where it was given through a descriptor, so that it is the same in
//! every search, Java is told no other one ([`told`]). And the order of files in a folder is the file
//! system's, so listing one with more than one file in it stays an effect. So does removing the folder
//! itself, which some versions of JUnit do not bear.

use std::path::Path;
use std::sync::{PoisonError, RwLock};

use jvmti_bindings::sys::jni::{jobject, jstring};

use crate::env::{Env, jni};
use crate::known_files::{is_at_or_below, spellings};
use crate::watches::{IN_OWN_FOLDER, LISTING, REMOVING, Watch};

/// The methods that resolve the links of a path.
const RESOLVING: [&str; 2] = ["canonicalize0", "realpath0"];
/// What paths through a descriptor of the process begin with.
const DESCRIPTORS: &str = "/proc/self/fd/";

struct Own {
    /// Of the last folder there was.
    spellings: Vec<String>,
    is_open: bool,
}

static OWN: RwLock<Own> = RwLock::new(Own { spellings: Vec::new(), is_open: false });

/// Says which folder is the running test's own, or that there is none any more.
pub fn set_own_folder(path: Option<&Path>) {
    let mut own = OWN.write().unwrap_or_else(PoisonError::into_inner);
    own.is_open = path.is_some();
    if let Some(path) = path {
        own.spellings = spellings(path);
        own.spellings.dedup();
    }
}

/// Whether the method may be called on these paths by the test whose folder this is.
pub(crate) fn allows(watch: &Watch, paths: impl FnOnce() -> Vec<String>) -> bool {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    own.is_open && IN_OWN_FOLDER.contains(&(watch.class, watch.method)) && {
        let is_below = |path: &String| own.spellings.iter().any(|own| is_at_or_below(path, own));
        let is_it = |path: &String| own.spellings.contains(&path.trim_end_matches('/').to_owned());
        let paths = paths();
        let lists = LISTING.contains(&watch.method);
        let removes = REMOVING.contains(&watch.method);
        paths.iter().all(is_below)
            && !(lists && paths.iter().any(|path| has_an_order(path)))
            && !(removes && paths.iter().any(is_it))
    }
}

/// Whether a text shows where the folder is.
pub(crate) fn shows_it(text: &impl ToString) -> bool {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    // Asked of every text that is observed, so nothing is done where no test has files.
    !own.spellings.is_empty() && {
        let text = text.to_string();
        own.spellings.iter().any(|own| text.contains(own.as_str()))
    }
}

/// The text without what shows where the folder is.
pub(crate) fn without_it(text: &str) -> String {
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    own.spellings.iter().fold(text.to_owned(), |text, own| text.replace(own.as_str(), "folder"))
}

/// What a native returns instead of a path with its links resolved, if that shows where the folder
/// is in truth.
pub(crate) fn told(watch: &Watch, env: Env, result: usize) -> usize {
    if !RESOLVING.contains(&watch.method) || result == 0 {
        return result;
    }
    let own = OWN.read().unwrap_or_else(PoisonError::into_inner);
    let [given, real] = &own.spellings[..] else { return result };
    if !own.is_open || !given.starts_with(DESCRIPTORS) {
        return result;
    }
    let as_given = |path: &str| {
        let rest = is_at_or_below(path, real).then(|| &path[real.len()..])?;
        Some(format!("{given}{rest}"))
    };
    // SAFETY: no exception is pending when the result is read; the descriptor of `canonicalize0`
    // says that it is a string, that of `realpath0` that it is an array of bytes.
    unsafe {
        if jni!(env, ExceptionCheck) != 0 {
            return result;
        }
        if watch.class == "java/io/UnixFileSystem" {
            let path = env.read_string(result as jstring).to_string();
            let told = as_given(&path).map(|path| path.encode_utf16().collect::<Vec<u16>>());
            return told.map_or(result, |units| env.new_string(&units) as usize);
        }
        let array = result as jobject;
        let mut bytes = vec![0_i8; jni!(env, GetArrayLength, array) as usize];
        jni!(env, GetByteArrayRegion, array, 0, bytes.len() as i32, bytes.as_mut_ptr());
        let bytes: Vec<u8> = bytes.into_iter().map(|byte| byte as u8).collect();
        let Some(told) = std::str::from_utf8(&bytes).ok().and_then(as_given) else {
            return result;
        };
        let told: Vec<i8> = told.into_bytes().into_iter().map(|byte| byte as i8).collect();
        let array = jni!(env, NewByteArray, told.len() as i32);
        if array.is_null() {
            // Memory is exhausted, which is pending now.
            return 0;
        }
        jni!(env, SetByteArrayRegion, array, 0, told.len() as i32, told.as_ptr());
        array as usize
    }
}

/// Whether it is a folder with more than one thing in it; what cannot be read may be.
fn has_an_order(path: &str) -> bool {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.take(2).count() > 1,
        Err(error) => !matches!(
            error.kind(),
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watches::WATCHES;

    fn watch(class: &str, method: &str) -> &'static Watch {
        let found = WATCHES.iter().find(|w| w.class.ends_with(class) && w.method == method);
        found.expect("it is watched")
    }

    /// One test, for there is one folder at a time in a process.
    #[test]
    fn a_test_may_work_on_files_in_its_own_folder_and_nowhere_else() {
        let real = tempfile::tempdir().expect("a folder");
        let own = real.path().canonicalize().expect("a folder").join("own");
        std::fs::create_dir(&own).expect("a folder");
        let link = real.path().join("link");
        std::os::unix::fs::symlink(&own, &link).expect("a link");
        let text = |path: &Path| path.display().to_string();
        let may = |class: &str, method: &str, paths: &[&Path]| {
            let paths = paths.iter().map(|path| text(path)).collect();
            allows(watch(class, method), || paths)
        };
        let (file, other) = (own.join("a.txt"), own.join("b.txt"));
        assert!(!may("UnixNativeDispatcher", "unlink0", &[&file]), "no folder is open");

        set_own_folder(Some(&link));
        assert!(may("UnixNativeDispatcher", "unlink0", &[&file]));
        assert!(may("UnixNativeDispatcher", "unlink0", &[&link.join("a.txt")]));
        assert!(may("UnixNativeDispatcher", "rename0", &[&file, &other]));
        for removing in ["rmdir0", "unlink0"] {
            assert!(!may("UnixNativeDispatcher", removing, &[&own]), "{removing}");
        }
        assert!(!may("UnixFileSystem", "delete0", &[&own.join("")]));
        assert!(!may("UnixFileSystem", "rename0", &[&link, &file]));
        assert!(may("UnixNativeDispatcher", "rmdir0", &[&file]));
        for outside in ["own/../x", "owned", "", "own/.."] {
            let outside = real.path().canonicalize().expect("a folder").join(outside);
            assert!(!may("UnixNativeDispatcher", "unlink0", &[&outside]), "{outside:?}");
            assert!(!may("UnixNativeDispatcher", "rename0", &[&file, &outside]), "{outside:?}");
        }
        for relative in ["", "a.txt", "own/a.txt"] {
            assert!(!may("FileOutputStream", "open0", &[Path::new(relative)]), "{relative}");
        }
        for method in ["symlink0", "link0", "chmod0", "unlinkat0", "openat0", "statvfs0"] {
            assert!(!may("UnixNativeDispatcher", method, &[&file]), "{method}");
        }
        assert!(!may("UnixFileSystem", "getLastModifiedTime0", &[&file]));

        assert!(may("UnixFileSystem", "list0", &[&own]));
        std::fs::write(&file, "").expect("a file");
        assert!(may("UnixFileSystem", "list0", &[&own]));
        std::fs::write(&other, "").expect("a file");
        assert!(!may("UnixFileSystem", "list0", &[&own]), "two files have an order");
        assert!(!may("UnixNativeDispatcher", "open0", &[&own]));
        assert!(may("UnixNativeDispatcher", "open0", &[&file]));

        let message = format!("{} is no folder", text(&file));
        assert!(shows_it(&message));
        assert_eq!(without_it(&message), "folder/a.txt is no folder");
        set_own_folder(None);
        assert!(!may("UnixNativeDispatcher", "unlink0", &[&file]));
        assert!(shows_it(&message), "what was remembered shows it still");
        assert!(!shows_it(&"/own/a.txt"));
    }

    #[test]
    fn what_is_allowed_in_the_folder_is_watched_elsewhere() {
        for (class, method) in IN_OWN_FOLDER {
            let is_it = |watch: &Watch| watch.class == class && watch.method == method;
            assert!(WATCHES.iter().any(is_it), "{class}.{method}");
        }
    }
}
