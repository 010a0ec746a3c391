//! Classes declared in Rust: what a class file would say, and bodies to run.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{
    Access, Class, ClassKind, ClassName, ClassSignature, ClassSource, Field, Hierarchy,
    Implementations, Method, MethodDescriptor, MethodSignature, Nesting, Origin, Param, Type,
};

use super::machine::{Halt, Heap, Value};

/// What a method does; the receiver is the first argument.
pub(crate) type Body = fn(&mut Heap, &[Value]) -> Result<Value, Halt>;

pub(crate) const PUBLIC: u16 = 0x0001;
pub(crate) const PRIVATE: u16 = 0x0002;
pub(crate) const PROTECTED: u16 = 0x0004;
pub(crate) const STATIC: u16 = 0x0008;
pub(crate) const FINAL: u16 = 0x0010;
pub(crate) const ABSTRACT: u16 = 0x0400;
const ENUM: u16 = 0x4000;

/// All classes there are; those of the JDK that the search asks about included.
pub(crate) struct World {
    classes: BTreeMap<ClassName, Arc<Class>>,
    /// By class, name and number of arguments, the receiver counted.
    bodies: BTreeMap<(ClassName, Arc<str>, usize), Body>,
}

impl World {
    pub(crate) fn new() -> Self {
        let mut world = Self { classes: BTreeMap::new(), bodies: BTreeMap::new() };
        let mut object = Declaration::new("java/lang/Object", Origin::Jdk);
        object.class.superclass = None;
        world.add(
            object
                .method("equals(Ljava/lang/Object;)Z", |_, a| Ok(Value::boolean(a[0] == a[1])))
                .method("hashCode()I", |_, a| Ok(Value::int(a[0].identity())))
                .method("toString()Ljava/lang/String;", |_, _| Ok(Value::text("object"))),
        );
        for interface in ["java/lang/Comparable", "java/util/Comparator", "java/lang/Cloneable"] {
            let mut declared = Declaration::new(interface, Origin::Jdk);
            declared.class.kind = ClassKind::Interface;
            declared.class.access.0 |= ABSTRACT;
            if interface == "java/lang/Comparable" {
                declared = declared.signature("<T:Ljava/lang/Object;>Ljava/lang/Object;");
            }
            world.add(declared);
        }
        for class in ["java/lang/String", "java/lang/Integer"] {
            let comparable = format!("Ljava/lang/Object;Ljava/lang/Comparable<L{class};>;");
            let declared = Declaration::new(class, Origin::Jdk).implements("java/lang/Comparable");
            world.add(declared.signature(&comparable));
        }
        for (class, parent) in [
            ("Throwable", "Object"),
            ("Error", "Throwable"),
            ("AssertionError", "Error"),
            ("StackOverflowError", "Error"),
            ("RuntimeException", "Throwable"),
            ("IllegalStateException", "RuntimeException"),
            ("IllegalArgumentException", "RuntimeException"),
            ("NullPointerException", "RuntimeException"),
        ] {
            let mut declared = Declaration::new(&format!("java/lang/{class}"), Origin::Jdk);
            declared.class.superclass = Some(ClassName::internal(&format!("java/lang/{parent}")));
            world.add(declared);
        }
        world
    }

    /// A world with these classes besides the JDK's.
    pub(crate) fn of(classes: impl IntoIterator<Item = Declaration>) -> Self {
        let mut world = Self::new();
        classes.into_iter().for_each(|declared| world.add(declared));
        world
    }

    fn add(&mut self, declared: Declaration) {
        let name = declared.class.name.clone();
        for (method, count, body) in declared.bodies {
            self.bodies.insert((name.clone(), method, count), body);
        }
        self.classes.insert(name, Arc::new(declared.class));
    }

    /// The body that a call of this class comes to, and the class it is of.
    pub(crate) fn body(
        &self,
        class: &ClassName,
        name: &Arc<str>,
        arguments: usize,
    ) -> Option<(ClassName, Body)> {
        self.supertypes(class).iter().find_map(|declaring| {
            let body = self.bodies.get(&(declaring.name.clone(), name.clone(), arguments))?;
            Some((declaring.name.clone(), *body))
        })
    }
}

impl ClassSource for World {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        self.classes.get(name).cloned()
    }
}

impl Implementations for World {
    fn subtypes(&self, name: &ClassName) -> Vec<ClassName> {
        let is_sub = |sub: &&ClassName| *sub != name && self.is_subclass(sub, name);
        let every = name.as_internal() == "java/lang/Object";
        self.classes.keys().filter(|_| !every).filter(is_sub).cloned().collect()
    }

    fn package_classes(&self, package: &str) -> Vec<ClassName> {
        self.classes.keys().filter(|name| name.package() == package).cloned().collect()
    }

    fn returning(&self, name: &ClassName) -> Vec<ClassName> {
        let wanted = Some(Type::Class(name.clone()));
        let returns = |class: &Class| class.methods.iter().any(|m| m.result == wanted);
        self.classes.values().filter(|c| returns(c)).map(|c| c.name.clone()).collect()
    }
}

/// A class being declared.
pub(crate) struct Declaration {
    pub(crate) class: Class,
    bodies: Vec<(Arc<str>, usize, Body)>,
}

/// A public class of the project with a constructor that takes nothing and hits no probe.
pub(crate) fn class(name: &str) -> Declaration {
    bare_class(name).constructor("()V", |_, _| Ok(Value::Null))
}

/// A public class of the project without members.
pub(crate) fn bare_class(name: &str) -> Declaration {
    Declaration::new(name, Origin::Project)
}

/// A public class of the JDK without members.
pub(crate) fn jdk_class(name: &str) -> Declaration {
    Declaration::new(name, Origin::Jdk)
}

/// An enum with these constants, each an object that holds its place.
pub(crate) fn enumeration(name: &str, constants: [(&str, Body); 2]) -> Declaration {
    let mut declared = bare_class(name);
    declared.class.kind = ClassKind::Enum;
    for (constant, body) in constants {
        declared.class.fields.push(Field {
            name: constant.into(),
            ty: Type::class(name),
            access: Access(PUBLIC | STATIC | ENUM),
            signature: None,
            annotations: Vec::new(),
        });
        declared.bodies.push((constant.into(), 0, body));
    }
    declared
}

impl Declaration {
    fn new(name: &str, origin: Origin) -> Self {
        let class = Class {
            name: ClassName::internal(name),
            kind: ClassKind::Class,
            access: Access(PUBLIC),
            nesting: Nesting::Top,
            superclass: Some(ClassName::internal("java/lang/Object")),
            interfaces: Vec::new(),
            signature: None,
            fields: Vec::new(),
            methods: Vec::new(),
            has_initializer: false,
            record: Vec::new(),
            permitted: Vec::new(),
            members: Vec::new(),
            annotations: Vec::new(),
            deprecated: false,
            source: None,
            version: 61,
            origin,
            exported: true,
        };
        Self { class, bodies: Vec::new() }
    }

    pub(crate) fn implements(mut self, interface: &str) -> Self {
        self.class.interfaces.push(ClassName::internal(interface));
        self
    }

    /// An interface.
    pub(crate) fn interface(mut self) -> Self {
        self.class.kind = ClassKind::Interface;
        self.class.access.0 |= ABSTRACT;
        self
    }

    /// The generic signature of the class.
    pub(crate) fn signature(mut self, signature: &str) -> Self {
        let signature = ClassSignature::parse(signature).expect("a signature");
        self.class.signature = Some(Arc::new(signature));
        self
    }

    /// The generic signature of the member declared last.
    pub(crate) fn typed(mut self, signature: &str) -> Self {
        let signature = MethodSignature::parse(signature).expect("a signature");
        let last = self.class.methods.last_mut().expect("a member");
        last.signature = Some(Arc::new(signature));
        self
    }

    /// What setting a field does.
    pub(crate) fn setting(mut self, field: &str, body: Body) -> Self {
        self.bodies.push((field.into(), 2, body));
        self
    }

    /// A constructor, by its descriptor. Its body gets the new object as the first argument.
    pub(crate) fn constructor(self, descriptor: &str, body: Body) -> Self {
        self.member(PUBLIC, &format!("<init>{descriptor}"), body)
    }

    pub(crate) fn method(self, what: &str, body: Body) -> Self {
        self.member(PUBLIC, what, body)
    }

    /// A method by flags, name and descriptor.
    pub(crate) fn member(mut self, flags: u16, what: &str, body: Body) -> Self {
        let at = what.find('(').expect("a name and a descriptor");
        let descriptor = MethodDescriptor::parse(&what[at..]).expect("a descriptor");
        let name: Arc<str> = what[..at].into();
        let receiver = usize::from(flags & STATIC == 0);
        self.bodies.push((name.clone(), descriptor.params.len() + receiver, body));
        self.class.methods.push(Method {
            name,
            params: descriptor.params.into_iter().map(|ty| Param { ty, name: None }).collect(),
            result: descriptor.result,
            access: Access(flags),
            signature: None,
            exceptions: Vec::new(),
            annotations: Vec::new(),
            deprecated: false,
            code_size: if flags & ABSTRACT == 0 { 10 } else { 0 },
        });
        self
    }
}
