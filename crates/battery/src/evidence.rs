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
    /// The look with the largest part of the e-value, for calibrated p-values.
    strongest: Option<Measured>,
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
                let part = share + calibrated_log10(measured.log10_p);
                if self.calibrated.iter().all(|earlier| *earlier <= part) {
                    self.strongest = Some(measured.clone());
                }
                self.calibrated.push(part);
                self.log10_e = log10_sum(&self.calibrated);
            }
        }
        self.last = Some(measured);
    }

    /// The result of the look that gave the evidence.
    pub(super) fn strongest(&self) -> Option<&Measured> {
        self.strongest.as_ref().or(self.last.as_ref())
    }

    /// log10 of a p-value of the evidence. The p-value of one look may be that of another side than
    /// the e-value's, whose inverse is a p-value over all looks too.
    pub(super) fn evidence_log10_p(&self) -> Option<f64> {
        let of_look = self.strongest()?.log10_p;
        Some(of_look.min(-self.log10_e.max(0.0)))
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

/// The error for a saved state that belongs to other tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its tests differ from those of the run")]
pub struct OtherTests;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::population::Structure;
    use crate::tally::Depth;

    fn terms() -> RunParameters {
        RunParameters {
            depth: Depth::Standard,
            deals: 1 << 20,
            target: 1 << 20,
            close: 0,
            numbered: 0,
            kept: 1 << 20,
            longest: 1 << 16,
            compared: 0.0,
            batches: 10,
            smallest_group: 1 << 16,
            structure: Structure::EveryDeal,
            sessions: 0,
            dealt: 0,
            session_pairs: 0,
            seeds: false,
            referred: false,
            open: true,
        }
    }

    #[test]
    fn the_look_that_gave_the_evidence_is_shown() {
        // Copies of one deal: once only part of the deals is kept, none of the copies may be.
        let mut state = TestState::new();
        for (deals, log10_p, effect) in [
            (1 << 14, -300.0, "134209536 equal pairs"),
            (1 << 15, 0.0, "0 equal pairs"),
        ] {
            let measured = Measured::new(deals, 0.0, log10_p).with_effect(effect.to_owned());
            state.look(measured, &terms());
        }
        assert_eq!(state.evidence_log10_p(), Some(-300.0));
        let shown = state.strongest().map(|look| &*look.effect);
        assert_eq!(shown, Some("134209536 equal pairs"));
    }

    #[test]
    fn an_e_value_of_another_side_gives_its_own_p_value() {
        for (log10_e, log10_p, shown) in [(5.0, 0.0, -5.0), (5.0, -7.0, -7.0), (-1.0, 0.0, 0.0)] {
            let mut state = TestState::new();
            let measured = Measured {
                log10_e: Some(log10_e),
                ..Measured::new(36, 0.0, log10_p)
            };
            state.look(measured, &terms());
            assert_eq!(state.evidence_log10_p(), Some(shown), "{log10_e} {log10_p}");
        }
    }
}
