//! The worker's side of mutation testing: runs the tests of a project by JUnit itself, as they are and
//! with mutants swapped in.

mod bench;
mod bytes;
mod judge;
mod kills;
mod observe;

use std::sync::mpsc::Receiver;
use std::time::Duration;

use jvm::{Arg, Jvm};

use self::bench::Bench;
use self::bytes::Classes;
use self::judge::{BatchEnd, Judge};
use self::observe::Measured;
use super::{describe, hook, tell};
use crate::protocol::{Reply, Request, Sender};
use crate::setup::Setup;

/// Does what is asked until there is nothing more.
pub(super) fn serve(
    setup: &Setup,
    jvm: &Jvm,
    requests: &Receiver<Request>,
    sender: &Sender,
) -> Result<(), String> {
    let mut bench = Bench::new(jvm, sender, setup.places().temporary).map_err(|e| describe(&e))?;
    let classes = Classes::open(setup);
    let mut measured = Measured::default();
    let mut has_judged = false;
    tell(sender, &Reply::Ready);
    while let Ok(request) = requests.recv() {
        match request {
            Request::OpenSuite(order) => {
                let named = (0..).zip(&order.measured);
                // What cannot be read is not measured, and so has no mutants that are reached.
                let read = named.filter_map(|(number, class)| {
                    Some((number, classes.plain(class).ok()?.to_vec()))
                });
                measured = Measured::place(read);
                bench.open(*order)?;
                tell(sender, &Reply::Places(measured.places()));
            }
            Request::FindTests { roots, classes } => {
                let found = bench.call("find", &[Arg::Texts(&roots), Arg::Texts(&classes)])?;
                tell(sender, &Reply::Lines(found));
            }
            Request::Observe(observing) => {
                let limit = Duration::from_millis(observing.limit_millis.into());
                for id in &observing.tests {
                    tell(sender, &Reply::Started(id.clone()));
                    let observed = measured.observe(&bench, id, limit);
                    tell(sender, &Reply::Observed(Box::new(observed)));
                }
                tell(sender, &Reply::Lines(bench.call("initialized", &[])?));
            }
            Request::Judge(batch) => {
                let judge = Judge::new(&bench, &batch, &classes, sender, has_judged);
                match judge.judge_all()? {
                    BatchEnd::Done => tell(sender, &Reply::Ran(None)),
                    BatchEnd::NeedsFresh => {
                        tell(sender, &Reply::Broken("a test fails where mutants were".to_owned()));
                    }
                }
                has_judged = true;
            }
            other => return Err(format!("not for a worker that judges mutants: {other:?}")),
        }
        hook::check_monitor().map_err(|error| describe(&error))?;
    }
    Ok(())
}
