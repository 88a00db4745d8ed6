//! What is dealt: every deal, the cases of a file that is there, kept or listed now, or
//! cells; and what is asked of each deal.

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};

use fairdeal::cards::Seat;
use fairdeal::cases::{
    self, Candidate, CaseBytes, DEFAULT_MAX_CASES, Division, ListingError, WatchError,
};
use fairdeal::cells::{self, Cells, Unfactored};
use fairdeal::combinatorics::DEALS;
use fairdeal::condition::{Condition, EvaluationError, Expression, Plan, PlanError, Script};
use fairdeal::draw::{Dealer, DrawError, WordsError};
use fairdeal::report::{CaseFileRecord, CheckpointRecord, Identity, grouped};
use fairdeal::run::{MOST_DEALS, RunError};

use super::failure::Failure;
use super::input::{self, Counted, ListingOptions, Opened, Source};
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
        if identity.sampler == FACTORED {
            return vec![of(Sampler::Factored, None)];
        }
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
    /// A listing of the whole condition if there is room for it, otherwise cells, or whatever
    /// narrows most; the rest is asked of every deal drawn
    Auto,
    /// List the whole condition, or refuse
    Cases,
    /// Cells over suits, of up to four hands: no listing; what they do not tell is asked of
    /// every deal drawn
    Factored,
    /// Ask every deal
    Reject,
}

/// What the identity of a run from cells calls its sampler.
const FACTORED: &str = "factored";

/// Where the deals come from.
pub(super) struct Deals {
    /// What is asked; of a case file, what its header says.
    pub(super) script: Script,
    /// The seats that are listed.
    pub(super) order: String,
    /// What of the condition is listed, as a condition; empty if all of it is, or nothing.
    pub(super) listed: String,
    /// The case file; none if deals are drawn from cells, or from all there are.
    pub(super) file: Option<Opened>,
    /// The cells that deals are drawn from.
    pub(super) cells: Option<Cells>,
    /// Why they are found in this way.
    pub(super) why: String,
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
            && self.sampler() == identity.sampler
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
            cells: None,
            why: String::new(),
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
        let opened = input::open_sound(path, copy)?;
        let header = opened.file.header();
        let order = input::order_of((header.first, header.second));
        let script = Script::parse(&path.display().to_string(), &header.condition)?;
        let mut deals = Self::from_script(script)?;
        deals.order = order;
        "a case file is what was asked for".clone_into(&mut deals.why);
        let prepared = prepare(&deals)?;
        deals.file = Some(opened);
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
        if matches!(options.sampler, Sampler::Auto | Sampler::Cases)
            && matches!(plan, Ok(Plan::Listed { .. }))
            && let Ok(Some(kept)) = options.listing.kept(condition)
        {
            // It was listed whole before.
            let header = kept.file.header();
            deals.order = input::order_of((header.first, header.second));
            "the whole condition was listed before".clone_into(&mut deals.why);
            let prepared = prepare(&deals)?;
            deals.file = Some(kept);
            return Ok((deals.copied(copy)?, prepared));
        }
        let way = match options.sampler {
            Sampler::Auto => output::during("count", quiet, || {
                Way::cheapest(condition, &plan, order, max_cases)
            })?,
            Sampler::Factored => {
                let made = output::during("count", quiet, || cells::divide(condition));
                let made = made.map_err(|why| unfactored(condition, &why))?;
                Way::of_cells(made, "--sampler factored asks for cells")
            }
            Sampler::Reject => Way::listed(
                cases::reject(condition)?,
                "--sampler reject asks for all deals".to_owned(),
            ),
            Sampler::Cases => match plan.map_err(ListingError::from)? {
                Plan::Unconstrained => Way::listed(
                    cases::divide(condition, order, max_cases)?,
                    "every deal is wanted".to_owned(),
                ),
                _ => {
                    let Counted { listing, census } =
                        options.listing.count(condition, None, quiet)?;
                    Way::listed(
                        Division::whole(condition, listing, census),
                        "--sampler cases asks for a listing".to_owned(),
                    )
                }
            },
        };
        let (division, why) = match way {
            Way::Listed(division, why) => (division, why),
            Way::Cells(made, why) => {
                let (ways, of) = made.cells.chance();
                if !made.filter.is_empty() {
                    made.cells.condition().text().clone_into(&mut deals.listed);
                }
                deals.share = Some(ways as f64 / of as f64);
                (deals.filter, deals.why) = (made.filter, why);
                deals.cells = Some(made.cells);
                let prepared = prepare(&deals)?;
                return Ok((deals, prepared));
            }
        };
        let Division {
            listed,
            filter,
            share,
            considered,
        } = *division;
        if let Some(part) = &listed {
            deals.order = input::order_of(part.listing.seats());
            if !filter.is_empty() {
                part.condition.text().clone_into(&mut deals.listed);
            }
        }
        (deals.filter, deals.share, deals.considered) = (filter, Some(share), considered);
        deals.why = why;
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
        if copy {
            self.file = self.file.map(Opened::copied).transpose()?;
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
        let opened = self.file.as_ref();
        opened.map(|opened| CaseFileRecord::new(&opened.path, &opened.file, opened.recounted))
    }

    /// A dealer, made ready for about so many deals.
    pub(super) fn dealer(&self, deals: u64) -> Result<Dealer<'_, CaseBytes>, Failure> {
        let dealer = match (&self.file, &self.cells) {
            (Some(opened), _) => Dealer::of_cases(&opened.file, deals),
            (None, Some(cells)) => Dealer::of_cells(cells),
            (None, None) => Ok(Dealer::unconstrained()),
        };
        dealer.map_err(|error| self.failed(error))
    }

    /// How deals are found, as far as that is part of a run's identity.
    pub(super) fn sampler(&self) -> String {
        match self.cells {
            Some(_) => FACTORED.to_owned(),
            None => String::new(),
        }
    }

    /// T, or the number of all deals.
    pub(super) fn total(&self) -> u128 {
        match (&self.file, &self.cells) {
            (Some(opened), _) => opened.file.total(),
            (None, Some(cells)) => cells.total(),
            (None, None) => DEALS,
        }
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
            .map(|opened| opened.path.display().to_string());
        Failure::input(anyhow::Error::new(error).context(format!(
            "{} was altered after it was written: build it again",
            path.unwrap_or_default()
        )))
    }

    /// Looks whether the case file is what it was when it was opened.
    pub(super) fn check_unchanged(&self) -> Result<(), WatchError> {
        match &self.file {
            Some(opened) => opened.file.check_unchanged(),
            None => Ok(()),
        }
    }

    /// Whether the case file is still the one that was opened.
    pub(super) fn check_again(&self) -> Result<(), Failure> {
        match &self.file {
            Some(Opened { path, file, .. }) if !file.records_are_sound() => {
                Err(Failure::input(anyhow::anyhow!(
                    "{} was altered while deals were drawn from it: nothing is reported; build it again",
                    path.display()
                )))
            }
            _ => Ok(()),
        }
    }
}

/// A way to find a condition's deals, and why it is taken.
enum Way {
    Listed(Box<Division>, String),
    Cells(Box<cells::Factored>, String),
}

impl Way {
    /// A listing of the whole condition if there is room for it: tests know more of its draws.
    /// Otherwise cells, if they can tell more of it than what can be listed.
    fn cheapest(
        condition: &Condition,
        plan: &Result<Plan, PlanError>,
        order: Option<&[Seat]>,
        max_cases: u64,
    ) -> Result<Self, Failure> {
        let list = || cases::divide(condition, order, max_cases);
        let listed = |why: String| Ok(Self::listed(list()?, why));
        if order.is_some() {
            return listed("--order asks for a listing".to_owned());
        }
        let made = match cells::divide(condition) {
            Ok(made) => made,
            Err(Unfactored::Unconstrained) => return listed("no hand is mentioned".to_owned()),
            // Some deal has no value, whichever sampler meets it.
            Err(Unfactored::Arithmetic(error)) => {
                return Err(condition.evaluation_error(&error).into());
            }
            Err(why) => return listed(format!("there are no cells: {why}")),
        };
        let cases = made.cells.cases();
        let is_whole = made.why.is_none();
        if is_whole && matches!(plan, Ok(Plan::Listed { .. })) {
            return match cases <= u128::from(max_cases) {
                true => listed(format!(
                    "its {} cases fit in a file, of which tests know more than of cells",
                    grouped(cases)
                )),
                false => {
                    let why = format!(
                        "its {} cases are more than the {} of a file",
                        grouped(cases),
                        grouped(max_cases)
                    );
                    Ok(Self::of_cells(made, &why))
                }
            };
        }
        if is_whole {
            return Ok(Self::of_cells(
                made,
                "no listing tells of more than two hands",
            ));
        }
        let (ways, of) = made.cells.chance();
        let share = ways as f64 / of as f64;
        match list() {
            Err(ListingError::NoDeal) => Err(ListingError::NoDeal.into()),
            // Of as many deals, tests know more of those that are listed.
            Ok(division) if division.share <= share * (1.0 + 1e-9) => {
                let why = format!(
                    "what is listed narrows as much as cells, of one deal in {:.3}, or more",
                    1.0 / share
                );
                Ok(Self::listed(division, why))
            }
            Ok(division) => {
                let why = format!(
                    "cells narrow more than a listing, of one deal in {:.3}",
                    1.0 / division.share
                );
                Ok(Self::of_cells(made, &why))
            }
            Err(_) => Ok(Self::of_cells(made, "nothing of it can be listed")),
        }
    }

    fn listed(division: Division, why: String) -> Self {
        Self::Listed(Box::new(division), why)
    }

    fn of_cells(made: cells::Factored, why: &str) -> Self {
        let why = match &made.why {
            None => why.to_owned(),
            Some(left) => format!("{why}; the rest is not in the cells: {left}"),
        };
        Self::Cells(Box::new(made), why)
    }
}

/// What it means that there are no cells.
fn unfactored(condition: &Condition, why: &Unfactored) -> Failure {
    match why {
        Unfactored::NoDeal => ListingError::NoDeal.into(),
        Unfactored::Arithmetic(error) => condition.evaluation_error(error).into(),
        why => Failure::input(anyhow::anyhow!(
            "the condition has no cells ({why}): leave out --sampler factored"
        )),
    }
}
