//! The fields, methods and call sites that the code of a class names, looked up once each.

use std::rc::Rc;

use classfile::{BootstrapMethod, ClassFile, ClassFileError, Constant, MethodDescriptor};
use rustc_hash::FxHashMap;

/// A field, method or dynamic call site as code names it.
#[derive(Debug)]
pub(crate) struct Member {
    /// Internal name of the class named; empty for a dynamic call site.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    /// First characters of the descriptors of the parameters; none for a field.
    pub(crate) params: Vec<u8>,
    /// For each parameter, whether it is an object that can change.
    pub(crate) changeable: Vec<bool>,
    /// Whether the result or the field is an object that can change.
    pub(crate) changeable_result: bool,
    /// First character of the descriptor of the result or of the field.
    pub(crate) result: u8,
    /// The number of the bootstrap method of a dynamic call site.
    pub(crate) bootstrap: Option<u16>,
}

/// What a class file's constant pool names.
pub(crate) struct References<'c> {
    pub(crate) class: &'c ClassFile,
    members: FxHashMap<u16, Rc<Member>>,
    bootstraps: Option<Rc<[BootstrapMethod]>>,
}

impl<'c> References<'c> {
    pub(crate) fn new(class: &'c ClassFile) -> Self {
        Self { class, members: FxHashMap::default(), bootstraps: None }
    }

    /// The field or method at a constant pool index.
    pub(crate) fn member(&mut self, index: u16) -> Result<Rc<Member>, ClassFileError> {
        if let Some(known) = self.members.get(&index) {
            return Ok(Rc::clone(known));
        }
        let pool = &self.class.pool;
        let (class, name, descriptor, bootstrap) = match pool.get(index)? {
            Constant::InvokeDynamic { .. } | Constant::Dynamic { .. } => {
                let (bootstrap, name, descriptor) = pool.dynamic(index)?;
                (String::new(), name, descriptor, Some(bootstrap))
            }
            _ => {
                let found = pool.member_ref(index)?;
                (found.class.into_owned(), found.name, found.descriptor, None)
            }
        };
        let (params, result) = if descriptor.starts_with('(') {
            let parsed = MethodDescriptor::parse(&descriptor)?;
            (parsed.parameters, parsed.result)
        } else {
            (Vec::new(), &*descriptor)
        };
        let changeable_result = is_changeable(result);
        let bad = || ClassFileError::BadDescriptor { descriptor: descriptor.to_string() };
        let result = *result.as_bytes().first().ok_or_else(bad)?;
        let member = Rc::new(Member {
            class,
            changeable: params.iter().map(|param| is_changeable(param)).collect(),
            changeable_result,
            params: params.iter().map(|param| param.as_bytes()[0]).collect(),
            result,
            bootstrap,
            name: name.into_owned(),
            descriptor: descriptor.into_owned(),
        });
        self.members.insert(index, Rc::clone(&member));
        Ok(member)
    }

    /// A bootstrap method of the class.
    pub(crate) fn bootstrap(&mut self, number: u16) -> Result<BootstrapMethod, ClassFileError> {
        if self.bootstraps.is_none() {
            let all = self.class.attributes.bootstrap_methods(&self.class.pool)?;
            self.bootstraps = Some(all.into());
        }
        let all = self.bootstraps.as_deref().unwrap_or_default();
        all.get(usize::from(number)).cloned().ok_or(ClassFileError::BadConstant {
            index: number,
            expected: "the number of a bootstrap method",
        })
    }

    /// The method behind a method handle constant: its reference kind, and the method.
    pub(crate) fn handle(&mut self, index: u16) -> Result<(u8, Rc<Member>), ClassFileError> {
        match *self.class.pool.get(index)? {
            Constant::MethodHandle { kind, reference } => Ok((kind, self.member(reference)?)),
            _ => Err(ClassFileError::BadConstant { index, expected: "a method handle" }),
        }
    }
}

/// How many slots a value takes, by the first character of its descriptor.
pub(crate) fn width(descriptor: u8) -> u8 {
    match descriptor {
        b'J' | b'D' => 2,
        b'V' => 0,
        _ => 1,
    }
}

/// Whether a descriptor is that of objects that can change. Those that code may hold as constants
/// (JVMS 5.1: strings and classes) cannot, as far as anyone can tell.
pub(crate) fn is_changeable(descriptor: &str) -> bool {
    descriptor.starts_with(['L', '['])
        && !matches!(descriptor, "Ljava/lang/String;" | "Ljava/lang/Class;")
}

/// Whether a class is one of those whose objects code may hold as constants.
pub(crate) fn is_constant_class(class: &str) -> bool {
    matches!(class, "java/lang/String" | "java/lang/Class")
}
