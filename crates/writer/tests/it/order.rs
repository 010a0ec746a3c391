//! In which order the tests of a file stand.

use model::{ClassName, UnitTest};
use writer::{Options, Suite};

use crate::fixture::{Script, fixtures, test, throwing};

const ACCOUNT: &str = "shop/Account";
const ARGUMENT: &str = "java/lang/IllegalArgumentException";

fn withdrawing(s: &mut Script, amount: i64) {
    let (owner, balance) = (s.text("Ann"), s.long(5));
    let account = s.call(ACCOUNT, "<init>", &[owner, balance]);
    let amount = s.long(amount);
    s.call(ACCOUNT, "withdraw", &[account, amount]);
}

fn asking(s: &mut Script, member: &str) {
    let (owner, balance) = (s.text("Ann"), s.long(5));
    let account = s.call(ACCOUNT, "<init>", &[owner, balance]);
    s.call(ACCOUNT, member, &[account]);
}

#[test]
fn tests_stand_by_member_as_the_class_has_them_and_exceptions_last() {
    let tests: Vec<UnitTest> = vec![
        throwing(ARGUMENT, |s| withdrawing(s, 6)),
        test(|s| asking(s, "isEmpty")),
        test(|s| withdrawing(s, 3)),
        throwing("java/lang/NullPointerException", |s| {
            let (owner, balance) = (s.null("Ljava/lang/String;"), s.long(0));
            s.call(ACCOUNT, "<init>", &[owner, balance]);
        }),
        test(|s| asking(s, "getOwner")),
        test(|s| withdrawing(s, 4)),
        // Inherited, so nowhere in the class.
        test(|s| asking(s, "getClass")),
        test(|s| {
            let (owner, balance) = (s.text("Ann"), s.long(5));
            s.call(ACCOUNT, "<init>", &[owner, balance]);
        }),
    ];
    let suite = Suite { class: ClassName::internal(ACCOUNT), tests };
    let source = writer::write(&suite, &fixtures().world, &Options::default());
    assert!(source.rejected.is_empty(), "{:?}", source.rejected);
    let place = |name: &Option<String>| {
        let name = name.as_ref().expect("a test that is written");
        source.text.find(&format!("void {name}(")).expect("a test in the file")
    };
    let mut order: Vec<usize> = (0..suite.tests.len()).collect();
    order.sort_by_key(|index| place(&source.tests[*index]));
    assert_eq!(order, [7, 3, 4, 2, 5, 0, 1, 6], "{}", source.text);
}
