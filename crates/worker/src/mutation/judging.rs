//! Has batches of mutants judged, by a worker per job, whatever becomes of workers.

use std::collections::BTreeMap;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::baseline::Baseline;
use super::reach::{Collected, Coverage};
use super::suite::{Batch, CONFIRMING, Judged};
use super::{Judgement, Judging, LOOK_EVERY, MutatedClass, SILENCE, Verdict, unexpected};
use crate::process::{WorkerError, WorkerProcess};
use crate::protocol::{Reply, Request};

/// Processes that may die of a mutant before it is to blame: one may have come to its end for another
/// reason, such as the memory that all mutants before it took.
const DEATHS_PER_MUTANT: u32 = 2;

/// Hears of each mutant that is judged: its number over all classes, and what became of it.
pub(super) type OnJudged<'j> = &'j (dyn Fn(usize, &Verdict) + Sync);

/// How a worker went on with a batch.
enum Progress {
    Done,
    /// It is of no more use; the mutants that are left are for another.
    Lost,
    Interrupted,
}

impl Judging {
    /// Judges the mutants of these classes, which must be those that the baseline measured, in the same
    /// order.
    pub fn judge(
        &self,
        baseline: &Baseline,
        classes: &[MutatedClass],
        on_judged: OnJudged<'_>,
    ) -> Result<Vec<Judgement>, WorkerError> {
        let batches = Coverage::of(baseline).batches(classes, self.factor, self.all_kills);
        let total = classes.iter().map(|class| class.mutants.len()).sum();
        let mut verdicts: Vec<Option<Verdict>> = vec![Some(Verdict::NoCoverage); total];
        for collected in &batches {
            for mutant in &collected.batch.mutants {
                verdicts[mutant.number as usize] = None;
            }
        }
        for (number, verdict) in verdicts.iter().enumerate() {
            if let Some(verdict) = verdict {
                on_judged(number, verdict);
            }
        }
        let jobs = self.jobs.clamp(1, batches.len().max(1));
        let queue: Mutex<VecDeque<Collected>> = Mutex::new(batches.into());
        let verdicts = Mutex::new(verdicts);
        let record = |number: u32, verdict: Verdict| {
            on_judged(number as usize, &verdict);
            lock(&verdicts)[number as usize] = Some(verdict);
        };
        let ends: Vec<Result<(), WorkerError>> = std::thread::scope(|scope| {
            let work = || {
                let mut worker = None;
                loop {
                    let Some(collected) = lock(&queue).pop_front() else { return Ok(()) };
                    self.judge_batch(&mut worker, collected, &record)?;
                }
            };
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .map(|thread| {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        });
        ends.into_iter().collect::<Result<(), _>>()?;
        let verdicts = verdicts.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut verdicts = verdicts.into_iter();
        Ok(classes
            .iter()
            .map(|class| verdicts.by_ref().take(class.mutants.len()).collect())
            .collect())
    }

    fn judge_batch(
        &self,
        worker: &mut Option<WorkerProcess>,
        collected: Collected,
        record: &dyn Fn(u32, Verdict),
    ) -> Result<(), WorkerError> {
        let Collected { mut batch, tests, .. } = collected;
        let mut deaths = BTreeMap::new();
        let record = |number: u32, judged: Judged| record(number, verdict(judged, &tests));
        while !batch.mutants.is_empty() && !self.stop.load(Ordering::Acquire) {
            let process = match worker {
                Some(process) => process,
                None => worker.insert(self.worker(&[])?.0),
            };
            match self.go_on(process, &mut batch, &mut deaths, &record)? {
                Progress::Done => return Ok(()),
                Progress::Lost | Progress::Interrupted => *worker = None,
            }
        }
        Ok(())
    }

    fn go_on(
        &self,
        process: &mut WorkerProcess,
        batch: &mut Batch,
        deaths: &mut BTreeMap<u32, u32>,
        record: &dyn Fn(u32, Judged),
    ) -> Result<Progress, WorkerError> {
        match process.send(&Request::Judge(Box::new(batch.clone()))) {
            // It died of something that was left to go on after the batch before.
            Err(WorkerError::Died { .. }) => return Ok(Progress::Lost),
            sent => sent?,
        }
        let mut during = batch.mutants[0].number;
        let mut heard = Instant::now();
        let done = |batch: &mut Batch, number: u32, judged: Judged| {
            batch.mutants.retain(|mutant| mutant.number != number);
            record(number, judged);
        };
        loop {
            if self.stop.load(Ordering::Acquire) {
                return Ok(Progress::Interrupted);
            }
            let reply = match process.poll(LOOK_EVERY) {
                None if heard.elapsed() > SILENCE => Err(process.died("was silent")),
                None => continue,
                Some(reply) => reply,
            };
            heard = Instant::now();
            match reply {
                Ok(Reply::Judging(number)) => during = number,
                Ok(Reply::Judged(number, judged)) => done(batch, number, judged),
                Ok(Reply::Ran(_)) => return Ok(Progress::Done),
                Ok(Reply::Broken(_)) => {
                    batch.is_strict = true;
                    return Ok(Progress::Lost);
                }
                Ok(Reply::Hung) => {
                    if batch.is_strict {
                        done(batch, during, Judged::TimedOut(u32::MAX));
                    }
                    // Another mutant may have left what it waits for.
                    batch.is_strict = true;
                    return Ok(Progress::Lost);
                }
                Ok(Reply::Failed(why)) => return Err(WorkerError::Failed(why)),
                Ok(other) => return Err(unexpected(&other)),
                Err(WorkerError::Died { .. }) if during == CONFIRMING => {
                    batch.is_strict = true;
                    return Ok(Progress::Lost);
                }
                Err(WorkerError::Died { how, .. }) => {
                    let count = deaths.entry(during).or_insert(0);
                    *count += 1;
                    if *count >= DEATHS_PER_MUTANT {
                        let why = format!("the JVM died of it: it {how}");
                        done(batch, during, Judged::Killed(Vec::new(), why));
                    }
                    return Ok(Progress::Lost);
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// What was said of a mutant, with its tests as positions among all.
fn verdict(judged: Judged, tests: &[u32]) -> Verdict {
    let position = |test: &u32| tests.get(*test as usize).map(|test| *test as usize);
    match judged {
        Judged::Killed(by, why) => {
            Verdict::Killed { by: by.iter().filter_map(position).collect(), why }
        }
        Judged::TimedOut(by) => Verdict::TimedOut { by: position(&by) },
        Judged::Survived(tests) => Verdict::Survived { tests },
        Judged::Unjudged(why) => Verdict::Unjudged(why),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
