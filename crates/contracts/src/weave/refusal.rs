//! Errors of javac, back to what they are about.

use super::program::{Program, TypeId};
use super::splice::{Blame, Mark};
use crate::span::Span;

/// An error of the compiler about a woven source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompilerError {
    /// The source, by the name it was given to the weaver.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, as javac counts: a tab goes up to the next multiple of eight.
    pub column: u32,
    /// What it said.
    pub message: String,
}

/// Whom an error at a place is to be blamed on.
pub(super) fn blamed(text: &str, marks: &[Mark], line: u32, column: u32) -> Option<Blame> {
    let (start, end) = line_at(text, line)?;
    let at = start + offset_in(text.get(start..end)?, column);
    let here = marks.iter().find(|mark| mark.start <= at && at < mark.end.max(mark.start + 1));
    if let Some(mark) = here {
        return mark.blame;
    }
    // An error may be told at the end of what it is about.
    let before = marks.iter().filter(|mark| mark.end <= at && mark.start >= start);
    before.max_by_key(|mark| mark.end).filter(|mark| mark.end + 1 >= at)?.blame
}

/// What may be to blame for an error in a line of which nothing was put in: what is woven for the
/// method around it, then for the types around it, then what stands in for inherited methods. The
/// sources compile without their checks, so one of these is.
pub(super) fn suspects(program: &Program<'_>, file: &str, line: u32) -> Vec<Blame> {
    let touches = |ty: TypeId, span: Span| {
        let file = program.source(ty).file(span.file);
        file.is_some_and(|file| {
            let line_of = |at: u32| file.lines.position(&file.text, at).line;
            line_of(span.start) <= line && line <= line_of(span.end.saturating_sub(1))
        })
    };
    let types = program.types.iter().enumerate();
    let here: Vec<TypeId> = types
        .filter(|(id, ty)| program.source(*id).name() == file && touches(*id, ty.decl.span))
        .map(|(id, _)| id)
        .collect();
    let mut methods: Vec<(u32, Blame)> = Vec::new();
    let mut around: Vec<(u32, Blame)> = Vec::new();
    for &id in &here {
        let decl = program.types[id].decl;
        around.push((decl.span.end - decl.span.start, Blame::Type(id)));
        for (at, method) in decl.methods.iter().enumerate() {
            if touches(id, method.span) {
                let length = method.span.end - method.span.start;
                methods.push((length, Blame::Method(id, at)));
            }
        }
    }
    methods.sort_unstable();
    around.sort_unstable();
    let inherited = program.inherited().into_iter();
    let inherited = inherited.map(|one| Blame::Inherited(one.ty, one.from.0, one.from.1));
    methods.into_iter().chain(around).map(|(_, blame)| blame).chain(inherited).collect()
}

fn line_at(text: &str, line: u32) -> Option<(usize, usize)> {
    let mut start = 0;
    for _ in 1..line {
        let rest = text.get(start..)?;
        let at = rest.find(['\n', '\r'])?;
        let width = if rest[at..].starts_with("\r\n") { 2 } else { 1 };
        start += at + width;
    }
    let rest = text.get(start..)?;
    Some((start, start + rest.find(['\n', '\r']).unwrap_or(rest.len())))
}

/// The byte of a line that javac means by a column.
fn offset_in(line: &str, column: u32) -> usize {
    let mut at = 0_u32;
    for (offset, c) in line.char_indices() {
        if at + 1 >= column {
            return offset;
        }
        at = if c == '\t' { (at / 8 + 1) * 8 } else { at + c.len_utf16() as u32 };
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: u32, column: u32, expect: Option<Blame>) {
        let text = "a\n\tb CLAUSE c\n";
        let start = text.find("CLAUSE").expect("it is there");
        let mark = Mark { start, end: start + 6, blame: Some(Blame::Clause(3)) };
        assert_eq!(blamed(text, &[mark], line, column), expect);
    }

    #[test]
    fn columns_count_tabs_as_javac_does() {
        check(2, 11, Some(Blame::Clause(3)));
        check(2, 16, Some(Blame::Clause(3)));
        check(2, 9, None);
    }

    #[test]
    fn what_an_error_of_other_code_leaves_out_first_is_the_method_around_it() {
        use crate::weave::{NoSupertypes, Options, weave};
        let text = "class A {\n  //@ requires k > 0;\n  void a(int k) {\n    int i = k;\n  }\n  \
                    //@ requires k > 1;\n  void b(int k) { }\n}\n";
        let (source, _) = crate::parse("A.java", text);
        let sources = [source];
        let mut weaving = weave(&sources, &NoSupertypes, &Options::default());
        let message = "incompatible types".to_owned();
        let error = CompilerError { file: "A.java".to_owned(), line: 4, column: 5, message };
        assert!(weaving.refused(std::slice::from_ref(&error)));
        let skipped: Vec<u32> = weaving.skipped.iter().map(|one| one.clause).collect();
        assert_eq!((skipped, weaving.counts()), (vec![1], (1, 2)));
    }

    #[test]
    fn other_lines_are_nobodys_fault() {
        check(1, 1, None);
        check(9, 1, None);
    }
}
