//! Summary of an audit: the verdict, and the boards that were tested, skipped or invalid.

use std::collections::BTreeSet;
use std::io;

use fairdeal::audit::{Intake, MOST_BOARDS, REMEMBERED};
use fairdeal::battery::{Level, Verdict};
use fairdeal::printable::{printable, thousands, with_noun};
use fairdeal::report::{NamedBoards, SeedSearchRecord};
use fairdeal::tasks::audit::AuditReport;

use crate::cli::layout::SummaryLayout;
use crate::cli::verdict::Detail;
use crate::cli::{output, verdict};

/// Maximum number of files and of problems printed; the report has more of them.
const PRINTED: usize = 10;

/// Prints the verdict first, then the boards read and left out, and why. `is_any` means that no
/// condition was given.
pub(in crate::cli) fn print(
    layout: &mut SummaryLayout<'_>,
    report: &AuditReport,
    is_any: bool,
    is_verbose: bool,
) -> io::Result<()> {
    let (total, record) = (report.total(), &report.record);
    let mut parts = vec![
        report.name.clone(),
        format!(
            "{} tested of {} read in {}",
            with_noun(record.deals, "deal"),
            with_noun(total.read, "board"),
            output::seconds(record.common.seconds)
        ),
    ];
    parts.extend(report.verdict.as_ref().and_then(verdict::lowered_target));
    layout.headline(report.level.name(), report.level.into(), &parts)?;
    if let Some(stopped) = record.stopped {
        let so_far = "the report covers the boards read so far";
        layout.line("Stopped", &format!("{}; {so_far}", stopped.name()))?;
    }
    let command = record.identity.command.as_ref();
    if let Some(part) = command.and_then(|command| command.part) {
        let merged = "`fairdeal merge` makes one report of all";
        layout.line("Part", &format!("{part}; {merged}"))?;
    }
    if !record.parts.is_empty() {
        layout.line("Merged", &with_noun(record.parts.len() as u64, "part"))?;
    }
    match &report.verdict {
        Some(found) => {
            let detail = Detail {
                is_verdict_asked: true,
                is_verbose,
            };
            verdict::print(layout, found, detail)?;
            if is_any && may_have_condition(found) {
                layout.more(
                    "tested without a condition; if these deals satisfy one, name it with --where, \
                     or use --any-condition",
                )?;
            }
        }
        None => layout.line("Checked", "no deal was tested")?,
    }
    // Equal deals come first where they may be the evidence.
    let is_against = (Level::Suspicious..=Level::Fail).contains(&report.level);
    if is_against {
        repeats(layout, report)?;
    }
    boards(layout, report)?;
    if !is_against {
        repeats(layout, report)?;
    }
    if let Some(proof) = &record.squaredeal {
        layout.line("Proof", &printable(&proof.words))?;
    }
    sessions(layout, &report.intake)?;
    if let Some(search) = &record.seed_search {
        seeds(layout, search)?;
    }
    if report.intake.has_forgotten() {
        let boards = thousands(REMEMBERED);
        layout.line(
            "Note",
            &format!(
                "replays are recognised among the last {boards} boards: replays further apart count \
                 as separate boards"
            ),
        )?;
    }
    layout.report(report.folder(), "report.html")
}

/// Whether a condition would explain the evidence: the strongest test looks at single hands.
fn may_have_condition(verdict: &Verdict) -> bool {
    let of_hands = ["T1 ", "T1max", "T3", "T4", "T5", "F "];
    let is_against = (Level::Suspicious..=Level::Fail).contains(&verdict.level);
    let strongest = verdict.strongest.first();
    is_against
        && strongest.is_some_and(|first| of_hands.iter().any(|test| first.test.starts_with(test)))
}

/// Prints the files, and the boards that were not tested, and why.
fn boards(layout: &mut SummaryLayout<'_>, report: &AuditReport) -> io::Result<()> {
    let (total, record) = (report.total(), &report.record);
    let left_out: BTreeSet<&str> = report.left_out.iter().map(String::as_str).collect();
    let sources = || {
        let each = record.sources.iter();
        each.filter(|source| !left_out.contains(&*source.file))
    };
    let files = sources().map(|source| {
        format!(
            "{} ({}): {}",
            source.file,
            source.format,
            with_noun(source.counts.read, "board")
        )
    });
    list(layout, "Files", files, sources().count(), "sources.csv")?;
    let names = report.left_out.iter().cloned();
    list(layout, "No deals", names, left_out.len(), "sources.csv")?;
    let again = "with the number and cards of an earlier board";
    for (label, count, unit, what) in [
        ("Replays", total.duplicate, "board", again),
        (
            "Unused",
            total.unused,
            "place",
            "for boards that the file does not use",
        ),
        (
            "Text",
            total.text,
            "line",
            "between the boards skipped, such as text that a script prints",
        ),
        (
            "Dealers",
            record.odd_dealers,
            "board",
            "with a different dealer than the board number implies",
        ),
    ] {
        if count > 0 {
            layout.line(label, &format!("{} {what}", with_noun(count, unit)))?;
        }
    }
    replayed(layout, report)?;
    conflicts(layout, report)?;
    question(layout, report)?;
    problems(layout, report)
}

/// Prints files with replays of other files.
fn replayed(layout: &mut SummaryLayout<'_>, report: &AuditReport) -> io::Result<()> {
    for pair in report.intake.replayed_files().take(PRINTED) {
        layout.more(&boards_from(report, pair))?;
    }
    Ok(())
}

/// A number of boards of a file, and the file that they are from.
fn boards_from(report: &AuditReport, ((earlier, later), count): ((u32, u32), u64)) -> String {
    let [earlier, later] = [earlier, later].map(|input| &report.files[input as usize]);
    let boards = with_noun(count, "board");
    match earlier == later {
        true => format!("{boards} of {later}"),
        false => format!("{boards} of {later} from {earlier}"),
    }
}

/// Prints boards that contradict another record of the same event.
fn conflicts(layout: &mut SummaryLayout<'_>, report: &AuditReport) -> io::Result<()> {
    let conflicts = &report.record.conflicts;
    let boards = match conflicts.count {
        0 => return Ok(()),
        1 => "1 board contradicts another record of the same event and is not tested".to_owned(),
        many => format!(
            "{} boards contradict another record of the same event and are not tested",
            thousands(many)
        ),
    };
    layout.line("Conflicts", &boards)?;
    named(layout, "", conflicts, "conflicts.csv")
}

/// Prints the question whether events are the same, if boards depend on the answer.
fn question(layout: &mut SummaryLayout<'_>, report: &AuditReport) -> io::Result<()> {
    let intake = &report.intake;
    if !intake.has_question() {
        return Ok(());
    }
    let answers = "use --same-event; if the boards were dealt separately, --distinct-events";
    let words = match intake.undecided_count {
        0 => format!("if these are records of one event, {answers}"),
        1 => format!(
            "1 board has the number and cards of a board of another event. If the events are the \
             same, {answers}"
        ),
        many => format!(
            "{} boards have the number and cards of a board of another event. If the events are \
             the same, {answers}",
            thousands(many)
        ),
    };
    layout.line("Question", &words)?;
    for pair in intake.undecided_files().take(PRINTED) {
        layout.more(&boards_from(report, pair))?;
    }
    Ok(())
}

/// Prints boards in words, the number of the others and their file.
fn named(
    layout: &mut SummaryLayout<'_>,
    label: &str,
    boards: &NamedBoards,
    file: &str,
) -> io::Result<()> {
    let lines = boards.first.iter().cloned();
    list(layout, label, lines, boards.count as usize, file)
}

/// Prints the boards that were not tested.
fn problems(layout: &mut SummaryLayout<'_>, report: &AuditReport) -> io::Result<()> {
    let names = &report.files;
    let problems = report.intake.problems.iter().map(|problem| {
        let name = &names[problem.place.input as usize];
        let kind = problem.kind.name();
        let board = problem.board;
        let board = board.map_or_else(String::new, |board| format!("board {board}: "));
        let (line, reason) = (problem.place.line, &problem.reason);
        format!("{name}:{line}: {board}{kind}: {reason}")
    });
    let total = report.total();
    let count = total.incomplete + total.invalid + report.foreign();
    list(layout, "Problems", problems, count as usize, "problems.csv")
}

/// Prints deals that an earlier board already had.
fn repeats(layout: &mut SummaryLayout<'_>, report: &AuditReport) -> io::Result<()> {
    let (intake, names) = (&report.intake, &report.files);
    named(layout, "Repeats", &report.record.repeats, "repeats.csv")?;
    for ((earlier, later), count) in intake.repeated_files().take(PRINTED) {
        let [earlier, later] = [earlier, later].map(|input| &names[input as usize]);
        layout.more(&format!(
            "{} of {later} have the cards of {earlier}: if these are the same boards, leave out one \
             of the two files",
            with_noun(count, "board")
        ))?;
    }
    Ok(())
}

fn sessions(layout: &mut SummaryLayout<'_>, intake: &Intake) -> io::Result<()> {
    let boards = intake.sessions().iter().map(|row| row.counted.boards);
    let (least, most) = (boards.clone().min(), boards.max());
    let count = thousands(intake.session_count());
    let words = match least.zip(most) {
        None if intake.has_long_session() => format!(
            "none: more than {MOST_BOARDS} consecutive boards belong to one event (--session 36 \
             splits them)"
        ),
        None => return Ok(()),
        Some((least, most)) if least == most => {
            format!(
                "{count} of {}, in sessions.csv",
                with_noun(u64::from(most), "board")
            )
        }
        Some((least, most)) => format!("{count} of {least} to {most} boards, in sessions.csv"),
    };
    layout.line("Sessions", &words)
}

fn seeds(layout: &mut SummaryLayout<'_>, search: &SeedSearchRecord) -> io::Result<()> {
    let extent = if search.complete {
        "the full dictionary"
    } else if !search.found.is_empty() {
        "until a seed was found"
    } else {
        "until the time limit"
    };
    let tried = search
        .tried
        .parse()
        .map_or_else(|_| search.tried.clone(), |tried: u128| thousands(tried));
    let deals = with_noun(search.deals as u64, "deal");
    layout.line(
        "Seeds",
        &format!(
            "{tried} seeds and methods tried on {deals}, {extent}, in {}",
            output::seconds(search.seconds)
        ),
    )?;
    layout.lines("", search.found.iter().map(ToString::to_string))
}

/// Prints the first lines of a list, the number of remaining ones and their file.
fn list(
    layout: &mut SummaryLayout<'_>,
    label: &str,
    lines: impl Iterator<Item = String>,
    count: usize,
    file: &str,
) -> io::Result<()> {
    let lines: Vec<String> = lines.take(PRINTED).collect();
    let printed = lines.len();
    layout.lines(label, lines)?;
    match count - printed.min(count) {
        0 => Ok(()),
        more => layout.more(&format!("and {} more in {file}", thousands(more as u64))),
    }
}
