//! How much a test may take where a mutant is judged.
//!
//! Steps (loop iterations and calls) come first, because they are counted alike on every machine: a
//! mutant that loops for ever is cut after a few times what the test takes without it. The clock is for
//! what takes no steps, such as waiting for what never comes, and is generous: the answer should not
//! depend on how busy a machine is.

/// Steps that any test may take beside a multiple of its own: some milliseconds.
const SPARE_STEPS: i32 = 1_000_000;
/// The same by the clock.
const SPARE_MILLIS: u32 = 3_000;

/// The steps that a test may take that takes `steps` without a mutant.
pub(crate) fn steps(steps: i32, factor: u32) -> i32 {
    let factor = i32::try_from(factor).unwrap_or(i32::MAX);
    // Where the budget is as large as can be told, it is none.
    steps.saturating_mul(factor).saturating_add(SPARE_STEPS).min(i32::MAX - 1)
}

/// How long a test may take that takes `millis` without a mutant.
pub(crate) fn millis(millis: u32, factor: u32) -> u32 {
    millis.saturating_mul(factor).saturating_add(SPARE_MILLIS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_multiples_with_something_to_spare() {
        assert_eq!(steps(0, 5), SPARE_STEPS);
        assert_eq!(steps(1000, 5), 5000 + SPARE_STEPS);
        assert_eq!(steps(i32::MAX / 2, 5), i32::MAX - 1);
        assert_eq!(millis(100, 5), 500 + SPARE_MILLIS);
        assert_eq!(millis(u32::MAX, 2), u32::MAX);
    }
}
