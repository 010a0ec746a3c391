//! How R draws (requirement E8): from the root of the search tree to a leaf, uniformly at every
//! node. First a method, then each parameter; so methods are equally likely, not calls.

use oorandom::Rand64;

use crate::Context;

impl Context {
    /// Draws a call.
    pub fn draw(&self, rng: &mut Rand64) -> u64 {
        let method = rng.rand_range(0..self.signatures.len() as u64) as usize;
        let (mut number, mut weight) = (self.offsets[method], 1);
        for choices in &self.signatures[method].choices {
            let choices = choices.len() as u64;
            number += weight * rng.rand_range(0..choices);
            weight *= choices;
        }
        number
    }

    /// Draws a test of as many calls as there is room for.
    pub fn draw_test(&self, rng: &mut Rand64, digits: &mut [u64]) {
        for digit in digits {
            *digit = self.draw(rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample;

    #[test]
    fn methods_are_equally_likely_and_so_are_the_calls_of_each() {
        let context = sample();
        let mut rng = Rand64::new(7);
        let mut counts = vec![0u32; context.calls() as usize];
        for _ in 0..400_000 {
            counts[context.draw(&mut rng) as usize] += 1;
        }
        for (number, count) in counts.iter().enumerate() {
            let expected = 100_000.0 / context.calls_of(context.method_of(number as u64)) as f64;
            let off = (f64::from(*count) - expected).abs() / expected.sqrt();
            assert!(off < 5.0, "call {number}: {count} times, expected {expected}");
        }
    }
}
