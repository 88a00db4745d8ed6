//! Expressions of dealer's language, evaluated for a whole packet of deals at a time.
//!
//! ```text
//! trees --compile--> graph of computations --layout--> list of steps --kernels--> columns
//! ```
//!
//! A [`Filter`] selects the deals of a packet that satisfy a condition. [`CompiledValues`] computes the
//! values of expressions for each deal. [`Packet::append`] collects accepted deals, so that values
//! are computed for full packets.
//!
//! The meaning is that of [`Expression::value`], including errors. A part that may divide by zero
//! also has a column of the deals for which it does. Those deals are evaluated by the tree, one by
//! one, which reports the error. The same applies to all deals of an expression if the ranges of
//! its operands show that some part may exceed 32 bits; no ordinary condition does. Expressions
//! with random draws (`rnd`) are also evaluated by the tree, deal by deal. Deals must be legal, as
//! in [`Deal`](crate::bridge::Deal), with 13 cards for every seat.
//!
//! Measures are computed once for a packet, however often an expression uses them, and steps that
//! no undecided deal needs are skipped. The evaluations of Kaplan and Rubens are not computed by
//! column: they are counted hand by hand, for deals that are still undecided.

mod compile;
mod graph;
mod interval;
mod layout;
mod measure;
#[cfg(test)]
mod tests;

use crate::draw::{PACKET, Packet, Path};
use crate::kernels::{StepColumns, Steps, run_steps, set_bits};
use crate::language::{EvaluationError, Expression, Measurable};
use crate::population::Population;
use compile::{CellQuestions, CompiledPart, Compiler};
use layout::{Use, lay_out};

/// Columns that are reused from packet to packet.
///
/// Memory is allocated when a filter or values are first used with it.
#[derive(Clone, Debug, Default)]
pub struct FilterScratch(StepColumns);

/// Compiled expressions.
#[derive(Clone, Debug)]
struct Program {
    steps: Steps,
    questions: CellQuestions,
}

impl Program {
    fn new(expressions: &[Expression], usage: Use) -> Self {
        let mut compiler = Compiler::default();
        let mut parts: Vec<CompiledPart> = Vec::with_capacity(expressions.len());
        for expression in expressions {
            let part = compiler.part(expression);
            let mut part = part.unwrap_or_else(|| compiler.slow());
            if usage == Use::Pass {
                part.values = compiler.graph.truth(part.values);
            }
            parts.push(part);
        }
        Self {
            steps: lay_out(compiler.graph, &parts, usage),
            questions: compiler.questions,
        }
    }

    fn run(&self, path: Path, packet: &Packet, scratch: &mut FilterScratch) {
        run_steps(path, &self.steps, &self.questions, packet, &mut scratch.0);
    }
}

/// A compiled condition.
#[derive(Clone, Debug)]
pub struct Filter {
    conjuncts: Vec<Expression>,
    program: Program,
}

impl Filter {
    /// Compiles a filter that accepts the deals for which all of these hold. They are evaluated in
    /// this order, and each in the order of its own conjuncts.
    #[must_use]
    pub fn new(conjuncts: &[Expression]) -> Self {
        let each = conjuncts.iter().flat_map(Expression::conjuncts);
        let conjuncts: Vec<Expression> = each.cloned().collect();
        Self {
            program: Program::new(&conjuncts, Use::Pass),
            conjuncts,
        }
    }

    /// Compiles the filter of a population, or returns `None` if the population has no filter.
    #[must_use]
    pub fn of(population: &Population) -> Option<Self> {
        (!population.is_exact()).then(|| Self::new(population.filter()))
    }

    /// Returns the number of compiled steps, a measure of the filter's cost.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.program.steps.list.len()
    }

    /// Returns the deals of the packet that the filter accepts: bit i for deal i.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] of the first deal whose arithmetic has no result, if it is evaluated.
    ///
    /// ```
    /// use fairdeal::language::Condition;
    /// use fairdeal::draw::{Packet, Path};
    /// use fairdeal::filter::{Filter, FilterScratch};
    ///
    /// let condition = Condition::parse("example", "hcp(north) >= 12")?;
    /// let filter = Filter::new(std::slice::from_ref(condition.expression()));
    /// let accepted = filter.accept(Path::chosen(), &Packet::default(), &mut FilterScratch::default())?;
    /// assert_eq!(accepted, 0, "a packet without deals");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept(
        &self,
        path: Path,
        packet: &Packet,
        scratch: &mut FilterScratch,
    ) -> Result<u128, EvaluationError> {
        self.program.run(path, packet, scratch);
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
    #[must_use]
    pub(crate) fn accept_each(&self, packet: &Packet) -> u128 {
        let accepted =
            (0..packet.deals()).filter(|place| self.accepts(&packet.deal_with_draws(*place)));
        accepted.fold(0, |places, place| places | 1 << place)
    }

    /// Returns whether the filter accepts a deal. A deal whose arithmetic has no result is not
    /// accepted.
    #[must_use]
    pub(crate) fn accepts(&self, deal: &impl Measurable) -> bool {
        let mut conjuncts = self.conjuncts.iter();
        conjuncts.all(|conjunct| matches!(conjunct.holds(deal), Ok(true)))
    }
}

/// Compiled expressions that return values.
#[derive(Clone, Debug)]
pub struct CompiledValues {
    expressions: Vec<Expression>,
    program: Program,
}

impl CompiledValues {
    /// Compiles these expressions.
    #[must_use]
    pub fn new(expressions: &[Expression]) -> Self {
        Self {
            program: Program::new(expressions, Use::Give),
            expressions: expressions.to_vec(),
        }
    }

    /// Returns a column of each expression's values. Entries beyond the packet's deals are
    /// meaningless.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] of the first deal for which an expression has no value, and of the first
    /// such expression.
    pub fn columns<'s>(
        &self,
        path: Path,
        packet: &Packet,
        scratch: &'s mut FilterScratch,
    ) -> Result<&'s [[i64; PACKET]], EvaluationError> {
        self.program.run(path, packet, scratch);
        let count = self.expressions.len();
        let (given, failing) = (&mut scratch.0.given[..count], &scratch.0.failing[..count]);
        let any = failing.iter().fold(0, |any, failing| any | failing);
        for place in set_bits(any) {
            let deal = packet.deal_with_draws(place);
            for (i, expression) in self.expressions.iter().enumerate() {
                if failing[i] >> place & 1 == 1 {
                    given[i][place] = expression.value(&deal)?;
                }
            }
        }
        Ok(given)
    }
}
