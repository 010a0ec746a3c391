//! What the next test of BOBW costs, over what drawing one costs R (requirement E9: at most 1.2).
//!
//! `cargo bench -p space`: both make a whole test case; they take turns, so that a busy machine slows
//! both, and the median of many rounds is printed.

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{Class, ClassName, ClassSource, Operation, OperationKind, Type};
use oorandom::Rand64;
use space::{BigUint, Context, Permutation, Pool};

const LENGTHS: [usize; 4] = [1, 8, 64, 1000];
const ROUNDS: usize = 61;

struct Nothing;

impl ClassSource for Nothing {
    fn class(&self, _: &ClassName) -> Option<Arc<Class>> {
        None
    }
}

/// A list as the study has it: two numbers, one object per class. `wide` has more values.
fn context(wide: bool) -> Context {
    let list = Type::class("a/List");
    let (int, flag) = (Type::INT, Type::Primitive(model::Primitive::Boolean));
    let op = |name: &str, params: &[&Type], result: Option<&Type>| {
        let receiver = (name != "<init>").then_some(&list);
        Arc::new(Operation {
            kind: match name {
                "<init>" => OperationKind::Constructor,
                _ => OperationKind::InstanceMethod,
            },
            owner: ClassName::internal("a/List"),
            name: name.into(),
            params: receiver.into_iter().chain(params.iter().copied()).cloned().collect(),
            result: result.cloned(),
            implementation: None,
        })
    };
    let methods = vec![
        op("<init>", &[], Some(&list)),
        op("<init>", &[&int], Some(&list)),
        op("add", &[&int], Some(&flag)),
        op("add", &[&int, &int], None),
        op("get", &[&int], Some(&int)),
        op("set", &[&int, &int], Some(&int)),
        op("remove", &[&int], Some(&int)),
        op("clear", &[], None),
        op("size", &[], Some(&int)),
        op("isEmpty", &[], Some(&flag)),
        op("contains", &[&int], Some(&flag)),
        op("equals", &[&list], Some(&flag)),
    ];
    let many = if wide { 100 } else { 2 };
    let pools = [(int.clone(), many), (flag.clone(), 2), (list.clone(), 1)];
    let pools = pools.map(|(ty, size)| Pool { ty, size, values: Vec::new() });
    Context::new(methods, pools.to_vec(), &Nothing).expect("a good context")
}

/// The time of so many tests.
fn time(tests: usize, mut make: impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..tests {
        make();
    }
    start.elapsed()
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
fn main() {
    println!("{:>12} {:>7} {:>10} {:>10} {:>7}", "calls", "length", "R ns", "BOBW ns", "ratio");
    for context in [context(false), context(true)] {
        for length in LENGTHS {
            let tests = 40_000 / length + 1;
            let permutation = Permutation::new(context.calls(), length, 1);
            let first = || permutation.cursor(&BigUint::ZERO).expect("there is a first test");
            let mut cursor = first();
            let mut rng = Rand64::new(1);
            let mut digits = vec![0; length];
            let (mut ratios, mut random, mut best) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                let r = time(tests, || {
                    context.draw_test(&mut rng, &mut digits);
                    black_box(context.case(&digits));
                });
                let b = time(tests, || {
                    if !cursor.next(&mut digits) {
                        cursor = first();
                    }
                    black_box(context.case(&digits));
                });
                ratios.push(b.as_secs_f64() / r.as_secs_f64());
                random.push(r.as_secs_f64() * 1e9 / tests as f64);
                best.push(b.as_secs_f64() * 1e9 / tests as f64);
            }
            let median = |mut values: Vec<f64>| {
                values.sort_by(f64::total_cmp);
                values[values.len() / 2]
            };
            let (random, best, ratio) = (median(random), median(best), median(ratios));
            let calls = context.calls();
            println!("{calls:>12} {length:>7} {random:>10.0} {best:>10.0} {ratio:>7.2}");
        }
    }
}
