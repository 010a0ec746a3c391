//! Modified UTF-8 (JVMS 4.4.7): zero is two bytes, characters beyond the basic plane are two
//! surrogates of three bytes each.
//!
//! Class files may hold lone surrogates in string constants, which no Rust string can; they
//! come out of [`to_utf16`] only.

use std::borrow::Cow;

/// The text as a Rust string, borrowed where its bytes are ordinary UTF-8 already.
pub(crate) fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if bytes.is_ascii()
        && !bytes.contains(&0)
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return Some(Cow::Borrowed(text));
    }
    String::from_utf16(&to_utf16(bytes)?).ok().map(Cow::Owned)
}

/// The text as UTF-16 units, without loss; `None` if the bytes are malformed.
pub(crate) fn to_utf16(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((&first, tail)) = rest.split_first() {
        let continuation = |index: usize| {
            tail.get(index).filter(|byte| **byte & 0xC0 == 0x80).map(|byte| u16::from(byte & 0x3F))
        };
        let (unit, used) = match first {
            0x01..=0x7F => (u16::from(first), 0),
            0xC0..=0xDF => (u16::from(first & 0x1F) << 6 | continuation(0)?, 1),
            0xE0..=0xEF => {
                (u16::from(first & 0x0F) << 12 | continuation(0)? << 6 | continuation(1)?, 2)
            }
            _ => return None,
        };
        units.push(unit);
        rest = &tail[used..];
    }
    Some(units)
}

/// A Rust string as modified UTF-8.
pub(crate) fn encode(text: &str) -> Cow<'_, [u8]> {
    if text.bytes().all(|byte| byte != 0 && byte < 0xF0) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len() + 8);
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7F => bytes.push(unit as u8),
            0 | 0x80..=0x7FF => {
                bytes.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8])
            }
            _ => bytes.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | (unit >> 6 & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `text` is written as `bytes` and read back from them.
    fn check(text: &str, bytes: &[u8]) {
        assert_eq!(&*encode(text), bytes, "encode {text:?}");
        assert_eq!(decode(bytes).as_deref(), Some(text), "decode {text:?}");
    }

    #[test]
    fn text_survives_both_ways() {
        check("", b"");
        check("java/lang/Object", b"java/lang/Object");
        check("\0", &[0xC0, 0x80]);
        check("ä€", &[0xC3, 0xA4, 0xE2, 0x82, 0xAC]);
        check("a😀b", &[b'a', 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80, b'b']);
    }

    #[test]
    fn a_lone_surrogate_is_units_but_no_string() {
        let bytes = [0xED, 0xA0, 0xBD];
        assert_eq!(decode(&bytes), None);
        assert_eq!(to_utf16(&bytes), Some(vec![0xD83D]));
    }

    #[test]
    fn malformed_bytes_are_refused() {
        for bytes in
            [&[0][..], &[0x80], &[0xC3], &[0xC3, 0x41], &[0xE2, 0x82], &[0xF0, 0x9F, 0x98, 0x80]]
        {
            assert_eq!(to_utf16(bytes), None, "{bytes:x?}");
        }
    }
}
