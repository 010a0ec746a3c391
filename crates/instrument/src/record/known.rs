//! What is known of calls by names alone: which are assertions, which compute values.

use super::{RecordSite, SiteKind};

/// Where assertions are: calls there are no part of what a test does to the code it tests.
pub(super) fn is_assertion(owner: &str) -> bool {
    const PACKAGES: [&str; 6] = [
        "org/junit/",
        "junit/",
        "org/hamcrest/",
        "org/assertj/",
        "org/opentest4j/",
        "com/google/common/truth/",
    ];
    PACKAGES.iter().any(|package| owner.starts_with(package))
}

/// Whether objects of a class are values that source can spell.
pub(super) fn is_value(owner: &str) -> bool {
    const BOXES: [&str; 9] =
        ["String", "Boolean", "Byte", "Character", "Short", "Integer", "Long", "Float", "Double"];
    owner.strip_prefix("java/lang/").is_some_and(|name| BOXES.contains(&name))
}

/// Whether something only computes a value that source can spell, of others.
pub(super) fn computes_a_value(site: &RecordSite) -> bool {
    let result = site.descriptor.rsplit(')').next().unwrap_or_default();
    let gives_value = spells(result);
    match site.kind {
        // A primitive value is known where it is used.
        SiteKind::GetStatic => {
            !result.starts_with(['L', '['])
                || site.name.starts_with("$SwitchMap$")
                // `int.class`
                || site.name == "TYPE" && result == "Ljava/lang/Class;"
        }
        SiteKind::GetField => !result.starts_with(['L', '[']),
        SiteKind::New | SiteKind::PutStatic | SiteKind::PutField => false,
        SiteKind::Static | SiteKind::Instance => match &*site.owner {
            "java/lang/Math" | "java/lang/StrictMath" | "java/lang/reflect/Array" => true,
            "java/lang/System" => {
                site.name == "arraycopy" || site.name == "gc" || gives_value && !sets(&site.name)
            }
            "java/lang/Class" => gives_value,
            "java/lang/Object" => site.name == "getClass",
            "java/util/Objects" => site.name == "requireNonNull",
            "java/util/Arrays" => site.name == "fill" || site.name == "toString",
            owner => is_value(owner) && gives_value,
        },
    }
}

fn sets(name: &str) -> bool {
    name.starts_with("set") || name.starts_with("clear")
}

/// Whether values of a type are spelled in source, or arrays of such.
fn spells(descriptor: &str) -> bool {
    let element = descriptor.trim_start_matches('[');
    match element.strip_prefix('L').and_then(|class| class.strip_suffix(';')) {
        Some("java/lang/Class") => true,
        Some(class) => is_value(class),
        None => element != "V",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: SiteKind, (owner, name, descriptor): (&str, &str, &str), expected: bool) {
        let site = RecordSite {
            kind,
            owner: owner.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        };
        assert_eq!(computes_a_value(&site), expected, "{owner}.{name}{descriptor}");
    }

    #[test]
    fn what_gives_values_of_values_is_not_recorded() {
        use SiteKind::{GetField, GetStatic, Instance, Static};
        check(
            Instance,
            ("java/lang/String", "split", "(Ljava/lang/String;)[Ljava/lang/String;"),
            true,
        );
        check(Instance, ("java/lang/String", "chars", "()Ljava/util/stream/IntStream;"), false);
        check(Static, ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"), true);
        check(Static, ("java/lang/System", "setProperty", "()Ljava/lang/String;"), false);
        check(Static, ("shop/Prices", "of", "()I"), false);
        check(GetStatic, ("shop/Prices", "MAX", "I"), true);
        check(GetStatic, ("shop/Prices", "ALL", "Ljava/util/List;"), false);
        check(GetField, ("shop/Price", "cents", "J"), true);
        check(GetStatic, ("java/lang/Void", "TYPE", "Ljava/lang/Class;"), true);
    }
}
