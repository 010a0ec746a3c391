//! Java, as far as specifications need it: which declarations there are, and where.

mod modifier;
mod outline;

pub use modifier::{Annotation, JavaModifier, JmlModifier, Modifiers, Visibility};
pub use outline::{
    EnumConstant, ExplicitCall, Field, Import, Initializer, Method, MethodKind, Origin, Param,
    TypeDecl, TypeKind, TypePlace,
};
