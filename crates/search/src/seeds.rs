//! Test cases from elsewhere, such as tests that somebody wrote, before the search begins (requirement
//! E3).
//!
//! Each is run as a strategy's own would be, so it is kept if it reaches something new, and what it
//! made goes into the strategy's pool. A pool takes what the last call of a test case made; so the
//! beginnings of a seed are run too, up to each of its calls.
//!
//! Invariant: a seed has operations of the search only. What the search does not know of is left out,
//! with what depends on it: it could neither be gone on with nor written.

use model::{ClassSource, Slot, TestCase};
use rustc_hash::FxHashSet;

use crate::api::Api;
use crate::driver::{Driver, Event};
use crate::executor::Executor;
use crate::strategy::Strategy;

/// Of longer seeds only the beginnings up to here are run one by one: that takes the square of it.
const MAX_BEGINNINGS: usize = 32;

impl<E: Executor> Driver<'_, E> {
    /// Runs seeds; says how many there were of use.
    pub fn sow(
        &mut self,
        seeds: &[TestCase],
        strategy: &mut dyn Strategy,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> usize {
        let fitted: Vec<TestCase> =
            seeds.iter().filter_map(|seed| fitted(seed, self.api, self.classes())).collect();
        for seed in &fitted {
            for count in 1..=seed.calls.len() {
                if count <= MAX_BEGINNINGS || count == seed.calls.len() {
                    let mut beginning = seed.clone();
                    beginning.calls.truncate(count);
                    self.run_whole(&beginning, strategy, on_event);
                }
            }
        }
        fitted.len()
    }
}

/// What of a seed is made of operations of an [`Api`]; `None` if no subject is among them.
fn fitted(seed: &TestCase, api: &Api, classes: &dyn ClassSource) -> Option<TestCase> {
    let mut case = TestCase { slots: seed.slots.clone(), calls: Vec::new() };
    let mut lost: FxHashSet<Slot> = FxHashSet::default();
    let mut tests = false;
    for call in &seed.calls {
        let known = api.id_of(&call.op).filter(|_| !call.args.iter().any(|arg| lost.contains(arg)));
        match known {
            Some(op) => {
                let mut call = call.clone();
                call.op = api.operation(op).clone();
                tests |= api.is_subject(&call.op);
                case.calls.push(call);
            }
            None => lost.extend(call.result),
        }
    }
    (tests && case.check(&classes).is_ok()).then_some(case)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::classes::counter;
    use crate::testing::machine::Machine;
    use crate::testing::world::World;
    use crate::testing::{Script, api, case, settings, told};

    #[test]
    fn what_a_search_does_not_know_of_is_left_out_with_what_depends_on_it() {
        let world = World::of([counter()]);
        let api = api(&world, "a/Counter");
        let mut seed = case(&world, "a/Counter", &["add 20"]);
        let own = seed.clone();
        let mut foreign = seed.calls[0].clone();
        foreign.op =
            Arc::new(model::Operation { owner: "b/Other".into(), ..(*foreign.op).clone() });
        foreign.result = Some(seed.slot(seed.slots[0].ty.clone()));
        let mut needs = seed.calls[1].clone();
        needs.args[0] = foreign.result.expect("just set");
        seed.calls.splice(1..1, [foreign, needs]);
        assert_eq!(fitted(&seed, &api, &world).map(|fit| told(&fit)), Some(told(&own)));
        seed.calls.retain(|call| call.op.owner.as_internal() == "b/Other");
        assert_eq!(fitted(&seed, &api, &world), None);
    }

    #[test]
    fn what_a_seed_reaches_is_kept_and_each_of_its_beginnings_is_told_to_the_strategy() {
        let world = World::of([counter()]);
        let api = api(&world, "a/Counter");
        let mut machine = Machine::new(&world);
        let mut driver = Driver::new(&mut machine, &api, &world, settings(0));
        let mut script = Script::new(Vec::new());
        let seed = case(&world, "a/Counter", &["add 20", "get"]);
        assert_eq!(driver.sow(std::slice::from_ref(&seed), &mut script, &mut |_| {}), 1);
        let kept = driver.kept().last().map(|kept| told(&kept.case));
        assert_eq!(kept, Some(told(&seed)));
        assert_eq!(script.reports.len(), 3);
    }
}
