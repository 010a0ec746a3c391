//! Weaving all sources of a run, and weaving them again without what javac did not take.

use std::collections::{BTreeMap, BTreeSet};

use super::Options;
use super::clause::{CheckedMethod, Clause, ClauseId, Skipped, Unforwarded};
use super::contract::{Contracts, member_name};
use super::members::Members;
use super::names::erased;
use super::program::{Program, Supertypes, TypeId};
use super::refusal::{CompilerError, blamed, suspects};
use super::splice::{Blame, Mark, Pieces, Splices};
use super::weaver::Weaver;
use crate::java::{JavaModifier, MethodKind, TypeKind};
use crate::source::Source;

/// A source with its checks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Woven {
    /// The name of the source.
    pub name: String,
    /// Its text, line by line as before.
    pub text: String,
    /// Whether anything was put in.
    pub changed: bool,
    marks: Vec<Mark>,
}

impl Woven {
    /// The clause that stands at a place of the woven text, as javac tells places.
    pub fn clause_at(&self, line: u32, column: u32) -> Option<ClauseId> {
        match blamed(&self.text, &self.marks, line, column)? {
            Blame::Clause(id) | Blame::Big(id) | Blame::Values(id) => Some(id),
            Blame::Method(..) | Blame::Inherited(..) | Blame::Type(_) => None,
        }
    }
}

/// Sources with their checks, and what is checked.
pub struct Weaving<'a> {
    /// The sources, in the order they were given.
    pub files: Vec<Woven>,
    /// All clauses, by their numbers: the first is number 1.
    pub clauses: Vec<Clause>,
    /// Those that are not checked.
    pub skipped: Vec<Skipped>,
    /// Methods that are not checked where they are inherited.
    pub unforwarded: Vec<Unforwarded>,
    /// The methods that are checked.
    pub methods: Vec<CheckedMethod>,
    sources: &'a [Source],
    supertypes: &'a dyn Supertypes,
    options: Options,
    dropped: BTreeMap<Blame, String>,
    floating: BTreeSet<ClauseId>,
}

/// Weaves the checks of all specifications into the sources.
pub fn weave<'a>(
    sources: &'a [Source],
    supertypes: &'a dyn Supertypes,
    options: &Options,
) -> Weaving<'a> {
    let mut weaving = Weaving {
        files: Vec::new(),
        clauses: Vec::new(),
        skipped: Vec::new(),
        unforwarded: Vec::new(),
        methods: Vec::new(),
        sources,
        supertypes,
        options: options.clone(),
        dropped: BTreeMap::new(),
        floating: BTreeSet::new(),
    };
    weaving.run();
    weaving
}

impl Weaving<'_> {
    /// Leaves out what the compiler did not take, and weaves again. Whether that changed anything:
    /// if not, the errors are none of the weaver's.
    pub fn refused(&mut self, errors: &[CompilerError]) -> bool {
        let mut changed = false;
        for error in errors {
            let Some(woven) = self.files.iter().find(|woven| woven.name == error.file) else {
                continue;
            };
            let Some(blame) = blamed(&woven.text, &woven.marks, error.line, error.column) else {
                continue;
            };
            changed |= self.drop_blamed(blame, &error.message);
        }
        // Others may only follow from these.
        if !changed && let Some(error) = errors.first() {
            changed = self.drop_around(error);
        }
        if changed {
            self.run();
        }
        changed
    }

    /// Leaves out what may be to blame for an error in a line of the user's.
    fn drop_around(&mut self, error: &CompilerError) -> bool {
        let program = Program::new(self.sources, self.supertypes);
        let mut suspects = suspects(&program, &error.file, error.line).into_iter();
        let next = suspects.find(|blame| !self.dropped.contains_key(blame));
        next.is_some_and(|blame| self.drop_blamed(blame, &error.message))
    }

    fn drop_blamed(&mut self, blame: Blame, message: &str) -> bool {
        if let Blame::Clause(id) = blame
            && message.contains("double")
            && self.floating.insert(id)
        {
            return true;
        }
        self.dropped.insert(blame, message.to_owned()).is_none()
    }

    /// How many clauses that are written are checked, and how many there are.
    pub fn counts(&self) -> (usize, usize) {
        let written = |clause: &&Clause| !clause.implied;
        let all = self.clauses.iter().filter(written).count();
        let skipped: BTreeSet<ClauseId> = self.skipped.iter().map(|s| s.clause).collect();
        let left = self.clauses.iter().filter(written);
        (left.filter(|clause| !skipped.contains(&clause.id)).count(), all)
    }

    /// The clause of a number.
    pub fn clause(&self, id: ClauseId) -> Option<&Clause> {
        self.clauses.get((id as usize).checked_sub(1)?)
    }

    /// The table that the run-time part reads, to be put beside the classes as
    /// `testhound/contracts/clauses.tsv`.
    pub fn table(&self) -> String {
        let mut table = String::new();
        for clause in &self.clauses {
            let Clause { id, kind, file, line, owner, member, .. } = clause;
            let text = match clause.implied {
                true => clause.text.clone(),
                false => format!("{} {}", clause.keyword, clause.text),
            };
            let text = text.replace(['\t', '\n', '\r'], " ");
            table.push_str(&format!("{id}\t{kind}\t{file}\t{line}\t{owner}\t{member}\t{text}\n"));
        }
        table
    }

    fn run(&mut self) {
        let program = Program::new(self.sources, self.supertypes);
        let members = Members::of(&program);
        let contracts = Contracts::of(&program, &self.options);
        let weaver = Weaver::new(
            &program,
            &members,
            &contracts,
            &self.options,
            &self.dropped,
            &self.floating,
        );
        let mut splices: Vec<Splices> = self.sources.iter().map(|_| Splices::default()).collect();
        let mut methods = Vec::new();
        for (id, ty) in program.types.iter().enumerate() {
            weaver.weave_type(id, &mut splices[ty.source], &mut methods);
        }
        for at in 0..weaver.forwards.len() {
            let ty = weaver.forwards[at].ty;
            weaver.weave_forward(at, &mut splices[program.types[ty].source], &mut methods);
        }
        // What others read of a type is known once all are woven.
        for (id, ty) in program.types.iter().enumerate() {
            weaver.weave_members(id, &mut splices[ty.source]);
        }
        self.files = self
            .sources
            .iter()
            .zip(splices)
            .map(|(source, splices)| {
                let changed = !splices.is_empty();
                let (text, marks) = splices.apply(source.text());
                Woven { name: source.name().to_owned(), text, changed, marks }
            })
            .collect();
        // Nobody asked for what was left out as a whole.
        for entry in contracts.entries() {
            weaver.is_dropped(entry.clause.id);
        }
        self.skipped = weaver
            .skipped()
            .into_iter()
            .map(|(clause, reason)| Skipped { clause, reason })
            .collect();
        self.unforwarded = weaver.unforwarded();
        self.clauses = contracts.entries().iter().map(|entry| entry.clause.clone()).collect();
        self.methods = methods;
    }
}

impl Weaver<'_, '_> {
    /// Puts the checks of a type's methods in.
    fn weave_type(&self, id: TypeId, splices: &mut Splices, checked: &mut Vec<CheckedMethod>) {
        let decl = self.program.types[id].decl;
        if decl.kind == TypeKind::Annotation {
            return;
        }
        for (at, method) in decl.methods.iter().enumerate() {
            let blame = Blame::Method(id, at);
            if self.dropped.contains_key(&blame) {
                continue;
            }
            let debts = self.debts(id, at);
            let mut members = self.first_method(id, at, &debts);
            members.append(self.clause_methods(id, at, &debts));
            splices.insert(method.span.end, 20, members.blaming(blame));
            let woven = match (method.kind, method.body) {
                (_, None) => {
                    if method.modifiers.has(JavaModifier::Native) {
                        self.skip_all(id, at, "a native method has no body");
                    }
                    false
                }
                (MethodKind::Method, Some(body)) => {
                    let wrapper = self.wrapper(id, at, &debts);
                    let woven = !wrapper.is_empty();
                    splices.insert(body.start + 1, 0, wrapper.blaming(blame));
                    woven
                }
                _ => self.weave_constructor(id, at, &debts, splices),
            };
            let contract = &self.contracts.methods[id][at];
            let assigns = self.assigns(id, at);
            if woven || contract.pure || assigns.is_some() {
                checked.push(CheckedMethod {
                    owner: self.program.types[id].name.clone(),
                    name: member_name(method),
                    parameters: self.erased_parameters(id, at),
                    preconditions: debts.preconditions.clone(),
                    pure: contract.pure,
                    fresh_result: self.has_fresh_result(id, at),
                    assigns,
                });
            }
            if let Some(body) = method.body {
                let start =
                    method.explicit_call.as_ref().map_or(body.start + 1, |call| call.span.end);
                let ids = &self.contracts.methods[id][at].statements;
                self.weave_statements(&method.statements, &method.loops, ids, start, splices);
            }
        }
        for (initializer, ids) in decl.initializers.iter().zip(&self.contracts.initializers[id]) {
            let start = initializer.body.start + 1;
            let (statements, loops) = (&initializer.statements, &initializer.loops);
            self.weave_statements(statements, loops, ids, start, splices);
        }
    }

    fn skip_all(&self, id: TypeId, at: usize, reason: &str) {
        for case in &self.contracts.methods[id][at].cases {
            for clause in case.requires.iter().chain(&case.ensures).chain(&case.thrown) {
                self.skip(*clause, reason);
            }
        }
    }

    fn erased_parameters(&self, id: TypeId, at: usize) -> Vec<String> {
        self.erased_of(id, &self.program.types[id].decl.methods[at])
    }

    /// The types of a method's parameters as they are told.
    pub(super) fn erased_of(&self, id: TypeId, method: &crate::java::Method) -> Vec<String> {
        let params = self.params(id, method).iter();
        params
            .map(|param| {
                let dots = if param.varargs { "[]" } else { "" };
                format!("{}{dots}", erased(&param.ty.text))
            })
            .collect()
    }

    /// Puts in what is not of one method.
    fn weave_members(&self, id: TypeId, splices: &mut Splices) {
        let decl = self.program.types[id].decl;
        if decl.body.is_empty() || decl.kind == TypeKind::Annotation {
            return;
        }
        if self.type_is_dropped(id) {
            return;
        }
        let mut members = Pieces::new();
        members.append(self.model_members(id));
        members.append(self.default_constructor(id));
        members.append(self.type_members(id));
        if members.is_empty() {
            return;
        }
        let mut pieces = Pieces::new();
        if decl.kind == TypeKind::Enum && !self.ends_its_constants(id) {
            pieces.glue("; ");
        }
        pieces.append(members);
        splices.insert(decl.body.end - 1, 30, pieces.blaming(Blame::Type(id)));
    }

    /// Whether a semicolon stands behind the constants of an enum.
    fn ends_its_constants(&self, id: TypeId) -> bool {
        let decl = self.program.types[id].decl;
        let text = self.program.source(id).text();
        let from = decl.constants.last().map_or(decl.body.start + 1, |last| last.span.end);
        let mut rest = text.get(from as usize..decl.body.end as usize).unwrap_or_default();
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            let (open, close) = match rest.get(..2) {
                Some("//") => ("//", "\n"),
                Some("/*") => ("/*", "*/"),
                _ => return rest.starts_with(';'),
            };
            let after = rest.get(open.len()..).unwrap_or_default();
            match after.find(close) {
                Some(at) => rest = after.get(at + close.len()..).unwrap_or_default(),
                None => return false,
            }
        }
    }
}
