//! From the text of a file to its declarations with their specifications.

use crate::attach;
use crate::diagnostic::{Diagnostic, Severity};
use crate::java::comments::{Comment, comments};
use crate::java::extract::{Outline, outline};
use crate::java::tree::JavaTree;
use crate::jml::Keys;
use crate::jml::lexer::comment_tokens;
use crate::jml::parser::Message;
use crate::jml::token::Token;
use crate::source::{Source, SourceFile};
use crate::span::{FileId, LineIndex, Span};

/// The largest file that is read.
const MAX_BYTES: usize = 1 << 28;

/// Comments with nothing but white space between them: what one says may end in the next.
#[derive(Debug)]
pub(crate) struct Group {
    /// From the first comment to the last.
    pub span: Span,
    pub comments: Vec<Comment>,
    pub tokens: Vec<Token>,
}

/// Reads a `.java` file; no keys of conditional comments are enabled.
pub fn parse(name: &str, text: &str) -> (Source, Vec<Diagnostic>) {
    parse_with(name, text, &Keys::default())
}

/// Reads a `.java` file. Never fails: what is not understood is left out and told.
pub fn parse_with(name: &str, text: &str, keys: &Keys) -> (Source, Vec<Diagnostic>) {
    parse_file(name, text, keys, FileId::JAVA, false)
}

/// Reads a file that is the source's file number `id`.
pub(crate) fn parse_file(
    name: &str,
    text: &str,
    keys: &Keys,
    id: FileId,
    bodies_absent: bool,
) -> (Source, Vec<Diagnostic>) {
    let lines = LineIndex::new(text);
    let file = SourceFile { name: name.to_owned(), text: text.to_owned(), lines };
    let mut messages = Vec::new();
    let read = read(text, keys, id, bodies_absent, &mut messages);
    let Read { outline, groups, whole } = read;
    let Outline { package, imports, types, .. } = outline;
    let annotated = !groups.is_empty();
    let mut source =
        Source { files: Vec::new(), package, imports, types, java_is_whole: whole, annotated };
    attach::attach(&mut source, text, id, groups, &mut messages);
    messages.sort_by_key(|message| message.span.start);
    let diagnostics = messages.into_iter().map(|message| diagnostic(message, &file)).collect();
    source.files.push(file);
    (source, diagnostics)
}

pub(crate) fn diagnostic(message: Message, file: &SourceFile) -> Diagnostic {
    Diagnostic {
        severity: message.severity,
        file: file.name.clone(),
        position: file.lines.position(&file.text, message.span.start),
        span: message.span,
        message: message.text,
    }
}

#[derive(Default)]
struct Read {
    outline: Outline,
    groups: Vec<Group>,
    whole: bool,
}

fn read(
    text: &str,
    keys: &Keys,
    id: FileId,
    bodies_absent: bool,
    messages: &mut Vec<Message>,
) -> Read {
    let mut error = |span: Span, text: &str| {
        messages.push(Message { severity: Severity::Error, span, text: text.to_owned() });
    };
    let nowhere = Span::new(id, 0, 0);
    if text.len() > MAX_BYTES {
        error(nowhere, "this file is too long");
        return Read::default();
    }
    let Some(tree) = JavaTree::new(text, id, bodies_absent) else {
        error(nowhere, "this is not Java, or nested too deeply");
        return Read::default();
    };
    let broken = tree.first_error();
    if let Some(span) = broken {
        error(span, "this is not understood as Java");
    }
    let outline = outline(&tree);
    for span in &outline.omitted {
        error(*span, "types are nested too deeply here");
    }
    let groups = groups(text, keys, id, comments(&tree));
    Read { outline, groups, whole: broken.is_none() }
}

/// Joins comments that only white space parts; leaves out groups without JML.
fn groups(text: &str, keys: &Keys, id: FileId, comments: Vec<Comment>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for comment in comments {
        let span = comment.span;
        let joined = groups.last().is_some_and(|group| {
            let between = text.get(group.span.end as usize..span.start as usize);
            between.is_some_and(|between| between.trim_ascii().is_empty())
        });
        if !joined {
            groups.push(Group { span, comments: Vec::new(), tokens: Vec::new() });
        }
        if let Some(group) = groups.last_mut() {
            let bounds = (span.start as usize, span.end as usize);
            comment_tokens(text, id, bounds, keys, &mut group.tokens);
            group.span = group.span.to(span);
            group.comments.push(comment);
        }
    }
    groups.retain(|group| !group.tokens.is_empty());
    groups
}
