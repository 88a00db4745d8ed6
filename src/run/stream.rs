//! Deals that satisfy a condition, one after the other, in an order that says nothing.

use super::RunError;
use crate::bridge::Deal;
use crate::draw::{Dealer, Generator, Packet};
use crate::filter::{self, Filter};

/// Deals drawn in a row none of which passed, after which no more are drawn.
const MOST_IN_VAIN: u64 = 1_000_000_000;

/// Deals that satisfy a condition, drawn from a dealer's and filtered.
///
/// They are independent and uniform, and so are any first of them. The deals are a function of the
/// dealer, the generator and the filter: of fewer deals, a stream gives the first. Only words that
/// come once, from a file or a pipe, are drawn for no more deals than the limit.
#[derive(Debug)]
pub struct Stream<'a, 'f, D> {
    dealer: &'a Dealer<'f, D>,
    generator: &'a dyn Generator,
    state: StreamState,
}

impl<'a, 'f, D: AsRef<[u8]> + Sync> Stream<'a, 'f, D> {
    /// A stream of at most `limit` deals drawn, of which those are given that pass.
    #[must_use]
    pub fn new(
        dealer: &'a Dealer<'f, D>,
        generator: &'a dyn Generator,
        filter: Option<Filter>,
        limit: u64,
    ) -> Self {
        Self {
            dealer,
            generator,
            state: StreamState::new(filter, limit),
        }
    }

    /// The next deal; `None` if as many were drawn as may be, or a thousand million in vain.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the case file was altered, the random words ended, or the filter's
    /// arithmetic failed for some deal.
    pub fn next_deal(&mut self) -> Result<Option<Deal>, RunError> {
        self.state.next_deal(self.dealer, self.generator)
    }

    /// Deals drawn up to the one that was given last, or in all.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.state.generated
    }
}

/// How far a stream of deals is, for whoever owns its dealer and its words.
#[derive(Debug)]
pub(crate) struct StreamState {
    filter: Option<Filter>,
    scratch: filter::Scratch,
    /// Most deals that are drawn.
    limit: u64,
    /// Where the next batch begins.
    drawn: u64,
    batch: Vec<Deal>,
    /// How many of the batch have been looked at.
    place: usize,
    candidates: Packet,
    /// Candidates that passed and have not been given.
    passed: u128,
    /// Deals looked at before the candidates, and up to the last that was given.
    before: u64,
    generated: u64,
}

impl StreamState {
    /// Before the first deal.
    pub(crate) fn new(filter: Option<Filter>, limit: u64) -> Self {
        Self {
            filter,
            scratch: filter::Scratch::default(),
            limit,
            drawn: 0,
            batch: Vec::new(),
            place: 0,
            candidates: Packet::default(),
            passed: 0,
            before: 0,
            generated: 0,
        }
    }

    /// [`Stream::next_deal`], always with the same dealer and generator.
    pub(crate) fn next_deal<D: AsRef<[u8]> + Sync>(
        &mut self,
        dealer: &Dealer<'_, D>,
        generator: &dyn Generator,
    ) -> Result<Option<Deal>, RunError> {
        while self.passed == 0 {
            let in_vain = self.before.saturating_sub(self.generated) > MOST_IN_VAIN;
            if in_vain || !self.fetch(dealer, generator)? {
                self.generated = self.before;
                return Ok(None);
            }
        }
        let place = self.passed.trailing_zeros() as usize;
        self.passed &= self.passed - 1;
        self.generated = self.before + place as u64 + 1;
        Ok(Some(self.candidates.deal(place)))
    }

    /// The next candidates, unless there are none.
    fn fetch<D: AsRef<[u8]> + Sync>(
        &mut self,
        dealer: &Dealer<'_, D>,
        generator: &dyn Generator,
    ) -> Result<bool, RunError> {
        self.before += self.candidates.deals() as u64;
        self.candidates.clear();
        if self.place == self.batch.len() {
            self.batch = self.next_batch(dealer, generator)?;
            self.place = 0;
        }
        for deal in self.batch[self.place..].iter().take(crate::draw::PACKET) {
            self.candidates.push_deal(deal);
        }
        let count = self.candidates.deals();
        self.place += count;
        let all = u128::MAX.checked_shr(128 - count as u32).unwrap_or(0);
        self.passed = match &self.filter {
            None => all,
            Some(filter) => filter.accept(dealer.path(), &self.candidates, &mut self.scratch)?,
        };
        Ok(count > 0)
    }

    /// The next batch, without deals beyond the limit; empty if that is reached.
    fn next_batch<D: AsRef<[u8]> + Sync>(
        &mut self,
        dealer: &Dealer<'_, D>,
        generator: &dyn Generator,
    ) -> Result<Vec<Deal>, RunError> {
        let (start, limit) = (self.drawn, self.limit);
        if start >= limit {
            return Ok(Vec::new());
        }
        let end = dealer.end_of_order(start, limit);
        self.drawn = end.min(limit);
        let drawn = if generator.is_one_sequence() {
            self.drawn
        } else {
            end
        };
        let mut batch = dealer.in_random_order(generator, start..drawn)?;
        batch.truncate((self.drawn - start) as usize);
        Ok(batch)
    }
}
