//! What a run leaves in its folder.

use fairdeal::battery::{Battery, Level, Verdict};
use fairdeal::cards::Deal;
use fairdeal::report::{
    Answered, CaseFileRecord, CheckpointRecord, EvidenceRecord, FilterRecord, Folder, HostRecord,
    Identity, PROGRAM, RunRecord, Shown, Subject, Table, bounds_table, case_groups_table,
    counts_tables, latency_table, page, statistics_tables, tests_table,
};
use fairdeal::run::{Pace, Surveyed};
use fairdeal::theory::TheoryError;

use crate::cli::battery::BatteryOptions;
use crate::cli::deals::Deals;
use crate::cli::failure::Failure;

/// What a run came to.
pub(super) struct Outcome<'o> {
    pub(super) deals: &'o Deals,
    pub(super) surveyed: &'o Surveyed,
    pub(super) answered: &'o [Answered<'o>],
    pub(super) battery: Option<&'o Battery>,
    pub(super) verdict: Option<&'o Verdict>,
    /// What a checkpoint of it would say.
    pub(super) run: CheckpointRecord,
    pub(super) pace: Option<Pace>,
    pub(super) stopped: Option<String>,
    pub(super) threads: usize,
    pub(super) path: String,
    pub(super) end: String,
}

impl Outcome<'_> {
    /// The verdict in a word.
    pub(super) fn level(&self) -> Level {
        let survey = &self.surveyed.survey;
        match self.verdict {
            Some(verdict) => verdict.level,
            None if survey.illegal + survey.cases.foreign() > 0 => Level::Invalid,
            None => Level::Inconclusive,
        }
    }

    /// The contents of run.json.
    pub(super) fn record(&self) -> RunRecord {
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
            cases: deals.file.as_ref().map(|(_, file)| file.cases()),
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
        tables
    }

    /// Writes every file, the record last: a folder with a run.json is whole. Gives its bytes.
    pub(super) fn write(
        &self,
        folder: &Folder,
        record: &RunRecord,
        name: &str,
        samples: &[(String, Deal)],
    ) -> Result<Vec<u8>, Failure> {
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
pub(super) fn description(
    deals: &Deals,
    identity: Identity,
    battery: &BatteryOptions,
    start: String,
) -> CheckpointRecord {
    CheckpointRecord {
        program: PROGRAM.to_owned(),
        identity,
        case_file: deals
            .file
            .as_ref()
            .map(|(path, file)| CaseFileRecord::new(path, file)),
        battery: battery.battery().name().to_owned(),
        target: battery.target(),
        keep: battery.keep(),
        start,
        seconds: 0.0,
        dealt: 0,
        resumed: 0,
    }
}
