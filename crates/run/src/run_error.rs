//! Why a run ended without a result.

use super::processes::ProtocolError;
use super::running::UnsoundState;
use crate::draw::DrawError;
use crate::error::Error;
use crate::language::EvaluationError;
use crate::population::Population;

/// Why a run failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// Deals could not be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// An expression of the script cannot be evaluated for some deal.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The run cannot resume from the saved state.
    #[error(transparent)]
    State(#[from] UnsoundState),
    /// The processes run different versions.
    #[error(transparent)]
    ProtocolError(#[from] ProtocolError),
}

impl RunError {
    /// Converts this into the library's error, with the population for context.
    pub fn of(self, population: &Population) -> Error {
        match self {
            Self::Draw(error) => error.of(population),
            Self::Evaluation(error) => population.evaluation_error(&error),
            Self::State(error) => Error::input(error),
            Self::ProtocolError(error) => Error::usage(error),
        }
    }
}
