//! Java text → a syntax tree, by tree-sitter, which goes on after errors.
//!
//! Constructors without a body, as `.jml` files have them, are no Java: their semicolons become `{}`
//! for the parser, and offsets are mapped back. Invariant: spans are of the original text.

use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use crate::span::{FileId, Span};

/// Steps of the parser per byte of text, in hundreds; past that the text is no Java.
const EFFORT_PER_BYTE: usize = 4;
const LEAST_EFFORT: usize = 50_000;

/// A syntax tree with the text it is of.
pub(crate) struct JavaTree<'t> {
    pub text: &'t str,
    pub file: FileId,
    tree: Tree,
    /// Offsets, in the text that was parsed, of bytes that are not in the original.
    inserted: Vec<u32>,
}

impl<'t> JavaTree<'t> {
    /// The tree of `text`; `None` if it takes too much to parse it.
    pub fn new(text: &'t str, file: FileId, bodies_absent: bool) -> Option<JavaTree<'t>> {
        let tree = parse(text)?;
        let whole = JavaTree { text, file, tree, inserted: Vec::new() };
        if !bodies_absent || !whole.root().has_error() {
            return Some(whole);
        }
        let (patched, inserted) = with_bodies(text);
        let tree = parse(&patched)?;
        Some(JavaTree { text, file, tree, inserted })
    }

    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    pub fn span(&self, node: Node<'_>) -> Span {
        Span::new(self.file, self.offset(node.start_byte()), self.offset(node.end_byte()))
    }

    fn offset(&self, parsed: usize) -> u32 {
        let parsed = u32::try_from(parsed).unwrap_or(u32::MAX);
        let before = self.inserted.partition_point(|at| *at < parsed);
        parsed - before as u32
    }

    pub fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The text of a node.
    pub fn of(&self, node: Node<'_>) -> &'t str {
        self.slice(self.span(node))
    }

    /// Where Java's syntax is broken first.
    pub fn first_error(&self) -> Option<Span> {
        if !self.root().has_error() {
            return None;
        }
        let mut cursor = self.root().walk();
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() {
                let span = self.span(node);
                return Some(Span::new(self.file, span.start, span.end.min(span.start + 80)));
            }
            let into = node.has_error() && cursor.goto_first_child();
            while !into && !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Some(Span::new(self.file, 0, 0));
                }
            }
        }
    }
}

fn parse(text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_java_orchard::LANGUAGE.into()).ok()?;
    let mut effort = LEAST_EFFORT + text.len() * EFFORT_PER_BYTE;
    let mut within = |_: &tree_sitter::ParseState| {
        effort = effort.saturating_sub(1);
        if effort == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut within);
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options))
}

/// `text` with `{}` for the semicolon behind each `Name(…)` or `Name(…) throws T` that no type
/// stands in front of; and where bytes were put in.
fn with_bodies(text: &str) -> (String, Vec<u32>) {
    let mut patched = String::with_capacity(text.len() + 64);
    let mut inserted = Vec::new();
    let mut head = Head::default();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest[0] {
            b'/' if rest.starts_with(b"//") => until(rest, b"\n"),
            b'/' if rest.starts_with(b"/*") => until(&rest[2..], b"*/") + 2,
            b'"' => quoted(rest, b'"'),
            b'\'' => quoted(rest, b'\''),
            byte if is_word(byte) => {
                let length = rest.iter().take_while(|byte| is_word(**byte)).count();
                head.word(&text[at..at + length]);
                length
            }
            byte => {
                if byte == b';' && head.is_constructor() {
                    patched.push_str("{}");
                    inserted.push((patched.len() - 1) as u32);
                    head = Head::default();
                    at += 1;
                    continue;
                }
                head.symbol(byte);
                1
            }
        };
        let end = (at + length).min(bytes.len());
        patched.push_str(text.get(at..end).unwrap_or_default());
        at = end;
    }
    (patched, inserted)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.') || byte >= 0x80
}

fn until(bytes: &[u8], end: &[u8]) -> usize {
    bytes
        .windows(end.len())
        .position(|window| window == end)
        .map_or(bytes.len(), |at| at + end.len())
}

fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// What was seen since the last declaration ended.
#[derive(Default)]
struct Head {
    words: u32,
    /// How many words there were in front of the parentheses.
    words_before: Option<u32>,
    depth: u32,
    angles: u32,
    other: bool,
    annotation: bool,
}

impl Head {
    fn word(&mut self, word: &str) {
        let modifier = matches!(word, "public" | "protected" | "private");
        let skipped = std::mem::take(&mut self.annotation);
        if self.depth == 0 && self.angles == 0 && !modifier && !skipped {
            self.words += 1;
        }
    }

    fn symbol(&mut self, byte: u8) {
        match byte {
            b'(' => {
                if self.depth == 0 && self.words > 0 {
                    self.words_before.get_or_insert(self.words);
                }
                self.depth += 1;
            }
            b')' => self.depth = self.depth.saturating_sub(1),
            b'<' => self.angles += 1,
            b'>' => self.angles = self.angles.saturating_sub(1),
            b'{' | b'}' | b';' if self.depth == 0 => *self = Head::default(),
            b'=' if self.depth == 0 => self.other = true,
            b'@' => self.annotation = true,
            _ => {}
        }
    }

    fn is_constructor(&self) -> bool {
        self.words_before == Some(1) && self.depth == 0 && !self.other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(with_bodies(text).0, expect);
    }

    #[test]
    fn constructors_get_bodies() {
        check("class A { public A(int x); }", "class A { public A(int x){} }");
        check("class A { A() throws E, F; int m(); }", "class A { A() throws E, F{} int m(); }");
        check("class A { <T> A(List<T> x); A(); }", "class A { <T> A(List<T> x){} A(){} }");
        check("class A { @B A(); @B(1) A(); }", "class A { @B A(){} @B(1) A(){} }");
    }

    #[test]
    fn other_declarations_stay() {
        let text = "class A { int x = f(); static A m(); /* A(); */ List<A> n(); // A();\n }";
        check(text, text);
    }

    #[test]
    fn spans_are_of_the_original() {
        let text = "class A { A(); A(int x); int é; }";
        let tree = JavaTree::new(text, FileId::JAVA, true).expect("short");
        assert!(!tree.root().has_error());
        let class = tree.root().child(0).expect("a class");
        assert_eq!(tree.of(class), text);
        let body = class.child_by_field_name("body").expect("a body");
        let field = body.named_child(2).expect("a field");
        assert_eq!(tree.of(field), "int é;");
    }
}
