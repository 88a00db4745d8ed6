//! What records say about boards besides the cards: event, players, auction, contract, play and
//! comments. Readers fill a [`BoardRecord`], and writers write the parts that their format holds.
//!
//! - `board_record.rs`: the record, and what its format leaves implied.
//! - `call.rs`: calls and their explanations. `play.rs`: cards in the order in which they are played.
//! - `object.rs`: the record in JSON.

mod board_record;
mod call;
mod object;
mod play;

pub use board_record::BoardRecord;
pub(crate) use call::is_complete;
pub use call::{AuctionCall, Call};
pub(crate) use object::RecordObject;
pub(crate) use play::{Trick, card, in_order, tricks};
