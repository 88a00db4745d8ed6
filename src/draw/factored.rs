//! Draws from cells: every deal by itself, in its true order.
//!
//! Of a packet, first all cells are chosen, or their left halves and then what follows each,
//! then both halves' shapes and honours: a word each, by exact alias tables. Then hands are filled as
//! those of a case file are; a third hand after them takes its cards from what they leave.

use super::bounded::below_u128;
use super::filling::{Filling, FillingWords};
use super::generator::REJECTED_IN_A_ROW;
use super::portion::Block;
use super::staged::Halves;
use super::{DamagedCase, DrawError, Generator, Purpose, Words, WordsError};
use crate::cards::pattern::KEYS;
use crate::cards::{Hand, Honours, PatternIndex};
use crate::cases::{Case, CaseRecord};
use crate::cells::{Cells, Choosing, Column, Item, Kind, List, Which, next_bits, tie};
use crate::condition::HandCase;
use crate::kernels::{self, CHUNK, ListedHands, PACKET, Packet, Path};

/// Cells made ready to be drawn from.
#[derive(Debug)]
pub(super) struct Factored<'c> {
    choosing: Choosing<'c>,
    filling: Filling,
}

impl<'c> Factored<'c> {
    pub(super) fn new(cells: &'c Cells) -> Result<Self, DrawError> {
        let choosing = Choosing::new(cells)?;
        let roles = cells.roles();
        let hand = |role: usize| HandCase {
            pattern: PatternIndex::new(0).filter(|_| role < roles.by_pattern),
            honours: (role < roles.by_honours).then_some(Honours::NONE),
        };
        let second = (roles.dealt > 1).then(|| roles.seats[1]);
        let sample = Case {
            first: hand(0),
            second: second.map(|_| hand(1)),
        };
        let sample = CaseRecord::new(0, sample);
        Ok(Self {
            choosing,
            filling: Filling::of((roles.seats[0], second), &sample)?,
        })
    }

    /// Bytes of the lists.
    pub(super) fn bytes(&self) -> usize {
        self.choosing.bytes()
    }

    /// Deals a block, a packet at a time.
    pub(super) fn deal(
        &self,
        path: Path,
        generator: &dyn Generator,
        block: &Block,
        packet: &mut Packet,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        let mut numbers = generator.words(block.stream(Purpose::Numbers));
        let mut words = FillingWords::of_block(generator, block);
        let mut splits = generator.words(block.stream(Purpose::Halves));
        let (mut halves, mut hands) = (Halves::default(), ListedHands::default());
        let mut left = block.deals;
        packet.clear();
        while left > 0 {
            let draws = left.min(PACKET as u64) as usize;
            left -= draws as u64;
            let items = self.choose(path, draws, &mut *numbers, &mut words)?;
            let third = self.fill(path, draws, &items, &mut words, &mut hands)?;
            let third = match third {
                Some(third) => third,
                None => halves.split_rest(draws, path, &mut *splits, &hands)?,
            };
            let mut seats = self.filling.seats;
            let roles = self.choosing.cells().roles();
            if roles.dealt == 3 {
                seats[2] = roles.seats[2];
            }
            packet.deals = draws;
            packet.seat(seats, [&hands.lead, &hands.follow, &third]);
            packet.clear_rest();
            sink(packet);
        }
        Ok(())
    }

    /// The shapes and honours of both halves of so many deals.
    fn choose(
        &self,
        path: Path,
        draws: usize,
        numbers: &mut dyn Words,
        words: &mut FillingWords<'_>,
    ) -> Result<[[u32; PACKET]; 2], DrawError> {
        const { assert!(CHUNK == PACKET) };
        let choosing = &self.choosing;
        let mut words_of = [0; CHUNK];
        numbers.fill(&mut words_of)?;
        let top = choosing.columns(Which::Top);
        let list = List {
            start: 0,
            bits: top.len().trailing_zeros(),
        };
        let mut lefts = [0; PACKET];
        let (all, which) = ((&[list; PACKET], top), |_| Which::Top);
        self.choose_all(path, all, draws, &words_of, words, &mut lefts, which)?;
        let mut rights = [0; PACKET];
        if let Some(pairs) = choosing.pairs() {
            for (left, right) in lefts.iter_mut().zip(&mut rights) {
                [*left, *right] = pairs[*left as usize];
            }
        } else if let Some((lists, columns)) = choosing.lists(Kind::Follower) {
            numbers.fill(&mut words_of)?;
            let which = |i: usize| Which::Follower(lefts[i]);
            let lists = lefts.map(|left| lists[left as usize]);
            let all = (&lists, columns);
            self.choose_all(path, all, draws, &words_of, words, &mut rights, which)?;
        } else {
            let cells = choosing.cells();
            for (right, left) in rights.iter_mut().zip(lefts).take(draws) {
                let after = cells.lefts()[left as usize].after;
                let number = below_u128(|| words.more(), after)?;
                *right = cells.follower(left, number).ok_or(DamagedCase::Totals)?.0;
            }
        }
        let mut items = [[0; PACKET]; 2];
        for (half, states) in [&lefts, &rights].into_iter().enumerate() {
            numbers.fill(&mut words_of)?;
            let Some((lists, columns)) = choosing.lists(Kind::Item(half)) else {
                continue;
            };
            let which = |i: usize| Which::Item(half, states[i]);
            let lists = states.map(|state| lists[state as usize]);
            let (all, of_half) = ((&lists, columns), &mut items[half]);
            self.choose_all(path, all, draws, &words_of, words, of_half, which)?;
        }
        Ok(items)
    }

    /// Chooses of each list by a word, and decides what is a tie in the order of the deals.
    #[allow(clippy::too_many_arguments, reason = "columns of a packet")]
    fn choose_all(
        &self,
        path: Path,
        (lists, columns): (&[List; PACKET], &[Column]),
        draws: usize,
        words_of: &[u64; PACKET],
        words: &mut FillingWords<'_>,
        chosen: &mut [u32; PACKET],
        which: impl Fn(usize) -> Which,
    ) -> Result<(), WordsError> {
        let mut places = [0; PACKET];
        let from = bytemuck::cast_ref(lists);
        let all = bytemuck::cast_slice(columns);
        if !kernels::choose(path, from, all, words_of, chosen, &mut places) {
            return Ok(());
        }
        for i in 0..draws {
            let list = lists[i];
            let column = &columns[places[i] as usize];
            if column.threshold == next_bits(words_of[i], list.bits) {
                chosen[i] = self.break_tie(which(i), places[i] - list.start, words)?;
            }
        }
        Ok(())
    }

    /// Decides exactly what the column's 32 bits do not.
    #[cold]
    #[inline(never)]
    fn break_tie(
        &self,
        which: Which,
        place: u32,
        words: &mut FillingWords<'_>,
    ) -> Result<u32, WordsError> {
        let (limit, column, total) = self.choosing.limit(which, place);
        let number = below_u128(|| words.more(), total)?;
        Ok(match number < tie(limit, total) {
            true => column.own,
            false => column.alias,
        })
    }

    /// Fills the dealt hands: two of them in `hands`; the third, if there is one.
    fn fill(
        &self,
        path: Path,
        draws: usize,
        items: &[[u32; PACKET]; 2],
        words: &mut FillingWords<'_>,
        hands: &mut ListedHands,
    ) -> Result<Option<[u64; PACKET]>, DrawError> {
        let roles = self.choosing.cells().roles();
        let bits = roles.holder_bits();
        let mut cases = [self.filling.off; PACKET];
        let layout = &self.filling.layout;
        let fields = [Some(layout.lead), layout.follow];
        for (role, fields) in fields.into_iter().flatten().enumerate() {
            if role < roles.by_pattern {
                self.add_patterns(items, role, fields.pattern, &mut cases);
            }
            if role < roles.by_honours {
                add_honours(items, (role, bits), fields.honours, &mut cases);
            }
        }
        // What is beyond the draws has to be possible, too.
        let (dealt, beyond) = cases.split_at_mut(draws);
        beyond.fill(dealt[0]);
        self.filling.fill(path, draws, &cases, words, hands)?;
        if roles.dealt < 3 {
            return Ok(None);
        }
        let mut third = [0; PACKET];
        let mut taken = [0; PACKET];
        for (taken, (lead, follow)) in taken.iter_mut().zip(hands.lead.iter().zip(&hands.follow)) {
            *taken = lead | follow;
        }
        let mut thirds = [0; PACKET];
        if roles.by_honours == 3 {
            add_honours(items, (2, bits), 0, &mut thirds);
        }
        if roles.by_pattern < 3 {
            for i in 0..draws {
                let honours = Honours::from_bits(thirds[i] as u16);
                let honours = Hand::from_honours(honours).bits();
                third[i] = words.with_spots(honours, taken[i] | honours)?;
            }
            return Ok(Some(third));
        }
        let by_both = roles.by_honours == 3;
        self.add_patterns(items, 2, 16, &mut thirds);
        let (dealt, beyond) = thirds.split_at_mut(draws);
        beyond.fill(dealt[0]);
        let mut bits = [0; CHUNK];
        words.cards(&mut bits)?;
        let mut rejected = kernels::fill_next(path, by_both, &thirds, &bits, &taken, &mut third);
        while rejected != 0 {
            let i = rejected.trailing_zeros() as usize;
            rejected &= rejected - 1;
            if i < draws {
                third[i] = again(by_both, thirds[i], taken[i], words)?;
            }
        }
        Ok(Some(third))
    }

    /// Adds the numbers of a dealt hand's patterns from this bit on.
    fn add_patterns(
        &self,
        [lefts, rights]: &[[u32; PACKET]; 2],
        role: usize,
        bit: u32,
        cases: &mut [u64; PACKET],
    ) {
        let [left_keys, right_keys] = self.choosing.pattern_keys(role);
        let patterns = PatternIndex::places_by_key();
        let bits = self.choosing.cells().roles().holder_bits();
        for i in 0..PACKET {
            let (left, right) = (Item(lefts[i]).shape(bits), Item(rights[i]).shape(bits));
            let key = usize::from(left_keys[left] + right_keys[right]);
            cases[i] |= u64::from(patterns[key % KEYS]) << bit;
        }
    }
}

/// Adds a dealt hand's honours from this bit on; `bits` of an item tell who has them.
fn add_honours(
    [lefts, rights]: &[[u32; PACKET]; 2],
    (role, bits): (usize, u32),
    bit: u32,
    cases: &mut [u64; PACKET],
) {
    // The planes of both halves, less those that the hand is not in.
    let low = if role & 1 == 0 { u32::MAX } else { 0 };
    let high = if role & 2 == 0 { u32::MAX } else { 0 };
    let mask = (1 << bits) - 1;
    for i in 0..PACKET {
        let planes = (lefts[i] & mask) << 16 | rights[i] & mask;
        let held = (planes ^ low) & (planes >> 8 ^ high);
        let honours = held >> 8 & 0xFF00 | held & 0xFF;
        cases[i] |= u64::from(honours) << bit;
    }
}

/// A third hand by other bits, until they are accepted.
fn again(
    by_both: bool,
    case: u64,
    taken: u64,
    words: &mut FillingWords<'_>,
) -> Result<u64, DrawError> {
    for _ in 0..REJECTED_IN_A_ROW {
        let bits = words.more()?;
        if let Some(hand) = kernels::fill_next_one(by_both, case, bits, taken) {
            return Ok(hand);
        }
    }
    Err(WordsError::Stuck.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::condition::Condition;
    use crate::draw::StreamId;

    /// Words that are always these, again and again.
    #[derive(Debug)]
    struct Forged([u64; 2]);

    impl Generator for Forged {
        fn name(&self) -> String {
            "forged".to_owned()
        }

        fn words(&self, _: StreamId) -> Box<dyn Words + '_> {
            Box::new(Cycle(self.0))
        }
    }

    struct Cycle([u64; 2]);

    impl Words for Cycle {
        fn fill(&mut self, words: &mut [u64; CHUNK]) -> Result<(), WordsError> {
            for (word, value) in words.iter_mut().zip(self.0.iter().cycle()) {
                *word = *value;
            }
            Ok(())
        }
    }

    /// Of every kind of list, columns whose next 32 bits decide nothing: then an exact number
    /// does, the least of all for the column's own item, the greatest for its alias.
    #[test]
    #[cfg_attr(miri, ignore = "makes many cells, safely")]
    fn ties_are_broken_by_exact_numbers() {
        // Cells in one list, and left halves with what follows each.
        let few = "hcp(north) == 14 && spades(north) == 5 && hcp(south) >= 12 && hcp(south) < 15";
        let many = "hcp(north) >= 16 && hcp(east) <= 9 && hcp(south) >= 8 && hcp(west) <= 9";
        for (text, is_one_list) in [(few, true), (many, false)] {
            let condition = Condition::parse("test", text).unwrap();
            let cells = Cells::new(&condition).unwrap();
            let factored = Factored::new(&cells).unwrap();
            let choosing = &factored.choosing;
            assert_eq!(choosing.pairs().is_some(), is_one_list);
            let top = choosing.columns(Which::Top);
            let list = [List {
                start: 0,
                bits: top.len().trailing_zeros(),
            }];
            reach_ties(&factored, (&list, top), |_| Which::Top);
            if let Some(lists) = choosing.lists(Kind::Follower) {
                reach_ties(&factored, lists, Which::Follower);
            }
            for half in [0, 1] {
                let lists = choosing.lists(Kind::Item(half)).unwrap();
                reach_ties(&factored, lists, |state| Which::Item(half, state));
            }
        }
    }

    /// Breaks the ties of some columns of some lists of a kind.
    fn reach_ties(
        factored: &Factored<'_>,
        (lists, columns): (&[List], &[Column]),
        which: impl Fn(u32) -> Which,
    ) {
        // Of a number below W these words make 0 and W - 1.
        let forged = Forged([1, u64::MAX]);
        let block = Block {
            first_deal: 0,
            deals: PACKET as u64,
        };
        let mut reached = 0;
        for (state, list) in lists.iter().enumerate().take(6) {
            for place in (0..1u32 << list.bits).take(8) {
                let column = columns[(list.start + place) as usize];
                let which = which(state as u32);
                let (limit, same, total) = factored.choosing.limit(which, place);
                assert_eq!(same, column);
                if column.own == column.alias {
                    continue;
                }
                let high = u64::from(place).checked_shl(64 - list.bits).unwrap_or(0);
                let word = [high | (u64::from(column.threshold) << 32) >> list.bits; PACKET];
                let mut words = FillingWords::of_block(&forged, &block);
                let mut chosen = [0; PACKET];
                let all = (&[*list; PACKET], columns);
                let chosen_all = factored.choose_all(
                    Path::chosen(),
                    all,
                    PACKET,
                    &word,
                    &mut words,
                    &mut chosen,
                    |_| which,
                );
                chosen_all.unwrap();
                let own = tie(limit, total);
                // From 2^64 on a number takes two words, and these make but one.
                let numbers = match total >> 63 {
                    0 => [0, total - 1],
                    _ => {
                        let unused = (total - 1).leading_zeros();
                        [(1 << 64 | u128::from(u64::MAX)) >> unused; 2]
                    }
                };
                let wanted = numbers.map(|number| match number < own {
                    true => column.own,
                    false => column.alias,
                });
                assert_eq!(chosen[..4], [wanted, wanted].concat()[..], "{which:?}");
                reached += u32::from(own > 0);
            }
        }
        assert!(reached > 0, "no column is a tie");
    }
}
