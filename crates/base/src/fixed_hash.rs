//! Hash maps that are the same in every run.
//!
//! They are only for look-ups, and are never iterated in the order of their hashes. Results that
//! depend on an order use a `BTreeMap`, or are sorted.

pub use hashbrown::hash_map::Entry;

/// A hash map whose hash function has no random seed.
pub type FixedHashMap<K, V> = hashbrown::HashMap<K, V, rustc_hash::FxBuildHasher>;
