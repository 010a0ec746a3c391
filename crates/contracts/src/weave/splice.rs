//! Text that is put into a source, and who is to blame for it.
//!
//! Invariant: what is put in has no line ends, so every line of the source keeps its number.

use super::clause::ClauseId;
use super::program::TypeId;

/// What is dropped when javac does not take a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Blame {
    /// A clause.
    Clause(ClauseId),
    /// Its evaluation in big integers only.
    Big(ClauseId),
    /// The values of its parts only.
    Values(ClauseId),
    /// All that is woven for a method: the type, and which of its methods.
    Method(TypeId, usize),
    /// The checks of an inherited method: the type that inherits it, the declaration with its body.
    Inherited(TypeId, TypeId, usize),
    /// All that is woven for a type beside its methods.
    Type(TypeId),
}

/// Text, each part with whom to blame for it.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces(Vec<(String, Option<Blame>)>);

impl Pieces {
    pub fn new() -> Pieces {
        Pieces::default()
    }

    /// Text nobody is to blame for but whoever uses the whole.
    pub fn glue(&mut self, text: impl AsRef<str>) -> &mut Pieces {
        self.add(text, None)
    }

    pub fn add(&mut self, text: impl AsRef<str>, blame: Option<Blame>) -> &mut Pieces {
        let text = text.as_ref();
        if !text.is_empty() {
            match self.0.last_mut() {
                Some((last, same)) if *same == blame => last.push_str(text),
                _ => self.0.push((text.to_owned(), blame)),
            }
        }
        self
    }

    pub fn append(&mut self, other: Pieces) -> &mut Pieces {
        for (text, blame) in other.0 {
            self.add(text, blame);
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same, where nobody is to blame so far this one is.
    pub fn blaming(mut self, blame: Blame) -> Pieces {
        for (_, whom) in &mut self.0 {
            whom.get_or_insert(blame);
        }
        self
    }
}

/// A source with what is to be put in.
#[derive(Debug, Default)]
pub(super) struct Splices(Vec<(u32, i32, Pieces)>);

impl Splices {
    /// Puts text at a byte; of several at one, the lower rank comes first, then the earlier.
    pub fn insert(&mut self, at: u32, rank: i32, pieces: Pieces) {
        if !pieces.is_empty() {
            self.0.push((at, rank, pieces));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The source with all of it, and where the parts are.
    pub fn apply(mut self, source: &str) -> (String, Vec<Mark>) {
        self.0.sort_by_key(|(at, rank, _)| (*at, *rank));
        let mut text = String::with_capacity(source.len() * 2);
        let mut marks = Vec::new();
        let mut done = 0;
        for (at, _, pieces) in self.0 {
            let at = at as usize;
            text.push_str(source.get(done..at).unwrap_or_default());
            done = done.max(at);
            for (part, blame) in pieces.0 {
                let start = text.len();
                text.extend(part.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
                marks.push(Mark { start, end: text.len(), blame });
            }
        }
        text.push_str(source.get(done..).unwrap_or_default());
        (text, marks)
    }
}

/// A part of a woven text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    pub start: usize,
    pub end: usize,
    pub blame: Option<Blame>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_and_parts_their_blame() {
        let mut splices = Splices::default();
        let mut pieces = Pieces::new();
        pieces.glue("x(").add("y\n z", Some(Blame::Clause(7))).glue(");");
        splices.insert(3, 1, pieces);
        let mut first = Pieces::new();
        first.glue("w;");
        splices.insert(3, 0, first);
        let (text, marks) = splices.apply("a {\n}");
        assert_eq!(text, "a {w;x(y  z);\n}");
        let blamed: Vec<&str> =
            marks.iter().filter(|m| m.blame.is_some()).map(|m| &text[m.start..m.end]).collect();
        assert_eq!(blamed, ["y  z"]);
    }
}
