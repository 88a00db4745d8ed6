//! Reports of long work to its caller: stages, progress, warnings and notes.
//!
//! The library prints nothing. Work that may take seconds takes an [`Observer`]. The command line
//! draws bars and writes lines; a program that needs no reports passes [`Silent`].

use crate::error::{Error, Remedy};

/// Receiver of reports from long work.
pub trait Observer: Sync {
    /// Starts a stage of `length` units, if their number is known. The stage ends when the result
    /// is dropped.
    fn stage(&self, stage: Stage, length: Option<u64>) -> Box<dyn StageProgress>;

    /// Reports something that the user should know or fix.
    fn warn(&self, warning: &str);

    /// Reports something that the user should know, and what to do about it.
    fn advise(&self, warning: &str, _remedy: &Remedy) {
        self.warn(warning);
    }

    /// Reports something worth knowing.
    fn note(&self, note: &str);

    /// Returns whether warnings about the request itself are suppressed.
    fn is_quiet(&self) -> bool {
        false
    }

    /// Reports input that could not be read; the work continues without it.
    fn problem(&self, error: &Error) {
        self.warn(&error.to_string());
    }

    /// Reports the evidence S of an audit after this number of deals, and the verdict so far in
    /// words.
    ///
    /// # Errors
    ///
    /// If the report cannot be delivered and the work must end.
    fn looked(&self, _deals: u64, _s: f64, _so_far: &'static str) -> Result<(), Error> {
        Ok(())
    }

    /// Announces that from now on the work can be stopped with everything saved. It then calls
    /// [`is_stop_asked`](Self::is_stop_asked) regularly.
    ///
    /// # Errors
    ///
    /// If requests to stop cannot be received.
    fn allow_stop(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Returns whether the work should stop.
    fn is_stop_asked(&self) -> bool {
        false
    }
}

/// A stage of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The sampler is chosen.
    Plan,
    /// The cases of a listing are counted.
    Count,
    /// The cases of a listing are written.
    Cases,
    /// Exact tables are computed.
    Theory,
    /// Deals are drawn, counted and tested.
    Deals,
    /// Boards are dealt.
    Boards,
    /// The searches for boards that are rare are prepared.
    Guides,
    /// Deals are solved double-dummy.
    Solved,
    /// The runs that check the tests.
    Runs,
    /// Files are read.
    Read,
    /// Deals are compared with perfect sets of the same size.
    Sets,
    /// Seeds are tried.
    Seeds,
    /// The rounds of a measurement of speed.
    Rounds,
}

impl Stage {
    /// The name, such as `deals`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plan => "plan",
            Self::Count => "count",
            Self::Cases => "cases",
            Self::Theory => "theory",
            Self::Deals => "deals",
            Self::Boards => "boards",
            Self::Guides => "guides",
            Self::Solved => "solved",
            Self::Runs => "runs",
            Self::Read => "read",
            Self::Sets => "sets",
            Self::Seeds => "seeds",
            Self::Rounds => "rounds",
        }
    }
}

/// The progress of a stage.
pub trait StageProgress: Send + Sync {
    /// Reports that `more` units are done. Can be called from any thread.
    fn advance(&self, more: u64);

    /// Reports that `done` units are done in total, out of `of` if that number is known.
    fn reached(&self, done: u64, of: Option<u64>);

    /// Reports that `done` units were done before this process began.
    fn begin_at(&self, done: u64);

    /// Reports the evidence S at a look, and the verdict so far in words.
    fn looked(&self, s: f64, so_far: &'static str);
}

/// Performs work as a stage without a known length.
pub fn during<T>(observer: &dyn Observer, stage: Stage, work: impl FnOnce() -> T) -> T {
    let _stage = observer.stage(stage, None);
    work()
}

/// An observer that ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _: Stage, _: Option<u64>) -> Box<dyn StageProgress> {
        Box::new(Self)
    }

    fn warn(&self, _: &str) {}

    fn note(&self, _: &str) {}
}

impl StageProgress for Silent {
    fn advance(&self, _: u64) {}

    fn reached(&self, _: u64, _: Option<u64>) {}

    fn begin_at(&self, _: u64) {}

    fn looked(&self, _: f64, _: &'static str) {}
}
