//! Tests of the fixture that works on files, with files in a temporary folder.

use std::sync::Arc;

use model::{CheckKind, FileType, Literal, Observation, Slot, Temporary, UnitTest};

use crate::fixture::{Script, test, text, throwing, value};

/// Works on files.
pub const ARCHIVE: &str = "shop/Archive";

fn file(s: &mut Script, what: Temporary, ty: FileType, args: &[Slot]) -> Slot {
    s.case.call(&Arc::new(what.operation(ty)), args).expect("it results in a file")
}

fn asked(s: &mut Script, slot: Slot, what: Temporary, ty: FileType, seen: Observation) {
    s.check(CheckKind::View(slot, Arc::new(what.operation(ty)), seen));
}

/// Tests that have files.
pub fn files() -> Vec<UnitTest> {
    use FileType::{File, Path};
    let boolean = |seen: bool| value(Literal::Boolean(seen));
    vec![
        test(|s| {
            let content = s.text("one\ntwo\n");
            let file = file(s, Temporary::File, Path, &[content]);
            let lines = s.call(ARCHIVE, "lines", &[file]);
            s.holds(lines, value(Literal::Int(2)));
        }),
        throwing("java/nio/file/NoSuchFileException", |s| {
            let missing = file(s, Temporary::Missing, Path, &[]);
            s.call(ARCHIVE, "lines", &[missing]);
        }),
        test(|s| {
            let missing = file(s, Temporary::Missing, Path, &[]);
            let content = s.text("a");
            s.call(ARCHIVE, "store", &[missing, content]);
            asked(s, missing, Temporary::Text, Path, text("a"));
        }),
        test(|s| {
            let content = s.text("a");
            let old = file(s, Temporary::OtherFile, File, &[content]);
            let size = s.call(ARCHIVE, "size", &[old]);
            s.holds(size, value(Literal::Long(1)));
            asked(s, old, Temporary::Text, File, text("a"));
        }),
        throwing("java/io/FileNotFoundException", |s| {
            let missing = file(s, Temporary::Missing, File, &[]);
            s.call(ARCHIVE, "size", &[missing]);
        }),
        test(|s| {
            let folder = file(s, Temporary::Folder, Path, &[]);
            let inside = s.call(ARCHIVE, "isIn", &[folder, folder]);
            s.holds(inside, boolean(true));
        }),
        test(|s| {
            // Nobody uses the file, so that it need not be a `File`.
            let content = s.text("a");
            file(s, Temporary::File, File, &[content]);
            let missing = file(s, Temporary::Missing, Path, &[]);
            let folder = file(s, Temporary::Folder, Path, &[]);
            let inside = s.call(ARCHIVE, "isIn", &[missing, folder]);
            s.holds(inside, boolean(true));
        }),
        test(|s| {
            let empty = file(s, Temporary::EmptyFolder, File, &[]);
            let removed = s.call(ARCHIVE, "remove", &[empty]);
            s.holds(removed, boolean(true));
            asked(s, empty, Temporary::Exists, File, boolean(false));
        }),
        test(|s| {
            let content = s.text("");
            let filled = file(s, Temporary::FilledFolder, File, &[content]);
            let removed = s.call(ARCHIVE, "remove", &[filled]);
            s.holds(removed, boolean(false));
            asked(s, filled, Temporary::Exists, File, boolean(true));
        }),
        test(|s| {
            let folder = file(s, Temporary::Folder, File, &[]);
            let removed = s.call(ARCHIVE, "remove", &[folder]);
            s.holds(removed, boolean(true));
        }),
    ]
}
