//! The map that probes write to, read and cleared from outside.

use crate::env::jni;
use crate::executor::Executor;

/// What parts of the coverage map are cleared with, so many bytes at once.
static ZEROS: [i8; 1 << 16] = [0; 1 << 16];

impl Executor<'_> {
    /// Copies a part of the coverage map, starting at `start`.
    pub fn read_coverage(&self, start: u32, hits: &mut [u8]) {
        // SAFETY: the region is checked by the JVM, which throws if it is out of bounds.
        unsafe {
            jni!(
                self.env,
                GetByteArrayRegion,
                self.runtime.map,
                start as i32,
                hits.len() as i32,
                hits.as_mut_ptr().cast()
            );
        }
        let out_of_bounds = self.env.clear_exception();
        assert!(!out_of_bounds, "the coverage map has room for every probe");
    }

    /// Clears a part of the coverage map. Nothing is allocated: a search may do so after every test.
    pub fn clear_coverage(&self, start: u32, length: u32) {
        let mut from = start;
        let end = start + length;
        while from < end {
            let zeros = &ZEROS[..ZEROS.len().min((end - from) as usize)];
            // SAFETY: as above.
            unsafe {
                jni!(
                    self.env,
                    SetByteArrayRegion,
                    self.runtime.map,
                    from as i32,
                    zeros.len() as i32,
                    zeros.as_ptr()
                );
            }
            let out_of_bounds = self.env.clear_exception();
            assert!(!out_of_bounds, "the coverage map has room for every probe");
            from += zeros.len() as u32;
        }
    }
}
