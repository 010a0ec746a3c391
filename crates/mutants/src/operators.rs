//! What each operator finds in a method.

mod math;

use crate::body::Body;
use crate::found::Finding;

/// All that can be changed in a method.
pub(crate) fn find(body: &Body<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for at in 0..body.count() {
        if body.state(at).is_none() {
            continue;
        }
        math::find(body, at, &mut found);
    }
    found
}
