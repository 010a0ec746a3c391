//! What all parts of weaving share: how a clause is evaluated, and whether it is.
//!
//! The evaluation of a clause is a row of statements that declare `boolean jml$h` and never throw
//! (but for what must not be caught); whoever weaves the clause decides where they stand: in a
//! method of their own, in a wrapper, in a body.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::clause::Unforwarded;
use super::clause::{ClauseId, Kind};
use super::contract::{Body, Contracts};
use super::express::{Binding, Math, Needs, Olds, Printer, RUN, calculates};
use super::forward::forwards;
use super::frame::{Callee, Known};
use super::inherited::Inherited;
use super::members::Members;
use super::names::{erased, is_primitive, parameters};
use super::program::{Program, Type, TypeId};
use super::splice::{Blame, Pieces};
use super::{Arithmetic, Options};
use crate::java::tree::JavaTree;
use crate::java::{JavaModifier, Method, MethodKind, Param, TypeKind, TypePlace};
use crate::jml::ast::{Expr, ExprKind, LambdaBody};
use crate::span::FileId;

/// How a clause is evaluated.
#[derive(Debug)]
pub(super) struct Evaluation {
    /// Statements that declare `jml$h`.
    pub code: Pieces,
    /// What is to be declared before the call.
    pub olds: Olds,
    /// Whether code of others is called.
    pub calls: bool,
}

pub(super) struct Weaver<'p, 'a> {
    pub program: &'p Program<'a>,
    pub members: &'p Members,
    pub contracts: &'p Contracts<'a>,
    pub options: &'p Options,
    /// What javac did not take, and what it said.
    pub dropped: &'p BTreeMap<Blame, String>,
    /// Clauses whose sums are of floating numbers.
    pub floating: &'p BTreeSet<ClauseId>,
    pub needs: Needs,
    /// Methods whose contracts other types inherit.
    pub overridden: HashSet<(TypeId, usize)>,
    /// Methods that are checked where they are inherited.
    pub forwards: Vec<Inherited>,
    /// Those that cannot be, with the reason.
    unforwarded: RefCell<Vec<Unforwarded>>,
    /// What bodies are known to do.
    pub harmless: RefCell<Known>,
    /// What collections call of what they hold.
    pub of_elements: OnceCell<BTreeSet<Callee>>,
    /// Whether any call is compared with a snapshot.
    pub watches: std::cell::Cell<bool>,
    skipped: RefCell<BTreeMap<ClauseId, String>>,
    known: RefCell<HashMap<ClauseId, Option<Rc<Evaluation>>>>,
    trees: Vec<OnceCell<Option<JavaTree<'a>>>>,
}

impl<'p, 'a> Weaver<'p, 'a> {
    pub fn new(
        program: &'p Program<'a>,
        members: &'p Members,
        contracts: &'p Contracts<'a>,
        options: &'p Options,
        dropped: &'p BTreeMap<Blame, String>,
        floating: &'p BTreeSet<ClauseId>,
    ) -> Self {
        let mut overridden = HashSet::new();
        for (id, ty) in program.types.iter().enumerate() {
            for method in &ty.decl.methods {
                overridden.extend(program.overridden(id, method).declared);
            }
        }
        let forwards = forwards(program, contracts);
        for one in &forwards {
            overridden.extend(one.overridden.declared.iter().copied());
        }
        Weaver {
            program,
            members,
            contracts,
            options,
            dropped,
            floating,
            needs: Needs::default(),
            overridden,
            forwards,
            unforwarded: RefCell::default(),
            harmless: RefCell::default(),
            of_elements: OnceCell::new(),
            watches: std::cell::Cell::new(false),
            skipped: RefCell::new(contracts.unchecked.clone()),
            known: RefCell::default(),
            trees: program.sources.iter().map(|_| OnceCell::new()).collect(),
        }
    }

    /// The syntax of the source of a type.
    pub fn tree(&self, ty: TypeId) -> Option<&JavaTree<'a>> {
        let source = self.program.types[ty].source;
        let sources: &'a [crate::source::Source] = self.program.sources;
        let text = sources[source].text();
        self.trees[source].get_or_init(|| JavaTree::new(text, FileId::JAVA, false)).as_ref()
    }

    pub fn skipped(&self) -> BTreeMap<ClauseId, String> {
        self.skipped.borrow().clone()
    }

    pub fn skip(&self, id: ClauseId, reason: impl Into<String>) {
        self.skipped.borrow_mut().entry(id).or_insert_with(|| reason.into());
    }

    pub fn unforwarded(&self) -> Vec<Unforwarded> {
        self.unforwarded.borrow().clone()
    }

    /// Notes that an inherited method is not checked where it is inherited.
    pub fn leave(&self, one: &Inherited, reason: &str) {
        let class = |ty: TypeId| self.program.types[ty].name.clone();
        self.unforwarded.borrow_mut().push(Unforwarded {
            owner: class(one.ty),
            from: class(one.from.0),
            member: one.method.name.text.clone(),
            reason: reason.to_owned(),
        });
    }

    /// Whether a clause is left out, because javac did not take it or what it needs.
    pub fn is_dropped(&self, id: ClauseId) -> bool {
        let entry = self.contracts.entry(id);
        let of = entry.method.map_or(Blame::Type(entry.ty), |at| Blame::Method(entry.ty, at));
        let reason = self.dropped.get(&Blame::Clause(id)).or_else(|| self.dropped.get(&of));
        if let Some(reason) = reason {
            self.skip(id, format!("javac: {reason}"));
        }
        reason.is_some() || self.skipped.borrow().contains_key(&id)
    }

    /// A printer for a clause, with the parameters of its method in scope.
    pub fn printer(&self, id: ClauseId, math: Math) -> Printer<'p, 'a> {
        let entry = self.contracts.entry(id);
        let mut printer = Printer::new(self.program, self.members, entry.ty, id, math);
        printer.floating = self.floating.contains(&id);
        if let Some(method) = self.method_of(id) {
            for param in self.params(entry.ty, method) {
                printer.scope.push((param.name.text.clone(), Binding::Variable));
            }
            if let Some(text) = &method.type_parameters {
                let names = parameters(&text.text).into_iter().map(|(name, _)| name);
                printer.type_variables.extend(names);
            }
            printer.roots = self.roots(entry.ty, method);
        } else {
            printer.roots = "this".to_owned();
        }
        printer.scope.extend(entry.variables.iter().cloned());
        printer
    }

    pub fn method_of(&self, id: ClauseId) -> Option<&'a Method> {
        let entry = self.contracts.entry(id);
        entry.method.and_then(|at| self.program.types[entry.ty].decl.methods.get(at))
    }

    /// The parameters of a method; a compact constructor has those of its record.
    pub fn params<'m>(&self, ty: TypeId, method: &'m Method) -> &'m [Param]
    where
        'a: 'm,
    {
        match method.kind {
            MethodKind::CompactConstructor => &self.program.types[ty].decl.components,
            _ => &method.params,
        }
    }

    /// The objects a call is given, as a list of expressions.
    pub fn roots(&self, ty: TypeId, method: &Method) -> String {
        let is_static = method.modifiers.has(JavaModifier::Static);
        let this = (method.kind == MethodKind::Method && !is_static).then_some("this");
        let params = self.params(ty, method).iter();
        let params = params
            .filter(|param| param.varargs || !is_primitive(&param.ty.text))
            .map(|param| param.name.text.as_str());
        this.into_iter().chain(params).collect::<Vec<_>>().join(", ")
    }

    /// Whether a type's members may be static without regard to an outer object.
    pub fn is_static_type(&self, ty: TypeId) -> bool {
        let Type { decl, outer, .. } = &self.program.types[ty];
        let by_kind = matches!(decl.kind, TypeKind::Enum | TypeKind::Record | TypeKind::Interface);
        match decl.place {
            TypePlace::TopLevel => true,
            TypePlace::Member => {
                by_kind
                    || decl.modifiers.has(JavaModifier::Static)
                    || outer.is_some_and(|outer| self.program.is_interface(outer))
            }
            _ => false,
        }
    }

    /// How a clause is evaluated; `None` if it cannot be, which is then noted.
    pub fn evaluation(&self, id: ClauseId) -> Option<Rc<Evaluation>> {
        if let Some(known) = self.known.borrow().get(&id) {
            return known.clone();
        }
        let found = if self.is_dropped(id) {
            None
        } else {
            self.evaluate(id).map_err(|reason| self.skip(id, reason)).ok().map(Rc::new)
        };
        self.known.borrow_mut().insert(id, found.clone());
        found
    }

    fn evaluate(&self, id: ClauseId) -> Result<Evaluation, String> {
        let entry = self.contracts.entry(id);
        let blame = Some(Blame::Clause(id));
        let mut code = Pieces::new();
        let condition = match &entry.body {
            Body::Condition(expr) => *expr,
            Body::NotNull(name) => {
                code.add(format!("boolean jml$h = {name} != null; "), blame);
                if entry.clause.kind == Kind::Precondition {
                    code.glue(format!("if (!jml$h) {{ {RUN}Checks.without({id}); }} "));
                }
                return Ok(Evaluation { code, olds: Olds::default(), calls: false });
            }
            Body::SignalsOnly(types) => {
                let tests: Vec<String> = types
                    .iter()
                    .map(|ty| format!("jml$thrown instanceof {}", erased(&ty.text)))
                    .collect();
                let test = if tests.is_empty() { "false".to_owned() } else { tests.join(" || ") };
                code.add(format!("boolean jml$h = {test}; "), blame);
                return Ok(Evaluation { code, olds: Olds::default(), calls: false });
            }
            Body::Signals { exception, name, condition } => {
                return self.evaluate_signals(id, exception, *name, *condition);
            }
            Body::Returns | Body::Throws => {
                code.glue("boolean jml$h = false; ");
                return Ok(Evaluation { code, olds: Olds::default(), calls: false });
            }
            Body::Assignable(_) | Body::Nothing => return Err("it is no condition".to_owned()),
        };
        code.glue("boolean jml$h; ");
        let mut evaluation = self.tried(id, condition, &[])?;
        code.append(evaluation.code);
        evaluation.code = code;
        Ok(evaluation)
    }

    fn evaluate_signals(
        &self,
        id: ClauseId,
        exception: &str,
        name: Option<&str>,
        condition: Option<&'a Expr>,
    ) -> Result<Evaluation, String> {
        let blame = Some(Blame::Clause(id));
        let mut code = Pieces::new();
        code.glue("boolean jml$h; ");
        let Some(condition) = condition else {
            code.glue("jml$h = true; ");
            return Ok(Evaluation { code, olds: Olds::default(), calls: false });
        };
        let variable = format!("jml$e{id}");
        let scope: Vec<_> = name
            .map(|name| (name.to_owned(), Binding::Bound(variable.clone())))
            .into_iter()
            .collect();
        let mut evaluation = self.tried(id, condition, &scope)?;
        code.add(
            format!(
                "if (!(jml$thrown instanceof {})) {{ jml$h = true; }} else {{ \
                 final {exception} {variable} = ({exception}) jml$thrown; ",
                erased(exception)
            ),
            blame,
        );
        code.append(evaluation.code);
        code.glue("} ");
        evaluation.code = code;
        Ok(evaluation)
    }

    /// Statements that give `jml$h` the value of a condition.
    fn tried(
        &self,
        id: ClauseId,
        condition: &'a Expr,
        scope: &[(String, Binding<'a>)],
    ) -> Result<Evaluation, String> {
        let kind = self.contracts.entry(id).clause.kind;
        let before = kind == Kind::Precondition;
        let undefined = if before { "undefinedBefore" } else { "undefined" };
        let math = match self.options.arithmetic {
            Arithmetic::Java => Math::Java,
            Arithmetic::Mathematical => Math::Wide,
        };
        condition.walk(&mut |part| {
            if matches!(part.kind, ExprKind::Fresh(_)) {
                self.watches.set(true);
            }
        });
        let has_before = !matches!(kind, Kind::Precondition | Kind::Invariant | Kind::Initially);
        let print = |math, suffix, olds| {
            let mut printer = self.printer(id, math);
            printer.suffix = suffix;
            printer.scope.extend(scope.iter().cloned());
            printer.olds = has_before.then_some(olds);
            let text = printer.wide(condition);
            self.needs.take(&printer.needs);
            (text, printer)
        };
        let (fast, printer) = print(math, "", Olds::default());
        let fast = fast?;
        let mut calls = printer.calls;
        let mut olds = printer.olds.unwrap_or_default();
        let mut code = Pieces::new();
        code.glue("try { jml$h = ").add(fast, Some(Blame::Clause(id))).glue("; } ");
        let big = Blame::Big(id);
        if math == Math::Wide && calculates(condition) && !self.dropped.contains_key(&big) {
            let (text, printer) = print(Math::Big, "b", olds.clone());
            if let Ok(text) = text {
                calls |= printer.calls;
                let from = olds.len();
                olds = printer.olds.unwrap_or_default();
                olds.blame(from, big);
                code.glue(format!("catch ({RUN}Overflow jml$v) {{ try {{ jml$h = "));
                code.add(text, Some(big));
                code.glue(format!(
                    "; }} catch (Throwable jml$t) {{ jml$h = {RUN}Checks.{undefined}({id}, \
                     jml$t); }} }} "
                ));
            }
        }
        code.glue(format!(
            "catch (Throwable jml$t) {{ jml$h = {RUN}Checks.{undefined}({id}, jml$t); }} "
        ));
        if before {
            code.glue(format!("if (!jml$h) {{ {RUN}Checks.without({id}); "));
        } else if self.options.values {
            code.glue("if (!jml$h) { ");
        } else {
            return Ok(Evaluation { code, olds, calls });
        }
        if self.options.values && !self.dropped.contains_key(&Blame::Values(id)) {
            let said = self.values(id, condition, scope, &mut olds, has_before);
            code.append(said);
        }
        code.glue("} ");
        Ok(Evaluation { code, olds, calls })
    }

    /// Statements that tell the values of the parts of a condition.
    fn values(
        &self,
        id: ClauseId,
        condition: &'a Expr,
        scope: &[(String, Binding<'a>)],
        olds: &mut Olds,
        has_before: bool,
    ) -> Pieces {
        const MOST: usize = 10;
        let source = self.program.source(self.contracts.entry(id).ty);
        let mut parts: Vec<(String, &'a Expr)> = Vec::new();
        parts_of(condition, &mut |part| {
            let text = super::clause::on_one_line(source.slice(part.span));
            if parts.len() < MOST && !parts.iter().any(|(known, _)| *known == text) {
                parts.push((text, part));
            }
        });
        let mut said = Pieces::new();
        let blame = Some(Blame::Values(id));
        let mut printer = self.printer(id, Math::Java);
        printer.suffix = "v";
        printer.scope.extend(scope.iter().cloned());
        printer.olds = has_before.then(|| olds.clone());
        for (name, part) in parts {
            if let Ok(text) = printer.narrow(part) {
                said.add(
                    format!(
                        "{RUN}Tale.part({}, switch (0) {{ default -> {{ try {{ yield ({text}); }} \
                         catch (Throwable jml$t) {{ yield {RUN}Tale.none(jml$t); }} }} }}); ",
                        java_string(&name)
                    ),
                    blame,
                );
            }
        }
        if let Some(mut known) = printer.olds {
            known.blame(olds.len(), Blame::Values(id));
            *olds = known;
        }
        if said.is_empty() {
            return said;
        }
        let mut all = Pieces::new();
        all.glue(format!("if ({RUN}Checks.telling) {{ {RUN}Tale.of({id}); "));
        all.append(said);
        all.glue("} ");
        all
    }
}

/// Calls `visit` with the parts of a condition whose values explain it.
fn parts_of<'a>(expr: &'a Expr, visit: &mut impl FnMut(&'a Expr)) {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Field { .. }
        | ExprKind::Call { .. }
        | ExprKind::Result
        | ExprKind::Old { .. } => visit(expr),
        ExprKind::Index { index, .. } => {
            visit(expr);
            parts_of(index, visit);
        }
        ExprKind::Quantified { .. }
        | ExprKind::Lambda { body: LambdaBody::Expr(_), .. }
        | ExprKind::New { .. }
        | ExprKind::NewArray(_)
        | ExprKind::InstanceOf { .. } => {}
        other => other.each_child(&mut |child| parts_of(child, visit)),
    }
}

/// A text as a literal of Java.
pub(super) fn java_string(text: &str) -> String {
    let mut literal = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            c if c.is_control() => literal.push(' '),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}
