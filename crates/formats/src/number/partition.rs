//! The loop of Pavlicek's two essays.
//!
//! Card by card, the space of K numbers is divided between north, east, south, west and (in
//! endings) the unused cards, in proportion to their remaining cards. The card goes to the part
//! that contains the number, and this part is the next space. A part has K × n / C numbers, where n
//! of the C remaining cards belong to it. This is always an integer: the number of ways to place
//! the rest.
//!
//! K is at most 52! / (10!^3 11!^2), less than 2^110, so K times 52 fits in 128 bits. There is no
//! division: the odd factor of C has an inverse modulo 2^128, by which K × n is multiplied. The
//! result is below 2^128, and is shifted right by the twos of C.

/// The seats in order, and the unused cards last.
pub(super) const PLACES: usize = 5;

const CARDS: usize = 52;

/// Returns the hands of this number below `space`, with `left` cards for each place.
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

/// Returns the number of these hands among all ways to place equal numbers of cards.
///
/// This is the loop backwards, from the last card. Of the C cards from some position on, c belong
/// to the place of the first of them, b to earlier places, and there are K ways to place the cards
/// after it. So there are K × C / c ways for all C cards, and in K × b / c of these the first card
/// goes to an earlier place.
pub(super) fn encode(hands: [u64; 4]) -> u128 {
    let [north, east, south, west] = hands;
    let unused = !(north | east | south | west);
    let owner = |card: usize| {
        let digit = |cards: u64| (cards >> card & 1) as u32;
        digit(unused) << 2 | digit(south | west) << 1 | digit(east | west)
    };
    let mut held = PlaceCounts::default();
    let (mut number, mut space) = (0, 1);
    for cards in 1..=CARDS {
        let (count, before) = held.give(owner(CARDS - cards));
        number += share(space, before, count);
        space = share(space, cards as u64, count);
    }
    number
}

/// Returns K × n / c, which is an integer.
fn share(space: u128, times: u64, of: usize) -> u128 {
    // The factor without K comes first, so that in a loop it need not wait for K.
    let factor = ODD_INVERSES[of].wrapping_mul(times.into());
    let share = space.wrapping_mul(factor) >> of.trailing_zeros();
    debug_assert_eq!(share * of as u128, space * u128::from(times));
    share
}

/// The number of cards at each place so far: byte p counts those of the places before p.
#[derive(Default)]
struct PlaceCounts(u64);

impl PlaceCounts {
    /// Adds a card to this place, and returns its number of cards and that of the places before.
    fn give(&mut self, place: u32) -> (usize, u64) {
        let from_place = self.0 >> (8 * place);
        let (before, with) = (from_place & 0xFF, from_place >> 8 & 0xFF);
        self.0 += 0x0101_0101_0101_0100 << (8 * place);
        ((with - before) as usize + 1, before)
    }
}

/// The inverses by d; see [`odd_inverse`].
static ODD_INVERSES: [u128; CARDS + 1] = {
    let mut inverses = [0; CARDS + 1];
    let mut by = 1;
    while by <= CARDS {
        inverses[by] = odd_inverse(by as u128);
        by += 1;
    }
    inverses
};

/// Returns the inverse modulo 2^128 of the odd factor of a number.
pub(super) const fn odd_inverse(number: u128) -> u128 {
    let odd = number >> number.trailing_zeros();
    // Each of Newton's steps doubles the number of correct bits, which is three at first.
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
