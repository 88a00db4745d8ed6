//! The state after the looks so far: e-values of every test, and S at each look.

use serde::{Deserialize, Serialize};

use super::parameters::RunParameters;
use super::table_law::Measured;
use crate::stats::{calibrated_log10, log10_sum};

/// The state of one test.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct TestState {
    pub(super) looks: u32,
    /// log10 of v_l e_l at each look, for calibrated p-values.
    pub(super) calibrated: Vec<f64>,
    /// log10 of the test's current e-value.
    pub(super) log10_e: f64,
    pub(super) last: Option<Measured>,
}

impl TestState {
    pub(super) fn new() -> Self {
        Self {
            log10_e: f64::NEG_INFINITY,
            ..Self::default()
        }
    }

    /// Adds the result of a look of a run with these parameters. A result for the same deals as the
    /// last one is ignored.
    pub(super) fn look(&mut self, measured: Measured, terms: &RunParameters) {
        if self
            .last
            .as_ref()
            .is_some_and(|last| last.deals == measured.deals)
        {
            return;
        }
        self.looks += 1;
        match measured.log10_e {
            Some(log10_e) => self.log10_e = log10_e,
            None => {
                let share = terms.look_share_log10(self.looks);
                self.calibrated
                    .push(share + calibrated_log10(measured.log10_p));
                self.log10_e = log10_sum(&self.calibrated);
            }
        }
        self.last = Some(measured);
    }
}

/// The state of a battery after its looks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct BatteryState {
    pub(super) states: Vec<TestState>,
    pub(super) looks: Vec<LookRecord>,
    /// Reason why the deals are invalid, if they are.
    pub(super) invalid: Option<String>,
}

/// S at a look.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LookRecord {
    /// Number of deals.
    pub deals: u64,
    /// log10 of E*.
    pub s: f64,
}

/// The error for a saved state that belongs to other tests or is inconsistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its tests or looks differ from those of the run")]
pub struct OtherTests;
