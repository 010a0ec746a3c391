//! Arguments that nothing could make: their members were called with `null` only.
//!
//! A search gives `null` where it has no object, and what comes of that (a null pointer exception, the
//! quick way out of a guard) looks like what the member does. So it is told what was missing.
//!
//! Invariant: a type is told to be missing only if no object of it was in any test of the search that was
//! looked at (the first thousands, those that were kept, and others now and then), and the search tried.

use instrument::ProbeKind;

use super::{Objects, Reason, ReasonCode, TRIED};
use crate::api::{Api, OpId, TypeId};
use crate::driver::{Driver, OpStatistics};
use crate::executor::Executor;
use crate::guided::Knowledge;

/// What is missing for an argument of the operation, in words; the receiver is no argument.
pub(super) fn missing_argument<E: Executor>(
    driver: &Driver<'_, E>,
    objects: Objects<'_>,
    op: OpId,
) -> Option<String> {
    let api = driver.api;
    let calls = |op: OpId| {
        let known: Option<&OpStatistics> = driver.per_op.get(&api.first(op));
        known.map_or(0, |of| of.returned + of.threw + of.cut)
    };
    let has_tried = |makers: &[OpId]| {
        let made: u64 = makers.iter().map(|maker| calls(*maker)).sum();
        makers.is_empty() || calls(op) + made >= TRIED
    };
    let is_missing = |ty: &TypeId| {
        let makers = api.makers(*ty);
        api.ty(*ty).is_reference()
            && api.literals(*ty).is_empty()
            && has_tried(makers)
            && !makers.iter().any(|maker| driver.has_made(*maker))
            && objects(*ty, 1).is_empty()
    };
    // The types of one way to use it may be at hand where those of another are not.
    let of = |op: &OpId| {
        let given = usize::from(api.needs_first(*op));
        api.params(*op).iter().skip(given).copied().find(is_missing)
    };
    let missing: Option<Vec<TypeId>> = api.variants(op).iter().map(of).collect();
    missing?.first().map(|ty| why_missing(driver, *ty))
}

/// Why there is no object of a type.
pub(super) fn why_missing<E: Executor>(driver: &Driver<'_, E>, ty: TypeId) -> String {
    let api = driver.api;
    let name = api.ty(ty);
    let makers = api.makers(ty);
    let thrown = makers.iter().find_map(|maker| {
        let class = driver.per_op.get(&api.first(*maker))?.last_thrown.as_ref()?;
        Some(format!("no {name} could be made: {} throws {class}", api.operation(*maker)))
    });
    thrown.unwrap_or_else(|| match makers {
        [] => format!("nothing makes a {name}"),
        _ => format!("no {name} could be made"),
    })
}

/// Adds members that returned, but were given `null` for what nothing makes and have branches that no
/// test takes. What the tests of a member cover well needs no other argument.
pub(crate) fn add_called_with_null<E: Executor>(
    reasons: &mut Vec<Reason>,
    driver: &Driver<'_, E>,
    knowledge: &Knowledge,
    hits: &[u8],
    objects: Objects<'_>,
) {
    let api = driver.api;
    for id in api.subjects() {
        let op = api.operation(*id);
        let is_told = |reason: &Reason| reason.member == op.to_string();
        if reasons.iter().any(is_told) || !has_open_branch(api, *id, knowledge, hits) {
            continue;
        }
        if let Some(why) = missing_argument(driver, objects, *id) {
            let detail = format!("{why}; it was called with null, and branches of it are open");
            reasons.push(Reason::of_operation(ReasonCode::NoValueOfType, op, detail));
        }
    }
}

fn has_open_branch(api: &Api, op: OpId, knowledge: &Knowledge, hits: &[u8]) -> bool {
    let op = api.operation(op);
    let descriptor = op.descriptor();
    let mut start = 0;
    for plan in &knowledge.plans {
        let is_it = |probe: &instrument::Probe| {
            let method = &plan.methods[probe.method as usize];
            method.name == *op.name && method.descriptor == descriptor
        };
        let mut probes = plan.probes.iter().zip(start..);
        let is_open = |(probe, at): (&instrument::Probe, usize)| {
            matches!(probe.kind, ProbeKind::Branch { .. })
                && is_it(probe)
                && hits.get(at).is_some_and(|hit| *hit == 0)
        };
        if plan.class == op.owner.as_internal() && probes.any(is_open) {
            return true;
        }
        start += plan.probes.len();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::tests::{after, check};
    use super::*;
    use crate::finish;
    use crate::testing::machine::{Value, null_pointer, throw};
    use crate::testing::searched;
    use crate::testing::settings;
    use crate::testing::world::{PRIVATE, World, bare_class, class};

    /// `a.Door` takes a `a.Key`, which only its own code can make.
    fn world() -> World {
        let key = bare_class("a/Key").member(PRIVATE, "<init>()V", |_, _| Ok(Value::Null));
        let broken = bare_class("a/Broken").constructor("()V", |_, _| throw("Error", 1));
        let door = class("a/Door")
            .method("open(La/Key;)V", |heap, args| {
                heap.hit(1);
                if args[1] == Value::Null { null_pointer(3) } else { Ok(Value::Null) }
            })
            .method("force(La/Broken;)V", |heap, _| {
                heap.hit(2);
                null_pointer(4)
            })
            .method("look(La/Door;)V", |heap, _| {
                heap.hit(3);
                throw("IllegalStateException", 5)
            })
            .method("peek(La/Key;)Z", |heap, args| {
                heap.hit(if args[1] == Value::Null { 5 } else { 6 });
                Ok(Value::boolean(false))
            });
        World::of([key, broken, door])
    }

    #[test]
    fn a_member_whose_argument_cannot_be_made_says_what_is_missing() {
        let world = world();
        let detail = "nothing makes a a.Key; with null it throws java.lang.NullPointerException";
        check(after(&world, "a/Door", "a.Door.open(a.Key)"), (ReasonCode::NoValueOfType, detail));
        let detail = "no a.Broken could be made: new a.Broken() throws java.lang.Error; with null \
                      it throws java.lang.NullPointerException";
        let found = after(&world, "a/Door", "a.Door.force(a.Broken)");
        check(found, (ReasonCode::NoValueOfType, detail));
    }

    #[test]
    fn a_member_that_throws_at_objects_too_always_throws() {
        let found = after(&world(), "a/Door", "a.Door.look(a.Door)");
        check(found, (ReasonCode::AlwaysThrows, "java.lang.IllegalStateException"));
    }

    /// What is said of `peek`, which returns, if its branches are these of the given probes.
    fn said_of_peek(probes: [u32; 2]) -> Option<(ReasonCode, String)> {
        let knowledge = Knowledge { plans: vec![plan(probes)], ..Knowledge::default() };
        let finished = searched(&world(), "a/Door", settings(3000), |driver, strategy| {
            finish(driver, &world(), &knowledge, &|ty, limit| strategy.objects(ty, limit))
        });
        let is_it = |reason: &Reason| reason.member == "a.Door.peek(a.Key)";
        let reason = finished.reasons.into_iter().find(is_it)?;
        Some((reason.code, reason.detail))
    }

    /// A plan of `peek` whose two branches have these probes.
    fn plan(branches: [u32; 2]) -> instrument::Plan {
        use instrument::{Edge, MethodPlan, Options, Plan, Probe, Site};
        let method = |name: &str, descriptor: &str| MethodPlan {
            index: 0,
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            access: 0,
            counted: true,
            probes: 0..0,
            steps: Vec::new(),
            comparisons: 0..0,
        };
        let branch = ProbeKind::Branch { instruction: 0, line: None, edge: Edge::Taken };
        let probe = |at: u32| {
            let is_branch = branches.contains(&at);
            let kind = if is_branch { branch.clone() } else { ProbeKind::Place };
            Probe { method: u32::from(is_branch), kind, site: Site::Entry }
        };
        Plan {
            class: "a/Door".to_owned(),
            options: Options { coverage: true, steps: true, comparisons: false },
            methods: vec![method("open", "(La/Key;)V"), method("peek", "(La/Key;)Z")],
            probes: (0..16).map(probe).collect(),
            branches: Vec::new(),
            segments: Vec::new(),
            comparisons: Vec::new(),
            skipped: Vec::new(),
        }
    }

    #[test]
    fn a_member_that_returns_for_null_is_told_of_if_branches_stay_open() {
        let detail = "nothing makes a a.Key; it was called with null, and branches of it are open";
        check(said_of_peek([5, 6]), (ReasonCode::NoValueOfType, detail));
        check(said_of_peek([5, 5]), None);
    }
}
