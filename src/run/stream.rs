//! Deals that satisfy a condition, one after the other, in an order that says nothing.

use super::RunError;
use crate::bridge::Deal;
use crate::draw::{Dealer, DrawError, Generator, Packet, Purpose, StreamId, seeds};
use crate::filter::{self, Filter};
use crate::language::Draws;

/// Deals tried in a row without one that passes, after which a stream gives up.
pub const MOST_TRIES: u64 = 1_000_000_000;

/// Deals tried before a caller hears that the search goes on.
const TRIES_OF_A_STEP: u64 = 1 << 13;

/// A step of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next deal.
    Deal(Deal),
    /// Some deals were tried, and none of them passed.
    Searching,
    /// The stream has no more deals.
    End,
}

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

    /// The same stream, which gives up after this many deals in a row without one that passes
    /// instead of [`MOST_TRIES`].
    #[must_use]
    pub fn giving_up_after(mut self, tries: u64) -> Self {
        self.state.most_tries = tries;
        self
    }

    /// The same stream, with random draws for each deal (`rnd`).
    #[must_use]
    pub fn with_draws(self, has_draws: bool) -> Self {
        let state = self.state.with_draws(has_draws);
        Self { state, ..self }
    }

    /// The random draws of the deal that was given last, if there is one.
    #[must_use]
    pub fn draws(&self) -> Option<Draws> {
        self.state.last
    }

    /// The next deal; `None` at the limit, or if the stream gave up.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the case file was altered, the random words ended, or the filter's
    /// arithmetic failed for some deal.
    pub fn next_deal(&mut self) -> Result<Option<Deal>, RunError> {
        self.state.next_deal(self.dealer, self.generator)
    }

    /// The next deal, or after some thousand tries that there is none yet.
    ///
    /// # Errors
    ///
    /// As [`Stream::next_deal`].
    pub fn step(&mut self) -> Result<Next, RunError> {
        self.state.step(self.dealer, self.generator)
    }

    /// Deals tried so far.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.state.tried()
    }

    /// Deals tried since the last that passed.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.state.misses()
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
    /// Seeds of the random draws of the batch; empty if nothing asks for draws.
    seeds: Vec<[u64; 2]>,
    has_draws: bool,
    /// The draws of the deal that was given last.
    last: Option<Draws>,
    /// How many of the batch have been looked at.
    place: usize,
    candidates: Packet,
    /// Candidates that passed and have not been given.
    passed: u128,
    /// Deals looked at before the candidates, and up to the last that was given.
    before: u64,
    generated: u64,
    /// Deals tried up to the last that was given.
    hit: u64,
    /// Deals tried in a row after which it gives up.
    most_tries: u64,
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
            seeds: Vec::new(),
            has_draws: false,
            last: None,
            place: 0,
            candidates: Packet::default(),
            passed: 0,
            before: 0,
            generated: 0,
            hit: 0,
            most_tries: MOST_TRIES,
        }
    }

    /// The same, with random draws for each deal.
    pub(crate) fn with_draws(self, has_draws: bool) -> Self {
        Self { has_draws, ..self }
    }

    /// Deals tried: those of the candidates too, unless one of them has still to be given.
    fn tried(&self) -> u64 {
        match self.passed {
            0 => self.before + self.candidates.deals() as u64,
            _ => self.generated,
        }
    }

    fn misses(&self) -> u64 {
        self.tried() - self.hit
    }

    /// [`Stream::next_deal`], always with the same dealer and generator.
    pub(crate) fn next_deal<D: AsRef<[u8]> + Sync>(
        &mut self,
        dealer: &Dealer<'_, D>,
        generator: &dyn Generator,
    ) -> Result<Option<Deal>, RunError> {
        loop {
            match self.step(dealer, generator)? {
                Next::Deal(deal) => return Ok(Some(deal)),
                Next::Searching => {}
                Next::End => return Ok(None),
            }
        }
    }

    /// [`Stream::step`], always with the same dealer and generator.
    fn step<D: AsRef<[u8]> + Sync>(
        &mut self,
        dealer: &Dealer<'_, D>,
        generator: &dyn Generator,
    ) -> Result<Next, RunError> {
        let pause = self.tried() + TRIES_OF_A_STEP;
        while self.passed == 0 {
            if self.tried() >= pause {
                return Ok(Next::Searching);
            }
            let left = self.most_tries.saturating_sub(self.misses());
            if left == 0 || !self.fetch(dealer, generator, left)? {
                self.generated = self.tried();
                return Ok(Next::End);
            }
        }
        let place = self.passed.trailing_zeros() as usize;
        self.passed &= self.passed - 1;
        self.generated = self.before + place as u64 + 1;
        self.hit = self.generated;
        let next = self.candidates.deal_with_draws(place);
        self.last = Some(next.draws);
        Ok(Next::Deal(next.deal))
    }

    /// The next candidates, no more than `most`, unless there are none.
    fn fetch<D: AsRef<[u8]> + Sync>(
        &mut self,
        dealer: &Dealer<'_, D>,
        generator: &dyn Generator,
        most: u64,
    ) -> Result<bool, RunError> {
        self.before += self.candidates.deals() as u64;
        self.candidates.clear();
        if self.place == self.batch.len() {
            self.batch = self.next_batch(dealer, generator)?;
            self.place = 0;
        }
        let most = most.min(crate::draw::PACKET as u64) as usize;
        for deal in self.batch[self.place..].iter().take(most) {
            self.candidates.push_deal(deal);
        }
        let count = self.candidates.deals();
        if self.has_draws {
            self.candidates
                .set_seeds(&self.seeds[self.place..][..count]);
        }
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
        if self.has_draws {
            let id = StreamId::new(start, Purpose::Draws, 0);
            let seeds = seeds(generator, id, self.drawn - start);
            self.seeds = seeds.map_err(DrawError::from)?;
        }
        let mut batch = dealer.in_random_order(generator, start..drawn)?;
        batch.truncate((self.drawn - start) as usize);
        Ok(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{Aes128Ctr, Dealer};
    use crate::language::Condition;
    use crate::population::cases::{self, CaseBytes};

    /// What a stream gives of 16 hearts in two hands, until it ends.
    fn stream_of(text: &str, limit: u64, tries: u64) -> (Vec<u64>, u64, u64) {
        let condition = Condition::parse("test", text).unwrap();
        let filter = Filter::new(&cases::reject(&condition).unwrap().filter);
        let dealer = Dealer::<CaseBytes>::unconstrained();
        let generator = Aes128Ctr::new(5);
        let stream = Stream::new(&dealer, &generator, Some(filter), limit);
        let mut stream = stream.giving_up_after(tries);
        let mut hits = Vec::new();
        loop {
            let before = stream.tried();
            match stream.step().unwrap() {
                Next::Deal(_) => hits.push(stream.generated()),
                Next::Searching => assert!(stream.tried() - before < TRIES_OF_A_STEP + 128),
                Next::End => return (hits, stream.tried(), stream.misses()),
            }
        }
    }

    #[test]
    fn a_stream_gives_up_after_exactly_so_many_tries_in_a_row() {
        for tries in [1, 127, 128, 129, 100_000] {
            let (hits, tried, misses) = stream_of("hearts(north) == 13", u64::MAX, tries);
            assert_eq!((hits.len(), tried, misses), (0, tries, tries));
        }
        let rare = "hcp(north) >= 20 && hearts(north) >= 6";
        let (hits, tried, misses) = stream_of(rare, 200_000, u64::MAX);
        assert!(hits.len() > 3, "{}", hits.len());
        assert_eq!((tried, misses), (200_000, 200_000 - hits[hits.len() - 1]));
        // The longest gap ends it when it is one longer than what is allowed.
        let gaps: Vec<u64> = std::iter::once(&0)
            .chain(&hits)
            .zip(&hits)
            .map(|(a, b)| b - a)
            .collect();
        let longest = gaps.iter().copied().max().unwrap();
        let place = gaps.iter().position(|gap| *gap == longest).unwrap();
        let (fewer, tried, misses) = stream_of(rare, 200_000, longest - 1);
        assert_eq!(fewer, hits[..place]);
        assert_eq!(misses, longest - 1);
        assert_eq!(tried, fewer.last().copied().unwrap_or(0) + longest - 1);
        let (as_many, ..) = stream_of(rare, 200_000, longest);
        assert!(as_many.len() > place);
    }
}
