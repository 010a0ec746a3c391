//! Observed values and changes in words.

use model::{JavaString, Literal, Observation};
use search::Change;

/// A value as it is told.
pub(super) fn value(observation: &Observation) -> String {
    match observation {
        Observation::Nothing => "nothing".to_owned(),
        Observation::Null => "null".to_owned(),
        Observation::Value { value, .. } => literal(value),
        Observation::Enum { class, constant } => format!("{}.{constant}", class.local()),
        Observation::Array { element, length, elements: None } => {
            format!("an array of {length} {element}")
        }
        Observation::Array { elements: Some(elements), .. } => {
            let elements: Vec<String> = elements.iter().map(value).collect();
            format!("{{{}}}", elements.join(", "))
        }
        Observation::Object { class, .. } => format!("a {}", class.to_binary()),
    }
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "null".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => value.to_string(),
        Literal::Char(unit) => quoted('\'', &[*unit]),
        Literal::Short(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => value.to_string(),
        Literal::Float(value) => format!("{value:?}"),
        Literal::Double(value) => format!("{value:?}"),
        Literal::String(text) => quoted('"', text.units()),
        Literal::Class(Some(ty)) => format!("{ty}.class"),
        Literal::Class(None) => "void.class".to_owned(),
    }
}

/// A text in quotes, without line breaks and other signs that cannot be seen.
fn quoted(quote: char, units: &[u16]) -> String {
    let escaped: String = char::decode_utf16(units.iter().copied())
        .map(|decoded| match decoded {
            Ok(c) => c.escape_debug().to_string(),
            Err(half) => format!("\\u{:04x}", half.unpaired_surrogate()),
        })
        .collect();
    format!("{quote}{escaped}{quote}")
}

fn message(message: Option<&JavaString>) -> String {
    message.map_or_else(|| "no message".to_owned(), |text| quoted('"', text.units()))
}

/// The kind of a change, as JSON has it.
pub(super) fn kind(change: &Change) -> &'static str {
    match change {
        Change::Returned { .. } => "returns-other",
        Change::NowThrows { .. } => "now-throws",
        Change::NowReturns { .. } => "now-returns",
        Change::ThrowsOther { .. } => "throws-other",
        Change::Message { .. } => "message",
        Change::Gone { .. } => "gone",
        Change::Hangs => "hangs",
        Change::Ends => "ends",
        Change::Left { .. } => "leaves-other",
        Change::Text { .. } => "text",
    }
}

/// What was and what is.
pub(super) fn sides(change: &Change) -> [String; 2] {
    match change {
        Change::Returned { before, after } => {
            [format!("returned {}", value(before)), format!("returns {}", value(after))]
        }
        Change::NowThrows { after } => ["returned".to_owned(), format!("throws {after}")],
        Change::NowReturns { before } => [format!("threw {before}"), "returns".to_owned()],
        Change::ThrowsOther { before, after } => {
            [format!("threw {before}"), format!("throws {after}")]
        }
        Change::Message { before, after } => [
            format!("threw with {}", message(before.as_ref())),
            format!("throws with {}", message(after.as_ref())),
        ],
        Change::Gone { why } => ["could be called".to_owned(), format!("cannot be called: {why}")],
        Change::Hangs => ["came to an end".to_owned(), "does not end, or ends the JVM".to_owned()],
        Change::Ends => ["did not end".to_owned(), "comes to an end".to_owned()],
        Change::Left { before, after, .. } => {
            [format!("left {}", value(before)), format!("leaves {}", value(after))]
        }
        Change::Text { before, after, .. } => {
            [format!("returned {}", value(before)), format!("returns {}", value(after))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_on_one_line() {
        let check = |literal: Literal, expect: &str| {
            assert_eq!(value(&Observation::Value { value: literal, boxed: false }), expect);
        };
        check(Literal::Int(-3), "-3");
        check(Literal::Double(1.0), "1.0");
        check(Literal::Char('x' as u16), "'x'");
        check(Literal::String("a\n\"b".into()), r#""a\n\"b""#);
        check(Literal::String(JavaString::from_units(&[0xd800])), r#""\ud800""#);
        let elements = Some(vec![Observation::Null, Observation::Nothing]);
        let array = Observation::Array { element: model::Type::object(), length: 2, elements };
        assert_eq!(value(&array), "{null, nothing}");
    }
}
