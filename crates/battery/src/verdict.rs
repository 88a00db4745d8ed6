//! The verdict of a battery.

use serde::{Deserialize, Serialize};

use super::bounds::Bound;
use super::catalogue::Test;
use super::detectable::DetectableEffects;
use crate::stats::elementary::log10;

/// Minimum number of deals of a PASS, whatever the target.
pub const LEAST_TARGET: u64 = 1_000;

/// A level of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// S stayed below 3, with at least the target number of deals and 1,000.
    Pass,
    /// S stayed below 3, with fewer deals.
    Inconclusive,
    /// S reached 3.
    Suspicious,
    /// S reached 6.
    #[serde(rename = "VERY SUSPICIOUS")]
    VerySuspicious,
    /// S reached 9.
    Fail,
    /// Some deals are not legal or do not satisfy the condition.
    Invalid,
}

impl Level {
    /// Returns the level for log10 of an e-value.
    pub fn of_evidence(s: f64) -> Self {
        match s {
            s if s >= 9.0 => Self::Fail,
            s if s >= 6.0 => Self::VerySuspicious,
            s if s >= 3.0 => Self::Suspicious,
            _ => Self::Pass,
        }
    }

    /// Returns the name in reports.
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

    /// Returns the exit code of the program.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Suspicious | Self::VerySuspicious => 1,
            Self::Fail => 2,
            Self::Invalid => 3,
            Self::Inconclusive => 4,
        }
    }

    /// Returns the name for a stream that has not ended.
    pub fn so_far(self) -> &'static str {
        match self {
            Self::Pass | Self::Inconclusive => "no evidence so far",
            level => level.name(),
        }
    }

    /// Returns the name for the evidence of a single test.
    pub fn of_test(self, looks: u32) -> &'static str {
        match (self, looks) {
            (_, 0) => "not tested",
            (Self::Pass, _) => "ok",
            (level, _) => level.name(),
        }
    }
}

/// One row of tests.csv.
#[derive(Clone, Debug, PartialEq)]
pub struct TestRow {
    /// The test.
    pub test: Test,
    /// The subject: a seat, a suit, a lag.
    pub subject: String,
    /// The statistic at the last look; `None` before the first.
    pub statistic: Option<f64>,
    /// Degrees of freedom of a chi-square.
    pub dof: Option<f64>,
    /// log10 of the p-value at the last look alone.
    pub log10_p: Option<f64>,
    /// log10 of the test's e-value over all its looks.
    pub log10_e: Option<f64>,
    /// log10 of the p-value of the look and side that gave the evidence.
    pub evidence_log10_p: Option<f64>,
    /// Weight of the test in E*.
    pub weight: f64,
    /// Number of looks with enough deals.
    pub looks: u32,
    /// Level of the weighted e-value alone.
    pub level: Level,
    /// The largest deviation at the look that gave the evidence.
    pub effect: String,
}

/// log10 of the largest p-value that counts as evidence.
const LARGEST_P: f64 = -1.0;

impl TestRow {
    /// Returns the name with its subject: `T4 shapes, north`.
    pub fn name(&self) -> String {
        match self.subject.as_str() {
            "all" => self.test.name().to_owned(),
            subject => format!("{}, {subject}", self.test.name()),
        }
    }

    /// Returns log10 of weight times e-value, the contribution to E*; `None` before the first look.
    pub fn contribution_log10(&self) -> Option<f64> {
        Some(self.log10_e? + log10(self.weight))
    }

    /// Returns whether the e-value is above 1, and its p-value 0.1 or less.
    pub fn has_evidence(&self) -> bool {
        let is_small = |log10_p: f64| log10_p <= LARGEST_P;
        self.log10_e.is_some_and(|log10_e| log10_e > 0.0)
            && self.evidence_log10_p.is_some_and(is_small)
    }
}

/// Returns the tests with evidence against the deals, largest contribution to E* first. Every list
/// of evidence uses this order.
pub fn strongest(rows: &[TestRow]) -> Vec<&TestRow> {
    let mut all: Vec<&TestRow> = rows.iter().filter(|row| row.has_evidence()).collect();
    all.sort_by(|one, other| by_contribution(one, other));
    all
}

/// Compares tests by contribution to E*: the largest first, unmeasured ones last.
pub fn by_contribution(one: &TestRow, other: &TestRow) -> std::cmp::Ordering {
    let contribution = |row: &TestRow| row.contribution_log10().unwrap_or(f64::NEG_INFINITY);
    contribution(other).total_cmp(&contribution(one))
}

/// Evidence against the deals, from one test.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The quantity that the test examines, in players' words.
    pub looks_at: &'static str,
    /// The test and its subject.
    pub test: String,
    /// log10 of the p-value of the look and side that gave the evidence.
    pub log10_p: f64,
    /// The largest deviation at that look.
    pub effect: String,
}

impl Evidence {
    pub(super) fn new(row: &TestRow) -> Self {
        Self {
            looks_at: row.test.looks_at(),
            test: row.name(),
            log10_p: row.evidence_log10_p.unwrap_or(0.0),
            effect: row.effect.clone(),
        }
    }
}

/// The conclusion of a battery.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The level.
    pub level: Level,
    /// log10 of E* at the last look.
    pub s: f64,
    /// The largest S of any look, which decides the verdict.
    pub largest: f64,
    /// Number of deals at the last look.
    pub deals: u64,
    /// Number of looks.
    pub looks: usize,
    /// Number of tests.
    pub tests: usize,
    /// Number of deals at the first look that reached this level.
    pub reached: Option<u64>,
    /// Reason why the deals are invalid, if they are.
    pub invalid: Option<String>,
    /// The strongest evidence in the order of [`strongest`], at most three tests.
    pub strongest: Vec<Evidence>,
    /// Confidence bounds on the remaining error.
    pub bounds: Vec<Bound>,
    /// Effects that the tests would have detected nine times in ten.
    pub detectable: DetectableEffects,
    /// Tests that were left out.
    pub left_out: Vec<String>,
    /// The requested number of deals of a PASS.
    pub target: u64,
}

impl Verdict {
    /// Returns the number of deals that a PASS requires.
    pub fn needed(&self) -> u64 {
        self.target.max(LEAST_TARGET)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_evidence_has_an_e_value_above_one_and_a_small_p_value() {
        let row = |subject: &str, log10_p: f64, log10_e: f64| TestRow {
            test: Test::Duplicates,
            subject: subject.to_owned(),
            statistic: None,
            dof: None,
            log10_p: Some(log10_p),
            log10_e: Some(log10_e),
            evidence_log10_p: Some(log10_p.min(-log10_e.max(0.0))),
            weight: 0.5,
            looks: 1,
            level: Level::of_evidence(log10_e),
            effect: String::new(),
        };
        let rows = [
            row("small p, no evidence", -2.0, -0.1),
            row("evidence of another side", 0.0, 4.0),
            row("both", -3.0, 2.0),
            row("neither", -0.1, -1.0),
        ];
        let found = strongest(&rows);
        let subjects: Vec<&str> = found.iter().map(|row| &*row.subject).collect();
        assert_eq!(subjects, ["evidence of another side", "both"]);
        let shown: Vec<f64> = found.iter().map(|row| Evidence::new(row).log10_p).collect();
        assert_eq!(shown, [-4.0, -3.0]);
    }
}
