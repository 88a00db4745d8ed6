//! The verdict of a comparison.

use serde::Serialize;

/// The verdict of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Likeness {
    /// No evidence against one source of both samples.
    #[serde(rename = "ALIKE")]
    Alike,
    /// Too few deals to detect any difference.
    #[serde(rename = "INCONCLUSIVE")]
    Inconclusive,
    /// S reached 3.
    #[serde(rename = "SUSPICIOUS")]
    Suspicious,
    /// S reached 6.
    #[serde(rename = "VERY SUSPICIOUS")]
    VerySuspicious,
    /// S reached 9.
    #[serde(rename = "DIFFERENT")]
    Different,
    /// S reached 9 because the samples differ less than samples of one source do.
    #[serde(rename = "TOO ALIKE")]
    TooAlike,
}

impl Likeness {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alike => "ALIKE",
            Self::Inconclusive => "INCONCLUSIVE",
            Self::Suspicious => "SUSPICIOUS",
            Self::VerySuspicious => "VERY SUSPICIOUS",
            Self::Different => "DIFFERENT",
            Self::TooAlike => "TOO ALIKE",
        }
    }

    /// The program's exit code.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Alike => 0,
            Self::Suspicious | Self::VerySuspicious => 1,
            Self::Different | Self::TooAlike => 2,
            Self::Inconclusive => 4,
        }
    }
}
