//! Names on their way into the JVM: NUL-terminated modified UTF-8 (JVMS §4.4.7).

use std::ffi::{CStr, CString};

/// The name as JNI wants it.
///
/// Modified UTF-8 has no NUL byte and writes characters past U+FFFF as two surrogates of three
/// bytes each, so the result never contains a NUL.
pub(crate) fn modified_utf8(name: &str) -> CString {
    let mut bytes = Vec::with_capacity(name.len() + 1);
    for unit in name.encode_utf16() {
        match unit {
            1..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => {
                bytes.push(0xc0 | (unit >> 6) as u8);
                bytes.push(0x80 | (unit & 0x3f) as u8);
            }
            _ => {
                bytes.push(0xe0 | (unit >> 12) as u8);
                bytes.push(0x80 | ((unit >> 6) & 0x3f) as u8);
                bytes.push(0x80 | (unit & 0x3f) as u8);
            }
        }
    }
    CString::new(bytes).expect("modified UTF-8 has no NUL byte")
}

/// A name from the JVM; names we compare with are ASCII, so a lossy reading cannot confuse them.
pub(crate) fn lossy(name: &CStr) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_encoded_as_the_jvm_reads_them() {
        assert_eq!(modified_utf8("a/B").as_bytes(), b"a/B");
        assert_eq!(modified_utf8("\0").as_bytes(), [0xc0, 0x80]);
        assert_eq!(modified_utf8("é").as_bytes(), [0xc3, 0xa9]);
        assert_eq!(modified_utf8("😀").as_bytes(), [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]);
    }
}
