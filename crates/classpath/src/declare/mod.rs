//! From a class file to the class as search and writer see it.
//!
//! What the JVM itself would refuse (names, types, the shape of the file) makes the class
//! unreadable; what it would not look at (generic signatures, parameter names, annotations) is
//! passed over with a diagnostic where it is damaged.

mod annotation;
mod member;
mod nesting;
mod parameter;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use classfile::{Attributes, ClassFile, ClassFileError, flags};
use model::{
    Access, Annotation, Class, ClassKind, ClassName, ClassSignature, Origin, RecordComponent,
    SignatureError, Type,
};

use crate::{Diagnostic, Reason};

/// A class file on its way to a [`Class`].
struct Declaring<'a> {
    file: &'a ClassFile,
    /// Where it was read from, for messages.
    path: &'a dyn Fn() -> String,
    diagnostics: Vec<Diagnostic>,
}

/// What an attribute belongs to, for messages.
#[derive(Clone, Copy)]
enum Owner<'a> {
    Class,
    Field(&'a str),
    Method(&'a str, &'a str),
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class => f.write_str("class"),
            Self::Field(name) => write!(f, "field {name}"),
            Self::Method(name, descriptor) => write!(f, "method {name}{descriptor}"),
        }
    }
}

/// The class a class file declares, and what of it had to be passed over.
pub(crate) fn declare(
    file: &ClassFile,
    origin: Origin,
    exported: bool,
    path: &dyn Fn() -> String,
) -> Result<(Class, Vec<Diagnostic>), Reason> {
    let mut declaring = Declaring { file, path, diagnostics: Vec::new() };
    let class = declaring.class(origin, exported)?;
    Ok((class, declaring.diagnostics))
}

impl Declaring<'_> {
    fn class(&mut self, origin: Origin, exported: bool) -> Result<Class, Reason> {
        let (file, pool, attributes) = (self.file, &self.file.pool, &self.file.attributes);
        let name = ClassName::internal(&file.name()?);
        let superclass = file.super_name()?.as_deref().map(ClassName::internal);
        let interfaces = names(&file.interface_names()?);
        let place = self.nesting(&name)?;
        let (annotations, deprecated) = self.annotations(Owner::Class, attributes);
        let record = self.record_components()?;
        let source = attributes.source_file(pool);
        let source = self.optional(Owner::Class, "SourceFile", source);
        let permitted = attributes.permitted_subclasses(pool)?.unwrap_or_default();
        let mut class = Class {
            kind: kind(Access(file.access), superclass.as_ref(), record.is_some()),
            access: place.access,
            nesting: place.nesting,
            signature: self.class_signature(interfaces.len()),
            fields: self.fields()?,
            methods: Vec::new(),
            has_initializer: false,
            record: record.unwrap_or_default(),
            permitted: names(&permitted),
            members: place.members,
            annotations,
            deprecated,
            source: source.as_deref().map(Arc::from),
            version: file.major_version,
            name,
            superclass,
            interfaces,
            origin,
            exported,
        };
        self.methods(&mut class)?;
        Ok(class)
    }

    fn class_signature(&mut self, interfaces: usize) -> Option<Arc<ClassSignature>> {
        let owner = Owner::Class;
        let signature = self.signature(owner, &self.file.attributes, ClassSignature::parse)?;
        if signature.interfaces.len() != interfaces {
            self.tell(Reason::StaleSignature { owner: owner.to_string() });
            return None;
        }
        Some(Arc::new(signature))
    }

    fn record_components(&mut self) -> Result<Option<Vec<RecordComponent>>, Reason> {
        let pool = &self.file.pool;
        let Some(components) = self.file.attributes.record_components(pool)? else {
            return Ok(None);
        };
        let component = |c: &classfile::RecordComponent<'_>| {
            Ok(RecordComponent { name: Arc::from(&*c.name), ty: Type::parse(&c.descriptor)? })
        };
        components.iter().map(component).collect::<Result<_, _>>().map(Some)
    }

    /// The annotations of an owner, and whether it is deprecated.
    fn annotations(
        &mut self,
        owner: Owner<'_>,
        attributes: &Attributes,
    ) -> (Vec<Annotation>, bool) {
        let pool = &self.file.pool;
        let found = self.optional(owner, "annotation", attributes.annotations(pool));
        let mut annotations = Vec::with_capacity(found.len());
        for raw in &found {
            match annotation::readable(raw) {
                Ok(annotation) => annotations.push(annotation),
                Err(source) => {
                    self.tell(Reason::Annotation { owner: owner.to_string(), source });
                }
            }
        }
        let deprecated = attributes.is_deprecated(pool)
            || annotations.iter().any(|a| a.ty.as_internal() == "java/lang/Deprecated");
        (annotations, deprecated)
    }

    /// The generic signature of an owner; one that cannot be read is passed over.
    fn signature<T>(
        &mut self,
        owner: Owner<'_>,
        attributes: &Attributes,
        parse: impl FnOnce(&str) -> Result<T, SignatureError>,
    ) -> Option<T> {
        let text = attributes.signature(&self.file.pool);
        let text = self.optional(owner, "Signature", text)?;
        match parse(&text) {
            Ok(signature) => Some(signature),
            Err(source) => {
                self.tell(Reason::Signature { owner: owner.to_string(), source });
                None
            }
        }
    }

    /// The flags of a field or method, with the attribute that older compilers wrote for one.
    fn access(&self, access: u16, attributes: &Attributes) -> Access {
        let synthetic = attributes.is_synthetic(&self.file.pool);
        Access(if synthetic { access | flags::SYNTHETIC } else { access })
    }

    /// What an attribute says, or nothing with a diagnostic.
    fn optional<T: Default>(
        &mut self,
        owner: Owner<'_>,
        attribute: &'static str,
        value: Result<T, ClassFileError>,
    ) -> T {
        value.unwrap_or_else(|source| {
            self.tell(Reason::Attribute { owner: owner.to_string(), attribute, source });
            T::default()
        })
    }

    fn tell(&mut self, reason: Reason) {
        self.diagnostics.push(Diagnostic::new((self.path)(), reason));
    }
}

/// As `Class.isEnum` and `Class.isRecord` have it: the body of an enum constant is an ordinary
/// class, though it may carry the flag.
fn kind(access: Access, superclass: Option<&ClassName>, components: bool) -> ClassKind {
    let extends = |name| superclass.is_some_and(|superclass| superclass.as_internal() == name);
    if access.is_annotation() {
        ClassKind::Annotation
    } else if access.is_interface() {
        ClassKind::Interface
    } else if access.is_enum() && extends("java/lang/Enum") {
        ClassKind::Enum
    } else if components && extends("java/lang/Record") {
        ClassKind::Record
    } else {
        ClassKind::Class
    }
}

fn names<T: AsRef<str>>(names: &[T]) -> Vec<ClassName> {
    names.iter().map(|name| ClassName::internal(name.as_ref())).collect()
}
