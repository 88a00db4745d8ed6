//! Sources of random words: counter-based streams by name, or a file of words.

mod aes;
mod chacha;
mod offset;
mod philox;
mod raw;
mod source;
mod stream;
mod xoshiro;

pub use aes::Aes128Ctr;
pub use chacha::ChaCha8;
pub use offset::OffsetStreams;
pub(crate) use philox::Philox4x32;
pub use raw::RawWords;
pub use source::{RandomSource, SeededGenerator};
pub(crate) use xoshiro::Xoshiro256PlusPlus;

pub(crate) use stream::REJECTED_IN_A_ROW;
pub use stream::{Generator, RandomStream, StreamId, StreamPurpose, WordSource, WordsError};
