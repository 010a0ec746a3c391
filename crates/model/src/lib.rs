//! What every other crate speaks of: types, classes, test cases and outcomes.
