//! Running test cases that are given, and saying what was seen of each.
//!
//! Invariant: a case is told of when it has been run, one by one in the order given, so that the supervisor
//! knows which one this process died in.

use classpath::World;
use model::TestCase;
use search::observed;

use crate::inside::feared::Feared;
use crate::inside::machine::Machine;
use crate::inside::readings::Readings;
use crate::inside::{tell, unit};
use crate::protocol::{Reply, Sender, Unit, UnitResult};

/// Runs the cases as a search of the unit would run them; what keeps the class from being used is a reason
/// in the result.
pub(crate) fn run(
    world: &World,
    machine: &mut Machine<'_>,
    unit: &Unit,
    (cases, texts): (&[TestCase], bool),
    sender: &Sender,
) -> UnitResult {
    let readings = Readings::new(world);
    if let Err(result) = unit::prepare(&readings, machine, unit) {
        return *result;
    }
    machine.set_feared(Feared::new(&unit.avoid, &[]));
    let text = texts.then(|| {
        let mut operations = search::contract_operations().into_iter();
        operations.find(|op| &*op.name == "toString").expect("a law speaks of it")
    });
    for case in cases {
        let seen = observed(machine, case, text.as_ref());
        tell(sender, &Reply::Seen(Box::new(seen)));
    }
    UnitResult::default()
}
