//! Which contract a call broke, as checked classes tell `testhound.contracts.Checks`.
//!
//! It is asked after every call, not only of what was thrown: code under test may swallow the error.
//! Asking costs the reading of one static field.

use jvmti_bindings::sys::jni::{jclass, jfieldID, jmethodID};
use model::{Breach, BreachKind};

use crate::JvmError;
use crate::env::{Env, jni};
use crate::executor::Executor;

const CHECKS: &str = "testhound/contracts/Checks";

/// How a clause was broken, as the Java part counts.
const ENTRY: i32 = 1;
const INTERNAL: i32 = 2;
const BEFORE: i32 = 3;

/// The class and its fields.
pub(crate) struct Contracts {
    class: jclass,
    reset: jmethodID,
    last: jfieldID,
    how: jfieldID,
}

impl Contracts {
    fn new(env: Env) -> Result<Self, JvmError> {
        let class = env.find_class(CHECKS)?;
        Ok(Self {
            class,
            reset: env.method(class, "reset", "()V", true)?,
            last: env.static_field(class, c"last", c"I")?,
            how: env.static_field(class, c"lastHow", c"I")?,
        })
    }

    /// Nothing is broken yet, and no call is under way.
    pub(crate) fn restart(&self, env: Env) {
        // SAFETY: a static method of the class without arguments or result.
        unsafe { jni!(env, CallStaticVoidMethodA, self.class, self.reset, std::ptr::null()) };
        env.clear_exception();
    }

    /// What was broken first since the last restart.
    pub(crate) fn breach(&self, env: Env) -> Option<Breach> {
        // SAFETY: static `int` fields of this class; legal while an exception is not pending.
        let (clause, how) = unsafe {
            let clause = jni!(env, GetStaticIntField, self.class, self.last);
            if clause == 0 {
                return None;
            }
            (clause, jni!(env, GetStaticIntField, self.class, self.how))
        };
        self.restart(env);
        let kind = match how {
            ENTRY => BreachKind::EntryPrecondition,
            INTERNAL => BreachKind::InternalPrecondition,
            BEFORE => BreachKind::Invariant,
            _ => BreachKind::Postcondition,
        };
        Some(Breach { kind, clause: clause.unsigned_abs() })
    }
}

impl Executor<'_> {
    /// Has calls tell from now on which contract they broke: the classes under test are checked. A
    /// breach says when it was found (before the call that the test makes, before one within it, of
    /// state before a call, or else); which kind of clause it is, is not known here.
    pub fn expect_breaches(&mut self) -> Result<(), JvmError> {
        self.contracts = Some(Contracts::new(self.env)?);
        Ok(())
    }
}
