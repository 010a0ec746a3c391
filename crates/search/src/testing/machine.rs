//! Runs test cases over classes declared in Rust.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use model::{
    Breach, BreachKind, Call, CallEnd, ClassName, Cut, Effect, EffectKind, EffectSet, Frame,
    Interaction, Literal, Observation, Operation, OperationKind, Slot, SlotDecl, Thrown, Type,
};

use super::mocks::Mocks;
use super::world::World;
use crate::executor::Executor;
use crate::strategy::Compared;

/// A Java value.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Null,
    /// A primitive, boxed or not, a string or a class.
    Plain(Literal),
    /// An object, by its place in the heap.
    Object(usize),
    /// An array; no test compares two of them.
    Array(Type, Vec<Value>),
}

impl Value {
    pub(crate) fn int(value: i32) -> Self {
        Self::Plain(Literal::Int(value))
    }

    pub(crate) fn boolean(value: bool) -> Self {
        Self::Plain(Literal::Boolean(value))
    }

    pub(crate) fn text(value: &str) -> Self {
        Self::Plain(Literal::String(value.into()))
    }

    pub(crate) fn as_int(&self) -> i32 {
        match self {
            Self::Plain(Literal::Int(value)) => *value,
            other => panic!("{other:?} is no int"),
        }
    }

    pub(crate) fn identity(&self) -> i32 {
        match self {
            Self::Object(at) => *at as i32,
            _ => -1,
        }
    }
}

/// How a body does not return.
pub(crate) enum Halt {
    Throw { class: &'static str, message: Option<&'static str>, line: i32 },
    Cut(Cut),
    Unlinkable,
    Breach(Breach),
}

/// Breaks a clause of a contract.
pub(crate) fn breach(kind: BreachKind, clause: u32) -> Result<Value, Halt> {
    Err(Halt::Breach(Breach { kind, clause }))
}

/// Throws an exception of `java.lang` at a line.
pub(crate) fn throw(class: &'static str, line: i32) -> Result<Value, Halt> {
    Err(Halt::Throw { class, message: None, line })
}

/// Throws what the JVM throws at a use of `null`.
pub(crate) fn null_pointer(line: i32) -> Result<Value, Halt> {
    let message = Some("Cannot invoke \"Object.hashCode()\" because \"x\" is null");
    Err(Halt::Throw { class: "NullPointerException", message, line })
}

/// How many probes there are.
pub(crate) const PROBES: usize = 16;

/// What bodies work on.
#[derive(Default)]
pub(crate) struct Heap {
    objects: Vec<(ClassName, i32)>,
    hits: [u8; PROBES],
    effects: EffectSet,
    leftovers: EffectSet,
    overran: bool,
    /// Lives as long as the process: what makes bodies nondeterministic.
    ticks: u32,
    /// What bodies took of this test case.
    steps: u32,
    pub(super) mocks: Mocks,
}

impl Heap {
    /// Hits a probe.
    pub(crate) fn hit(&mut self, probe: usize) {
        self.hits[probe] = 1;
    }

    /// The one field of an object.
    pub(crate) fn get(&self, object: &Value) -> i32 {
        match object {
            Value::Object(at) => self.objects[*at].1,
            other => panic!("{other:?} is no object"),
        }
    }

    pub(crate) fn set(&mut self, object: &Value, value: i32) {
        match object {
            Value::Object(at) => self.objects[*at].1 = value,
            other => panic!("{other:?} is no object"),
        }
    }

    pub(crate) fn make(&mut self, class: &str, value: i32) -> Value {
        self.objects.push((ClassName::internal(class), value));
        Value::Object(self.objects.len() - 1)
    }

    /// Tries something outside the heap.
    pub(crate) fn affect(&mut self, kind: EffectKind) {
        self.effects.insert(kind);
    }

    /// Leaves something behind that is seen only when somebody looks for it.
    pub(crate) fn leave(&mut self, kind: EffectKind) {
        self.leftovers.insert(kind);
    }

    /// Uses up the step budget, and swallows the exception.
    pub(crate) fn overrun(&mut self) {
        self.overran = true;
    }

    /// Takes so many steps.
    pub(crate) fn take(&mut self, steps: u32) {
        self.steps += steps;
    }

    /// A number that is another one each time.
    pub(crate) fn tick(&mut self) -> u32 {
        self.ticks += 1;
        self.ticks
    }
}

/// The executor.
pub(crate) struct Machine<'w> {
    world: &'w World,
    heap: Heap,
    slots: Vec<(Type, Value)>,
    thrown: Option<Thrown>,
    told: EffectSet,
    /// How often each operation was called.
    pub(crate) made: BTreeMap<String, u64>,
    left_alone: Vec<Operation>,
    /// How many steps may be taken in all, and what is set once they were.
    limit: Option<(u64, Arc<AtomicBool>)>,
}

impl<'w> Machine<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        Self {
            world,
            heap: Heap::default(),
            slots: Vec::new(),
            thrown: None,
            told: EffectSet::default(),
            made: BTreeMap::new(),
            left_alone: Vec::new(),
            limit: None,
        }
    }

    /// Tells a search to stop once so many steps were taken.
    pub(crate) fn stop_after(&mut self, steps: u64, stop: Arc<AtomicBool>) {
        self.limit = Some((steps, stop));
    }

    /// Has [`Heap::tick`] go on from here.
    pub(crate) fn set_ticks(&mut self, ticks: u32) {
        self.heap.ticks = ticks;
    }

    /// Calls made of whatever operation.
    pub(crate) fn calls(&self) -> u64 {
        self.made.values().sum()
    }

    /// Calls made of one operation, by how it is displayed.
    pub(crate) fn calls_of(&self, op: &str) -> u64 {
        self.made.get(op).copied().unwrap_or_default()
    }

    fn value(&self, slot: Slot) -> &Value {
        &self.slots[slot.index()].1
    }

    fn run(&mut self, op: &Operation, mut args: Vec<Value>) -> Result<Value, CallEnd> {
        let class = match op.kind {
            OperationKind::Array => {
                return Ok(Value::Array(op.param(0).clone(), args));
            }
            OperationKind::Implement => {
                let Some(of) = &op.implementation else { unreachable!("it is one") };
                let mock = self.heap.make(op.owner.as_internal(), 0);
                self.heap.mocks.add(&mock, of.clone(), args);
                return Ok(mock);
            }
            OperationKind::Constructor => {
                args.insert(0, self.heap.make(op.owner.as_internal(), 0));
                op.owner.clone()
            }
            OperationKind::InstanceMethod => match class_of(&self.heap, &args[0]) {
                Some(Type::Class(class)) => class,
                _ => return Err(self.throw(&op.owner, op, "NullPointerException", None, -1)),
            },
            _ => op.owner.clone(),
        };
        let made = args.first().cloned().unwrap_or(Value::Null);
        let Some((declaring, body)) = self.world.body(&class, &op.name, args.len()) else {
            return Err(CallEnd::Unlinkable(format!("no {op}")));
        };
        match body(&mut self.heap, &args) {
            Ok(_) if op.kind == OperationKind::Constructor => Ok(made),
            Ok(value) => Ok(value),
            Err(Halt::Throw { class, message, line }) => {
                Err(self.throw(&declaring, op, class, message, line))
            }
            Err(Halt::Cut(cut)) => {
                self.heap.overran |= cut == Cut::Steps;
                Err(CallEnd::Cut(cut))
            }
            Err(Halt::Breach(breach)) => Err(CallEnd::Breached(breach)),
            Err(Halt::Unlinkable) => Err(CallEnd::Unlinkable("a class is missing".to_owned())),
        }
    }

    fn throw(
        &mut self,
        declaring: &ClassName,
        op: &Operation,
        class: &str,
        message: Option<&str>,
        line: i32,
    ) -> CallEnd {
        let frame = Frame { class: declaring.clone(), method: op.name.clone(), line };
        self.thrown = Some(Thrown {
            class: ClassName::internal(&format!("java/lang/{class}")),
            message: message.map(Into::into),
            frames: vec![frame],
        });
        CallEnd::Threw
    }
}

fn class_of(heap: &Heap, value: &Value) -> Option<Type> {
    match value {
        Value::Null => None,
        Value::Plain(literal) => Some(match literal.primitive() {
            Some(primitive) => Type::class(primitive.boxed()),
            None => Type::string(),
        }),
        Value::Object(at) => Some(Type::Class(heap.objects[*at].0.clone())),
        Value::Array(element, _) => Some(element.clone().array_of()),
    }
}

impl Executor for Machine<'_> {
    fn begin(&mut self, slots: &[SlotDecl]) {
        let (hits, ticks) = (self.heap.hits, self.heap.ticks);
        self.heap = Heap { hits, ticks, ..Heap::default() };
        self.thrown = None;
        self.told = EffectSet::default();
        self.slots.clear();
        self.extend(slots);
    }

    fn extend(&mut self, slots: &[SlotDecl]) {
        let initial = |decl: &SlotDecl| match &decl.init {
            None | Some(Literal::Null) => (decl.ty.clone(), Value::Null),
            Some(literal) => (decl.ty.clone(), Value::Plain(literal.clone())),
        };
        self.slots.extend(slots.iter().map(initial));
    }

    fn leave_alone(&mut self, op: &Operation) {
        self.left_alone.push(op.clone());
    }

    fn call(&mut self, call: &Call) -> CallEnd {
        if self.left_alone.contains(&call.op) {
            return CallEnd::Cut(Cut::Killed);
        }
        *self.made.entry(call.op.to_string()).or_default() += 1;
        self.heap.mocks.before_call();
        // A call may mention slots that were not declared when the test was opened.
        let args: Vec<Value> = call.args.iter().map(|slot| self.value(*slot).clone()).collect();
        match self.run(&call.op, args) {
            Ok(value) => {
                if let Some(result) = call.result {
                    self.slots[result.index()].1 = value;
                }
                CallEnd::Returned
            }
            Err(end) => end,
        }
    }

    fn effects(&mut self, _: bool) -> EffectSet {
        self.heap.effects.union(self.heap.leftovers)
    }

    fn effects_noted(&self) -> EffectSet {
        self.heap.effects
    }

    fn has_started_threads(&self) -> bool {
        self.heap.leftovers.contains(EffectKind::Thread)
    }

    fn overran(&self) -> bool {
        self.heap.overran
    }

    fn end(&mut self) {
        self.slots.clear();
        if let Some((left, stop)) = &mut self.limit {
            *left = left.saturating_sub(u64::from(self.heap.steps));
            stop.store(*left == 0, Ordering::Relaxed);
        }
    }

    fn is_null(&self, slot: Slot) -> bool {
        *self.value(slot) == Value::Null
    }

    fn primitive(&self, slot: Slot) -> Option<Literal> {
        match &self.slots[slot.index()] {
            (Type::Primitive(_), Value::Plain(literal)) => Some(literal.clone()),
            _ => None,
        }
    }

    fn observe(&self, slot: Slot) -> Observation {
        let (ty, value) = &self.slots[slot.index()];
        observed(&self.heap, value, ty.is_reference())
    }

    fn view(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Observation> {
        let mut value = self.value(slot).clone();
        let mut boxed = true;
        for op in path {
            if self.left_alone.contains(op) {
                return None;
            }
            *self.made.entry(op.to_string()).or_default() += 1;
            value = self.run(op, vec![value]).ok()?;
            boxed = op.result.as_ref().is_some_and(Type::is_reference);
        }
        Some(observed(&self.heap, &value, boxed))
    }

    fn class_of(&self, slot: Slot) -> Option<Type> {
        class_of(&self.heap, self.value(slot))
    }

    fn same(&self, a: Slot, b: Slot) -> bool {
        matches!((self.value(a), self.value(b)), (Value::Object(a), Value::Object(b)) if a == b)
    }

    fn thrown(&mut self) -> Option<Thrown> {
        self.thrown.clone()
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        let fresh = self.heap.effects.iter().filter(|kind| !self.told.contains(*kind));
        let fresh: Vec<Effect> = fresh.map(|kind| Effect { kind, on: String::new() }).collect();
        self.told = self.heap.effects;
        fresh
    }

    // They are noted always.
    fn note_mocks(&mut self, _: bool) {}

    fn interactions(&self) -> Option<Vec<Interaction>> {
        let slot_of = |value: &Value| {
            let holds = |(_, held): &(Type, Value)| held == value;
            let is_object = matches!(value, Value::Object(_));
            let slot = self.slots.iter().position(holds).filter(|_| is_object);
            slot.map(|slot| Slot(slot as u32))
        };
        let mocks = &self.heap.mocks;
        let all = mocks.asked.iter().enumerate().map(|(at, (mock, method, args))| Interaction {
            mock: slot_of(&Value::Object(*mock)).expect("mocks are made by calls"),
            method: *method,
            args: args.iter().map(|arg| (observed(&self.heap, arg, true), slot_of(arg))).collect(),
            is_of_last: at >= mocks.before,
        });
        Some(all.collect())
    }

    fn mocks_gave_null(&self) -> bool {
        self.heap.mocks.nulls > 0
    }

    fn probes(&self) -> usize {
        PROBES
    }

    fn clear_hits(&mut self) {
        self.heap.hits = [0; PROBES];
    }

    fn steps(&self) -> u32 {
        self.heap.steps.max(1)
    }

    // Classes declared in Rust compare nothing.
    fn watch(&mut self, _: &[u8]) {}

    fn compared(&mut self, into: &mut Vec<Compared>) {
        into.clear();
    }

    fn compared_numbers(&self, place: u32) -> (i64, i64) {
        unreachable!("nothing was compared at {place}")
    }

    fn compared_objects(&self, place: u32) -> (Observation, Observation) {
        unreachable!("nothing was compared at {place}")
    }

    fn hits(&mut self, into: &mut [u8]) {
        into.copy_from_slice(&self.heap.hits);
    }
}

fn observed(heap: &Heap, value: &Value, boxed: bool) -> Observation {
    match value {
        Value::Null => Observation::Null,
        Value::Plain(value) => Observation::Value { value: value.clone(), boxed },
        Value::Object(at) => {
            Observation::Object { class: heap.objects[*at].0.clone(), views: Vec::new() }
        }
        Value::Array(element, elements) => Observation::Array {
            element: element.clone(),
            length: elements.len() as u32,
            elements: Some(elements.iter().map(|e| observed(heap, e, true)).collect()),
        },
    }
}
