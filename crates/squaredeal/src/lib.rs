//! SquareDeal: how an organiser proves that nobody chose the hands of a tournament.
//!
//! Before the event, the organiser makes a secret key for each session and publishes a description
//! (`NAME.sqd`) with a hash of the key file (`NAME.sqk`). It names a value that nobody can know
//! yet. When the value is known, it is added to the description, and keys and value determine every
//! board. After the event the keys are published: anyone can check their hash and deal all boards
//! again. Championships of the WBF and the EBL use it.
//!
//! - `tournament.rs`: the description. `phase.rs`: phases, their sessions and board numbers.
//! - `keys.rs`: the key file and its hash. `text.rs`: the lines of both files, and what is wrong with
//!   one. `session.rs`: from a key to boards.
//! - `verification.rs`: compares boards with those of a tournament.
//!
//! The protocol is that of the program `squaredeal` 2.7, whose files are read and written. The
//! boards are BigDeal's deals (`number::Scheme::BigDeal`). `fixtures/make/squaredeal.py` is a second
//! implementation.

mod keys;
mod phase;
mod session;
mod text;
mod tournament;
mod verification;

pub use keys::{KeyHash, Keys};
pub use phase::{BoardRange, Phase, SessionBoards};
pub use session::{HandSet, SessionDeals};
pub use text::SquareDealError;
pub use tournament::{Tournament, canonical_value};
pub use verification::{BoardCheck, GivenBoard, PhaseCheck, Verification, verify};
