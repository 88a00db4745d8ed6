//! What is dealt: every deal, or the cases of a file that is there, kept or listed now.

use std::path::{Path, PathBuf};

use fairdeal::cases::{CaseBytes, CaseFile};
use fairdeal::combinatorics::DEALS;
use fairdeal::condition::Condition;
use fairdeal::draw::{Dealer, DrawError, WordsError};

use super::failure::Failure;
use super::input::{self, ListingOptions, Source};

/// Where the deals come from.
pub(super) struct Deals {
    /// The seats that are listed.
    pub(super) order: String,
    /// The case file; none if every deal is allowed.
    pub(super) file: Option<(PathBuf, CaseFile<CaseBytes>)>,
}

impl Deals {
    /// Opens or lists what there is to deal from.
    ///
    /// `prepare` is told the condition and the order when they are known to be
    /// good, and before anything is listed.
    pub(super) fn of<P>(
        source: Source,
        options: &ListingOptions,
        copy: bool,
        quiet: bool,
        prepare: impl FnOnce(&str, &str) -> Result<P, Failure>,
    ) -> Result<(Self, P), Failure> {
        match source {
            Source::CaseFile(path) => Self::of_file(&path, options, copy, prepare),
            Source::Condition(condition) => {
                Self::of_condition(&condition, options, copy, quiet, prepare)
            }
        }
    }

    fn of_file<P>(
        path: &Path,
        options: &ListingOptions,
        copy: bool,
        prepare: impl FnOnce(&str, &str) -> Result<P, Failure>,
    ) -> Result<(Self, P), Failure> {
        options.refuse_order()?;
        let file = input::open_sound(path, copy)?;
        let header = file.header();
        let order = input::order_of((header.first, header.second));
        let prepared = prepare(&header.condition, &order)?;
        let file = Some((path.to_owned(), file));
        Ok((Self { order, file }, prepared))
    }

    fn of_condition<P>(
        condition: &Condition,
        options: &ListingOptions,
        copy: bool,
        quiet: bool,
        prepare: impl FnOnce(&str, &str) -> Result<P, Failure>,
    ) -> Result<(Self, P), Failure> {
        if options.is_unconstrained(condition)? {
            let prepared = prepare(condition.text(), "")?;
            let (order, file) = (String::new(), None);
            return Ok((Self { order, file }, prepared));
        }
        let mut prepared = None;
        let (path, mut file) = options.listed(condition, quiet, |order| {
            prepared = Some((order.to_owned(), prepare(condition.text(), order)?));
            Ok(())
        })?;
        let (order, prepared) = prepared.expect("a listing is not given out before it is ready");
        if copy {
            file = input::open_sound(&path, true)?;
        }
        let file = Some((path, file));
        Ok((Self { order, file }, prepared))
    }

    /// A dealer, made ready for about so many deals.
    pub(super) fn dealer(&self, deals: u64) -> Result<Dealer<'_, CaseBytes>, Failure> {
        match &self.file {
            None => Ok(Dealer::unconstrained()),
            Some((_, file)) => Dealer::of_cases(file, deals).map_err(|error| self.failed(error)),
        }
    }

    /// T, or the number of all deals.
    pub(super) fn total(&self) -> u128 {
        self.file.as_ref().map_or(DEALS, |(_, file)| file.total())
    }

    /// What it means that deals could not be drawn.
    pub(super) fn failed(&self, error: DrawError) -> Failure {
        match error {
            DrawError::Damaged(damage) => self.damaged(damage),
            DrawError::Words(WordsError::Io(..)) => Failure::io(error),
            DrawError::Words(WordsError::Stuck) => Failure::input(error),
            DrawError::Words(WordsError::Ended(..)) => Failure::input(
                anyhow::Error::new(error)
                    .context("there are not enough random words: ask for fewer deals"),
            ),
            DrawError::Cases(_) | DrawError::Portion => Failure::input(error),
        }
    }

    /// The case file was altered.
    pub(super) fn damaged(&self, error: impl std::error::Error + Send + Sync + 'static) -> Failure {
        let path = self
            .file
            .as_ref()
            .map(|(path, _)| path.display().to_string());
        Failure::input(anyhow::Error::new(error).context(format!(
            "{} was altered after it was written: build it again",
            path.unwrap_or_default()
        )))
    }

    /// Whether the case file is still the one that was opened.
    pub(super) fn check_again(&self) -> Result<(), Failure> {
        match &self.file {
            Some((path, file)) if !file.records_are_sound() => {
                Err(Failure::input(anyhow::anyhow!(
                    "{} was altered while deals were drawn from it: nothing is reported; build it again",
                    path.display()
                )))
            }
            _ => Ok(()),
        }
    }
}
