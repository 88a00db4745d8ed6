//! Measures as work on columns, with the range of their values for any thirteen cards.

use super::graph::Graph;
use crate::bridge::{Pattern, Seat, Suit};
use crate::kernels::{ColumnIndex, HeavyWeight, MeasureWork, PatternBits, RankPoints, WordWork};
use crate::language::{Measure, PatternSet, RankValues, ValueBounds};

/// Adds the column of a measure of a seat's hands; `question` returns the number of the question to
/// ask about every hand. Returns `None` if the values exceed 32 bits.
pub(super) fn column(
    graph: &mut Graph,
    seat: Seat,
    measure: &Measure,
    question: impl FnOnce() -> usize,
) -> Option<ColumnIndex> {
    let hands = graph.words(WordWork::Hand(seat));
    let interval = ValueBounds::of_measure(measure);
    match measure {
        Measure::Length(suit) => {
            let lengths = graph.words(WordWork::Lengths(hands));
            graph.measure(MeasureWork::OfSuit(lengths, *suit), interval)
        }
        Measure::Pattern(set) => {
            let bits = pattern_bits(set);
            let some =
                |member| Pattern::all().any(|pattern| set.contains(pattern.index()) == member);
            let interval = ValueBounds::new((!some(false)).into(), some(true).into());
            let lengths = graph.words(WordWork::Lengths(hands));
            graph.measure(MeasureWork::Pattern(lengths, bits), interval)
        }
        Measure::Points { values, suit, .. } => points(graph, hands, values, *suit, interval),
        Measure::Holds(card) => {
            let bit = 16 * card.suit() as u32 + card.rank().index() as u32;
            graph.measure(MeasureWork::Holds(hands, bit), interval)
        }
        Measure::Losers(suit) => {
            let lengths = graph.words(WordWork::Lengths(hands));
            let losers = graph.words(WordWork::Losers { hands, lengths });
            graph.measure(of(losers, *suit), interval)
        }
        Measure::Tricks(strain) => graph.measure(MeasureWork::Tricks(seat, *strain), interval),
        // Evaluated deal by deal, because no column holds a deal's draws or its table.
        Measure::Random { .. } | Measure::Par(_) => None,
        // No kernel computes it: the hands are asked one by one.
        _ => {
            let question = question();
            graph.measure(MeasureWork::Ask { hands, question }, interval)
        }
    }
}

/// Selects one suit, or all four.
fn of(words: ColumnIndex, suit: Option<Suit>) -> MeasureWork {
    match suit {
        Some(suit) => MeasureWork::OfSuit(words, suit),
        None => MeasureWork::OfHand(words),
    }
}

fn points(
    graph: &mut Graph,
    hands: ColumnIndex,
    values: &RankValues,
    suit: Option<Suit>,
    interval: ValueBounds,
) -> Option<ColumnIndex> {
    let groups = groups(values);
    // Small enough that no hand exceeds 16 bits, in any order of addition.
    let sum: i64 = values.iter().map(|value| i64::from(*value).abs()).sum();
    if 4 * sum <= i64::from(i16::MAX) {
        let weights = groups.into_iter().map(|(ranks, points)| RankPoints {
            ranks,
            points: points as i16,
        });
        let words = graph.words(WordWork::Points(hands, weights.collect()));
        return graph.measure(of(words, suit), interval);
    }
    let suits = suit.map_or(0x0001_0001_0001_0001, |suit| 1 << (16 * suit as u32));
    let weights = groups.into_iter().map(|(ranks, points)| HeavyWeight {
        cards: u64::from(ranks) * suits,
        points,
    });
    graph.measure(MeasureWork::HeavyPoints(hands, weights.collect()), interval)
}

/// Groups ranks that have the same points, if there are more than two: looking up one rank is
/// faster than counting several.
fn groups(values: &RankValues) -> Vec<(u16, i32)> {
    let mut groups: Vec<(u16, i32)> = Vec::new();
    for (rank, &value) in values.iter().enumerate().filter(|(_, value)| **value != 0) {
        let same = values.iter().filter(|other| **other == value).count();
        match groups.iter_mut().find(|(_, points)| *points == value) {
            Some((ranks, _)) if same > 2 => *ranks |= 1 << rank,
            _ => groups.push((1 << rank, value)),
        }
    }
    groups
}

fn pattern_bits(set: &PatternSet) -> Box<PatternBits> {
    let mut bits = Box::new([0; 128]);
    for pattern in Pattern::all().filter(|pattern| set.contains(pattern.index())) {
        let [spades, hearts, diamonds, _] = pattern.lengths().map(usize::from);
        let key = spades + 16 * hearts + 256 * diamonds;
        bits[key >> 5] |= 1 << (key & 31);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Rank;
    use crate::language::PointCount;

    #[test]
    fn ranks_of_the_same_worth_are_counted_together() {
        assert_eq!(
            groups(&PointCount::Hcp.usual()),
            [(1, 4), (2, 3), (4, 2), (8, 1)]
        );
        assert_eq!(
            groups(&PointCount::Alternative(5).usual()),
            [(1, 1), (2, 1)]
        );
        assert_eq!(groups(&PointCount::Alternative(8).usual()), [(0x1F, 1)]);
        assert_eq!(groups(&[0; Rank::COUNT]), []);
    }
}
