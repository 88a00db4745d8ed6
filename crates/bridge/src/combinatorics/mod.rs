//! Counting and numbering subsets: binomial coefficients and the squashed order.

mod binomial;
mod permutation;
pub mod subset;

pub use binomial::{choose, choose_u64};
pub use permutation::{ORDERS_OF_FOUR, orders_of};

/// Number of deals of four hands: C(52,13) C(39,13) C(26,13).
pub const DEALS: u128 = choose(52, 13) * choose(39, 13) * choose(26, 13);

/// Returns the number of ways to deal all remaining cards to hands that lack these numbers of
/// cards, at most 52 in total.
pub fn ways_to_deal(missing: [usize; 4]) -> u128 {
    let (mut left, mut ways) = (0, 1);
    for take in missing {
        left += take;
        ways *= choose(left, take);
    }
    ways
}

const _: () = assert!(DEALS == 53_644_737_765_488_792_839_237_440_000);
