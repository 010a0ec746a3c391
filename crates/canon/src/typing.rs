//! Which pool an object goes into: the type of its slot.
//!
//! The declared type of what made it, if that fits all its uses; else its own class; else what can be
//! named and fits.

use model::{Hierarchy, Type};

use crate::reach::Reach;

/// What is known of an object.
pub(crate) struct Wanted<'w> {
    /// The type that what made it declares.
    pub(crate) declared: Option<&'w Type>,
    /// Its class.
    pub(crate) class: &'w Type,
    /// The types it is used as.
    pub(crate) uses: &'w [Type],
}

/// The type of its slot; `None` if no type fits.
pub(crate) fn choose<C: Hierarchy + ?Sized>(
    reach: &Reach<'_, C>,
    wanted: &Wanted<'_>,
) -> Option<Type> {
    let Wanted { declared, class, uses } = wanted;
    let fits = |ty: &Type| {
        ty.is_reference() && reach.can_name(ty) && uses.iter().all(|used| reach.fits(ty, used))
    };
    let first = declared.iter().copied().chain([*class]).chain(uses.iter());
    if let Some(ty) = first.into_iter().find(|ty| fits(ty)) {
        return Some(ty.clone());
    }
    let Type::Class(name) = class else { return None };
    let supertypes = reach.classes.supertypes(name);
    supertypes.iter().map(|class| Type::Class(class.name.clone())).find(|ty| fits(ty))
}
