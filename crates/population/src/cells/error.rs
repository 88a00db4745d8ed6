//! Why a condition cannot be represented by cells.

use crate::bridge::Seat;
use crate::language::EvaluationError;

/// The reason why a condition cannot be represented by cells.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CellsError {
    /// The condition mentions no hand.
    #[error("the condition mentions no hand")]
    Unconstrained,
    /// The condition uses more of a hand than suit lengths and aces, kings, queens and jacks.
    #[error("its terms for {0} do not factor by suit into lengths and honours")]
    Cards(Seat),
    /// The condition uses random draws.
    #[error("`rnd` is drawn for each deal, and not a property of its cards")]
    Draws,
    /// No deal satisfies the condition.
    #[error("no deal satisfies the condition")]
    NoDeal,
    /// The condition's arithmetic fails for some hands.
    #[error("{0}")]
    Arithmetic(#[from] EvaluationError),
    /// There are too many of the named objects.
    #[error("there are too many {0}")]
    TooLarge(&'static str),
    /// Making the cells takes more steps or memory than the budget allows.
    #[error("making cells exceeds the planning budget")]
    OverBudget,
}
