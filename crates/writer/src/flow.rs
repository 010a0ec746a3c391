//! Which value each use of a slot means.
//!
//! A slot may be written several times; here every write is a value of its own, so that the writer
//! can give each a variable that is assigned once. Only a guarded call needs more: where it throws,
//! its slot keeps the value before, so its result is a variable that is assigned twice.

use model::{
    CheckKind, Expectation, FailureKind, Literal, OperationKind, Piece, Restated, Slot, UnitTest,
};

use crate::rejection::Rejection;

/// A value, by its number in the flow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ValueId(pub(crate) usize);

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum From {
    /// The slot's initial value.
    Initial,
    /// A call that returns.
    Call(usize),
    /// A guarded call; the value before stays if it throws.
    Guarded {
        /// The call.
        call: usize,
        /// The value before; `None` if there was none.
        before: Option<ValueId>,
    },
}

/// Where a value is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Use {
    /// As receiver or argument.
    Argument {
        /// Of this call.
        call: usize,
        /// At this position, the receiver counted.
        position: usize,
    },
    /// In a check, by its index.
    Check(usize),
    /// In the contract a failing test shows broken.
    Failure,
    /// As the value a guarded call leaves in place.
    Before,
}

/// A value and its uses.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    /// The slot it is in.
    pub(crate) slot: Slot,
    /// Where it comes from.
    pub(crate) from: From,
    /// Where it is used, in order.
    pub(crate) uses: Vec<Use>,
}

/// The values of a test.
pub(crate) struct Flow {
    /// All of them.
    pub(crate) values: Vec<Value>,
    /// What each call reads.
    pub(crate) reads: Vec<Vec<ValueId>>,
    /// What each call writes.
    pub(crate) writes: Vec<Option<ValueId>>,
    /// What each check reads.
    pub(crate) checks: Vec<Vec<ValueId>>,
    /// What the broken contract is about.
    pub(crate) failure: Vec<ValueId>,
}

impl Flow {
    /// Follows the values of a well-formed test.
    pub(crate) fn of(test: &UnitTest) -> Result<Self, Rejection> {
        let case = &test.case;
        let mut flow = Self {
            values: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            checks: vec![Vec::new(); test.checks.len()],
            failure: Vec::new(),
        };
        let mut current: Vec<Option<ValueId>> = Vec::with_capacity(case.slots.len());
        for (index, decl) in case.slots.iter().enumerate() {
            let slot = Slot(u32::try_from(index).expect("slots are numbered by u32"));
            current.push(decl.init.is_some().then(|| flow.value(slot, From::Initial)));
        }
        // Checks before any call: there are none to stand after, so they see initial values.
        for (index, call) in case.calls.iter().enumerate() {
            let mut reads = Vec::new();
            for (position, slot) in call.args.iter().enumerate() {
                let value = current[slot.index()].expect("a well-formed case reads what is set");
                flow.values[value.0].uses.push(Use::Argument { call: index, position });
                reads.push(value);
            }
            flow.reads.push(reads);
            let throws = index + 1 == case.calls.len() && throws_at_end(test);
            let written = call.result.filter(|_| !throws).map(|slot| {
                let before = current[slot.index()];
                let value = if call.guarded {
                    flow.value(slot, From::Guarded { call: index, before })
                } else {
                    flow.value(slot, From::Call(index))
                };
                current[slot.index()] = Some(value);
                value
            });
            flow.writes.push(written);
            for (number, check) in test.checks.iter().enumerate() {
                if check.after == index {
                    flow.check(number, &check.kind, &current)?;
                }
            }
        }
        if let Some(failure) = &test.failure
            && let FailureKind::Contract { contract, slots } = &failure.kind
        {
            if slots.len() < contract.operands() {
                return Err(Rejection::Dangling { what: "the failure" });
            }
            for slot in slots {
                let value = read(&current, *slot, "the failure")?;
                flow.values[value.0].uses.push(Use::Failure);
                flow.failure.push(value);
            }
        }
        if let Some(restated) = claimed(test) {
            flow.restated(test, restated);
        }
        if let Some(check) = test.checks.iter().position(|c| c.after >= case.calls.len()) {
            debug_assert!(flow.checks[check].is_empty());
            return Err(Rejection::Dangling { what: "a check" });
        }
        if test.subject >= case.calls.len() {
            return Err(Rejection::Dangling { what: "the subject" });
        }
        flow.mark_kept();
        Ok(flow)
    }

    fn value(&mut self, slot: Slot, from: From) -> ValueId {
        self.values.push(Value { slot, from, uses: Vec::new() });
        ValueId(self.values.len() - 1)
    }

    fn check(
        &mut self,
        number: usize,
        kind: &CheckKind,
        current: &[Option<ValueId>],
    ) -> Result<(), Rejection> {
        let slots: Vec<Slot> = match kind {
            CheckKind::Holds(slot, _) | CheckKind::NotNull(slot) | CheckKind::View(slot, _, _) => {
                vec![*slot]
            }
            CheckKind::Same(a, b) => vec![*a, *b],
            CheckKind::Verified(verified) => verified.slots().collect(),
        };
        for slot in slots {
            let value = read(current, slot, "a check")?;
            self.values[value.0].uses.push(Use::Check(number));
            self.checks[number].push(value);
        }
        Ok(())
    }

    /// What a broken clause speaks of is used in its assertions.
    fn restated(&mut self, test: &UnitTest, restated: &Restated) {
        let (Some(call), Some(reads)) = (test.case.calls.last(), self.reads.last()) else { return };
        let given = usize::from(call.op.has_receiver());
        let mut used: Vec<ValueId> = Vec::new();
        for (position, value) in reads.iter().enumerate() {
            let piece = match position.checked_sub(given) {
                None => Piece::Receiver,
                Some(argument) => Piece::Argument(argument),
            };
            if restated.mentions(&piece) {
                used.push(*value);
            }
        }
        let makes = call.op.kind == OperationKind::Constructor;
        if restated.mentions(&Piece::Result) || makes && restated.mentions(&Piece::Receiver) {
            used.extend(self.writes.last().copied().flatten());
        }
        for value in used {
            self.values[value.0].uses.push(Use::Failure);
        }
    }

    /// A guarded call's result that is used makes a use of the value before it.
    fn mark_kept(&mut self) {
        for index in (0..self.values.len()).rev() {
            if let From::Guarded { before: Some(before), .. } = self.values[index].from
                && !self.values[index].uses.is_empty()
            {
                self.values[before.0].uses.push(Use::Before);
            }
        }
    }
}

fn read(current: &[Option<ValueId>], slot: Slot, what: &'static str) -> Result<ValueId, Rejection> {
    current.get(slot.index()).copied().flatten().ok_or(Rejection::Dangling { what })
}

/// The clause that a test shows broken by assertions.
pub(crate) fn claimed(test: &UnitTest) -> Option<&Restated> {
    match &test.failure.as_ref()?.kind {
        FailureKind::Breach { restated, .. } => {
            restated.as_deref().filter(|restated| !restated.is_exception())
        }
        FailureKind::Contract { .. } | FailureKind::UnexpectedException { .. } => None,
    }
}

/// Whether the last call is expected to throw, and the test to pass.
pub(crate) fn throws_at_end(test: &UnitTest) -> bool {
    test.failure.is_none() && matches!(test.expectation, Expectation::Throws(_))
}

/// Whether a literal in a reference slot is an object with an identity of its own.
pub(crate) fn has_identity(value: &Literal) -> bool {
    value.primitive().is_some()
}
