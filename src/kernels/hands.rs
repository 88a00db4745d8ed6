//! Columns that drawing from cases works on.

use super::PACKET;

/// The dealt hands of a packet's deals: two that a condition may list, and one filled from the
/// cards they leave.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(crate) struct ListedHands {
    pub(crate) lead: [u64; PACKET],
    pub(crate) follow: [u64; PACKET],
    pub(crate) third: [u64; PACKET],
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
pub(crate) struct Wanted {
    pub(crate) draws: usize,
    pub(crate) numbers: [u64; PACKET],
    pub(crate) starts: [u32; PACKET],
    pub(crate) ends: [u32; PACKET],
}

impl Default for Wanted {
    fn default() -> Self {
        Self {
            draws: 0,
            numbers: [0; PACKET],
            starts: [0; PACKET],
            ends: [0; PACKET],
        }
    }
}
