//! The table of the manual says nothing that no row here shows.

/// The sources of the rows, with what they expect.
const ROWS: [&str; 8] = [
    include_str!("damaged.rs"),
    include_str!("expressions.rs"),
    include_str!("frames.rs"),
    include_str!("inherited.rs"),
    include_str!("methods.rs"),
    include_str!("rows.rs"),
    include_str!("statements.rs"),
    include_str!("types.rs"),
];

/// The words of JML in the first column of the table.
fn words() -> Vec<String> {
    let manual = include_str!("../../../../docs/manual.md");
    let table = manual.split("| of JML | |").nth(1).expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut words = Vec::new();
    for row in rows {
        let cell = row.trim_start_matches('|').split(" | ").next().unwrap_or_default();
        words.extend(cell.split('`').skip(1).step_by(2).map(str::to_owned));
    }
    words
}

/// Whether a word stands by itself in a line with a specification.
fn stands(line: &str, word: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_word = word.starts_with(char::is_alphabetic);
    line.contains('@')
        && line.match_indices(word).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let after = line[at + word.len()..].chars().next();
            !(is_word && is_letter(before) || is_letter(after))
        })
}

#[test]
fn every_word_of_the_manual_s_table_stands_in_a_specification_that_is_run() {
    let words = words();
    assert!(words.len() > 70, "{words:?}");
    let said = |word: &str| {
        let written = match word {
            "{| … |}" => "{|",
            "(* informal *)" => "(* nothing to say *)",
            word => word,
        };
        ROWS.iter().flat_map(|text| text.lines()).any(|line| stands(line, written))
    };
    let missing: Vec<&String> = words.iter().filter(|word| !said(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
