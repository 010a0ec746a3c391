//! The clauses of all declarations, numbered, and what each declaration owes by itself.
//!
//! Defaults are made explicit here: parameters, results and fields that are not `nullable`, what
//! `normal_behavior`, `exceptional_behavior` and `pure` imply.

use std::collections::{BTreeMap, HashMap};

use super::Options;
use super::clause::{Clause, ClauseId, Kind, on_one_line};
use super::express::Binding;
use super::names::is_primitive;
use super::program::{Program, TypeId};
use crate::java::{JavaModifier, JmlModifier, Method, MethodKind, Modifiers, Param, TypeKind};
use crate::jml::ast::{
    Behavior, Clause as SpecClause, ClauseKind, Expr, ExprKind, FlatCase, LoopClauseKind, LoopSpec,
    MethodName, Statement, StatementKind, StoreRef, TypeClauseKind, TypeText,
};
use crate::jml::keyword::{self, MethodClause};
use crate::span::Span;

/// What is evaluated for a clause.
#[derive(Debug, Clone)]
pub(super) enum Body<'a> {
    /// An expression.
    Condition(&'a Expr),
    /// That a name is not `null`.
    NotNull(String),
    /// That a condition holds if such an exception was thrown.
    Signals { exception: &'a str, name: Option<&'a str>, condition: Option<&'a Expr> },
    /// That nothing else was thrown.
    SignalsOnly(&'a [TypeText]),
    /// That nothing was thrown.
    Returns,
    /// That something was thrown.
    Throws,
    /// That nothing else was changed.
    Assignable(Vec<&'a StoreRef>),
    /// Nothing: it is a definition, or not checked.
    Nothing,
}

/// A clause with what is evaluated for it.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub clause: Clause,
    pub ty: TypeId,
    /// The method it belongs to, of the type's.
    pub method: Option<usize>,
    pub body: Body<'a>,
    /// Variables of its case.
    pub variables: Vec<(String, Binding<'a>)>,
}

/// A case of a method's specification.
#[derive(Debug, Default)]
pub(super) struct Case {
    pub requires: Vec<ClauseId>,
    /// Whether it asks that an inherited precondition holds.
    pub same: bool,
    pub ensures: Vec<ClauseId>,
    pub thrown: Vec<ClauseId>,
    pub assignable: Option<ClauseId>,
    /// Whether overriding methods owe nothing of it.
    pub code: bool,
}

/// What a declaration of a method owes by itself.
#[derive(Debug, Default)]
pub(super) struct Contract {
    pub cases: Vec<Case>,
    /// That the result is not `null`.
    pub result: Option<ClauseId>,
    /// That nothing is changed, of pure methods that do not say so.
    pub frame: Option<ClauseId>,
    pub pure: bool,
    pub helper: bool,
    /// Clauses of statements, by the place they are written.
    pub statements: HashMap<Span, ClauseId>,
}

/// More cases than this have no bit in a mask.
const MOST_CASES: usize = 63;

impl Contract {
    /// The type of the mask of cases whose precondition holds.
    pub fn mask_type(&self) -> &'static str {
        if self.cases.len() < 32 { "int" } else { "long" }
    }

    /// The bit of a case in that mask, as a literal of its type.
    pub fn bit(&self, case: usize) -> String {
        let suffix = if self.cases.len() < 32 { "" } else { "L" };
        format!("{}{suffix}", 1_u64 << case)
    }
}

/// A history constraint: the clause, whether it is of the class, the methods it is for.
pub(super) type Constraint<'a> = (ClauseId, bool, Option<&'a [MethodName]>);

/// What a type declares for its methods to keep.
#[derive(Debug, Default)]
pub(super) struct TypeContract<'a> {
    pub invariants: Vec<ClauseId>,
    pub static_invariants: Vec<ClauseId>,
    pub constraints: Vec<Constraint<'a>>,
    pub initially: Vec<ClauseId>,
    /// Ghost and model members and what defines them, by the place they are written.
    pub definitions: HashMap<Span, ClauseId>,
}

/// The clauses of a program.
#[derive(Debug, Default)]
pub(super) struct Contracts<'a> {
    entries: Vec<Entry<'a>>,
    /// For each type, for each of its methods.
    pub methods: Vec<Vec<Contract>>,
    /// For each type, for each of its initializers: the clauses of statements.
    pub initializers: Vec<Vec<HashMap<Span, ClauseId>>>,
    pub types: Vec<TypeContract<'a>>,
    /// What is not checked whatever happens.
    pub unchecked: BTreeMap<ClauseId, String>,
}

impl<'a> Contracts<'a> {
    pub fn of(program: &Program<'a>, options: &Options) -> Contracts<'a> {
        let mut collector =
            Collector { program, options, found: Contracts::default(), ty: 0, method: None };
        for ty in 0..program.types.len() {
            collector.ty = ty;
            collector.collect_type();
        }
        collector.found
    }

    pub fn entry(&self, id: ClauseId) -> &Entry<'a> {
        &self.entries[id as usize - 1]
    }

    pub fn entries(&self) -> &[Entry<'a>] {
        &self.entries
    }
}

struct Collector<'p, 'a> {
    program: &'p Program<'a>,
    options: &'p Options,
    found: Contracts<'a>,
    ty: TypeId,
    method: Option<usize>,
}

/// What a clause is called: kind, keyword, place and whether it is written.
struct Heading<'h> {
    kind: Kind,
    keyword: &'h str,
    span: Span,
    implied: bool,
}

impl<'a> Collector<'_, 'a> {
    fn add(&mut self, heading: Heading<'_>, text: Option<String>, body: Body<'a>) -> ClauseId {
        let source = self.program.source(self.ty);
        let owner = &self.program.types[self.ty];
        let id = u32::try_from(self.found.entries.len() + 1).unwrap_or(ClauseId::MAX);
        let text = text.unwrap_or_else(|| {
            let line = on_one_line(source.slice(heading.span));
            // Modifiers may stand before the keyword.
            let said = line.split_once(heading.keyword).map_or(line.as_str(), |(_, said)| said);
            said.trim().trim_end_matches(';').trim().to_owned()
        });
        let position = source.position(heading.span);
        let member = self.method.and_then(|at| owner.decl.methods.get(at)).map(member_name);
        let clause = Clause {
            id,
            kind: heading.kind,
            keyword: heading.keyword.to_owned(),
            text,
            file: source.file(heading.span.file).map(|f| f.name.clone()).unwrap_or_default(),
            line: position.line,
            column: position.column,
            owner: owner.name.clone(),
            member: member.unwrap_or_default(),
            implied: heading.implied,
        };
        let (ty, method) = (self.ty, self.method);
        self.found.entries.push(Entry { clause, ty, method, body, variables: Vec::new() });
        id
    }

    fn unchecked(&mut self, kind: Kind, keyword: &str, span: Span, reason: &str) -> ClauseId {
        let heading = Heading { kind, keyword, span, implied: false };
        let id = self.add(heading, None, Body::Nothing);
        self.found.unchecked.insert(id, reason.to_owned());
        id
    }

    /// Whether what is declared so may be `null`.
    fn nullable(&self, modifiers: &Modifiers) -> bool {
        if let Some(nullable) = modifiers.nullable() {
            return nullable;
        }
        let mut at = Some(self.ty);
        while let Some(id) = at {
            if let Some(nullable) = self.program.types[id].decl.modifiers.nullable_by_default() {
                return nullable;
            }
            at = self.program.types[id].outer;
        }
        !(self.options.non_null_by_default && self.program.source(self.ty).annotated)
    }

    fn collect_type(&mut self) {
        let decl = self.program.types[self.ty].decl;
        self.method = None;
        let mut own = TypeContract::default();
        for clause in &decl.spec.clauses {
            let keyword = clause.keyword.text.as_str();
            let heading = |kind| Heading { kind, keyword, span: clause.span, implied: false };
            let is_static = clause.modifiers.has(JavaModifier::Static);
            match &clause.kind {
                TypeClauseKind::Invariant(expr) => {
                    let id = self.add(heading(Kind::Invariant), None, Body::Condition(expr));
                    let list =
                        if is_static { &mut own.static_invariants } else { &mut own.invariants };
                    list.push(id);
                }
                TypeClauseKind::Constraint { expr, methods } => {
                    let id = self.add(heading(Kind::Constraint), None, Body::Condition(expr));
                    own.constraints.push((id, is_static, methods.as_deref()));
                }
                TypeClauseKind::Initially(expr) => {
                    let id = self.add(heading(Kind::Initially), None, Body::Condition(expr));
                    own.initially.push(id);
                }
                TypeClauseKind::Represents(_) => {
                    let id = self.add(heading(Kind::Definition), None, Body::Nothing);
                    own.definitions.insert(clause.span, id);
                }
                TypeClauseKind::Axiom(_) | TypeClauseKind::Unchecked { .. } => {
                    let reason = format!("`{keyword}` is not checked");
                    self.unchecked(Kind::Definition, keyword, clause.span, &reason);
                }
            }
        }
        for field in &decl.spec.fields {
            let heading = Heading {
                kind: Kind::Definition,
                keyword: "field",
                span: field.span,
                implied: false,
            };
            let id = self.add(heading, None, Body::Nothing);
            own.definitions.insert(field.name.span, id);
        }
        for method in &decl.spec.methods {
            let heading = Heading {
                kind: Kind::Definition,
                keyword: "method",
                span: method.name.span,
                implied: false,
            };
            let id = self.add(heading, None, Body::Nothing);
            own.definitions.insert(method.name.span, id);
        }
        for ty in &decl.spec.types {
            let reason = "types of specifications are not woven";
            self.unchecked(Kind::Definition, "model", ty.name.span, reason);
        }
        self.fields_not_null(&mut own);
        let methods = (0..decl.methods.len()).map(|at| self.collect_method(at)).collect();
        self.method = None;
        let mut initializers = Vec::new();
        for initializer in &decl.initializers {
            let mut found = HashMap::new();
            self.collect_statements(&initializer.statements, &initializer.loops, &mut found);
            initializers.push(found);
        }
        self.found.types.push(own);
        self.found.methods.push(methods);
        self.found.initializers.push(initializers);
    }

    fn fields_not_null(&mut self, own: &mut TypeContract<'a>) {
        let decl = self.program.types[self.ty].decl;
        if matches!(decl.kind, TypeKind::Interface | TypeKind::Annotation) {
            return;
        }
        let fields = decl.fields.iter().map(|f| (&f.name, &f.ty, &f.modifiers));
        let components = decl.components.iter().map(|c| (&c.name, &c.ty, &c.modifiers));
        for (name, ty, modifiers) in fields.chain(components) {
            if is_primitive(&ty.text) || self.nullable(modifiers) {
                continue;
            }
            let heading = Heading {
                kind: Kind::NonNull,
                keyword: "non_null",
                span: name.span,
                implied: modifiers.nullable().is_none(),
            };
            let text = Some(format!("{} != null", name.text));
            let id = self.add(heading, text, Body::NotNull(name.text.clone()));
            let is_static = modifiers.has(JavaModifier::Static);
            let list = if is_static { &mut own.static_invariants } else { &mut own.invariants };
            list.push(id);
        }
    }

    fn collect_method(&mut self, at: usize) -> Contract {
        self.method = Some(at);
        let owner = self.program.types[self.ty].decl;
        let method = &owner.methods[at];
        let overridden = self.program.overridden(self.ty, method);
        let inherits = overridden.compiled || !overridden.declared.is_empty();
        let mut contract = Contract {
            pure: method.modifiers.is_pure() || owner.modifiers.is_pure(),
            helper: method.modifiers.is(JmlModifier::Helper),
            ..Contract::default()
        };
        let flat = method.spec.flattened();
        let mut params = Vec::new();
        let list: &[Param] = match method.kind {
            MethodKind::CompactConstructor => &owner.components,
            _ => &method.params,
        };
        for param in list.iter().filter(|_| !flat.is_empty() || !inherits) {
            if !is_primitive(&param.ty.text) && !self.nullable(&param.modifiers)
                || (param.varargs && param.modifiers.nullable() != Some(true) && !flat.is_empty())
            {
                let heading = Heading {
                    kind: Kind::Precondition,
                    keyword: "non_null",
                    span: param.span,
                    implied: param.modifiers.nullable().is_none(),
                };
                let text = Some(format!("{} != null", param.name.text));
                params.push(self.add(heading, text, Body::NotNull(param.name.text.clone())));
            }
        }
        let mut known = HashMap::new();
        for case in &flat {
            let case = self.collect_case(case, &params, &mut known);
            contract.cases.push(case);
        }
        if contract.cases.len() > MOST_CASES {
            for id in known.into_values() {
                let reason = format!("the method has more than {MOST_CASES} cases");
                self.found.unchecked.insert(id, reason);
            }
            contract.cases.clear();
        }
        if flat.is_empty() && !params.is_empty() {
            contract.cases.push(Case { requires: params, ..Case::default() });
        }
        self.result_not_null(method, inherits, &mut contract);
        if contract.pure && contract.cases.iter().all(|case| case.assignable.is_none()) {
            let heading = Heading {
                kind: Kind::Assignable,
                keyword: "pure",
                span: method.name.span,
                implied: true,
            };
            let text = Some("\\nothing".to_owned());
            contract.frame = Some(self.add(heading, text, Body::Assignable(Vec::new())));
        }
        let mut statements = HashMap::new();
        self.collect_statements(&method.statements, &method.loops, &mut statements);
        contract.statements = statements;
        for case in method.spec.implies_that.iter().chain(&method.spec.for_example) {
            let reason = "it follows from the cases before it";
            self.unchecked(Kind::Definition, "implies_that", case.span, reason);
        }
        contract
    }

    fn result_not_null(&mut self, method: &'a Method, inherits: bool, contract: &mut Contract) {
        let Some(ty) = &method.return_type else { return };
        // What overrides something unknown may return what that may; what is inherited is owed.
        let default = inherits && method.modifiers.nullable().is_none();
        if is_primitive(&ty.text) || default || self.nullable(&method.modifiers) {
            return;
        }
        let heading = Heading {
            kind: Kind::NonNull,
            keyword: "non_null",
            span: method.name.span,
            implied: method.modifiers.nullable().is_none(),
        };
        let text = Some("\\result != null".to_owned());
        contract.result = Some(self.add(heading, text, Body::NotNull("jml$result".to_owned())));
    }

    fn collect_case(
        &mut self,
        flat: &FlatCase<'a>,
        params: &[ClauseId],
        known: &mut HashMap<Span, ClauseId>,
    ) -> Case {
        let mut case = Case { requires: params.to_vec(), code: flat.code, ..Case::default() };
        let mut variables = Vec::new();
        for clause in &flat.clauses {
            match &clause.kind {
                ClauseKind::Old(all) => variables.extend(all.iter().filter_map(|var| {
                    let value = var.value.as_ref()?;
                    Some((var.name.text.clone(), Binding::Before(value, var.ty.text.as_str())))
                })),
                ClauseKind::Forall(all) => {
                    variables.extend(all.iter().map(|v| (v.name.text.clone(), Binding::Nothing)));
                }
                _ => {}
            }
        }
        let mut places: Option<(ClauseId, Vec<&'a StoreRef>)> = None;
        let mut broken_places = false;
        for clause in &flat.clauses {
            // What was meant by one that was not understood is still owed its place in the case:
            // without it the others would say something else than their author.
            let broken = broken_as(clause);
            let (kind, body) = match &clause.kind {
                ClauseKind::Requires(expr) if is_unspecified(expr) => continue,
                ClauseKind::Ensures(expr) if is_unspecified(expr) => continue,
                ClauseKind::Requires(expr) => {
                    case.same |= matches!(expr.unwrapped().kind, ExprKind::Same);
                    (Kind::Precondition, Body::Condition(expr))
                }
                ClauseKind::Ensures(expr) => (Kind::Postcondition, Body::Condition(expr)),
                ClauseKind::Signals { exception, name, condition } => {
                    let body = Body::Signals {
                        exception: &exception.text,
                        name: name.as_ref().map(|name| name.text.as_str()),
                        condition: condition.as_ref(),
                    };
                    (Kind::ExceptionalPostcondition, body)
                }
                ClauseKind::SignalsOnly(types) => {
                    (Kind::ExceptionalPostcondition, Body::SignalsOnly(types))
                }
                ClauseKind::Assignable(all) => {
                    (Kind::Assignable, Body::Assignable(all.iter().collect()))
                }
                ClauseKind::Old(_) => (Kind::Definition, Body::Nothing),
                ClauseKind::Forall(_) | ClauseKind::Unchecked(_) => {
                    (Kind::Definition, Body::Nothing)
                }
            };
            let keyword = clause.keyword.text.as_str();
            let id = match known.get(&clause.span) {
                Some(id) => *id,
                None => {
                    let heading = Heading { kind, keyword, span: clause.span, implied: false };
                    let id = self.add(heading, None, body);
                    known.insert(clause.span, id);
                    self.found.entries[id as usize - 1].variables = variables.clone();
                    if let ClauseKind::Forall(_) | ClauseKind::Unchecked(_) = clause.kind {
                        let reason = match broken {
                            Some(_) => "it is not understood".to_owned(),
                            None => format!("`{keyword}` is not checked"),
                        };
                        self.found.unchecked.insert(id, reason);
                    }
                    id
                }
            };
            match &clause.kind {
                ClauseKind::Unchecked(_) if broken == Some(MethodClause::Requires) => {
                    case.requires.push(id);
                }
                ClauseKind::Unchecked(_) if broken == Some(MethodClause::Assignable) => {
                    broken_places = true;
                }
                ClauseKind::Requires(_) => case.requires.push(id),
                ClauseKind::Ensures(_) => case.ensures.push(id),
                ClauseKind::Signals { .. } | ClauseKind::SignalsOnly(_) => case.thrown.push(id),
                ClauseKind::Assignable(all) => {
                    places.get_or_insert((id, Vec::new())).1.extend(all);
                }
                _ => {}
            }
        }
        if let Some((id, places)) = places {
            self.found.entries[id as usize - 1].body = Body::Assignable(places);
            case.assignable = Some(id);
            if broken_places {
                let reason = "another clause of its frame is not understood";
                self.found.unchecked.insert(id, reason.to_owned());
            }
        }
        let span = flat.case.span;
        if flat.behavior == Behavior::Normal {
            let keyword = "normal_behavior";
            let kind = Kind::ExceptionalPostcondition;
            let heading = Heading { kind, keyword, span, implied: true };
            let text = Some("signals (Exception) false".to_owned());
            case.thrown.push(self.add(heading, text, Body::Returns));
        }
        if flat.behavior == Behavior::Exceptional {
            let keyword = "exceptional_behavior";
            let heading = Heading { kind: Kind::Postcondition, keyword, span, implied: true };
            let text = Some("ensures false".to_owned());
            case.ensures.push(self.add(heading, text, Body::Throws));
        }
        case
    }

    fn collect_statements(
        &mut self,
        statements: &'a [Statement],
        loops: &'a [LoopSpec],
        found: &mut HashMap<Span, ClauseId>,
    ) {
        for statement in statements {
            let keyword = statement.keyword.text.as_str();
            let heading = |kind| Heading { kind, keyword, span: statement.span, implied: false };
            let id = match &statement.kind {
                StatementKind::Assert(expr, _) | StatementKind::Assume(expr, _) => {
                    self.add(heading(Kind::Assertion), None, Body::Condition(expr))
                }
                StatementKind::Unreachable => {
                    self.add(heading(Kind::Assertion), Some("false".to_owned()), Body::Nothing)
                }
                StatementKind::Set(_) | StatementKind::Ghost(_) => {
                    self.add(heading(Kind::Definition), None, Body::Nothing)
                }
                _ => {
                    let reason = format!("`{keyword}` is not checked");
                    self.unchecked(Kind::Definition, keyword, statement.span, &reason)
                }
            };
            found.insert(statement.span, id);
        }
        for clause in loops.iter().flat_map(|one| &one.clauses) {
            let keyword = clause.keyword.text.as_str();
            let heading =
                Heading { kind: Kind::Assertion, keyword, span: clause.span, implied: false };
            let id = match &clause.kind {
                LoopClauseKind::Invariant(expr) | LoopClauseKind::Decreases(expr) => {
                    self.add(heading, None, Body::Condition(expr))
                }
                _ => {
                    let reason = format!("`{keyword}` of loops is not checked");
                    self.unchecked(Kind::Definition, keyword, clause.span, &reason)
                }
            };
            found.insert(clause.span, id);
        }
    }
}

/// What a clause with an error in it would be; `None` for clauses without, and those of kinds that
/// are never checked.
fn broken_as(clause: &SpecClause) -> Option<MethodClause> {
    let ClauseKind::Unchecked(_) = clause.kind else { return None };
    let (plain, _) = keyword::redundantly(&clause.keyword.text);
    keyword::method_clause(plain).filter(|of| *of != MethodClause::Unchecked)
}

fn is_unspecified(expr: &Expr) -> bool {
    matches!(expr.unwrapped().kind, ExprKind::NotSpecified)
}

/// The name of a method as the JVM has it.
pub(super) fn member_name(method: &Method) -> String {
    match method.kind {
        MethodKind::Method => method.name.text.clone(),
        MethodKind::Constructor | MethodKind::CompactConstructor => "<init>".to_owned(),
    }
}
