//! The types of the members of a class, where its variables stand for something.
//!
//! Invariant: a value of the type given for a parameter can be passed to the erased member.

use model::{
    Class, ClassName, Field, GenericType, Hierarchy, Method, Nesting, Type, type_accessible,
};

use super::super::typed::Typed;
use super::{Bindings, Typing};

/// The types of the parameters and the result of a member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub(crate) params: Vec<Typed>,
    pub(crate) result: Option<Typed>,
}

impl Typing<'_> {
    /// The types of a method's or constructor's parameters, without receiver, and of what it
    /// returns. Where the class file says nothing of them, or what cannot be, they are erased.
    pub(crate) fn shape(&self, method: &Method, bindings: &Bindings) -> Shape {
        let mut params: Vec<Typed> = method.params.iter().map(|p| Typed::raw(&p.ty)).collect();
        let mut result = method.result.as_ref().map(Typed::raw);
        if let Some(signature) = &method.signature
            && let Some(added) = params.len().checked_sub(signature.params.len())
        {
            // Parameters that the compiler added come first (an inner class's outer instance).
            for (param, ty) in params[added..].iter_mut().zip(&signature.params) {
                self.refine(param, ty, bindings);
            }
            if let (Some(result), Some(ty)) = (&mut result, &signature.result) {
                self.refine(result, ty, bindings);
            }
        }
        Shape { params, result }
    }

    /// The type of a field.
    pub(crate) fn field(&self, field: &Field, bindings: &Bindings) -> Typed {
        let mut ty = Typed::raw(&field.ty);
        let signature = field.signature.as_ref().and_then(|text| GenericType::parse(text).ok());
        if let Some(signature) = signature {
            self.refine(&mut ty, &signature, bindings);
        }
        ty
    }

    /// Puts the generic type in the place of the erased one, if values of it fit there and its
    /// parts can be named.
    fn refine(&self, erased: &mut Typed, generic: &GenericType, bindings: &Bindings) {
        let typed = self.close(generic, bindings);
        let is_open = matches!(innermost(&typed), Typed::Variable(_));
        let fits = is_open || self.world.is_subtype(&typed.erased(), &erased.erased());
        if fits && typed.all_classes(&|name| self.can_name(name)) {
            *erased = typed;
        }
    }

    fn can_name(&self, name: &ClassName) -> bool {
        type_accessible(self.world, &Type::Class(name.clone()), &self.package)
    }

    /// What the variables of the classes around an inner class stand for.
    pub(crate) fn around(&self, class: &Class) -> Bindings {
        let Nesting::Member { outer, is_static: false, .. } = &class.nesting else {
            return Bindings::new();
        };
        let Some(outer) = self.world.class(outer) else { return Bindings::new() };
        let mut bindings = self.around(&outer);
        self.choose(Self::params(&outer), 0, &mut bindings);
        bindings
    }
}

fn innermost(ty: &Typed) -> &Typed {
    match ty {
        Typed::Array(element) => innermost(element),
        other => other,
    }
}
