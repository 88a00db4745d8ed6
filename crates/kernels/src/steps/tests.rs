//! Every type of work on every path, compared with a cell-by-cell computation.

use super::super::tests::words;
use super::super::{DECK, Isa, PACKET, Packet, run_steps};
use super::*;
use fairdeal_bridge::{Seat, Strain, Suit, TrickTable};

/// Answers that encode the question.
struct Echo;

impl Answers for Echo {
    fn of_hand(&self, question: usize, hand: u64) -> i32 {
        (hand >> 40) as i32 + question as i32
    }

    fn of_value(&self, question: usize, value: i32) -> i32 {
        value ^ question as i32
    }
}

/// Returns random cards in every column, which need not be legal deals.
fn packet(deals: usize) -> Packet {
    let mut seed = deals as u64;
    let mut cards = || words::<PACKET>(&mut seed).map(|word| word & DECK);
    Packet {
        deals,
        north_south: cards(),
        north: cards(),
        east: cards(),
        ..Packet::default()
    }
}

/// Returns the columns that these works compute in turn; the first `words` are of words.
fn given(isa: Isa, packet: &Packet, works: &[ColumnWork], words: usize) -> StepColumns {
    let makes = works.iter().enumerate().map(|(i, work)| Step::Make {
        work: work.clone(),
        to: if i < words { i } else { i - words },
    });
    let gives = (words..works.len()).map(|i| Step::Give {
        values: i - words,
        failing: None,
    });
    let steps = Steps {
        list: makes.chain(gives).collect(),
        words,
        values: works.len() - words,
        given: works.len() - words,
    };
    let mut columns = StepColumns::default();
    run_steps(isa, &steps, &Echo, packet, &mut columns);
    columns
}

#[test]
fn words_and_measures_are_those_of_each_hand() {
    let weights: [(u16, i16); 3] = [(0b1, 4), (0b10, -3), (0b1111_0000_0100, 2)];
    let light = weights.map(|(ranks, points)| RankPoints { ranks, points });
    let heavy = weights.map(|(ranks, points)| HeavyWeight {
        cards: u64::from(ranks) << 16,
        points: 100_000 * i32::from(points),
    });
    let patterns: Box<PatternBits> = Box::new(words::<128>(&mut 9).map(|word| word as u32));
    for seat in Seat::ALL {
        let works = [
            ColumnWork::Words(WordWork::Hand(seat)),
            ColumnWork::Words(WordWork::Lengths(0)),
            ColumnWork::Words(WordWork::Points(0, light.into())),
            ColumnWork::Words(WordWork::Losers {
                hands: 0,
                lengths: 1,
            }),
            ColumnWork::Measure(MeasureWork::OfSuit(1, Suit::Clubs)),
            ColumnWork::Measure(MeasureWork::OfHand(1)),
            ColumnWork::Measure(MeasureWork::OfSuit(2, Suit::Hearts)),
            ColumnWork::Measure(MeasureWork::OfHand(2)),
            ColumnWork::Measure(MeasureWork::OfSuit(3, Suit::Spades)),
            ColumnWork::Measure(MeasureWork::OfHand(3)),
            ColumnWork::Measure(MeasureWork::HeavyPoints(0, heavy.into())),
            ColumnWork::Measure(MeasureWork::Holds(0, 35)),
            ColumnWork::Measure(MeasureWork::Pattern(1, patterns.clone())),
            ColumnWork::Measure(MeasureWork::Ask {
                hands: 0,
                question: 2,
            }),
        ];
        let packet = packet(100);
        let hands = packet.hands(seat);
        for &isa in Isa::available() {
            let columns = given(isa, &packet, &works, 4);
            for (i, &hand) in hands.iter().enumerate().take(100) {
                let suits = [0, 16, 32, 48].map(|shift| (hand >> shift) as u16);
                let lengths = suits.map(|suit| suit.count_ones() as i32);
                let points = suits.map(|suit| {
                    let of = |(ranks, points): (u16, i16)| {
                        (suit & ranks).count_ones() as i32 * i32::from(points)
                    };
                    weights.map(of).iter().sum::<i32>()
                });
                let losers = suits.map(|suit| {
                    let top = (1 << suit.count_ones().min(3)) - 1;
                    (!suit & top).count_ones() as i32
                });
                let key = (lengths[0] + 16 * lengths[1] + 256 * lengths[2]) as usize;
                let expected = [
                    lengths[3],
                    lengths.iter().sum(),
                    points[1],
                    points.iter().sum(),
                    losers[0],
                    losers.iter().sum(),
                    100_000 * points[1],
                    (hand >> 35 & 1) as i32,
                    (patterns[key / 32] >> (key % 32) & 1) as i32,
                    Echo.of_hand(2, hand),
                ];
                let row = columns.given.iter().map(|column| column[i]);
                assert!(row.eq(expected.map(i64::from)), "{isa}, {seat}, {i}");
            }
            assert_eq!(columns.given[9][100], 0, "no one asks for what is no deal");
        }
    }
}

#[test]
fn tricks_are_those_of_each_table() {
    let table = |deal: usize| {
        let tricks = |seat: Seat, strain: Strain| (deal + 5 * seat.index() + strain.index()) % 14;
        TrickTable::new(|seat, strain| tricks(seat, strain) as u8).unwrap()
    };
    for deals in [0, 1, 100, PACKET] {
        let packet = Packet {
            tricks: (0..deals).map(table).collect(),
            ..packet(deals)
        };
        let all = Seat::ALL.map(|seat| Strain::ALL.map(|strain| (seat, strain)));
        let works = all.as_flattened().iter();
        let works = works.map(|&(seat, strain)| MeasureWork::Tricks(seat, strain));
        let works: Vec<ColumnWork> = works.map(ColumnWork::Measure).collect();
        for &isa in Isa::available() {
            let columns = given(isa, &packet, &works, 0);
            for (column, &(seat, strain)) in columns.given.iter().zip(all.as_flattened()) {
                for (i, found) in column.iter().enumerate() {
                    let known = packet.tricks.get(i);
                    let expected = known.map_or(0, |table| table.tricks(seat, strain));
                    assert_eq!(*found, i64::from(expected), "{isa}, {seat}, {strain}, {i}");
                }
            }
        }
    }
}

#[test]
fn values_are_those_of_each_cell() {
    let packet = packet(PACKET);
    let pairings = [
        Pairing::Equal,
        Pairing::NotEqual,
        Pairing::Less,
        Pairing::LessOrEqual,
        Pairing::Plus,
        Pairing::Minus,
        Pairing::Times,
        Pairing::Divide,
        Pairing::Remainder,
    ];
    let hand = |place, question| {
        let hands = place;
        ColumnWork::Measure(MeasureWork::Ask { hands, question })
    };
    let odd = |place, bit| ColumnWork::Measure(MeasureWork::Holds(place, bit));
    let mut works = vec![
        ColumnWork::Words(WordWork::Hand(Seat::North)),
        ColumnWork::Words(WordWork::Hand(Seat::East)),
        hand(0, 0),
        ColumnWork::Measure(MeasureWork::OfSuit(1, Suit::Spades)),
        odd(0, 3),
        odd(1, 4),
    ];
    works.extend(pairings.map(|pairing| ColumnWork::Values(ValueWork::Pair(pairing, [0, 1]))));
    works.extend(
        [Pairing::And, Pairing::Or].map(|it| ColumnWork::Values(ValueWork::Pair(it, [2, 3]))),
    );
    works.extend([
        ColumnWork::Values(ValueWork::Number(-7)),
        ColumnWork::Values(ValueWork::Negate(0)),
        ColumnWork::Values(ValueWork::Choose([2, 0, 1])),
        ColumnWork::Values(ValueWork::Between {
            values: 1,
            least: -100,
            most: 4_000,
        }),
        ColumnWork::Values(ValueWork::Table {
            values: 1,
            least: 16,
            table: (0..4_000).map(|value| value * 3).collect(),
        }),
        ColumnWork::Values(ValueWork::Ask {
            values: 0,
            question: 5,
        }),
    ]);
    for &isa in Isa::available() {
        let columns = given(isa, &packet, &works, 2);
        for i in 0..PACKET {
            let (a, b) = (
                (packet.north[i] >> 40) as i32,
                i32::from(packet.east[i] as i16),
            );
            let [p, q] = [packet.north[i] >> 3 & 1, packet.east[i] >> 4 & 1].map(|bit| bit as i32);
            let expected = [
                a,
                b,
                p,
                q,
                i32::from(a == b),
                i32::from(a != b),
                i32::from(a < b),
                i32::from(a <= b),
                a.wrapping_add(b),
                a.wrapping_sub(b),
                a.wrapping_mul(b),
                a.checked_div(b).unwrap_or(0),
                a.checked_rem(b).unwrap_or(0),
                p & q,
                p | q,
                -7,
                a.wrapping_neg(),
                if p == 1 { a } else { b },
                i32::from((-100..=4_000).contains(&b)),
                if (16..4_016).contains(&b) {
                    3 * (b - 16)
                } else {
                    0
                },
                a ^ 5,
            ];
            let row = columns.given.iter().map(|column| column[i]);
            assert!(row.eq(expected.map(i64::from)), "{isa}, {i}");
        }
    }
}

#[test]
fn deals_pass_are_set_aside_or_fall() {
    let packet = packet(77);
    let bit = |to, bit| Step::Make {
        work: ColumnWork::Measure(MeasureWork::Holds(0, bit)),
        to,
    };
    let hands = Step::Make {
        work: ColumnWork::Words(WordWork::Hand(Seat::North)),
        to: 0,
    };
    let pass = |values, failing| Step::Pass { values, failing };
    // The same step reads and replaces a column.
    let negate = Step::Make {
        work: ColumnWork::Values(ValueWork::Negate(1)),
        to: 1,
    };
    let list = vec![
        hands,
        bit(0, 1),
        bit(1, 2),
        negate,
        pass(0, Some(1)),
        bit(0, 3),
        pass(0, None),
    ];
    let steps = Steps {
        list,
        words: 1,
        values: 2,
        given: 0,
    };
    for &isa in Isa::available() {
        let mut columns = StepColumns::default();
        run_steps(isa, &steps, &Echo, &packet, &mut columns);
        let (mut passed, mut aside) = (0u128, 0u128);
        for (i, hand) in packet.north.iter().enumerate().take(77) {
            aside |= u128::from(hand >> 2 & 1) << i;
            passed |= u128::from(hand >> 1 & 1 & !(hand >> 2) & hand >> 3) << i;
        }
        assert_eq!((columns.passed, columns.aside), (passed, aside), "{isa}");
        assert!(passed != 0 && aside != 0);
    }
}
