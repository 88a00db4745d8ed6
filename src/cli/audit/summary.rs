//! What an audit says of what it read, before its verdict.

use std::io::{self, Write};
use std::path::Path;

use fairdeal::audit::REMEMBERED;
use fairdeal::report::{AuditRecord, grouped};

use super::reading::{Read, Stop};

/// Files, problems and repeats that are printed; the report has more of them.
const PRINTED: usize = 10;

/// Prints what was read, what was left out and why.
pub(super) fn print(
    out: &mut impl Write,
    name: &str,
    record: &AuditRecord,
    read: &Read<'_>,
    folder: &Path,
) -> io::Result<()> {
    let total = read.total();
    writeln!(
        out,
        "{name}: {} boards read in {:.2} s, {} deals tested",
        grouped(total.read),
        record.seconds,
        grouped(record.deals)
    )?;
    let sources = record.sources.iter();
    let files = sources.map(|source| {
        format!(
            "{} ({}): {}",
            source.file,
            source.format,
            grouped(source.read)
        )
    });
    list(out, "files", files, record.sources.len(), "sources.csv")?;
    for (label, count, what) in [
        (
            "replays",
            total.duplicate,
            "boards came again with the same event, number and cards",
        ),
        (
            "unused",
            total.unused,
            "places for boards that the file does not use",
        ),
        (
            "dealers",
            record.odd_dealers,
            "boards have another dealer than their number says",
        ),
    ] {
        if count > 0 {
            writeln!(out, "{label:<10}{} {what}", grouped(count))?;
        }
    }
    let (intake, names) = (&read.auditor.intake, read.names());
    let problems = intake.problems().iter().map(|problem| {
        let name = &names[problem.place.input as usize];
        let kind = problem.kind.name();
        format!("{name}:{}: {kind}: {}", problem.place.line, problem.reason)
    });
    let foreign = read
        .tested
        .as_ref()
        .map_or(0, |tested| tested.survey().cases.foreign());
    let count = total.incomplete + total.invalid + foreign;
    list(out, "problems", problems, count as usize, "problems.csv")?;
    let repeats = intake.repeats().iter().map(|repeat| {
        format!(
            "{}:{} has the cards of {}:{}",
            names[repeat.later.input as usize],
            repeat.later.line,
            names[repeat.earlier.input as usize],
            repeat.earlier.line
        )
    });
    list(
        out,
        "repeats",
        repeats,
        intake.repeats().len(),
        "repeats.csv",
    )?;
    if record.sessions > 0 {
        let boards = intake.sessions().iter().map(|row| row.counted.boards);
        let (least, most) = (boards.clone().min().unwrap_or(0), boards.max().unwrap_or(0));
        writeln!(
            out,
            "sessions  {} of {least} to {most} boards, in sessions.csv",
            grouped(record.sessions)
        )?;
    }
    if let Some(search) = &record.seed_search {
        let extent = if search.complete {
            "all of the dictionary"
        } else {
            "as far as time allowed"
        };
        writeln!(
            out,
            "seeds     {} ways to deal one of {} deals tried, {extent}, in {:.0} s",
            search.tried, search.deals, search.seconds
        )?;
        for found in &search.found {
            writeln!(out, "          {found}")?;
        }
    }
    if intake.has_forgotten() {
        writeln!(
            out,
            "note      boards are remembered for {} others: replays further apart count as boards of \
             their own",
            grouped(REMEMBERED)
        )?;
    }
    if let Some(Stop::Interrupted) = read.stop {
        writeln!(
            out,
            "stopped   interrupted: this is what was read until then"
        )?;
    }
    writeln!(out, "report    {}", folder.display())
}

/// The first of some lines, and how many more there are and where.
fn list(
    out: &mut impl Write,
    label: &str,
    lines: impl Iterator<Item = String>,
    count: usize,
    file: &str,
) -> io::Result<()> {
    for (place, line) in lines.take(PRINTED).enumerate() {
        let label = if place == 0 { label } else { "" };
        writeln!(out, "{label:<10}{line}")?;
    }
    if count > PRINTED {
        let more = grouped((count - PRINTED) as u64);
        writeln!(out, "          and {more} more in {file}")?;
    }
    Ok(())
}
