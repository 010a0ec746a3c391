//! Files in the temporary folder of the test, for whoever takes a path (requirement G7).

use model::{FileType, Temporary};

use super::Finder;
use crate::api::typed::Typed;
use crate::api::typing::Shape;

impl Finder<'_> {
    /// Adds files and folders, if the type is one that refers to them: texts only if the class takes
    /// them for names of files.
    pub(super) fn add_files(&mut self, wanted: &Typed, depth: u32) {
        let ty = wanted.erased();
        let is_name = self.extras.clues.names_files && ty == FileType::Name.ty();
        let file = FileType::of(&ty).or(is_name.then_some(FileType::Name));
        let Some(file) = file.filter(|_| self.extras.files) else { return };
        if file == FileType::Name {
            self.api.file_names = Some(self.type_id(wanted));
        }
        for what in Temporary::MAKERS {
            let op = what.operation(file);
            let params = op.params.iter().map(Typed::raw).collect();
            self.add(op, &Shape { params, result: Some(wanted.clone()) }, depth);
        }
    }
}
