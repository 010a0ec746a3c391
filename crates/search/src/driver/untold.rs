//! Tests whose mocks were not told enough: they end in a null pointer exception because a mock
//! answered `null`, which says little of the code under test.
//!
//! Such a test is kept like others, for want of a better one. But what only such tests cover is not
//! settled: a test that covers it in another way is kept too, though it covers nothing new.

use model::{Call, Thrown};

use super::has_new;
use crate::executor::Executor;

/// Whether what the last call of the open test threw comes of a mock that answered `null`, as far as
/// one can tell: not if the call was given a `null` itself, unless the JVM says that it was returned.
pub(crate) fn is_of_untold_mock<E: Executor>(executor: &E, call: &Call, thrown: &Thrown) -> bool {
    let is_returned = || {
        let message = thrown.message.as_ref().map(ToString::to_string);
        message.is_some_and(|message| message.contains(" because the return value of "))
    };
    thrown.class.as_internal() == "java/lang/NullPointerException"
        && executor.mocks_gave_null()
        && (is_returned() || !call.args.iter().any(|slot| executor.is_null(*slot)))
}

/// The probes that are covered otherwise.
#[derive(Debug)]
pub(super) struct Settled {
    probes: Vec<u8>,
    /// Whether more are covered.
    lacks: bool,
}

impl Settled {
    pub(super) fn new(probes: Vec<u8>) -> Self {
        Self { probes, lacks: false }
    }

    /// Whether a test hits what is not settled yet, though it may be covered.
    pub(super) fn lacks(&self, hits: &[u8]) -> bool {
        self.lacks && has_new(hits, &self.probes)
    }

    /// A kept test hits these probes, of all that are covered now.
    pub(super) fn keep(&mut self, hits: &[u8], covered: &[u8], is_untold: bool) {
        if !is_untold {
            for (known, hit) in self.probes.iter_mut().zip(hits) {
                *known |= hit;
            }
        }
        if is_untold || self.lacks {
            self.lacks = has_new(covered, &self.probes);
        }
    }
}
