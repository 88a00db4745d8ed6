//! Deals and their hashes, in chunks.
//!
//! Workers hand over their chunks without copying them, and reuse empty chunks: new pages of memory
//! would take longer than the deals.

use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of leading zero bits.
pub(super) const MOST_BITS: u32 = 63;
/// Number of deals of a full chunk.
const CHUNK: usize = 4096;

/// The seats of the cards of deals, and the deals' hashes.
#[derive(Clone, Debug, Default)]
pub(super) struct KeptDeals {
    chunks: Vec<Chunk>,
    deals: usize,
    spare: SpareChunks,
}

/// Up to [`CHUNK`] deals.
#[derive(Clone, Debug)]
struct Chunk {
    hashes: Vec<u64>,
    seats: Vec<u128>,
}

impl Chunk {
    fn new() -> Self {
        Self {
            hashes: Vec::with_capacity(CHUNK),
            seats: Vec::with_capacity(CHUNK),
        }
    }

    /// Moves as many of the last deals of another chunk here as there is room for.
    fn fill_from(&mut self, other: &mut Self) {
        let room = CHUNK.saturating_sub(self.hashes.len());
        let stay = other.hashes.len().saturating_sub(room);
        self.hashes.extend(other.hashes.drain(stay..));
        self.seats.extend(other.seats.drain(stay..));
    }

    /// Drops the deals whose hashes do not begin with this number of zeros.
    fn drop_unqualified(&mut self, bits: u32) {
        // A branch for each deal would often be predicted wrongly.
        let mut stay = 0;
        for i in 0..self.hashes.len() {
            let hash = self.hashes[i];
            self.hashes[stay] = hash;
            self.seats[stay] = self.seats[i];
            stay += usize::from(qualifies(hash, bits));
        }
        self.hashes.truncate(stay);
        self.seats.truncate(stay);
    }
}

/// Maximum number of empty chunks, which take 100 KB each.
const MOST_SPARE: usize = 512;

/// Empty chunks, shared by the workers.
#[derive(Clone, Debug, Default)]
struct SpareChunks(Arc<Mutex<Vec<Chunk>>>);

impl SpareChunks {
    fn take(&self) -> Chunk {
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        chunks.pop().unwrap_or_else(Chunk::new)
    }

    fn put(&self, mut chunk: Chunk) {
        chunk.hashes.clear();
        chunk.seats.clear();
        let mut chunks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if chunks.len() < MOST_SPARE {
            chunks.push(chunk);
        }
    }
}

impl KeptDeals {
    /// Returns an empty list that shares the spare chunks.
    pub(super) fn next(&self) -> Self {
        Self {
            spare: self.spare.clone(),
            ..Self::default()
        }
    }

    /// Returns the number of deals.
    pub(super) fn len(&self) -> usize {
        self.deals
    }

    /// Returns the hashes and the seats of all deals, chunk by chunk.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (&[u64], &[u128])> + Clone {
        let chunks = self.chunks.iter();
        chunks.map(|chunk| (&chunk.hashes[..], &chunk.seats[..]))
    }

    /// Adds a deal.
    pub(super) fn push(&mut self, hash: u64, seats: u128) {
        let chunk = match self.chunks.last_mut() {
            Some(last) if last.hashes.len() < CHUNK => last,
            _ => self.chunks.push_mut(self.spare.take()),
        };
        chunk.hashes.push(hash);
        chunk.seats.push(seats);
        self.deals += 1;
    }

    /// Adds other deals.
    pub(super) fn append(&mut self, other: Self) {
        self.deals += other.deals;
        for chunk in other.chunks {
            // Only full chunks are not copied, so that few are nearly empty.
            self.add(chunk);
        }
    }

    /// Adds a chunk whose deals are counted.
    fn add(&mut self, mut chunk: Chunk) {
        if let Some(last) = self.chunks.last_mut()
            && chunk.hashes.len() < CHUNK
        {
            last.fill_from(&mut chunk);
        }
        match chunk.hashes.is_empty() {
            true => self.spare.put(chunk),
            // A full chunk goes before one with room.
            false if chunk.hashes.len() == CHUNK => {
                let place = self.chunks.len().saturating_sub(1);
                self.chunks.insert(place, chunk);
            }
            false => self.chunks.push(chunk),
        }
    }

    /// Drops the deals whose hashes do not begin with this number of zeros.
    pub(super) fn drop_unqualified(&mut self, bits: u32) {
        let chunks = std::mem::take(&mut self.chunks);
        self.deals = 0;
        for mut chunk in chunks {
            chunk.drop_unqualified(bits);
            self.deals += chunk.hashes.len();
            self.add(chunk);
        }
    }
}

/// Returns whether a hash begins with this number of zeros.
pub(super) fn qualifies(hash: u64, bits: u32) -> bool {
    hash >> (MOST_BITS - bits) >> 1 == 0
}
