//! Java, as far as specifications need it: which declarations there are, and where.

pub(crate) mod comments;
pub(crate) mod extract;
mod members;
mod modifier;
mod outline;
pub(crate) mod tree;

pub use modifier::{Annotation, JavaModifier, JmlModifier, Modifiers, Visibility};
pub use outline::{
    EnumConstant, ExplicitCall, Field, Import, Initializer, Method, MethodKind, Origin, Param,
    TypeDecl, TypeKind, TypePlace,
};
