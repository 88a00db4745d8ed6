//! Selects the deals of a packet that satisfy a condition.

use super::layout::ProgramUse;
use super::program::{FilterScratch, Program};
use crate::kernels::set_bits;
use crate::language::{EvaluationError, Expression, Measurable};
use crate::population::Population;
use crate::{DealsWithDraws, Isa, Packet};

/// Nanoseconds of a step for one deal of a packet; of a question asked hand by hand; of a term
/// with random draws.
const STEP: f64 = 0.15;
const ASKED: f64 = 60.0;
const DRAWN: f64 = 1_000.0;

/// A compiled condition.
#[derive(Clone, Debug)]
pub struct Filter {
    conjuncts: Vec<Expression>,
    program: Program,
}

impl Filter {
    /// Compiles a filter that accepts the deals for which all of these hold. They are evaluated in
    /// this order, and each in the order of its own conjuncts.
    pub fn new(conjuncts: &[Expression]) -> Self {
        let conjuncts: Vec<Expression> = conjuncts.iter().flat_map(Expression::conjuncts).collect();
        Self {
            program: Program::new(&conjuncts, ProgramUse::Pass),
            conjuncts,
        }
    }

    /// Compiles the filter of a population, or returns `None` if the population has no filter.
    pub fn of(population: &Population) -> Option<Self> {
        (!population.is_exact()).then(|| Self::new(population.filter()))
    }

    /// Returns the number of compiled steps, a measure of the filter's cost.
    pub fn steps(&self) -> usize {
        self.program.steps.list.len()
    }

    /// Returns an estimate of the time to evaluate it for a deal, in nanoseconds: with a vector of
    /// deals for most steps, hand by hand for some measures, and deal by deal for random draws.
    pub fn price(&self) -> f64 {
        let asked = self
            .program
            .steps
            .list
            .iter()
            .filter(|step| step.is_asked());
        let drawn = self.conjuncts.iter().filter(|term| term.has_draws());
        STEP * self.steps() as f64 + ASKED * asked.count() as f64 + DRAWN * drawn.count() as f64
    }

    /// Returns the deals of the packet that the filter accepts: bit i for deal i.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] of the first deal whose arithmetic has no result, if it is evaluated.
    ///
    /// ```
    /// use fairdeal_language::Condition;
    /// use fairdeal_draw::{Isa, Packet};
    /// use fairdeal_draw::filter::{Filter, FilterScratch};
    ///
    /// let condition = Condition::parse("example", "hcp(north) >= 12")?;
    /// let filter = Filter::new(std::slice::from_ref(condition.expression()));
    /// let accepted = filter.accept(Isa::chosen(), &Packet::default(), &mut FilterScratch::default())?;
    /// assert_eq!(accepted, 0, "a packet without deals");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept(
        &self,
        isa: Isa,
        packet: &Packet,
        scratch: &mut FilterScratch,
    ) -> Result<u128, EvaluationError> {
        self.program.run(isa, packet, scratch);
        let mut accepted = scratch.0.passed;
        for place in set_bits(scratch.0.aside) {
            let deal = packet.deal_with_draws(place);
            let mut conjuncts = self.conjuncts.iter();
            let refused = conjuncts.find_map(|conjunct| match conjunct.holds(&deal) {
                Ok(true) => None,
                Ok(false) => Some(Ok(())),
                Err(error) => Some(Err(error)),
            });
            match refused {
                None => accepted |= 1 << place,
                Some(refused) => refused?,
            }
        }
        Ok(accepted)
    }
}

impl Filter {
    /// The same, deal by deal. A deal whose arithmetic has no result is not accepted.
    pub fn accept_each(&self, packet: &Packet) -> u128 {
        let accepted =
            (0..packet.deals()).filter(|place| self.accepts(&packet.deal_with_draws(*place)));
        accepted.fold(0, |places, place| places | 1 << place)
    }

    /// Returns whether the filter accepts a deal. A deal whose arithmetic has no result is not
    /// accepted.
    pub fn accepts(&self, deal: &impl Measurable) -> bool {
        let mut conjuncts = self.conjuncts.iter();
        conjuncts.all(|conjunct| matches!(conjunct.holds(deal), Ok(true)))
    }
}
