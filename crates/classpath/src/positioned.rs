//! A file with a reading position of its own.
//!
//! Jars are read by many threads at once. `File` shares one position among all its users; this
//! one reads at given places only, so a clone is an independent reader of the same open file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

/// Most classes are smaller, so header and contents of one take one read.
const BUFFER: usize = 8192;

/// A buffered reader at a position of its own; clones share the open file only.
#[derive(Debug)]
pub(crate) struct PositionedFile {
    file: Arc<File>,
    length: u64,
    at: u64,
    /// What was read last, and where it lies in the file.
    buffer: Vec<u8>,
    buffered_at: u64,
}

impl PositionedFile {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Self { file: Arc::new(file), length, at: 0, buffer: Vec::new(), buffered_at: 0 })
    }

    /// The length of the file when it was opened.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// What the buffer holds from the current position on.
    fn buffered(&self) -> &[u8] {
        let skip =
            self.at.checked_sub(self.buffered_at).and_then(|skip| usize::try_from(skip).ok());
        skip.and_then(|skip| self.buffer.get(skip..)).unwrap_or_default()
    }
}

impl Clone for PositionedFile {
    fn clone(&self) -> Self {
        Self {
            file: Arc::clone(&self.file),
            length: self.length,
            at: self.at,
            buffer: Vec::new(),
            buffered_at: 0,
        }
    }
}

impl Read for PositionedFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.buffered().is_empty() {
            if out.len() >= BUFFER {
                let count = self.file.read_at(out, self.at)?;
                self.at += count as u64;
                return Ok(count);
            }
            self.buffer.resize(BUFFER, 0);
            let count = self.file.read_at(&mut self.buffer, self.at);
            self.buffer.truncate(*count.as_ref().unwrap_or(&0));
            self.buffered_at = self.at;
            count?;
        }
        let ready = self.buffered();
        let count = ready.len().min(out.len());
        out[..count].copy_from_slice(&ready[..count]);
        self.at += count as u64;
        Ok(count)
    }
}

impl Seek for PositionedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn reads_and_seeks_agree_with_the_bytes_of_the_file() {
        let bytes: Vec<u8> = (0..50_000_u32).map(|i| (i * 7 + i / 256) as u8).collect();
        let mut temp = tempfile::NamedTempFile::new().unwrap();
        temp.write_all(&bytes).unwrap();
        let mut file = PositionedFile::open(temp.path()).unwrap();
        for (start, length) in [(0, 10), (5, 8192), (49_990, 100), (8191, 2), (100, 20_000), (4, 3)]
        {
            file.seek(SeekFrom::Start(start)).unwrap();
            let mut out = Vec::new();
            (&mut file).take(length).read_to_end(&mut out).unwrap();
            let start = start as usize;
            let end = (start + length as usize).min(bytes.len());
            assert_eq!(out, bytes[start..end], "{length} bytes at {start}");
        }
        assert_eq!(file.seek(SeekFrom::End(-1)).unwrap(), 49_999);
        assert!(file.seek(SeekFrom::End(-50_001)).is_err());
    }

    #[test]
    fn clones_do_not_move_each_other() {
        let mut temp = tempfile::NamedTempFile::new().unwrap();
        temp.write_all(b"abcdef").unwrap();
        let mut one = PositionedFile::open(temp.path()).unwrap();
        let mut two = one.clone();
        let mut byte = [0];
        for expected in *b"abc" {
            one.read_exact(&mut byte).unwrap();
            assert_eq!(byte[0], expected);
        }
        two.read_exact(&mut byte).unwrap();
        assert_eq!(byte, *b"a");
    }
}
