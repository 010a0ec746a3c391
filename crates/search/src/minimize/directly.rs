//! Files named in a roundabout way: `new File(notes.place(file))` is a file of the temporary folder
//! too, and there is a plain way to have one.

use model::{Args, FileType, Literal, OperationKind, TestCase, Type};

use crate::api::Api;

/// The tests with the file that call `index` names taken from the temporary folder.
pub(super) fn files(case: &TestCase, index: usize, api: &Api) -> Vec<TestCase> {
    let call = &case.calls[index];
    let file = call.result.map(|result| case.ty(result)).filter(|ty| FileType::of(ty).is_some());
    let Some(file) = file.and_then(|ty| api.type_id(ty)) else { return Vec::new() };
    if call.op.kind == OperationKind::Temporary {
        return Vec::new();
    }
    let makers = api.makers(file).iter().map(|op| api.operation(*op));
    let plain = makers.filter(|op| op.kind == OperationKind::Temporary);
    let with = |op: &std::sync::Arc<model::Operation>| {
        let mut candidate = case.clone();
        let mut args = Args::new();
        for param in &op.params {
            let text = (*param == Type::string()).then(|| Literal::String("Abc".into()))?;
            args.push(candidate.literal(Type::string(), text));
        }
        candidate.calls[index].op = op.clone();
        candidate.calls[index].args = args;
        Some(candidate)
    };
    plain.filter_map(with).collect()
}
