//! Adding constants at the end of the pool, each once.
//!
//! Existing indices never change, so code that is left alone stays valid. The index from
//! contents to slot is built when the first constant is added: most classes are only read.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::{ClassFileError, Constant, ConstantPool, mutf8};

/// Slots by the hash of their contents. Of entries with one hash the first is kept; the rare
/// other ones are then added a second time, which is harmless.
pub(crate) type Index = FxHashMap<u64, u16>;

impl ConstantPool {
    /// The index of a text.
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, ClassFileError> {
        let bytes = mutf8::encode(text);
        let hash = hash_text(&bytes);
        if let Some(slot) = self.lookup(hash)
            && self.utf8_bytes(slot).is_ok_and(|found| found == &*bytes)
        {
            return Ok(slot);
        }
        let range = self.append_text(&bytes)?;
        self.push(hash, Constant::Utf8(range))
    }

    /// The index of a class constant for an internal name (or an array descriptor).
    pub fn add_class(&mut self, name: &str) -> Result<u16, ClassFileError> {
        let name = self.add_utf8(name)?;
        self.add(Constant::Class(name))
    }

    /// The index of a string constant.
    pub fn add_string(&mut self, text: &str) -> Result<u16, ClassFileError> {
        let text = self.add_utf8(text)?;
        self.add(Constant::String(text))
    }

    /// The index of an `int` constant.
    pub fn add_integer(&mut self, value: i32) -> Result<u16, ClassFileError> {
        self.add(Constant::Integer(value))
    }

    /// The index of a `long` constant.
    pub fn add_long(&mut self, value: i64) -> Result<u16, ClassFileError> {
        self.add(Constant::Long(value))
    }

    /// The index of a name and type.
    pub fn add_name_and_type(
        &mut self,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassFileError> {
        let name = self.add_utf8(name)?;
        let descriptor = self.add_utf8(descriptor)?;
        self.add(Constant::NameAndType { name, descriptor })
    }

    /// The index of a reference to a field.
    pub fn add_field_ref(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassFileError> {
        let class = self.add_class(class)?;
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add(Constant::FieldRef { class, name_and_type })
    }

    /// The index of a reference to a method of a class.
    pub fn add_method_ref(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassFileError> {
        let class = self.add_class(class)?;
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add(Constant::MethodRef { class, name_and_type })
    }

    /// The index of a reference to a method of an interface.
    pub fn add_interface_method_ref(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<u16, ClassFileError> {
        let class = self.add_class(class)?;
        let name_and_type = self.add_name_and_type(name, descriptor)?;
        self.add(Constant::InterfaceMethodRef { class, name_and_type })
    }

    /// The index of any constant but a text, whose parts are in this pool already.
    pub fn add(&mut self, constant: Constant) -> Result<u16, ClassFileError> {
        let hash = hash_constant(&constant);
        if let Some(slot) = self.lookup(hash)
            && self.entries[usize::from(slot)] == constant
        {
            return Ok(slot);
        }
        self.push(hash, constant)
    }

    fn lookup(&mut self, hash: u64) -> Option<u16> {
        if self.index.is_none() {
            let mut index = Index::default();
            index.reserve(self.entries.len());
            for (slot, constant) in self.iter() {
                let hash = match constant {
                    Constant::Utf8(range) => hash_text(self.text(*range)),
                    other => hash_constant(other),
                };
                index.entry(hash).or_insert(slot);
            }
            self.index = Some(index);
        }
        self.index.as_ref()?.get(&hash).copied()
    }

    fn push(&mut self, hash: u64, constant: Constant) -> Result<u16, ClassFileError> {
        let slot = u16::try_from(self.entries.len()).map_err(|_| ClassFileError::PoolFull)?;
        // The count in the class file is one more than the last index and has 16 bits as well.
        let slots = self.entries.len() + if constant.is_wide() { 2 } else { 1 };
        if slots > usize::from(u16::MAX) {
            return Err(ClassFileError::PoolFull);
        }
        self.entries.push(constant);
        if constant.is_wide() {
            self.entries.push(Constant::Unusable);
        }
        if let Some(index) = &mut self.index {
            index.entry(hash).or_insert(slot);
        }
        Ok(slot)
    }
}

fn hash_text(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    bytes.hash(&mut hasher);
    hasher.finish()
}

fn hash_constant(constant: &Constant) -> u64 {
    let mut hasher = FxHasher::default();
    constant.hash(&mut hasher);
    hasher.finish()
}
