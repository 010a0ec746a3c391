//! A search that ended before it had tried its class: its calls were slow, workers died, the budget was
//! small (requirement G14).
//!
//! What is told of single members then says little: that every call of one threw, when there were three.
//! So the class is told to be starved, with what its calls were spent on where that can be seen.
//!
//! Invariant: a search that covered everything, or whose strategy had nothing left to propose, is not
//! starved.

use super::{Reason, ReasonCode, TRIED};
use crate::driver::{Driver, OpStatistics};
use crate::executor::Executor;

/// Why there is so little of a class, if its search ended with fewer calls than it takes to try it.
pub(crate) fn starved<E: Executor>(driver: &Driver<'_, E>) -> Option<Reason> {
    let members = driver.api.subjects().len() as u64;
    let calls = driver.statistics().calls;
    let is_open = driver.covered().contains(&0);
    if !driver.has_used_up_budget() || !is_open || calls >= members * TRIED {
        return None;
    }
    let what = if calls == 1 { "call" } else { "calls" };
    let made = format!("{} made, too few to try {}", counted(calls, what), of_members(members));
    let detail = match cut(driver) {
        Some(cut) => format!("{made}; {cut}"),
        None => made,
    };
    Some(Reason::of_class(ReasonCode::Starved, detail))
}

/// How many calls had to be cut short, and which most often, if any had.
fn cut<E: Executor>(driver: &Driver<'_, E>) -> Option<String> {
    let cuts: u64 = driver.per_op.values().map(|known: &OpStatistics| known.cut).sum();
    let most = driver.per_op.iter().max_by_key(|(op, known)| (known.cut, std::cmp::Reverse(op.0)));
    let (op, known) = most.filter(|(_, known)| known.cut > 0)?;
    let op = driver.api.operation(*op);
    let of_it = if known.cut == cuts { String::new() } else { format!("{} ", known.cut) };
    Some(format!("{} cut short, {of_it}of {op}", counted(cuts, "of them")))
}

/// `1 of them was`, `3 of them were`.
fn counted(number: u64, what: &str) -> String {
    let were = if number == 1 { "was" } else { "were" };
    format!("{number} {what} {were}")
}

fn of_members(number: u64) -> String {
    if number == 1 { "its member".to_owned() } else { format!("its {number} members") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::classes::looper;
    use crate::testing::machine::Value;
    use crate::testing::searched;
    use crate::testing::settings;
    use crate::testing::world::{World, class};

    fn check(world: &World, name: &str, calls: u64, expected: Option<&str>) {
        let found = searched(world, name, settings(calls), |driver, _| starved(driver));
        let found = found.map(|reason| {
            assert_eq!((reason.code, &*reason.member), (ReasonCode::Starved, ""));
            reason.detail
        });
        assert_eq!(found.as_deref(), expected, "{calls}");
    }

    #[test]
    fn a_class_with_fewer_calls_than_it_takes_to_try_it_is_starved() {
        let world = World::of([class("a/Slow").method("works()V", |_, _| Ok(Value::Null))]);
        check(&world, "a/Slow", 0, Some("0 calls were made, too few to try its 2 members"));
        check(&world, "a/Slow", 1000, None);
    }

    #[test]
    fn what_had_to_be_cut_short_is_told() {
        let world = World::of([looper()]);
        let found = searched(&world, "a/Looper", settings(150), |driver, _| starved(driver));
        let detail = found.expect("a starved class").detail;
        assert!(detail.contains("cut short") && detail.contains("of a.Looper."), "{detail}");
    }

    #[test]
    fn a_class_that_is_covered_is_not_starved() {
        let covers: crate::testing::world::Body = |heap, _| {
            (0..crate::testing::machine::PROBES).for_each(|probe| heap.hit(probe));
            Ok(Value::Null)
        };
        let world = World::of([class("a/Done").method("works()V", covers)]);
        check(&world, "a/Done", 40, None);
    }
}
