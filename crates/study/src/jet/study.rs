//! The study itself: run by run, variants by turns.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use toolchain::Jdk;

use super::child::Order;
use super::result::{JetQuestion, JetResult, JetRun, JetVariant};
use super::subjects::write_sources;
use crate::bench::made;
use crate::store::Store;
use crate::{FailedPiece, StudyError};

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JetOptions {
    /// The seed of the first run with each variant; each further one has the next.
    pub first: u64,
    /// Runs with each variant.
    pub seeds: u64,
    /// How often each search is made in one JVM.
    pub rounds: u32,
    /// Whether the costs of checking, pool and comparisons are measured too.
    pub costs: bool,
}

impl JetOptions {
    fn each_seed(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.first;
        (0..self.seeds).filter_map(move |at| first.checked_add(at))
    }
}

/// What a study is doing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum JetStage {
    /// A run is under way.
    Running(JetVariant, u64),
    /// It was done before.
    Known(JetVariant, u64),
}

/// A study of the strategies for classes with contracts.
#[derive(Debug)]
pub struct JetStudy {
    program: PathBuf,
    jdk: Jdk,
    options: JetOptions,
    build: String,
    store: Store,
}

impl JetStudy {
    /// A study that has `program` (this executable) search and keeps what it finds in the folder `out`.
    pub fn new(
        program: &Path,
        jdk: Jdk,
        out: &Path,
        options: JetOptions,
    ) -> Result<Self, StudyError> {
        let build = build_of(program)?;
        let store = Store::open(out)?;
        Ok(Self { program: program.to_owned(), jdk, options, build, store })
    }

    /// Makes the runs, telling what it does; finished ones are not made again.
    pub fn run(&self, on_stage: &mut dyn FnMut(JetStage)) -> Result<JetResult, StudyError> {
        let mut variants = JetVariant::STRATEGIES.to_vec();
        if self.options.costs {
            variants.extend(JetVariant::COSTS);
        }
        let (mut runs, mut failed) = (Vec::new(), Vec::new());
        // By turns, so that what else the machine does falls on all of them.
        for seed in self.options.each_seed() {
            for variant in &variants {
                let (build, rounds) = (self.build.clone(), self.options.rounds);
                let question = JetQuestion { build, variant: *variant, seed, rounds };
                let piece = format!("{}-{seed}", variant.name());
                if let Some(known) = self.store.get::<JetRun>(&piece, &question) {
                    on_stage(JetStage::Known(*variant, seed));
                    runs.push(known);
                    continue;
                }
                on_stage(JetStage::Running(*variant, seed));
                match self.one(&piece, question) {
                    Ok(run) => runs.push(run),
                    Err(error) => failed.push(FailedPiece::new(piece, &error)),
                }
            }
        }
        Ok(JetResult::of(self.options.seeds, runs, failed))
    }

    fn one(&self, piece: &str, question: JetQuestion) -> Result<JetRun, StudyError> {
        let folder = self.store.fresh(piece)?;
        let sources = made(folder.join("sources"))?;
        write_sources(&sources)?;
        let (program, jdk) = (&*self.program, &self.jdk);
        let run = Order { program, jdk, sources: &sources, folder: &folder }.run(question)?;
        self.store.put(piece, &run)?;
        Ok(run)
    }
}

/// What tells one build of the program from another.
fn build_of(program: &Path) -> Result<String, StudyError> {
    let data = std::fs::metadata(program).map_err(StudyError::io("look at", program))?;
    let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let seconds = modified.map_or(0, |since| since.as_secs());
    Ok(format!("{} bytes of {seconds}", data.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_follow_each_other() {
        let check = |first: u64, seeds: u64, expect: &[u64]| {
            let options = JetOptions { first, seeds, rounds: 1, costs: false };
            assert_eq!(options.each_seed().collect::<Vec<_>>(), expect);
        };
        check(1, 3, &[1, 2, 3]);
        check(21, 2, &[21, 22]);
        check(u64::MAX, 2, &[u64::MAX]);
    }
}
