//! Classes, methods and fields as numbers that mean the same in every process.
//!
//! The JDK's summaries are stored, so names become hashes of 64 bits rather than places in some
//! table. That two of the 300 000 methods of a JDK get one number has a chance of 1 in 10^8.

/// FNV-1a over the bytes, then mixed so that all bits count.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        state = (state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    mix(state)
}

/// The finalizer of splitmix64: a bijection.
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The number of a class.
pub(crate) fn class_id(internal: &str) -> u64 {
    hash(internal.as_bytes())
}

/// The number of a name and descriptor.
pub(crate) fn signature_id(name: &str, descriptor: &str) -> u64 {
    mix(hash(name.as_bytes()).rotate_left(17) ^ hash(descriptor.as_bytes()))
}

/// The number of a method of a class.
pub(crate) fn method_id(class: u64, signature: u64) -> u64 {
    mix(class.rotate_left(29) ^ signature)
}

/// The number of a field, by its name alone: code may name any class that inherits it.
pub(crate) fn field_id(name: &str) -> u32 {
    (hash(name.as_bytes()) >> 32) as u32 | 2
}

/// The "field" that holds the elements of an array.
pub(crate) const ELEMENT: u32 = 0;

/// Any field at all.
pub(crate) const ANY: u32 = 1;
