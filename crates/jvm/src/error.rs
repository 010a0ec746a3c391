//! What can go wrong with the JVM itself; what code under test does is never an error.

use std::path::PathBuf;

/// A failure of the JVM or of our use of it.
#[derive(Debug, thiserror::Error)]
pub enum JvmError {
    /// The JVM library could not be loaded.
    #[error("cannot load the JVM library {}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// Why.
        source: libloading::Error,
    },
    /// The JVM did not start.
    #[error("the JVM did not start (JNI code {code}); its options were {options:?}")]
    Create {
        /// JNI's code.
        code: i32,
        /// The options given.
        options: Vec<String>,
    },
    /// An option contains a NUL character.
    #[error("a JVM option contains a NUL character: {0:?}")]
    Option(String),
    /// A thread could not be attached.
    #[error("cannot attach a thread to the JVM (JNI code {0})")]
    Attach(i32),
    /// A JVMTI function failed.
    #[error("JVMTI {function} failed with error {code}")]
    Jvmti {
        /// The function.
        function: &'static str,
        /// JVMTI's code.
        code: i32,
    },
    /// A class, method or field could not be linked.
    #[error("cannot link {what}: {why}")]
    Link {
        /// What was looked for.
        what: String,
        /// The exception, in words.
        why: String,
    },
    /// A call into our own Java code threw.
    #[error("{call} failed inside the JVM: {why}")]
    Service {
        /// What was called.
        call: String,
        /// The exception, in words.
        why: String,
    },
    /// The shared-memory file could not be mapped.
    #[error("cannot map {}", path.display())]
    Blackbox {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}
