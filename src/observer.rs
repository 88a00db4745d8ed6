//! What long work tells its caller while it goes on: stages, progress, warnings and notes.
//!
//! The library prints nothing. Work that may take seconds takes an [`Observer`]: the command line
//! draws bars and writes lines, a program that wants to hear nothing passes [`Silent`].

use crate::error::Error;

/// Listens to long work.
pub trait Observer: Sync {
    /// A stage of the work begins, of `length` units if their number is known; it ends when the
    /// result is dropped.
    fn stage(&self, name: &'static str, length: Option<u64>) -> Box<dyn Stage>;

    /// Something that the user should know, or mend.
    fn warn(&self, warning: &str);

    /// Something worth knowing.
    fn note(&self, note: &str);

    /// Whether warnings about the request itself are left out.
    fn is_quiet(&self) -> bool {
        false
    }

    /// Something that could not be read, without which the work goes on.
    fn problem(&self, error: &Error) {
        self.warn(&error.to_string());
    }

    /// The evidence S at a look at this many deals of an audit, and the verdict so far in words.
    ///
    /// # Errors
    ///
    /// If the work is to end because this cannot be told.
    fn looked(&self, _deals: u64, _s: f64, _so_far: &'static str) -> Result<(), Error> {
        Ok(())
    }

    /// The work that begins now can be stopped with everything saved: from now on
    /// [`is_stop_asked`](Self::is_stop_asked) is asked now and then.
    ///
    /// # Errors
    ///
    /// If requests to stop cannot be received.
    fn allow_stop(&self) -> Result<(), Error> {
        Ok(())
    }

    /// Whether the work is to stop.
    fn is_stop_asked(&self) -> bool {
        false
    }
}

/// One stage of the work on its way.
pub trait Stage: Send + Sync {
    /// So many more units are done. Called from any thread.
    fn advance(&self, more: u64);

    /// This many units are done by now, of as many as are known of.
    fn reached(&self, done: u64, of: Option<u64>);

    /// So many units were done before this process began.
    fn begin_at(&self, done: u64);

    /// The evidence S at a look, and the verdict so far in words.
    fn looked(&self, s: f64, so_far: &'static str);
}

/// Does something as a stage that cannot say how far it is.
pub(crate) fn during<T>(
    observer: &dyn Observer,
    name: &'static str,
    work: impl FnOnce() -> T,
) -> T {
    let _stage = observer.stage(name, None);
    work()
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stage(&self, _: &'static str, _: Option<u64>) -> Box<dyn Stage> {
        Box::new(Self)
    }

    fn warn(&self, _: &str) {}

    fn note(&self, _: &str) {}
}

impl Stage for Silent {
    fn advance(&self, _: u64) {}

    fn reached(&self, _: u64, _: Option<u64>) {}

    fn begin_at(&self, _: u64) {}

    fn looked(&self, _: f64, _: &'static str) {}
}
