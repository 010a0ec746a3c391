//! What is known of the JDK besides its class files: what source usually does where an API asks for
//! one of its types.
//!
//! Class files do not tell that a `List` is an `ArrayList` and hardly ever a `Stack`, nor which
//! methods ask the machine. Whatever is not in these tables is found as any other class is. Texts that
//! its methods read are in [`readable`](crate::readable).

/// The classes that commonly stand for the JDK's interfaces and abstract classes, in the order in
/// which they are tried. Where one of them fits, others of the JDK are left alone: some block
/// (`PipedReader`), some wrap what is wanted, some compare by identity.
const USUAL: [&str; 25] = [
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/ArrayDeque",
    "java/util/LinkedHashMap",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/LinkedList",
    "java/util/AbstractMap$SimpleEntry",
    "java/util/Hashtable",
    "java/util/concurrent/ConcurrentHashMap",
    "java/util/concurrent/locks/ReentrantLock",
    "java/io/ByteArrayInputStream",
    "java/io/ByteArrayOutputStream",
    "java/io/StringReader",
    "java/io/StringWriter",
    "java/io/DataInputStream",
    "java/io/DataOutputStream",
    "java/lang/StringBuilder",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/ZoneOffset",
    "java/util/GregorianCalendar",
    "java/util/SimpleTimeZone",
    "java/text/SimpleDateFormat",
];

/// Where a class stands among the usual ones.
pub(super) fn rank_among_usual(class: &str) -> Option<usize> {
    USUAL.iter().position(|usual| *usual == class)
}

/// Classes that have constants or methods for types of other classes.
const ELSEWHERE: [(&str, &str); 12] = [
    ("java/lang/reflect/AccessibleObject", "java/lang/Class"),
    ("java/lang/reflect/Constructor", "java/lang/Class"),
    ("java/lang/reflect/Field", "java/lang/Class"),
    ("java/lang/reflect/Member", "java/lang/Class"),
    ("java/lang/reflect/Method", "java/lang/Class"),
    ("java/nio/charset/Charset", "java/nio/charset/StandardCharsets"),
    ("java/util/List", "java/util/Arrays"),
    ("java/util/Collection", "java/util/Arrays"),
    ("java/util/Iterator", "java/util/List"),
    ("java/util/ListIterator", "java/util/List"),
    ("java/util/Enumeration", "java/util/Collections"),
    ("java/util/Map$Entry", "java/util/Map"),
];

/// Where values of a class are to be had besides.
pub(super) fn elsewhere(class: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(wanted, _)| *wanted == class).map(|(_, holder)| *holder)
}

/// Methods that tell the time, the machine or chance: tests with these hold in one place only.
const FROM_ENVIRONMENT: [&str; 9] = [
    "now",
    "getDefault",
    "systemDefault",
    "systemDefaultZone",
    "defaultCharset",
    "randomUUID",
    "getSystemClassLoader",
    "availableCharsets",
    "currentThread",
];

/// Classes whose constructor without arguments does.
const NEW_FROM_ENVIRONMENT: [&str; 6] = [
    "java/util/Date",
    "java/util/GregorianCalendar",
    "java/util/Random",
    "java/security/SecureRandom",
    "java/text/SimpleDateFormat",
    "java/text/DecimalFormat",
];

/// Whether what the member of a class of the JDK gives differs from machine to machine. `params` is
/// how many parameters it has.
pub(super) fn is_from_environment(class: &str, member: &str, params: usize) -> bool {
    match member {
        "<init>" => params == 0 && NEW_FROM_ENVIRONMENT.contains(&class),
        _ => FROM_ENVIRONMENT.contains(&member),
    }
}

/// Types of things that grow. A number that their constructors take is the room they begin with: it
/// changes nothing that can be seen, and a large one costs as much time as thousands of calls.
pub(super) const GROWING: [&str; 5] = [
    "java/util/Collection",
    "java/util/Map",
    "java/lang/CharSequence",
    "java/io/OutputStream",
    "java/io/Writer",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_in_a_table_twice() {
        let usual = USUAL.iter().copied().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(usual.len(), USUAL.len());
    }
}
