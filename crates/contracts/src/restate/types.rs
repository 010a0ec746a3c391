//! The types of a run and what is known of them: enough to tell names apart and to say of what type
//! a value is.

use std::collections::HashMap;

use super::java::Ty;
use crate::java::{Field, JavaModifier, Method, TypeKind, Visibility};
use crate::jml::ast::TypeClauseKind;
use crate::source::Source;

/// A type, by its number among all of a run.
pub(super) type TypeId = usize;

/// What is known of classes that are there in compiled form only. Names are full, nested classes
/// after a dot; types are erased.
pub trait Library {
    /// Whether there is such a class.
    fn has_class(&self, name: &str) -> bool;
    /// The type of a field of a class.
    fn field(&self, class: &str, name: &str) -> Option<String>;
    /// What a method of a class with so many parameters results in.
    fn result(&self, class: &str, method: &str, parameters: usize) -> Option<String>;
}

/// A declared type.
pub(super) struct Declared<'a> {
    pub source: &'a Source,
    pub decl: &'a crate::java::TypeDecl,
    pub outer: Option<TypeId>,
    /// In full, nested ones after a dot.
    pub name: String,
}

pub(super) struct Types<'a> {
    pub all: Vec<Declared<'a>>,
    by_name: HashMap<String, TypeId>,
    pub library: &'a dyn Library,
}

impl<'a> Types<'a> {
    pub fn new(sources: &'a [Source], library: &'a dyn Library) -> Types<'a> {
        let mut all: Vec<Declared<'a>> = Vec::new();
        for source in sources {
            let package = source.package.as_ref().map_or("", |name| name.text.as_str());
            let mut stack: Vec<(&'a crate::java::TypeDecl, Option<TypeId>, String)> = Vec::new();
            stack.extend(source.types.iter().rev().map(|ty| (ty, None, package.to_owned())));
            while let Some((decl, outer, prefix)) = stack.pop() {
                let dot = if prefix.is_empty() { "" } else { "." };
                let name = format!("{prefix}{dot}{}", decl.name.text);
                let id = all.len();
                all.push(Declared { source, decl, outer, name: name.clone() });
                stack.extend(decl.types.iter().rev().map(|ty| (ty, Some(id), name.clone())));
            }
        }
        let by_name = all.iter().enumerate().rev().map(|(id, ty)| (ty.name.clone(), id)).collect();
        Types { all, by_name, library }
    }

    pub fn named(&self, full: &str) -> Option<TypeId> {
        self.by_name.get(full).copied()
    }

    fn has_class(&self, full: &str) -> bool {
        self.by_name.contains_key(full) || self.library.has_class(full)
    }

    pub fn package(&self, id: TypeId) -> &str {
        self.all[id].source.package.as_ref().map_or("", |name| name.text.as_str())
    }

    /// The full name of the class that a name stands for at a type.
    pub fn resolve(&self, at: TypeId, name: &str) -> Option<String> {
        let (first, rest) = name.split_once('.').map_or((name, ""), |(a, b)| (a, b));
        let join = |prefix: &str, name: &str| match (prefix, name) {
            (prefix, "") => prefix.to_owned(),
            ("", name) => name.to_owned(),
            (prefix, name) => format!("{prefix}.{name}"),
        };
        let mut names = Vec::new();
        let mut scope = Some(at);
        while let Some(id) = scope {
            let declared = &self.all[id];
            if declared.decl.name.text == first {
                names.push(join(&declared.name, rest));
            }
            for ty in std::iter::once(id).chain(self.ancestors(id)) {
                names.push(join(&self.all[ty].name, name));
            }
            scope = declared.outer;
        }
        let imports = &self.all[at].source.imports;
        for import in imports.iter().filter(|import| !import.on_demand) {
            if import.name.rsplit('.').next() == Some(first) {
                names.push(join(&import.name, rest));
            }
        }
        names.push(join(self.package(at), name));
        names.extend(imports.iter().filter(|i| i.on_demand).map(|i| join(&i.name, name)));
        names.push(join("java.lang", name));
        names.push(name.to_owned());
        names.into_iter().find(|name| self.has_class(name))
    }

    /// A type as it is written at a declaration.
    pub fn ty(&self, at: TypeId, method: Option<&Method>, written: &str) -> Ty {
        let erased = erased(written);
        if let Some(element) = erased.strip_suffix("[]") {
            return Ty::Array(Box::new(self.ty(at, method, element)));
        }
        if let Some(primitive) = Ty::primitive(&erased) {
            return primitive;
        }
        let mut texts: Vec<&str> = Vec::new();
        texts.extend(method.and_then(|m| m.type_parameters.as_ref()).map(|t| t.text.as_str()));
        let mut scope = Some(at);
        while let Some(id) = scope {
            let declared = &self.all[id];
            texts.extend(declared.decl.type_parameters.as_ref().map(|t| t.text.as_str()));
            scope = declared.outer;
        }
        let is_variable = |text: &&str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| word == erased)
        };
        if !erased.contains('.') && erased.len() <= 3 && texts.iter().any(is_variable) {
            return Ty::Variable;
        }
        self.resolve(at, &erased).map_or(Ty::Unknown, Ty::Class)
    }

    /// A type that the library names.
    pub fn of_library(name: &str) -> Ty {
        if let Some(element) = name.strip_suffix("[]") {
            return Ty::Array(Box::new(Self::of_library(element)));
        }
        match Ty::primitive(name) {
            Some(primitive) => primitive,
            // It may be what is left of a type variable.
            None if name == "java.lang.Object" => Ty::Variable,
            None => Ty::Class(name.to_owned()),
        }
    }

    /// All supertypes whose source is there, nearest first.
    pub fn ancestors(&self, id: TypeId) -> Vec<TypeId> {
        let mut found = Vec::new();
        let mut queue = vec![id];
        let mut at = 0;
        while let Some(next) = queue.get(at).copied() {
            at += 1;
            for name in self.written_supers(next) {
                let Some(above) = self.simple_resolve(next, &name) else { continue };
                if above != id && !found.contains(&above) {
                    found.push(above);
                    queue.push(above);
                }
            }
        }
        found
    }

    /// The names of supertypes whose source is not there, of this type and those above it.
    pub fn compiled_supers(&self, id: TypeId) -> Vec<String> {
        let mut found = Vec::new();
        for ty in std::iter::once(id).chain(self.ancestors(id)) {
            for name in self.written_supers(ty) {
                if self.simple_resolve(ty, &name).is_none() {
                    found.extend(self.resolve(ty, &name));
                }
            }
        }
        found.push("java.lang.Object".to_owned());
        found
    }

    fn written_supers(&self, id: TypeId) -> Vec<String> {
        let decl = self.all[id].decl;
        decl.extends.iter().chain(&decl.implements).map(|ty| erased(&ty.text)).collect()
    }

    /// A supertype among the sources. Not by inherited names, which need the supertypes.
    fn simple_resolve(&self, at: TypeId, name: &str) -> Option<TypeId> {
        let mut scope = Some(at);
        while let Some(id) = scope {
            let outer = &self.all[id];
            if let Some(found) = self.named(&format!("{}.{name}", outer.name)) {
                return Some(found);
            }
            scope = outer.outer;
        }
        let imports = &self.all[at].source.imports;
        let imported = imports.iter().filter(|import| !import.on_demand);
        let imported =
            imported.filter(|import| import.name.rsplit('.').next() == Some(name)).map(|i| &i.name);
        if let Some(found) = imported.clone().find_map(|full| self.named(full)) {
            return Some(found);
        }
        if imported.count() > 0 {
            return None;
        }
        let package = self.package(at);
        let here = if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") };
        let demanded = imports.iter().filter(|i| i.on_demand).map(|i| format!("{}.{name}", i.name));
        let mut names = std::iter::once(here).chain(demanded).chain([name.to_owned()]);
        names.find_map(|full| self.named(&full))
    }

    pub fn is_subtype(&self, id: TypeId, above: TypeId) -> bool {
        id == above || self.ancestors(id).contains(&above)
    }

    /// A field of a type, own or inherited, and where it is declared.
    pub fn field(&self, id: TypeId, name: &str) -> Option<(TypeId, &'a Field)> {
        std::iter::once(id).chain(self.ancestors(id)).find_map(|ty| {
            let decl = self.all[ty].decl;
            let mut fields = decl.fields.iter().chain(&decl.spec.fields);
            fields.find(|field| field.name.text == name).map(|field| (ty, field))
        })
    }

    /// A method of a type with so many parameters, own or inherited, and where it is declared.
    pub fn method(
        &self,
        id: TypeId,
        name: &str,
        parameters: usize,
    ) -> Option<(TypeId, &'a Method)> {
        std::iter::once(id).chain(self.ancestors(id)).find_map(|ty| {
            let decl = self.all[ty].decl;
            let mut methods = decl.methods.iter().chain(&decl.spec.methods);
            let fits = |method: &&Method| {
                let varargs = method.params.last().is_some_and(|param| param.varargs);
                method.name.text == name
                    && (method.params.len() == parameters
                        || varargs && parameters + 1 >= method.params.len())
            };
            methods.find(fits).map(|method| (ty, method))
        })
    }

    /// What represents a model field, and the type that says so.
    pub fn represented(
        &self,
        id: TypeId,
        name: &str,
    ) -> Option<(TypeId, &'a crate::jml::ast::Represents)> {
        std::iter::once(id).chain(self.ancestors(id)).find_map(|ty| {
            let clauses = self.all[ty].decl.spec.clauses.iter();
            let mut all = clauses.filter_map(|clause| match &clause.kind {
                TypeClauseKind::Represents(represents) => Some(represents),
                _ => None,
            });
            all.find(|one| super::member::represents(one, name)).map(|one| (ty, one))
        })
    }

    /// Whether a member of a type may be named in a package.
    pub fn is_accessible(
        &self,
        ty: TypeId,
        modifiers: &crate::java::Modifiers,
        package: &str,
    ) -> bool {
        let decl = self.all[ty].decl;
        let of_interface = matches!(decl.kind, TypeKind::Interface | TypeKind::Annotation);
        match modifiers.visibility() {
            Some(Visibility::Public) => true,
            Some(Visibility::Private) => false,
            None if of_interface => true,
            _ => self.package(ty) == package,
        }
    }

    pub fn is_static_field(&self, ty: TypeId, field: &Field) -> bool {
        let of_interface = self.all[ty].decl.kind == TypeKind::Interface;
        of_interface || field.modifiers.has(JavaModifier::Static)
    }
}

/// A type without annotations and type arguments.
pub(super) fn erased(ty: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut in_annotation = false;
    for c in ty.chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '@' if depth == 0 => in_annotation = true,
            c if c.is_whitespace() => in_annotation = false,
            c if depth == 0 && !in_annotation => text.push(c),
            _ => {}
        }
    }
    text
}
