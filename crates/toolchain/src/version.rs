//! Orders version numbers as far as choosing among libraries needs it.

use std::cmp::Ordering;

/// Compares two versions: numbers by value, and a qualifier (`-M1`, `-RC2`) before its release.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    key(left).cmp(&key(right))
}

/// Whether `version` is at least `minimum`.
pub(crate) fn at_least(version: &str, minimum: &str) -> bool {
    compare(version, minimum) != Ordering::Less
}

/// Whether `version` is a release, not a milestone, candidate or snapshot.
pub(crate) fn is_release(version: &str) -> bool {
    version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains('-')
}

/// The leading numbers without trailing zeros, then whether it is a release, then its qualifier.
fn key(version: &str) -> (Vec<u64>, bool, &str) {
    let (numbers, qualifier) = version.split_once('-').unwrap_or((version, ""));
    let mut numbers: Vec<u64> =
        numbers.split('.').map_while(|number| number.parse().ok()).collect();
    while numbers.last() == Some(&0) {
        numbers.pop();
    }
    (numbers, qualifier.is_empty(), qualifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(smaller: &str, greater: &str) {
        assert_eq!(compare(smaller, greater), Ordering::Less, "{smaller} < {greater}");
        assert_eq!(compare(greater, smaller), Ordering::Greater, "{greater} > {smaller}");
    }

    #[test]
    fn numbers_are_compared_by_value_and_qualifiers_come_before_releases() {
        check("2.12.4", "2.22");
        check("5.9.3", "5.10.0");
        check("3.0.0-M5", "3.0.0");
        check("2.22.2", "3.0.0-M1");
        assert!(at_least("2.22.0", "2.22"));
        assert!(!is_release("5.11.0-M2"));
    }
}
