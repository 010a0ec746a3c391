//! Solves all units of a program: callees first, again where a callee's summary has changed.

use super::program::{Program, Unit};
use super::solve::Solver;
use super::vote::vote;

/// Sweeps over the program. Recursion through many methods that store into each other's
/// structures may take long to settle the last edges, which change no effect.
const MAX_SWEEPS: usize = 16;
/// From this sweep on summaries only grow, so that it ends: merging what is too much to tell
/// apart may otherwise go to and fro.
const FREE_SWEEPS: usize = 4;

/// Solves a linked program; how many units were solved, repetitions counted.
pub(crate) fn solve(program: &mut Program<'_>) -> usize {
    let order = callees_first(program);
    let mut callers: Vec<Vec<u32>> = vec![Vec::new(); program.units.len()];
    for (unit, callees) in program.callees.iter().enumerate() {
        for callee in callees {
            callers[*callee as usize].push(unit as u32);
        }
    }
    let mut dirty: Vec<bool> =
        program.units.iter().map(|unit| !matches!(unit, Unit::Settled)).collect();
    let mut solver = Solver::default();
    let mut solved = 0;
    for sweep in 0..MAX_SWEEPS {
        let mut any = false;
        for &unit in &order {
            let number = unit as usize;
            if !std::mem::replace(&mut dirty[number], false) {
                continue;
            }
            solved += 1;
            let mut summary = match &program.units[number] {
                Unit::Settled => continue,
                Unit::Any(targets, own) => {
                    let summaries = targets
                        .iter()
                        .map(|(unit, weight)| (&program.summaries[*unit as usize], *weight));
                    vote(summaries, own.map(|own| &program.summaries[own as usize]))
                }
                Unit::Method(place, method) => {
                    let Some(body) = &program.method(*place, *method).body else { continue };
                    let callees = &program.callees[number];
                    solver.solve(body, &program.surroundings, |call| {
                        &program.summaries[callees[call] as usize]
                    })
                }
            };
            if sweep >= FREE_SWEEPS {
                summary.absorb(&program.summaries[number]);
            }
            if summary != program.summaries[number] {
                program.summaries[number] = summary;
                any = true;
                for caller in &callers[number] {
                    dirty[*caller as usize] = true;
                }
            }
        }
        if !any {
            break;
        }
    }
    solved
}

/// The units in an order in which callees come before callers, circles apart.
fn callees_first(program: &Program<'_>) -> Vec<u32> {
    let count = program.units.len();
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut path: Vec<(u32, usize)> = Vec::new();
    for first in 0..count as u32 {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        path.push((first, 0));
        while let Some((unit, next)) = path.last_mut() {
            match program.callees[*unit as usize].get(*next) {
                Some(&callee) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[callee as usize], true) {
                        path.push((callee, 0));
                    }
                }
                None => {
                    order.push(*unit);
                    path.pop();
                }
            }
        }
    }
    order
}
