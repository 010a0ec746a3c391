//! The study itself: pair by pair, from the fixed release to the verdict on the one before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use model::ClassName;
use toolchain::Jdk;

use super::result::{PairQuestion, PairResult, RegressionResult};
use super::{Pair, linked, trim};
use crate::bench::{Bench, Order, made, sources_below};
use crate::project::Project;
use crate::store::Store;
use crate::surefire::Surefire;
use crate::{FailedPiece, RedTest, Role, StudyError, javac_errors};

/// What a study is doing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RegressionStage {
    /// Maven fetches what the runs will need.
    Fetching,
    /// So many pairs are to be done, and so many are done before; it will take about so long.
    Planned {
        /// To be done.
        pairs: usize,
        /// Done before.
        known: usize,
        /// About.
        seconds: f64,
    },
    /// A pair is under way.
    Working {
        /// The key of the bug.
        issue: &'static str,
        /// What is being done, in words.
        what: &'static str,
    },
}

/// Rounds of leaving out tests that do not compile: errors of one kind can hide others.
const COMPILE_ROUNDS: usize = 6;
/// Seconds per pair for what is not search: two runs of Maven, and the rest.
const PER_PAIR: f64 = 40.0;

/// A study of regressions.
#[derive(Debug)]
pub struct RegressionStudy {
    bench: Bench,
    build: String,
    time_per_class: f64,
    seed: u64,
    store: Store,
}

impl RegressionStudy {
    /// A study that has `program` (this executable) write the tests and keeps what it finds in
    /// the folder `out`.
    pub fn new(
        program: &Path,
        jdk: Jdk,
        out: &Path,
        time_per_class: f64,
        seed: u64,
    ) -> Result<Self, StudyError> {
        let bench = Bench::new(program, jdk)?;
        Ok(Self { build: bench.build()?, bench, time_per_class, seed, store: Store::open(out)? })
    }

    /// Works on the pairs, telling what it does; finished ones are not done again.
    pub fn run(
        &self,
        pairs: &[(Pair, Role)],
        on_stage: &mut dyn FnMut(RegressionStage),
    ) -> Result<RegressionResult, StudyError> {
        let known: Vec<Option<PairResult>> = pairs
            .iter()
            .map(|(pair, _)| self.store.get(&name(pair), &self.question(pair)))
            .collect();
        let open = pairs.iter().zip(&known).filter(|(_, known)| known.is_none());
        let open: Vec<&Pair> = open.map(|((pair, _), _)| pair).collect();
        if !open.is_empty() {
            on_stage(RegressionStage::Fetching);
            self.bench.fetch(&[], false, false)?;
        }
        let searches = open.iter().map(|p| self.time_per_class * p.classes.len() as f64);
        let seconds = searches.sum::<f64>() + PER_PAIR * open.len() as f64;
        let counts = (open.len(), pairs.len() - open.len());
        on_stage(RegressionStage::Planned { pairs: counts.0, known: counts.1, seconds });
        let mut results = Vec::new();
        let mut failed = Vec::new();
        for ((pair, role), known) in pairs.iter().zip(known) {
            let result = match known {
                Some(result) => Ok(result),
                None => self.done(pair, *role, on_stage),
            };
            match result {
                Ok(result) => results.push(result),
                Err(error) => failed.push(FailedPiece::new(pair.issue, &error)),
            }
        }
        Ok(RegressionResult::of(results, failed))
    }

    /// Does a pair and keeps its result.
    fn done(
        &self,
        pair: &Pair,
        role: Role,
        on_stage: &mut dyn FnMut(RegressionStage),
    ) -> Result<PairResult, StudyError> {
        let result = self.one(pair, role, on_stage)?;
        self.store.put(&name(pair), &result)?;
        Ok(result)
    }

    fn question(&self, pair: &Pair) -> PairQuestion {
        PairQuestion {
            fixed: pair.fixed.coordinates(),
            buggy: pair.buggy.to_owned(),
            classes: pair.classes.iter().map(|class| (*class).to_owned()).collect(),
            time_per_class: self.time_per_class,
            seed: self.seed,
            jobs: self.bench.jobs,
            jdk: self.bench.jdk.version.full.clone(),
            build: self.build.clone(),
        }
    }

    fn one(
        &self,
        pair: &Pair,
        role: Role,
        on_stage: &mut dyn FnMut(RegressionStage),
    ) -> Result<PairResult, StudyError> {
        let mut told = |what| on_stage(RegressionStage::Working { issue: pair.issue, what });
        let folder = self.store.fresh(&name(pair))?;
        let subject = self.bench.open(&pair.fixed)?;
        // Only fetched: what is searched is the fixed release.
        self.bench.open(&pair.buggy())?;
        let fixed = self.bench.project(&folder.join("fixed"), &[pair.fixed], false)?;
        let buggy = self.bench.project(&folder.join("buggy"), &[pair.buggy()], false)?;
        // Both, so that nothing but the releases differs.
        fixed.limit_tests()?;
        buggy.limit_tests()?;
        let maven_temporary = made(folder.join("maven-tmp"))?;

        told("tests are written on the fixed release");
        let classes: Vec<ClassName> = pair.classes.iter().map(|c| ClassName::binary(c)).collect();
        let order = Order {
            classes: &classes,
            time_per_class: self.time_per_class,
            seed: self.seed,
            without: &[],
        };
        let temporary = made(folder.join("generate-tmp"))?;
        let (generated, wall) =
            self.bench.generate(&subject, &order, &fixed.tests(), &temporary)?;

        told("Maven runs them on the fixed release");
        let on_fixed = self.bench.test(&fixed, &maven_temporary)?;

        told("Maven runs them on the release with the bug");
        let files = generated.classes.iter().flat_map(|class| &class.files);
        let files: Vec<PathBuf> = files.map(PathBuf::from).collect();
        let copied = copy(&files, &fixed.tests(), &buggy.tests())?;
        let compiled = self.compile(&buggy, &maven_temporary, copied)?;
        let mut result = PairResult {
            question: self.question(pair),
            library: pair.fixed.name.to_owned(),
            fixed: pair.fixed.version.to_owned(),
            buggy: pair.buggy.to_owned(),
            issue: pair.issue.to_owned(),
            wrong: pair.wrong.to_owned(),
            role,
            tests: generated.tests,
            green_on_fixed: on_fixed.verdict.green,
            red_on_fixed: on_fixed.verdict.red,
            uncompilable: Vec::new(),
            other_overload: Vec::new(),
            red_on_buggy: Vec::new(),
            green_on_buggy: 0,
            rejected: on_fixed.maven_failure,
            reasons: generated.classes.into_iter().flat_map(|class| class.reasons).collect(),
            wall,
        };
        match compiled {
            Ok(uncompilable) => result.uncompilable = uncompilable,
            Err(why) => result.rejected = Some(why),
        }
        if result.rejected.is_none() {
            let on_buggy = self.bench.test(&buggy, &maven_temporary)?;
            judge(&mut result, on_buggy.verdict, on_buggy.maven_failure);
        }
        if result.detected() {
            told("Maven runs them there as compiled against the fixed release");
            let linked = self.bench.project(&folder.join("linked"), &[pair.fixed], false)?;
            linked.limit_tests()?;
            let sources = sources_below(&buggy.tests())?;
            copy(&sources, &buggy.tests(), &linked.tests())?;
            match linked::unlinked(&self.bench, &linked, &buggy, &maven_temporary)? {
                Ok(names) => leave_out(&mut result, &names),
                Err(why) => result.rejected = Some(why),
            }
        }
        Ok(result)
    }

    /// Leaves out what does not compile: the names of those tests, or why that does not help.
    fn compile(
        &self,
        project: &Project,
        temporary: &Path,
        files: Vec<PathBuf>,
    ) -> Result<Result<Vec<String>, String>, StudyError> {
        let mut left_out = Vec::new();
        for _ in 0..COMPILE_ROUNDS {
            let run = self.bench.confined().run(project, temporary, &["test-compile"])?;
            let Some(failure) = run.failure else { return Ok(Ok(left_out)) };
            let mut errors: BTreeMap<PathBuf, BTreeSet<usize>> = BTreeMap::new();
            for place in javac_errors::places(&run.log) {
                errors.entry(place.file).or_default().insert(place.line);
            }
            if errors.is_empty() {
                return Ok(Err(failure));
            }
            for (file, lines) in errors {
                if !files.contains(&file) {
                    return Ok(Err(failure));
                }
                let text = std::fs::read_to_string(&file).map_err(StudyError::io("read", &file))?;
                let (text, names) = match trim::without(&text, &lines) {
                    Ok(trimmed) => trimmed,
                    Err(_) => return Ok(Err(failure)),
                };
                let class = file.file_stem().unwrap_or_default().display().to_string();
                left_out.extend(names.iter().map(|name| format!("{class}.{name}")));
                if trim::has_test(&text) {
                    std::fs::write(&file, text).map_err(StudyError::io("write", &file))?;
                } else {
                    std::fs::remove_file(&file).map_err(StudyError::io("delete", &file))?;
                }
            }
        }
        Ok(Err(format!("tests do not compile after {COMPILE_ROUNDS} rounds of leaving some out")))
    }
}

/// What the run on the release with the bug says: only tests that were green before count.
fn judge(result: &mut PairResult, verdict: Surefire, maven_failure: Option<String>) {
    let was_red: Vec<&String> = result.red_on_fixed.iter().map(|red| &red.name).collect();
    let is_news = |red: &RedTest| !was_red.contains(&&red.name);
    result.red_on_buggy = verdict.red.into_iter().filter(is_news).collect();
    result.green_on_buggy = verdict.green;
    result.rejected = maven_failure;
}

/// Tests of these names say nothing of the bug.
fn leave_out(result: &mut PairResult, names: &BTreeSet<String>) {
    let (other, red) =
        std::mem::take(&mut result.red_on_buggy).into_iter().partition(|r| names.contains(&r.name));
    let other: Vec<RedTest> = other;
    result.other_overload = other.into_iter().map(|red| red.name).collect();
    result.red_on_buggy = red;
}

/// Copies test sources from one project to another.
fn copy(files: &[PathBuf], from: &Path, to: &Path) -> Result<Vec<PathBuf>, StudyError> {
    let mut copies = Vec::new();
    for file in files {
        let inside = file.strip_prefix(from).map_err(|_| StudyError::BadOutput {
            what: "the report of testhound generate".to_owned(),
            reason: format!("{} is not below the output folder", file.display()),
        })?;
        let copy = to.join(inside);
        made(copy.parent().unwrap_or(to).to_owned())?;
        std::fs::copy(file, &copy).map_err(StudyError::io("copy", file))?;
        copies.push(copy);
    }
    Ok(copies)
}

fn name(pair: &Pair) -> String {
    format!("{}-{}", pair.fixed.name, pair.fixed.version)
}

#[cfg(test)]
mod tests {
    use super::super::{PAIRS, regression_table};
    use super::*;

    fn red(name: &str) -> RedTest {
        let [name, message] = [name, "expected 1\nbut was 2"].map(str::to_owned);
        RedTest { name, message, exception: "x.Y".to_owned() }
    }

    fn result(issue: usize, role: Role) -> PairResult {
        let pair = PAIRS[issue];
        PairResult {
            question: PairQuestion {
                fixed: pair.fixed.coordinates(),
                buggy: pair.buggy.to_owned(),
                classes: Vec::new(),
                time_per_class: 1.0,
                seed: 1,
                jobs: 2,
                jdk: "17".to_owned(),
                build: "b".to_owned(),
            },
            library: pair.fixed.name.to_owned(),
            fixed: pair.fixed.version.to_owned(),
            buggy: pair.buggy.to_owned(),
            issue: pair.issue.to_owned(),
            wrong: pair.wrong.to_owned(),
            role,
            tests: 3,
            green_on_fixed: 2,
            red_on_fixed: vec![red("ATest.flickers")],
            uncompilable: Vec::new(),
            other_overload: Vec::new(),
            red_on_buggy: Vec::new(),
            green_on_buggy: 0,
            rejected: None,
            reasons: Vec::new(),
            wall: 1.0,
        }
    }

    #[test]
    fn a_test_that_was_red_before_detects_nothing() {
        let mut pair = result(0, Role::Tuning);
        let verdict = |names: &[&str]| Surefire {
            green: 1,
            skipped: 0,
            red: names.iter().map(|name| red(name)).collect(),
        };
        judge(&mut pair, verdict(&["ATest.flickers"]), None);
        assert!(!pair.detected());
        judge(&mut pair, verdict(&["ATest.flickers", "ATest.detects"]), None);
        assert!(pair.detected());
        assert_eq!(pair.red_on_buggy, [red("ATest.detects")]);
        leave_out(&mut pair, &BTreeSet::from(["ATest.detects".to_owned()]));
        assert_eq!((pair.detected(), pair.other_overload.len()), (false, 1));
        judge(&mut pair, verdict(&["ATest.detects"]), Some("it did not run".to_owned()));
        assert!(!pair.detected(), "a run that failed is no verdict");
    }

    #[test]
    fn pairs_are_counted_by_role_and_red_tests_are_told_in_one_line() {
        let mut detected = result(0, Role::Tuning);
        detected.red_on_buggy = vec![red("ATest.detects")];
        let mut rejected = result(1, Role::HeldOut);
        rejected.rejected = Some("another API".to_owned());
        let text = regression_table(&RegressionResult::of(
            vec![detected, rejected, result(3, Role::HeldOut)],
            Vec::new(),
        ));
        assert!(text.contains("detected: 1 of 2; tuning 1 of 1, held out 0 of 1\n"), "{text}");
        assert!(text.contains("\n  ATest.detects: expected 1\n"), "{text}");
        assert!(text.contains("\n  no verdict: another API\n"), "{text}");
    }
}
