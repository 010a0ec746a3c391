//! Judges mutants: swaps each into the running JVM and runs the tests that come to its place.
//!
//! What is decided, and how it stays sound though a JVM and its loaded classes serve many mutants:
//!
//! - A batch begins with classes loaded anew, and those that the suite initializes are initialized before
//!   the first mutant is there, so that no mutant decides what static fields begin with.
//! - Mutants whose place tests come to every time are swapped in place, some of a class one after the
//!   other. Then the original is swapped back and the tests that failed run once more: if all pass, the
//!   mutants are what they failed for. If one fails, static state was spoilt: the same mutants are judged
//!   again, now each failure by itself and, if it is not confirmed, once more in classes loaded anew.
//! - Where tests come to a place only in classes that were just loaded, as to static initializers and what
//!   fills caches, the mutant is loaded with them instead: the class loader is new for each. What its tests
//!   do unmutated was seen before, in the same order in a new class loader.
//!
//! Invariant: what is said of a mutant depends on its batch only, not on which process judges that.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use jvm::{Arg, LoadedClass};
use mutants::Mutant;
use rustc_hash::{FxHashMap, FxHashSet};

use super::bench::{Bench, Run};
use super::bytes::Classes;
use super::kills::{Kills, is_harmless};
use crate::inside::{hook, tell};
use crate::mutation::limits;
use crate::mutation::suite::{Batch, CONFIRMING, Ending, Judged, Reach, ToJudge};
use crate::protocol::{Reply, Sender};

/// So many mutants of a class are judged before the failures of their tests are confirmed: swapping is what
/// costs most, and confirming each would double it.
const GROUP: usize = 16;

/// Judges the mutants of a batch.
pub(super) struct Judge<'b, 'vm> {
    bench: &'b Bench<'vm>,
    batch: &'b Batch,
    classes: &'b Classes,
    sender: &'b Sender,
    /// Classes of the loader there is, by internal name.
    loaded: FxHashMap<String, Rc<LoadedClass<'vm>>>,
    /// The class that has a mutant's code now.
    swapped: Option<String>,
    /// Whether the loader there is must not be used for another mutant.
    is_spoilt: bool,
    /// What tests do in classes that were just loaded, by reach: those that pass, and their steps.
    cold: FxHashMap<u32, Rc<Vec<(u32, i32)>>>,
    /// Tests that pass among all others, but not by themselves.
    unreliable: FxHashSet<u32>,
    /// Whether a mutant was judged in this process before.
    has_judged: bool,
}

/// Why a mutant cannot be judged by this process any further.
enum Trouble {
    /// It is left unjudged.
    OfMutant(String),
    /// Nothing can.
    OfProcess(String),
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::OfProcess(why)
    }
}

/// How a batch ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BatchEnd {
    /// All is judged.
    Done,
    /// The mutant under way is for a process that judged none before.
    NeedsFresh,
}

impl<'b, 'vm> Judge<'b, 'vm> {
    pub(super) fn new(
        bench: &'b Bench<'vm>,
        batch: &'b Batch,
        classes: &'b Classes,
        sender: &'b Sender,
        has_judged: bool,
    ) -> Self {
        Self {
            bench,
            batch,
            classes,
            sender,
            loaded: FxHashMap::default(),
            swapped: None,
            is_spoilt: true,
            cold: FxHashMap::default(),
            unreliable: FxHashSet::default(),
            has_judged,
        }
    }

    /// Judges them, and tells of each.
    pub(super) fn judge_all(mut self) -> Result<BatchEnd, String> {
        let of_a_class = |a: &ToJudge, b: &ToJudge| a.mutant.class == b.mutant.class;
        let groups = self.batch.mutants.chunk_by(of_a_class).flat_map(|all| all.chunks(GROUP));
        for group in groups {
            let is_strict = self.batch.is_strict || self.batch.all_kills;
            if !is_strict && self.judge_together(group)? {
                continue;
            }
            for to_judge in group {
                tell(self.sender, &Reply::Judging(to_judge.number));
                let reach = &self.batch.reaches[to_judge.reach as usize];
                let judged = match self.judge(&to_judge.mutant, reach, to_judge.reach) {
                    Ok(Some(judged)) => judged,
                    Ok(None) => return Ok(BatchEnd::NeedsFresh),
                    Err(Trouble::OfMutant(why)) => Judged::Unjudged(why),
                    Err(Trouble::OfProcess(why)) => return Err(why),
                };
                self.has_judged = true;
                tell(self.sender, &Reply::Judged(to_judge.number, judged));
            }
        }
        Ok(BatchEnd::Done)
    }

    /// Judges mutants of a class and confirms all failures at the end; whether they are confirmed, else
    /// nothing is said.
    fn judge_together(&mut self, group: &[ToJudge]) -> Result<bool, String> {
        let mut suspected = Vec::new();
        for to_judge in group {
            tell(self.sender, &Reply::Judging(to_judge.number));
            match self.suspect(to_judge) {
                Ok(kills) => suspected.push(Ok(kills)),
                Err(Trouble::OfMutant(why)) => suspected.push(Err(why)),
                Err(Trouble::OfProcess(why)) => return Err(why),
            }
        }
        tell(self.sender, &Reply::Judging(CONFIRMING));
        self.has_judged = true;
        let tests: BTreeSet<u32> = suspected.iter().flatten().filter_map(Kills::first).collect();
        if !tests.is_empty() {
            match self.swap_back() {
                Ok(()) => {}
                Err(Trouble::OfMutant(why) | Trouble::OfProcess(why)) => return Err(why),
            }
        }
        for test in tests {
            if self.run(test).end != Ending::Passed {
                self.is_spoilt = true;
                return Ok(false);
            }
        }
        for (to_judge, suspected) in group.iter().zip(suspected) {
            let judged = match suspected {
                Ok(mut kills) => {
                    let reach = &self.batch.reaches[to_judge.reach as usize];
                    let judged = if reach.cold.is_empty() || kills.are_there() {
                        Ok(())
                    } else {
                        tell(self.sender, &Reply::Judging(to_judge.number));
                        self.loaded_anew(&to_judge.mutant, reach, to_judge.reach, &mut kills)
                    };
                    match judged {
                        Ok(()) => kills.verdict(),
                        Err(Trouble::OfMutant(why)) => Judged::Unjudged(why),
                        Err(Trouble::OfProcess(why)) => return Err(why),
                    }
                }
                Err(why) => Judged::Unjudged(why),
            };
            tell(self.sender, &Reply::Judged(to_judge.number, judged));
        }
        Ok(true)
    }

    /// Runs tests with a mutant swapped in place, up to the first that fails, which remains to be
    /// confirmed.
    fn suspect(&mut self, to_judge: &ToJudge) -> Result<Kills, Trouble> {
        let mut kills = Kills::default();
        let reach = &self.batch.reaches[to_judge.reach as usize];
        if reach.warm.is_empty() {
            return Ok(kills);
        }
        if self.is_spoilt {
            self.renew()?;
        }
        let bytes = self.classes.mutated(&to_judge.mutant).map_err(Trouble::OfMutant)?;
        self.swap_in(&to_judge.mutant.class, &bytes)?;
        for &test in reach.warm.iter().filter(|test| !self.unreliable.contains(test)) {
            let run = self.run(test);
            if !is_harmless(&run.end) {
                kills.add(test, &run.end);
                break;
            }
            kills.passed += 1;
        }
        Ok(kills)
    }

    /// `None` if a process that judged nothing before has to.
    fn judge(
        &mut self,
        mutant: &Mutant,
        reach: &Reach,
        number: u32,
    ) -> Result<Option<Judged>, Trouble> {
        let mut kills = Kills::default();
        if !reach.warm.is_empty() && !self.in_place(mutant, &reach.warm, &mut kills)? {
            return Ok(None);
        }
        if !reach.cold.is_empty() && (!kills.are_there() || self.batch.all_kills) {
            self.loaded_anew(mutant, reach, number, &mut kills)?;
        }
        Ok(Some(kills.verdict()))
    }

    /// Runs a test with as many steps as befits what it takes without a mutant.
    fn run(&self, test: u32) -> Run {
        let test = &self.batch.tests[test as usize];
        let limit = Duration::from_millis(test.limit_millis.into());
        self.bench.run(&test.id, test.steps, limit)
    }

    /// Runs tests with the mutant swapped in place; whether that could be done.
    fn in_place(
        &mut self,
        mutant: &Mutant,
        tests: &[u32],
        kills: &mut Kills,
    ) -> Result<bool, Trouble> {
        let bytes = &self.classes.mutated(mutant).map_err(Trouble::OfMutant)?;
        if self.is_spoilt {
            self.renew()?;
        }
        let mut is_in = false;
        for &test in tests {
            if self.unreliable.contains(&test) {
                continue;
            }
            if !is_in {
                self.swap_in(&mutant.class, bytes)?;
                is_in = true;
            }
            let run = self.run(test);
            if is_harmless(&run.end) {
                kills.passed += 1;
                continue;
            }
            self.swap_back()?;
            is_in = false;
            let without = self.run(test);
            let mut killed = (without.end == Ending::Passed).then_some(run.end);
            if killed.is_none() {
                // Something was spoilt before or by this.
                self.renew()?;
                if self.run(test).end == Ending::Passed {
                    self.swap_in(&mutant.class, bytes)?;
                    let again = self.run(test).end;
                    self.swap_back()?;
                    self.is_spoilt = true;
                    killed = (!is_harmless(&again)).then_some(again);
                } else if self.has_judged && !self.batch.is_strict {
                    return Ok(false);
                } else {
                    // It does not pass alone in classes that know no mutant: it tells nothing.
                    self.unreliable.insert(test);
                    continue;
                }
            }
            match killed {
                None => kills.passed += 1,
                Some(end) => {
                    kills.add(test, &end);
                    if !self.batch.all_kills {
                        break;
                    }
                }
            }
            if self.is_spoilt {
                self.renew()?;
            }
        }
        Ok(true)
    }

    /// Runs tests in a class loader that has never had the class without the mutant.
    fn loaded_anew(
        &mut self,
        mutant: &Mutant,
        reach: &Reach,
        number: u32,
        kills: &mut Kills,
    ) -> Result<(), Trouble> {
        let bytes = self.classes.mutated(mutant).map_err(Trouble::OfMutant)?;
        let sound = match self.cold.get(&number) {
            Some(sound) => sound.clone(),
            None => {
                let sound = Rc::new(self.passing_cold(&reach.cold)?);
                self.cold.insert(number, sound.clone());
                sound
            }
        };
        self.forget();
        hook::substitute(Some((mutant.class.clone(), bytes)));
        let opened = self.bench.renew();
        if opened.is_ok() {
            for &(test, steps) in &*sound {
                let judging = &self.batch.tests[test as usize];
                let limit = Duration::from_millis(judging.limit_millis.into());
                let steps = limits::steps(steps, self.batch.factor);
                let run = self.bench.run(&judging.id, steps, limit);
                if is_harmless(&run.end) {
                    kills.passed += 1;
                    continue;
                }
                kills.add(test, &run.end);
                // What comes after it may fail for the same.
                break;
            }
        }
        hook::substitute(None);
        opened.map_err(Trouble::from)
    }

    /// The tests that pass one after the other in classes that were just loaded, with their steps.
    fn passing_cold(&mut self, tests: &[u32]) -> Result<Vec<(u32, i32)>, String> {
        self.forget();
        self.bench.renew()?;
        let mut passing = Vec::new();
        for &test in tests {
            let judging = &self.batch.tests[test as usize];
            let limit = Duration::from_millis(judging.limit_millis.into());
            let run = self.bench.run(&judging.id, i32::MAX, limit);
            if run.end == Ending::Passed {
                passing.push((test, run.steps));
            }
        }
        Ok(passing)
    }

    /// Nothing of the loader there is will be used again.
    fn forget(&mut self) {
        self.is_spoilt = true;
        self.swapped = None;
        self.loaded.clear();
    }

    /// Classes that no mutant has touched, initialized.
    fn renew(&mut self) -> Result<(), String> {
        self.forget();
        self.bench.renew()?;
        self.bench.call("initialize", &[Arg::Texts(&self.batch.initialize)])?;
        self.is_spoilt = false;
        Ok(())
    }

    fn swap_in(&mut self, class: &str, bytes: &[u8]) -> Result<(), Trouble> {
        if self.swapped.as_ref().is_some_and(|swapped| swapped != class) {
            self.swap_back()?;
        }
        let loaded = self.class(class)?;
        if let Err(error) = hook::as_it_is(|| loaded.redefine(bytes)) {
            self.swap_back()?;
            return Err(Trouble::OfMutant(format!("the JVM does not take it: {error}")));
        }
        self.swapped = Some(class.to_owned());
        Ok(())
    }

    fn swap_back(&mut self) -> Result<(), Trouble> {
        let Some(class) = self.swapped.take() else { return Ok(()) };
        let original = self.classes.original(&class)?;
        let loaded = self.class(&class)?;
        hook::as_it_is(|| loaded.redefine(&original))
            .map_err(|error| Trouble::OfProcess(format!("{class} cannot be put back: {error}")))
    }

    fn class(&mut self, name: &str) -> Result<Rc<LoadedClass<'vm>>, Trouble> {
        if let Some(loaded) = self.loaded.get(name) {
            return Ok(loaded.clone());
        }
        let Some(loaded) = self.bench.loaded(name)? else {
            return Err(Trouble::OfMutant("its class cannot be loaded".to_owned()));
        };
        let loaded = Rc::new(loaded);
        self.loaded.insert(name.to_owned(), loaded.clone());
        Ok(loaded)
    }
}
