//! The verdict of a comparison.

use serde::{Serialize, Serializer};

use crate::battery::Level;

/// The verdict of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// No evidence against one source of both samples.
    Alike,
    /// Too few deals to detect any difference.
    Inconclusive,
    /// S reached 3.
    Suspicious,
    /// S reached 6.
    VerySuspicious,
    /// S reached 9.
    Different,
    /// S reached 9 because the samples differ less than samples of one source do.
    TooAlike,
}

impl Likeness {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Alike => "ALIKE",
            Self::Different => "DIFFERENT",
            Self::TooAlike => "TOO ALIKE",
            other => other.level().name(),
        }
    }

    /// The level of evidence, which decides the colour and the exit code.
    pub fn level(self) -> Level {
        match self {
            Self::Alike => Level::Pass,
            Self::Inconclusive => Level::Inconclusive,
            Self::Suspicious => Level::Suspicious,
            Self::VerySuspicious => Level::VerySuspicious,
            Self::Different | Self::TooAlike => Level::Fail,
        }
    }
}

impl Serialize for Likeness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}
