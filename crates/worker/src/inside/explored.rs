//! What explorative strategies need before their first test: the context, and its operations linked.

use classpath::World;
use model::ClassSource;
use search::{Api, Executor, Exploration, OpId, Reason, ReasonCode};
use space::Context;

use crate::inside::machine::Machine;
use crate::protocol::Unit;

/// The context of the class under test, from its file or the usual one.
pub(crate) fn context(
    world: &World,
    api: &Api,
    exploration: &Exploration,
) -> Result<Context, Reason> {
    let refuse = |why: String| Reason::of_class(ReasonCode::NothingToRun, why);
    let class = world.class(&api.class).ok_or_else(|| refuse("there is no class".to_owned()))?;
    match &exploration.file {
        Some(file) => file.resolve(Some(&class), world).map_err(|error| refuse(error.to_string())),
        None => Context::of_class(&class, world).map_err(|error| refuse(error.to_string())),
    }
}

/// Links what the search would not call by itself, and has calls that must not be made left alone.
pub(crate) fn link(
    machine: &mut Machine<'_>,
    api: &Api,
    context: &Context,
    (unit, avoid): (&Unit, &[OpId]),
) {
    for op in context.methods() {
        if let Some(id) = api.first_of(op) {
            if avoid.iter().any(|avoided| api.operation(*avoided) == api.operation(id)) {
                machine.leave_alone(op);
            }
            continue;
        }
        let is_harmless = !unit.avoid.contains(op)
            && machine
                .link(op)
                .is_ok_and(|effects| effects.iter().all(|e| e.kind.may_be_emitted()));
        if !is_harmless {
            machine.leave_alone(op);
        }
    }
}
