//! What the weaver asks of classes that are there in compiled form only.

use std::sync::Arc;

use classpath::World;
use contracts::Source;
use contracts::java::TypeDecl;
use contracts::weave::Supertypes;
use model::{Class, ClassName, ClassSource, Type};

/// The classes of a world, by names as sources have them.
pub(crate) struct Compiled<'w>(pub(crate) &'w World);

impl Compiled<'_> {
    /// Of `java.util.Map.Entry`, which may be a class in a class.
    pub(super) fn class(&self, name: &str) -> Option<Arc<Class>> {
        let mut internal = name.replace('.', "/");
        loop {
            if let Some(class) = self.0.class(&ClassName::internal(&internal)) {
                return Some(class);
            }
            let last = internal.rfind('/')?;
            internal.replace_range(last..=last, "$");
        }
    }
}

impl Compiled<'_> {
    /// Whether all types that a source declares are among the classes.
    pub(super) fn has_types_of(&self, source: &Source) -> bool {
        source.types.iter().all(|ty| self.class(&type_name(source, ty)).is_some())
    }
}

/// The full name of a type that stands in no other.
pub(super) fn type_name(source: &Source, ty: &TypeDecl) -> String {
    let package = source.package.iter().map(|name| format!("{}.", name.text));
    package.chain([ty.name.text.clone()]).collect()
}

impl Supertypes for Compiled<'_> {
    fn supertypes(&self, class: &str) -> Option<Vec<String>> {
        let class = self.class(class)?;
        let all = class.superclass.iter().chain(&class.interfaces);
        Some(all.map(|name| name.to_binary().replace('$', ".")).collect())
    }

    fn declares(&self, class: &str, method: &str, parameters: &[String]) -> bool {
        let Some(class) = self.class(class) else { return false };
        class.methods.iter().any(|other| {
            *other.name == *method
                && other.params.len() == parameters.len()
                && other.params.iter().zip(parameters).all(|(p, name)| is_named(&p.ty, name))
        })
    }
}

/// Whether a type may be what a source calls by this simple name. A type variable is called by its own
/// name there, so what has no other kind of name fits.
pub(super) fn is_named(ty: &Type, name: &str) -> bool {
    let simple = |text: &str| text.rsplit(['.', '$']).next().unwrap_or(text).to_owned();
    simple(&ty.to_string()) == simple(name) || is_variable(name)
}

fn is_variable(name: &str) -> bool {
    let base = name.trim_end_matches("[]");
    base.len() <= 2 && base.starts_with(|c: char| c.is_ascii_uppercase())
}
