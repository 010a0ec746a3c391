//! What a method owes: its own contract and those it inherits, flattened.
//!
//! A declaration that others override has a method for its precondition, which answers a mask of
//! the cases that hold, and one for each other clause; overriding methods call them.

use super::clause::ClauseId;
use super::contract::{Body, Case, Contract};
use super::express::RUN;
use super::names::{is_primitive, simple};
use super::program::TypeId;
use super::splice::{Blame, Pieces};
use super::weaver::Weaver;
use crate::java::{JavaModifier, Method, MethodKind};

/// Why what a precondition is for is not checked.
pub(super) const UNKNOWN: &str = "the precondition it depends on is not checked";

/// A clause with when it is owed: an expression over the masks.
#[derive(Debug, Clone)]
pub(super) struct Owed {
    pub id: ClauseId,
    pub when: String,
    /// Whether the clause is of the method itself.
    pub own: bool,
}

/// The cases of a declaration whose precondition holds: a variable, its type, and what it is set to.
#[derive(Debug)]
pub(super) struct Mask {
    pub name: String,
    pub ty: &'static str,
    pub call: String,
}

/// What is checked of one method.
#[derive(Debug, Default)]
pub(super) struct Debts {
    pub masks: Vec<Mask>,
    /// Statements that take bits out of masks.
    pub corrections: String,
    /// Whether a call is refused when no mask has a bit.
    pub refusable: bool,
    pub ensures: Vec<Owed>,
    pub thrown: Vec<Owed>,
    pub assignable: Vec<Owed>,
    /// Non-null results.
    pub result: Vec<Owed>,
    pub preconditions: Vec<ClauseId>,
    /// Whether preconditions call code of others.
    pub calls: bool,
}

impl Debts {
    /// A call is refused if this is 0.
    pub fn any_case(&self) -> String {
        let masks: Vec<&str> = self.masks.iter().map(|mask| mask.name.as_str()).collect();
        masks.join(" | ")
    }

    pub fn is_empty(&self) -> bool {
        self.masks.is_empty()
            && self.ensures.is_empty()
            && self.thrown.is_empty()
            && self.assignable.is_empty()
            && self.result.is_empty()
    }
}

impl<'a> Weaver<'_, 'a> {
    /// What a method owes, with the names of its masks.
    pub fn debts(&self, ty: TypeId, at: usize) -> Debts {
        let method = &self.program.types[ty].decl.methods[at];
        let overridden = self.program.overridden(ty, method);
        let mut declarations = vec![(ty, at)];
        declarations.extend(overridden.declared.iter().copied());
        let arguments = self.arguments(ty, method);
        self.debts_of(&declarations, overridden.compiled, &arguments, ((ty, at), true))
    }

    /// What a method owes by some declarations, one of which has the body; whether it stands where
    /// that is declared.
    pub fn debts_of(
        &self,
        declarations: &[(TypeId, usize)],
        compiled: bool,
        arguments: &str,
        (body, here): ((TypeId, usize), bool),
    ) -> Debts {
        let mut debts = Debts::default();
        let (mut free, mut asking) = (compiled, false);
        let mut inherited_masks = Vec::new();
        let mut same = Vec::new();
        let mut framed = false;
        for &(owner, index) in declarations {
            let of_body = (owner, index) == body;
            let own = of_body && here;
            let contract = &self.contracts.methods[owner][index];
            let cases = contract.cases.iter().enumerate().filter(|(_, case)| of_body || !case.code);
            let asks = contract.cases.iter().any(|case| !self.requires(case).is_empty());
            let mask = format!("jml$k{owner}_{index}");
            if asks {
                let call = format!("jml$pre{owner}_{index}({arguments})");
                debts.masks.push(Mask { name: mask.clone(), ty: contract.mask_type(), call });
                asking = true;
                if !own {
                    inherited_masks.push(mask.clone());
                }
            }
            // A declaration that says nothing asks nothing, unless it overrides what does.
            let silent = contract.cases.is_empty();
            let root = self.overrides_nothing(owner, index);
            free |= silent && root;
            for (bit, case) in cases {
                let requires = self.requires(case);
                debts.preconditions.extend(&requires);
                debts.calls |=
                    requires.iter().any(|id| self.evaluation(*id).is_some_and(|e| e.calls));
                if asks && case.same && own {
                    same.push((mask.clone(), contract.bit(bit)));
                }
                let when = match (requires.is_empty(), case.same) {
                    (true, false) => "true".to_owned(),
                    _ if asks => format!("({mask} & {}) != 0", contract.bit(bit)),
                    _ => "true".to_owned(),
                };
                free |= requires.is_empty() && !case.same;
                self.owe(&mut debts, case, &when, own, body);
            }
            if let Some(id) = contract.result.filter(|id| !self.is_dropped(*id)) {
                debts.result.push(Owed { id, when: "true".to_owned(), own });
            }
            // What overrides a pure method is pure.
            if let Some(id) = contract.frame.filter(|_| !framed) {
                framed = true;
                if self.needs_frame(id, body.0, body.1) {
                    debts.assignable.push(Owed { id, when: "true".to_owned(), own });
                }
            }
        }
        if !inherited_masks.is_empty() {
            for (mask, bit) in same {
                debts.corrections.push_str(&format!(
                    "if (({}) == 0) {{ {mask} &= ~{bit}; }} ",
                    inherited_masks.join(" | "),
                ));
            }
        }
        debts.refusable = asking && !free;
        debts
    }

    /// Whether a declaration is the first of its name and parameters.
    fn overrides_nothing(&self, ty: TypeId, at: usize) -> bool {
        let method = &self.program.types[ty].decl.methods[at];
        let overridden = self.program.overridden(ty, method);
        overridden.declared.is_empty()
    }

    fn owe(&self, debts: &mut Debts, case: &Case, when: &str, own: bool, of: (TypeId, usize)) {
        // Whether a case is owed is not known if its precondition cannot be evaluated.
        let unknown = self.is_unknown(case);
        for (list, ids) in [
            (&mut debts.ensures, case.ensures.as_slice()),
            (&mut debts.thrown, case.thrown.as_slice()),
            (&mut debts.assignable, case.assignable.as_slice()),
        ] {
            for id in ids {
                if unknown {
                    self.skip(*id, UNKNOWN);
                } else if matches!(self.contracts.entry(*id).body, Body::Assignable(_)) {
                    if self.needs_frame(*id, of.0, of.1) {
                        add(list, *id, when, own);
                    }
                } else if self.evaluation(*id).is_some() {
                    add(list, *id, when, own);
                }
            }
        }
    }

    fn is_unknown(&self, case: &Case) -> bool {
        case.requires.iter().any(|id| !self.is_same(*id) && self.evaluation(*id).is_none())
    }

    /// Whether a method may ask what cannot be evaluated, so that its body may rely on it.
    pub fn asks_unknown(&self, ty: TypeId, at: usize) -> bool {
        self.contracts.methods[ty][at].cases.iter().any(|case| self.is_unknown(case))
    }

    /// The clauses of a precondition that are evaluated.
    pub fn requires(&self, case: &Case) -> Vec<ClauseId> {
        let ids = case.requires.iter().copied();
        ids.filter(|id| !self.is_same(*id) && self.evaluation(*id).is_some()).collect()
    }

    fn is_same(&self, id: ClauseId) -> bool {
        matches!(&self.contracts.entry(id).body, Body::Condition(expr)
            if matches!(expr.unwrapped().kind, crate::jml::ast::ExprKind::Same))
    }

    /// The parameters of a method, handed on.
    pub fn arguments(&self, ty: TypeId, method: &Method) -> String {
        let names = self.params(ty, method).iter().map(|param| param.name.text.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// The parameters of a method, declared.
    pub fn parameters(&self, ty: TypeId, method: &Method) -> String {
        let params = self.params(ty, method).iter().map(|param| {
            let dots = if param.varargs { "..." } else { "" };
            format!("{}{dots} {}", param.ty.text, param.name.text)
        });
        params.collect::<Vec<_>>().join(", ")
    }

    /// What stands before the type of a method that is called for a declaration: who sees it,
    /// whether it is static, the type variables.
    pub fn head(&self, ty: TypeId, at: usize, before_construction: bool) -> String {
        let decl = self.program.types[ty].decl;
        let method = &decl.methods[at];
        let is_static = method.modifiers.has(JavaModifier::Static)
            || (before_construction && self.is_static_type(ty));
        let access = match (self.overridden.contains(&(ty, at)), self.program.is_interface(ty)) {
            (false, _) => "private",
            (true, true) => "default",
            (true, false) => "protected",
        };
        let of_class = decl.type_parameters.as_ref().filter(|_| before_construction && is_static);
        let own = method.type_parameters.as_ref();
        let both: Vec<&str> = of_class
            .into_iter()
            .chain(own)
            .map(|text| {
                let text = text.text.trim();
                text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or(text)
            })
            .collect();
        let variables =
            if both.is_empty() { String::new() } else { format!("<{}> ", both.join(", ")) };
        format!("{access} {}{variables}", if is_static { "static " } else { "" })
    }

    /// The methods that stand for the clauses of a declaration.
    pub fn clause_methods(&self, ty: TypeId, at: usize, debts: &Debts) -> Pieces {
        let method = &self.program.types[ty].decl.methods[at];
        let contract: &Contract = &self.contracts.methods[ty][at];
        let is_constructor = method.kind != MethodKind::Method;
        let mut pieces = Pieces::new();
        let parameters = self.parameters(ty, method);
        let before = self.head(ty, at, is_constructor);
        let mut seen = Vec::new();
        let mut mask = String::new();
        for (bit, case) in contract.cases.iter().enumerate() {
            let requires = self.requires(case);
            let calls: Vec<String> = requires
                .iter()
                .map(|id| format!("jml$c{id}({})", self.arguments(ty, method)))
                .collect();
            let holds = if calls.is_empty() { "true".to_owned() } else { calls.join(" && ") };
            mask.push_str(&format!("if ({holds}) {{ jml$k |= {}; }} ", contract.bit(bit)));
            for id in requires {
                if !seen.contains(&id) {
                    seen.push(id);
                    pieces.append(self.method(id, &before, &parameters));
                }
            }
        }
        if !seen.is_empty() {
            let of = contract.mask_type();
            pieces.glue(format!(
                "{before}{of} jml$pre{ty}_{at}({parameters}) {{ {of} jml$k = 0; {mask}return jml$k; }} "
            ));
        }
        let head = self.head(ty, at, false);
        let result = method.return_type.as_ref().filter(|ty| ty.text.trim() != "void");
        let overridden = self.overridden.contains(&(ty, at));
        let join = |more: String| match parameters.as_str() {
            "" => more,
            _ => format!("{}, {more}", self.unvaried(ty, method)),
        };
        let own = |list: &[Owed]| {
            list.iter().filter(|owed| owed.own).map(|owed| owed.id).collect::<Vec<_>>()
        };
        for id in own(&debts.ensures) {
            let Some(evaluation) = self.evaluation(id) else { continue };
            if evaluation.olds.is_empty() {
                let parameters = match result {
                    Some(ty) => join(format!("{} jml$result", ty.text)),
                    None => parameters.clone(),
                };
                pieces.append(self.method(id, &head, &parameters));
            } else if overridden || is_constructor {
                let result = result.map(|ty| ty.text.as_str());
                pieces.append(self.late_method(id, &head, &parameters, result));
            }
        }
        for id in own(&debts.thrown) {
            let Some(evaluation) = self.evaluation(id) else { continue };
            if evaluation.olds.is_empty() {
                let parameters = join("Throwable jml$thrown".to_owned());
                pieces.append(self.method(id, &head, &parameters));
            } else if overridden || is_constructor {
                pieces.append(self.late_method(id, &head, &parameters, None));
            }
        }
        let mut places = own(&debts.assignable);
        if overridden {
            // Whether it has to be looked at is for each body to say.
            places.extend(contract.cases.iter().filter_map(|case| case.assignable));
            places.extend(contract.frame);
        }
        places.sort_unstable();
        places.dedup();
        for id in places {
            pieces.append(self.places_method(id, &head, &parameters));
        }
        pieces
    }

    /// The parameters declared, a varying number of them as an array.
    pub fn unvaried(&self, ty: TypeId, method: &Method) -> String {
        self.parameters(ty, method).replace("...", "[]")
    }

    /// `boolean jml$c7(…) {…}`
    pub fn method(&self, id: ClauseId, head: &str, parameters: &str) -> Pieces {
        let mut pieces = Pieces::new();
        if let Some(evaluation) = self.evaluation(id) {
            pieces.glue(format!("{head}boolean jml$c{id}({parameters}) {{ "));
            pieces.append(evaluation.code.clone());
            pieces.glue("return jml$h; } ");
        }
        pieces.blaming(Blame::Clause(id))
    }

    /// `Late jml$late7(…) {…}`: notes what is needed, answers what is to be asked after the call.
    pub fn late_method(
        &self,
        id: ClauseId,
        head: &str,
        parameters: &str,
        result: Option<&str>,
    ) -> Pieces {
        let mut pieces = Pieces::new();
        if let Some(evaluation) = self.evaluation(id) {
            pieces.glue(format!("{head}{RUN}Late jml$late{id}({parameters}) {{ "));
            pieces.append(evaluation.olds.declarations("true"));
            pieces.glue("return (jml$r, jml$thrown) -> { ");
            if let Some(result) = result {
                let boxed = boxed(result);
                pieces.glue(format!("final {result} jml$result = ({boxed}) jml$r; "));
            }
            pieces.append(evaluation.code.clone());
            pieces.glue("return jml$h; }; } ");
        }
        pieces.blaming(Blame::Clause(id))
    }
}

fn add(list: &mut Vec<Owed>, id: ClauseId, when: &str, own: bool) {
    match list.iter_mut().find(|owed| owed.id == id) {
        Some(owed) if owed.when == "true" || when == "true" => owed.when = "true".to_owned(),
        Some(owed) => owed.when = format!("{} || {when}", owed.when),
        None => list.push(Owed { id, when: when.to_owned(), own }),
    }
}

/// The class of the values of a type.
fn boxed(ty: &str) -> &str {
    if !is_primitive(ty) {
        return ty;
    }
    match simple(ty).as_str() {
        "boolean" => "Boolean",
        "byte" => "Byte",
        "short" => "Short",
        "char" => "Character",
        "int" => "Integer",
        "long" => "Long",
        "float" => "Float",
        _ => "Double",
    }
}
