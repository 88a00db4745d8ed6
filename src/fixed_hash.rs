//! Hash maps that are the same in every run.
//!
//! They are for looking up, and are never gone through in the order of their hashes: results
//! that depend on an order use a `BTreeMap`, or sort what they take out.

/// A hash map whose hashes have no random seed.
pub(crate) type FixedHashMap<K, V> = hashbrown::HashMap<K, V, rustc_hash::FxBuildHasher>;
