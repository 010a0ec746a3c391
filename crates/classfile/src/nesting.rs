//! Readers of the attributes that relate classes: nested and enclosing classes, nest mates,
//! record components, permitted subclasses.

use std::borrow::Cow;

use crate::{Attributes, ClassFileError, ConstantPool};

/// A class that is no package member, as a class that mentions it knows it (JVMS 4.7.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerClass<'p> {
    /// Its internal name.
    pub inner: Cow<'p, str>,
    /// The class it is a member of; none for local and anonymous classes.
    pub outer: Option<Cow<'p, str>>,
    /// Its simple name; none for anonymous classes.
    pub name: Option<Cow<'p, str>>,
    /// The access flags of its source: the class file's own know no private or static.
    pub access: u16,
}

/// What a local or anonymous class stands in (JVMS 4.7.7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnclosingMethod<'p> {
    /// The innermost enclosing class.
    pub class: Cow<'p, str>,
    /// Name and descriptor of the enclosing method, if it is in one.
    pub method: Option<(Cow<'p, str>, Cow<'p, str>)>,
}

/// A component of a record (JVMS 4.7.30).
#[derive(Clone, Debug)]
pub struct RecordComponent<'p> {
    /// The name.
    pub name: Cow<'p, str>,
    /// The field descriptor.
    pub descriptor: Cow<'p, str>,
    /// Signature and annotations.
    pub attributes: Attributes,
}

impl Attributes {
    /// The classes mentioned that are no package members.
    pub fn inner_classes<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<InnerClass<'p>>, ClassFileError> {
        const WHAT: &str = "an inner class";
        self.decode_table(pool, "InnerClasses", 8, |reader| {
            let inner = pool.class_name(reader.u2(WHAT)?)?;
            let outer = pool.optional_class_name(reader.u2(WHAT)?)?;
            let name = match reader.u2(WHAT)? {
                0 => None,
                name => Some(pool.utf8(name)?),
            };
            Ok(InnerClass { inner, outer, name, access: reader.u2(WHAT)? })
        })
    }

    /// What a local or anonymous class stands in.
    pub fn enclosing_method<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<EnclosingMethod<'p>>, ClassFileError> {
        const WHAT: &str = "the enclosing method";
        self.decode(pool, "EnclosingMethod", |reader| {
            let class = pool.class_name(reader.u2(WHAT)?)?;
            let method = match reader.u2(WHAT)? {
                0 => None,
                index => Some(pool.name_and_type(index)?),
            };
            Ok(EnclosingMethod { class, method })
        })
    }

    /// The host of the nest this class is a member of, if it is not the host itself.
    pub fn nest_host<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<Cow<'p, str>>, ClassFileError> {
        self.decode(pool, "NestHost", |reader| pool.class_name(reader.u2("the nest host")?))
    }

    /// The members of the nest this class is the host of.
    pub fn nest_members<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Vec<Cow<'p, str>>, ClassFileError> {
        self.class_names(pool, "NestMembers")
    }

    /// The only direct subclasses of a sealed class; `None` if it is not sealed.
    pub fn permitted_subclasses<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<Vec<Cow<'p, str>>>, ClassFileError> {
        const NAME: &str = "PermittedSubclasses";
        if self.has(pool, NAME) { self.class_names(pool, NAME).map(Some) } else { Ok(None) }
    }

    /// The components of a record; `None` if the class is no record.
    pub fn record_components<'p>(
        &self,
        pool: &'p ConstantPool,
    ) -> Result<Option<Vec<RecordComponent<'p>>>, ClassFileError> {
        const WHAT: &str = "a record component";
        let Some(attribute) = self.find(pool, "Record") else { return Ok(None) };
        let components = attribute.decode(|reader| {
            reader.table(WHAT, 6, |reader| {
                Ok(RecordComponent {
                    name: pool.utf8(reader.u2(WHAT)?)?,
                    descriptor: pool.utf8(reader.u2(WHAT)?)?,
                    attributes: Self::read(reader, attribute.bytes.source())?,
                })
            })
        })?;
        Ok(Some(components))
    }
}
