//! Comments between members: what belongs to the type, to the member before, to the one behind.

use crate::Severity;
use crate::java::{Field, Import, JavaModifier, JmlModifier, Method, Modifiers};
use crate::jml::ast::{FieldSpec, MethodSpec, Name, RawType, TypeClause, TypeClauseKind};
use crate::jml::keyword::{self, TypeKeyword};
use crate::span::Span;

use super::declaration::Declared;
use super::{Parsed, Parser, Problem};

/// What was read between two members of a type, or around the types of a file.
#[derive(Debug, Default)]
pub(crate) struct TypeNotes {
    pub clauses: Vec<TypeClause>,
    pub fields: Vec<Field>,
    pub methods: Vec<Method>,
    pub types: Vec<RawType>,
    pub imports: Vec<Import>,
    /// What is said of the field before.
    pub before: FieldSpec,
    pub before_span: Option<Span>,
    /// What is said of the member behind.
    pub behind: HeaderNote,
}

/// What is said of a declaration in its head or in front of it.
#[derive(Debug, Default)]
pub(crate) struct HeaderNote {
    pub modifiers: Modifiers,
    pub spec: MethodSpec,
    pub field: FieldSpec,
    /// Where the first of it stands.
    pub span: Option<Span>,
}

impl HeaderNote {
    fn add(&mut self, modifiers: Modifiers, span: Span) {
        self.modifiers.java.extend(modifiers.java);
        self.modifiers.jml.extend(modifiers.jml);
        self.modifiers.annotations.extend(modifiers.annotations);
        self.span.get_or_insert(span);
    }
}

impl Parser<'_> {
    /// Reads all tokens as what stands between members.
    pub(crate) fn between_members(&mut self) -> TypeNotes {
        let mut notes = TypeNotes::default();
        while !self.at_end() {
            let from = self.at;
            if let Err(problem) = self.between_members_item(&mut notes) {
                self.fail(&problem);
                self.recover();
            }
            // Whatever happened, a token is taken.
            self.at = self.at.max(from + 1);
        }
        notes
    }

    fn between_members_item(&mut self, notes: &mut TypeNotes) -> Parsed<()> {
        if self.eat(";") {
            return Ok(());
        }
        let start = self.token().span;
        if self.begins_data_group() {
            let mut spec = FieldSpec::default();
            self.data_group(&mut spec)?;
            match notes.fields.last_mut() {
                Some(field) => {
                    field.spec.groups.extend(spec.groups);
                    field.spec.maps.extend(spec.maps);
                }
                None => {
                    notes.before.groups.extend(spec.groups);
                    notes.before.maps.extend(spec.maps);
                    notes.before_span.get_or_insert(start);
                }
            }
            return Ok(());
        }
        let mut modifiers = self.modifiers();
        if self.at_end() {
            notes.behind.add(modifiers, start);
            return Ok(());
        }
        if self.is(";") {
            notes.behind.add(modifiers, start);
            let span = self.bump().span;
            self.say(Severity::Warning, span, "no semicolon is needed behind modifiers");
            return Ok(());
        }
        if self.word() == "accessible" && self.is_ahead(2, ":") {
            let clause = self.type_clause(TypeKeyword::Unchecked, modifiers, start)?;
            notes.clauses.push(clause);
            return Ok(());
        }
        if self.begins_method_spec() {
            let visibility = modifiers.visibility();
            modifiers.java.retain(|(modifier, _)| {
                !matches!(
                    modifier,
                    JavaModifier::Public | JavaModifier::Protected | JavaModifier::Private
                )
            });
            notes.behind.add(modifiers, start);
            self.method_spec(&mut notes.behind.spec, visibility, start);
            return Ok(());
        }
        if let Some(begins) = keyword::type_clause(self.word()) {
            if self.word().ends_with("initializer") {
                // What was said before is of initializers: read, not checked.
                notes.behind = HeaderNote::default();
                self.note(self.token().span, format!("`{}` is not checked", self.word()));
                self.bump();
                self.eat(";");
                return Ok(());
            }
            let (at, kept) = (self.token().span, modifiers.clone());
            match self.type_clause(begins, modifiers, start) {
                Ok(clause) => notes.clauses.push(clause),
                Err(problem) => {
                    self.fail(&problem);
                    self.recover();
                    let (text, span) = (self.slice(at).to_owned(), self.span_from(start));
                    let redundantly = keyword::redundantly(&text).1;
                    let body = Span::new(span.file, at.end, span.end);
                    notes.clauses.push(TypeClause {
                        span,
                        keyword: Name { text, span: at },
                        modifiers: kept,
                        redundantly,
                        kind: TypeClauseKind::Unchecked { body },
                    });
                }
            }
            return Ok(());
        }
        if self.is_remark() {
            return self.remark();
        }
        let declares = modifiers.is(JmlModifier::Ghost)
            || modifiers.is(JmlModifier::Model)
            || self.word() == "import";
        if !declares {
            let carried = std::mem::take(&mut notes.behind.modifiers);
            let declares = carried.is(JmlModifier::Ghost) || carried.is(JmlModifier::Model);
            notes.behind.modifiers = carried;
            if !declares {
                notes.behind.add(modifiers, start);
                return Err(self.expected("a keyword of JML"));
            }
        }
        let mut all = std::mem::take(&mut notes.behind.modifiers);
        all.java.extend(modifiers.java);
        all.jml.extend(modifiers.jml);
        all.annotations.extend(modifiers.annotations);
        let spec = std::mem::take(&mut notes.behind.spec);
        let spec_span = notes.behind.span.take();
        let declared = self.declaration(all, start)?;
        let mut owner = false;
        match declared {
            Declared::Fields(fields) => notes.fields.extend(fields),
            Declared::Method(mut method) => {
                owner = true;
                method.spec = spec.clone();
                notes.methods.push(*method);
            }
            Declared::Type(ty) => notes.types.push(ty),
            Declared::Import(import) => notes.imports.push(import),
        }
        if let Some(span) = spec_span.filter(|_| !owner && !spec.is_empty()) {
            self.fail(&Problem::Other { span, text: "this specification belongs to no method" });
        }
        Ok(())
    }

    /// Whether something stands here that only speaks to a tool.
    pub(super) fn is_remark(&self) -> bool {
        matches!(self.word(), "nowarn" | "refine" | "refines" | "pragma")
            || self.backslash() == "\\nowarn"
    }

    /// Takes it.
    pub(super) fn remark(&mut self) -> Parsed<()> {
        let span = self.token().span;
        let text = self.slice(span);
        self.note(span, format!("`{text}` is ignored"));
        while !self.at_end() && !self.eat(";") {
            self.bump();
            if self.token().first {
                break;
            }
        }
        Ok(())
    }

    /// Reads all tokens as what stands in the head of a declaration.
    pub(crate) fn header(&mut self) -> HeaderNote {
        let mut note = HeaderNote::default();
        while !self.at_end() {
            let from = self.at;
            if let Err(problem) = self.header_item(&mut note) {
                self.fail(&problem);
                self.recover();
            }
            self.at = self.at.max(from + 1);
        }
        note
    }

    fn header_item(&mut self, note: &mut HeaderNote) -> Parsed<()> {
        let start = self.token().span;
        if self.eat(";") {
            return Ok(());
        }
        if self.begins_data_group() {
            note.span.get_or_insert(start);
            return self.data_group(&mut note.field);
        }
        let modifiers = self.modifiers();
        let visibility = modifiers.visibility();
        let any = !modifiers.java.is_empty() || !modifiers.jml.is_empty();
        note.add(modifiers, start);
        if self.begins_method_spec() {
            self.method_spec(&mut note.spec, visibility, start);
            return Ok(());
        }
        if self.is_remark() {
            return self.remark();
        }
        if any || self.at_end() {
            return Ok(());
        }
        Err(self.expected("a modifier or a clause of JML"))
    }
}
