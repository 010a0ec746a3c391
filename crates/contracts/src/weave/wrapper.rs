//! Methods: the declaration becomes a wrapper that checks, the body moves to `jml$body…`.
//!
//! ```text
//! T m(P p) throws E { before; try { jml$result = jml$body3_1$m(p); } catch … { after } after; return … }
//! private T jml$body3_1$m(P p) throws E { the body as it was }
//! ```

use super::clause::ClauseId;
use super::express::RUN;
use super::owed::{Debts, Mask, Owed};
use super::program::TypeId;
use super::splice::Pieces;
use super::weaver::Weaver;
use crate::java::{JavaModifier, Method, TypeKind};

/// The parts of a wrapper, each in order.
#[derive(Default)]
pub(super) struct Parts {
    pub before: Pieces,
    /// After a call that returned.
    pub returned: Pieces,
    /// After a call that threw.
    pub thrown: Pieces,
    pub calls_before: bool,
    pub calls_after: bool,
}

impl<'a> Weaver<'_, 'a> {
    /// What is put behind the opening brace of a method; nothing if it owes nothing.
    pub fn wrapper(&self, ty: TypeId, at: usize, debts: &Debts) -> Pieces {
        let method = &self.program.types[ty].decl.methods[at];
        let contract = &self.contracts.methods[ty][at];
        let is_static = method.modifiers.has(JavaModifier::Static);
        let mut parts = Parts::default();
        let constraints = if contract.helper || contract.pure {
            Vec::new()
        } else {
            self.constraints(ty, method)
        };
        let keeps = !contract.helper && !is_static && self.has_invariants(ty);
        let statics = if contract.helper { Vec::new() } else { self.static_invariants(ty) };
        if debts.is_empty() && constraints.is_empty() && !keeps && statics.is_empty() {
            return Pieces::new();
        }
        self.preconditions(debts, &mut parts);
        if keeps || !statics.is_empty() {
            self.keep(ty, method, keeps, &statics, contract.pure, &mut parts);
        }
        self.postconditions(ty, method, debts, &mut parts);
        for id in constraints {
            self.constraint(id, "true", &mut parts);
        }
        self.frames(ty, method, debts, &mut parts);
        let access = match (self.is_forwarded(ty, at), self.program.is_interface(ty)) {
            (false, _) => "private",
            (true, true) => "default",
            (true, false) => "protected",
        };
        self.assemble(ty, method, (access, &self.body_name(ty, at)), parts)
    }

    /// The method that a method's body moves to.
    pub fn body_name(&self, ty: TypeId, at: usize) -> String {
        let method = &self.program.types[ty].decl.methods[at];
        format!("jml$body{ty}_{at}${}", method.name.text)
    }

    pub fn preconditions(&self, debts: &Debts, parts: &mut Parts) {
        parts.calls_before |= debts.calls;
        for Mask { name, ty, call } in &debts.masks {
            let constant = if debts.corrections.is_empty() { "final " } else { "" };
            parts.before.glue(format!("{constant}{ty} {name} = {call}; "));
        }
        parts.before.glue(&debts.corrections);
        if debts.refusable {
            parts.before.glue(format!(
                "if (({}) == 0) {{ {RUN}Checks.refuse(jml$d); }} ",
                debts.any_case()
            ));
        }
    }

    fn keep(
        &self,
        ty: TypeId,
        method: &Method,
        instance: bool,
        statics: &[String],
        pure: bool,
        parts: &mut Parts,
    ) {
        let calls = self.invariants_call(ty);
        let decl = self.program.types[ty].decl;
        let final_class = decl.modifiers.has(JavaModifier::Final)
            || matches!(decl.kind, TypeKind::Record | TypeKind::Interface);
        let mut after = String::new();
        for call in statics {
            parts.before.glue(format!("{RUN}Checks.before({call}); "));
            after.push_str(&format!("{RUN}Checks.after({call}); "));
        }
        if instance {
            // The first call sees the invariants of the object's own class: nothing is under way
            // that could have left them open.
            let of_object = if final_class || method.modifiers.has(JavaModifier::Private) {
                format!("jml$inv{ty}()")
            } else {
                format!("(jml$d == 0 ? jml$inv() : jml$inv{ty}())")
            };
            parts.before.glue(format!("{RUN}Checks.before({of_object}); "));
            after.push_str(&format!("{RUN}Checks.after({of_object}); "));
        }
        parts.calls_before |= calls;
        if !pure {
            parts.calls_after |= calls;
            parts.returned.glue(&after);
            parts.thrown.glue(&after);
        }
    }

    pub fn postconditions(&self, ty: TypeId, method: &Method, debts: &Debts, parts: &mut Parts) {
        let arguments = self.arguments(ty, method);
        let returns = method.return_type.as_ref().is_some_and(|ty| ty.text.trim() != "void");
        for owed in &debts.result {
            parts
                .returned
                .glue(format!("if (jml$result == null) {{ {RUN}Checks.violated({}); }} ", owed.id));
        }
        for owed in &debts.ensures {
            let value = if returns { "jml$result" } else { "null" };
            let last = if returns { "jml$result" } else { "" };
            let after = self.after(owed, &arguments, last, (value, "null"), parts);
            parts.returned.append(after);
        }
        for owed in &debts.thrown {
            let late = ("null", "jml$thrown");
            let after = self.after(owed, &arguments, "jml$thrown", late, parts);
            parts.thrown.append(after);
        }
    }

    /// The check of a clause after the call; what it needs before is added to the part before.
    fn after(
        &self,
        owed: &Owed,
        arguments: &str,
        last: &str,
        (result, thrown): (&str, &str),
        parts: &mut Parts,
    ) -> Pieces {
        let Owed { id, when, own } = owed;
        let mut after = Pieces::new();
        let Some(evaluation) = self.evaluation(*id) else { return after };
        parts.calls_after |= evaluation.calls;
        if evaluation.olds.is_empty() {
            let and = if when == "true" { String::new() } else { format!("({when}) && ") };
            let all = joined(arguments, last);
            after.glue(format!("if ({and}!jml$c{id}({all})) {{ {RUN}Checks.violated({id}); }} "));
            return after;
        }
        parts.calls_before |= evaluation.calls;
        if *own {
            parts.before.append(evaluation.olds.declarations(when));
            after.glue(format!("if ({when}) {{ "));
            after.append(evaluation.code.clone());
            after.glue(format!("if (!jml$h) {{ {RUN}Checks.violated({id}); }} }} "));
        } else {
            self.late(*id, when, arguments, parts);
            after.append(asked_late(*id, result, thrown));
        }
        after
    }

    /// What is noted before a call for a clause of another declaration.
    fn late(&self, id: ClauseId, when: &str, arguments: &str, parts: &mut Parts) {
        let made = format!("jml$late{id}({arguments})");
        let made = if when == "true" { made } else { format!("({when}) ? {made} : null") };
        parts.before.glue(format!("final {RUN}Late jml$late{id} = {made}; "));
    }

    /// The check of a history constraint, if `when` holds before the call.
    pub fn constraint(&self, id: ClauseId, when: &str, parts: &mut Parts) {
        let Some(evaluation) = self.evaluation(id) else { return };
        parts.calls_before |= evaluation.calls;
        parts.calls_after |= evaluation.calls;
        let mut after = Pieces::new();
        if evaluation.olds.is_empty() {
            let and = if when == "true" { String::new() } else { format!("({when}) && ") };
            after.glue(format!("if ({and}!jml$c{id}()) {{ {RUN}Checks.violated({id}); }} "));
        } else {
            self.late(id, when, "", parts);
            after.append(asked_late(id, "null", "null"));
        }
        parts.returned.append(after.clone());
        parts.thrown.append(after);
    }

    pub fn frames(&self, ty: TypeId, method: &Method, debts: &Debts, parts: &mut Parts) {
        if debts.assignable.is_empty() {
            return;
        }
        parts.calls_before = true;
        parts.calls_after = true;
        let roots = self.roots(ty, method);
        let class = self.class_literal(ty);
        parts.before.glue(format!(
            "final {RUN}Frame jml$frame = {RUN}Frame.of({class}, new Object[] {{{roots}}}); "
        ));
        let arguments = self.arguments(ty, method);
        for Owed { id, when, .. } in &debts.assignable {
            let made = format!("jml$places{id}({arguments})");
            let made = if when == "true" { made } else { format!("({when}) ? {made} : null") };
            parts.before.glue(format!("final {RUN}Places jml$places{id} = {made}; "));
            let after = format!("{RUN}Frame.check({id}, jml$frame, jml$places{id}); ");
            parts.returned.glue(&after);
            parts.thrown.glue(&after);
        }
    }

    /// The class whose static fields a frame looks at; `null` where it has no name.
    pub fn class_literal(&self, ty: TypeId) -> String {
        match self.program.types[ty].decl.name.text.as_str() {
            "" => "null".to_owned(),
            _ if self.program.types[ty].decl.place == crate::java::TypePlace::EnumConstant => {
                "null".to_owned()
            }
            name => format!("{name}.class"),
        }
    }

    /// The wrapper up to the opening brace of the body, which gets this access and name.
    pub fn assemble(
        &self,
        ty: TypeId,
        method: &Method,
        (access, body): (&str, &str),
        parts: Parts,
    ) -> Pieces {
        let result = method.return_type.as_ref().map_or("void", |ty| ty.text.trim());
        let arguments = self.arguments(ty, method);
        let call = format!("{body}({arguments});");
        let mut text = Pieces::new();
        let (through, store, answer) = if result == "void" {
            (format!("{call} return;"), call.clone(), String::new())
        } else {
            (
                format!("return {call}"),
                format!("jml$result = {call}"),
                "return jml$result; ".to_owned(),
            )
        };
        text.glue(format!(
            " if ({RUN}Checks.evaluator != null && {RUN}Checks.evaluating()) {{ {through} }} \
             final int jml$d = {RUN}Checks.depth; "
        ));
        text.append(surrounded(parts.before, parts.calls_before));
        text.glue(format!("{RUN}Checks.depth = jml$d + 1; "));
        if result != "void" {
            text.glue(format!("{result} jml$result; "));
        }
        text.glue(format!(
            "try {{ {store} }} catch (Throwable jml$thrown) {{ {RUN}Checks.depth = jml$d; "
        ));
        if !parts.thrown.is_empty() {
            text.glue(format!("if ({RUN}Checks.concerns(jml$thrown)) {{ "));
            text.append(surrounded(parts.thrown, parts.calls_after));
            text.glue("} ");
        }
        text.glue(format!("throw jml$thrown; }} {RUN}Checks.depth = jml$d; "));
        text.append(surrounded(parts.returned, parts.calls_after));
        text.glue(answer).glue("} ");
        text.glue(format!("{access} {}", self.body_header(ty, method, body)));
        text
    }

    fn body_header(&self, ty: TypeId, method: &Method, name: &str) -> String {
        let result = method.return_type.as_ref().map_or("void", |ty| ty.text.trim());
        let shared = if method.modifiers.has(JavaModifier::Static) { "static " } else { "" };
        let variables =
            method.type_parameters.as_ref().map_or(String::new(), |text| format!("{} ", text.text));
        let throws: Vec<&str> = method.throws.iter().map(|ty| ty.text.as_str()).collect();
        let throws = match throws.as_slice() {
            [] => String::new(),
            all => format!("throws {} ", all.join(", ")),
        };
        let parameters = self.unvaried(ty, method);
        format!("{shared}{variables}{result} {name}({parameters}) {throws}{{")
    }
}

/// A list of arguments with one more, if there is one.
pub(super) fn joined(arguments: &str, last: &str) -> String {
    match (arguments, last) {
        ("", last) => last.to_owned(),
        (arguments, "") => arguments.to_owned(),
        _ => format!("{arguments}, {last}"),
    }
}

pub(super) fn asked_late(id: ClauseId, result: &str, thrown: &str) -> Pieces {
    let mut after = Pieces::new();
    after.glue(format!(
        "if (jml$late{id} != null && !jml$late{id}.holds({result}, {thrown})) {{ \
         {RUN}Checks.violated({id}); }} "
    ));
    after
}

/// Statements during which what is called is not checked, if anything is called.
pub(super) fn surrounded(pieces: Pieces, calls: bool) -> Pieces {
    if !calls || pieces.is_empty() {
        return pieces;
    }
    let mut all = Pieces::new();
    all.glue(format!("{RUN}Checks.begin(); "));
    all.append(pieces);
    all.glue(format!("{RUN}Checks.end(); "));
    all
}
