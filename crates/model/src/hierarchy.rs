//! Subtyping over whatever classes can be looked up.

use std::sync::Arc;

use crate::{Class, ClassName, Type};

/// Somewhere classes are looked up by name.
pub trait ClassSource {
    /// The class of that name, or `None` where it is missing or cannot be read.
    fn class(&self, name: &ClassName) -> Option<Arc<Class>>;
}

impl<T: ClassSource + ?Sized> ClassSource for &T {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        (**self).class(name)
    }
}

/// Somewhere the subtypes of a class can be looked up too.
pub trait Implementations: ClassSource {
    /// Classes known to extend or implement it, directly or not, in a stable order: those of the
    /// project and its dependencies first.
    fn subtypes(&self, name: &ClassName) -> Vec<ClassName>;
    /// The classes of a package (internal form), in a stable order.
    fn package_classes(&self, package: &str) -> Vec<ClassName>;
    /// Classes of the project and its dependencies with methods whose result is declared as the given
    /// class, in a stable order.
    fn returning(&self, name: &ClassName) -> Vec<ClassName>;
}

/// Questions about supertypes, answered from a [`ClassSource`].
///
/// A class that cannot be found has no supertypes but `Object`: code under test often mentions
/// classes that are not there.
pub trait Hierarchy: ClassSource {
    /// Whether every `sub` is a `sup`, both being classes or interfaces.
    fn is_subclass(&self, sub: &ClassName, sup: &ClassName) -> bool {
        if sub == sup || sup.as_internal() == "java/lang/Object" {
            return true;
        }
        let mut pending = vec![sub.clone()];
        let mut seen = vec![sub.clone()];
        while let Some(name) = pending.pop() {
            let Some(class) = self.class(&name) else { continue };
            for parent in class.parents() {
                if parent == sup {
                    return true;
                }
                if !seen.contains(parent) {
                    seen.push(parent.clone());
                    pending.push(parent.clone());
                }
            }
        }
        false
    }

    /// Whether a value of type `from` can be passed where `to` is wanted without cast, boxing or
    /// widening (JLS §5.1.5, arrays covariant).
    fn is_subtype(&self, from: &Type, to: &Type) -> bool {
        match (from, to) {
            (a, b) if a == b => true,
            (Type::Class(sub), Type::Class(sup)) => self.is_subclass(sub, sup),
            (Type::Array(_), Type::Class(sup)) => matches!(
                sup.as_internal(),
                "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable"
            ),
            (Type::Array(sub), Type::Array(sup)) => self.is_subtype(sub, sup),
            _ => false,
        }
    }

    /// All supertypes of a class, itself first, each once: superclasses before interfaces at each
    /// step outward.
    fn supertypes(&self, name: &ClassName) -> Vec<Arc<Class>> {
        let mut names = vec![name.clone()];
        let mut classes = Vec::new();
        let mut next = 0;
        while next < names.len() {
            if let Some(class) = self.class(&names[next]) {
                for parent in class.parents() {
                    if !names.contains(parent) {
                        names.push(parent.clone());
                    }
                }
                classes.push(class);
            }
            next += 1;
        }
        classes
    }

    /// Whether throwing this class needs a `throws` clause.
    fn is_checked_exception(&self, name: &ClassName) -> bool {
        !self.is_subclass(name, &ClassName::internal("java/lang/RuntimeException"))
            && !self.is_subclass(name, &ClassName::internal("java/lang/Error"))
    }
}

impl<T: ClassSource + ?Sized> Hierarchy for T {}
