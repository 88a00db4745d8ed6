//! Exactly uniform deals from counter-based streams of random bits.
//!
//! ```text
//! seed, block --Stream--> words --below--> a number below T --CaseFile--> case and rest
//!     --complete--> the listed hands --complete--> the deal
//! ```
//!
//! Every integer in [0, T × completions) is one deal of the condition:
//! [`Dealer::deal`] draws that integer in two parts and turns it into its deal,
//! and [`mod@reference`] does the same slowly, with lists of cards, both ways.

mod bounded;
mod complete;
mod dealer;
pub mod reference;
mod stream;

pub use bounded::below;
pub use complete::DamagedCase;
pub use dealer::{Dealer, completions, deal_of_number};
pub use stream::{Generator, Stream};
