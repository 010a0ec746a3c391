//! Reader of the bootstrap methods behind `invokedynamic` and dynamic constants.

use crate::{Attributes, ClassFileError, ConstantPool};

/// A bootstrap method and its static arguments, as constant pool indices (JVMS 4.7.23).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootstrapMethod {
    /// Index of the method handle.
    pub method: u16,
    /// Indices of the arguments.
    pub arguments: Vec<u16>,
}

impl Attributes {
    /// The bootstrap methods of a class; [`ConstantPool::dynamic`] gives positions in it.
    pub fn bootstrap_methods(
        &self,
        pool: &ConstantPool,
    ) -> Result<Vec<BootstrapMethod>, ClassFileError> {
        const WHAT: &str = "a bootstrap method";
        self.decode_table(pool, "BootstrapMethods", 4, |reader| {
            Ok(BootstrapMethod {
                method: reader.u2(WHAT)?,
                arguments: reader.table(WHAT, 2, |r| r.u2(WHAT))?,
            })
        })
    }
}
