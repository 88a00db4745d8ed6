//! The relation of two reports, by their records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::report::Report;
use crate::battery::Level;
use crate::draw::RandomSource;
use crate::error::Error;
use crate::language::Condition;
use crate::printable::{display_path, thousands};
use crate::{AnyRecord, AuditRecord, DealGenerator, RunRecord, Stopped, name_of_part};

/// The relation of two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// Independent, as far as the records show.
    Independent,
    /// They may share deals.
    Dependent,
    /// They are the same run, repeated.
    Same,
}

impl Relation {
    /// Returns the relation of two reports of one condition.
    pub(crate) fn of(a: &Report, b: &Report) -> Self {
        match (&a.record, &b.record) {
            (AnyRecord::Run(one), AnyRecord::Run(other)) => of_runs(one, other),
            (AnyRecord::Audit(one), AnyRecord::Audit(other)) => of_audits(one, other),
            _ => Self::Independent,
        }
    }
}

fn of_runs(one: &RunRecord, other: &RunRecord) -> Relation {
    let (a, b) = (&one.identity, &other.identity);
    // A defect uses the random words of the default generator.
    let shares_words =
        a.generator == b.generator || [a, b].iter().any(|of| of.generator.defect().is_some());
    // Words read from a file have no seed; two runs may have read the same words.
    let is_file = matches!(a.generator, DealGenerator::Fair(RandomSource::File(_)));
    if a.generator == b.generator && is_file {
        return Relation::Dependent;
    }
    match a.seed == b.seed && shares_words {
        false => Relation::Independent,
        true if a.difference(b).is_none() => of_parts(one, other),
        true => Relation::Dependent,
    }
}

/// The relation of two audits, by the contents of what they read: a file keeps its contents under
/// another name, and a name is given to other contents.
fn of_audits(one: &AuditRecord, other: &AuditRecord) -> Relation {
    let again = one.identity.command.is_some() && one.identity.command == other.identity.command;
    let is_alike = one.identity.options == other.identity.options
        && one.identity.condition == other.identity.condition;
    let contents = |record| hashes(record).map(|(_, hash)| hash);
    let is_same = contents(one).eq(contents(other)) && contents(one).next().is_some();
    match is_same || again && one.deals == other.deals {
        true if is_alike => Relation::Same,
        false if !again && shared_source(one, other).is_none() => Relation::Independent,
        _ => Relation::Dependent,
    }
}

/// The sources with boards, and the hashes of their deals.
fn hashes(record: &AuditRecord) -> impl Iterator<Item = (&str, &str)> {
    let read = record
        .sources
        .iter()
        .filter(|source| source.counts.valid > 0);
    read.map(|source| (&*source.file, &*source.blake3))
}

/// The names of a source that two audits have read, in each of them.
fn shared_source<'r>(one: &'r AuditRecord, other: &'r AuditRecord) -> Option<(&'r str, &'r str)> {
    let known: BTreeMap<&str, &str> = hashes(one).map(|(file, hash)| (hash, file)).collect();
    hashes(other).find_map(|(file, hash)| Some((*known.get(hash)?, file)))
}

/// The relation of two reports of one run, or of parts of it.
fn of_parts(one: &RunRecord, other: &RunRecord) -> Relation {
    let range = |record: &RunRecord| {
        let first = record.part.map_or(0, |part| part.first_deal);
        (first, first.saturating_add(record.dealt))
    };
    let (one, other) = (range(one), range(other));
    match one == other {
        true => Relation::Same,
        // Parts that do not overlap share no deals.
        false if one.1 <= other.0 || other.1 <= one.0 => Relation::Independent,
        false => Relation::Dependent,
    }
}

/// Refuses reports of different conditions.
pub(super) fn comparable(a: &Report, b: &Report) -> Result<(), Error> {
    let is_one = match (a.record.is_whole(), b.record.is_whole()) {
        (true, true) => true,
        (false, false) => {
            a.record.is_unknown() == b.record.is_unknown()
                && says_the_same(a.record.condition(), b.record.condition())
        }
        _ => false,
    };
    if !is_one {
        let [one, other] = [a, b].map(|report| {
            let condition = condition_of(&report.record);
            format!("{} has {condition}", display_path(&report.path))
        });
        return Err(Error::input(format!(
            "different conditions: {one}, {other}; compare two reports of the same condition"
        )));
    }
    match [a, b].into_iter().find(|report| report.sample.deals == 0) {
        Some(report) => {
            let path = display_path(&report.path);
            Err(Error::input(format!(
                "{path} has no deals: nothing to compare"
            )))
        }
        None => Ok(()),
    }
}

/// A condition as text, on one line.
fn condition_of(record: &AnyRecord) -> String {
    if record.is_whole() {
        return "none".to_owned();
    }
    if record.is_unknown() {
        return "unknown".to_owned();
    }
    let text = record.condition();
    match Condition::parse("report", text) {
        Ok(condition) => format!("`{}`", one_line(&condition.to_string())),
        Err(_) => format!("`{}`", one_line(text)),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// Whether two texts have the same meaning, in whatever form they are written.
fn says_the_same(a: &str, b: &str) -> bool {
    let [one, other] = [a, b].map(|text| Condition::parse("report", text).ok());
    match one.zip(other) {
        Some((one, other)) => {
            one.expression() == other.expression() && one.predeal() == other.predeal()
        }
        None => a == b,
    }
}

/// A field with different values in the two records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DifferingField {
    /// The name of the field.
    pub what: &'static str,
    /// Its value in the first report.
    pub a: String,
    /// Its value in the second report.
    pub b: String,
}

/// The fields of two records that can differ, in order.
fn fields(report: &Report) -> [(&'static str, String); 14] {
    let run = |of: fn(&RunRecord) -> String| match &report.record {
        AnyRecord::Run(run) => of(run),
        AnyRecord::Audit(_) => String::new(),
    };
    let audit = |of: fn(&AuditRecord) -> String| match &report.record {
        AnyRecord::Run(_) => String::new(),
        AnyRecord::Audit(audit) => of(audit),
    };
    let record = report.record.common();
    let battery = match &report.record {
        AnyRecord::Run(run) => &run.battery,
        AnyRecord::Audit(audit) => &audit.depth,
    };
    [
        ("deals", thousands(report.sample.deals)),
        ("part", run(|run| name_of_part(run.part.as_ref()))),
        ("files", audit(|audit| audit.identity.files.join(", "))),
        ("generator", run(|run| run.identity.generator.to_string())),
        (
            "seed",
            match &report.record {
                AnyRecord::Run(run) => run.identity.seed.clone(),
                AnyRecord::Audit(audit) => {
                    let command = audit.identity.command.as_ref();
                    command.map_or_else(String::new, |command| command.seed.to_string())
                }
            },
        ),
        ("batch", run(|run| run.identity.batch.to_string())),
        (
            "streams",
            run(|run| run.identity.format_version.to_string()),
        ),
        (
            "listed",
            run(|run| one_line(&run.identity.population.listed)),
        ),
        ("program", record.program.clone()),
        ("battery", battery.clone()),
        ("host", record.host.name.clone()),
        ("processor", record.host.processor.clone()),
        ("path", run(|run| run.path.clone())),
        ("threads", record.threads.to_string()),
    ]
}

/// The fields with different values; a field that only one record has is left out.
pub(super) fn differing(a: &Report, b: &Report) -> Vec<DifferingField> {
    let both = fields(a).into_iter().zip(fields(b));
    let different = both.filter(|((_, a), (_, b))| a != b && !a.is_empty() && !b.is_empty());
    different
        .map(|((what, a), (_, b))| DifferingField { what, a, b })
        .collect()
}

/// Warnings about the verdict.
pub(super) fn warnings(a: &Report, b: &Report, relation: Relation) -> Vec<String> {
    let mut warnings = Vec::new();
    if relation == Relation::Dependent {
        let why = match (&a.record, &b.record) {
            (AnyRecord::Audit(one), AnyRecord::Audit(other)) => match shared_source(one, other) {
                Some((file, same)) => format!("{file} in A and {same} in B have the same deals"),
                None => "both audits read processes with the same seeds".to_owned(),
            },
            _ => "both runs have the same seed, so they may share deals".to_owned(),
        };
        warnings.push(format!(
            "{why}: the samples are not independent, and S is not evidence"
        ));
    }
    for (name, report) in [("A", a), ("B", b)] {
        if report.record.common().verdict == Level::Invalid {
            warnings.push(format!(
                "{name} is INVALID: only its legal deals that satisfy the condition are compared"
            ));
        }
        if let AnyRecord::Run(run) = &report.record
            && run.stopped == Some(Stopped::Verdict)
        {
            warnings.push(format!(
                "{name} was stopped by its verdict, which biases its counts slightly"
            ));
        }
    }
    warnings
}
