//! The facts and small tables of a page.

use super::counts::table;
use crate::AuditRecord;
use crate::battery::{TestRow, strongest};
use crate::language::Scenario;
use crate::printable::{number_of_deals, three_digits, three_digits_log10};
use crate::printable::{printable, thousands, with_noun};
use crate::record::{HostRecord, RunRecord};
use crate::stats::elementary::log2;
use crate::stats::log10_sum;
use crate::table::{Cell, Table, table_of};
use crate::{AnyRecord, TableName};

/// The beginning of the names of reports of unnamed conditions; their hash follows.
pub(crate) const UNNAMED: &str = "condition-";
/// Maximum number of rows of a table on the page; the files have all.
const MOST_ROWS: usize = 10;

/// A named fact.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

pub(super) fn fact(name: &'static str, value: impl Into<String>) -> Fact {
    let value = value.into();
    Fact { name, value }
}

/// The facts of a run or audit: sample, source, program, host and time.
pub(crate) fn facts(subject: &AnyRecord) -> Vec<Fact> {
    match subject {
        AnyRecord::Run(record) => of_run(record),
        AnyRecord::Audit(record) => of_audit(record),
    }
}

fn of_run(record: &RunRecord) -> Vec<Fact> {
    let identity = &record.identity;
    let mut all = vec![fact("deals", thousands(record.dealt))];
    if let Some(part) = &record.part {
        let (from, of) = (thousands(part.first_deal + 1), thousands(identity.deals));
        let until = thousands(part.first_deal.saturating_add(part.deals));
        let deals = format!("{}, deals {from} to {until} of {of}", part.part);
        all.push(fact("part", deals));
    }
    if !record.parts.is_empty() {
        all.push(fact(
            "merged from",
            with_noun(record.parts.len() as u64, "part"),
        ));
        if let Some(words) = record.between_parts() {
            all.push(fact("parts compared", words));
        }
    }
    if let Some(stopped) = &record.stopped {
        let dealt = record.dealt_of_asked();
        all.push(fact("stopped", format!("{}; {dealt}", stopped.name())));
    }
    if let Some(filter) = &record.filter {
        let (kept, share) = (thousands(filter.kept), filter.share());
        all.push(fact("kept by the filter", format!("{kept}, {share}")));
    }
    let is_one = record.parts.is_empty();
    if is_one && record.stopped.is_none() && record.common.seconds > 0.0 {
        all.push(fact("speed", speed(record.dealt, record.common.seconds)));
    }
    let of = if is_one { "" } else { " for all parts" };
    all.push(fact("time", format!("{}{of}", time(record.common.seconds))));
    all.push(fact("seed", identity.seed.clone()));
    all.push(fact("generator", identity.generator.to_string()));
    if let Some(cases) = record.cases {
        let total = whole(&record.common.total);
        let what = format!(
            "{} cases with {total} deals ({})",
            thousands(cases),
            identity.population.order
        );
        all.push(fact("population", what));
    } else if let Some(cells) = &record.cells {
        let (total, hands) = (whole(&cells.total), cells.hands.join(","));
        let what = format!(
            "{} cells with {total} deals ({hands})",
            thousands(cells.cells)
        );
        all.push(fact("population", what));
    } else {
        let total = whole(&record.common.total);
        all.push(fact("population", format!("all {total} deals")));
    }
    all.push(fact("battery", record.battery.clone()));
    let threads = with_noun(record.common.threads as u64, "thread");
    let threads = match record.processes {
        Some(processes) => format!("{processes} processes, {threads}, {}", record.path),
        None => format!("{threads}, {}", record.path),
    };
    all.push(fact("threads", threads));
    all.push(fact("program", record.common.program.clone()));
    all.push(fact("host", host(&record.common.host)));
    all.push(fact("start", moment(&record.common.start)));
    all
}

fn of_audit(record: &AuditRecord) -> Vec<Fact> {
    let read: u64 = record.sources.iter().map(|source| source.counts.read).sum();
    let mut all = vec![
        fact("boards read", thousands(read)),
        fact("deals tested", thousands(record.deals)),
        fact("sessions", thousands(record.sessions)),
        fact("time", time(record.common.seconds)),
        fact("battery", record.depth.clone()),
        fact("program", record.common.program.clone()),
        fact("host", host(&record.common.host)),
        fact("start", moment(&record.common.start)),
    ];
    if let Some(search) = &record.seed_search {
        let tried = whole(&search.tried);
        let found = match search.found.as_slice() {
            [] => "no match".to_owned(),
            found => found.join("; "),
        };
        all.push(fact("seed search", format!("{tried} seeds tried: {found}")));
    }
    if let Some(stopped) = record.stopped {
        all.push(fact("stopped", stopped.name()));
    }
    if !record.parts.is_empty() {
        let parts = with_noun(record.parts.len() as u64, "part");
        all.push(fact("merged from", parts));
    }
    if let Some(command) = &record.identity.command {
        all.push(fact("command", command.command.as_str()));
        all.push(fact("seed", command.seed.to_string()));
        all.extend(command.part.map(|part| fact("part", part.to_string())));
    }
    all
}

/// An integer with commas, from its decimal text.
fn whole(digits: &str) -> String {
    digits
        .parse::<u128>()
        .map_or_else(|_| digits.to_owned(), thousands)
}

fn speed(deals: u64, seconds: f64) -> String {
    format!(
        "{} million deals per second",
        three_digits(deals as f64 / seconds / 1e6)
    )
}

/// A duration in seconds, minutes or hours.
pub(super) fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..120 => format!("{} s", three_digits(seconds)),
        120..7_200 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
    }
}

/// A time stamp without fractions of a second.
pub(super) fn moment(stamp: &str) -> String {
    match stamp.split_once('.') {
        Some((whole, _)) => format!("{} UTC", whole.replace('T', " ")),
        None => stamp.to_owned(),
    }
}

pub(super) fn host(host: &HostRecord) -> String {
    let processor = match host.processor.as_str() {
        "" => host.arch.as_str(),
        processor => processor,
    };
    let processors = host.processors;
    format!("{processor}, {processors} processors, {}", host.os)
}

/// The command that repeats the counts, if one line can. `None` for scripts, whose path is unknown,
/// for raw random words, which cannot be read again, and for stopped runs.
pub(crate) fn command(name: &str, record: &RunRecord) -> Option<String> {
    let identity = &record.identity;
    let (generator, condition) = (&identity.generator, &identity.condition);
    let is_repeatable = generator.defect().is_some() || generator.seeded().is_some();
    let is_plain = identity.produce.is_none() && identity.population.listed.is_empty();
    if !is_repeatable || !is_plain || record.stopped.is_some() {
        return None;
    }
    let scenario = Scenario::named(name);
    let is_scenario = scenario.is_some_and(|known| known.condition().text() == condition);
    let input = match is_scenario {
        true => name.to_owned(),
        false if condition.lines().count() == 1 && name.starts_with(UNNAMED) => {
            format!("--where '{}'", condition.replace('\'', r"'\''"))
        }
        false => return None,
    };
    let by = match generator.defect() {
        Some(defect) => format!("--defect {}", defect.name),
        None => format!("--rng {generator}"),
    };
    let order = match identity.population.order.as_str() {
        "" => String::new(),
        order => format!(" --order {order}"),
    };
    let sampler = match identity.population.sampler.as_str() {
        "" => String::new(),
        sampler => format!(" --sampler {sampler}"),
    };
    let deals = match identity.is_endless() {
        true => record.dealt,
        false => identity.deals,
    };
    let (batch, seed) = (identity.batch, &identity.seed);
    let part = record.part.as_ref();
    let part = part.map_or_else(String::new, |record| format!(" --part {}", record.part));
    Some(format!(
        "fairdeal run {input}{order}{sampler} --deals {deals} --seed {seed} {by} --batch {batch}{part}"
    ))
}

/// The strongest evidence, and the sum over all tests.
#[derive(Clone, Debug, PartialEq)]
pub struct EvidenceTable {
    pub(crate) table: Table,
    pub(crate) caption: &'static str,
    /// E*, the sum of all contributions.
    pub(crate) sum: String,
    /// S = log10 E*.
    pub(crate) s: String,
    /// The look of S, if there were several.
    pub(crate) at: &'static str,
}

impl EvidenceTable {
    /// The tests shown, of those with these log10 of contributions, and the others in a row. If none
    /// is shown, the caption is `nothing`. `None` without tests.
    pub(crate) fn new<'t, T>(
        all: &[(f64, &'t T)],
        shown: &[&'t T],
        nothing: &'static str,
        table: impl FnOnce(&[&'t T]) -> Table,
    ) -> Option<Self> {
        let sum = |tests: &[f64]| (!tests.is_empty()).then(|| log10_sum(tests));
        let is_shown = |test: &T| shown.iter().any(|shown| std::ptr::eq(*shown, test));
        let others = all.iter().filter(|(_, test)| !is_shown(test));
        let others: Vec<f64> = others.map(|(log10, _)| *log10).collect();
        let s = sum(&all.iter().map(|(log10, _)| *log10).collect::<Vec<f64>>())?;
        let mut table = table(shown);
        let (noun, caption) = match shown.is_empty() {
            true => ("test", nothing),
            false => (
                "other test",
                "Strongest evidence, the largest contribution first",
            ),
        };
        if let Some(sum) = sum(&others) {
            let (count, sum) = (
                with_noun(others.len() as u64, noun),
                three_digits_log10(sum),
            );
            let empty = || Cell::Empty;
            table.push(vec![count.into(), empty(), empty(), empty(), sum.into()]);
        }
        Some(Self {
            table,
            caption,
            sum: three_digits_log10(s),
            s: format!("{s:.2}"),
            at: "",
        })
    }
}

/// Returns the tests with evidence, the largest contribution first, and the sum over all tests.
pub fn evidence_table(tests: &[TestRow]) -> Option<EvidenceTable> {
    let measured = tests.iter();
    let measured = measured.filter_map(|row| Some((row.contribution_log10()?, row)));
    let shown: Vec<&TestRow> = strongest(tests).into_iter().take(MOST_ROWS).collect();
    let nothing = "No test has an e-value above 1 and a p-value of at most 0.1";
    let number = |log10: Option<f64>| log10.map_or_else(String::new, three_digits_log10);
    let table = |shown: &[&TestRow]| {
        table_of!(TableName::Tests, shown, |row| {
            text "test": row.name(),
            text "examines": row.test.looks_at(),
            text "largest deviation": row.effect.clone(),
            printed "p": number(row.evidence_log10_p),
            printed "weight × e-value": number(row.contribution_log10()),
        })
    };
    let found = EvidenceTable::new(&measured.collect::<Vec<_>>(), &shown, nothing, table)?;
    let at = " at the last look";
    Some(EvidenceTable { at, ..found })
}

/// The rows of `bounds` in plain words: cells and the deal space.
pub(crate) fn bounds(tables: &[Table]) -> Table {
    let rows = table(tables, TableName::Bounds).map_or(&[][..], Table::rows);
    let each = rows.iter().filter_map(|row| {
        let (quantity, value) = (row[0].to_text(), row[1].number()?);
        let bound = match quantity.as_str() {
            quantity if quantity.starts_with("departure") => return None,
            quantity if quantity.starts_with("deal space") => {
                format!("at least {} (2^{:.1})", number_of_deals(value), log2(value))
            }
            _ => format!(
                "within {} % of the expected value",
                three_digits(100.0 * value)
            ),
        };
        let quantity = match quantity.as_str() {
            "card at a seat" => "any card at any seat".to_owned(),
            "shape at a seat" => "shapes with a probability of 0.01 or more".to_owned(),
            "hcp at a seat" => "HCP with a probability of 0.01 or more".to_owned(),
            quantity => quantity.replace(", deals at least", ""),
        };
        Some((quantity, bound))
    });
    table_of!(TableName::Bounds, each, |(quantity, bound)| {
        text "quantity": quantity,
        text "bound": bound,
    })
}

/// The counts of boards of the first files of an audit; `None` without files.
pub(crate) fn boards(record: &AuditRecord) -> Option<Table> {
    let sources = record.sources.iter().take(2 * MOST_ROWS);
    let table = table_of!(TableName::Sources, sources, |source| {
        text "file": printable(&source.file).into_owned(),
        text "format": source.format.clone(),
        printed "read": thousands(source.counts.read),
        printed "valid": thousands(source.counts.valid),
        printed "replayed": thousands(source.counts.duplicate),
        printed "conflicts": thousands(source.counts.conflict),
        printed "incomplete": thousands(source.counts.incomplete),
        printed "invalid": thousands(source.counts.invalid),
    });
    (!table.rows().is_empty()).then_some(table)
}

/// A table file in the folder of the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableFile {
    pub(crate) file: String,
    pub(crate) rows: String,
    pub(crate) columns: String,
}

/// The table files in the folder of the page.
pub(crate) fn files(tables: &[Table]) -> Vec<TableFile> {
    let each = tables.iter().map(|table| {
        let columns: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        TableFile {
            file: format!("{}.csv", table.name()),
            rows: thousands(table.rows().len() as u64),
            columns: columns.join(", "),
        }
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit_that_fits() {
        assert_eq!(time(0.126), "0.126 s");
        assert_eq!(time(119.0), "119 s");
        assert_eq!(time(150.4), "2 min 30 s");
        assert_eq!(time(8.5 * 3_600.0), "8 h 30 min");
    }
}
