//! Every limit of the server.

use std::time::Duration;

/// The limits of a server. What exceeds one is refused with a status that says so.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Open connections. A browser opens six; more wait until one is closed.
    pub connections: usize,
    /// Time for the head of a request, also between two requests of a connection.
    pub head_time: Duration,
    /// Longest pause between two pieces of an upload. A slow line sends something every second.
    pub pause: Duration,
    /// Time for an upload: 256 MiB at 300 kB/s.
    pub upload_time: Duration,
    /// Time for a form without files, and for its answer.
    pub form_time: Duration,
    /// Size of a form without files: a condition of 1 MiB, each byte of which may be `%xx`.
    pub form_bytes: usize,
    /// Size of an upload. A million boards of PBN are about 150 MB.
    pub upload_bytes: u64,
    /// Files in an upload.
    pub upload_files: usize,
    /// Uploads at once. Each takes a buffer of some 100 kB.
    pub uploads: usize,
    /// Size of all files that wait or are read, and of files to download.
    pub stored_bytes: u64,
    /// Jobs that wait.
    pub waiting: usize,
    /// Jobs of one visitor that wait: others have room.
    pub waiting_each: usize,
    /// Finished jobs that keep their page, the latest.
    pub kept_jobs: usize,
    /// Size of the results on these pages.
    pub kept_bytes: usize,
    /// Time for an audit; then it reports the boards read so far.
    pub audit_time: Duration,
    /// Time for dealing a set, and for a table of leads or contracts, which then has the deals so far.
    pub deal_time: Duration,
    /// Time for a run; then it saves a checkpoint.
    pub run_time: Duration,
    /// Cases of a listing that is made for a page: about 2 s and 64 MB.
    pub listing_cases: u64,
    /// Boards of a set to download.
    pub boards: u64,
    /// Deals of a table of leads or contracts, which are solved.
    pub solved_deals: u64,
    /// Boards on sheets to print.
    pub sheet_boards: u64,
    /// Deals of a run.
    pub run_deals: u64,
    /// Events that are sent at once to open pages.
    pub watchers: usize,
    /// Reports on a page.
    pub reports: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            head_time: Duration::from_secs(15),
            pause: Duration::from_secs(20),
            upload_time: Duration::from_secs(15 * 60),
            form_time: Duration::from_secs(30),
            form_bytes: 4 << 20,
            upload_bytes: 256 << 20,
            upload_files: 1_000,
            uploads: 64,
            stored_bytes: 16 << 30,
            waiting: 256,
            waiting_each: 64,
            kept_jobs: 1_000,
            kept_bytes: 64 << 20,
            audit_time: Duration::from_secs(15 * 60),
            deal_time: Duration::from_secs(120),
            run_time: Duration::from_secs(24 * 3_600),
            listing_cases: 4_000_000,
            boards: 100_000,
            solved_deals: 10_000,
            sheet_boards: 1_000,
            run_deals: 1_000_000_000_000,
            watchers: 128,
            reports: 1_000,
        }
    }
}
