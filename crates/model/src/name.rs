//! Names of classes.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A class by its internal name, `java/util/Map$Entry`; shown dotted, `java.util.Map$Entry`.
///
/// Cheap to clone; compared as text.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassName(Arc<str>);

impl ClassName {
    /// From an internal name (`java/lang/String`).
    pub fn internal(name: &str) -> Self {
        Self(name.into())
    }

    /// From a binary name as users write it (`java.lang.String`, `java.util.Map$Entry`).
    pub fn binary(name: &str) -> Self {
        Self(name.replace('.', "/").into())
    }

    /// The internal name.
    pub fn as_internal(&self) -> &str {
        &self.0
    }

    /// The binary name, as `Class.getName` gives it.
    pub fn to_binary(&self) -> String {
        self.0.replace('/', ".")
    }

    /// The package in internal form, empty for the unnamed package.
    pub fn package(&self) -> &str {
        self.0.rfind('/').map_or("", |end| &self.0[..end])
    }

    /// What follows the package: `Map$Entry` for `java/util/Map$Entry`.
    pub fn local(&self) -> &str {
        self.0.rfind('/').map_or(&self.0, |end| &self.0[end + 1..])
    }
}

impl From<&str> for ClassName {
    fn from(internal: &str) -> Self {
        Self::internal(internal)
    }
}

impl Borrow<str> for ClassName {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_binary())
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_knows_its_package_and_local_part() {
        let entry = ClassName::binary("java.util.Map$Entry");
        assert_eq!(entry.as_internal(), "java/util/Map$Entry");
        assert_eq!(entry.package(), "java/util");
        assert_eq!(entry.local(), "Map$Entry");
        assert_eq!(ClassName::internal("Top").package(), "");
        assert_eq!(ClassName::internal("Top").local(), "Top");
    }
}
