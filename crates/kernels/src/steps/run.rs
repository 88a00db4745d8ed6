//! The loops of the steps.
//!
//! Each loop runs over a whole column, which every compiler vectorizes. Words that hold four 16-bit
//! numbers are read as such. Cells beyond the packet's deals may hold anything, but must not cause
//! a panic; hence the wrapping arithmetic.

use super::super::{DECK, PACKET, Packet};
use super::columns::{Bank, ColumnView};
use super::{
    Answers, ColumnIndex, ColumnWork, HeavyWeight, MeasureWork, Pairing, PatternBits, RankPoints,
    Step, StepColumns, Steps, ValueWork, WordWork,
};
use fairdeal_bridge::{Seat, Strain, TrickTable};

type WordColumn = [u64; PACKET];
type ValueColumn = [i32; PACKET];

/// See [`run_steps`](crate::run_steps).
#[inline(always)]
pub(crate) fn run_steps(
    steps: &Steps,
    answers: &dyn Answers,
    packet: &Packet,
    columns: &mut StepColumns,
) {
    columns.prepare(steps);
    let mut left = first_places(packet.deals);
    let mut aside = 0;
    let mut given = 0;
    for step in &steps.list {
        match step {
            Step::Make { work, to } => {
                let (spare_words, words) = columns.words.split();
                let (out, values) = columns.values.split();
                match work {
                    ColumnWork::Words(work) => {
                        words_of(work, packet, &words, spare_words);
                        columns.words.put(*to);
                        continue;
                    }
                    ColumnWork::Measure(MeasureWork::Ask { hands, question }) => {
                        let hands = words.get(*hands);
                        ask(left, out, |i| answers.of_hand(*question, hands[i]));
                    }
                    ColumnWork::Measure(MeasureWork::Tricks(declarer, strain)) => {
                        tricks(&packet.tricks, (*declarer, *strain), out);
                    }
                    ColumnWork::Values(ValueWork::Ask {
                        values: asked,
                        question,
                    }) => {
                        let asked = values.get(*asked);
                        ask(left, out, |i| answers.of_value(*question, asked[i]));
                    }
                    ColumnWork::Measure(work) => measure(work, &words, out),
                    ColumnWork::Values(work) => calculate(work, &values, out),
                }
                columns.values.put(*to);
            }
            Step::Pass { values, failing } => {
                let fails = places_if(*failing, &columns.values);
                aside |= left & fails;
                left &= places(columns.values.get(*values)) & !fails;
                if left == 0 {
                    break;
                }
            }
            Step::Give { values, failing } => {
                let fails = places_if(*failing, &columns.values);
                each(
                    &mut columns.given[given],
                    columns.values.get(*values),
                    i64::from,
                );
                columns.failing[given] = left & fails;
                given += 1;
            }
        }
    }
    (columns.passed, columns.aside) = (left, aside);
}

/// Returns this number of low bits.
#[inline(always)]
fn first_places(deals: usize) -> u128 {
    if deals < PACKET {
        (1 << deals) - 1
    } else {
        u128::MAX
    }
}

/// Returns the places of a column's cells that are 1, if there is a column.
#[inline(always)]
fn places_if(column: Option<ColumnIndex>, values: &Bank<i32>) -> u128 {
    match column {
        Some(column) => places(values.get(column)),
        None => 0,
    }
}

/// Returns the places of odd cells; cells are 0 or 1.
#[inline(always)]
fn places(values: &ValueColumn) -> u128 {
    let mut bytes = [0u8; PACKET];
    each(&mut bytes, values, |value| (value & 1) as u8);
    let mut places = 0;
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // Moves the lowest bit of byte k to bit 56 + k; no two bits collide on the way.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        places |= u128::from(bits) << (8 * i);
    }
    places
}

#[inline(always)]
fn each<A: Copy, T>(out: &mut [T; PACKET], a: &[A; PACKET], give: impl Fn(A) -> T) {
    for (out, a) in out.iter_mut().zip(a) {
        *out = give(*a);
    }
}

#[inline(always)]
fn each_two<A: Copy, B: Copy, T>(
    out: &mut [T; PACKET],
    (a, b): (&[A; PACKET], &[B; PACKET]),
    give: impl Fn(A, B) -> T,
) {
    for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
        *out = give(*a, *b);
    }
}

/// Asks about the cells of the remaining deals one by one; the other cells are 0.
#[inline(always)]
fn ask(mut left: u128, out: &mut ValueColumn, answer: impl Fn(usize) -> i32) {
    *out = [0; PACKET];
    while left != 0 {
        let place = left.trailing_zeros() as usize;
        out[place] = answer(place);
        left &= left - 1;
    }
}

const LANES: usize = 4 * PACKET;

#[inline(always)]
fn lanes(words: &WordColumn) -> &[u16; LANES] {
    bytemuck::cast_ref(words)
}

#[inline(always)]
fn lanes_mut(words: &mut WordColumn) -> &mut [u16; LANES] {
    bytemuck::cast_mut(words)
}

#[inline(always)]
fn words_of(work: &WordWork, packet: &Packet, words: &ColumnView<'_, u64>, out: &mut WordColumn) {
    let (both, north, east) = (&packet.north_south, &packet.north, &packet.east);
    match work {
        WordWork::Hand(Seat::North) => *out = *north,
        WordWork::Hand(Seat::East) => *out = *east,
        WordWork::Hand(Seat::South) => each_two(out, (both, north), |both, north| both & !north),
        WordWork::Hand(Seat::West) => {
            each_two(out, (both, east), |both, east| DECK & !(both | east));
        }
        WordWork::Lengths(hands) => {
            let hands = lanes(words.get(*hands));
            for (out, hand) in lanes_mut(out).iter_mut().zip(hands) {
                *out = hand.count_ones() as u16;
            }
        }
        WordWork::Points(hands, weights) => {
            out.fill(0);
            for weight in weights {
                add_points(lanes_mut(out), lanes(words.get(*hands)), *weight);
            }
        }
        WordWork::Losers { hands, lengths } => {
            let (hands, lengths) = (lanes(words.get(*hands)), lanes(words.get(*lengths)));
            for (out, (hand, length)) in lanes_mut(out).iter_mut().zip(hands.iter().zip(lengths)) {
                // A missing ace is a loser in any suit, a missing king from two cards on, a queen
                // from three.
                let missed = |rank: u16| !hand >> rank & 1 & u16::from(*length > rank);
                *out = missed(0) + missed(1) + missed(2);
            }
        }
    }
}

/// Adds the points of some ranks: by their bit for one rank, by counting for several.
#[inline(always)]
fn add_points(out: &mut [u16; LANES], hands: &[u16; LANES], weight: RankPoints) {
    let points = weight.points.cast_unsigned();
    if weight.ranks.count_ones() == 1 {
        let rank = weight.ranks.trailing_zeros();
        for (out, hand) in out.iter_mut().zip(hands) {
            *out = out.wrapping_add((hand >> rank & 1).wrapping_mul(points));
        }
    } else {
        for (out, hand) in out.iter_mut().zip(hands) {
            let held = (hand & weight.ranks).count_ones() as u16;
            *out = out.wrapping_add(held.wrapping_mul(points));
        }
    }
}

/// Computes values from words.
#[inline(always)]
fn measure(work: &MeasureWork, words: &ColumnView<'_, u64>, out: &mut ValueColumn) {
    // The lowest 16 bits, with their sign.
    let low = |word: u64| i32::from(word as i16);
    match work {
        MeasureWork::OfSuit(place, suit) => {
            let shift = 16 * *suit as u32;
            each(out, words.get(*place), |word| low(word >> shift));
        }
        MeasureWork::OfHand(place) => each(out, words.get(*place), |word| {
            // Carries from lower suits stay above the lowest 16 bits.
            let two = word.wrapping_add(word >> 16);
            low(two.wrapping_add(word >> 32).wrapping_add(word >> 48))
        }),
        MeasureWork::HeavyPoints(place, weights) => {
            out.fill(0);
            for HeavyWeight { cards, points } in weights {
                for (out, hand) in out.iter_mut().zip(words.get(*place)) {
                    let held = (hand & cards).count_ones() as i32;
                    *out = out.wrapping_add(held.wrapping_mul(*points));
                }
            }
        }
        MeasureWork::Holds(place, bit) => {
            each(out, words.get(*place), |hand| (hand >> bit & 1) as i32);
        }
        MeasureWork::Pattern(place, patterns) => find_patterns(words.get(*place), patterns, out),
        MeasureWork::Tricks(..) | MeasureWork::Ask { .. } => {}
    }
}

/// Reads a number of each table; cells beyond the tables are 0.
#[inline(always)]
fn tricks(tables: &[TrickTable], (declarer, strain): (Seat, Strain), out: &mut ValueColumn) {
    out[tables.len().min(PACKET)..].fill(0);
    for (out, table) in out.iter_mut().zip(tables) {
        *out = table.tricks(declarer, strain).into();
    }
}

#[inline(always)]
fn find_patterns(lengths: &WordColumn, patterns: &PatternBits, out: &mut ValueColumn) {
    each(out, lengths, |word| {
        ((word | word >> 12 | word >> 24) & 0xFFF) as i32
    });
    for out in out {
        let key = *out as usize;
        *out = (patterns[(key >> 5) % patterns.len()] >> (key & 31) & 1) as i32;
    }
}

/// Computes values from values.
#[inline(always)]
fn calculate(work: &ValueWork, columns: &ColumnView<'_, i32>, out: &mut ValueColumn) {
    match work {
        ValueWork::Number(number) => out.fill(*number),
        ValueWork::Negate(place) => each(out, columns.get(*place), i32::wrapping_neg),
        ValueWork::Between {
            values,
            least,
            most,
        } => each(out, columns.get(*values), |value| {
            i32::from(value >= *least) & i32::from(value <= *most)
        }),
        ValueWork::Table {
            values,
            least,
            table,
        } => {
            for (out, value) in out.iter_mut().zip(columns.get(*values)) {
                let index = value.wrapping_sub(*least).cast_unsigned() as usize;
                *out = table.get(index).copied().unwrap_or(0);
            }
        }
        ValueWork::Pair(pairing, places) => pair(*pairing, *places, columns, out),
        ValueWork::Choose([test, yes, no]) => {
            let branches = columns.get(*yes).iter().zip(columns.get(*no));
            for ((out, test), (yes, no)) in out.iter_mut().zip(columns.get(*test)).zip(branches) {
                *out = if *test != 0 { *yes } else { *no };
            }
        }
        ValueWork::Ask { .. } => {}
    }
}

#[inline(always)]
fn pair(
    pairing: Pairing,
    [a, b]: [ColumnIndex; 2],
    columns: &ColumnView<'_, i32>,
    out: &mut ValueColumn,
) {
    let both = (columns.get(a), columns.get(b));
    match pairing {
        Pairing::And => each_two(out, both, |a, b| a & b),
        Pairing::Or => each_two(out, both, |a, b| a | b),
        Pairing::Equal => each_two(out, both, |a, b| i32::from(a == b)),
        Pairing::NotEqual => each_two(out, both, |a, b| i32::from(a != b)),
        Pairing::Less => each_two(out, both, |a, b| i32::from(a < b)),
        Pairing::LessOrEqual => each_two(out, both, |a, b| i32::from(a <= b)),
        Pairing::Plus => each_two(out, both, i32::wrapping_add),
        Pairing::Minus => each_two(out, both, i32::wrapping_sub),
        Pairing::Times => each_two(out, both, i32::wrapping_mul),
        Pairing::Divide => each_two(out, both, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
        Pairing::Remainder => {
            each_two(out, both, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) });
        }
    }
}
