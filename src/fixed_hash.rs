//! Hash maps that are the same in every run.
//!
//! They are for looking up, and are never gone through in the order of their hashes: results
//! that depend on an order use a `BTreeMap`, or sort what they take out.

use std::hash::{BuildHasherDefault, Hasher};

/// A hash map whose hashes have no random seed.
pub(crate) type FixedHashMap<K, V> = hashbrown::HashMap<K, V, BuildHasherDefault<FixedHasher>>;

/// Mixes words by a multiplication each.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FixedHasher(u64);

impl Hasher for FixedHasher {
    fn write(&mut self, bytes: &[u8]) {
        for word in bytes.chunks(8) {
            let mut whole = [0; 8];
            whole[..word.len()].copy_from_slice(word);
            self.write_u64(u64::from_le_bytes(whole));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
