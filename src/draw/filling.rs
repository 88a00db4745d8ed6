//! Completion of hand forms to deals, with random cards.
//!
//! Cards that a case leaves open are drawn: for a hand with a pattern, a subset of each suit (by
//! [`kernels::fill`], 16 random bits per suit); for a hand with honours alone, spot cards one by
//! one. All completions of a case are equally likely. The deals are therefore uniform if the cases
//! were drawn in proportion to their weights.

use super::bounded::below_u64;
use super::generator::REJECTED_IN_A_ROW;
use super::staged::Halves;
use super::{DamagedCase, DrawError, Generator, Purpose, Stream, StreamId, Words, WordsError};
use crate::bridge::{Hand, Seat};
use crate::draw::portion::{Block, Node};
use crate::kernels::{self, Aligned, CHUNK, Form, Forms, ListedHands, PACKET, Packet, Path};

/// The parts of a hand that a case or cell fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Pattern and honours.
    Both,
    Pattern,
    Honours,
}

/// The roles and seats of the hands to complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    lead: By,
    follow: Option<By>,
    third: Option<By>,
    /// For north, east and south: 0 for the lead, 1 for the hand that follows, 2 for the third
    /// hand, 3 for the remaining cards.
    seats: [usize; 3],
}

impl Filling {
    /// Takes the hands in this order: those with both parts first, those with honours alone last.
    pub(super) fn new(
        lead: (Seat, By),
        follow: Option<(Seat, By)>,
        third: Option<(Seat, By)>,
    ) -> Self {
        let dealt = [Some(lead), follow, third].into_iter().flatten();
        let dealt: Vec<Seat> = dealt.map(|(seat, _)| seat).collect();
        // Seats without a dealt hand take the other places in order.
        let others = Seat::ALL.into_iter().filter(|seat| !dealt.contains(seat));
        let order: Vec<Seat> = dealt.iter().copied().chain(others).collect();
        let place = |seat| order.iter().position(|other| *other == seat).unwrap_or(3);
        Self {
            lead: lead.1,
            follow: follow.map(|(_, by)| by),
            third: third.map(|(_, by)| by),
            seats: [Seat::North, Seat::East, Seat::South].map(place),
        }
    }

    /// Completes the first `draws` deals of a packet from the forms of their dealt hands.
    pub(super) fn deal(
        &self,
        path: Path,
        draws: usize,
        forms: &[Forms; 3],
        words: &mut FillingWords<'_>,
        (hands, packet): (&mut ListedHands, &mut Packet),
    ) -> Result<(), DrawError> {
        self.fill(path, draws, forms, words, hands)?;
        if !kernels::are_hands(path, hands, self.follow.is_some(), draws) {
            return Err(DamagedCase::Weight.into());
        }
        if self.follow.is_none() {
            for (follow, lead) in hands.follow.iter_mut().zip(&hands.lead).take(draws) {
                *follow = some_of(Hand::DECK.bits() & !lead, 13, &mut words.more)?;
            }
        }
        let (taken, third) = ([&hands.lead, &hands.follow], &mut hands.third);
        match self.third {
            None => {
                let (halves, splits) = (&mut words.halves, &mut *words.splits);
                halves.split(path, draws, splits, taken, third)?;
            }
            Some(by) => fill_third(path, draws, (by, &forms[2]), words, taken, third)?,
        }
        kernels::seat(path, self.seats, hands, packet);
        packet.deals = draws;
        packet.clear_rest();
        Ok(())
    }

    /// Fills the lead and, if there is one, the hand that follows.
    fn fill(
        &self,
        path: Path,
        draws: usize,
        forms: &[Forms; 3],
        words: &mut FillingWords<'_>,
        hands: &mut ListedHands,
    ) -> Result<(), DrawError> {
        let Aligned(bits) = &mut Aligned([[0; CHUNK]; 2]);
        let by_pattern =
            [Some(self.lead), self.follow].map(|by| by.filter(|by| *by != By::Honours));
        for (bits, _) in bits
            .iter_mut()
            .zip(by_pattern)
            .filter(|(_, by)| by.is_some())
        {
            words.cards.fill(bits)?;
        }
        let [lead, follow, _] = forms;
        if by_pattern != [Some(self.lead), self.follow] {
            for i in 0..draws {
                let bits = [bits[0][i], bits[1][i]];
                let filled =
                    self.fill_by_honours([lead.get(i), follow.get(i)], bits, &mut words.more)?;
                [hands.lead[i], hands.follow[i]] = filled;
            }
            return Ok(());
        }
        let by_both = self.lead == By::Both;
        let mut rejected = kernels::fill(path, by_both, lead, &bits[0], &mut hands.lead);
        match self.follow {
            Some(by) => {
                let (by_both, taken) = (by == By::Both, [&hands.lead; 2]);
                let hands = &mut hands.follow;
                rejected |= kernels::fill_next(path, by_both, follow, &bits[1], taken, hands);
            }
            None => hands.follow = [0; PACKET],
        }
        while rejected != 0 {
            let i = rejected.trailing_zeros() as usize;
            rejected &= rejected - 1;
            if i < draws {
                let filled = self.again([lead.get(i), follow.get(i)], &mut words.more)?;
                [hands.lead[i], hands.follow[i]] = filled;
            }
        }
        Ok(())
    }

    /// Fills two hands, at least one of them from honours alone.
    fn fill_by_honours(
        &self,
        forms: [Form; 2],
        bits: [u64; 2],
        more: &mut Stream<'_>,
    ) -> Result<[u64; 2], DrawError> {
        let [lead, follow] = forms;
        let alone = Self {
            follow: None,
            ..*self
        };
        let first = match self.lead {
            By::Honours => with_spots(lead.honours, lead.honours, more)?,
            _ => match alone.filled(forms, bits) {
                Some([first, _]) => first,
                None => alone.again(forms, more)?[0],
            },
        };
        let second = match self.follow {
            Some(By::Honours) => with_spots(follow.honours, first | follow.honours, more)?,
            Some(_) => return Err(DamagedCase::Weight.into()),
            None => 0,
        };
        Ok([first, second])
    }

    /// Fills hands with patterns from these bits, or returns `None` if the bits are rejected.
    fn filled(&self, [lead, follow]: [Form; 2], bits: [u64; 2]) -> Option<[u64; 2]> {
        let first = kernels::fill_one(self.lead == By::Both, lead, bits[0], 0)?;
        let second = match self.follow {
            Some(by) => kernels::fill_one(by == By::Both, follow, bits[1], first)?,
            None => 0,
        };
        Some([first, second])
    }

    /// Fills hands with patterns from new bits, until the bits are accepted.
    fn again(&self, forms: [Form; 2], more: &mut Stream<'_>) -> Result<[u64; 2], DrawError> {
        // The largest numbers are accepted whenever there is any subset.
        if self.filled(forms, [u64::MAX; 2]).is_none() {
            return Err(DamagedCase::Weight.into());
        }
        for _ in 0..REJECTED_IN_A_ROW {
            let bits = [more.next_u64()?, more.next_u64()?];
            if let Some(hands) = self.filled(forms, bits) {
                return Ok(hands);
            }
        }
        Err(WordsError::Stuck.into())
    }
}

/// Fills a third hand from the cards that the first two leave.
fn fill_third(
    path: Path,
    draws: usize,
    (by, forms): (By, &Forms),
    words: &mut FillingWords<'_>,
    taken: [&[u64; PACKET]; 2],
    hands: &mut [u64; PACKET],
) -> Result<(), DrawError> {
    let taken_of = |i: usize| taken[0][i] | taken[1][i];
    let more = &mut words.more;
    if by == By::Honours {
        for (i, hand) in hands.iter_mut().enumerate().take(draws) {
            let honours = forms.honours[i];
            *hand = with_spots(honours, taken_of(i) | honours, more)?;
        }
        return Ok(());
    }
    let (by_both, Aligned(bits)) = (by == By::Both, &mut Aligned([0; CHUNK]));
    words.cards.fill(bits)?;
    let mut rejected = kernels::fill_next(path, by_both, forms, bits, taken, hands);
    while rejected != 0 {
        let i = rejected.trailing_zeros() as usize;
        rejected &= rejected - 1;
        if i < draws {
            let mut tries = (0..REJECTED_IN_A_ROW).map(|_| {
                let bits = more.next_u64()?;
                Ok(kernels::fill_one(by_both, forms.get(i), bits, taken_of(i)))
            });
            let accepted = tries.find_map(Result::transpose);
            hands[i] = accepted.unwrap_or(Err(WordsError::Stuck))?;
        }
    }
    Ok(())
}

/// The random words that fill hands.
pub(super) struct FillingWords<'g> {
    cards: Box<dyn Words + 'g>,
    more: Stream<'g>,
    splits: Box<dyn Words + 'g>,
    halves: Halves,
}

impl<'g> FillingWords<'g> {
    /// Returns the words of a leaf.
    pub(super) fn of_leaf(generator: &'g dyn Generator, leaf: &Node) -> Self {
        Self::new(generator, |purpose| leaf.stream(purpose))
    }

    /// Returns the words of a block.
    pub(super) fn of_block(generator: &'g dyn Generator, block: &Block) -> Self {
        Self::new(generator, |purpose| block.stream(purpose))
    }

    fn new(generator: &'g dyn Generator, stream: impl Fn(Purpose) -> StreamId) -> Self {
        Self {
            cards: generator.words(stream(Purpose::Cards)),
            more: Stream::new(generator, stream(Purpose::More)),
            splits: generator.words(stream(Purpose::Halves)),
            halves: Halves::default(),
        }
    }

    /// Returns the next word of the stream that is rarely needed.
    pub(super) fn more(&mut self) -> Result<u64, WordsError> {
        self.more.next_u64()
    }
}

/// Completes honours with unused spot cards.
fn with_spots(honours: u64, used: u64, more: &mut Stream<'_>) -> Result<u64, DrawError> {
    let spots = Hand::SPOTS.bits() & !used;
    let missing = 13u32.saturating_sub(honours.count_ones());
    if spots.count_ones() < missing {
        return Err(DamagedCase::Weight.into());
    }
    Ok(honours | some_of(spots, missing as usize, more)?)
}

/// Returns `count` of these cards, all sets equally likely: draws card by card from those that
/// remain.
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
