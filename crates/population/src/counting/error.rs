//! Why the deals of a condition cannot be counted.

use crate::language::EvaluationError;

/// The reason why the deals of a condition cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CountError {
    /// The condition uses something that is not a property of the cards.
    #[error("random draws and double-dummy tricks are not properties of the cards")]
    NotCards,
    /// No deal satisfies the condition.
    #[error("no deal satisfies the condition")]
    NoDeal,
    /// The condition's arithmetic fails for some deal.
    #[error("{0}")]
    Arithmetic(#[from] EvaluationError),
    /// The condition distinguishes too many deals.
    #[error(
        "the condition distinguishes too many deals to count them exactly, most of them by {0}; \
         a condition without it is cheaper"
    )]
    TooLarge(String),
}
