//! What source in the package of a test can name and use.

use std::sync::Arc;

use model::{Access, Class, ClassName, Hierarchy, Nesting, Operation, OperationKind, Type};

use crate::Refusal;

/// Classes as source in a package sees them.
pub(crate) struct Reach<'c, C: ?Sized> {
    pub(crate) classes: &'c C,
    /// In internal form.
    pub(crate) package: &'c str,
}

impl<C: Hierarchy + ?Sized> Reach<'_, C> {
    /// Whether a type can be named.
    pub(crate) fn can_name(&self, ty: &Type) -> bool {
        match ty.innermost() {
            Type::Class(name) => self.can_name_class(name),
            _ => true,
        }
    }

    /// Whether a class can be named.
    pub(crate) fn can_name_class(&self, name: &ClassName) -> bool {
        let Some(class) = self.classes.class(name) else { return false };
        if !class.exported {
            return false;
        }
        let is_open = class.access.is_public()
            || name.package() == self.package && !class.access.is_private();
        match &class.nesting {
            Nesting::Top => is_open,
            Nesting::Member { outer, .. } => is_open && self.can_name_class(outer),
            Nesting::Local => false,
        }
    }

    /// Whether a class is declared inside a method.
    pub(crate) fn is_local(&self, name: &ClassName) -> bool {
        self.classes.class(name).is_some_and(|class| class.nesting == Nesting::Local)
    }

    /// Whether every `sub` is a `sup`, as the compiler sees it.
    pub(crate) fn fits(&self, sub: &Type, sup: &Type) -> bool {
        self.classes.is_subtype(sub, sup)
    }

    /// Refuses an operation that cannot be written; else the exceptions it declares.
    pub(crate) fn usable(&self, op: &Operation) -> Result<Vec<ClassName>, Refusal> {
        if op.kind == OperationKind::Array {
            return Ok(Vec::new());
        }
        if !self.can_name_class(&op.owner) {
            return Err(Refusal::PrivateType(op.owner.to_string()));
        }
        let is_field = matches!(
            op.kind,
            OperationKind::StaticField | OperationKind::InstanceField | OperationKind::SetField
        );
        let descriptor = op.descriptor();
        for class in self.declaring(op) {
            let found = if is_field {
                class.field(&op.name).map(|field| (field.access, Vec::new()))
            } else {
                let method = class.method(&op.name, &descriptor);
                method.map(|method| (method.access, method.exceptions.clone()))
            };
            if let Some((access, exceptions)) = found {
                return if self.can_use(&class, access) {
                    Ok(exceptions)
                } else {
                    Err(Refusal::PrivateMember(op.to_string()))
                };
            }
        }
        // A class that cannot be read: who compiled the test could use it.
        Ok(Vec::new())
    }

    fn declaring(&self, op: &Operation) -> Vec<Arc<Class>> {
        if op.kind == OperationKind::Constructor {
            return self.classes.class(&op.owner).into_iter().collect();
        }
        self.classes.supertypes(&op.owner)
    }

    fn can_use(&self, class: &Class, access: Access) -> bool {
        access.is_public() || class.name.package() == self.package && !access.is_private()
    }

    /// The class, or its nearest superclass, that can be named.
    pub(crate) fn nearest(&self, class: &ClassName) -> Option<ClassName> {
        let mut name = class.clone();
        loop {
            if self.can_name_class(&name) {
                return Some(name);
            }
            name = self.classes.class(&name)?.superclass.clone()?;
        }
    }
}
