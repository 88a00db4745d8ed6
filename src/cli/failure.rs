//! How a command fails: a message and an exit code.

use std::fmt;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use fairdeal::cases::{ListingError, OpenError, WatchError, WriteError};
use fairdeal::condition::{ConditionError, PlanError};
use fairdeal::draw::{DamagedCase, PATH_VARIABLE, Path};
use fairdeal::formats::FormatError;
use fairdeal::report::{BenchError, ReportError};
use fairdeal::run::CheckpointError;
use fairdeal::sampler::ChoiceError;
use fairdeal::theory::TheoryError;

use super::log;

/// Wrong usage.
pub(super) const USAGE: u8 = 64;
/// Bad input.
pub(super) const INPUT: u8 = 65;
/// Input or output failed.
pub(super) const IO: u8 = 74;

/// Interrupted, with everything saved.
pub(super) const INTERRUPTED: u8 = 130;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub(super) struct Failure {
    code: u8,
    error: anyhow::Error,
}

impl Failure {
    pub(super) fn usage(message: impl Into<String>) -> Self {
        let error = anyhow::Error::msg(message.into());
        Self { code: USAGE, error }
    }

    pub(super) fn input(error: impl Into<anyhow::Error>) -> Self {
        let error = error.into();
        Self { code: INPUT, error }
    }

    pub(super) fn io(error: impl Into<anyhow::Error>) -> Self {
        let error = error.into();
        Self { code: IO, error }
    }

    /// Reading or writing what goes by this name failed.
    pub(super) fn of(name: impl fmt::Display, error: io::Error) -> Self {
        Self::io(anyhow::Error::new(error).context(name.to_string()))
    }

    /// The same, and what to do about it.
    pub(super) fn with_advice(self, advice: &str) -> Self {
        let (code, error) = (self.code, anyhow::anyhow!("{:#}: {advice}", self.error));
        Self { code, error }
    }

    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        self.code
    }

    /// The message, in one line.
    #[cfg(feature = "mpi")]
    pub(super) fn message(&self) -> String {
        match self.condition_error() {
            Some(error) => error.to_string(),
            None => format!("{:#}", self.error),
        }
    }

    /// The same, with the name of the process that it happened to.
    #[cfg(feature = "mpi")]
    pub(super) fn of_process(self, name: &str) -> Self {
        let (code, error) = (self.code, anyhow::anyhow!("{name}: {}", self.message()));
        Self { code, error }
    }

    /// Whether whoever read our output has left: no failure of ours.
    pub(super) fn is_broken_pipe(&self) -> bool {
        self.error
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    fn condition_error(&self) -> Option<&ConditionError> {
        match self.error.downcast_ref() {
            Some(
                ListingError::Condition(error) | ListingError::Plan(PlanError::Condition(error)),
            ) => Some(error),
            _ => self.error.downcast_ref(),
        }
    }

    /// Prints the message on standard error and gives the exit code.
    pub(super) fn report(&self) -> ExitCode {
        self.tell();
        ExitCode::from(self.code)
    }

    /// Prints the message on standard error.
    pub(super) fn tell(&self) {
        let colour = !log::is_json()
            && io::stderr().is_terminal()
            && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        match self.condition_error() {
            Some(error) => log::rendered_error(&error.render(colour)),
            None => log::error(printable(&format!("{:#}", self.error))),
        }
    }
}

/// Text that may come from a stranger's file, on one line and without a terminal's commands.
pub(super) fn printable(text: &str) -> String {
    let escaped = |c: char| -> String {
        match c.is_control() {
            true => c.escape_default().collect(),
            false => c.to_string(),
        }
    };
    text.chars().map(escaped).collect()
}

/// What is wrong with `FAIRDEAL_PATH`, if it names no instructions of this processor.
pub(super) fn unknown_path() -> Option<Failure> {
    let name = std::env::var_os(PATH_VARIABLE)?;
    let name = name.to_string_lossy();
    if Path::named(&name).is_some() {
        return None;
    }
    let names: Vec<&str> = Path::available().iter().map(|path| path.name()).collect();
    Some(Failure::usage(format!(
        "{PATH_VARIABLE} is `{name}`: this processor has {}",
        names.join(", ")
    )))
}

impl From<ListingError> for Failure {
    fn from(error: ListingError) -> Self {
        let code = match &error {
            ListingError::Plan(PlanError::Order { .. }) => USAGE,
            ListingError::Memory { .. } => IO,
            _ => INPUT,
        };
        let error = error.into();
        Self { code, error }
    }
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Self {
        match error {
            ChoiceError::Listing(error) => error.into(),
            ChoiceError::Condition(error) => error.into(),
            ChoiceError::NoCells(_) => Self::input(error),
        }
    }
}

impl From<ConditionError> for Failure {
    fn from(error: ConditionError) -> Self {
        Self::input(error)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        match &error {
            OpenError::Io { source, .. } if source.kind() != io::ErrorKind::NotFound => {
                Self::io(error)
            }
            OpenError::Memory { .. } => Self::io(error),
            _ => Self::input(error),
        }
    }
}

impl From<WatchError> for Failure {
    fn from(error: WatchError) -> Self {
        match error {
            WatchError::Altered { .. } => Self::input(error),
            WatchError::Vanished { .. } | WatchError::Io { .. } => Self::io(error),
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Listing(error) => error.into(),
            WriteError::Io { .. } => Self::io(error),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::AnotherRun { .. }
            | ReportError::Unfinished { .. }
            | ReportError::Busy { .. } => Self::usage(error.to_string()),
            ReportError::Io { .. } => Self::io(error),
        }
    }
}

impl From<BenchError> for Failure {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Taken { .. } => Self::usage(error.to_string()),
            BenchError::Missing { .. } | BenchError::Damaged { .. } => Self::input(error),
            BenchError::Unreadable { .. } => Self::io(error),
            BenchError::Unwritable(error) => error.into(),
        }
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Self {
        match error {
            CheckpointError::Damaged(_) => Self::input(
                anyhow::Error::new(error)
                    .context("there is no checkpoint to go on from: begin again with --force"),
            ),
            CheckpointError::Io { .. } => Self::io(error),
        }
    }
}

impl From<FormatError> for Failure {
    fn from(error: FormatError) -> Self {
        match error {
            FormatError::TooManyBoards { .. } => Self::usage(error.to_string()),
            FormatError::Io(error) => error.into(),
        }
    }
}

impl From<DamagedCase> for Failure {
    fn from(error: DamagedCase) -> Self {
        Self::input(error)
    }
}

impl From<TheoryError> for Failure {
    fn from(error: TheoryError) -> Self {
        Self::input(error)
    }
}

impl From<io::Error> for Failure {
    /// What comes without a name of its own is what was printed.
    fn from(error: io::Error) -> Self {
        Self::of("standard output", error)
    }
}
