//! Which methods change what: the receiver, arguments, static state, or who knows what (G5).
//!
//! Writing objects that the method made itself is no effect, nor is filling a cache (a store to a
//! field that was just found null or zero), nor what is
//! done on the way to an exception ([`doom`]). Effects come from callees through summaries; virtual
//! calls reach the methods of all known subclasses and take the effects most of them have
//! ([`vote`]). Class initialization is no effect of who triggers it.
//!
//! From class files to answers: [`extract`] reduces code to what it does with references,
//! [`program`] links calls, [`fixpoint`] solves method by method ([`solve`]). The JDK is done once
//! and kept in a file ([`summaries`]).

mod body;
mod doom;
mod extract;
mod fields;
mod fixpoint;
mod ids;
mod natives;
mod program;
mod solve;
mod store;
mod summaries;
mod summary;
mod vote;

use classfile::{ClassFile, flags};
use classpath::World;
use model::{ClassName, Operation, OperationKind};

pub use fields::{FieldAccess, FieldRef};
pub use summaries::{Origin as SummariesOrigin, Summaries, SummariesError};

use crate::AnalysisError;
use body::FieldName;
use ids::{class_id, signature_id};
use program::{Known, Program};
use summary::{Kind, Summary};

/// What a method may change.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MethodEffects {
    /// The receiver or what it holds. Of a constructor never: the object is new.
    pub receiver: bool,
    /// Arguments, or what they hold: bit `i` for the argument `i`, the receiver not counted.
    pub args: u64,
    /// What static fields hold.
    pub statics: bool,
    /// Something is called of which nothing is known.
    pub unknown: bool,
}

impl MethodEffects {
    /// Whether nothing is changed as far as one can tell.
    pub fn is_pure(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the argument of that number (the receiver not counted) may be changed.
    pub fn changes_arg(&self, index: usize) -> bool {
        index < 64 && self.args >> index & 1 != 0
    }

    fn new(summary: &Summary, is_static: bool, is_constructor: bool) -> Self {
        let mut effects = Self { unknown: summary.unknown, ..Self::default() };
        for node in &summary.writes {
            match node.kind() {
                Kind::Global => effects.statics = true,
                Kind::Fresh => {}
                Kind::Param | Kind::Field | Kind::Deep => match (node.index(), is_static) {
                    (0, false) => effects.receiver |= !is_constructor,
                    (index, true) => effects.args |= 1 << index,
                    (index, false) => effects.args |= 1 << (index - 1),
                },
            }
        }
        effects
    }
}

/// The effects of all methods of some classes.
pub struct Purity<'s> {
    program: Program<'s>,
    names: Vec<ClassName>,
    damaged: Vec<(ClassName, AnalysisError)>,
}

impl<'s> Purity<'s> {
    /// Analyses classes of the class path together; calls between them are followed, calls of the
    /// JDK are looked up.
    pub fn of(world: &World, jdk: &'s Summaries, classes: &[ClassName]) -> Self {
        // Where much is merged, the order of merging may show: it must not be the caller's.
        let mut classes = classes.to_vec();
        classes.sort_unstable();
        classes.dedup();
        let read = |name: &ClassName| {
            let bytes = world.class_bytes(name)?;
            Some(
                ClassFile::parse(&bytes)
                    .map_err(AnalysisError::from)
                    .and_then(|c| extract::extract(&c)),
            )
        };
        let (mut found, mut names, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        for (name, code) in classes.iter().zip(summaries::on_all_cores(&classes, read)) {
            match code {
                // Told by the world already.
                None => {}
                Some(Err(error)) => damaged.push((name.clone(), error)),
                Some(Ok(code)) => {
                    let of_methods = code.methods.iter().filter_map(|m| m.damage.clone());
                    damaged.extend(of_methods.map(|damage| (name.clone(), damage)));
                    names.push(name.clone());
                    found.push(code);
                }
            }
        }
        let mut program = Program::new(found, &jdk.store);
        program.link();
        fixpoint::solve(&mut program);
        Self { program, names, damaged }
    }

    /// Classes or methods of them that could not be analysed; such methods are unknown.
    pub fn damaged(&self) -> &[(ClassName, AnalysisError)] {
        &self.damaged
    }

    /// The effects of a method that a class declares or inherits; `None` if there is none. Of an
    /// abstract method, what its implementations do.
    pub fn effects(
        &self,
        class: &ClassName,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodEffects> {
        let class = class_id(class.as_internal());
        let signature = signature_id(name, descriptor);
        let is_constructor = name == "<init>";
        Some(match self.program.known(class, signature)? {
            Known::Inside { unit, method } => {
                let summary = &self.program.summaries[unit as usize];
                let is_static = method.access & flags::STATIC != 0;
                MethodEffects::new(summary, is_static, is_constructor)
            }
            Known::Outside(summary) => {
                MethodEffects::new(&summary, summary.is_static, is_constructor)
            }
        })
    }

    /// The effects of an operation; `None` for a method that is not there. Reading a field,
    /// making an array, writing a class on the spot and a temporary file have none.
    pub fn operation(&self, operation: &Operation) -> Option<MethodEffects> {
        match operation.kind {
            OperationKind::StaticField
            | OperationKind::InstanceField
            | OperationKind::Array
            | OperationKind::Implement
            | OperationKind::Inject
            | OperationKind::Temporary => Some(MethodEffects::default()),
            OperationKind::SetField => {
                Some(MethodEffects { receiver: true, ..MethodEffects::default() })
            }
            OperationKind::Constructor
            | OperationKind::StaticMethod
            | OperationKind::InstanceMethod => {
                self.effects(&operation.owner, &operation.name, &operation.descriptor())
            }
        }
    }
}
