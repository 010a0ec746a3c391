//! The constant pool: look-ups by index. Adding is in [`crate::intern`].
//!
//! Text is decoded when looked up: of the thousands of texts of a class few are ever read.

use std::borrow::Cow;
use std::sync::Arc;

use crate::intern::Index;
use crate::reader::Reader;
use crate::{ClassFileError, Constant, TextRange, mutf8};

/// The constants of a class, and the bytes of its texts.
#[derive(Clone, Debug)]
pub struct ConstantPool {
    pub(crate) entries: Vec<Constant>,
    /// The class bytes: text ranges below its length point here.
    source: Arc<[u8]>,
    /// Texts added later: text ranges from the source's length on point here.
    added: Vec<u8>,
    /// Made when the first constant is added.
    pub(crate) index: Option<Index>,
}

/// A field or method that code refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRef<'p> {
    /// Internal name of the class (or descriptor of the array type) that is named.
    pub class: Cow<'p, str>,
    /// Name of the field or method.
    pub name: Cow<'p, str>,
    /// Its descriptor.
    pub descriptor: Cow<'p, str>,
}

impl ConstantPool {
    /// A pool without constants.
    pub(crate) fn empty() -> Self {
        let entries = vec![Constant::Unusable];
        Self { entries, source: Arc::new([]), added: Vec::new(), index: None }
    }

    /// Reads the pool; `reader` is over all of `source`.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        source: &Arc<[u8]>,
    ) -> Result<Self, ClassFileError> {
        let start = reader.position();
        let count = usize::from(reader.u2("the constant pool")?);
        if count == 0 {
            return Err(reader.corrupt_at(start, "the constant pool has no slot 0"));
        }
        // The smallest constant takes three bytes.
        let mut entries = Vec::with_capacity(count.min(reader.remaining() / 3 + 1) + 16);
        entries.push(Constant::Unusable);
        while entries.len() < count {
            let constant = Constant::read(reader)?;
            entries.push(constant);
            if constant.is_wide() {
                if entries.len() == count {
                    let reason = "the constant pool ends inside a long or double";
                    return Err(reader.corrupt_at(reader.position(), reason));
                }
                entries.push(Constant::Unusable);
            }
        }
        Ok(Self { entries, source: Arc::clone(source), added: Vec::new(), index: None })
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let count = u16::try_from(self.entries.len()).expect("adding checks the size of the pool");
        out.extend(count.to_be_bytes());
        for constant in &self.entries {
            constant.write(self, out);
        }
    }

    /// The number of slots, slot 0 included: one more than the highest index.
    pub fn slots(&self) -> usize {
        self.entries.len()
    }

    /// All constants with their indices.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &Constant)> {
        // At most 65535 slots, so no index is lost.
        (0..=u16::MAX).zip(&self.entries).filter(|(_, c)| !matches!(c, Constant::Unusable))
    }

    /// The constant at `index`.
    pub fn get(&self, index: u16) -> Result<&Constant, ClassFileError> {
        match self.entries.get(usize::from(index)) {
            Some(Constant::Unusable) | None => {
                Err(ClassFileError::BadConstant { index, expected: "a constant" })
            }
            Some(constant) => Ok(constant),
        }
    }

    pub(crate) fn text(&self, range: TextRange) -> &[u8] {
        let (start, length) = (range.start as usize, usize::from(range.length));
        match start.checked_sub(self.source.len()) {
            None => &self.source[start..start + length],
            Some(start) => &self.added[start..start + length],
        }
    }

    pub(crate) fn append_text(&mut self, bytes: &[u8]) -> Result<TextRange, ClassFileError> {
        let length = u16::try_from(bytes.len())
            .map_err(|_| ClassFileError::TextTooLong { length: bytes.len() })?;
        let start = u32::try_from(self.source.len() + self.added.len())
            .map_err(|_| ClassFileError::PoolFull)?;
        self.added.extend_from_slice(bytes);
        Ok(TextRange { start, length })
    }

    /// The bytes of the text at `index`, in modified UTF-8.
    pub fn utf8_bytes(&self, index: u16) -> Result<&[u8], ClassFileError> {
        match self.get(index) {
            Ok(Constant::Utf8(range)) => Ok(self.text(*range)),
            _ => Err(ClassFileError::BadConstant { index, expected: "a text" }),
        }
    }

    /// The text at `index`.
    pub fn utf8(&self, index: u16) -> Result<Cow<'_, str>, ClassFileError> {
        mutf8::decode(self.utf8_bytes(index)?).ok_or(ClassFileError::NotUnicode { index })
    }

    /// The text at `index` as UTF-16 units: lossless where [`Self::utf8`] must refuse.
    pub fn utf16(&self, index: u16) -> Result<Vec<u16>, ClassFileError> {
        mutf8::to_utf16(self.utf8_bytes(index)?).ok_or(ClassFileError::NotUnicode { index })
    }

    /// The index of the text of the string constant at `index`.
    pub fn string_text(&self, index: u16) -> Result<u16, ClassFileError> {
        match self.get(index) {
            Ok(Constant::String(text)) => Ok(*text),
            _ => Err(ClassFileError::BadConstant { index, expected: "a string" }),
        }
    }

    /// The internal name of the class at `index`, such as `java/lang/String` or `[I`.
    pub fn class_name(&self, index: u16) -> Result<Cow<'_, str>, ClassFileError> {
        self.utf8(self.class_name_index(index)?)
    }

    /// The index of the text with the name of the class at `index`.
    pub fn class_name_index(&self, index: u16) -> Result<u16, ClassFileError> {
        match self.get(index) {
            Ok(Constant::Class(name)) => Ok(*name),
            _ => Err(ClassFileError::BadConstant { index, expected: "a class" }),
        }
    }

    /// Like [`Self::class_name`], where index 0 means "none".
    pub fn optional_class_name(&self, index: u16) -> Result<Option<Cow<'_, str>>, ClassFileError> {
        if index == 0 { Ok(None) } else { self.class_name(index).map(Some) }
    }

    /// Name and descriptor at `index`.
    pub fn name_and_type(
        &self,
        index: u16,
    ) -> Result<(Cow<'_, str>, Cow<'_, str>), ClassFileError> {
        match self.get(index) {
            Ok(Constant::NameAndType { name, descriptor }) => {
                Ok((self.utf8(*name)?, self.utf8(*descriptor)?))
            }
            _ => Err(ClassFileError::BadConstant { index, expected: "a name and type" }),
        }
    }

    /// The field or method (of a class or an interface) at `index`.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'_>, ClassFileError> {
        match self.get(index) {
            Ok(
                Constant::FieldRef { class, name_and_type }
                | Constant::MethodRef { class, name_and_type }
                | Constant::InterfaceMethodRef { class, name_and_type },
            ) => {
                let (name, descriptor) = self.name_and_type(*name_and_type)?;
                Ok(MemberRef { class: self.class_name(*class)?, name, descriptor })
            }
            _ => Err(ClassFileError::BadConstant { index, expected: "a field or method" }),
        }
    }

    /// Name and descriptor of the dynamic constant or call site at `index`, and the number of
    /// its bootstrap method.
    pub fn dynamic(&self, index: u16) -> Result<(u16, Cow<'_, str>, Cow<'_, str>), ClassFileError> {
        match self.get(index) {
            Ok(
                Constant::Dynamic { bootstrap, name_and_type }
                | Constant::InvokeDynamic { bootstrap, name_and_type },
            ) => {
                let (name, descriptor) = self.name_and_type(*name_and_type)?;
                Ok((*bootstrap, name, descriptor))
            }
            _ => Err(ClassFileError::BadConstant { index, expected: "dynamic" }),
        }
    }
}
