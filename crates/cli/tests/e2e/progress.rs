//! What is seen of a run while it goes on: a bar on a terminal, which `script` makes.

use std::process::Command;

use crate::fixture::Fixture;
use crate::run::{Generate, say};

/// A text as a shell reads it back.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[test]
fn the_bar_shows_tests_and_coverage_from_its_first_frame_on() {
    let fixture = Fixture::shared("library");
    let generate = Generate::plain(&fixture.classes());
    let mut words = vec![generate.command.get_program().to_str().expect("a plain path")];
    words.extend(generate.command.get_args().map(|word| word.to_str().expect("a plain word")));
    words.extend(["--steps", "500", "--json"]);
    let line: Vec<String> = words.into_iter().map(quoted).collect();
    let mut terminal = Command::new("script");
    terminal.args(["-q", "-e", "-c", &line.join(" "), "/dev/null"]).env("TERM", "xterm");
    let said = say(terminal.env("SHELL", "/bin/sh").env_remove("COLUMNS"));
    assert_eq!(said.code(), 0, "{}", said.out);
    let frames: Vec<&str> =
        said.out.split(['\r', '\n']).filter(|frame| frame.contains(" classes  ")).collect();
    let [first, .., last] = &frames[..] else { panic!("no frames in: {}", said.out) };
    assert!(first.contains("00:00:0") && first.contains("  0 tests"), "{first}");
    assert!(last.contains(" tests, ") && last.contains(" % covered"), "{last}");
    // What the bar is drawn with that nobody gave a style.
    assert!(!said.out.contains(['█', '░']), "{}", said.out);
}
