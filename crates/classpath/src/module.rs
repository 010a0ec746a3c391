//! A module's descriptor, as far as code in the unnamed module is concerned (JVMS §4.7.25).

use classfile::{ClassFile, ClassFileError, Constant};
use rustc_hash::FxHashSet;

/// `ModuleResolution` flag of modules that are left out unless asked for (incubators).
const DO_NOT_RESOLVE_BY_DEFAULT: u16 = 1;

/// What a module shows to everyone.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Module {
    /// Packages it exports to everyone, in internal form.
    pub(crate) exports: FxHashSet<String>,
    /// Whether a JVM started for a class path has it.
    pub(crate) resolved: bool,
}

/// Why a module descriptor cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModuleError {
    /// Its class file is damaged.
    #[error("bad class file of a module descriptor")]
    ClassFile(#[from] ClassFileError),
    /// Its class file does not describe a module, or is cut short.
    #[error("bad module descriptor: {0}")]
    Attribute(&'static str),
}

impl Module {
    /// Reads a `module-info.class`.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, ModuleError> {
        let class = ClassFile::parse(bytes)?;
        let pool = &class.pool;
        let attribute = class.attributes.find(pool, "Module");
        let attribute = attribute.ok_or(ModuleError::Attribute("it has no Module attribute"))?;
        let mut table = Table(&attribute.bytes);
        table.skip(3)?; // name, flags, version
        let requires = table.next()?;
        table.skip(usize::from(requires) * 3)?;
        let mut exports = FxHashSet::default();
        for _ in 0..table.next()? {
            let package = table.next()?;
            let _flags = table.next()?;
            let friends = table.next()?;
            table.skip(usize::from(friends))?;
            if friends == 0 {
                let Constant::Package(name) = *pool.get(package)? else {
                    return Err(ModuleError::Attribute("it exports what is no package"));
                };
                exports.insert(pool.utf8(name)?.into_owned());
            }
        }
        let resolved = match class.attributes.find(pool, "ModuleResolution") {
            Some(attribute) => Table(&attribute.bytes).next()? & DO_NOT_RESOLVE_BY_DEFAULT == 0,
            None => true,
        };
        Ok(Self { exports, resolved })
    }
}

/// Two-byte numbers one after the other.
struct Table<'a>(&'a [u8]);

impl Table<'_> {
    fn next(&mut self) -> Result<u16, ModuleError> {
        let (word, rest) =
            self.0.split_first_chunk().ok_or(ModuleError::Attribute("it is cut short"))?;
        self.0 = rest;
        Ok(u16::from_be_bytes(*word))
    }

    fn skip(&mut self, words: usize) -> Result<(), ModuleError> {
        self.0 = self.0.get(words * 2..).ok_or(ModuleError::Attribute("it is cut short"))?;
        Ok(())
    }
}
