//! Draws from cells: every deal independently, in the order in which it is drawn.
//!
//! For each packet, the cells are chosen first (or their left halves, and then what follows each of
//! them), then the shapes and honours of both halves. Each choice takes one word and an exact alias
//! table. Then the hands are filled as those of a case file are; a third hand takes its cards from
//! those that the first two leave.

use super::bounded::below_u128;
use super::constrained::DealScratch;
use super::filling::{By, FillingWords, HandFilling};
use super::portion::Block;
use super::{DamagedCase, DrawError, Generator, StreamPurpose, WordSource, WordsError};
use crate::kernels::{self, Aligned, CHUNK, Isa, ItemLayout, PACKET, Packet, SelectedColumns};
use crate::population::cells::{AliasColumn, CellGrid, Cells, Choosing, ListKind, Roles, tie};

/// Cells prepared for drawing.
#[derive(Debug)]
pub(super) struct CellDealer<'c> {
    choosing: Choosing<'c>,
    grid: CellGrid,
    filling: HandFilling,
}

/// One choice from a list for each deal of a packet.
#[repr(align(64))]
struct ListChoice {
    kind: ListKind,
    words: [u64; CHUNK],
    found: SelectedColumns,
    chosen: [u32; PACKET],
}

impl ListChoice {
    fn new(kind: ListKind) -> Self {
        Self {
            kind,
            words: [0; CHUNK],
            found: SelectedColumns::default(),
            chosen: [0; PACKET],
        }
    }
}

/// The choices of a packet.
struct PacketChoices {
    /// Cells, or left halves.
    top: ListChoice,
    /// Whether some choices of `top` are ties.
    has_ties: bool,
    follower: ListChoice,
    /// The halves of each chosen cell, if cells are in one list.
    halves: Aligned<[[u32; PACKET]; 2]>,
    /// Shapes and honours of both halves.
    items: [ListChoice; 2],
}

impl<'c> CellDealer<'c> {
    pub(super) fn new(cells: &'c Cells) -> Result<Self, DrawError> {
        let roles = cells.roles();
        let dealt = |role| (role < roles.dealt).then(|| (roles.seats[role], by(roles, role)));
        let lead = (roles.seats[0], by(roles, 0));
        Ok(Self {
            choosing: Choosing::new(cells)?,
            grid: cells.grid(),
            filling: HandFilling::new(lead, dealt(1), dealt(2), cells.predeal()),
        })
    }

    /// Returns the size of the lists in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.choosing.bytes()
    }

    /// Returns the columns of the list of cells or left halves.
    pub(super) fn top_columns(&mut self) -> &mut [AliasColumn] {
        self.choosing.top_columns()
    }

    /// Deals a block, a packet at a time.
    pub(super) fn deal(
        &self,
        isa: Isa,
        generator: &dyn Generator,
        block: &Block,
        scratch: &mut DealScratch,
        sink: &mut dyn FnMut(&Packet),
    ) -> Result<(), DrawError> {
        let roles = self.choosing.cells().roles();
        let layout = ItemLayout {
            holder_bits: roles.holder_bits(),
            by_honours: roles.by_honours,
            shapes: self.choosing.shapes(),
        };
        let DealScratch {
            packet,
            forms,
            hands,
            ..
        } = scratch;
        let mut numbers = generator.words(block.stream(StreamPurpose::Numbers));
        let mut words = FillingWords::of_block(generator, block);
        let mut choices = PacketChoices {
            top: ListChoice::new(ListKind::Top),
            has_ties: false,
            follower: ListChoice::new(ListKind::Follower),
            halves: Aligned([[0; PACKET]; 2]),
            items: [0, 1].map(|half| ListChoice::new(ListKind::Item(half))),
        };
        packet.clear();
        packet.from_cases = true;
        let mut left = block.deals;
        if left > 0 {
            self.begin(isa, &mut *numbers, &mut choices)?;
        }
        while left > 0 {
            let draws = left.min(PACKET as u64) as usize;
            left -= draws as u64;
            self.finish(isa, draws, &mut words, &mut choices)?;
            let items = choices.items.each_ref().map(|items| &items.chosen);
            kernels::read_items(isa, layout, items, &mut forms[..roles.dealt]);
            self.group(&choices, &mut packet.cases);
            if left > 0 {
                // The next packet's columns are fetched while this packet's hands are filled.
                self.begin(isa, &mut *numbers, &mut choices)?;
            }
            let made = (&mut *hands, &mut *packet);
            self.filling.deal(isa, draws, forms, &mut words, made)?;
            sink(packet);
        }
        Ok(())
    }

    /// Begins the choices of a packet: decides everything that its numbers decide except ties, and
    /// prefetches the columns that decide the rest.
    fn begin(
        &self,
        isa: Isa,
        numbers: &mut dyn WordSource,
        choices: &mut PacketChoices,
    ) -> Result<(), WordsError> {
        let PacketChoices {
            top,
            has_ties,
            follower,
            items,
            ..
        } = choices;
        numbers.fill(&mut top.words)?;
        if self.choosing.has_followers() {
            numbers.fill(&mut follower.words)?;
        }
        for items in items {
            numbers.fill(&mut items.words)?;
        }
        self.find(isa, &[0; PACKET], top);
        *has_ties = self.decide(isa, top);
        self.find_after(isa, choices);
        Ok(())
    }

    /// Finds the columns of the choices that follow cells or left halves.
    fn find_after(&self, isa: Isa, choices: &mut PacketChoices) {
        let tops = &choices.top.chosen;
        if let Some(pairs) = self.choosing.pairs() {
            let Aligned([lefts, rights]) = &mut choices.halves;
            for (top, (left, right)) in tops.iter().zip(lefts.iter_mut().zip(&mut *rights)) {
                [*left, *right] = pairs[*top as usize];
            }
            for (states, items) in [lefts, rights].into_iter().zip(&mut choices.items) {
                self.find(isa, states, items);
            }
        } else if self.choosing.has_followers() {
            self.find(isa, tops, &mut choices.follower);
        }
    }

    /// Completes the choices of `draws` deals, with words for ties in the order of the deals.
    fn finish(
        &self,
        isa: Isa,
        draws: usize,
        words: &mut FillingWords<'_>,
        choices: &mut PacketChoices,
    ) -> Result<(), DrawError> {
        if choices.has_ties {
            self.break_ties(draws, words, &mut choices.top)?;
            self.find_after(isa, choices);
        }
        if self.choosing.pairs().is_none() {
            let (lefts, rights) = (&choices.top.chosen, &mut choices.follower);
            if !self.choosing.has_followers() {
                self.follow(draws, words, lefts, &mut rights.chosen)?;
            } else if self.decide(isa, rights) {
                self.break_ties(draws, words, rights)?;
            }
            for (states, items) in [lefts, &rights.chosen].into_iter().zip(&mut choices.items) {
                self.find(isa, states, items);
            }
        }
        for items in &mut choices.items {
            if self.decide(isa, items) {
                self.break_ties(draws, words, items)?;
            }
        }
        Ok(())
    }

    /// Finds the groups of the chosen cells.
    fn group(&self, choices: &PacketChoices, groups: &mut [u32; PACKET]) {
        let [lefts, rights] = match self.choosing.pairs() {
            Some(_) => choices.halves.0.each_ref(),
            None => [&choices.top.chosen, &choices.follower.chosen],
        };
        for (group, (left, right)) in groups.iter_mut().zip(lefts.iter().zip(rights)) {
            *group = self.grid.group(*left, *right);
        }
    }

    /// Finds the columns of these states' lists.
    fn find(&self, isa: Isa, states: &[u32; PACKET], choice: &mut ListChoice) {
        let (lists, columns) = self.choosing.lists(choice.kind);
        let (lists, columns) = (bytemuck::cast_slice(lists), bytemuck::cast_slice(columns));
        kernels::find(
            isa,
            lists,
            columns,
            states,
            &choice.words,
            &mut choice.found,
        );
    }

    /// Takes an item of each column, and returns whether there are ties.
    fn decide(&self, isa: Isa, choice: &mut ListChoice) -> bool {
        let (_, columns) = self.choosing.lists(choice.kind);
        let columns = bytemuck::cast_slice(columns);
        kernels::decide(isa, columns, &choice.found, &mut choice.chosen)
    }

    /// Draws the right half for each left half, where the right halves are not listed.
    fn follow(
        &self,
        draws: usize,
        words: &mut FillingWords<'_>,
        lefts: &[u32; PACKET],
        rights: &mut [u32; PACKET],
    ) -> Result<(), DrawError> {
        let cells = self.choosing.cells();
        for (right, &left) in rights.iter_mut().zip(lefts).take(draws) {
            let after = cells.lefts()[left as usize].after;
            let number = below_u128(|| words.more(), after)?;
            *right = cells.follower(left, number).ok_or(DamagedCase::Totals)?.0;
        }
        Ok(())
    }

    /// Decides exactly the choices that the columns' 32 bits leave open.
    #[cold]
    #[inline(never)]
    fn break_ties(
        &self,
        draws: usize,
        words: &mut FillingWords<'_>,
        choice: &mut ListChoice,
    ) -> Result<(), WordsError> {
        let (lists, columns) = self.choosing.lists(choice.kind);
        for i in 0..draws {
            let place = choice.found.places[i];
            let column = columns[place as usize];
            if column.threshold == choice.found.next[i] {
                // Lists are in the order of their states.
                let state = lists.partition_point(|list| list.start <= place) - 1;
                let place = place - lists[state].start;
                let (limit, total) = self.choosing.limit(choice.kind, state as u32, place);
                choice.chosen[i] = match below_u128(|| words.more(), total)? < tie(limit, total) {
                    true => column.own,
                    false => column.alias,
                };
            }
        }
        Ok(())
    }
}

/// Returns the parts (pattern, honours or both) by which a role is dealt.
fn by(roles: &Roles, role: usize) -> By {
    match (role < roles.by_pattern, role < roles.by_honours) {
        (true, true) => By::Both,
        (true, false) => By::Pattern,
        (false, _) => By::Honours,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Condition;
    use crate::population::cells::CellGroups;
    use crate::{Aes128Ctr, StreamId};

    /// A generator that repeats these words.
    #[derive(Debug)]
    struct Forged([u64; 2]);

    impl Generator for Forged {
        fn name(&self) -> String {
            "forged".to_owned()
        }

        fn words(&self, _: StreamId) -> Box<dyn WordSource + '_> {
            Box::new(Cycle(self.0))
        }
    }

    struct Cycle([u64; 2]);

    impl WordSource for Cycle {
        fn fill(&mut self, words: &mut [u64; CHUNK]) -> Result<(), WordsError> {
            for (word, value) in words.iter_mut().zip(self.0.iter().cycle()) {
                *word = *value;
            }
            Ok(())
        }
    }

    /// The groups of a packet are those of its deals.
    #[test]
    fn draws_have_the_groups_of_their_deals() {
        for text in [
            "hcp(west) >= 20",
            "hcp(north) == 14 && spades(north) == 5 && hcp(south) >= 12 && hcp(south) < 15",
            "hcp(north) >= 16 && hcp(east) <= 9 && hcp(south) >= 8 && hcp(west) <= 9",
            "spades(north) + losers(north) >= 8 && shape(south, any 5xxx)",
        ] {
            let condition = Condition::parse("test", text).unwrap();
            let cells = Cells::new(&condition).unwrap();
            let groups = CellGroups::new(&cells);
            let weights = cells.group_weights();
            assert_eq!(weights.iter().sum::<u128>(), cells.total());
            let dealer = CellDealer::new(&cells).unwrap();
            let block = Block {
                first_deal: 0,
                deals: 1_000,
            };
            let scratch = &mut DealScratch::default();
            let mut sink = |packet: &Packet| {
                assert!(packet.from_cases);
                for place in 0..packet.deals() {
                    let group = packet.cases[place];
                    assert_eq!(groups.group_of(&packet.deal(place)), Some(group), "{text}");
                    assert!(weights[group as usize] > 0);
                }
            };
            let isa = Isa::chosen();
            dealer
                .deal(isa, &Aes128Ctr::new(5), &block, scratch, &mut sink)
                .unwrap();
        }
    }

    /// Takes columns of every kind of list whose next 32 bits decide nothing. An exact number
    /// decides instead: the least of all gives the column's own item, the greatest its alias.
    #[test]
    fn ties_are_broken_by_exact_numbers() {
        // Cells in one list, and left halves with the list of right halves for each.
        let few = "hcp(north) == 14 && spades(north) == 5 && hcp(south) >= 12 && hcp(south) < 15";
        let many = "hcp(north) >= 16 && hcp(east) <= 9 && hcp(south) >= 8 && hcp(west) <= 9";
        for (text, is_one_list) in [(few, true), (many, false)] {
            let condition = Condition::parse("test", text).unwrap();
            let cells = Cells::new(&condition).unwrap();
            let dealer = CellDealer::new(&cells).unwrap();
            assert_eq!(dealer.choosing.pairs().is_some(), is_one_list);
            assert_eq!(dealer.choosing.has_followers(), !is_one_list);
            let kinds = [ListKind::Top, ListKind::Item(0), ListKind::Item(1)].into_iter();
            for kind in kinds.chain((!is_one_list).then_some(ListKind::Follower)) {
                reach_ties(&dealer, kind);
            }
        }
    }

    /// Breaks the ties of some columns of some lists of a kind.
    fn reach_ties(dealer: &CellDealer<'_>, kind: ListKind) {
        // From these words, a number below W is 0 or W - 1.
        let forged = Forged([1, u64::MAX]);
        let block = Block {
            first_deal: 0,
            deals: PACKET as u64,
        };
        let (lists, columns) = dealer.choosing.lists(kind);
        let mut reached = 0;
        for (state, list) in (0..).zip(lists).take(6) {
            for place in (0..1u32 << list.bits).take(8) {
                let column = columns[(list.start + place) as usize];
                let (limit, total) = dealer.choosing.limit(kind, state, place);
                if column.own == column.alias {
                    continue;
                }
                let high = u64::from(place).checked_shl(64 - list.bits).unwrap_or(0);
                let word = high | (u64::from(column.threshold) << 32) >> list.bits;
                let mut words = FillingWords::of_block(&forged, &block);
                let mut choice = ListChoice {
                    words: [word; PACKET],
                    ..ListChoice::new(kind)
                };
                dealer.find(Isa::chosen(), &[state; PACKET], &mut choice);
                assert!(dealer.decide(Isa::chosen(), &mut choice));
                let broken = dealer.break_ties(4, &mut words, &mut choice);
                broken.unwrap();
                let own = tie(limit, total);
                // From 2^64 on a number takes two words, and these two words give one number.
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
                let wanted = [wanted, wanted].concat();
                assert_eq!(choice.chosen[..4], wanted[..], "{kind:?} {state}");
                reached += u32::from(own > 0);
            }
        }
        assert!(reached > 0, "no column is a tie");
    }
}
