//! What is wrong with the input, told without stopping.
//!
//! Class paths in the wild hold jars that are gone, cut short or too new. Whoever asks for a class
//! gets what can be had; what could not be read is on this list, each thing once.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use classfile::ClassFileError;
use model::{DescriptorError, SignatureError};

use crate::JimageError;

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
    #[error("cannot be unzipped: {0}")]
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
    /// A class file that is damaged or newer than what is understood.
    #[error("{error}{advice}", error = .0, advice = advice(.0))]
    ClassFile(#[source] ClassFileError),
    /// A field or method whose type cannot be told.
    #[error("{0}")]
    Descriptor(#[source] DescriptorError),
    /// A class file in the place of another class.
    #[error("declares {declared}, which does not belong there")]
    Misplaced {
        /// The class it declares.
        declared: String,
    },
    /// A class file the JVM at hand refuses.
    #[error("needs Java {needed}; the JDK at hand is {feature}: name a newer one with --jdk")]
    NeedsNewerJdk {
        /// The feature release it was compiled for.
        needed: u16,
        /// That of the JDK.
        feature: u16,
    },
    /// A class file that runs with `--enable-preview` only.
    #[error("uses preview features of Java {release}")]
    Preview {
        /// Whose preview features.
        release: u16,
    },
    /// A release whose API the JDK at hand does not know.
    #[error("does not tell the API of Java {release}")]
    UnknownRelease {
        /// The release.
        release: u16,
    },
    /// A generic signature that is passed over because it cannot be read.
    #[error("{owner}: {source}")]
    Signature {
        /// What it belongs to.
        owner: String,
        /// Why.
        #[source]
        source: SignatureError,
    },
    /// A generic signature that is passed over because it speaks of another declaration.
    #[error("{owner}: its generic signature does not fit its erased types")]
    StaleSignature {
        /// What it belongs to.
        owner: String,
    },
    /// An attribute that is passed over because it cannot be read.
    #[error("{owner}: bad {attribute} attribute: {source}")]
    Attribute {
        /// What it belongs to.
        owner: String,
        /// Which one.
        attribute: &'static str,
        /// Why.
        #[source]
        source: ClassFileError,
    },
    /// An annotation that is passed over because it has no class.
    #[error("{owner}: bad annotation: {source}")]
    Annotation {
        /// What it belongs to.
        owner: String,
        /// Why.
        #[source]
        source: DescriptorError,
    },
    /// A member class whose name does not begin with that of its outer class; it is taken for a
    /// local class, which source elsewhere cannot name either.
    #[error("it claims to be a member of {outer}")]
    Nesting {
        /// The outer class it claims.
        outer: String,
    },
    /// The JDK's image is damaged there.
    #[error("{0}")]
    Jimage(#[source] Arc<JimageError>),
    /// A package of the JDK on the class path: the JVM never looks there for it.
    #[error("its package {package} belongs to the JDK's module {module}")]
    ShadowedByJdk {
        /// The package, dotted.
        package: String,
        /// The module.
        module: String,
    },
}

/// What to do about a class file that is newer than what is understood.
fn advice(error: &ClassFileError) -> &'static str {
    match error {
        ClassFileError::TooNew { .. } => {
            ": take a newer Testhound, or compile the class for an earlier release"
        }
        _ => "",
    }
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

impl From<ClassFileError> for Reason {
    fn from(error: ClassFileError) -> Self {
        Self::ClassFile(error)
    }
}

impl From<DescriptorError> for Reason {
    fn from(error: DescriptorError) -> Self {
        Self::Descriptor(error)
    }
}

impl From<JimageError> for Reason {
    fn from(error: JimageError) -> Self {
        Self::Jimage(Arc::new(error))
    }
}
