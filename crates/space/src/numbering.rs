//! The paper's numbering (section 4.3, requirement E5): parameter lists in mixed radix, the first
//! parameter least significant; methods by offset; test cases in base `j`, the first call least
//! significant. Index and test case determine each other.

use model::{Args, Call, Slot, TestCase};
use num_bigint::BigUint;
use num_traits::Zero;

use crate::Context;

/// `z`, the number of tests of a length.
pub fn size(calls: u64, length: usize) -> BigUint {
    // A test of four thousand million calls is none.
    BigUint::from(calls).pow(u32::try_from(length).unwrap_or(u32::MAX))
}

/// The digits of a test's index, one per call; `None` if there is no test of that index.
pub fn digits_of(index: &BigUint, calls: u64, length: usize) -> Option<Vec<u64>> {
    if calls == 0 {
        return (length == 0 && index.is_zero()).then(Vec::new);
    }
    let mut digits = Vec::with_capacity(length);
    let (chunk, base) = chunk(calls);
    let mut rest = index.clone();
    while digits.len() < length {
        let mut part = (&rest % base).iter_u64_digits().next().unwrap_or(0);
        rest /= base;
        for _ in 0..chunk.min(length - digits.len()) {
            digits.push(part % calls);
            part /= calls;
        }
        if part != 0 {
            return None;
        }
    }
    rest.is_zero().then_some(digits)
}

/// The index of a test, given as the numbers of its calls.
pub fn index_of(digits: &[u64], calls: u64) -> BigUint {
    let (chunk, _) = chunk(calls);
    let mut index = BigUint::zero();
    for part in digits.chunks(chunk).rev() {
        let base = part.iter().fold(1u64, |base, _| base.wrapping_mul(calls));
        index *= base;
        index += part.iter().rev().fold(0u64, |value, digit| value * calls + digit);
    }
    index
}

/// How many digits fit into a word, and the power of the base that goes with them.
fn chunk(calls: u64) -> (usize, u64) {
    let (mut chunk, mut base) = (1, calls.max(1));
    while chunk < 64 {
        match base.checked_mul(calls) {
            Some(next) => base = next,
            None => break,
        }
        chunk += 1;
    }
    (chunk, base)
}

impl Context {
    /// The method that a call is of.
    pub fn method_of(&self, call: u64) -> usize {
        self.offsets.partition_point(|first| *first <= call) - 1
    }

    /// The call of that number, which must be below `j`.
    pub fn call(&self, number: u64) -> Call {
        match self.kept.get(number as usize) {
            Some(call) => call.clone(),
            None => self.make_call(number),
        }
    }

    pub(crate) fn make_call(&self, number: u64) -> Call {
        let method = self.method_of(number);
        let op = &self.methods()[method];
        let choices = &self.signatures[method].choices;
        let mut rest = number - self.offsets[method];
        let mut picked = choices.iter().map(|choices| {
            let slot = choices[(rest % choices.len() as u64) as usize];
            rest /= choices.len() as u64;
            slot
        });
        let mut args: Args = picked.by_ref().take(op.params.len()).collect();
        let result = picked.next();
        if op.has_receiver() {
            // The paper has the target after the arguments.
            args.rotate_right(1);
        }
        Call { op: op.clone(), args, result, guarded: self.is_guarded() }
    }

    /// The number of a call; `None` if it is none of this context.
    pub fn number_of(&self, call: &Call) -> Option<u64> {
        let method = self.methods().iter().position(|op| *op == call.op)?;
        let choices = &self.signatures[method].choices;
        let mut picked: Vec<Slot> = call.args.to_vec();
        if call.op.has_receiver() && !picked.is_empty() {
            picked.rotate_left(1);
        }
        picked.extend(call.result);
        if picked.len() != choices.len() || call.guarded != self.is_guarded() {
            return None;
        }
        let mut index = 0;
        for (slot, choices) in picked.iter().zip(choices).rev() {
            let at = choices.iter().position(|choice| choice == slot)?;
            index = index * choices.len() as u64 + at as u64;
        }
        Some(self.offsets[method] + index)
    }

    /// The test with these calls.
    pub fn case(&self, digits: &[u64]) -> TestCase {
        let calls = digits.iter().map(|digit| self.call(*digit)).collect();
        TestCase { slots: self.slots().to_vec(), calls }
    }

    /// The numbers of a test's calls; `None` if it is no test of this context.
    pub fn digits(&self, case: &TestCase) -> Option<Vec<u64>> {
        if case.slots != self.slots() {
            return None;
        }
        case.calls.iter().map(|call| self.number_of(call)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::{Nothing, op, pool, sample};
    use model::{OperationKind, Primitive, Type};
    use proptest::prelude::*;

    #[test]
    fn the_first_parameter_and_the_first_call_are_least_significant() {
        let context = sample();
        // add's calls begin after the constructor's one: [a, b, target, result] with 3, 3, 1, 3.
        let call = context.call(1 + (2 + 3 * (1 + 3 * 2)));
        assert_eq!(context.method_of(1 + (2 + 3 * (1 + 3 * 2))), 1);
        assert_eq!(call.args.as_slice(), [Slot(3), Slot(2), Slot(1)]);
        assert_eq!(call.result, Some(Slot(2)));
        assert_eq!(index_of(&[5, 2, 1], 31), BigUint::from(5u32 + 2 * 31 + 31 * 31));
    }

    #[test]
    fn calls_and_their_numbers_determine_each_other() {
        let context = sample();
        for number in 0..context.calls() {
            assert_eq!(context.number_of(&context.call(number)), Some(number));
        }
        context.case(&(0..context.calls()).collect::<Vec<_>>()).check(&Nothing).expect("in form");
    }

    #[test]
    fn there_are_no_tests_beyond_the_last() {
        for (calls, length) in [(1, 1), (1, 5), (3, 4), (31, 3), (u64::MAX / 4, 3), (7, 70)] {
            let last = size(calls, length) - 1u32;
            let digits = digits_of(&last, calls, length).expect("the last index is one");
            assert!(digits.iter().all(|digit| *digit == calls - 1));
            assert_eq!(digits_of(&(last + 1u32), calls, length), None);
        }
        assert_eq!(digits_of(&BigUint::zero(), 5, 0), Some(vec![]));
        assert_eq!(digits_of(&BigUint::from(1u32), 5, 0), None);
    }

    fn contexts() -> impl Strategy<Value = Context> {
        let types = || {
            let p = prop_oneof![Just(Primitive::Int), Just(Primitive::Long), Just(Primitive::Char)];
            prop_oneof![p.prop_map(Type::Primitive), Just(Type::class("a/B")), Just(Type::object())]
        };
        let method =
            (0..3usize, proptest::collection::vec(types(), 0..4), proptest::option::of(types()));
        (proptest::collection::vec(method, 1..6), proptest::collection::vec(1..4u32, 5)).prop_map(
            |(methods, sizes)| {
                let methods =
                    methods.into_iter().enumerate().map(|(at, (kind, params, result))| {
                        let b = Type::class("a/B");
                        let name = format!("m{at}");
                        match kind {
                            0 => op(OperationKind::Constructor, "<init>", &params, Some(b)),
                            1 => op(OperationKind::StaticMethod, &name, &params, result),
                            _ => {
                                let params = [&[b][..], &params].concat();
                                op(OperationKind::InstanceMethod, &name, &params, result)
                            }
                        }
                    });
                let mut methods: Vec<_> = methods.collect();
                methods.sort();
                methods.dedup();
                let types = [Primitive::Int, Primitive::Long, Primitive::Char].map(Type::Primitive);
                let types = types.into_iter().chain([Type::class("a/B"), Type::object()]);
                let pools =
                    types.zip(sizes).map(|(ty, size)| crate::Pool { size, ..pool(ty, &[]) });
                Context::new(methods, pools.collect(), &Nothing).expect("a good context")
            },
        )
    }

    proptest! {
        #[test]
        fn index_and_test_case_determine_each_other(
            context in contexts(),
            seed in proptest::collection::vec(any::<u64>(), 0..60),
        ) {
            let j = context.calls();
            let digits: Vec<u64> = seed.iter().map(|n| n % j).collect();
            let case = context.case(&digits);
            prop_assert_eq!(context.digits(&case), Some(digits.clone()));
            let index = index_of(&digits, j);
            prop_assert_eq!(digits_of(&index, j, digits.len()), Some(digits));
        }

        #[test]
        fn every_index_below_z_is_one_of_a_test(
            calls in 1u64..(1 << 62),
            length in 1usize..40,
            bytes in proptest::collection::vec(any::<u8>(), 0..330),
        ) {
            let index = BigUint::from_bytes_le(&bytes) % size(calls, length);
            let digits = digits_of(&index, calls, length).expect("it is below z");
            prop_assert!(digits.iter().all(|digit| *digit < calls));
            prop_assert_eq!(index_of(&digits, calls), index);
        }
    }
}
