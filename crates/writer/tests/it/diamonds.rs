//! Objects of generic classes are made with type arguments that javac infers.

use model::{ClassName, Literal};
use writer::{Options, Suite};

use crate::fixture::{Script, fixtures, test, throwing};

const PAIR: &str = "shop/Shapes$Pair";
const ARGUMENT: &str = "java/lang/IllegalArgumentException";

#[test]
fn a_generic_object_that_nothing_uses_is_made_with_a_diamond() {
    let pair = |s: &mut Script| {
        let (first, second) = (s.text("Abc"), s.literal("Ljava/lang/Integer;", Literal::Int(3)));
        s.call(PAIR, "<init>", &[first, second]);
    };
    let tests = vec![test(pair), throwing(ARGUMENT, pair)];
    let suite = Suite { class: ClassName::internal(PAIR), tests };
    let source = writer::write(&suite, &fixtures().world, &Options::default());
    let diamonds = source.text.matches("-> new Shapes.Pair<>(\"Abc\", 3)").count();
    assert_eq!(diamonds, 2, "{}", source.text);
    assert!(!source.text.contains("rawtypes"), "{}", source.text);
}
