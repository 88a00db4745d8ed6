//! The first numbers of known generators, for many seeds side by side.
//!
//! The definition of each generator is in fairdeal's module `seeds`, together with a slow version
//! of everything here. Numbers are shifted up to 32 bits, so that a scaled index is the upper half of
//! a product. Where a generator has more bits than that, an index that the missing bits could
//! change is marked unsure.

/// Number of seeds taken side by side.
pub const SEEDS: usize = 64;
/// Number of numbers made from each seed; no deal needs more.
pub const NUMBERS: usize = 52;
/// Numbers by their order, then by seed.
pub type NumberRows = [[u32; SEEDS]; NUMBERS];
/// Three indices as one number, [`place`], by seed, or `u32::MAX` for a seed that must be checked
/// one number at a time. The second row is the same for three more cards, where cards are followed
/// to their ends.
pub type IndexTriples = [[u32; SEEDS]; 2];

/// Number of places of three indices below 52, 51 and 50.
pub const PLACES: usize = 52 * 51 * 50;
/// Number of places of three cards.
pub const SCATTERED: usize = 52 * 52 * 52;
/// The place of a seed that must be checked one number at a time.
pub(crate) const UNSURE: u32 = u32::MAX;

/// A recurrence and its output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// Linear modulo 2^32; the output is the state's bits above a shift.
    Linear {
        /// The multiplier.
        factor: u32,
        /// The increment.
        term: u32,
        /// How far the output is shifted down.
        shift: u32,
        /// Number of bits of the output.
        bits: u32,
    },
    /// Linear modulo 2^48; the output is the upper 32 bits of one state out of `every`.
    Linear48 {
        /// How the seed becomes the first state.
        first: FirstState,
        /// Number of states to an output.
        every: usize,
    },
    /// The additive feedback generator of the GNU C library.
    Additive,
    /// The Mersenne Twister; the output is one word out of `every`.
    Twister {
        /// How the seed becomes the first state.
        key: Key,
        /// Which word decides on the matrix.
        low_bit: LowBit,
        /// Number of words to an output.
        every: usize,
    },
    /// C++'s `minstd_rand0`, minus one: 31 bits.
    Lehmer,
    /// Knuth's subtractive generator as .NET seeds it: 31 bits.
    Subtractive,
    /// The upper 32 bits of a JavaScript engine's `Math.random`.
    Xorshift {
        /// The engine, which decides on seeding, order and output.
        engine: Engine,
    },
    /// PCG64 as NumPy seeds it.
    Pcg {
        /// Whether the output is both halves of its words, the lower one first, or upper halves
        /// alone.
        halves: bool,
    },
}

/// JavaScript engine of an xorshift128+ generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// V8, with one word of the state as output.
    V8,
    /// V8, with the sum of both words as output.
    V8Sum,
    /// JavaScriptCore.
    WebKit,
}

/// Word whose lowest bit decides whether the twister's matrix is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LowBit {
    /// The next word, as published.
    Next,
    /// The same word, as in PHP before 7.1.
    Own,
}

/// Conversion of a seed to the first state of 48 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstState {
    /// `srand48`: the seed above 0x330E.
    Above,
    /// Java: exclusive or with the multiplier.
    Mixed,
}

/// Conversion of a seed to the first state of the twister.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// `init_genrand`.
    Number,
    /// `init_by_array` of the single number.
    Array,
}

/// Conversion of a number to an index below n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexing {
    /// The upper bits modulo n.
    Remainder {
        /// Number of upper bits.
        bits: u32,
    },
    /// The upper 31 bits modulo n; numbers of the last, incomplete n are drawn again.
    Java,
    /// Product with n, divided by the range.
    Scaled {
        /// Number of bits of the range.
        bits: u32,
        /// Whether bits below the upper ones are missing.
        cut: bool,
    },
    /// As many bits as n has, drawn again until they are below n.
    Bits,
    /// As many of the lowest bits as n - 1 has, drawn again until they are below n.
    Masked,
    /// Lemire's product with n; numbers that would favour some indices are drawn again.
    Lemire,
    /// Two indices, below n - 1 and n, from one number, by its product with both.
    Pairs,
    /// The same from 31 bits, by division.
    DividedPairs,
}

/// Selection of the three numbers of a seed that make a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawKind {
    /// The first three, below 52, 51 and 50.
    First,
    /// The three before this number, the last of them first, below 52, 51 and 50.
    Before(usize),
    /// All, below 52: the final places ([`scattered`]) of the first six cards when every card in
    /// turn is swapped with the card at its index.
    All,
    /// All: the final places ([`scattered`]) of the first six cards when cards are sorted by their
    /// numbers.
    Sorted,
}

/// Packs three different indices into a place.
#[inline]
pub const fn place(indices: [u32; 3]) -> u32 {
    (indices[0] * 51 + indices[1]) * 50 + indices[2]
}

/// Packs the places of three cards into one number.
#[inline]
pub const fn scattered(at: [u32; 3]) -> u32 {
    (at[0] * 52 + at[1]) * 52 + at[2]
}

/// See [`first_numbers`](super::first_numbers).
#[inline(always)]
pub(super) fn first_numbers(series: Series, first: u64, numbers: &mut NumberRows) {
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
            low_bit,
            every,
        } => twister(seeds, low_bit, every, numbers),
        Series::Twister {
            key: Key::Array,
            low_bit,
            every,
        } => keyed_twister(seeds, low_bit, every, numbers),
        Series::Lehmer => lehmer(seeds, numbers),
        Series::Subtractive => subtractive(seeds, numbers),
        Series::Xorshift { engine } => xorshift(seeds, engine, numbers),
        Series::Pcg { halves } => pcg(seeds, halves, numbers),
    }
}

#[inline(always)]
fn linear_48(seeds: [u64; SEEDS], first: FirstState, every: usize, numbers: &mut NumberRows) {
    const FACTOR: u64 = 0x5_DEEC_E66D;
    // The upper 48 bits of 64, so that carries are lost.
    let mut state = seeds.map(|seed| match first {
        FirstState::Above => (seed << 16 | 0x330E) << 16,
        FirstState::Mixed => (seed ^ FACTOR) << 16,
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

/// Number of words of the additive generator, and the distance between the words it adds.
const RING: usize = 31;
const GAP: usize = 3;

#[inline(always)]
fn additive(seeds: [u64; SEEDS], numbers: &mut NumberRows) {
    let mut ring = [[0; SEEDS]; RING];
    ring[0] = seeds.map(|seed| (seed as u32).max(1));
    // A seed with the sign bit means the seed minus 2^32, and 2^32 is 2 modulo the prime.
    let mut last = ring[0].map(|seed| seed - 2 * (seed >> 31));
    for row in &mut ring[1..] {
        for (last, word) in last.iter_mut().zip(row) {
            *last = times_16807(*last);
            *word = *last;
        }
    }
    // Word i is the sum of the words 3 and 31 before it. The first sums after the 31 words of the
    // seed are words 3 .. 33 of the ring.
    for place in (0..10 * RING).map(|step| (step + GAP) % RING) {
        add_before(&mut ring, place);
    }
    for (place, row) in numbers.iter_mut().enumerate() {
        let place = (place + GAP) % RING;
        add_before(&mut ring, place);
        *row = ring[place].map(|word| word & !1);
    }
}

/// The prime 2^31 - 1.
const PRIME: u32 = 0x7FFF_FFFF;

/// Returns the product modulo [`PRIME`].
#[inline(always)]
fn times_16807(last: u32) -> u32 {
    let prime = u64::from(PRIME);
    let product = u64::from(last) * 16_807;
    let sum = (product & prime) + (product >> 31);
    let folded = (sum & prime) as u32 + (sum >> 31) as u32;
    if folded == PRIME { 0 } else { folded }
}

#[inline(always)]
fn lehmer(seeds: [u64; SEEDS], numbers: &mut NumberRows) {
    let mut last = seeds.map(|seed| match seed as u32 % PRIME {
        0 => 1,
        seed => seed,
    });
    for row in numbers {
        for (last, number) in last.iter_mut().zip(row) {
            *last = times_16807(*last);
            *number = (*last - 1) << 1;
        }
    }
}

/// Number of words of .NET's generator, the distance between the words it subtracts, and the number
/// of passes over all words in seeding.
const WORDS: usize = 55;
const APART: usize = 21;
const MIXINGS: usize = 4;

#[inline(always)]
fn subtractive(seeds: [u64; SEEDS], numbers: &mut NumberRows) {
    let mut words = [[0; SEEDS]; WORDS];
    let mut last = seeds.map(|seed| {
        let seed = (seed as i32).saturating_abs();
        (161_803_398 - seed) as u32
    });
    words[WORDS - 1] = last;
    let mut next = [1_u32; SEEDS];
    for step in 1..WORDS {
        let place = APART * step % WORDS - 1;
        words[place] = next;
        for lane in 0..SEEDS {
            let less = not_negative(last[lane].wrapping_sub(next[lane]));
            last[lane] = next[lane];
            next[lane] = less;
        }
    }
    // In the order of the library's indices, which begin with 1.
    for place in (0..WORDS).cycle().take(MIXINGS * WORDS) {
        subtract(&mut words, place, (place + 31) % WORDS);
    }
    for (place, row) in numbers.iter_mut().enumerate() {
        subtract(&mut words, place, (place + APART) % WORDS);
        for (word, number) in words[place].iter_mut().zip(row) {
            *word -= u32::from(*word == PRIME);
            *number = *word << 1;
        }
    }
}

#[inline(always)]
fn subtract(words: &mut [[u32; SEEDS]; WORDS], place: usize, other: usize) {
    let other = words[other];
    for (word, other) in words[place].iter_mut().zip(other) {
        *word = not_negative(word.wrapping_sub(other));
    }
}

/// Returns the word, plus the prime if its sign bit marks it as negative.
#[inline(always)]
fn not_negative(word: u32) -> u32 {
    word.wrapping_add(PRIME & (word >> 31).wrapping_neg())
}

/// Number of numbers that V8 makes at a time; it returns the last one first.
const CACHED: usize = 64;

#[inline(always)]
fn xorshift(seeds: [u64; SEEDS], engine: Engine, numbers: &mut NumberRows) {
    let (mut first, mut second) = match engine {
        Engine::V8 | Engine::V8Sum => (seeds.map(murmur), seeds.map(|seed| murmur(!seed))),
        Engine::WebKit => (seeds.map(|seed| seed.max(1)), seeds.map(|seed| seed.max(1))),
    };
    // WebKit skips the first number.
    let steps = match engine {
        Engine::V8 | Engine::V8Sum => CACHED,
        Engine::WebKit => NUMBERS + 1,
    };
    for step in 0..steps {
        for (first, second) in first.iter_mut().zip(&mut second) {
            let mut word = *first;
            *first = *second;
            word ^= word << 23;
            word ^= word >> 17;
            word ^= *first ^ *first >> 26;
            *second = word;
        }
        let place = match engine {
            Engine::V8 | Engine::V8Sum => steps - 1 - step,
            Engine::WebKit => step.wrapping_sub(1),
        };
        let Some(row) = numbers.get_mut(place) else {
            continue;
        };
        for (lane, number) in row.iter_mut().enumerate() {
            let sum = first[lane].wrapping_add(second[lane]);
            *number = match engine {
                Engine::V8 => (first[lane] >> 32) as u32,
                Engine::V8Sum => (sum >> 32) as u32,
                Engine::WebKit => (sum >> 21) as u32,
            };
        }
    }
}

/// The finalizer of MurmurHash3.
#[inline(always)]
pub fn murmur(mut word: u64) -> u64 {
    word = (word ^ word >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    word = (word ^ word >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    word ^ word >> 33
}

/// PCG's multiplier of 128 bits.
pub const PCG: u128 = 0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645;

#[inline(always)]
fn pcg(seeds: [u64; SEEDS], halves: bool, numbers: &mut NumberRows) {
    let words = seed_sequence(seeds.map(|seed| seed as u32));
    let wide = |lane: usize, first: usize| {
        let word = |place: usize| u128::from(words[first + place][lane]);
        word(1) << 96 | word(0) << 64 | word(3) << 32 | word(2)
    };
    let mut state = [0; SEEDS];
    let mut terms = [0; SEEDS];
    for (lane, (state, term)) in state.iter_mut().zip(&mut terms).enumerate() {
        *term = wide(lane, 4) << 1 | 1;
        *state = wide(lane, 0).wrapping_add(*term);
        *state = state.wrapping_mul(PCG).wrapping_add(*term);
    }
    let mut next = |low: &mut [u32; SEEDS], high: &mut [u32; SEEDS]| {
        for (lane, (state, term)) in state.iter_mut().zip(&terms).enumerate() {
            *state = state.wrapping_mul(PCG).wrapping_add(*term);
            let word = (*state >> 64) as u64 ^ *state as u64;
            let word = word.rotate_right((*state >> 122) as u32);
            (low[lane], high[lane]) = (word as u32, (word >> 32) as u32);
        }
    };
    if halves {
        for [low, high] in numbers.as_chunks_mut::<2>().0 {
            next(low, high);
        }
    } else {
        let mut low = [0; SEEDS];
        for high in numbers {
            next(&mut low, high);
        }
    }
}

/// Returns the first eight words of NumPy's `SeedSequence` with one word of entropy.
#[inline(always)]
fn seed_sequence(entropy: [u32; SEEDS]) -> [[u32; SEEDS]; 8] {
    let mut factor = 0x43B0_D7E5_u32;
    let mut hash = |words: &[u32; SEEDS]| {
        let before = factor;
        factor = factor.wrapping_mul(0x931E_8875);
        words.map(|word| {
            let word = (word ^ before).wrapping_mul(factor);
            word ^ word >> 16
        })
    };
    let nothing = [0; SEEDS];
    let mut pool = [&entropy, &nothing, &nothing, &nothing].map(&mut hash);
    for source in 0..4 {
        for place in (0..4).filter(|&place| place != source) {
            let hashed = hash(&pool[source]);
            for (word, hashed) in pool[place].iter_mut().zip(hashed) {
                let left = word.wrapping_mul(0xCA01_F9DD);
                let mixed = left.wrapping_sub(hashed.wrapping_mul(0x4973_F715));
                *word = mixed ^ mixed >> 16;
            }
        }
    }
    let mut factor = 0x8B51_F9DD_u32;
    std::array::from_fn(|place| {
        let before = factor;
        factor = factor.wrapping_mul(0x58F3_8DED);
        pool[place % 4].map(|word| {
            let word = (word ^ before).wrapping_mul(factor);
            word ^ word >> 16
        })
    })
}

#[inline(always)]
fn add_before(ring: &mut [[u32; SEEDS]; RING], place: usize) {
    let before = ring[(place + RING - GAP) % RING];
    for (word, before) in ring[place].iter_mut().zip(before) {
        *word = word.wrapping_add(before);
    }
}

/// Number of words of the twister's state, and the distance between the words that make the next.
const STATE: usize = 624;
const SHIFT: usize = 397;
/// Number of words of a state that the first numbers depend on, from 0 and from [`SHIFT`].
const NEEDED: usize = 2 * NUMBERS + 1;

#[inline(always)]
fn twister(seeds: [u64; SEEDS], low_bit: LowBit, every: usize, numbers: &mut NumberRows) {
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
        let words = [&near[place], &near[place + 1], &far[place]];
        temper(words, low_bit, row);
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
fn keyed_twister(seeds: [u64; SEEDS], low_bit: LowBit, every: usize, numbers: &mut NumberRows) {
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
    // After the last word comes the second one again; the first is not used.
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
        let words = [&state[place], &state[place + 1], &state[place + SHIFT]];
        temper(words, low_bit, row);
    }
}

#[inline(always)]
fn temper(words: [&[u32; SEEDS]; 3], low_bit: LowBit, numbers: &mut [u32; SEEDS]) {
    let [this, next, far] = words;
    let bits = match low_bit {
        LowBit::Next => next,
        LowBit::Own => this,
    };
    for lane in 0..SEEDS {
        let mixed = this[lane] & 0x8000_0000 | next[lane] & 0x7FFF_FFFF;
        let mut word = far[lane] ^ mixed >> 1 ^ (bits[lane] & 1).wrapping_neg() & 0x9908_B0DF;
        word ^= word >> 11;
        word ^= word << 7 & 0x9D2C_5680;
        word ^= word << 15 & 0xEFC6_0000;
        numbers[lane] = word ^ word >> 18;
    }
}

/// See [`places`](super::places).
#[inline(always)]
pub(super) fn places(
    indexing: Indexing,
    which: DrawKind,
    numbers: &NumberRows,
    places: &mut IndexTriples,
) {
    places[1] = [UNSURE; SEEDS];
    if which == DrawKind::Sorted {
        return ranks(indexing.key_mask(), numbers, places);
    }
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
        Indexing::Bits => by_bits(numbers, places, |number| number >> 26),
        Indexing::Masked => by_bits(numbers, places, |number| number & 63),
        Indexing::Lemire => places_by(which, numbers, places, lemire),
        Indexing::Pairs => by_pairs(numbers, places, pair),
        Indexing::DividedPairs => by_pairs(numbers, places, divided_pair),
    }
}

impl Indexing {
    /// Returns the mask of the bits of a number that cards are sorted by.
    #[inline]
    pub const fn key_mask(self) -> u32 {
        match self {
            Self::Scaled { bits, .. } => u32::MAX << (32 - bits),
            _ => u32::MAX,
        }
    }
}

/// Computes the final places of six cards if all are sorted by their numbers. A place is unsure if
/// the number of one of these cards occurs twice.
#[inline(always)]
fn ranks(mask: u32, numbers: &NumberRows, places: &mut IndexTriples) {
    let mut at = [[0; SEEDS]; 6];
    let mut equal = [0; SEEDS];
    for row in numbers {
        for (at, key) in at.iter_mut().zip(numbers) {
            for lane in 0..SEEDS {
                let (other, key) = (row[lane] & mask, key[lane] & mask);
                at[lane] += u32::from(other < key);
                equal[lane] += u32::from(other == key);
            }
        }
    }
    // Each of the six numbers equals itself once.
    pack(&at, places, |lane| equal[lane] > 6);
}

/// Packs the places of six cards, three in a row.
#[inline(always)]
fn pack(at: &[[u32; SEEDS]; 6], places: &mut IndexTriples, unsure: impl Fn(usize) -> bool) {
    for (packed, at) in places.iter_mut().zip(at.as_chunks::<3>().0) {
        for lane in 0..SEEDS {
            let three = scattered([at[0][lane], at[1][lane], at[2][lane]]);
            packed[lane] = if unsure(lane) { UNSURE } else { three };
        }
    }
}

/// Returns the index of a number by its product with n; unsure if another number might be drawn.
#[inline(always)]
pub fn lemire(number: u32, n: u32) -> (u32, bool) {
    let product = u64::from(number) * u64::from(n);
    ((product >> 32) as u32, (product as u32) < n)
}

/// Returns the index of a number by its product with n; unsure if the `missing` lower bits could
/// make the index larger.
#[inline(always)]
pub fn scaled(number: u32, n: u32, missing: u32) -> (u32, bool) {
    let product = u64::from(number) * u64::from(n);
    let low = product as u32;
    ((product >> 32) as u32, low > u32::MAX - missing * n)
}

/// Returns `nextInt(n)` of the upper 31 bits, where n is not a power of two; unsure if it would
/// draw another number.
#[inline(always)]
pub fn java(number: u32, n: u32) -> (u32, bool) {
    let bits = number >> 1;
    let index = bits % n;
    (index, bits - index + (n - 1) > 0x7FFF_FFFF)
}

#[inline(always)]
fn places_by(
    which: DrawKind,
    numbers: &NumberRows,
    places: &mut IndexTriples,
    index: impl Fn(u32, u32) -> (u32, bool),
) {
    let rows = match which {
        DrawKind::First => [0, 1, 2].map(|number| &numbers[number]),
        DrawKind::Before(count) => [1, 2, 3].map(|before| &numbers[count - before]),
        DrawKind::All => return scatter(numbers, places, index),
        // Sorting uses no index.
        DrawKind::Sorted => return,
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
fn scatter(
    numbers: &NumberRows,
    places: &mut IndexTriples,
    index: impl Fn(u32, u32) -> (u32, bool),
) {
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
    pack(&at, places, |lane| unsure[lane] != 0);
}

/// Number of numbers searched for three that are low enough; one seed in a thousand has fewer.
const TRIES: usize = 8;

#[inline(always)]
fn by_bits(numbers: &NumberRows, places: &mut IndexTriples, bits: impl Fn(u32) -> u32) {
    let mut packed = [0; SEEDS];
    let mut found = [0; SEEDS];
    for row in &numbers[..TRIES] {
        for lane in 0..SEEDS {
            let bits = bits(row[lane]);
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

/// Number of numbers that a shuffle by pairs takes: one bit for the second card, then one number
/// for every two cards.
pub const PAIRED: usize = 26;

#[inline(always)]
fn by_pairs(
    numbers: &NumberRows,
    places: &mut IndexTriples,
    pair: impl Fn(u32, u32) -> ([u32; 2], bool),
) {
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

/// Returns indices below n - 1 and n; unsure if another number might be drawn.
#[inline(always)]
pub fn pair(number: u32, n: u32) -> ([u32; 2], bool) {
    let product = u64::from(number) * u64::from((n - 1) * n);
    let index = (product >> 32) as u32;
    ([index / n, index % n], (product as u32) < (n - 1) * n)
}

/// [`pair`] as the GNU C++ library computes it from `minstd_rand0`: by a quotient; numbers beyond
/// the last whole quotient are drawn again.
#[inline(always)]
pub fn divided_pair(number: u32, n: u32) -> ([u32; 2], bool) {
    let both = (n - 1) * n;
    let each = (PRIME - 2) / both;
    let (number, index) = (number >> 1, (number >> 1) / each);
    ([index / n, index % n], number >= each * both)
}
