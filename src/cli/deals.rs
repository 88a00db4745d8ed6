//! What is dealt: every deal, the cases of a file that is there, kept or listed now, or
//! cells; and what is asked of each deal.

use std::io;
use std::path::Path;

use clap::{Args, ValueEnum};

use fairdeal::cases::{
    Candidate, CaseBytes, DEFAULT_MAX_CASES, Division, ListedPart, ListingError, WatchError,
};
use fairdeal::cells::Cells;
use fairdeal::combinatorics::DEALS;
use fairdeal::condition::{Condition, EvaluationError, Expression, Plan, Scenario, Script};
use fairdeal::defect::Defect;
use fairdeal::draw::{Dealer, DrawError, WordsError};
use fairdeal::report::{CaseFileRecord, CheckpointRecord, Identity, grouped};
use fairdeal::run::{DEFAULT_DEALS, MOST_DEALS, RunError};
use fairdeal::sampler::{self, Attempt, Need, Pilot, Request, SamplerChoice};

use super::input::{self, Counted, ListingOptions, Opened, Source};
use super::{log, output, values};
use fairdeal::Error;

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

    /// These, for deals with a planted defect, if there is one: where nothing else is asked for,
    /// the whole condition is listed, for defects are planted in cases.
    pub(super) fn with_defect(&self, defect: Option<&Defect>) -> Self {
        match (self.sampler, defect) {
            (Sampler::Auto, Some(_)) => Self::whole(&self.listing),
            _ => self.clone(),
        }
    }
}

impl SamplingOptions {
    /// The whole condition, listed.
    fn listed_whole(&self, condition: &Condition, quiet: bool) -> Result<SamplerChoice, Error> {
        let order = self.listing.order.as_deref();
        match Plan::new(condition, order).map_err(ListingError::from)? {
            Plan::Unconstrained => Ok(sampler::every_deal("every deal is wanted")),
            _ => {
                let Counted { listing, census } = self.listing.count(condition, None, quiet)?;
                let division = Division::whole(condition, listing, census);
                let why = "--sampler cases asks for a listing".to_owned();
                Ok(SamplerChoice::of_division(division, why))
            }
        }
    }

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
    /// The listing that was chosen, until it is written.
    unlisted: Option<Box<ListedPart>>,
    /// The pilot sample of rejection.
    pub(super) pilot: Option<Pilot>,
    /// Attempts to make cells.
    pub(super) attempts: Vec<Attempt>,
    /// Listings that were counted.
    pub(super) considered: Vec<Candidate>,
}

/// What a run of a script needs, with this many deals if that was asked.
pub(super) fn need_of_run(deals: Option<u64>, script: &Script) -> Need {
    let limit = script.produce.into_iter().chain(script.generate).min();
    Need::statistics(deals.or(limit).unwrap_or(DEFAULT_DEALS))
}

/// The condition that is dealt: scripts that want the same deals share a listing, whatever else
/// they say.
fn wanted(script: &Script) -> Condition {
    match script.is_bare() {
        true => script.condition.clone(),
        false => {
            let wanted = script.condition.expression().clone();
            let alone = script.condition.narrowed_to(Some(wanted));
            alone.unwrap_or_else(|_| script.condition.clone())
        }
    }
}

impl Deals {
    /// Opens a case file, or chooses how the deals that are needed are found; nothing is written.
    /// [`Deals::list`] makes them ready to be drawn. With `copy`, case files are read into memory
    /// instead of mapped.
    pub(super) fn plan(
        source: Source,
        options: &SamplingOptions,
        need: impl FnOnce(&Script) -> Need,
        (copy, quiet): (bool, bool),
    ) -> Result<Self, Error> {
        match source {
            Source::CaseFile(path) => Self::of_file(&path, &options.listing, copy),
            Source::Script(script) => {
                let need = need(&script);
                Self::of_script(*script, options, need, (copy, quiet))
            }
        }
    }

    /// [`Deals::plan`], and ready to be drawn.
    pub(super) fn ready(
        source: Source,
        options: &SamplingOptions,
        need: impl FnOnce(&Script) -> Need,
        quiet: bool,
    ) -> Result<Self, Error> {
        let mut deals = Self::plan(source, options, need, (false, quiet))?;
        deals.list((false, quiet))?;
        Ok(deals)
    }

    /// What was dealt from before: the case file, which may be named if it is not where it was,
    /// or the same condition listed again.
    pub(super) fn again(
        saved: &CheckpointRecord,
        file: Option<&Path>,
        quiet: bool,
    ) -> Result<Self, Error> {
        let identity = &saved.identity;
        let script = Script::parse("the run's condition", &identity.condition)?;
        // A case file tells the condition too, if all of it is listed there.
        let is_whole = saved.case_file.is_some() && identity.listed.is_empty();
        let recorded = saved.case_file.as_ref().map(|file| Path::new(&file.path));
        let there = recorded.filter(|path| path.exists());
        if let Some(path) = file.or(there).filter(|_| is_whole) {
            let source = Source::CaseFile(path.to_owned());
            let need = |_: &Script| Need::statistics(identity.deals);
            let opened = Self::ready(source, &SamplingOptions::plain(), need, quiet);
            match (opened, file) {
                (Ok(deals), _) if deals.are_of(saved) => return Ok(deals),
                (Err(failure), Some(_)) => return Err(failure),
                (Ok(_), Some(path)) => {
                    return Err(Error::input(format!(
                        "{} is not the case file of the run: give that, or none",
                        path.display()
                    )));
                }
                // The file that was there is another now: the condition is listed again.
                (_, None) => {}
            }
        }
        // Without --deals the script's own limits were what was needed.
        let needs = [Need::statistics(identity.deals), need_of_run(None, &script)];
        let again = SamplingOptions::again(identity, &script);
        let attempts = again
            .iter()
            .flat_map(|options| needs.map(|need| (options, need)));
        for (options, need) in attempts {
            let source = Source::Script(Box::new(script.clone()));
            match Self::ready(source, options, |_| need, quiet) {
                Ok(deals) if deals.are_of(saved) => return Ok(deals),
                // Another way may list what the run listed.
                Ok(_) => {}
                Err(failure) if identity.listed.is_empty() => return Err(failure),
                Err(_) => {}
            }
        }
        Err(Error::input(
            "the run drew from another listing of its condition than this program makes without \
             --order and --max-cases: its case file is wanted, where it was"
                .to_string(),
        ))
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
    fn from_script(script: Script) -> Result<Self, Error> {
        for (word, limit) in [("generate", script.generate), ("produce", script.produce)] {
            let Some(deals) = limit.filter(|deals| *deals > MOST_DEALS) else {
                continue;
            };
            return Err(Error::input(format!(
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
            unlisted: None,
            pilot: None,
            attempts: Vec::new(),
            considered: Vec::new(),
        })
    }

    fn of_file(path: &Path, options: &ListingOptions, copy: bool) -> Result<Self, Error> {
        options.refuse_order()?;
        let opened = input::open_sound(path, copy)?;
        let header = opened.file.header();
        let order = input::order_of((header.first, header.second));
        let script = Script::parse(&path.display().to_string(), &header.condition)?;
        let mut deals = Self::from_script(script)?;
        deals.order = order;
        "a case file is what was asked for".clone_into(&mut deals.why);
        deals.file = Some(opened);
        Ok(deals)
    }

    fn of_script(
        script: Script,
        options: &SamplingOptions,
        need: Need,
        (copy, quiet): (bool, bool),
    ) -> Result<Self, Error> {
        let (order, max_cases) = (options.listing.order.as_deref(), options.listing.max_cases);
        let condition = &wanted(&script);
        let mut deals = Self::from_script(script)?;
        let is_listed = match options.sampler {
            Sampler::Cases => true,
            // Scenarios keep their deals of a seed.
            Sampler::Auto => order.is_none() && Scenario::has_condition(condition),
            _ => false,
        };
        if is_listed
            && matches!(Plan::new(condition, order), Ok(Plan::Listed { .. }))
            && let Ok(Some(kept)) = options.listing.kept(condition)
        {
            let header = kept.file.header();
            deals.order = input::order_of((header.first, header.second));
            "the whole condition was listed before".clone_into(&mut deals.why);
            deals.file = Some(if copy { kept.copied()? } else { kept });
            return Ok(deals);
        }
        let request = Request {
            need,
            order,
            max_cases,
        };
        let choice = match options.sampler {
            Sampler::Cases => options.listed_whole(condition, quiet)?,
            Sampler::Reject => sampler::reject(condition)?,
            Sampler::Factored => {
                output::during("plan", quiet, || sampler::factored(condition, &request))?
            }
            Sampler::Auto if is_listed => {
                output::during("plan", quiet, || sampler::listed(condition, &request))?
            }
            Sampler::Auto => {
                output::during("plan", quiet, || sampler::choose(condition, &request))?
            }
        };
        deals.choose(choice);
        Ok(deals)
    }

    /// Takes what a choice has found.
    fn choose(&mut self, choice: SamplerChoice) {
        let is_whole = choice.filter.is_empty();
        let part = |condition: &Condition| match is_whole {
            true => String::new(),
            false => condition.text().to_owned(),
        };
        match choice.source {
            sampler::Source::EveryDeal => {}
            sampler::Source::Listing(listed) => {
                self.order = input::order_of(listed.listing.seats());
                self.listed = part(&listed.condition);
                self.unlisted = Some(listed);
            }
            sampler::Source::Cells(cells) => {
                self.listed = part(cells.condition());
                self.cells = Some(*cells);
            }
        }
        (self.filter, self.why, self.share) = (choice.filter, choice.why, Some(choice.share));
        (self.pilot, self.attempts) = (choice.pilot, choice.attempts);
        self.considered = choice.listings;
    }

    /// Writes the listing that was chosen, unless it is in the cache; with `copy`, reads it into
    /// memory instead of mapping it.
    pub(super) fn list(&mut self, (copy, quiet): (bool, bool)) -> Result<(), Error> {
        if let Some(part) = self.unlisted.take() {
            let (listing, census) = (part.listing, part.census);
            let counted = Counted { listing, census };
            let kept = counted.keep(&part.condition, quiet)?;
            self.file = Some(if copy { kept.copied()? } else { kept });
        }
        Ok(())
    }

    /// Says on standard error what is worth a warning in the script.
    pub(super) fn warn(&self) -> io::Result<()> {
        for note in &self.script.notes {
            log::warning(note)?;
        }
        let in_vain = self
            .pilot
            .filter(|pilot| pilot.kept == 0 && !self.filter.is_empty());
        if let Some(pilot) = in_vain {
            log::warning(format!(
                "none of {} sampled deals satisfies the condition: dealing may take very long",
                grouped(pilot.drawn)
            ))?;
        }
        Ok(())
    }

    /// What a record says of the case file.
    pub(super) fn case_file_record(&self) -> Option<CaseFileRecord> {
        let opened = self.file.as_ref();
        opened.map(|opened| CaseFileRecord::new(&opened.path, &opened.file, opened.recounted))
    }

    /// A dealer, made ready for about so many deals.
    pub(super) fn dealer(&self, deals: u64) -> Result<Dealer<'_, CaseBytes>, Error> {
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
    pub(super) fn broken(&self, error: RunError) -> Error {
        match error {
            RunError::Draw(error) => self.failed(error),
            RunError::Evaluation(error) => self.unvalued(&error),
            RunError::State(error) => Error::input(error),
            RunError::Misunderstood(error) => Error::usage(error.to_string()),
        }
    }

    /// The script's arithmetic has no result for some deal.
    pub(super) fn unvalued(&self, error: &EvaluationError) -> Error {
        self.script.condition.evaluation_error(error).into()
    }

    /// What it means that deals could not be drawn.
    pub(super) fn failed(&self, error: DrawError) -> Error {
        match error {
            DrawError::Damaged(damage) => self.damaged(damage),
            DrawError::Words(WordsError::Io(..)) => Error::io(error),
            DrawError::Words(WordsError::Stuck) => Error::input(error),
            DrawError::Words(WordsError::Ended(..)) => Error::input(error)
                .context("there are not enough random words: ask for fewer deals"),
            DrawError::Cases(_) | DrawError::Cells(_) | DrawError::Portion => Error::input(error),
        }
    }

    /// The case file was altered.
    pub(super) fn damaged(&self, error: impl std::error::Error + Send + Sync + 'static) -> Error {
        let path = self
            .file
            .as_ref()
            .map(|opened| opened.path.display().to_string());
        Error::input(error).context(format!(
            "{} was altered after it was written: build it again",
            path.unwrap_or_default()
        ))
    }

    /// Looks whether the case file is what it was when it was opened.
    pub(super) fn check_unchanged(&self) -> Result<(), WatchError> {
        match &self.file {
            Some(opened) => opened.file.check_unchanged(),
            None => Ok(()),
        }
    }

    /// Whether the case file is still the one that was opened.
    pub(super) fn check_again(&self) -> Result<(), Error> {
        match &self.file {
            Some(Opened { path, file, .. }) if !file.records_are_sound() => {
                Err(Error::input(format!(
                    "{} was altered while deals were drawn from it: nothing is reported; build it again",
                    path.display()
                )))
            }
            _ => Ok(()),
        }
    }
}
