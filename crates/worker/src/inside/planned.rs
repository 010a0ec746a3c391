//! Where the probes of a class and of the hidden classes inside it go, and whether there is room.
//!
//! Too many comparisons cost a class its frontier, too many probes all its tests; both are told.
//!
//! Invariant: the order of the plans depends on names only, for probes are numbered by it.

use classpath::World;
use instrument::{Options, Plan};
use model::{Class, ClassName, ClassSource, Nesting};
use search::{Reason, ReasonCode};

use crate::checked::CheckedClasses;
use crate::inside::readings::Readings;
use crate::setup::{MAP_SIZE, MAX_COMPARISONS};

/// How much there is to watch.
#[derive(Clone, Copy)]
struct Size {
    probes: usize,
    comparisons: usize,
}

impl Size {
    fn of(plans: &[Plan]) -> Self {
        Self {
            probes: plans.iter().map(|plan| plan.probes.len()).sum(),
            comparisons: plans.iter().map(|plan| plan.comparisons.len()).sum(),
        }
    }

    /// What is to be told if the class is searched without its frontier.
    fn beyond_frontier(self) -> Option<String> {
        (self.comparisons > MAX_COMPARISONS as usize).then(|| {
            format!(
                "searched without the frontier: {} comparisons are more than the {MAX_COMPARISONS} \
                 that can be watched",
                self.comparisons
            )
        })
    }

    /// Why there can be no test.
    fn beyond_map(self) -> Option<Reason> {
        (self.probes > MAP_SIZE as usize).then(|| {
            let detail = format!(
                "{} probes are more than the {MAP_SIZE} that there is room for",
                self.probes
            );
            Reason::of_class(ReasonCode::TooLarge, detail)
        })
    }
}

/// The plans of a class, the one of the class itself first, with what is to be told; or why there can be no
/// test.
pub(crate) fn planned(
    readings: &Readings<'_>,
    checked: Option<&CheckedClasses>,
    class: &Class,
    frontier: bool,
) -> (Vec<Plan>, Vec<String>, Option<Reason>) {
    let mut plans = plan(readings, checked, class, frontier);
    let note = Size::of(&plans).beyond_frontier();
    if note.is_some() {
        plans = plan(readings, checked, class, false);
    }
    let reason = Size::of(&plans).beyond_map();
    (plans, note.into_iter().collect(), reason)
}

/// The class and the classes inside it that only it can reach, in a stable order.
fn plan(
    readings: &Readings<'_>,
    checked: Option<&CheckedClasses>,
    class: &Class,
    comparisons: bool,
) -> Vec<Plan> {
    let world = readings.world;
    let options = Options { coverage: true, steps: true, comparisons };
    let mut names = vec![class.name.clone()];
    let prefix = format!("{}$", class.name.as_internal());
    for name in world.package_classes(class.name.package()) {
        if name.as_internal().starts_with(&prefix) && is_hidden(world, &name, &class.name) {
            names.push(name);
        }
    }
    let placed = names.iter().filter_map(|name| {
        let plain = readings.without_checks(name, checked);
        readings.of_loaded(name, checked, |class| {
            instrument::place_checked(class, plain.as_ref(), &options)
        })
    });
    placed.collect()
}

/// Whether a nested class is out of reach for tests, and everything between it and the top is too.
fn is_hidden(world: &World, name: &ClassName, top: &ClassName) -> bool {
    let Some(class) = world.class(name) else { return false };
    match &class.nesting {
        Nesting::Top => false,
        Nesting::Member { outer, .. } => {
            class.access.is_private() && (outer == top || is_hidden(world, outer, top))
                || (outer != top && is_hidden(world, outer, top))
        }
        // A local class belongs to the nearest enclosing class that a test can name.
        Nesting::Local => {
            let enclosing = name.as_internal().rfind('$').map(|at| &name.as_internal()[..at]);
            enclosing.is_some_and(|outer| {
                outer == top.as_internal() || is_hidden(world, &ClassName::internal(outer), top)
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_no_room_for_is_told() {
        let size = |probes, comparisons| Size { probes, comparisons };
        let fits = size(MAP_SIZE as usize, MAX_COMPARISONS as usize);
        assert_eq!(fits.beyond_frontier(), None);
        assert_eq!(fits.beyond_map(), None);
        let note = size(0, 65537).beyond_frontier().unwrap();
        let told = "searched without the frontier: 65537 comparisons are more than the 65536 that";
        assert!(note.starts_with(told), "{note}");
        let reason = size(300_000, 0).beyond_map().unwrap();
        assert_eq!(reason.code, ReasonCode::TooLarge);
        assert!(reason.detail.starts_with("300000 probes are more than the 262144"), "{reason:?}");
    }
}
