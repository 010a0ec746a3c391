//! Literals and other expressions with their static types.

use model::{ClassName, GenericType, JavaString, Literal, Primitive, Type, TypeArgument};

use crate::doc::{Doc, separated};
use crate::generics::{Scope, Static, erase, raw};
use crate::rejection::Rejection;

/// How tightly an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binding {
    /// It can be followed by `.name`.
    Primary,
    /// A cast, a sign or a sum: in parentheses before `.name` or after a cast.
    Operator,
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// Its source.
    pub(crate) doc: Doc,
    /// How tightly it binds.
    pub(crate) binding: Binding,
    /// Its static type.
    pub(crate) ty: Static,
}

impl Expr {
    /// An expression that needs no parentheses.
    pub(crate) fn primary(doc: Doc, ty: Static) -> Self {
        Self { doc, binding: Binding::Primary, ty }
    }

    /// Its source where an operand must bind tightly.
    pub(crate) fn operand(self) -> Doc {
        match self.binding {
            Binding::Primary => self.doc,
            Binding::Operator => Doc::Seq(vec![Doc::text("("), self.doc, Doc::text(")")]),
        }
    }

    /// `(ty) this`.
    pub(crate) fn cast(self, ty: &Type) -> Self {
        let operand = match (&self.ty, ty) {
            // A cast says what a lambda is, so to something else it takes two.
            (Static::Lambda(lambda), ty) if *ty != Type::Class(lambda.of.clone()) => {
                let of = Type::Class(lambda.of.clone());
                return self.cast(&of).cast(ty);
            }
            (Static::Of(GenericType::Primitive(p)), Type::Class(class)) => {
                if class.as_internal() == p.boxed() {
                    return self.boxed();
                }
                // `(Object) -5` would be a subtraction: make the box explicit.
                boxing(*p, self.doc)
            }
            _ => self.operand(),
        };
        Self {
            doc: Doc::Seq(vec![Doc::text("("), type_doc(ty), Doc::text(") "), operand]),
            binding: Binding::Operator,
            ty: Static::raw(ty),
        }
    }

    /// The same value in its box, explicitly.
    pub(crate) fn boxed(self) -> Self {
        match &self.ty {
            Static::Of(GenericType::Primitive(p)) => {
                let ty = self.ty.boxed();
                Self::primary(boxing(*p, self.doc), ty)
            }
            _ => self,
        }
    }
}

fn boxing(primitive: Primitive, value: Doc) -> Doc {
    let class = Doc::Class(ClassName::internal(primitive.boxed()));
    if let (Primitive::Boolean, Doc::Text(text)) = (primitive, &value) {
        return Doc::Seq(vec![class, Doc::text(format!(".{}", text.to_uppercase()))]);
    }
    Doc::call(Doc::Seq(vec![class, Doc::text(".valueOf")]), vec![value])
}

/// The type in source, without type arguments.
pub(crate) fn type_doc(ty: &Type) -> Doc {
    match ty {
        Type::Primitive(p) => Doc::text(p.keyword()),
        Type::Class(name) => Doc::Type(name.clone()),
        Type::Array(element) => Doc::Seq(vec![type_doc(element), Doc::text("[]")]),
    }
}

/// The type in source, with its type arguments.
pub(crate) fn generic_doc(ty: &GenericType) -> Doc {
    let (name, args) = match ty {
        GenericType::Class { name, args } if !args.is_empty() => (name, args),
        GenericType::Array(element) => {
            return Doc::Seq(vec![generic_doc(element), Doc::text("[]")]);
        }
        other => return type_doc(&erase(other, &[])),
    };
    let args = args.iter().map(|arg| match arg {
        TypeArgument::Any => Doc::text("?"),
        TypeArgument::Exact(ty) => argument_doc(ty),
        TypeArgument::Extends(ty) => Doc::Seq(vec![Doc::text("? extends "), argument_doc(ty)]),
        TypeArgument::Super(ty) => Doc::Seq(vec![Doc::text("? super "), argument_doc(ty)]),
    });
    let mut doc = vec![Doc::Class(name.clone()), Doc::text("<")];
    doc.extend(separated(args.collect(), Doc::text(" ")));
    doc.push(Doc::text(">"));
    Doc::Seq(doc)
}

/// A type argument; none is raw, so it is no use of a class without arguments.
fn argument_doc(ty: &GenericType) -> Doc {
    match ty {
        GenericType::Class { name, args } if args.is_empty() => Doc::Class(name.clone()),
        GenericType::Array(element) => Doc::Seq(vec![argument_doc(element), Doc::text("[]")]),
        other => generic_doc(other),
    }
}

/// The type in source where only its erasure counts, as in a class literal.
fn erasure_doc(ty: &Type) -> Doc {
    match ty {
        Type::Class(name) => Doc::Class(name.clone()),
        Type::Array(element) => Doc::Seq(vec![erasure_doc(element), Doc::text("[]")]),
        primitive => type_doc(primitive),
    }
}

/// Longest piece of a string on one line, escapes counted.
const STRING_PIECE: usize = 72;
/// Longer words are broken.
const LONGEST_WORD: usize = 30;

/// The literal as an expression; primitive values keep their primitive type.
pub(crate) fn literal(scope: Scope, value: &Literal) -> Result<Expr, Rejection> {
    let (doc, binding) = match value {
        Literal::Null => return Ok(Expr::primary(Doc::text("null"), Static::Null)),
        Literal::String(string) => {
            let (doc, binding) = string_doc(string)?;
            return Ok(Expr { doc, binding, ty: Static::raw(&Type::string()) });
        }
        Literal::Class(ty) => return class_literal(scope, ty.as_ref()),
        Literal::Boolean(v) => (Doc::text(v.to_string()), Binding::Primary),
        Literal::Char(unit) => {
            (Doc::text(format!("'{}'", unit_text(*unit, '\''))), Binding::Primary)
        }
        Literal::Byte(v) => (Doc::text(format!("(byte) {v}")), Binding::Operator),
        Literal::Short(v) => (Doc::text(format!("(short) {v}")), Binding::Operator),
        Literal::Int(v) => match *v {
            i32::MAX => named("Integer", "MAX_VALUE"),
            i32::MIN => named("Integer", "MIN_VALUE"),
            v => signed(v.to_string(), v < 0),
        },
        Literal::Long(v) => match *v {
            i64::MAX => named("Long", "MAX_VALUE"),
            i64::MIN => named("Long", "MIN_VALUE"),
            v => signed(format!("{v}L"), v < 0),
        },
        Literal::Float(v) => match *v {
            v if v.is_nan() => named("Float", "NaN"),
            f32::INFINITY => named("Float", "POSITIVE_INFINITY"),
            f32::NEG_INFINITY => named("Float", "NEGATIVE_INFINITY"),
            f32::MAX => named("Float", "MAX_VALUE"),
            v if v.to_bits() == 1 => named("Float", "MIN_VALUE"),
            v => signed(format!("{v:?}f"), v.is_sign_negative()),
        },
        Literal::Double(v) => match *v {
            v if v.is_nan() => named("Double", "NaN"),
            f64::INFINITY => named("Double", "POSITIVE_INFINITY"),
            f64::NEG_INFINITY => named("Double", "NEGATIVE_INFINITY"),
            f64::MAX => named("Double", "MAX_VALUE"),
            v if v.to_bits() == 1 => named("Double", "MIN_VALUE"),
            v => signed(format!("{v:?}"), v.is_sign_negative()),
        },
    };
    let primitive = value.primitive().expect("the other literals were handled above");
    Ok(Expr { doc, binding, ty: Static::raw(&Type::Primitive(primitive)) })
}

fn named(class: &str, constant: &str) -> (Doc, Binding) {
    let class = Doc::Class(ClassName::internal(&format!("java/lang/{class}")));
    (Doc::Seq(vec![class, Doc::text(format!(".{constant}"))]), Binding::Primary)
}

fn signed(text: String, negative: bool) -> (Doc, Binding) {
    (Doc::text(text), if negative { Binding::Operator } else { Binding::Primary })
}

/// `Foo.class`, of type `Class<Foo>`; `None` is `void.class`.
fn class_literal(scope: Scope, ty: Option<&Type>) -> Result<Expr, Rejection> {
    let name = match ty {
        Some(ty) => {
            scope.nameable(ty)?;
            erasure_doc(ty)
        }
        None => Doc::text("void"),
    };
    let of = match ty {
        Some(Type::Primitive(p)) => Type::class(p.boxed()),
        Some(ty) => ty.clone(),
        None => Type::class("java/lang/Void"),
    };
    let class = GenericType::Class {
        name: ClassName::internal("java/lang/Class"),
        args: vec![TypeArgument::Exact(raw(&of))],
    };
    Ok(Expr::primary(Doc::Seq(vec![name, Doc::text(".class")]), Static::Of(class)))
}

/// The string, in pieces joined by `+` where it is long.
fn string_doc(string: &JavaString) -> Result<(Doc, Binding), Rejection> {
    // JVMS §4.4.7: constants are stored in modified UTF-8, with a two-byte length.
    let bytes: usize = string
        .units()
        .iter()
        .map(|&unit| match unit {
            1..0x80 => 1,
            0 | 0x80..0x800 => 2,
            _ => 3,
        })
        .sum();
    if bytes > usize::from(u16::MAX) {
        return Err(Rejection::StringTooLong { bytes });
    }
    let texts = unit_texts(string.units());
    let pieces = string_pieces(&texts);
    if pieces.len() == 1 {
        return Ok((Doc::text(format!("\"{}\"", pieces[0])), Binding::Primary));
    }
    let mut docs = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        if i > 0 {
            docs.push(Doc::Line);
        }
        let plus = if i > 0 { "+ " } else { "" };
        docs.push(Doc::text(format!("{plus}\"{piece}\"")));
    }
    Ok((Doc::Group(vec![Doc::Nest(docs)]), Binding::Operator))
}

/// The characters in pieces, broken behind ends of lines, else between words where there are any.
fn string_pieces(texts: &[String]) -> Vec<String> {
    let length: usize = texts.iter().map(String::len).sum();
    if length <= STRING_PIECE {
        return vec![texts.concat()];
    }
    let mut pieces = vec![String::new()];
    for text in texts {
        let piece = pieces.last_mut().expect("there is always a piece");
        let line_ends = piece.ends_with("\\n") && piece.len() > STRING_PIECE / 2;
        if line_ends {
            pieces.push(text.clone());
        } else if piece.len() + text.len() > STRING_PIECE {
            // Escapes have no spaces in them.
            let word = piece.rfind(' ').map(|space| space + 1);
            let word = word.filter(|at| piece.len() - at <= LONGEST_WORD);
            let mut rest = word.map_or_else(String::new, |at| piece.split_off(at));
            rest.push_str(text);
            pieces.push(rest);
        } else {
            piece.push_str(text);
        }
    }
    pieces
}

/// The code units inside double quotes, one by one.
fn unit_texts(units: &[u16]) -> Vec<String> {
    let mut texts: Vec<String> = units.iter().map(|&unit| unit_text(unit, '"')).collect();
    // Behind half a pair of surrogates, javac (16 to 25 at least) looks for the other half: it takes
    // what follows an escaped backslash for a Unicode escape there (`\ud800\\u`), which JLS §3.3 says it
    // is not.
    for (at, pair) in units.windows(2).enumerate() {
        if matches!(pair, [0xd800..0xdc00, unit] if *unit == u16::from(b'\\')) {
            texts[at + 1] = "\\134".to_owned();
        }
    }
    texts
}

/// A UTF-16 code unit inside quotes; everything but printable ASCII is escaped, so that the file
/// means the same in every encoding.
fn unit_text(unit: u16, quote: char) -> String {
    match char::from_u32(u32::from(unit)) {
        Some('\n') => "\\n".to_owned(),
        Some('\r') => "\\r".to_owned(),
        Some('\t') => "\\t".to_owned(),
        Some('\\') => "\\\\".to_owned(),
        Some(c) if c == quote => format!("\\{c}"),
        Some(c @ ' '..='~') => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::imports::Spelling;
    use crate::temporary::Style;
    use model::{Class, ClassSource};
    use std::sync::Arc;

    struct Nothing;

    impl ClassSource for Nothing {
        fn class(&self, _: &ClassName) -> Option<Arc<Class>> {
            None
        }
    }

    fn check(value: &Literal, expected: &str) {
        let scope =
            Scope { classes: &Nothing, package: "a", files: Style::of(&Options::default()) };
        let doc = literal(scope, value).unwrap().doc;
        let mut classes = Vec::new();
        doc.classes(&mut classes);
        let names = Spelling::new(&Nothing, "a", "FooTest", &classes);
        let mut out = String::new();
        doc.layout(&names, 0, &mut out);
        assert_eq!(out, expected);
    }

    #[test]
    fn long_strings_are_broken_between_words() {
        let check = |text: &str, expected: &[&str]| {
            let texts: Vec<String> = text.chars().map(String::from).collect();
            assert_eq!(string_pieces(&texts), expected);
        };
        check("", &[""]);
        check("a b", &["a b"]);
        let words = "words ".repeat(15);
        check(&words, &[&words[..72], &words[72..]]);
        check(&format!("x{words}"), &[&format!("x{}", &words[..66]), &words[66..]]);
        let one = "y".repeat(80);
        check(&one, &[&one[..72], &one[72..]]);
    }

    #[test]
    fn numbers_carry_their_type() {
        check(&Literal::Long(5), "5L");
        check(&Literal::Byte(-3), "(byte) -3");
        check(&Literal::Int(i32::MIN), "Integer.MIN_VALUE");
        check(&Literal::Float(1.5), "1.5f");
        check(&Literal::Double(-0.0), "-0.0");
        check(&Literal::Double(f64::NAN), "Double.NaN");
        check(&Literal::Double(1e300), "1e300");
        check(&Literal::Float(f32::NEG_INFINITY), "Float.NEGATIVE_INFINITY");
    }

    #[test]
    fn text_is_escaped_to_printable_ascii() {
        check(&Literal::Char(0xd800), "'\\ud800'");
        check(&Literal::Char(u16::from(b'\'')), "'\\''");
        check(&Literal::String("a\"b\n\\u0041é".into()), "\"a\\\"b\\n\\\\u0041\\u00e9\"");
        check(&Literal::String(JavaString::from_units(&[0xdc00, 0])), "\"\\udc00\\u0000\"");
    }

    #[test]
    fn a_backslash_behind_half_a_pair_of_surrogates_is_written_as_a_number() {
        let units = |units: &[u16]| Literal::String(JavaString::from_units(units));
        let [backslash, u] = [b'\\', b'u'].map(u16::from);
        check(&units(&[0xd800, backslash, u]), "\"\\ud800\\134u\"");
        check(&units(&[0xd800, 0xdbff, backslash, 0xd801]), "\"\\ud800\\udbff\\134\\ud801\"");
        check(&units(&[0xd83d, 0xde00, backslash, u]), "\"\\ud83d\\ude00\\\\u\"");
        check(&units(&[0xdc00, backslash, u]), "\"\\udc00\\\\u\"");
    }

    #[test]
    fn a_string_past_the_class_file_limit_is_rejected() {
        let scope =
            Scope { classes: &Nothing, package: "a", files: Style::of(&Options::default()) };
        let long = |n: usize| Literal::String(JavaString::from_units(&vec![0xe9; n]));
        assert!(literal(scope, &long(32_767)).is_ok());
        assert_eq!(
            literal(scope, &long(32_768)).unwrap_err(),
            Rejection::StringTooLong { bytes: 65_536 }
        );
    }
}
