//! Which called methods compare, and what with what.
//!
//! Told by names and descriptors, so that what a call would come to does not matter: a method of the
//! project that overrides `equals` compares as any other does.
//!
//! Invariant: the operands are on top of the stack, under one argument of one slot at most.

use classfile::ClassFile;
use classfile::opcode::*;

use super::read;
use crate::plan::{ComparisonKind, ReadBy};

/// Methods of `String` that compare it with a text.
const TEXT_METHODS: [&str; 11] = [
    "equals",
    "equalsIgnoreCase",
    "startsWith",
    "endsWith",
    "contains",
    "contentEquals",
    "compareTo",
    "compareToIgnoreCase",
    "indexOf",
    "lastIndexOf",
    "matches",
];

/// What a called method compares.
pub(super) fn called(class: &ClassFile, index: u16, op: u8) -> Option<ComparisonKind> {
    let member = class.pool.member_ref(index).ok()?;
    let is_static = op == INVOKESTATIC;
    if op == INVOKESPECIAL && *member.name != *"<init>" {
        return None;
    }
    compares(&member.class, &member.name, &member.descriptor, is_static)
}

fn compares(owner: &str, name: &str, descriptor: &str, is_static: bool) -> Option<ComparisonKind> {
    if owner == "java/util/regex/Pattern" && takes_text_to_match(name, descriptor) {
        return Some(ComparisonKind::Object("matcher".to_owned()));
    }
    let (params, result) = descriptor.split_once(')')?;
    let named = if is_static {
        of_static(owner, name, params)
    } else {
        of_object(owner, name, (params, result))
    };
    if named.is_some() {
        return named;
    }
    if read::reads_text(owner, name, descriptor, is_static) {
        let (class, name) = (owner.to_owned(), name.to_owned());
        let descriptor = descriptor.to_owned();
        return Some(ComparisonKind::Read(ReadBy { class, name, descriptor }));
    }
    let hashed = !is_static && owner == "java/lang/String" && name == "hashCode";
    hashed.then_some(ComparisonKind::Hash)
}

fn of_object(owner: &str, name: &str, descriptor: (&str, &str)) -> Option<ComparisonKind> {
    let object = || Some(ComparisonKind::Object(name.to_owned()));
    let is_text = owner == "java/lang/String" && TEXT_METHODS.contains(&name);
    match descriptor {
        ("(Ljava/lang/Object;", "Z") => match name {
            "equals" => object(),
            "contains" | "containsKey" | "containsValue" => Some(ComparisonKind::Held),
            _ => None,
        },
        ("(Ljava/lang/Object;", "Ljava/lang/Object;") => {
            let of_map = owner.starts_with("java/util/") && owner.ends_with("Map");
            (of_map && name == "get").then_some(ComparisonKind::Held)
        }
        ("(Ljava/lang/String;" | "(Ljava/lang/CharSequence;", "Z" | "I") if is_text => object(),
        ("(Ljava/lang/String;I", "Z" | "I") if is_text => {
            Some(ComparisonKind::Placed(name.to_owned()))
        }
        ("(I", "I") if is_text => Some(ComparisonKind::Character { beneath: false }),
        ("(II", "I") if is_text => Some(ComparisonKind::Character { beneath: true }),
        (of, "I") if name == "compareTo" && is_box(owner) => {
            let same = of.strip_prefix("(L").and_then(|of| of.strip_suffix(';')) == Some(owner);
            same.then(object).flatten()
        }
        _ => None,
    }
}

fn of_static(owner: &str, name: &str, params: &str) -> Option<ComparisonKind> {
    match (owner, name, params) {
        ("java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;") => {
            Some(ComparisonKind::Object(name.to_owned()))
        }
        ("java/lang/Integer", "compare", "(II")
        | ("java/lang/Character", "compare", "(CC")
        | ("java/lang/Short", "compare", "(SS")
        | ("java/lang/Byte", "compare", "(BB") => Some(ComparisonKind::Order),
        ("java/util/Arrays", "equals", "([I[I" | "([J[J" | "([S[S" | "([B[B" | "([C[C") => {
            Some(ComparisonKind::Elements)
        }
        _ => None,
    }
}

fn is_box(owner: &str) -> bool {
    let name = owner.strip_prefix("java/lang/").unwrap_or_default();
    ["Integer", "Long", "Short", "Byte", "Character"].contains(&name)
}

/// Whether a method of `Pattern` takes a text after a regular expression, which may be the pattern
/// itself.
fn takes_text_to_match(name: &str, descriptor: &str) -> bool {
    matches!(
        (name, descriptor.split_once(')')),
        ("matcher", Some(("(Ljava/lang/CharSequence;", _)))
            | ("matches", Some(("(Ljava/lang/String;Ljava/lang/CharSequence;", _)))
    )
}

/// Whether a method tells how many things its object has, or whether it has any.
pub(super) fn counts(name: &str, descriptor: &str) -> bool {
    matches!((name, descriptor), ("size" | "length", "()I") | ("isEmpty", "()Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: (&str, &str, &str), is_static: bool, expected: Option<ComparisonKind>) {
        let (owner, name, descriptor) = method;
        assert_eq!(compares(owner, name, descriptor, is_static), expected, "{owner}.{name}");
    }

    #[test]
    fn texts_are_compared_by_methods_that_take_a_place_too() {
        let placed = |name: &str| Some(ComparisonKind::Placed(name.to_owned()));
        let text = "java/lang/String";
        check((text, "startsWith", "(Ljava/lang/String;I)Z"), false, placed("startsWith"));
        check((text, "indexOf", "(Ljava/lang/String;I)I"), false, placed("indexOf"));
        let one = ComparisonKind::Character { beneath: false };
        check((text, "indexOf", "(I)I"), false, Some(one));
        let from = ComparisonKind::Character { beneath: true };
        check((text, "lastIndexOf", "(II)I"), false, Some(from));
        check((text, "charAt", "(I)C"), false, None);
    }

    #[test]
    fn what_is_looked_up_is_compared_with_what_is_held() {
        let held = Some(ComparisonKind::Held);
        check(("java/util/Map", "containsKey", "(Ljava/lang/Object;)Z"), false, held.clone());
        check(("java/util/Set", "contains", "(Ljava/lang/Object;)Z"), false, held.clone());
        check(("java/util/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;"), false, held);
        check(("shop/Map", "get", "(Ljava/lang/Object;)Ljava/lang/Object;"), false, None);
    }

    #[test]
    fn numbers_are_compared_by_methods() {
        let boxed = Some(ComparisonKind::Object("compareTo".to_owned()));
        check(("java/lang/Integer", "compareTo", "(Ljava/lang/Integer;)I"), false, boxed);
        check(("java/lang/Integer", "compareTo", "(Ljava/lang/Object;)I"), false, None);
        check(("java/lang/Integer", "compare", "(II)I"), true, Some(ComparisonKind::Order));
        check(("java/util/Arrays", "equals", "([I[I)Z"), true, Some(ComparisonKind::Elements));
        check(("java/util/Arrays", "equals", "([D[D)Z"), true, None);
    }
}
