//! The deals of one population in their order, solved where the script or the request asks it.

use std::fmt;
use std::sync::{Arc, Mutex};

use super::command_filter::{FilterCounts, FilterProcesses, FilteredDeals};
use super::planted::PlantedDeals;
use super::set::{BoardType, Set, of_type};
use super::{BoardRequest, SearchEnd};
use crate::draw::{OffsetStreams, different_deals};
use crate::error::Error;
use crate::language::DealContext;
use crate::population::cases::CaseBytes;
use crate::run::{DealStream, MOST_TRIES, SearchEvent, SolvedStream, hold};
use crate::solver::SolverTeam;

/// The boards of a type.
pub(super) struct TypeSearch<'s> {
    request: &'s BoardRequest,
    of: &'s BoardType,
    deals: Deals<'s>,
    found: u64,
    /// Number of solved deals since the last that satisfied the terms with tricks.
    misses: u64,
    /// Number of them after which it gives up.
    most_misses: u64,
}

enum Deals<'s> {
    Drawn(Box<FilteredDeals<'s>>),
    Solved(Box<SolvedStream<FilteredDeals<'s>>>),
    Planted(PlantedDeals<'s>),
}

impl fmt::Debug for TypeSearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypeSearch").finish_non_exhaustive()
    }
}

impl<'s> TypeSearch<'s> {
    /// The boards of the type at this place of a set, with the processes of its filter.
    pub(super) fn new(
        set: &'s Set,
        (of, place): (&'s BoardType, u8),
        filter: Option<&Arc<Mutex<FilterProcesses>>>,
    ) -> Result<Self, Error> {
        let deals = deals(set, (of, place), filter);
        Ok(Self {
            request: &set.request,
            of,
            deals: deals.map_err(|error| of_type(error, of.name.as_deref()))?,
            found: 0,
            misses: 0,
            most_misses: set.request.max_tries.unwrap_or(MOST_TRIES),
        })
    }

    /// Returns the next deal; `None` if there are no more.
    ///
    /// # Errors
    ///
    /// If a deal cannot be drawn, evaluated or solved.
    pub(super) fn step(
        &mut self,
        team: Option<&mut SolverTeam>,
    ) -> Result<Option<SearchEvent<DealContext>>, Error> {
        let population = &self.of.prepared.population;
        let terms = self.of.solving.as_ref().map_or(&[][..], |of| &of.terms);
        let step = match &mut self.deals {
            Deals::Planted(planted) => {
                let next = planted.next_deal().map_err(|error| error.of(population));
                next.map(|deal| deal.map(SearchEvent::Next))
            }
            Deals::Drawn(stream) => stream.next().transpose(),
            Deals::Solved(_) if self.misses >= self.most_misses => return Ok(None),
            Deals::Solved(stream) => {
                let team = team.expect("a set that is solved has a team");
                let most = match terms.is_empty() {
                    true => self.of.most - self.found,
                    false => u64::MAX,
                };
                stream.next(team, most)
            }
        };
        let step = step?;
        if let Some(SearchEvent::Next(deal)) = step {
            if hold(terms, &deal).map_err(|error| population.evaluation_error(&error))? {
                (self.found, self.misses) = (self.found + 1, 0);
                return Ok(step);
            }
            self.misses += 1;
        }
        Ok(step.map(|_| SearchEvent::Misses(self.misses())))
    }

    /// The deals before they are solved; `None` for those of a defect.
    fn unsolved(&self) -> Option<&FilteredDeals<'s>> {
        match &self.deals {
            Deals::Drawn(stream) => Some(stream),
            Deals::Solved(stream) => Some(stream.unsolved()),
            Deals::Planted(_) => None,
        }
    }

    /// The stream of deals that satisfy the condition; `None` for those of a defect.
    fn stream(&self) -> Option<&DealStream<'s, CaseBytes>> {
        self.unsolved().map(FilteredDeals::stream)
    }

    /// Numbers of deals that a program was asked about.
    pub(super) fn filter_counts(&self) -> FilterCounts {
        let counts = self.unsolved().map(FilteredDeals::counts);
        let (asked, accepted) = counts.unwrap_or_default();
        FilterCounts {
            deal_type: self.of.name.clone(),
            asked,
            accepted,
        }
    }

    /// Number of deals tried since the last board, or, where they are solved, of deals solved.
    fn misses(&self) -> u64 {
        match self.misses {
            0 => self.unsolved().map_or(0, FilteredDeals::misses),
            misses => misses,
        }
    }

    /// Number of deals drawn up to the last that was found.
    pub(super) fn generated(&self) -> u64 {
        self.stream().map_or(self.found, DealStream::generated)
    }

    /// Why there are no more deals.
    pub(super) fn end(&self) -> SearchEnd {
        let tried = self.stream().map_or(self.found, DealStream::tried);
        let gave_up = match self.misses {
            0 => self.unsolved().is_some_and(FilteredDeals::gave_up),
            misses => misses >= self.most_misses,
        };
        let tries = if gave_up { self.misses() } else { tried };
        SearchEnd::new(self.request, self.of, self.found, (gave_up, tries))
    }
}

/// The deals of the type at this place of a set.
fn deals<'s>(
    set: &'s Set,
    (of, place): (&'s BoardType, u8),
    filter: Option<&Arc<Mutex<FilterProcesses>>>,
) -> Result<Deals<'s>, Error> {
    let (request, population) = (&set.request, &of.prepared.population);
    if let Some(defect) = request.defect {
        let planted = PlantedDeals::new(defect, &set.words, &of.prepared, of.most)?;
        return Ok(Deals::Planted(planted));
    }
    request.check_repeats(of.most, different_deals(population))?;
    let is_mix = set.numbers.is_some();
    // Population 0 is the order of the types.
    let words = OffsetStreams::new(&*set.words.generator, place + u8::from(is_mix));
    let stream = DealStream::of(population, words)?;
    // Without a filter every deal drawn is used; with one the script's limit applies.
    let limit = request.limit(&set.script).unwrap_or(u64::MAX);
    let limit = match of.is_exact() && !request.no_repeats && !is_mix {
        true => limit.min(of.most),
        false => limit,
    };
    let mut stream = stream.limited_to(limit).with_draws(of.has_draws);
    if let Some(tries) = request.max_tries {
        stream = stream.giving_up_after(tries);
    }
    if request.no_repeats {
        stream = stream.without_repeats();
    }
    let deals = FilteredDeals::new(stream, population, filter.cloned(), request.max_tries);
    Ok(match &of.solving {
        None => Deals::Drawn(Box::new(deals)),
        Some(solving) => {
            let solved = SolvedStream::new(deals, solving.asked.clone());
            Deals::Solved(Box::new(solved))
        }
    })
}
