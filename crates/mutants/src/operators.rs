//! What each operator finds in a method.

mod calls;
mod conditionals;
mod constants;
mod increments;
mod math;
mod returns;
mod same;
mod statements;
mod switches;

use crate::body::Body;
use crate::found::Finding;
use crate::liveness::Liveness;

/// All that can be changed in a method, whoever wrote it.
pub(crate) fn find(body: &Body<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    let live = Liveness::of(body);
    for at in (0..body.count()).filter(|at| body.state(*at).is_some()) {
        math::find(body, at, &mut found);
        conditionals::find(body, at, &mut found);
        returns::find(body, at, &mut found);
        calls::find(body, at, &mut found);
        constants::find(body, at, &mut found);
        increments::find(body, &live, at, &mut found);
        switches::find(body, at, &mut found);
        statements::find(body, &live, at, &mut found);
    }
    found
}
