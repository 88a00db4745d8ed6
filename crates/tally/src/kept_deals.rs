//! Deals and their hashes, in chunks.
//!
//! The deals of each number of leading zeros of the hash have chunks of their own, so that those
//! that no longer qualify are dropped without looking at the others. Workers hand over their chunks
//! without copying them, and reuse empty chunks: new pages of memory would take longer than the
//! deals.

use std::sync::{Arc, Mutex, PoisonError};

/// Maximum number of leading zero bits.
pub(super) const MOST_BITS: u32 = 63;
/// Number of classes of hashes, by leading zeros.
const CLASSES: usize = MOST_BITS as usize + 1;
/// Number of deals of a full chunk.
const CHUNK: usize = 4096;

/// The seats of the cards of deals, and the deals' hashes.
#[derive(Clone, Debug)]
pub(super) struct KeptDeals {
    /// By number of leading zeros of the hash, at most [`MOST_BITS`].
    classes: Box<[Vec<Chunk>; CLASSES]>,
    deals: usize,
    spare: SpareChunks,
}

impl Default for KeptDeals {
    fn default() -> Self {
        Self {
            classes: Box::new([const { Vec::new() }; CLASSES]),
            deals: 0,
            spare: SpareChunks::default(),
        }
    }
}

/// Up to [`CHUNK`] deals.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) hashes: Vec<u64>,
    pub(super) seats: Vec<u128>,
}

impl Chunk {
    fn new() -> Self {
        Self {
            hashes: Vec::with_capacity(CHUNK),
            seats: Vec::with_capacity(CHUNK),
        }
    }

    fn push(&mut self, hash: u64, seats: u128) {
        self.hashes.push(hash);
        self.seats.push(seats);
    }

    /// Moves as many of the last deals of another chunk here as there is room for.
    fn fill_from(&mut self, other: &mut Self) {
        let room = CHUNK.saturating_sub(self.hashes.len());
        let stay = other.hashes.len().saturating_sub(room);
        self.hashes.extend(other.hashes.drain(stay..));
        self.seats.extend(other.seats.drain(stay..));
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

    /// Returns the chunks of each class. Deals of different classes have different hashes.
    pub(super) fn classes(&self) -> impl Iterator<Item = &[Chunk]> {
        self.classes.iter().map(Vec::as_slice)
    }

    /// Returns all chunks.
    pub(super) fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.classes().flatten()
    }

    /// Adds a deal.
    pub(super) fn push(&mut self, hash: u64, seats: u128) {
        self.deals += 1;
        let class = hash.leading_zeros().min(MOST_BITS) as usize;
        match self.classes[class].last_mut() {
            Some(last) if last.hashes.len() < CHUNK => last.push(hash, seats),
            _ => self.begin_chunk(class, hash, seats),
        }
    }

    #[cold]
    fn begin_chunk(&mut self, class: usize, hash: u64, seats: u128) {
        let mut chunk = self.spare.take();
        chunk.push(hash, seats);
        self.classes[class].push(chunk);
    }

    /// Adds other deals.
    pub(super) fn append(&mut self, other: Self) {
        self.deals += other.deals;
        for (class, chunks) in other.classes.into_iter().enumerate() {
            for chunk in chunks {
                self.add(class, chunk);
            }
        }
    }

    /// Adds a chunk of a class, whose deals are counted.
    fn add(&mut self, class: usize, mut chunk: Chunk) {
        let chunks = &mut self.classes[class];
        // Only full chunks are not copied, so that few are nearly empty.
        if let Some(last) = chunks.last_mut()
            && chunk.hashes.len() < CHUNK
        {
            last.fill_from(&mut chunk);
        }
        match chunk.hashes.is_empty() {
            true => self.spare.put(chunk),
            // A full chunk goes before one with room.
            false if chunk.hashes.len() == CHUNK => {
                let place = chunks.len().saturating_sub(1);
                chunks.insert(place, chunk);
            }
            false => chunks.push(chunk),
        }
    }

    /// Drops the deals whose hashes do not begin with this number of zeros.
    pub(super) fn drop_unqualified(&mut self, bits: u32) {
        for class in self.classes.iter_mut().take(bits as usize) {
            for chunk in class.drain(..) {
                self.deals -= chunk.hashes.len();
                self.spare.put(chunk);
            }
        }
    }
}

/// Returns the largest hash that begins with this number of zeros, at most [`MOST_BITS`].
pub(super) fn most_with(bits: u32) -> u64 {
    u64::MAX >> bits
}
