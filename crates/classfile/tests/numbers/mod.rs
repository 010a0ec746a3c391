//! Random numbers that are the same in every run.

/// A small generator of reproducible numbers (xorshift).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number from 0 to before `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
