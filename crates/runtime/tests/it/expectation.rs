//! What a fixture says of its tests: `// => STATUS | exception class | message` above each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::machine::java_files;

/// How tests ended, by method: status, exception class and message.
pub type Outcomes = BTreeMap<String, [String; 3]>;

/// What the comments in a folder of fixtures say.
pub fn expected(folder: &Path) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for file in java_files(folder) {
        let text = fs::read_to_string(&file).expect("a fixture");
        let mut expected = None;
        for line in text.lines().map(str::trim) {
            if let Some(comment) = line.strip_prefix("// => ") {
                let mut fields = comment.splitn(3, '|').map(|field| field.trim().to_owned());
                expected = Some(std::array::from_fn(|_| fields.next().unwrap_or_default()));
            } else if let Some((_, rest)) = line.split_once("void ")
                && let Some(outcome) = expected.take()
            {
                let name = rest.split('(').next().expect("a method has parentheses");
                assert!(outcomes.insert(name.to_owned(), outcome).is_none(), "{name} twice");
            }
        }
    }
    assert!(!outcomes.is_empty(), "no expectations in {}", folder.display());
    outcomes
}

/// What the lines of the test runner say.
pub fn reported<'a>(lines: impl Iterator<Item = &'a str>) -> Outcomes {
    let mut outcomes = Outcomes::new();
    for line in lines {
        let [test, status, exception, message, _frames, _line, _called] =
            line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("not seven fields: {line}");
        };
        let (_, method) = test.split_once('#').expect("class and method");
        let outcome = [status, exception, message].map(str::to_owned);
        assert!(outcomes.insert(method.to_owned(), outcome).is_none(), "{method} twice");
    }
    outcomes
}
