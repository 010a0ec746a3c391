//! Doing something again until it changes nothing.
//!
//! What does not hold is dropped, a test or an assertion of it, which may uncover what another one
//! does; so what is left is looked at again. Every round drops something or is the last.

use std::time::{Duration, Instant};

/// What a round came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round<T> {
    /// Nothing was dropped: this is the result.
    Last(T),
    /// Something was dropped.
    Again,
}

/// The result of the last round; `None` if the time is over before.
pub(crate) fn until_nothing_changes<T, E>(
    limit: Duration,
    mut round: impl FnMut() -> Result<Round<T>, E>,
) -> Result<Option<T>, E> {
    let start = Instant::now();
    while start.elapsed() < limit {
        if let Round::Last(result) = round()? {
            return Ok(Some(result));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds that each drop one of the bad tests; how many rounds there were, and what is left.
    fn check(bad: u32, limit: Duration, expected: (u32, Option<&str>)) {
        let (mut rounds, mut left) = (0, bad);
        let result = until_nothing_changes(limit, || {
            rounds += 1;
            if left == 0 {
                return Ok::<_, ()>(Round::Last("the good ones"));
            }
            left -= 1;
            Ok(Round::Again)
        });
        assert_eq!((rounds, result.expect("no round fails")), expected);
    }

    #[test]
    fn there_are_as_many_rounds_as_it_takes() {
        let limit = Duration::from_secs(60);
        check(0, limit, (1, Some("the good ones")));
        check(1, limit, (2, Some("the good ones")));
        check(100, limit, (101, Some("the good ones")));
    }

    #[test]
    fn there_are_none_once_the_time_is_over() {
        check(100, Duration::ZERO, (0, None));
    }

    #[test]
    fn a_round_that_fails_ends_it() {
        let limit = Duration::from_secs(60);
        assert_eq!(until_nothing_changes(limit, || Err::<Round<()>, _>("broken")), Err("broken"));
    }
}
