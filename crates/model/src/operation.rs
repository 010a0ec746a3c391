//! What a call in a test case calls.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::implementation::{self, Implementation};
use crate::{Class, ClassName, Field, Method, Type};

/// How an operation is invoked and written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum OperationKind {
    /// `new Owner(args)`; of an inner class, `outer.new Inner(args)` with the outer first in `params`.
    Constructor,
    /// `Owner.name(args)`.
    StaticMethod,
    /// `receiver.name(args)`, with the receiver first in `params`.
    InstanceMethod,
    /// `Owner.name`: enum constants and other static fields.
    StaticField,
    /// `receiver.name` of a field.
    InstanceField,
    /// `receiver.name = value`, with the receiver first in `params`.
    SetField,
    /// `new E[] {args}` of any number of elements; `result` is the array type and `params` is empty.
    Array,
    /// `x -> x`, or `new Owner(args) { … }`: an object of a class written on the spot, or a mock.
    Implement,
    /// Something with files in the temporary folder of the test ([`crate::Temporary`]); written as
    /// what the JDK has for it.
    Temporary,
    /// An object of `Owner` as a container makes it: by the constructor without parameters, its
    /// fields set to the arguments, which are mocks.
    Inject,
}

/// A constructor, method, reading or setting of a field, making of an array or class written on the
/// spot, complete enough to be run and printed.
///
/// Types are erased. `params` counts what is passed in source, the receiver included, so that
/// a call's arguments match it one to one (except for arrays, which take any number of elements).
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Operation {
    /// How it is invoked.
    pub kind: OperationKind,
    /// The class named in the call: for an inherited method the class it is called on.
    pub owner: ClassName,
    /// Method or field name; `<init>` for constructors; empty for arrays and implementations; of an
    /// injection the fields that are set, separated by commas.
    pub name: Arc<str>,
    /// Parameter types, the receiver first for instance members.
    pub params: Vec<Type>,
    /// The erased result type; `None` for `void`.
    pub result: Option<Type>,
    /// What the class is that is written on the spot; `None` for all other kinds. `params` are the
    /// arguments of the constructor it calls, then the values it captures.
    pub implementation: Option<Arc<Implementation>>,
}

impl Operation {
    /// Calling `method` on `owner`, which declares or inherits it.
    pub fn of_method(owner: &Class, method: &Method) -> Self {
        let mut params: Vec<Type> = Vec::with_capacity(method.params.len() + 1);
        let kind = if method.is_constructor() {
            OperationKind::Constructor
        } else if method.access.is_static() {
            OperationKind::StaticMethod
        } else {
            params.push(Type::Class(owner.name.clone()));
            OperationKind::InstanceMethod
        };
        params.extend(method.params.iter().map(|p| p.ty.clone()));
        let result = if kind == OperationKind::Constructor {
            Some(Type::Class(owner.name.clone()))
        } else {
            method.result.clone()
        };
        Self {
            kind,
            owner: owner.name.clone(),
            name: method.name.clone(),
            params,
            result,
            implementation: None,
        }
    }

    /// Reading `field` of `owner`.
    pub fn of_field(owner: &Class, field: &Field) -> Self {
        let (kind, params) = if field.access.is_static() {
            (OperationKind::StaticField, Vec::new())
        } else {
            (OperationKind::InstanceField, vec![Type::Class(owner.name.clone())])
        };
        Self {
            kind,
            owner: owner.name.clone(),
            name: field.name.clone(),
            params,
            result: Some(field.ty.clone()),
            implementation: None,
        }
    }

    /// Setting `field` of `owner`, which is no static one.
    pub fn of_setting(owner: &Class, field: &Field) -> Self {
        Self {
            kind: OperationKind::SetField,
            owner: owner.name.clone(),
            name: field.name.clone(),
            params: vec![Type::Class(owner.name.clone()), field.ty.clone()],
            result: None,
            implementation: None,
        }
    }

    /// Making an array of the given element type.
    pub fn array(element: &Type) -> Self {
        Self {
            kind: OperationKind::Array,
            owner: ClassName::internal("java/lang/Object"),
            name: "".into(),
            params: Vec::new(),
            result: Some(element.clone().array_of()),
            implementation: None,
        }
    }

    /// The class whose constructor makes the object: of a class written on the spot, the one that
    /// stands for it.
    pub fn made_class(&self) -> &ClassName {
        self.implementation.as_ref().map_or(&self.owner, |implementation| &implementation.class)
    }

    /// The fields that an injection sets, in the order of its parameters; none of other kinds.
    pub fn injected_fields(&self) -> impl Iterator<Item = &str> {
        let fields = Some(&*self.name).filter(|_| self.kind == OperationKind::Inject);
        fields.into_iter().flat_map(|names| names.split(','))
    }

    /// Whether the first parameter is the receiver.
    pub fn has_receiver(&self) -> bool {
        matches!(
            self.kind,
            OperationKind::InstanceMethod | OperationKind::InstanceField | OperationKind::SetField
        )
    }

    /// The parameters without the receiver.
    pub fn arguments(&self) -> &[Type] {
        if self.has_receiver() { &self.params[1..] } else { &self.params }
    }

    /// The type argument `index` must have.
    pub fn param(&self, index: usize) -> &Type {
        match self.kind {
            OperationKind::Array => self
                .result
                .as_ref()
                .and_then(Type::element)
                .expect("an array operation results in an array"),
            _ => &self.params[index],
        }
    }

    /// The JVM descriptor: of the method (receiver left out), or of the field.
    pub fn descriptor(&self) -> String {
        match self.kind {
            OperationKind::StaticField | OperationKind::InstanceField | OperationKind::Array => {
                self.result.as_ref().expect("fields and arrays have a type").descriptor()
            }
            OperationKind::SetField => self.params[1].descriptor(),
            kind => {
                let mut out = String::from("(");
                for param in self.arguments() {
                    out.push_str(&param.descriptor());
                }
                out.push(')');
                match &self.result {
                    Some(result)
                        if !matches!(
                            kind,
                            OperationKind::Constructor
                                | OperationKind::Implement
                                | OperationKind::Inject
                        ) =>
                    {
                        out.push_str(&result.descriptor());
                    }
                    _ => out.push('V'),
                }
                out
            }
        }
    }
}

/// `java.util.List.add(int, java.lang.Object)`, for messages and reports.
impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            OperationKind::Array => {
                return write!(f, "new {}", self.result.as_ref().expect("arrays have a type"));
            }
            OperationKind::StaticField | OperationKind::InstanceField => {
                return write!(f, "{}.{}", self.owner, self.name);
            }
            OperationKind::SetField => {
                return write!(f, "{}.{} = {}", self.owner, self.name, self.params[1]);
            }
            OperationKind::Implement => return implementation::describe(self, f),
            OperationKind::Temporary => write!(f, "a temporary {}(", self.name)?,
            OperationKind::Inject => {
                return write!(f, "new {} with mocks of {}", self.owner, self.name);
            }
            OperationKind::Constructor => write!(f, "new {}(", self.owner)?,
            _ => write!(f, "{}.{}(", self.owner, self.name)?,
        }
        for (i, param) in self.arguments().iter().enumerate() {
            write!(f, "{}{param}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}
