//! The states of both halves of a deal.

use std::collections::BTreeMap;

use super::choosing::HalfItem;
use super::suit::{Holders, Lengths};
use super::{Cells, LeftHalf};
use crate::bridge::{Deal, Honours, Pattern};
use crate::language::HandCase;

/// Finds the states of deals, by the number of each half's shape.
#[derive(Debug)]
pub(super) struct StateSearch {
    /// By half, the number of the shape with these lengths.
    shapes: [BTreeMap<[Lengths; 2], u32>; 2],
}

impl StateSearch {
    pub(super) fn new(cells: &Cells) -> Self {
        let shapes = [0, 1].map(|half| {
            let shapes = (0..).zip(&cells.shapes.halves[half]);
            shapes
                .map(|(number, shape)| (cells.key_of(shape.suits[0]), number))
                .collect()
        });
        Self { shapes }
    }

    /// Returns the state and the item of each half of a deal; `None` if the cells do not have
    /// them.
    pub(super) fn find(&self, cells: &Cells, deal: &Deal) -> Option<[(u32, HalfItem); 2]> {
        if !cells.predeal().is_in(deal) {
            return None;
        }
        let hands = cells.seats().iter().map(|&seat| deal.hand(seat));
        let hands: Vec<HandCase> = hands
            .map(|hand| HandCase {
                pattern: hand.pattern().map(Pattern::index),
                honours: Some(hand.honours()),
            })
            .collect();
        Some([
            self.state_and_item(cells, 0, &hands)?,
            self.state_and_item(cells, 1, &hands)?,
        ])
    }

    /// Returns the state and the item of a half of these hands.
    fn state_and_item(
        &self,
        cells: &Cells,
        half: usize,
        hands: &[HandCase],
    ) -> Option<(u32, HalfItem)> {
        let holders = cells.holders_of(half, hands);
        let lengths = cells.lengths_of(half, hands)?;
        let shape = *self.shapes[half].get(&cells.key_of(lengths))?;
        let tables = cells.tables.get(half, &lengths)?;
        let mut vector = 0;
        for (table, holders) in tables.into_iter().zip(holders.suits()) {
            let mut placements = table.placements.iter();
            vector += placements
                .find(|placement| placement.holders == holders)?
                .vector;
        }
        let state = cells.state_with(half, shape, vector)?;
        Some((
            state,
            HalfItem::new(shape, holders, cells.roles.holder_bits()),
        ))
    }
}

impl Cells {
    /// Returns the key of a half's shape: the lengths of hands with patterns, and the number of
    /// honours that the others have in both suits together, stored for each suit.
    fn key_of(&self, suits: [Lengths; 2]) -> [Lengths; 2] {
        let [first, second] = suits;
        suits.map(|mut lengths| {
            for role in self.roles.by_pattern..4 {
                lengths[role] = first[role] + second[role];
            }
            lengths
        })
    }

    /// Returns the lengths of both suits of a half for these hands.
    fn lengths_of(&self, half: usize, hands: &[HandCase]) -> Option<[Lengths; 2]> {
        let (mut lengths, patterns) = ([[0; 4]; 2], self.roles.by_pattern);
        let mixed = patterns < self.roles.dealt;
        for (role, hand) in hands.iter().enumerate() {
            let honours = hand.honours?.counts();
            let of_pattern = hand.pattern?.pattern().lengths();
            for (place, lengths) in lengths.iter_mut().enumerate() {
                let suit = 2 * half + place;
                lengths[role] = match role < patterns {
                    true => of_pattern[suit],
                    false => honours[suit],
                };
                if mixed && role < patterns {
                    lengths[3] += honours[suit];
                }
            }
        }
        Some(lengths)
    }

    /// Returns the holders of a half's honours for these hands.
    fn holders_of(&self, half: usize, hands: &[HandCase]) -> Holders {
        let by_honours = self.roles.by_honours;
        let mut holders = Holders { low: 0, high: 0 };
        let mut rest = u8::MAX;
        let mut give = |role: usize, honours: u8| {
            holders.low |= if role & 1 == 0 { 0 } else { honours };
            holders.high |= if role & 2 == 0 { 0 } else { honours };
        };
        for (role, hand) in hands.iter().enumerate().take(by_honours) {
            let bits = hand.honours.map_or(0, Honours::bits);
            let honours = (bits >> (8 - 8 * half)) as u8;
            give(role, honours);
            rest &= !honours;
        }
        give(by_honours, rest);
        holders
    }

    /// Returns the state of a half with this shape and this vector; `None` if no deal has it.
    fn state_with(&self, half: usize, shape: u32, vector: u64) -> Option<u32> {
        let side = &self.halves.sides[half];
        let class = side.of_shape[shape as usize];
        let vectors = side.of_vector.get(vector)?;
        if half == 0 {
            let state = |left: &LeftHalf| (left.shapes, left.vectors);
            let place = self.lefts.binary_search_by_key(&(class, vectors), state);
            return place.ok().map(|place| place as u32);
        }
        let rights = self.rights_of(class);
        let of_class = &self.rights[rights.start as usize..rights.end as usize];
        let place = of_class.binary_search_by_key(&vectors, |right| right.vectors);
        place.ok().map(|place| rights.start + place as u32)
    }

    /// Returns the link of two classes of shapes; `None` if they are not compatible.
    pub(super) fn link(&self, left: u32, right: u32) -> Option<u32> {
        let row = &self.halves.rows[left as usize];
        let place = row.binary_search_by_key(&right, |(shapes, _)| *shapes).ok();
        place.map(|place| row[place].1)
    }

    /// Returns the number of ways to deal the spots of hands without fixed patterns; 1 if there are
    /// no such hands. `None` if the states are not compatible.
    pub(super) fn link_ways(&self, [left, right]: [u32; 2]) -> Option<u128> {
        let (left, right) = (&self.lefts[left as usize], &self.rights[right as usize]);
        let link = self.link(left.shapes, right.shapes)?;
        let wanted = self
            .halves
            .wants(self.halves.judge(link), left.vectors, right.vectors);
        wanted.then(|| self.halves.links[link as usize].ways)
    }
}
