//! How busy the server is, as a page and as JSON.

use askama::Template;
use axum::Json;
use axum::extract::State;
use axum::response::Html;
use serde::Serialize;

use super::layout::{Layout, html};
use crate::bench::ProcessMemory;
use crate::printable::thousands;
use crate::report::PROGRAM;
use crate::serve::app::App;
use crate::serve::jobs::JobPhase;
use crate::serve::watcher::span;

/// The state of the server.
#[derive(Debug, Serialize)]
pub(super) struct Health {
    program: &'static str,
    uptime_seconds: u64,
    queued: u64,
    running: u64,
    done: u64,
    failed: u64,
    stopped: u64,
    uploads: usize,
    stored_bytes: u64,
    connections: usize,
    /// Memory of the process in bytes; 0 where the system does not say it.
    memory_bytes: u64,
    /// Its largest value since the start.
    peak_memory_bytes: u64,
}

#[derive(Template)]
#[template(path = "health.html", config = "src/serve/askama.toml")]
struct HealthPage {
    layout: Layout,
    facts: Vec<(&'static str, String)>,
}

impl Health {
    fn of(app: &App) -> Self {
        let count = |phase| app.queue.count(phase);
        let memory = ProcessMemory::now();
        Self {
            program: PROGRAM,
            uptime_seconds: app.started.elapsed().as_secs(),
            queued: count(JobPhase::Queued),
            running: count(JobPhase::Working),
            done: count(JobPhase::Done),
            failed: count(JobPhase::Failed),
            stopped: count(JobPhase::Stopped),
            uploads: app.uploads.receiving(),
            stored_bytes: app.uploads.stored(),
            connections: app.open_connections(),
            memory_bytes: memory.map_or(0, |memory| memory.resident_bytes),
            peak_memory_bytes: memory.map_or(0, |memory| memory.peak_bytes),
        }
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let megabytes = |bytes: u64| match bytes {
            0 => "unknown".to_owned(),
            bytes => format!("{} MB", thousands(bytes / 1_000_000)),
        };
        vec![
            ("running", thousands(self.running)),
            ("waiting", thousands(self.queued)),
            ("done", thousands(self.done)),
            ("failed", thousands(self.failed)),
            ("stopped", thousands(self.stopped)),
            ("files being received", thousands(self.uploads as u64)),
            (
                "temporary files",
                format!("{} MB", thousands(self.stored_bytes / 1_000_000)),
            ),
            ("connections", thousands(self.connections as u64)),
            ("memory", megabytes(self.memory_bytes)),
            ("most memory", megabytes(self.peak_memory_bytes)),
            ("running since", span(self.uptime_seconds as f64)),
        ]
    }
}

pub(super) async fn show(State(app): State<App>) -> Html<String> {
    html(&HealthPage {
        layout: Layout::new(""),
        facts: Health::of(&app).facts(),
    })
}

pub(super) async fn json(State(app): State<App>) -> Json<Health> {
    Json(Health::of(&app))
}
