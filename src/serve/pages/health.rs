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
use crate::serve::watcher::span;

/// The state of the server.
#[derive(Debug, Serialize)]
pub(super) struct Health {
    program: &'static str,
    uptime_seconds: u64,
    queued: usize,
    running: usize,
    done: usize,
    failed: usize,
    stopped: usize,
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
        let (counts, memory) = (app.queue().counts(), ProcessMemory::now());
        Self {
            program: PROGRAM,
            uptime_seconds: app.started().elapsed().as_secs(),
            queued: counts.queued,
            running: counts.working,
            done: counts.done,
            failed: counts.failed,
            stopped: counts.stopped,
            uploads: app.uploads().receiving(),
            stored_bytes: app.uploads().stored(),
            connections: app.connections().count(),
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
            ("running", thousands(self.running as u64)),
            ("waiting", thousands(self.queued as u64)),
            ("done", thousands(self.done as u64)),
            ("failed", thousands(self.failed as u64)),
            ("stopped", thousands(self.stopped as u64)),
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
