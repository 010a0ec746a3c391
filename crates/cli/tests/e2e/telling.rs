//! G12: tests tell what a call did, by values that show it.

use crate::fixture::Fixture;
use crate::junit::assert_green;
use crate::run::Generate;

/// These are in the tests for a class, and the tests pass.
fn check(class: &str, told: &[&str]) {
    let fixture = Fixture::shared("telling");
    let generated = Generate::on(&fixture).with(["--class", class]).run();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let source = generated.sources();
    for line in told {
        assert!(source.contains(line), "no {line} in\n{source}");
    }
    assert_green(&fixture, &generated, &[]);
}

#[test]
fn a_builder_tells_what_it_was_told_by_what_it_builds() {
    check(
        "telling.Guest$Builder",
        &[
            "assertEquals(\"Abc\", builder.build().getName());",
            "assertEquals(3, builder.build().getNights());",
            "assertEquals(3, builder.build().getRoom().getFloor());",
        ],
    );
}

#[test]
fn what_is_in_an_optional_or_a_list_is_told() {
    check(
        "telling.Hotel",
        &[
            "assertEquals(6, optional.get().getFloor());",
            "assertEquals(4, list.iterator().next().getFloor());",
        ],
    );
}

#[test]
fn a_setter_is_given_what_was_not_there() {
    check(
        "telling.Hotel",
        &["assertFalse(hotel.isOpen());", "assertEquals(Hotel.Season.HIGH, hotel.getSeason());"],
    );
}

#[test]
fn arguments_show_what_is_computed_of_them() {
    check("telling.Hotel", &["assertEquals(15, Hotel.price(3, 5));"]);
}

#[test]
fn what_another_class_refuses_has_a_test() {
    check(
        "telling.Safe",
        &["assertThrows(IllegalArgumentException.class, () -> safe.turn(", "safe.turn(3);"],
    );
}

#[test]
fn a_text_that_is_almost_taken_has_a_test() {
    // A digit in full width, and a sign.
    check("telling.Safe", &["assertFalse(safe.isCode(\"\\uff1", "assertFalse(safe.isCode(\"+"]);
}
