//! The entries of a constant pool, read and written.

use crate::reader::Reader;
use crate::{ClassFileError, ConstantPool};

/// Where the bytes of a text constant lie; [`ConstantPool::utf8_bytes`] gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TextRange {
    pub(crate) start: u32,
    pub(crate) length: u16,
}

/// An entry of the constant pool (JVMS 4.4). Numbers are indices of other entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// Index 0, and the slot after a long or double: never referred to.
    Unusable,
    /// Text in modified UTF-8.
    Utf8(TextRange),
    /// An `int`.
    Integer(i32),
    /// A `float`, as its bits.
    Float(u32),
    /// A `long`; takes two slots.
    Long(i64),
    /// A `double`, as its bits; takes two slots.
    Double(u64),
    /// A class or array type, by the index of its internal name.
    Class(u16),
    /// A string, by the index of its text.
    String(u16),
    /// A field of a class.
    FieldRef {
        /// Index of the class.
        class: u16,
        /// Index of the name and type.
        name_and_type: u16,
    },
    /// A method of a class.
    MethodRef {
        /// Index of the class.
        class: u16,
        /// Index of the name and type.
        name_and_type: u16,
    },
    /// A method of an interface.
    InterfaceMethodRef {
        /// Index of the interface.
        class: u16,
        /// Index of the name and type.
        name_and_type: u16,
    },
    /// A name and a descriptor.
    NameAndType {
        /// Index of the name.
        name: u16,
        /// Index of the descriptor.
        descriptor: u16,
    },
    /// A method handle.
    MethodHandle {
        /// The reference kind, 1 to 9.
        kind: u8,
        /// Index of the field or method.
        reference: u16,
    },
    /// A method type, by the index of its descriptor.
    MethodType(u16),
    /// A constant computed at run time.
    Dynamic {
        /// Index into the bootstrap methods of the class.
        bootstrap: u16,
        /// Index of the name and type.
        name_and_type: u16,
    },
    /// A call site linked at run time.
    InvokeDynamic {
        /// Index into the bootstrap methods of the class.
        bootstrap: u16,
        /// Index of the name and type.
        name_and_type: u16,
    },
    /// A module, by the index of its name.
    Module(u16),
    /// A package, by the index of its name.
    Package(u16),
}

impl Constant {
    /// Reads one entry.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, ClassFileError> {
        const WHAT: &str = "a constant";
        let start = reader.position();
        let tag = reader.u1(WHAT)?;
        Ok(match tag {
            1 => {
                let length = reader.u2(WHAT)?;
                let start = reader.position() as u32;
                reader.take(usize::from(length), "a text constant")?;
                Self::Utf8(TextRange { start, length })
            }
            3 => Self::Integer(reader.i4(WHAT)?),
            4 => Self::Float(reader.u4(WHAT)?),
            5 => Self::Long(reader.u8(WHAT)?.cast_signed()),
            6 => Self::Double(reader.u8(WHAT)?),
            7 => Self::Class(reader.u2(WHAT)?),
            8 => Self::String(reader.u2(WHAT)?),
            9 => Self::FieldRef { class: reader.u2(WHAT)?, name_and_type: reader.u2(WHAT)? },
            10 => Self::MethodRef { class: reader.u2(WHAT)?, name_and_type: reader.u2(WHAT)? },
            11 => Self::InterfaceMethodRef {
                class: reader.u2(WHAT)?,
                name_and_type: reader.u2(WHAT)?,
            },
            12 => Self::NameAndType { name: reader.u2(WHAT)?, descriptor: reader.u2(WHAT)? },
            15 => Self::MethodHandle { kind: reader.u1(WHAT)?, reference: reader.u2(WHAT)? },
            16 => Self::MethodType(reader.u2(WHAT)?),
            17 => Self::Dynamic { bootstrap: reader.u2(WHAT)?, name_and_type: reader.u2(WHAT)? },
            18 => {
                Self::InvokeDynamic { bootstrap: reader.u2(WHAT)?, name_and_type: reader.u2(WHAT)? }
            }
            19 => Self::Module(reader.u2(WHAT)?),
            20 => Self::Package(reader.u2(WHAT)?),
            _ => return Err(reader.corrupt_at(start, "unknown kind of constant")),
        })
    }

    /// Appends the entry as it stands in a class file; nothing for an unusable slot.
    pub(crate) fn write(&self, pool: &ConstantPool, out: &mut Vec<u8>) {
        let one = |out: &mut Vec<u8>, tag: u8, index: u16| {
            out.push(tag);
            out.extend(index.to_be_bytes());
        };
        let two = |out: &mut Vec<u8>, tag: u8, first: u16, second: u16| {
            one(out, tag, first);
            out.extend(second.to_be_bytes());
        };
        match *self {
            Self::Unusable => {}
            Self::Utf8(range) => {
                one(out, 1, range.length);
                out.extend_from_slice(pool.text(range));
            }
            Self::Integer(value) => {
                out.push(3);
                out.extend(value.to_be_bytes());
            }
            Self::Float(bits) => {
                out.push(4);
                out.extend(bits.to_be_bytes());
            }
            Self::Long(value) => {
                out.push(5);
                out.extend(value.to_be_bytes());
            }
            Self::Double(bits) => {
                out.push(6);
                out.extend(bits.to_be_bytes());
            }
            Self::Class(name) => one(out, 7, name),
            Self::String(text) => one(out, 8, text),
            Self::FieldRef { class, name_and_type } => two(out, 9, class, name_and_type),
            Self::MethodRef { class, name_and_type } => two(out, 10, class, name_and_type),
            Self::InterfaceMethodRef { class, name_and_type } => two(out, 11, class, name_and_type),
            Self::NameAndType { name, descriptor } => two(out, 12, name, descriptor),
            Self::MethodHandle { kind, reference } => {
                out.extend([15, kind]);
                out.extend(reference.to_be_bytes());
            }
            Self::MethodType(descriptor) => one(out, 16, descriptor),
            Self::Dynamic { bootstrap, name_and_type } => two(out, 17, bootstrap, name_and_type),
            Self::InvokeDynamic { bootstrap, name_and_type } => {
                two(out, 18, bootstrap, name_and_type);
            }
            Self::Module(name) => one(out, 19, name),
            Self::Package(name) => one(out, 20, name),
        }
    }

    /// Whether the entry takes two slots (JVMS 4.4.5).
    pub(crate) fn is_wide(&self) -> bool {
        matches!(self, Self::Long(_) | Self::Double(_))
    }
}
