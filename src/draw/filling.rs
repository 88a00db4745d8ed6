//! From cases to hands, with fresh random cards.
//!
//! What a case leaves open is drawn anew: for a hand by its pattern a subset of
//! each suit (by [`kernels::fill`], 16 random bits a suit), for a hand by its
//! honours alone so many of the spot cards one by one. Each way to complete
//! the case is as likely as any other, so that the deals are uniform if the
//! cases were drawn by their weights.

use super::bounded::below_u64;
use super::generator::REJECTED_IN_A_ROW;
use super::{DamagedCase, DrawError, Generator, Purpose, Stream, StreamId, WordsError};
use crate::cards::{Hand, Honours, Seat};
use crate::cases::{CaseFile, CaseRecord, Field};
use crate::draw::portion::{Block, Node};
use crate::kernels::{self, CHUNK, Fields, Layout, ListedHands, PACKET, Path};

/// What a case file lists, and how its hands are completed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    pub(super) layout: Layout,
    /// The hands that are by honours alone: the lead, the one that follows.
    by_honours: [bool; 2],
    /// Whose hands: the lead's, the one's that follows or takes thirteen of 39, and
    /// of the others the first.
    pub(super) seats: [Seat; 3],
    /// What must stand in the fields that are off.
    pub(super) off: u64,
    off_mask: u64,
}

/// What a record lists of a hand.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Listed {
    pattern: bool,
    honours: bool,
}

impl Filling {
    /// As the file's header and its first record say.
    pub(super) fn new<D: AsRef<[u8]>>(file: &CaseFile<D>) -> Result<Self, DamagedCase> {
        let record = file.records().first().ok_or(DamagedCase::NoCase(0))?;
        Self::of((file.header().first, file.header().second), record)
    }

    /// For cases of these seats, of which this record is one.
    pub(super) fn of(
        (first, second): (Seat, Option<Seat>),
        record: &CaseRecord,
    ) -> Result<Self, DamagedCase> {
        let case = record.case()?;
        let listed = |hand: crate::condition::HandCase| Listed {
            pattern: hand.pattern.is_some(),
            honours: hand.honours.is_some(),
        };
        if second.is_some() != case.second.is_some() || second == Some(first) {
            return Err(DamagedCase::Weight);
        }
        let fields = [
            (Field::FirstPattern, Field::FirstHonours),
            (Field::SecondPattern, Field::SecondHonours),
        ];
        let fields = fields.map(|(pattern, honours)| Fields {
            pattern: CaseRecord::mask(pattern).trailing_zeros(),
            honours: CaseRecord::mask(honours).trailing_zeros(),
        });
        let mut hands = vec![(first, fields[0], listed(case.first))];
        hands.extend(
            second
                .zip(case.second)
                .map(|(seat, hand)| (seat, fields[1], listed(hand))),
        );
        // A hand by both goes first; one by honours alone after one by pattern.
        hands.sort_by_key(|(_, _, listed)| !(listed.pattern && listed.honours));
        let by_both = |listed: Listed| listed.pattern && listed.honours;
        let (lead_seat, lead, of_lead) = hands[0];
        let follow = hands.get(1).copied();
        let others = |taken: &[Seat]| {
            let mut others = Seat::ALL.into_iter().filter(|seat| !taken.contains(seat));
            others.next().unwrap_or(Seat::North)
        };
        let follow_seat = follow.map_or_else(|| others(&[lead_seat]), |(seat, ..)| seat);
        let seats = [lead_seat, follow_seat, others(&[lead_seat, follow_seat])];
        let off_mask = [
            Field::FirstPattern,
            Field::SecondPattern,
            Field::FirstHonours,
            Field::SecondHonours,
        ];
        let is_off = |field: Field| {
            let mask = CaseRecord::mask(field);
            let off = CaseRecord::off(field);
            (record.hands_bits() & mask == off).then_some(mask)
        };
        let off_mask = off_mask
            .into_iter()
            .filter_map(is_off)
            .fold(0, |all, mask| all | mask);
        Ok(Self {
            layout: Layout {
                lead,
                lead_by_both: by_both(of_lead),
                follow: follow.map(|(_, fields, _)| fields),
                follow_by_both: follow.is_some_and(|(_, _, listed)| by_both(listed)),
            },
            by_honours: [
                !of_lead.pattern,
                follow.is_some_and(|(.., listed)| !listed.pattern),
            ],
            seats,
            off: record.hands_bits() & off_mask,
            off_mask,
        })
    }

    /// Fills the hands of the first so many cases; `cases` are the upper halves of records.
    ///
    /// The second column holds the hand that takes thirteen of 39 where one hand is listed.
    pub(super) fn fill(
        &self,
        path: Path,
        draws: usize,
        cases: &[u64; PACKET],
        words: &mut FillingWords<'_>,
        hands: &mut ListedHands,
    ) -> Result<(), DrawError> {
        let differ = |case: &u64| (case ^ self.off) & self.off_mask;
        if cases
            .iter()
            .take(draws)
            .fold(0, |all, case| all | differ(case))
            != 0
        {
            return Err(DamagedCase::Weight.into());
        }
        let mut bits = [[0; CHUNK]; 2];
        if !self.by_honours[0] {
            words.cards.fill(&mut bits[0])?;
        }
        if self.layout.follow.is_some() && !self.by_honours[1] {
            words.cards.fill(&mut bits[1])?;
        }
        if self.by_honours == [false, false] {
            let mut rejected = kernels::fill(path, &self.layout, cases, &bits, hands);
            while rejected != 0 {
                let i = rejected.trailing_zeros() as usize;
                rejected &= rejected - 1;
                if i < draws {
                    let filled = again(&self.layout, cases[i], &mut words.more)?;
                    [hands.lead[i], hands.follow[i]] = filled;
                }
            }
        } else {
            for i in 0..draws {
                let filled = self.fill_by_honours(cases[i], bits[0][i], &mut words.more)?;
                [hands.lead[i], hands.follow[i]] = filled;
            }
        }
        let two = self.layout.follow.is_some();
        if !kernels::are_hands(path, hands, two, draws) {
            return Err(DamagedCase::Weight.into());
        }
        if !two {
            for i in 0..draws {
                let left = Hand::DECK.bits() & !hands.lead[i];
                hands.follow[i] = some_of(left, 13, &mut words.more)?;
            }
        }
        Ok(())
    }

    /// The hands of a case of which at least one is by honours alone.
    fn fill_by_honours(
        &self,
        case: u64,
        bits: u64,
        more: &mut Stream<'_>,
    ) -> Result<[u64; 2], DrawError> {
        let honours = |fields: Fields| {
            Hand::from_honours(Honours::from_bits((case >> fields.honours) as u16)).bits()
        };
        let lead_honours = honours(self.layout.lead);
        let follow_honours = self.layout.follow.map_or(0, honours);
        let lead = if self.by_honours[0] {
            with_spots(lead_honours, lead_honours | follow_honours, more)?
        } else {
            let alone = Layout {
                follow: None,
                ..self.layout
            };
            match kernels::fill_one(&alone, case, [bits, 0]) {
                Some([lead, _]) => lead,
                None => again(&alone, case, more)?[0],
            }
        };
        let follow = match self.layout.follow {
            Some(_) => with_spots(follow_honours, lead | follow_honours, more)?,
            None => 0,
        };
        Ok([lead, follow])
    }
}

/// The words that fill hands.
pub(super) struct FillingWords<'g> {
    cards: Box<dyn super::Words + 'g>,
    more: Stream<'g>,
}

impl<'g> FillingWords<'g> {
    /// The words of a leaf.
    pub(super) fn of_leaf(generator: &'g dyn Generator, leaf: &Node) -> Self {
        Self::new(generator, |purpose| leaf.stream(purpose))
    }

    /// The words of a block.
    pub(super) fn of_block(generator: &'g dyn Generator, block: &Block) -> Self {
        Self::new(generator, |purpose| block.stream(purpose))
    }

    fn new(generator: &'g dyn Generator, stream: impl Fn(Purpose) -> StreamId) -> Self {
        Self {
            cards: generator.words(stream(Purpose::Cards)),
            more: Stream::new(generator, stream(Purpose::More)),
        }
    }

    /// Completes honours with spot cards that are not used.
    pub(super) fn with_spots(&mut self, honours: u64, used: u64) -> Result<u64, DrawError> {
        with_spots(honours, used, &mut self.more)
    }

    /// The next 64 bits for a hand of each deal of a packet.
    pub(super) fn cards(&mut self, bits: &mut [u64; CHUNK]) -> Result<(), WordsError> {
        self.cards.fill(bits)
    }

    /// The next word of those that are seldom needed.
    pub(super) fn more(&mut self) -> Result<u64, WordsError> {
        self.more.next_u64()
    }
}

/// A case's hands by other bits, until they are accepted.
fn again(layout: &Layout, case: u64, more: &mut Stream<'_>) -> Result<[u64; 2], DrawError> {
    // The largest numbers are accepted wherever there is any subset.
    if kernels::fill_one(layout, case, [u64::MAX; 2]).is_none() {
        return Err(DamagedCase::Weight.into());
    }
    for _ in 0..REJECTED_IN_A_ROW {
        let bits = [more.next_u64()?, more.next_u64()?];
        if let Some(hands) = kernels::fill_one(layout, case, bits) {
            return Ok(hands);
        }
    }
    Err(WordsError::Stuck.into())
}

/// Completes honours with spot cards that are not used.
fn with_spots(honours: u64, used: u64, more: &mut Stream<'_>) -> Result<u64, DrawError> {
    let spots = Hand::SPOTS.bits() & !used;
    let missing = 13u32.saturating_sub(honours.count_ones());
    if spots.count_ones() < missing {
        return Err(DamagedCase::Weight.into());
    }
    Ok(honours | some_of(spots, missing as usize, more)?)
}

/// So many of these cards, each set as likely as any other: card by card from
/// those that are left.
fn some_of(cards: u64, count: usize, more: &mut Stream<'_>) -> Result<u64, WordsError> {
    let mut list = [0u64; 52];
    let mut rest = cards;
    let mut len = 0;
    while rest != 0 && len < list.len() {
        list[len] = rest & rest.wrapping_neg();
        rest &= rest - 1;
        len += 1;
    }
    let mut taken = 0;
    for first in 0..count.min(len) {
        let left = (len - first) as u64;
        let chosen = first + below_u64(|| more.next_u64(), left)? as usize;
        list.swap(first, chosen);
        taken |= list[first];
    }
    Ok(taken)
}
