//! Changing a test a little: a literal, an argument, a call more or less.

use std::sync::Arc;

use model::{Args, Call, Literal, OperationKind, Slot, TestCase};

use crate::Rng;
use crate::api::TypeId;
use crate::guided::connected::without_cut_off;
use crate::guided::fuzz::fuzz;
use crate::random::{FeedbackDirected, chance, pick};

/// Tests do not grow past this by changes.
const MAX_CALLS: usize = 40;
/// How often, of a thousand, an added call is one that can change what the last one reads.
const FED: u64 = 700;

impl FeedbackDirected<'_> {
    /// A test that differs a little; `None` if this change cannot be made.
    pub(crate) fn changed(
        &self,
        base: &TestCase,
        wanted: Option<TypeId>,
        rng: &mut Rng,
    ) -> Option<TestCase> {
        let mut changed = if let Some(wanted) = wanted
            && chance(rng, 500)
        {
            self.with_object(base, wanted, rng)?
        } else {
            match rng.rand_range(0..10) {
                0..=3 => self.with_literal(base, rng)?,
                4 | 5 => self.with_argument(base, rng)?,
                6 | 7 => self.with_call(base, rng)?,
                8 => without_call(base, rng)?,
                _ => with_repetition(base, rng)?,
            }
        };
        // Values that nothing takes any more would be changed in vain.
        changed.compact(&[]);
        Some(changed)
    }

    /// One literal is another.
    fn with_literal(&self, base: &TestCase, rng: &mut Rng) -> Option<TestCase> {
        let literals: Vec<usize> = (0..base.slots.len())
            .filter(|at| base.slots[*at].init.as_ref().is_some_and(|l| *l != Literal::Null))
            .collect();
        if literals.is_empty() {
            return None;
        }
        let at = *pick(rng, &literals);
        let mut case = base.clone();
        let decl = &mut case.slots[at];
        let constant = self.api.type_id(&decl.ty).and_then(|id| self.constant(id, rng));
        decl.init = match constant {
            Some((ty, literal)) if *ty == decl.ty => Some(literal.clone()),
            _ => decl.init.as_ref().map(|literal| fuzz(literal, rng)),
        };
        Some(case)
    }

    /// One argument of a call is made in another way.
    fn with_argument(&self, base: &TestCase, rng: &mut Rng) -> Option<TestCase> {
        let at = rng.rand_range(0..base.calls.len() as u64) as usize;
        let op = self.api.id_of(&base.calls[at].op)?;
        let params = self.api.params(op);
        if base.calls[at].op.kind == OperationKind::Array {
            // An element is another, or there is one more.
            let position = rng.rand_range(0..base.calls[at].args.len() as u64 + 1) as usize;
            return self.rebuilt(base, at, position, params[0], true, rng);
        }
        if params.is_empty() || base.calls[at].args.len() != params.len() {
            return None;
        }
        let position = rng.rand_range(0..params.len() as u64) as usize;
        let nullable = position > 0 || !self.api.needs_first(op);
        self.rebuilt(base, at, position, params[position], nullable, rng)
    }

    /// An argument somewhere is an object of this type.
    fn with_object(&self, base: &TestCase, wanted: TypeId, rng: &mut Rng) -> Option<TestCase> {
        let mut places = Vec::new();
        for (at, call) in base.calls.iter().enumerate() {
            let Some(op) = self.api.id_of(&call.op) else { continue };
            let is_array = call.op.kind == OperationKind::Array;
            let count = call.args.len() + usize::from(is_array);
            let params = self.api.params(op).iter();
            let repeated = if is_array { count } else { 1 };
            let params = params.flat_map(|param| std::iter::repeat_n(param, repeated));
            for (position, param) in params.enumerate().take(count) {
                if let Some(as_param) = self.api.type_as(self.api.ty(wanted), *param) {
                    places.push((at, position, as_param));
                }
            }
        }
        if places.is_empty() {
            return None;
        }
        let (at, position, wanted) = *pick(rng, &places);
        self.rebuilt(base, at, position, wanted, false, rng)
    }

    /// The test with argument `position` of call `at` made anew, as a value of this type; of an array,
    /// it may be one more.
    fn rebuilt(
        &self,
        base: &TestCase,
        at: usize,
        position: usize,
        ty: TypeId,
        nullable: bool,
        rng: &mut Rng,
    ) -> Option<TestCase> {
        if base.calls[at].op.kind == OperationKind::Inject {
            // What is injected is a mock of its own, and stays it.
            return None;
        }
        let mut case = TestCase { slots: base.slots.clone(), calls: base.calls[..at].to_vec() };
        let slot = self.input(ty, &mut case, rng, 1, nullable)?;
        let mut rest = base.calls[at..].to_vec();
        match rest[0].args.get_mut(position) {
            Some(argument) => *argument = slot,
            None => rest[0].args.push(slot),
        }
        case.calls.extend(rest);
        Some(without_cut_off(base, case, at)).filter(fits)
    }

    /// A call more, on an object that the test has.
    fn with_call(&self, base: &TestCase, rng: &mut Rng) -> Option<TestCase> {
        let last = base.calls.last()?;
        let at = base.calls.len() - 1;
        let set: Vec<Slot> = base.calls[..at].iter().filter_map(|call| call.result).collect();
        let inputs: Vec<Slot> = last.args.iter().copied().filter(|a| set.contains(a)).collect();
        let object = if !inputs.is_empty() && chance(rng, 800) {
            *pick(rng, &inputs)
        } else if set.is_empty() {
            return None;
        } else {
            *pick(rng, &set)
        };
        let ty = self.api.type_of(base, object)?;
        let usable = self.operations_on(ty);
        if usable.is_empty() {
            return None;
        }
        let feeding = self.feeding(&last.op, &usable);
        let is_fed = !feeding.is_empty() && chance(rng, FED);
        let op = *pick(rng, if is_fed { &feeding } else { &usable });
        let mut case = TestCase { slots: base.slots.clone(), calls: base.calls[..at].to_vec() };
        let mut args = Args::new();
        for (position, param) in self.api.params(op).iter().enumerate() {
            args.push(if position == 0 {
                object
            } else {
                self.input(*param, &mut case, rng, 1, true)?
            });
        }
        self.api.call(&mut case, op, &args);
        case.calls.push(last.clone());
        Some(case).filter(fits)
    }
}

fn fits(case: &TestCase) -> bool {
    case.calls.len() <= MAX_CALLS
}

/// A call less, and those that need what it gave.
fn without_call(base: &TestCase, rng: &mut Rng) -> Option<TestCase> {
    let last = base.calls.len().checked_sub(1)?;
    if last == 0 {
        return None;
    }
    let at = rng.rand_range(0..last as u64) as usize;
    let mut gone: Vec<Slot> = base.calls[at].result.into_iter().collect();
    let mut calls: Vec<Call> = base.calls[..at].to_vec();
    for call in &base.calls[at + 1..] {
        if call.args.iter().any(|arg| gone.contains(arg)) {
            gone.extend(call.result);
        } else {
            calls.push(call.clone());
        }
    }
    let keeps_last = calls.last().is_some_and(|call| Arc::ptr_eq(&call.op, &base.calls[last].op));
    keeps_last.then(|| TestCase { slots: base.slots.clone(), calls })
}

/// A call made again, or several times, for what counts.
fn with_repetition(base: &TestCase, rng: &mut Rng) -> Option<TestCase> {
    let last = base.calls.len().checked_sub(1)?;
    let at = rng.rand_range(0..last as u64 + 1) as usize;
    let again = &base.calls[at];
    if again.op.has_receiver() || again.args.is_empty() {
        let times = 1 + rng.rand_range(0..4) as usize;
        let mut case = base.clone();
        let ending = case.calls.pop()?;
        for _ in 0..times {
            let op = again.op.clone();
            case.call(&op, &again.args);
        }
        case.calls.push(ending);
        return Some(case).filter(fits);
    }
    None
}

#[cfg(test)]
mod tests {
    use model::Type;

    use super::*;
    use crate::testing::api;
    use crate::testing::machine::Value;
    use crate::testing::world::{PUBLIC, STATIC, World, class};

    #[test]
    fn an_array_gets_an_element_more() {
        let using = class("a/Use");
        let using = using.member(PUBLIC | STATIC, "use([I)V", |_, _| Ok(Value::Null));
        let api = api(&World::of([using]), "a/Use");
        let is_array = |op: &crate::OpId| api.operation(*op).kind == OperationKind::Array;
        let array = api.operations().find(is_array).expect("an array");
        let is_use = |op: &crate::OpId| &*api.operation(*op).name == "use";
        let using = api.operations().find(is_use).expect("the method");
        let mut base = TestCase::default();
        let one = base.literal(Type::INT, Literal::Int(1));
        let made = api.call(&mut base, array, &[one]).expect("a result");
        api.call(&mut base, using, &[made]);
        let search = FeedbackDirected::new(&api, &[]);
        let mut rng = Rng::new(7);
        let changed = (0..200).filter_map(|_| search.changed(&base, None, &mut rng));
        let lengths: Vec<usize> = changed.map(|case| case.calls[0].args.len()).collect();
        assert!(lengths.contains(&2), "{lengths:?}");
    }
}
