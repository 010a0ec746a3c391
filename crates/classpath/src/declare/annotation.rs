//! Annotations in a readable form, near to what source would say.

use std::fmt::Write;
use std::sync::Arc;

use classfile::ElementValue;
use model::{Annotation, ClassName, DescriptorError, Type};

/// The annotation with its elements as text.
pub(super) fn readable(raw: &classfile::Annotation<'_>) -> Result<Annotation, DescriptorError> {
    let mut elements = Vec::with_capacity(raw.elements.len());
    for (name, value) in &raw.elements {
        let mut text = String::new();
        write_value(&mut text, value)?;
        elements.push((Arc::from(&**name), text));
    }
    Ok(Annotation { ty: class_of(&raw.type_descriptor)?, elements })
}

fn class_of(descriptor: &str) -> Result<ClassName, DescriptorError> {
    match Type::parse(descriptor)? {
        Type::Class(name) => Ok(name),
        _ => Err(DescriptorError { descriptor: descriptor.to_owned(), at: 0 }),
    }
}

fn write_value(out: &mut String, value: &ElementValue<'_>) -> Result<(), DescriptorError> {
    match value {
        ElementValue::Boolean(value) => push(out, value),
        ElementValue::Byte(value) => push(out, value),
        ElementValue::Short(value) => push(out, value),
        ElementValue::Int(value) => push(out, value),
        ElementValue::Long(value) => push(out, format_args!("{value}L")),
        ElementValue::Float(value) => push(out, format_args!("{value:?}f")),
        ElementValue::Double(value) => push(out, format_args!("{value:?}")),
        ElementValue::Char(value) => {
            out.push('\'');
            match char::from_u32(u32::from(*value)) {
                Some(character) => push_escaped(out, character, '\''),
                None => push(out, format_args!("\\u{value:04x}")),
            }
            out.push('\'');
        }
        ElementValue::String(value) => {
            out.push('"');
            for character in value.chars() {
                push_escaped(out, character, '"');
            }
            out.push('"');
        }
        ElementValue::Enum { type_descriptor, constant } => {
            push(out, format_args!("{}.{constant}", class_of(type_descriptor)?));
        }
        ElementValue::Class(descriptor) if descriptor == "V" => out.push_str("void.class"),
        ElementValue::Class(descriptor) => {
            push(out, format_args!("{}.class", Type::parse(descriptor)?));
        }
        ElementValue::Annotation(annotation) => {
            push(out, format_args!("@{}(", class_of(&annotation.type_descriptor)?));
            for (index, (name, value)) in annotation.elements.iter().enumerate() {
                push(out, format_args!("{}{name} = ", if index == 0 { "" } else { ", " }));
                write_value(out, value)?;
            }
            out.push(')');
        }
        ElementValue::Array(values) => {
            out.push('{');
            for (index, value) in values.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                write_value(out, value)?;
            }
            out.push('}');
        }
    }
    Ok(())
}

fn push(out: &mut String, value: impl std::fmt::Display) {
    write!(out, "{value}").expect("writing to a string does not fail");
}

/// A character of a literal (JLS §3.10.7).
fn push_escaped(out: &mut String, character: char, quote: char) {
    match character {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\\' => out.push_str("\\\\"),
        _ if character == quote => out.extend(['\\', quote]),
        _ if character.is_control() => push(out, format_args!("\\u{:04x}", u32::from(character))),
        _ => out.push(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &ElementValue<'_>, expected: &str) {
        let mut out = String::new();
        write_value(&mut out, value).unwrap();
        assert_eq!(out, expected);
    }

    #[test]
    fn values_read_like_source() {
        check(&ElementValue::String("a\"b\n".into()), r#""a\"b\n""#);
        check(&ElementValue::Char(u16::from(b'\'')), r"'\''");
        check(&ElementValue::Char(0xd800), r"'\ud800'");
        check(&ElementValue::Long(-1), "-1L");
        check(&ElementValue::Float(1.0), "1.0f");
        check(&ElementValue::Class("[Ljava/util/Map$Entry;".into()), "java.util.Map$Entry[].class");
        check(&ElementValue::Class("V".into()), "void.class");
        let constant = ElementValue::Enum { type_descriptor: "La/E;".into(), constant: "X".into() };
        let nested = classfile::Annotation {
            type_descriptor: "La/B;".into(),
            elements: vec![("x".into(), ElementValue::Int(1)), ("y".into(), constant)],
        };
        let array = vec![ElementValue::Annotation(nested), ElementValue::Boolean(true)];
        check(&ElementValue::Array(array), "{@a.B(x = 1, y = a.E.X), true}");
    }

    #[test]
    fn an_annotation_without_a_class_is_refused() {
        for bad in ["I", "[La/B;", "La/B", ""] {
            let raw = classfile::Annotation { type_descriptor: bad.into(), elements: Vec::new() };
            assert!(readable(&raw).is_err(), "{bad}");
        }
    }
}
