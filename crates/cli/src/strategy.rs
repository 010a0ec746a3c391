//! The strategy of a run, from the command line.

use model::{ClassName, ClassSource};
use search::{Exploration, JetOptions, Order, Retry, Variant};
use space::{BigUint, Shard};
use worker::Approach;

use crate::args::{RetryWith, StrategyName, StrategyOptions};
use crate::exit::Failure;

/// The order in which tests of a length are gone through, if that is the strategy.
fn order(options: &StrategyOptions) -> Option<Order> {
    match options.strategy {
        StrategyName::Exhaustive => Some(Order::Exhaustive { naive: options.naive }),
        StrategyName::Random => Some(Order::Random),
        StrategyName::Bobw => Some(Order::Bobw),
        _ => None,
    }
}

/// How many calls a test has, if nobody says so.
pub(crate) const USUAL_LENGTH: u32 = 10;

fn exploration(options: &StrategyOptions, order: Order) -> Result<Exploration, Failure> {
    if jet_option_is_given(options) {
        return Err(Failure::bad_input(FOR_JET));
    }
    if options.naive && !matches!(order, Order::Exhaustive { .. }) {
        return Err(Failure::bad_input("--naive is for --strategy exhaustive"));
    }
    let file = options.context.as_deref().map(crate::space::read_file).transpose()?;
    Ok(Exploration {
        order,
        length: options.length.unwrap_or(USUAL_LENGTH),
        tests: options.tests,
        from: options.from.clone().unwrap_or(BigUint::ZERO),
        shard: options.shard.unwrap_or(Shard::WHOLE),
        file,
    })
}

/// Refuses a file whose context some class cannot have, before anything is run.
pub(crate) fn check_contexts(
    options: &StrategyOptions,
    classes: &[ClassName],
    world: &dyn ClassSource,
) -> Result<(), Failure> {
    let Some(file) = &options.context else { return Ok(()) };
    for class in classes.iter().filter_map(|name| world.class(name)) {
        crate::space::context(world, Some(&class), Some(file))?;
    }
    Ok(())
}

const FOR_JET: &str = "--attempts, --pool-size, --no-pool, --no-redundancy-check, --tries and --retry \
                       are for --strategy pure, pooled and incremental";

fn jet_option_is_given(options: &StrategyOptions) -> bool {
    options.attempts.is_some()
        || options.tries.is_some()
        || options.retry.is_some()
        || options.pool_size.is_some()
        || options.no_pool
        || options.no_redundancy_check
}

/// How tests are looked for.
pub(crate) fn approach(options: &StrategyOptions) -> Result<Approach, Failure> {
    if let Some(order) = order(options) {
        return exploration(options, order).map(|found| Approach::Explore(Box::new(found)));
    }
    let is_explorative = options.length.is_some()
        || options.tests.is_some()
        || options.context.is_some()
        || options.from.is_some()
        || options.shard.is_some()
        || options.naive;
    if is_explorative {
        let message = "--length, --tests, --context, --from, --shard and --naive are for --strategy \
                       exhaustive, random and bobw";
        return Err(Failure::bad_input(message));
    }
    let variant = match options.strategy {
        StrategyName::Guided => {
            return if jet_option_is_given(options) {
                Err(Failure::bad_input(FOR_JET))
            } else {
                Ok(Approach::Guided)
            };
        }
        StrategyName::Pure => Variant::Pure,
        StrategyName::Pooled => Variant::Pooled,
        _ => Variant::Incremental,
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
        tries: options.tries.unwrap_or(usual.tries),
        retry: match options.retry {
            Some(RetryWith::Method) => Retry::Method,
            Some(RetryWith::Arguments) => Retry::Arguments,
            None => usual.retry,
        },
        inherited: !options.declared,
        ..usual
    }))
}
