//! The crate against real compilers, JDKs and libraries.

mod asked;
mod calls;
mod constants;
mod fixture;
mod labels;
mod purity;
mod robust;
mod set_fields;
