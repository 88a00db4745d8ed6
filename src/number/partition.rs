//! The loop of Pavlicek's two essays, as they give it.
//!
//! Card by card, the space of K numbers is parted between north, east, south, west
//! and, in endings, the cards that are unused, as their cards still to come stand
//! to all cards still to come. The card goes to the part in which the number falls;
//! the part is the next space. A part has K × n / C numbers, always an integer: as
//! many as there are ways to place the rest.
//!
//! K is at most 52! / (10!^3 11!^2), less than 2^110, so that K times 52 fits in 128 bits.
//! There is no division: what is odd in C has an inverse modulo 2^128, and the twos of
//! C are shifted out of what K × n times the inverse comes to, less than 2^128.

/// Seats in their order and, last, the cards that are unused.
pub(super) const PLACES: usize = 5;

const CARDS: usize = 52;

/// Whose each card is, from this number below `space`; `left` cards are for each place.
pub(super) fn decode(mut number: u128, mut space: u128, mut left: [u8; PLACES]) -> [u64; 4] {
    let mut hands = [0; PLACES];
    for cards in (1..=CARDS).rev() {
        for (hand, left) in hands.iter_mut().zip(&mut left) {
            let part = share(space, (*left).into(), cards);
            if number < part {
                *hand |= 1 << (CARDS - cards);
                *left -= 1;
                space = part;
                break;
            }
            number -= part;
        }
    }
    let [north, east, south, west, _] = hands;
    [north, east, south, west]
}

/// The number of cards that lie so, among all ways to place as many in each hand.
///
/// The loop backwards, from the last card: of the cards from some place on, c go to the
/// owner of the first of them, b to places before him, and there are K ways to place
/// those after it; so there are K × C / c ways for them all, and K × b / c of these give
/// the first card to a place before its owner.
pub(super) fn encode(hands: [u64; 4]) -> u128 {
    let [north, east, south, west] = hands;
    let unused = !(north | east | south | west);
    let owner = |card: usize| {
        let digit = |cards: u64| (cards >> card & 1) as u32;
        digit(unused) << 2 | digit(south | west) << 1 | digit(east | west)
    };
    let mut held = Held::default();
    let (mut number, mut space) = (0, 1);
    for cards in 1..=CARDS {
        let (count, before) = held.give(owner(CARDS - cards));
        number += share(space, before, count);
        space = share(space, cards as u64, count);
    }
    number
}

/// K × n / c, which is whole.
fn share(space: u128, times: u64, of: usize) -> u128 {
    // What is not K comes first: in a loop it need not wait for K.
    let factor = ODD_INVERSES[of].wrapping_mul(times.into());
    let share = space.wrapping_mul(factor) >> of.trailing_zeros();
    debug_assert_eq!(share * of as u128, space * u128::from(times));
    share
}

/// How many of the cards so far are whose: byte p counts those of the places before p.
#[derive(Default)]
struct Held(u64);

impl Held {
    /// Another card for this place: how many it has now, and those before it.
    fn give(&mut self, place: u32) -> (usize, u64) {
        let from_place = self.0 >> (8 * place);
        let (before, with) = (from_place & 0xFF, from_place >> 8 & 0xFF);
        self.0 += 0x0101_0101_0101_0100 << (8 * place);
        ((with - before) as usize + 1, before)
    }
}

/// By d: [`odd_inverse`].
static ODD_INVERSES: [u128; CARDS + 1] = {
    let mut inverses = [0; CARDS + 1];
    let mut by = 1;
    while by <= CARDS {
        inverses[by] = odd_inverse(by as u128);
        by += 1;
    }
    inverses
};

/// The inverse modulo 2^128 of what is odd in a number.
pub(super) const fn odd_inverse(number: u128) -> u128 {
    let odd = number >> number.trailing_zeros();
    // Each step of Newton's doubles the bits that are right, three at first.
    let (mut inverse, mut bits) = (odd, 3);
    while bits < 128 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses_are_inverses() {
        for (number, inverse) in ODD_INVERSES.iter().enumerate().skip(1) {
            let odd = (number >> number.trailing_zeros()) as u128;
            assert_eq!(inverse.wrapping_mul(odd), 1);
        }
    }
}
