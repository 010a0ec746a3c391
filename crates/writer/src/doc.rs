//! Text with places where it may be broken, and laying it out within a width.
//!
//! Classes stay references until the file is laid out, because how they are spelled depends on
//! what else the file mentions. The algorithm is Wadler's: a group is on one line if it fits.

use model::ClassName;

use crate::imports::Spelling;

/// Columns a line may have.
const WIDTH: usize = 100;
/// Indentation inside braces.
const BLOCK: usize = 4;
/// What the line breaks of blocks are made of.
const HARD: &Doc = &Doc::Hard;
/// Indentation of continued lines.
const CONTINUATION: usize = 8;

/// A piece of source.
#[derive(Clone, Debug)]
pub(crate) enum Doc {
    /// Text without a line break.
    Text(String),
    /// The name of a class.
    Class(ClassName),
    /// The name of a class used as a type, raw if the class is generic.
    Type(ClassName),
    /// A space, or a line break.
    Line,
    /// Nothing, or a line break.
    Soft,
    /// Pieces in a row.
    Seq(Vec<Doc>),
    /// Pieces that break all together or not at all.
    Group(Vec<Doc>),
    /// Pieces whose line breaks are indented as continuations.
    Nest(Vec<Doc>),
    /// Pieces with a space or break between each, as many on a line as fit.
    Fill(Vec<Doc>),
    /// Pieces on lines of their own, indented as in braces, and the start of a line behind them.
    Block(Vec<Doc>),
    /// A line break.
    Hard,
}

impl Doc {
    /// Plain text.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// `head(a, b)`: arguments on one line, or each on its own.
    pub(crate) fn call(head: Doc, args: Vec<Doc>) -> Self {
        if args.is_empty() {
            return Self::Seq(vec![head, Self::text("()")]);
        }
        let mut inner = vec![Self::Soft];
        inner.extend(separated(args, Self::Line));
        Self::Group(vec![head, Self::text("("), Self::Nest(inner), Self::text(")")])
    }

    /// `{a, b}`: elements on one line, or filled into several.
    pub(crate) fn braces(elements: Vec<Doc>) -> Self {
        let count = elements.len();
        let filled = elements.into_iter().enumerate().map(|(i, element)| {
            let comma = if i + 1 < count { "," } else { "" };
            Self::Seq(vec![element, Self::text(comma)])
        });
        let inner = Self::Nest(vec![Self::Soft, Self::Fill(filled.collect())]);
        Self::Group(vec![Self::text("{"), inner, Self::text("}")])
    }

    /// `{`, each piece on a line of its own, `}`.
    pub(crate) fn block(lines: Vec<Doc>) -> Self {
        Self::Seq(vec![Self::text("{"), Self::Block(lines), Self::text("}")])
    }

    /// All classes mentioned, in order.
    pub(crate) fn classes(&self, found: &mut Vec<ClassName>) {
        match self {
            Self::Class(name) | Self::Type(name) => found.push(name.clone()),
            Self::Seq(parts)
            | Self::Group(parts)
            | Self::Nest(parts)
            | Self::Fill(parts)
            | Self::Block(parts) => {
                parts.iter().for_each(|p| p.classes(found));
            }
            Self::Text(_) | Self::Line | Self::Soft | Self::Hard => {}
        }
    }

    /// How often a class that satisfies the condition is used as a type.
    pub(crate) fn count_types(&self, is: &dyn Fn(&ClassName) -> bool) -> usize {
        match self {
            Self::Type(name) => usize::from(is(name)),
            Self::Seq(parts)
            | Self::Group(parts)
            | Self::Nest(parts)
            | Self::Fill(parts)
            | Self::Block(parts) => parts.iter().map(|p| p.count_types(is)).sum(),
            Self::Text(_) | Self::Class(_) | Self::Line | Self::Soft | Self::Hard => 0,
        }
    }

    /// Roughly how many columns it takes on one line.
    pub(crate) fn width(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Class(name) | Self::Type(name) => name.local().len(),
            Self::Line => 1,
            Self::Soft | Self::Hard => 0,
            // More than fits any line.
            Self::Block(_) => WIDTH,
            Self::Seq(parts) | Self::Group(parts) | Self::Nest(parts) => {
                parts.iter().map(Self::width).sum()
            }
            Self::Fill(parts) => parts.iter().map(|p| p.width() + 1).sum(),
        }
    }

    /// Roughly how many columns it takes up to the first place where a line can be broken.
    pub(crate) fn head_width(&self) -> usize {
        self.head().0
    }

    fn head(&self) -> (usize, bool) {
        match self {
            Self::Text(_) | Self::Class(_) | Self::Type(_) => (self.width(), false),
            Self::Line | Self::Soft | Self::Hard => (0, true),
            Self::Block(_) => (0, true),
            Self::Seq(parts) | Self::Group(parts) | Self::Nest(parts) | Self::Fill(parts) => {
                let mut width = 0;
                for part in parts {
                    let (more, broken) = part.head();
                    width += more;
                    if broken {
                        return (width, true);
                    }
                }
                (width, false)
            }
        }
    }

    /// Appends the source, starting at a column of `indent`.
    pub(crate) fn layout(&self, names: &Spelling, indent: usize, out: &mut String) {
        Layout { names, column: indent, out }.run(self, indent);
    }
}

/// The pieces with a comma and `gap` between them.
pub(crate) fn separated(pieces: Vec<Doc>, gap: Doc) -> Vec<Doc> {
    let mut out = Vec::with_capacity(pieces.len() * 3);
    for (i, piece) in pieces.into_iter().enumerate() {
        if i > 0 {
            out.push(Doc::text(","));
            out.push(gap.clone());
        }
        out.push(piece);
    }
    out
}

#[derive(Clone, Copy)]
struct Item<'d> {
    indent: usize,
    flat: bool,
    doc: &'d Doc,
    /// Set on pieces of a fill past the first: a gap comes before the piece.
    gap: bool,
}

struct Layout<'a> {
    names: &'a Spelling,
    column: usize,
    out: &'a mut String,
}

impl Layout<'_> {
    fn run(&mut self, doc: &Doc, indent: usize) {
        let mut stack = vec![Item { indent, flat: false, doc, gap: false }];
        while let Some(item) = stack.pop() {
            if item.gap {
                let whole = Item { flat: true, ..item };
                if item.flat || self.fits(whole, &stack) {
                    self.put(" ");
                } else {
                    self.newline(item.indent);
                }
                stack.push(Item { gap: false, ..item });
                continue;
            }
            match item.doc {
                Doc::Text(text) => self.put(text),
                Doc::Class(name) | Doc::Type(name) => self.put(self.names.of(name)),
                Doc::Line if item.flat => self.put(" "),
                Doc::Soft if item.flat => {}
                Doc::Line | Doc::Soft => self.newline(item.indent),
                Doc::Seq(parts) => push(&mut stack, item, parts),
                Doc::Nest(parts) => {
                    push(&mut stack, Item { indent: item.indent + CONTINUATION, ..item }, parts);
                }
                Doc::Group(parts) => {
                    let flat = item.flat || self.fits(Item { flat: true, ..item }, &stack);
                    push(&mut stack, Item { flat, ..item }, parts);
                }
                Doc::Fill(parts) => push_fill(&mut stack, item, parts),
                Doc::Hard => self.newline(item.indent),
                Doc::Block(parts) => {
                    stack.push(Item { doc: HARD, ..item });
                    let inner = Item { indent: item.indent + BLOCK, flat: false, ..item };
                    for doc in parts.iter().rev() {
                        stack.push(Item { doc, ..inner });
                        stack.push(Item { doc: HARD, ..inner });
                    }
                }
            }
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn newline(&mut self, indent: usize) {
        // An empty line has no indentation.
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
    }

    /// Whether the first item, flat, and what follows it up to a possible break fit the line.
    fn fits<'d>(&self, first: Item<'d>, rest: &[Item<'d>]) -> bool {
        let Some(mut left) = WIDTH.checked_sub(self.column) else { return false };
        let mut stack = vec![first];
        let mut next = rest.len();
        loop {
            let Some(item) = stack.pop() else {
                if next == 0 {
                    return true;
                }
                next -= 1;
                stack.push(rest[next]);
                continue;
            };
            let mut taken = 0;
            if item.gap {
                if !item.flat {
                    return true;
                }
                taken += 1;
            }
            match item.doc {
                Doc::Text(text) => taken += text.chars().count(),
                Doc::Class(name) | Doc::Type(name) => {
                    taken += self.names.of(name).chars().count();
                }
                Doc::Line if item.flat => taken += 1,
                Doc::Soft if item.flat => {}
                Doc::Line | Doc::Soft | Doc::Hard | Doc::Block(_) => return true,
                Doc::Seq(parts) | Doc::Group(parts) | Doc::Nest(parts) => {
                    push(&mut stack, item, parts);
                }
                Doc::Fill(parts) => push_fill(&mut stack, item, parts),
            }
            let Some(still) = left.checked_sub(taken) else { return false };
            left = still;
        }
    }
}

fn push<'d>(stack: &mut Vec<Item<'d>>, item: Item<'d>, parts: &'d [Doc]) {
    stack.extend(parts.iter().rev().map(|doc| Item { doc, gap: false, ..item }));
}

fn push_fill<'d>(stack: &mut Vec<Item<'d>>, item: Item<'d>, parts: &'d [Doc]) {
    let items = parts.iter().enumerate().map(|(i, doc)| Item { doc, gap: i > 0, ..item });
    stack.extend(items.rev());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(doc: &Doc, expected: &str) {
        let mut out = String::new();
        doc.layout(&Spelling::default(), 0, &mut out);
        assert_eq!(out, expected);
    }

    fn words(count: usize, width: usize) -> Vec<Doc> {
        (0..count).map(|_| Doc::text("w".repeat(width))).collect()
    }

    #[test]
    fn a_call_that_fits_stays_on_its_line() {
        check(&Doc::call(Doc::text("f"), words(2, 3)), "f(www, www)");
        check(&Doc::call(Doc::text("f"), vec![]), "f()");
    }

    #[test]
    fn a_long_call_has_one_argument_a_line() {
        let w = "w".repeat(60);
        let expected = format!("f(\n        {w},\n        {w})");
        check(&Doc::call(Doc::text("f"), words(2, 60)), &expected);
    }

    #[test]
    fn long_arrays_are_filled() {
        let w = "w".repeat(40);
        let expected = format!("{{\n        {w}, {w},\n        {w}}}");
        check(&Doc::braces(words(3, 40)), &expected);
    }

    #[test]
    fn what_follows_a_group_counts_for_its_fit() {
        let inner = Doc::call(Doc::text("f"), words(1, 90));
        let doc = Doc::Seq(vec![inner, Doc::text("1234567;")]);
        let expected = format!("f(\n        {})1234567;", "w".repeat(90));
        check(&doc, &expected);
    }
}
