//! Results of runs and audits, and their comparison.

use std::path::PathBuf;

use fairdeal::Error;
use fairdeal::battery::{Level, Verdict};
use fairdeal::compare::{Comparison, Report as ComparedReport};
use fairdeal::count::OutOfBounds;
use fairdeal::report::{OnConflict, ReportFile, TableFormat};
use fairdeal::tally::Depth;
use fairdeal::tasks::BatteryRequest;
use fairdeal::tasks::audit::AuditReport;
use fairdeal::tasks::run::RunReport;
use fairdeal::threads::Threads;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::error::{UsageError, raised};
use crate::work::warned;

/// A test with evidence against the deals: the quantity, the test, log10 of its p-value, and the
/// largest deviation.
type EvidenceRow = (String, String, f64, String);
/// A confidence bound: its quantity, its value, and a sentence.
type BoundRow = (String, f64, String);

/// The result of a run or an audit: plain data, so that it can be pickled.
#[pyclass(frozen, module = "fairdeal._fairdeal")]
pub(crate) struct Report {
    #[pyo3(get)]
    name: String,
    #[pyo3(get)]
    level: String,
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
    /// The files of its folder, the record last.
    files: Vec<ReportFile>,
}

impl Report {
    pub(crate) fn of_run(report: &RunReport) -> Result<Self, Error> {
        Self::of(
            (&report.name, report.level, report.record.dealt),
            report.verdict.as_ref(),
            serde_json::to_string(&report.document(&report.tables())),
            report.files(&[TableFormat::Csv]),
        )
    }

    pub(crate) fn of_audit(report: &AuditReport) -> Result<Self, Error> {
        Self::of(
            (&report.name, report.level, report.record.deals),
            report.verdict.as_ref(),
            serde_json::to_string(&report.document(&report.tables())),
            report.files(&[TableFormat::Csv]),
        )
    }

    fn of(
        (name, level, deals): (&str, Level, u64),
        verdict: Option<&Verdict>,
        document: serde_json::Result<String>,
        files: Vec<ReportFile>,
    ) -> Result<Self, Error> {
        let evidence = verdict.map_or(&[][..], |verdict| &verdict.strongest);
        let evidence = evidence.iter().map(|of| {
            let (test, effect) = (of.test.clone(), of.effect.clone());
            (of.looks_at.to_owned(), test, of.log10_p, effect)
        });
        let bounds = verdict.map_or(&[][..], |verdict| &verdict.bounds);
        let bounds = bounds
            .iter()
            .map(|bound| (bound.quantity.clone(), bound.value, bound.words.clone()));
        Ok(Self {
            name: name.to_owned(),
            level: level.name().to_owned(),
            deals,
            s: verdict.map(|verdict| verdict.largest),
            evidence: evidence.collect(),
            bounds: bounds.collect(),
            detectable: verdict.map_or_else(Vec::new, |verdict| verdict.detectable.in_words()),
            json: document.map_err(Error::io)?,
            files,
        })
    }

    /// The tables, by name.
    fn tables(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let files = self.files.iter();
        let tables = files.filter_map(|(name, csv)| Some((name.strip_suffix(".csv")?, &csv[..])));
        tables.filter(|(name, _)| *name != "csvrpt")
    }
}

/// The fields of a report.
type Fields = (
    String,
    String,
    u64,
    Option<f64>,
    Vec<EvidenceRow>,
    Vec<BoundRow>,
    Vec<String>,
    String,
    Vec<ReportFile>,
);

#[pymethods]
impl Report {
    #[new]
    fn new(fields: Fields) -> Self {
        let (name, level, deals, s, evidence, bounds, detectable, json, files) = fields;
        Self {
            name,
            level,
            deals,
            s,
            evidence,
            bounds,
            detectable,
            json,
            files,
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Fields,)) {
        let this = slf.get();
        let fields = (
            this.name.clone(),
            this.level.clone(),
            this.deals,
            this.s,
            this.evidence.clone(),
            this.bounds.clone(),
            this.detectable.clone(),
            this.json.clone(),
            this.files.clone(),
        );
        (slf.get_type(), (fields,))
    }

    /// The names of the tables.
    #[getter]
    fn table_names(&self) -> Vec<&str> {
        self.tables().map(|(name, _)| name).collect()
    }

    /// A table as CSV.
    fn table(&self, name: &str) -> Option<&str> {
        let found = self.tables().find(|(of, _)| *of == name);
        found.and_then(|(_, csv)| std::str::from_utf8(csv).ok())
    }

    /// Writes the report into a folder.
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        let on_conflict = OnConflict::by_force(overwrite);
        let save = || -> Result<(), Error> {
            let record = ComparedReport::of_files(&self.files)?.record;
            Ok(record
                .take(&folder, on_conflict)?
                .write_report(&self.files)?)
        };
        py.detach(save).map_err(|error| raised(&error))
    }
}

/// Compares two reports, and returns comparison.json.
#[pyfunction]
pub(crate) fn compare(py: Python<'_>, a: &Report, b: &Report) -> PyResult<String> {
    let compared = py.detach(|| {
        let read = |report: &Report| ComparedReport::of_files(&report.files);
        Comparison::of(&read(a)?, &read(b)?)
    });
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
