//! Types as texts: what remains of one without its arguments, what it is an array of.

/// Whether a type is primitive (or no type of values at all).
pub(super) fn is_primitive(ty: &str) -> bool {
    matches!(
        ty.trim(),
        "boolean"
            | "byte"
            | "short"
            | "char"
            | "int"
            | "long"
            | "float"
            | "double"
            | "void"
            | "\\bigint"
            | "\\real"
    )
}

/// A type without annotations and type arguments: `java.util.Map.Entry[]`.
pub(super) fn erased(ty: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let mut chars = ty.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '@' if depth == 0 => {
                while chars.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_')) {
                    chars.next();
                }
                if chars.peek() == Some(&'(') {
                    for c in chars.by_ref() {
                        if c == ')' {
                            break;
                        }
                    }
                }
            }
            c if c.is_whitespace() => {}
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}

/// The same without what stands before the last dot.
pub(super) fn simple(ty: &str) -> String {
    let erased = erased(ty);
    erased.rsplit('.').next().unwrap_or_default().to_owned()
}

/// The type arguments of a type, as texts.
pub(super) fn arguments(ty: &str) -> Vec<String> {
    let Some((open, close)) = ty.find('<').zip(ty.rfind('>')) else { return Vec::new() };
    split(ty.get(open + 1..close).unwrap_or_default())
}

/// The names of type parameters (`<T extends A<B>, U>`), each with its bound, if any.
pub(super) fn parameters(text: &str) -> Vec<(String, Option<String>)> {
    let inner = text.trim().trim_start_matches('<');
    let inner = inner.strip_suffix('>').unwrap_or(inner);
    let parts = split(inner).into_iter();
    parts
        .map(|part| match part.split_once(" extends ") {
            Some((name, bound)) => {
                let first = bound.split('&').next().unwrap_or_default();
                (last_word(name), Some(first.trim().to_owned()))
            }
            None => (last_word(&part), None),
        })
        .filter(|(name, _)| !name.is_empty())
        .collect()
}

fn last_word(text: &str) -> String {
    text.split_whitespace().next_back().unwrap_or_default().to_owned()
}

/// Splits at commas that stand in no angles.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_i32;
    for c in text.chars() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_annotations_are_no_part_of_an_erased_type() {
        assert_eq!(erased("@A(x) java.util.Map<K, List<V>>.Entry []"), "java.util.Map.Entry[]");
        assert_eq!(simple("java.util.Map<K, V>"), "Map");
    }

    #[test]
    fn arguments_and_parameters_are_told_apart_by_commas() {
        assert_eq!(arguments("Map<K, List<A, B>>"), ["K", "List<A, B>"]);
        let found = parameters("<T extends Comparable<T> & X, U>");
        assert_eq!(found[0], ("T".to_owned(), Some("Comparable<T>".to_owned())));
        assert_eq!(found[1], ("U".to_owned(), None));
    }
}
