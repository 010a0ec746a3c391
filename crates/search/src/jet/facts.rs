//! What contracts say of methods, as far as building objects goes. Whoever reads contracts tells it.

use model::{ClassName, ClassSource, Hierarchy, Operation, OperationKind, Type};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What the contract of a method or constructor says. That one has an entry at all means that it has
/// a contract.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct ContractFacts {
    /// It changes nothing.
    pub pure: bool,
    /// Its result is a new object.
    pub fresh_result: bool,
    /// Whether it may change an object of its class that it is called on, or given; `None` if its
    /// contract does not say.
    pub assigns: Option<bool>,
}

/// A member of a class: its name, and its parameters, erased and without the receiver.
type Member = (ClassName, String, Vec<Type>);

/// What contracts say.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    members: FxHashMap<Member, ContractFacts>,
}

impl Facts {
    /// Says this of the member that the class declares.
    pub fn tell(&mut self, class: &ClassName, name: &str, params: &[Type], facts: ContractFacts) {
        self.members.insert((class.clone(), name.to_owned(), params.to_vec()), facts);
    }

    /// What is said of what the operation calls: by its class, or by the nearest supertype that says
    /// anything.
    pub(super) fn of(&self, classes: &dyn ClassSource, op: &Operation) -> Option<ContractFacts> {
        if self.members.is_empty() {
            return None;
        }
        let said = |class: &ClassName| {
            let member = (class.clone(), op.name.to_string(), op.arguments().to_vec());
            self.members.get(&member).copied()
        };
        if op.kind == OperationKind::Constructor {
            return said(&op.owner);
        }
        classes.supertypes(&op.owner).iter().find_map(|class| said(&class.name))
    }
}
