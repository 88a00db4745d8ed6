//! Audits of files, arrays and any other deals.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

use fairdeal::audit::EventRule;
use fairdeal::formats::Format;
use fairdeal::population::Listings;
use fairdeal::run::DEFAULT_DEALS;
use fairdeal::sampler::{SamplerMethod, Sampling};
use fairdeal::tasks::audit::{AuditCondition, AuditRequest, audit_given_deals, audit_in_memory};
use fairdeal::threads::on_workers;
use pyo3::prelude::*;
use pyo3::types::PyIterator;

use crate::arrays::DealChunk;
use crate::error::{UsageError, argument};
use crate::report::{Report, battery};
use crate::script::Script;
use crate::work::{Watch, Work, run};

/// Chunks that wait to be tested, at most.
const CHUNKS_AHEAD: usize = 4;

fn condition(script: Option<&Script>) -> AuditCondition {
    match script {
        None => AuditCondition::None,
        Some(script) => AuditCondition::Known {
            input: Box::new(script.input()),
            sampling: Sampling::by(SamplerMethod::Exact),
            deals: DEFAULT_DEALS,
        },
    }
}

/// Tests the deals of files, and of the files of folders.
#[pyfunction]
#[pyo3(signature = (files, script = None, format = None, events = "compatible", depth = None,
    target = None, threads = None, progress = None))]
pub(crate) fn audit_files(
    py: Python<'_>,
    files: Vec<PathBuf>,
    script: Option<&Script>,
    format: Option<&str>,
    events: &str,
    depth: Option<&str>,
    target: Option<u64>,
    threads: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let rule = EventRule::named(events).ok_or_else(|| {
        UsageError::new_err(format!(
            "events: `{events}` is not a rule: compatible, same or distinct"
        ))
    })?;
    let format = format.map(|name| {
        let found = Format::named(name);
        found.ok_or_else(|| UsageError::new_err(format!("format: `{name}` is not a format")))
    });
    let request = AuditRequest {
        files,
        format: format.transpose()?,
        events: rule,
        battery: battery(py, depth, target, threads)?,
        ..AuditRequest::new("files", Path::new(""))
    };
    let condition = condition(script);
    run(py, progress.as_ref(), move |watch| {
        let listings = Listings::in_memory();
        on_workers(request.battery.threads, || {
            Report::of_audit(&audit_in_memory(&request, condition, &listings, watch)?)
        })
    })
}

/// Tests the deals of an iterator over arrays and lists of deals.
#[pyfunction]
#[pyo3(signature = (chunks, script = None, depth = None, target = None, threads = None,
    progress = None))]
pub(crate) fn audit_deals(
    py: Python<'_>,
    chunks: &Bound<'_, PyIterator>,
    script: Option<&Script>,
    depth: Option<&str>,
    target: Option<u64>,
    threads: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Report> {
    let request = AuditRequest {
        battery: battery(py, depth, target, threads)?,
        ..AuditRequest::new("deals", Path::new(""))
    };
    let condition = condition(script);
    let (sender, receiver) = sync_channel(CHUNKS_AHEAD);
    let work = Work::start(move |watch| {
        let deals = given(receiver, watch.clone());
        let listings = Listings::in_memory();
        let report = audit_given_deals(&request, condition, &listings, deals, watch)?;
        Report::of_audit(&report)
    })?;
    let mut first = 0;
    for chunk in chunks {
        let sent = chunk.and_then(|chunk| {
            work.watch().look(py, progress.as_ref())?;
            argument::<DealChunk<'_>>("source", &chunk, "deals")?.deals(first, "source")
        });
        let deals: Vec<fairdeal::Deal> = sent.inspect_err(|_| work.watch().stop())?;
        first += deals.len() as u64;
        // The receiver is gone if the work failed: its error follows.
        if py.detach(|| sender.send(deals)).is_err() {
            break;
        }
    }
    drop(sender);
    work.wait(py, progress.as_ref())
}

/// The deals that are received, until the work is stopped.
fn given(
    receiver: Receiver<Vec<fairdeal::Deal>>,
    watch: Watch,
) -> impl Iterator<Item = fairdeal::Deal> {
    let chunks = receiver
        .into_iter()
        .take_while(move |_| !watch.is_stopped());
    chunks.flatten()
}
