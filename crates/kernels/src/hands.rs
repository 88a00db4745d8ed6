//! Columns that drawing from cases works on.

use super::PACKET;

/// The dealt hands of a packet's deals: two that a condition may list, and one filled from the
/// cards they leave.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct ListedHands {
    /// The first hand of the condition.
    pub lead: [u64; PACKET],
    /// The second hand of the condition, or one from the cards that the lead leaves.
    pub follow: [u64; PACKET],
    /// A hand from the cards that both leave.
    pub third: [u64; PACKET],
}

impl Default for ListedHands {
    fn default() -> Self {
        Self {
            lead: [0; PACKET],
            follow: [0; PACKET],
            third: [0; PACKET],
        }
    }
}

/// Numbers below T, and the range of records that contains each.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// How many numbers there are; the columns are meaningless beyond them.
    pub draws: usize,
    /// Lowest bits that are not compared: 0 if totals fit in 64 bits.
    pub shift: u32,
    /// The numbers, without these bits.
    pub numbers: [u64; PACKET],
    /// The first record that may contain each.
    pub starts: [u32; PACKET],
    /// The end of the records that may contain it.
    pub ends: [u32; PACKET],
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            draws: 0,
            shift: 0,
            numbers: [0; PACKET],
            starts: [0; PACKET],
            ends: [0; PACKET],
        }
    }
}
