//! Names of pools and variables: by type, `listPool[2]` or `list2`.

use model::{Hierarchy, Slot, Type};
use rustc_hash::FxHashMap;

use super::expression::Spelling;
use crate::Form3;

/// How slots are written.
pub(super) struct Names {
    slots: Vec<String>,
}

/// A pool.
pub(super) struct Pool {
    pub(super) name: String,
    pub(super) ty: Type,
    pub(super) size: usize,
}

impl Names {
    /// Each slot as an element of the pool of its type, and the pools.
    pub(super) fn of_pools<C: Hierarchy + ?Sized>(
        form: &Form3,
        spelling: &Spelling<'_, C>,
    ) -> (Self, Vec<Pool>) {
        let mut stems = Stems::default();
        let mut pools: Vec<Pool> = Vec::new();
        let mut numbers: FxHashMap<&Type, usize> = FxHashMap::default();
        let mut slots = Vec::new();
        for decl in &form.case.slots {
            let number = *numbers.entry(&decl.ty).or_insert_with(|| {
                let name = format!("{}Pool", stems.of(&decl.ty, spelling));
                pools.push(Pool { name, ty: decl.ty.clone(), size: 0 });
                pools.len() - 1
            });
            let pool = &mut pools[number];
            slots.push(format!("{}[{}]", pool.name, pool.size));
            pool.size += 1;
        }
        (Self { slots }, pools)
    }

    /// Each slot as a variable.
    pub(super) fn of_variables<C: Hierarchy + ?Sized>(
        form: &Form3,
        spelling: &Spelling<'_, C>,
    ) -> Self {
        let mut stems = Stems::default();
        let mut counts: FxHashMap<String, usize> = FxHashMap::default();
        let name = |ty: &Type| {
            let stem = stems.of(ty, spelling);
            let count = counts.entry(stem.clone()).or_default();
            *count += 1;
            format!("{stem}{}", *count - 1)
        };
        Self { slots: form.case.slots.iter().map(|decl| &decl.ty).map(name).collect() }
    }

    /// How a slot is written.
    pub(super) fn of(&self, slot: Slot) -> &str {
        &self.slots[slot.index()]
    }
}

/// Words for types; another for each.
#[derive(Default)]
struct Stems {
    known: FxHashMap<Type, String>,
    taken: FxHashMap<String, usize>,
}

impl Stems {
    fn of<C: Hierarchy + ?Sized>(&mut self, ty: &Type, spelling: &Spelling<'_, C>) -> String {
        if let Some(known) = self.known.get(ty) {
            return known.clone();
        }
        let word = word(ty, spelling);
        let count = self.taken.entry(word.clone()).or_default();
        *count += 1;
        let stem = if *count == 1 { word } else { format!("{word}{}_", *count) };
        self.known.insert(ty.clone(), stem.clone());
        stem
    }
}

fn word<C: Hierarchy + ?Sized>(ty: &Type, spelling: &Spelling<'_, C>) -> String {
    match ty {
        Type::Primitive(primitive) => primitive.keyword().to_owned(),
        Type::Array(element) => format!("{}Array", word(element, spelling)),
        Type::Class(name) => {
            let name = spelling.class(name);
            let simple = name.rsplit('.').next().unwrap_or(&name);
            let mut letters = simple.chars();
            letters.next().map_or_else(String::new, |first| {
                first.to_lowercase().collect::<String>() + letters.as_str()
            })
        }
    }
}
