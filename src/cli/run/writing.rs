//! What a run leaves in its folder.

use fairdeal::battery::{Battery, Heterogeneity, Level, Verdict};
use fairdeal::cards::Deal;
use fairdeal::report::{
    Answered, CellsRecord, CheckpointRecord, EvidenceRecord, FilterRecord, Folder, HostRecord,
    Identity, MergedPart, PROGRAM, RunRecord, Shown, Subject, Table, bounds_table,
    case_groups_table, counts_tables, heterogeneity_table, latency_table, page, parts_table,
    statistics_tables, tests_table,
};
use fairdeal::run::{Pace, Surveyed};
use fairdeal::theory::TheoryError;

use crate::cli::battery::BatteryOptions;
use crate::cli::deals::Deals;
use fairdeal::Error;

/// What a run came to.
pub(in crate::cli) struct Outcome<'o> {
    pub(in crate::cli) deals: &'o Deals,
    pub(in crate::cli) surveyed: &'o Surveyed,
    pub(in crate::cli) answered: &'o [Answered<'o>],
    pub(in crate::cli) battery: Option<&'o Battery>,
    pub(in crate::cli) verdict: Option<&'o Verdict>,
    /// What a checkpoint of it would say.
    pub(in crate::cli) run: CheckpointRecord,
    pub(in crate::cli) pace: Option<Pace>,
    pub(in crate::cli) stopped: Option<String>,
    pub(in crate::cli) threads: usize,
    pub(in crate::cli) path: String,
    pub(in crate::cli) end: String,
    /// What it was merged from.
    pub(in crate::cli) merged: Option<Merged>,
    /// Processes that dealt together.
    pub(in crate::cli) processes: Option<usize>,
}

/// The parts of a merged report.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Merged {
    pub(in crate::cli) parts: Vec<MergedPart>,
    pub(in crate::cli) between: Vec<Heterogeneity>,
}

impl Outcome<'_> {
    /// The verdict in a word.
    pub(in crate::cli) fn level(&self) -> Level {
        let survey = &self.surveyed.survey;
        match self.verdict {
            Some(verdict) => verdict.level,
            None if survey.illegal + survey.cases.foreign() > 0 => Level::Invalid,
            None => Level::Inconclusive,
        }
    }

    /// The contents of run.json.
    pub(in crate::cli) fn record(&self) -> RunRecord {
        let (deals, survey) = (self.deals, &self.surveyed.survey);
        let filter = (!deals.filter.is_empty()).then(|| FilterRecord {
            terms: deals.filter.iter().map(ToString::to_string).collect(),
            drawn: survey.deals(),
            kept: self.surveyed.sifted.kept,
        });
        let evidence = self.battery.zip(self.verdict);
        RunRecord {
            program: self.run.program.clone(),
            identity: self.run.identity.clone(),
            case_file: self.run.case_file.clone(),
            total: deals.total().to_string(),
            cases: deals.file.as_ref().map(|opened| opened.file.cases()),
            cells: deals.cells.as_ref().map(CellsRecord::new),
            expected: match (&filter, self.battery) {
                (Some(_), _) => "none: theory does not follow the filter".to_owned(),
                (None, None) => format!("none: {}", TheoryError::Predeal),
                (None, Some(_)) => "exact".to_owned(),
            },
            filter,
            threads: self.threads,
            path: self.path.clone(),
            start: self.run.start.clone(),
            end: self.end.clone(),
            seconds: self.run.seconds,
            pace: self.pace.clone(),
            dealt: survey.deals() + survey.illegal + survey.cases.foreign(),
            stopped: self.stopped.clone(),
            resumed: self.run.resumed,
            part: self.run.part,
            processes: self.processes,
            parts: self
                .merged
                .as_ref()
                .map_or_else(Vec::new, |merged| merged.parts.clone()),
            between_parts: self
                .merged
                .as_ref()
                .map_or_else(Vec::new, |merged| merged.between.clone()),
            host: HostRecord::here(),
            battery: match self.battery {
                Some(_) => self.run.battery.clone(),
                None => "none".to_owned(),
            },
            verdict: Some(self.level().name().to_owned()),
            evidence: evidence.map(|(battery, verdict)| {
                EvidenceRecord::new(verdict, battery.looks(), self.run.keep)
            }),
        }
    }

    /// Every table of the report.
    fn tables(&self) -> Vec<Table> {
        let Surveyed {
            survey,
            sifted,
            latency,
        } = self.surveyed;
        let mut tables = match self.deals.filter.is_empty() {
            false => counts_tables(&sifted.tally, None),
            true => {
                let theory = self.battery.map(|battery| battery.expected().theory());
                counts_tables(&survey.tally(), theory)
            }
        };
        tables.push(latency_table(latency));
        let answered = self.answered;
        tables.extend(statistics_tables(sifted.statistics.deals(), answered));
        if let (Some(battery), Some(verdict)) = (self.battery, self.verdict) {
            tables.extend([tests_table(&battery.rows()), bounds_table(&verdict.bounds)]);
            let groups = battery.case_groups(survey);
            tables.extend((!groups.is_empty()).then(|| case_groups_table(&groups)));
        }
        if let Some(merged) = &self.merged {
            tables.push(parts_table(&merged.parts));
            let between = &merged.between;
            tables.extend((!between.is_empty()).then(|| heterogeneity_table(between)));
        }
        tables
    }

    /// Writes every file, the record last: a folder with a run.json is whole. Gives its bytes.
    pub(in crate::cli) fn write(
        &self,
        folder: &Folder,
        record: &RunRecord,
        name: &str,
        samples: &[(String, Deal)],
    ) -> Result<Vec<u8>, Error> {
        let tables = self.tables();
        let tests = self.battery.map(Battery::rows).unwrap_or_default();
        let html = page(&Shown {
            name,
            subject: Subject::Run(record),
            tables: &tables,
            tests: &tests,
            condition: &self.deals.script.condition.in_bridge_notation(),
            samples,
        });
        folder.begin()?;
        folder.write_tables(&tables)?;
        folder.write_page(&html)?;
        Ok(folder.write_run(record)?)
    }
}

/// What checkpoints say of a run that begins now.
pub(in crate::cli) fn description(
    deals: &Deals,
    identity: Identity,
    battery: &BatteryOptions,
    start: String,
) -> CheckpointRecord {
    CheckpointRecord {
        program: PROGRAM.to_owned(),
        identity,
        case_file: deals.case_file_record(),
        battery: battery.battery().name().to_owned(),
        target: battery.target(),
        keep: battery.keep(),
        part: None,
        start,
        seconds: 0.0,
        dealt: 0,
        resumed: 0,
    }
}
