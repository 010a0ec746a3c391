//! Decides where probes and steps go in a class.
//!
//! Placing is separate from writing (`rewrite`), so that a report can map a probe to its branch
//! without instrumenting again. Where a method would grow past a limit of the format, it is
//! found out here: a plan never promises a probe that is not written.

use classfile::{ClassFile, ClassFileError, Code, Member, MethodDescriptor, flags};

use crate::InstrumentError;
use crate::compare::{place_boundaries, place_comparisons, place_dropped};
use crate::filters::Filters;
use crate::flow::Flow;
use crate::lines::lines_of;
use crate::plan::{MethodPlan, Options, Plan, Probe, ProbeKind, Site, SkipReason, Skipped};
use crate::proof::place_method;
use crate::rewrite::fits;
use crate::segments::add_segments;
use crate::steps::place_steps;
use crate::throwing::Throwing;
use crate::woven::{Own, Woven, source_name};

/// Slots of the constant pool for the runtime class and its members.
pub(crate) const RUNTIME_SLOTS: usize = 64;

/// Decides what is inserted into a class, by its bytes and `options` only.
pub fn place(class: &ClassFile, options: &Options) -> Result<Plan, InstrumentError> {
    place_checked(class, None, options)
}

/// The same for a class with contract checks, by its bytes and those of the class without checks: what is
/// woven in counts for nothing.
pub fn place_checked(
    class: &ClassFile,
    plain: Option<&ClassFile>,
    options: &Options,
) -> Result<Plan, InstrumentError> {
    let bad_class = |source| InstrumentError::ClassFile {
        class: class.name().map_or_else(|_| "a class".into(), |name| name.into_owned()),
        source,
    };
    let mut plan = Plan {
        class: class.name().map_err(bad_class)?.into_owned(),
        options: *options,
        methods: Vec::new(),
        probes: Vec::new(),
        branches: Vec::new(),
        segments: Vec::new(),
        comparisons: Vec::new(),
        skipped: Vec::new(),
    };
    let throwing = Throwing::of(class);
    let woven = Woven::of(class, plain).map_err(bad_class)?;
    let mut pool_slots = class.pool.slots() + RUNTIME_SLOTS;
    for (index, method) in class.methods.iter().enumerate() {
        place_in(class, index, method, (&throwing, &woven), &mut plan, &mut pool_slots)
            .map_err(bad_class)?;
    }
    add_entries(class, &woven, &mut plan).map_err(bad_class)?;
    Ok(plan)
}

/// Says of comparisons in preconditions which method they stand before. Its body may come after them.
fn add_entries(
    class: &ClassFile,
    woven: &Woven<'_>,
    plan: &mut Plan,
) -> Result<(), ClassFileError> {
    for at in 0..plan.comparisons.len() {
        let method = &plan.methods[plan.comparisons[at].method as usize];
        let name = class.methods[usize::from(method.index)].name(&class.pool)?;
        let Some((name, descriptor)) = woven.asked_by(&name) else { continue };
        let mut entries = plan.methods.iter().filter_map(|method| {
            let is_it = method.name == *name && method.descriptor == *descriptor;
            let mut probes = method.probes.clone().filter(|_| is_it);
            probes.find(|probe| plan.probes[*probe as usize].kind == ProbeKind::Entry)
        });
        let entry = entries.next();
        plan.comparisons[at].until = entry;
    }
    Ok(())
}

/// Adds one method to the plan.
fn place_in(
    class: &ClassFile,
    index: usize,
    method: &Member,
    (throwing, woven): (&Throwing<'_>, &Woven<'_>),
    plan: &mut Plan,
    pool_slots: &mut usize,
) -> Result<(), ClassFileError> {
    let name = method.name(&class.pool)?.into_owned();
    let descriptor = method.descriptor(&class.pool)?.into_owned();
    let index = u16::try_from(index).expect("a class has at most 65535 methods");
    let skip =
        |reason| Skipped { index, name: name.clone(), descriptor: descriptor.clone(), reason };
    let code = match Code::decode(class, method) {
        Ok(Some(code)) => code,
        Ok(None) => return Ok(()),
        Err(error) => {
            plan.skipped.push(skip(SkipReason::Undecodable(error.to_string())));
            return Ok(());
        }
    };
    if name == "finalize" && descriptor == "()V" && code.instructions().count() == 1 {
        plan.skipped.push(skip(SkipReason::EmptyFinalizer));
        return Ok(());
    }
    let flow = Flow::of(&code);
    let steps = if plan.options.steps { place_steps(&code, &flow) } else { Vec::new() };
    let mut covering = Vec::new();
    let first = plan.probes.len() as u32;
    let position = plan.methods.len() as u32;
    let numbered = |(site, kind)| Probe { method: position, kind, site };
    let is_check = woven.is_check(&name, &descriptor);
    let own = match is_check {
        true => None,
        false => woven.own((class, method), (&name, &descriptor), &code, &flow)?,
    };
    let is_mixed = own.is_some();
    let Own { filters, lines } = own.unwrap_or_else(|| Own {
        filters: Filters::of_method(class, method, &name, &descriptor, &code, &flow),
        lines: lines_of(&code, &flow),
    });
    let is_own = |at: u32| !is_mixed || !filters.ignored[at as usize];
    let mut placed = None;
    if plan.options.coverage && !is_check {
        let mut found = place_method(&code, &flow, throwing, method.has_flag(flags::STATIC));
        covering = std::mem::take(&mut found.probes).into_iter().map(numbered).collect();
        placed = Some(found);
    }
    let first_comparison = plan.comparisons.len() as u32;
    let counted = !filters.whole_method && !is_check;
    let parameters = MethodDescriptor::parse(&descriptor)?.parameters.len();
    let mut tells = plan.options.comparisons && (!is_check || woven.asked_by(&name).is_some());
    let (probes, comparisons, plan_of_method, slots) = loop {
        let mut probes = covering.clone();
        if tells && plan.options.coverage && !is_check {
            let more =
                place_boundaries(class, &flow).into_iter().chain(place_dropped(class, &flow));
            let more = more.filter(|(site, _)| match site {
                Site::Equal { at, .. } | Site::Dropped { at, .. } => is_own(*at),
                _ => true,
            });
            probes.extend(more.map(numbered));
        }
        let end = first + probes.len() as u32;
        let comparisons = match tells {
            true => place_comparisons(
                class,
                &flow,
                position,
                &probes,
                first..end,
                &filters,
                name == "<init>",
            ),
            false => Vec::new(),
        };
        // In the worst case each probe or comparison takes a constant for its id, and each parameter
        // a class.
        let slots = *pool_slots + probes.len() + comparisons.len() + 2 * parameters;
        let plan_of_method = MethodPlan {
            index,
            name: source_name(&name).to_owned(),
            descriptor: descriptor.clone(),
            access: method.access,
            counted,
            probes: first..end,
            steps: steps.clone(),
            comparisons: first_comparison..first_comparison + comparisons.len() as u32,
        };
        let obstacle = if slots > usize::from(u16::MAX) {
            Some(SkipReason::PoolFull)
        } else {
            fits(class, &code, &plan_of_method, &probes, &comparisons)
        };
        match obstacle {
            None => break (probes, comparisons, plan_of_method, slots),
            // Coverage matters more.
            Some(_) if tells => tells = false,
            Some(reason) => {
                plan.skipped.push(skip(reason));
                return Ok(());
            }
        }
    };
    *pool_slots = slots;
    if let Some(placed) = &placed {
        add_segments(plan, position, first, &flow, &lines, placed, &filters);
    }
    plan.probes.extend(probes);
    plan.comparisons.extend(comparisons);
    plan.methods.push(plan_of_method);
    Ok(())
}
