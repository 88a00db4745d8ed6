//! Computes the values of expressions for each deal of a packet.

use super::layout::ProgramUse;
use super::program::{FilterScratch, Program};
use crate::kernels::set_bits;
use crate::language::{EvaluationError, Expression};
use crate::{DealsWithDraws, Isa, PACKET, Packet};

/// Compiled expressions that return values.
#[derive(Clone, Debug)]
pub struct CompiledValues {
    expressions: Vec<Expression>,
    program: Program,
}

impl CompiledValues {
    /// Compiles these expressions.
    pub fn new(expressions: &[Expression]) -> Self {
        Self {
            program: Program::new(expressions, ProgramUse::Give),
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
        isa: Isa,
        packet: &Packet,
        scratch: &'s mut FilterScratch,
    ) -> Result<&'s [[i64; PACKET]], EvaluationError> {
        self.program.run(isa, packet, scratch);
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
