//! The bytes of classes as they run here: with their steps counted, with and without a mutant.

use std::cell::RefCell;
use std::rc::Rc;

use classfile::ClassFile;
use classpath::ClassPath;
use mutants::Mutant;
use rustc_hash::FxHashMap;

use crate::inside::hook;
use crate::setup::Setup;

/// The classes of the project.
pub(super) struct Classes {
    path: ClassPath,
    /// Those asked for, as they are in their files.
    plain: RefCell<FxHashMap<String, Rc<[u8]>>>,
    /// The same with their steps counted.
    originals: RefCell<FxHashMap<String, Rc<[u8]>>>,
}

impl Classes {
    pub(super) fn open(setup: &Setup) -> Self {
        let subject = &setup.subject;
        let release = u16::try_from(subject.feature).unwrap_or(u16::MAX);
        // What cannot be read was told when the run began.
        let path = ClassPath::open(&subject.project, &[], release).0;
        Self { path, plain: RefCell::default(), originals: RefCell::default() }
    }

    /// A class as it is in its file.
    pub(super) fn plain(&self, class: &str) -> Result<Rc<[u8]>, String> {
        if let Some(bytes) = self.plain.borrow().get(class) {
            return Ok(bytes.clone());
        }
        let read = self.path.read(class).ok_or_else(|| format!("there is no class {class}"))?;
        let bytes: Rc<[u8]> = read.map_err(|error| error.to_string())?.into();
        self.plain.borrow_mut().insert(class.to_owned(), bytes.clone());
        Ok(bytes)
    }

    /// A class as it was loaded.
    pub(super) fn original(&self, class: &str) -> Result<Rc<[u8]>, String> {
        if let Some(bytes) = self.originals.borrow().get(class) {
            return Ok(bytes.clone());
        }
        let bytes: Rc<[u8]> = hook::with_steps(&self.plain(class)?)?.into();
        self.originals.borrow_mut().insert(class.to_owned(), bytes.clone());
        Ok(bytes)
    }

    /// The class of a mutant with the mutant in it.
    pub(super) fn mutated(&self, mutant: &Mutant) -> Result<Vec<u8>, String> {
        let bytes = self.plain(&mutant.class)?;
        let class = ClassFile::parse(&bytes).map_err(|error| error.to_string())?;
        let mutated =
            mutants::apply_to(&class, mutant).map_err(|error| crate::inside::describe(&error))?;
        hook::with_steps(&mutated)
    }
}
