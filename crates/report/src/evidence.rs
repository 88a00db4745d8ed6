//! Tables of evidence: tests, bounds, groups of cases, parts and self-tests.

use super::record::MergedPart;
use super::table::{Table, table_of};
use super::table_name::TableName;
use crate::battery::{Bound, CaseGroup, Heterogeneity, Level, TestRow, by_contribution};
use crate::run::NullRow;

/// `tests`: a row for every test and subject, the largest contribution to E* first.
pub fn tests_table(rows: &[TestRow]) -> Table {
    let mut rows: Vec<&TestRow> = rows.iter().collect();
    rows.sort_by(|one, other| by_contribution(one, other));
    table_of!(TableName::Tests, rows, |row| {
        text "test": row.test.name(),
        text "subject": row.subject.clone(),
        real "statistic": row.statistic,
        real "dof": row.dof,
        real "log10_p": row.log10_p,
        real "log10_e": row.log10_e,
        real "weight": row.weight,
        integer "looks": row.looks,
        text "verdict": row.level.of_test(row.looks),
    })
}

/// `bounds`: confidence bounds on the remaining error.
pub fn bounds_table(bounds: &[Bound]) -> Table {
    table_of!(TableName::Bounds, bounds, |bound| {
        text "quantity": bound.quantity.clone(),
        real "relative_bound": bound.value,
        real "confidence": bound.confidence,
    })
}

/// `case_groups`: cases in file order, in groups with enough expected draws.
pub fn case_groups_table(groups: &[CaseGroup]) -> Table {
    let z = |group: &CaseGroup| {
        let (expected, p) = (group.expected(), group.probability);
        let spread = (expected * (1.0 - p)).sqrt();
        (spread > 0.0).then(|| (group.observed as f64 - expected) / spread)
    };
    table_of!(TableName::CaseGroups, groups.iter().enumerate(), |(place, group)| {
        integer "group": place + 1,
        integer "first_case": group.first_case + 1,
        integer "last_case": group.last_case + 1,
        integer "observed": group.observed,
        real "expected": group.expected(),
        real "z": z(group),
    })
}

/// `parts`: the parts of a merged report.
pub fn parts_table(parts: &[MergedPart]) -> Table {
    table_of!(TableName::Parts, parts, |merged| {
        integer "part": merged.part.part.part,
        integer "of": merged.part.part.of,
        integer "first_batch": merged.part.first_batch,
        integer "batches": merged.part.batches,
        integer "first_deal": merged.part.first_deal,
        integer "deals": merged.part.deals,
        real "seconds": merged.seconds,
        integer "threads": merged.threads,
        text "host": merged.host.clone(),
        text "verdict": merged.verdict.map_or("", Level::name),
        text "folder": merged.path.clone(),
    })
}

/// `heterogeneity`: tests of differences between parts.
pub fn heterogeneity_table(rows: &[Heterogeneity]) -> Table {
    table_of!(TableName::Heterogeneity, rows, |row| {
        text "quantity": row.quantity.clone(),
        text "subject": row.subject.clone(),
        real "statistic": row.statistic,
        real "dof": row.dof,
        real "log10_p": row.log10_p,
    })
}

/// `self_test`: the null distribution of every test in a self-test.
pub fn null_rows_table(rows: &[NullRow]) -> Table {
    table_of!(TableName::SelfTest, rows, |row| {
        text "test": row.test.name(),
        text "subject": row.subject.clone(),
        integer "runs": row.runs,
        real "mean": row.found.0,
        real "expected_mean": row.expected.map(|(mean, _)| mean),
        real "variance": row.found.1,
        real "expected_variance": row.expected.map(|(_, variance)| variance),
        real "z_mean": row.z.map(|(mean, _)| mean),
        real "z_variance": row.z.map(|(_, variance)| variance),
        real "log10_p_uniform": row.is_judged.then_some(row.uniform_log10),
        real "log10_least_p_times_runs": row.is_judged.then_some(row.least_log10),
    })
}
