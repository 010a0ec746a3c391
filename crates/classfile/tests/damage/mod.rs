//! Reproducible damage to class bytes.

use crate::numbers::Numbers;

/// Damages class bytes in one to three places.
pub fn damage(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    for _ in 0..=numbers.below(3) {
        if !bytes.is_empty() {
            damage_once(bytes, numbers);
        }
    }
}

/// Flips, overwrites, cuts, inserts or repeats some bytes.
fn damage_once(bytes: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.below(bytes.len());
    match numbers.below(6) {
        0 => bytes[at] ^= 1 << numbers.below(8),
        1 => bytes[at] = [0, 1, 0x7F, 0x80, 0xFF][numbers.below(5)],
        2 => bytes[at] = numbers.below(256) as u8,
        3 => bytes.truncate(at),
        4 => bytes.insert(at, numbers.below(256) as u8),
        _ => {
            let end = (at + 1 + numbers.below(40)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            bytes.splice(at..at, copy);
        }
    }
}
