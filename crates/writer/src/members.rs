//! The methods and constructors a call could mean, as javac sees them from where it stands.

use std::sync::Arc;

use model::{
    Access, Class, ClassName, GenericType, Hierarchy, Method, MethodSignature, Type, TypeArgument,
    TypeParameter,
};

use crate::generics::{
    Bindings, Scope, Supertype, bind, captures, erase, has_variables, raw, substitute,
};

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
    /// Whether javac may see another result type: that of an overridden method.
    doubtful_result: bool,
    /// Whether its types can be written down; if not, a call of it cannot be judged.
    pub(crate) is_known: bool,
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

    /// The same with some of its type parameters replaced in its formal types.
    pub(crate) fn with_types(
        &self,
        formals: Vec<GenericType>,
        type_params: Vec<TypeParameter>,
    ) -> Self {
        Self { formals, type_params, ..self.clone() }
    }

    /// Takes note of a method that this one overrides, or stands beside.
    fn inherit(&mut self, other: &Candidate) {
        let erased = |c: &Candidate| c.result.as_ref().map(|r| erase(r, &c.type_params));
        // Of abstract methods, javac picks one with the most specific result.
        if self.method().access.is_abstract() && erased(self) != erased(other) {
            self.doubtful_result = true;
        }
        self.declared.extend(other.declared.iter().cloned());
    }

    /// The erasure of the result, and whether that is certainly the static type of a call:
    /// a type variable of the method is inferred.
    pub(crate) fn result(&self) -> Option<(Type, bool)> {
        let result = self.result.as_ref()?;
        let inferred = match result {
            GenericType::Array(element) => matches!(**element, GenericType::Variable(_)),
            other => matches!(other, GenericType::Variable(_)),
        };
        Some((erase(result, &self.type_params), !inferred && !self.doubtful_result))
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
        let mut found: Vec<(Vec<Type>, Candidate)> = Vec::new();
        let (params, identity) = self.identity(&class);
        // Methods of classes win over those of interfaces (JLS §8.4.8).
        let (classes, interfaces): (Vec<_>, Vec<_>) =
            self.classes.supertypes(&class).into_iter().partition(|c| !c.is_interface());
        for declaring in classes.into_iter().chain(interfaces) {
            let mut views = None;
            for (index, method) in declaring.methods.iter().enumerate() {
                let inherited = declaring.name == class
                    || !(declaring.is_interface() && method.access.is_static());
                if &*method.name != name
                    || method.access.is_synthetic()
                    || method.access.is_private()
                    || !inherited
                {
                    continue;
                }
                let (seen, generic) = views.get_or_insert_with(|| {
                    let name = &declaring.name;
                    (self.supertype(&class, args, name), self.supertype(&class, &identity, name))
                });
                let instance = !method.access.is_static();
                let view = |seen: &Option<Supertype>| {
                    let seen = seen.as_ref().filter(|_| instance);
                    candidate(&declaring, index, seen, &params, 0)
                };
                let mut new = view(seen);
                // A method out of reach still hides those it overrides.
                let public_clone =
                    matches!(site, Site::Object(GenericType::Array(_))) && name == "clone";
                new.is_known &= self.may_use(&declaring, method.access) || public_clone;
                // What overrides what is decided by the declarations, even on a raw type.
                let key = view(generic).erased;
                let Some((_, overriding)) =
                    found.iter_mut().find(|(overriding, _)| *overriding == key)
                else {
                    found.push((key, new));
                    continue;
                };
                overriding.inherit(&new);
                // On a raw type the two may look different: then both count for ambiguity.
                if overriding.erased != new.erased {
                    found.push((key, Candidate { declared: Vec::new(), ..new }));
                }
            }
        }
        found.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// A class's type parameters, and the same as arguments to itself.
    fn identity(&self, class: &ClassName) -> (Vec<TypeParameter>, Vec<TypeArgument>) {
        let class = self.classes.class(class);
        let params =
            class.and_then(|c| c.signature.as_ref().map(|s| s.params.clone())).unwrap_or_default();
        let args =
            params.iter().map(|p| TypeArgument::Exact(GenericType::Variable(p.name.clone())));
        let args = args.collect();
        (params, args)
    }

    /// The constructors of a class with these type arguments, none meaning raw; of an inner
    /// class, without the outer instance.
    pub(crate) fn constructors(&self, class: &Arc<Class>, args: &[TypeArgument]) -> Vec<Candidate> {
        self.constructors_where(class, args, |access| self.may_use(class, access))
    }

    /// The constructors as `new C<>(…)` means them where nothing says what is wanted: methods that
    /// have the type parameters of the class as well (JLS §15.9.3).
    pub(crate) fn constructors_to_infer(&self, class: &Arc<Class>) -> Vec<Candidate> {
        let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
        let usable = class.methods.iter().enumerate().filter(|(_, method)| {
            method.is_constructor()
                && !method.access.is_synthetic()
                && self.may_use(class, method.access)
        });
        let mut found: Vec<Candidate> =
            usable.map(|(index, _)| candidate(class, index, None, params, 0)).collect();
        for candidate in &mut found {
            let is_hidden =
                |param: &TypeParameter| candidate.type_params.iter().any(|p| p.name == param.name);
            let visible: Vec<_> = params.iter().filter(|p| !is_hidden(p)).cloned().collect();
            candidate.type_params.extend(visible);
        }
        found
    }

    /// The constructors for an anonymous subclass, which protected ones are there for (JLS §6.6.2.2).
    pub(crate) fn constructors_to_extend(
        &self,
        class: &Arc<Class>,
        args: &[TypeArgument],
    ) -> Vec<Candidate> {
        let usable = |access: Access| access.is_protected() || self.may_use(class, access);
        self.constructors_where(class, args, usable)
    }

    fn constructors_where(
        &self,
        class: &Arc<Class>,
        args: &[TypeArgument],
        usable: impl Fn(Access) -> bool,
    ) -> Vec<Candidate> {
        let skip = usize::from(class.outer_instance().is_some());
        let seen = match args {
            [] => self.is_generic(&class.name).then_some(Supertype::Raw),
            args => Some(Supertype::Args(args.to_vec())),
        };
        let mut found = Vec::new();
        for (index, method) in class.methods.iter().enumerate() {
            if method.is_constructor()
                && !method.access.is_synthetic()
                && method.params.len() >= skip
                && usable(method.access)
            {
                found.push(candidate(class, index, seen.as_ref(), &[], skip));
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
    seen: Option<&Supertype>,
    class_params: &[TypeParameter],
    skip: usize,
) -> Candidate {
    let method = &declaring.methods[index];
    let declared: Vec<Type> = method.params[skip..].iter().map(|p| p.ty.clone()).collect();
    let erased = Candidate {
        declaring: declaring.clone(),
        index,
        formals: declared.iter().map(raw).collect(),
        erased: declared.clone(),
        declared: vec![declared.clone()],
        result: method.result.as_ref().map(raw),
        type_params: Vec::new(),
        doubtful_result: false,
        is_known: true,
    };
    let Some(signature) = method.signature.as_deref() else { return erased };
    let bindings = match seen {
        Some(Supertype::Raw) => return erased,
        Some(Supertype::Unknown) => return Candidate { is_known: false, ..erased },
        Some(Supertype::Args(args)) => bind(declaring, args),
        None => Vec::new(),
    };
    match generic(&erased, signature, bindings, class_params) {
        Some(candidate) => candidate,
        None => Candidate { is_known: false, ..erased },
    }
}

/// The candidate with the types of its generic signature; `None` if they cannot be written down.
fn generic(
    erased: &Candidate,
    signature: &MethodSignature,
    mut bindings: Bindings,
    class_params: &[TypeParameter],
) -> Option<Candidate> {
    // A type parameter of the method hides one of the class.
    bindings.retain(|(name, _)| signature.type_params.iter().all(|p| p.name != *name));
    // What a captured wildcard stands for cannot be passed in.
    let bounds = signature.type_params.iter().flat_map(|p| &p.bounds);
    if signature.params.iter().chain(bounds).any(|ty| captures(ty, &bindings)) {
        return None;
    }
    let mut type_params = signature.type_params.clone();
    for bound in type_params.iter_mut().flat_map(|p| &mut p.bounds) {
        *bound = substitute(bound, &bindings)?;
    }
    let in_scope = [&type_params, class_params].concat();
    // Compilers leave parameters they added out of the signature; those come first.
    let missing = erased.erased.len().checked_sub(signature.params.len())?;
    let mut formals = erased.formals[..missing].to_vec();
    let mut erasures = erased.erased[..missing].to_vec();
    for (formal, declared) in signature.params.iter().zip(&erased.erased[missing..]) {
        let substituted = substitute(formal, &bindings)?;
        let changed = has_variables(formal) && (substituted != *formal || !bindings.is_empty());
        erasures.push(if changed { erase(&substituted, &in_scope) } else { declared.clone() });
        formals.push(substituted);
    }
    let mut candidate = Candidate { formals, erased: erasures, type_params, ..erased.clone() };
    if let Some(result) = &signature.result {
        match substitute(result, &bindings) {
            Some(result) => candidate.result = Some(result),
            // A captured wildcard: some subtype of the erased result.
            None => candidate.doubtful_result = true,
        }
    }
    Some(candidate)
}
