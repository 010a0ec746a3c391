//! Generic classes are used with type arguments wherever those compile.

use model::{CheckKind, ClassName, Literal, Type};
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

#[test]
fn a_class_that_has_the_type_arguments_itself_is_cast_to_without_raw_types() {
    const CHEST: &str = "shop/Shapes$Chest";
    let hooking = test(|s| {
        let chest = s.call(CHEST, "open", &[]);
        let hook = s.call(CHEST, "hook()", &[chest]);
        s.case.slots[hook.index()].ty = Type::class("shop/Shapes$NoHook");
        let hooked = s.call(CHEST, "hooked", &[chest, hook]);
        s.check(CheckKind::Same(chest, hooked));
    });
    let suite = Suite { class: ClassName::internal(CHEST), tests: vec![hooking] };
    let source = writer::write(&suite, &fixtures().world, &Options::default());
    assert!(source.text.contains(" = (Shapes.NoHook) chest.hook();"), "{}", source.text);
    assert!(source.text.contains("Shapes.Chest<Object> chest2 = chest.hooked("), "{}", source.text);
    assert!(!source.text.contains("rawtypes"), "{}", source.text);
}
