//! Flatness of whole deals, and controls of hands.

use serde::{Deserialize, Serialize};

use crate::draw::{Packet, Path};
use crate::kernels;

use super::add;

/// Number of control totals of a hand, 0..=12 (A=2, K=1).
pub(crate) const CONTROL_COUNT: usize = 13;
/// Number of values of half the flatness F, which is even and at most 676. F is the sum of the
/// squares of sixteen suit lengths.
pub(crate) const FLATNESS_COUNT: usize = 339;

/// Counts of flatness and controls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    deals: u64,
    #[serde(with = "super::saved::table")]
    flatness: Box<[u64; FLATNESS_COUNT]>,
    /// Index 13 north + south, and 13 east + west.
    #[serde(with = "super::saved::table")]
    controls: Box<[[u64; CONTROL_COUNT * CONTROL_COUNT]; 2]>,
}

impl Default for Spread {
    fn default() -> Self {
        Self {
            deals: 0,
            flatness: Box::new([0; FLATNESS_COUNT]),
            controls: Box::new([[0; CONTROL_COUNT * CONTROL_COUNT]; 2]),
        }
    }
}

impl Spread {
    /// Counts the deals of a packet.
    pub(crate) fn count(&mut self, path: Path, packet: &Packet) {
        let mut keys = [0; crate::draw::PACKET];
        kernels::spread_keys(path, packet, &mut keys);
        for key in &keys[..packet.deals()] {
            let key = *key as usize;
            self.flatness[(key & 0xFFFF).min(FLATNESS_COUNT - 1)] += 1;
            let [ours, theirs] = &mut *self.controls;
            ours[(key >> 16 & 0xFFFF).min(ours.len() - 1)] += 1;
            theirs[(key >> 32 & 0xFFFF).min(theirs.len() - 1)] += 1;
        }
        self.deals += packet.deals() as u64;
    }

    /// Returns the number of deals.
    #[must_use]
    pub(crate) fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns the count of each F, indexed by F / 2.
    #[must_use]
    pub(crate) fn flatness(&self) -> &[u64; FLATNESS_COUNT] {
        &self.flatness
    }

    /// Returns the count of each number of controls at a seat.
    #[must_use]
    pub(crate) fn controls(&self, seat: crate::bridge::Seat) -> [u64; CONTROL_COUNT] {
        use crate::bridge::Seat;
        let joint = &self.controls[usize::from(matches!(seat, Seat::East | Seat::West))];
        let mut counts = [0; CONTROL_COUNT];
        for (key, count) in joint.iter().enumerate() {
            let controls = match seat {
                Seat::North | Seat::East => key / CONTROL_COUNT,
                Seat::South | Seat::West => key % CONTROL_COUNT,
            };
            counts[controls] += count;
        }
        counts
    }

    /// Returns whether every table counts each deal once.
    pub(super) fn is_sound(&self) -> bool {
        let controls = self.controls.iter();
        super::sums_to(&*self.flatness, self.deals)
            && controls
                .into_iter()
                .all(|table| super::sums_to(table, self.deals))
    }

    /// Adds the counts of another.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.deals += other.deals;
        add(&mut *self.flatness, &*other.flatness);
        for (mine, theirs) in self.controls.iter_mut().zip(&*other.controls) {
            add(mine, theirs);
        }
    }
}
