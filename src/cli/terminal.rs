//! The library's progress on the terminal: bars, warnings and notes, and requests to stop.

use std::io::{self, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use fairdeal::Error;
use fairdeal::error::Remedy;
use fairdeal::observer::{Observer, Stage, StageProgress};
use fairdeal::printable::thousands;
use serde::Serialize;

use super::output::{self, Progress};
use super::signals::Interrupt;
use super::{failure, log, remedies};

/// An observer for the command line.
#[derive(Debug, Default)]
pub(super) struct Terminal {
    /// Whether bars and notes are suppressed.
    quiet: bool,
    looks: LooksFormat,
    /// The bar currently shown.
    bar: Mutex<Option<Progress>>,
    interrupt: OnceLock<Interrupt>,
}

/// Format in which the looks of an audit are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LooksFormat {
    /// Nothing.
    #[default]
    None,
    /// A line of text per look.
    Text,
    /// A line of JSON per look.
    Json,
}

impl Terminal {
    pub(super) fn new(quiet: bool) -> Self {
        Self {
            quiet,
            ..Self::default()
        }
    }

    /// Prints a line at every look of an audit.
    pub(super) fn with_looks(self, looks: LooksFormat) -> Self {
        Self { looks, ..self }
    }

    /// Runs `work` while the bar is hidden.
    fn suspend(&self, work: impl FnOnce()) {
        let bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        match &*bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }
}

/// A bar, removed when dropped.
struct Bar(Progress);

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl StageProgress for Bar {
    fn advance(&self, more: u64) {
        self.0.inc(more);
    }

    fn reached(&self, done: u64, of: Option<u64>) {
        if let Some(of) = of {
            self.0.set_length(of);
        }
        self.0.set_position(done);
    }

    fn begin_at(&self, done: u64) {
        self.0.go_on_from(done);
    }

    fn looked(&self, s: f64, so_far: &'static str) {
        self.0.looked(s, so_far);
    }
}

impl Observer for Terminal {
    fn stage(&self, stage: Stage, length: Option<u64>) -> Box<dyn StageProgress> {
        let progress = match (stage, length) {
            (Stage::Read, bytes) => output::reading(bytes, self.quiet),
            (_, Some(length)) => output::progress(stage.name(), length, self.quiet),
            (_, None) => output::spinner(stage.name(), self.quiet),
        };
        let mut bar = self.bar.lock().unwrap_or_else(PoisonError::into_inner);
        *bar = Some(progress.clone());
        Box::new(Bar(progress))
    }

    fn warn(&self, warning: &str) {
        // Ignored if standard error is closed.
        self.suspend(|| drop(log::warning(warning)));
    }

    fn advise(&self, warning: &str, remedy: &Remedy) {
        match remedies::words(remedy) {
            Some(words) => self.warn(&format!("{warning}; {words}")),
            None => self.warn(warning),
        }
    }

    fn note(&self, note: &str) {
        if !self.quiet {
            self.suspend(|| drop(log::note(note)));
        }
    }

    fn is_quiet(&self) -> bool {
        self.quiet
    }

    fn problem(&self, error: &Error) {
        self.suspend(|| {
            failure::report(error);
        });
    }

    fn looked(&self, deals: u64, s: f64, so_far: &'static str) -> Result<(), Error> {
        let line = match self.looks {
            LooksFormat::None => return Ok(()),
            LooksFormat::Text => {
                let deals = thousands(deals);
                format!("{deals:>20} deals  S = {s:>8.2}  {so_far}")
            }
            LooksFormat::Json => {
                let s = Some(s).filter(|s| s.is_finite());
                serde_json::to_string(&LookLine { deals, s, so_far }).map_err(Error::io)?
            }
        };
        Ok(output::unless_closed(print_now(&line))?)
    }

    fn allow_stop(&self) -> Result<(), Error> {
        if self.interrupt.get().is_none() {
            // The first caller installs the handler for all.
            let _ = self.interrupt.set(Interrupt::listen()?);
        }
        Ok(())
    }

    fn is_stop_asked(&self) -> bool {
        self.interrupt.get().is_some_and(Interrupt::is_asked)
    }
}

/// The result of a look, as JSON.
#[derive(Serialize)]
struct LookLine {
    deals: u64,
    /// `None` before any evidence.
    s: Option<f64>,
    so_far: &'static str,
}

/// Prints a line and flushes it.
fn print_now(line: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{line}")?;
    stdout.flush()
}
