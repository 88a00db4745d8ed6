//! The web application: `fairdeal serve`, and the same pages without a server (`crates/web`).
//!
//! One thread waits for connections and answers at once what it can. Everything else is a *job*:
//! a queue with a limit passes jobs to worker threads, and each job has a page that shows its
//! progress and its result. Jobs call the same functions of `tasks/` as the commands, so reports
//! and tables are the same.
//!
//! - `server.rs`: sockets and the end. `app.rs`: what all handlers share. `host.rs`: whether there are threads.
//! - `guard.rs`: Host, token and the headers of every answer. `origin.rs`: where a request comes from, and who may
//!   send one.
//!   `refusal.rs`: answers that refuse. `limits.rs`: every limit.
//! - `jobs.rs`, `queue.rs`: jobs and the threads that do them. `watcher.rs`: their progress.
//! - `uploads.rs`: files of a request. `board_files.rs`: files to download. `shelf.rs`: the folder of reports. `conditions.rs`,
//!   `examples.rs`: conditions of forms, and boards that satisfy them.
//! - `pages/`: a file per page, with `templates/` and `assets/`.

#![warn(clippy::too_many_lines)]
#![cfg_attr(not(feature = "serve"), allow(dead_code, reason = "for the server"))]

mod app;
mod board_files;
mod conditions;
mod examples;
mod guard;
mod host;
mod jobs;
mod language_help;
mod limits;
mod origin;
mod pages;
mod queue;
mod refusal;
mod remedies;
#[cfg(feature = "serve")]
mod server;
mod shelf;
mod uploads;
mod watcher;

pub use app::{JobsAtOnce, PagesRequest};
pub use jobs::Watch;
pub use limits::Limits;
pub use pages::router;
#[cfg(feature = "serve")]
pub use server::{Listen, ServeRequest, Server};
