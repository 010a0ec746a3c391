//! Instrumented programs do what they did before, and cover what their comments say.
//!
//! Comments of fixtures: `// line` is covered, `// missed` is not (nor is a line that throws without
//! having come to the next place of interest), `// branch 1/2` is executed
//! and has so many of its branches covered, `// any` is the compiler's business. A line without
//! comment has no code.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::harness::jdk::jdk_homes;
use crate::harness::subject::{Run, Subject};
use instrument::Options;

const BOTH: Options = Options { coverage: true, steps: true, comparisons: true };
const PLENTY: u64 = u64::MAX >> 1;

/// The feature version of a JDK, such as 17.
pub fn feature_version(home: &Path) -> u32 {
    let release = fs::read_to_string(home.join("release")).expect("a JDK has a release file");
    release
        .lines()
        .find_map(|line| {
            line.strip_prefix("JAVA_VERSION=\"")?.split(['.', '"', '-']).next()?.parse().ok()
        })
        .expect("a release file names the version")
}

/// The fixtures a JDK of this version can compile.
pub fn fixtures(version: u32) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures");
    let mut files = Vec::new();
    for (folder, since) in [("any", 17), ("21", 21), ("25", 25)] {
        if version >= since {
            let folder = fs::read_dir(root.join(folder)).expect("fixtures are there");
            files.extend(folder.map(|entry| entry.expect("fixtures are readable").path()));
        }
    }
    files.sort();
    files
}

/// Where the coverage of a fixture differs from its comments.
fn differences(run: &Run, fixture: &Path) -> Vec<String> {
    let name = fixture.file_stem().expect("a file").to_str().expect("text");
    let source = fs::read_to_string(fixture).expect("fixtures are readable");
    let found: BTreeMap<usize, (bool, u32, u32)> = run.lines_of(name);
    let mut wrong = Vec::new();
    for (number, text) in (1..).zip(source.lines()) {
        let comment = text.split_once("// ").map_or("", |(_, comment)| comment);
        let found = match found.get(&number) {
            None => String::new(),
            Some((false, _, _)) => "missed".to_owned(),
            Some((true, _, 0)) => "line".to_owned(),
            Some((true, covered, total)) => format!("branch {covered}/{total}"),
        };
        if comment != "any" && comment != found {
            wrong.push(format!("{name}.java:{number}: expected `{comment}`, found `{found}`"));
        }
    }
    wrong
}

#[test]
fn instrumented_programs_behave_and_cover_as_their_comments_say() {
    for home in jdk_homes() {
        let files = fixtures(feature_version(&home));
        let subject = Subject::compile(&home, &["-g"], &files);
        let plain = subject.run_plain();
        assert!(plain.map.iter().all(|hit| *hit == 0), "plain programs hit nothing");
        for (options, base) in [(BOTH, 0), (BOTH, 33_000), (Options { steps: false, ..BOTH }, 200)]
        {
            let run = subject.run_instrumented(options, base, PLENTY);
            assert_eq!(run.output, plain.output, "{options:?} on {}", home.display());
            let wrong: Vec<_> = files.iter().flat_map(|file| differences(&run, file)).collect();
            assert!(wrong.is_empty(), "on {}:\n{}", home.display(), wrong.join("\n"));
        }
        let run = subject.run_instrumented(
            Options { coverage: false, steps: true, comparisons: false },
            0,
            PLENTY,
        );
        assert_eq!(run.output, plain.output, "steps only on {}", home.display());
        assert!(run.map.iter().all(|hit| *hit == 0), "steps alone hit nothing");
    }
}
