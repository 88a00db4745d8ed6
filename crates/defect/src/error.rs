//! Why a defect cannot be dealt.

use crate::draw::{DamagedCase, DrawError, WordsError};

/// Why a defect cannot be dealt.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DefectError {
    /// The defect deals from a case file, and there is none.
    #[error("the defect `{name}` needs a condition: use `{condition}`")]
    NeedsCases {
        /// The defect.
        name: &'static str,
        /// The condition that shows the defect.
        condition: &'static str,
    },
    /// The defect deals without a case file, and there is one.
    #[error("the defect `{0}` cannot be used with a condition: use `unconstrained`")]
    NeedsNoCases(&'static str),
    /// The defect deals from a listing or from all deals.
    #[error("the defect `{0}` cannot deal from cells, only from all deals or a listing")]
    NotFromCells(&'static str),
    /// The defect deals from cells.
    #[error("the defect `{0}` deals from cells, not from a listing")]
    FromCells(&'static str),
    /// The fault is not possible under the condition of the case file.
    #[error("the defect `{name}` is not possible under this condition: use `{condition}`")]
    OtherCases {
        /// The defect.
        name: &'static str,
        /// The condition that shows the defect.
        condition: &'static str,
    },
    /// The cases cannot be dealt.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl From<DamagedCase> for DefectError {
    fn from(error: DamagedCase) -> Self {
        Self::Draw(error.into())
    }
}

impl From<WordsError> for DefectError {
    fn from(error: WordsError) -> Self {
        Self::Draw(error.into())
    }
}
