//! Readers of the attributes that complete a declaration: generic signature, exceptions,
//! parameters, constants, source file, and the debug tables of code.

use std::borrow::Cow;

use crate::{Attributes, ClassFileError, CodeView, Constant, ConstantPool};

/// A parameter as its method declares it (JVMS 4.7.24).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodParameter<'p> {
    /// The name, if it has one.
    pub name: Option<Cow<'p, str>>,
    /// Final, synthetic, mandated.
    pub access: u16,
}

/// The value of a constant field (JVMS 4.7.2).
#[derive(Clone, Debug, PartialEq)]
pub enum ConstantValue<'p> {
    /// Of an `int`, `short`, `char`, `byte` or `boolean` field.
    Integer(i32),
    /// Of a `float` field.
    Float(f32),
    /// Of a `long` field.
    Long(i64),
    /// Of a `double` field.
    Double(f64),
    /// Of a `String` field.
    String(Cow<'p, str>),
}

/// From this offset on, the code belongs to this source line (JVMS 4.7.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNumber {
    /// Offset into the code.
    pub start: u16,
    /// The source line.
    pub line: u16,
}

/// Where in the code a slot holds which variable (JVMS 4.7.13).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalVariableEntry<'p> {
    /// Offset into the code from which the variable has a value.
    pub start: u16,
    /// For how many bytes of code it has.
    pub length: u16,
    /// The name.
    pub name: Cow<'p, str>,
    /// The field descriptor.
    pub descriptor: Cow<'p, str>,
    /// The slot.
    pub index: u16,
}

impl Attributes {
    /// The generic signature (JVMS 4.7.9.1), as it stands.
    pub fn signature<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<Cow<'p, str>>, ClassFileError> {
        self.text(pool, "Signature")
    }

    /// The name of the source file.
    pub fn source_file<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<Cow<'p, str>>, ClassFileError> {
        self.text(pool, "SourceFile")
    }

    /// The internal names of the exceptions a method declares.
    pub fn exceptions<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<Cow<'p, str>>, ClassFileError> {
        self.class_names(pool, "Exceptions")
    }

    /// The parameters of a method, if it was compiled with `-parameters` or has implicit ones.
    pub fn method_parameters<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<Vec<MethodParameter<'p>>>, ClassFileError> {
        const WHAT: &str = "a method parameter";
        self.decode(pool, "MethodParameters", |reader| {
            let count = reader.u1(WHAT)?;
            let mut parameters = Vec::with_capacity(usize::from(count));
            for _ in 0..count {
                let name = reader.u2(WHAT)?;
                let access = reader.u2(WHAT)?;
                let name = if name == 0 { None } else { Some(pool.utf8(name)?) };
                parameters.push(MethodParameter { name, access });
            }
            Ok(parameters)
        })
    }

    /// The value of a constant field.
    pub fn constant_value<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<ConstantValue<'p>>, ClassFileError> {
        let index = self.decode(pool, "ConstantValue", |r| r.u2("a constant value"))?;
        let Some(index) = index else { return Ok(None) };
        Ok(Some(match *pool.get(index)? {
            Constant::Integer(value) => ConstantValue::Integer(value),
            Constant::Float(bits) => ConstantValue::Float(f32::from_bits(bits)),
            Constant::Long(value) => ConstantValue::Long(value),
            Constant::Double(bits) => ConstantValue::Double(f64::from_bits(bits)),
            Constant::String(text) => ConstantValue::String(pool.utf8(text)?),
            _ => return Err(ClassFileError::BadConstant { index, expected: "a field value" }),
        }))
    }

    /// Whether the declaration is marked deprecated by the attribute.
    pub fn is_deprecated(&self, pool: &ConstantPool) -> bool {
        self.has(pool, "Deprecated")
    }

    /// Whether the declaration is marked synthetic by the attribute (there is a flag as well).
    pub fn is_synthetic(&self, pool: &ConstantPool) -> bool {
        self.has(pool, "Synthetic")
    }

    /// Whether an annotation element has a default value.
    pub fn has_annotation_default(&self, pool: &ConstantPool) -> bool {
        self.has(pool, "AnnotationDefault")
    }

    /// An attribute that is one text.
    fn text<'p>(
        &self,
        pool: &'p ConstantPool,
        name: &str,
    ) -> Result<Option<Cow<'p, str>>, ClassFileError> {
        self.decode(pool, name, |reader| pool.utf8(reader.u2("a text attribute")?))
    }

    /// An attribute that is a table of classes.
    pub(crate) fn class_names<'p>(
        &self,
        pool: &'p ConstantPool,
        name: &str,
    ) -> Result<Vec<Cow<'p, str>>, ClassFileError> {
        self.decode_table(pool, name, 2, |reader| pool.class_name(reader.u2("a class name")?))
    }
}

impl CodeView {
    /// All entries of the line number tables, in their order.
    pub fn line_numbers(&self, pool: &ConstantPool) -> Result<Vec<LineNumber>, ClassFileError> {
        const WHAT: &str = "a line number";
        let mut lines = Vec::new();
        for attribute in self.attributes.iter().filter(|a| a.is(pool, "LineNumberTable")) {
            lines.extend(attribute.decode(|reader| {
                reader.table(WHAT, 4, |r| Ok(LineNumber { start: r.u2(WHAT)?, line: r.u2(WHAT)? }))
            })?);
        }
        Ok(lines)
    }

    /// All entries of the local variable tables, in their order.
    pub fn local_variables<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<LocalVariableEntry<'p>>, ClassFileError> {
        const WHAT: &str = "a local variable";
        let mut variables = Vec::new();
        for attribute in self.attributes.iter().filter(|a| a.is(pool, "LocalVariableTable")) {
            variables.extend(attribute.decode(|reader| {
                reader.table(WHAT, 10, |r| {
                    Ok(LocalVariableEntry {
                        start: r.u2(WHAT)?,
                        length: r.u2(WHAT)?,
                        name: pool.utf8(r.u2(WHAT)?)?,
                        descriptor: pool.utf8(r.u2(WHAT)?)?,
                        index: r.u2(WHAT)?,
                    })
                })
            })?);
        }
        Ok(variables)
    }
}
