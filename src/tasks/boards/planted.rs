//! Deals with a planted defect, one after the other.

use std::vec;

use crate::bridge::Deal;
use crate::defect::{Defect, Defective};
use crate::draw::{DealScratch, DealSource, Portion, blocks};
use crate::error::Error;
use crate::language::DealContext;
use crate::population::cases::CaseBytes;
use crate::run::RunError;
use crate::tasks::Prepared;
use crate::tasks::random::{RandomWords, defective};

/// The first deals of a defect.
pub(super) struct PlantedDeals<'s> {
    source: Defective<'s, CaseBytes>,
    wanted: u64,
    /// Number of deals dealt.
    dealt: u64,
    block: vec::IntoIter<Deal>,
}

impl<'s> PlantedDeals<'s> {
    pub(super) fn new(
        defect: &'static Defect,
        words: &RandomWords,
        prepared: &'s Prepared,
        wanted: u64,
    ) -> Result<Self, Error> {
        if !defect.deals_are_legal() {
            return Err(Error::usage(format!(
                "the defect {} makes illegal deals, which no format can express",
                defect.name
            )));
        }
        Ok(Self {
            source: defective(defect, words, prepared)?,
            wanted,
            dealt: 0,
            block: Vec::new().into_iter(),
        })
    }

    pub(super) fn next_deal(&mut self) -> Result<Option<DealContext>, RunError> {
        if self.block.len() == 0
            && let Some(block) = blocks(self.dealt..self.wanted).next()
        {
            self.dealt += block.deals;
            let mut dealt = Vec::new();
            let portion = Portion::Block(block);
            self.source
                .deal(&portion, &mut DealScratch::default(), &mut |packet| {
                    dealt.extend((0..packet.deals()).map(|place| packet.deal(place)));
                })?;
            self.block = dealt.into_iter();
        }
        let next = self.block.next();
        Ok(next.map(|deal| DealContext::of_cards(deal, None)))
    }
}
