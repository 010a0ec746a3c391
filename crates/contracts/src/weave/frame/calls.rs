//! What calls in a body run: methods and constructors of the sources, or ones of the JDK that are
//! known to change nothing. Types of receivers are told by their declarations; where they cannot be
//! told, the call is one of anything.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::super::names::{erased, parameters, simple};
use super::super::program::TypeId;
use super::{Judged, Look, jdk};
use crate::java::{JavaModifier, Method, MethodKind, TypeKind};

/// What is called, of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::weave) enum Callee {
    /// A method.
    Method(TypeId, usize),
    /// A constructor, whichever.
    Made(TypeId),
}

/// Methods that collections and the like call of what they hold.
const OF_ELEMENTS: &[(&str, usize)] =
    &[("equals", 1), ("hashCode", 0), ("toString", 0), ("compareTo", 1), ("compare", 2)];

impl<'l> Look<'l, '_, '_> {
    pub fn call(&self, node: Node<'l>) -> Judged {
        let name = node.child_by_field_name("name").map_or("", |name| self.of(name));
        let count = arguments(node);
        let own = || {
            let fields = &self.allowed.fields;
            Some(self.without(self.own(name, count)?, |ty, field| {
                fields.contains(field) && self.is_one_field(ty, field)
            }))
        };
        let Some(object) = node.child_by_field_name("object") else {
            if self.is_in_a_class(node) {
                return None;
            }
            return own();
        };
        if object.kind() == "super" {
            return self.above(name, count);
        }
        if object.kind() == "this" && !self.is_in_a_class(node) {
            return own();
        }
        let ty = self.type_of(object)?;
        if object.kind() == "identifier"
            && let Some(fields) = self.fields_of_parameter(object)
        {
            let called = self.of_type(&ty, name, count)?;
            return Some(self.without(called, |_, field| fields.contains(field)));
        }
        if self.is_new_of_jdk(object, &ty) {
            return Some(self.of_elements());
        }
        self.of_type(&ty, name, count)
    }

    /// What is called, without methods whose own frames, which are checked where they are called,
    /// keep to fields that may change of the object that they are called on.
    fn without(
        &self,
        mut called: BTreeSet<Callee>,
        may_change: impl Fn(TypeId, &str) -> bool,
    ) -> BTreeSet<Callee> {
        called.retain(|callee| {
            let Callee::Method(ty, at) = callee else { return true };
            let method = &self.weaver.program.types[*ty].decl.methods[*at];
            let of_object = !method.modifiers.has(JavaModifier::Static);
            let frame = self.weaver.own_frame(*ty, *at).filter(|_| of_object);
            !frame.is_some_and(|frame| frame.iter().all(|field| may_change(*ty, field)))
        });
        called
    }

    /// Whether this type and another, of which it has the methods or which has its own, have one
    /// field of a name between them.
    fn is_one_field(&self, ty: TypeId, name: &str) -> bool {
        let program = self.weaver.program;
        let related = |a: TypeId, b: TypeId| a == b || program.ancestors(a).contains(&b);
        if !related(self.ty, ty) && !related(ty, self.ty) {
            return false;
        }
        let mut types: BTreeSet<TypeId> = BTreeSet::from([self.ty, ty]);
        types.extend(program.ancestors(self.ty).iter().chain(program.ancestors(ty)));
        let has = |ty: &TypeId| {
            program.types[*ty].decl.fields.iter().any(|field| field.name.text == name)
        };
        types.iter().filter(|ty| has(ty)).count() <= 1
    }

    fn is_new_of_jdk(&self, object: Node<'l>, ty: &str) -> bool {
        let is_new = object.kind() == "identifier" && self.is_new(object);
        is_new
            && self.weaver.program.types_named(&simple(ty)).is_empty()
            && jdk::keeps_to_itself(&simple(ty))
    }

    /// A call without target: of the type, of what it extends, or of a type around it.
    fn own(&self, name: &str, count: usize) -> Judged {
        let mut at = Some(self.ty);
        while let Some(ty) = at {
            let found = self.methods_at(ty, name, count);
            if !found.is_empty() {
                return Some(found);
            }
            at = self.weaver.program.types[ty].outer;
        }
        self.of_any_object(self.ty, name, count)
    }

    fn above(&self, name: &str, count: usize) -> Judged {
        let program = self.weaver.program;
        let found: BTreeSet<Callee> = program
            .ancestors(self.ty)
            .iter()
            .flat_map(|ty| self.declared_in(*ty, name, count))
            .collect();
        let compiled = program.types[self.ty].supers.iter().any(|one| one.source.is_none());
        match (found.is_empty(), compiled) {
            (false, _) => Some(found),
            (true, false) if jdk::is_of_object(name, count) => Some(found),
            _ => None,
        }
    }

    fn of_type(&self, ty: &str, name: &str, count: usize) -> Judged {
        let ty = erased(ty);
        let known = self.weaver.program.types_named(&simple(&ty));
        if known.is_empty() {
            if let Some(bound) = self.bound(&ty) {
                return self.of_type(&bound, name, count);
            }
            return match jdk::changes_nothing(&simple(&ty), name, count) {
                jdk::Told::Plain => Some(BTreeSet::new()),
                jdk::Told::OfElements => Some(self.of_elements()),
                jdk::Told::No => None,
            };
        }
        let mut called = BTreeSet::new();
        for &ty in known {
            let found = self.methods_at(ty, name, count);
            match found.is_empty() {
                true => called.extend(self.of_any_object(ty, name, count)?),
                false => called.extend(found),
            }
        }
        Some(called)
    }

    /// A method that a type of the sources does not declare.
    fn of_any_object(&self, ty: TypeId, name: &str, count: usize) -> Judged {
        let decl = self.weaver.program.types[ty].decl;
        let accessor = count == 0 && decl.components.iter().any(|c| c.name.text == name);
        let of_enum = decl.kind == TypeKind::Enum
            && matches!(
                (name, count),
                ("name" | "ordinal" | "values" | "getDeclaringClass", 0)
                    | ("valueOf" | "compareTo", 1)
            );
        let compiled = self.weaver.program.types[ty].supers.iter().any(|one| one.source.is_none());
        let of_object =
            name == "getClass" && count == 0 || !compiled && jdk::is_of_object(name, count);
        (accessor || of_enum || of_object).then(BTreeSet::new)
    }

    /// What a type variable extends.
    fn bound(&self, name: &str) -> Option<String> {
        let mut at = Some(self.ty);
        while let Some(ty) = at {
            let decl = self.weaver.program.types[ty].decl;
            let methods = decl.methods.iter().filter(|m| m.span.contains(self.code));
            let lists = methods.map(|m| &m.type_parameters).chain([&decl.type_parameters]);
            for text in lists.flatten() {
                let found = parameters(&text.text).into_iter().find(|(known, _)| known == name);
                if let Some((_, bound)) = found {
                    return Some(bound.unwrap_or_else(|| "Object".to_owned()));
                }
            }
            at = self.weaver.program.types[ty].outer;
        }
        None
    }

    /// The methods that a call at a type may run: its own, those above it and those below it.
    fn methods_at(&self, ty: TypeId, name: &str, count: usize) -> BTreeSet<Callee> {
        let program = self.weaver.program;
        let mut found: BTreeSet<Callee> = std::iter::once(ty)
            .chain(program.ancestors(ty).iter().copied())
            .flat_map(|one| self.declared_in(one, name, count))
            .collect();
        if found.is_empty() {
            return found;
        }
        for below in program.descendants(ty) {
            found.extend(self.declared_in(*below, name, count));
        }
        // What is declared without a body is run where it is implemented; if that is nowhere in the
        // sources, it says itself what it may do.
        let has_body = |callee: &Callee| match callee {
            Callee::Method(ty, at) => program.types[*ty].decl.methods[*at].body.is_some(),
            Callee::Made(_) => true,
        };
        if found.iter().any(has_body) && found.iter().any(|callee| !has_body(callee)) {
            let open = found.iter().any(|callee| !has_body(callee) && !self.is_pure(callee));
            if !open {
                found.retain(|callee| has_body(callee) || self.is_pure(callee));
            }
        }
        found
    }

    fn is_pure(&self, callee: &Callee) -> bool {
        let Callee::Method(ty, at) = callee else { return false };
        let decl = self.weaver.program.types[*ty].decl;
        decl.methods[*at].modifiers.is_pure() || decl.modifiers.is_pure()
    }

    fn declared_in(&self, ty: TypeId, name: &str, count: usize) -> Vec<Callee> {
        let methods = self.weaver.program.types[ty].decl.methods.iter().enumerate();
        let fits = |method: &Method| {
            method.kind == MethodKind::Method
                && method.name.text == name
                && (method.params.len() == count || method.params.iter().any(|p| p.varargs))
        };
        methods.filter(|(_, m)| fits(m)).map(|(at, _)| Callee::Method(ty, at)).collect()
    }

    fn of_elements(&self) -> BTreeSet<Callee> {
        let found = || self.find_of_elements();
        self.weaver.of_elements.get_or_init(found).clone()
    }

    fn find_of_elements(&self) -> BTreeSet<Callee> {
        let types = 0..self.weaver.program.types.len();
        types
            .flat_map(|ty| {
                OF_ELEMENTS.iter().flat_map(move |(name, count)| self.declared_in(ty, name, *count))
            })
            .collect()
    }

    /// `new T(…)`, with a body or without.
    pub fn made(&self, node: Node<'l>) -> Judged {
        let ty = node.child_by_field_name("type").map_or("", |ty| self.of(ty));
        let known = self.weaver.program.types_named(&simple(ty));
        if known.is_empty() {
            return jdk::makes_quietly(ty).then(BTreeSet::new);
        }
        let program = self.weaver.program;
        let made = known.iter().copied().filter(|ty| !program.is_interface(*ty));
        Some(made.map(Callee::Made).collect())
    }

    pub fn explicit_call(&self, node: Node<'l>) -> Judged {
        let called = node.child_by_field_name("constructor").map_or("", |one| one.kind());
        let program = self.weaver.program;
        if called == "this" {
            return Some(BTreeSet::from([Callee::Made(self.ty)]));
        }
        let mut classes = program.types[self.ty]
            .supers
            .iter()
            .filter(|one| one.source.is_none_or(|source| !program.is_interface(source)));
        match classes.next() {
            Some(one) => match one.source {
                Some(source) => Some(BTreeSet::from([Callee::Made(source)])),
                None => jdk::makes_quietly(&one.name).then(BTreeSet::new),
            },
            None => Some(BTreeSet::new()),
        }
    }

    /// The type of what a call answers, if all that it may run say the same.
    pub fn result_type(&self, node: Node<'l>) -> Option<String> {
        let name = self.of(node.child_by_field_name("name")?);
        let count = arguments(node);
        let found = match node.child_by_field_name("object") {
            None if self.is_in_a_class(node) => return None,
            None => self.methods_at(self.ty, name, count),
            Some(object) if object.kind() == "super" => return None,
            Some(object) => {
                let ty = self.type_of(object)?;
                let known = self.weaver.program.types_named(&simple(&ty));
                if known.is_empty() {
                    return jdk::result(&simple(&ty), name).map(str::to_owned);
                }
                known.iter().flat_map(|ty| self.methods_at(*ty, name, count)).collect()
            }
        };
        let mut types = found.iter().filter_map(|callee| {
            let Callee::Method(ty, at) = callee else { return None };
            let of = &self.weaver.program.types[*ty].decl.methods[*at].return_type;
            of.as_ref().map(|text| text.text.clone())
        });
        let first = types.next()?;
        types.all(|ty| ty == first).then_some(first)
    }
}

fn arguments(node: Node<'_>) -> usize {
    let Some(all) = node.child_by_field_name("arguments") else { return 0 };
    let mut cursor = all.walk();
    all.named_children(&mut cursor).filter(|node| !node.is_extra()).count()
}
