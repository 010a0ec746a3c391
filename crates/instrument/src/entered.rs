//! Decides where probes go that tell which lines control came to, whatever became of it there.
//!
//! Coverage as reports tell it counts code that control came from again (see `points`). Who changes a
//! line, and asks which tests to run then, has to know who came there at all: a test that expects an
//! exception goes no further than the line that throws it.
//!
//! Invariant: an instruction that runs has a probe of its method and line before it, in its block.

use classfile::{ClassFile, ClassFileError, Code, Member};

use crate::InstrumentError;
use crate::flow::Flow;
use crate::lines::lines_of;
use crate::place::RUNTIME_SLOTS;
use crate::plan::{MethodPlan, Options, Plan, Probe, ProbeKind, Site, SkipReason, Skipped};
use crate::rewrite::fits;
use crate::steps::place_steps;

/// A line of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entered {
    /// The method, by its index in the class file.
    pub method: u16,
    /// The line; none for code that has no numbers.
    pub line: Option<u16>,
}

/// Where control comes to lines, with steps counted as by [`crate::place`], by the bytes of the class
/// only; and what a hit of each probe means. Methods that are skipped have no probes.
pub fn place_entered(class: &ClassFile) -> Result<(Plan, Vec<Entered>), InstrumentError> {
    let bad_class = |source| InstrumentError::ClassFile {
        class: class.name().map_or_else(|_| "a class".into(), |name| name.into_owned()),
        source,
    };
    let mut plan = Plan {
        class: class.name().map_err(bad_class)?.into_owned(),
        options: Options { coverage: true, steps: true, comparisons: false },
        methods: Vec::new(),
        probes: Vec::new(),
        branches: Vec::new(),
        segments: Vec::new(),
        comparisons: Vec::new(),
        skipped: Vec::new(),
    };
    let mut entered = Vec::new();
    let mut slots = class.pool.slots() + RUNTIME_SLOTS;
    for (index, method) in (0..).zip(&class.methods) {
        place_in(class, index, method, &mut plan, &mut entered, &mut slots).map_err(bad_class)?;
    }
    Ok((plan, entered))
}

fn place_in(
    class: &ClassFile,
    index: u16,
    method: &Member,
    plan: &mut Plan,
    entered: &mut Vec<Entered>,
    slots: &mut usize,
) -> Result<(), ClassFileError> {
    let name = method.name(&class.pool)?.into_owned();
    let descriptor = method.descriptor(&class.pool)?.into_owned();
    let mut skip = |reason| {
        let (name, descriptor) = (name.clone(), descriptor.clone());
        plan.skipped.push(Skipped { index, name, descriptor, reason });
    };
    let code = match Code::decode(class, method) {
        Ok(Some(code)) => code,
        Ok(None) => return Ok(()),
        Err(error) => {
            skip(SkipReason::Undecodable(error.to_string()));
            return Ok(());
        }
    };
    if name == "finalize" && descriptor == "()V" && code.instructions().count() == 1 {
        skip(SkipReason::EmptyFinalizer);
        return Ok(());
    }
    let flow = Flow::of(&code);
    let lines = lines_of(&code, &flow);
    let mut found = Vec::new();
    for block in &flow.blocks {
        for at in block.start..block.end {
            if at == block.start || lines[at] != lines[at - 1] {
                found.push((at as u32, lines[at]));
            }
        }
    }
    let first = plan.probes.len() as u32;
    let position = plan.methods.len() as u32;
    let probes: Vec<Probe> = found
        .iter()
        .map(|(at, _)| Probe { method: position, kind: ProbeKind::Place, site: Site::Before(*at) })
        .collect();
    let of_method = MethodPlan {
        index,
        name: name.clone(),
        descriptor: descriptor.clone(),
        access: method.access,
        counted: true,
        probes: first..first + probes.len() as u32,
        steps: place_steps(&code, &flow),
        comparisons: 0..0,
    };
    // In the worst case each probe takes a constant for its id.
    let with_these = *slots + probes.len();
    if with_these > usize::from(u16::MAX) {
        skip(SkipReason::PoolFull);
        return Ok(());
    }
    if let Some(reason) = fits(class, &code, &of_method, &probes, &[]) {
        skip(reason);
        return Ok(());
    }
    *slots = with_these;
    entered.extend(found.iter().map(|(_, line)| Entered { method: index, line: *line }));
    plan.probes.extend(probes);
    plan.methods.push(of_method);
    Ok(())
}
