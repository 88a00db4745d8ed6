//! What the page says in words and small tables.

use std::borrow::Cow;

use super::Subject;
use super::counts::table;
use crate::battery::TestRow;
use crate::language::Scenario;
use crate::printable::printable;
use crate::report::TableName;
use crate::report::audit::{AuditRecord, SourceRecord};
use crate::report::number::{counted, grouped};
use crate::report::record::{HostRecord, RunRecord};
use crate::report::table::{Cell, Table};

/// What reports of conditions without a name are called, and their hash.
pub(crate) const UNNAMED: &str = "condition-";
/// Rows of tables that the page shows; the files have all.
const MOST_ROWS: usize = 10;

/// A line of what was done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

fn fact(name: &'static str, value: impl Into<String>) -> Fact {
    let value = value.into();
    Fact { name, value }
}

/// What was done, with what, where and when.
pub(crate) fn facts(subject: Subject<'_>) -> Vec<Fact> {
    match subject {
        Subject::Run(record) => of_run(record),
        Subject::Audit(record) => of_audit(record),
    }
}

fn of_run(record: &RunRecord) -> Vec<Fact> {
    let identity = &record.identity;
    let mut all = vec![fact("deals", grouped(record.dealt))];
    if let Some(part) = &record.part {
        let (from, of) = (grouped(part.first_deal + 1), grouped(identity.deals));
        let until = grouped(part.first_deal.saturating_add(part.deals));
        let deals = format!("{}, deals {from} to {until} of {of}", part.part);
        all.push(fact("part", deals));
    }
    if !record.parts.is_empty() {
        all.push(fact(
            "merged from",
            counted(record.parts.len() as u64, "part"),
        ));
        if let Some(words) = record.between_parts() {
            all.push(fact("the parts", words));
        }
    }
    if let Some(stopped) = &record.stopped {
        let asked = record
            .part
            .as_ref()
            .map_or(identity.deals, |part| part.deals);
        let asked = grouped(asked);
        all.push(fact("stopped", format!("{stopped}, before all of {asked}")));
    }
    if let Some(filter) = &record.filter {
        let (kept, share) = (grouped(filter.kept), filter.share());
        all.push(fact("kept", format!("{kept}, {share}")));
    }
    let is_one = record.parts.is_empty();
    if is_one && record.stopped.is_none() && record.seconds > 0.0 {
        all.push(fact("speed", speed(record.dealt, record.seconds)));
    }
    let of = if is_one { "" } else { " of all parts together" };
    all.push(fact("time", format!("{}{of}", time(record.seconds))));
    all.push(fact("seed", identity.seed.clone()));
    all.push(fact("generator", identity.generator.clone()));
    if let Some(cases) = record.cases {
        let total = whole(&record.total);
        let what = format!("{} cases, T = {total} ({})", grouped(cases), identity.order);
        all.push(fact("drawn from", what));
    } else if let Some(cells) = &record.cells {
        let (total, hands) = (whole(&cells.total), cells.hands.join(","));
        let what = format!("{} cells, T = {total} ({hands})", grouped(cells.cells));
        all.push(fact("drawn from", what));
    } else {
        let total = whole(&record.total);
        all.push(fact("drawn from", format!("all {total} deals")));
    }
    all.push(fact("battery", record.battery.clone()));
    let threads = counted(record.threads as u64, "thread");
    let threads = match record.processes {
        Some(processes) => format!("{processes} processes, {threads}, {}", record.path),
        None => format!("{threads}, {}", record.path),
    };
    all.push(fact("by", format!("{threads}, {}", record.program)));
    all.push(fact("on", host(&record.host)));
    all.push(fact("begun", moment(&record.start)));
    all
}

fn of_audit(record: &AuditRecord) -> Vec<Fact> {
    let read: u64 = record.sources.iter().map(|source| source.read).sum();
    let mut all = vec![
        fact("boards read", grouped(read)),
        fact("deals tested", grouped(record.deals)),
        fact("sessions", grouped(record.sessions)),
        fact("time", time(record.seconds)),
        fact("battery", record.depth.clone()),
        fact("by", record.program.clone()),
        fact("on", host(&record.host)),
        fact("begun", moment(&record.start)),
    ];
    if let Some(search) = &record.seed_search {
        let tried = whole(&search.tried);
        let found = match search.found.as_slice() {
            [] => "none of a known program's deals".to_owned(),
            found => found.join("; "),
        };
        all.push(fact("seeds", format!("{tried} tried: {found}")));
    }
    if record.interrupted {
        all.push(fact("stopped", "interrupted"));
    }
    all
}

/// An integer that a record has as text.
fn whole(digits: &str) -> String {
    digits
        .parse::<u128>()
        .map_or_else(|_| digits.to_owned(), grouped)
}

fn speed(deals: u64, seconds: f64) -> String {
    format!("{:.2} million a second", deals as f64 / seconds / 1e6)
}

/// A time as people say it.
fn time(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..120 => format!("{seconds:.2} s"),
        120..7_200 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
    }
}

/// A time stamp without fractions of a second.
fn moment(stamp: &str) -> String {
    match stamp.split_once('.') {
        Some((whole, _)) => format!("{} UTC", whole.replace('T', " ")),
        None => stamp.to_owned(),
    }
}

fn host(host: &HostRecord) -> String {
    let processor = match host.processor.as_str() {
        "" => host.arch.as_str(),
        processor => processor,
    };
    let processors = host.processors;
    format!("{processor}, {processors} processors, {}", host.os)
}

/// The command that makes the same counts again, where one line can say it: not of scripts,
/// whose file nobody knows, of words that come once, or of a run that was stopped.
pub(crate) fn command(name: &str, record: &RunRecord) -> Option<String> {
    let identity = &record.identity;
    let (generator, condition) = (identity.generator.as_str(), &identity.condition);
    let is_raw = generator.starts_with("file") || generator.starts_with("stdin");
    let is_plain = identity.produce.is_none() && identity.listed.is_empty();
    if is_raw || !is_plain || record.stopped.is_some() {
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
    let by = match generator.strip_prefix("defect ") {
        Some(defect) => format!("--defect {defect}"),
        None => format!("--rng {generator}"),
    };
    let order = match identity.order.as_str() {
        "" => String::new(),
        order => format!(" --order {order}"),
    };
    let sampler = match identity.sampler.as_str() {
        "" => String::new(),
        sampler => format!(" --sampler {sampler}"),
    };
    let (deals, batch, seed) = (identity.deals, identity.batch, &identity.seed);
    let part = record.part.as_ref();
    let part = part.map_or_else(String::new, |record| format!(" --part {}", record.part));
    Some(format!(
        "fairdeal run {input}{order}{sampler} --deals {deals} --seed {seed} {by} --batch {batch}{part}"
    ))
}

/// A test that says something.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strong {
    pub(crate) looks_at: &'static str,
    pub(crate) test: String,
    pub(crate) chance: String,
    pub(crate) evidence: String,
    pub(crate) verdict: &'static str,
    pub(crate) effect: String,
}

/// The tests whose evidence weighs most, the strongest first.
pub(crate) fn strongest(tests: &[TestRow]) -> Vec<Strong> {
    let weighed = |row: &TestRow| Some(row.log10_e? + row.weight.log10());
    let mut rows: Vec<(f64, &TestRow)> = tests
        .iter()
        .filter_map(|row| Some((weighed(row)?, row)))
        .collect();
    rows.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let rows = rows.into_iter().take(MOST_ROWS);
    rows.map(|(weighed, row)| Strong {
        looks_at: row.test.looks_at(),
        test: match row.subject.as_str() {
            "all" => row.test.name().to_owned(),
            subject => format!("{}, {subject}", row.test.name()),
        },
        chance: row.log10_p.map_or_else(String::new, chance),
        evidence: format!("{weighed:.2}"),
        verdict: row.level.of_test(row.looks),
        effect: row.effect.clone(),
    })
    .collect()
}

/// A p-value for people, of its decimal logarithm.
pub(crate) fn chance(log10_p: f64) -> String {
    match log10_p {
        log10_p if log10_p > -4.0 => format!("{:.4}", 10f64.powf(log10_p)),
        log10_p => format!("10^{log10_p:.1}"),
    }
}

/// A script's average.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mean {
    pub(crate) label: String,
    pub(crate) mean: String,
    pub(crate) error: String,
    pub(crate) exact: String,
}

/// The averages that a script asked for, the first of them.
pub(crate) fn averages(tables: &[Table]) -> Vec<Mean> {
    let rows = table(tables, TableName::Averages).map_or(&[][..], Table::rows);
    let number = |cell: &Cell| {
        cell.number()
            .map_or_else(|| "unknown".to_owned(), |number| format!("{number:.6}"))
    };
    let each = rows.iter().take(2 * MOST_ROWS).map(|row| Mean {
        label: row[0].to_text(),
        mean: number(&row[1]),
        error: number(&row[2]),
        exact: number(&row[4]),
    });
    each.collect()
}

/// What can still be wrong.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Limit {
    pub(crate) quantity: String,
    pub(crate) bound: String,
}

/// The rows of `bounds` that say something to players: cells, and how many deals there are.
pub(crate) fn bounds(tables: &[Table]) -> Vec<Limit> {
    let rows = table(tables, TableName::Bounds).map_or(&[][..], Table::rows);
    let each = rows.iter().filter_map(|row| {
        let (quantity, value) = (row[0].to_text(), row[1].number()?);
        let bound = match quantity.as_str() {
            quantity if quantity.starts_with("departure") => return None,
            quantity if quantity.starts_with("deal space") => {
                format!("2^{:.1} deals or more", value.log2())
            }
            _ => format!("off by less than {:.4} %", 100.0 * value),
        };
        let quantity = quantity.replace(", deals at least", "");
        let quantity = quantity.replace("hcp", "HCP");
        Some(Limit { quantity, bound })
    });
    each.collect()
}

/// What became of the boards of a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Boards<'r> {
    pub(crate) file: Cow<'r, str>,
    pub(crate) format: &'r str,
    pub(crate) numbers: [String; 5],
}

/// The files of an audit, the first of them.
pub(crate) fn boards(record: &AuditRecord) -> Vec<Boards<'_>> {
    let numbers = |source: &SourceRecord| {
        [
            source.read,
            source.valid,
            source.duplicate,
            source.incomplete,
            source.invalid,
        ]
    };
    let sources = record.sources.iter().take(2 * MOST_ROWS);
    let each = sources.map(|source| Boards {
        file: printable(&source.file),
        format: &source.format,
        numbers: numbers(source).map(grouped),
    });
    each.collect()
}

/// A file beside the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) file: String,
    pub(crate) rows: String,
    pub(crate) columns: String,
}

/// The tables that are written beside the page.
pub(crate) fn files(tables: &[Table]) -> Vec<Listed> {
    let each = tables.iter().map(|table| {
        let columns: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        Listed {
            file: format!("{}.csv", table.name()),
            rows: grouped(table.rows().len() as u64),
            columns: columns.join(", "),
        }
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_said_as_people_say_them() {
        assert_eq!(time(0.126), "0.13 s");
        assert_eq!(time(119.0), "119.00 s");
        assert_eq!(time(150.4), "2 min 30 s");
        assert_eq!(time(8.5 * 3_600.0), "8 h 30 min");
    }

    #[test]
    fn chances_are_never_rounded_to_none() {
        assert_eq!(chance(-1.0), "0.1000");
        assert_eq!(chance(-3.999), "0.0001");
        assert_eq!(chance(-808_000.0), "10^-808000.0");
    }
}
