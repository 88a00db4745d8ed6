//! What an audit says of what it read, before its verdict.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{self, Write};

use fairdeal::audit::{Intake, MOST_BOARDS, REMEMBERED};
use fairdeal::printable::{printable, shown};
use fairdeal::report::{SeedSearchRecord, counted, grouped};
use fairdeal::tasks::audit::AuditReport;

/// Files and problems that are printed; the report has more of them.
const PRINTED: usize = 10;
/// The same of repeats.
const REPEATS_PRINTED: usize = 3;

/// Prints what was read, what was left out and why.
pub(super) fn print(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let (total, intake, record) = (report.total(), &report.intake, &report.record);
    writeln!(
        out,
        "{}: {} read in {:.2} s, {} tested",
        printable(&report.name),
        counted(total.read, "board"),
        record.seconds,
        counted(record.deals, "deal")
    )?;
    let left_out: BTreeSet<&str> = report.left_out.iter().map(String::as_str).collect();
    let sources = || {
        let each = record.sources.iter();
        each.filter(|source| !left_out.contains(&*source.file))
    };
    let files = sources().map(|source| {
        let (file, format) = (printable(&source.file), &source.format);
        format!("{file} ({format}): {}", grouped(source.read))
    });
    list(out, "files", files, sources().count(), "sources.csv")?;
    let names = report.left_out.iter();
    let names = names.map(|name| printable(name).into_owned());
    list(out, "no deals", names, left_out.len(), "sources.csv")?;
    let again = "boards with the number and cards of an earlier board";
    let places = "places for boards that the file does not use";
    let dealers = "boards have another dealer than their number says";
    for (label, count, what) in [
        ("replays", total.duplicate, again),
        ("unused", total.unused, places),
        ("dealers", record.odd_dealers, dealers),
    ] {
        if count > 0 {
            writeln!(out, "{label:<10}{} {what}", grouped(count))?;
        }
    }
    replayed(out, report)?;
    problems(out, report)?;
    repeats(out, report)?;
    sessions(out, intake)?;
    if let Some(search) = &record.seed_search {
        seeds(out, search)?;
    }
    if intake.has_forgotten() {
        let boards = grouped(REMEMBERED);
        writeln!(
            out,
            "note      boards are remembered for {boards} others: replays further apart count as \
             boards of their own"
        )?;
    }
    if report.is_interrupted {
        writeln!(
            out,
            "stopped   interrupted: this is what was read until then"
        )?;
    }
    writeln!(out, "report    {}", shown(report.folder()))
}

/// The names of the files as they are printed.
fn shown_names(report: &AuditReport) -> Vec<Cow<'_, str>> {
    report.files.iter().map(|name| printable(name)).collect()
}

/// Files with replays of other files, and boards that may be replays.
fn replayed(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let (intake, names) = (&report.intake, shown_names(report));
    let in_words = |((earlier, later), count): ((u32, u32), u64)| {
        let [earlier, later] = [earlier, later].map(|input| &names[input as usize]);
        let boards = counted(count, "board");
        if earlier == later {
            format!("{boards} of {later}")
        } else {
            format!("{boards} of {later} from {earlier}")
        }
    };
    for pair in intake.replayed_files().take(PRINTED) {
        writeln!(out, "          {}", in_words(pair))?;
    }
    if intake.undecided_count() == 0 {
        return Ok(());
    }
    writeln!(
        out,
        "question  {} the number and cards of a board of another event. If the events are the \
         same, use --same-event; if the boards were dealt separately, --distinct-events",
        match intake.undecided_count() {
            1 => "1 board has".to_owned(),
            many => format!("{} boards have", grouped(many)),
        }
    )?;
    for pair in intake.undecided_files().take(PRINTED) {
        writeln!(out, "          {}", in_words(pair))?;
    }
    Ok(())
}

/// Boards that were not tested.
fn problems(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let names = shown_names(report);
    let problems = report.intake.problems().iter().map(|problem| {
        let name = &names[problem.place.input as usize];
        let kind = problem.kind.name();
        let board = problem.board;
        let board = board.map_or_else(String::new, |board| format!("board {board}: "));
        let line = problem.place.line;
        let reason = printable(&problem.reason);
        format!("{name}:{line}: {board}{kind}: {reason}")
    });
    let total = report.total();
    let count = total.incomplete + total.invalid + report.foreign();
    list(out, "problems", problems, count as usize, "problems.csv")
}

/// Deals that another board had before.
fn repeats(out: &mut impl Write, report: &AuditReport) -> io::Result<()> {
    let (intake, names) = (&report.intake, shown_names(report));
    let repeats = intake.repeats().iter().map(|repeat| {
        let [earlier, later] = [repeat.earlier, repeat.later]
            .map(|place| format!("{}:{}", names[place.input as usize], place.line));
        format!("{later} has the cards of {earlier}")
    });
    let count = intake.repeat_count() as usize;
    list(
        out,
        "repeats",
        repeats.take(REPEATS_PRINTED),
        count,
        "repeats.csv",
    )?;
    for ((earlier, later), count) in intake.repeated_files().take(PRINTED) {
        let [earlier, later] = [earlier, later].map(|input| &names[input as usize]);
        writeln!(
            out,
            "          {} boards of {later} are those of {earlier}: if they are the same boards, \
             leave one of the two out",
            grouped(count)
        )?;
    }
    Ok(())
}

fn sessions(out: &mut impl Write, intake: &Intake) -> io::Result<()> {
    let boards = intake.sessions().iter().map(|row| row.counted.boards);
    let (least, most) = (boards.clone().min(), boards.max());
    let count = intake.session_count();
    match (least.zip(most), count) {
        (None, _) if intake.has_long_session() => writeln!(
            out,
            "sessions  none: more than {MOST_BOARDS} boards of one event follow each other \
             (--session 36 would part them)"
        ),
        (None, _) => Ok(()),
        (Some((least, most)), count) if least == most => {
            let count = grouped(count);
            writeln!(out, "sessions  {count} of {most} boards, in sessions.csv")
        }
        (Some((least, most)), count) => {
            let count = grouped(count);
            writeln!(
                out,
                "sessions  {count} of {least} to {most} boards, in sessions.csv"
            )
        }
    }
}

fn seeds(out: &mut impl Write, search: &SeedSearchRecord) -> io::Result<()> {
    let extent = if search.complete {
        "the whole dictionary"
    } else if !search.found.is_empty() {
        "until one was found"
    } else {
        "as far as time allowed"
    };
    let tried = search
        .tried
        .parse()
        .map_or_else(|_| search.tried.clone(), |tried: u128| grouped(tried));
    let deals = counted(search.deals as u64, "deal");
    writeln!(
        out,
        "seeds     {tried} ways to deal them tried on {deals}, {extent}, in {:.0} s",
        search.seconds
    )?;
    for found in &search.found {
        writeln!(out, "          {found}")?;
    }
    Ok(())
}

/// The first of some lines, and how many more there are and where.
fn list(
    out: &mut impl Write,
    label: &str,
    lines: impl Iterator<Item = String>,
    count: usize,
    file: &str,
) -> io::Result<()> {
    let mut printed = 0;
    for line in lines.take(PRINTED) {
        let label = if printed == 0 { label } else { "" };
        writeln!(out, "{label:<10}{line}")?;
        printed += 1;
    }
    if count > printed {
        let more = grouped((count - printed) as u64);
        writeln!(out, "          and {more} more in {file}")?;
    }
    Ok(())
}
