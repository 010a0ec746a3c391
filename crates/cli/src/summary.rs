//! The summary of a run, for people: what was written, what was found, what is left to do.
//!
//! Pure, so that it can be tested without a run; [`crate::console`] prints it. Invariants: nothing is
//! counted that is not there, and with `--keep fail` nothing is said of tests that were not written.

use std::collections::BTreeMap;
use std::fmt::Write;

use search::{Reason, ReasonCode};
use worker::Dropped;

use crate::args::Keep;
use crate::jml::{ContractsReport, Violation};
use crate::report::{Branches, ClassReport, Existing, FailingTest, Report};

/// Failures listed.
const MAX_SHOWN: usize = 20;

/// A number with its noun: `1 test`, `2 tests`, `2 classes`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let ending = match noun {
        _ if number == 1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{number} {noun}{ending}")
}

/// The summary, line by line.
pub(crate) fn summary(report: &Report, keep: Keep) -> String {
    let mut text = String::new();
    table(&mut text, report, keep);
    text.push('\n');
    for line in lines(report, keep) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn lines(report: &Report, keep: Keep) -> Vec<String> {
    let mut lines = vec![total(report, keep)];
    lines.extend(explored(report));
    lines.extend(untested_members(report));
    lines.extend(dropped(report));
    lines.extend(existing(report));
    lines.extend(defects(report));
    lines.extend(warnings(report));
    lines.extend(report.contracts.iter().flat_map(ContractsReport::lines));
    lines.extend(failures(report, keep));
    lines.extend(violations(report));
    lines.extend(noise(report));
    if report.interrupted {
        lines.push("interrupted: what was found until then is written".to_owned());
    }
    if report.error.is_some() {
        lines.push("an error ended the run: this tells of the modules that were done".to_owned());
    }
    lines.extend(written(report));
    lines
}

/// What is wrong with the file of a class that is in the table stands there as its reason.
fn warnings(report: &Report) -> impl Iterator<Item = String> {
    let is_in_table = |warning: &&String| {
        let mut reasons = report.classes.iter().flat_map(|class| &class.reasons);
        reasons.any(|reason| reason.member.is_empty() && reason.detail == **warning)
    };
    let warnings = report.warnings.iter().filter(move |warning| !is_in_table(warning));
    warnings.map(|warning| format!("warning: {warning}"))
}

pub(crate) fn percent(count: Branches) -> String {
    if count.total == 0 {
        return "–".to_owned();
    }
    format!("{:.0} %", f64::from(count.covered) * 100.0 / f64::from(count.total))
}

fn table(text: &mut String, report: &Report, keep: Keep) {
    let width = report.classes.iter().map(|c| c.name.chars().count()).max().unwrap_or(5);
    let width = width.clamp(5, 70);
    let row = |class: &str, passing: [&str; 3], failing: &str| {
        let [tests, branches, lines] = passing;
        let line = match keep {
            Keep::Fail => format!("{class:width$}  {failing:>8}"),
            _ => format!("{class:width$}  {tests:>5}  {branches:>8}  {lines:>8}  {failing:>8}"),
        };
        format!("{}\n", line.trim_end())
    };
    let any = report.failures > 0 || keep == Keep::Fail;
    let heading = if any { "failures" } else { "" };
    text.push_str(&row("class", ["tests", "branches", "lines"], heading));
    for class in &report.classes {
        let failures = if class.failures == 0 { String::new() } else { class.failures.to_string() };
        let passing =
            [&*class.tests.to_string(), &*percent(class.branches), &*percent(class.lines)];
        text.push_str(&row(&class.name, passing, &failures));
        for reason in class.reasons.iter().filter(|r| r.member.is_empty()) {
            let _ = writeln!(text, "    {}: {}", reason.code.code(), reason.detail);
        }
    }
}

/// What there is to have, by what was asked for.
fn total(report: &Report, keep: Keep) -> String {
    let classes = count(report.classes.len(), "class");
    let passing = count(report.tests as usize, "test");
    let failing = count(report.failures as usize, "failing test");
    let coverage = || {
        if report.branches.total + report.lines.total == 0 {
            return String::new();
        }
        let Branches { covered, total } = report.branches;
        let branches = match total {
            0 => String::new(),
            _ => format!(", {} of branches ({covered} of {total})", percent(report.branches)),
        };
        format!("{branches}, {} of lines", percent(report.lines))
    };
    match keep {
        Keep::Fail if report.failures == 0 => format!("no failure was found in {classes}"),
        Keep::Fail => format!("{failing} for {classes}"),
        Keep::Both if report.failures > 0 => {
            format!("{passing} and {failing} for {classes}{}", coverage())
        }
        _ if report.tests == 0 => format!("no tests for {classes}"),
        _ => format!("{passing} for {classes}{}", coverage()),
    }
}

/// What explorative strategies came to, class by class.
fn explored(report: &Report) -> impl Iterator<Item = String> {
    let explored = |class: &ClassReport| {
        class.explored.as_ref().map(|found| format!("{}: {}", class.name, found.sentence()))
    };
    report.classes.iter().filter_map(explored)
}

/// Members without a test, counted by reason.
fn untested_members(report: &Report) -> Vec<String> {
    let mut by_code: BTreeMap<&'static str, (usize, &Reason)> = BTreeMap::new();
    for reason in report.classes.iter().flat_map(|c| &c.reasons) {
        if !reason.member.is_empty() {
            by_code.entry(reason.code.code()).or_insert((0, reason)).0 += 1;
        }
    }
    let say = |(code, (number, example)): (&str, (usize, &Reason))| {
        let such_as = if number == 1 { ":" } else { ", such as" };
        let members = count(number, "member");
        let (member, detail) = (&example.member, &example.detail);
        let lack = match example.code {
            ReasonCode::UnsafeEffect => "without a test",
            ReasonCode::NotCalled | ReasonCode::NotEntered => "that no test entered",
            ReasonCode::NoValueOfType => "in want of a value",
            ReasonCode::Reported => "without a passing test",
            ReasonCode::PreconditionNeverHeld => "without a call that its contract allows",
            ReasonCode::NotReproducible
            | ReasonCode::EnvironmentDependent
            | ReasonCode::NotWritable => "whose tests were dropped",
            _ => "without a returning call",
        };
        format!("{members} {lack} ({code}){such_as} {member} ({detail})")
    };
    by_code.into_iter().map(say).collect()
}

fn defects(report: &Report) -> Option<String> {
    let number = report.classes.iter().filter(|class| class.has_defect()).count();
    let classes = count(number, "class");
    (number > 0)
        .then(|| format!("internal errors: Testhound itself failed on {classes} (see above)"))
}

/// What became of tests, counted.
pub(crate) fn by_fate(dropped: Dropped) -> String {
    let reasons = [
        (dropped.unreproducible, "not reproducible in a fresh JVM"),
        (dropped.environment, "dependent on order or environment"),
        (dropped.unsafe_effect, "with effects outside the heap"),
        (dropped.static_state, "leaving static state changed"),
        (dropped.uncompilable, "not compilable"),
        (dropped.unwritable, "not writable"),
    ];
    let told = reasons.iter().filter(|(number, _)| *number > 0);
    told.map(|(number, why)| format!("{number} {why}")).collect::<Vec<_>>().join(", ")
}

/// What is not there because it did not hold: tests, and assertions of those that are.
fn dropped(report: &Report) -> Option<String> {
    let were = |number| if number == 1 { "was" } else { "were" };
    let has_notes = report.classes.iter().any(|class| !class.notes.is_empty());
    let mut told = Vec::new();
    let tests = report.dropped.total() as usize;
    if tests > 0 {
        let reasons = by_fate(report.dropped);
        told.push(format!("{} {} dropped: {reasons}", count(tests, "test"), were(tests)));
    }
    let lost = report.lost_assertions as usize;
    if lost > 0 {
        let assertions = count(lost, "assertion");
        let hold = if lost == 1 { "does not hold" } else { "do not hold" };
        told.push(format!("{assertions} {} left out that {hold} everywhere", were(lost)));
    }
    match (told.is_empty(), has_notes) {
        (true, false) => None,
        (true, true) => Some("there are notes on some classes; --json shows them".to_owned()),
        (false, true) => Some(format!("{} (--json shows notes on them)", told.join("; "))),
        (false, false) => Some(told.join("; ")),
    }
}

/// Who of those that were there before took part.
fn existing(report: &Report) -> Option<String> {
    let Existing { files, tests, left_out } = &report.existing;
    if *files == 0 {
        return None;
    }
    let (tests, files) = (count(*tests as usize, "test"), count(*files as usize, "file"));
    let others = if left_out.is_empty() { "" } else { " (--json names those that could not be)" };
    Some(format!("{tests} of {files} that were there before were run with the new ones{others}"))
}

/// One line for each failure: class, method, what, and the file that shows it.
fn failures(report: &Report, keep: Keep) -> Vec<String> {
    let number: usize = report.classes.iter().map(|class| class.failing_tests.len()).sum();
    if number == 0 {
        return Vec::new();
    }
    let option = if keep == Keep::Pass { "; --keep fail writes them as tests" } else { "" };
    let folded = folded(report);
    let found = match folded.len() {
        1 if number == 1 => "1 failure was found".to_owned(),
        causes if causes == number => format!("{} were found", count(number, "failure")),
        causes => format!("{} of {}", count(number, "failing test"), count(causes, "cause")),
    };
    let mut lines = vec![format!("{found}{option}:")];
    for (class, failing, others) in folded.iter().take(MAX_SHOWN) {
        let file = match &failing.file {
            Some(file) => format!(" [{}]", below(file, &class.out)),
            None => String::new(),
        };
        let also = match others {
            0 => String::new(),
            others => format!("; shown in {}", count(*others, "more test")),
        };
        lines.push(format!("    {}.{}: {}{also}{file}", class.name, failing.member, failing.what));
    }
    if folded.len() > MAX_SHOWN {
        lines.push(format!("    and {} more (--json lists all)", folded.len() - MAX_SHOWN));
    }
    lines
}

/// Broken contracts that no test without checks can show.
fn violations(report: &Report) -> Vec<String> {
    let untested = |violation: &&Violation| violation.test.is_none();
    let all: Vec<String> = (report.classes.iter())
        .flat_map(|class| class.violations.iter().filter(untested).map(move |v| (class, v)))
        .map(|(class, violation)| {
            let calls = violation.calls.join("; ");
            let why = violation.reason.as_ref().map_or(String::new(), |why| format!(" ({why})"));
            format!("    {}: {}\n        after {calls}{why}", class.name, violation.sentence())
        })
        .collect();
    if all.is_empty() {
        return all;
    }
    let number = count(all.len(), "broken contract");
    let mut lines = vec![format!("{number} that no test can show without checks:")];
    lines.extend(all.iter().take(MAX_SHOWN).cloned());
    if all.len() > MAX_SHOWN {
        lines.push(format!("    and {} more (--json lists all)", all.len() - MAX_SHOWN));
    }
    lines
}

/// The failures, each cause once with how many more tests show it, the likeliest to be worth a look
/// first.
fn folded(report: &Report) -> Vec<(&ClassReport, &FailingTest, usize)> {
    let mut found: Vec<(&ClassReport, &FailingTest, usize)> = Vec::new();
    for class in &report.classes {
        for failing in &class.failing_tests {
            let same = found.iter_mut().find(|(_, known, _)| known.cause == failing.cause);
            match same {
                Some((.., others)) => *others += 1,
                None => found.push((class, failing, 0)),
            }
        }
    }
    found.sort_by_key(|(_, failing, _)| failing.rank);
    found
}

/// What was left out as noise.
fn noise(report: &Report) -> Option<String> {
    let number: u32 = report.noise.values().sum();
    let kinds: Vec<String> = report.noise.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let left = count(number as usize, "failure");
    (number > 0).then(|| {
        format!("{left} left out as noise: {} (--with-noise KIND reports them)", kinds.join(", "))
    })
}

/// A file as seen from the folder that is named further down.
fn below<'f>(file: &'f str, folder: &str) -> &'f str {
    file.strip_prefix(folder).map_or(file, |rest| rest.trim_start_matches('/'))
}

/// How many files there are, folder by folder.
fn written(report: &Report) -> Vec<String> {
    let mut by_folder: BTreeMap<&str, usize> = BTreeMap::new();
    for ClassReport { out, files, .. } in &report.classes {
        if !files.is_empty() {
            *by_folder.entry(out).or_default() += files.len();
        }
    }
    let say = |(out, files)| format!("{} written to {out}", count(files, "file"));
    by_folder.into_iter().map(say).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, tests: u32, failing: &[&str]) -> ClassReport {
        let file = |suffix: &str| format!("out/{name}{suffix}.java");
        ClassReport {
            tests,
            failures: failing.len() as u32,
            branches: Branches { covered: 3, total: 4 },
            lines: Branches { covered: 1, total: 2 },
            instructions: Branches { covered: 5, total: 9 },
            files: if tests > 0 { vec![file("Test")] } else { Vec::new() },
            failing_tests: failing
                .iter()
                .map(|what| FailingTest {
                    member: "equals".to_owned(),
                    what: (*what).to_owned(),
                    cause: (*what).to_owned(),
                    told: model::Cause::of_law((*what).to_owned()),
                    rank: (2, 1),
                    test: "equals_isReflexive".to_owned(),
                    file: Some(file("FailingTest")),
                })
                .collect(),
            ..ClassReport::empty(name, "out")
        }
    }

    fn report(classes: Vec<ClassReport>) -> Report {
        let mut report = Report::default();
        classes.into_iter().for_each(|class| report.add(class));
        report
    }

    fn check(classes: Vec<ClassReport>, keep: Keep, expected: &str) {
        assert_eq!(summary(&report(classes), keep), expected);
    }

    #[test]
    fn one_of_a_thing_is_singular_and_none_is_not_counted() {
        check(
            vec![class("a.B", 1, &[])],
            Keep::Pass,
            "class  tests  branches     lines\n\
             a.B        1      75 %      50 %\n\
             \n\
             1 test for 1 class, 75 % of branches (3 of 4), 50 % of lines\n\
             1 file written to out\n",
        );
    }

    #[test]
    fn failing_tests_are_what_counts_if_only_they_are_kept() {
        let mut classes = vec![class("a.B", 7, &["a must equal a"]), class("a.C", 9, &[])];
        classes[0].files = vec!["out/a.BFailingTest.java".to_owned()];
        classes[1].files.clear();
        check(
            classes,
            Keep::Fail,
            "class  failures\n\
             a.B           1\n\
             a.C\n\
             \n\
             1 failing test for 2 classes\n\
             1 failure was found:\n    \
                 a.B.equals: a must equal a [a.BFailingTest.java]\n\
             1 file written to out\n",
        );
        check(
            vec![class("a.C", 0, &[])],
            Keep::Fail,
            "class  failures\na.C\n\nno failure was found in 1 class\n",
        );
    }

    #[test]
    fn failures_that_are_not_written_come_with_the_option_that_writes_them() {
        let mut found = class("a.B", 2, &["a must equal a", "b must equal b"]);
        found.failing_tests.iter_mut().for_each(|f| f.file = None);
        let text = summary(&report(vec![found]), Keep::Pass);
        assert!(
            text.contains(
                "2 failures were found; --keep fail writes them as tests:\n    \
                     a.B.equals: a must equal a\n    a.B.equals: b must equal b\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_long_list_of_failures_is_cut_and_says_so() {
        let causes: Vec<String> = (0..MAX_SHOWN + 3).map(|number| format!("x{number}")).collect();
        let causes: Vec<&str> = causes.iter().map(String::as_str).collect();
        let text = summary(&report(vec![class("a.B", 1, &causes)]), Keep::Both);
        assert!(text.contains("1 test and 23 failing tests for 1 class, "), "{text}");
        assert!(text.contains("    and 3 more (--json lists all)\n"), "{text}");
    }

    #[test]
    fn a_cause_that_shows_in_several_classes_is_told_once_and_noise_is_counted() {
        let both = ["throws x in a.C.m", "equals is wrong"];
        let mut noisy = class("a.B", 1, &both);
        noisy.failing_tests[0].rank = (0, 1);
        noisy.noise.insert("memory", 2);
        let text =
            summary(&report(vec![class("a.A", 1, &both[1..]), noisy.clone(), noisy]), Keep::Both);
        let told: Vec<&str> = text.lines().filter(|line| line.starts_with("    ")).collect();
        let expected = [
            "    a.B.equals: throws x in a.C.m; shown in 1 more test [a.BFailingTest.java]",
            "    a.A.equals: equals is wrong; shown in 2 more tests [a.AFailingTest.java]",
        ];
        assert_eq!(told, expected);
        assert!(text.contains("5 failing tests of 2 causes:\n"), "{text}");
        assert!(text.contains("4 failures left out as noise: 4 memory (--with-noise"), "{text}");
    }

    #[test]
    fn dropped_tests_are_told_by_reason_with_the_way_to_their_notes() {
        let mut dropping = class("a.B", 1, &[]);
        dropping.dropped = Dropped { unreproducible: 1, ..Dropped::default() };
        let text = summary(&report(vec![dropping.clone()]), Keep::Pass);
        assert!(text.contains("1 test was dropped: 1 not reproducible in a fresh JVM\n"), "{text}");
        dropping.dropped.unwritable = 2;
        dropping.notes = vec!["a test: why".to_owned()];
        let text = summary(&report(vec![dropping.clone()]), Keep::Pass);
        let expected = "3 tests were dropped: 1 not reproducible in a fresh JVM, 2 not writable \
                        (--json shows notes on them)\n";
        assert!(text.contains(expected), "{text}");
        dropping.dropped = Dropped::default();
        let text = summary(&report(vec![dropping]), Keep::Pass);
        assert!(text.contains("there are notes on some classes; --json shows them\n"), "{text}");
    }

    #[test]
    fn assertions_that_were_left_out_are_counted_beside_dropped_tests() {
        let check = |dropped: u32, lost_assertions: u32, expected: &str| {
            let mut shortened = class("a.B", 1, &[]);
            shortened.dropped = Dropped { environment: dropped, ..Dropped::default() };
            shortened.lost_assertions = lost_assertions;
            let text = summary(&report(vec![shortened]), Keep::Pass);
            assert!(text.contains(expected), "{text}");
        };
        check(0, 1, "\n1 assertion was left out that does not hold everywhere\n");
        check(
            1,
            2,
            "\n1 test was dropped: 1 dependent on order or environment; 2 assertions were left out \
             that do not hold everywhere\n",
        );
    }

    #[test]
    fn what_is_wrong_with_a_class_is_told_once() {
        let [broken, other] = ["b/B.class: is damaged", "c.jar: is damaged"].map(str::to_owned);
        let mut bad = class("b.B", 0, &[]);
        bad.reasons = vec![Reason::of_class(ReasonCode::Unlinkable, &broken)];
        let mut report = report(vec![bad]);
        report.warnings = vec![broken.clone(), other.clone()];
        let text = summary(&report, Keep::Pass);
        assert_eq!(text.matches(&broken).count(), 1, "{text}");
        assert!(text.contains(&format!("warning: {other}\n")), "{text}");
    }

    #[test]
    fn tests_that_were_there_are_told_of() {
        let mut both = report(vec![class("a.B", 1, &[])]);
        assert!(!summary(&both, Keep::Pass).contains("before"));
        both.existing = Existing { files: 1, tests: 3, left_out: Vec::new() };
        let text = summary(&both, Keep::Pass);
        let expected = "3 tests of 1 file that were there before were run with the new ones\n";
        assert!(text.contains(expected), "{text}");
        both.existing.left_out.push("OldTest.java: why".to_owned());
        let text = summary(&both, Keep::Pass);
        assert!(
            text.contains("with the new ones (--json names those that could not be)\n"),
            "{text}"
        );
    }

    #[test]
    fn members_without_a_test_are_counted_by_reason() {
        let reason = |member: &str| Reason {
            code: ReasonCode::NotReached,
            member: member.to_owned(),
            detail: "no call".to_owned(),
        };
        let mut untested = class("a.B", 1, &[]);
        untested.reasons = vec![reason("a.B.x()")];
        let text = summary(&report(vec![untested.clone()]), Keep::Pass);
        let one = "1 member without a returning call (not-reached): a.B.x() (no call)\n";
        assert!(text.contains(one), "{text}");
        untested.reasons.push(reason("a.B.y()"));
        let text = summary(&report(vec![untested]), Keep::Pass);
        let two = "2 members without a returning call (not-reached), such as a.B.x() (no call)\n";
        assert!(text.contains(two), "{text}");
    }

    #[test]
    fn files_are_counted_by_folder() {
        let mut other = class("b.C", 1, &[]);
        other.out = "other".to_owned();
        let text = summary(&report(vec![class("a.B", 1, &[]), other]), Keep::Pass);
        assert!(text.ends_with("1 file written to other\n1 file written to out\n"), "{text}");
    }
}
