//! Files of a test: what it makes in its temporary folder, and what it asks of files afterwards.
//!
//! Each is an operation of its own and not a row of calls of the JDK, because no text that a search
//! makes up may ever become a path: names are fixed here, only what a file holds is a parameter. The
//! worker runs them as static methods of [`RUNTIME_CLASS`], the writer spells what those do.
//!
//! Invariant: a path that one of these makes is below the temporary folder, or is it.

use crate::{ClassName, Operation, OperationKind, Primitive, TestCase, Type};

/// The class of the worker that has a static method for each.
pub const RUNTIME_CLASS: &str = "java/lang/TesthoundFiles";

/// Something a test does with files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Temporary {
    /// The folder itself.
    Folder,
    /// A file with a text in it.
    File,
    /// Another file with a text in it.
    OtherFile,
    /// The name of a file that is not there.
    Missing,
    /// A folder with nothing in it.
    EmptyFolder,
    /// A folder with one file in it, which has a text.
    FilledFolder,
    /// What a file holds, as text.
    Text,
    /// Whether there is such a file or folder.
    Exists,
}

/// How a file is referred to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FileType {
    /// `java.nio.file.Path`
    Path,
    /// `java.io.File`
    File,
    /// The text of its path.
    Name,
}

impl FileType {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Path, Self::File, Self::Name];
    /// Those whose objects refer to nothing but files.
    pub const OBJECTS: [Self; 2] = [Self::Path, Self::File];

    /// The class, by internal name.
    pub fn class(self) -> &'static str {
        match self {
            Self::Path => "java/nio/file/Path",
            Self::File => "java/io/File",
            Self::Name => "java/lang/String",
        }
    }

    /// What the names of its methods in [`RUNTIME_CLASS`] end with.
    fn suffix(self) -> &'static str {
        match self {
            Self::Path => "",
            Self::File => "OfJavaIo",
            Self::Name => "ByName",
        }
    }

    /// The type.
    pub fn ty(self) -> Type {
        Type::class(self.class())
    }

    /// The one whose objects are of this type, which are nothing but files.
    pub fn of(ty: &Type) -> Option<Self> {
        Self::OBJECTS.into_iter().find(|file| file.ty() == *ty)
    }
}

impl Temporary {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Folder,
        Self::File,
        Self::OtherFile,
        Self::Missing,
        Self::EmptyFolder,
        Self::FilledFolder,
        Self::Text,
        Self::Exists,
    ];

    /// Those that give a file or folder.
    pub const MAKERS: [Self; 6] = [
        Self::Folder,
        Self::File,
        Self::OtherFile,
        Self::Missing,
        Self::EmptyFolder,
        Self::FilledFolder,
    ];

    /// The name of its method in [`RUNTIME_CLASS`], without what it refers to a file by.
    fn name(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::File => "file",
            Self::OtherFile => "otherFile",
            Self::Missing => "missing",
            Self::EmptyFolder => "emptyFolder",
            Self::FilledFolder => "filledFolder",
            Self::Text => "text",
            Self::Exists => "exists",
        }
    }

    /// Whether it is asked of a file that is there already.
    pub fn is_question(self) -> bool {
        matches!(self, Self::Text | Self::Exists)
    }

    /// Whether it puts a text into a file.
    pub fn takes_text(self) -> bool {
        matches!(self, Self::File | Self::OtherFile | Self::FilledFolder)
    }

    /// The operation, with files as these.
    pub fn operation(self, file: FileType) -> Operation {
        let (params, result) = match self {
            Self::Text => (vec![file.ty()], Type::string()),
            Self::Exists => (vec![file.ty()], Type::Primitive(Primitive::Boolean)),
            _ if self.takes_text() => (vec![Type::string()], file.ty()),
            _ => (Vec::new(), file.ty()),
        };
        Operation {
            kind: OperationKind::Temporary,
            owner: ClassName::internal("java/nio/file/Files"),
            name: format!("{}{}", self.name(), file.suffix()).into(),
            params,
            result: Some(result),
            implementation: None,
        }
    }

    /// What an operation does, and what it refers to files by.
    pub fn of(op: &Operation) -> Option<(Self, FileType)> {
        if op.kind != OperationKind::Temporary {
            return None;
        }
        let of = |file: FileType| {
            let name = op.name.strip_suffix(file.suffix())?;
            Self::ALL.into_iter().find(|what| what.name() == name).map(|what| (what, file))
        };
        FileType::ALL.into_iter().find_map(of)
    }

    /// Whether a test case has files.
    pub fn is_used_in(case: &TestCase) -> bool {
        case.calls.iter().any(|call| call.op.kind == OperationKind::Temporary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_tells_what_it_does() {
        for file in FileType::ALL {
            for what in Temporary::ALL {
                let op = what.operation(file);
                assert_eq!(Temporary::of(&op), Some((what, file)), "{op}");
                assert_eq!(Temporary::MAKERS.contains(&what), !what.is_question());
            }
        }
    }

    #[test]
    fn no_parameter_of_a_maker_is_a_path() {
        for file in FileType::ALL {
            for what in Temporary::MAKERS {
                let op = what.operation(file);
                assert_eq!(op.params.len(), usize::from(what.takes_text()), "{op}");
            }
        }
    }
}
