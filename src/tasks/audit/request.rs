//! What an audit is asked for.

use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use super::super::battery::BatteryRequest;
use super::super::run::{DEFAULT_CHECKPOINT, Until};
use super::super::squaredeal::TournamentFiles;
use super::command::DealerCommand;
use super::population::{Audited, ComparedLaws};
use super::report::AuditReport;
use crate::audit::{EventRule, SessionSize};
use crate::count::Count;
use crate::formats::Format;
use crate::population::{Population, order_of};
use crate::report::{
    AuditHeading, AuditIdentity, AuditOptions, AuditRecord, OnConflict, STANDARD_INPUT, TableFormat,
};
use crate::run::Part;

/// Default number of perfect sets that small samples are compared with.
pub(crate) const DEFAULT_REFERENCE: ReferenceSets = ReferenceSets::constant(999);

/// A number of perfect sets.
pub type ReferenceSets = Count<0, 1_000_000>;

/// The request of an audit.
#[derive(Clone, Debug)]
pub struct AuditRequest {
    /// Name of the report.
    pub name: String,
    /// What the page begins with.
    pub heading: AuditHeading,
    /// A tournament of SquareDeal whose boards the files should have.
    pub squaredeal: Option<TournamentFiles>,
    /// Folder of the report.
    pub folder: PathBuf,
    /// Treatment of an earlier audit in the folder.
    pub on_conflict: OnConflict,
    /// Formats of the tables in addition to CSV.
    pub formats: Vec<TableFormat>,
    /// Files and folders in reading order; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// A program that deals, whose processes are read instead of files.
    pub command: Option<DealerCommand>,
    /// Number of deals after which the audit ends; a part of it ends after its share.
    pub deals: Option<u64>,
    /// Time limit of reading.
    pub time: Option<Duration>,
    /// The verdict at which the audit stops.
    pub until: Option<Until>,
    /// Interval between checkpoints; `None` for an audit that is never resumed.
    pub checkpoint: Option<Duration>,
    /// Names of the files in the report, in the same order; by default their paths.
    pub labels: Vec<String>,
    /// Format of the files; by default it is detected.
    pub format: Option<Format>,
    /// The tests.
    pub battery: BatteryRequest,
    /// Whether to stop at the first board that is not a legal deal, or file that cannot be read.
    pub strict: bool,
    /// Boards per session, for files that do not number them.
    pub session: Option<SessionSize>,
    /// When boards with the same number and cards are the same board.
    pub events: EventRule,
    /// Time limit of the search for known seeds.
    pub seed_search: Option<Duration>,
    /// The day whose milliseconds are tried as seeds, in seconds since 1970.
    pub seed_day: Option<Range<i64>>,
    /// Number of perfect sets that samples below 16,384 deals are compared with.
    pub reference: ReferenceSets,
}

/// Result of an audit.
#[derive(Debug)]
pub enum AuditOutcome {
    /// The deals were tested and reported.
    Reported(Box<AuditReport>),
    /// It had already finished, and nothing was read.
    Finished(Box<AuditRecord>),
    /// A strict audit stopped at this problem.
    Stopped(String),
}

impl AuditRequest {
    /// An audit with default options and no files.
    pub fn new(name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        Self {
            name: name.into(),
            heading: AuditHeading::default(),
            squaredeal: None,
            folder: folder.into(),
            on_conflict: OnConflict::Keep,
            formats: Vec::new(),
            files: Vec::new(),
            command: None,
            deals: None,
            time: None,
            until: None,
            checkpoint: Some(DEFAULT_CHECKPOINT),
            labels: Vec::new(),
            format: None,
            battery: BatteryRequest::default(),
            strict: false,
            session: None,
            events: EventRule::default(),
            seed_search: None,
            seed_day: None,
            reference: DEFAULT_REFERENCE,
        }
    }

    /// Fills in the seed of an earlier audit.
    pub(super) fn complete(&mut self, earlier: &AuditIdentity) {
        if let (Some(command), Some(earlier)) = (&mut self.command, &earlier.command) {
            command.seed = command.seed.or(Some(earlier.seed));
        }
    }

    /// Number of deals after which this audit, or this part of it, ends.
    pub(super) fn share(&self) -> Option<u64> {
        let deals = self.deals?;
        Some(match &self.command {
            Some(command) => command.share(deals),
            None => deals,
        })
    }

    /// The part of the audit, if it is not whole.
    pub(super) fn part(&self) -> Option<Part> {
        self.command.as_ref().and_then(|command| command.part)
    }

    pub(super) fn identity(&self, audited: &Audited<'_>) -> AuditIdentity {
        let files = self.files.iter().enumerate().map(|(place, path)| {
            match (self.labels.get(place), path.to_str()) {
                (Some(label), _) => label.clone(),
                (None, Some("-")) => STANDARD_INPUT.to_owned(),
                (None, _) => path.display().to_string(),
            }
        });
        let condition = audited.condition;
        let known = audited.population().filter(|_| condition.is_some());
        let alike = match &audited.laws {
            ComparedLaws::Symmetry { alike, .. } if condition.is_none() => &alike[..],
            _ => &[],
        };
        AuditIdentity {
            files: files.collect(),
            command: self.command.as_ref().map(DealerCommand::identity),
            condition: condition.map_or_else(String::new, |condition| condition.text().to_owned()),
            order: known.map_or_else(String::new, Population::order),
            options: AuditOptions {
                limit: self.deals,
                format: self.format.map(|format| format.name().to_owned()),
                any_condition: audited.population().is_none() && condition.is_none(),
                alike: alike
                    .iter()
                    .map(|pair| order_of((pair[0], Some(pair[1]))))
                    .collect(),
                battery: self.battery.depth().name().to_owned(),
                target: self.battery.target(),
                keep: self.battery.keep(),
                reference: self.reference.get() as u32,
                session: self.session.map(SessionSize::get),
                events: self.events.name().to_owned(),
                seed_search: self.seed_search.map(|time| time.as_secs()),
            },
        }
    }
}
