//! Result of a run, and the files of its report.

use std::path::{Path, PathBuf};

use super::super::battery::BatteryRequest;
use super::super::prepare::Prepared;
use super::samples::FirstDeals;
use crate::battery::{Battery, Heterogeneity, Level, Verdict};
use crate::bridge::Deal;
use crate::error::Error;
use crate::population::Population;
use crate::report::{
    AnyRecord, CellsRecord, CheckpointRecord, CommonRecord, CountedAnswer, CsvReport, Document,
    EvidenceRecord, FilterRecord, Folder, HostRecord, Identity, MergedPart, OnConflict, PROGRAM,
    ProbabilityRecord, ReportFile, RunRecord, Sample, Stopped, Table, TableFormat, bounds_table,
    case_groups_table, counted_files, counts_tables, heterogeneity_table, latency_table,
    parts_table, statistics_tables, tests_table,
};
#[cfg(feature = "html")]
use crate::report::{Shown, page};
use crate::run::{Pace, RunCounts};
use crate::theory::{Ratio, Theory, TheoryError};
use crate::utc::UtcTime;

/// Why the tables of a filter's deals have no expected values.
const NO_KEPT_THEORY: &str =
    "none: the condition depends on `rnd`, or its exact tables exceed the budget";

/// Result of a run: its counts, tests and verdict.
#[derive(Debug)]
pub struct RunReport {
    /// Name of the report.
    pub name: String,
    /// The script, and the population that its deals were drawn from.
    pub prepared: Prepared,
    /// The contents of run.json.
    pub record: RunRecord,
    /// The counts.
    pub counted: RunCounts,
    /// The answers to the script's questions.
    pub answered: Vec<CountedAnswer>,
    /// The tests with their evidence; `None` if no theory applies.
    pub battery: Option<Battery>,
    /// The verdict; `None` without tests.
    pub verdict: Option<Verdict>,
    /// The level of the verdict.
    pub level: Level,
    /// Whether there is a checkpoint to resume from.
    pub is_saved: bool,
    /// The seed, if it was generated.
    pub fresh_seed: Option<String>,
    /// Folder of the report, if it was written.
    pub folder: Option<PathBuf>,
    /// Exact tables of the deals that a filter kept, if the budget covers them.
    kept_theory: Option<Theory>,
    /// Sample deals with their labels.
    #[cfg_attr(not(feature = "html"), allow(dead_code, reason = "shown by the page"))]
    samples: Vec<(String, Deal)>,
    /// The rows of `csvrpt`.
    csv_report: Option<Vec<u8>>,
    between: Vec<Heterogeneity>,
}

/// A run after dealing, complete or not.
pub(crate) struct DealtRun {
    pub(crate) counted: RunCounts,
    pub(crate) battery: Option<Battery>,
    /// The record for checkpoints.
    pub(crate) record: CheckpointRecord,
    pub(crate) pace: Option<Pace>,
    pub(crate) stopped: Option<Stopped>,
    pub(crate) threads: usize,
    /// Number of processes that dealt together.
    pub(crate) processes: Option<usize>,
    /// The instructions that were used.
    pub(crate) path: String,
}

/// Results of a run after dealing.
pub(crate) struct Conclusion {
    pub(crate) name: String,
    pub(crate) dealt: DealtRun,
    pub(crate) answered: Vec<CountedAnswer>,
    pub(crate) is_saved: bool,
    pub(crate) fresh_seed: Option<String>,
    /// End time of dealing.
    pub(crate) ended: String,
    /// The parts that it was merged from.
    pub(crate) merged: Option<MergedParts>,
    pub(crate) first_deals: FirstDeals,
    /// Exact tables of the deals that a filter kept, if the budget covers them.
    pub(crate) kept_theory: Option<Theory>,
}

/// The parts of a merged report.
#[derive(Clone, Debug)]
pub(crate) struct MergedParts {
    pub(crate) parts: Vec<MergedPart>,
    pub(crate) between: Vec<Heterogeneity>,
}

impl Conclusion {
    /// The report of the run, not yet written.
    pub(crate) fn report(self, prepared: Prepared) -> RunReport {
        let counts = &self.dealt.counted.counts;
        let battery = self.dealt.battery.as_ref();
        let verdict = battery.map(|battery| battery.verdict(counts));
        let level = match &verdict {
            Some(verdict) => verdict.level,
            None if counts.illegal + counts.foreign > 0 => Level::Invalid,
            None => Level::Inconclusive,
        };
        let record = self.record(&prepared, verdict.as_ref(), level);
        RunReport {
            name: self.name,
            prepared,
            record,
            counted: self.dealt.counted,
            answered: self.answered,
            battery: self.dealt.battery,
            verdict,
            level,
            is_saved: self.is_saved,
            fresh_seed: self.fresh_seed,
            folder: None,
            samples: self.first_deals.samples,
            csv_report: self.first_deals.rows.map(CsvReport::into_bytes),
            kept_theory: self.kept_theory,
            between: self.merged.map_or_else(Vec::new, |merged| merged.between),
        }
    }

    /// The contents of run.json.
    fn record(&self, prepared: &Prepared, verdict: Option<&Verdict>, level: Level) -> RunRecord {
        let (population, dealt, run) = (&prepared.population, &self.dealt, &self.dealt.record);
        let counts = &dealt.counted.counts;
        let filter = (!population.is_exact()).then(|| {
            let terms = population.filter().iter().map(ToString::to_string);
            let kept = dealt.counted.kept_counts.kept;
            FilterRecord::new(terms.collect(), counts.deals(), kept)
        });
        let evidence = dealt.battery.as_ref().zip(verdict);
        let merged = self.merged.as_ref();
        let common = CommonRecord {
            program: run.program.clone(),
            case_file: run.case_file.clone(),
            total: population.total().to_string(),
            threads: dealt.threads,
            start: run.start.clone(),
            end: self.ended.clone(),
            seconds: run.seconds,
            host: HostRecord::here(),
            verdict: level,
            evidence: evidence
                .map(|(battery, verdict)| EvidenceRecord::new(verdict, battery.looks(), run.keep)),
            expected: match (&filter, &dealt.battery, &self.kept_theory) {
                (Some(_), _, Some(_)) | (None, Some(_), _) => "exact".to_owned(),
                (Some(_), ..) => NO_KEPT_THEORY.to_owned(),
                (None, None, _) => format!("none: {}", TheoryError::TooLong),
            },
        };
        RunRecord {
            common,
            identity: run.identity.clone(),
            planning: run.planning.clone(),
            cases: population.listing().map(|listed| listed.file.cases()),
            cells: population.cells().map(CellsRecord::new),
            probability: probability(population, filter.as_ref()),
            filter,
            path: dealt.path.clone(),
            pace: dealt.pace.clone(),
            dealt: counts.deals() + counts.illegal + counts.foreign,
            stopped: dealt.stopped,
            resumed: run.resumed,
            part: run.part,
            processes: dealt.processes,
            parts: merged.map_or_else(Vec::new, |merged| merged.parts.clone()),
            between_parts: merged.map_or_else(Vec::new, |merged| merged.between.clone()),
            battery: match dealt.battery {
                Some(_) => run.battery.clone(),
                None => "none".to_owned(),
            },
        }
    }
}

impl RunReport {
    /// The counts of the deals, without those that a filter rejected.
    pub fn counts(&self) -> Sample {
        let RunCounts {
            counts,
            kept_counts,
            ..
        } = &self.counted;
        match self.prepared.population.is_exact() {
            false => Sample::new(&kept_counts.tally, &self.answered),
            true => Sample::new(&counts.tally(), &self.answered),
        }
    }

    /// Median nanoseconds per deal, if measured.
    pub fn median_ns(&self) -> Option<f64> {
        let median = self.counted.latency.ns_at(50.0);
        median.filter(|&ns| ns > 0.0)
    }

    /// Every table of the report.
    pub fn tables(&self) -> Vec<Table> {
        let RunCounts {
            counts,
            kept_counts,
            latency,
        } = &self.counted;
        let battery = self.battery.as_ref();
        let theory = match self.prepared.population.is_exact() {
            false => self.kept_theory.as_ref(),
            true => battery.map(|battery| battery.expected().theory()),
        };
        let mut tables = counts_tables(&self.counts(), theory);
        tables.push(latency_table(latency));
        let answered = &self.answered;
        tables.extend(statistics_tables(kept_counts.statistics.deals(), answered));
        if let (Some(battery), Some(verdict)) = (&self.battery, &self.verdict) {
            tables.extend([tests_table(&battery.rows()), bounds_table(&verdict.bounds)]);
            let groups = battery.case_groups(counts);
            tables.extend((!groups.is_empty()).then(|| case_groups_table(&groups)));
        }
        if !self.record.parts.is_empty() {
            tables.push(parts_table(&self.record.parts));
            let between = &self.between;
            tables.extend((!between.is_empty()).then(|| heterogeneity_table(between)));
        }
        tables
    }

    /// The record with the most important tables, for JSON.
    pub fn document<'d>(&'d self, tables: &'d [Table]) -> Document<'d, RunRecord> {
        Document::new(&self.record, tables)
    }

    /// The report as a self-contained HTML page. Requires the feature `html`.
    #[cfg(feature = "html")]
    pub fn page(&self) -> String {
        self.page_of(&self.tables())
    }

    #[cfg(feature = "html")]
    fn page_of(&self, tables: &[Table]) -> String {
        let tests = self.battery.as_ref().map(Battery::rows);
        page(&Shown {
            name: &self.name,
            subject: &AnyRecord::from(&self.record),
            tables,
            tests: &tests.unwrap_or_default(),
            detectable: None,
            condition: &self.prepared.script.condition.in_bridge_notation(),
            samples: &self.samples,
        })
    }

    /// Writes the report into a folder that contains no other.
    ///
    /// # Errors
    ///
    /// If the folder contains the report of another run, or cannot be written.
    pub fn write_to(&mut self, path: &Path) -> Result<(), Error> {
        let folder = AnyRecord::from(&self.record).take(path, OnConflict::Keep)?;
        self.write(&folder)
    }

    /// The files of the report, the record last; tables in these formats.
    pub fn files(&self, formats: &[TableFormat]) -> Vec<ReportFile> {
        let tables = self.tables();
        let mut others = Vec::new();
        if let Some(rows) = &self.csv_report {
            others.push((Folder::CSV_REPORT.to_owned(), rows.clone()));
        }
        #[cfg(feature = "html")]
        others.push((Folder::PAGE.to_owned(), self.page_of(&tables).into_bytes()));
        let record = (&self.record, self.median_ns());
        counted_files(&tables, formats, others, &self.counts(), record)
    }

    /// Writes every file, and the record last: a folder with a run.json is complete.
    pub(crate) fn write(&mut self, folder: &Folder) -> Result<(), Error> {
        folder.write_report(&self.files(folder.formats()))?;
        self.folder = Some(folder.path().to_owned());
        Ok(())
    }

    /// Folder of the report; empty if it was not written.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new(""))
    }
}

/// Probability of the condition: exact, or estimated from the filter's acceptance rate.
fn probability(
    population: &Population,
    filter: Option<&FilterRecord>,
) -> Option<ProbabilityRecord> {
    let base = Ratio::from(population.base_probability());
    match filter {
        None => Some(ProbabilityRecord::exact(base)),
        Some(filter) => ProbabilityRecord::estimated(base, filter),
    }
}

/// The checkpoint record of a run that starts now.
pub(super) fn description(
    prepared: &Prepared,
    identity: Identity,
    battery: &BatteryRequest,
) -> CheckpointRecord {
    CheckpointRecord {
        program: PROGRAM.to_owned(),
        identity,
        planning: prepared.planning.clone(),
        case_file: prepared.case_file_record(),
        battery: battery.depth().name().to_owned(),
        target: battery.target(),
        keep: battery.keep(),
        part: None,
        start: UtcTime::now().to_string(),
        seconds: 0.0,
        dealt: 0,
        resumed: 0,
    }
}
