//! Readers of annotations (JVMS 4.7.16).

use std::borrow::Cow;

use crate::reader::Reader;
use crate::{Attributes, ClassFileError, Constant, ConstantPool};

/// Annotations nest; deeper than this is an attack on the stack, not a program.
const MAX_DEPTH: u32 = 200;

/// An annotation.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation<'p> {
    /// The field descriptor of its interface, such as `Ljava/lang/Deprecated;`.
    pub type_descriptor: Cow<'p, str>,
    /// The elements that are given, with their values.
    pub elements: Vec<(Cow<'p, str>, ElementValue<'p>)>,
}

/// The value of an annotation element.
#[derive(Clone, Debug, PartialEq)]
pub enum ElementValue<'p> {
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`.
    Byte(i8),
    /// A `char`.
    Char(u16),
    /// A `short`.
    Short(i16),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A `String`.
    String(Cow<'p, str>),
    /// An enum constant.
    Enum {
        /// The field descriptor of the enum class.
        type_descriptor: Cow<'p, str>,
        /// The name of the constant.
        constant: Cow<'p, str>,
    },
    /// A class, by its return descriptor (`V` for `void.class`).
    Class(Cow<'p, str>),
    /// An annotation.
    Annotation(Annotation<'p>),
    /// An array.
    Array(Vec<Self>),
}

impl Attributes {
    /// All annotations of the owner: those visible at run time, then the others.
    pub fn annotations<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<Annotation<'p>>, ClassFileError> {
        let mut all = self.annotations_of(pool, "RuntimeVisibleAnnotations")?;
        all.extend(self.annotations_of(pool, "RuntimeInvisibleAnnotations")?);
        Ok(all)
    }

    /// The annotations that are visible at run time.
    pub fn visible_annotations<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<Annotation<'p>>, ClassFileError> {
        self.annotations_of(pool, "RuntimeVisibleAnnotations")
    }

    /// The annotations of each parameter that has a place in the attribute: visible ones, then
    /// the others. Implicit parameters may have no place (JVMS 4.7.18).
    pub fn parameter_annotations<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<Vec<Annotation<'p>>>, ClassFileError> {
        const NAMES: [&str; 2] =
            ["RuntimeVisibleParameterAnnotations", "RuntimeInvisibleParameterAnnotations"];
        let mut all: Vec<Vec<Annotation<'p>>> = Vec::new();
        for name in NAMES {
            let lists = self.decode(pool, name, |reader| {
                let count = reader.u1("parameter annotations")?;
                (0..count).map(|_| read_annotations(reader, pool)).collect::<Result<Vec<_>, _>>()
            })?;
            for (parameter, list) in lists.into_iter().flatten().enumerate() {
                match all.get_mut(parameter) {
                    Some(present) => present.extend(list),
                    None => all.push(list),
                }
            }
        }
        Ok(all)
    }

    fn annotations_of<'p>(
        &self,
        pool: &'p ConstantPool,
        name: &str,
    ) -> Result<Vec<Annotation<'p>>, ClassFileError> {
        Ok(self.decode(pool, name, |reader| read_annotations(reader, pool))?.unwrap_or_default())
    }
}

fn read_annotations<'p>(
    reader: &mut Reader<'_>,
    pool: &'p ConstantPool,
) -> Result<Vec<Annotation<'p>>, ClassFileError> {
    reader.table("annotations", 4, |reader| read_annotation(reader, pool, 0))
}

fn read_annotation<'p>(
    reader: &mut Reader<'_>,
    pool: &'p ConstantPool,
    depth: u32,
) -> Result<Annotation<'p>, ClassFileError> {
    const WHAT: &str = "an annotation";
    Ok(Annotation {
        type_descriptor: pool.utf8(reader.u2(WHAT)?)?,
        elements: reader.table(WHAT, 5, |reader| {
            Ok((pool.utf8(reader.u2(WHAT)?)?, read_value(reader, pool, depth + 1)?))
        })?,
    })
}

fn read_value<'p>(
    reader: &mut Reader<'_>,
    pool: &'p ConstantPool,
    depth: u32,
) -> Result<ElementValue<'p>, ClassFileError> {
    const WHAT: &str = "an annotation value";
    let start = reader.position();
    if depth > MAX_DEPTH {
        return Err(reader.corrupt_at(start, "annotation values are nested too deeply"));
    }
    let tag = reader.u1(WHAT)?;
    match tag {
        b'e' => Ok(ElementValue::Enum {
            type_descriptor: pool.utf8(reader.u2(WHAT)?)?,
            constant: pool.utf8(reader.u2(WHAT)?)?,
        }),
        b'c' => Ok(ElementValue::Class(pool.utf8(reader.u2(WHAT)?)?)),
        b's' => Ok(ElementValue::String(pool.utf8(reader.u2(WHAT)?)?)),
        b'@' => Ok(ElementValue::Annotation(read_annotation(reader, pool, depth)?)),
        b'[' => Ok(ElementValue::Array(
            reader.table(WHAT, 3, |reader| read_value(reader, pool, depth + 1))?,
        )),
        _ => {
            let index = reader.u2(WHAT)?;
            match (tag, *pool.get(index)?) {
                (b'Z', Constant::Integer(value)) => Ok(ElementValue::Boolean(value != 0)),
                (b'B', Constant::Integer(value)) => Ok(ElementValue::Byte(value as i8)),
                (b'C', Constant::Integer(value)) => Ok(ElementValue::Char(value as u16)),
                (b'S', Constant::Integer(value)) => Ok(ElementValue::Short(value as i16)),
                (b'I', Constant::Integer(value)) => Ok(ElementValue::Int(value)),
                (b'J', Constant::Long(value)) => Ok(ElementValue::Long(value)),
                (b'F', Constant::Float(bits)) => Ok(ElementValue::Float(f32::from_bits(bits))),
                (b'D', Constant::Double(bits)) => Ok(ElementValue::Double(f64::from_bits(bits))),
                _ => Err(reader.corrupt_at(start, "bad kind of annotation value")),
            }
        }
    }
}

/// Reads past an annotation without decoding it.
pub(crate) fn skip_annotation(reader: &mut Reader<'_>, depth: u32) -> Result<(), ClassFileError> {
    const WHAT: &str = "an annotation";
    reader.u2(WHAT)?;
    for _ in 0..reader.u2(WHAT)? {
        reader.u2(WHAT)?;
        skip_value(reader, depth + 1)?;
    }
    Ok(())
}

fn skip_value(reader: &mut Reader<'_>, depth: u32) -> Result<(), ClassFileError> {
    const WHAT: &str = "an annotation value";
    let start = reader.position();
    if depth > MAX_DEPTH {
        return Err(reader.corrupt_at(start, "annotation values are nested too deeply"));
    }
    match reader.u1(WHAT)? {
        b'e' => {
            reader.u4(WHAT)?;
        }
        b'@' => skip_annotation(reader, depth)?,
        b'[' => {
            for _ in 0..reader.u2(WHAT)? {
                skip_value(reader, depth + 1)?;
            }
        }
        b'c' | b's' | b'Z' | b'B' | b'C' | b'S' | b'I' | b'J' | b'F' | b'D' => {
            reader.u2(WHAT)?;
        }
        _ => return Err(reader.corrupt_at(start, "bad kind of annotation value")),
    }
    Ok(())
}
