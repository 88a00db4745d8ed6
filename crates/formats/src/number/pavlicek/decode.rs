//! Decoding a number into a deal, with 64-bit integers where possible.
//!
//! The essay's loop needs 128 bits while more than 35 cards are left, and a division for every
//! part. This module avoids both:
//!
//! 1. The first 6 cards come from a table of the starts of their 4,096 cells.
//! 2. The next 11 cards, down to 35. A cell is divided into [`BLOCK`] = 46! / 35! equal pieces, fewer
//!    than 2^60. Each of its parts, K × n / c for every c from 46 to 36, is an integer number of
//!    pieces, so the piece that contains a number determines these cards. The piece is estimated and
//!    rarely wrong. A wrong estimate is detected: the cards always belong to some cell, whose first
//!    number and size are then exact. If the number is not in it, the slow loop deals the cards.
//! 3. The next 28 cards, by exact 64-bit numbers.
//! 4. The last 7 cards, from a table of all their arrangements.
//!
//! A part K × n / c is an integer. The odd factor of c is divided out by its inverse modulo 2^64,
//! but its twos are kept: the number and K are both scaled by 2^s, where s counts the twos of all c
//! so far. Scaled numbers and parts stay below 2^64.

use std::hint::select_unpredictable as pick;

use crate::bridge::combinatorics::{DEALS, choose};
use crate::number::partition::odd_inverse;

/// Number of cards left after the first table.
const AFTER_FIRST: usize = 46;
/// Number of cards left after the block.
const AFTER_BLOCK: usize = 35;
/// Number of cards left for the last table.
const LAST: usize = 7;

/// Number of pieces of a cell of the first table: 46 × 45 × .. × 36.
const BLOCK: u64 = {
    let (mut block, mut cards) = (1, AFTER_FIRST);
    while cards > AFTER_BLOCK {
        block *= cards as u64;
        cards -= 1;
    }
    block
};

/// Returns two bits for the owner of each card, the first card highest, of the deal with this
/// number below D; `None` if the estimate was wrong.
pub(super) fn owners(number: u128) -> Option<u128> {
    let cell = usize::from(FIRST.guide[(number >> GUIDED) as usize]);
    let cell = cell + usize::from(number >= FIRST.starts[cell + 1]);
    let start = FIRST.starts[cell];
    let [n, ne, nes, class] = FIRST.left[cell];
    let class = &FIRST.classes[usize::from(class)];

    let from_start = ((number - start) >> 20) as u64;
    let piece = (u128::from(from_start) * u128::from(class.pieces)) >> 64;
    let piece = (piece as u64).min(BLOCK - 1);
    let mut state = DecodeState {
        number: piece,
        space: BLOCK,
        left: [n, ne, nes].map(u64::from),
        owners: 0,
    };
    state.give(AFTER_FIRST, AFTER_BLOCK);
    let block = state.owners;

    // Converts pieces to numbers, for the first piece's offset in the cell and for its size.
    let rest = state.number >> BLOCK_TWOS;
    let numbers = |pieces: u64| u128::from(pieces).wrapping_mul(class.in_a_piece) >> BLOCK_TWOS;
    let number = number.wrapping_sub(start + numbers(piece - rest));
    let space = numbers(state.space >> BLOCK_TWOS);
    if number >= space {
        return None;
    }

    (state.number, state.space, state.owners) = (number as u64, space as u64, 0);
    state.give(AFTER_BLOCK, LAST);
    let ways = &LAST_CARDS.ways[LAST_CARDS.place(state.left)..];
    let last = ways[(state.number >> TAIL_TWOS) as usize];
    Some(
        (cell as u128) << (2 * AFTER_FIRST)
            | u128::from(block) << (2 * AFTER_BLOCK)
            | u128::from(state.owners) << (2 * LAST)
            | u128::from(last),
    )
}

/// The state in the middle of a deal.
struct DecodeState {
    /// The number among the remaining deals, and the number of these deals, both scaled.
    number: u64,
    space: u64,
    /// Number of cards left for north; for north and east; and for north, east and south.
    left: [u64; 3],
    /// Two bits of owner for each card.
    owners: u64,
}

impl DecodeState {
    /// Deals cards while the number of cards left is at most `from` and above `to`.
    #[inline(always)]
    fn give(&mut self, from: usize, to: usize) {
        let mut cards = from as u64;
        for (inverse, twos) in &STEPS[AFTER_FIRST - from..AFTER_FIRST - to] {
            let (number, space) = (self.number << twos, self.space.wrapping_mul(*inverse));
            // The starts of east's, south's and west's parts, and the end of the last.
            let [east, south, west] = self.left.map(|left| left.wrapping_mul(space));
            let end = space.wrapping_mul(cards);
            let is_before = [number < east, number < south, number < west];
            let of_four = |of: [u64; 4]| {
                let [north, east, south, west] = of;
                let (early, late) = (
                    pick(is_before[0], north, east),
                    pick(is_before[2], south, west),
                );
                pick(is_before[1], early, late)
            };
            self.number = number.wrapping_sub(of_four([0, east, south, west]));
            self.space = of_four([
                east,
                south.wrapping_sub(east),
                west.wrapping_sub(south),
                end.wrapping_sub(west),
            ]);
            self.owners = self.owners << 2 | 3;
            for (left, is_before) in self.left.iter_mut().zip(is_before) {
                *left -= u64::from(is_before);
                self.owners -= u64::from(is_before);
            }
            cards -= 1;
        }
    }
}

/// From 46 cards left to 8: the inverse modulo 2^64 of the odd factor of their number, and the
/// number of its twos.
static STEPS: [(u64, u32); AFTER_FIRST - LAST] = {
    let mut steps = [(0, 0); AFTER_FIRST - LAST];
    let mut step = 0;
    while step < steps.len() {
        let cards = AFTER_FIRST - step;
        steps[step] = (odd_inverse(cards as u128) as u64, cards.trailing_zeros());
        step += 1;
    }
    steps
};

/// Number of twos in all numbers of cards from 46 to 36, and from 35 to 8.
const BLOCK_TWOS: u32 = BLOCK.trailing_zeros();
const TAIL_TWOS: u32 = {
    let (mut twos, mut cards) = (0, AFTER_BLOCK);
    while cards > LAST {
        twos += cards.trailing_zeros();
        cards -= 1;
    }
    twos
};

/// Scaled spaces fit in 64 bits at every number of cards left.
const _: () = {
    // The size of a part is proportional to a product of the seats' cards left. The largest product
    // takes the factor 13 four times, then 12 four times, and so on.
    let (mut space, mut twos, mut cards) = (BLOCK as u128, 0, AFTER_FIRST);
    while cards > AFTER_BLOCK {
        twos += cards.trailing_zeros();
        assert!(space << twos < 1 << 64);
        let most_left = 13 - (AFTER_FIRST - cards) / 4;
        space = space * most_left as u128 / cards as u128 + 1;
        cards -= 1;
    }
    // Later, the number of ways is largest if all seats have equal numbers of cards left.
    twos = 0;
    while cards > LAST {
        twos += cards.trailing_zeros();
        assert!(most_ways(cards) << twos < 1 << 64);
        cards -= 1;
    }
};

/// Returns the maximum number of ways to deal this number of cards to four seats.
const fn most_ways(cards: usize) -> u128 {
    let (n, e, s) = (cards / 4, (cards + 1) / 4, (cards + 2) / 4);
    choose(cards, n) * choose(cards - n, e) * choose(cards - n - e, s)
}

/// The bits of a number from here on index the guide, which gives its cell or the previous one.
const GUIDED: u32 = 81;

/// The cells of the first six cards, by their owners.
struct FirstCards {
    /// By the upper bits of a number: the cell of the first number with these bits.
    guide: [u16; (DEALS >> GUIDED) as usize + 1],
    /// First number of each cell, and D.
    starts: [u128; CELLS + 1],
    /// Number of cards left for north; for north and east; for north, east and south; and the
    /// class.
    left: [[u8; 4]; CELLS],
    classes: [SizeClass; CLASSES],
}

const CELLS: usize = 1 << (2 * (52 - AFTER_FIRST));

/// Number of ways to split six cards among four seats, ignoring the order of seats.
const CLASSES: usize = 9;

/// Cells of the same size.
#[derive(Clone, Copy)]
struct SizeClass {
    size: u128,
    /// floor(2^84 BLOCK / size): number of pieces in 2^84 numbers.
    pieces: u64,
    /// size / odd factor of BLOCK, modulo 2^128: number of numbers in 2^s pieces, s =
    /// [`BLOCK_TWOS`].
    in_a_piece: u128,
}

impl SizeClass {
    const fn of_size(size: u128) -> Self {
        // Divided in two steps, because 2^84 BLOCK has more than 128 bits.
        let (upper, rest) = (
            ((BLOCK as u128) << 64) / size,
            ((BLOCK as u128) << 64) % size,
        );
        Self {
            size,
            pieces: ((upper << 20) + (rest << 20) / size) as u64,
            in_a_piece: size.wrapping_mul(odd_inverse(BLOCK as u128)),
        }
    }
}

static FIRST: FirstCards = {
    let mut first = FirstCards {
        guide: [0; (DEALS >> GUIDED) as usize + 1],
        starts: [DEALS; CELLS + 1],
        left: [[0; 4]; CELLS],
        classes: [SizeClass::of_size(DEALS); CLASSES],
    };
    let (mut classes, mut start, mut guided) = (0, 0, 0);
    let mut cell = 0;
    while cell < CELLS {
        let (mut left, mut size) = ([13u8; 4], DEALS);
        let mut cards = 52;
        while cards > AFTER_FIRST {
            cards -= 1;
            let seat = cell >> (2 * (cards - AFTER_FIRST)) & 3;
            size = size * left[seat] as u128 / (cards as u128 + 1);
            left[seat] -= 1;
        }
        let mut class = 0;
        while class < classes && first.classes[class].size != size {
            class += 1;
        }
        if class == classes {
            first.classes[class] = SizeClass::of_size(size);
            classes += 1;
        }
        let [n, e, s, _] = left;
        first.left[cell] = [n, n + e, n + e + s, class as u8];
        first.starts[cell] = start;
        start += size;
        // No step of the guide spans a whole cell.
        assert!(size >> GUIDED > 0);
        while guided < first.guide.len() && (guided as u128) << GUIDED < start {
            first.guide[guided] = cell as u16;
            guided += 1;
        }
        cell += 1;
    }
    assert!(start == DEALS && classes == CLASSES);
    first
};

/// All arrangements of the last cards, by the numbers of cards left for the seats.
struct LastCards {
    /// Start of the arrangements, by n, n + e and n + e + s in octal.
    places: [u16; 1 << 9],
    /// Two bits of owner for each card.
    ways: [u16; 1 << (2 * LAST)],
}

impl LastCards {
    fn place(&self, left: [u64; 3]) -> usize {
        let [n, ne, nes] = left;
        usize::from(self.places[(n << 6 | ne << 3 | nes) as usize])
    }
}

static LAST_CARDS: LastCards = {
    let mut last = LastCards {
        places: [0; 1 << 9],
        ways: [0; 1 << (2 * LAST)],
    };
    let (mut place, mut key) = (0, 0);
    while key < last.places.len() {
        last.places[key] = place as u16;
        let [n, ne, nes] = [key >> 6, key >> 3 & 7, key & 7];
        if n <= ne && ne <= nes {
            let left = [n, ne - n, nes - ne, LAST - nes];
            place = give_out(&mut last.ways, place, left, 0);
        }
        key += 1;
    }
    assert!(place == last.ways.len());
    last
};

/// Writes all arrangements of the remaining cards, in order, after the cards dealt before, and
/// returns their end.
const fn give_out(
    ways: &mut [u16; 1 << (2 * LAST)],
    mut place: usize,
    left: [usize; 4],
    owners: u16,
) -> usize {
    if left[0] + left[1] + left[2] + left[3] == 0 {
        ways[place] = owners;
        return place + 1;
    }
    let mut seat = 0;
    while seat < 4 {
        if left[seat] > 0 {
            let mut rest = left;
            rest[seat] -= 1;
            place = give_out(ways, place, rest, owners << 2 | seat as u16);
        }
        seat += 1;
    }
    place
}
