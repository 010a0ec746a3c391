//! The pairs of releases; how they were chosen stands in the parent module.

use crate::library::library;
use crate::{Library, Role, StudyError};

/// A release with a documented fix, and the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The library, in its fixed release.
    pub fixed: Library,
    /// The version of the release with the bug.
    pub buggy: &'static str,
    /// The classes that tests are written for, by binary name.
    pub classes: &'static [&'static str],
    /// The key in the library's tracker.
    pub issue: &'static str,
    /// What was wrong, in our words.
    pub wrong: &'static str,
}

const CLI: (&str, &str) = ("commons-cli", "commons-cli");
const CODEC: (&str, &str) = ("commons-codec", "commons-codec");
const COLLECTIONS: (&str, &str) = ("org.apache.commons", "commons-collections4");
const CSV: (&str, &str) = ("org.apache.commons", "commons-csv");
const IO: (&str, &str) = ("commons-io", "commons-io");
const LANG: (&str, &str) = ("org.apache.commons", "commons-lang3");
const MATH: (&str, &str) = ("org.apache.commons", "commons-math3");
const NET: (&str, &str) = ("commons-net", "commons-net");
const TEXT: (&str, &str) = ("org.apache.commons", "commons-text");
const VALIDATOR: (&str, &str) = ("commons-validator", "commons-validator");
const JODA: (&str, &str) = ("joda-time", "joda-time");
const JSOUP: (&str, &str) = ("org.jsoup", "jsoup");

/// All pairs, by library, newest first.
pub const PAIRS: [Pair; 23] = [
    pair(
        CLI,
        ("1.9.0", "1.10.0"),
        &["org.apache.commons.cli.Options"],
        (
            "CLI-347",
            "required options of a group that is added stay in the list of required options",
        ),
    ),
    pair(
        CLI,
        ("1.5.0", "1.6.0"),
        &["org.apache.commons.cli.DefaultParser"],
        ("CLI-317", "parsing throws a null pointer exception"),
    ),
    pair(
        CODEC,
        ("1.22.0", "1.22.1"),
        &[
            "org.apache.commons.codec.binary.Base64",
            "org.apache.commons.codec.binary.Base64$Builder",
        ],
        ("CODEC-344", "a table that is no alphabet for Base64 is accepted by the builder"),
    ),
    pair(
        CODEC,
        ("1.21.0", "1.22.0"),
        &["org.apache.commons.codec.language.Metaphone"],
        ("CODEC-249", "the letters CH are encoded against the rules"),
    ),
    pair(
        COLLECTIONS,
        ("4.5.0", "4.6.0"),
        &["org.apache.commons.collections4.MapUtils"],
        (
            "COLLECTIONS-874",
            "a long value from a map is cut to a byte where a function gives the default",
        ),
    ),
    pair(
        COLLECTIONS,
        ("4.4", "4.5.0-M1"),
        &["org.apache.commons.collections4.set.UnmodifiableNavigableSet"],
        ("COLLECTIONS-799", "polling takes elements out of an unmodifiable set"),
    ),
    pair(
        CSV,
        ("1.11.0", "1.12.0"),
        &["org.apache.commons.csv.CSVFormat"],
        ("CSV-294", "a double quote is not taken as escape character"),
    ),
    pair(
        CSV,
        ("1.9.0", "1.10.0"),
        &["org.apache.commons.csv.CSVRecord"],
        ("CSV-269", "a column is looked up by what an enum constant prints, not by its name"),
    ),
    pair(
        IO,
        ("2.21.0", "2.22.0"),
        &["org.apache.commons.io.output.WriterOutputStream"],
        ("IO-887", "a stream made by the builder fails on bytes that are not valid in the charset"),
    ),
    pair(
        IO,
        ("2.18.0", "2.19.0"),
        &["org.apache.commons.io.IOUtils"],
        ("IO-871", "streams are compared wrongly where one says that fewer bytes are available"),
    ),
    pair(
        LANG,
        ("3.20.0", "3.21.0"),
        &["org.apache.commons.lang3.math.NumberUtils"],
        ("LANG-1729", "full-width digits with a decimal point count as parsable"),
    ),
    pair(
        LANG,
        ("3.19.0", "3.20.0"),
        &["org.apache.commons.lang3.reflect.MethodUtils"],
        ("LANG-1789", "a null pointer exception is thrown instead of that for a missing method"),
    ),
    pair(
        MATH,
        ("3.5", "3.6"),
        &["org.apache.commons.math3.util.FastMath"],
        ("MATH-1269", "the exponential of some numbers is no number"),
    ),
    pair(
        MATH,
        ("3.4.1", "3.5"),
        &["org.apache.commons.math3.random.EmpiricalDistribution"],
        ("MATH-1208", "a cumulative probability within a constant bin is no number"),
    ),
    pair(
        NET,
        ("3.6", "3.7"),
        &[
            "org.apache.commons.net.util.SubnetUtils",
            "org.apache.commons.net.util.SubnetUtils$SubnetInfo",
        ],
        ("NET-641", "0.0.0.0 counts as in range of every network of one or two addresses"),
    ),
    pair(
        NET,
        ("3.3", "3.4"),
        &["org.apache.commons.net.smtp.SimpleSMTPHeader"],
        ("NET-582", "a header without recipient cannot be made"),
    ),
    pair(
        TEXT,
        ("1.14.0", "1.15.0"),
        &["org.apache.commons.text.TextStringBuilder"],
        ("TEXT-236", "inserting at the end throws an index exception"),
    ),
    pair(
        TEXT,
        ("1.11.0", "1.12.0"),
        &["org.apache.commons.text.WordUtils"],
        ("TEXT-232", "words are taken as patterns when they are looked for"),
    ),
    pair(
        VALIDATOR,
        ("1.10.1", "1.11.0"),
        &["org.apache.commons.validator.routines.InetAddressValidator"],
        ("VALIDATOR-508", "an IPv6 address with a sign in a group is valid"),
    ),
    pair(
        VALIDATOR,
        ("1.8.0", "1.9.0"),
        &["org.apache.commons.validator.util.ValidatorUtils"],
        ("VALIDATOR-492", "the copy of a map comes out empty"),
    ),
    pair(
        JODA,
        ("2.10.1", "2.10.2"),
        &["org.joda.time.Period"],
        ("#487", "a period made of years holds one value too many"),
    ),
    pair(
        JSOUP,
        ("1.22.2", "1.23.1"),
        &["org.jsoup.helper.W3CDom"],
        ("#2504", "plain XML elements get the reserved XML namespace as their default"),
    ),
    pair(
        JSOUP,
        ("1.22.1", "1.22.2"),
        &["org.jsoup.safety.Cleaner"],
        ("#2475", "cleaning makes relative addresses of the input document absolute"),
    ),
];

const fn pair(
    (group, artifact): (&'static str, &'static str),
    (buggy, fixed): (&'static str, &'static str),
    classes: &'static [&'static str],
    (issue, wrong): (&'static str, &'static str),
) -> Pair {
    Pair { fixed: library(group, artifact, fixed), buggy, classes, issue, wrong }
}

impl Pair {
    /// The library in its release with the bug.
    pub fn buggy(&self) -> Library {
        Library { version: self.buggy, ..self.fixed }
    }

    /// Pairs with their roles, of the libraries or issues of these names; all if there are none.
    pub fn named(names: &[String]) -> Result<Vec<(Self, Role)>, StudyError> {
        let is_called = |pair: &Self, name: &String| pair.fixed.name == name || pair.issue == name;
        for name in names {
            if !PAIRS.iter().any(|pair| is_called(pair, name)) {
                let known: Vec<&str> = PAIRS.iter().map(|pair| pair.issue).collect();
                let known = known.join(", ");
                return Err(StudyError::NoSuchLibrary { name: name.clone(), known });
            }
        }
        let all = PAIRS.iter().enumerate().map(|(n, pair)| (*pair, Role::of_position(n)));
        let wanted = |(pair, _): &(Self, Role)| {
            names.is_empty() || names.iter().any(|name| is_called(pair, name))
        };
        Ok(all.filter(wanted).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_table_keeps_to_its_rule() {
        assert!(PAIRS.len() >= 15);
        let mut of_library: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for pair in PAIRS {
            assert_ne!(pair.buggy, pair.fixed.version, "{}", pair.issue);
            assert!(!pair.classes.is_empty() && !pair.wrong.is_empty(), "{}", pair.issue);
            of_library.entry(pair.fixed.name).or_default().push(pair.fixed.version);
        }
        assert!(of_library.len() >= 8, "{of_library:?}");
        for releases in of_library.values() {
            assert!(releases.len() <= 2, "{releases:?}");
            assert!(releases.len() < 2 || releases[0] != releases[1], "{releases:?}");
        }
    }

    #[test]
    fn pairs_go_by_library_or_issue_and_keep_their_roles() {
        let roles = |name: &str| -> Vec<Role> {
            let pairs = Pair::named(&[name.to_owned()]).expect("known");
            pairs.iter().map(|(_, role)| *role).collect()
        };
        assert_eq!(roles("commons-cli"), [Role::Tuning, Role::HeldOut]);
        assert_eq!(roles("CLI-317"), [Role::HeldOut]);
        assert!(Pair::named(&["CLI-0".to_owned()]).is_err());
    }
}
