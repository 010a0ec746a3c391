//! What source in a given package can name (JLS §6.6).
//!
//! Emitted tests live in the package of the class under test, so package-private and protected
//! members of that package are in reach, private ones never.

use crate::{Access, Class, ClassName, ClassSource, Nesting, Type};

/// Whether source in `package` (internal form) can name the type.
pub fn type_accessible(source: &dyn ClassSource, ty: &Type, package: &str) -> bool {
    match ty.innermost() {
        Type::Class(name) => class_accessible(source, name, package),
        _ => true,
    }
}

fn class_accessible(source: &dyn ClassSource, name: &ClassName, package: &str) -> bool {
    let Some(class) = source.class(name) else { return false };
    if !class.exported || class.access.is_synthetic() {
        return false;
    }
    // A class in the unnamed package cannot be imported anywhere else (JLS §7.5).
    if name.package().is_empty() && !package.is_empty() {
        return false;
    }
    match &class.nesting {
        Nesting::Local => false,
        Nesting::Top => flags_allow(class.access, name.package() == package),
        Nesting::Member { outer, .. } => {
            flags_allow(class.access, name.package() == package)
                && class_accessible(source, outer, package)
        }
    }
}

/// Whether source in `package` can use a member of `declaring` with the given flags; access
/// through inheritance from another package (protected) is not counted.
pub fn member_accessible(
    source: &dyn ClassSource,
    declaring: &Class,
    member: Access,
    package: &str,
) -> bool {
    class_accessible(source, &declaring.name, package)
        && flags_allow(member, declaring.name.package() == package)
}

fn flags_allow(access: Access, same_package: bool) -> bool {
    access.is_public() || (same_package && !access.is_private())
}
