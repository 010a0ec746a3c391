//! Which statement of a test method a line belongs to, by the text of the emitted source.
//!
//! The writer puts every statement of a test on a line of its own, eight columns in, and what does
//! not fit on it further in.

/// The statements of a test method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statements {
    /// The first line of each, counted from 1, and whether it asserts something.
    starts: Vec<(u32, bool)>,
    /// The line after the last.
    end: u32,
}

const INDENT: &str = "        ";
/// The end of a test method.
const END: &str = "    }";

impl Statements {
    /// Those of a method of this source.
    pub(crate) fn of(source: &str, method: &str) -> Self {
        let head = format!("void {method}(");
        let mut lines = (1..).zip(source.lines()).skip_while(|(_, line)| !line.contains(&head));
        lines.next();
        let mut found = Self { starts: Vec::new(), end: 0 };
        for (number, line) in lines {
            found.end = number;
            if line == END {
                break;
            }
            let is_start = |text: &str| !text.starts_with([' ', '}', '/']);
            if let Some(text) = line.strip_prefix(INDENT).filter(|text| is_start(text)) {
                let asserts = ["assert", "verify("].iter().any(|start| text.starts_with(start));
                found.starts.push((number, asserts));
            }
        }
        found
    }

    /// The statement that a line belongs to.
    fn at(&self, line: u32) -> Option<usize> {
        let count = self.starts.iter().take_while(|(start, _)| *start <= line).count();
        count.checked_sub(1).filter(|_| line < self.end)
    }

    /// Whether the line belongs to the last statement.
    pub(crate) fn is_in_last(&self, line: u32) -> bool {
        self.is_in_last_of(line, 1)
    }

    /// Whether the line belongs to one of so many last statements.
    pub(crate) fn is_in_last_of(&self, line: u32, count: usize) -> bool {
        self.at(line).is_some_and(|at| at + count >= self.starts.len())
    }

    /// The number, among the assertions, of that which the line belongs to.
    pub(crate) fn assertion_at(&self, line: u32) -> Option<usize> {
        let at = self.at(line).filter(|at| self.starts[*at].1)?;
        Some(self.starts[..at].iter().filter(|(_, asserts)| *asserts).count())
    }

    /// How many of them assert something.
    pub(crate) fn assertions(&self) -> usize {
        self.starts.iter().filter(|(_, asserts)| *asserts).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
class FooTest {
    @Test
    void bar()
           throws Exception {
        // why
        Foo foo = new Foo(new Comparator() {
            @Override
            public int compare(Object a, Object b) {
                return 0;
            }
        });
        assertEquals(
                1,
                foo.bar());
        assertTrue(foo.isBar());
    }

    @Test
    void barTwice() {
        try {
            foo();
        } catch (Throwable ignored) {
            // the test goes on without this call
        }
    }
}
";

    #[test]
    fn lines_are_told_by_their_statements() {
        let bar = Statements::of(SOURCE, "bar");
        assert_eq!((bar.starts.clone(), bar.end), (vec![(6, false), (12, true), (15, true)], 16));
        let assertions: Vec<_> = (5..=16).map(|line| bar.assertion_at(line)).collect();
        assert_eq!(assertions[..7], [None; 7]);
        assert_eq!(assertions[7..], [Some(0), Some(0), Some(0), Some(1), None]);
        assert_eq!(bar.assertions(), 2);
        assert!(bar.is_in_last(15) && !bar.is_in_last(14) && !bar.is_in_last(16));
        assert!(bar.is_in_last_of(12, 2) && !bar.is_in_last_of(6, 2) && !bar.is_in_last_of(16, 2));
        let twice = Statements::of(SOURCE, "barTwice");
        assert_eq!((twice.starts.clone(), twice.assertions()), (vec![(20, false)], 0));
        assert!(twice.is_in_last(21));
    }

    #[test]
    fn a_method_that_is_not_there_has_no_statements() {
        let none = Statements::of(SOURCE, "baz");
        assert_eq!((none.assertions(), none.assertion_at(3)), (0, None));
        assert!(!none.is_in_last(3));
    }
}
