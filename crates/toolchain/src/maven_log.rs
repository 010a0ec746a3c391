//! Picks from Maven's output what a user needs to see.

/// Lines of errors kept.
const KEPT: usize = 25;

/// Maven's own advice about itself, which helps nobody here.
const ADVICE: [&str; 5] = [
    "To see the full stack trace",
    "Re-run Maven using the -X switch",
    "For more information about the errors",
    "[Help ",
    "After correcting the problems",
];

/// The error lines of an output, each once, without prefix and advice; where there are none, its
/// last lines.
pub(crate) fn errors(output: &str) -> String {
    let output = without_escapes(output);
    let lines = || output.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let mut errors: Vec<&str> = Vec::new();
    for line in lines() {
        let mut error = line;
        // A list of errors repeats the prefix.
        while let Some(rest) = error.strip_prefix("[ERROR]").or(error.strip_prefix("[FATAL]")) {
            error = rest.trim_start();
        }
        if error.len() == line.len() {
            continue;
        }
        let error = error.trim_end_matches("-> [Help 1]").trim_end_matches(['@', ' ']);
        let advice = ADVICE.iter().any(|advice| error.starts_with(advice));
        if !error.is_empty() && !advice && !errors.contains(&error) {
            errors.push(error);
        }
    }
    if errors.is_empty() {
        errors = lines().collect();
        errors.drain(..errors.len().saturating_sub(KEPT));
    }
    errors.truncate(KEPT);
    errors.join("\n")
}

/// Whether a run failed only because it was told to download nothing.
pub(crate) fn needs_network(output: &str) -> bool {
    ["offline mode", "was not found in", "has not been downloaded"]
        .iter()
        .any(|sign| output.contains(sign))
}

/// Without the escape sequences that colour a terminal.
fn without_escapes(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |clean, part| {
        let end = part.find(|c: char| c.is_ascii_alphabetic()).map_or(part.len(), |end| end + 1);
        clean + &part[end..]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(output: &str, expected: &str) {
        assert_eq!(errors(output), expected);
    }

    #[test]
    fn errors_are_kept_once_and_advice_is_not() {
        check(
            "\u{1b}[0m[ERROR] COMPILATION ERROR : \n[INFO] x\n[ERROR] A.java:[1,2] ';' expected\n\
             [ERROR] A.java:[1,2] ';' expected\n[ERROR] -> [Help 1]\n[ERROR] \n\
             [ERROR] Re-run Maven using the -X switch to enable full debug logging.\n\u{1b}[0m",
            "COMPILATION ERROR :\nA.java:[1,2] ';' expected",
        );
    }

    #[test]
    fn repeated_prefixes_are_dropped() {
        check(
            "[ERROR] [ERROR] Some problems\n[FATAL] Bad POM @ \n[ERROR] Bad POM",
            "Some problems\nBad POM",
        );
    }

    #[test]
    fn without_errors_the_last_lines_are_kept() {
        check("sh: java: not found\n\n", "sh: java: not found");
    }
}
