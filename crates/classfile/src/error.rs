//! What can be wrong with class bytes, or with a class to be written.

use thiserror::Error;

/// Why class bytes cannot be read, or a class cannot be written.
///
/// Offsets count from the first byte of the class file, unless the bytes in question were
/// made by the caller (a replaced attribute): then from the first byte of those.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ClassFileError {
    /// The first four bytes are not those of a class file.
    #[error("not a class file: it starts with {magic:#010x}")]
    NotAClass {
        /// The bytes found, as a big-endian number.
        magic: u32,
    },
    /// The class file was made for a newer Java than is understood.
    #[error(
        "class file version {major}.{minor} (Java {}) is newer than {} (Java {})",
        crate::release_of(*major), crate::NEWEST_MAJOR, crate::release_of(crate::NEWEST_MAJOR)
    )]
    TooNew {
        /// The major version found.
        major: u16,
        /// The minor version found.
        minor: u16,
    },
    /// The major version is below that of JDK 1.0.
    #[error("class file version {major}.{minor} does not exist")]
    TooOld {
        /// The major version found.
        major: u16,
        /// The minor version found.
        minor: u16,
    },
    /// The bytes end in the middle of something.
    #[error("class bytes end at byte {offset}, in the middle of {what}")]
    Truncated {
        /// Where the thing that is cut short begins.
        offset: usize,
        /// What is cut short.
        what: &'static str,
    },
    /// The bytes contradict the class file format.
    #[error("bad class bytes at byte {offset}: {reason}")]
    Corrupt {
        /// Where the contradiction is.
        offset: usize,
        /// What is wrong.
        reason: &'static str,
    },
    /// A constant pool index leads nowhere or to another kind of constant.
    #[error("constant {index} is not {expected}")]
    BadConstant {
        /// The index that was looked up.
        index: u16,
        /// The kind of constant that was expected there.
        expected: &'static str,
    },
    /// A text constant cannot be a Rust string: it is malformed or holds a lone surrogate.
    #[error("constant {index} is not valid unicode text")]
    NotUnicode {
        /// The index of the text constant.
        index: u16,
    },
    /// A method or field descriptor that does not follow the grammar of JVMS 4.3.
    #[error("bad descriptor `{descriptor}`")]
    BadDescriptor {
        /// The text found.
        descriptor: String,
    },
    /// No further constant fits into the pool of 65535 entries.
    #[error("the constant pool is full")]
    PoolFull,
    /// A text constant longer than 65535 bytes.
    #[error("a text constant of {length} bytes is too long")]
    TextTooLong {
        /// The length in modified UTF-8.
        length: usize,
    },
    /// Changed code exceeds a limit of the format.
    #[error("the code is too large: {reason}")]
    CodeTooLarge {
        /// Which limit was passed.
        reason: &'static str,
    },
    /// Changed code refers to a label that has no place in it.
    #[error("label {label} is used but not placed")]
    UnplacedLabel {
        /// The number of the label.
        label: u32,
    },
    /// Stack map frames of changed code are not in ascending order of their positions.
    #[error("two stack map frames at offset {offset}, or one out of order")]
    FrameOrder {
        /// The offset of the later frame.
        offset: u16,
    },
    /// A range of changed code ends before it starts.
    #[error("a range of code from {from} to {to}")]
    RangeOrder {
        /// The offset of its start.
        from: u16,
        /// The offset of its end.
        to: u16,
    },
}
