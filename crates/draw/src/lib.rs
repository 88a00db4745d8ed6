//! Exactly uniform deals from counter-based streams of random bits.
//!
//! ```text
//! seed, block --Generator--> words --staged--> sides and halves --> packets of deals
//! seed, batch --Generator--> words --portion--> number of draws in each part of [0, T)
//!     --uniform--> numbers below T --guide--> cases --reading--> forms --filling--> packets
//!                                                  \--complete--> deals around predealt cards
//! seed, block --Generator--> words --choices--> cells --filling--> as above
//! seed, block --Generator--> words --below--> numbers of deals --NumberedDeals--> packets
//! ```
//!
//! A [`Dealer`] splits a batch into [`Portion`]s and deals each with its own streams, so that any
//! worker can take any portion. Every step is exact: the proofs are at the head of each module.
//!
//! There are also two slow paths. Every integer in [0, T × completions) is the number of one deal
//! of the condition: [`deal_of_number`] converts a number to its deal, and [`number_of_deal`] a
//! deal to its number. [`mod@reference`] does the same with lists of cards, and deals a portion as
//! the fast path must.

mod bounded;
mod cells;
mod complete;
mod constrained;
mod dealer;
mod filling;
pub mod filter;
mod generator;
mod guide;
mod numbered;
mod numbering;
mod packet;
mod portion;
mod reading;
pub mod reference;
pub mod sampler;
mod source;
mod staged;
mod turns;
mod type_order;
mod uniform;

use fairdeal_base::{count, error, observer};
use fairdeal_bridge as bridge;
use fairdeal_kernels as kernels;
use fairdeal_language as language;
use fairdeal_population as population;

/// Version of the random streams: which words deal which hands (docs/reference/streams.md).
pub const STREAMS_VERSION: u32 = 4;

pub use crate::kernels::{CHUNK, Isa, PACKET, PATH_VARIABLE, Packet};
pub use bounded::{below, below_u64};
pub use complete::{CardChoice, DamagedCase, completion_of, open, remaining_hands};
pub use constrained::DealScratch;
pub use dealer::{Dealer, DrawError, Portion, completions, different_deals};
pub use generator::{
    Aes128Ctr, ChaCha8, Generator, OffsetStreams, RandomSource, RandomStream, RawWords,
    SeededGenerator, StreamId, StreamPurpose, WordSource, WordsError,
};
pub use numbering::{deal_of_number, number_of_deal};
pub use packet::DealsWithDraws;
pub use portion::{
    BLOCK_DEALS, Block, DealCount, EARLY_SHARE, MOST_DEALS, SplitNode, blocks, count_fits,
};
pub use source::{DealSource, Seeded, WithDraws, seeds};
pub use turns::{Rotation, Turns};
pub use type_order::{Shares, TypeNumbers, TypeOrder};
