//! Draws of numbered deals: every deal independently, in the order in which it is drawn.
//!
//! A number below the number of deals is drawn exactly uniformly, and its deal is dealt.

use super::bounded::below;
use super::portion::Block;
use super::{DamagedCase, DrawError, Generator, RandomStream, StreamPurpose};
use crate::kernels::{PACKET, Packet};
use crate::population::counting::NumberedDeals;

/// Deals a block, a packet at a time.
pub(super) fn deal_block(
    deals: &NumberedDeals,
    generator: &dyn Generator,
    block: &Block,
    packet: &mut Packet,
    sink: &mut dyn FnMut(&Packet),
) -> Result<(), DrawError> {
    let mut stream = RandomStream::new(generator, block.stream(StreamPurpose::Numbers));
    let mut left = block.deals;
    while left > 0 {
        packet.clear();
        for _ in 0..left.min(PACKET as u64) {
            let number = below(&mut stream, deals.total())?;
            packet.push_deal(&deals.deal(number).ok_or(DamagedCase::Totals)?);
        }
        left -= packet.deals() as u64;
        sink(packet);
    }
    Ok(())
}
