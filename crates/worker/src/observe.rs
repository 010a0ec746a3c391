//! What test cases do on a class path, seen from the supervisor: the same cases can be run on another one
//! and compared.
//!
//! Invariant: there is an answer for every case, in their order, whatever becomes of workers.

use search::{Observed, Reason};

use crate::process::WorkerError;
use crate::protocol::{Reply, Request, Unit};
use crate::supervisor::{SILENCE, Supervisor};

/// What test cases came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Observation {
    /// What was seen of each; nothing of those that a worker died in, and of all that came after too
    /// many of those.
    pub seen: Vec<Option<Observed>>,
    /// Why the class cannot be used at all.
    pub reasons: Vec<Reason>,
}

/// Workers that may die of the cases of a class before the rest is left alone.
const MAX_DEATHS: usize = 6;

impl Supervisor {
    /// Runs test cases of the unit's class in a worker of their own; objects are asked for their texts if
    /// `texts` says so.
    pub fn observe(
        &mut self,
        unit: &Unit,
        cases: &[model::TestCase],
        texts: bool,
    ) -> Result<Observation, WorkerError> {
        let mut seen: Vec<Option<Observed>> = Vec::with_capacity(cases.len());
        let mut deaths = 0;
        while seen.len() < cases.len() && deaths < MAX_DEATHS {
            let mut worker = self.ready_worker()?;
            worker.send(&Request::Repeat {
                unit: Box::new(unit.clone()),
                cases: cases[seen.len()..].to_vec(),
                texts,
            })?;
            self.prepare()?;
            loop {
                match worker.receive(SILENCE) {
                    Ok(Reply::Seen(one)) => seen.push(Some(*one)),
                    Ok(Reply::Done(result)) => {
                        seen.resize(cases.len(), None);
                        return Ok(Observation { seen, reasons: result.reasons });
                    }
                    Ok(Reply::Hung | Reply::Broken(_)) | Err(WorkerError::Died { .. }) => {
                        seen.push(None);
                        deaths += 1;
                        break;
                    }
                    Ok(Reply::Failed(why)) => return Err(WorkerError::Failed(why)),
                    // What is linked, and that it is alive.
                    Ok(_) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        seen.resize(cases.len(), None);
        Ok(Observation { seen, reasons: Vec::new() })
    }
}
