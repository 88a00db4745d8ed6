//! Results of runs and audits, and their comparison.

use fairdeal::Error;
use fairdeal::battery::Verdict;
use fairdeal::compare::{Comparison, Report as ComparedReport};
use fairdeal::count::OutOfBounds;
use fairdeal::report::Table;
use fairdeal::tally::Depth;
use fairdeal::tasks::BatteryRequest;
use fairdeal::tasks::audit::AuditReport;
use fairdeal::tasks::run::RunReport;
use fairdeal::threads::Threads;
use pyo3::prelude::*;
use serde::Serialize;

use crate::error::{UsageError, raised};
use crate::work::warned;

/// The name of a report that has no folder.
const IN_MEMORY: &str = "a report in memory";

/// A test with evidence against the deals: the quantity, the test, log10 of its p-value, and the
/// largest deviation.
type EvidenceRow = (&'static str, String, f64, String);
/// A confidence bound: its quantity, its value, and a sentence.
type BoundRow = (String, f64, String);

/// The result of a run or an audit.
#[pyclass(frozen, module = "fairdeal._fairdeal")]
pub(crate) struct Report {
    #[pyo3(get)]
    name: String,
    #[pyo3(get)]
    level: &'static str,
    /// Number of tested deals.
    #[pyo3(get)]
    deals: u64,
    /// The largest S of any look; `None` without tests.
    #[pyo3(get)]
    s: Option<f64>,
    #[pyo3(get)]
    evidence: Vec<EvidenceRow>,
    #[pyo3(get)]
    bounds: Vec<BoundRow>,
    #[pyo3(get)]
    detectable: Vec<String>,
    /// run.json or audit.json with its tables.
    #[pyo3(get)]
    json: String,
    tables: Vec<(String, Vec<u8>)>,
    compared: ComparedReport,
}

impl Report {
    pub(crate) fn of_run(report: &RunReport) -> Result<Self, Error> {
        let tables = report.tables();
        let compared = ComparedReport {
            path: IN_MEMORY.into(),
            record: (&report.record).into(),
            sample: report.counts(),
            median_ns: report.median_ns(),
        };
        Ok(Self {
            name: report.name.clone(),
            level: report.level.name(),
            deals: report.record.dealt,
            ..Self::of(
                report.verdict.as_ref(),
                &report.document(&tables),
                &tables,
                compared,
            )?
        })
    }

    pub(crate) fn of_audit(report: &AuditReport) -> Result<Self, Error> {
        let tables = report.tables();
        let compared = ComparedReport {
            path: IN_MEMORY.into(),
            record: (&report.record).into(),
            sample: report.counts(),
            median_ns: None,
        };
        Ok(Self {
            name: report.name.clone(),
            level: report.level.name(),
            deals: report.record.deals,
            ..Self::of(
                report.verdict.as_ref(),
                &report.document(&tables),
                &tables,
                compared,
            )?
        })
    }

    fn of(
        verdict: Option<&Verdict>,
        document: &impl Serialize,
        tables: &[Table],
        compared: ComparedReport,
    ) -> Result<Self, Error> {
        let evidence = verdict.map_or(&[][..], |verdict| &verdict.strongest);
        let evidence = evidence.iter().map(|of| {
            let (test, effect) = (of.test.clone(), of.effect.clone());
            (of.looks_at, test, of.log10_p, effect)
        });
        let bounds = verdict.map_or(&[][..], |verdict| &verdict.bounds);
        let bounds = bounds
            .iter()
            .map(|bound| (bound.quantity.clone(), bound.value, bound.words.clone()));
        let csv = tables.iter();
        Ok(Self {
            name: String::new(),
            level: "",
            deals: 0,
            s: verdict.map(|verdict| verdict.largest),
            evidence: evidence.collect(),
            bounds: bounds.collect(),
            detectable: verdict.map_or_else(Vec::new, |verdict| verdict.detectable.in_words()),
            json: serde_json::to_string(document).map_err(|error| Error::io(error.to_string()))?,
            tables: csv
                .map(|table| (table.name().to_string(), table.to_csv()))
                .collect(),
            compared,
        })
    }
}

#[pymethods]
impl Report {
    /// The names of the tables.
    #[getter]
    fn table_names(&self) -> Vec<&str> {
        self.tables.iter().map(|(name, _)| &**name).collect()
    }

    /// A table as CSV.
    fn table(&self, name: &str) -> Option<&str> {
        let found = self.tables.iter().find(|(of, _)| of == name);
        found.and_then(|(_, csv)| std::str::from_utf8(csv).ok())
    }
}

/// Compares two reports, and returns comparison.json.
#[pyfunction]
pub(crate) fn compare(py: Python<'_>, a: &Report, b: &Report) -> PyResult<String> {
    let compared = py.detach(|| Comparison::of(&a.compared, &b.compared));
    let compared = compared.map_err(|error| raised(&error))?;
    serde_json::to_string(&compared).map_err(|error| UsageError::new_err(error.to_string()))
}

/// A requested number of threads. More than the limit gain nothing: the most are used, with a
/// warning.
pub(crate) fn bounded_threads(py: Python<'_>, threads: Option<u64>) -> PyResult<Option<Threads>> {
    let threads = threads.map(|threads| match Threads::new(threads) {
        Ok(threads) => Ok(threads),
        Err(error) if threads == 0 => Err(UsageError::new_err(format!("threads: {error}"))),
        Err(error) => {
            warned(py, &format!("threads: {error}"))?;
            Ok(Threads::most())
        }
    });
    threads.transpose()
}

/// The requested tests.
pub(crate) fn battery(
    py: Python<'_>,
    depth: Option<&str>,
    target: Option<u64>,
    threads: Option<u64>,
) -> PyResult<BatteryRequest> {
    let depth = depth.map(|name| match name {
        "tables" => Ok(Depth::Tables),
        "standard" => Ok(Depth::Standard),
        "full" => Ok(Depth::Full),
        _ => Err(UsageError::new_err(format!(
            "battery: `{name}` is not a battery: tables, standard or full"
        ))),
    });
    Ok(BatteryRequest {
        depth: depth.transpose()?,
        target: limited("target", target)?,
        threads: bounded_threads(py, threads)?,
        ..BatteryRequest::default()
    })
}

/// A number within bounds, for the argument of this name.
pub(crate) fn limited<T: TryFrom<u64, Error = OutOfBounds>>(
    name: &str,
    number: Option<u64>,
) -> PyResult<Option<T>> {
    let number = number.map(T::try_from).transpose();
    number.map_err(|error| UsageError::new_err(format!("{name}: {error}")))
}
