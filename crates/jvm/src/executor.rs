//! Running test cases, call by call.
//!
//! One test case is open at a time: [`Executor::begin`] fills the slots, [`Executor::call`] makes
//! one call, [`Executor::end`] gives the references back. So strategies that build tests call by
//! call and strategies that run whole tests use the same thing.

use std::ptr;
use std::sync::Arc;

use jvmti_bindings::sys::jni::{jbyteArray, jclass, jfieldID, jobject, jthrowable, jvalue};
use model::{
    Call, CallEnd, ClassName, Cut, Effect, EffectKind, EffectSet, Literal, Observation, Operation,
    Primitive, Slot, SlotDecl, Thrown, Type,
};
use rustc_hash::FxHashMap;

use crate::calls::{Classes, Kind, Sites};
use crate::compare::Comparisons;
use crate::contracts::Contracts;
use crate::env::{Env, jni};
use crate::mocks::Mocks;
use crate::names::modified_utf8;
use crate::observe::Known;
use crate::{Blackbox, Jvm, JvmError, LINKING, SETTLING, effects};

/// A value in a slot, with what it is to JNI.
#[derive(Clone, Copy)]
pub(crate) struct Value {
    pub(crate) raw: jvalue,
    pub(crate) kind: Kind,
    /// Whether it is a reference of the open frame, which a later value of the slot gives back;
    /// literals are global.
    local: bool,
}

impl Value {
    fn unset(kind: Kind) -> Self {
        Self { raw: jvalue { j: 0 }, kind, local: false }
    }
}

/// Makes JNI calls for test cases, on one thread.
pub struct Executor<'vm> {
    pub(crate) env: Env,
    jvm: std::marker::PhantomData<&'vm Jvm>,
    pub(crate) classes: Classes,
    pub(crate) known: Known,
    pub(crate) values: Vec<Value>,
    /// The types of the slots.
    types: Vec<Type>,
    sites: Sites,
    /// Global references; a literal is the same object whatever type its slot has.
    literals: FxHashMap<Literal, jobject>,
    arguments: Vec<jvalue>,
    thrown: Option<jthrowable>,
    blackbox: Arc<Blackbox>,
    pub(crate) runtime: RuntimeClass,
    pub(crate) comparisons: Comparisons,
    pub(crate) mocks: Mocks,
    /// Where classes with checks tell what is broken, if there are any.
    pub(crate) contracts: Option<Contracts>,
    step_budget: i32,
    open: bool,
}

/// `java.lang.Testhound`.
pub(crate) struct RuntimeClass {
    class: jclass,
    budget: jfieldID,
    full: jfieldID,
    renewals: jfieldID,
    pub(crate) map: jbyteArray,
    stop: jclass,
    exit: jclass,
}

/// Static initializers, which run once and may fill tables, get the steps of a test case so many times
/// more, whether linking runs them or a call that is the first to need their class.
const RENEWALS: i32 = 63;
/// More literals than this are forgotten and made anew.
const MAX_LITERALS: usize = 8192;

impl<'vm> Executor<'vm> {
    /// An executor for the current thread, which is attached to the JVM and made like the thread
    /// that runs tests elsewhere: no daemon, as threads started by it would be too, and with the
    /// context class loader that the classes under test come from. Boot classes must have been
    /// defined.
    pub fn new(jvm: &'vm Jvm, blackbox: Arc<Blackbox>) -> Result<Self, JvmError> {
        let env = jvm.attach_as_user_thread()?;
        env.set_context_loader()?;
        let class = env.find_class("java/lang/Testhound")?;
        let runtime = RuntimeClass {
            class,
            budget: env.static_field(class, c"budget", c"I")?,
            full: env.static_field(class, c"full", c"I")?,
            renewals: env.static_field(class, c"renewals", c"I")?,
            map: env.static_array(class, c"MAP", c"[B")?,
            stop: env.find_class("java/lang/TesthoundStop")?,
            exit: env.find_class("java/lang/TesthoundExit")?,
        };
        Ok(Self {
            env,
            jvm: std::marker::PhantomData,
            classes: Classes::default(),
            known: Known::new(env)?,
            values: Vec::new(),
            types: Vec::new(),
            sites: Sites::default(),
            literals: FxHashMap::default(),
            arguments: Vec::new(),
            thrown: None,
            blackbox,
            runtime,
            comparisons: Comparisons::new(env)?,
            mocks: Mocks::new(env)?,
            contracts: None,
            step_budget: i32::MAX,
            open: false,
        })
    }

    /// Sets how many steps (loop iterations and calls, as counted by the probes) a test case may
    /// take.
    pub fn set_step_budget(&mut self, steps: i32) {
        self.step_budget = steps;
        self.set_number(self.runtime.full, steps);
    }

    /// Defines a class beside those under test, in the loader they come from. Its superclass and
    /// interfaces are loaded, which runs none of their code.
    pub fn define(&self, name: &ClassName, bytes: &[u8]) -> Result<(), JvmError> {
        let loader = self.env.system_loader()?;
        let c_name = modified_utf8(name.as_internal());
        // SAFETY: pointer and length describe `bytes`; the loader is a live reference, given back
        // with the class's.
        unsafe {
            let data = bytes.as_ptr().cast();
            let class =
                jni!(self.env, DefineClass, c_name.as_ptr(), loader, data, bytes.len() as i32);
            let class = self.env.global_or(class, || name.to_string());
            jni!(self.env, DeleteGlobalRef, loader);
            jni!(self.env, DeleteGlobalRef, class?);
        }
        Ok(())
    }

    /// Links an operation ahead of its first call, which runs static initializers. Returns its
    /// number, as the black box shows it, and the effects of linking.
    pub fn link(&mut self, op: &Arc<Operation>) -> Result<(u32, Vec<Effect>), JvmError> {
        let (number, effects) = self.link_and_settle(op, |_| {});
        Ok((number?, effects))
    }

    /// The same; `settle` hears how many threads were started, and what they do until it returns is
    /// among the effects.
    pub fn link_and_settle(
        &mut self,
        op: &Arc<Operation>,
        settle: impl FnOnce(u32),
    ) -> (Result<u32, JvmError>, Vec<Effect>) {
        effects::take_details();
        effects::arm();
        self.set_budget();
        let number = self.number(op);
        settle(effects::started_threads());
        effects::disarm();
        (number, effects::take_details())
    }

    /// The number of an operation, which is linked if it was not: that runs static initializers, so
    /// the black box says so meanwhile.
    fn number(&mut self, op: &Arc<Operation>) -> Result<u32, JvmError> {
        if let Some(number) = self.sites.linked(op) {
            return Ok(number);
        }
        self.blackbox.enter(LINKING);
        let number = self.sites.number(self.env, &mut self.classes, op);
        if self.blackbox.leave() {
            self.drain_stop();
        }
        number
    }

    fn set_budget(&self) {
        self.set_number(self.runtime.budget, self.step_budget);
        self.set_number(self.runtime.renewals, RENEWALS);
    }

    /// Sets one of the numbers of `java.lang.Testhound`.
    fn set_number(&self, field: jfieldID, value: i32) {
        // SAFETY: the field is a static int of this class.
        unsafe { jni!(self.env, SetStaticIntField, self.runtime.class, field, value) };
    }

    /// Opens a test case: fills the slots that have a value, starts noting effects.
    pub fn begin(&mut self, slots: &[SlotDecl]) -> Result<(), JvmError> {
        if self.open {
            self.end();
        }
        if self.literals.len() > MAX_LITERALS {
            self.forget_literals();
        }
        // SAFETY: every frame pushed here is popped by `end`.
        let pushed = unsafe { jni!(self.env, PushLocalFrame, slots.len() as i32 + 32) };
        if pushed != 0 {
            self.env.clear_exception();
            let why = "out of memory for local references".to_owned();
            return Err(JvmError::Service { call: "PushLocalFrame".into(), why });
        }
        self.open = true;
        self.values.clear();
        self.types.clear();
        self.extend(slots)?;
        self.set_budget();
        self.comparisons.restart(self.env);
        self.mocks.restart(self.env);
        if let Some(contracts) = &self.contracts {
            contracts.restart(self.env);
        }
        effects::arm();
        Ok(())
    }

    /// Adds slots to the open test case: fills those that have a value.
    pub fn extend(&mut self, slots: &[SlotDecl]) -> Result<(), JvmError> {
        for slot in slots {
            self.types.push(slot.ty.clone());
            let value = match &slot.init {
                None => Value::unset(Kind::of(Some(&slot.ty))),
                Some(literal) => self.literal(&slot.ty, literal)?,
            };
            self.values.push(value);
        }
        Ok(())
    }

    /// Makes the next call of the open test case.
    pub fn call(&mut self, call: &Call) -> CallEnd {
        debug_assert!(self.open, "a test case is open");
        let number = match self.number(&call.op) {
            Ok(number) => number,
            Err(error) => return CallEnd::Unlinkable(error.to_string()),
        };
        let site = self.sites.site(number);
        self.arguments.clear();
        self.arguments.extend(call.args.iter().map(|slot| self.values[slot.index()].raw));
        // SAFETY: reference slots hold a reference or null.
        if call.op.has_receiver() && unsafe { self.arguments[0].l }.is_null() {
            self.throw(self.known.null_pointer_exception);
            return CallEnd::Threw;
        }
        self.mocks.before_call(self.env);
        self.blackbox.enter(number);
        // SAFETY: test cases are well typed (`TestCase::check`), the receiver is not null, and every
        // earlier exception was cleared.
        let raw = unsafe { site.invoke(self.env, &self.arguments) };
        let stopped = self.blackbox.leave();
        if stopped {
            return self.note_stop();
        }
        // SAFETY: legal at any time.
        if unsafe { jni!(self.env, ExceptionCheck) } != 0 {
            return self.note_exception();
        }
        let kind = site.result;
        let value = Value { raw, kind, local: kind == Kind::Object };
        if let Some(breach) = self.breach() {
            self.give_back(value);
            return CallEnd::Breached(breach);
        }
        if let Some(result) = call.result
            && self.types.get(result.index()).is_some_and(|ty| Some(ty) != call.op.result.as_ref())
            && !self.can_hold(result, value)
        {
            self.give_back(value);
            self.throw(self.known.class_cast_exception);
            return CallEnd::Threw;
        }
        let unused = match call.result {
            Some(result) => std::mem::replace(&mut self.values[result.index()], value),
            None => value,
        };
        self.give_back(unused);
        CallEnd::Returned
    }

    /// Asks a method without arguments of the object in a slot, the next one of what that returned,
    /// and so on; `None` if one of them does not return an object to ask. No slot changes. `before`
    /// hears of each operation before it is linked, and again with its number before it is called. The
    /// black box says what is under way all the time.
    pub fn view(
        &mut self,
        path: &[Arc<Operation>],
        slot: Slot,
        before: &mut dyn FnMut(&Arc<Operation>, Option<u32>),
    ) -> Option<Observation> {
        let slots = self.values.len();
        let observed = self.follow(path, slot, before).map(|last| {
            self.blackbox.enter(SETTLING);
            let observed = self.observe(last);
            // It is never stopped.
            let _ = self.blackbox.leave();
            observed
        });
        while self.values.len() > slots {
            let viewed = self.values.pop().expect("there are more than before");
            self.give_back(viewed);
        }
        observed
    }

    /// Puts what each of the methods returned into a slot of its own; the last one of them.
    fn follow(
        &mut self,
        path: &[Arc<Operation>],
        slot: Slot,
        before: &mut dyn FnMut(&Arc<Operation>, Option<u32>),
    ) -> Option<Slot> {
        let mut slot = slot;
        for op in path {
            if self.is_null(slot) {
                return None;
            }
            if !self.sites.was_tried(op) {
                before(op, None);
            }
            let number = self.number(op).ok()?;
            before(op, Some(number));
            let result = Slot(self.values.len() as u32);
            self.values.push(Value::unset(Kind::of(op.result.as_ref())));
            let call = Call {
                op: op.clone(),
                args: std::iter::once(slot).collect(),
                result: op.result.as_ref().map(|_| result),
                guarded: false,
            };
            if self.call(&call) != CallEnd::Returned {
                return None;
            }
            slot = result;
        }
        Some(slot)
    }

    /// Gives back the reference of a value that nothing uses any more, so that a test case of many
    /// calls has room for those to come.
    fn give_back(&self, value: Value) {
        if value.local {
            // SAFETY: a local reference of the open frame, or null; its slot has another value.
            unsafe { jni!(self.env, DeleteLocalRef, value.raw.l) };
        }
    }

    /// Remembers the exception of the call just made in place of the one before.
    fn remember(&mut self, thrown: Option<jthrowable>) {
        if let Some(before) = std::mem::replace(&mut self.thrown, thrown) {
            // SAFETY: a local reference of the open frame that nothing else holds.
            unsafe { jni!(self.env, DeleteLocalRef, before) };
        }
    }

    /// The call was stopped, whether or not it had just ended by itself.
    fn note_stop(&mut self) -> CallEnd {
        self.env.clear_exception();
        let cut = if self.budget_is_spent() { Cut::Steps } else { Cut::Stopped };
        self.drain_stop();
        CallEnd::Cut(cut)
    }

    fn note_exception(&mut self) -> CallEnd {
        let thrown = self.env.take_exception().unwrap_or(ptr::null_mut());
        // SAFETY: `thrown` is a live local reference.
        let (stopped, exited) = unsafe {
            (
                jni!(self.env, IsInstanceOf, thrown, self.runtime.stop) != 0,
                jni!(self.env, IsInstanceOf, thrown, self.runtime.exit) != 0,
            )
        };
        if stopped {
            // SAFETY: nothing else holds the reference.
            unsafe { jni!(self.env, DeleteLocalRef, thrown) };
            return CallEnd::Cut(if self.budget_is_spent() { Cut::Steps } else { Cut::Stopped });
        }
        if exited {
            effects::note(EffectKind::Exit, String::new);
        }
        self.remember(Some(thrown));
        self.breach().map_or(CallEnd::Threw, CallEnd::Breached)
    }

    fn breach(&self) -> Option<model::Breach> {
        self.contracts.as_ref().and_then(|contracts| contracts.breach(self.env))
    }

    /// Whether the step budget ran out; code under test may have swallowed the exception.
    pub fn budget_is_spent(&self) -> bool {
        // SAFETY: the field is a static int of this class.
        unsafe { jni!(self.env, GetStaticIntField, self.runtime.class, self.runtime.budget) < 0 }
    }

    /// Steps taken by the open test case so far.
    pub fn steps(&self) -> i32 {
        // SAFETY: as above.
        let left =
            unsafe { jni!(self.env, GetStaticIntField, self.runtime.class, self.runtime.budget) };
        self.step_budget.saturating_sub(left.max(0))
    }

    /// Whether a slot whose type is not that of the operation's result can hold the value; the cast
    /// that source has there would throw otherwise.
    fn can_hold(&mut self, slot: Slot, value: Value) -> bool {
        let ty = &self.types[slot.index()];
        if value.kind != Kind::Object || !ty.is_reference() {
            return true;
        }
        let Ok(class) = self.classes.get(self.env, ty) else { return false };
        // SAFETY: a live reference or null, and a class; null is an instance of everything here.
        unsafe { jni!(self.env, IsInstanceOf, value.raw.l, class) != 0 }
    }

    /// What the source of a test does when it calls a method of `null` or casts in vain.
    fn throw(&mut self, class: jclass) {
        // SAFETY: the class is a global reference; the exception is taken at once.
        unsafe {
            jni!(self.env, ThrowNew, class, ptr::null());
        }
        let thrown = self.env.take_exception();
        self.remember(thrown);
    }

    /// The exception the last call threw.
    pub fn thrown(&mut self) -> Option<Thrown> {
        let thrown = self.thrown.take()?;
        let described = self.known.thrown(self.env, thrown);
        self.thrown = Some(thrown);
        Some(described)
    }

    /// Kinds of effects noted in the open test case.
    pub fn effect_kinds(&self) -> EffectSet {
        effects::kinds()
    }

    /// Threads started in the open test case.
    pub fn started_threads(&self) -> u32 {
        effects::started_threads()
    }

    /// Effects noted since the last time this was asked.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        effects::take_details()
    }

    /// Whether the slot holds `null`.
    pub fn is_null(&self, slot: Slot) -> bool {
        let value = self.values[slot.index()];
        // SAFETY: the kind says that the slot holds a reference.
        value.kind == Kind::Object && unsafe { value.raw.l }.is_null()
    }

    /// Whether both slots hold the same object.
    pub fn same(&self, a: Slot, b: Slot) -> bool {
        let (a, b) = (self.values[a.index()], self.values[b.index()]);
        // SAFETY: both kinds say that the slot holds a reference of this frame.
        a.kind == Kind::Object
            && b.kind == Kind::Object
            && unsafe { jni!(self.env, IsSameObject, a.raw.l, b.raw.l) != 0 }
    }

    /// The primitive in a slot.
    pub fn primitive(&self, slot: Slot) -> Option<Literal> {
        let value = self.values[slot.index()];
        match value.kind {
            // SAFETY: the kind says which field of the union was written.
            Kind::Primitive(p) => Some(unsafe { primitive_literal(p, value.raw) }),
            _ => None,
        }
    }

    /// Closes the open test case.
    pub fn end(&mut self) {
        effects::disarm();
        self.thrown = None;
        if std::mem::take(&mut self.open) {
            // SAFETY: pops the frame pushed by `begin`; no local reference of it is used after.
            unsafe { jni!(self.env, PopLocalFrame, ptr::null_mut()) };
        }
    }

    /// Lets an exception thrown into this thread from another arrive, if one is on its way, and takes
    /// back the interrupt that comes with it (HotSpot interrupts a thread to wake it up for a stop),
    /// so that nobody takes it for something that code under test did.
    fn drain_stop(&mut self) {
        if let Ok(step) = self.env.method(self.runtime.class, "step", "()V", true) {
            self.set_budget();
            // SAFETY: a static method without arguments or result.
            unsafe {
                jni!(self.env, CallStaticVoidMethodA, self.runtime.class, step, ptr::null());
            }
            self.env.clear_exception();
        }
        let Ok(thread) = self.env.find_class("java/lang/Thread") else { return };
        if let Ok(interrupted) = self.env.method(thread, "interrupted", "()Z", true) {
            // SAFETY: a static method without arguments; it clears the flag that it returns.
            unsafe { jni!(self.env, CallStaticBooleanMethodA, thread, interrupted, ptr::null()) };
            self.env.clear_exception();
        }
    }

    fn literal(&mut self, ty: &Type, literal: &Literal) -> Result<Value, JvmError> {
        if let (Type::Primitive(p), Some(value)) = (ty, literal.primitive()) {
            debug_assert_eq!(*p, value, "a primitive slot holds its own type");
            let raw = primitive_value(literal);
            return Ok(Value { raw, kind: Kind::Primitive(*p), local: false });
        }
        let reference = |l| Value { raw: jvalue { l }, kind: Kind::Object, local: false };
        if *literal == Literal::Null {
            return Ok(reference(ptr::null_mut()));
        }
        if let Some(object) = self.literals.get(literal) {
            return Ok(reference(*object));
        }
        let object = match literal {
            Literal::String(text) => self.known.interned(self.env, text)?,
            Literal::Class(Some(class)) => self.classes.get(self.env, class)?,
            Literal::Class(None) => Classes::void(self.env)?,
            value => {
                let primitive = value.primitive().expect("null, strings, classes are done above");
                self.known.boxed(self.env, primitive, primitive_value(value))?
            }
        };
        self.literals.insert(literal.clone(), object);
        Ok(reference(object))
    }

    fn forget_literals(&mut self) {
        for (literal, object) in self.literals.drain() {
            if !matches!(literal, Literal::Class(_)) {
                // SAFETY: a global reference that only this table held.
                unsafe { jni!(self.env, DeleteGlobalRef, object) };
            }
        }
    }
}

impl Drop for Executor<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// The value as JNI passes it.
fn primitive_value(literal: &Literal) -> jvalue {
    match *literal {
        Literal::Boolean(z) => jvalue { z: z.into() },
        Literal::Byte(b) => jvalue { b },
        Literal::Char(c) => jvalue { c },
        Literal::Short(s) => jvalue { s },
        Literal::Int(i) => jvalue { i },
        Literal::Long(j) => jvalue { j },
        Literal::Float(f) => jvalue { f },
        Literal::Double(d) => jvalue { d },
        Literal::Null | Literal::String(_) | Literal::Class(_) => jvalue { j: 0 },
    }
}

/// The value JNI gave.
///
/// # Safety
/// The field of the union for `primitive` was written.
pub(crate) unsafe fn primitive_literal(primitive: Primitive, raw: jvalue) -> Literal {
    // SAFETY: by this function's contract.
    unsafe {
        match primitive {
            Primitive::Boolean => Literal::Boolean(raw.z != 0),
            Primitive::Byte => Literal::Byte(raw.b),
            Primitive::Char => Literal::Char(raw.c),
            Primitive::Short => Literal::Short(raw.s),
            Primitive::Int => Literal::Int(raw.i),
            Primitive::Long => Literal::Long(raw.j),
            Primitive::Float => Literal::Float(raw.f),
            Primitive::Double => Literal::Double(raw.d),
        }
    }
}
