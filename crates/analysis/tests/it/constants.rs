//! Constants of a compiled fixture, on every JDK and for old and new string concatenation.

use analysis::{Constants, Mined, Use};
use classfile::ClassFile;
use model::Literal;

use crate::fixture::{compile, jdks};

fn show(used: &Use) -> String {
    let constant = match &used.constant {
        Mined::Literal(Literal::Int(value)) => value.to_string(),
        Mined::Literal(Literal::Char(unit)) => {
            format!("'{}'", char::from_u32((*unit).into()).unwrap())
        }
        Mined::Literal(Literal::String(text)) => format!("{text:?}"),
        Mined::Literal(Literal::Class(Some(ty))) => format!("{ty}.class"),
        Mined::Literal(other) => format!("{other:?}"),
        Mined::Static { class, name } => format!("{}.{name}", class.local()),
    };
    let times = if used.count > 1 { format!("*{}", used.count) } else { String::new() };
    format!("{constant}{}{times}", if used.compared { "!" } else { "" })
}

/// Checks the constants of methods in classes compiled with the given options.
fn check(expected: &[(&str, &str)]) {
    let text = include_str!("../fixtures/Uses.java");
    for jdk in jdks() {
        for options in [&["-XDstringConcat=inline"][..], &[]] {
            let classes = compile(&jdk, options, "Uses.java", text);
            let bytes = std::fs::read(classes.path().join("Uses.class")).unwrap();
            let constants = Constants::of_class(&ClassFile::parse(&bytes).unwrap()).unwrap();
            for (method, uses) in expected {
                let found: Vec<String> = constants
                    .methods
                    .iter()
                    .filter(|((name, _), _)| &**name == *method)
                    .flat_map(|(_, uses)| uses.iter().map(show))
                    .collect();
                assert_eq!(found.join(" "), *uses, "{method} with {options:?}");
            }
            let fields: Vec<String> = constants.fields.iter().map(show).collect();
            assert_eq!(fields.join(" "), r#"77 "pre""#);
        }
    }
}

#[test]
fn constants_are_folded_typed_and_marked_when_compared() {
    check(&[
        ("product", "86400"),
        ("negated", "-7!"),
        ("ownField", "86400!"),
        ("ownVariable", ""),
        ("character", "0 'x'!"),
        ("characters", "'a'! 'b'!"),
        ("strings", r#""magic"! "word"!"#),
        ("concatenated", r#""pre-77x""#),
        ("around", r#""<" ">""#),
        ("built", r#""built"!"#),
        ("loop", r#""y""#),
        ("sign", "0!"),
        ("large", "Long(10000000000)!"),
        ("half", "Double(0.5)!"),
        ("red", "Uses$Color.RED!"),
        ("ordinals", ""),
        ("type", "java.lang.String.class int[].class"),
        ("small", "Byte(-3)"),
        ("either", "1*2 2*2"),
        ("handled", "Long(4) Long(5) Long(9) Long(14)"),
        ("<clinit>", "5 86400"),
    ]);
}

#[test]
fn what_is_passed_is_known_with_the_method_it_is_passed_to() {
    let text = r#"
        class Passing {
            static final String FORMAT = "yyyy" + "-MM";
            static final java.util.regex.Pattern DIGITS = java.util.regex.Pattern.compile("\\d+");
            Object read(String text, boolean isLong) {
                Enum.valueOf(Thread.State.class, text);
                return new java.text.SimpleDateFormat(isLong ? FORMAT : "yy");
            }
        }"#;
    for jdk in jdks() {
        let classes = compile(&jdk, &[], "Passing.java", text);
        let bytes = std::fs::read(classes.path().join("Passing.class")).unwrap();
        let constants = Constants::of_class(&ClassFile::parse(&bytes).unwrap()).unwrap();
        let to = |class: &str, method: &str| -> Vec<String> {
            let passed = constants.passed.iter().filter(|passed| passed.is_to(class, method));
            passed.map(|passed| format!("{:?}", passed.constant)).collect()
        };
        assert_eq!(to("java/util/regex/Pattern", "compile"), [r#"String("\\d+")"#]);
        assert_eq!(to("java/lang/Enum", "valueOf").len(), 1);
        assert_eq!(to("java/text/SimpleDateFormat", "<init>").len(), 2);
    }
}
