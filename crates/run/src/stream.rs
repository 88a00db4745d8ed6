//! A stream of deals that satisfy a condition, in random order.

use super::RunError;
use super::lookahead::{Lookahead, MOST_TRIES, Search, most_tries};
use crate::bridge::{Deal, Hand};
use crate::draw::{
    Dealer, DealsWithDraws, DrawError, Generator, Packet, StreamId, StreamPurpose, seeds,
};
use crate::error::Error;
use crate::filter::{self, Filter};
use crate::fixed_hash::FixedHashMap;
use crate::language::{DealContext, Expression};
use crate::population::Population;
use crate::population::cases::CaseBytes;

/// Deals tried between two reports of a search's progress.
const TRIES_OF_A_STEP: u64 = 1 << 13;

/// An event of a search for deals or boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEvent<T> {
    /// The next deal or board.
    Next(T),
    /// Some deals were tried, and none passed, or one is still being solved: the number tried since
    /// the last that passed.
    Misses(u64),
}

/// Deals that satisfy a condition: drawn from a dealer's population and filtered.
///
/// The deals are independent and uniform, also in every prefix of the stream. They depend only on
/// the dealer, the generator and the filter, so a shorter stream is a prefix of a longer one. Only
/// the random words of a file or a pipe, which cannot be repeated, are drawn for no more deals than
/// the limit.
///
/// As an iterator, it reports a search after some thousand tries, so that its caller can stop it.
#[derive(Debug)]
pub struct DealStream<'f, D> {
    dealer: Dealer<'f, D>,
    generator: Box<dyn Generator + 'f>,
    filter: Option<Filter>,
    scratch: filter::FilterScratch,
    /// Maximum number of deals drawn.
    limit: u64,
    /// First deal of the next batch.
    drawn: u64,
    batch: Vec<Deal>,
    /// Seeds of the batch's random draws; empty if no draws are needed.
    seeds: Vec<[u64; 2]>,
    has_draws: bool,
    /// Number of the batch's deals that have been candidates.
    place: usize,
    candidates: Packet,
    /// Bits of the candidates that passed and have not been returned.
    passed: u128,
    /// Number of deals before the candidates, and up to the last deal returned.
    before: u64,
    generated: u64,
    /// Number of deals tried up to the last deal returned.
    hit: u64,
    /// Number of consecutive tries after which it gives up.
    most_tries: u64,
    /// The next batches, if deals that pass are rare.
    ahead: Lookahead,
    /// The deals returned, if none may be repeated: the cards of north, east and south.
    seen: Option<FixedHashMap<[u64; 3], ()>>,
}

impl<'f> DealStream<'f, CaseBytes> {
    /// The deals of a population without end.
    ///
    /// # Errors
    ///
    /// If the listing or the cells cannot be drawn from.
    pub fn of(population: &'f Population, generator: impl Generator + 'f) -> Result<Self, Error> {
        let dealer = Dealer::new(population).map_err(|error| error.of(population))?;
        let has_draws = population.filter().iter().any(Expression::has_draws);
        let stream = Self::new(dealer, generator, Filter::of(population), u64::MAX);
        Ok(stream.with_draws(has_draws))
    }
}

impl<'f, D: AsRef<[u8]> + Sync> DealStream<'f, D> {
    /// A stream that draws at most `limit` deals and returns those that pass.
    pub fn new(
        dealer: Dealer<'f, D>,
        generator: impl Generator + 'f,
        filter: Option<Filter>,
        limit: u64,
    ) -> Self {
        Self {
            dealer,
            generator: Box::new(generator),
            most_tries: filter.as_ref().map_or(MOST_TRIES, most_tries),
            ahead: Lookahead::default(),
            filter,
            scratch: filter::FilterScratch::default(),
            limit,
            drawn: 0,
            batch: Vec::new(),
            seeds: Vec::new(),
            has_draws: false,
            place: 0,
            candidates: Packet::default(),
            passed: 0,
            before: 0,
            generated: 0,
            hit: 0,
            seen: None,
        }
    }

    /// Draws at most `limit` deals.
    #[must_use]
    pub fn limited_to(self, limit: u64) -> Self {
        Self { limit, ..self }
    }

    /// Sets the number of consecutive deals without a match after which the stream gives up,
    /// instead of [`most_tries`].
    #[must_use]
    pub fn giving_up_after(self, most_tries: u64) -> Self {
        Self { most_tries, ..self }
    }

    /// Adds random draws to each deal (`rnd`).
    #[must_use]
    pub fn with_draws(self, has_draws: bool) -> Self {
        Self { has_draws, ..self }
    }

    /// Returns no deal twice: a repeated deal counts as one that does not pass.
    ///
    /// Any n different deals of the population are then equally likely to be the first n. Each
    /// returned deal takes about 30 bytes of memory.
    #[must_use]
    pub fn without_repeats(self) -> Self {
        let seen = Some(FixedHashMap::default());
        Self { seen, ..self }
    }

    /// Returns the next deal; `None` at the limit, or if the stream gave up.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the case file was modified, the random words ended, or the filter's
    /// arithmetic failed for some deal.
    pub fn next_deal(&mut self) -> Result<Option<DealContext>, RunError> {
        loop {
            match self.step()? {
                Some(SearchEvent::Next(deal)) => return Ok(Some(deal)),
                Some(SearchEvent::Misses(_)) => {}
                None => return Ok(None),
            }
        }
    }

    /// Number of deals tried so far, including the candidates unless one of them has not been
    /// returned.
    pub fn tried(&self) -> u64 {
        match self.passed {
            0 => self.before + self.candidates.deals() as u64,
            _ => self.generated,
        }
    }

    /// Number of deals tried since the last that passed.
    pub fn misses(&self) -> u64 {
        self.tried() - self.hit
    }

    /// Whether the number of consecutive deals without a match is that after which it gives up.
    pub fn gave_up(&self) -> bool {
        self.misses() >= self.most_tries
    }

    /// Number of deals drawn up to the last deal returned, or in total at the end.
    pub fn generated(&self) -> u64 {
        self.generated
    }

    fn step(&mut self) -> Result<Option<SearchEvent<DealContext>>, RunError> {
        let pause = self.tried() + TRIES_OF_A_STEP;
        loop {
            while self.passed == 0 {
                if self.tried() >= pause {
                    return Ok(Some(SearchEvent::Misses(self.misses())));
                }
                let left = self.most_tries.saturating_sub(self.misses());
                if self.skip(left) {
                    continue;
                }
                if left == 0 || !self.fetch(left)? {
                    self.generated = self.tried();
                    return Ok(None);
                }
            }
            let place = self.passed.trailing_zeros() as usize;
            self.passed &= self.passed - 1;
            self.generated = self.before + place as u64 + 1;
            let next = self.candidates.deal_with_draws(place);
            if self.is_new(&next.deal) {
                self.hit = self.generated;
                return Ok(Some(SearchEvent::Next(next)));
            }
        }
    }

    /// Whether the deal may be returned; remembers it if none may be repeated.
    fn is_new(&mut self, deal: &Deal) -> bool {
        let Some(seen) = &mut self.seen else {
            return true;
        };
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        seen.insert([north, east, south], ()).is_none()
    }

    /// Skips batches without a deal that passes, at most `most` deals; returns false if there are
    /// none.
    fn skip(&mut self, most: u64) -> bool {
        let (misses, start) = (self.misses(), self.drawn);
        let Some(filter) = self
            .filter
            .as_ref()
            .filter(|_| self.place == self.batch.len())
        else {
            return false;
        };
        let search = Search {
            dealer: &self.dealer,
            generator: &*self.generator,
            filter,
            has_draws: self.has_draws,
        };
        let most = most.min(self.limit.saturating_sub(start));
        let skipped = self.ahead.skip(&search, (start, misses), most);
        if skipped == 0 {
            return false;
        }
        self.before += self.candidates.deals() as u64 + skipped;
        self.candidates.clear();
        self.drawn += skipped;
        true
    }

    /// Fetches the next candidates, at most `most`; returns false if there are none.
    fn fetch(&mut self, most: u64) -> Result<bool, RunError> {
        self.before += self.candidates.deals() as u64;
        self.candidates.clear();
        if self.place == self.batch.len() {
            self.batch = self.next_batch()?;
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
            Some(filter) => {
                filter.accept(self.dealer.isa(), &self.candidates, &mut self.scratch)?
            }
        };
        Ok(count > 0)
    }

    /// Draws the next batch, without deals beyond the limit; empty at the limit.
    fn next_batch(&mut self) -> Result<Vec<Deal>, RunError> {
        let (start, limit, generator) = (self.drawn, self.limit, &*self.generator);
        if start >= limit {
            return Ok(Vec::new());
        }
        let end = self.dealer.end_of_order(start, limit);
        self.drawn = end.min(limit);
        let drawn = if generator.is_one_sequence() {
            self.drawn
        } else {
            end
        };
        if self.has_draws {
            let id = StreamId::new(start, StreamPurpose::Draws, 0);
            let seeds = seeds(generator, id, self.drawn - start);
            self.seeds = seeds.map_err(DrawError::from)?;
        }
        let mut batch = self.dealer.in_random_order(generator, start..drawn)?;
        batch.truncate((self.drawn - start) as usize);
        Ok(batch)
    }
}

impl<D: AsRef<[u8]> + Sync> Iterator for DealStream<'_, D> {
    type Item = Result<SearchEvent<DealContext>, RunError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Aes128Ctr;
    use crate::language::Condition;
    use crate::observer::Silent;
    use crate::population::{Listings, cases};
    use crate::sampler::{Sampling, Workload, choose};
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    /// Deals from a stream for a condition of 16 hearts in two hands, until it ends.
    fn stream_of(text: &str, limit: u64, tries: u64) -> (Vec<u64>, u64, u64) {
        let condition = Condition::parse("test", text).unwrap();
        let filter = Filter::new(&cases::reject(&condition).filter);
        let dealer = Dealer::<CaseBytes>::unconstrained();
        let generator = Aes128Ctr::new(5);
        let stream = DealStream::new(dealer, generator, Some(filter), limit);
        let mut stream = stream.giving_up_after(tries);
        let mut hits = Vec::new();
        loop {
            let before = stream.tried();
            match stream.next().transpose().unwrap() {
                Some(SearchEvent::Next(_)) => hits.push(stream.generated()),
                Some(SearchEvent::Misses(misses)) => {
                    assert!(stream.tried() - before < TRIES_OF_A_STEP + 128);
                    assert_eq!(misses, stream.misses());
                }
                None => return (hits, stream.tried(), stream.misses()),
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
        // A longest gap of one more than the limit ends the stream.
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

    #[test]
    fn streams_without_repeats_give_every_set_equally_often() {
        // Four cards are left for two seats, two each: six deals.
        let few = "predeal north SAKQJT98765432 east CAKQJT98765432
                   south HAKQJT987654 west DAKQJT987654";
        let condition = Condition::parse("test", few).unwrap();
        let chosen = choose(
            &condition,
            &Sampling::default(),
            Workload::boards(100, None),
        );
        let population = chosen
            .unwrap()
            .population(&condition, &Listings::in_memory(), &Silent);
        let population = population.unwrap();
        assert_eq!(crate::draw::different_deals(&population), 6);
        let mut counts = std::collections::BTreeMap::new();
        let streams = 90;
        for seed in 0..streams {
            let generator = Aes128Ctr::new(seed);
            let stream = DealStream::of(&population, generator).unwrap();
            let mut stream = stream.without_repeats().giving_up_after(100);
            let mut deals = Vec::new();
            while let Some(DealContext { deal, .. }) = stream.next_deal().unwrap() {
                assert!(!deals.contains(&deal));
                deals.push(deal);
            }
            // All six, and then a hundred repeats.
            assert_eq!(deals.len(), 6);
            assert_eq!(stream.misses(), 100);
            *counts.entry([deals[0], deals[1]]).or_insert(0_u32) += 1;
        }
        // Any two of them, in either order.
        assert_eq!(counts.len(), 30);
        let expected = streams as f64 / 30.0;
        let squares = counts
            .values()
            .map(|&count| (f64::from(count) - expected).powi(2) / expected);
        let p = 1.0 - ChiSquared::new(29.0).unwrap().cdf(squares.sum());
        assert!(p > 1e-6, "{p}");
    }
}
