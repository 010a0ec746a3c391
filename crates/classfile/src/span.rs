//! A piece of the class bytes, shared instead of copied.

use std::ops::Deref;
use std::sync::Arc;

/// Bytes that belong to a class file: a range of the input, or bytes made later.
///
/// Cloning shares. A class of a hundred attributes costs one copy of its bytes.
#[derive(Clone)]
pub struct Span {
    source: Arc<[u8]>,
    start: u32,
    end: u32,
}

impl Span {
    /// The part of `source` from `start` to before `end`; both lie in `source`.
    pub(crate) fn new(source: &Arc<[u8]>, start: usize, end: usize) -> Self {
        debug_assert!(start <= end && end <= source.len());
        let narrow = |offset| u32::try_from(offset).expect("parse refuses input over 4 GiB");
        Self { source: Arc::clone(source), start: narrow(start), end: narrow(end) }
    }

    /// All bytes this is a part of.
    pub(crate) fn source(&self) -> &Arc<[u8]> {
        &self.source
    }

    /// Where these bytes begin in the class file they were read from; 0 for bytes made later.
    pub fn offset(&self) -> usize {
        self.start as usize
    }
}

impl Deref for Span {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.source[self.start as usize..self.end as usize]
    }
}

impl From<Vec<u8>> for Span {
    fn from(bytes: Vec<u8>) -> Self {
        let source: Arc<[u8]> = bytes.into();
        Self::new(&source, 0, source.len())
    }
}

impl PartialEq for Span {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Span {}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Span({} bytes at {})", self.len(), self.start)
    }
}
