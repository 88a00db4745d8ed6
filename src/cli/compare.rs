//! `fairdeal compare`

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use fairdeal::Error;
use fairdeal::compare::{Comparison, Identical, Likeness, Relation, Report, Side, Speed};
use fairdeal::printable::{printable, shown};
use fairdeal::report::{counted, grouped};

use super::{json, output};

/// Tests that are printed.
const STRONGEST: usize = 3;
/// log10 of the largest p-value that is worth naming.
const WORTH_NAMING: f64 = -1.0;
/// Differences that are printed; more are in differences.csv.
const DIFFERENCES_PRINTED: usize = 20;

/// Compare two reports: are the samples alike, and which was faster
///
/// Reads two folders that `run` or `audit` wrote of one condition and compares their counts, table
/// by table: ALIKE (exit code 0), SUSPICIOUS or VERY SUSPICIOUS (1), DIFFERENT or, where they
/// share deals, TOO ALIKE (2), INCONCLUSIVE with too few deals (4). Of one run made twice, by
/// another version or on another machine, the counts have to be identical: ALIKE, or DIFFERENT
/// with the first rows that differ.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The first report's folder
    #[arg(value_name = "A")]
    a: PathBuf,

    /// The second
    #[arg(value_name = "B")]
    b: PathBuf,

    /// Write comparison.json, homogeneity.csv, differences.csv and compare.html into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Replace what the folder holds
    #[arg(long, requires = "out")]
    force: bool,

    /// Print nothing
    #[arg(short, long)]
    quiet: bool,

    /// Print the comparison as JSON instead of the summary
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
}

pub(super) fn execute(arguments: &Arguments) -> Result<u8, Error> {
    let [a, b] = [&arguments.a, &arguments.b];
    if let Some(out) = &arguments.out
        && [a, b].into_iter().any(|report| is_same_folder(out, report))
    {
        let out = shown(out);
        return Err(Error::usage(format!(
            "{out} is one of the two reports: write the comparison elsewhere with --out"
        )));
    }
    let (a, b) = (Report::read(a)?, Report::read(b)?);
    let comparison = Comparison::of(&a, &b)?;
    if let Some(out) = &arguments.out {
        comparison.write(out, arguments.force)?;
    }
    let stdout = &mut io::stdout().lock();
    let printed = match (arguments.json, arguments.quiet) {
        (true, _) => json::document(stdout, &comparison),
        (false, true) => Ok(()),
        (false, false) => {
            let mut text = Vec::new();
            let printed = print(&mut text, &comparison, arguments.out.as_deref());
            printed.and_then(|()| write_printable(stdout, &text))
        }
    };
    output::unless_closed(printed)?;
    Ok(comparison.verdict.exit_code())
}

/// Writes what may have a stranger's words in it: labels, names, verdicts.
fn write_printable(out: &mut impl Write, text: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(text);
    text.lines()
        .try_for_each(|line| writeln!(out, "{}", printable(line)))
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(fs::canonicalize);
    matches!((one, other), (Ok(one), Ok(other)) if one == other)
}

fn print(out: &mut impl Write, found: &Comparison, folder: Option<&Path>) -> io::Result<()> {
    print_side(out, "A", &found.a)?;
    print_side(out, "B", &found.b)?;
    for (place, field) in found.differs.iter().enumerate() {
        let label = if place == 0 { "differs" } else { "" };
        writeln!(
            out,
            "{label:<10}{}: {} and {}",
            field.what, field.a, field.b
        )?;
    }
    for warning in &found.warnings {
        writeln!(out, "warning   {warning}")?;
    }
    print_verdict(out, found)?;
    print_differences(out, found)?;
    print_speed(out, &found.speed)?;
    match folder {
        Some(folder) => writeln!(out, "report    {}", shown(folder)),
        None => Ok(()),
    }
}

fn print_side(out: &mut impl Write, name: &str, side: &Side) -> io::Result<()> {
    let deals = counted(side.deals, "deal");
    let (path, kind, verdict) = (printable(&side.path), side.kind, &side.verdict);
    write!(out, "{name:<10}{path}: {kind}, {deals}, {verdict}")?;
    match side.s {
        Some(s) => writeln!(out, ", S = {s:.2}"),
        None => writeln!(out),
    }
}

fn print_verdict(out: &mut impl Write, found: &Comparison) -> io::Result<()> {
    let verdict = found.verdict.name();
    if let Some(identical) = &found.identical {
        return print_identical(out, verdict, identical);
    }
    let Some(s) = found.s else {
        return writeln!(
            out,
            "verdict   {verdict}  there are too few deals to compare"
        );
    };
    let tests = counted(found.tests.len() as u64, "comparison");
    writeln!(
        out,
        "verdict   {verdict}  S = {s:.2}, {tests} of tables and seats"
    )?;
    let mut strongest = found.strongest(STRONGEST);
    strongest.retain(|row| row.log10_p <= WORTH_NAMING);
    if strongest.is_empty() {
        writeln!(out, "strongest none has a p-value below 0.1")?;
    }
    for (place, row) in strongest.iter().enumerate() {
        let label = if place == 0 { "strongest" } else { "" };
        writeln!(
            out,
            "{label:<10}{} {}: {} (log10 p = {:.2})",
            row.test, row.subject, row.effect, row.log10_p
        )?;
    }
    if found.relation == Relation::Independent && found.verdict == Likeness::TooAlike {
        writeln!(
            out,
            "          the samples share deals, or one was made to fit the other"
        )?;
    }
    if found.would_have_seen.is_empty() {
        writeln!(
            out,
            "would see nothing of any size: there are too few deals"
        )?;
    }
    for (place, words) in found.would_have_seen.iter().enumerate() {
        let label = if place == 0 { "would see" } else { "" };
        writeln!(out, "{label:<10}{words}")?;
    }
    Ok(())
}

fn print_identical(out: &mut impl Write, verdict: &str, identical: &Identical) -> io::Result<()> {
    let tables = identical.tables;
    if identical.unequal.is_empty() {
        return writeln!(
            out,
            "verdict   {verdict}  one run, made twice: identical counts in all {tables} tables"
        );
    }
    let unequal = identical.unequal.len();
    writeln!(
        out,
        "verdict   {verdict}  one run, made twice, with other counts in {unequal} of {tables} tables"
    )?;
    for table in &identical.unequal {
        let (name, cells, first) = (&table.table, table.cells, table.first.join("; "));
        writeln!(out, "          {name}: {cells} differ, first {first}")?;
    }
    Ok(())
}

fn print_differences(out: &mut impl Write, found: &Comparison) -> io::Result<()> {
    let differences = &found.differences;
    let Some(chance) = differences.chance_z else {
        return Ok(());
    };
    writeln!(
        out,
        "cells     {} were looked at: of so many chance alone makes |z| up to {chance:.2} (99.9 %), \
         of rare ones more",
        grouped(differences.cells as u64)
    )?;
    let shown = &differences.largest[..differences.largest.len().min(DIFFERENCES_PRINTED)];
    if shown.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "          {:<34} {:>16} {:>16} {:>11} {:>11} {:>8}",
        "largest", "A", "B", "A %", "B %", "z"
    )?;
    for cell in shown {
        let name = format!("{} {} {}", cell.table, cell.subject, cell.cell);
        let [a, b] = cell.observed.map(grouped);
        let mark = if cell.is_beyond_chance {
            "  beyond chance"
        } else {
            ""
        };
        writeln!(
            out,
            "          {name:<34} {a:>16} {b:>16} {:>11.6} {:>11.6} {:>8.2}{mark}",
            100.0 * cell.shares[0],
            100.0 * cell.shares[1],
            cell.z
        )?;
    }
    Ok(())
}

fn print_speed(out: &mut impl Write, speed: &Speed) -> io::Result<()> {
    let millions = |rate: Option<f64>| rate.map_or(f64::NAN, |rate| rate / 1e6);
    let rates = (
        millions(speed.a.deals_a_second),
        millions(speed.b.deals_a_second),
    );
    let Some(ratio) = speed.ratio else {
        return writeln!(out, "speed     unknown: a report has no seconds");
    };
    writeln!(
        out,
        "speed     A {:.3}, B {:.3} million deals a second: B by A {ratio:.4}",
        rates.0, rates.1
    )?;
    match speed.interval.zip(speed.finding()) {
        Some(((low, high), finding)) => writeln!(
            out,
            "          {low:.4} to {high:.4} with 95 %, by the noise within each run: {finding}"
        )?,
        None => writeln!(
            out,
            "          whether that is noise cannot be told from these reports"
        )?,
    }
    if let (Some(a), Some(b), Some(ratio)) =
        (speed.a.median_ns, speed.b.median_ns, speed.median_ratio)
    {
        writeln!(
            out,
            "          a deal takes {a:.1} and {b:.1} ns (medians of blocks): B by A {ratio:.4}"
        )?;
    }
    for note in &speed.notes {
        writeln!(out, "          {note}")?;
    }
    writeln!(
        out,
        "          noise between runs at other times is not in it: `bench --against` measures that"
    )
}
