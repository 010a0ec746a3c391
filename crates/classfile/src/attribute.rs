//! Attributes: named bytes attached to classes, fields, methods, code and record components.
//!
//! They stay as they came. Readers of particular attributes are in `declaration`, `nesting`,
//! `annotation`, `bootstrap` and `code`; each decodes when called and keeps nothing.

use std::sync::Arc;

use crate::class::write_count;
use crate::reader::Reader;
use crate::{ClassFileError, ConstantPool, Span};

/// An attribute, not decoded (JVMS 4.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Index of the name.
    pub name: u16,
    /// The contents, without name and length.
    pub bytes: Span,
}

/// The attributes of one owner, in the order of the class file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    list: Vec<Attribute>,
}

impl Attributes {
    /// Reads a table of attributes; positions of `reader` are positions in `source`.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        source: &Arc<[u8]>,
    ) -> Result<Self, ClassFileError> {
        let list = reader.table("the attributes", 6, |reader| {
            let name = reader.u2("an attribute")?;
            let length = reader.u4("an attribute")? as usize;
            let start = reader.offset();
            reader.take(length, "an attribute")?;
            Ok(Attribute { name, bytes: Span::new(source, start, start + length) })
        })?;
        Ok(Self { list })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        write_count(out, self.list.len());
        for attribute in &self.list {
            attribute.write(out);
        }
    }

    /// The attributes in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Attribute> {
        self.list.iter()
    }

    /// The first attribute of this name.
    pub fn find(&self, pool: &ConstantPool, name: &str) -> Option<&Attribute> {
        self.list.iter().find(|attribute| attribute.is(pool, name))
    }

    /// Whether there is an attribute of this name.
    pub fn has(&self, pool: &ConstantPool, name: &str) -> bool {
        self.find(pool, name).is_some()
    }

    /// Replaces the contents of the first attribute of this name; `false` if there is none.
    pub fn replace(&mut self, pool: &ConstantPool, name: &str, bytes: Vec<u8>) -> bool {
        match self.list.iter_mut().find(|attribute| attribute.is(pool, name)) {
            Some(attribute) => {
                attribute.bytes = bytes.into();
                true
            }
            None => false,
        }
    }

    /// Appends an attribute.
    pub fn push(&mut self, attribute: Attribute) {
        self.list.push(attribute);
    }

    /// Removes all attributes of this name.
    pub fn remove(&mut self, pool: &ConstantPool, name: &str) {
        self.list.retain(|attribute| !attribute.is(pool, name));
    }

    /// Reads the first attribute of this name to its last byte.
    pub(crate) fn decode<T>(
        &self,
        pool: &ConstantPool,
        name: &str,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ClassFileError>,
    ) -> Result<Option<T>, ClassFileError> {
        self.find(pool, name).map(|attribute| attribute.decode(read)).transpose()
    }

    /// Like [`Self::decode`] for an attribute that is a table; without the attribute, empty.
    pub(crate) fn decode_table<T>(
        &self,
        pool: &ConstantPool,
        name: &str,
        entry_size: usize,
        entry: impl FnMut(&mut Reader<'_>) -> Result<T, ClassFileError>,
    ) -> Result<Vec<T>, ClassFileError> {
        let table =
            self.decode(pool, name, |r| r.table("a table of an attribute", entry_size, entry))?;
        Ok(table.unwrap_or_default())
    }
}

impl Attribute {
    /// Whether the attribute has this (plain ASCII) name.
    pub fn is(&self, pool: &ConstantPool, name: &str) -> bool {
        pool.utf8_bytes(self.name).is_ok_and(|found| found == name.as_bytes())
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.name.to_be_bytes());
        let length = u32::try_from(self.bytes.len()).expect("a span has at most 4 GiB");
        out.extend(length.to_be_bytes());
        out.extend_from_slice(&self.bytes);
    }

    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader::new(&self.bytes, self.bytes.offset())
    }

    pub(crate) fn decode<T>(
        &self,
        read: impl FnOnce(&mut Reader<'_>) -> Result<T, ClassFileError>,
    ) -> Result<T, ClassFileError> {
        let mut reader = self.reader();
        let value = read(&mut reader)?;
        reader.finish("bytes after the end of an attribute")?;
        Ok(value)
    }
}

impl<'a> IntoIterator for &'a Attributes {
    type Item = &'a Attribute;
    type IntoIter = std::slice::Iter<'a, Attribute>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
