//! All types of a run by name, what they extend, and which methods override which.
//!
//! Names are resolved as far as it takes to find supertypes among the sources; what is compiled
//! already is asked of [`Supertypes`].

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use super::names::{arguments, erased, parameters, simple};
use crate::java::{JavaModifier, Method, MethodKind, TypeDecl, TypeKind, TypePlace};
use crate::source::Source;

/// A type of the sources, as an index into [`Program::types`].
pub(super) type TypeId = usize;

/// What is known of classes that are there in compiled form only.
pub trait Supertypes {
    /// The names (`java.util.Map.Entry`) of what a class extends and implements; `None` if there
    /// is no such class.
    fn supertypes(&self, class: &str) -> Option<Vec<String>>;

    /// Whether a class itself declares such a method; parameters are simple names of erased types.
    fn declares(&self, class: &str, method: &str, parameters: &[String]) -> bool;
}

/// Nothing is known: methods marked `@Override` are taken to override something without contract.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoSupertypes;

impl Supertypes for NoSupertypes {
    fn supertypes(&self, _: &str) -> Option<Vec<String>> {
        None
    }

    fn declares(&self, _: &str, _: &str, _: &[String]) -> bool {
        false
    }
}

/// A supertype, as it is written.
pub(super) struct Super {
    /// Without type arguments.
    pub name: String,
    /// The type arguments.
    pub arguments: Vec<String>,
    /// The type, if its source is there.
    pub source: Option<TypeId>,
    /// What it may be called in full otherwise, in the order of trying.
    pub candidates: Vec<String>,
}

/// A type with what is known of it.
pub(super) struct Type<'a> {
    pub source: usize,
    pub decl: &'a TypeDecl,
    pub outer: Option<TypeId>,
    /// Package, outer types and name, set apart by dots.
    pub name: String,
    pub supers: Vec<Super>,
}

/// What a method overrides.
#[derive(Default)]
pub(super) struct Overridden {
    /// Declarations whose source is there.
    pub declared: Vec<(TypeId, usize)>,
    /// Whether there is one that is compiled only: it asks for nothing.
    pub compiled: bool,
}

pub(super) struct Program<'a> {
    pub sources: &'a [Source],
    pub types: Vec<Type<'a>>,
    pub supertypes: &'a dyn Supertypes,
    by_name: HashMap<String, TypeId>,
    by_simple_name: HashMap<&'a str, Vec<TypeId>>,
    /// For each type, those above it and those below it.
    above: Vec<Vec<TypeId>>,
    below: Vec<Vec<TypeId>>,
    /// Names as they can be written elsewhere, by the type they are written at.
    pub elsewhere: RefCell<HashMap<(TypeId, String), String>>,
}

impl<'a> Program<'a> {
    pub fn new(sources: &'a [Source], supertypes: &'a dyn Supertypes) -> Program<'a> {
        let mut types = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let package = source.package.as_ref().map_or("", |name| name.text.as_str());
            for decl in &source.types {
                collect(index, decl, None, package, &mut types);
            }
        }
        let by_name: HashMap<String, TypeId> =
            types.iter().enumerate().rev().map(|(id, ty)| (ty.name.clone(), id)).collect();
        let mut by_simple_name: HashMap<&'a str, Vec<TypeId>> = HashMap::new();
        for (id, ty) in types.iter().enumerate() {
            by_simple_name.entry(&ty.decl.name.text).or_default().push(id);
        }
        let mut program = Program {
            sources,
            types,
            supertypes,
            by_name,
            by_simple_name,
            above: Vec::new(),
            below: Vec::new(),
            elsewhere: RefCell::default(),
        };
        for id in 0..program.types.len() {
            program.types[id].supers = program.supers_of(id);
        }
        program.below = vec![Vec::new(); program.types.len()];
        for id in 0..program.types.len() {
            let above = program.find_ancestors(id);
            above.iter().for_each(|up| program.below[*up].push(id));
            program.above.push(above);
        }
        program
    }

    pub fn source(&self, ty: TypeId) -> &'a Source {
        &self.sources[self.types[ty].source]
    }

    fn supers_of(&self, id: TypeId) -> Vec<Super> {
        let decl = self.types[id].decl;
        let mut supers: Vec<Super> = Vec::new();
        if decl.place == TypePlace::EnumConstant
            && let Some(outer) = self.types[id].outer
        {
            supers.push(Super {
                name: self.types[outer].decl.name.text.clone(),
                arguments: Vec::new(),
                source: Some(outer),
                candidates: Vec::new(),
            });
        }
        for written in decl.extends.iter().chain(&decl.implements) {
            let name = erased(&written.text);
            let candidates = self.candidates(id, &name);
            let source = candidates.iter().find_map(|name| self.named(name));
            let source = source.filter(|found| *found != id);
            let arguments = arguments(&written.text);
            supers.push(Super { name, arguments, source, candidates });
        }
        supers
    }

    /// The type of a full name.
    pub fn named(&self, name: &str) -> Option<TypeId> {
        self.by_name.get(name).copied()
    }

    /// What a name may stand for at a type, in full, the likeliest first.
    pub fn candidates(&self, scope: TypeId, name: &str) -> Vec<String> {
        let source = self.source(scope);
        let (first, rest) = name.split_once('.').map_or((name, ""), |(a, b)| (a, b));
        let full = |prefix: &str| {
            let mut full = String::from(prefix);
            for part in [first, rest] {
                if !part.is_empty() {
                    if !full.is_empty() {
                        full.push('.');
                    }
                    full.push_str(part);
                }
            }
            full
        };
        let mut names = Vec::new();
        let mut at = Some(scope);
        while let Some(ty) = at {
            names.push(full(&self.types[ty].name));
            at = self.types[ty].outer;
        }
        for import in source.imports.iter().filter(|import| !import.on_demand) {
            if let Some(package) = import.name.strip_suffix(first)
                && package.ends_with('.')
            {
                names.push(full(package.trim_end_matches('.')));
            }
        }
        names.push(full(source.package.as_ref().map_or("", |name| name.text.as_str())));
        for import in source.imports.iter().filter(|import| import.on_demand) {
            names.push(full(&import.name));
        }
        names.push(full("java.lang"));
        names.push(name.to_owned());
        names
    }

    /// All supertypes whose source is there, nearest first, each once.
    pub fn ancestors(&self, ty: TypeId) -> &[TypeId] {
        &self.above[ty]
    }

    /// All subtypes whose source is there.
    pub fn descendants(&self, ty: TypeId) -> &[TypeId] {
        &self.below[ty]
    }

    /// The types of a simple name.
    pub fn types_named(&self, name: &str) -> &[TypeId] {
        self.by_simple_name.get(name).map_or(&[], Vec::as_slice)
    }

    fn find_ancestors(&self, ty: TypeId) -> Vec<TypeId> {
        let mut found = Vec::new();
        let mut queue = vec![ty];
        let mut at = 0;
        while let Some(&next) = queue.get(at) {
            at += 1;
            for source in self.types[next].supers.iter().filter_map(|one| one.source) {
                if !found.contains(&source) && source != ty {
                    found.push(source);
                    queue.push(source);
                }
            }
        }
        found
    }

    /// What a method of a type overrides or implements.
    pub fn overridden(&self, ty: TypeId, method: &Method) -> Overridden {
        let mut found = Overridden::default();
        let is_static = method.modifiers.has(JavaModifier::Static);
        let is_private = method.modifiers.has(JavaModifier::Private);
        if method.kind != MethodKind::Method || is_static || is_private {
            return found;
        }
        let mine = self.signature(ty, method, &HashMap::new());
        found.compiled = is_of_object(&method.name.text, &mine);
        self.overridden_in(
            ty,
            &self.bounds(ty),
            &method.name.text,
            &mine,
            &mut HashSet::new(),
            &mut found,
        );
        let marked = method.modifiers.annotations.iter().any(|a| a.name == "Override");
        if marked && found.declared.is_empty() {
            found.compiled = true;
        }
        found
    }

    /// What a type sees above it of a name and parameters, `known` for its type variables.
    pub fn overridden_in(
        &self,
        ty: TypeId,
        known: &HashMap<String, String>,
        name: &str,
        mine: &[String],
        seen: &mut HashSet<TypeId>,
        found: &mut Overridden,
    ) {
        for one in &self.types[ty].supers {
            let Some(source) = one.source else {
                let params: Vec<String> = mine.to_vec();
                found.compiled |= self.is_compiled(&one.candidates, name, &params);
                continue;
            };
            if !seen.insert(source) {
                continue;
            }
            let decl = self.types[source].decl;
            let substitution = self.substitution(one, source, known);
            for (index, other) in decl.methods.iter().enumerate() {
                let hidden = other.modifiers.has(JavaModifier::Static)
                    || other.modifiers.has(JavaModifier::Private);
                if other.name.text == name
                    && other.kind == MethodKind::Method
                    && !hidden
                    && self.signature(source, other, &substitution) == mine
                {
                    found.declared.push((source, index));
                }
            }
            self.overridden_in(source, &substitution, name, mine, seen, found);
        }
    }

    /// The type variables of a type, by what they are erased to.
    pub fn bounds(&self, ty: TypeId) -> HashMap<String, String> {
        let variables = self.types[ty].decl.type_parameters.as_ref();
        let variables = variables.map(|text| parameters(&text.text)).unwrap_or_default();
        let erased = |bound: Option<String>| bound.map_or("Object".to_owned(), |b| simple(&b));
        variables.into_iter().map(|(name, bound)| (name, erased(bound))).collect()
    }

    /// The type variables of a supertype, by what they are where it is extended; `known` are those
    /// of the type that extends it.
    pub fn substitution(
        &self,
        one: &Super,
        source: TypeId,
        known: &HashMap<String, String>,
    ) -> HashMap<String, String> {
        let variables = self.types[source].decl.type_parameters.as_ref();
        let variables = variables.map(|text| parameters(&text.text)).unwrap_or_default();
        let arguments = one.arguments.iter().map(|argument| {
            let argument = erased(argument);
            let (name, brackets) =
                argument.find('[').map_or((argument.as_str(), ""), |at| argument.split_at(at));
            known.get(name).map_or(argument.clone(), |known| format!("{known}{brackets}"))
        });
        variables.into_iter().map(|(name, _)| name).zip(arguments).collect()
    }

    /// Whether a compiled type has such a method.
    pub fn is_compiled(&self, candidates: &[String], method: &str, params: &[String]) -> bool {
        let mut queue: Vec<String> = candidates
            .iter()
            .find(|name| self.supertypes.supertypes(name).is_some())
            .cloned()
            .into_iter()
            .collect();
        let mut seen = HashSet::new();
        while let Some(class) = queue.pop() {
            if !seen.insert(class.clone()) {
                continue;
            }
            if self.supertypes.declares(&class, method, params) {
                return true;
            }
            queue.extend(self.supertypes.supertypes(&class).unwrap_or_default());
        }
        false
    }

    /// The erased types of the parameters, by their simple names.
    pub fn signature(
        &self,
        ty: TypeId,
        method: &Method,
        known: &HashMap<String, String>,
    ) -> Vec<String> {
        let bounds = |text: &Option<crate::jml::ast::TypeText>| {
            text.as_ref().map(|text| parameters(&text.text)).unwrap_or_default()
        };
        let mut variables: HashMap<String, String> = HashMap::new();
        for (name, bound) in bounds(&self.types[ty].decl.type_parameters) {
            let bound = bound.map_or_else(|| "Object".to_owned(), |bound| simple(&bound));
            variables.insert(name, bound);
        }
        variables.extend(known.iter().map(|(name, ty)| (name.clone(), simple(ty))));
        for (name, bound) in bounds(&method.type_parameters) {
            let bound = bound.map_or_else(|| "Object".to_owned(), |bound| simple(&bound));
            variables.insert(name, bound);
        }
        let params = method.params.iter();
        params
            .map(|param| {
                let name = simple(&param.ty.text);
                let (element, brackets) =
                    name.find('[').map_or((name.as_str(), ""), |at| name.split_at(at));
                let element = variables.get(element).map_or(element, String::as_str);
                format!("{element}{brackets}{}", if param.varargs { "[]" } else { "" })
            })
            .collect()
    }

    /// Whether a type is an interface (or an annotation).
    pub fn is_interface(&self, ty: TypeId) -> bool {
        matches!(self.types[ty].decl.kind, TypeKind::Interface | TypeKind::Annotation)
    }
}

/// Whether every object has such a method.
pub(super) fn is_of_object(name: &str, params: &[String]) -> bool {
    match name {
        "equals" => params == ["Object"],
        "hashCode" | "toString" | "clone" | "finalize" => params.is_empty(),
        _ => false,
    }
}

fn collect<'a>(
    source: usize,
    decl: &'a TypeDecl,
    outer: Option<TypeId>,
    prefix: &str,
    types: &mut Vec<Type<'a>>,
) {
    let id = types.len();
    let own = if decl.name.text.is_empty() { format!("${id}") } else { decl.name.text.clone() };
    let name = if prefix.is_empty() { own } else { format!("{prefix}.{own}") };
    types.push(Type { source, decl, outer, name: name.clone(), supers: Vec::new() });
    for inner in decl.types.iter().chain(&decl.locals) {
        collect(source, inner, Some(id), &name, types);
    }
}
