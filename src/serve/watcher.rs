//! The progress of a job: what the work reports, and what its page shows.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use super::jobs::{Job, JobPhase};
use super::remedies;
use crate::error::{Error, Remedy};
use crate::observer::{Observer, Stage, StageProgress};
use crate::printable::{printable, thousands};

/// Warnings and notes kept of a job.
const MOST_NOTES: usize = 50;

/// The observer of a job.
#[derive(Debug)]
pub(super) struct JobWatcher(pub(super) Arc<Job>);

impl JobWatcher {
    /// Passes the status to what watches the job, which may stop it.
    fn show(&self) {
        let Some(watch) = self.0.watch() else {
            return;
        };
        let status = serde_json::to_string(&JobStatus::new(&self.0, 0));
        if status.is_ok_and(|status| !watch(&status)) {
            self.0.stop();
        }
    }

    fn keep(&self, note: &str) {
        let mut progress = self.0.progress();
        if progress.notes.len() < MOST_NOTES {
            progress.notes.push(printable(note).into_owned());
        }
    }
}

impl Observer for JobWatcher {
    fn stage(&self, stage: Stage, length: Option<u64>) -> Box<dyn StageProgress> {
        let mut progress = self.0.progress();
        (progress.stage, progress.done, progress.of) = (Some(stage), 0, length);
        (progress.begun_at, progress.since) = (0, Some(Instant::now()));
        Box::new(JobStage(Arc::clone(&self.0)))
    }

    fn warn(&self, warning: &str) {
        tracing::warn!(target: "serve", job = self.0.id, warning, "warning");
        self.keep(warning);
    }

    fn advise(&self, warning: &str, remedy: &Remedy) {
        match remedies::words(remedy) {
            Some(words) => self.warn(&format!("{warning}; {words}")),
            None => self.warn(warning),
        }
    }

    fn note(&self, note: &str) {
        self.keep(note);
    }

    fn problem(&self, error: &Error) {
        self.warn(&error.told(remedies::words));
    }

    fn is_stop_asked(&self) -> bool {
        self.show();
        self.0.is_stop_asked()
    }
}

#[derive(Debug)]
struct JobStage(Arc<Job>);

impl StageProgress for JobStage {
    fn advance(&self, more: u64) {
        self.0.progress().done += more;
    }

    fn reached(&self, done: u64, of: Option<u64>) {
        let mut progress = self.0.progress();
        progress.done = done;
        progress.of = of.or(progress.of);
    }

    fn begin_at(&self, done: u64) {
        let mut progress = self.0.progress();
        (progress.done, progress.begun_at) = (done, done);
    }

    fn looked(&self, s: f64, so_far: &'static str) {
        self.0.progress().look = Some((s, so_far));
    }
}

/// What the page of a job shows while the job is not over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct JobStatus {
    pub(super) phase: JobPhase,
    /// The state in words.
    pub(super) words: String,
    /// Share done, in per cent, if it is known.
    pub(super) percent: Option<u8>,
    /// Units done, such as `1,000,000 of 10,485,760 deals`.
    pub(super) done: String,
    /// Units per second.
    pub(super) rate: String,
    /// Time left.
    pub(super) left: String,
    /// The evidence S at the last look.
    pub(super) s: String,
    /// The verdict so far.
    pub(super) so_far: &'static str,
}

impl JobStatus {
    /// The state now; `ahead` jobs are before it in the queue.
    pub(super) fn new(job: &Job, ahead: usize) -> Self {
        let phase = job.phase();
        let progress = job.progress();
        let (stage, unit) = stage_words(progress.stage);
        let words = match phase {
            JobPhase::Queued if ahead == 0 => "Waiting for a free worker".to_owned(),
            JobPhase::Queued => format!("Waiting: {ahead} before this"),
            JobPhase::Working if job.is_stop_asked() => "Stopping".to_owned(),
            JobPhase::Working => stage.to_owned(),
            JobPhase::Done => "Done".to_owned(),
            JobPhase::Failed => "Failed".to_owned(),
            JobPhase::Stopped => "Stopped before it began".to_owned(),
        };
        let of = progress.of.filter(|of| *of > 0);
        let done = match (unit, of) {
            ("", _) => String::new(),
            (unit, Some(of)) => format!("{} of {} {unit}", thousands(progress.done), thousands(of)),
            (unit, None) => format!("{} {unit}", thousands(progress.done)),
        };
        let seconds = progress
            .since
            .map_or(0.0, |since| since.elapsed().as_secs_f64());
        let newly = progress.done.saturating_sub(progress.begun_at) as f64;
        let rate = match seconds > 0.2 && newly > 0.0 {
            true => newly / seconds,
            false => 0.0,
        };
        let left = of
            .filter(|of| rate > 0.0 && *of >= progress.done)
            .map_or_else(String::new, |of| span((of - progress.done) as f64 / rate));
        let is_working = phase == JobPhase::Working;
        Self {
            phase,
            words,
            percent: of
                .filter(|_| is_working)
                .map(|of| (100.0 * progress.done as f64 / of as f64).min(100.0) as u8),
            done: if is_working { done } else { String::new() },
            rate: match rate > 0.0 && is_working && !unit.is_empty() {
                true => format!("{} {unit}/s", thousands(rate as u64)),
                false => String::new(),
            },
            left: if is_working { left } else { String::new() },
            s: progress
                .look
                .map_or_else(String::new, |(s, _)| format!("{s:.2}")),
            so_far: progress.look.map_or("", |(_, so_far)| so_far),
        }
    }
}

/// A stage in words, and its unit.
fn stage_words(stage: Option<Stage>) -> (&'static str, &'static str) {
    match stage {
        Some(Stage::Read) => ("Reading", "bytes"),
        Some(Stage::Deals) => ("Dealing and testing", "deals"),
        Some(Stage::Sets) => ("Comparing with perfect sets", "sets"),
        Some(Stage::Solved) => ("Dealing and solving", "deals"),
        Some(Stage::Theory) => ("Computing exact tables", ""),
        Some(Stage::Boards) => ("Dealing", "boards"),
        None => ("Starting", ""),
        _ => ("Preparing", ""),
    }
}

/// A span of time to read.
pub(super) fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3_600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3_600, whole % 3_600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;
    use crate::serve::jobs::{JobKind, JobOrder, Watch};
    use crate::serve::origin::Visitor;

    fn begun(watch: Option<Watch>) -> JobWatcher {
        let order = JobOrder {
            kind: JobKind::Deal,
            subject: "36 boards".to_owned(),
            form: "/deal".to_owned(),
            resumes: None,
            visitor: Visitor::of("127.0.0.1".parse().expect("an address")),
        };
        let job = Job::new("a".to_owned(), order, Duration::from_secs(60), watch);
        assert!(job.begin());
        JobWatcher(Arc::new(job))
    }

    #[test]
    fn what_watches_a_job_sees_its_progress_and_stops_it() {
        let [free, kept, ended] = [
            begun(None),
            begun(Some(|_| true)),
            begun(Some(|status| {
                let of_36 = r#""words":"Dealing","percent":50,"done":"18 of 36 boards""#;
                !status.contains(of_36)
            })),
        ];
        ended.stage(Stage::Boards, Some(36)).advance(18);
        let asked = || [&free, &kept, &ended].map(|watcher| watcher.is_stop_asked());
        assert_eq!(asked(), [false; 3]);
        sleep(Duration::from_millis(510));
        assert_eq!(asked(), [false, false, true]);
    }
}
