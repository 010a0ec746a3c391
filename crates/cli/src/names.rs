//! Names as people type them: found if they can be, else answered with the nearest there is.

use model::ClassName;

/// Names shown as a guess.
const MAX_GUESSES: usize = 3;

/// The class of that binary name, or with dots for nested classes too.
pub(crate) fn resolve(wanted: &str, exists: impl Fn(&ClassName) -> bool) -> Option<ClassName> {
    let mut name = ClassName::binary(wanted);
    loop {
        if exists(&name) {
            return Some(name);
        }
        let internal = name.as_internal();
        let at = internal.rfind('/')?;
        name = ClassName::internal(&format!("{}${}", &internal[..at], &internal[at + 1..]));
    }
}

/// `; did you mean a or b?`, or nothing if no candidate comes near. A candidate is what is compared
/// and what is shown for it.
pub(crate) fn did_you_mean(
    wanted: &str,
    candidates: impl IntoIterator<Item = (String, String)>,
) -> String {
    let wanted = wanted.to_lowercase();
    // A short word is another word after two changes.
    let limit = (wanted.chars().count() / 3).clamp(1, 2);
    let mut found: Vec<(usize, String)> = candidates
        .into_iter()
        .map(|(compared, shown)| (distance(&wanted, &compared.to_lowercase()), shown))
        .filter(|(distance, _)| *distance <= limit)
        .collect();
    found.sort();
    found.dedup_by(|a, b| a.1 == b.1);
    let best = found.first().map_or(0, |(distance, _)| *distance);
    let shown: Vec<String> = found
        .into_iter()
        .take_while(|(distance, _)| *distance == best)
        .take(MAX_GUESSES)
        .map(|(_, shown)| shown)
        .collect();
    if shown.is_empty() { String::new() } else { format!("; did you mean {}?", shown.join(" or ")) }
}

/// The last part of a name, nested classes by their own.
pub(crate) fn simple(name: &str) -> &str {
    name.rsplit(['.', '/', '$']).next().unwrap_or(name)
}

/// Letters to change, add or take away to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_of_the_finger_are_counted() {
        assert_eq!(distance("version", "version"), 0);
        assert_eq!(distance("versoin", "version"), 2);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("stak", "stack"), 1);
    }

    #[test]
    fn only_the_nearest_names_are_guessed() {
        let check = |wanted: &str, expected: &str| {
            let names = ["Stack", "Sack", "Queue"].map(|n| (n.to_owned(), format!("a.{n}")));
            assert_eq!(did_you_mean(wanted, names), expected);
        };
        check("stack", "; did you mean a.Stack?");
        check("Slack", "; did you mean a.Sack or a.Stack?");
        check("Deque", "");
        check("X", "");
    }

    #[test]
    fn a_nested_class_may_be_written_with_dots() {
        let nested = ClassName::binary("a.B$C$D");
        let exists = |name: &ClassName| *name == nested;
        assert_eq!(resolve("a.B.C.D", exists), Some(nested.clone()));
        assert_eq!(resolve("a.B$C.D", exists), Some(nested.clone()));
        assert_eq!(resolve("a.B.C", exists), None);
    }
}
