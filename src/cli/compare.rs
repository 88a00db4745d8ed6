//! `fairdeal compare`

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use fairdeal::Error;
use fairdeal::compare::{Comparison, Difference, Likeness, Relation, Report, ReportSide, Speed};
use fairdeal::printable::{display_path, thousands, with_noun};
use fairdeal::printable::{percent, three_digits, three_digits_log10};

use super::layout::SummaryLayout;
use super::output_options::OutputOptions;

/// Maximum number of tests printed.
const STRONGEST: usize = 3;
/// Maximum number of differences printed; differences.csv has more.
const DIFFERENCES_PRINTED: usize = 20;

const EXAMPLES: &str = "\
Examples:
  fairdeal compare reports/runs/monday reports/runs/tuesday
  fairdeal compare old new --out reports/comparison";

/// Compare two reports: their samples and their speed
///
/// Reads two reports of `run` or `audit` on the same condition and compares their counts, table by
/// table. The verdict is also the exit code: ALIKE (0), SUSPICIOUS or VERY SUSPICIOUS (1),
/// DIFFERENT or TOO ALIKE (2), INCONCLUSIVE (4). TOO ALIKE means that the samples share deals. Two
/// reports of the same run must have identical counts; otherwise the verdict is DIFFERENT, with
/// the first rows that differ. With --out, writes comparison.json, homogeneity.csv, differences.csv
/// and compare.html.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompareArguments {
    /// Folder of the first report
    #[arg(value_name = "A")]
    a: PathBuf,

    /// Folder of the second report
    #[arg(value_name = "B")]
    b: PathBuf,

    #[command(flatten)]
    output: OutputOptions,

    /// Also print the cells with the largest differences, and medians
    #[arg(short, long, help_heading = "Output", conflicts_with_all = ["quiet", "json"])]
    verbose: bool,
}

pub(super) fn execute(arguments: &CompareArguments) -> Result<u8, Error> {
    let [a, b] = [&arguments.a, &arguments.b];
    if let Some(out) = &arguments.output.out
        && [a, b].into_iter().any(|report| is_same_folder(out, report))
    {
        let out = display_path(out);
        return Err(Error::usage(format!(
            "{out} is one of the two reports: write the comparison elsewhere with --out"
        )));
    }
    let (a, b) = (Report::read(a)?, Report::read(b)?);
    let comparison = Comparison::of(&a, &b)?;
    if let Some(out) = &arguments.output.out {
        comparison.write(out, arguments.output.force)?;
    }
    arguments.output.print.print(&comparison, |layout| {
        let folder = arguments.output.out.as_deref();
        print(layout, &comparison, folder, arguments.verbose)
    })?;
    Ok(comparison.verdict.level().exit_code())
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(fs::canonicalize);
    matches!((one, other), (Ok(one), Ok(other)) if one == other)
}

fn print(
    layout: &mut SummaryLayout<'_>,
    found: &Comparison,
    folder: Option<&Path>,
    is_verbose: bool,
) -> io::Result<()> {
    layout.headline(
        found.verdict.name(),
        found.verdict.level().into(),
        &[summary(found)],
    )?;
    evidence(layout, found)?;
    side(layout, "A", &found.a)?;
    side(layout, "B", &found.b)?;
    let fields = found.differs.iter();
    layout.lines(
        "Differs",
        fields.map(|field| format!("{}: {} and {}", field.what, field.a, field.b)),
    )?;
    layout.lines("Warning", found.warnings.iter().cloned())?;
    differences(layout, found, is_verbose)?;
    speed(layout, &found.speed, is_verbose)?;
    match folder {
        Some(folder) => layout.report(folder, "compare.html"),
        None => Ok(()),
    }
}

/// The basis of the verdict, in words.
fn summary(found: &Comparison) -> String {
    match (&found.identical, found.s) {
        (Some(same), _) if same.unequal.is_empty() => {
            format!(
                "the same run twice: identical counts in all {} tables",
                same.tables
            )
        }
        (Some(same), _) => format!(
            "the same run twice: different counts in {} of {} tables",
            same.unequal.len(),
            same.tables
        ),
        (None, None) => "too few deals to compare".to_owned(),
        (None, Some(s)) => {
            let tests = with_noun(found.tests.len() as u64, "test");
            format!("{tests} of tables and seats, S = {s:.2}")
        }
    }
}

/// Prints the first different cells of the same run made twice; otherwise the strongest evidence
/// and the detectable effects.
fn evidence(layout: &mut SummaryLayout<'_>, found: &Comparison) -> io::Result<()> {
    if let Some(identical) = &found.identical {
        let unequal = identical.unequal.iter().map(|table| {
            let (name, cells, first) = (&table.table, table.cells, table.first.join("; "));
            format!(
                "{name}: {} differ, first {first}",
                with_noun(cells as u64, "cell")
            )
        });
        return layout.lines("Evidence", unequal);
    }
    if found.s.is_none() {
        return Ok(());
    }
    let strongest = found.strongest(STRONGEST);
    if strongest.is_empty() {
        layout.line("Evidence", "no test below p = 0.1")?;
    }
    let rows = strongest.iter().map(|row| {
        let p = three_digits_log10(row.log10_p);
        format!("{} {}: {} (p = {p})", row.test, row.subject, row.effect)
    });
    layout.lines("Evidence", rows)?;
    if found.relation == Relation::Independent && found.verdict == Likeness::TooAlike {
        layout.more("the samples share deals, or one was made to fit the other")?;
    }
    match found.detectable_effects.is_empty() {
        true => layout.line(
            "Detects",
            "no effect of any size is detectable: too few deals",
        ),
        false => layout.lines("Detects", found.detectable_effects.iter().cloned()),
    }
}

fn side(layout: &mut SummaryLayout<'_>, name: &str, side: &ReportSide) -> io::Result<()> {
    let deals = with_noun(side.deals, "deal");
    let (path, kind, verdict) = (&side.path, side.kind, &side.verdict);
    let s = side.s.map_or_else(String::new, |s| format!(", S = {s:.2}"));
    layout.line(name, &format!("{path}: {kind}, {deals}, {verdict}{s}"))
}

/// Prints the cells with the largest differences: those beyond chance, or all that were kept.
fn differences(
    layout: &mut SummaryLayout<'_>,
    found: &Comparison,
    is_verbose: bool,
) -> io::Result<()> {
    let differences = &found.differences;
    let Some(chance) = differences.chance_z else {
        return Ok(());
    };
    let is_shown = |cell: &&Difference| is_verbose || cell.is_beyond_chance;
    let shown = differences.largest.iter().filter(is_shown);
    let shown: Vec<_> = shown.take(DIFFERENCES_PRINTED).collect();
    layout.line(
        "Cells",
        &format!(
            "{} compared; the largest |z| is below {chance:.2} in 99.9 % of comparisons of equal \
             sources{}",
            thousands(differences.cells as u64),
            if shown.is_empty() { ", and here" } else { "" }
        ),
    )?;
    for cell in shown {
        let [a, b] = cell.shares.map(|share| percent(share, 4));
        layout.more(&format!(
            "{} {} {}: {a} in A, {b} in B (z = {:.2})",
            cell.table, cell.subject, cell.cell, cell.z
        ))?;
    }
    Ok(())
}

fn speed(layout: &mut SummaryLayout<'_>, speed: &Speed, is_verbose: bool) -> io::Result<()> {
    let Some(ratio) = speed.ratio else {
        return layout.line("Speed", "unknown: a report has no running time");
    };
    let rate =
        |rate: Option<f64>| rate.map_or_else(|| "?".to_owned(), |rate| three_digits(rate / 1e6));
    let interval = match speed.interval.zip(speed.finding()) {
        Some(((low, high), finding)) => {
            format!("{low:.2} to {high:.2} with 95 % confidence: {finding}")
        }
        None => "the reports do not record the noise".to_owned(),
    };
    layout.line(
        "Speed",
        &format!(
            "A {}, B {} million deals a second; B / A = {ratio:.2} ({interval})",
            rate(speed.a.deals_a_second),
            rate(speed.b.deals_a_second)
        ),
    )?;
    if !is_verbose {
        return Ok(());
    }
    if let (Some(a), Some(b), Some(ratio)) =
        (speed.a.median_ns, speed.b.median_ns, speed.median_ratio)
    {
        layout.more(&format!(
            "a deal takes {} ns and {} ns (medians of blocks); B / A = {ratio:.2}",
            three_digits(a),
            three_digits(b)
        ))?;
    }
    layout.lines("", speed.notes.iter().cloned())?;
    layout
        .more("the interval excludes noise between runs at different times: see `bench --against`")
}
