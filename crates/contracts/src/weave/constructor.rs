//! Constructors keep their body: checks stand around what follows `super(…)` or `this(…)`.
//!
//! ```text
//! C(P p) { super(switch (jml$first…(p)) { default -> the first argument });
//!     before; try { the body } catch … { after } finally { if (it returned) { after } } }
//! ```
//!
//! Blank final fields may be read in none of it by their names, so each clause is a method here.
//! A compact constructor of a record becomes one with parameters, because its fields have no values
//! before its end.

use super::express::RUN;
use super::owed::{Debts, Mask, Owed};
use super::program::TypeId;
use super::splice::{Blame, Pieces, Splices};
use super::weaver::Weaver;
use super::wrapper::{asked_late, joined, surrounded};
use crate::java::{JavaModifier, Method, MethodKind, TypeKind, TypePlace};

impl<'a> Weaver<'_, 'a> {
    /// Puts the checks of a constructor into its source; whether there are any.
    pub fn weave_constructor(
        &self,
        ty: TypeId,
        at: usize,
        debts: &Debts,
        splices: &mut Splices,
    ) -> bool {
        let method = &self.program.types[ty].decl.methods[at];
        let contract = &self.contracts.methods[ty][at];
        let new_object = if contract.helper || !self.checks_new_objects(ty) {
            String::new()
        } else {
            self.new_object_checks(ty)
        };
        let Some(body) = method.body else { return false };
        if debts.is_empty() && new_object.is_empty() {
            return false;
        }
        let blame = Blame::Method(ty, at);
        if method.kind == MethodKind::CompactConstructor {
            let mut header = Pieces::new();
            header.glue(format!("({}) ", self.parameters(ty, method)));
            splices.insert(method.name.span.end, 0, header.blaming(blame));
        }
        let start = method.explicit_call.as_ref().map_or(body.start + 1, |call| call.span.end);
        self.first_argument(ty, at, debts, splices);
        let (before, after) = self.around(ty, method, debts, &new_object);
        splices.insert(start, 0, before.blaming(blame));
        splices.insert(body.end - 1, 10, after.blaming(blame));
        true
    }

    /// Whether preconditions are evaluated before the first argument of the explicit call.
    pub fn has_first(&self, ty: TypeId, at: usize, debts: &Debts) -> bool {
        let method = &self.program.types[ty].decl.methods[at];
        let argument = method.explicit_call.as_ref().and_then(|call| call.first);
        debts.refusable && argument.is_some() && self.is_static_type(ty)
    }

    fn first_argument(&self, ty: TypeId, at: usize, debts: &Debts, splices: &mut Splices) {
        let method = &self.program.types[ty].decl.methods[at];
        let argument = method.explicit_call.as_ref().and_then(|call| call.first);
        let Some(argument) = argument.filter(|_| self.has_first(ty, at, debts)) else { return };
        let blame = Blame::Method(ty, at);
        let mut open = Pieces::new();
        let arguments = self.arguments(ty, method);
        open.glue(format!("switch (jml$first{ty}_{at}({arguments})) {{ default -> "));
        splices.insert(argument.start, 0, open.blaming(blame));
        let mut close = Pieces::new();
        close.glue("; }");
        splices.insert(argument.end, -1, close.blaming(blame));
    }

    /// The method that refuses a call before the explicit call is made.
    pub fn first_method(&self, ty: TypeId, at: usize, debts: &Debts) -> Pieces {
        let method = &self.program.types[ty].decl.methods[at];
        let mut pieces = Pieces::new();
        if self.has_first(ty, at, debts) {
            let (parameters, arguments) = (self.parameters(ty, method), self.arguments(ty, method));
            let mask = self.contracts.methods[ty][at].mask_type();
            pieces.glue(format!(
                "{}int jml$first{ty}_{at}({parameters}) {{ \
                 if ({RUN}Checks.evaluator == null || !{RUN}Checks.evaluating()) {{ \
                 {RUN}Checks.begin(); {mask} jml$k = jml$pre{ty}_{at}({arguments}); \
                 {RUN}Checks.end(); \
                 if (jml$k == 0) {{ {RUN}Checks.refuse({RUN}Checks.depth); }} }} return 0; }} ",
                self.head(ty, at, true)
            ));
        }
        pieces
    }

    fn around(
        &self,
        ty: TypeId,
        method: &'a Method,
        debts: &Debts,
        new_object: &str,
    ) -> (Pieces, Pieces) {
        let mut text = Pieces::new();
        let mut values = Vec::new();
        let mut copies = String::new();
        for param in self.params(ty, method) {
            let of = format!("{}{}", param.ty.text, if param.varargs { "[]" } else { "" });
            let name = &param.name.text;
            copies.push_str(&format!("final {of} jml$p${name} = {name}; "));
            values.push(format!("jml$p${name}"));
        }
        let values = values.join(", ");
        text.glue(format!(
            " final boolean jml$x = {RUN}Checks.evaluator != null && {RUN}Checks.evaluating(); \
             final int jml$d = {RUN}Checks.depth; {copies}"
        ));
        let mut before = Pieces::new();
        for Mask { name, ty, call } in &debts.masks {
            before.glue(format!("final {ty} {name} = jml$x ? -1 : {call}; "));
        }
        if debts.refusable {
            before.glue(format!(
                "if (({}) == 0) {{ {RUN}Checks.refuse(jml$d); }} ",
                debts.any_case()
            ));
        }
        let mut returned = Pieces::new();
        let mut thrown = Pieces::new();
        for (list, last, late, into) in [
            (&debts.ensures, "", ("null", "null"), &mut returned),
            (&debts.thrown, "jml$thrown", ("null", "jml$thrown"), &mut thrown),
        ] {
            for owed in list {
                self.clause_around(owed, &values, last, late, &mut before, into);
            }
        }
        self.frame_around(ty, method, debts, &values, &mut before, &mut returned);
        returned.glue(new_object);
        if !before.is_empty() {
            text.glue(format!("if (!jml$x) {{ {RUN}Checks.begin(); }} "));
            text.append(before);
            text.glue(format!("if (!jml$x) {{ {RUN}Checks.end(); }} "));
        }
        text.glue(format!("{RUN}Checks.depth = jml$d + 1; boolean jml$n = true; try {{ "));
        let mut end = Pieces::new();
        if method.kind == MethodKind::CompactConstructor {
            for component in &self.program.types[ty].decl.components {
                end.glue(format!("this.{0} = {0}; ", component.name.text));
            }
        }
        end.glue(format!(
            "}} catch (Throwable jml$thrown) {{ jml$n = false; {RUN}Checks.depth = jml$d; "
        ));
        if !thrown.is_empty() {
            end.glue(format!("if (!jml$x && {RUN}Checks.concerns(jml$thrown)) {{ "));
            end.append(surrounded(thrown, true));
            end.glue("} ");
        }
        end.glue(format!(
            "throw jml$thrown; }} finally {{ if (jml$n) {{ {RUN}Checks.depth = jml$d; "
        ));
        if !returned.is_empty() {
            end.glue("if (!jml$x) { ");
            end.append(surrounded(returned, true));
            end.glue("} ");
        }
        end.glue("} } ");
        (text, end)
    }

    fn clause_around(
        &self,
        owed: &Owed,
        values: &str,
        last: &str,
        (result, thrown): (&str, &str),
        before: &mut Pieces,
        after: &mut Pieces,
    ) {
        let Owed { id, when, .. } = owed;
        let Some(evaluation) = self.evaluation(*id) else { return };
        if evaluation.olds.is_empty() {
            let all = joined(values, last);
            after.glue(format!(
                "if (({when}) && !jml$c{id}({all})) {{ {RUN}Checks.violated({id}); }} "
            ));
        } else {
            before.glue(format!(
                "final {RUN}Late jml$late{id} = !jml$x && ({when}) ? jml$late{id}({values}) : null; "
            ));
            after.append(asked_late(*id, result, thrown));
        }
    }

    /// New objects may be filled; what was there before is looked at.
    fn frame_around(
        &self,
        ty: TypeId,
        method: &'a Method,
        debts: &Debts,
        values: &str,
        before: &mut Pieces,
        after: &mut Pieces,
    ) {
        if debts.assignable.is_empty() {
            return;
        }
        let roots = self.roots(ty, method);
        let class = self.class_literal(ty);
        before.glue(format!(
            "final {RUN}Frame jml$frame = jml$x ? null : \
             {RUN}Frame.of({class}, new Object[] {{{roots}}}); "
        ));
        for Owed { id, when, .. } in &debts.assignable {
            before.glue(format!(
                "final {RUN}Places jml$places{id} = \
                 !jml$x && ({when}) ? jml$places{id}({values}) : null; "
            ));
            after.glue(format!("{RUN}Frame.check({id}, jml$frame, jml$places{id}); "));
        }
    }

    /// What checks new objects of a type that has no constructor of its own in the source.
    pub fn default_constructor(&self, ty: TypeId) -> Pieces {
        let decl = self.program.types[ty].decl;
        let mut pieces = Pieces::new();
        let explicit = decl.methods.iter().any(|method| match method.kind {
            MethodKind::Method => false,
            MethodKind::CompactConstructor => true,
            // A record has a canonical constructor besides, unless it is this one.
            MethodKind::Constructor => {
                decl.kind != TypeKind::Record || method.params.len() == decl.components.len()
            }
        });
        if explicit || !self.checks_new_objects(ty) {
            return pieces;
        }
        let checks = format!(
            "if ({RUN}Checks.evaluator == null || !{RUN}Checks.evaluating()) {{ \
             {RUN}Checks.begin(); {}{RUN}Checks.end(); }} ",
            self.new_object_checks(ty)
        );
        if matches!(decl.place, TypePlace::Anonymous | TypePlace::EnumConstant) {
            pieces.glue(format!("{{ {checks}}} "));
            return pieces;
        }
        let access = [
            (JavaModifier::Public, "public "),
            (JavaModifier::Protected, "protected "),
            (JavaModifier::Private, "private "),
        ];
        let access = access.iter().find(|(modifier, _)| decl.modifiers.has(*modifier));
        let access = access.map_or("", |(_, word)| word);
        let name = &decl.name.text;
        match decl.kind {
            TypeKind::Enum => pieces.glue(format!("private {name}() {{ {checks}}} ")),
            TypeKind::Record => {
                let params: Vec<String> = decl
                    .components
                    .iter()
                    .map(|param| {
                        let dots = if param.varargs { "..." } else { "" };
                        format!("{}{dots} {}", param.ty.text, param.name.text)
                    })
                    .collect();
                let sets: String = decl
                    .components
                    .iter()
                    .map(|param| format!("this.{0} = {0}; ", param.name.text))
                    .collect();
                let params = params.join(", ");
                pieces.glue(format!("{access}{name}({params}) {{ {sets}{checks}}} "))
            }
            _ => pieces.glue(format!("{access}{name}() {{ super(); {checks}}} ")),
        };
        pieces
    }
}
