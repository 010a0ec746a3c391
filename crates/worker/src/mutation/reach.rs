//! Which tests come to which mutant, in which order they judge it, and what is judged together.
//!
//! Coverage goes by the lines of a method. What a test covers again in classes that were in use, it covers
//! every time (`warm`). What it covered only in classes that were just loaded hangs on who comes first
//! (`cold`): of a static initializer that is any test that has to do with the class, of anything else
//! those that came there.

use std::collections::{BTreeMap, BTreeSet};

use classfile::ClassFile;
use mutants::Mutant;

use super::baseline::Baseline;
use super::suite::{Batch, JudgingTest, Observed, Place, Reach, ToJudge};
use super::{MutatedClass, limits};

/// A batch has so many mutants, unless the classes run out: enough for what loading the classes costs to
/// count little, few enough for all jobs to have something to do.
const MUTANTS_PER_BATCH: usize = 200;
/// Tests go by how long they take from here on only, by powers of ten; else by their steps, which are the
/// same in every run.
const SHORT_MILLIS: u32 = 500;

/// Who covers what.
pub(super) struct Coverage<'b> {
    baseline: &'b Baseline,
    positions: BTreeMap<Place, u32>,
    /// The tests of each place, by run.
    tests: [Vec<Vec<u32>>; 2],
    /// Where a test stands when all are sorted by what they cost.
    ranks: Vec<u32>,
}

impl<'b> Coverage<'b> {
    pub(super) fn of(baseline: &'b Baseline) -> Self {
        let positions = baseline.places.iter().copied().zip(0..).collect();
        let tests = [0, 1].map(|run| {
            let mut tests = vec![Vec::new(); baseline.places.len()];
            for (number, observed) in (0..).zip(&baseline.observed) {
                for place in &observed[run].places {
                    tests[*place as usize].push(number);
                }
            }
            tests
        });
        let mut order: Vec<u32> = (0..baseline.tests.len() as u32).collect();
        let cost = |test: &u32| {
            let [first, second] = &baseline.observed[*test as usize];
            let millis = first.millis.min(second.millis);
            (magnitude(millis), second.steps, *test)
        };
        order.sort_by_key(cost);
        let mut ranks = vec![0; order.len()];
        for (rank, test) in (0..).zip(order) {
            ranks[test as usize] = rank;
        }
        Self { baseline, positions, tests, ranks }
    }

    /// The places of a mutant: that of its line, or, if none is known by that, of its method, or of its
    /// class.
    fn places(&self, class: u32, method: Option<u16>, line: Option<u16>) -> Vec<u32> {
        let line = line.unwrap_or_default();
        let exact =
            method.and_then(|method| self.positions.get(&Place { class, method, line }).copied());
        if let Some(exact) = exact {
            return vec![exact];
        }
        let of = |from: Place, to: Place| -> Vec<u32> {
            self.positions.range(from..=to).map(|(_, position)| *position).collect()
        };
        let of_method = method.map_or_else(Vec::new, |method| {
            of(Place { class, method, line: 0 }, Place { class, method, line: u16::MAX })
        });
        if !of_method.is_empty() {
            return of_method;
        }
        of(Place { class, method: 0, line: 0 }, Place { class, method: u16::MAX, line: u16::MAX })
    }

    fn covering(&self, run: usize, places: &[u32]) -> BTreeSet<u32> {
        places.iter().flat_map(|place| &self.tests[run][*place as usize]).copied().collect()
    }

    /// The tests that come to a place, cheapest first.
    fn reach(&self, class: u32, method: Option<u16>, mutant: &Mutant) -> Reach {
        let places = self.places(class, method, mutant.line);
        let (first, again) = (self.covering(0, &places), self.covering(1, &places));
        let is_cold = first.iter().any(|test| !again.contains(test));
        let cold = if mutant.is_in_initializer() || is_cold && again.is_empty() {
            // Whoever comes first runs it; it matters to whoever has to do with the class.
            let all = self.places(class, None, None);
            let by_any = self.covering(0, &all);
            if first.is_empty() && again.is_empty() {
                BTreeSet::new()
            } else {
                by_any.union(&self.covering(1, &all)).copied().collect()
            }
        } else {
            first.difference(&again).copied().collect()
        };
        Reach { warm: self.sorted(again), cold: self.sorted(cold) }
    }

    fn sorted(&self, tests: BTreeSet<u32>) -> Vec<u32> {
        let mut tests: Vec<u32> = tests.into_iter().collect();
        tests.sort_by_key(|test| self.ranks[*test as usize]);
        tests
    }

    /// The mutants that tests come to, in batches, numbered over all classes.
    pub(super) fn batches(
        &self,
        classes: &[MutatedClass],
        factor: u32,
        all_kills: bool,
    ) -> Vec<Collected> {
        let mut batches = vec![Collected::default()];
        let mut number = 0;
        for (class, mutated) in (0..).zip(classes) {
            let methods = methods(&mutated.bytes);
            let mut known: BTreeMap<(Option<u16>, Option<u16>), Reach> = BTreeMap::new();
            for mutant in &mutated.mutants {
                let key = (mutant.method.clone(), mutant.descriptor.clone());
                let method = methods.get(&key).copied();
                let reach = known
                    .entry((method, mutant.line))
                    .or_insert_with(|| self.reach(class, method, mutant));
                if !(reach.warm.is_empty() && reach.cold.is_empty()) {
                    let mut last = batches.last_mut().expect("there is always one");
                    if last.batch.mutants.len() >= MUTANTS_PER_BATCH {
                        batches.push(Collected::default());
                        last = batches.last_mut().expect("just added");
                    }
                    last.add(number, mutant, reach);
                }
                number += 1;
            }
        }
        batches.retain(|collected| !collected.batch.mutants.is_empty());
        for collected in &mut batches {
            self.complete(collected, factor, all_kills);
        }
        batches
    }

    fn complete(&self, collected: &mut Collected, factor: u32, all_kills: bool) {
        let batch = &mut collected.batch;
        (batch.factor, batch.all_kills) = (factor, all_kills);
        batch.tests = collected
            .tests
            .iter()
            .map(|test| {
                let observed = &self.baseline.observed[*test as usize];
                let most = |of: fn(&Observed) -> i64| observed.iter().map(of).max().unwrap_or(0);
                let steps = most(|run| run.steps.into()) as i32;
                let millis = most(|run| run.millis.into()) as u32;
                JudgingTest {
                    id: self.baseline.tests[*test as usize].id.clone(),
                    steps: limits::steps(steps, factor),
                    limit_millis: limits::millis(millis, factor),
                }
            })
            .collect();
        let top = |class: &str| class.split('$').next().unwrap_or_default().to_owned();
        let all: BTreeSet<String> =
            self.baseline.tests.iter().map(|test| top(&test.class)).collect();
        let used: BTreeSet<String> = collected
            .tests
            .iter()
            .map(|test| top(&self.baseline.tests[*test as usize].class))
            .collect();
        let is_wanted = |class: &&String| !all.contains(&top(class)) || used.contains(&top(class));
        batch.initialize = self.baseline.initialized.iter().filter(is_wanted).cloned().collect();
    }
}

/// A batch with the tests it uses, as positions among all.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) batch: Batch,
    pub(super) tests: Vec<u32>,
    positions: BTreeMap<u32, u32>,
    reaches: BTreeMap<(Vec<u32>, Vec<u32>), u32>,
}

impl Collected {
    fn add(&mut self, number: u32, mutant: &Mutant, reach: &Reach) {
        let key = (reach.warm.clone(), reach.cold.clone());
        let reach = match self.reaches.get(&key) {
            Some(position) => *position,
            None => {
                let mut local = |tests: &[u32]| -> Vec<u32> {
                    tests.iter().map(|test| self.local(*test)).collect()
                };
                let warm = local(&reach.warm);
                let cold = local(&reach.cold);
                let position = self.batch.reaches.len() as u32;
                self.batch.reaches.push(Reach { warm, cold });
                self.reaches.insert(key, position);
                position
            }
        };
        self.batch.mutants.push(ToJudge { number, mutant: mutant.clone(), reach });
    }

    fn local(&mut self, test: u32) -> u32 {
        let tests = &mut self.tests;
        *self.positions.entry(test).or_insert_with(|| {
            tests.push(test);
            tests.len() as u32 - 1
        })
    }
}

/// The methods of a class by name and descriptor, with their index.
fn methods(bytes: &[u8]) -> BTreeMap<(String, String), u16> {
    let Ok(class) = ClassFile::parse(bytes) else { return BTreeMap::new() };
    let named = (0..).zip(&class.methods).filter_map(|(index, method)| {
        let name = method.name(&class.pool).ok()?.into_owned();
        let descriptor = method.descriptor(&class.pool).ok()?.into_owned();
        Some(((name, descriptor), index))
    });
    named.collect()
}

/// 0 for what is short, then one for each power of ten.
fn magnitude(millis: u32) -> u32 {
    let mut limit = SHORT_MILLIS;
    let mut magnitude = 0;
    while millis >= limit && magnitude < 6 {
        magnitude += 1;
        limit = limit.saturating_mul(10);
    }
    magnitude
}

#[cfg(test)]
mod tests {
    use super::super::suite::{Ending, SuiteTest};
    use super::*;

    /// Two lines of method 1 of class 0, one of its static initializer (method 0).
    const PLACES: [Place; 3] = [
        Place { class: 0, method: 0, line: 3 },
        Place { class: 0, method: 1, line: 7 },
        Place { class: 0, method: 1, line: 8 },
    ];

    /// Tests with what each covers in both runs, and its steps.
    fn baseline(tests: &[(&[u32], &[u32], i32)]) -> Baseline {
        let observed = |places: &[u32], steps| Observed {
            end: Ending::Passed,
            steps,
            millis: 1,
            places: places.to_vec(),
        };
        Baseline {
            tests: (0..tests.len())
                .map(|n| SuiteTest {
                    class: "ATest".into(),
                    name: n.to_string(),
                    id: n.to_string(),
                })
                .collect(),
            observed: tests
                .iter()
                .map(|(first, second, steps)| [observed(first, *steps), observed(second, *steps)])
                .collect(),
            places: PLACES.to_vec(),
            ..Baseline::default()
        }
    }

    fn mutant(method: &str, line: u16) -> Mutant {
        Mutant {
            id: String::new(),
            class: "A".to_owned(),
            method: method.to_owned(),
            descriptor: "()V".to_owned(),
            member: String::new(),
            line: Some(line),
            operator: mutants::Operator::Math,
            operators: mutants::Operators::NONE,
            description: String::new(),
            edits: Vec::new(),
        }
    }

    fn check(
        tests: &[(&[u32], &[u32], i32)],
        (method, index, line): (&str, u16, u16),
        (warm, cold): (&[u32], &[u32]),
    ) {
        let baseline = baseline(tests);
        let reach = Coverage::of(&baseline).reach(0, Some(index), &mutant(method, line));
        assert_eq!((&*reach.warm, &*reach.cold), (warm, cold), "{tests:?} {method}:{line}");
    }

    #[test]
    fn tests_that_come_to_a_line_every_time_judge_in_place_cheapest_first() {
        let tests: &[(&[u32], &[u32], i32)] =
            &[(&[1], &[1], 90), (&[1, 2], &[1, 2], 10), (&[], &[], 1)];
        check(tests, ("m", 1, 7), (&[1, 0], &[]));
        check(tests, ("m", 1, 8), (&[1], &[]));
    }

    #[test]
    fn what_only_the_first_test_runs_is_judged_in_classes_loaded_anew() {
        // The first test initializes the class, the second uses it, the third does not.
        let tests: &[(&[u32], &[u32], i32)] = &[(&[0, 1], &[1], 9), (&[1], &[1], 5), (&[], &[], 1)];
        check(tests, ("<clinit>", 0, 3), (&[], &[1, 0]));
        // A cache that the first test filled.
        let tests: &[(&[u32], &[u32], i32)] = &[(&[1, 2], &[1], 9), (&[1, 2], &[1, 2], 5)];
        check(tests, ("m", 1, 8), (&[1], &[0]));
    }

    #[test]
    fn nobody_judges_what_nobody_comes_to() {
        check(&[(&[1], &[1], 1)], ("m", 1, 8), (&[], &[]));
        check(&[(&[1], &[1], 1)], ("<clinit>", 0, 3), (&[], &[]));
    }

    #[test]
    fn an_unknown_line_stands_for_its_method() {
        check(&[(&[1], &[1], 1)], ("m", 1, 99), (&[0], &[]));
    }

    #[test]
    fn tests_are_short_up_to_half_a_second() {
        assert_eq!([0, 499, 500, 4999, 5000].map(magnitude), [0, 0, 1, 1, 2]);
    }
}
