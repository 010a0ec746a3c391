//! Classes with the contracts of their authors checked, and what their clauses are.
//!
//! Searches run them in place of the project's classes; tests are written for, compiled with and run on
//! the latter. Both have the same members, but for those that the checks are made of.

use std::path::PathBuf;

use model::{Breach, BreachKind, ClassName, Operation, OperationKind, Type};
use search::{ContractFacts, Facts};
use serde::{Deserialize, Serialize};

/// The classes and their clauses.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckedClasses {
    /// The folder with the class files, those that the checks call included.
    pub folder: PathBuf,
    /// The clauses, by number; there is none of number 0.
    pub clauses: Vec<CheckedClause>,
    /// What contracts say of members, as far as building objects goes.
    pub members: Vec<CheckedMember>,
}

/// What a contract says of a method or constructor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckedMember {
    /// The class that declares it.
    pub class: ClassName,
    /// Its name, `<init>` for a constructor.
    pub name: String,
    /// Its parameters, erased.
    pub params: Vec<Type>,
    /// What is said.
    pub facts: ContractFacts,
}

/// A clause that is checked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckedClause {
    /// What its breach is.
    pub kind: BreachKind,
    /// The member it is of, `<init>` for a constructor, and the number of its parameters; none if it
    /// is of the class.
    pub member: Option<(String, usize)>,
}

impl CheckedClasses {
    /// The bytes of a class as a search loads it.
    pub(crate) fn class_bytes(&self, name: &ClassName) -> Option<Vec<u8>> {
        std::fs::read(self.folder.join(format!("{}.class", name.as_internal()))).ok()
    }

    /// What contracts say of members.
    pub(crate) fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        for CheckedMember { class, name, params, facts: said } in &self.members {
            facts.tell(class, name, params, *said);
        }
        facts
    }

    /// What a call of `op` broke, by what the JVM says of it: that tells of preconditions only whether
    /// checked code was under way. What has no contract itself may have passed on what it was given.
    pub(crate) fn judge(&self, op: &Operation, breach: Breach) -> Breach {
        let Some(clause) = self.clauses.get(breach.clause as usize) else { return breach };
        let kind = match (breach.kind, clause.kind) {
            (BreachKind::EntryPrecondition, _) if !clause.is_of(op) => {
                BreachKind::InternalPrecondition
            }
            (BreachKind::EntryPrecondition | BreachKind::InternalPrecondition, _) => breach.kind,
            (_, kind) => kind,
        };
        Breach { kind, ..breach }
    }
}

impl CheckedClause {
    fn is_of(&self, op: &Operation) -> bool {
        let Some((name, params)) = &self.member else { return false };
        let given = op.params.len() - usize::from(op.kind == OperationKind::InstanceMethod);
        // The outer object of an inner class is passed to its constructor too.
        let is_constructor = op.kind == OperationKind::Constructor;
        **name == *op.name && (*params == given || is_constructor && params + 1 == given)
    }
}
