//! Where a value may stand: by types with their arguments, which erased operations do not tell. A list
//! of threads takes no text, though its `add(Object)` would.

use model::{Call, Hierarchy, OperationKind, Slot, TestCase, Type};

use crate::api::{Api, TypeId};

/// The types whose values may be texts.
const OF_TEXTS: [&str; 3] = ["java/lang/Object", "java/lang/Comparable", "java/lang/CharSequence"];

/// The places where a value is used from a call on.
pub(super) struct Places<'c> {
    api: &'c Api,
    case: &'c TestCase,
    used: Vec<(&'c Call, usize)>,
}

impl<'c> Places<'c> {
    /// Those of a slot in the calls after `index`.
    pub(super) fn after(api: &'c Api, case: &'c TestCase, index: usize, slot: Slot) -> Self {
        let places = |call: &'c Call| {
            let args = call.args.iter().enumerate();
            args.filter(move |(_, arg)| **arg == slot).map(move |(at, _)| (call, at))
        };
        Self { api, case, used: case.calls[index + 1..].iter().flat_map(places).collect() }
    }

    /// Whether something is asked of the value itself, so that it cannot be `null`.
    pub(super) fn need_object(&self) -> bool {
        self.used.iter().any(|(call, at)| {
            let is_needed = |op| self.api.needs_first(op);
            *at == 0 && (call.op.has_receiver() || self.api.id_of(&call.op).is_some_and(is_needed))
        })
    }

    /// Whether a text may stand in all of them, where whatever it says will do.
    pub(super) fn take_texts(&self) -> bool {
        let text = self.api.type_id(&Type::string());
        let is_of_texts =
            |ty: &Type| matches!(ty, Type::Class(name) if OF_TEXTS.contains(&name.as_internal()));
        !self.need_object()
            && self.used.iter().all(|(call, at)| match wanted(self.api, call, *at) {
                Some(wanted) => {
                    let is_taken = |text: TypeId| self.api.fits(text).contains(&wanted);
                    is_of_texts(self.api.ty(wanted)) && text.is_some_and(is_taken)
                }
                // What a mock answers has a type that its operation does not tell.
                None => call.op.as_mock().is_none() && is_of_texts(call.op.param(*at)),
            })
    }

    /// Whether what another slot holds may stand in all of them.
    pub(super) fn take(&self, other: Slot, classes: &impl Hierarchy) -> bool {
        let given = self.api.type_of(self.case, other);
        self.used.iter().all(|(call, at)| {
            let is_fit = match (given, wanted(self.api, call, *at)) {
                (Some(given), Some(wanted)) => self.api.fits(given).contains(&wanted),
                _ => true,
            };
            is_fit && classes.is_subtype(self.case.ty(other), call.op.param(*at))
        })
    }
}

/// The type of an argument with its own arguments, if the operation is one of the search's.
pub(super) fn wanted(api: &Api, call: &Call, at: usize) -> Option<TypeId> {
    let params = api.params(api.id_of(&call.op)?);
    let at = if call.op.kind == OperationKind::Array { 0 } else { at };
    params.get(at).copied()
}
