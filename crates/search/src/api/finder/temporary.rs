//! Files in the temporary folder of the test, for whoever takes a path (requirement G7).

use model::{FileType, Temporary};

use super::Finder;
use crate::api::typed::Typed;
use crate::api::typing::Shape;

impl Finder<'_> {
    /// Adds files and folders, if the type is one that refers to them.
    pub(super) fn add_files(&mut self, wanted: &Typed, depth: u32) {
        let Some(file) = FileType::of(&wanted.erased()).filter(|_| self.extras.files) else {
            return;
        };
        for what in Temporary::MAKERS {
            let op = what.operation(file);
            let params = op.params.iter().map(Typed::raw).collect();
            self.add(op, &Shape { params, result: Some(wanted.clone()) }, depth);
        }
    }
}
