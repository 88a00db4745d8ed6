//! The chosen sampler, its reasons, and the preparation of its population.

use super::pilot::Pilot;
use super::search::{Attempt, FoundBase, SearchResult};
use crate::bridge::Seat;
use crate::error::{Error, Remedy};
use crate::language::{Condition, ConditionError, Expression, FixedProperties};
use crate::observer::Observer;
use crate::population::cases::{self, Division, ListedPart, ListingError};
use crate::population::cells::{Budget, Cells, CellsError};
use crate::population::counting::{CountError, NumberedDeals};
use crate::population::{
    Base, CELLS, CountedListing, Listings, NUMBERS, OpenListing, Population, PopulationIdentity,
    order_of,
};

/// The source of the deals.
#[derive(Debug)]
pub enum PopulationSource {
    /// A base that can be drawn from.
    Ready(Base),
    /// A listing that has been counted and not yet written.
    Listing(Box<ListedPart>),
}

impl From<FoundBase> for PopulationSource {
    fn from(found: FoundBase) -> Self {
        match found {
            FoundBase::Cells(cells) => Self::Ready(Base::Cells(cells)),
            FoundBase::Numbered(deals) => Self::Ready(Base::Numbered(deals)),
            FoundBase::Listing(part) => Self::Listing(part),
        }
    }
}

/// The sampler chosen for a request.
#[derive(Debug)]
pub struct SamplerChoice {
    /// The source of the deals.
    pub source: PopulationSource,
    /// The properties of hands that the source fixes; `None` if it expresses the whole condition.
    pub fixed: Option<FixedProperties>,
    /// The terms of the filter, in the order of the text; empty if every deal drawn satisfies the
    /// condition.
    pub filter: Vec<Expression>,
    /// The reasons for the choice.
    pub reasons: Reasons,
}

/// The reasons for a choice, and the alternatives considered.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// The reason in a sentence.
    pub why: String,
    /// The source's share of all deals around the predealt cards, if it was counted.
    pub share: Option<f64>,
    /// The last pilot sample of rejection, if one was drawn.
    pub pilot: Option<Pilot>,
    /// Attempts to make cells, in order.
    pub attempts: Vec<Attempt>,
    /// Listings that were counted, the cheapest first.
    pub listings: Vec<cases::Candidate>,
}

/// Why no sampler can be chosen.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ChoiceError {
    /// No deal satisfies the condition, or the requested listing is not possible.
    #[error(transparent)]
    Listing(#[from] ListingError),
    /// The arithmetic fails for some deal.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// Cells were requested and cannot be made.
    #[error("the condition has no cells ({0})")]
    NoCells(CellsError),
    /// Numbers were requested, and the deals cannot be numbered.
    #[error("the deals of the condition cannot be numbered ({0})")]
    NoNumbers(CountError),
}

impl ChoiceError {
    pub(super) fn of(condition: &Condition, why: CellsError) -> Self {
        match why {
            CellsError::NoDeal => ListingError::NoDeal.into(),
            CellsError::Arithmetic(error) => condition.evaluation_error(&error).into(),
            why => Self::NoCells(why),
        }
    }

    pub(super) fn of_count(condition: &Condition, why: CountError) -> Self {
        match why {
            CountError::NoDeal => ListingError::NoDeal.into(),
            CountError::Arithmetic(error) => condition.evaluation_error(&error).into(),
            why => Self::NoNumbers(why),
        }
    }
}

impl SamplerChoice {
    /// Returns the choice of a division into a listing and a filter.
    pub(crate) fn of_division(division: Division, why: String) -> Self {
        Self {
            source: match division.listed {
                Some(part) => PopulationSource::Listing(Box::new(part)),
                None => PopulationSource::Ready(Base::EveryDeal),
            },
            fixed: division.fixed,
            filter: division.filter,
            reasons: Reasons {
                why,
                share: Some(division.share),
                listings: division.considered,
                ..Reasons::default()
            },
        }
    }

    pub(super) fn of_found(found: SearchResult, why: String) -> Self {
        Self {
            reasons: Reasons {
                why,
                share: Some(found.share),
                ..Reasons::default()
            },
            source: found.base.into(),
            fixed: found.fixed,
            filter: found.filter,
        }
    }

    pub(super) fn of_cells(cells: Cells, why: String) -> Self {
        let share = cells.share();
        Self::of_base(Base::Cells(Box::new(cells)), share, why)
    }

    pub(super) fn of_numbered(deals: NumberedDeals, why: String) -> Self {
        let share = deals.share();
        Self::of_base(Base::Numbered(Box::new(deals)), share, why)
    }

    /// Returns the choice of a base that expresses the whole condition.
    fn of_base(base: Base, share: f64, why: String) -> Self {
        Self {
            reasons: Reasons {
                why,
                share: Some(share),
                ..Reasons::default()
            },
            source: PopulationSource::Ready(base),
            fixed: None,
            filter: Vec::new(),
        }
    }

    /// Returns the choice of an existing listing.
    pub fn of_listed(listed: OpenListing, why: &str) -> Self {
        Self {
            source: PopulationSource::Ready(Base::Listing(Box::new(listed))),
            fixed: None,
            filter: Vec::new(),
            reasons: Reasons {
                why: why.to_owned(),
                ..Reasons::default()
            },
        }
    }

    /// Returns the choice of an earlier run of the condition, without a search.
    ///
    /// # Errors
    ///
    /// If the population is not one of the condition.
    pub fn again(
        condition: &Condition,
        earlier: &PopulationIdentity,
        fixed: Option<FixedProperties>,
        listings: &Listings,
    ) -> Result<Self, Error> {
        let implied = fixed.and_then(|fixed| condition.expression().implied(&fixed));
        let part = match fixed {
            None => condition.clone(),
            Some(_) => condition.narrowed_to(implied.clone())?,
        };
        let source = if earlier.sampler == CELLS {
            let counted = implied.map(|implied| condition.with_expression(implied));
            let cells = Cells::new(counted.as_ref().unwrap_or(match fixed {
                Some(_) => &part,
                None => condition,
            }));
            let cells = cells.map_err(|why| ChoiceError::of(condition, why))?;
            PopulationSource::Ready(Base::Cells(Box::new(cells.with_condition(part))))
        } else if earlier.sampler == NUMBERS {
            let deals = NumberedDeals::new(condition, &Budget::unlimited());
            let deals = deals.map_err(|why| ChoiceError::of_count(condition, why))?;
            PopulationSource::Ready(Base::Numbered(Box::new(deals)))
        } else if earlier.order.is_empty() {
            PopulationSource::Ready(Base::EveryDeal)
        } else {
            let named = |name: &str| Seat::ALL.into_iter().find(|seat| seat.name() == name);
            let order: Vec<Seat> = earlier.order.split(',').filter_map(named).collect();
            let order = Some(&*order);
            match listings.find(&part, order, u64::MAX)? {
                Some(listed) => PopulationSource::Ready(Base::Listing(Box::new(listed))),
                None => {
                    let CountedListing { listing, census } =
                        CountedListing::new(&part, order, u64::MAX)?;
                    PopulationSource::Listing(Box::new(ListedPart {
                        condition: part,
                        listing,
                        census,
                    }))
                }
            }
        };
        Ok(Self {
            source,
            fixed,
            filter: match fixed {
                None => Vec::new(),
                Some(fixed) if fixed == FixedProperties::default() => condition.conjuncts(),
                Some(fixed) => condition.untold(&fixed),
            },
            reasons: Reasons {
                why: "an earlier run used it".to_owned(),
                ..Reasons::default()
            },
        })
    }

    pub(super) fn after(mut self, pilot: Pilot, attempts: Vec<Attempt>) -> Self {
        self.reasons.pilot = Some(pilot);
        self.reasons.attempts = attempts;
        self
    }

    /// Returns the identity of the population, for the record of a run.
    pub fn identity(&self) -> PopulationIdentity {
        let is_exact = self.filter.is_empty();
        match &self.source {
            PopulationSource::Ready(base) => base.identity(is_exact),
            PopulationSource::Listing(part) => {
                let order = order_of(part.listing.seats());
                PopulationIdentity::new(order, part.condition.text(), "", is_exact)
            }
        }
    }

    /// Prepares the population: writes the chosen listing unless it is in the cache.
    ///
    /// # Errors
    ///
    /// If a listing cannot be made.
    pub fn population(
        self,
        condition: &Condition,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Population, Error> {
        let base = match self.source {
            PopulationSource::Ready(base) => base,
            PopulationSource::Listing(part) => {
                let counted = CountedListing {
                    listing: part.listing,
                    census: part.census,
                };
                let listed = listings.make(&part.condition, &counted, observer)?;
                Base::Listing(Box::new(listed))
            }
        };
        Ok(Population::new(condition.clone(), base, self.filter))
    }
}

impl From<ChoiceError> for Error {
    fn from(error: ChoiceError) -> Self {
        match error {
            ChoiceError::Listing(error) => error.into(),
            ChoiceError::Condition(error) => error.into(),
            ChoiceError::NoCells(_) | ChoiceError::NoNumbers(_) => {
                Self::input(error).with_remedy(Remedy::ChooseSampler)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bridge::Deal;
    use crate::observer::Silent;
    use crate::sampler::{SamplerMethod, Sampling, Workload, choose};
    use crate::{Aes128Ctr, DealScratch, Dealer, Packet};

    fn deals(choice: SamplerChoice, condition: &Condition, listings: &Listings) -> Vec<Deal> {
        let population = choice.population(condition, listings, &Silent).unwrap();
        let (dealer, generator) = (Dealer::new(&population).unwrap(), Aes128Ctr::new(7));
        let portions = dealer.portions(&generator, 0..dealer.end_of_order(0, 150));
        let (mut dealt, scratch) = (Vec::new(), &mut DealScratch::default());
        let mut sink = |packet: &Packet| dealt.extend((0..packet.deals()).map(|i| packet.deal(i)));
        for portion in portions.unwrap() {
            let deal = dealer.deal(&generator, &portion, scratch, &mut sink);
            deal.unwrap();
        }
        dealt
    }

    #[test]
    fn an_earlier_choice_is_drawn_again_without_a_search() {
        let (cells, listing) = (SamplerMethod::Cells, SamplerMethod::Listing);
        let spots = "hascard(north, 2S) && spades(north) >= 8 && hcp(south) >= 16";
        let cases = [
            ("1", SamplerMethod::Auto, 1_000_000),
            (
                "hcp(north) >= 12 && hascard(south, 2S)",
                SamplerMethod::Rejection,
                100,
            ),
            ("spades(west) == 9 && hcp(west) >= 12", listing, 1_000_000),
            ("spades(west) >= 7 && hcp(east) >= 18", cells, 1_000_000),
            (spots, cells, 1_000_000),
            (spots, SamplerMethod::Numbers, 1_000_000),
            (
                "predeal north SA condition spades(north) >= 6",
                SamplerMethod::Auto,
                1_000_000,
            ),
            (
                "predeal north SA condition spades(north) >= 6 && hascard(south, 2H)",
                SamplerMethod::Auto,
                1_000_000,
            ),
            (
                "predeal north SA condition hascard(south, 2H)",
                SamplerMethod::Rejection,
                100,
            ),
        ];
        let listings = Listings::in_memory();
        let mut parts = 0;
        for (text, method, wanted) in cases {
            let condition = Condition::parse("test", text).unwrap();
            let sampling = Sampling::by(method);
            let first = choose(&condition, &sampling, Workload::statistics(wanted)).unwrap();
            let again = SamplerChoice::again(&condition, &first.identity(), first.fixed, &listings);
            let again = again.unwrap();
            assert_eq!(again.identity(), first.identity(), "{text}");
            assert_eq!(again.filter, first.filter, "{text}");
            parts += usize::from(!first.identity().listed.is_empty());
            let [first, again] = [first, again].map(|choice| deals(choice, &condition, &listings));
            assert!(first == again, "{text}");
        }
        assert!(parts >= 3, "{parts} bases express a part");
    }
}
