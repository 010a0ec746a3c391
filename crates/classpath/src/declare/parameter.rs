//! Names of parameters: from `MethodParameters` (JVMS §4.7.24), else from the debug information
//! of the code (JVMS §4.7.13).
//!
//! Parameters the compiler added (the outer instance, captured variables, name and ordinal of an
//! enum constant) have no name here, whatever the class file calls them.

use std::sync::Arc;

use classfile::{CodeView, Member, flags};
use model::{MethodDescriptor, Primitive, Type};

use super::{Declaring, Owner};

impl Declaring<'_> {
    /// One entry for each parameter of the descriptor.
    pub(super) fn parameter_names(
        &mut self,
        owner: Owner<'_>,
        member: &Member,
        descriptor: &MethodDescriptor,
        code: Option<&CodeView>,
    ) -> Vec<Option<Arc<str>>> {
        let mut names: Vec<Option<Arc<str>>> = vec![None; descriptor.params.len()];
        if names.is_empty() {
            return names;
        }
        let pool = &self.file.pool;
        let mut added = vec![false; names.len()];
        let declared = member.attributes.method_parameters(pool);
        let declared = self.optional(owner, "MethodParameters", declared).unwrap_or_default();
        // With another number of entries nobody can tell which is which.
        if declared.len() == names.len() {
            for (index, parameter) in declared.iter().enumerate() {
                added[index] = parameter.access & flags::SYNTHETIC != 0;
                names[index] = parameter.name.as_deref().and_then(source_name);
            }
        }
        if let Some(code) = code
            && names.contains(&None)
        {
            let variables = self.optional(owner, "LocalVariableTable", code.local_variables(pool));
            let mut slot = u16::from(!member.has_flag(flags::STATIC));
            for (name, ty) in names.iter_mut().zip(&descriptor.params) {
                let variable = variables.iter().find(|variable| {
                    variable.index == slot
                        && variable.start == 0
                        && *variable.descriptor == ty.descriptor()
                });
                if name.is_none() {
                    *name = variable.and_then(|variable| source_name(&variable.name));
                }
                slot = slot.saturating_add(slots(ty));
            }
        }
        for (name, added) in names.iter_mut().zip(added) {
            if added {
                *name = None;
            }
        }
        names
    }
}

/// The name, unless it is one the compiler makes up.
fn source_name(name: &str) -> Option<Arc<str>> {
    let made_up = ["this$", "val$", "$enum$"].iter().any(|prefix| name.starts_with(prefix));
    (!made_up && !name.is_empty()).then(|| Arc::from(name))
}

/// Local variable slots a value takes (JVMS §2.6.1).
fn slots(ty: &Type) -> u16 {
    match ty {
        Type::Primitive(Primitive::Long | Primitive::Double) => 2,
        _ => 1,
    }
}
