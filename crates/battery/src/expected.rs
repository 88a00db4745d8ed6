//! The expectations of tests: laws computed once, from exact integers.

use super::pooled::Pooled;
use super::small_sample_laws::SmallSampleLaws;
use super::statistics::cases::CaseLaws;
use super::table_law::TableLaw;
use crate::bridge::combinatorics::DEALS;
use crate::bridge::{Hand, Seat};
use crate::draw::completions;
use crate::population::cases::{CaseFile, Runs};
use crate::population::{Base, Population};
use crate::tally::FLATNESS_COUNT;
use crate::theory::{CaseLaw, Theory, TheoryError, null_laws};

/// The exact laws of all tested quantities.
#[derive(Clone, Debug)]
pub struct Expected {
    pub(super) theory: Theory,
    /// Number of possible deals.
    pub(super) possible: f64,
    /// Cards that are interchangeable within each suit, as far as is known.
    pub(super) pool: Hand,
    pub(super) unconstrained: Option<UnconstrainedLaws>,
    pub(super) cases: Option<CaseLaws>,
}

/// Laws of unconstrained deals.
#[derive(Clone, Debug)]
pub(super) struct UnconstrainedLaws {
    pub(super) flatness: TableLaw,
    pub(super) best_fits: TableLaw,
    pub(super) shapes: Pooled,
    pub(super) points: Pooled,
    pub(super) small_samples: SmallSampleLaws,
}

impl Expected {
    /// Computes the laws of a population.
    ///
    /// # Errors
    ///
    /// [`TheoryError`] if the listing is corrupted, or the deals around predealt cards are too many to
    /// count.
    pub fn of(population: &Population) -> Result<Self, TheoryError> {
        match population.base() {
            Base::EveryDeal => Ok(Self::every_deal()),
            Base::Listing(listed) => Self::of_cases(&listed.file),
            base @ (Base::Cells(_) | Base::Numbered(_)) => {
                let (deals, _) = population.base_probability();
                let pool = population.exchangeable().unwrap_or(Hand::DECK);
                let cases = match base {
                    Base::Cells(cells) => Some(CaseLaws::new(&CaseLaw::of_cells(cells), "group")),
                    _ => None,
                };
                Ok(Self {
                    cases,
                    ..Self::new(Theory::of(population)?, deals as f64, pool)
                })
            }
        }
    }

    /// The exact tables alone, of this number of possible deals.
    fn new(theory: Theory, possible: f64, pool: Hand) -> Self {
        Self {
            theory,
            possible,
            pool,
            unconstrained: None,
            cases: None,
        }
    }

    /// Computes the laws of unconstrained deals.
    pub fn every_deal() -> Self {
        let (theory, laws) = (Theory::unconstrained(), &null_laws());
        let halves = 0..FLATNESS_COUNT;
        let flatness = halves.map(|half| laws.flatness.probability(2 * half).to_f64());
        let unconstrained = UnconstrainedLaws {
            flatness: TableLaw::of(flatness.collect()),
            best_fits: TableLaw::new(&laws.best_fit),
            shapes: Pooled::new(&theory.shapes(Seat::North), &laws.joint_shapes),
            points: Pooled::new(theory.hcp(Seat::North), &laws.joint_hcp),
            small_samples: SmallSampleLaws::new(laws, &theory),
        };
        Self {
            unconstrained: Some(unconstrained),
            ..Self::new(theory, DEALS as f64, Hand::DECK)
        }
    }

    /// Computes the laws of draws from a case file.
    ///
    /// # Errors
    ///
    /// [`TheoryError`] if the records are not those of a listing, or the deals around predealt cards
    /// are too many to count.
    pub fn of_cases<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Self, TheoryError> {
        let theory = Theory::of_listing(file)?;
        let runs = Runs::new(file);
        let law = CaseLaw::of(&runs);
        let possible = law.total as f64 * completions(file) as f64;
        Ok(Self {
            cases: Some(CaseLaws::new(&law, "case")),
            ..Self::new(theory, possible, runs.exchangeable())
        })
    }

    /// Returns the laws for an unknown condition, which do not use theory.
    pub fn of_unknown(exchangeable: Hand) -> Self {
        Self::new(Theory::unconstrained(), DEALS as f64, exchangeable)
    }

    /// Returns the exact tables.
    pub fn theory(&self) -> &Theory {
        &self.theory
    }
}
