//! What tests compare counts with: laws made once, from exact integers.

use super::counts::Pooled;
use super::drawn::Frequencies;
use super::few::FewDeals;
use super::plan::{Planned, Subject, Terms, Test};
use super::table_law::TableLaw;
use crate::bridge::{Card, Hand, Seat, Suit};
use crate::draw::completions;
use crate::population::cases::{CaseFile, Runs};
use crate::population::{Base, Population};
use crate::tally::FLATNESS_COUNT;
use crate::theory::{CaseLaw, Distribution, Theory, TheoryError, null_laws};

/// Largest share of the possible deals that are compared with each other.
const LARGEST_SHARE: f64 = 0.125;

/// The exact law of everything that is looked at.
#[derive(Clone, Debug)]
pub struct Expected {
    pub(super) theory: Theory,
    /// Deals that can be dealt.
    pub(super) possible: f64,
    /// Cards of a suit that are alike, if that is all that is known of the deals or more.
    pub(super) pool: Hand,
    pub(super) whole: Option<Whole>,
    pub(super) drawn: Option<Drawn>,
}

/// Laws of whole deals, where any deal can be dealt.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) flatness: TableLaw,
    pub(super) best_fits: TableLaw,
    pub(super) shapes: Pooled,
    pub(super) points: Pooled,
    pub(super) few: FewDeals,
}

/// Laws of draws from cases.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    pub(super) frequencies: Frequencies,
    law: CaseLaw,
}

impl Expected {
    /// The laws of a population.
    ///
    /// # Errors
    ///
    /// [`TheoryError`] if its listing is damaged, or cards are fixed.
    pub fn of(population: &Population) -> Result<Self, TheoryError> {
        match population.base() {
            Base::EveryDeal => Ok(Self::every_deal()),
            Base::Listed(listed) => Self::of_cases(&listed.file),
            Base::Factored(cells) => Ok(Self {
                theory: Theory::of_cells(cells)?,
                possible: cells.chance().0 as f64,
                pool: cells.alike(),
                whole: None,
                drawn: None,
            }),
        }
    }

    /// The laws of deals among which any may be.
    #[must_use]
    pub fn every_deal() -> Self {
        let (theory, laws) = (Theory::unconstrained(), &null_laws());
        let halves = 0..FLATNESS_COUNT;
        let flatness = halves.map(|half| laws.flatness.probability(2 * half).to_f64());
        let whole = Whole {
            flatness: TableLaw::of(flatness.collect()),
            best_fits: TableLaw::new(&laws.best_fit),
            shapes: Pooled::new(&theory.shapes(Seat::North), &laws.joint_shapes),
            points: Pooled::new(theory.hcp(Seat::North), &laws.joint_hcp),
            few: FewDeals::new(laws, &theory.suit_lengths(Seat::North, Suit::Spades)),
        };
        Self {
            theory,
            possible: crate::bridge::combinatorics::DEALS as f64,
            pool: Hand::DECK,
            whole: Some(whole),
            drawn: None,
        }
    }

    /// The laws of draws from a case file.
    ///
    /// # Errors
    ///
    /// [`TheoryError`] if its records are not those of a listing, or cards are fixed.
    pub fn of_cases<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Self, TheoryError> {
        let theory = Theory::of_cases(file)?;
        let runs = Runs::new(file);
        let law = CaseLaw::of(&runs);
        Ok(Self {
            theory,
            possible: law.total as f64 * completions(file) as f64,
            pool: runs.exchangeable(),
            whole: None,
            drawn: Some(Drawn {
                frequencies: Frequencies::new(&law),
                law,
            }),
        })
    }

    /// The laws of deals of an unknown condition: theory is not used.
    #[must_use]
    pub fn of_unknown() -> Self {
        Self {
            theory: Theory::unconstrained(),
            possible: crate::bridge::combinatorics::DEALS as f64,
            pool: Hand::SPOTS,
            whole: None,
            drawn: None,
        }
    }

    /// The exact tables.
    #[must_use]
    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// Whether so many deals are compared with each other.
    pub(super) fn compares(&self, deals: u64) -> bool {
        deals as f64 <= self.possible * LARGEST_SHARE
    }

    /// The law of a table.
    pub(super) fn table(&self, test: Test, subject: Subject) -> Option<Distribution> {
        let theory = &self.theory;
        Some(match (test, subject) {
            (Test::Lengths, Subject::SeatSuit(seat, suit)) => theory.suit_lengths(seat, suit),
            (Test::Fits, Subject::SideSuit(side, suit)) => theory.fits(side, suit),
            (Test::Patterns, Subject::Seat(seat)) => theory.patterns(seat).clone(),
            (Test::Shapes | Test::ShapeHeterogeneity, Subject::Seat(seat)) => theory.shapes(seat),
            (Test::Points, Subject::Seat(seat)) => theory.hcp(seat).clone(),
            (Test::SidePoints, Subject::Side(side)) => theory.side_hcp(side),
            (Test::Controls, Subject::Seat(seat)) => theory.controls(seat).clone(),
            _ => return None,
        })
    }

    /// Whether there is anything to test: what is certain says nothing. Decided by
    /// the law and the number of deals alone.
    pub(super) fn allows(&self, planned: &Planned, terms: &Terms) -> bool {
        let uncertain = |ways: &[u128]| ways.iter().filter(|ways| **ways > 0).count() > 1;
        if let Some(law) = self.table(planned.test, planned.subject) {
            let split = |deals| TableLaw::new(&law).groups(deals).len() > 1;
            let parts = planned.test != Test::ShapeHeterogeneity || split(terms.smallest_group);
            return uncertain(law.ways()) && parts;
        }
        if let Some(whole) = &self.whole {
            match planned.test {
                Test::PooledShapes => return whole.shapes.reaches(terms.deals, false),
                Test::PooledPoints => return whole.points.reaches(terms.deals, true),
                _ => {}
            }
        }
        if planned.test == Test::Duplicates {
            // How many deals of a class can be kept is not known exactly, which would
            // tell where they fill it.
            return terms.open || self.compares(terms.deals);
        }
        match (planned.test, planned.subject) {
            (Test::Filling, Subject::Suit(suit)) => {
                // Seats that hold all or none of the cards in every deal leave nothing open.
                let mut cards = self.pool.cards().filter(|card| card.suit() == suit);
                return cards.any(|card| {
                    let law = self.theory.card(card);
                    law.ways().iter().all(|ways| *ways < law.of())
                });
            }
            (Test::CardTable, _) => {
                return Card::all().any(|card| uncertain(self.theory.card(card).ways()));
            }
            _ => {}
        }
        let Some(drawn) = &self.drawn else {
            return true;
        };
        match planned.test {
            Test::Runs | Test::LargestRun => drawn.law.runs.len() > 1,
            Test::RunTree => !drawn.frequencies.splits(terms.deals).is_empty(),
            Test::Classes => uncertain(&drawn.law.classes),
            Test::Coincidences => drawn.frequencies.compares(terms.compared),
            _ => true,
        }
    }
}
