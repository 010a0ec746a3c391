//! What is mocked, what mocks answer, and what is injected.

use model::{ClassName, ClassSource, OperationKind, Type};
use search::{Api, Called, Detective, Extras, Mocking};

use crate::fixture::classes;

const PATIENTS: &str = "zoo/Clinic$Patients";
const VET: &str = "zoo/Clinic$Vet";

fn called(owner: &str, name: &str, descriptor: &str, cast: Option<&str>) -> Called {
    Called {
        owner: ClassName::internal(owner),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
        cast: cast.map(Type::class),
    }
}

/// What can be called for a class whose code makes these calls.
fn api(class: &str, called: Vec<Called>) -> Api {
    let declared = classes().class(&ClassName::internal(class)).expect("a fixture class");
    let mocks = Some(Mocking { called, injects: true });
    Api::with(
        classes(),
        &declared,
        &Extras { detective: Detective::Writes, mocks, ..Extras::default() },
    )
}

/// The mocks of a type, as they are described.
fn mocks(api: &Api, of: &str) -> Vec<String> {
    let all = api.erased_operations().map(|op| api.operation(op));
    let of = all.filter(|op| op.as_mock().is_some() && op.result == Some(Type::class(of)));
    of.map(ToString::to_string).collect()
}

#[test]
fn a_mock_answers_what_is_called_with_values_of_the_right_type() {
    let calls = vec![
        called(PATIENTS, "byId", "(Ljava/lang/Object;)Ljava/util/Optional;", None),
        called(PATIENTS, "keep", "(Ljava/lang/Object;)Ljava/lang/Object;", None),
        called(PATIENTS, "isFull", "()Z", None),
        called(PATIENTS, "has", "([Ljava/lang/String;)Z", None),
        called("zoo/Keeper", "size", "()I", None),
    ];
    let api = api("zoo/Clinic", calls);
    let expected = "mock zoo.Clinic$Patients { isFull: boolean; byId: java.util.Optional; \
                    keep: java.lang.StringBuilder }";
    assert_eq!(mocks(&api, PATIENTS), [expected, "mock zoo.Clinic$Patients { }"]);
    let mock = api.operations().find(|op| api.operation(*op).to_string() == expected);
    let params = api.params(mock.expect("the mock")).to_vec();
    let names: Vec<String> = params.iter().map(|ty| api.type_name(*ty)).collect();
    let optional = "java.util.Optional<java.lang.StringBuilder>";
    assert_eq!(names, ["boolean", optional, "java.lang.StringBuilder"]);
}

#[test]
fn short_interfaces_are_written_and_classes_mocked_where_all_their_methods_can_be() {
    let api = api("zoo/Clinic", vec![called(VET, "fee", "()I", None)]);
    assert!(mocks(&api, "zoo/Clinic$Bell").is_empty(), "it is written on the spot");
    let throwing = "mock zoo.Clinic$Vet { fee throws java.io.IOException }";
    let told = ["mock zoo.Clinic$Vet { fee: int }", throwing, "mock zoo.Clinic$Vet { }"];
    assert_eq!(mocks(&api, VET), told);
    assert!(mocks(&api, "zoo/Clinic$Chief").is_empty(), "its method is final");
    assert!(mocks(&api, "zoo/Clinic").is_empty(), "it is under test");
}

#[test]
fn annotated_fields_are_injected_where_no_constructor_takes_anything() {
    let injected = |class: &str| {
        let api = api(class, Vec::new());
        let is_injected = |op: &model::Operation| op.kind == OperationKind::Inject;
        let all = api.operations().map(|op| api.operation(op).clone());
        all.filter(|op| is_injected(op)).map(|op| op.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(injected("zoo/Clinic$Desk"), ["new zoo.Clinic$Desk with mocks of patients,vet"]);
    let partly = ["new zoo.Clinic$Pharmacy with mocks of patients"];
    assert_eq!(injected("zoo/Clinic$Pharmacy"), partly, "the others stay unset");
    let without_setter = ["new zoo.Clinic$Till with mocks of patients"];
    assert_eq!(injected("zoo/Clinic$Till"), without_setter, "the setter is called like any other");
    assert!(injected("zoo/Clinic$Twins").is_empty(), "either may get the mock");
    assert!(injected("zoo/Clinic$Cellar").is_empty(), "who knows what Mockito sets");
    assert!(injected("zoo/Clinic$Ward").is_empty());
    assert!(injected("zoo/Clinic").is_empty());
    let is_wired = |class| api(class, Vec::new()).is_wired();
    assert!(is_wired("zoo/Clinic$Desk") && is_wired("zoo/Clinic$Ward") && !is_wired("zoo/Clinic"));
}

#[test]
fn what_only_services_make_is_mocked_though_methods_return_it() {
    let calls = vec![
        called("java/sql/Connection", "isReadOnly", "()Z", None),
        called("java/sql/ResultSet", "next", "()Z", None),
    ];
    let api = api("zoo/Registry", calls);
    let connection = "java/sql/Connection";
    let makes = |op: search::OpId| {
        let op = api.operation(op);
        op.as_mock().is_none() && op.result == Some(Type::class(connection))
    };
    assert!(api.operations().any(makes), "a driver would");
    assert_eq!(mocks(&api, connection)[0], "mock java.sql.Connection { isReadOnly: boolean }");
    assert_eq!(
        mocks(&api, "java/sql/ResultSet")[0],
        "mock java.sql.ResultSet { next: boolean once }"
    );
    assert!(mocks(&api, "java/nio/file/Path").is_empty());
}

#[test]
fn what_a_lambda_answers_has_the_type_arguments_that_its_signature_says() {
    let api = api("zoo/Registry", Vec::new());
    let finder = Type::class("zoo/Registry$Finder");
    let is_answering = |op: &search::OpId| {
        let op = api.operation(*op);
        op.result.as_ref() == Some(&finder) && !op.params.is_empty()
    };
    let lambda = api.operations().find(is_answering).expect("a lambda that answers");
    let names: Vec<String> = api.params(lambda).iter().map(|ty| api.type_name(*ty)).collect();
    assert_eq!(names, ["java.util.Optional<java.lang.StringBuilder>"]);
}
