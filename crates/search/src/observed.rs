//! Everything that can be seen of a run of a test case: what each call came to, and what its slots hold
//! at the end. What two versions of the code are compared by (requirement E11).
//!
//! It costs many times what running the test does, so it is for the few tests that were kept.

use std::sync::Arc;

use model::{Observation, Operation, Outcome, Slot, TestCase};
use serde::{Deserialize, Serialize};

use crate::executor::Executor;
use crate::record::run_recorded;

/// What was seen of a run.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Observed {
    /// Call by call.
    pub outcome: Outcome,
    /// What is in each slot at the end: the value pools of the test case.
    pub left: Vec<Observation>,
    /// What the objects in them answer to `toString`, if that was asked; nothing for other slots.
    pub texts: Vec<Option<Observation>>,
}

/// Runs a test case and looks at all of it. With `text`, which is `toString`, objects are asked for theirs.
pub fn observed<E: Executor>(
    executor: &mut E,
    case: &TestCase,
    text: Option<&Arc<Operation>>,
) -> Observed {
    let calls = run_recorded(executor, case);
    let slots = || (0..case.slots.len() as u32).map(Slot);
    let left: Vec<Observation> = slots().map(|slot| executor.observe(slot)).collect();
    let mut texts = Vec::new();
    if let Some(text) = text {
        for (slot, left) in slots().zip(&left) {
            let is_object = matches!(left, Observation::Object { .. });
            texts
                .push(is_object.then(|| executor.view(std::slice::from_ref(text), slot)).flatten());
        }
    }
    executor.end();
    Observed { outcome: Outcome { calls }, left, texts }
}
