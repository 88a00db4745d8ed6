//! Defects: names, faults, and dealing with them.

use super::error::DefectError;
use super::random::{Output, Random};
use super::{cases, choices, generators, habits, list, shuffles};
use crate::draw::{Block, Packet};
use crate::population::cases::CaseFile;

/// A deliberately defective dealer.
#[derive(Debug)]
pub struct Defect {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) fault: PlantedFault,
    pub(super) best_test: &'static str,
    pub(super) predicted: f64,
}

/// The order in which a shuffled deck is dealt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DealingOrder {
    /// One card to each seat in turn.
    RoundRobin,
    /// Thirteen cards to north, then thirteen to east ..
    Blocks,
}

/// The fault of a defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlantedFault {
    /// Each card is swapped with any of the 52.
    NaiveShuffle(DealingOrder),
    /// Each card, from the last, is swapped with one of those before it, never with itself.
    Sattolo(DealingOrder),
    /// This number of swaps of two random cards, from the sorted deck.
    Transpositions(u32),
    /// Indices are this many random bits modulo the number of cards.
    Modulo { bits: u32 },
    /// Every deal has a seed of this many bits.
    Seeds { bits: u32 },
    /// Every second stretch of 2^14 deals repeats the previous one.
    TwoThreads,
    /// One deal in `one_in` is a copy of an earlier one.
    Reused { one_in: u32 },
    /// IBM's RANDU.
    Randu(Index),
    /// The C standard's example.
    AnsiRand,
    /// Microsoft's rand(), seeded with the time before every deal.
    MsRandByTime,
    /// The same recurrence, seeded once.
    MsRandStream,
    /// The 48-bit recurrence of Unix, seeded once.
    Lrand48Stream,
    /// Mersenne Twisters seeded 0, 1, 2 ..
    Mt19937InOrder,
    /// The next deal is made from this one by this number of swaps.
    DeckNotReset { transpositions: u32 },
    /// One hand of north in `one_in` repeats the previous one.
    NorthAgain { one_in: u32 },
    /// Every card goes to a random hand that is not full.
    RandomUnfilledHand,
    /// The weight of shape 4-4-3-2 is wrong by this number of parts per thousand.
    LookupEntry { per_mille: i64 },
    /// North gets the pattern after the drawn one.
    NextPattern,
    /// The first pattern's cumulative weight is 3 % of its weight too large.
    CumulativeEntry,
    /// The deck as tricks leave it, riffled this number of times.
    Rubber { riffles: u32 },
    /// The deck stacked from the four hands of a duplicate board, riffled this number of times.
    Duplicate { riffles: u32 },
    /// One flat deal in `one_in` is dealt again.
    FlatRemoved { one_in: u32 },
    /// One deal in `one_in` without a game for north-south is dealt again.
    NonGameRemoved { one_in: u32 },
    /// One deal in `one_in` in which west does not have shape 4-4-3-2 is dealt again.
    West4432 { one_in: u32 },
    /// Once in `one_in` deals, north gets the ace of spades if another seat has it.
    AceToNorth { one_in: u32 },
    /// The wildest of three sessions is dealt.
    WildestSession,
    /// Once in `one_in` deals, north loses a card.
    Truncated { one_in: u32 },
    /// North's honours in spades and clubs are exchanged.
    HonoursSwapped,
    /// The heaviest case weighs 5 % too much.
    CaseWeight,
}

/// The bits of a generator's state that make an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// State × cards / 2^31.
    HighBits,
    /// State modulo cards.
    LowBits,
}

impl Defect {
    /// Returns all defects, in the order of the method's list.
    #[must_use]
    pub fn all() -> &'static [Self] {
        list::ALL
    }

    /// Returns the defect with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|defect| defect.name == name)
    }

    /// Returns its name in options and reports: `naive-shuffle-blocks`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a description of the fault, in one line.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// Returns the test that detects it with the fewest deals, by its short name: `T1` (card and
    /// seat), `T1max` (one card at one seat), `T2` (pairs of cards), `T4` (patterns), `T5`
    /// (points), `T6` and `T7` (this deal and the previous one), `T8` (duplicate deals), `T9s`
    /// (deals of known seeds), `F` (flatness), `T0` (whole deals), `cards` and `cases` (of a
    /// condition).
    #[must_use]
    pub fn best_test(&self) -> &'static str {
        self.best_test
    }

    /// Returns the number of deals from which that test should have p <= 10^-6; infinite if no test
    /// of the deals detects it in a run of any feasible length.
    #[must_use]
    pub fn predicted(&self) -> f64 {
        self.predicted
    }

    /// Returns the condition whose cases show it, in dealer's language; `None` for defects without
    /// a condition.
    #[must_use]
    pub fn scenario(&self) -> Option<&'static str> {
        match self.fault {
            PlantedFault::HonoursSwapped => Some(cases::HONOURS_SWAPPED),
            PlantedFault::CaseWeight => Some(cases::CASE_WEIGHT),
            _ => None,
        }
    }

    /// Deals a block, in order, in packets.
    ///
    /// # Errors
    ///
    /// [`DefectError::NeedsCases`] if [`Defect::scenario`] is a condition.
    pub(crate) fn deal(
        &self,
        seed: u128,
        block: Block,
        packet: &mut Packet,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DefectError> {
        if let Some(condition) = self.scenario() {
            let name = self.name;
            return Err(DefectError::NeedsCases { name, condition });
        }
        let mut random = Random::of_block(seed, block);
        let mut output = Output::new(packet, sink);
        let (random, out) = (&mut random, &mut output);
        match self.fault {
            PlantedFault::NaiveShuffle(dealt) => shuffles::naive(dealt, random, block, out),
            PlantedFault::Sattolo(dealt) => shuffles::sattolo(dealt, random, block, out),
            PlantedFault::Transpositions(count) => {
                shuffles::transpositions(count, random, block, out);
            }
            PlantedFault::Modulo { bits } => shuffles::modulo(bits, random, block, out),
            PlantedFault::Seeds { bits } => shuffles::seeds(bits, random, block, out),
            PlantedFault::TwoThreads => habits::two_threads(seed, block, out),
            PlantedFault::Reused { one_in } => habits::reused(one_in, random, block, out),
            PlantedFault::Randu(index) => generators::randu(index, random, block, out),
            PlantedFault::AnsiRand => generators::ansi_rand(random, block, out),
            PlantedFault::MsRandByTime => generators::ms_rand_by_time(seed, block, out),
            PlantedFault::MsRandStream => generators::ms_rand_stream(seed, block, out),
            PlantedFault::Lrand48Stream => generators::lrand48_stream(seed, block, out),
            PlantedFault::Mt19937InOrder => generators::mt19937_in_order(block, out),
            PlantedFault::DeckNotReset { transpositions } => {
                habits::deck_not_reset(transpositions, random, block, out);
            }
            PlantedFault::NorthAgain { one_in } => habits::north_again(one_in, random, block, out),
            PlantedFault::RandomUnfilledHand => choices::random_unfilled_hand(random, block, out),
            PlantedFault::LookupEntry { per_mille } => {
                choices::lookup_entry(per_mille, random, block, out);
            }
            PlantedFault::NextPattern => choices::next_pattern(random, block, out),
            PlantedFault::CumulativeEntry => choices::cumulative_entry(random, block, out),
            PlantedFault::Rubber { riffles } => habits::rubber(riffles, random, block, out),
            PlantedFault::Duplicate { riffles } => habits::duplicate(riffles, random, block, out),
            PlantedFault::FlatRemoved { one_in } => {
                choices::flat_removed(one_in, random, block, out);
            }
            PlantedFault::NonGameRemoved { one_in } => {
                choices::non_game_removed(one_in, random, block, out);
            }
            PlantedFault::West4432 { one_in } => choices::west_4432(one_in, random, block, out),
            PlantedFault::AceToNorth { one_in } => {
                choices::ace_to_north(one_in, random, block, out);
            }
            PlantedFault::WildestSession => habits::wildest_session(random, block, out),
            PlantedFault::Truncated { one_in } => choices::truncated(one_in, random, block, out),
            // Both need a condition and are refused above.
            PlantedFault::HonoursSwapped | PlantedFault::CaseWeight => {}
        }
        output.finish();
        Ok(())
    }

    /// Whether every deal is legal: thirteen cards per seat, each card once.
    #[must_use]
    pub fn deals_are_legal(&self) -> bool {
        !matches!(self.fault, PlantedFault::Truncated { .. })
    }

    /// Deals a block from the cases of a condition, in random order, in packets.
    ///
    /// The file should be that of [`Defect::scenario`]. Other conditions are accepted if the fault
    /// is possible under them.
    ///
    /// # Errors
    ///
    /// [`DefectError`] if the defect does not deal from cases, or not from these, or the file was
    /// modified after it was opened.
    pub(crate) fn deal_cases<D: AsRef<[u8]> + Sync>(
        &self,
        file: &CaseFile<D>,
        seed: u128,
        block: Block,
        packet: &mut Packet,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DefectError> {
        let mut output = Output::new(packet, sink);
        match self.fault {
            PlantedFault::HonoursSwapped => {
                let other = DefectError::OtherCases {
                    name: self.name,
                    condition: cases::HONOURS_SWAPPED,
                };
                cases::honours_swapped(file, seed, block, &mut output, &other)?;
            }
            PlantedFault::CaseWeight => cases::case_weight(file, seed, block, &mut output)?,
            _ => return Err(DefectError::NeedsNoCases(self.name)),
        }
        output.finish();
        Ok(())
    }
}
