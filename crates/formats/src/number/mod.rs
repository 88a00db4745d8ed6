//! Numbers of deals and endings, in both directions, by every numbering of the essays.
//!
//! | module | numbers | order of the cards | below |
//! |---|---|---|---|
//! | [`pavlicek`] | deals | SA HA DA CA SK .. C2 | D = 53,644,737,765,488,792,839,237,440,000 |
//! | [`pavlicek_suits`] | deals | SA SK .. C2 | D |
//! | [`andrews`] | deals | SA SK .. C2 | D |
//! | [`bigdeal`] | deals | SA SK .. C2 | D |
//! | [`ending`] | endings with hands of equal size, 13 to 1 | SA HA DA CA SK .. C2 | about 2.06 × 10^33 |
//! | [`ending_any`] | endings with 0 to 13 cards in each hand | SA HA DA CA SK .. C2 | about 1.07 × 10^36 |
//! | [`base5`] | any cards in any hands | SA HA DA CA SK .. C2 | 5^52 |
//! | [`zbs`] | any cards in any hands, one word per suit | the ace first | 5^13 per suit |
//! | [`cases`] | the deals of a case file | | T × completions |
//! | [`cells`] | the deals of a condition, without a listing | | T × completions |
//!
//! Numbers start at 0 and have at most 121 bits. In each scheme `decode(encode(x))` is x, and
//! `encode(decode(i))` is i for every i below the count (words of [`zbs`] may lack a flag that
//! `encode` sets).
//!
//! [`Scheme`] names the numberings of all deals and endings; [`LineCodec`] translates lines of
//! text.
//!
//! The sources are Pavlicek's *Mapping Bridge Deals* (7Z68) and *Mapping Bridge
//! Endings* (7Z72), and Andrews' *Encoding Bridge Deals*.
//!
//! ```
//! use fairdeal_bridge::Deal;
//! use fairdeal_formats::number::{andrews, pavlicek};
//!
//! let deal: Deal = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3".parse()?;
//! assert_eq!(andrews::encode(&deal), 49_321_653_299_255_886_550_697_095_352);
//! assert_eq!(pavlicek::decode(40_958_565_147_961_533_588_277_623_299)?, deal);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod andrews;
pub mod base5;
pub mod bigdeal;
pub mod cases;
pub mod cells;
mod codec;
mod digits;
pub mod ending;
pub mod ending_any;
mod error;
pub(crate) mod order;
mod partition;
pub mod pavlicek;
pub mod pavlicek_suits;
mod scheme;
pub mod zbs;

pub use codec::{LineCodec, LineError};
pub use digits::{NotANumber, from_hex, number_of, parse_number};
pub use error::{EndingError, OutOfRange};
pub use scheme::{Coding, Scheme};
