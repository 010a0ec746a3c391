//! Abstract interpretation of a method body: the stack, the local variables and the control flow.
//!
//! What a value stands for is the business of a [`Domain`]; here it is a number that is moved
//! about. Slots are those of JVMS 2.6: a long or double is followed by a slot that holds
//! [`UNKNOWN`], so that stack instructions need no types.
//!
//! First states at the starts of blocks are joined until nothing changes, then every reachable
//! instruction is visited once, in order, with what it finds.
//!
//! Invariant: code that no compiler makes is an error, never a panic, and ends: a domain's joins
//! must go up a chain of finite height.

mod operands;

use std::collections::BTreeSet;

use classfile::opcode::*;
use classfile::{Code, Instruction};

use crate::AnalysisError;
use crate::refs::{Member, References};
use crate::shape::{local_access, shuffle};
use operands::pop;

/// A value of some [`Domain`].
pub(crate) type Value = u32;

/// The value of which nothing is known, in every domain.
pub(crate) const UNKNOWN: Value = 0;

/// An instruction about to be run.
pub(crate) struct Step<'a> {
    /// Its number among the instructions.
    pub(crate) at: usize,
    pub(crate) instruction: &'a Instruction,
    /// What it takes from the stack, bottom first, one value each; for `iinc` the variable.
    pub(crate) args: &'a [Value],
    /// The field, method or call site it names.
    pub(crate) member: Option<&'a Member>,
}

/// What running an instruction does to values.
#[derive(Clone, Copy, Default)]
pub(crate) struct Change {
    /// What it puts onto the stack.
    pub(crate) result: Value,
    /// Every copy of the first value becomes the second: the object itself has changed.
    pub(crate) replace: Option<(Value, Value)>,
}

/// The meaning of values.
pub(crate) trait Domain {
    /// What holds where two ways meet.
    fn join(&mut self, a: Value, b: Value) -> Value;
    /// The value of an exception that is caught at an instruction.
    fn caught(&mut self, at: usize) -> Value;
    /// Runs an instruction.
    fn run(&mut self, step: &Step<'_>, refs: &mut References<'_>) -> Result<Change, AnalysisError>;
    /// A fact that holds when a conditional jump goes this way.
    fn assume(&mut self, _step: &Step<'_>, _taken: bool) -> Option<u32> {
        None
    }
    /// Sees an instruction with what it finds in the end, and the facts that hold there.
    fn visit(
        &mut self,
        step: &Step<'_>,
        facts: &[u32],
        refs: &mut References<'_>,
    ) -> Result<(), AnalysisError>;
}

/// What is known before an instruction.
#[derive(Clone, PartialEq)]
struct State {
    locals: Vec<Value>,
    stack: Vec<Value>,
    /// Sorted.
    facts: Vec<u32>,
}

struct Machine<'a, 'c, D> {
    refs: &'a mut References<'c>,
    domain: &'a mut D,
    instructions: Vec<&'a Instruction>,
    labels: Vec<usize>,
    /// Ranges of instructions with the instruction that handles their exceptions.
    handlers: Vec<(usize, usize, usize)>,
    starts: Vec<bool>,
    /// What follows a `jsr`: a `ret` may lead to any of it.
    returns: Vec<usize>,
    max_stack: usize,
    states: Vec<Option<State>>,
    pending: BTreeSet<usize>,
    args: Vec<Value>,
}

/// Interprets a method body, given the values of its parameters with their widths.
pub(crate) fn interpret<D: Domain>(
    code: &Code,
    refs: &mut References<'_>,
    domain: &mut D,
    params: &[(Value, u8)],
) -> Result<(), AnalysisError> {
    let instructions: Vec<_> = code.instructions().collect();
    let labels = code.label_instructions();
    let count = instructions.len();
    let at = |label: classfile::Label| labels[label.number()];
    let mut starts = vec![false; count + 1];
    starts[0] = true;
    let mut returns = Vec::new();
    for (index, instruction) in instructions.iter().enumerate() {
        instruction.targets().for_each(|label| starts[at(label)] = true);
        if instruction.is_conditional() || !instruction.falls_through() {
            starts[index + 1] = true;
        }
        if matches!(instruction.opcode(), JSR | JSR_W) {
            returns.push(index + 1);
        }
    }
    let handlers: Vec<_> =
        code.handlers.iter().map(|h| (at(h.start), at(h.end), at(h.target))).collect();
    handlers.iter().for_each(|handler| starts[handler.2] = true);
    let mut locals = Vec::with_capacity(usize::from(code.max_locals));
    for &(value, width) in params {
        locals.push(value);
        locals.extend((1..width).map(|_| UNKNOWN));
    }
    if locals.len() > usize::from(code.max_locals) {
        return Err(bad(0, "more parameters than local variables"));
    }
    locals.resize(usize::from(code.max_locals), UNKNOWN);
    let mut states = vec![None; count + 1];
    states[0] = Some(State { locals, stack: Vec::new(), facts: Vec::new() });
    let mut machine = Machine {
        refs,
        domain,
        instructions,
        labels,
        handlers,
        starts,
        returns,
        max_stack: usize::from(code.max_stack),
        states,
        pending: BTreeSet::from([0]),
        args: Vec::new(),
    };
    while let Some(start) = machine.pending.pop_first() {
        machine.block::<false>(start)?;
    }
    for start in 0..count {
        if machine.states[start].is_some() {
            machine.block::<true>(start)?;
        }
    }
    Ok(())
}

fn bad(at: usize, reason: &'static str) -> AnalysisError {
    AnalysisError::BadCode { at, reason }
}

impl<D: Domain> Machine<'_, '_, D> {
    /// Runs a block, or visits it.
    fn block<const VISIT: bool>(&mut self, start: usize) -> Result<(), AnalysisError> {
        let Some(mut state) = self.states[start].clone() else { return Ok(()) };
        let mut at = start;
        let mut locals_changed = true;
        loop {
            let Some(&instruction) = self.instructions.get(at) else {
                return Err(bad(at, "control leaves the code at its end"));
            };
            if !VISIT {
                self.enter_handlers(at, &state, locals_changed)?;
            }
            let (change, stores) = self.step::<VISIT>(at, instruction, &mut state)?;
            locals_changed = stores || change;
            if instruction.is_conditional() || !instruction.falls_through() {
                return Ok(());
            }
            at += 1;
            if self.starts[at] {
                return if VISIT { Ok(()) } else { self.enter(at, state) };
            }
        }
    }

    /// The state before an instruction reaches the handlers around it.
    fn enter_handlers(
        &mut self,
        at: usize,
        state: &State,
        locals_changed: bool,
    ) -> Result<(), AnalysisError> {
        for number in 0..self.handlers.len() {
            let (from, to, target) = self.handlers[number];
            if (from..to).contains(&at) && (locals_changed || from == at) {
                let caught = self.domain.caught(target);
                let locals = state.locals.clone();
                let facts = state.facts.clone();
                self.enter(target, State { locals, stack: vec![caught], facts })?;
            }
        }
        Ok(())
    }

    /// Joins a state into that of a block.
    fn enter(&mut self, at: usize, state: State) -> Result<(), AnalysisError> {
        let Some(known) = &mut self.states[at] else {
            self.states[at] = Some(state);
            self.pending.insert(at);
            return Ok(());
        };
        if known.stack.len() != state.stack.len() {
            return Err(bad(at, "stacks of different heights meet"));
        }
        let mut changed = false;
        let slots = known.locals.iter_mut().zip(&state.locals);
        for (old, new) in slots.chain(known.stack.iter_mut().zip(&state.stack)) {
            if old != new {
                let joined = self.domain.join(*old, *new);
                changed |= joined != *old;
                *old = joined;
            }
        }
        let facts = known.facts.len();
        known.facts.retain(|fact| state.facts.binary_search(fact).is_ok());
        if changed || known.facts.len() != facts {
            self.pending.insert(at);
        }
        Ok(())
    }

    /// Runs one instruction; whether values were replaced, and whether it stores a variable.
    fn step<const VISIT: bool>(
        &mut self,
        at: usize,
        instruction: &Instruction,
        state: &mut State,
    ) -> Result<(bool, bool), AnalysisError> {
        let op = instruction.opcode();
        let explicit = match instruction {
            Instruction::Local { index, .. } => Some(*index),
            _ => None,
        };
        if let Some((stores, index, width)) = local_access(op, explicit) {
            self.local(at, stores, usize::from(index), width, state)?;
            return Ok((false, stores));
        }
        if let Some((taken, put)) = shuffle(op) {
            let from = state.stack.len().checked_sub(taken).ok_or(bad(at, "an empty stack"))?;
            let slots: Vec<Value> = state.stack.drain(from..).collect();
            state.stack.extend(put.iter().map(|index| slots[*index]));
            self.check_height(at, state)?;
            return Ok((false, false));
        }
        let member = self.member(instruction)?;
        let pushed = self.take_args(at, instruction, member.as_deref(), state)?;
        let args = std::mem::take(&mut self.args);
        let step = Step { at, instruction, args: &args, member: member.as_deref() };
        if VISIT {
            self.domain.visit(&step, &state.facts, self.refs)?;
        }
        let change = self.domain.run(&step, self.refs)?;
        if let Some((old, new)) = change.replace {
            for slot in state.locals.iter_mut().chain(&mut state.stack) {
                if *slot == old {
                    *slot = new;
                }
            }
        }
        if let Instruction::Increment { index, .. } = instruction {
            state.locals[usize::from(*index)] = change.result;
        } else if pushed > 0 {
            state.stack.push(change.result);
            state.stack.extend((1..pushed).map(|_| UNKNOWN));
            self.check_height(at, state)?;
        }
        if !VISIT {
            self.leave(&step, state)?;
        }
        self.args = args;
        Ok((change.replace.is_some(), matches!(instruction, Instruction::Increment { .. })))
    }

    /// Goes where a jump, switch or subroutine leads.
    fn leave(&mut self, step: &Step<'_>, state: &State) -> Result<(), AnalysisError> {
        let (at, op) = (step.at, step.instruction.opcode());
        if step.instruction.is_conditional() {
            let Some(label) = step.instruction.targets().next() else { return Ok(()) };
            for (target, taken) in [(self.labels[label.number()], true), (at + 1, false)] {
                let mut state = state.clone();
                if let Some(fact) = self.domain.assume(step, taken)
                    && let Err(place) = state.facts.binary_search(&fact)
                {
                    state.facts.insert(place, fact);
                }
                self.enter(target, state)?;
            }
            return Ok(());
        }
        if op == RET {
            for index in 0..self.returns.len() {
                self.enter(self.returns[index], state.clone())?;
            }
        }
        let targets: BTreeSet<usize> =
            step.instruction.targets().map(|label| self.labels[label.number()]).collect();
        targets.into_iter().try_for_each(|target| self.enter(target, state.clone()))
    }

    fn local(
        &mut self,
        at: usize,
        stores: bool,
        index: usize,
        width: u8,
        state: &mut State,
    ) -> Result<(), AnalysisError> {
        if index + usize::from(width) > state.locals.len() {
            return Err(bad(at, "a variable beyond the last"));
        }
        if stores {
            let value = pop(at, &mut state.stack, width)?;
            state.locals[index] = value;
            if width == 2 {
                state.locals[index + 1] = UNKNOWN;
            }
            return Ok(());
        }
        state.stack.push(state.locals[index]);
        state.stack.extend((1..width).map(|_| UNKNOWN));
        self.check_height(at, state)
    }

    fn check_height(&self, at: usize, state: &State) -> Result<(), AnalysisError> {
        if state.stack.len() > self.max_stack { Err(bad(at, "a full stack")) } else { Ok(()) }
    }
}
