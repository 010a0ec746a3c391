//! Files in the temporary folder of a test.

use model::{FileType, OperationKind, Temporary, Type};
use search::{Api, Clues, Extras};

use crate::fixture::{api, api_with};

/// What makes values of a type in the temporary folder.
fn temporary(api: &Api, ty: &Type) -> Vec<Temporary> {
    let makers = api.makers(api.type_id(ty).expect("a type of the class")).iter();
    makers.filter_map(|op| Temporary::of(api.operation(*op))).map(|(what, _)| what).collect()
}

#[test]
fn paths_and_files_are_made_in_the_temporary_folder_and_texts_are_not() {
    let api = api_with("Diary", &Extras { files: true, ..Extras::default() });
    for file in FileType::OBJECTS {
        assert_eq!(temporary(&api, &file.ty()), Temporary::MAKERS);
    }
    assert_eq!(temporary(&api, &Type::string()), []);
    let with_text = api.operations().filter(|op| {
        let op = api.operation(*op);
        op.kind == OperationKind::Temporary && !op.params.is_empty()
    });
    for op in with_text {
        assert!(api.texts(op).len() > 2, "{}", api.operation(op));
    }
}

#[test]
fn texts_are_names_of_files_for_whoever_takes_them_for_such() {
    let clues = Clues { names_files: true, ..Clues::default() };
    let api = api_with("Diary", &Extras { files: true, clues, ..Extras::default() });
    assert_eq!(temporary(&api, &Type::string()), Temporary::MAKERS);
}

#[test]
fn there_are_no_files_unless_asked_for() {
    for file in FileType::OBJECTS {
        assert_eq!(temporary(&api("Diary"), &file.ty()), []);
    }
}
