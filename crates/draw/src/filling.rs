//! Completion of hand forms to deals, with random cards.
//!
//! Cards that a case leaves open are drawn: for a hand with a pattern, a subset of each suit (by
//! [`kernels::fill`], 16 random bits per suit); for a hand with honours alone, a set of spot cards,
//! and for a hand of which nothing is known, a set of all cards that are left (by
//! [`kernels::select`], one random word). All completions of a case are equally likely. The deals
//! are therefore uniform if the cases were drawn in proportion to their weights.
//!
//! Predealt cards are known of every hand beside what its case says, and taken for all others.

use super::generator::REJECTED_IN_A_ROW;
use super::staged::HalfSelections;
use super::{
    DamagedCase, DrawError, Generator, RandomStream, StreamId, StreamPurpose, WordSource,
    WordsError,
};
use crate::bridge::{Hand, Seat};
use crate::kernels::{self, Aligned, CHUNK, Forms, HandForm, Isa, ListedHands, PACKET, Packet};
use crate::language::Predeal;
use crate::portion::{Block, SplitNode};

/// The parts of a hand that a case or cell fixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// Pattern and honours.
    Both,
    Pattern,
    Honours,
}

/// The roles and seats of the hands to complete.
#[derive(Clone, Debug)]
pub(super) struct HandFilling {
    lead: By,
    follow: Option<By>,
    third: Option<By>,
    /// For north, east and south: 0 for the lead, 1 for the hand that follows, 2 for the third
    /// hand, 3 for the remaining cards.
    seats: [usize; 3],
    /// `None` if there are none.
    fixed: Option<Box<FixedCards>>,
}

/// Predealt cards.
#[derive(Clone, Debug)]
struct FixedCards {
    /// By role.
    own: [u64; 4],
    /// Those of all seats, for every deal of a packet.
    all: [u64; PACKET],
}

impl HandFilling {
    /// Takes the hands in this order: those with both parts first, those with honours alone last.
    pub(super) fn new(
        lead: (Seat, By),
        follow: Option<(Seat, By)>,
        third: Option<(Seat, By)>,
        predeal: &Predeal,
    ) -> Self {
        let dealt = [Some(lead), follow, third].into_iter().flatten();
        let dealt: Vec<Seat> = dealt.map(|(seat, _)| seat).collect();
        // Seats without a dealt hand take the other places in order.
        let others = Seat::ALL.into_iter().filter(|seat| !dealt.contains(seat));
        let order: Vec<Seat> = dealt.iter().copied().chain(others).collect();
        let place = |seat| order.iter().position(|other| *other == seat).unwrap_or(3);
        let fixed = (!predeal.is_empty()).then(|| {
            let mut own = [0; 4];
            for (own, seat) in own.iter_mut().zip(&order) {
                *own = predeal.hand(*seat).bits();
            }
            let all = [predeal.all().bits(); PACKET];
            Box::new(FixedCards { own, all })
        });
        Self {
            lead: lead.1,
            follow: follow.map(|(_, by)| by),
            third: third.map(|(_, by)| by),
            seats: [Seat::North, Seat::East, Seat::South].map(place),
            fixed,
        }
    }

    /// Completes the first `draws` deals of a packet from the forms of their dealt hands.
    pub(super) fn deal(
        &self,
        isa: Isa,
        draws: usize,
        forms: &mut [Forms; 3],
        words: &mut FillingWords<'_>,
        (hands, packet): (&mut ListedHands, &mut Packet),
    ) -> Result<(), DrawError> {
        self.hold_fixed_cards(draws, forms)?;
        self.fill(isa, draws, forms, words, hands)?;
        if !kernels::are_hands(isa, hands, self.follow.is_some(), draws) {
            return Err(DamagedCase::Weight.into());
        }
        let ListedHands {
            lead,
            follow,
            third,
        } = hands;
        if self.follow.is_none() {
            let (own, taken) = self.own_and_taken(1);
            words.fill_unknown(isa, draws, own, [lead, taken], follow)?;
        }
        let fixed = self.fixed.as_ref().map(|fixed| {
            let taken: [u64; PACKET] = std::array::from_fn(|i| follow[i] | fixed.all[i]);
            (fixed.own[2], taken)
        });
        match (self.third, &fixed) {
            (Some(by), fixed) => {
                let taken = fixed.as_ref().map_or(&*follow, |(_, taken)| taken);
                words.fill_hand(isa, draws, (by, &forms[2]), [lead, taken], third)?;
            }
            (None, None) => {
                let (halves, splits) = (&mut words.halves, &mut *words.splits);
                halves.split(isa, draws, splits, [lead, follow], third)?;
            }
            (None, Some((own, taken))) => {
                words.fill_unknown(isa, draws, *own, [lead, taken], third)?;
            }
        }
        kernels::seat(isa, self.seats, hands, packet);
        packet.deals = draws;
        packet.clear_rest();
        Ok(())
    }

    /// Returns a role's predealt cards, and those of all seats.
    fn own_and_taken(&self, role: usize) -> (u64, &[u64; PACKET]) {
        const NONE: &[u64; PACKET] = &[0; PACKET];
        match &self.fixed {
            Some(fixed) => (fixed.own[role], &fixed.all),
            None => (0, NONE),
        }
    }

    /// Adds the predealt cards to the forms of the listed hands, as cards that they hold. A case
    /// must give each hand the honours predealt to it, and none predealt to others.
    fn hold_fixed_cards(&self, draws: usize, forms: &mut [Forms; 3]) -> Result<(), DamagedCase> {
        let Some(fixed) = &self.fixed else {
            return Ok(());
        };
        let listed = [Some(self.lead), self.follow, self.third];
        for ((by, forms), own) in listed.into_iter().zip(forms).zip(fixed.own) {
            let Some(by) = by else { continue };
            let honours = own & Hand::HONOURS.bits();
            for held in forms.honours.iter_mut().take(draws) {
                if by != By::Pattern && *held & fixed.all[0] != honours {
                    return Err(DamagedCase::Weight);
                }
                *held |= own;
            }
        }
        Ok(())
    }

    /// Fills the lead and, if there is one, the hand that follows.
    fn fill(
        &self,
        isa: Isa,
        draws: usize,
        forms: &[Forms; 3],
        words: &mut FillingWords<'_>,
        hands: &mut ListedHands,
    ) -> Result<(), DrawError> {
        let is_by_honours = [Some(self.lead), self.follow].contains(&Some(By::Honours));
        if self.fixed.is_some() || is_by_honours {
            return self.fill_each(isa, draws, forms, words, hands);
        }
        let Aligned(bits) = &mut Aligned([[0; CHUNK]; 2]);
        let hands_filled = 1 + usize::from(self.follow.is_some());
        for bits in bits.iter_mut().take(hands_filled) {
            words.cards.fill(bits)?;
        }
        let [lead, follow, _] = forms;
        let by_both = self.lead == By::Both;
        let mut rejected = kernels::fill(isa, by_both, lead, &bits[0], &mut hands.lead);
        match self.follow {
            Some(by) => {
                let (by_both, taken) = (by == By::Both, [&hands.lead; 2]);
                let hands = &mut hands.follow;
                rejected |= kernels::fill_next(isa, by_both, follow, &bits[1], taken, hands);
            }
            None => hands.follow = [0; PACKET],
        }
        for i in kernels::set_bits(rejected).take_while(|i| *i < draws) {
            let filled = self.again([lead.get(i), follow.get(i)], &mut words.more)?;
            [hands.lead[i], hands.follow[i]] = filled;
        }
        Ok(())
    }

    /// Fills hands around predealt cards, or by honours alone, one after the other.
    fn fill_each(
        &self,
        isa: Isa,
        draws: usize,
        forms: &[Forms; 3],
        words: &mut FillingWords<'_>,
        hands: &mut ListedHands,
    ) -> Result<(), DrawError> {
        let ListedHands { lead, follow, .. } = hands;
        let (_, fixed) = self.own_and_taken(0);
        words.fill_hand(isa, draws, (self.lead, &forms[0]), [fixed, fixed], lead)?;
        match self.follow {
            Some(by) => words.fill_hand(isa, draws, (by, &forms[1]), [lead, fixed], follow)?,
            None => *follow = [0; PACKET],
        }
        Ok(())
    }

    /// Fills hands with patterns from these bits, or returns `None` if the bits are rejected.
    fn filled(&self, [lead, follow]: [HandForm; 2], bits: [u64; 2]) -> Option<[u64; 2]> {
        let first = kernels::fill_one(self.lead == By::Both, lead, bits[0], 0)?;
        let second = match self.follow {
            Some(by) => kernels::fill_one(by == By::Both, follow, bits[1], first)?,
            None => 0,
        };
        Some([first, second])
    }

    /// Fills hands with patterns from new bits, until the bits are accepted.
    fn again(
        &self,
        forms: [HandForm; 2],
        more: &mut RandomStream<'_>,
    ) -> Result<[u64; 2], DrawError> {
        // The largest numbers are accepted whenever there is any subset.
        if self.filled(forms, [u64::MAX; 2]).is_none() {
            return Err(DamagedCase::Weight.into());
        }
        accepted(more, |more| {
            let bits = [more.next_u64()?, more.next_u64()?];
            Ok(self.filled(forms, bits))
        })
        .map_err(DrawError::from)
    }
}

/// Draws until something is accepted.
fn accepted<T>(
    more: &mut RandomStream<'_>,
    mut draw: impl FnMut(&mut RandomStream<'_>) -> Result<Option<T>, WordsError>,
) -> Result<T, WordsError> {
    for _ in 0..REJECTED_IN_A_ROW {
        if let Some(drawn) = draw(more)? {
            return Ok(drawn);
        }
    }
    Err(WordsError::Stuck)
}

/// Draws words until one is accepted, and returns its hand. The largest word is accepted whenever
/// the hand can be completed.
fn hand_of_word(
    more: &mut RandomStream<'_>,
    hand: impl Fn(u64) -> Option<u64>,
) -> Result<u64, DrawError> {
    if hand(u64::MAX).is_none() {
        return Err(DamagedCase::Weight.into());
    }
    Ok(accepted(more, |more| Ok(hand(more.next_u64()?)))?)
}

/// The random words that fill hands.
pub(super) struct FillingWords<'g> {
    cards: Box<dyn WordSource + 'g>,
    more: RandomStream<'g>,
    splits: Box<dyn WordSource + 'g>,
    halves: HalfSelections,
}

impl<'g> FillingWords<'g> {
    /// Returns the words of a leaf.
    pub(super) fn of_leaf(generator: &'g dyn Generator, leaf: &SplitNode) -> Self {
        Self::new(generator, |purpose| leaf.stream(purpose))
    }

    /// Returns the words of a block.
    pub(super) fn of_block(generator: &'g dyn Generator, block: &Block) -> Self {
        Self::new(generator, |purpose| block.stream(purpose))
    }

    fn new(generator: &'g dyn Generator, stream: impl Fn(StreamPurpose) -> StreamId) -> Self {
        Self {
            cards: generator.words(stream(StreamPurpose::Cards)),
            more: RandomStream::new(generator, stream(StreamPurpose::More)),
            splits: generator.words(stream(StreamPurpose::Halves)),
            halves: HalfSelections::default(),
        }
    }

    /// Fills one hand of each deal from the cards that are not taken.
    fn fill_hand(
        &mut self,
        isa: Isa,
        draws: usize,
        (by, forms): (By, &Forms),
        taken: [&[u64; PACKET]; 2],
        hands: &mut [u64; PACKET],
    ) -> Result<(), DrawError> {
        if by == By::Honours {
            let pools = without(Hand::SPOTS, taken);
            return self.select(isa, draws, &forms.honours, &pools, hands);
        }
        let (by_both, Aligned(bits)) = (by == By::Both, &mut Aligned([0; CHUNK]));
        self.cards.fill(bits)?;
        let rejected = kernels::fill_next(isa, by_both, forms, bits, taken, hands);
        for i in kernels::set_bits(rejected).take_while(|i| *i < draws) {
            hands[i] = hand_of_word(&mut self.more, |bits| {
                kernels::fill_one(by_both, forms.get(i), bits, taken[0][i] | taken[1][i])
            })?;
        }
        Ok(())
    }

    /// Fills hands of which only the predealt cards are known.
    fn fill_unknown(
        &mut self,
        isa: Isa,
        draws: usize,
        own: u64,
        taken: [&[u64; PACKET]; 2],
        hands: &mut [u64; PACKET],
    ) -> Result<(), DrawError> {
        self.select(
            isa,
            draws,
            &[own; PACKET],
            &without(Hand::DECK, taken),
            hands,
        )
    }

    /// Completes what hands hold to thirteen cards, from a pool each.
    fn select(
        &mut self,
        isa: Isa,
        draws: usize,
        held: &[u64; PACKET],
        pools: &[u64; PACKET],
        hands: &mut [u64; PACKET],
    ) -> Result<(), DrawError> {
        let Aligned(words) = &mut Aligned([0; CHUNK]);
        self.cards.fill(words)?;
        let rejected = kernels::select(isa, words, held, pools, hands);
        for i in kernels::set_bits(rejected).take_while(|i| *i < draws) {
            hands[i] = hand_of_word(&mut self.more, |word| {
                kernels::select_one(word, held[i], pools[i])
            })?;
        }
        Ok(())
    }

    /// Returns the next word of the stream that is rarely needed.
    #[inline]
    pub(super) fn more(&mut self) -> Result<u64, WordsError> {
        self.more.next_u64()
    }
}

/// Returns the cards that are not taken, for every deal of a packet.
fn without(cards: Hand, [some, others]: [&[u64; PACKET]; 2]) -> [u64; PACKET] {
    std::array::from_fn(|i| cards.bits() & !(some[i] | others[i]))
}
