//! The faster of two runs, and whether the difference is significant.

use serde::Serialize;

use super::report::Report;
use crate::AnyRecord;
use crate::run::{Pace, rate_interval};

/// The speed of one report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpeedOf {
    /// Deals per second, including deals that a filter rejected; measured over complete slices of
    /// time, if there are any.
    pub deals_a_second: Option<f64>,
    /// Median over blocks of the nanoseconds per deal, on one thread.
    pub median_ns: Option<f64>,
}

/// The speeds of two reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Speed {
    /// The first.
    pub a: SpeedOf,
    /// The second.
    pub b: SpeedOf,
    /// Deals per second of the second divided by those of the first.
    pub ratio: Option<f64>,
    /// The 95 % confidence interval of that ratio, from the noise within each run; `None` if either
    /// run was too short or recorded no pace.
    pub interval: Option<(f64, f64)>,
    /// Median nanoseconds of the second divided by those of the first.
    pub median_ratio: Option<f64>,
    /// Reasons why the ratio may not be due to the programs alone.
    pub notes: Vec<String>,
}

impl Speed {
    /// Compares the speeds of two reports.
    pub(crate) fn of(a: &Report, b: &Report) -> Self {
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
    /// Names the faster report by the confidence interval of the ratio.
    pub fn finding(&self) -> Option<&'static str> {
        let (low, high) = self.interval?;
        Some(match (low > 1.0, high < 1.0) {
            (true, _) => "B was faster",
            (_, true) => "A was faster",
            _ => "no significant difference",
        })
    }
}

/// The pace of a run, if it is long enough to measure a speed.
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
        // The times of parts may come from several machines.
        AnyRecord::Run(run) if !run.parts.is_empty() => return None,
        AnyRecord::Run(run) => (run.dealt, run.common.seconds),
        AnyRecord::Audit(audit) => (audit.deals, audit.common.seconds),
    };
    (deals > 0 && seconds > 0.0).then(|| deals as f64 / seconds)
}

fn notes(a: &Report, b: &Report) -> Vec<String> {
    let [host_a, host_b] = [a, b].map(|report| &report.record.common().host);
    let [threads_a, threads_b] = [a, b].map(|report| report.record.common().threads);
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
