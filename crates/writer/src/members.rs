//! The methods and constructors a call could mean, as javac sees them from where it stands.

use std::sync::Arc;

use model::{Access, Class, ClassName, GenericType, Hierarchy, Method, Type, TypeParameter};

use crate::generics::{Scope, Supertype, bind, erase, has_variables, raw, substitute};

/// A method or constructor that a call could mean.
#[derive(Clone)]
pub(crate) struct Candidate {
    declaring: Arc<Class>,
    index: usize,
    /// Parameter types as seen from the call: erased on a raw type; without an outer instance.
    pub(crate) formals: Vec<GenericType>,
    /// Their erasures.
    pub(crate) erased: Vec<Type>,
    /// Erased parameters as declared, by the method itself and by those it overrides.
    pub(crate) declared: Vec<Vec<Type>>,
    /// Result type as seen from the call.
    pub(crate) result: Option<GenericType>,
    /// Its own type parameters; none on a raw type.
    pub(crate) type_params: Vec<TypeParameter>,
}

impl Candidate {
    /// The method.
    pub(crate) fn method(&self) -> &Method {
        &self.declaring.methods[self.index]
    }

    /// Whether it takes a variable number of arguments.
    pub(crate) fn is_varargs(&self) -> bool {
        self.method().access.is_varargs()
    }

    /// The erasure of the result, and whether that is certainly the static type of a call:
    /// a type variable of the method is inferred.
    pub(crate) fn result(&self) -> Option<(Type, bool)> {
        let result = self.result.as_ref()?;
        let inferred = match result {
            GenericType::Array(element) => matches!(**element, GenericType::Variable(_)),
            other => matches!(other, GenericType::Variable(_)),
        };
        Some((erase(result, &self.type_params), !inferred))
    }
}

/// What a method call is made on.
pub(crate) enum Site<'t> {
    /// A class: static methods.
    Class(&'t ClassName),
    /// An object of this static type.
    Object(&'t GenericType),
}

impl Scope<'_> {
    /// Whether source in the test's package may use a member with these flags.
    pub(crate) fn may_use(&self, declaring: &Class, access: Access) -> bool {
        access.is_public() || (!access.is_private() && declaring.name.package() == self.package)
    }

    /// The methods of that name that a call on the site could mean, most derived first.
    pub(crate) fn methods(&self, site: &Site, name: &str) -> Vec<Candidate> {
        let object = ClassName::internal("java/lang/Object");
        let (class, args) = match site {
            Site::Class(class) => ((*class).clone(), &[][..]),
            Site::Object(GenericType::Class { name, args }) => (name.clone(), &args[..]),
            // Arrays have the members of Object (JLS §10.7).
            Site::Object(_) => (object, &[][..]),
        };
        let mut found: Vec<Candidate> = Vec::new();
        for declaring in self.classes.supertypes(&class) {
            let mut members = None;
            for (index, method) in declaring.methods.iter().enumerate() {
                let inherited = declaring.name == class
                    || !(declaring.is_interface() && method.access.is_static());
                if &*method.name != name
                    || method.access.is_synthetic()
                    || !inherited
                    || !(self.may_use(&declaring, method.access)
                        || (matches!(site, Site::Object(GenericType::Array(_)))
                            && &*method.name == "clone"))
                {
                    continue;
                }
                let seen =
                    members.get_or_insert_with(|| self.supertype(&class, args, &declaring.name));
                let seen = if method.access.is_static() { &None } else { &*seen };
                add(&mut found, candidate(&declaring, index, method, seen.as_ref(), 0));
            }
        }
        found
    }

    /// The constructors of a class; of an inner class, without the outer instance.
    pub(crate) fn constructors(&self, class: &Arc<Class>) -> Vec<Candidate> {
        let skip = usize::from(class.outer_instance().is_some());
        let seen = self.is_generic(&class.name).then_some(Supertype::Raw);
        let mut found = Vec::new();
        for (index, method) in class.methods.iter().enumerate() {
            if method.is_constructor()
                && !method.access.is_synthetic()
                && method.params.len() >= skip
                && self.may_use(class, method.access)
            {
                add(&mut found, candidate(class, index, method, seen.as_ref(), skip));
            }
        }
        found
    }
}

/// The candidate a method is when its class is seen as `seen`; `None` means without type
/// arguments of the class, as static methods are.
fn candidate(
    declaring: &Arc<Class>,
    index: usize,
    method: &Method,
    seen: Option<&Supertype>,
    skip: usize,
) -> Candidate {
    let declared: Vec<Type> = method.params[skip..].iter().map(|p| p.ty.clone()).collect();
    let erased = || Candidate {
        declaring: declaring.clone(),
        index,
        formals: declared.iter().map(raw).collect(),
        erased: declared.clone(),
        declared: vec![declared.clone()],
        result: method.result.as_ref().map(raw),
        type_params: Vec::new(),
    };
    let Some(signature) = &method.signature else { return erased() };
    let bindings = match seen {
        Some(Supertype::Raw | Supertype::Unknown) => return erased(),
        Some(Supertype::Args(args)) => bind(declaring, args),
        None => Vec::new(),
    };
    // Compilers leave parameters they added out of the signature; those come first.
    let Some(missing) = declared.len().checked_sub(signature.params.len()) else {
        return erased();
    };
    let mut formals: Vec<GenericType> = declared[..missing].iter().map(raw).collect();
    let mut erasures: Vec<Type> = declared[..missing].to_vec();
    for (formal, declared) in signature.params.iter().zip(&declared[missing..]) {
        let Some(substituted) = substitute(formal, &bindings) else { return erased() };
        let own = has_variables(formal) && substituted != *formal;
        erasures.push(if own {
            erase(&substituted, &signature.type_params)
        } else {
            declared.clone()
        });
        formals.push(substituted);
    }
    let result = match &signature.result {
        None => None,
        Some(result) => Some(
            substitute(result, &bindings)
                .or_else(|| method.result.as_ref().map(raw))
                .expect("a method with a generic result has a result"),
        ),
    };
    Candidate {
        declaring: declaring.clone(),
        index,
        formals,
        erased: erasures,
        declared: vec![declared.clone()],
        result,
        type_params: signature.type_params.clone(),
    }
}

/// Adds a candidate, unless one found before overrides it.
fn add(found: &mut Vec<Candidate>, new: Candidate) {
    match found.iter_mut().find(|c| c.erased == new.erased) {
        Some(overriding) => overriding.declared.extend(new.declared),
        None => found.push(new),
    }
}
