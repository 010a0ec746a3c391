//! Places in source files: ranges of bytes, and the lines and columns that people read.
//!
//! A specification of one class may stand in two files (`Foo.java` and `Foo.jml`), so a span says
//! which file it is of. Invariant: a span made by this crate lies within its file, on borders of
//! characters.

/// Which of a source's files: [`FileId::JAVA`], or a `.jml` beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileId(pub u8);

impl FileId {
    /// The `.java` file (or the only file there is).
    pub const JAVA: FileId = FileId(0);
}

/// A range of bytes of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to `end`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end: end.max(start) }
    }

    /// From the start of this to the end of `last`.
    pub fn to(self, last: Span) -> Span {
        Span::new(self.file, self.start, last.end.max(self.end))
    }

    /// Whether `other` lies within this.
    pub fn contains(self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The bytes as a range that can index a text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether there are no bytes.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// The lines of `text`: ended by `\n`, `\r\n` or `\r`, as in the JLS (3.4).
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                starts.push(u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
        }
        LineIndex { starts }
    }

    /// Line and column of the byte at `offset` of `text`, the text this was made of.
    pub fn position(&self, text: &str, offset: u32) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset).max(1) - 1;
        let start = self.starts.get(line).map_or(0, |start| *start as usize);
        let before = text.get(start..offset as usize).unwrap_or_default();
        let column = before.chars().count() + 1;
        Position {
            line: u32::try_from(line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// The byte a line (from 1) begins with.
    pub fn line_start(&self, line: u32) -> Option<u32> {
        self.starts.get((line as usize).checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, offset: u32, expect: (u32, u32)) {
        let found = LineIndex::new(text).position(text, offset);
        assert_eq!((found.line, found.column), expect);
    }

    #[test]
    fn lines_and_columns_begin_with_one() {
        check("ab\ncd", 0, (1, 1));
        check("ab\ncd", 4, (2, 2));
        check("", 0, (1, 1));
    }

    #[test]
    fn all_line_ends_of_java_count_once() {
        check("a\r\nb", 3, (2, 1));
        check("a\rb", 2, (2, 1));
    }

    #[test]
    fn columns_count_characters() {
        check("äö x", 5, (1, 4));
    }

    #[test]
    fn an_offset_past_the_end_is_of_the_last_line() {
        check("a\nb", 3, (2, 2));
        check("a\nb", 30, (2, 1));
    }
}
