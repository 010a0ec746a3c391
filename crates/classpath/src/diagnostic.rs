//! What is wrong with the input, told without stopping.
//!
//! Class paths in the wild hold jars that are gone, cut short or too new. Whoever asks for a class
//! gets what can be had; what could not be read is on this list, each thing once.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Something on the class path that could not be read, and why.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The file, or `jar!entry`.
    pub path: String,
    /// What is wrong with it.
    pub reason: Reason,
}

impl Diagnostic {
    pub(crate) fn new(path: impl Into<String>, reason: impl Into<Reason>) -> Self {
        Self { path: path.into(), reason: reason.into() }
    }

    pub(crate) fn file(path: &Path, reason: impl Into<Reason>) -> Self {
        Self::new(path.display().to_string(), reason)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

/// What is wrong with a file or an entry of a jar.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Reason {
    /// A class path entry that is not there.
    #[error("does not exist")]
    Missing,
    /// A `Class-Path` entry of a manifest that is not there; the JVM passes over those.
    #[error("does not exist (named by the Class-Path of {jar})")]
    MissingFromManifest {
        /// The jar whose manifest names it.
        jar: String,
    },
    /// A `Class-Path` entry of a manifest that names no local file.
    #[error("`{entry}` in its Class-Path names no local file")]
    RemoteClassPath {
        /// The entry.
        entry: String,
    },
    /// The operating system did not let us read it.
    #[error("cannot be read: {0}")]
    Io(#[source] Arc<io::Error>),
    /// A jar that is not a well-formed zip file, or an entry of one.
    #[error("not a readable jar: {0}")]
    Zip(#[source] Arc<zip::result::ZipError>),
    /// Neither a directory nor a regular file.
    #[error("neither a directory nor a file")]
    NoFile,
    /// A file name that cannot be a class name.
    #[error("its name is not Unicode")]
    Name,
    /// Larger than any class file can reasonably be.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The limit.
        limit: u64,
    },
    /// A package of the JDK on the class path: the JVM never looks there for it.
    #[error("its package {package} belongs to the JDK's module {module}")]
    ShadowedByJdk {
        /// The package, dotted.
        package: String,
        /// The module.
        module: String,
    },
}

impl From<io::Error> for Reason {
    fn from(error: io::Error) -> Self {
        Self::Io(Arc::new(error))
    }
}

impl From<zip::result::ZipError> for Reason {
    fn from(error: zip::result::ZipError) -> Self {
        Self::Zip(Arc::new(error))
    }
}
