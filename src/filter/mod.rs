//! Expressions of dealer's language, valued for a whole packet of deals at a time.
//!
//! ```text
//! trees --compile--> graph of what is to be computed --layout--> list of steps --kernels--> columns
//! ```
//!
//! A [`Filter`] says which deals of a packet satisfy a condition, [`Values`] what expressions
//! are worth for each of them. [`Packet::append`] moves what was accepted together, so that
//! values are worked out for full packets.
//!
//! The meaning is that of [`Expression::value`], to the error: what may divide by zero also has
//! a column of the deals for which it does, and those deals are given to the tree, one by one,
//! to say what is wrong. So are all deals of an expression some part of which may leave 32
//! bits, by the least and greatest values of its operands: no ordinary condition's does.
//! Expressions with random draws (`rnd`) are given to the tree as well, deal by deal.
//! Deals are what [`Deal`](crate::bridge::Deal) says, with thirteen cards to every seat.
//!
//! Measures are computed once for a packet, however often an expression speaks of them, and
//! steps that no undecided deal needs are not taken. The evaluations of Kaplan and Rubens are
//! the exception to columns: they are counted hand by hand, of deals that are still undecided.

mod compile;
mod graph;
mod interval;
mod layout;
mod measure;
#[cfg(test)]
mod tests;

use crate::draw::{PACKET, Packet, Path};
use crate::kernels::{Columns, Steps, run_steps};
use crate::language::{EvaluationError, Expression, Hands};
use crate::population::Population;
use compile::{Compiler, Part, Questions};
use layout::{Use, lay_out};

/// Columns that are used again and again.
///
/// Memory is asked for when a filter or values are first used with it.
#[derive(Clone, Debug, Default)]
pub struct Scratch(Columns);

/// Compiled expressions.
#[derive(Clone, Debug)]
struct Program {
    steps: Steps,
    questions: Questions,
}

impl Program {
    fn new(expressions: &[Expression], usage: Use) -> Self {
        let mut compiler = Compiler::default();
        let mut parts: Vec<Part> = Vec::with_capacity(expressions.len());
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

    fn run(&self, path: Path, packet: &Packet, scratch: &mut Scratch) {
        run_steps(path, &self.steps, &self.questions, packet, &mut scratch.0);
    }
}

/// A condition, compiled.
#[derive(Clone, Debug)]
pub struct Filter {
    conjuncts: Vec<Expression>,
    program: Program,
}

impl Filter {
    /// A filter of the deals for which all of these hold, asked in their order, and in the order
    /// of their own conjuncts.
    #[must_use]
    pub fn new(conjuncts: &[Expression]) -> Self {
        let each = conjuncts.iter().flat_map(Expression::conjuncts);
        let conjuncts: Vec<Expression> = each.cloned().collect();
        Self {
            program: Program::new(&conjuncts, Use::Pass),
            conjuncts,
        }
    }

    /// The filter of a population; none where every deal drawn belongs to it.
    #[must_use]
    pub fn of(population: &Population) -> Option<Self> {
        (!population.is_exact()).then(|| Self::new(population.filter()))
    }

    /// Number of steps that it is compiled to: a measure of its cost.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.program.steps.list.len()
    }

    /// Which deals of the packet it accepts: bit i for deal i.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] of the first deal whose arithmetic has no result, if it is come to.
    ///
    /// ```
    /// use fairdeal::language::Condition;
    /// use fairdeal::draw::{Packet, Path};
    /// use fairdeal::filter::{Filter, Scratch};
    ///
    /// let condition = Condition::parse("example", "hcp(north) >= 12")?;
    /// let filter = Filter::new(std::slice::from_ref(condition.expression()));
    /// let accepted = filter.accept(Path::chosen(), &Packet::default(), &mut Scratch::default())?;
    /// assert_eq!(accepted, 0, "a packet without deals");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn accept(
        &self,
        path: Path,
        packet: &Packet,
        scratch: &mut Scratch,
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
    /// The same, deal by deal; a deal whose arithmetic has no result is not accepted.
    #[must_use]
    pub fn accept_each(&self, packet: &Packet) -> u128 {
        let accepted =
            (0..packet.deals()).filter(|place| self.accepts(&packet.deal_with_draws(*place)));
        accepted.fold(0, |places, place| places | 1 << place)
    }

    /// Whether it accepts a deal; one whose arithmetic has no result is not accepted.
    #[must_use]
    pub fn accepts(&self, deal: &impl Hands) -> bool {
        let mut conjuncts = self.conjuncts.iter();
        conjuncts.all(|conjunct| matches!(conjunct.holds(deal), Ok(true)))
    }
}

/// Expressions to be valued, compiled.
#[derive(Clone, Debug)]
pub struct Values {
    expressions: Vec<Expression>,
    program: Program,
}

impl Values {
    /// The values of these expressions.
    #[must_use]
    pub fn new(expressions: &[Expression]) -> Self {
        Self {
            program: Program::new(expressions, Use::Give),
            expressions: expressions.to_vec(),
        }
    }

    /// A column of each expression's values; beyond the packet's deals it means nothing.
    ///
    /// # Errors
    ///
    /// [`EvaluationError`] of the first deal for which an expression has no value, and of the
    /// first such expression.
    pub fn columns<'s>(
        &self,
        path: Path,
        packet: &Packet,
        scratch: &'s mut Scratch,
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

fn set_bits(mut bits: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        place
    })
}
