//! What cannot be written is rejected with its reason, and the rest is still written.

use std::sync::Arc;

use model::{
    Check, CheckKind, Class, ClassName, ClassSource, Contract, Expectation, Failure, FailureKind,
    Literal, Observation, Operation, Slot, Type, UnitTest, Violation,
};
use writer::{Options, Rejection, Suite};

use crate::fixture::{Script, fixtures, op, test, value};

/// The fixture classes, of which one is changed.
struct Changed(Class);

impl ClassSource for Changed {
    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        if *name == self.0.name {
            Some(Arc::new(self.0.clone()))
        } else {
            fixtures().world.class(name)
        }
    }
}

/// Writes a good test and the given one, which must be rejected for the reason.
fn check(classes: &dyn ClassSource, bad: UnitTest, reason: &Rejection) {
    let good = test(|s| {
        s.call("shop/Shapes", "<init>", &[]);
    });
    let suite = Suite { class: ClassName::internal("shop/Shapes"), tests: vec![good, bad] };
    let source = writer::write(&suite, classes, &Options::default());
    assert_eq!(source.rejected, [(1, reason.clone())]);
    assert_eq!(source.tests, [Some("constructor_createsShapes".to_owned()), None]);
    assert!(source.text.contains("new Shapes()"), "{}", source.text);
    assert_eq!(source.path, "shop/ShapesTest.java");
    assert_eq!(source.package, "shop");
}

fn shapes(build: impl FnOnce(&mut Script, Slot)) -> UnitTest {
    test(|s| {
        let shapes = s.call("shop/Shapes", "<init>", &[]);
        build(s, shapes);
    })
}

#[test]
fn a_method_named_by_a_keyword_is_rejected() {
    let name = ClassName::internal("shop/Shapes");
    let mut class = (*fixtures().world.class(&name).unwrap()).clone();
    let method = class.methods.iter_mut().find(|m| &*m.name == "ratio").unwrap();
    method.name = "new".into();
    let renamed = Arc::new(Operation::of_method(
        &class,
        &class.methods.iter().find(|m| &*m.name == "new").unwrap().clone(),
    ));
    let bad = shapes(|s, shapes| {
        s.case.call(&renamed, &[shapes]);
    });
    check(&Changed(class), bad, &Rejection::NotAnIdentifier { name: "new".to_owned() });
}

#[test]
fn a_private_class_is_rejected_where_it_must_be_named() {
    let hidden = Type::class("shop/Shapes$Hidden");
    let bad = shapes(|s, _| {
        s.case.call(&Arc::new(Operation::array(&hidden)), &[]);
    });
    let ty = hidden.array_of();
    let reason = Rejection::Unnameable { ty, package: "shop".to_owned() };
    check(&fixtures().world, bad, &reason);
}

#[test]
fn a_private_member_is_rejected() {
    let bad = shapes(|s, _| {
        let (owner, balance) = (s.text("Ann"), s.long(1));
        let account = s.call("shop/Account", "<init>", &[owner, balance]);
        s.call("shop/Account", "owner", &[account]);
    });
    let reason = Rejection::NoMember { operation: "shop.Account.owner".to_owned() };
    check(&fixtures().world, bad, &reason);
}

#[test]
fn an_abstract_class_cannot_be_instantiated() {
    let bad = shapes(|s, _| {
        s.call("java/util/AbstractList", "<init>", &[]);
    });
    let name = ClassName::internal("java/util/AbstractList");
    let mut class = (*fixtures().world.class(&name).unwrap()).clone();
    for method in &mut class.methods {
        method.access.0 |= 1;
    }
    let operation = "new java.util.AbstractList()".to_owned();
    check(&Changed(class), bad, &Rejection::NotInstantiable { operation });
}

#[test]
fn an_array_past_the_size_of_a_method_is_rejected() {
    let bad = shapes(|s, _| {
        let zero = s.int(0);
        s.array("I", &vec![zero; 10_000]);
    });
    check(&fixtures().world, bad, &Rejection::TooLarge { elements: 10_003 });
}

#[test]
fn an_observation_of_another_type_is_rejected() {
    let bad = shapes(|s, shapes| {
        let ratio = s.call("shop/Shapes", "ratio", &[shapes]);
        s.holds(ratio, value(Literal::Int(1)));
    });
    let ty = Type::parse("D").unwrap();
    check(&fixtures().world, bad, &Rejection::Incomparable { ty });
}

#[test]
fn ill_formed_tests_are_rejected() {
    let unset = shapes(|s, _| {
        let slot = s.case.slot(Type::class("shop/Shapes"));
        s.case.call(&op("shop/Shapes", "ratio"), &[slot]);
    });
    let violation = Violation::Unset { call: 1, slot: 1 };
    check(&fixtures().world, unset, &Rejection::Malformed(violation));
    let mut dangling = shapes(|_, _| {});
    dangling.checks.push(Check { after: 7, kind: CheckKind::NotNull(Slot(0)) });
    check(&fixtures().world, dangling, &Rejection::Dangling { what: "a check" });
    let mut unwritten = shapes(|_, _| {});
    unwritten.expectation = Expectation::Throws(ClassName::internal("java/lang/Error"));
    let seen = Observation::Null;
    unwritten.checks.push(Check { after: 0, kind: CheckKind::Holds(Slot(0), seen) });
    check(&fixtures().world, unwritten, &Rejection::Dangling { what: "a check" });
}

#[test]
fn a_contract_of_fewer_objects_than_it_speaks_of_is_rejected() {
    let broken = |contract: Contract, count: u32| {
        let mut bad = shapes(|s, _| {
            s.call("shop/Shapes", "<init>", &[]);
        });
        let slots = (0..count).map(Slot).collect();
        let kind = FailureKind::Contract { contract, slots };
        bad.failure =
            Some(Failure { kind, explanation: String::new(), cause: model::Cause::default() });
        bad
    };
    let dangling = Rejection::Dangling { what: "the failure" };
    check(&fixtures().world, broken(Contract::EqualsReturns, 1), &dangling);
    check(&fixtures().world, broken(Contract::ComparatorReflexive, 1), &dangling);
    check(&fixtures().world, broken(Contract::ComparatorAntisymmetric, 2), &dangling);
}
