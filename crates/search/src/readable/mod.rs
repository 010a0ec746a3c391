//! Texts that have the form which something asks for: what methods of the JDK read, what a regular
//! expression matches, what a date looks like in a format.
//!
//! Both sides use them: calls of the JDK that a search makes itself, and arguments of code under test
//! that hands them on to such calls. Tests show them to people, so they look like what they stand for.

mod dates;
mod matching;

pub use dates::dates_in;
pub use matching::matching;

/// What a table says of the constructors and static methods of a class.
const FACTORIES: &str = "";

/// Fields of a text and of a number.
const CONSTANTS: &[&str] = &["CASE_INSENSITIVE_ORDER", "MAX_VALUE"];

/// Texts by the class and the method that reads them; few others make it return.
const TEXTS: [(&str, &str, &[&str]); 38] = [
    ("java/lang/Boolean", FACTORIES, &["true", "false"]),
    (
        "java/lang/Class",
        FACTORIES,
        &["java.lang.String", "java.util.ArrayList", "java.lang.Runnable"],
    ),
    ("java/lang/Class", "getMethod", &["toString", "hashCode", "getClass"]),
    ("java/lang/Class", "getDeclaredMethod", &["toString", "hashCode"]),
    ("java/lang/Class", "getField", CONSTANTS),
    ("java/lang/Class", "getDeclaredField", CONSTANTS),
    ("java/lang/ClassLoader", "loadClass", &["java.lang.String", "java.util.ArrayList"]),
    ("java/math/BigDecimal", FACTORIES, &["0", "1.50", "-20", "1E+3"]),
    ("java/math/BigInteger", FACTORIES, &["0", "15", "-20"]),
    ("java/net/URL", FACTORIES, &["http://example.com/", "http://example.com/a?b=c#d"]),
    (
        "java/net/URI",
        FACTORIES,
        &["http://example.com/", "https://example.com:8080/a?b=c#d", "a/b", "mailto:a@b"],
    ),
    ("java/nio/charset/Charset", FACTORIES, &["UTF-8", "US-ASCII"]),
    ("java/util/Locale", FACTORIES, &["en", "en-US", "de", "US"]),
    ("java/util/TimeZone", FACTORIES, &["UTC", "GMT+1", "Europe/Paris"]),
    ("java/util/SimpleTimeZone", FACTORIES, &["UTC"]),
    ("java/util/Currency", FACTORIES, &["EUR", "USD"]),
    (
        "java/util/UUID",
        FACTORIES,
        &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0001-0000-000000000002"],
    ),
    ("java/time/ZoneId", FACTORIES, &["UTC", "Europe/Paris", "+01:00"]),
    ("java/time/ZoneOffset", FACTORIES, &["Z", "+01:00"]),
    ("java/time/Year", FACTORIES, &["2024", "1999"]),
    ("java/time/YearMonth", FACTORIES, &["2024-02", "1999-12"]),
    ("java/time/MonthDay", FACTORIES, &["--02-29", "--12-31"]),
    ("java/time/LocalDate", FACTORIES, &["2024-02-29", "2021-01-03", "1969-12-31"]),
    ("java/time/LocalTime", FACTORIES, &["12:30", "23:59:59", "00:00"]),
    ("java/time/LocalDateTime", FACTORIES, &["2024-02-29T12:30", "2021-01-03T00:00:01"]),
    ("java/time/OffsetTime", FACTORIES, &["12:30Z", "23:59:59+01:00"]),
    ("java/time/OffsetDateTime", FACTORIES, &["2024-02-29T12:30:00Z", "2021-01-03T00:00:01+01:00"]),
    (
        "java/time/ZonedDateTime",
        FACTORIES,
        &["2024-02-29T12:30:00Z", "2021-01-03T00:00:01+01:00[Europe/Paris]"],
    ),
    ("java/time/Instant", FACTORIES, &["2024-02-29T12:30:00Z", "1969-12-31T23:59:59Z"]),
    ("java/time/Duration", FACTORIES, &["PT1H", "PT0.5S", "PT0S", "-PT15M"]),
    ("java/time/Period", FACTORIES, &["P1D", "P1Y2M", "P0D", "P-3M"]),
    ("java/time/format/DateTimeFormatter", FACTORIES, &["yyyy-MM-dd", "HH:mm"]),
    ("java/text/SimpleDateFormat", FACTORIES, &["yyyy-MM-dd", "HH:mm"]),
    ("java/text/DecimalFormat", FACTORIES, &["#.##", "0.00", "#,##0"]),
    ("java/text/DecimalFormat", "parse", &["1", "-20", "0"]),
    ("java/text/NumberFormat", "parse", &["1", "-20", "0"]),
    // What a temporary file holds.
    ("java/nio/file/Files", FACTORIES, &["", "one", "one\ntwo\n", "a=b\nc=d\n", "1,2\n3,4\n"]),
    ("java/security/MessageDigest", FACTORIES, &["MD5", "SHA-256"]),
];

/// Texts that make constructors and static methods of a class return.
pub fn texts_of_factories(class: &str) -> &'static [&'static str] {
    texts_of_method(class, FACTORIES)
}

/// Texts that make a method return which is called on an object.
pub fn texts_of_method(class: &str, method: &str) -> &'static [&'static str] {
    let found = TEXTS.iter().find(|(of, by, _)| *of == class && *by == method);
    found.map_or(&[], |(_, _, texts)| texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_in_the_table_twice() {
        let keys = TEXTS.iter().map(|(class, method, _)| (*class, *method));
        assert_eq!(keys.collect::<std::collections::BTreeSet<_>>().len(), TEXTS.len());
    }
}
