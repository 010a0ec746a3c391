//! Methods that a class has without declaring them, and what they owe there.
//!
//! A class may inherit a body from one supertype and a contract for it from another, which the
//! checks woven into the body's own declaration know nothing of. What is found here is woven into
//! the class that brings both together ([`super::forward`]).
//!
//! Invariant: a method is found only if it is known whose body a call runs; where classes in between
//! are there in compiled form only, nothing is found.

use std::collections::{HashMap, HashSet};

use super::names::{erased, parameters};
use super::program::{Overridden, Program, Super, TypeId, is_of_object};
use crate::java::{JavaModifier, Method, MethodKind, TypeKind};

/// A method that a class inherits.
pub(super) struct Inherited {
    /// The class.
    pub ty: TypeId,
    /// The declaration with the body.
    pub from: (TypeId, usize),
    /// The declaration with the types as the class sees them.
    pub method: Method,
    /// What the class sees above it of this name and parameters: that declaration, and others.
    pub overridden: Overridden,
    /// What the body is called by where its declaration has no checks: `super`, `Shape.super`.
    pub through: String,
}

/// A supertype as it is seen from below: its type variables, erased and as texts.
#[derive(Clone, Default)]
struct View {
    erased: HashMap<String, String>,
    texts: HashMap<String, String>,
    /// Whether it is extended without its type arguments: then its members have none either.
    raw: bool,
}

type Signature = (String, Vec<String>);

impl<'a> Program<'a> {
    /// All methods that classes inherit with their bodies, classes in order.
    pub fn inherited(&self) -> Vec<Inherited> {
        let mut found = Vec::new();
        for ty in 0..self.types.len() {
            let decl = self.types[ty].decl;
            let is_class = matches!(decl.kind, TypeKind::Class | TypeKind::Enum | TypeKind::Record);
            if is_class && !decl.body.is_empty() {
                self.inherited_by(ty, &mut found);
            }
        }
        found
    }

    fn inherited_by(&self, ty: TypeId, found: &mut Vec<Inherited>) {
        let root = View { erased: self.bounds(ty), ..View::default() };
        let mut seen: HashSet<Signature> = self
            .methods_of(ty)
            .map(|(_, method)| self.named_signature(ty, method, &root.erased))
            .collect();
        let mut at = (ty, root.clone());
        let mut classes_known = true;
        let mut above = HashSet::from([ty]);
        loop {
            let mut classes = self.types[at.0].supers.iter().filter(|one| self.is_class(at.0, one));
            let Some(one) = classes.next() else { break };
            let Some(source) = one.source else {
                classes_known = false;
                break;
            };
            if !above.insert(source) {
                break;
            }
            let view = self.view(one, at.0, source, &at.1);
            for (index, method) in self.methods_of(source) {
                let signature = self.named_signature(source, method, &view.erased);
                let visible = self.sees(ty, source, method);
                if visible && seen.insert(signature.clone()) && method.body.is_some() {
                    let way = ((source, index), "super".to_owned());
                    found.extend(self.as_seen(ty, &root, way, method, &view, &signature.1));
                }
            }
            at = (source, view);
        }
        if classes_known {
            self.defaults(ty, &root, &mut seen, found);
        }
    }

    /// Methods with bodies that are inherited from interfaces.
    fn defaults(
        &self,
        ty: TypeId,
        root: &View,
        seen: &mut HashSet<Signature>,
        found: &mut Vec<Inherited>,
    ) {
        let mut all = Vec::new();
        self.interfaces(ty, root, None, (&mut HashSet::new(), &mut all));
        for (source, view, through) in &all {
            for (index, method) in self.methods_of(*source) {
                let signature = self.named_signature(*source, method, &view.erased);
                if method.body.is_none() || seen.contains(&signature) {
                    continue;
                }
                // One that another interface overrides is not what a call runs.
                let overridden = all.iter().any(|(other, other_view, _)| {
                    other != source
                        && self.methods_of(*other).any(|(_, one)| {
                            self.named_signature(*other, one, &other_view.erased) == signature
                                && self.overridden(*other, one).declared.contains(&(*source, index))
                        })
                });
                if !overridden {
                    seen.insert(signature.clone());
                    let way = ((*source, index), through.clone());
                    found.extend(self.as_seen(ty, root, way, method, view, &signature.1));
                }
            }
        }
    }

    fn interfaces(
        &self,
        ty: TypeId,
        view: &View,
        through: Option<&str>,
        (above, all): (&mut HashSet<TypeId>, &mut Vec<(TypeId, View, String)>),
    ) {
        for one in &self.types[ty].supers {
            let Some(source) = one.source else { continue };
            let own = match self.is_interface(source) {
                true => format!("{}.super", one.name),
                false => "super".to_owned(),
            };
            let through = through.unwrap_or(&own);
            let view = self.view(one, ty, source, view);
            if !above.insert(source) {
                continue;
            }
            if self.is_interface(source) {
                all.push((source, view.clone(), through.to_owned()));
            }
            self.interfaces(source, &view, Some(through), (above, all));
        }
    }

    fn methods_of(&self, ty: TypeId) -> impl Iterator<Item = (usize, &'a Method)> + use<'a> {
        let decl = self.types[ty].decl;
        decl.methods.iter().enumerate().filter(|(_, method)| {
            method.kind == MethodKind::Method
                && !method.modifiers.has(JavaModifier::Static)
                && !method.modifiers.has(JavaModifier::Private)
        })
    }

    fn named_signature(
        &self,
        ty: TypeId,
        method: &Method,
        known: &HashMap<String, String>,
    ) -> Signature {
        (method.name.text.clone(), self.signature(ty, method, known))
    }

    /// Whether a supertype that is written in a class declaration is a class.
    fn is_class(&self, ty: TypeId, one: &Super) -> bool {
        match one.source {
            Some(source) => !self.is_interface(source),
            // Of what is compiled only, the first is the class unless it stands behind `implements`.
            None => {
                let decl = self.types[ty].decl;
                decl.extends.iter().any(|written| erased(&written.text) == one.name)
            }
        }
    }

    /// Whether a class inherits a method of a superclass, by its access.
    fn sees(&self, ty: TypeId, source: TypeId, method: &Method) -> bool {
        let package = |ty: TypeId| self.source(ty).package.as_ref().map(|name| name.text.clone());
        let anywhere = [JavaModifier::Public, JavaModifier::Protected];
        anywhere.iter().any(|one| method.modifiers.has(*one)) || package(ty) == package(source)
    }

    fn view(&self, one: &Super, scope: TypeId, source: TypeId, below: &View) -> View {
        let variables = self.types[source].decl.type_parameters.as_ref();
        let variables = variables.map(|text| parameters(&text.text)).unwrap_or_default();
        let raw = below.raw || !variables.is_empty() && one.arguments.is_empty();
        let mut view = View {
            erased: if raw { self.bounds(source) } else { HashMap::new() },
            texts: HashMap::new(),
            raw,
        };
        if !raw {
            view.erased = self.substitution(one, source, &below.erased);
            let arguments =
                one.arguments.iter().map(|text| self.said_elsewhere(scope, text, below, &[]));
            view.texts = variables.into_iter().map(|(name, _)| name).zip(arguments).collect();
        }
        view
    }

    fn as_seen(
        &self,
        ty: TypeId,
        root: &View,
        (from, through): ((TypeId, usize), String),
        method: &Method,
        view: &View,
        signature: &[String],
    ) -> Option<Inherited> {
        if view.raw && method.type_parameters.is_some() {
            return None;
        }
        let mut overridden = Overridden {
            compiled: is_of_object(&method.name.text, signature),
            ..Overridden::default()
        };
        let name = &method.name.text;
        let mut seen = HashSet::new();
        self.overridden_in(ty, &root.erased, name, signature, &mut seen, &mut overridden);
        overridden.compiled |= self.overridden(from.0, method).compiled;
        let mut method = method.clone();
        let own: Vec<String> = method
            .type_parameters
            .as_ref()
            .map(|text| parameters(&text.text).into_iter().map(|(name, _)| name).collect())
            .unwrap_or_default();
        let said = |text: &mut String| *text = self.said_elsewhere(from.0, text, view, &own);
        method.params.iter_mut().for_each(|param| said(&mut param.ty.text));
        method.throws.iter_mut().for_each(|ty| said(&mut ty.text));
        method.return_type.iter_mut().for_each(|ty| said(&mut ty.text));
        method.type_parameters.iter_mut().for_each(|ty| said(&mut ty.text));
        Some(Inherited { ty, from, method, overridden, through })
    }

    /// A type that is written at one type, as it can be written at another.
    fn said_elsewhere(&self, scope: TypeId, text: &str, view: &View, own: &[String]) -> String {
        let erasure;
        let text = match view.raw {
            true => {
                erasure = erased(text);
                erasure.as_str()
            }
            false => text,
        };
        let mut said = String::new();
        let mut name = String::new();
        for c in text.chars().chain(['\0']) {
            if c.is_alphanumeric() || matches!(c, '_' | '$' | '.') {
                name.push(c);
                continue;
            }
            if !name.is_empty() {
                said.push_str(&self.name_elsewhere(scope, &name, view, own));
                name.clear();
            }
            if c != '\0' {
                said.push(c);
            }
        }
        said
    }

    fn name_elsewhere(&self, scope: TypeId, name: &str, view: &View, own: &[String]) -> String {
        let is_word = |word: &str| {
            matches!(word, "extends" | "super" | "final") || super::names::is_primitive(word)
        };
        if is_word(name) || own.iter().any(|one| one == name) {
            return name.to_owned();
        }
        if let Some(text) = view.texts.get(name) {
            return text.clone();
        }
        if let Some(bound) = view.erased.get(name).filter(|_| view.raw) {
            return bound.clone();
        }
        let key = (scope, name.to_owned());
        if let Some(known) = self.elsewhere.borrow().get(&key) {
            return known.clone();
        }
        let found = self.full_name(scope, name);
        self.elsewhere.borrow_mut().insert(key, found.clone());
        found
    }

    fn full_name(&self, scope: TypeId, name: &str) -> String {
        let imported = |candidate: &String| {
            let imports = self.source(scope).imports.iter();
            let mut known = imports.filter(|import| !import.on_demand && !import.is_static);
            known.any(|import| {
                let rest = candidate.strip_prefix(import.name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        for candidate in self.candidates(scope, name) {
            if let Some(found) = self.named(&candidate) {
                return if self.is_local(found) { name.to_owned() } else { candidate };
            }
            if imported(&candidate) || self.supertypes.supertypes(&candidate).is_some() {
                return candidate;
            }
        }
        name.to_owned()
    }

    /// Whether a type is declared in a body, or in one that is: its full name is nothing to javac.
    fn is_local(&self, ty: TypeId) -> bool {
        use crate::java::TypePlace::{Member, TopLevel};
        let Some(outer) = self.types[ty].outer else { return false };
        !matches!(self.types[ty].decl.place, Member | TopLevel) || self.is_local(outer)
    }
}
