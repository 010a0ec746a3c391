//! Tests of broken clauses: values of before the call, the call, and what does not hold.

use model::{
    Asserted, Breach, BreachKind, Claim, ClassName, FailureKind, KeptValue, Piece, Restated, Slot,
    Template, Type, UnitTest,
};

use crate::fixture::Script;

const ACCOUNT: &str = "shop/Account";

fn text(text: &str) -> Piece {
    Piece::Text(text.to_owned())
}

fn balance_of(piece: Piece) -> Template {
    vec![piece, text(".getBalance()")]
}

fn claim(asserted: Asserted, of: Vec<Template>) -> Claim {
    Claim { asserted, of }
}

fn fails(script: Script, restated: Restated, what: &str) -> UnitTest {
    let breach = Breach { kind: BreachKind::Postcondition, clause: 7 };
    let kind = FailureKind::Breach { breach, restated: Some(Box::new(restated)) };
    script.fails(kind, what)
}

fn account(s: &mut Script, balance: i64) -> Slot {
    let (owner, balance) = (s.text("Ann"), s.long(balance));
    s.call(ACCOUNT, "<init>", &[owner, balance])
}

/// Each fails in a claim, or in the exception that its clause forbids.
pub fn breaches() -> Vec<UnitTest> {
    vec![deposited(), transferred(), created(), withdrawn(), emptied(), unreached()]
}

fn deposited() -> UnitTest {
    let mut s = Script::default();
    let (a, amount) = (account(&mut s, 1), s.long(-5));
    s.call(ACCOUNT, "deposit", &[a, amount]);
    let old = KeptValue {
        name: "oldBalance".to_owned(),
        ty: Type::parse("J").unwrap(),
        value: balance_of(Piece::Receiver),
    };
    let sum = vec![
        Piece::Class(ClassName::internal("java/lang/Math")),
        text(".addExact("),
        Piece::Kept(0),
        text(" - 1, "),
        Piece::Argument(0),
        text(")"),
    ];
    let claims = vec![claim(Asserted::Equal, vec![sum, balance_of(Piece::Receiver)])];
    let restated = Restated { before: vec![old], claims, ..Restated::default() };
    fails(s, restated, "breaks `ensures balance == \\old(balance) - 1 + amount` (Account.java:28)")
}

fn transferred() -> UnitTest {
    let mut s = Script::default();
    let (a, b, amount) = (account(&mut s, 5), account(&mut s, 0), s.long(2));
    s.call(ACCOUNT, "transferTo", &[a, b, amount]);
    let claims = vec![
        claim(Asserted::NotNull, vec![vec![Piece::Result]]),
        claim(Asserted::Same, vec![vec![Piece::Argument(0)], vec![Piece::Result]]),
    ];
    let restated = Restated { claims, ..Restated::default() };
    fails(s, restated, "breaks `ensures \\result != null && \\result == target`")
}

fn created() -> UnitTest {
    let mut s = Script::default();
    account(&mut s, 5);
    let claims = vec![claim(Asserted::Equal, vec![vec![text("0")], balance_of(Piece::Receiver)])];
    fails(s, Restated { claims, ..Restated::default() }, "breaks `initially balance == 0`")
}

fn withdrawn() -> UnitTest {
    let mut s = Script::default();
    let (a, amount) = (account(&mut s, 5), s.long(6));
    s.call(ACCOUNT, "withdraw", &[a, amount]);
    fails(s, Restated::default(), "breaks `signals_only \\nothing`")
}

fn emptied() -> UnitTest {
    let mut s = Script::default();
    let a = account(&mut s, 5);
    s.call(ACCOUNT, "isEmpty", &[a]);
    let long_condition = vec![
        Piece::Class(ClassName::internal("java/util/stream/IntStream")),
        text(".range(0, 9).allMatch("),
        Piece::Variable(0),
        text(" -> "),
        Piece::Receiver,
        text(".getBalance() < "),
        Piece::Variable(0),
        text(" || "),
        Piece::Receiver,
        text(".getBalance() > 2L * "),
        Piece::Variable(0),
        text(" && "),
        Piece::Result,
        text(")"),
    ];
    let claims = vec![
        claim(Asserted::False, vec![vec![Piece::Result]]),
        claim(Asserted::True, vec![long_condition]),
    ];
    let variables = vec!["i".to_owned()];
    let restated = Restated { claims, variables, throws: true, ..Restated::default() };
    fails(s, restated, "breaks its postcondition")
}

fn unreached() -> UnitTest {
    let mut s = Script::default();
    let (a, amount) = (account(&mut s, 5), s.long(-6));
    s.call(ACCOUNT, "deposit", &[a, amount]);
    let claims = vec![claim(Asserted::Unreached, Vec::new())];
    fails(s, Restated { claims, ..Restated::default() }, "breaks `exceptional_behavior`")
}
