//! Which of two runs was faster, and whether that is more than noise.

use serde::Serialize;

use super::identity;
use super::report::{AnyRecord, Report};
use crate::run::{Pace, rate_interval};

/// How fast one of them was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeedOf {
    /// Deals a second, those with it that a filter did not keep: by whole slices of time, if
    /// there are any.
    pub deals_a_second: Option<f64>,
    /// Median nanoseconds a deal of a block, on one thread.
    pub median_ns: Option<f64>,
}

/// Two speeds beside each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// The first.
    pub a: SpeedOf,
    /// The second.
    pub b: SpeedOf,
    /// Deals a second of the second by those of the first.
    pub ratio: Option<f64>,
    /// Where that ratio lies with 95 % of confidence, by the noise within each run; none where
    /// either was too short or left no pace.
    pub interval: Option<(f64, f64)>,
    /// Median nanoseconds of the second by those of the first.
    pub median_ratio: Option<f64>,
    /// Why the ratio is not that of the programs alone.
    pub notes: Vec<String>,
}

impl Speed {
    /// Of two reports.
    #[must_use]
    pub fn of(a: &Report, b: &Report) -> Self {
        let [one, other] = [a, b].map(|report| SpeedOf {
            deals_a_second: rate(report),
            median_ns: report.median_ns,
        });
        let quotient = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| b / a);
        let paces = pace(a).zip(pace(b));
        Self {
            ratio: quotient(one.deals_a_second, other.deals_a_second),
            interval: paces.and_then(|(a, b)| rate_interval(a, b)),
            median_ratio: quotient(one.median_ns, other.median_ns),
            notes: notes(a, b),
            a: one,
            b: other,
        }
    }
}

impl Speed {
    /// The faster report by the confidence interval of the ratio, in words.
    #[must_use]
    pub fn finding(&self) -> Option<&'static str> {
        let (low, high) = self.interval?;
        Some(match (low > 1.0, high < 1.0) {
            (true, _) => "B was faster",
            (_, true) => "A was faster",
            _ => "no significant difference",
        })
    }
}

/// The pace of a run, if it shows a speed.
fn pace(report: &Report) -> Option<&Pace> {
    match &report.record {
        AnyRecord::Run(run) => run.pace.as_ref().filter(|pace| pace.noise().is_some()),
        AnyRecord::Audit(_) => None,
    }
}

fn rate(report: &Report) -> Option<f64> {
    if let Some(rate) = pace(report).and_then(Pace::rate) {
        return Some(rate);
    }
    let (deals, seconds) = match &report.record {
        // Those of parts are of many machines.
        AnyRecord::Run(run) if !run.parts.is_empty() => return None,
        AnyRecord::Run(run) => (run.dealt, run.seconds),
        AnyRecord::Audit(audit) => (audit.deals, audit.seconds),
    };
    (deals > 0 && seconds > 0.0).then(|| deals as f64 / seconds)
}

fn notes(a: &Report, b: &Report) -> Vec<String> {
    let ((_, host_a, threads_a), (_, host_b, threads_b)) =
        (identity::common(&a.record), identity::common(&b.record));
    let mut notes = Vec::new();
    if host_a.name != host_b.name || host_a.processor != host_b.processor {
        notes.push(format!(
            "different hosts: {} and {}",
            host_a.name, host_b.name
        ));
    }
    if threads_a != threads_b {
        notes.push(format!(
            "different numbers of threads: {threads_a} and {threads_b}"
        ));
    }
    match (&a.record, &b.record) {
        (AnyRecord::Run(one), AnyRecord::Run(other)) if one.battery != other.battery => {
            notes.push(format!(
                "different batteries: {} and {}",
                one.battery, other.battery
            ));
        }
        (AnyRecord::Run(_), AnyRecord::Run(_)) => {}
        _ => notes.push("an audit has no dealing speed".to_owned()),
    }
    notes
}
