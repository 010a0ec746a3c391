//! Which types have values: those that operations make of what has values already.
//!
//! A generic class is tested with usual type arguments. If there is no object with those, as nothing
//! makes what its constructors take, it is tested with the arguments of objects that there are.

use model::Class;

use super::Finder;
use crate::api::TypeId;
use crate::api::literals::literal_types;
use crate::api::typed::Typed;
use crate::api::typing::Typing;

impl Finder<'_> {
    /// Adds the members of the class under test on objects that can be made, if none of those that
    /// are wanted can.
    pub(in crate::api) fn add_buildable_subjects(&mut self, class: &Class) {
        if Typing::params(class).is_empty() {
            return;
        }
        let own = Typed::class(class.name.as_internal()).erased();
        let types: Vec<TypeId> = self.api.of_class.get(&own).cloned().unwrap_or_default();
        let typed = |ty: &&TypeId| !self.api.types[ty.0 as usize].is_raw();
        let is_buildable = self.buildable();
        let called_on = |ty: &TypeId| {
            let mut subjects =
                self.api.subjects.iter().flat_map(|op| &self.api.variants[op.0 as usize]);
            subjects.any(|op| {
                self.api.operations[op.0 as usize].has_receiver()
                    && self.api.params[op.0 as usize].first() == Some(ty)
            })
        };
        let (called, others): (Vec<TypeId>, Vec<TypeId>) =
            types.iter().filter(typed).partition(|ty| called_on(ty));
        if called.iter().any(|ty| is_buildable[ty.0 as usize]) {
            return;
        }
        if let Some(other) = others.iter().find(|ty| is_buildable[ty.0 as usize]) {
            let owner = self.api.types[other.0 as usize].clone();
            self.add_subjects_on(class, &[owner]);
            self.add_makers();
        }
    }

    /// For each type whether there are values of it, `null` aside.
    pub(super) fn buildable(&self) -> Vec<bool> {
        let fits = self.all_fits();
        let mut buildable = vec![false; fits.len()];
        for (at, ty) in self.api.types.iter().enumerate() {
            // An array may be empty, a class is written down.
            buildable[at] = match ty {
                Typed::Primitive(_) | Typed::Array(_) => true,
                Typed::Class { name, .. } => name.as_internal() == "java/lang/Class",
                Typed::Variable(_) => false,
            };
        }
        let written = literal_types().filter_map(|ty| self.api.type_ids.get(&Typed::raw(&ty)));
        for ty in written.flat_map(|ty| &fits[ty.0 as usize]) {
            buildable[ty.0 as usize] = true;
        }
        let mut has_grown = true;
        while has_grown {
            has_grown = false;
            for (params, result) in self.api.params.iter().zip(&self.api.results) {
                let Some(result) = result else { continue };
                if buildable[result.0 as usize] || !params.iter().all(|p| buildable[p.0 as usize]) {
                    continue;
                }
                has_grown = true;
                for ty in &fits[result.0 as usize] {
                    buildable[ty.0 as usize] = true;
                }
            }
        }
        buildable
    }
}
