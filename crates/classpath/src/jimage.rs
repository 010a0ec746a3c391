//! The JDK's `lib/modules` file: a jimage, read in place.
//!
//! A jimage is a perfect hash table from resource paths (`/java.base/java/lang/Object.class`) to
//! places in the file. The tables (about 2 MB) are read once; contents are read where they lie,
//! when asked for, because a run looks at a few hundred of 30,000 classes.
//!
//! Layout, in the byte order of the machine it was made for: header of seven words, redirect table,
//! offset table, attribute streams, strings; then the contents.
//!
//! Invariant: every number from the file is checked before it is used as an index or a size, and
//! nothing larger than the file is ever allocated.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

const MAGIC: u32 = 0xCAFE_DADA;
const VERSION: u32 = 1 << 16;
const HEADER_SIZE: u64 = 28;
const HASH_SEED: u32 = 0x0100_0193;

/// Why a jimage, or something in it, cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum JimageError {
    /// The operating system did not let us read it.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The file is not a jimage, or of an unknown version.
    #[error("{} is not a jimage of a known version", path.display())]
    NotAnImage {
        /// The file.
        path: PathBuf,
    },
    /// The tables contradict themselves or the file's length.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The image was made with `jlink --compress`.
    #[error("{resource} in {} is compressed; images made with `jlink --compress` are not supported", path.display())]
    Compressed {
        /// The file.
        path: PathBuf,
        /// The resource.
        resource: String,
    },
}

/// An open jimage.
#[derive(Debug)]
pub(crate) struct Jimage {
    path: PathBuf,
    file: File,
    length: u64,
    redirects: Vec<i32>,
    offsets: Vec<u32>,
    locations: Vec<u8>,
    strings: Vec<u8>,
    /// Where the contents begin.
    contents: u64,
}

/// The place and name of a resource, decoded from its attribute stream.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Location<'a> {
    /// The module, such as `java.base`.
    pub(crate) module: &'a str,
    /// The directory, such as `java/lang`.
    pub(crate) parent: &'a str,
    /// The file name without extension.
    pub(crate) base: &'a str,
    /// The extension.
    pub(crate) extension: &'a str,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Jimage {
    /// Reads the tables.
    pub(crate) fn open(path: &Path) -> Result<Self, JimageError> {
        let io = |source| JimageError::Io { path: path.to_owned(), source };
        let damaged = |what| JimageError::Damaged { path: path.to_owned(), what };
        let file = File::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        if length < HEADER_SIZE {
            return Err(JimageError::NotAnImage { path: path.to_owned() });
        }
        let mut header = [0; HEADER_SIZE as usize];
        file.read_exact_at(&mut header, 0).map_err(io)?;
        let word =
            ByteOrder::of(&header).ok_or(JimageError::NotAnImage { path: path.to_owned() })?;
        let header = word.words(&header);
        if header[1] != VERSION {
            return Err(JimageError::NotAnImage { path: path.to_owned() });
        }
        let (table, location_size, string_size) = (header[4], header[5], header[6]);
        let contents =
            HEADER_SIZE + u64::from(table) * 8 + u64::from(location_size) + u64::from(string_size);
        if contents > length {
            return Err(damaged("its tables are longer than the file"));
        }
        let mut at = HEADER_SIZE;
        let mut read = |size: u64| {
            let mut bytes = vec![0; size as usize];
            file.read_exact_at(&mut bytes, at).map_err(io)?;
            at += size;
            Ok(bytes)
        };
        let redirects = read(u64::from(table) * 4)?;
        let offsets = read(u64::from(table) * 4)?;
        let locations = read(u64::from(location_size))?;
        let strings = read(u64::from(string_size))?;
        Ok(Self {
            path: path.to_owned(),
            redirects: word.words(&redirects).into_iter().map(u32::cast_signed).collect(),
            offsets: word.words(&offsets),
            file,
            length,
            locations,
            strings,
            contents,
        })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The number of slots; each holds at most one resource.
    pub(crate) fn slots(&self) -> u32 {
        self.offsets.len() as u32
    }

    /// The resource in a slot.
    pub(crate) fn location(&self, slot: u32) -> Result<Location<'_>, JimageError> {
        let start = self.offsets.get(slot as usize).copied().unwrap_or(u32::MAX) as usize;
        let stream =
            self.locations.get(start..).ok_or_else(|| self.damaged("an offset is wrong"))?;
        self.decode(stream)
    }

    /// The resource of that path, if there is one.
    pub(crate) fn find(&self, path: &str) -> Result<Option<Location<'_>>, JimageError> {
        if self.offsets.is_empty() {
            return Ok(None);
        }
        let slots = self.slots();
        let first = hash(path, HASH_SEED) % slots;
        let slot = match self.redirects[first as usize] {
            0 => return Ok(None),
            seed @ 1.. => hash(path, seed.cast_unsigned()) % slots,
            direct => (-1 - direct).cast_unsigned(),
        };
        let location = self.location(slot)?;
        Ok(location.is(path).then_some(location))
    }

    /// The contents of a resource.
    pub(crate) fn read(&self, location: &Location<'_>) -> Result<Vec<u8>, JimageError> {
        if location.compressed != 0 {
            let resource = location.path();
            return Err(JimageError::Compressed { path: self.path.clone(), resource });
        }
        let start = self.contents.checked_add(location.offset);
        let end = start.and_then(|start| start.checked_add(location.size));
        let (Some(start), Some(true)) = (start, end.map(|end| end <= self.length)) else {
            return Err(self.damaged("a resource lies outside of the file"));
        };
        let mut bytes = vec![0; location.size as usize];
        self.file
            .read_exact_at(&mut bytes, start)
            .map_err(|source| JimageError::Io { path: self.path.clone(), source })?;
        Ok(bytes)
    }

    /// An attribute stream: each attribute is a byte of kind (5 bits) and length less one (3 bits),
    /// then that many bytes of value, the most significant first; kind 0 ends it.
    fn decode(&self, stream: &[u8]) -> Result<Location<'_>, JimageError> {
        let mut location = Location::default();
        let mut rest = stream;
        loop {
            let (&head, tail) =
                rest.split_first().ok_or_else(|| self.damaged("an attribute stream has no end"))?;
            let kind = head >> 3;
            if kind == 0 {
                return Ok(location);
            }
            let length = usize::from(head & 7) + 1;
            let (value, tail) = tail
                .split_at_checked(length)
                .ok_or_else(|| self.damaged("an attribute stream has no end"))?;
            let value = value.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
            match kind {
                1 => location.module = self.string(value)?,
                2 => location.parent = self.string(value)?,
                3 => location.base = self.string(value)?,
                4 => location.extension = self.string(value)?,
                5 => location.offset = value,
                6 => location.compressed = value,
                7 => location.size = value,
                // Later versions add kinds (preview flags) that are of no interest here.
                _ => {}
            }
            rest = tail;
        }
    }

    /// A string, ended by a zero byte.
    fn string(&self, offset: u64) -> Result<&str, JimageError> {
        let wrong = || self.damaged("a string is damaged");
        let start = usize::try_from(offset).map_err(|_| wrong())?;
        let text = self.strings.get(start..).ok_or_else(wrong)?;
        let end = text.iter().position(|&byte| byte == 0).ok_or_else(wrong)?;
        str::from_utf8(&text[..end]).map_err(|_| wrong())
    }

    fn damaged(&self, what: &'static str) -> JimageError {
        JimageError::Damaged { path: self.path.clone(), what }
    }
}

impl Location<'_> {
    /// `/module/parent/base.extension`, without the parts that are empty.
    fn path(&self) -> String {
        let mut path = String::new();
        self.parts(|part| path.push_str(part));
        path
    }

    fn is(&self, path: &str) -> bool {
        let mut rest = Some(path);
        self.parts(|part| rest = rest.and_then(|rest| rest.strip_prefix(part)));
        rest == Some("")
    }

    fn parts<'s>(&'s self, mut part: impl FnMut(&'s str)) {
        if !self.module.is_empty() {
            part("/");
            part(self.module);
            part("/");
        }
        if !self.parent.is_empty() {
            part(self.parent);
            part("/");
        }
        part(self.base);
        if !self.extension.is_empty() {
            part(".");
            part(self.extension);
        }
    }
}

/// The hash the tables are made with.
fn hash(path: &str, seed: u32) -> u32 {
    let mix = |hash: u32, byte| hash.wrapping_mul(HASH_SEED) ^ u32::from(byte);
    path.bytes().fold(seed, mix) & 0x7FFF_FFFF
}

/// The byte order a file was written in.
#[derive(Clone, Copy)]
enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// Told by the first word, the magic number.
    fn of(header: &[u8]) -> Option<Self> {
        let first = *header.first_chunk()?;
        if u32::from_le_bytes(first) == MAGIC {
            Some(Self::Little)
        } else if u32::from_be_bytes(first) == MAGIC {
            Some(Self::Big)
        } else {
            None
        }
    }

    fn words(self, bytes: &[u8]) -> Vec<u32> {
        let (words, _) = bytes.as_chunks();
        match self {
            Self::Little => words.iter().map(|word| u32::from_le_bytes(*word)).collect(),
            Self::Big => words.iter().map(|word| u32::from_be_bytes(*word)).collect(),
        }
    }
}
