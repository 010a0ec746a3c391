//! Which operations are found for a class.

use model::{OperationKind, Type};
use search::{Api, Clues, Detective, Extras, OpId};

use crate::fixture::{api, api_with, api_with_clues, api_with_implementations};

fn named(api: &Api, ops: &[OpId]) -> Vec<String> {
    ops.iter().map(|op| api.operation(*op).to_string()).collect()
}

fn makers(api: &Api, class: &str) -> Vec<String> {
    let ty = api.type_id(&Type::class(class)).unwrap_or_else(|| panic!("{class} is not mentioned"));
    named(api, api.makers(ty))
}

fn find(api: &Api, op: &str) -> OpId {
    let found = api.operations().find(|id| api.operation(*id).to_string() == op);
    found.unwrap_or_else(|| panic!("no {op}"))
}

/// The operations under test.
fn check(class: &str, expected: &[&str]) {
    let api = api(class);
    assert_eq!(named(&api, api.subjects()), expected);
}

#[test]
fn generics_are_erased_and_private_members_left_out() {
    check(
        "Cage",
        &[
            "new zoo.Cage()",
            "new zoo.Cage(java.util.List)",
            "zoo.Cage.put(java.lang.Comparable)",
            "zoo.Cage.keep(java.lang.Runnable, java.lang.Object[])",
            "zoo.Cage.grid(long[], java.lang.String[][])",
            "zoo.Cage.shake()",
            "zoo.Cage.clean()",
        ],
    );
}

#[test]
fn only_public_members_are_for_callers_outside_the_package() {
    let api = api("Cage");
    let public = |op| api.is_public(find(&api, op));
    assert!(public("new zoo.Cage()"));
    assert!(public("zoo.Cage.put(java.lang.Comparable)"));
    assert!(!public("new zoo.Cage(java.util.List)"));
    assert!(!public("zoo.Cage.shake()"));
    assert!(!public("zoo.Cage.clean()"));
}

#[test]
fn arrays_are_made_element_by_element() {
    let api = api("Cage");
    let array = |element: &str| Type::parse(element).unwrap().array_of();
    for element in ["Ljava/lang/Object;", "J", "[Ljava/lang/String;", "Ljava/lang/String;"] {
        let ty = api.type_id(&array(element)).unwrap_or_else(|| panic!("no array of {element}"));
        let made = api.makers(ty).iter().any(|op| {
            api.operation(*op).kind == OperationKind::Array
                && api.result(*op) == Some(ty)
                && *api.ty(api.params(*op)[0]) == Type::parse(element).unwrap()
        });
        assert!(made, "nothing makes an array of {element}");
    }
}

#[test]
fn final_static_objects_of_the_class_are_constants_and_others_are_not() {
    let api = api("Cage");
    let is_own_field = |op: &OpId| {
        let op = api.operation(*op);
        op.kind == OperationKind::StaticField && op.owner == api.class
    };
    let fields: Vec<OpId> = api.operations().filter(is_own_field).collect();
    assert_eq!(named(&api, &fields), ["zoo.Cage.SHARED"]);
}

#[test]
fn an_enum_has_its_constants_and_no_constructor() {
    let api = api("Animals$Kind");
    let subjects = named(&api, api.subjects());
    assert!(subjects.contains(&"zoo.Animals$Kind.sound()".to_owned()), "{subjects:?}");
    assert!(subjects.contains(&"zoo.Animals$Kind.valueOf(java.lang.String)".to_owned()));
    assert!(!subjects.iter().any(|op| op.starts_with("new ")), "{subjects:?}");
    let makers = makers(&api, "zoo/Animals$Kind");
    assert!(makers.contains(&"zoo.Animals$Kind.CAT".to_owned()), "{makers:?}");
    assert!(makers.contains(&"zoo.Animals$Kind.DOG".to_owned()), "{makers:?}");
}

#[test]
fn an_inner_class_needs_its_outer_instance() {
    let api = api("Animals$Tail");
    assert_eq!(
        named(&api, api.subjects()),
        ["new zoo.Animals$Tail(zoo.Animals, int)", "zoo.Animals$Tail.wag()"]
    );
    let new = api.subjects()[0];
    assert!(api.needs_first(new));
    assert_eq!(makers(&api, "zoo/Animals"), ["new zoo.Animals()"]);
    let cage = crate::fixture::api("Cage");
    assert!(!cage.needs_first(find(&cage, "new zoo.Cage(java.util.List)")));
}

#[test]
fn what_an_object_gives_back_of_what_made_it_is_made_by_others() {
    let makers = makers(&api("Badge"), "zoo/Rank");
    assert!(makers.contains(&"zoo.Ranks.of(char)".to_owned()), "{makers:?}");
}

#[test]
fn a_record_has_its_constructor_and_components() {
    let api = api("Animals$Pair");
    let subjects = named(&api, api.subjects());
    for expected in [
        "new zoo.Animals$Pair(zoo.Animals$Kind, zoo.Animals$Kind)",
        "zoo.Animals$Pair.one()",
        "zoo.Animals$Pair.other()",
        "zoo.Animals$Pair.equals(java.lang.Object)",
    ] {
        assert!(subjects.iter().any(|op| op == expected), "{subjects:?}");
    }
}

#[test]
fn an_interface_is_called_through_what_implements_it() {
    let api = api("Animals$Eater");
    assert_eq!(
        named(&api, api.subjects()),
        [
            "zoo.Animals$Eater.eat(java.lang.String)",
            "zoo.Animals$Eater.isHungry()",
            "zoo.Animals$Eater.any()",
        ]
    );
    let makers = makers(&api, "zoo/Animals$Eater");
    for expected in
        ["new zoo.Animals$Cat()", "new zoo.Animals$Lion(int)", "new zoo.Animals$Mouse()"]
    {
        assert!(makers.iter().any(|op| op == expected), "{makers:?}");
    }
    assert!(!makers.iter().any(|op| op.contains("Ghost")), "{makers:?}");
}

#[test]
fn an_abstract_class_is_called_through_what_extends_it() {
    let api = api("Animals$Bird");
    assert_eq!(named(&api, api.subjects()), ["zoo.Animals$Bird.fly()", "zoo.Animals$Bird.land()"]);
    assert_eq!(makers(&api, "zoo/Animals$Bird"), ["new zoo.Animals$Owl()"]);
}

#[test]
fn inherited_members_of_the_project_are_under_test_but_bridges_are_not() {
    check(
        "Animals$Lion",
        &[
            "new zoo.Animals$Lion(int)",
            "zoo.Animals$Lion.compareTo(zoo.Animals$Lion)",
            "zoo.Animals$Lion.eat(java.lang.String)",
            "zoo.Animals$Lion.isHungry()",
        ],
    );
}

#[test]
fn arguments_are_made_by_constructors_constants_and_neighbours() {
    let api = api("Animals$Feeder");
    assert_eq!(makers(&api, "zoo/Animals$Bird"), ["new zoo.Animals$Owl()"]);
    assert_eq!(makers(&api, "zoo/Animals$Token"), ["zoo.Animals$Desk.token()"]);
    let pair = makers(&api, "zoo/Animals$Pair");
    assert_eq!(pair, ["new zoo.Animals$Pair(zoo.Animals$Kind, zoo.Animals$Kind)"]);
}

#[test]
fn a_type_that_cannot_be_named_is_never_passed_and_its_values_are_dropped() {
    let api = api("Animals$Feeder");
    let subjects = named(&api, api.subjects());
    assert!(!subjects.iter().any(|op| op.contains("scare")), "{subjects:?}");
    let ghost = find(&api, "zoo.Animals$Feeder.ghost()");
    assert_eq!(api.result(ghost), None);
}

#[test]
fn of_another_package_only_what_is_public_is_used() {
    let api = api("Animals$Feeder");
    assert_eq!(makers(&api, "far/Visitor"), ["new far.Visitor(java.lang.String)"]);
    assert_eq!(named(&api, api.mutators()), ["far.Visitor.setMood(java.lang.String)"]);
    assert!(!api.subjects().contains(&api.mutators()[0]));
}

#[test]
fn every_operation_and_type_is_found_by_itself() {
    for class in ["Cage", "Animals", "Animals$Feeder", "Animals$Kind"] {
        let api = api(class);
        assert!(api.operations().count() > 0);
        for id in api.operations() {
            let op = api.operation(id);
            assert_eq!(api.id_of(op), Some(id));
            assert_eq!(api.id_of(&op.as_ref().clone()), Some(api.first(id)));
            assert!(api.variants(api.first(id)).contains(&id));
            for ty in api.params(id).iter().chain(&api.result(id)) {
                assert_eq!(api.type_as(api.ty(*ty), *ty), Some(*ty));
                assert!(api.fits(*ty).contains(ty));
            }
        }
    }
}

#[test]
fn the_same_class_gives_the_same_numbers() {
    let all = |api: &Api| named(api, &api.operations().collect::<Vec<_>>());
    assert_eq!(all(&api("Animals$Feeder")), all(&api("Animals$Feeder")));
}

#[test]
fn fields_are_set_that_are_public_or_of_a_class_that_hides_nothing() {
    let api = api("Ticket");
    let set: Vec<String> =
        named(&api, api.mutators()).into_iter().filter(|op| op.contains(" = ")).collect();
    let expected = [
        "zoo.Ticket$Stub.number = int",
        "zoo.Ticket$Stub.name = java.lang.String",
        "zoo.Ticket$Guest.age = int",
    ];
    assert_eq!(set, expected);
}

#[test]
fn what_the_code_tests_for_is_made_where_anything_is_taken() {
    let clues = Clues {
        tested: vec![Type::class("java/util/List"), Type::INT.array_of()],
        cast: vec![Type::class("zoo/Animals")],
        ..Clues::default()
    };
    let made = |api: &Api| {
        let object = api.type_id(&Type::object()).expect("a method takes it");
        named(api, api.makers(object))
    };
    let before = made(&api("Ticket"));
    let asked = made(&api_with_clues("Ticket", &clues));
    for maker in ["java.util.List.of()", "new int[]"] {
        assert!(!before.iter().any(|op| op == maker), "{before:?}");
        assert!(asked.iter().any(|op| op == maker), "{asked:?}");
    }
}

#[test]
fn members_that_code_reflects_on_are_asked_of_classes_by_names_that_they_have() {
    let api = api("Keeper");
    for (class, op, reads) in [
        ("Method", "getMethod(java.lang.String, java.lang.Class[])", true),
        ("Field", "getField(java.lang.String)", true),
        ("Constructor", "getConstructor(java.lang.Class[])", false),
    ] {
        let op = format!("java.lang.Class.{op}");
        let makers = makers(&api, &format!("java/lang/reflect/{class}"));
        assert!(makers.contains(&op), "{op} is not in {makers:?}");
        assert_eq!(!api.texts(find(&api, &op)).is_empty(), reads, "{op}");
    }
}

#[test]
fn what_cannot_be_made_is_looked_for_in_other_packages() {
    let api = api("Gatekeeper");
    // Static methods are enough, and one that must be given a permit gives none.
    assert_eq!(makers(&api, "far/Permit"), ["new far.Permit(far.Permit)", "town.Hall.permit(int)"]);
    assert_eq!(makers(&api, "far/Seal"), ["town.Hall.lend()"]);
    assert_eq!(makers(&api, "town/Hall"), ["new town.Hall()"]);
}

#[test]
fn without_the_detective_a_class_has_what_it_offers_itself() {
    let extras = Extras { detective: Detective::Off, ..Extras::default() };
    let api = api_with("Gatekeeper", &extras);
    assert_eq!(makers(&api, "far/Permit"), ["new far.Permit(far.Permit)"]);
    assert_eq!(makers(&api, "far/Seal"), [""; 0]);
    assert_eq!(makers(&api, "zoo/Gatekeeper"), ["new zoo.Gatekeeper()"]);
}

#[test]
fn a_sealed_interface_is_filled_through_its_permitted_subclasses() {
    let mut found = makers(&api_with_implementations("Feeder"), "zoo/Feeder$Feed");
    found.sort();
    let expected = [
        "new zoo.Feeder$Bones()",
        "new zoo.Feeder$Hay(int)",
        "zoo.Feeder$Meat.of(java.lang.String)",
    ];
    assert_eq!(found, expected);
}
