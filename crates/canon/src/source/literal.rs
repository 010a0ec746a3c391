//! Constants in source.

use std::fmt::Write as _;

use model::{Hierarchy, Literal};

use super::expression::Spelling;

/// A constant as an expression.
pub(super) fn spell<C: Hierarchy + ?Sized>(
    literal: &Literal,
    spelling: &Spelling<'_, C>,
) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => format!("(byte) {value}"),
        Literal::Short(value) => format!("(short) {value}"),
        Literal::Char(value) => format!("'{}'", character(*value, '\'')),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(value) => float(f64::from(*value), &format!("{value:?}f"), "Float"),
        Literal::Double(value) => float(*value, &format!("{value:?}"), "Double"),
        Literal::String(text) => {
            let mut out = String::from("\"");
            text.units().iter().for_each(|unit| out.push_str(&character(*unit, '"')));
            out.push('"');
            out
        }
        Literal::Class(None) => "void.class".to_owned(),
        Literal::Class(Some(ty)) => format!("{}.class", spelling.ty(ty)),
    }
}

fn float(value: f64, finite: &str, class: &str) -> String {
    if value.is_nan() {
        format!("{class}.NaN")
    } else if value == f64::INFINITY {
        format!("{class}.POSITIVE_INFINITY")
    } else if value == f64::NEG_INFINITY {
        format!("{class}.NEGATIVE_INFINITY")
    } else {
        finite.to_owned()
    }
}

/// A code unit between quotes of a kind.
fn character(unit: u16, quote: char) -> String {
    match unit {
        0x0a => "\\n".to_owned(),
        0x0d => "\\r".to_owned(),
        0x09 => "\\t".to_owned(),
        0x5c => "\\\\".to_owned(),
        _ => match char::from_u32(unit.into()) {
            Some(c) if c == quote => format!("\\{c}"),
            Some(c) if (' '..='~').contains(&c) => c.to_string(),
            _ => {
                let mut out = String::new();
                write!(out, "\\u{unit:04x}").expect("writing to a string does not fail");
                out
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{Class, ClassName, ClassSource, JavaString};

    use super::*;

    struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &ClassName) -> Option<Arc<Class>> {
            None
        }
    }

    fn check(literal: Literal, expected: &str) {
        assert_eq!(spell(&literal, &Spelling { classes: &Nothing, package: "shop" }), expected);
    }

    #[test]
    fn constants_are_spelled_as_java_has_them() {
        check(Literal::Long(i64::MIN), "-9223372036854775808L");
        check(Literal::Byte(-1), "(byte) -1");
        check(Literal::Char(0x27), "'\\''");
        check(Literal::Char(0xd800), "'\\ud800'");
        check(Literal::String(JavaString::from("a\"\\\n\u{e9}'")), "\"a\\\"\\\\\\n\\u00e9'\"");
        check(Literal::Double(1.0), "1.0");
        check(Literal::Double(-0.0), "-0.0");
        check(Literal::Double(1e300), "1e300");
        check(Literal::Float(f32::MIN_POSITIVE), "1.1754944e-38f");
        check(Literal::Float(f32::NAN), "Float.NaN");
        check(Literal::Class(None), "void.class");
    }
}
