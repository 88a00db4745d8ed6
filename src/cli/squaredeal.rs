//! `fairdeal squaredeal`

use std::io::{self, BufRead, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use fairdeal::Error;
use fairdeal::formats::Format;
use fairdeal::printable::{display_path, printable, with_noun};
use fairdeal::squaredeal::{BoardRange, HandSet, Phase};
use fairdeal::tasks::squaredeal::{
    DealtTournament, NewTournament, SessionChoice, TournamentFile, TournamentFiles,
    VerifiedTournament,
};

use super::json;
use super::layout::{self, SummaryLayout, Tone};
use super::terminal::Terminal;

/// Exit codes of `verify`.
const MISSING: u8 = 1;
const DIFFERENT: u8 = 2;

/// Deal tournaments whose hands nobody could choose
///
/// The protocol and the files of SquareDeal, used at championships of the WBF and the EBL. Before
/// the event, `new` makes secret keys and a description with their hash: publish the description.
/// When the value that it names is known, `value` adds it, and `deal` deals. After the event,
/// publish the keys: `verify` compares them, and the hand records, with what was published.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  fairdeal squaredeal new spring --name 'Spring Pairs' \\
    --value-name 'closing Dow Jones of 2027-03-19' --phase '4:1-16,17-32:S#:Session #/4'
  fairdeal squaredeal value spring.sqd 44,882.13
  fairdeal squaredeal deal spring.sqd spring.sqk --format pbn -o boards
  fairdeal squaredeal verify spring.sqd spring.sqk boards/*.pbn")]
pub(super) struct SquareDealArguments {
    #[command(subcommand)]
    command: SquareDealCommand,
}

#[derive(Debug, Subcommand)]
enum SquareDealCommand {
    /// Write the description (EVENT.sqd) and the secret keys (EVENT.sqk)
    ///
    /// Asks for what is not given.
    New {
        /// The files' name, without ending
        event: PathBuf,

        /// Name of the tournament
        #[arg(long, value_name = "TEXT")]
        name: Option<String>,

        /// The value that nobody can know yet, such as 'closing Dow Jones of
        /// 2027-03-19'
        #[arg(long, value_name = "TEXT")]
        value_name: Option<String>,

        /// A phase, SESSIONS:BOARDS:FILE:DESCRIPTION; repeatable
        ///
        /// SESSIONS: their number, 0 if it is not known yet. BOARDS: 20 (1 to 20), 17-32, ranges
        /// that the sessions go through in turn (1-16,17-32), 3x7 (1-7,8-14,15-21), or ? if they
        /// are stated when a session is dealt. # in FILE and DESCRIPTION is the session's number,
        /// ## in two digits.
        #[arg(long, value_name = "PHASE")]
        phase: Vec<Phase>,
    },
    /// Add the value to the description
    Value {
        /// The description
        #[arg(value_name = "EVENT.sqd")]
        description: PathBuf,

        /// The value, as people write it
        ///
        /// A point or comma between two digits is left out.
        #[arg(required = true, allow_negative_numbers = true)]
        value: Vec<String>,
    },
    /// Deal sessions, a file for each
    Deal(SessionArguments),
    /// Compare hand records in any format with the boards of the tournament
    ///
    /// Exit code 0: the hash of the keys and all boards agree, and no board is missing. 1: they
    /// agree, and boards or sessions are missing. 2: boards or the hash differ.
    Verify(VerifyArguments),
}

/// The files of a tournament.
#[derive(Args, Debug)]
struct FileArguments {
    /// The description, with its value
    #[arg(value_name = "EVENT.sqd")]
    description: PathBuf,

    /// The keys
    #[arg(value_name = "EVENT.sqk")]
    keys: PathBuf,
}

impl FileArguments {
    fn files(&self) -> TournamentFiles {
        TournamentFiles {
            description: self.description.clone().into(),
            keys: self.keys.clone().into(),
        }
    }
}

#[derive(Args, Debug)]
struct SessionArguments {
    #[command(flatten)]
    files: FileArguments,

    /// Deal this phase only, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    phase: Option<u32>,

    /// Deal this session only, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    session: Option<u32>,

    /// Board numbers of a session whose description does not state them, such
    /// as 17-32
    #[arg(long, value_name = "A-B")]
    boards: Option<BoardRange>,

    /// Deal the boards in reserve
    #[arg(long)]
    reserve: bool,

    /// Format of the files
    #[arg(long, value_name = "NAME", hide_possible_values = true, default_value = "pbn",
        value_parser = super::deal::formats(Format::written()))]
    format: Format,

    /// Folder of the files
    #[arg(short, long, value_name = "DIR", default_value = ".")]
    out: PathBuf,

    /// Overwrite existing files
    #[arg(long)]
    force: bool,

    /// Print all sessions as one file instead
    #[arg(long, conflicts_with_all = ["out", "force"])]
    joined: bool,
}

#[derive(Args, Debug)]
struct VerifyArguments {
    #[command(flatten)]
    files: FileArguments,

    /// Hand records, in any format that `audit` reads
    #[arg(value_name = "HANDS", required = true)]
    hands: Vec<PathBuf>,

    /// Format of the hand records [default: detected]
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = super::deal::formats(Format::read()))]
    from_format: Option<Format>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn execute(arguments: &SquareDealArguments) -> Result<u8, Error> {
    match &arguments.command {
        SquareDealCommand::New {
            event,
            name,
            value_name,
            phase,
        } => {
            let name = asked(name, "Name of the tournament")?;
            let value_name = asked(value_name, "The value that nobody can know yet")?;
            let phases = match phase.is_empty() {
                true => asked_phases()?,
                false => phase.clone(),
            };
            let new = NewTournament::new(&name, &value_name, &phases)?;
            let [description, keys] = new.write(event)?.map(|path| display_path(&path));
            let mut out = layout::stdout();
            writeln!(out, "{description}: publish it before the event")?;
            writeln!(
                out,
                "{keys}: keep it secret until the event is over, and keep a copy"
            )?;
            Ok(0)
        }
        SquareDealCommand::Value { description, value } => {
            let file = TournamentFile::from(description.clone());
            let (value, name) = (file.add_value(&value.join(" "))?, &file.name);
            writeln!(
                layout::stdout(),
                "{name}: the value is {}",
                printable(&value)
            )?;
            Ok(0)
        }
        SquareDealCommand::Deal(arguments) => deal(arguments),
        SquareDealCommand::Verify(arguments) => verify(arguments),
    }
}

/// The option's text, or a line of standard input.
fn asked(given: &Option<String>, question: &str) -> Result<String, Error> {
    match given {
        Some(text) => Ok(text.clone()),
        None => line(question)?.ok_or_else(|| Error::usage(format!("no answer: {question}?"))),
    }
}

/// A line of standard input; `None` at its end.
fn line(question: &str) -> Result<Option<String>, Error> {
    let mut err = io::stderr();
    write!(err, "{question}: ").and_then(|()| err.flush())?;
    let mut text = String::new();
    let read = io::stdin().lock().read_line(&mut text);
    let read = read.map_err(|error| Error::of("standard input", error))?;
    Ok((read > 0).then(|| text.trim().to_owned()))
}

/// Phases, until an empty line.
fn asked_phases() -> Result<Vec<Phase>, Error> {
    let mut phases: Vec<Phase> = Vec::new();
    loop {
        let number = phases.len() + 1;
        let sessions =
            format!("Phase {number}: number of sessions (0: not known; nothing: no phase)");
        let Some(sessions) = line(&sessions)?.filter(|text| !text.is_empty()) else {
            return Ok(phases);
        };
        let mut text = sessions;
        for question in [
            "  Boards (20, 17-32, 1-16,17-32, 3x7 or ?)",
            "  Name of the files (# is the session)",
            "  Description (# is the session)",
        ] {
            text = format!("{text}:{}", line(question)?.unwrap_or_default());
        }
        match text.parse() {
            Ok(phase) => phases.push(phase),
            Err(why) => writeln!(io::stderr(), "{why}; once more")?,
        }
    }
}

fn deal(arguments: &SessionArguments) -> Result<u8, Error> {
    let (tournament, keys) = arguments.files.files().read(&Terminal::new(false))?;
    let sessions = SessionChoice {
        phase: arguments.phase,
        session: arguments.session,
        range: arguments.boards,
    };
    let sessions = sessions.of(&tournament)?;
    let dealt = DealtTournament {
        tournament,
        keys,
        set: match arguments.reserve {
            true => HandSet::Reserve,
            false => HandSet::Original,
        },
        format: arguments.format,
    };
    if arguments.joined {
        dealt.write(BufWriter::new(Box::new(io::stdout())), &sessions)?;
        return Ok(0);
    }
    let (files, boards) = dealt.write_files(&arguments.out, &sessions, arguments.force)?;
    let (files, boards) = (
        with_noun(files.len() as u64, "file"),
        with_noun(boards, "board"),
    );
    let folder = display_path(&arguments.out);
    writeln!(layout::stdout(), "{folder}: {files}, {boards}")?;
    Ok(0)
}

/// The result of `verify` in JSON.
#[derive(Serialize)]
struct VerificationObject<'v> {
    tournament: &'v str,
    hash_agrees: Option<bool>,
    agrees: bool,
    complete: bool,
    given: u64,
    phases: Vec<PhaseObject<'v>>,
    wrong: Vec<WrongBoard<'v>>,
}

#[derive(Serialize)]
struct PhaseObject<'v> {
    description: &'v str,
    equal: u64,
    reserve: u64,
    boards: u64,
    incomplete: &'v [(String, Vec<u32>)],
    absent: &'v [String],
}

#[derive(Serialize)]
struct WrongBoard<'v> {
    file: &'v str,
    line: u64,
    board: Option<u64>,
    fault: &'v str,
}

fn verify(arguments: &VerifyArguments) -> Result<u8, Error> {
    let files = arguments.files.files();
    let (hands, format) = (&arguments.hands, arguments.from_format);
    let verified = files.verify(hands, &[], format, &Terminal::new(arguments.json))?;
    let (agrees, is_complete) = (verified.found.agrees(), verified.found.is_complete());
    let mut out = BufWriter::new(layout::stdout());
    match arguments.json {
        true => json::document(&mut out, &object(&verified))?,
        false => {
            let layout = &mut SummaryLayout::new(&mut out);
            let tone = if agrees { Tone::Good } else { Tone::Bad };
            let name = printable(&verified.tournament.name);
            layout.headline(&name, tone, &[verified.headline().to_owned()])?;
            for (label, text) in verified.facts() {
                layout.line(label, &text)?;
            }
        }
    }
    out.flush()?;
    Ok(match (agrees, is_complete) {
        (true, true) => 0,
        (true, false) => MISSING,
        (false, _) => DIFFERENT,
    })
}

fn object(verified: &VerifiedTournament) -> VerificationObject<'_> {
    let VerifiedTournament {
        tournament,
        found,
        files,
    } = verified;
    let phases = tournament.phases.iter().zip(&found.phases);
    let wrong = found.wrong.iter().map(|of| WrongBoard {
        file: &files[of.file],
        line: of.line,
        board: of.number,
        fault: &of.fault,
    });
    VerificationObject {
        tournament: &tournament.name,
        hash_agrees: found.hash_agrees,
        agrees: found.agrees(),
        complete: found.is_complete(),
        given: found.given,
        phases: phases
            .map(|(phase, of)| PhaseObject {
                description: &phase.description,
                equal: of.equal,
                reserve: of.reserve,
                boards: of.boards,
                incomplete: &of.incomplete,
                absent: &of.absent,
            })
            .collect(),
        wrong: wrong.collect(),
    }
}
