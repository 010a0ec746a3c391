//! Constants as the text that string concatenation makes of them.

use model::Literal;

/// Longer texts are not put together: nobody passes them as arguments.
const MAX_LENGTH: usize = 4096;

/// Marks an argument in the recipe of `makeConcatWithConstants`.
const ARGUMENT: u16 = 1;
/// Marks a constant in the recipe.
const CONSTANT: u16 = 2;

/// Appends a constant as if it had the type that the descriptor begins with. Floating-point
/// numbers are refused: their texts follow Java's own rules.
pub(super) fn append(text: &mut Vec<u16>, literal: &Literal, descriptor: u8) -> Option<()> {
    match (literal, descriptor) {
        (Literal::Int(value), b'C') => text.push(u16::try_from(*value).ok()?),
        (Literal::Int(value), b'Z') => {
            text.extend(if *value == 0 { "false" } else { "true" }.encode_utf16());
        }
        (Literal::Int(value), b'I' | b'S' | b'B') => text.extend(value.to_string().encode_utf16()),
        (Literal::Long(value), b'J') => text.extend(value.to_string().encode_utf16()),
        (Literal::String(value), b'L') => text.extend_from_slice(value.units()),
        (Literal::Null, b'L') => text.extend("null".encode_utf16()),
        _ => return None,
    }
    (text.len() <= MAX_LENGTH).then_some(())
}

/// A piece of a recipe.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Text(Vec<u16>),
    Argument,
    Constant,
}

/// Takes a recipe apart.
pub(super) fn pieces(recipe: &[u16]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    for &unit in recipe {
        if unit == ARGUMENT || unit == CONSTANT {
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(if unit == ARGUMENT { Piece::Argument } else { Piece::Constant });
        } else {
            text.push(unit);
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_is_texts_between_marks() {
        let recipe: Vec<u16> = "a\u{1}bc\u{2}".encode_utf16().collect();
        let text = |s: &str| Piece::Text(s.encode_utf16().collect());
        assert_eq!(pieces(&recipe), [text("a"), Piece::Argument, text("bc"), Piece::Constant]);
    }

    #[test]
    fn an_int_is_text_by_its_type() {
        let check = |descriptor: u8, expected: &str| {
            let mut text = Vec::new();
            append(&mut text, &Literal::Int(65), descriptor).unwrap();
            assert_eq!(String::from_utf16(&text).unwrap(), expected);
        };
        check(b'C', "A");
        check(b'I', "65");
        check(b'Z', "true");
        assert!(append(&mut Vec::new(), &Literal::Double(1.0), b'D').is_none());
    }
}
