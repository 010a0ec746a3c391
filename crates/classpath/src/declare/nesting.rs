//! Where a class stands among others: top level, member or local (JVMS §4.7.6, §4.7.7).
//!
//! The class file tells, never the name: Scala and Kotlin put `$` into names of top-level classes.
//!
//! Invariant: the name of a member's outer class is a proper prefix of its own, so a walk outward
//! ends whatever the class files claim.

use std::sync::Arc;

use classfile::{InnerClass, flags};
use model::{Access, ClassName, Nesting};

use super::Declaring;
use crate::Reason;

/// A class's place among others.
pub(super) struct Place {
    pub(super) nesting: Nesting,
    /// The flags of its declaration.
    pub(super) access: Access,
    /// Its member classes.
    pub(super) members: Vec<ClassName>,
}

impl Declaring<'_> {
    pub(super) fn nesting(&mut self, name: &ClassName) -> Result<Place, Reason> {
        let (pool, attributes) = (&self.file.pool, &self.file.attributes);
        let mentioned = attributes.inner_classes(pool)?;
        let is_enclosed = attributes.enclosing_method(pool)?.is_some();
        let own = mentioned.iter().find(|class| *class.inner == *name.as_internal());

        let access = own.map_or(self.file.access, |own| own.access);
        // On classes this bit speaks of invokespecial, not of the declaration.
        let access = self.access(access & !flags::SUPER, attributes);
        let nesting = match own {
            Some(own) if !is_enclosed => self.declared_nesting(name, own),
            None if !is_enclosed => Nesting::Top,
            _ => Nesting::Local,
        };
        let is_member = |class: &&InnerClass<'_>| {
            class.name.is_some()
                && class.outer.as_deref() == Some(name.as_internal())
                && *class.inner != *name.as_internal()
        };
        let members = mentioned.iter().filter(is_member);
        let members = members.map(|class| ClassName::internal(&class.inner)).collect();
        Ok(Place { nesting, access, members })
    }

    fn declared_nesting(&mut self, name: &ClassName, own: &InnerClass<'_>) -> Nesting {
        let (Some(outer), Some(simple)) = (&own.outer, &own.name) else { return Nesting::Local };
        let inside = name.as_internal().strip_prefix(&**outer);
        if inside.is_none_or(str::is_empty) {
            self.tell(Reason::Nesting { outer: outer.replace('/', ".") });
            return Nesting::Local;
        }
        Nesting::Member {
            outer: ClassName::internal(outer),
            simple: Arc::from(&**simple),
            is_static: own.access & flags::STATIC != 0,
        }
    }
}
