//! Tables of evidence: tests, bounds, groups of cases, parts and self-tests.

use super::record::MergedPart;
use super::table::{Cell, Table, integer, real, text};
use super::table_name::TableName;
use crate::battery::{Bound, CaseGroup, Heterogeneity, TestRow, by_contribution};
use crate::run::NullRow;

/// `tests`: a row for every test and subject, the largest contribution to E* first.
#[must_use]
pub(crate) fn tests_table(rows: &[TestRow]) -> Table {
    let columns = [
        text("test"),
        text("subject"),
        real("statistic"),
        real("dof"),
        real("log10_p"),
        real("log10_e"),
        real("weight"),
        integer("looks"),
        text("verdict"),
    ];
    let mut rows: Vec<&TestRow> = rows.iter().collect();
    rows.sort_by(|one, other| by_contribution(one, other));
    let rows = rows.into_iter().map(|row| {
        [
            row.test.name().into(),
            row.subject.clone().into(),
            row.statistic.into(),
            row.dof.into(),
            row.log10_p.into(),
            row.log10_e.into(),
            row.weight.into(),
            row.looks.into(),
            row.level.of_test(row.looks).into(),
        ]
    });
    Table::of(TableName::Tests, columns, rows)
}

/// `bounds`: confidence bounds on the remaining error.
#[must_use]
pub(crate) fn bounds_table(bounds: &[Bound]) -> Table {
    let columns = [text("quantity"), real("relative_bound"), real("confidence")];
    let rows = bounds.iter().map(|bound| {
        [
            bound.quantity.clone().into(),
            bound.value.into(),
            bound.confidence.into(),
        ]
    });
    Table::of(TableName::Bounds, columns, rows)
}

/// `case_groups`: cases in file order, in groups with enough expected draws.
#[must_use]
pub(crate) fn case_groups_table(groups: &[CaseGroup]) -> Table {
    let columns = [
        integer("group"),
        integer("first_case"),
        integer("last_case"),
        integer("observed"),
        real("expected"),
        real("z"),
    ];
    let rows = groups.iter().enumerate().map(|(place, group)| {
        let (expected, p) = (group.expected(), group.probability);
        let spread = (expected * (1.0 - p)).sqrt();
        let z = (spread > 0.0).then(|| (group.observed as f64 - expected) / spread);
        [
            (place + 1).into(),
            (group.first_case + 1).into(),
            (group.last_case + 1).into(),
            group.observed.into(),
            expected.into(),
            z.into(),
        ]
    });
    Table::of(TableName::CaseGroups, columns, rows)
}

/// `parts`: the parts of a merged report.
#[must_use]
pub(crate) fn parts_table(parts: &[MergedPart]) -> Table {
    let columns = [
        integer("part"),
        integer("of"),
        integer("first_batch"),
        integer("batches"),
        integer("first_deal"),
        integer("deals"),
        real("seconds"),
        integer("threads"),
        text("host"),
        text("verdict"),
        text("folder"),
    ];
    let rows = parts.iter().map(|merged| {
        let part = &merged.part;
        let threads = merged.threads.map(|threads| threads as u64);
        [
            part.part.part.into(),
            part.part.of.into(),
            part.first_batch.into(),
            part.batches.into(),
            part.first_deal.into(),
            part.deals.into(),
            merged.seconds.into(),
            threads.map_or(Cell::Empty, Cell::from),
            merged.host.clone().into(),
            merged.verdict.clone().unwrap_or_default().into(),
            merged.path.clone().into(),
        ]
    });
    Table::of(TableName::Parts, columns, rows)
}

/// `heterogeneity`: tests of differences between parts.
#[must_use]
pub(crate) fn heterogeneity_table(rows: &[Heterogeneity]) -> Table {
    let columns = [
        text("quantity"),
        text("subject"),
        real("statistic"),
        real("dof"),
        real("log10_p"),
    ];
    let rows = rows.iter().map(|row| {
        [
            row.quantity.clone().into(),
            row.subject.clone().into(),
            row.statistic.into(),
            row.dof.into(),
            row.log10_p.into(),
        ]
    });
    Table::of(TableName::Heterogeneity, columns, rows)
}

/// `self_test`: the null distribution of every test in a self-test.
#[must_use]
pub fn null_rows_table(rows: &[NullRow]) -> Table {
    let columns = [
        text("test"),
        text("subject"),
        integer("runs"),
        real("mean"),
        real("expected_mean"),
        real("variance"),
        real("expected_variance"),
        real("z_mean"),
        real("z_variance"),
        real("log10_p_uniform"),
        real("log10_least_p_times_runs"),
    ];
    let rows = rows.iter().map(|row| {
        [
            row.test.name().into(),
            row.subject.clone().into(),
            row.runs.into(),
            row.found.0.into(),
            row.expected.map(|(mean, _)| mean).into(),
            row.found.1.into(),
            row.expected.map(|(_, variance)| variance).into(),
            row.z.map(|(mean, _)| mean).into(),
            row.z.map(|(_, variance)| variance).into(),
            row.is_judged.then_some(row.uniform_log10).into(),
            row.is_judged.then_some(row.least_log10).into(),
        ]
    });
    Table::of(TableName::SelfTest, columns, rows)
}
