//! Names in terms of Java.

use classfile::{ClassFile, MethodDescriptor, flags};
use rustc_hash::FxHashMap;

/// The simple name of a class, by its internal name; that of an inner class within its outer one.
pub(crate) fn simple(class: &str) -> &str {
    let last = class.rsplit('/').next().unwrap_or(class);
    match last.rsplit_once('$') {
        Some((_, inner)) if inner.starts_with(char::is_alphabetic) => inner,
        _ => last,
    }
}

/// A type as it is written in Java, by its descriptor, with its simple name.
pub(crate) fn type_name(descriptor: &str) -> String {
    let element = descriptor.trim_start_matches('[');
    let dimensions = descriptor.len() - element.len();
    let name = match element.as_bytes().first() {
        Some(b'L') => simple(element[1..].trim_end_matches(';')),
        Some(b'B') => "byte",
        Some(b'C') => "char",
        Some(b'D') => "double",
        Some(b'F') => "float",
        Some(b'I') => "int",
        Some(b'J') => "long",
        Some(b'S') => "short",
        Some(b'Z') => "boolean",
        _ => "void",
    };
    format!("{name}{}", "[]".repeat(dimensions))
}

/// A method as it is spoken of: `push(int)`, `Stack(int)`, `lambda in push`.
pub(crate) fn member(class: &str, name: &str, descriptor: &str) -> String {
    if name == "<clinit>" {
        return format!("static initializer of {}", simple(class));
    }
    if let Some(rest) = name.strip_prefix("lambda$") {
        return match rest.rsplit_once('$') {
            Some(("new", _)) => format!("lambda in {}", simple(class)),
            Some(("static", _)) => format!("lambda in the static initializer of {}", simple(class)),
            Some((method, _)) => format!("lambda in {method}"),
            None => "lambda".to_owned(),
        };
    }
    let parsed = MethodDescriptor::parse(descriptor);
    let parameters = parsed.map(|parsed| parsed.parameters).unwrap_or_default();
    let parameters: Vec<_> = parameters.into_iter().map(type_name).collect();
    let name = if name == "<init>" { simple(class) } else { name };
    format!("{name}({})", parameters.join(", "))
}

/// For bodies of lambdas, by the index of the method: a name that does not depend on the lambdas of other
/// methods, which compilers count together.
pub(crate) fn lambda_numbers(class: &ClassFile) -> FxHashMap<usize, String> {
    let mut bodies = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        let Ok(name) = method.name(&class.pool) else { continue };
        if !method.has_flag(flags::SYNTHETIC) || !name.starts_with("lambda$") {
            continue;
        }
        if let Some((stem, number)) = name.rsplit_once('$')
            && let Ok(number) = number.parse::<u32>()
        {
            bodies.push((stem.to_owned(), method.descriptor, number, index));
        }
    }
    bodies.sort();
    let mut names = FxHashMap::default();
    let mut next = 0;
    for (at, (stem, descriptor, _, index)) in bodies.iter().enumerate() {
        let same = at > 0 && (&bodies[at - 1].0, &bodies[at - 1].1) == (stem, descriptor);
        next = if same { next + 1 } else { 0 };
        names.insert(*index, format!("{stem}[{next}]"));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, descriptor: &str, expected: &str) {
        assert_eq!(member("org/example/Outer$Stack", name, descriptor), expected);
    }

    #[test]
    fn methods_are_named_as_in_java() {
        check("push", "(ILjava/lang/String;[[J)V", "push(int, String, long[][])");
        check("<init>", "(Ljava/util/Map$Entry;)V", "Stack(Entry)");
        check("<clinit>", "()V", "static initializer of Stack");
        check("lambda$push$3", "(I)I", "lambda in push");
        check("lambda$new$0", "()V", "lambda in Stack");
        check("lambda$static$1", "()V", "lambda in the static initializer of Stack");
        assert_eq!(member("Outer$1", "<init>", "()V"), "Outer$1()");
    }
}
