//! Searches ahead, on all threads, for batches in which no deal passes a filter.
//!
//! Such batches need not be dealt one after the other, so a search for rare deals takes all cores
//! and ends with the same deals.

use std::collections::VecDeque;
use std::ops::Range;

use rayon::prelude::*;

use crate::draw::{
    BLOCK_DEALS, DealScratch, DealSource, Dealer, Generator, PACKET, Seeded, WithDraws,
};
use crate::filter::{Filter, FilterScratch};

/// Maximum number of consecutive deals without a match after which a stream gives up by default.
pub const MOST_TRIES: u64 = 1_000_000_000;

/// Steps after which a search gives up by default, of about a nanosecond on one thread.
const MOST_STEPS: f64 = 8e9;

/// Steps of a draw.
const DRAW: f64 = 12.0;

/// Number of consecutive deals without a match after which batches are searched ahead.
const RARE: u64 = BLOCK_DEALS;

/// Batches searched at a time, per thread.
const BATCHES_A_THREAD: usize = 2;

/// Returns the number of consecutive deals without a match after which a stream with this filter
/// gives up by default: fewer for a filter with many steps.
pub fn most_tries(filter: &Filter) -> u64 {
    let tries = MOST_STEPS / (DRAW + filter.price());
    (tries as u64 / PACKET as u64 * PACKET as u64).clamp(1, MOST_TRIES)
}

/// The deals of a search and their filter.
pub(super) struct Search<'s, 'f, D> {
    pub(super) dealer: &'s Dealer<'f, D>,
    pub(super) generator: &'s dyn Generator,
    pub(super) filter: &'s Filter,
    /// Whether the filter depends on random draws.
    pub(super) has_draws: bool,
}

/// Batches that were searched, in order.
#[derive(Debug, Default)]
pub(super) struct Lookahead {
    searched: VecDeque<SearchedBatch>,
}

#[derive(Debug)]
struct SearchedBatch {
    deals: Range<u64>,
    /// Whether some deal passes, or cannot be drawn or evaluated.
    has_outcome: bool,
}

impl Lookahead {
    /// Returns the number of deals from `start` on that do not pass, in whole batches and at most
    /// `most`, after this number of misses. It is 0 if there are none, or deals are not rare.
    pub(super) fn skip<D: AsRef<[u8]> + Sync>(
        &mut self,
        search: &Search<'_, '_, D>,
        (start, misses): (u64, u64),
        most: u64,
    ) -> u64 {
        if misses < RARE || most < BLOCK_DEALS || !search.is_possible() {
            return 0;
        }
        while self
            .searched
            .front()
            .is_some_and(|first| first.deals.start < start)
        {
            self.searched.pop_front();
        }
        if self.searched.is_empty() {
            self.searched = search.next_batches(start, start.saturating_add(most));
        }
        let mut end = start;
        while let Some(next) = self.searched.front()
            && !next.has_outcome
            && next.deals.end - start <= most
        {
            end = next.deals.end;
            self.searched.pop_front();
        }
        end - start
    }
}

impl<D: AsRef<[u8]> + Sync> Search<'_, '_, D> {
    /// Whether batches can be dealt in any order, and each in the order of its random draws.
    fn is_possible(&self) -> bool {
        let is_ordered = !self.has_draws || self.dealer.deals_in_order();
        is_ordered && !self.generator.is_one_sequence()
    }

    /// Searches the next batches before `end`.
    fn next_batches(&self, mut start: u64, end: u64) -> VecDeque<SearchedBatch> {
        let mut batches = Vec::new();
        for _ in 0..BATCHES_A_THREAD * rayon::current_num_threads() {
            let batch = start..self.dealer.end_of_order(start, u64::MAX);
            if batch.end > end {
                break;
            }
            start = batch.end;
            batches.push(batch);
        }
        let batches = batches.into_par_iter();
        let searched = batches.map_init(Default::default, |scratch, deals| SearchedBatch {
            has_outcome: self.has_outcome(deals.clone(), scratch),
            deals,
        });
        searched.collect::<Vec<_>>().into()
    }

    fn has_outcome(
        &self,
        batch: Range<u64>,
        (scratch, of_filter): &mut (DealScratch, FilterScratch),
    ) -> bool {
        let (dealer, generator) = (self.dealer, self.generator);
        let source = &Seeded { dealer, generator };
        let source = WithDraws::new(source, generator, self.has_draws);
        let Ok(portions) = source.portions(batch) else {
            return true;
        };
        portions.iter().any(|portion| {
            let mut found = false;
            let dealt = source.deal(portion, scratch, &mut |packet| {
                let mut accept = || self.filter.accept(dealer.isa(), packet, of_filter);
                found = found || !matches!(accept(), Ok(0));
            });
            found || dealt.is_err()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::Aes128Ctr;
    use crate::language::Script;
    use crate::population::cases::{self, CaseBytes};
    use crate::{DealStream, SearchEvent};

    fn filter(text: &str) -> Filter {
        let script = Script::parse("test", text).unwrap();
        Filter::new(&cases::reject(&script.condition).filter)
    }

    /// The deals of a search with this number of threads: the place of each, and the number tried.
    fn found(text: &str, limit: u64, tries: u64, threads: usize) -> (Vec<u64>, u64) {
        let dealer = Dealer::<CaseBytes>::unconstrained();
        let generator = Aes128Ctr::new(11);
        let has_draws = text.contains("rnd");
        let stream = DealStream::new(dealer, generator, Some(filter(text)), limit);
        let mut stream = stream.with_draws(has_draws).giving_up_after(tries);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut places = Vec::new();
            loop {
                match stream.next().transpose().unwrap() {
                    Some(SearchEvent::Next(_)) => places.push(stream.generated()),
                    Some(SearchEvent::Misses(_)) => {}
                    None => return (places, stream.tried()),
                }
            }
        })
    }

    /// The places of the deals that pass, one deal after the other.
    fn found_slowly(text: &str, limit: u64) -> Vec<u64> {
        let dealer = Dealer::<CaseBytes>::unconstrained();
        let generator = Aes128Ctr::new(11);
        let stream = DealStream::new(dealer, generator, None, limit);
        let mut stream = stream.with_draws(text.contains("rnd"));
        let script = Script::parse("test", text).unwrap();
        let mut places = Vec::new();
        while let Some(deal) = stream.next_deal().unwrap() {
            if script.condition.expression().holds(&deal).unwrap() {
                places.push(stream.generated());
            }
        }
        places
    }

    #[test]
    fn a_search_ahead_finds_the_deals_of_one_after_the_other() {
        // Four batches, and a part of the next.
        let limit = 270_000;
        for (text, count) in [("spades(north) >= 10", 2), ("rnd(100000) == 7", 2)] {
            let slowly = found_slowly(text, limit);
            assert_eq!(slowly.len(), count, "{text}: {slowly:?}");
            assert!(slowly[1] - slowly[0] > RARE, "{text}: {slowly:?}");
            for threads in [1, 3] {
                let found = found(text, limit, u64::MAX, threads);
                assert_eq!(found, (slowly.clone(), limit), "{text}, {threads}");
            }
        }
    }

    #[test]
    fn a_search_ahead_ends_after_its_tries_with_any_number_of_threads() {
        for tries in [65_536, 131_072, 200_001] {
            for threads in [1, 3] {
                let end = found("hearts(north) == 13", u64::MAX, tries, threads);
                assert_eq!(end, (Vec::new(), tries));
            }
        }
    }

    #[test]
    fn long_filters_give_up_sooner() {
        let short = most_tries(&filter("hearts(north) == 13"));
        assert!((500_000_000..=MOST_TRIES).contains(&short), "{short}");
        // Asked hand by hand, and deal by deal.
        let asked = most_tries(&filter("cccc(north) > 4000"));
        assert!((50_000_000..300_000_000).contains(&asked), "{asked}");
        let drawn = most_tries(&filter("rnd(1000) == 1000"));
        assert!((1_000_000..50_000_000).contains(&drawn), "{drawn}");
    }
}
