//! Which methods read a text that has to have a certain form: those throw unless it has.
//!
//! Told by their shape, not by a list: what takes one text and makes an object of its own class of
//! it (`LocalDate.parse`, `UUID.fromString`, `Charset.forName`, `valueOf` of an enum), or a number.
//! Which texts they read is not known here.

use classfile::MethodDescriptor;

/// Whether a method reads a text, which can be told.
pub(crate) fn reads_text(owner: &str, name: &str, descriptor: &str, is_static: bool) -> bool {
    let Ok(parsed) = MethodDescriptor::parse(descriptor) else { return false };
    let is_text =
        |param: &&str| matches!(*param, "Ljava/lang/String;" | "Ljava/lang/CharSequence;");
    let params = &parsed.parameters;
    let is_one_slot = |param: &&str| !matches!(*param, "J" | "D");
    let can_be_told = match &params[..] {
        [.., last] if is_text(last) => true,
        [.., text, last] => is_text(text) && is_one_slot(last),
        _ => false,
    };
    if !can_be_told || params.iter().filter(|param| is_text(param)).count() != 1 {
        return false;
    }
    let makes_own =
        parsed.result.strip_prefix('L').and_then(|result| result.strip_suffix(';')) == Some(owner);
    if is_static && name == "valueOf" && params.len() == 1 && makes_own {
        return true;
    }
    // A text made of a text need not have any form.
    if !owner.starts_with("java/") || owner == "java/lang/String" {
        return false;
    }
    let makes_number = name.starts_with("parse")
        && matches!(parsed.result, "I" | "J" | "S" | "B" | "F" | "D" | "Z");
    match name {
        "<init>" => {
            params.len() == 1 && ["java/math/", "java/net/"].iter().any(|p| owner.starts_with(p))
        }
        _ if is_static => {
            makes_own || makes_number || owner == "java/lang/Enum" && name == "valueOf"
        }
        "parse" | "loadClass" => true,
        _ => false,
    }
}

/// Whether the text is the last argument of such a method.
pub(crate) fn is_last(descriptor: &str) -> bool {
    ["Ljava/lang/String;)", "Ljava/lang/CharSequence;)"].iter().any(|end| descriptor.contains(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(owner: &str, name: &str, descriptor: &str, is_static: bool, expected: bool) {
        assert_eq!(reads_text(owner, name, descriptor, is_static), expected, "{owner}.{name}");
    }

    #[test]
    fn what_makes_something_of_a_text_reads_it() {
        check("java/lang/Integer", "parseInt", "(Ljava/lang/String;I)I", true, true);
        check("java/math/BigDecimal", "<init>", "(Ljava/lang/String;)V", false, true);
        check(
            "java/time/LocalDate",
            "parse",
            "(Ljava/lang/CharSequence;Ljava/time/format/DateTimeFormatter;)Ljava/time/LocalDate;",
            true,
            true,
        );
        check("shop/Color", "valueOf", "(Ljava/lang/String;)Lshop/Color;", true, true);
        check(
            "java/lang/Enum",
            "valueOf",
            "(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;",
            true,
            true,
        );
        check("java/text/DateFormat", "parse", "(Ljava/lang/String;)Ljava/util/Date;", false, true);
    }

    #[test]
    fn what_takes_any_text_does_not_read_it() {
        check("java/lang/String", "valueOf", "(Ljava/lang/Object;)Ljava/lang/String;", true, false);
        check("java/lang/StringBuilder", "<init>", "(Ljava/lang/String;)V", false, false);
        check("java/lang/Exception", "<init>", "(Ljava/lang/String;)V", false, false);
        check("shop/Shop", "open", "(Ljava/lang/String;)Lshop/Shop;", true, false);
        check(
            "java/lang/String",
            "format",
            "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;",
            true,
            false,
        );
    }
}
