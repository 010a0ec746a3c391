//! Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A).
//!
//! Plain numbers: the same bit means different things on classes, fields and methods.

/// Visible everywhere.
pub const PUBLIC: u16 = 0x0001;
/// Visible in its nest only.
pub const PRIVATE: u16 = 0x0002;
/// Visible in its package and in subclasses.
pub const PROTECTED: u16 = 0x0004;
/// Belongs to the class, not to an instance.
pub const STATIC: u16 = 0x0008;
/// Not to be overridden, extended or assigned again.
pub const FINAL: u16 = 0x0010;
/// On classes: the modern meaning of `invokespecial`.
pub const SUPER: u16 = 0x0020;
/// On methods: holds the monitor while it runs.
pub const SYNCHRONIZED: u16 = 0x0020;
/// On fields: never cached.
pub const VOLATILE: u16 = 0x0040;
/// On methods: made by the compiler for covariant or generic overriding.
pub const BRIDGE: u16 = 0x0040;
/// On fields: not part of the persistent state.
pub const TRANSIENT: u16 = 0x0080;
/// On methods: takes a variable number of arguments.
pub const VARARGS: u16 = 0x0080;
/// On methods: implemented outside Java.
pub const NATIVE: u16 = 0x0100;
/// Is an interface.
pub const INTERFACE: u16 = 0x0200;
/// Has no body, or must not be instantiated.
pub const ABSTRACT: u16 = 0x0400;
/// On methods: `strictfp`.
pub const STRICT: u16 = 0x0800;
/// Not present in the source.
pub const SYNTHETIC: u16 = 0x1000;
/// Is an annotation interface.
pub const ANNOTATION: u16 = 0x2000;
/// Is an enum class, or a constant of one.
pub const ENUM: u16 = 0x4000;
/// On classes: a module descriptor. On parameters: implicitly declared.
pub const MODULE: u16 = 0x8000;
/// On parameters: declared implicitly by the language.
pub const MANDATED: u16 = 0x8000;
