//! What tests are named: what happens is always told, and numbers are for what cannot be told apart.

use model::{ClassName, Literal, Observation, Slot, UnitTest};
use writer::{Options, Suite};

use crate::fixture::{Script, fixtures, op, test, text, throwing, value};

const ACCOUNT: &str = "shop/Account";
const SHAPES: &str = "shop/Shapes";
const ARGUMENT: &str = "java/lang/IllegalArgumentException";

fn check(class: &str, tests: Vec<UnitTest>, names: &[&str]) {
    let suite = Suite { class: ClassName::internal(class), tests };
    let source = writer::write(&suite, &fixtures().world, &Options::default());
    assert!(source.rejected.is_empty(), "{:?}", source.rejected);
    let written: Vec<&str> = source.tests.iter().flatten().map(String::as_str).collect();
    assert_eq!(written, names, "{}", source.text);
}

fn account(s: &mut Script, owner: &str) -> Slot {
    let (owner, balance) = (s.text(owner), s.long(5));
    s.call(ACCOUNT, "<init>", &[owner, balance])
}

fn transferring(s: &mut Script, owner: &str, other: &str, amount: i64) {
    let (from, to) = (account(s, owner), account(s, other));
    let amount = s.long(amount);
    s.call(ACCOUNT, "transferTo", &[from, to, amount]);
}

#[test]
fn what_is_thrown_is_told_however_much_tells_tests_apart() {
    let long = "a name of many words";
    check(
        ACCOUNT,
        vec![
            throwing(ARGUMENT, |s| transferring(s, long, "Ann", 7)),
            throwing(ARGUMENT, |s| transferring(s, long, "Ann", 8)),
            throwing(ARGUMENT, |s| transferring(s, "Bob", "Ann", 8)),
        ],
        &[
            "transferTo_withAccountAndSeven_throwsIllegalArgumentException",
            "transferTo_withEight_throwsIllegalArgumentException",
            "transferTo_onAccountOfBobAndFive_throwsIllegalArgumentException",
        ],
    );
}

#[test]
fn an_earlier_call_is_told_before_a_number() {
    let asking = |s: &mut Script, first: Option<&str>| {
        let receiver = account(s, "Ann");
        let amount = s.long(3);
        if let Some(first) = first {
            s.call(ACCOUNT, first, &[receiver, amount]);
        }
        s.call(ACCOUNT, "isEmpty", &[receiver]);
        let balance = s.call(ACCOUNT, "getBalance", &[receiver]);
        s.holds(balance, value(Literal::Long(5)));
    };
    check(
        ACCOUNT,
        vec![
            test(|s| asking(s, None)),
            test(|s| asking(s, Some("deposit"))),
            test(|s| asking(s, Some("withdraw"))),
        ],
        &[
            "getBalance_afterIsEmpty_returnsFive",
            "getBalance_afterDepositOfThree_returnsFive",
            "getBalance_afterWithdrawOfThree_returnsFive",
        ],
    );
}

#[test]
fn what_else_is_asserted_is_told_before_a_number() {
    let depositing = |s: &mut Script, owner: &str| {
        let receiver = account(s, "Ann");
        let amount = s.long(3);
        s.call(ACCOUNT, "deposit", &[receiver, amount]);
        s.view(receiver, ACCOUNT, "getBalance", value(Literal::Long(8)));
        s.view(receiver, ACCOUNT, "getOwner", text(owner));
    };
    check(
        ACCOUNT,
        vec![test(|s| depositing(s, "Ann")), test(|s| depositing(s, "Bob"))],
        &["deposit_ownerIsAnn", "deposit_ownerIsBob"],
    );
}

#[test]
fn tests_that_are_the_same_are_numbered() {
    let asking = || {
        test(|s| {
            let shapes = s.call(SHAPES, "<init>", &[]);
            let small = s.call(SHAPES, "small", &[shapes]);
            s.holds(small, value(Literal::Byte(-3)));
        })
    };
    check(
        SHAPES,
        vec![asking(), asking()],
        &["small_returnsMinusThree", "small_returnsMinusThree_2"],
    );
}

#[test]
fn overloads_are_told_apart_without_what_they_share() {
    const BUILDER: &str = "java/lang/StringBuilder";
    let appending = |member: &'static str, descriptor: &'static str, number: Literal| {
        test(move |s| {
            let capacity = s.int(3);
            let builder = s.call(BUILDER, "<init>(I", &[capacity]);
            let number = s.literal(descriptor, number);
            s.call(BUILDER, member, &[builder, number]);
            s.view(builder, BUILDER, "length", value(Literal::Int(1)));
        })
    };
    check(
        BUILDER,
        vec![
            appending("append(I", "I", Literal::Int(3)),
            appending("append(J", "J", Literal::Long(3)),
        ],
        &["append_ofInt_lengthIsOne", "append_ofLong_lengthIsOne"],
    );
}

#[test]
fn what_a_part_says_is_told_of_the_part() {
    let part = Observation::Object {
        class: ClassName::internal(SHAPES),
        views: vec![(op("java/lang/Object", "toString"), text("Abc"))],
    };
    let asking = test(|s| {
        let shapes = s.call(SHAPES, "<init>", &[]);
        s.view(shapes, SHAPES, "self", part);
    });
    check(SHAPES, vec![asking], &["constructor_selfIsAbc"]);
}
