//! What an audit leaves in its folder.

use std::path::Path;

use fairdeal::battery::Verdict;
use fairdeal::cards::Deal;
use fairdeal::report::{
    AuditRecord, Folder, Shown, Subject, Table, bounds_table, case_groups_table, counts_tables,
    page, problems_table, reference_table, repeats_table, sessions_table, sources_table,
    tests_table,
};
use fairdeal::theory::null_laws;

use super::reading::Read;
use fairdeal::Error;

/// Every table of the report.
fn tables(read: &Read<'_>, verdict: Option<&Verdict>, record: &AuditRecord) -> Vec<Table> {
    let (intake, names) = (&read.auditor.intake, read.names());
    let is_any = record.identity.condition.is_empty() && !read.any_condition;
    let laws = (is_any && !intake.sessions().is_empty()).then(null_laws);
    let mut tables = vec![
        sources_table(&record.sources),
        problems_table(&names, intake),
        repeats_table(&names, intake),
    ];
    tables.extend(sessions_table(&names, intake.sessions(), laws.as_ref()));
    if let (Some(tested), Some(verdict)) = (&read.tested, verdict) {
        let (battery, survey) = (tested.battery(), tested.survey());
        let theory = (!read.any_condition).then(|| battery.expected().theory());
        let rows = battery.rows();
        tables.extend(counts_tables(&survey.tally(), theory));
        tables.extend([tests_table(&rows), bounds_table(&verdict.bounds)]);
        tables.extend(reference_table(&rows, &battery.placed()));
        let groups = battery.case_groups(survey);
        tables.extend((!groups.is_empty()).then(|| case_groups_table(&groups)));
    }
    tables
}

/// The first deals that were tested, and where they were read.
fn samples(read: &Read<'_>) -> Vec<(String, Deal)> {
    let names = read.names();
    let first = read.auditor.first().iter().map(|(place, deal)| {
        let file = Path::new(&names[place.input as usize]).file_name();
        let file = file.unwrap_or_default().to_string_lossy();
        (format!("{file}, line {}", place.line), *deal)
    });
    first.collect()
}

/// Writes the report, its record last; gives the record's bytes. `named` is what the report
/// goes by, and the condition in bridge notation.
pub(super) fn write(
    folder: &Folder,
    read: &Read<'_>,
    verdict: Option<&Verdict>,
    record: &AuditRecord,
    named: (&str, &[String]),
) -> Result<Vec<u8>, Error> {
    let rows = read.tested.as_ref().map(|tested| tested.battery().rows());
    let rows = rows.unwrap_or_default();
    let tables = tables(read, verdict, record);
    let html = page(&Shown {
        name: named.0,
        subject: Subject::Audit(record),
        tables: &tables,
        tests: &rows,
        condition: named.1,
        samples: &samples(read),
    });
    folder.begin()?;
    folder.write_tables(&tables)?;
    folder.write_page(&html)?;
    Ok(folder.write_audit(record)?)
}
