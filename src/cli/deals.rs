//! What is dealt: every deal, or the cases of a file that is there, kept or listed now;
//! and what is asked of each deal.

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};

use fairdeal::cases::{
    self, Candidate, CaseBytes, DEFAULT_MAX_CASES, Division, ListingError, Watch,
};
use fairdeal::combinatorics::DEALS;
use fairdeal::condition::{EvaluationError, Expression, Plan, Script};
use fairdeal::draw::{Dealer, DrawError, WordsError};
use fairdeal::report::{CaseFileRecord, CheckpointRecord, Identity, grouped};
use fairdeal::run::{MOST_DEALS, RunError};

use super::failure::Failure;
use super::input::{self, Counted, Kept, ListingOptions, Source};
use super::{log, output, values};

/// How a condition's deals are found.
#[derive(Args, Clone, Debug)]
pub(super) struct SamplingOptions {
    #[command(flatten)]
    pub(super) listing: ListingOptions,

    /// How deals that satisfy the condition are found
    #[arg(long, value_enum, default_value_t = Sampler::Auto)]
    sampler: Sampler,
}

impl SamplingOptions {
    /// The whole condition is listed, or refused.
    pub(super) fn whole(listing: &ListingOptions) -> Self {
        Self {
            listing: listing.clone(),
            sampler: Sampler::Cases,
        }
    }
}

impl SamplingOptions {
    /// Those of a case file, which has its own.
    pub(super) fn plain() -> Self {
        let (order, max_cases) = (None, DEFAULT_MAX_CASES);
        let listing = ListingOptions { order, max_cases };
        let sampler = Sampler::Auto;
        Self { listing, sampler }
    }

    /// Those by which deals of this run were found.
    ///
    /// What a run was told of its listing is not all in its record: the likeliest come first.
    fn again(identity: &Identity, script: &Script) -> Vec<Self> {
        let max_cases = DEFAULT_MAX_CASES;
        let of = |sampler, order| {
            let listing = ListingOptions { order, max_cases };
            Self { listing, sampler }
        };
        let order = values::order(&identity.order).ok();
        let plain = of(Sampler::Auto, None);
        let is_whole = plain.listing.is_unconstrained(&script.condition);
        match (order, identity.listed.as_str()) {
            (None, _) if matches!(is_whole, Ok(true)) => vec![plain],
            (None, _) => vec![of(Sampler::Reject, None)],
            (order, "") => vec![of(Sampler::Cases, order)],
            (order, _) => vec![plain, of(Sampler::Auto, order), of(Sampler::Reject, None)],
        }
    }
}

/// `--sampler`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sampler {
    /// List what narrows most, and ask the rest of every deal drawn
    Auto,
    /// List the whole condition, or refuse
    Cases,
    /// Ask every deal
    Reject,
}

/// Where the deals come from.
pub(super) struct Deals {
    /// What is asked; of a case file, what its header says.
    pub(super) script: Script,
    /// The seats that are listed.
    pub(super) order: String,
    /// What of the condition is listed, as a condition; empty if all of it is, or nothing.
    pub(super) listed: String,
    /// The case file; none if deals are drawn from all there are.
    pub(super) file: Option<Kept>,
    /// What every deal drawn is asked; nothing if all that are drawn satisfy the condition.
    pub(super) filter: Vec<Expression>,
    /// The share of all deals that are drawn from, where it was counted.
    pub(super) share: Option<f64>,
    /// What else could have been listed.
    pub(super) considered: Vec<Candidate>,
}

impl Deals {
    /// Opens or lists what there is to deal from.
    ///
    /// `prepare` sees all but the file when it is known to be good, and before anything is
    /// listed.
    pub(super) fn of<P>(
        source: Source,
        options: &SamplingOptions,
        copy: bool,
        quiet: bool,
        prepare: impl FnOnce(&Self) -> Result<P, Failure>,
    ) -> Result<(Self, P), Failure> {
        match source {
            Source::CaseFile(path) => Self::of_file(&path, &options.listing, copy, prepare),
            Source::Script(script) => Self::of_script(&script, options, copy, quiet, prepare),
        }
    }

    /// What was dealt from before: the case file, which may be named if it is not where it was,
    /// or the same condition listed again.
    pub(super) fn again(
        saved: &CheckpointRecord,
        file: Option<&Path>,
        quiet: bool,
    ) -> Result<Self, Failure> {
        let identity = &saved.identity;
        let script = Script::parse("the run's condition", &identity.condition)?;
        let nothing = |_: &Self| Ok(());
        // A case file tells the condition too, if all of it is listed there.
        let is_whole = saved.case_file.is_some() && identity.listed.is_empty();
        let recorded = saved.case_file.as_ref().map(|file| Path::new(&file.path));
        let there = recorded.filter(|path| path.exists());
        if let Some(path) = file.or(there).filter(|_| is_whole) {
            let source = Source::CaseFile(path.to_owned());
            let opened = Self::of(source, &SamplingOptions::plain(), false, quiet, nothing);
            match (opened, file) {
                (Ok((deals, ())), _) if deals.are_of(saved) => return Ok(deals),
                (Err(failure), Some(_)) => return Err(failure),
                (Ok(_), Some(path)) => {
                    return Err(Failure::input(anyhow::anyhow!(
                        "{} is not the case file of the run: give that, or none",
                        path.display()
                    )));
                }
                // The file that was there is another now: the condition is listed again.
                (_, None) => {}
            }
        }
        for options in SamplingOptions::again(identity, &script) {
            let source = Source::Script(Box::new(script.clone()));
            match Self::of(source, &options, false, quiet, nothing) {
                Ok((deals, ())) if deals.are_of(saved) => return Ok(deals),
                // Another way may list what the run listed.
                Ok(_) => {}
                Err(failure) if identity.listed.is_empty() => return Err(failure),
                Err(_) => {}
            }
        }
        Err(Failure::input(anyhow::anyhow!(
            "the run drew from another listing of its condition than this program makes without \
             --order and --max-cases: its case file is wanted, where it was"
        )))
    }

    /// Whether deals are drawn from what a run drew from.
    fn are_of(&self, saved: &CheckpointRecord) -> bool {
        let identity = &saved.identity;
        let hash = |file: Option<CaseFileRecord>| file.map(|file| file.records_blake3);
        self.script.condition.text() == identity.condition
            && self.order == identity.order
            && self.listed == identity.listed
            && hash(self.case_file_record()) == hash(saved.case_file.clone())
    }

    /// Nothing but a script, whose limits have to be those of a run.
    fn from_script(script: Script) -> Result<Self, Failure> {
        for (word, limit) in [("generate", script.generate), ("produce", script.produce)] {
            let Some(deals) = limit.filter(|deals| *deals > MOST_DEALS) else {
                continue;
            };
            return Err(Failure::input(anyhow::anyhow!(
                "{}: {word} {}: a run has at most {} deals",
                script.condition.name(),
                grouped(deals),
                grouped(MOST_DEALS)
            )));
        }
        Ok(Self {
            script,
            order: String::new(),
            listed: String::new(),
            file: None,
            filter: Vec::new(),
            share: None,
            considered: Vec::new(),
        })
    }

    fn of_file<P>(
        path: &Path,
        options: &ListingOptions,
        copy: bool,
        prepare: impl FnOnce(&Self) -> Result<P, Failure>,
    ) -> Result<(Self, P), Failure> {
        options.refuse_order()?;
        let file = input::open_sound(path, copy)?;
        let header = file.header();
        let order = input::order_of((header.first, header.second));
        let script = Script::parse(&path.display().to_string(), &header.condition)?;
        let mut deals = Self::from_script(script)?;
        deals.order = order;
        let prepared = prepare(&deals)?;
        deals.file = Some((path.to_owned(), file));
        Ok((deals, prepared))
    }

    fn of_script<P>(
        script: &Script,
        options: &SamplingOptions,
        copy: bool,
        quiet: bool,
        prepare: impl FnOnce(&Self) -> Result<P, Failure>,
    ) -> Result<(Self, P), Failure> {
        let (order, max_cases) = (options.listing.order.as_deref(), options.listing.max_cases);
        // Scripts that want the same deals share a listing, whatever else they say.
        let condition = &match script.is_bare() {
            true => script.condition.clone(),
            false => {
                let wanted = script.condition.expression().clone();
                let alone = script.condition.narrowed_to(Some(wanted));
                alone.unwrap_or_else(|_| script.condition.clone())
            }
        };
        let mut deals = Self::from_script(script.clone())?;
        let plan = Plan::new(condition, order);
        if options.sampler != Sampler::Reject
            && matches!(plan, Ok(Plan::Listed { .. }))
            && let Ok(Some(kept)) = options.listing.kept(condition)
        {
            // It was listed whole before.
            let header = kept.1.header();
            deals.order = input::order_of((header.first, header.second));
            let prepared = prepare(&deals)?;
            deals.file = Some(kept);
            return Ok((deals.copied(copy)?, prepared));
        }
        let divide = || {
            output::during("count", quiet, || {
                cases::divide(condition, order, max_cases)
            })
        };
        let division = match options.sampler {
            Sampler::Auto => divide()?,
            Sampler::Reject => cases::reject(condition)?,
            Sampler::Cases => match plan.map_err(ListingError::from)? {
                Plan::Unconstrained => divide()?,
                _ => {
                    let Counted { listing, census } =
                        options.listing.count(condition, None, quiet)?;
                    Division::whole(condition, listing, census)
                }
            },
        };
        let Division {
            listed,
            filter,
            share,
            considered,
        } = division;
        if let Some(part) = &listed {
            deals.order = input::order_of(part.listing.seats());
            if !filter.is_empty() {
                part.condition.text().clone_into(&mut deals.listed);
            }
        }
        (deals.filter, deals.share, deals.considered) = (filter, Some(share), considered);
        let prepared = prepare(&deals)?;
        if let Some(part) = listed {
            let (listing, census) = (part.listing, part.census);
            let counted = Counted { listing, census };
            deals.file = Some(counted.keep(&part.condition, quiet)?);
        }
        Ok((deals.copied(copy)?, prepared))
    }

    /// With the file in memory instead of mapped, if that is asked for.
    fn copied(mut self, copy: bool) -> Result<Self, Failure> {
        if let Some((path, file)) = self.file.as_mut().filter(|_| copy) {
            *file = input::open_sound(path, true)?;
        }
        Ok(self)
    }

    /// Says on standard error what is worth a warning in the script.
    pub(super) fn warn(&self) -> io::Result<()> {
        for note in &self.script.notes {
            log::warning(note)?;
        }
        Ok(())
    }

    /// What a record says of the case file.
    pub(super) fn case_file_record(&self) -> Option<CaseFileRecord> {
        let file = self.file.as_ref();
        file.map(|(path, file)| CaseFileRecord::new(path, file))
    }

    /// A dealer, made ready for about so many deals.
    pub(super) fn dealer(&self, deals: u64) -> Result<Dealer<'_, CaseBytes>, Failure> {
        match &self.file {
            None => Ok(Dealer::unconstrained()),
            Some((_, file)) => Dealer::of_cases(file, deals).map_err(|error| self.failed(error)),
        }
    }

    /// How deals are found, as far as that is part of a run's identity.
    pub(super) fn sampler(&self) -> String {
        String::new()
    }

    /// T, or the number of all deals.
    pub(super) fn total(&self) -> u128 {
        self.file.as_ref().map_or(DEALS, |(_, file)| file.total())
    }

    /// What it means that a run came to no end.
    pub(super) fn broken(&self, error: RunError) -> Failure {
        match error {
            RunError::Draw(error) => self.failed(error),
            RunError::Evaluation(error) => self.unvalued(&error),
            RunError::State(error) => Failure::input(error),
            RunError::Misunderstood(error) => Failure::usage(error.to_string()),
        }
    }

    /// The script's arithmetic has no result for some deal.
    pub(super) fn unvalued(&self, error: &EvaluationError) -> Failure {
        self.script.condition.evaluation_error(error).into()
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
            DrawError::Cases(_) | DrawError::Cells(_) | DrawError::Portion => Failure::input(error),
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

    /// What the case file was when it was opened, unless it was copied: then nobody can
    /// alter it.
    pub(super) fn watch(&self) -> Option<&Watch> {
        self.file.as_ref().and_then(|(_, file)| file.watch())
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
