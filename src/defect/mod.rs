//! Dealers that are broken on purpose, to prove that the tests of randomness see it.
//!
//! A battery of tests that passes everything passes a perfect dealer too. Each
//! [`Defect`] deals in a way that some program or some table of players has
//! dealt, or could, and says which test should see it first and after how many
//! deals. They are fair in nothing but what they are meant to get right: never
//! play with them.
//!
//! ```text
//! seed, block --Random, Fair--> shuffles, generators, habits, play, choices --> packets of deals
//! case file, seed, block --Stream--> cases --> packets of deals
//! ```
//!
//! - `shuffles`: shuffles that do not shuffle fairly, and seeds that are too small.
//! - `generators`: old generators of random numbers.
//! - `habits`: what is carried over from one deal to the next; riffles.
//! - `play`: a deal played out and collected, for riffles to begin with.
//! - `choices`: deals refused, tables altered, single cards favoured.
//! - `cases`: faults in dealing from a case file.
//! - `random`: the good random numbers beneath, and the way out in packets.
//!
//! Deals are a function of seed and block: what is carried over from deal to
//! deal begins afresh with every block, unless the list says otherwise.

mod cases;
mod choices;
mod generators;
mod habits;
mod list;
mod play;
#[cfg(test)]
mod predictions;
mod random;
mod shuffles;
mod source;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(crate) use generators::first_word;
pub use source::Defective;

use crate::draw::{Block, DamagedCase, DrawError, Packet, WordsError};
use crate::population::cases::CaseFile;
use random::{Output, Random};

/// A dealer that is broken on purpose.
#[derive(Debug)]
pub struct Defect {
    name: &'static str,
    summary: &'static str,
    fault: Fault,
    best_test: &'static str,
    predicted: f64,
}

/// Why a defect cannot be dealt.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DefectError {
    /// It is a fault in dealing from a case file, and there is none.
    #[error("{name} is a defect of dealing from cases; it needs the condition `{condition}`")]
    NeedsCases {
        /// The defect.
        name: &'static str,
        /// The condition that shows it.
        condition: &'static str,
    },
    /// It is a fault in dealing every deal, and there is a case file.
    #[error("{0} is a defect of dealing without a condition; use `unconstrained`")]
    NeedsNoCases(&'static str),
    /// The case file is of a condition in which the fault cannot happen.
    #[error("{name} cannot happen with these cases; it needs the condition `{condition}`")]
    OtherCases {
        /// The defect.
        name: &'static str,
        /// The condition that shows it.
        condition: &'static str,
    },
    /// The cases cannot be dealt at all.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl From<DamagedCase> for DefectError {
    fn from(error: DamagedCase) -> Self {
        Self::Draw(error.into())
    }
}

impl From<WordsError> for DefectError {
    fn from(error: WordsError) -> Self {
        Self::Draw(error.into())
    }
}

/// How a shuffled deck is dealt out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dealt {
    /// One card to each seat in turn.
    RoundRobin,
    /// Thirteen cards to north, then thirteen to east ..
    Blocks,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Every card is swapped with any card.
    NaiveShuffle(Dealt),
    /// Every card is swapped with another one further down, never with itself.
    Sattolo(Dealt),
    /// So many swaps of two random cards, from the sorted deck.
    Transpositions(u32),
    /// Indices are this many random bits modulo the number of cards.
    Modulo { bits: u32 },
    /// Every deal has a seed of this many bits.
    Seeds { bits: u32 },
    /// Every second stretch of deals repeats the one before it.
    TwoThreads,
    /// One deal in so many is a copy of an earlier one.
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
    /// The next deal is made of this one by so many swaps.
    DeckNotReset { transpositions: u32 },
    /// One hand of north's in so many is the one before.
    NorthAgain { one_in: u32 },
    /// Every card goes to a random hand that is not full.
    RandomUnfilledHand,
    /// The weight of shape 4432 is wrong by so many parts in a thousand.
    LookupEntry { per_mille: i64 },
    /// The pattern after the one that was drawn.
    NextPattern,
    /// The first pattern's cumulative weight is 3 % of its weight too large.
    CumulativeEntry,
    /// The deck as tricks leave it, riffled so often.
    Rubber { riffles: u32 },
    /// The deck as four hands of a duplicate board, riffled so often.
    Duplicate { riffles: u32 },
    /// One flat deal in so many is dealt again.
    FlatRemoved { one_in: u32 },
    /// One deal in so many that is no game for north-south is dealt again.
    NonGameRemoved { one_in: u32 },
    /// One deal in so many in which west has no 4432 is dealt again.
    West4432 { one_in: u32 },
    /// Once in so many, somebody else's ace of spades is given to north.
    AceToNorth { one_in: u32 },
    /// The wildest of three sessions is dealt.
    WildestSession,
    /// Once in so many, a card of north's is lost.
    Truncated { one_in: u32 },
    /// North's honours in spades and clubs are exchanged.
    HonoursSwapped,
    /// The heaviest case weighs 5 % too much.
    CaseWeight,
}

/// Which bits of a generator's state make an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Index {
    /// State × cards / 2^31.
    HighBits,
    /// State modulo cards.
    LowBits,
}

impl Defect {
    /// All of them, in the order of the method's list.
    #[must_use]
    pub fn all() -> &'static [Self] {
        list::ALL
    }

    /// The defect of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().iter().find(|defect| defect.name == name)
    }

    /// Its name in options and reports: `naive-shuffle-blocks`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What is wrong, in one line.
    #[must_use]
    pub fn summary(&self) -> &'static str {
        self.summary
    }

    /// The test that sees it after the fewest deals, by its short name: `T1`
    /// (card and seat), `T1max` (one card at one seat), `T2` (pairs of cards),
    /// `T4` (patterns), `T5` (points), `T6` and `T7` (this deal and the last),
    /// `T8` (equal deals), `T9s` (deals of known seeds), `F` (flatness), `T0`
    /// (whole deals), `cards` and `cases` (of a condition).
    #[must_use]
    pub fn best_test(&self) -> &'static str {
        self.best_test
    }

    /// After how many deals that test should first say p <= 10^-6; infinite
    /// where no test of deals sees it in a run that can be made.
    #[must_use]
    pub fn predicted(&self) -> f64 {
        self.predicted
    }

    /// The condition whose cases show it, in dealer's language; `None` for a
    /// defect of dealing every deal.
    #[must_use]
    pub fn scenario(&self) -> Option<&'static str> {
        match self.fault {
            Fault::HonoursSwapped => Some(cases::HONOURS_SWAPPED),
            Fault::CaseWeight => Some(cases::CASE_WEIGHT),
            _ => None,
        }
    }

    /// Deals a block, in order and a packet at a time.
    ///
    /// # Errors
    ///
    /// [`DefectError::NeedsCases`] where [`Defect::scenario`] is some condition.
    pub fn deal(
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
            Fault::NaiveShuffle(dealt) => shuffles::naive(dealt, random, block, out),
            Fault::Sattolo(dealt) => shuffles::sattolo(dealt, random, block, out),
            Fault::Transpositions(count) => shuffles::transpositions(count, random, block, out),
            Fault::Modulo { bits } => shuffles::modulo(bits, random, block, out),
            Fault::Seeds { bits } => shuffles::seeds(bits, random, block, out),
            Fault::TwoThreads => habits::two_threads(seed, block, out),
            Fault::Reused { one_in } => habits::reused(one_in, random, block, out),
            Fault::Randu(index) => generators::randu(index, random, block, out),
            Fault::AnsiRand => generators::ansi_rand(random, block, out),
            Fault::MsRandByTime => generators::ms_rand_by_time(seed, block, out),
            Fault::MsRandStream => generators::ms_rand_stream(seed, block, out),
            Fault::Lrand48Stream => generators::lrand48_stream(seed, block, out),
            Fault::Mt19937InOrder => generators::mt19937_in_order(block, out),
            Fault::DeckNotReset { transpositions } => {
                habits::deck_not_reset(transpositions, random, block, out);
            }
            Fault::NorthAgain { one_in } => habits::north_again(one_in, random, block, out),
            Fault::RandomUnfilledHand => choices::random_unfilled_hand(random, block, out),
            Fault::LookupEntry { per_mille } => {
                choices::lookup_entry(per_mille, random, block, out);
            }
            Fault::NextPattern => choices::next_pattern(random, block, out),
            Fault::CumulativeEntry => choices::cumulative_entry(random, block, out),
            Fault::Rubber { riffles } => habits::rubber(riffles, random, block, out),
            Fault::Duplicate { riffles } => habits::duplicate(riffles, random, block, out),
            Fault::FlatRemoved { one_in } => choices::flat_removed(one_in, random, block, out),
            Fault::NonGameRemoved { one_in } => {
                choices::non_game_removed(one_in, random, block, out);
            }
            Fault::West4432 { one_in } => choices::west_4432(one_in, random, block, out),
            Fault::AceToNorth { one_in } => choices::ace_to_north(one_in, random, block, out),
            Fault::WildestSession => habits::wildest_session(random, block, out),
            Fault::Truncated { one_in } => choices::truncated(one_in, random, block, out),
            // Both have a condition, and were refused above.
            Fault::HonoursSwapped | Fault::CaseWeight => {}
        }
        output.finish();
        Ok(())
    }

    /// Whether every deal is one: thirteen cards to each seat, every card once.
    #[must_use]
    pub fn deals_are_legal(&self) -> bool {
        !matches!(self.fault, Fault::Truncated { .. })
    }

    /// Deals a block from the cases of a condition, in random order and a packet
    /// at a time.
    ///
    /// The file should be that of [`Defect::scenario`]; other conditions are
    /// dealt where the fault can happen with them.
    ///
    /// # Errors
    ///
    /// [`DefectError`] if the defect is none of dealing from cases, or none of
    /// these, or the file was altered after it was opened.
    pub fn deal_cases<D: AsRef<[u8]> + Sync>(
        &self,
        file: &CaseFile<D>,
        seed: u128,
        block: Block,
        packet: &mut Packet,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DefectError> {
        let mut output = Output::new(packet, sink);
        match self.fault {
            Fault::HonoursSwapped => {
                let other = DefectError::OtherCases {
                    name: self.name,
                    condition: cases::HONOURS_SWAPPED,
                };
                cases::honours_swapped(file, seed, block, &mut output, &other)?;
            }
            Fault::CaseWeight => cases::case_weight(file, seed, block, &mut output)?,
            _ => return Err(DefectError::NeedsNoCases(self.name)),
        }
        output.finish();
        Ok(())
    }
}
