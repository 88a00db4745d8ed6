//! The error of the whole library: one opaque type with predicates.
//!
//! Modules have their own errors, which say exactly what can go wrong there. Each defines, next to
//! its type, how it becomes an [`Error`]. Operations that span several modules (a population, a run
//! with its report, an audit) return this type.

use std::error::Error as StdError;
use std::fmt::{self, Display};
use std::io;

use crate::printable::printable;
pub use crate::remedy::{Remedy, RemedyWords};
use fairdeal_bridge::NotationError;

/// Reason why a deal, a population, a run, an audit or a report is not available.
///
/// Prints as one line: what is wrong, and where. [`Error::told`] adds what to do in the words of a
/// surface, such as the command line. The variants of the modules' own errors may change between
/// versions; the predicates stay. [`Error::cause`] returns the original error.
///
/// # Examples
///
/// ```
/// use fairdeal_base::error::Error;
///
/// let error = Error::input("the header is damaged").context("a.cases");
/// assert!(error.is_input());
/// assert_eq!(error.to_string(), "a.cases: the header is damaged");
/// ```
#[derive(Debug)]
pub struct Error {
    kind: Category,
    /// Text before the cause, the latest first.
    context: Option<String>,
    cause: Box<dyn StdError + Send + Sync>,
    advice: Option<String>,
    remedy: Option<Remedy>,
}

/// Category of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Category {
    /// The request contradicts itself or existing files.
    Usage,
    /// The condition has an error, or no deal satisfies it.
    Condition,
    /// A file or a stream has unexpected content.
    Input,
    /// Reading, writing, memory or threads failed.
    Io,
}

impl Error {
    fn new(kind: Category, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self {
            kind,
            context: None,
            cause: cause.into(),
            advice: None,
            remedy: None,
        }
    }

    /// Makes an error for a request that cannot be carried out as given.
    pub fn usage(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(Category::Usage, cause)
    }

    /// Makes an error for a condition that is invalid or that no deal satisfies.
    pub fn condition(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(Category::Condition, cause)
    }

    /// Makes an error for input that is corrupted, truncated or of another type.
    pub fn input(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(Category::Input, cause)
    }

    /// Makes an error for a failure of the system: reading, writing, memory or threads.
    pub fn io(cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        Self::new(Category::Io, cause)
    }

    /// Makes an error for a failure to read or write the file, folder or stream with this name.
    pub fn of(name: impl Display, error: io::Error) -> Self {
        Self::io(error).context(name)
    }

    /// Adds text before the error, such as the name of a file.
    #[must_use]
    pub fn context(mut self, context: impl Display) -> Self {
        self.context = Some(match self.context {
            None => context.to_string(),
            Some(inner) => format!("{context}: {inner}"),
        });
        self
    }

    /// Adds text before the error, unless it has some already.
    #[must_use]
    pub fn or_context(self, context: impl Display) -> Self {
        match self.context {
            None => self.context(context),
            Some(_) => self,
        }
    }

    /// Sets what a person can do about the error.
    #[must_use]
    pub fn with_remedy(mut self, remedy: impl Into<Option<Remedy>>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// Returns what a person can do about the error, if that is known.
    pub fn remedy(&self) -> Option<&Remedy> {
        self.remedy.as_ref()
    }

    /// Returns the error as one line with its remedy in the words of a surface.
    pub fn told(&self, words: RemedyWords) -> String {
        match self.remedy().and_then(words) {
            Some(remedy) => format!("{self}; {remedy}"),
            None => self.to_string(),
        }
    }

    /// Adds advice on what to do after the error.
    #[must_use]
    pub fn with_advice(mut self, advice: &str) -> Self {
        self.advice = Some(match self.advice {
            None => advice.to_owned(),
            Some(before) => format!("{before}: {advice}"),
        });
        self
    }

    /// Returns whether the request is at fault: for example, options that contradict each other, or
    /// a folder that contains another run.
    pub fn is_usage(&self) -> bool {
        self.kind == Category::Usage
    }

    /// Returns whether the condition is at fault: its text, its arithmetic, or that no deal
    /// satisfies it.
    pub fn is_condition(&self) -> bool {
        self.kind == Category::Condition
    }

    /// Returns whether a file or a stream is at fault: corrupted, truncated, modified or of another
    /// type.
    pub fn is_input(&self) -> bool {
        self.kind == Category::Input
    }

    /// Returns whether the system is at fault: reading, writing, memory or threads.
    pub fn is_io(&self) -> bool {
        self.kind == Category::Io
    }

    /// Returns whether the reader of the output has closed the pipe.
    pub fn is_broken_pipe(&self) -> bool {
        self.cause::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    /// Returns the original error, if it has this type.
    pub fn cause<E: StdError + 'static>(&self) -> Option<&E> {
        self.cause.downcast_ref()
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        if let Some(context) = &self.context {
            line += &format!("{context}: ");
        }
        line += &self.cause.to_string();
        let mut cause = self.cause.source();
        while let Some(deeper) = cause {
            line += &format!(": {deeper}");
            cause = deeper.source();
        }
        if let Some(advice) = &self.advice {
            line += &format!(": {advice}");
        }
        // The line may contain file names and other untrusted text.
        f.write_str(&printable(&line))
    }
}

impl StdError for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::io(error)
    }
}

impl From<NotationError> for Error {
    fn from(error: NotationError) -> Self {
        Self::input(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the header is damaged")]
    struct Damaged(#[source] io::Error);

    #[test]
    fn an_error_is_one_line_from_context_to_advice() {
        let cause = Damaged(io::Error::other("bit 3 is set"));
        let error = Error::input(cause)
            .context("a.cases")
            .context("run")
            .with_advice("build it again");
        assert_eq!(
            error.to_string(),
            "run: a.cases: the header is damaged: bit 3 is set: build it again"
        );
        assert!(error.is_input() && !error.is_usage() && !error.is_io() && !error.is_condition());
        assert!(error.cause::<Damaged>().is_some());
    }

    #[test]
    fn a_remedy_has_the_words_of_the_surface() {
        let words: RemedyWords = |remedy| match remedy {
            Remedy::UseDialect(name) => Some(format!("choose {name}")),
            _ => None,
        };
        let error = Error::usage("no such function").with_remedy(Remedy::UseDialect("deal"));
        assert_eq!(error.to_string(), "no such function");
        assert_eq!(error.told(words), "no such function; choose deal");
        let other = Error::usage("no such folder").with_remedy(Remedy::Resume);
        assert_eq!(other.told(words), "no such folder");
    }

    #[test]
    fn a_reader_who_left_is_known_whatever_the_context() {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(Error::of("standard output", gone()).is_broken_pipe());
        assert!(!Error::of("a file", io::Error::other("full")).is_broken_pipe());
        assert!(!Error::usage("broken pipe").is_broken_pipe());
    }
}
