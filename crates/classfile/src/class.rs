//! A whole class: parsed from bytes, written back to bytes.

use std::borrow::Cow;
use std::sync::Arc;

use crate::reader::Reader;
use crate::{
    Attribute, Attributes, ClassFileError, Code, ConstantPool, NEWEST_MAJOR, OLDEST_MAJOR, flags,
};

const MAGIC: u32 = 0xCAFE_BABE;

/// A class, interface, or module descriptor (JVMS 4.1). Numbers are constant pool indices
/// where the specification has such.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// Minor version; 65535 marks preview features.
    pub minor_version: u16,
    /// Major version: 52 is Java 8, 61 is Java 17, 69 is Java 25.
    pub major_version: u16,
    /// The constant pool.
    pub pool: ConstantPool,
    /// Access flags, see [`flags`].
    pub access: u16,
    /// Index of the class itself.
    pub this_class: u16,
    /// Index of the superclass; 0 for `java/lang/Object` and module descriptors.
    pub super_class: u16,
    /// Indices of the direct superinterfaces.
    pub interfaces: Vec<u16>,
    /// The declared fields.
    pub fields: Vec<Member>,
    /// The declared methods, constructors and initializers.
    pub methods: Vec<Member>,
    /// Attributes of the class itself.
    pub attributes: Attributes,
}

/// A field or method (JVMS 4.5, 4.6).
#[derive(Clone, Debug)]
pub struct Member {
    /// Access flags, see [`flags`].
    pub access: u16,
    /// Index of the name.
    pub name: u16,
    /// Index of the descriptor.
    pub descriptor: u16,
    /// Attributes of the field or method.
    pub attributes: Attributes,
}

impl ClassFile {
    /// A class without members.
    pub fn new(
        major: u16,
        access: u16,
        name: &str,
        superclass: &str,
    ) -> Result<Self, ClassFileError> {
        let mut pool = ConstantPool::empty();
        let this_class = pool.add_class(name)?;
        let super_class = pool.add_class(superclass)?;
        Ok(Self {
            minor_version: 0,
            major_version: major,
            pool,
            access,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Attributes::default(),
        })
    }

    /// Adds a field.
    pub fn add_field(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<(), ClassFileError> {
        let member = self.member(access, name, descriptor)?;
        self.fields.push(member);
        Ok(())
    }

    /// Adds a method with a body.
    pub fn add_method(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
        code: &Code,
    ) -> Result<(), ClassFileError> {
        let mut member = self.member(access, name, descriptor)?;
        let name = self.pool.add_utf8("Code")?;
        member.attributes.push(Attribute { name, bytes: code.encode()?.into() });
        self.methods.push(member);
        Ok(())
    }

    fn member(
        &mut self,
        access: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<Member, ClassFileError> {
        let (name, descriptor) = (self.pool.add_utf8(name)?, self.pool.add_utf8(descriptor)?);
        Ok(Member { access, name, descriptor, attributes: Attributes::default() })
    }

    /// Reads the declarations of a class. Attributes stay raw until asked for.
    pub fn parse(bytes: &[u8]) -> Result<Self, ClassFileError> {
        let reader = &mut Reader::new(bytes, 0);
        if u32::try_from(bytes.len()).is_err() {
            return Err(reader.corrupt_at(0, "a class file of more than 4 GiB"));
        }
        let magic = reader.u4("the magic number")?;
        if magic != MAGIC {
            return Err(ClassFileError::NotAClass { magic });
        }
        let minor = reader.u2("the version")?;
        let major = reader.u2("the version")?;
        if major > NEWEST_MAJOR {
            return Err(ClassFileError::TooNew { major, minor });
        }
        if major < OLDEST_MAJOR {
            return Err(ClassFileError::TooOld { major, minor });
        }
        let source: Arc<[u8]> = bytes.into();
        let pool = ConstantPool::read(reader, &source)?;
        let class = Self {
            minor_version: minor,
            major_version: major,
            pool,
            access: reader.u2("the access flags")?,
            this_class: reader.u2("the class name")?,
            super_class: reader.u2("the superclass")?,
            interfaces: reader.table("the interfaces", 2, |r| r.u2("the interfaces"))?,
            fields: reader.table("the fields", 8, |r| Member::read(r, &source))?,
            methods: reader.table("the methods", 8, |r| Member::read(r, &source))?,
            attributes: Attributes::read(reader, &source)?,
        };
        reader.finish("bytes after the end of the class")?;
        Ok(class)
    }

    /// The class as bytes; unchanged classes give the bytes they were read from.
    ///
    /// # Panics
    /// If more than 65535 fields, methods, interfaces or attributes were added.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(4096);
        out.extend(MAGIC.to_be_bytes());
        out.extend(self.minor_version.to_be_bytes());
        out.extend(self.major_version.to_be_bytes());
        self.pool.write(&mut out);
        out.extend(self.access.to_be_bytes());
        out.extend(self.this_class.to_be_bytes());
        out.extend(self.super_class.to_be_bytes());
        write_count(&mut out, self.interfaces.len());
        for interface in &self.interfaces {
            out.extend(interface.to_be_bytes());
        }
        for members in [&self.fields, &self.methods] {
            write_count(&mut out, members.len());
            for member in members {
                member.write(&mut out);
            }
        }
        self.attributes.write(&mut out);
        out
    }

    /// The internal name of the class, such as `java/util/Map$Entry`.
    pub fn name(&self) -> Result<Cow<'_, str>, ClassFileError> {
        self.pool.class_name(self.this_class)
    }

    /// The internal name of the superclass.
    pub fn super_name(&self) -> Result<Option<Cow<'_, str>>, ClassFileError> {
        self.pool.optional_class_name(self.super_class)
    }

    /// The internal names of the direct superinterfaces.
    pub fn interface_names(&self) -> Result<Vec<Cow<'_, str>>, ClassFileError> {
        self.interfaces.iter().map(|index| self.pool.class_name(*index)).collect()
    }

    /// Whether this is an interface (annotations included).
    pub fn is_interface(&self) -> bool {
        self.access & flags::INTERFACE != 0
    }

    /// Whether this is a module descriptor, not a class.
    pub fn is_module(&self) -> bool {
        self.access & flags::MODULE != 0
    }
}

impl Member {
    fn read(reader: &mut Reader<'_>, source: &Arc<[u8]>) -> Result<Self, ClassFileError> {
        const WHAT: &str = "a field or method";
        Ok(Self {
            access: reader.u2(WHAT)?,
            name: reader.u2(WHAT)?,
            descriptor: reader.u2(WHAT)?,
            attributes: Attributes::read(reader, source)?,
        })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.access.to_be_bytes());
        out.extend(self.name.to_be_bytes());
        out.extend(self.descriptor.to_be_bytes());
        self.attributes.write(out);
    }

    /// The name.
    pub fn name<'p>(&self, pool: &'p ConstantPool) -> Result<Cow<'p, str>, ClassFileError> {
        pool.utf8(self.name)
    }

    /// The descriptor.
    pub fn descriptor<'p>(&self, pool: &'p ConstantPool) -> Result<Cow<'p, str>, ClassFileError> {
        pool.utf8(self.descriptor)
    }

    /// Whether any of the bits of `mask` is set in the access flags.
    pub fn has_flag(&self, mask: u16) -> bool {
        self.access & mask != 0
    }
}

/// Writes the number of entries of a table.
pub(crate) fn write_count(out: &mut Vec<u8>, count: usize) {
    let count = u16::try_from(count).expect("tables of a class have at most 65535 entries");
    out.extend(count.to_be_bytes());
}
