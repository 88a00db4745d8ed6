//! One verdict.

use super::bounds::Bound;
use super::catalogue::Test;

/// What S says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// S stayed below 3, with as many deals as were asked for.
    Pass,
    /// S stayed below 3, with fewer deals.
    Inconclusive,
    /// S reached 3.
    Suspicious,
    /// S reached 6.
    VerySuspicious,
    /// S reached 9.
    Fail,
    /// Deals that are none, or not of the condition.
    Invalid,
}

impl Level {
    /// The level of log10 of an e-value.
    #[must_use]
    pub fn of_evidence(s: f64) -> Self {
        match s {
            s if s >= 9.0 => Self::Fail,
            s if s >= 6.0 => Self::VerySuspicious,
            s if s >= 3.0 => Self::Suspicious,
            _ => Self::Pass,
        }
    }

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Inconclusive => "INCONCLUSIVE",
            Self::Suspicious => "SUSPICIOUS",
            Self::VerySuspicious => "VERY SUSPICIOUS",
            Self::Fail => "FAIL",
            Self::Invalid => "INVALID",
        }
    }

    /// The level of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Pass,
            Self::Inconclusive,
            Self::Suspicious,
            Self::VerySuspicious,
            Self::Fail,
            Self::Invalid,
        ];
        all.into_iter().find(|level| level.name() == name)
    }

    /// The program's exit code.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Suspicious | Self::VerySuspicious => 1,
            Self::Fail => 2,
            Self::Invalid => 3,
            Self::Inconclusive => 4,
        }
    }

    /// What it says of a stream that goes on.
    #[must_use]
    pub fn so_far(self) -> &'static str {
        match self {
            Self::Pass | Self::Inconclusive => "nothing so far",
            level => level.name(),
        }
    }

    /// What a single test's evidence says: a test passes, or is not yet made.
    #[must_use]
    pub fn of_test(self, looks: u32) -> &'static str {
        match (self, looks) {
            (_, 0) => "not yet",
            (Self::Pass, _) => "ok",
            (level, _) => level.name(),
        }
    }
}

/// One row of tests.csv.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRow {
    /// Which test.
    pub test: Test,
    /// Of what: a seat, a suit, a lag.
    pub subject: String,
    /// The statistic at the last look; none before the first.
    pub statistic: Option<f64>,
    /// Degrees of freedom, of a chi-square.
    pub dof: Option<f64>,
    /// log10 of the p-value at the last look alone.
    pub log10_p: Option<f64>,
    /// log10 of the test's e-value over all its looks.
    pub log10_e: Option<f64>,
    /// Its share of E*.
    pub weight: f64,
    /// Looks that had deals enough.
    pub looks: u32,
    /// What its weighted e-value alone would say.
    pub level: Level,
    /// What differs, and by how much.
    pub effect: String,
}

/// What speaks against the deals.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// What the test looks at, for players.
    pub looks_at: &'static str,
    /// The test and its subject.
    pub test: String,
    /// log10 of what it adds to E*.
    pub weighted: f64,
    /// log10 of its p-value at the last look.
    pub log10_p: f64,
    /// What differs, and by how much.
    pub effect: String,
}

impl Evidence {
    pub(super) fn new(weighted: f64, row: &TestRow) -> Self {
        let test = match row.subject.as_str() {
            "all" => row.test.name().to_owned(),
            subject => format!("{}, {subject}", row.test.name()),
        };
        Self {
            looks_at: row.test.looks_at(),
            test,
            weighted,
            log10_p: row.log10_p.unwrap_or(0.0),
            effect: row.effect.clone(),
        }
    }
}

/// What a battery concludes.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// In a word.
    pub level: Level,
    /// log10 of E* at the last look.
    pub s: f64,
    /// The largest S of any look, which decides.
    pub largest: f64,
    /// Deals by the last look.
    pub deals: u64,
    /// Number of looks.
    pub looks: usize,
    /// Number of tests that were made.
    pub tests: usize,
    /// Deals at the first look that said as much.
    pub reached: Option<u64>,
    /// Why the deals are none of the condition.
    pub invalid: Option<String>,
    /// The three strongest pieces of evidence.
    pub strongest: Vec<Evidence>,
    /// What can still be wrong, and how much.
    pub bounds: Vec<Bound>,
    /// What would have been caught.
    pub caught: Vec<String>,
    /// Tests that were not made.
    pub left_out: Vec<String>,
    /// Deals that PASS takes.
    pub target: u64,
}
