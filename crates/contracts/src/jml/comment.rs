//! Which comments are JML: `//@`, `/*@`, and those with keys, `//+KEY@`, `/*-KEY@`.
//!
//! A comment with keys counts if one of its `+` keys is enabled (or it has none) and none of its `-`
//! keys is. The old `//+@` counts, `//-@` does not. A capital letter right after the `@`
//! (`//@Override`) is an annotation of Java's that somebody commented out; `//@formatter:off` is for
//! editors.

use std::collections::BTreeSet;

/// The keys that are enabled, in upper case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Keys(BTreeSet<String>);

impl Keys {
    /// These keys; their case does not count.
    pub fn new<'a>(keys: impl IntoIterator<Item = &'a str>) -> Keys {
        Keys(keys.into_iter().map(str::to_uppercase).collect())
    }

    fn has(&self, key: &str) -> bool {
        self.0.contains(&key.to_uppercase())
    }
}

/// What the beginning of a comment says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// JML begins after so many bytes.
    Jml(usize),
    /// JML for somebody else.
    Disabled,
    /// An ordinary comment.
    Ordinary,
}

/// Looks at `comment`, which begins with `//` or `/*`.
pub fn marker(comment: &str, keys: &Keys) -> Marker {
    let bytes = comment.as_bytes();
    let mut at = 2;
    let (mut wanted, mut found, mut refused) = (false, false, false);
    while let Some(sign @ (b'+' | b'-')) = bytes.get(at) {
        let from = at + 1;
        at = from;
        while bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
            at += 1;
        }
        let key = &comment[from..at];
        match (sign, key) {
            (b'+', "") => {}
            (_, "") => refused = true,
            (b'+', _) => {
                wanted = true;
                found |= keys.has(key);
            }
            _ => refused |= keys.has(key),
        }
    }
    if bytes.get(at) != Some(&b'@') {
        return Marker::Ordinary;
    }
    if refused || (wanted && !found) {
        return Marker::Disabled;
    }
    while bytes.get(at) == Some(&b'@') {
        at += 1;
    }
    match bytes.get(at) {
        Some(byte) if byte.is_ascii_uppercase() => Marker::Ordinary,
        _ if comment[at..].starts_with("formatter:") => Marker::Ordinary,
        _ => Marker::Jml(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(comment: &str, expect: Marker) {
        assert_eq!(marker(comment, &Keys::new(["rac"])), expect);
    }

    #[test]
    fn an_at_sign_makes_a_comment_jml() {
        check("//@ pure", Marker::Jml(3));
        check("/*@@@ pure @*/", Marker::Jml(5));
        check("// @ pure", Marker::Ordinary);
        check("/** doc */", Marker::Ordinary);
        check("//", Marker::Ordinary);
    }

    #[test]
    fn keys_must_be_enabled() {
        check("//+RAC@ pure", Marker::Jml(7));
        check("//+OPENJML@ pure", Marker::Disabled);
        check("/*+OPENJML+RAC@ pure */", Marker::Jml(15));
        check("//-RAC@ pure", Marker::Disabled);
        check("//-ESC@ pure", Marker::Jml(7));
        check("//+RAC pure", Marker::Ordinary);
    }

    #[test]
    fn the_signs_alone_are_of_old_tools() {
        check("//+@ pure", Marker::Jml(4));
        check("//-@ pure", Marker::Disabled);
    }

    #[test]
    fn an_annotation_that_was_commented_out_is_an_ordinary_comment() {
        check("//@Override", Marker::Ordinary);
        check("//@formatter:off", Marker::Ordinary);
        check("//@requires x;", Marker::Jml(3));
    }
}
