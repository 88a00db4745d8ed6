//! Tournaments by SquareDeal: preparing, adding the value, dealing, and verifying hand records.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::boards::{BoardBytes, BoardFiles, refuse_existing};
use super::input_files::{break_if, read_entries};
use crate::atomic_file::{begin_part, begin_secret, folder_of, publish, publish_new, target_of};
use crate::error::Error;
use crate::formats::read::{EntryKind, InputEntry};
use crate::formats::{Board, BoardRecord, Format, Writer};
use crate::observer::{Observer, Stage};
use crate::printable::{display_path, printable, thousands, with_noun};
use crate::report::{PROGRAM, SquareDealRecord};
use crate::squaredeal::{
    BoardCheck, BoardRange, GivenBoard, HandSet, Keys, Phase, SquareDealError, Tournament,
    Verification, canonical_value, verify,
};

/// Maximum size of a description or a key file, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// Maximum number of boards that are named because they differ, and of sessions that are named
/// because boards are missing.
const MOST_NAMED: usize = 20;

/// Maximum number of sessions: their keys fit into a key file.
const MOST_SESSIONS: u64 = 50_000;

/// Maximum number of boards of hand records.
const MOST_BOARDS: usize = 1_000_000;

/// The texts of the files of a new tournament.
#[derive(Clone)]
pub struct NewTournament {
    /// The description, to be published.
    pub description: String,
    /// The keys, to be kept secret until the event is over.
    pub keys: String,
}

impl NewTournament {
    /// Makes keys, with the system's random numbers, and the description with their hash.
    ///
    /// # Errors
    ///
    /// If a text does not fit into a line, a phase is missing, or the system has no random numbers.
    pub fn new(name: &str, value_name: &str, phases: &[Phase]) -> Result<Self, Error> {
        for (what, text) in [
            ("name of the tournament", name),
            ("name of the value", value_name),
        ] {
            if text.trim().is_empty() || text.contains(char::is_control) {
                return Err(Error::usage(format!("the {what} is not a line of text")));
            }
        }
        if phases.is_empty() {
            return Err(Error::usage("a tournament has at least one phase"));
        }
        let sessions = phases.iter().map(|phase| u64::from(phase.sessions)).sum();
        refuse_too_many(sessions)?;
        let keys = Keys::new_file(phases).map_err(|error| Error::io(error.to_string()))?;
        let hash = Keys::parse(keys.as_bytes()).map_err(Error::input)?.hash();
        let description = Tournament::describe(name.trim(), value_name.trim(), phases, hash);
        Tournament::parse(description.as_bytes()).map_err(Error::input)?;
        Ok(Self { description, keys })
    }

    /// Writes `EVENT.sqd` and `EVENT.sqk`, the keys for their owner alone; returns the paths.
    ///
    /// # Errors
    ///
    /// If a file exists or cannot be written.
    pub fn write(&self, event: &Path) -> Result<[PathBuf; 2], Error> {
        let paths = ["sqd", "sqk"].map(|ending| {
            // Another point in the name is not an ending.
            let is_ending = |of: &OsStr| of == "sqd" || of == "sqk";
            let whole = match event.extension().is_some_and(is_ending) {
                true => event.with_extension(""),
                false => event.to_owned(),
            };
            let mut name = whole.into_os_string();
            name.push(format!(".{ending}"));
            PathBuf::from(name)
        });
        let named = |path: &Path, error| Error::of(display_path(path), error);
        for path in &paths {
            if path.symlink_metadata().is_ok() {
                return Err(named(path, io::ErrorKind::AlreadyExists.into()));
            }
        }
        let written = |path: &Path, begun: io::Result<tempfile::NamedTempFile>, text: &str| {
            begun
                .and_then(|mut part| {
                    part.write_all(text.as_bytes())?;
                    publish_new(part, path)
                })
                .map_err(|error| named(path, error))
        };
        let [description, keys] = &paths;
        written(keys, begin_secret(folder_of(keys)), &self.keys)?;
        written(
            description,
            begin_part(folder_of(description)),
            &self.description,
        )?;
        Ok(paths)
    }
}

/// A file of SquareDeal, and its name in messages.
#[derive(Clone, Debug)]
pub struct TournamentFile {
    /// Its path.
    pub path: PathBuf,
    /// Its name.
    pub name: String,
}

impl From<PathBuf> for TournamentFile {
    fn from(path: PathBuf) -> Self {
        let name = display_path(&path);
        Self { path, name }
    }
}

impl TournamentFile {
    /// The bytes of a small file.
    fn contents(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let file = File::open(&self.path);
        let read = file.and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| Error::of(&*self.name, error))?;
        match bytes.len() as u64 > MOST_BYTES {
            true => Err(Error::input("too long for a file of SquareDeal").context(&*self.name)),
            false => Ok(bytes),
        }
    }

    /// What the file says.
    fn read<T>(&self, parse: fn(&[u8]) -> Result<T, SquareDealError>) -> Result<T, Error> {
        let parsed = parse(&self.contents()?);
        parsed.map_err(|error| Error::input(error).context(&*self.name))
    }

    /// The value as SquareDeal writes a typed value, and the description with it.
    ///
    /// # Errors
    ///
    /// If the value is empty, or the description cannot be read or has a value.
    pub fn with_value(&self, typed: &str) -> Result<(String, Vec<u8>), Error> {
        let value = canonical_value(typed);
        if value.is_empty() || value.contains(char::is_control) {
            return Err(Error::usage("the value is not a line of text"));
        }
        let with_value = Tournament::with_value(&self.contents()?, &value);
        let with_value = with_value.map_err(|error| Error::input(error).context(&*self.name))?;
        Ok((value, with_value))
    }

    /// Adds the value to a description; returns it.
    ///
    /// # Errors
    ///
    /// As [`TournamentFile::with_value`], and if the description cannot be written.
    pub fn add_value(&self, typed: &str) -> Result<String, Error> {
        let (value, with_value) = self.with_value(typed)?;
        let write = || -> io::Result<()> {
            let target = target_of(&self.path)?;
            let mut part = begin_part(folder_of(&target))?;
            part.write_all(&with_value)?;
            publish(part, &target)
        };
        write().map_err(|error| Error::of(&*self.name, error))?;
        Ok(value)
    }
}

/// Fails if there are more sessions than keys are read.
fn refuse_too_many(sessions: u64) -> Result<(), Error> {
    match sessions > MOST_SESSIONS {
        true => {
            let most = thousands(MOST_SESSIONS);
            Err(Error::usage(format!("there are more than {most} sessions")))
        }
        false => Ok(()),
    }
}

/// A session to be dealt.
#[derive(Clone, Debug)]
pub struct SessionToDeal {
    /// Its phase, from 1.
    pub phase: u32,
    /// Its number, from 1.
    pub session: u32,
    /// Its board numbers.
    pub range: BoardRange,
}

/// Which sessions are dealt.
#[derive(Clone, Copy, Debug, Default)]
pub struct SessionChoice {
    /// The phase, from 1; all if `None`.
    pub phase: Option<u32>,
    /// The session, from 1; all if `None`.
    pub session: Option<u32>,
    /// The board numbers of sessions that do not state them.
    pub range: Option<BoardRange>,
}

impl SessionChoice {
    /// The sessions of a tournament, in order.
    ///
    /// # Errors
    ///
    /// If there is no such phase or session, a phase does not know its sessions and none is chosen,
    /// or a session does not know its boards.
    pub fn of(&self, tournament: &Tournament) -> Result<Vec<SessionToDeal>, Error> {
        let mut sessions = Vec::new();
        for (phase, of) in (1..).zip(&tournament.phases) {
            if self.phase.is_some_and(|wanted| wanted != phase) {
                continue;
            }
            let numbers = match (self.session, of.sessions) {
                (Some(wanted), 0) => wanted..=wanted,
                (Some(wanted), known) if wanted <= known => wanted..=wanted,
                (Some(_), _) if self.phase.is_none() => continue,
                (Some(wanted), known) => {
                    let message = format!("phase {phase} has {known} sessions, and none {wanted}");
                    return Err(Error::usage(message));
                }
                (None, 0) => {
                    let message = format!(
                        "phase {phase} does not say how many sessions it has: name the phase and a \
                         session"
                    );
                    return Err(Error::usage(message));
                }
                (None, known) => 1..=known,
            };
            for session in numbers {
                let range = of.range(session).or(self.range).ok_or_else(|| {
                    Error::usage(format!(
                        "phase {phase} does not say which boards its sessions have: name them, \
                         such as 1-16"
                    ))
                })?;
                sessions.push(SessionToDeal {
                    phase,
                    session,
                    range,
                });
                refuse_too_many(sessions.len() as u64)?;
            }
        }
        match sessions.is_empty() {
            true => Err(Error::usage("the tournament has no such phase or session")),
            false => Ok(sessions),
        }
    }
}

/// A tournament whose sessions can be dealt.
#[derive(Debug)]
pub struct DealtTournament {
    /// The description, with its value.
    pub tournament: Tournament,
    /// The keys.
    pub keys: Keys,
    /// The boards to be played, or those in reserve.
    pub set: HandSet,
    /// The format of the files.
    pub format: Format,
}

impl DealtTournament {
    /// Begins a file of these sessions.
    fn file(
        &self,
        out: BoardBytes,
        sessions: &[SessionToDeal],
    ) -> Result<Writer<BoardBytes>, Error> {
        let boards = sessions.iter().map(|of| u64::from(of.range.boards())).sum();
        let mut event = self.tournament.name.clone();
        if let [SessionToDeal { phase, session, .. }] = sessions
            && let Some(of) = self.tournament.phase(*phase)
        {
            event = format!("{event}, {}", of.description_of(*session));
        }
        let mut labels = BoardRecord::default();
        labels.event[0] = event.into();
        Ok(Writer::new(out, self.format, boards, PROGRAM)?.with_labels(labels))
    }

    /// Writes sessions one after the other into one file; returns the number of boards.
    ///
    /// # Errors
    ///
    /// If the description has no value, a key is missing, the format cannot hold the boards, or
    /// writing fails.
    pub fn write(&self, out: BoardBytes, sessions: &[SessionToDeal]) -> Result<u64, Error> {
        let files = BoardFiles::to_output(self.file(out, sessions)?);
        self.deal(files, sessions)
    }

    /// Deals sessions one after the other into begun files, and ends them.
    fn deal(&self, mut files: BoardFiles, sessions: &[SessionToDeal]) -> Result<u64, Error> {
        let mut boards = 0;
        for SessionToDeal {
            phase,
            session,
            range,
        } in sessions
        {
            if self.tournament.value.is_none() {
                return Err(Error::input(
                    "the description has no value (DV) yet: add it first",
                ));
            }
            let deals = self
                .tournament
                .deals(&self.keys, (*phase, *session), self.set);
            let deals = deals.ok_or_else(|| {
                Error::input(format!(
                    "there is no key of phase {phase}, session {session}"
                ))
            })?;
            for (number, deal) in (range.first..=range.last).zip(deals) {
                files.write_with(&Board::new(number.into(), deal), "", "")?;
                boards += 1;
            }
        }
        files.finish()?;
        Ok(boards)
    }

    /// Writes a file for each session into a folder; returns the files and the number of boards.
    ///
    /// # Errors
    ///
    /// As [`DealtTournament::write`]; and if a file exists, unless it may be overwritten.
    pub fn write_files(
        &self,
        folder: &Path,
        sessions: &[SessionToDeal],
        overwrites: bool,
    ) -> Result<(Vec<PathBuf>, u64), Error> {
        let ending = self.format.file_ending();
        let suffix = match self.set {
            HandSet::Original => "",
            HandSet::Reserve => "-reserve",
        };
        let mut names = BTreeSet::new();
        let mut paths = Vec::new();
        for of in sessions {
            let phase = self.tournament.phase(of.phase);
            let name = phase.map_or_else(String::new, |phase| phase.file_of(of.session));
            let name = format!("{name}{suffix}.{ending}");
            let path = folder.join(&name);
            if !overwrites {
                refuse_existing(&path)?;
            }
            if names.contains(&name) {
                let message =
                    "two sessions have this file name: add ## to it, the session's number";
                return Err(Error::input(message).context(printable(&name)));
            }
            names.insert(name);
            paths.push(path);
        }
        let mut boards = 0;
        for (session, path) in sessions.iter().zip(&paths) {
            let named = |error| Error::of(display_path(path), error);
            std::fs::create_dir_all(folder).map_err(named)?;
            let one = std::slice::from_ref(session);
            let mut files = BoardFiles::default();
            files.add(path, overwrites, |out| self.file(out, one))?;
            boards += self.deal(files, one)?;
        }
        Ok((paths, boards))
    }
}

/// The files that describe a tournament.
#[derive(Clone, Debug)]
pub struct TournamentFiles {
    /// The description, with its value.
    pub description: TournamentFile,
    /// The keys.
    pub keys: TournamentFile,
}

impl TournamentFiles {
    /// Takes the description (.sqd) and the keys (.sqk) out of a list of files, each a path with the
    /// name that tells what it is; `None` if there is neither.
    ///
    /// # Errors
    ///
    /// If there is only one of them, or several of a kind.
    pub fn take_from(files: &mut Vec<(PathBuf, String)>) -> Result<Option<Self>, Error> {
        let [descriptions, keys] = ["sqd", "sqk"].map(|ending| {
            let is_it = |(_, name): &mut (PathBuf, String)| {
                let of = Path::new(name).extension();
                of.is_some_and(|of| of.eq_ignore_ascii_case(ending))
            };
            let found = files.extract_if(.., is_it);
            let found = found.map(|(path, name)| TournamentFile {
                path,
                name: printable(&name).into_owned(),
            });
            found.collect::<Vec<_>>()
        });
        match (&descriptions[..], &keys[..]) {
            ([], []) => Ok(None),
            ([description], [keys]) => Ok(Some(Self {
                description: description.clone(),
                keys: keys.clone(),
            })),
            ([], _) => Err(Error::usage("the keys (.sqk) need a description (.sqd)")),
            (_, []) => Err(Error::usage("the description (.sqd) needs its keys (.sqk)")),
            _ => Err(Error::usage(
                "there are several descriptions or keys: give one tournament",
            )),
        }
    }

    /// Reads description and keys to deal. Warns of keys that prove nothing or may be guessed.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or the hash of the keys is not that of the description.
    pub fn read(&self, observer: &dyn Observer) -> Result<(Tournament, Keys), Error> {
        let tournament = self.description.read(Tournament::parse)?;
        let keys = self.keys.read(Keys::parse)?;
        match tournament.key_hash {
            Some(hash) if hash != keys.hash() => {
                let message = format!("its hash is {}, not that of the description", keys.hash());
                return Err(Error::input(message).context(&*self.keys.name));
            }
            Some(_) => {}
            None => {
                observer.warn("the description has no hash of the keys (KH): it proves nothing");
            }
        }
        if keys.has_short_key() {
            observer.warn("a key is so short that it may be guessed");
        }
        Ok((tournament, keys))
    }

    /// Reads description and keys, and compares hand records with the boards. The names of the
    /// records are their `labels`, if there are any.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has no deal, there are more than a million boards, or the value
    /// or a key is missing.
    pub fn verify(
        &self,
        records: &[PathBuf],
        labels: &[String],
        format: Option<Format>,
        observer: &dyn Observer,
    ) -> Result<VerifiedTournament, Error> {
        let tournament = self.description.read(Tournament::parse)?;
        let keys = self.keys.read(Keys::parse)?;
        let (boards, files) = given_boards(records, labels, format, observer)?;
        let found = verify(&tournament, &keys, &boards).map_err(Error::input)?;
        Ok(VerifiedTournament {
            tournament,
            found,
            files,
        })
    }
}

/// A tournament that was compared with hand records.
#[derive(Clone, Debug)]
pub struct VerifiedTournament {
    /// The tournament.
    pub tournament: Tournament,
    /// What the comparison found.
    pub found: Verification,
    /// The names of the files with hand records.
    pub files: Vec<String>,
}

impl VerifiedTournament {
    /// The result in a few words.
    pub fn headline(&self) -> &'static str {
        match (self.found.agrees(), self.found.is_complete()) {
            (true, true) => "all boards agree",
            (true, false) => "the boards given agree; others are missing",
            (false, _) => "DIFFERENT",
        }
    }

    /// The result in a sentence.
    pub fn sentence(&self) -> String {
        let (found, name) = (&self.found, &self.tournament.name);
        let given = with_noun(found.given, "board");
        match (found.hash_agrees, &found.wrong[..]) {
            (None, _) => {
                format!("SquareDeal proves nothing for {name}: no hash of the keys was published.")
            }
            (Some(false), _) => format!(
                "SquareDeal's proof of {name} fails: these are not the keys whose hash was published."
            ),
            (Some(true), []) => {
                let others = match found.is_complete() {
                    true => "no board of the tournament is missing",
                    false => "other boards of the tournament were not given",
                };
                format!(
                    "SquareDeal's proof of {name} holds: the keys have the published hash, all \
                     {given} given are those of keys and value, and {others}."
                )
            }
            (Some(true), wrong @ [first, ..]) => format!(
                "SquareDeal's proof of {name} fails: {} of the {given} given do not agree, the first at {}.",
                thousands(wrong.len() as u64),
                self.place_and_fault(first)
            ),
        }
    }

    /// Named facts: the keys, the records, the phases, and the boards that are missing or wrong.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let (found, files) = (&self.found, self.files.len() as u64);
        let hash = match found.hash_agrees {
            Some(true) => "the hash of the keys is the one that was published",
            Some(false) => "DIFFERENT: these are not the keys whose hash was published",
            None => "none was published, so the keys prove nothing",
        };
        let given = with_noun(found.given, "board");
        let mut facts = vec![
            ("Keys", hash.to_owned()),
            (
                "Records",
                format!("{given} in {}", with_noun(files, "file")),
            ),
        ];
        for (phase, of) in self.tournament.phases.iter().zip(&found.phases) {
            let name = printable(&phase.description.replace('#', "..")).into_owned();
            let (equal, boards) = (thousands(of.equal), thousands(of.boards));
            let mut words = format!("{name}: {equal} of {boards} agree");
            if of.reserve > 0 {
                words += &format!(", and {} of the reserve set", thousands(of.reserve));
            }
            facts.push(("Phase", words));
            for (session, missing) in of.incomplete.iter().take(MOST_NAMED) {
                let missing: Vec<String> = missing.iter().map(u32::to_string).collect();
                let missing = format!("{} {}", printable(session), missing.join(", "));
                facts.push(("Missing", missing));
            }
            if !of.absent.is_empty() {
                let names: Vec<_> = of.absent.iter().map(|name| printable(name)).collect();
                facts.push(("No board", names.join(", ")));
            }
        }
        let wrong = found.wrong.iter().take(MOST_NAMED);
        facts.extend(wrong.map(|of| ("Wrong", self.place_and_fault(of))));
        if found.wrong.len() > MOST_NAMED {
            let more = (found.wrong.len() - MOST_NAMED) as u64;
            facts.push(("Wrong", format!("{} more", with_noun(more, "board"))));
        }
        facts
    }

    /// Where a board is, and what is wrong with it.
    fn place_and_fault(&self, of: &BoardCheck) -> String {
        let board = of.number.map(|number| format!("board {number}: "));
        let file = printable(&self.files[of.file]);
        format!(
            "{file}:{}: {}{}",
            of.line,
            board.unwrap_or_default(),
            of.fault
        )
    }

    /// The record of an audit.
    pub(super) fn record(&self) -> SquareDealRecord {
        SquareDealRecord {
            tournament: self.tournament.name.clone(),
            agrees: self.found.agrees(),
            complete: self.found.is_complete(),
            words: self.sentence(),
        }
    }
}

/// The boards of hand records, and the names of the files.
fn given_boards(
    files: &[PathBuf],
    labels: &[String],
    format: Option<Format>,
    observer: &dyn Observer,
) -> Result<(Vec<GivenBoard>, Vec<String>), Error> {
    let stage = observer.stage(Stage::Read, None);
    let (mut boards, mut failure): (Vec<GivenBoard>, _) = (Vec::new(), None);
    let mut take = |file, name: &str, entry: InputEntry<'_>| {
        let line = entry.line;
        match &entry.what {
            EntryKind::Deal(deal) if boards.len() < MOST_BOARDS => {
                boards.push(GivenBoard {
                    file,
                    line,
                    number: entry.board,
                    deal: *deal,
                });
                return ControlFlow::Continue(());
            }
            EntryKind::Deal(_) => {
                let most = thousands(MOST_BOARDS as u64);
                failure = Some(format!("there are more than {most} boards"));
            }
            EntryKind::Incomplete(fault) | EntryKind::Invalid(fault) => {
                failure = Some(format!("{}:{line}: {fault}", printable(name)));
            }
            EntryKind::Unused | EntryKind::Text => return ControlFlow::Continue(()),
        }
        ControlFlow::Break(())
    };
    let mut watch = |_| break_if(observer.is_stop_asked());
    let names = read_entries(files, labels, format, false, &mut take, &mut watch);
    if let Some(failure) = failure {
        return Err(Error::input(failure));
    }
    let names = names?;
    drop(stage);
    Ok((boards, names))
}
