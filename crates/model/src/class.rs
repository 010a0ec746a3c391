//! Classes as the search and the writer see them: declarations, no code.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ClassName, ClassSignature, MethodSignature, Type};

/// Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Access(pub u16);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl Access {
            $($(#[$doc])* pub fn $name(self) -> bool { self.0 & $bit != 0 })*
        }
    };
}

flags! {
    /// `public`
    is_public = 0x0001;
    /// `private`
    is_private = 0x0002;
    /// `protected`
    is_protected = 0x0004;
    /// `static`
    is_static = 0x0008;
    /// `final`
    is_final = 0x0010;
    /// A bridge method (methods only).
    is_bridge = 0x0040;
    /// Takes a variable number of arguments (methods only).
    is_varargs = 0x0080;
    /// `native` (methods only)
    is_native = 0x0100;
    /// An interface (classes only).
    is_interface = 0x0200;
    /// `abstract`
    is_abstract = 0x0400;
    /// Made by the compiler.
    is_synthetic = 0x1000;
    /// An annotation type (classes only).
    is_annotation = 0x2000;
    /// An enum class, or a field that is an enum constant.
    is_enum = 0x4000;
}

/// Where a class comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Origin {
    /// The classes tests are written for.
    Project,
    /// What those need.
    Dependency,
    /// The JDK itself.
    Jdk,
}

/// What sort of type a class is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ClassKind {
    /// An ordinary class.
    Class,
    /// An interface.
    Interface,
    /// An annotation type.
    Annotation,
    /// An enum.
    Enum,
    /// A record.
    Record,
}

/// How a class is nested.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Nesting {
    /// Not nested.
    Top,
    /// A member of another class.
    Member {
        /// The class it is declared in.
        outer: ClassName,
        /// Its simple name.
        simple: Arc<str>,
        /// Whether it is static: an inner (non-static) class needs an outer instance.
        is_static: bool,
    },
    /// Declared inside a method, named or anonymous: out of reach for source elsewhere.
    Local,
}

/// An annotation, by the type of the annotation and its textual elements.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Annotation {
    /// The annotation type.
    pub ty: ClassName,
    /// Elements given, name and value in a readable form.
    pub elements: Vec<(Arc<str>, String)>,
}

/// A parameter of a method.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    /// Its erased type.
    pub ty: Type,
    /// Its name, where the class file tells.
    pub name: Option<Arc<str>>,
}

/// A component of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordComponent {
    /// Its name.
    pub name: Arc<str>,
    /// Its erased type.
    pub ty: Type,
}

/// A field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Its erased type.
    pub ty: Type,
    /// Its flags.
    pub access: Access,
    /// Its generic type, in the notation of the `Signature` attribute.
    pub signature: Option<Arc<str>>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
}

/// A method or constructor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Method {
    /// Its name; `<init>` for constructors.
    pub name: Arc<str>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Erased result type; `None` for `void` and for constructors.
    pub result: Option<Type>,
    /// Flags.
    pub access: Access,
    /// Generic signature, where it has one.
    pub signature: Option<Arc<MethodSignature>>,
    /// Declared exceptions, erased.
    pub exceptions: Vec<ClassName>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// Bytes of bytecode; 0 for abstract and native methods.
    pub code_size: u32,
}

impl Method {
    /// Whether this is a constructor.
    pub fn is_constructor(&self) -> bool {
        &*self.name == "<init>"
    }

    /// The JVM descriptor.
    pub fn descriptor(&self) -> String {
        let mut out = String::from("(");
        for param in &self.params {
            out.push_str(&param.ty.descriptor());
        }
        out.push(')');
        out.push_str(&self.result.as_ref().map_or_else(|| "V".to_owned(), Type::descriptor));
        out
    }
}

/// A class and what it declares.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Class {
    /// Its name.
    pub name: ClassName,
    /// What sort of type it is.
    pub kind: ClassKind,
    /// Flags; of a member class those of its declaration (`InnerClasses`), so `private` shows.
    pub access: Access,
    /// How it is nested.
    pub nesting: Nesting,
    /// The superclass; `None` for `Object`.
    pub superclass: Option<ClassName>,
    /// Interfaces it names.
    pub interfaces: Vec<ClassName>,
    /// Generic signature, where it has one.
    pub signature: Option<Arc<ClassSignature>>,
    /// Fields, as declared.
    pub fields: Vec<Field>,
    /// Methods and constructors, as declared; `<clinit>` is left out.
    pub methods: Vec<Method>,
    /// Whether it has a static initializer.
    pub has_initializer: bool,
    /// Components, if a record.
    pub record: Vec<RecordComponent>,
    /// Permitted subclasses, if sealed.
    pub permitted: Vec<ClassName>,
    /// Member classes it declares.
    pub members: Vec<ClassName>,
    /// Its annotations.
    pub annotations: Vec<Annotation>,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// The source file's name, where told.
    pub source: Option<Arc<str>>,
    /// Major version of the class file.
    pub version: u16,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether code in the unnamed module may name it: its package is exported.
    pub exported: bool,
}

impl Class {
    /// Whether instances can be made by calling one of its constructors.
    pub fn is_instantiable(&self) -> bool {
        matches!(self.kind, ClassKind::Class | ClassKind::Record) && !self.access.is_abstract()
    }

    /// Whether it is an interface of any sort.
    pub fn is_interface(&self) -> bool {
        matches!(self.kind, ClassKind::Interface | ClassKind::Annotation)
    }

    /// The outer class whose instance a constructor call needs.
    pub fn outer_instance(&self) -> Option<&ClassName> {
        match &self.nesting {
            Nesting::Member { outer, is_static: false, .. } if !self.is_interface() => Some(outer),
            _ => None,
        }
    }

    /// Superclass and interfaces, the superclass first.
    pub fn parents(&self) -> impl Iterator<Item = &ClassName> {
        self.superclass.iter().chain(&self.interfaces)
    }

    /// Constructors.
    pub fn constructors(&self) -> impl Iterator<Item = &Method> {
        self.methods.iter().filter(|m| m.is_constructor())
    }

    /// The method of that name and descriptor.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&Method> {
        self.methods.iter().find(|m| &*m.name == name && m.descriptor() == descriptor)
    }

    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| &*f.name == name)
    }

    /// The enum constants, in order of declaration.
    pub fn enum_constants(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|f| f.access.is_enum())
    }
}
