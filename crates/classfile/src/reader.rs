//! A cursor over bytes that answers "truncated" instead of running past the end.

use crate::ClassFileError;

/// Reads big-endian numbers; `base` is where the bytes lie in the class file, for messages.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    base: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], base: usize) -> Self {
        Self { bytes, position: 0, base }
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// The offset in the class file of the next byte.
    pub(crate) fn offset(&self) -> usize {
        self.base + self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.remaining() == 0
    }

    pub(crate) fn take(
        &mut self,
        length: usize,
        what: &'static str,
    ) -> Result<&'a [u8], ClassFileError> {
        let rest = &self.bytes[self.position..];
        let taken = rest
            .get(..length)
            .ok_or(ClassFileError::Truncated { offset: self.base + self.position, what })?;
        self.position += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], ClassFileError> {
        let rest = &self.bytes[self.position..];
        let taken = rest
            .first_chunk::<N>()
            .ok_or(ClassFileError::Truncated { offset: self.base + self.position, what })?;
        self.position += N;
        Ok(*taken)
    }

    pub(crate) fn u1(&mut self, what: &'static str) -> Result<u8, ClassFileError> {
        Ok(self.array::<1>(what)?[0])
    }

    pub(crate) fn u2(&mut self, what: &'static str) -> Result<u16, ClassFileError> {
        Ok(u16::from_be_bytes(self.array(what)?))
    }

    pub(crate) fn u4(&mut self, what: &'static str) -> Result<u32, ClassFileError> {
        Ok(u32::from_be_bytes(self.array(what)?))
    }

    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u64, ClassFileError> {
        Ok(u64::from_be_bytes(self.array(what)?))
    }

    pub(crate) fn i2(&mut self, what: &'static str) -> Result<i16, ClassFileError> {
        Ok(i16::from_be_bytes(self.array(what)?))
    }

    pub(crate) fn i4(&mut self, what: &'static str) -> Result<i32, ClassFileError> {
        Ok(i32::from_be_bytes(self.array(what)?))
    }

    /// An error about the byte at `position` of this reader.
    pub(crate) fn corrupt_at(&self, position: usize, reason: &'static str) -> ClassFileError {
        ClassFileError::Corrupt { offset: self.base + position, reason }
    }

    /// Reads a table: a two-byte count, then so many entries of at least `entry_size` bytes.
    ///
    /// Memory is reserved for what the bytes can hold, whatever the count claims.
    pub(crate) fn table<T>(
        &mut self,
        what: &'static str,
        entry_size: usize,
        mut entry: impl FnMut(&mut Self) -> Result<T, ClassFileError>,
    ) -> Result<Vec<T>, ClassFileError> {
        let count = usize::from(self.u2(what)?);
        let mut entries = Vec::with_capacity(count.min(self.remaining() / entry_size.max(1)));
        for _ in 0..count {
            entries.push(entry(self)?);
        }
        Ok(entries)
    }

    /// Succeeds if every byte was read.
    pub(crate) fn finish(&self, reason: &'static str) -> Result<(), ClassFileError> {
        if self.is_empty() { Ok(()) } else { Err(self.corrupt_at(self.position, reason)) }
    }
}
