//! The strategy of a run, from the command line.

use search::{JetOptions, Retry, Variant};
use worker::Approach;

use crate::args::{RetryWith, StrategyName, StrategyOptions};
use crate::exit::Failure;

/// How tests are looked for.
pub(crate) fn approach(options: &StrategyOptions) -> Result<Approach, Failure> {
    let variant = match options.strategy {
        StrategyName::Guided => {
            let is_given = options.attempts.is_some()
                || options.pool_size.is_some()
                || options.no_pool
                || options.no_redundancy_check;
            return if is_given {
                let message = "--attempts, --pool-size, --no-pool and --no-redundancy-check are for \
                               --strategy pure, pooled and incremental";
                Err(Failure::bad_input(message))
            } else {
                Ok(Approach::Guided)
            };
        }
        StrategyName::Pure => Variant::Pure,
        StrategyName::Pooled => Variant::Pooled,
        StrategyName::Incremental => Variant::Incremental,
    };
    let usual = JetOptions::of(variant);
    let pool = match options.pool_size {
        Some(size) => Some(size as usize),
        None if options.no_pool => None,
        None => usual.pool,
    };
    Ok(Approach::Jet(JetOptions {
        attempts: options.attempts,
        pool,
        redundancy: !options.no_redundancy_check,
        tries: options.tries,
        retry: match options.retry {
            RetryWith::Method => Retry::Method,
            RetryWith::Arguments => Retry::Arguments,
        },
        inherited: !options.declared,
        ..usual
    }))
}
