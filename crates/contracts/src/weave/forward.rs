//! Inherited methods that owe more where they are inherited: a method that checks and hands on.
//!
//! ```text
//! class C extends Base implements I {
//!     public T m(P p) throws E { as every wrapper, around jml$super1_2$m(p) }
//!     private T jml$super1_2$m(P p) throws E { return jml$body1_2$m(p); }
//! ```
//!
//! It runs the body of the inherited method, not that method's own checks: what those ask is part of
//! what is asked here, where it is joined with what else the class inherits. A body without checks
//! is called by `super`.
//!
//! Invariant: what only the class that inherits asks of its state (invariants, constraints) is
//! checked when nothing checked is under way; between, the state may be open.

use super::clause::CheckedMethod;
use super::contract::Contracts;
use super::express::RUN;
use super::inherited::Inherited;
use super::program::{Program, TypeId};
use super::splice::{Blame, Pieces, Splices};
use super::weaver::Weaver;
use super::wrapper::Parts;
use crate::java::{JavaModifier, TypeKind};

/// The inherited methods of which their class asks more than the one that declares them, classes
/// after those they extend.
pub(super) fn forwards(program: &Program<'_>, contracts: &Contracts<'_>) -> Vec<Inherited> {
    let mut all = program.inherited();
    all.sort_by_key(|one| program.ancestors(one.ty).len());
    let mut chosen: Vec<Inherited> = Vec::new();
    for one in all {
        if asks_more(program, contracts, &chosen, &one) {
            chosen.push(one);
        }
    }
    chosen.sort_by_key(|one| (one.ty, one.from));
    chosen
}

/// Whether a class asks more of a method than is checked so far when it is called.
fn asks_more(
    program: &Program<'_>,
    contracts: &Contracts<'_>,
    chosen: &[Inherited],
    one: &Inherited,
) -> bool {
    let (owner, index) = one.from;
    let contract = &contracts.methods[owner][index];
    let above = program.ancestors(one.ty);
    let mut nearer = chosen.iter().filter(|f| f.from == one.from && above.contains(&f.ty));
    // The last is the nearest: it has the most above it.
    let (place, known, compiled) = match nearer.by_ref().last() {
        Some(f) => (f.ty, f.overridden.declared.clone(), f.overridden.compiled),
        None => {
            let method = &program.types[owner].decl.methods[index];
            let overridden = program.overridden(owner, method);
            let mut known = overridden.declared;
            known.push(one.from);
            (owner, known, overridden.compiled)
        }
    };
    let mut more = one.overridden.declared.iter().filter(|declared| !known.contains(declared));
    let refuses = !contract.cases.is_empty();
    let by_contract = more.any(|(ty, at)| {
        let other = &contracts.methods[*ty][*at];
        !other.cases.is_empty() || other.result.is_some() || refuses
    });
    let freed = refuses && one.overridden.compiled && !compiled;
    let with_above = |ty: TypeId| {
        std::iter::once(ty).chain(program.ancestors(ty).iter().copied()).collect::<Vec<_>>()
    };
    let has_invariants =
        |ty: TypeId| with_above(ty).iter().any(|ty| !contracts.types[*ty].invariants.is_empty());
    // A wrapper in a class asks the object for the invariants of its class, one in an interface
    // does not.
    let asks_object = !program.is_interface(place) && has_invariants(place);
    let by_invariant = !contract.helper && has_invariants(one.ty) && !asks_object;
    let known = with_above(place);
    let by_constraint = !contract.helper
        && !contract.pure
        && with_above(one.ty)
            .iter()
            .any(|ty| !known.contains(ty) && !contracts.types[*ty].constraints.is_empty());
    by_contract || freed || by_invariant || by_constraint
}

impl Weaver<'_, '_> {
    /// Whether a class calls the body of a declaration past its checks.
    pub fn is_forwarded(&self, ty: TypeId, at: usize) -> bool {
        self.forwards.iter().any(|one| one.from == (ty, at))
    }

    /// Puts the checks of an inherited method into the class that inherits it.
    pub fn weave_forward(
        &self,
        at: usize,
        splices: &mut Splices,
        checked: &mut Vec<CheckedMethod>,
    ) {
        let one = &self.forwards[at];
        let blame = Blame::Inherited(one.ty, one.from.0, one.from.1);
        let arguments = self.arguments(one.ty, &one.method);
        let overridden = &one.overridden;
        let debts =
            self.debts_of(&overridden.declared, overridden.compiled, &arguments, (one.from, false));
        let Some(parts) = self.forward_parts(one, &debts) else { return };
        if let Some(reason) = self.dropped.get(&blame) {
            return self.leave(one, &format!("javac: {reason}"));
        }
        if one.method.modifiers.has(JavaModifier::Final) {
            return self.leave(one, "it is final");
        }
        let decl = self.program.types[one.ty].decl;
        checked.push(CheckedMethod {
            owner: self.program.types[one.ty].name.clone(),
            name: one.method.name.text.clone(),
            parameters: self.erased_of(one.ty, &one.method),
            preconditions: debts.preconditions.clone(),
            pure: self.contracts.methods[one.from.0][one.from.1].pure,
            fresh_result: false,
            assigns: None,
        });
        let pieces = self.forward(one, &arguments, parts).blaming(blame);
        match decl.kind {
            // Constants come first, and what ends them is put in with what follows them.
            TypeKind::Enum => splices.insert(decl.body.end - 1, 40, pieces),
            _ => splices.insert(decl.body.start + 1, 20, pieces),
        }
    }

    fn forward_parts(&self, one: &Inherited, debts: &super::owed::Debts) -> Option<Parts> {
        let (owner, index) = one.from;
        let contract = &self.contracts.methods[owner][index];
        let mut parts = Parts::default();
        self.preconditions(debts, &mut parts);
        let keeps = !contract.helper && self.has_invariants(one.ty);
        let statics = if contract.helper { Vec::new() } else { self.static_invariants(one.ty) };
        if keeps || !statics.is_empty() {
            parts.calls_before |= self.invariants_call(one.ty);
            let mut invariants: Vec<String> =
                statics.iter().map(|call| format!("jml$d == 0 ? {call} : 0")).collect();
            if keeps {
                let otherwise = match self.has_invariants(owner) {
                    true => format!("jml$inv{owner}()"),
                    false => "0".to_owned(),
                };
                invariants.push(format!("jml$d == 0 ? jml$inv() : {otherwise}"));
            }
            for one in &invariants {
                parts.before.glue(format!("{RUN}Checks.before({one}); "));
            }
            if !contract.pure {
                parts.calls_after |= parts.calls_before;
                for one in &invariants {
                    let after = format!("{RUN}Checks.after({one}); ");
                    parts.returned.glue(&after);
                    parts.thrown.glue(&after);
                }
            }
        }
        self.postconditions(one.ty, &one.method, debts, &mut parts);
        if !contract.helper && !contract.pure {
            let known = self.constraints(owner, &one.method);
            for id in self.constraints(one.ty, &one.method) {
                let when = if known.contains(&id) { "true" } else { "jml$d == 0" };
                self.constraint(id, when, &mut parts);
            }
        }
        self.frames(one.ty, &one.method, debts, &mut parts);
        let nothing =
            parts.before.is_empty() && parts.returned.is_empty() && parts.thrown.is_empty();
        (!nothing).then_some(parts)
    }

    fn forward(&self, one: &Inherited, arguments: &str, parts: Parts) -> Pieces {
        let (owner, index) = one.from;
        let method = &one.method;
        let name = &method.name.text;
        let result = method.return_type.as_ref().map_or("void", |ty| ty.text.trim());
        let access = [(JavaModifier::Public, "public "), (JavaModifier::Protected, "protected ")];
        let access = access.iter().find(|(one, _)| method.modifiers.has(*one));
        let access = match access {
            Some((_, word)) => word,
            None if self.program.is_interface(owner) => "public ",
            None => "",
        };
        let variables =
            method.type_parameters.as_ref().map_or(String::new(), |text| format!("{} ", text.text));
        let throws: Vec<&str> = method.throws.iter().map(|ty| ty.text.as_str()).collect();
        let throws = match throws.as_slice() {
            [] => String::new(),
            all => format!("throws {} ", all.join(", ")),
        };
        let parameters = self.parameters(one.ty, method);
        let mut pieces = Pieces::new();
        pieces.glue(format!(" {access}{variables}{result} {name}({parameters}) {throws}{{"));
        let between = format!("jml$super{owner}_{index}${name}");
        pieces.append(self.assemble(one.ty, method, ("private", &between), parts));
        let is_dropped = self.dropped.contains_key(&Blame::Method(owner, index));
        let checked =
            !is_dropped && !self.wrapper(owner, index, &self.debts(owner, index)).is_empty();
        let called = match checked {
            true => self.body_name(owner, index),
            false => format!("{}.{name}", one.through),
        };
        let answer = if result == "void" { "" } else { "return " };
        pieces.glue(format!(" {answer}{called}({arguments}); }}"));
        pieces
    }
}
