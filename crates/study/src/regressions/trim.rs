//! Takes tests that do not compile out of an emitted source file.
//!
//! It relies on how emitted files are laid out: a test method begins with a line `@Test` indented
//! by four spaces and ends with the next line that is a brace indented so.

use std::collections::BTreeSet;

const TEST: &str = "    @Test";
const END: &str = "    }";

/// The file without what the errors are in, and the names of the tests taken out. An import with an
/// error goes too: what needed it will not compile then.
///
/// `Err` is the first line with an error that is in neither.
pub(super) fn without(
    source: &str,
    errors: &BTreeSet<usize>,
) -> Result<(String, Vec<String>), usize> {
    let lines: Vec<&str> = source.lines().collect();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut names = Vec::new();
    for &error in errors {
        let at = error.wrapping_sub(1);
        let Some(line) = lines.get(at) else { return Err(error) };
        if line.starts_with("import ") {
            gone.insert(at);
            continue;
        }
        if gone.contains(&at) {
            continue;
        }
        let start = (0..=at).rev().find(|n| lines[*n] == TEST).ok_or(error)?;
        let end = (start..lines.len()).find(|n| lines[*n] == END).ok_or(error)?;
        if at > end {
            return Err(error);
        }
        names.extend(lines[start..=end].iter().find_map(|line| name(line)));
        gone.extend(start..=end);
        // The empty line before it.
        gone.extend(start.checked_sub(1).filter(|n| lines[*n].is_empty()));
    }
    let kept = lines.iter().enumerate().filter(|(n, _)| !gone.contains(n));
    let text: String = kept.map(|(_, line)| format!("{line}\n")).collect();
    Ok((text, names))
}

/// Whether a file has a test left.
pub(super) fn has_test(source: &str) -> bool {
    source.lines().any(|line| line == TEST)
}

fn name(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("void ")?;
    rest.split_once('(').map(|(name, _)| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "package a;

import b.C;
import b.D;

class ATest {
    @Test
    void one() {
        if (x) {
        }
    }

    @Test
    void two() throws Exception {
        y();
    }

    static void aid() {
    }
}
";

    fn check(errors: &[usize], expected: Result<&[&str], usize>) -> String {
        let errors = errors.iter().copied().collect();
        let outcome = without(SOURCE, &errors);
        let names = outcome.as_ref().map(|(_, names)| names.clone()).map_err(|line| *line);
        let expected = expected.map(|n| n.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>());
        assert_eq!(names, expected);
        outcome.map(|(text, _)| text).unwrap_or_default()
    }

    #[test]
    fn a_test_goes_as_a_whole_and_once() {
        let text = check(&[15, 14], Ok(&["two"]));
        assert!(text.contains("void one()") && !text.contains("two"), "{text}");
        assert!(has_test(&text));
        let text = check(&[8, 9, 15], Ok(&["one", "two"]));
        assert!(!has_test(&text) && text.contains("aid"), "{text}");
    }

    #[test]
    fn an_import_goes_alone() {
        let text = check(&[4], Ok(&[]));
        assert!(text.contains("import b.C") && !text.contains("import b.D"), "{text}");
    }

    #[test]
    fn what_is_outside_of_tests_is_told() {
        check(&[6], Err(6));
        check(&[18], Err(18));
        check(&[99], Err(99));
    }
}
