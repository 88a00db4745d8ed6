//! The first numbers of known generators, for many seeds side by side.
//!
//! What is public of each generator stands in [`seeds`](crate::seeds), which has the
//! slow twin of everything here. Numbers are shifted up to 32 bits, so that a scaled
//! index is the upper half of a product; where a generator has more bits than that,
//! an index that the missing ones could change is said to be unsure.

/// Seeds that are taken side by side.
pub(crate) const SEEDS: usize = 64;
/// Numbers that are made of each: a deal takes no more.
pub(crate) const NUMBERS: usize = 52;
/// By their order, then by seed.
pub(crate) type Numbers = [[u32; SEEDS]; NUMBERS];
/// Three indices in one number, [`place`], by seed; or [`UNSURE`]. The second row is
/// that of three more cards, where cards are followed to their ends, or [`UNSURE`].
pub(crate) type Places = [[u32; SEEDS]; 2];

/// Three indices below 52, 51 and 50 are a place below this.
pub(crate) const PLACES: usize = 52 * 51 * 50;
/// Three cards are at one of so many places.
pub(crate) const SCATTERED: usize = 52 * 52 * 52;
/// The place of a seed that has to be looked at one number at a time.
pub(crate) const UNSURE: u32 = u32::MAX;

/// A recurrence, and what is given out of its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Series {
    /// Modulo 2^32; the bits of the state from a shift up.
    Linear {
        factor: u32,
        term: u32,
        shift: u32,
        bits: u32,
    },
    /// Modulo 2^48, the upper 32 bits of the first of every so many states.
    Linear48 { first: First, every: usize },
    /// The additive feedback generator of the GNU C library.
    Additive,
    /// The Mersenne Twister, the first of every so many words.
    Twister { key: Key, every: usize },
}

/// How a seed becomes the first state of 48 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// `srand48`: the seed above 0x330E.
    Above,
    /// Java: exclusive or with the factor.
    Mixed,
}

/// How a seed becomes the first state of the twister.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// `init_genrand`.
    Number,
    /// `init_by_array` of the one number.
    Array,
}

/// How a number becomes an index below n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Indexing {
    /// The upper bits modulo n.
    Remainder { bits: u32 },
    /// The upper 31 bits modulo n, those of the last, incomplete n drawn again.
    Java,
    /// Times n; further bits below the upper ones are missing if `cut`.
    Scaled { bits: u32, cut: bool },
    /// As many bits as n has, drawn again until they are below n.
    Bits,
    /// Two indices, below n - 1 and n, of one number, by its product with both.
    Pairs,
}

/// Which three numbers of a seed make a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The first three, below 52, 51 and 50.
    First,
    /// The three before so many, the last of them first, below 52, 51 and 50.
    Before(usize),
    /// All, below 52: where the first six cards end when every card in turn is swapped
    /// with the one of that index, [`scattered`].
    All,
}

/// Three indices as a place.
pub(crate) const fn place(indices: [u32; 3]) -> u32 {
    (indices[0] * 51 + indices[1]) * 50 + indices[2]
}

/// The places of three cards as one.
pub(crate) const fn scattered(at: [u32; 3]) -> u32 {
    (at[0] * 52 + at[1]) * 52 + at[2]
}

/// See [`first_numbers`](super::first_numbers).
#[inline(always)]
pub(super) fn first_numbers(series: Series, first: u64, numbers: &mut Numbers) {
    let seeds = std::array::from_fn(|lane| first.wrapping_add(lane as u64));
    match series {
        Series::Linear {
            factor,
            term,
            shift,
            bits,
        } => {
            let mut state = seeds.map(|seed| seed as u32);
            for row in numbers {
                for (state, number) in state.iter_mut().zip(row) {
                    *state = state.wrapping_mul(factor).wrapping_add(term);
                    *number = *state >> shift << (32 - bits);
                }
            }
        }
        Series::Linear48 { first, every } => linear_48(seeds, first, every, numbers),
        Series::Additive => additive(seeds, numbers),
        Series::Twister {
            key: Key::Number,
            every,
        } => twister(seeds, every, numbers),
        Series::Twister {
            key: Key::Array,
            every,
        } => keyed_twister(seeds, every, numbers),
    }
}

#[inline(always)]
fn linear_48(seeds: [u64; SEEDS], first: First, every: usize, numbers: &mut Numbers) {
    const FACTOR: u64 = 0x5_DEEC_E66D;
    // The upper 48 bits of 64, so that what is carried out is lost.
    let mut state = seeds.map(|seed| match first {
        First::Above => (seed << 16 | 0x330E) << 16,
        First::Mixed => (seed ^ FACTOR) << 16,
    });
    for row in numbers {
        for (state, number) in state.iter_mut().zip(row) {
            *state = state.wrapping_mul(FACTOR).wrapping_add(11 << 16);
            *number = (*state >> 32) as u32;
        }
        for _ in 1..every {
            for state in &mut state {
                *state = state.wrapping_mul(FACTOR).wrapping_add(11 << 16);
            }
        }
    }
}

/// Words of the additive generator, and how often they are gone through before any
/// is given out.
const RING: usize = 31;
const GAP: usize = 3;

#[inline(always)]
fn additive(seeds: [u64; SEEDS], numbers: &mut Numbers) {
    const PRIME: u64 = 0x7FFF_FFFF;
    let mut ring = [[0; SEEDS]; RING];
    ring[0] = seeds.map(|seed| (seed as u32).max(1));
    // A seed with the sign bit stands for itself less 2^32, and that is 2 modulo the prime.
    let mut last = ring[0].map(|seed| seed - 2 * (seed >> 31));
    for row in &mut ring[1..] {
        for (last, word) in last.iter_mut().zip(row) {
            let product = u64::from(*last) * 16_807;
            let sum = (product & PRIME) + (product >> 31);
            let folded = (sum & PRIME) as u32 + (sum >> 31) as u32;
            *last = if folded == PRIME as u32 { 0 } else { folded };
            *word = *last;
        }
    }
    // Word i is that 3 before plus that 31 before; the first after the seed's 31
    // that are sums are numbers 3 .. 33 of the ring.
    for place in (0..10 * RING).map(|step| (step + GAP) % RING) {
        add_before(&mut ring, place);
    }
    for (place, row) in numbers.iter_mut().enumerate() {
        let place = (place + GAP) % RING;
        add_before(&mut ring, place);
        *row = ring[place].map(|word| word & !1);
    }
}

#[inline(always)]
fn add_before(ring: &mut [[u32; SEEDS]; RING], place: usize) {
    let before = ring[(place + RING - GAP) % RING];
    for (word, before) in ring[place].iter_mut().zip(before) {
        *word = word.wrapping_add(before);
    }
}

/// Words of the twister's state, and how far apart those are that make the next.
const STATE: usize = 624;
const SHIFT: usize = 397;
/// Words of a state that the first numbers are made of, from 0 and from [`SHIFT`].
const NEEDED: usize = 2 * NUMBERS + 1;

#[inline(always)]
fn twister(seeds: [u64; SEEDS], every: usize, numbers: &mut Numbers) {
    let (mut near, mut far) = ([[0; SEEDS]; NEEDED], [[0; SEEDS]; NEEDED]);
    let mut last = seeds.map(|seed| seed as u32);
    near[0] = last;
    for place in 1..SHIFT + every * NUMBERS {
        for last in &mut last {
            *last = (*last ^ *last >> 30).wrapping_mul(1_812_433_253);
            *last = last.wrapping_add(place as u32);
        }
        if place < NEEDED {
            near[place] = last;
        }
        if place >= SHIFT {
            far[place - SHIFT] = last;
        }
    }
    for (place, row) in numbers.iter_mut().enumerate() {
        let place = place * every;
        temper(&near[place], &near[place + 1], &far[place], row);
    }
}

/// The state of `init_genrand(19650218)`, with which `init_by_array` begins.
const BEFORE_KEY: [u32; STATE] = {
    let mut state = [19_650_218_u32; STATE];
    let mut place = 1;
    while place < STATE {
        let last = state[place - 1];
        state[place] = (last ^ last >> 30).wrapping_mul(1_812_433_253);
        state[place] = state[place].wrapping_add(place as u32);
        place += 1;
    }
    state
};

#[inline(always)]
fn keyed_twister(seeds: [u64; SEEDS], every: usize, numbers: &mut Numbers) {
    let key = seeds.map(|seed| seed as u32);
    let mut state = [[0; SEEDS]; STATE];
    let mut last = [BEFORE_KEY[0]; SEEDS];
    for place in 1..STATE {
        for lane in 0..SEEDS {
            let mixed = (last[lane] ^ last[lane] >> 30).wrapping_mul(1_664_525);
            last[lane] = (BEFORE_KEY[place] ^ mixed).wrapping_add(key[lane]);
        }
        state[place] = last;
    }
    // After the last word comes the second one again; the first is not looked at.
    for lane in 0..SEEDS {
        let mixed = (last[lane] ^ last[lane] >> 30).wrapping_mul(1_664_525);
        last[lane] = (state[1][lane] ^ mixed).wrapping_add(key[lane]);
    }
    state[1] = last;
    for place in (2..STATE).chain([1]) {
        for lane in 0..SEEDS {
            let mixed = (last[lane] ^ last[lane] >> 30).wrapping_mul(1_566_083_941);
            last[lane] = (state[place][lane] ^ mixed).wrapping_sub(place as u32);
        }
        state[place] = last;
    }
    state[0] = [0x8000_0000; SEEDS];
    for (place, row) in numbers.iter_mut().enumerate() {
        let place = place * every;
        temper(&state[place], &state[place + 1], &state[place + SHIFT], row);
    }
}

#[inline(always)]
fn temper(
    this: &[u32; SEEDS],
    next: &[u32; SEEDS],
    far: &[u32; SEEDS],
    numbers: &mut [u32; SEEDS],
) {
    for lane in 0..SEEDS {
        let mixed = this[lane] & 0x8000_0000 | next[lane] & 0x7FFF_FFFF;
        let mut word = far[lane] ^ mixed >> 1 ^ (mixed & 1).wrapping_neg() & 0x9908_B0DF;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        numbers[lane] = word ^ word >> 18;
    }
}

/// See [`places`](super::places).
#[inline(always)]
pub(super) fn places(indexing: Indexing, which: Which, numbers: &Numbers, places: &mut Places) {
    places[1] = [UNSURE; SEEDS];
    match indexing {
        Indexing::Remainder { bits } => {
            places_by(which, numbers, places, |number, n| {
                ((number >> (32 - bits)) % n, false)
            });
        }
        Indexing::Java => places_by(which, numbers, places, java),
        Indexing::Scaled { bits, cut } => {
            let unit = 1_u32 << (32 - bits);
            let missing = if cut { unit } else { 0 };
            places_by(which, numbers, places, |number, n| {
                scaled(number & unit.wrapping_neg(), n, missing)
            });
        }
        Indexing::Bits => by_bits(numbers, places),
        Indexing::Pairs => by_pairs(numbers, places),
    }
}

/// The index of a number by its product with n; unsure if as much more of the number
/// as is `missing` could make it larger.
#[inline(always)]
pub(crate) fn scaled(number: u32, n: u32, missing: u32) -> (u32, bool) {
    let product = u64::from(number) * u64::from(n);
    let low = product as u32;
    ((product >> 32) as u32, low > u32::MAX - missing * n)
}

/// `nextInt(n)` of the upper 31 bits, n no power of two; unsure where it would take
/// another number.
#[inline(always)]
pub(crate) fn java(number: u32, n: u32) -> (u32, bool) {
    let bits = number >> 1;
    let index = bits % n;
    (index, bits - index + (n - 1) > 0x7FFF_FFFF)
}

#[inline(always)]
fn places_by(
    which: Which,
    numbers: &Numbers,
    places: &mut Places,
    index: impl Fn(u32, u32) -> (u32, bool),
) {
    let rows = match which {
        Which::First => [0, 1, 2].map(|number| &numbers[number]),
        Which::Before(count) => [1, 2, 3].map(|before| &numbers[count - before]),
        Which::All => return scatter(numbers, places, index),
    };
    for (lane, packed) in places[0].iter_mut().enumerate() {
        let (a, no_a) = index(rows[0][lane], 52);
        let (b, no_b) = index(rows[1][lane], 51);
        let (c, no_c) = index(rows[2][lane], 50);
        let unsure = no_a | no_b | no_c;
        *packed = if unsure { UNSURE } else { place([a, b, c]) };
    }
}

#[inline(always)]
fn scatter(numbers: &Numbers, places: &mut Places, index: impl Fn(u32, u32) -> (u32, bool)) {
    let mut at: [[u32; SEEDS]; 6] = std::array::from_fn(|card| [card as u32; SEEDS]);
    let mut unsure = [0; SEEDS];
    for (step, row) in (0..).zip(numbers) {
        for lane in 0..SEEDS {
            let (other, no) = index(row[lane], 52);
            unsure[lane] |= u32::from(no);
            for at in &mut at {
                let here = at[lane];
                let moved = if here == other { step } else { here };
                at[lane] = if here == step { other } else { moved };
            }
        }
    }
    for (packed, at) in places.iter_mut().zip(at.as_chunks::<3>().0) {
        for lane in 0..SEEDS {
            let three = scattered([at[0][lane], at[1][lane], at[2][lane]]);
            packed[lane] = if unsure[lane] == 0 { three } else { UNSURE };
        }
    }
}

/// Numbers in which three that are low enough are looked for: one seed in a
/// thousand has fewer.
const TRIES: usize = 8;

#[inline(always)]
fn by_bits(numbers: &Numbers, places: &mut Places) {
    let mut packed = [0; SEEDS];
    let mut found = [0; SEEDS];
    for row in &numbers[..TRIES] {
        for lane in 0..SEEDS {
            let bits = row[lane] >> 26;
            let n = 52 - found[lane];
            let taken = found[lane] < 3 && bits < n;
            packed[lane] = if taken {
                packed[lane] * n + bits
            } else {
                packed[lane]
            };
            found[lane] += u32::from(taken);
        }
    }
    for (lane, place) in places[0].iter_mut().enumerate() {
        *place = if found[lane] == 3 {
            packed[lane]
        } else {
            UNSURE
        };
    }
}

/// Numbers that a shuffle by pairs takes: one bit for the second card, then two
/// cards each.
pub(crate) const PAIRED: usize = 26;

#[inline(always)]
fn by_pairs(numbers: &Numbers, places: &mut Places) {
    let [last, before] = [PAIRED - 1, PAIRED - 2].map(|number| &numbers[number]);
    for (lane, packed) in places[0].iter_mut().enumerate() {
        let (both, no_both) = pair(last[lane], 52);
        let (other, no_other) = pair(before[lane], 50);
        let indices = [both[1], both[0], other[1]];
        *packed = if no_both | no_other {
            UNSURE
        } else {
            place(indices)
        };
    }
}

/// Indices below n - 1 and n; unsure where another number might be taken.
#[inline(always)]
pub(crate) fn pair(number: u32, n: u32) -> ([u32; 2], bool) {
    let product = u64::from(number) * u64::from((n - 1) * n);
    let index = (product >> 32) as u32;
    ([index / n, index % n], (product as u32) < (n - 1) * n)
}
