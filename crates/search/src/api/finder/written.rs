//! Values that are written down, for each type they can be used as.

use model::{Literal, Type};

use super::Finder;
use crate::api::literals::{literal_types, literals_of};
use crate::api::typed::Typed;

impl Finder<'_> {
    pub(super) fn number_literal_types(&mut self) {
        for ty in literal_types() {
            self.type_id(&Typed::raw(&ty));
        }
    }

    pub(super) fn write_literals(&mut self) {
        let mut literals = vec![Vec::new(); self.api.types.len()];
        for literal_type in literal_types() {
            let id = self.api.type_ids[&Typed::raw(&literal_type)];
            for ty in &self.api.fits[id.0 as usize] {
                for value in literals_of(&literal_type, &self.api.class) {
                    literals[ty.0 as usize].push((literal_type.clone(), value));
                }
            }
        }
        // Of `Class<Foo>` there is one value.
        let class = Type::class("java/lang/Class");
        for (ty, literals) in self.api.types.iter().zip(&mut literals) {
            if let Typed::Class { name, args } = ty
                && name.as_internal() == "java/lang/Class"
                && let [of] = &args[..]
            {
                literals.push((class.clone(), Literal::Class(Some(of.erased()))));
            }
        }
        self.api.literals = literals;
    }
}
