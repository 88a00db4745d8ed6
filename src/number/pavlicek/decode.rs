//! The deal of a number, with 64 bits as far as they go.
//!
//! The essay's loop needs 128 bits while more than 35 cards are left, and a division for
//! every part. Here neither is so:
//!
//! 1. The first 6 cards come from a table of where their 4,096 cells begin.
//! 2. The next 11 cards, down to 35. A cell is cut into [`BLOCK`] = 46! / 35! equal
//!    pieces, fewer than 2^60. Each part of it on the way, K × n / c for every c from 46
//!    to 36, is a whole number of pieces, so the piece that a number lies in tells these
//!    cards. It is estimated, seldom wrong, and never trusted: whatever the piece, the
//!    cards found are those of some cell, of which the first number and the size are then
//!    exact. If the number is not there, the slow loop deals it.
//! 3. The next 28 cards, by exact numbers of 64 bits.
//! 4. The last 7 cards from a table of all their ways.
//!
//! A part K × n / c is whole. The odd factor of c is divided out by its inverse
//! modulo 2^64; its twos are left in: the number and K are both kept 2^s times as large,
//! with s the twos of all c so far. Numbers and parts so scaled stay below 2^64.

use std::hint::select_unpredictable as pick;

use crate::bridge::combinatorics::{DEALS, choose};
use crate::number::partition::odd_inverse;

/// Cards left after the first table.
const AFTER_FIRST: usize = 46;
/// Cards left after the block.
const AFTER_BLOCK: usize = 35;
/// Cards left for the last table.
const LAST: usize = 7;

/// Pieces of a cell of the first table: 46 × 45 × .. × 36.
const BLOCK: u64 = {
    let (mut block, mut cards) = (1, AFTER_FIRST);
    while cards > AFTER_BLOCK {
        block *= cards as u64;
        cards -= 1;
    }
    block
};

/// Two bits of owner for each card, the first card highest, of the deal with this number
/// below D; `None` if the estimate was wrong.
pub(super) fn owners(number: u128) -> Option<u128> {
    let cell = usize::from(FIRST.guide[(number >> GUIDED) as usize]);
    let cell = cell + usize::from(number >= FIRST.starts[cell + 1]);
    let start = FIRST.starts[cell];
    let [n, ne, nes, class] = FIRST.left[cell];
    let class = &FIRST.classes[usize::from(class)];

    let from_start = ((number - start) >> 20) as u64;
    let piece = (u128::from(from_start) * u128::from(class.pieces)) >> 64;
    let piece = (piece as u64).min(BLOCK - 1);
    let mut state = State {
        number: piece,
        space: BLOCK,
        left: [n, ne, nes].map(u64::from),
        owners: 0,
    };
    state.give(AFTER_FIRST, AFTER_BLOCK);
    let block = state.owners;

    // What the pieces are in numbers: their first one's place in the cell, and how many.
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

/// In the middle of a deal.
struct State {
    /// The number of what is left to deal, and how many there are, both scaled.
    number: u64,
    space: u64,
    /// Cards left for north, for north and east, for these and south.
    left: [u64; 3],
    /// Two bits of owner a card.
    owners: u64,
}

impl State {
    /// Gives out cards while from so many to more than so many are left.
    #[inline(always)]
    fn give(&mut self, from: usize, to: usize) {
        let mut cards = from as u64;
        for (inverse, twos) in &STEPS[AFTER_FIRST - from..AFTER_FIRST - to] {
            let (number, space) = (self.number << twos, self.space.wrapping_mul(*inverse));
            // Where east's, south's and west's parts begin, and the last ends.
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

/// From 46 cards left to 8: the inverse modulo 2^64 of what is odd in their number, and
/// its twos.
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

/// Twos of all numbers of cards from 46 to 36, and from 35 to 8.
const BLOCK_TWOS: u32 = BLOCK.trailing_zeros();
const TAIL_TWOS: u32 = {
    let (mut twos, mut cards) = (0, AFTER_BLOCK);
    while cards > LAST {
        twos += cards.trailing_zeros();
        cards -= 1;
    }
    twos
};

/// Scaled spaces fit in 64 bits with as many cards left.
const _: () = {
    // After d cards of the block no four seats can have more than 13 - d / 4 left each, so
    // the largest parts, one after the other, are at most these.
    let (mut space, mut twos, mut cards) = (BLOCK as u128, 0, AFTER_FIRST);
    while cards > AFTER_BLOCK {
        twos += cards.trailing_zeros();
        assert!(space << twos < 1 << 64);
        let most_left = 13 - (AFTER_FIRST - cards) / 4;
        space = space * most_left as u128 / cards as u128 + 1;
        cards -= 1;
    }
    // Later there are most ways if all seats have as many cards left.
    twos = 0;
    while cards > LAST {
        twos += cards.trailing_zeros();
        assert!(most_ways(cards) << twos < 1 << 64);
        cards -= 1;
    }
};

/// The most ways in which so many cards can be dealt to four seats.
const fn most_ways(cards: usize) -> u128 {
    let (n, e, s) = (cards / 4, (cards + 1) / 4, (cards + 2) / 4);
    choose(cards, n) * choose(cards - n, e) * choose(cards - n - e, s)
}

/// Numbers by their bits from here on find a cell, or the one before.
const GUIDED: u32 = 81;

/// The cells of the first six cards, by their owners.
struct First {
    /// By the upper bits of a number: the cell of the first number that has them.
    guide: [u16; (DEALS >> GUIDED) as usize + 1],
    /// The first number of each cell, and D.
    starts: [u128; CELLS + 1],
    /// Cards left for north, for north and east, for these and south; and the class.
    left: [[u8; 4]; CELLS],
    classes: [Class; CLASSES],
}

const CELLS: usize = 1 << (2 * (52 - AFTER_FIRST));

/// In so many ways six cards are parted among four seats, whichever these are.
const CLASSES: usize = 9;

/// Cells of one size.
#[derive(Clone, Copy)]
struct Class {
    size: u128,
    /// floor(2^84 BLOCK / size): pieces in 2^84 numbers.
    pieces: u64,
    /// size / odd factor of BLOCK, modulo 2^128: numbers in 2^s pieces, s = [`BLOCK_TWOS`].
    in_a_piece: u128,
}

impl Class {
    const fn of_size(size: u128) -> Self {
        // Divided in two steps: 2^84 BLOCK has more than 128 bits.
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

static FIRST: First = {
    let mut first = First {
        guide: [0; (DEALS >> GUIDED) as usize + 1],
        starts: [DEALS; CELLS + 1],
        left: [[0; 4]; CELLS],
        classes: [Class::of_size(DEALS); CLASSES],
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
            first.classes[class] = Class::of_size(size);
            classes += 1;
        }
        let [n, e, s, _] = left;
        first.left[cell] = [n, n + e, n + e + s, class as u8];
        first.starts[cell] = start;
        start += size;
        // No step of the guide reaches over a whole cell.
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

/// All ways to give out the last cards, by what the seats have left.
struct LastCards {
    /// Where the ways begin, by n, n + e and n + e + s in octal.
    places: [u16; 1 << 9],
    /// Two bits of owner a card.
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

/// Writes all ways to give out the cards that are left, in order, beside those given out
/// before, and tells where they end.
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
