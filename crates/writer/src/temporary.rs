//! Files of a test in source: what the JDK has for each of [`model::Temporary`], on the folder that
//! JUnit gives the test in a field.

use model::{ClassName, FileType, GenericType, Operation, Temporary, Type};

use crate::call::{Argument, Throws, Written, assigned, no_member};
use crate::doc::Doc;
use crate::generics::{Scope, Static, raw};
use crate::literal::Expr;
use crate::rejection::Rejection;
use crate::{Junit, Options};

/// The name of the field that holds the folder.
pub(crate) const FIELD: &str = "folder";
const FILES: &str = "java/nio/file/Files";
const UTF_8: &str = "java/nio/charset/StandardCharsets";

/// How tests get at files: what JUnit and Java have for it.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    junit: Junit,
    /// Whether `Files.writeString` and `readString` are there.
    has_strings: bool,
}

impl Style {
    pub(crate) fn of(options: &Options) -> Self {
        Self { junit: options.junit, has_strings: options.java_release >= 11 }
    }

    /// The folder as a path.
    fn folder(self) -> Doc {
        match self.junit {
            Junit::Five => Doc::text(FIELD),
            Junit::Four { .. } => Doc::text(format!("{FIELD}.getRoot().toPath()")),
        }
    }

    /// The path that a text names.
    fn path_of(self, name: Expr) -> Doc {
        // `Path.of` came with the same release as these.
        let (class, method) = match self.has_strings {
            true => (FileType::Path.class(), "of"),
            false => ("java/nio/file/Paths", "get"),
        };
        member(Doc::Class(ClassName::internal(class)), method, vec![name.doc])
    }

    /// The classes of the annotation and of the field.
    pub(crate) fn declaring(self) -> [ClassName; 2] {
        match self.junit {
            Junit::Five => ["org/junit/jupiter/api/io/TempDir", FileType::Path.class()],
            Junit::Four { .. } => ["org/junit/Rule", "org/junit/rules/TemporaryFolder"],
        }
        .map(ClassName::internal)
    }

    /// The declaration of the field, in two lines.
    pub(crate) fn declaration(self, spell: impl Fn(&ClassName) -> String) -> [String; 2] {
        let [annotation, ty] = self.declaring().map(|class| spell(&class));
        let field = match self.junit {
            Junit::Five => format!("{ty} {FIELD};"),
            Junit::Four { .. } => format!("public {ty} {FIELD} = new {ty}();"),
        };
        [format!("@{annotation}"), field]
    }
}

/// Whether the operation only names a file: writing it runs nothing that matters.
pub(crate) fn is_name(op: &Operation) -> bool {
    matches!(Temporary::of(op), Some((Temporary::Folder | Temporary::Missing, _)))
}

/// The operation that does the same where nobody uses the file: it need not be a `File` then.
pub(crate) fn for_its_effect(op: &Operation) -> Option<Operation> {
    let (what, file) = Temporary::of(op)?;
    (file != FileType::Path && !is_name(op) && !what.is_question())
        .then(|| what.operation(FileType::Path))
}

/// Whether the operation gives what the field holds as it is.
pub(crate) fn is_field(scope: Scope, op: &Operation) -> bool {
    scope.files.junit == Junit::Five
        && Temporary::of(op) == Some((Temporary::Folder, FileType::Path))
}

/// What a variable for the file is called.
pub(crate) fn variable_name(op: &Operation) -> Option<&'static str> {
    Some(match Temporary::of(op)?.0 {
        Temporary::Folder => "root",
        Temporary::File => "file",
        Temporary::OtherFile => "otherFile",
        Temporary::Missing => "missing",
        Temporary::EmptyFolder => "emptyFolder",
        Temporary::FilledFolder => "filledFolder",
        Temporary::Text => "text",
        Temporary::Exists => "exists",
    })
}

/// Writes the operation.
pub(crate) fn write(scope: Scope, op: &Operation, args: &[Argument]) -> Result<Written, Rejection> {
    let (what, file) = Temporary::of(op).ok_or_else(|| no_member(op))?;
    let style = scope.files;
    let named = |name: &str| member(style.folder(), "resolve", vec![quoted(name)]);
    let given = || -> Result<Expr, Rejection> {
        let given = args.first().zip(op.params.first()).ok_or_else(|| no_member(op))?;
        Ok(assigned(scope, given.0.expr.clone(), given.1))
    };
    let doc = match what {
        Temporary::Folder => style.folder(),
        Temporary::Missing => named("missing.txt"),
        Temporary::File => filled(style, named("a.txt"), given()?),
        Temporary::OtherFile => filled(style, named("b.txt"), given()?),
        Temporary::EmptyFolder => files("createDirectories", vec![named("empty")]),
        Temporary::FilledFolder => {
            let folder = files("createDirectories", vec![named("filled")]);
            let inner = member(folder, "resolve", vec![quoted("c.txt")]);
            member(filled(style, inner, given()?), "getParent", Vec::new())
        }
        Temporary::Text => {
            let path = match file {
                FileType::Path => given()?.doc,
                FileType::File => member(given()?.operand(), "toPath", Vec::new()),
                FileType::Name => style.path_of(given()?),
            };
            text_of(style, path)
        }
        Temporary::Exists => match file {
            FileType::Path => files("exists", vec![given()?.doc]),
            FileType::Name => files("exists", vec![style.path_of(given()?)]),
            FileType::File => member(given()?.operand(), "exists", Vec::new()),
        },
    };
    let doc = match file {
        // The rule has it as this already.
        FileType::File if what == Temporary::Folder && style.junit != Junit::Five => {
            Doc::text(format!("{FIELD}.getRoot()"))
        }
        FileType::File if !what.is_question() => member(doc, "toFile", Vec::new()),
        FileType::Name if !what.is_question() => member(doc, "toString", Vec::new()),
        _ => doc,
    };
    let throws = !is_name(op) && what != Temporary::Exists;
    let ty = op.result.clone().unwrap_or_else(Type::object);
    Ok(Written {
        generic: ty.as_class().map(|name| GenericType::Class { name: name.clone(), args: vec![] }),
        throws: if throws { Throws::Exception } else { Throws::Nothing },
        exceptions: throws
            .then(|| ClassName::internal("java/io/IOException"))
            .into_iter()
            .collect(),
        ..Written::plain(Expr::primary(doc, Static::Of(raw(&ty))))
    })
}

/// The file with the text in it.
fn filled(style: Style, path: Doc, text: Expr) -> Doc {
    if style.has_strings {
        files("writeString", vec![path, text.doc])
    } else {
        files("write", vec![path, member(text.operand(), "getBytes", vec![utf_8()])])
    }
}

fn text_of(style: Style, path: Doc) -> Doc {
    if style.has_strings {
        files("readString", vec![path])
    } else {
        let args = vec![files("readAllBytes", vec![path]), utf_8()];
        Doc::call(Doc::text("new String"), args)
    }
}

fn files(method: &str, args: Vec<Doc>) -> Doc {
    member(Doc::Class(ClassName::internal(FILES)), method, args)
}

fn member(of: Doc, method: &str, args: Vec<Doc>) -> Doc {
    Doc::call(Doc::Seq(vec![of, Doc::text(format!(".{method}"))]), args)
}

fn utf_8() -> Doc {
    Doc::Seq(vec![Doc::Class(ClassName::internal(UTF_8)), Doc::text(".UTF_8")])
}

fn quoted(name: &str) -> Doc {
    Doc::text(format!("\"{name}\""))
}
