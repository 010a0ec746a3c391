//! Counts the assertions of emitted tests, as text: `assertSomething(` where a name can begin.

use std::path::Path;

use crate::StudyError;

/// The assertions in these files together.
pub(crate) fn count_in<P: AsRef<Path>>(files: &[P]) -> Result<u32, StudyError> {
    let mut sum = 0;
    for file in files {
        let file = file.as_ref();
        let text = std::fs::read_to_string(file).map_err(StudyError::io("read", file))?;
        sum += count(&text);
    }
    Ok(sum)
}

fn count(source: &str) -> u32 {
    let calls = source.match_indices("assert").filter(|(at, name)| {
        let before = source[..*at].chars().next_back();
        let mut rest = source[at + name.len()..].chars();
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        before.is_none_or(|c| !is_name(c))
            && rest.next().is_some_and(char::is_uppercase)
            && rest.find(|c| !is_name(*c)) == Some('(')
    });
    calls.count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_count_and_imports_do_not() {
        let source = "import static org.junit.jupiter.api.Assertions.assertEquals;\n\
            void t() { assertEquals(1, x); Assertions.assertTrue(myassertX(1)); assert (true);\n\
            assertThrows(E.class, () -> f()); }";
        assert_eq!(count(source), 3);
    }
}
