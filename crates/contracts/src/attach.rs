//! Comments → declarations: each group of comments goes to what it stands at.
//!
//! Where a group stands decides how it is read: between members, in the head of a declaration, in
//! a body. Between members clauses are the type's, the rest is of the member behind; `in` and
//! `maps` are of the field before.

use crate::Severity;
use crate::java::{Field, Method, Modifiers, Param, TypeDecl};
use crate::jml::ast::{FieldSpec, LoopSpec, MethodSpec, Statement};
use crate::jml::parser::{BodyItem, HeaderNote, Message, Parser, TypeNotes};
use crate::parse::Group;
use crate::source::Source;
use crate::span::{FileId, Span};

/// Reads `groups` of the file `id`, whose text is `text`, into `source`.
pub(crate) fn attach(
    source: &mut Source,
    text: &str,
    id: FileId,
    groups: Vec<Group>,
    messages: &mut Vec<Message>,
) {
    for group in groups {
        let mut parser = Parser::new(text, id, &group.tokens);
        let mut attacher = Attacher { text, group: &group, said: Vec::new() };
        match holder(&mut source.types, group.span) {
            Some(ty) => attacher.in_type(ty, &mut parser),
            None => {
                let notes = parser.between_members();
                attacher.around_types(source, notes);
            }
        }
        messages.extend(parser.into_messages());
        messages.extend(attacher.said);
    }
}

struct Attacher<'a> {
    text: &'a str,
    group: &'a Group,
    said: Vec<Message>,
}

/// The declaration of `all`, which are in order, that `span` begins in.
fn holding<T>(all: &mut [T], span: Span, of: impl Fn(&T) -> Span) -> Option<&mut T> {
    let index = all.partition_point(|one| of(one).start <= span.start).checked_sub(1)?;
    let found = all.get_mut(index)?;
    if of(found).end > span.start { Some(found) } else { None }
}

/// The innermost type that `span` begins in.
fn holder(types: &mut [TypeDecl], span: Span) -> Option<&mut TypeDecl> {
    let ty = holding(types, span, |ty| ty.span)?;
    // Borrowing decides first, then descends.
    if holding(&mut ty.types, span, |ty| ty.span).is_some() {
        return holder(&mut ty.types, span);
    }
    ty.locals.sort_by_key(|ty| ty.span.start);
    if holding(&mut ty.locals, span, |ty| ty.span).is_some() {
        return holder(&mut ty.locals, span);
    }
    Some(ty)
}

impl Attacher<'_> {
    fn say(&mut self, severity: Severity, span: Span, text: &str) {
        self.said.push(Message { severity, span, text: text.to_owned() });
    }

    fn around_types(&mut self, source: &mut Source, notes: TypeNotes) {
        source.imports.extend(notes.imports.iter().cloned());
        self.clauses_out_of_place(&notes);
        let next = source.types.iter_mut().find(|ty| ty.span.start >= self.group.span.end);
        let Some(ty) = next else { return self.left_over(&notes.behind) };
        self.spec_out_of_place(&notes.behind);
        extend(&mut ty.modifiers, notes.behind.modifiers);
    }

    fn clauses_out_of_place(&mut self, notes: &TypeNotes) {
        let clauses = notes.clauses.iter().map(|clause| clause.span);
        let fields = notes.fields.iter().map(|field| field.span);
        let methods = notes.methods.iter().map(|method| method.span);
        let first = clauses.chain(fields).chain(methods).chain(notes.before_span).next();
        if let Some(span) = first {
            self.say(Severity::Error, span, "this stands in no type");
        }
    }

    fn left_over(&mut self, note: &HeaderNote) {
        let empty = note.modifiers == Modifiers::default() && note.spec.is_empty();
        if let Some(span) = note.span.filter(|_| !empty) {
            self.say(Severity::Error, span, "no declaration follows this");
        }
    }

    fn spec_out_of_place(&mut self, note: &HeaderNote) {
        if let Some(span) = note.span.filter(|_| !note.spec.is_empty()) {
            self.say(Severity::Error, span, "this specification belongs to no method");
        }
        self.groups_out_of_place(note);
    }

    fn groups_out_of_place(&mut self, note: &HeaderNote) {
        if let Some(span) = note.span.filter(|_| note.field != FieldSpec::default()) {
            self.say(Severity::Error, span, "this data group belongs to no field");
        }
    }

    fn in_type(&mut self, ty: &mut TypeDecl, parser: &mut Parser<'_>) {
        let span = self.group.span;
        if span.start < ty.body.start || ty.body.is_empty() {
            let note = parser.header();
            self.spec_out_of_place(&note);
            match holding(&mut ty.components, span, |param| param.span) {
                Some(param) => extend(&mut param.modifiers, note.modifiers),
                None => extend(&mut ty.modifiers, note.modifiers),
            }
            return;
        }
        if let Some(method) = holding(&mut ty.methods, span, |method| method.span) {
            return self.in_method(method, parser);
        }
        if let Some(block) = holding(&mut ty.initializers, span, |block| block.span) {
            return self.body(&mut block.statements, &mut block.loops, parser);
        }
        if let Some(field) = holding(&mut ty.fields, span, |field| field.span) {
            let declaration = field.span;
            let inside = field.initializer.is_some_and(|initializer| initializer.contains(span));
            return self.in_field(ty, declaration, inside, parser);
        }
        if holding(&mut ty.constants, span, |constant| constant.span).is_some() {
            let note = parser.header();
            return self.spec_out_of_place(&note);
        }
        let notes = parser.between_members();
        self.between_members(ty, notes);
    }

    fn in_field(
        &mut self,
        ty: &mut TypeDecl,
        declaration: Span,
        inside: bool,
        parser: &mut Parser<'_>,
    ) {
        if inside {
            // In a lambda, say: there is no method that could carry it.
            let items = parser.body(self.loop_follows());
            if let Some(item) = items.first() {
                let span = match item {
                    BodyItem::Statement(span, ..) => *span,
                    BodyItem::Loop(clause) => clause.span,
                };
                self.say(Severity::Note, span, "in the value of a field nothing is checked");
            }
            return;
        }
        let note = parser.header();
        if let Some(span) = note.span.filter(|_| !note.spec.is_empty()) {
            self.say(Severity::Error, span, "this specification belongs to no method");
        }
        for field in ty.fields.iter_mut().filter(|field| field.span == declaration) {
            extend(&mut field.modifiers, note.modifiers.clone());
            add_groups(field, &note.field);
        }
    }

    fn in_method(&mut self, method: &mut Method, parser: &mut Parser<'_>) {
        let span = self.group.span;
        if method.body.is_some_and(|body| body.contains(span)) {
            return self.body(&mut method.statements, &mut method.loops, parser);
        }
        let note = parser.header();
        self.groups_out_of_place(&note);
        if method.params_span.contains(span) && !method.params_span.is_empty() {
            if let Some(at) = note.span.filter(|_| !note.spec.is_empty()) {
                self.say(Severity::Error, at, "this specification belongs to no method");
            }
            if let Some(param) = self.param_at(&mut method.params) {
                extend(&mut param.modifiers, note.modifiers);
            }
            return;
        }
        extend(&mut method.modifiers, note.modifiers);
        join(&mut method.spec, note.spec);
    }

    /// The parameter the group is of: the one behind, unless a comma or parenthesis follows.
    fn param_at<'p>(&self, params: &'p mut [Param]) -> Option<&'p mut Param> {
        let span = self.group.span;
        let rest = self.text.get(span.end as usize..).unwrap_or_default().trim_ascii_start();
        let mut index = params.partition_point(|param| param.span.end <= span.start);
        if rest.starts_with([',', ')']) {
            index = params.partition_point(|param| param.span.start < span.start).saturating_sub(1);
        }
        params.get_mut(index)
    }

    fn between_members(&mut self, ty: &mut TypeDecl, notes: TypeNotes) {
        let span = self.group.span;
        if let Some(import) = notes.imports.first() {
            self.say(Severity::Error, import.span, "an import stands in front of types");
        }
        if let Some(at) = notes.before_span {
            self.groups_of_member_before(ty, &notes, at);
        }
        self.groups_out_of_place(&notes.behind);
        ty.spec.clauses.extend(notes.clauses);
        ty.spec.fields.extend(notes.fields);
        ty.spec.methods.extend(notes.methods);
        ty.spec.types.extend(notes.types);
        self.member_behind(ty, span, notes.behind);
    }

    fn groups_of_member_before(&mut self, ty: &mut TypeDecl, notes: &TypeNotes, at: Span) {
        let spec = &notes.before;
        let java = ty.fields.iter().rfind(|field| field.span.end <= at.start);
        let java = java.map(|field| field.span);
        let own = ty.spec.fields.iter().rfind(|field| field.span.end <= at.start);
        let own = own.map(|field| field.span);
        let Some(last) = java.into_iter().chain(own).max_by_key(|span| span.start) else {
            return self.say(Severity::Error, at, "this data group belongs to no field");
        };
        let fields = ty.fields.iter_mut().chain(&mut ty.spec.fields);
        for field in fields.filter(|field| field.span == last) {
            add_groups(field, spec);
        }
    }

    fn member_behind(&mut self, ty: &mut TypeDecl, span: Span, note: HeaderNote) {
        fn next<T>(all: &[T], span: Span, of: impl Fn(&T) -> Span) -> (u32, usize) {
            let index = all.partition_point(|one| of(one).start < span.end);
            (all.get(index).map_or(u32::MAX, |one| of(one).start), index)
        }
        let (method, method_index) = next(&ty.methods, span, |method| method.span);
        let (field, field_index) = next(&ty.fields, span, |field| field.span);
        let (block, block_index) = next(&ty.initializers, span, |block| block.span);
        let (member, member_index) = next(&ty.types, span, |ty| ty.span);
        let (constant, _) = next(&ty.constants, span, |constant| constant.span);
        let first = method.min(field).min(block).min(member).min(constant);
        if first == u32::MAX {
            self.left_over(&note);
        } else if first == method {
            let method = &mut ty.methods[method_index];
            extend(&mut method.modifiers, note.modifiers);
            join(&mut method.spec, note.spec);
        } else if first == block {
            join(&mut ty.initializers[block_index].spec, note.spec);
        } else if first == field {
            self.spec_out_of_place(&note);
            let declaration = ty.fields[field_index].span;
            for field in ty.fields[field_index..].iter_mut() {
                if field.span != declaration {
                    break;
                }
                extend(&mut field.modifiers, note.modifiers.clone());
            }
        } else if first == member {
            self.spec_out_of_place(&note);
            extend(&mut ty.types[member_index].modifiers, note.modifiers);
        } else {
            self.spec_out_of_place(&note);
        }
    }

    fn loop_follows(&self) -> bool {
        self.group.comments.last().is_some_and(|comment| comment.next_loop.is_some())
    }

    fn body(
        &mut self,
        statements: &mut Vec<Statement>,
        loops: &mut Vec<LoopSpec>,
        parser: &mut Parser<'_>,
    ) {
        let mut clauses = Vec::new();
        for item in parser.body(self.loop_follows()) {
            match item {
                BodyItem::Loop(clause) => clauses.push(clause),
                BodyItem::Statement(span, keyword, kind) => {
                    let comments = &self.group.comments;
                    let at = comments.partition_point(|one| one.span.start <= span.start);
                    let Some(comment) = at.checked_sub(1).and_then(|at| comments.get(at)) else {
                        continue;
                    };
                    let (comment, in_block) = (comment.span, comment.in_block);
                    if !in_block {
                        let text = "no statement can stand here: this is not checked";
                        self.say(Severity::Note, span, text);
                    }
                    statements.push(Statement { span, keyword, comment, in_block, kind });
                }
            }
        }
        let next = self.group.comments.last().and_then(|comment| comment.next_loop.clone());
        if let Some(mut found) = next.filter(|_| !clauses.is_empty()) {
            match loops.last_mut().filter(|last| last.span == found.span) {
                Some(last) => last.clauses.extend(clauses),
                None => {
                    found.clauses = clauses;
                    loops.push(found);
                }
            }
        }
    }
}

fn extend(modifiers: &mut Modifiers, more: Modifiers) {
    modifiers.java.extend(more.java);
    modifiers.jml.extend(more.jml);
    modifiers.annotations.extend(more.annotations);
}

fn add_groups(field: &mut Field, spec: &FieldSpec) {
    field.spec.groups.extend(spec.groups.iter().cloned());
    field.spec.maps.extend(spec.maps.iter().cloned());
}

/// Adds what stands in the head of a method to what stands in front of it.
fn join(spec: &mut MethodSpec, more: MethodSpec) {
    if spec.is_empty() {
        *spec = more;
        return;
    }
    let mut cases = more.cases.into_iter();
    if !more.also
        && let (Some(last), Some(first)) = (spec.cases.last_mut(), cases.next())
    {
        last.clauses.extend(first.clauses);
        last.nested.extend(first.nested);
    }
    spec.cases.extend(cases);
    spec.implies_that.extend(more.implies_that);
    spec.for_example.extend(more.for_example);
}
