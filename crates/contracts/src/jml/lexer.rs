//! The text of comments → tokens.
//!
//! Skips white space, the `@` at the beginning of lines and comments in comments. Never fails: what
//! is no token is an [`TokenKind::Unknown`] one, at which the parser complains. Invariant: tokens
//! are in the order of the text and do not overlap.

use crate::span::{FileId, Span};

use super::comment::{Keys, Marker, marker};
use super::token::{Token, TokenKind};

/// Operators and separators, the longest first.
const SYMBOLS: [&str; 59] = [
    "<=!=>", "<==>", ">>>=", "...", "<#=", "<<=", "<==", "==>", ">>=", "!=", "%=", "&&", "&=",
    "*=", "++", "+=", "--", "-=", "->", "..", "/=", "::", "<#", "<:", "<<", "<=", "==", ">=", "^=",
    "{|", "|=", "||", "|}", "!", "#", "%", "&", "(", ")", "*", "+", ",", "-", ".", "/", ":", ";",
    "<", "=", ">", "?", "@", "[", "]", "^", "{", "|", "}", "~",
];

/// Appends the tokens of a comment: `text` from `start` to `end`, which begins with `//` or `/*`.
/// Adds none if the comment is not JML.
pub fn comment_tokens(
    text: &str,
    file: FileId,
    (start, end): (usize, usize),
    keys: &Keys,
    tokens: &mut Vec<Token>,
) -> Marker {
    let comment = text.get(start..end).unwrap_or_default();
    let found = marker(comment, keys);
    let Marker::Jml(skip) = found else { return found };
    let is_block = comment.starts_with("/*");
    let mut end = end;
    if is_block {
        if comment.len() >= 4 && comment.ends_with("*/") {
            end -= 2;
        }
        while end > start + skip && text.as_bytes()[end - 1] == b'@' {
            end -= 1;
        }
    }
    let at = (start + skip).min(end);
    let mut lexer = Lexer { text, file, at, end, keys, is_block, first: true, tokens };
    lexer.run();
    found
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
    end: usize,
    keys: &'a Keys,
    is_block: bool,
    first: bool,
    tokens: &'a mut Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) {
        while let Some(byte) = self.byte(0) {
            match byte {
                b'\n' | b'\r' => self.line_end(),
                b' ' | b'\t' | 0x0c => self.at += 1,
                b'/' if self.byte(1) == Some(b'/') => self.nested_line(),
                b'/' if self.byte(1) == Some(b'*') => self.nested_block(),
                _ => self.token(byte),
            }
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        let at = self.at + ahead;
        if at < self.end { self.text.as_bytes().get(at).copied() } else { None }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }

    /// Past the end of a line and what a next line may begin with: blanks and `@`.
    fn line_end(&mut self) {
        self.at += 1;
        self.first = true;
        if !self.is_block {
            return;
        }
        let from = self.at;
        while let Some(b' ' | b'\t' | 0x0c) = self.byte(0) {
            self.at += 1;
        }
        if self.byte(0) == Some(b'*') && self.byte(1) == Some(b'@') {
            self.at += 1;
        }
        if self.byte(0) != Some(b'@') {
            self.at = from;
        }
        while self.byte(0) == Some(b'@') {
            self.at += 1;
        }
    }

    fn nested_line(&mut self) {
        match marker(self.rest(), self.keys) {
            Marker::Jml(skip) => self.at += skip,
            Marker::Disabled | Marker::Ordinary => {
                let line = self.rest().find(['\n', '\r']).unwrap_or(self.rest().len());
                self.at += line;
            }
        }
    }

    fn nested_block(&mut self) {
        let length = self.rest().find("*/").map_or(self.rest().len(), |at| at + 2);
        self.at += length;
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let length = length.clamp(1, (self.end - self.at).max(1));
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        let first = std::mem::replace(&mut self.first, false);
        self.tokens.push(Token { kind, span: Span::new(self.file, start, end), first });
        self.at += length;
    }

    fn token(&mut self, byte: u8) {
        let rest = self.rest();
        if rest.starts_with("(*") && !rest.starts_with("(*)") {
            let length = rest[2..].find("*)");
            let kind = if length.is_some() { TokenKind::Informal } else { TokenKind::Unknown };
            let length = length.map_or(rest.len(), |at| at + 4);
            return self.push(kind, length);
        }
        match byte {
            b'"' if rest.starts_with("\"\"\"") => {
                let length = text_block_length(rest);
                let kind = length.map_or(TokenKind::Unknown, |_| TokenKind::TextBlock);
                let length = length.unwrap_or(rest.len());
                self.push(kind, length);
            }
            b'"' => self.quoted(b'"', TokenKind::String),
            b'\'' => self.quoted(b'\'', TokenKind::Character),
            b'\\' => {
                let length = word_length(&rest[1..]);
                let kind = if length > 0 { TokenKind::Backslash } else { TokenKind::Unknown };
                self.push(kind, length + 1);
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            _ => {
                let word = word_length(rest);
                if word > 0 {
                    return self.push(TokenKind::Word, word);
                }
                match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                    Some(symbol) => self.push(TokenKind::Symbol(symbol), symbol.len()),
                    None => {
                        let length = rest.chars().next().map_or(1, char::len_utf8);
                        self.push(TokenKind::Unknown, length);
                    }
                }
            }
        }
    }

    fn quoted(&mut self, quote: u8, kind: TokenKind) {
        let mut length = 1;
        loop {
            match self.byte(length) {
                None | Some(b'\n' | b'\r') => return self.push(TokenKind::Unknown, length),
                Some(b'\\') => {
                    let escaped = self.rest()[length + 1..].chars().next();
                    length += 1 + escaped.map_or(0, char::len_utf8);
                }
                Some(found) if found == quote => return self.push(kind, length + 1),
                Some(_) => length += 1,
            }
        }
    }

    /// A number. In `1..n` the points are not part of it.
    fn number(&mut self) {
        let bytes = self.rest().as_bytes();
        let is_hex = matches!(bytes, [b'0', b'x' | b'X', ..]);
        let mut length = 0;
        let mut floating = false;
        while let Some(byte) = bytes.get(length) {
            let before = length.checked_sub(1).and_then(|at| bytes.get(at));
            match byte {
                b'.' if floating || bytes.get(length + 1) == Some(&b'.') => break,
                b'.' => floating = true,
                b'+' | b'-' => match before {
                    Some(b'e' | b'E') if !is_hex => floating = true,
                    Some(b'p' | b'P') if is_hex => floating = true,
                    _ => break,
                },
                byte if byte.is_ascii_alphanumeric() || *byte == b'_' => {
                    let decides = matches!(byte, b'e' | b'E' | b'f' | b'F' | b'd' | b'D');
                    floating |= (decides && !is_hex) || matches!(byte, b'p' | b'P');
                }
                _ => break,
            }
            length += 1;
        }
        let kind = if floating { TokenKind::Floating } else { TokenKind::Integer };
        self.push(kind, length);
    }
}

fn text_block_length(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut at = 3;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'"' if bytes[at..].starts_with(b"\"\"\"") => return Some(at + 3),
            _ => at += 1,
        }
    }
}

/// How many bytes of `rest` are a word of Java's.
fn word_length(rest: &str) -> usize {
    let mut length = 0;
    for (at, character) in rest.char_indices() {
        let fits = character == '_'
            || character == '$'
            || character.is_alphabetic()
            || (at > 0 && character.is_numeric());
        if !fits {
            break;
        }
        length = at + character.len_utf8();
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(comment: &str, expect: &[&str]) {
        let mut tokens = Vec::new();
        let keys = Keys::default();
        comment_tokens(comment, FileId::JAVA, (0, comment.len()), &keys, &mut tokens);
        let found: Vec<&str> = tokens.iter().map(|token| &comment[token.span.range()]).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn marks_of_the_comment_are_no_tokens() {
        check("//@ requires x;", &["requires", "x", ";"]);
        check("/*@ requires x; @*/", &["requires", "x", ";"]);
        check(
            "/*@\n  @ requires x;\n  @@ ensures y;\n  @*/",
            &["requires", "x", ";", "ensures", "y", ";"],
        );
        check("/*@\n  *@ pure\n*/", &["pure"]);
        check("/*@*/", &[]);
        check("//@", &[]);
    }

    #[test]
    fn comments_in_comments_are_skipped() {
        check("//@ requires x; // why\n", &["requires", "x", ";"]);
        check("/*@ a // b\n c */", &["a", "c"]);
        check("//@ a /* b */ c", &["a", "c"]);
        check("/*@ a\n //@ b\n */", &["a", "b"]);
        check("/*@ a\n //+KEY@ b\n */", &["a"]);
    }

    #[test]
    fn the_longest_operator_wins() {
        check(
            "//@ a<==>b ==> c <=!=> d <== e <: f",
            &["a", "<==>", "b", "==>", "c", "<=!=>", "d", "<==", "e", "<:", "f"],
        );
        check("//@ {| a |} || b", &["{|", "a", "|}", "||", "b"]);
    }

    #[test]
    fn ranges_are_not_fractions() {
        check(
            "//@ a[0..n-1] 1.5 1. .5 1e-3f 0x1p-3 0xFEL",
            &[
                "a", "[", "0", "..", "n", "-", "1", "]", "1.5", "1.", ".5", "1e-3f", "0x1p-3",
                "0xFEL",
            ],
        );
    }

    #[test]
    fn literals_keep_their_quotes() {
        check(r#"//@ "a\"b" '\'' '"' "//" "#, &[r#""a\"b""#, r"'\''", "'\"'", "\"//\""]);
        check(
            "/*@ \"\"\"\n a \"b\" \\\"\"\" \"\"\" x */",
            &["\"\"\"\n a \"b\" \\\"\"\" \"\"\"", "x"],
        );
    }

    #[test]
    fn an_informal_description_is_one_token() {
        check(
            "//@ requires (* is \\old, */ or not *);",
            &["requires", "(* is \\old, */ or not *)", ";"],
        );
    }

    #[test]
    fn what_is_no_token_is_unknown() {
        check("//@ \"open", &["\"open"]);
        check("//@ \\ x", &["\\", "x"]);
        check("//@ (* open", &["(* open"]);
        check("//@ \u{1F600} '\u{1F600}' 'é\\é'", &["\u{1F600}", "'\u{1F600}'", "'é\\é'"]);
    }
}
