//! The score of a suite, for people and as JSON.

use std::fmt::Write;
use std::time::Duration;

use model::ClassName;
use mutants::Mutant;
use serde::Serialize;
use worker::{Baseline, Judgement, MutatedClass, Verdict};

use super::program::Part;
use super::sources::{Sources, file_name};
use crate::summary::count;

/// What was found.
#[derive(Debug, Serialize)]
pub(super) struct MutateReport {
    /// Killed and timed out mutants of 100 that were judged; `null` if there are none.
    pub(super) score: Option<f64>,
    #[serde(flatten)]
    counts: Counts,
    operators: String,
    tests: Tests,
    classes: Vec<ClassScore>,
    seconds: Seconds,
    warnings: Vec<String>,
    pub(super) interrupted: bool,
}

/// How many mutants.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
struct Counts {
    mutants: usize,
    killed: usize,
    timed_out: usize,
    survived: usize,
    no_coverage: usize,
    unjudged: usize,
}

#[derive(Debug, Default, Serialize)]
struct Tests {
    /// Those that judged.
    used: usize,
    excluded: Vec<ExcludedTest>,
}

#[derive(Debug, Serialize)]
struct ExcludedTest {
    test: String,
    reason: String,
}

#[derive(Debug, Serialize)]
struct ClassScore {
    class: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    module: Option<String>,
    /// Its source, if that is at hand.
    source: Option<String>,
    #[serde(skip)]
    counts: Counts,
    mutants: Vec<MutantScore>,
}

#[derive(Debug, Serialize)]
struct MutantScore {
    id: String,
    status: Status,
    line: Option<u16>,
    /// The text of that line.
    source: Option<String>,
    member: String,
    operator: &'static str,
    description: String,
    /// The tests that killed it, or that did not end.
    killed_by: Vec<String>,
    /// What the first of them threw, or why the mutant is unjudged.
    why: Option<String>,
    /// How many tests come to it and pass, of one that survived.
    #[serde(skip_serializing_if = "Option::is_none")]
    tests: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Status {
    Killed,
    TimedOut,
    Survived,
    NoCoverage,
    Unjudged,
}

/// Where the time went.
#[derive(Debug, Default, Serialize)]
struct Seconds {
    /// Running the tests as they are.
    tests: f64,
    /// Judging mutants.
    mutants: f64,
}

impl Counts {
    fn add(&mut self, status: Status) {
        self.mutants += 1;
        *match status {
            Status::Killed => &mut self.killed,
            Status::TimedOut => &mut self.timed_out,
            Status::Survived => &mut self.survived,
            Status::NoCoverage => &mut self.no_coverage,
            Status::Unjudged => &mut self.unjudged,
        } += 1;
    }

    fn plus(&mut self, other: Self) {
        self.mutants += other.mutants;
        self.killed += other.killed;
        self.timed_out += other.timed_out;
        self.survived += other.survived;
        self.no_coverage += other.no_coverage;
        self.unjudged += other.unjudged;
    }

    fn detected(self) -> usize {
        self.killed + self.timed_out
    }

    fn score(self) -> Option<f64> {
        let judged = self.mutants - self.unjudged;
        (judged > 0).then(|| self.detected() as f64 * 100.0 / judged as f64)
    }
}

impl MutateReport {
    pub(super) fn new(operators: String, warnings: Vec<String>) -> Self {
        Self {
            score: None,
            counts: Counts::default(),
            operators,
            tests: Tests::default(),
            classes: Vec::new(),
            seconds: Seconds::default(),
            warnings,
            interrupted: false,
        }
    }

    /// Adds the tests of a part.
    pub(super) fn add_tests(&mut self, baseline: &Baseline, time: Duration) {
        self.tests.used += baseline.tests.len();
        self.tests.excluded.extend(baseline.excluded.iter().map(|excluded| ExcludedTest {
            test: excluded.test.to_string(),
            reason: excluded.reason.clone(),
        }));
        self.seconds.tests += time.as_secs_f64();
    }

    /// Adds what became of the mutants of a part.
    pub(super) fn add_mutants(
        &mut self,
        part: &Part,
        baseline: &Baseline,
        judgements: &[Judgement],
        time: Duration,
    ) {
        for (class, judgement) in part.classes.iter().zip(judgements) {
            let score = ClassScore::of(part, class, judgement, baseline);
            self.counts.plus(score.counts);
            self.classes.push(score);
        }
        self.seconds.mutants += time.as_secs_f64();
        self.score = self.counts.score();
    }

    /// The summary.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for class in &self.classes {
            class.write(&mut text);
        }
        self.write_tests(&mut text);
        for warning in &self.warnings {
            line(&mut text, format_args!("warning: {warning}"));
        }
        self.write_score(&mut text);
        text
    }

    fn write_tests(&self, text: &mut String) {
        if self.tests.excluded.is_empty() {
            return;
        }
        line(text, format_args!("tests that judge nothing, for without any mutant"));
        for excluded in &self.tests.excluded {
            line(text, format_args!("  {}: {}", excluded.test, cut(&excluded.reason)));
        }
        line(text, format_args!(""));
    }

    fn write_score(&self, text: &mut String) {
        let counts = self.counts;
        match self.score {
            None => line(text, format_args!("no mutant was judged")),
            Some(score) => {
                let mutants = count(counts.mutants - counts.unjudged, "mutant");
                let killed = counts.detected();
                line(
                    text,
                    format_args!("mutation score {score:.0} %: {killed} of {mutants} killed"),
                );
            }
        }
        for (number, what) in [
            (counts.timed_out, "of the killed, because a test does not end"),
            (counts.survived, "survived: every test that comes to them passes"),
            (counts.no_coverage, "not covered: no test comes to them"),
            (counts.unjudged, "could not be judged"),
        ] {
            if number > 0 {
                line(text, format_args!("  {number} {what}"));
            }
        }
        let tests = count(self.tests.used, "test");
        let excluded = match self.tests.excluded.len() {
            0 => String::new(),
            left_out => format!(", {left_out} left out"),
        };
        line(
            text,
            format_args!(
                "{tests}{excluded}; {:.1} s for the tests, {:.1} s for the mutants",
                self.seconds.tests, self.seconds.mutants
            ),
        );
        if self.interrupted {
            line(text, format_args!("interrupted: not all mutants were judged"));
        }
    }
}

impl ClassScore {
    fn of(part: &Part, class: &MutatedClass, judgement: &Judgement, baseline: &Baseline) -> Self {
        let name = file_name(&class.name, &class.bytes);
        let source = part.sources.file(&name);
        let mut score = Self {
            class: ClassName::internal(&class.name).to_binary(),
            module: part.module.clone(),
            source: source.as_ref().map(|file| file.path.display().to_string()),
            counts: Counts::default(),
            mutants: Vec::new(),
        };
        for (mutant, verdict) in class.mutants.iter().zip(judgement) {
            let Some(verdict) = verdict else { continue };
            let mutant = MutantScore::of(mutant, verdict, &part.sources, &name, baseline);
            score.counts.add(mutant.status);
            score.mutants.push(mutant);
        }
        score
    }

    /// The mutants that live, line by line.
    fn write(&self, text: &mut String) {
        let counts = self.counts;
        if counts.mutants == 0 {
            return;
        }
        let killed = counts.detected();
        line(text, format_args!("{}: {killed} of {} killed", self.class, counts.mutants));
        let mut last = None;
        for mutant in &self.mutants {
            let fate = match mutant.status {
                Status::Killed | Status::TimedOut => continue,
                Status::Survived => match mutant.tests {
                    Some(tests) => format!("survives {}", count(tests as usize, "test")),
                    None => "survives".to_owned(),
                },
                Status::NoCoverage => "not covered".to_owned(),
                Status::Unjudged => {
                    format!("not judged ({})", mutant.why.as_deref().unwrap_or("interrupted"))
                }
            };
            if last != Some(mutant.line) {
                last = Some(mutant.line);
                let place = mutant.line.map_or_else(|| "?".to_owned(), |line| line.to_string());
                let source = mutant.source.as_deref().unwrap_or_default();
                line(text, format_args!("  {place:>5}  {source}"));
            }
            line(
                text,
                format_args!("         {}, in {}: {fate}", mutant.description, mutant.member),
            );
        }
        line(text, format_args!(""));
    }
}

impl MutantScore {
    fn of(
        mutant: &Mutant,
        verdict: &Verdict,
        sources: &Sources,
        file: &str,
        baseline: &Baseline,
    ) -> Self {
        let test = |position: &usize| baseline.tests[*position].to_string();
        let (status, by, why, tests) = match verdict {
            Verdict::Killed { by, why } => {
                (Status::Killed, by.iter().map(test).collect(), Some(why.clone()), None)
            }
            Verdict::TimedOut { by } => {
                (Status::TimedOut, by.iter().map(test).collect(), None, None)
            }
            Verdict::Survived { tests } => (Status::Survived, Vec::new(), None, Some(*tests)),
            Verdict::NoCoverage => (Status::NoCoverage, Vec::new(), None, None),
            Verdict::Unjudged(why) => (Status::Unjudged, Vec::new(), Some(why.clone()), None),
        };
        let source = mutant.line.and_then(|number| {
            sources.file(file).and_then(|file| file.line(number).map(str::to_owned))
        });
        Self {
            id: mutant.id.clone(),
            status,
            line: mutant.line,
            source,
            member: mutant.member.clone(),
            operator: mutant.operator.name(),
            description: mutant.description.clone(),
            killed_by: by,
            why,
            tests,
        }
    }
}

/// Reasons are for one line.
const MAX_REASON: usize = 160;

fn cut(reason: &str) -> String {
    match reason.char_indices().nth(MAX_REASON) {
        None => reason.to_owned(),
        Some((end, _)) => format!("{}…", &reason[..end]),
    }
}

fn line(text: &mut String, what: std::fmt::Arguments<'_>) {
    writeln!(text, "{what}").expect("a text takes what is written");
}
