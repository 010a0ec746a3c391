//! Which time it is in the changed environment.
//!
//! Some fifteen years ahead, so that decades differ, and at a moment that is unlike the real one in
//! whatever code asks a date for: the half of the day, the half of the year and so the quarter, the
//! month, the weekday, the day of the month, hour and minute, each in UTC and in the time zones of
//! the two environments.

/// Milliseconds of a day.
const DAY: i64 = 24 * HOUR;
const HOUR: i64 = 3_600_000;
const MINUTE: i64 = 60_000;

/// How far the usual environment's time zone is ahead of UTC: `Asia/Tokyo`, the year round.
const USUAL_ZONE: i64 = 9 * HOUR;
/// The same for the changed one, in winter and in summer: `America/St_Johns`. Its half hour tells what
/// depends on the zone from what two zones of whole hours have in common.
const CHANGED_ZONES: [i64; 2] = [-(3 * HOUR + 30 * MINUTE), -(2 * HOUR + 30 * MINUTE)];

/// How far ahead the changed environment's clock is, given the real time.
pub(crate) fn clock_shift_millis(now: i64) -> i64 {
    let first_day = now.div_euclid(DAY) + 15 * 365 + 41;
    let minute = if now.div_euclid(MINUTE).rem_euclid(60) == 17 { 43 } else { 17 };
    // A year has days enough, but where it has just turned in one time zone only, the same must hold
    // for the other moment, on a fitting weekday. There always is one (tested).
    let moments = (0..6 * 366).flat_map(|day| (0..24).map(move |hour| (first_day + day, hour)));
    let then = moments
        .map(|(day, hour)| day * DAY + hour * HOUR + minute * MINUTE)
        .find(|then| is_unlike(now, *then))
        .unwrap_or(first_day * DAY + minute * MINUTE);
    then - now
}

/// Whether nothing that dates are asked for is the same at both moments.
fn is_unlike(now: i64, then: i64) -> bool {
    let local = Fields::of(now + USUAL_ZONE);
    Fields::of(now).differs(&Fields::of(then))
        && CHANGED_ZONES.iter().all(|zone| local.differs(&Fields::of(then + zone)))
}

/// What a moment is by the calendar.
#[derive(Debug)]
struct Fields {
    month: i64,
    day: i64,
    weekday: i64,
    hour: i64,
}

impl Fields {
    fn of(millis: i64) -> Self {
        let days = millis.div_euclid(DAY);
        let (month, day) = month_and_day(days);
        let hour = millis.rem_euclid(DAY) / HOUR;
        Self { month, day, weekday: days.rem_euclid(7), hour }
    }

    fn differs(&self, other: &Self) -> bool {
        self.hour / 12 != other.hour / 12
            && self.hour % 12 != other.hour % 12
            && (self.month <= 6) != (other.month <= 6)
            && self.weekday != other.weekday
            && self.day != other.day
    }
}

/// Month and day, from 1 up, of a day counted from the first of 1970.
fn month_and_day(days: i64) -> (i64, i64) {
    let is_leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let mut left = days;
    let mut year = 1970;
    while left < 0 {
        year -= 1;
        left += 365 + i64::from(is_leap(year));
    }
    while left >= 365 + i64::from(is_leap(year)) {
        left -= 365 + i64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + i64::from(is_leap(year));
    for (month, length) in (1..).zip([31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
        if left < length {
            return (month, left + 1);
        }
        left -= length;
    }
    unreachable!("a year has no more days than its months")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, (1, 1)),
            (58, (2, 28)),
            (59, (3, 1)),
            (789, (2, 29)),
            (790, (3, 1)),
            (-1, (12, 31)),
            (11_016, (2, 29)),
            (20_410, (11, 18)),
            (20_453, (12, 31)),
        ] {
            assert_eq!(month_and_day(days), expected, "day {days}");
        }
    }

    #[test]
    fn the_other_time_is_unlike_any_now() {
        // Every 7 hours and 13 minutes of eight years, and the edges of days.
        let start = 1_763_000_000_000;
        let steps = (0..9700).map(|step| start + step * (7 * HOUR + 13 * MINUTE));
        let edges = (0..366).flat_map(|day| {
            let midnight = (start / DAY + day) * DAY;
            [midnight - 1, midnight, midnight + 17 * MINUTE, midnight + DAY / 2]
        });
        for now in steps.chain(edges).chain([0, 1, DAY - 1]) {
            let then = now + clock_shift_millis(now);
            assert!(is_unlike(now, then), "{now} and {then}");
            assert_ne!(now / MINUTE % 60, then / MINUTE % 60, "{now} and {then}");
            let years = (then - now) / (365 * DAY);
            assert!((15..=21).contains(&years), "{years} years ahead of {now}");
        }
    }
}
