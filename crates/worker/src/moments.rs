//! Which time it is where tests are checked: at chosen moments, the same ones on every day that
//! Testhound runs, so that what is written does not depend on when it was.
//! Code that knows a year knows those around it: they are among the moments, past ones too.
//!
//! The two environments differ in whatever code asks a date for. Two moments do not show a test that
//! holds on weekdays only; so tests that ask for the date also run at those of [`calendar`].

use std::ops::Range;

use crate::environment::Environment;
use crate::setup::Role;

/// Milliseconds.
const DAY: i64 = 24 * HOUR;
const HOUR: i64 = 3_600_000;
const MINUTE: i64 = 60_000;
const SECOND: i64 = 1000;

/// When the usual environment's clock starts: 2027-03-04 01:38:10 UTC, a Thursday.
pub(crate) const USUAL: i64 = 1_804_124_290_000;
/// The changed one's: 2043-10-24 20:17:05 UTC, a Saturday. In other years, so that decades differ, in
/// the other half of the day and of the year, on another weekday and day of the month, in another hour
/// and minute; in UTC and in the time zones of the two.
pub(crate) const CHANGED: i64 = 2_329_330_625_000;

/// When the clock of a runner starts.
pub(crate) fn starting(role: Role) -> i64 {
    if role == Role::Runner(Environment::Changed) { CHANGED } else { USUAL }
}

/// Dates by the year round, of which code may know: the turn of the year, a leap day, feasts, a Friday
/// the 13th, ends of quarters.
const DATES: [(i64, i64, i64); 8] = [
    (2092, 1, 1),
    (2092, 2, 29),
    (2093, 3, 13),
    (2093, 4, 1),
    (2093, 6, 30),
    (2093, 10, 31),
    (2093, 12, 25),
    (2093, 12, 31),
];

/// The years in which tests are soon run, and code that knows a year knows one of them: a test that
/// holds in all others only is red from its first day on. A moment in every month of each.
const SOON: Range<i64> = 2022..2030;

/// Moments that have every month, day of the month, weekday, hour, minute and second between them: one
/// a month for the years that are soon, then one a year, and some dates that stand out; from the
/// earliest to the latest.
pub(crate) fn calendar() -> Vec<i64> {
    let soon = (0..).zip(SOON.flat_map(|year| (1..=12).map(move |month| (year, month))));
    // Not the same day of the month in the same month of another year.
    let soon = soon.map(|(number, (year, month))| at((year, month, number * 13 % 28 + 1), number));
    let ordinary = (0..62).map(|number| {
        let day = number % 31 + 1;
        // All months have days so low; of the others one that has them all.
        let month = if day <= 28 { number * 5 % 12 } else { [0, 2, 4, 6, 7, 9, 11][number % 7] };
        let number = number as i64;
        at((2030 + number, month as i64 + 1, day as i64), number)
    });
    let dates = (62..).zip(DATES).map(|(number, date)| at(date, number));
    soon.chain(ordinary).chain(dates).collect()
}

/// A moment of a day; another minute and second for every number, and half a day apart for the same day
/// of the month: what is one day in UTC may be the next elsewhere.
fn at((year, month, day): (i64, i64, i64), number: i64) -> i64 {
    let hour = (number * 7 + number / 31 * 11) % 24;
    let time = hour * HOUR + number * 37 % 60 * MINUTE + number * 23 % 60 * SECOND;
    days_until(year, month, day) * DAY + time
}

/// The days from the first of 1970 until a date after it.
fn days_until(year: i64, month: i64, day: i64) -> i64 {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let years: i64 = (1970..year).map(|year| 365 + i64::from(is_leap(year))).sum();
    let lengths = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30];
    let months: i64 = lengths.iter().take(month as usize - 1).sum();
    years + months + day - 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// How far the usual environment's time zone is ahead of UTC: `Asia/Tokyo`, the year round.
    const USUAL_ZONE: i64 = 9 * HOUR;
    /// The same for the changed one, in winter and in summer: `America/St_Johns`. Its half hour tells
    /// what depends on the zone from what two zones of whole hours have in common.
    const CHANGED_ZONES: [i64; 2] = [-(3 * HOUR + 30 * MINUTE), -(2 * HOUR + 30 * MINUTE)];

    /// Year, month, day, weekday from Thursday on, hour, minute and second of a moment.
    fn fields(millis: i64) -> [i64; 7] {
        let days = millis.div_euclid(DAY);
        let year = (1970..).take_while(|year| days_until(*year, 1, 1) <= days).last().unwrap();
        let month = (1..=12).take_while(|month| days_until(year, *month, 1) <= days).last();
        let month = month.unwrap();
        let day = days - days_until(year, month, 1) + 1;
        let time = millis.rem_euclid(DAY);
        let weekday = days.rem_euclid(7);
        [year, month, day, weekday, time / HOUR, time / MINUTE % 60, time / SECOND % 60]
    }

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, (year, month, day)) in [
            (0, (1970, 1, 1)),
            (58, (1970, 2, 28)),
            (59, (1970, 3, 1)),
            (789, (1972, 2, 29)),
            (11_016, (2000, 2, 29)),
            (20_410, (2025, 11, 18)),
            (47_541, (2100, 3, 1)),
        ] {
            assert_eq!(days_until(year, month, day), days, "{year}-{month}-{day}");
        }
    }

    #[test]
    fn the_two_environments_have_nothing_of_a_date_in_common() {
        assert_eq!(fields(USUAL), [2027, 3, 4, 0, 1, 38, 10]);
        assert_eq!(fields(CHANGED), [2043, 10, 24, 2, 20, 17, 5]);
        let differ = |a: i64, b: i64| {
            let (a, b) = (fields(a), fields(b));
            assert!((0..7).all(|field| a[field] != b[field]), "{a:?} {b:?}");
            assert_ne!(a[1] <= 6, b[1] <= 6, "the half of the year");
            assert_ne!(a[4] < 12, b[4] < 12, "the half of the day");
        };
        differ(USUAL, CHANGED);
        for zone in CHANGED_ZONES {
            differ(USUAL + USUAL_ZONE, CHANGED + zone);
        }
    }

    #[test]
    fn the_calendar_has_every_part_of_a_date() {
        for zone in [0, USUAL_ZONE] {
            let all: Vec<[i64; 7]> = calendar().into_iter().map(|m| fields(m + zone)).collect();
            let distinct = |field: usize| all.iter().map(|f| f[field]).collect::<BTreeSet<_>>();
            for (field, count) in [(1, 12), (2, 31), (3, 7), (4, 24), (5, 60), (6, 60)] {
                assert_eq!(distinct(field).len(), count, "field {field}, zone {zone}");
            }
        }
        let dates: Vec<[i64; 7]> = calendar().into_iter().map(fields).collect();
        assert!(dates.iter().any(|f| f[2] == 13 && f[3] == 1), "a Friday the 13th");
        assert!(calendar().is_sorted(), "no clock goes back");
    }

    #[test]
    fn the_calendar_has_the_years_in_which_tests_are_run() {
        let all: Vec<[i64; 7]> = calendar().into_iter().map(fields).collect();
        let of = |year: i64, field: usize| {
            let of_year = all.iter().filter(|f| f[0] == year);
            of_year.map(|f| f[field]).collect::<BTreeSet<_>>().len()
        };
        for year in 2022..=2029 {
            let [months, days, weekdays, hours] = [1, 2, 3, 4].map(|field| of(year, field));
            assert_eq!(months, 12, "{year}");
            assert_eq!((days, weekdays, hours), (12, 7, 12), "{year}");
        }
        for year in 2030..=2091 {
            assert_eq!(of(year, 1), 1, "{year}");
        }
        let of_month = |month: i64| {
            let of_month = all.iter().filter(|f| f[1] == month && SOON.contains(&f[0]));
            of_month.map(|f| f[2]).collect::<BTreeSet<_>>().len()
        };
        assert!((1..=12).all(|month| of_month(month) >= 7), "a month has its days");
    }
}
