//! What a class written on the spot has to implement.
//!
//! A method of the source can have several erasures: `Comparable<T>.compareTo(T)`, seen from an
//! interface that extends `Comparable<Foo>` and declares `compareTo(Foo)`, is one method with two
//! descriptors, and callers use either. Methods are therefore grouped by what they are in source,
//! and all erasures of a group are told.

use std::sync::Arc;

use crate::{
    Class, ClassKind, ClassName, ClassSource, GenericType, Hierarchy, Method, MethodDescriptor,
    Type, TypeParameter, type_accessible,
};

/// A method that a class leaves to its subclasses.
#[derive(Clone, Debug)]
pub struct Unimplemented {
    /// The class that declares it, the most derived one if several do.
    pub declaring: Arc<Class>,
    index: usize,
    /// Its parameters as seen from the class: with that class's type variables.
    pub params: Vec<GenericType>,
    /// Its result as seen from the class, `None` for `void`.
    pub result: Option<GenericType>,
    /// Its own type parameters, with bounds as seen from the class.
    pub type_params: Vec<TypeParameter>,
    /// The descriptors it goes by.
    pub erasures: Vec<MethodDescriptor>,
}

impl Unimplemented {
    /// Its declaration.
    pub fn method(&self) -> &Method {
        &self.declaring.methods[self.index]
    }

    /// Whether a test in the package can call it on a mock with matchers for arguments, to tell the
    /// mock what to answer or to verify that it was called.
    pub fn takes_matchers(&self, source: &dyn ClassSource, package: &str) -> bool {
        let access = self.method().access;
        let callable = access.is_public() || self.declaring.name.package() == package;
        let nameable = |ty: &Type| type_accessible(source, ty, package);
        // Matchers of variable arguments mean another thing in every version of Mockito.
        callable && !access.is_varargs() && self.erasures[0].params.iter().all(nameable)
    }

    /// Whether it has type parameters of its own: then no lambda can be written for it.
    pub fn is_generic(&self) -> bool {
        !self.type_params.is_empty()
    }
}

/// Classes that only the compiler may extend (JLS §8.1.4).
const COMPILERS_OWN: [&str; 2] = ["java/lang/Enum", "java/lang/Record"];

/// What all classes extend.
const OBJECT: &str = "java/lang/Object";

/// What variables of a supertype stand for; `None` if it is raw.
type View = Option<Vec<(Arc<str>, GenericType)>>;

/// A method of a supertype, seen from the class.
struct Seen {
    declaring: Arc<Class>,
    index: usize,
    params: Vec<GenericType>,
    result: Option<GenericType>,
    type_params: Vec<TypeParameter>,
    erased: Vec<Type>,
}

impl Seen {
    fn method(&self) -> &Method {
        &self.declaring.methods[self.index]
    }
}

/// The methods that a test in the package has to write to have an object of an interface or
/// abstract class; `None` if it cannot have one by writing a class of its own.
pub fn implementable(
    source: &dyn ClassSource,
    class: &Class,
    package: &str,
) -> Option<Vec<Unimplemented>> {
    let extensible = match class.kind {
        ClassKind::Interface => true,
        ClassKind::Class => {
            class.access.is_abstract()
                && class.outer_instance().is_none()
                && !COMPILERS_OWN.contains(&class.name.as_internal())
        }
        ClassKind::Annotation | ClassKind::Enum | ClassKind::Record => false,
    };
    let nameable = |ty: &Type| type_accessible(source, ty, package);
    if !extensible || !class.permitted.is_empty() || !nameable(&Type::Class(class.name.clone())) {
        return None;
    }
    let methods = unimplemented(source, class)?;
    let writable = methods.iter().all(|method| {
        let access = method.method().access;
        let reachable = access.is_public()
            || access.is_protected()
            || method.declaring.name.package() == package;
        let types = |d: &MethodDescriptor| d.params.iter().chain(&d.result).all(nameable);
        let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
        let seen = method.params.iter().chain(&method.result);
        reachable
            && method.erasures.iter().all(types)
            && seen.into_iter().all(|ty| nameable(&ty.erasure(params)))
    });
    writable.then_some(methods)
}

/// The methods a class leaves to its subclasses, in the order of their declaration; `None` if a
/// supertype is missing.
pub fn unimplemented(source: &dyn ClassSource, class: &Class) -> Option<Vec<Unimplemented>> {
    let left = groups(source, class)?.into_iter().filter_map(|members| {
        let of_class = members.iter().find(|m| !m.declaring.is_interface());
        let is_left = match of_class {
            Some(member) => member.method().access.is_abstract(),
            None => is_left_by_interfaces(source, &members),
        };
        is_left.then(|| group(members))
    });
    Some(left.collect())
}

/// The methods of an interface or class that a mock of it answers: all that are called on an object,
/// with a body or without; `None` if a test in the package can have no mock of it, or none that
/// answers everything, however mocks are made.
pub fn mockable(
    source: &dyn ClassSource,
    class: &Class,
    package: &str,
) -> Option<Vec<Unimplemented>> {
    let nameable = type_accessible(source, &Type::Class(class.name.clone()), package);
    let extensible = match class.kind {
        ClassKind::Interface => true,
        ClassKind::Class => !class.access.is_final() && class.outer_instance().is_none(),
        ClassKind::Annotation | ClassKind::Enum | ClassKind::Record => false,
    };
    if !extensible || !class.permitted.is_empty() || !nameable {
        return None;
    }
    let mut answered = Vec::new();
    for members in groups(source, class)? {
        let is_objects =
            |m: &Seen| !m.declaring.is_interface() && m.declaring.name.as_internal() == OBJECT;
        if members.iter().any(is_objects) {
            // What a class makes of `equals` and the like, a mock of it does not.
            if members.iter().any(|m| !m.declaring.is_interface() && !is_objects(m)) {
                return None;
            }
            continue;
        }
        let within_reach = members.iter().all(|m| {
            let access = m.method().access;
            let reachable = access.is_public() || access.is_protected();
            !access.is_final() && (reachable || m.declaring.name.package() == package)
        });
        if !within_reach {
            return None;
        }
        answered.push(group(members));
    }
    Some(answered)
}

/// The methods of a class and its supertypes that can be overridden, those that are one method of
/// the source together, without those that every object has.
fn groups(source: &dyn ClassSource, class: &Class) -> Option<Vec<Vec<Seen>>> {
    let mut groups: Vec<(Arc<str>, Vec<Type>, Vec<Seen>)> = Vec::new();
    let object = source.class(&ClassName::internal("java/lang/Object"))?;
    for (declaring, view) in views(source, class)? {
        for (index, method) in declaring.methods.iter().enumerate() {
            let access = method.access;
            if method.is_constructor()
                || access.is_static()
                || access.is_private()
                || access.is_synthetic()
            {
                continue;
            }
            let seen = seen(class, &declaring, index, view.as_ref());
            match groups.iter_mut().find(|(n, e, _)| *n == method.name && *e == seen.erased) {
                Some((_, _, members)) => members.push(seen),
                None => groups.push((method.name.clone(), seen.erased.clone(), vec![seen])),
            }
        }
    }
    let kept = groups.into_iter().filter_map(|(name, erased, members)| {
        // What every object has implements an interface's method too (JLS §9.2).
        let by_object = object.methods.iter().any(|m| {
            m.access.is_public() && m.name == name && m.params.iter().map(|p| &p.ty).eq(&erased)
        });
        let by_interfaces = members.iter().all(|m| m.declaring.is_interface());
        (!by_object || !by_interfaces).then_some(members)
    });
    Some(kept.collect())
}

/// Whether interfaces leave a method to classes: one that no other overrides is abstract.
fn is_left_by_interfaces(source: &dyn ClassSource, members: &[Seen]) -> bool {
    members.iter().any(|member| {
        let overridden = members.iter().any(|other| {
            other.declaring.name != member.declaring.name
                && source.is_subclass(&other.declaring.name, &member.declaring.name)
        });
        !overridden && member.method().access.is_abstract()
    })
}

fn group(members: Vec<Seen>) -> Unimplemented {
    let mut erasures: Vec<MethodDescriptor> = Vec::new();
    for member in &members {
        let method = member.method();
        let params = method.params.iter().map(|p| p.ty.clone()).collect();
        let erasure = MethodDescriptor { params, result: method.result.clone() };
        if !erasures.contains(&erasure) {
            erasures.push(erasure);
        }
    }
    let first = members.into_iter().next().expect("a group has a member");
    let Seen { declaring, index, params, result, type_params, .. } = first;
    Unimplemented { declaring, index, params, result, type_params, erasures }
}

/// The class and its supertypes, classes before interfaces, with what their variables stand for.
/// `Object` is left out of those of an interface.
fn views(source: &dyn ClassSource, class: &Class) -> Option<Vec<(Arc<Class>, View)>> {
    let own = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    let own = own.iter().map(|p| (p.name.clone(), GenericType::Variable(p.name.clone())));
    let mut found: Vec<(Arc<Class>, View)> = vec![(Arc::new(class.clone()), Some(own.collect()))];
    let mut next = 0;
    while next < found.len() {
        let (class, view) = found[next].clone();
        next += 1;
        for (name, args) in parents(&class, view.as_ref()) {
            if found.iter().any(|(known, _)| known.name == name) {
                continue;
            }
            let is_object = name.as_internal() == "java/lang/Object";
            if is_object && found[0].0.is_interface() {
                continue;
            }
            let parent = source.class(&name)?;
            let params = parent.signature.as_ref().map_or(&[][..], |s| &s.params);
            let view = args
                .filter(|args| args.len() == params.len())
                .map(|args| params.iter().map(|p| p.name.clone()).zip(args).collect());
            found.push((parent, view));
        }
    }
    let (classes, interfaces): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(class, _)| !class.is_interface());
    Some(classes.into_iter().chain(interfaces).collect())
}

/// The direct supertypes with their type arguments; `None` if raw.
fn parents(
    class: &Class,
    view: Option<&Vec<(Arc<str>, GenericType)>>,
) -> Vec<(ClassName, Option<Vec<GenericType>>)> {
    let (Some(signature), Some(bindings)) = (&class.signature, view) else {
        let raw = class.signature.is_some();
        let args = |_: &ClassName| (!raw).then(Vec::new);
        return class.parents().map(|name| (name.clone(), args(name))).collect();
    };
    let generic = std::iter::once(&signature.superclass).chain(&signature.interfaces);
    generic
        .filter_map(|parent| match parent.substituted(bindings) {
            GenericType::Class { name, args } => {
                let args: Option<Vec<GenericType>> =
                    args.iter().map(|arg| arg.bound().cloned()).collect();
                Some((name, args))
            }
            _ => None,
        })
        .collect()
}

fn seen(
    class: &Class,
    declaring: &Arc<Class>,
    index: usize,
    view: Option<&Vec<(Arc<str>, GenericType)>>,
) -> Seen {
    let method = &declaring.methods[index];
    let plain: Vec<Type> = method.params.iter().map(|p| p.ty.clone()).collect();
    let declaring = declaring.clone();
    let signature = method.signature.as_deref().filter(|s| s.params.len() == plain.len());
    let (Some(signature), Some(bindings)) = (signature, view) else {
        let params = plain.iter().map(GenericType::from).collect();
        let result = method.result.as_ref().map(GenericType::from);
        let own = method.signature.as_ref().map_or(&[][..], |s| &s.type_params);
        return Seen { declaring, index, params, result, type_params: own.to_vec(), erased: plain };
    };
    // A type parameter of the method hides one of the class.
    let hidden = |name: &Arc<str>| signature.type_params.iter().any(|p| p.name == *name);
    let bindings: Vec<_> = bindings.iter().filter(|(name, _)| !hidden(name)).cloned().collect();
    let own = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    let type_params: Vec<TypeParameter> = signature
        .type_params
        .iter()
        .map(|p| TypeParameter {
            name: p.name.clone(),
            bounds: p.bounds.iter().map(|b| b.substituted(&bindings)).collect(),
        })
        .collect();
    let in_scope = [&type_params, own].concat();
    let params: Vec<GenericType> =
        signature.params.iter().map(|p| p.substituted(&bindings)).collect();
    let erased = params.iter().map(|p| p.erasure(&in_scope)).collect();
    let result = signature.result.as_ref().map(|r| r.substituted(&bindings));
    Seen { declaring, index, params, result, type_params, erased }
}
