//! What a type asks of all its methods: invariants, history constraints, `initially`.
//!
//! For a type `T` with the number 3, `jml$inv3` answers the first of its own and inherited
//! invariants that does not hold, 0 if all do; `jml$inv` the same for the class of the object.

use super::clause::ClauseId;
use super::express::RUN;
use super::program::TypeId;
use super::splice::{Blame, Pieces};
use super::weaver::Weaver;
use crate::java::{JavaModifier, Method, MethodKind, TypeKind, TypePlace};
use crate::jml::ast::MethodName;

impl<'a> Weaver<'_, 'a> {
    fn checked(&self, ids: &[ClauseId]) -> Vec<ClauseId> {
        ids.iter().copied().filter(|id| self.evaluation(*id).is_some()).collect()
    }

    fn and_above(&self, ty: TypeId) -> impl Iterator<Item = TypeId> + '_ {
        std::iter::once(ty).chain(self.program.ancestors(ty).iter().copied())
    }

    /// Whether the type's woven part is left out.
    pub fn type_is_dropped(&self, ty: TypeId) -> bool {
        self.dropped.contains_key(&Blame::Type(ty))
    }

    pub fn has_invariants(&self, ty: TypeId) -> bool {
        self.and_above(ty).any(|one| {
            !self.type_is_dropped(one)
                && !self.checked(&self.contracts.types[one].invariants).is_empty()
        }) && !self.type_is_dropped(ty)
    }

    pub fn has_static_invariants(&self, ty: TypeId) -> bool {
        !self.type_is_dropped(ty)
            && !self.checked(&self.contracts.types[ty].static_invariants).is_empty()
    }

    /// Types whose static invariants a type's methods keep, as they are called there.
    pub fn static_invariants(&self, ty: TypeId) -> Vec<String> {
        let mut calls = Vec::new();
        if self.has_static_invariants(ty) {
            calls.push(format!("jml$sinv{ty}()"));
        }
        for one in &self.program.types[ty].supers {
            if let Some(source) = one.source.filter(|source| self.has_static_invariants(*source)) {
                calls.push(format!("{}.jml$sinv{source}()", one.name));
            }
        }
        calls
    }

    pub fn has_initially(&self, ty: TypeId) -> bool {
        self.and_above(ty).any(|one| !self.checked(&self.contracts.types[one].initially).is_empty())
            && !self.type_is_dropped(ty)
    }

    /// Whether invariants of a type call code of others.
    pub fn invariants_call(&self, ty: TypeId) -> bool {
        self.and_above(ty).any(|one| {
            let own = &self.contracts.types[one];
            let constraints = own.constraints.iter().map(|(id, ..)| *id);
            own.invariants
                .iter()
                .chain(&own.static_invariants)
                .chain(&own.initially)
                .copied()
                .chain(constraints)
                .any(|id| self.evaluation(id).is_some_and(|evaluation| evaluation.calls))
        })
    }

    /// The constraints that a method of a type keeps.
    pub fn constraints(&self, ty: TypeId, method: &Method) -> Vec<ClauseId> {
        let is_static = method.modifiers.has(JavaModifier::Static);
        if method.kind != MethodKind::Method {
            return Vec::new();
        }
        let mut found = Vec::new();
        for one in self.and_above(ty).filter(|one| !self.type_is_dropped(*one)) {
            for (id, of_class, methods) in &self.contracts.types[one].constraints {
                let concerns = methods.is_none_or(|all| all.iter().any(|m| names(m, method)));
                let fits = *of_class || !is_static;
                let reachable = one == ty || !self.program.is_interface(one) || !is_static;
                if concerns && fits && reachable && self.evaluation(*id).is_some() {
                    found.push(*id);
                }
            }
        }
        found
    }

    /// The members that a type gets for this.
    pub fn type_members(&self, ty: TypeId) -> Pieces {
        let mut pieces = Pieces::new();
        let own = &self.contracts.types[ty];
        let interface = self.program.is_interface(ty);
        let (instance, shared) =
            if interface { ("default ", "static ") } else { ("protected ", "protected static ") };
        for id in self.checked(&own.invariants).iter().chain(&self.checked(&own.initially)) {
            pieces.append(self.method(*id, instance, ""));
        }
        for id in self.checked(&own.static_invariants) {
            pieces.append(self.method(id, shared, ""));
        }
        for (id, is_static, _) in &own.constraints {
            let head = if *is_static { shared } else { instance };
            let Some(evaluation) = self.evaluation(*id) else { continue };
            if evaluation.olds.is_empty() {
                pieces.append(self.method(*id, head, ""));
            } else {
                pieces.append(self.late_method(*id, head, "", None));
            }
        }
        if self.has_invariants(ty) {
            let mut first = self.chained(ty, "inv", |one| self.has_invariants(one));
            first.push_str(&first_broken(&self.checked(&own.invariants)));
            pieces.glue(format!("{instance}int jml$inv{ty}() {{ {first}return 0; }} "));
            if !interface {
                pieces.glue(format!("public int jml$inv() {{ return jml$inv{ty}(); }} "));
            }
        }
        if self.has_static_invariants(ty) {
            let first = first_broken(&self.checked(&own.static_invariants));
            pieces.glue(format!("{shared}int jml$sinv{ty}() {{ {first}return 0; }} "));
        }
        if self.has_initially(ty) {
            let mut first = self.chained(ty, "init", |one| self.has_initially(one));
            first.push_str(&first_broken(&self.checked(&own.initially)));
            pieces.glue(format!("{instance}int jml$init{ty}() {{ {first}return 0; }} "));
        }
        if self.watches.get() && self.has_static_state(ty) {
            let class = &self.program.types[ty].decl.name.text;
            match interface {
                true => {
                    pieces.glue(format!("boolean jml$s{ty} = {RUN}Statics.add({class}.class); "))
                }
                false => pieces.glue(format!("static {{ {RUN}Statics.add({class}.class); }} ")),
            };
        }
        for name in self.needs.of(ty) {
            let fields = &self.program.types[ty].decl.fields;
            if let Some(field) = fields.iter().find(|field| field.name.text == name) {
                let shared = if field.modifiers.has(JavaModifier::Static) { "static " } else { "" };
                let of = &field.ty.text;
                pieces.glue(format!("public {shared}{of} jml$get${name}() {{ return {name}; }} "));
            }
        }
        pieces
    }

    /// Whether there are static fields by which a call may change something.
    fn has_static_state(&self, ty: TypeId) -> bool {
        let decl = self.program.types[ty].decl;
        let is_interface = self.program.is_interface(ty);
        let fixed = |ty: &str| super::names::is_primitive(ty) || ty == "String";
        !matches!(decl.place, TypePlace::Anonymous | TypePlace::EnumConstant)
            && decl.fields.iter().any(|field| {
                let shared = is_interface || field.modifiers.has(JavaModifier::Static);
                let last = is_interface || field.modifiers.has(JavaModifier::Final);
                shared && !(last && fixed(field.ty.text.trim()))
            })
    }

    fn chained(&self, ty: TypeId, what: &str, has: impl Fn(TypeId) -> bool) -> String {
        let mut text = String::from("int jml$b; ");
        let sources = self.program.types[ty].supers.iter().filter_map(|one| one.source);
        for source in sources.filter(|source| has(*source)) {
            text.push_str(&format!(
                "if ((jml$b = jml${what}{source}()) != 0) {{ return jml$b; }} "
            ));
        }
        text
    }

    /// Whether new objects are checked by what is woven into constructors.
    pub fn checks_new_objects(&self, ty: TypeId) -> bool {
        let kind = self.program.types[ty].decl.kind;
        !matches!(kind, TypeKind::Interface | TypeKind::Annotation)
            && (self.has_invariants(ty) || self.has_initially(ty))
    }

    /// Statements that check what holds of a new object.
    pub fn new_object_checks(&self, ty: TypeId) -> String {
        let mut text = String::new();
        if self.has_initially(ty) {
            text.push_str(&format!("{RUN}Checks.after(jml$init{ty}()); "));
        }
        if self.has_invariants(ty) {
            text.push_str(&format!("{RUN}Checks.after(jml$inv{ty}()); "));
        }
        for call in self.static_invariants(ty) {
            text.push_str(&format!("{RUN}Checks.after({call}); "));
        }
        text
    }
}

fn first_broken(ids: &[ClauseId]) -> String {
    ids.iter().map(|id| format!("if (!jml$c{id}()) {{ return {id}; }} ")).collect()
}

/// Whether a constraint that names a method means this one.
fn names(name: &MethodName, method: &Method) -> bool {
    let same = name.name.text == "*" || name.name.text == method.name.text;
    let fits = name.parameters.as_ref().is_none_or(|types| {
        types.len() == method.params.len()
            && types.iter().zip(&method.params).all(|(ty, param)| {
                super::names::simple(&ty.text) == super::names::simple(&param.ty.text)
            })
    });
    same && fits
}
