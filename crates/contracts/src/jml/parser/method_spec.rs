//! Specifications of methods: cases, `also`, `{| … |}`.

use crate::Severity;
use crate::java::{JavaModifier, Visibility};
use crate::jml::ast::{Behavior, Clause, ClauseKind, MethodSpec, Name, SpecCase, Unchecked};
use crate::jml::keyword;
use crate::span::Span;

use super::{Parsed, Parser};

/// Which of a specification's lists a case goes to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Cases,
    ImpliesThat,
    ForExample,
}

impl Parser<'_> {
    /// Whether a specification of a method begins here, behind its visibility.
    pub(super) fn begins_method_spec(&self) -> bool {
        let word = self.word();
        keyword::method_clause(word).is_some()
            || keyword::behavior(word).is_some()
            || matches!(word, "also" | "implies_that" | "for_example" | "model_program")
            || (word == "code" && keyword::behavior(self.word_ahead(1)).is_some())
            || self.is("{|")
    }

    /// Reads cases into `spec`; `visibility` and `start` are of what stands in front of the first.
    pub(super) fn method_spec(
        &mut self,
        spec: &mut MethodSpec,
        visibility: Option<Visibility>,
        start: Span,
    ) {
        let mut part = Part::Cases;
        let (mut visibility, mut start) = (visibility, start);
        let mut joined = false;
        loop {
            match self.word() {
                "also" => {
                    spec.also |= spec.is_empty();
                    joined = true;
                    start = self.bump_to_next();
                }
                "implies_that" | "for_example" => {
                    let implies = self.word() == "implies_that";
                    part = if implies { Part::ImpliesThat } else { Part::ForExample };
                    let span = self.token().span;
                    self.note(span, format!("`{}` is not checked", self.word()));
                    joined = true;
                    start = self.bump_to_next();
                }
                _ => {}
            }
            if let Some(found) = self.visibility_of_case() {
                visibility = Some(found);
                self.bump();
            }
            if !self.begins_method_spec() {
                let problem = self.expected("a specification case");
                return self.fail(&problem);
            }
            if !matches!(self.word(), "also" | "implies_that" | "for_example") {
                let (case, example) = self.spec_case(visibility.take(), start);
                let part = if example { Part::ForExample } else { part };
                self.add_case(spec, part, case, joined);
                joined = false;
            }
            let again = matches!(self.word(), "also" | "implies_that" | "for_example");
            if !again {
                return;
            }
            start = self.token().span;
        }
    }

    fn bump_to_next(&mut self) -> Span {
        self.bump();
        self.token().span
    }

    /// A visibility here that a behavior follows.
    fn visibility_of_case(&self) -> Option<Visibility> {
        let next = self.word_ahead(1);
        if next != "code" && next != "model_program" && keyword::behavior(next).is_none() {
            return None;
        }
        match keyword::java_modifier(self.word())? {
            JavaModifier::Public => Some(Visibility::Public),
            JavaModifier::Protected => Some(Visibility::Protected),
            JavaModifier::Private => Some(Visibility::Private),
            _ => None,
        }
    }

    fn add_case(&mut self, spec: &mut MethodSpec, part: Part, case: SpecCase, joined: bool) {
        let cases = match part {
            Part::Cases => &mut spec.cases,
            Part::ImpliesThat => &mut spec.implies_that,
            Part::ForExample => &mut spec.for_example,
        };
        // Clauses behind something that was not understood go on with the case before it.
        match cases.last_mut() {
            Some(last) if !joined && case.behavior == Behavior::Lightweight => {
                last.span = last.span.to(case.span);
                last.clauses.extend(case.clauses);
                last.nested.extend(case.nested);
            }
            _ => {
                let missing = !joined && !cases.is_empty();
                let span = case.span;
                cases.push(case);
                if missing {
                    self.say(Severity::Warning, span, "`also` is missing in front of this case");
                }
            }
        }
    }

    /// A case, and whether it is an example.
    fn spec_case(&mut self, visibility: Option<Visibility>, start: Span) -> (SpecCase, bool) {
        let code = self.word() == "code";
        if code {
            self.bump();
        }
        let (behavior, example) = match keyword::behavior(self.word()) {
            Some(found) => {
                self.bump();
                self.eat(":");
                found
            }
            None => (Behavior::Lightweight, false),
        };
        let (clauses, nested) = (Vec::new(), Vec::new());
        let mut case = SpecCase { span: start, behavior, visibility, code, clauses, nested };
        self.case_body(&mut case);
        case.span = self.span_from(start);
        (case, example)
    }

    fn case_body(&mut self, case: &mut SpecCase) {
        loop {
            if let Some(begins) = keyword::method_clause(self.word()) {
                let from = self.token().span;
                match self.clause(begins) {
                    Ok(clause) => case.clauses.push(clause),
                    Err(problem) => {
                        self.fail(&problem);
                        self.recover();
                        case.clauses.push(self.broken_clause(from));
                    }
                }
            } else if self.is("{|") {
                if let Err(problem) = self.nested_cases(case) {
                    self.fail(&problem);
                    self.recover();
                }
            } else if self.word() == "model_program" || self.is("{") {
                match self.model_program() {
                    Ok(clause) => case.clauses.push(clause),
                    Err(problem) => {
                        self.fail(&problem);
                        self.recover();
                    }
                }
            } else {
                return;
            }
        }
    }

    /// What stands for a clause with an error, whose keyword is at `keyword`.
    fn broken_clause(&self, keyword: Span) -> Clause {
        let text = self.slice(keyword).to_owned();
        let redundantly = keyword::redundantly(&text).1;
        let span = self.span_from(keyword);
        let body = Span::new(span.file, keyword.end, span.end);
        let kind = ClauseKind::Unchecked(Unchecked { body });
        Clause { span, keyword: Name { text, span: keyword }, redundantly, kind }
    }

    /// A body in place of clauses, with its keyword or without.
    fn model_program(&mut self) -> Parsed<Clause> {
        let span = self.token().span;
        let keyword = Name { text: "model_program".to_owned(), span };
        self.eat_word("model_program");
        let body = self.brackets()?.span;
        self.note(span, "`model_program` is not checked");
        let kind = ClauseKind::Unchecked(Unchecked { body });
        Ok(Clause { span: self.span_from(span), keyword, redundantly: false, kind })
    }

    fn nested_cases(&mut self, case: &mut SpecCase) -> Parsed<()> {
        self.bump();
        loop {
            let start = self.token().span;
            let nested = self.nested(|parser| Ok(parser.spec_case(None, start).0))?;
            let empty = nested.clauses.is_empty() && nested.nested.is_empty();
            if !empty || self.is("|}") || self.word() == "also" {
                case.nested.push(nested);
            }
            if !self.eat_word("also") {
                break;
            }
        }
        self.expect("|}", "`also` or `|}`")?;
        Ok(())
    }
}
