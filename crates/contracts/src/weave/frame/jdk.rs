//! Methods of the JDK that change nothing, by the type they are called on.
//!
//! Invariant: a method stands here only if whatever class of the JDK implements it changes nothing
//! that could be seen, but for what elements of collections do when they are compared.

/// What is known of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// It changes nothing.
    Plain,
    /// It changes nothing if `equals` and the like of what it is given do not.
    OfElements,
    No,
}

/// Classes whose objects never change.
const VALUES: &[&str] = &[
    "BigDecimal",
    "BigInteger",
    "Boolean",
    "Byte",
    "Character",
    "Double",
    "Duration",
    "Float",
    "Instant",
    "Integer",
    "LocalDate",
    "LocalDateTime",
    "LocalTime",
    "Long",
    "Math",
    "Number",
    "Short",
    "StrictMath",
    "String",
];

const COLLECTIONS: &[&str] = &[
    "ArrayDeque",
    "ArrayList",
    "Collection",
    "Deque",
    "HashMap",
    "HashSet",
    "LinkedHashSet",
    "LinkedList",
    "List",
    "Map",
    "NavigableMap",
    "NavigableSet",
    "Queue",
    "Set",
    "SortedMap",
    "SortedSet",
    "Stack",
    "TreeMap",
    "TreeSet",
    "Vector",
];

const READING: &[&str] = &[
    "ceiling",
    "ceilingKey",
    "contains",
    "containsAll",
    "containsKey",
    "containsValue",
    "descendingIterator",
    "element",
    "elementAt",
    "empty",
    "entrySet",
    "equals",
    "first",
    "firstElement",
    "firstKey",
    "floor",
    "floorKey",
    "get",
    "getFirst",
    "getLast",
    "getOrDefault",
    "hashCode",
    "higher",
    "higherKey",
    "indexOf",
    "isEmpty",
    "iterator",
    "keySet",
    "last",
    "lastElement",
    "lastIndexOf",
    "lastKey",
    "listIterator",
    "lower",
    "lowerKey",
    "peek",
    "peekFirst",
    "peekLast",
    "size",
    "subList",
    "toArray",
    "toString",
    "values",
];

/// What is known of a method of a type that is not among the sources.
pub(super) fn changes_nothing(ty: &str, name: &str, count: usize) -> Told {
    if ty.ends_with("[]") {
        return if name == "clone" { Told::Plain } else { Told::No };
    }
    if VALUES.contains(&ty) {
        // What writes into what it is given.
        let writes = matches!(name, "getChars" | "getBytes" if count > 1);
        let calls = matches!((ty, name), ("String", "valueOf" | "format" | "join" | "formatted"));
        let runs = matches!((ty, name), ("String", "transform"));
        return match (writes || runs, calls) {
            (true, _) => Told::No,
            (_, true) => Told::OfElements,
            _ => Told::Plain,
        };
    }
    let reading: &[&str] = match ty {
        _ if COLLECTIONS.contains(&ty) => {
            if matches!((ty, name), ("List" | "Set", "of" | "copyOf") | ("Map", "of" | "copyOf")) {
                return Told::OfElements;
            }
            READING
        }
        "Object" => &["equals", "hashCode", "toString", "getClass"],
        "Comparable" => &["compareTo"],
        "Class" => &["getName", "getSimpleName", "isInstance", "equals", "hashCode", "toString"],
        "Objects" => {
            &["equals", "hash", "hashCode", "toString", "requireNonNull", "isNull", "nonNull"]
        }
        "Collections" => &["emptyList", "emptySet", "emptyMap", "max", "min", "frequency"],
        "Arrays" => &[
            "asList",
            "binarySearch",
            "copyOf",
            "copyOfRange",
            "deepEquals",
            "equals",
            "hashCode",
            "toString",
        ],
        "Optional" => &["get", "isEmpty", "isPresent", "of", "ofNullable", "empty", "equals"],
        "Entry" => &["getKey", "getValue"],
        "StringBuilder" | "StringBuffer" | "CharSequence" => {
            &["charAt", "indexOf", "isEmpty", "lastIndexOf", "length", "substring", "toString"]
        }
        "Iterator" | "ListIterator" => &["hasNext", "hasPrevious"],
        _ if is_thrown(ty) => &["getMessage", "getCause", "toString", "getClass"],
        _ => &[],
    };
    if reading.contains(&name) { Told::OfElements } else { Told::No }
}

/// The type of what some methods answer.
pub(super) fn result(ty: &str, name: &str) -> Option<&'static str> {
    match (ty, name) {
        (
            "String",
            "substring" | "trim" | "strip" | "toLowerCase" | "toUpperCase" | "concat" | "repeat"
            | "replace" | "valueOf" | "format",
        )
        | (_, "toString" | "getName" | "getSimpleName") => Some("String"),
        (_, "getClass") => Some("Class"),
        (_, "keySet" | "entrySet") => Some("Set"),
        ("Map" | "HashMap" | "TreeMap", "values") => Some("Collection"),
        (_, "iterator") => Some("Iterator"),
        ("Integer" | "Long" | "BigInteger" | "BigDecimal", "valueOf") => Some("Number"),
        ("BigInteger" | "BigDecimal", "add" | "subtract" | "multiply" | "divide") => Some("Number"),
        _ => None,
    }
}

/// Whether every object has such a method that, unless it is overridden, changes nothing.
pub(super) fn is_of_object(name: &str, count: usize) -> bool {
    matches!((name, count), ("equals", 1) | ("hashCode" | "toString" | "getClass", 0))
}

/// Classes whose methods change only what they are called on.
pub(super) fn keeps_to_itself(ty: &str) -> bool {
    COLLECTIONS.contains(&ty)
        || matches!(ty, "StringBuilder" | "StringBuffer" | "BitSet" | "Random")
}

/// Whether making an object of a class of the JDK changes nothing else.
pub(super) fn makes_quietly(ty: &str) -> bool {
    let ty = super::super::names::simple(ty);
    let ty = ty.as_str();
    matches!(
        ty,
        "Object" | "LinkedHashMap" | "BitSet" | "PriorityQueue" | "AtomicInteger" | "Random"
    ) || matches!(ty, "StringBuilder" | "StringBuffer" | "AtomicLong" | "Enum" | "Record")
        || COLLECTIONS.contains(&ty)
        || VALUES.contains(&ty)
        || is_thrown(ty)
}

fn is_thrown(ty: &str) -> bool {
    ty.ends_with("Exception") || ty.ends_with("Error") || ty == "Throwable"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_told_by_the_type_they_are_called_on() {
        assert_eq!(changes_nothing("String", "charAt", 1), Told::Plain);
        assert_eq!(changes_nothing("List", "get", 1), Told::OfElements);
        assert_eq!(changes_nothing("List", "add", 1), Told::No);
        assert_eq!(changes_nothing("Supplier", "get", 0), Told::No);
        assert_eq!(changes_nothing("Function", "apply", 1), Told::No);
    }
}
