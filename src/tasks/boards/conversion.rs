//! Boards of files, written again: repeats that are left out, and what a format or the request
//! does not keep.

use super::super::input_files::break_if;
use super::labelling::Labelling;
use super::{BoardRequest, SourceBoard};
use crate::bridge::{Deal, Hand};
use crate::draw::Aes128Ctr;
use crate::error::Error;
use crate::fixed_hash::FixedHashMap;
use crate::formats::{Board, BoardRecord, Carries, Format, is_numbered_by_place};
use crate::language::{AskedTricks, Script};
use crate::observer::Observer;
use crate::printable::{thousands, with_noun};
use crate::run::DealCount;
use crate::solver::SolverTeam;
use crate::tasks::{DealFiles, FileDeal, RandomWords, read_deals};

/// Maximum number of boards whose repeats are recognised; they are kept in memory.
const MOST_REMEMBERED: usize = 10_000_000;

/// Number of deals per thread that are solved before any of them is written.
const SOLVED_TOGETHER: usize = 8;

/// Boards of files to be written again. The files are read once.
#[derive(Debug)]
pub struct Conversion<'r> {
    /// The request; deals whose file has no tricks are solved if it says so.
    pub request: &'r BoardRequest,
    /// The script, whose condition the deals must satisfy.
    pub script: &'r Script,
    /// The files.
    pub files: DealFiles,
    /// The formats in which the boards are written.
    pub formats: &'r [Format],
    /// Labels of all boards, which replace those of the files.
    pub labels: BoardRecord,
    /// The words of a random rotation.
    pub words: Option<&'r RandomWords>,
}

/// What a conversion read and wrote.
#[derive(Clone, Debug)]
pub struct Converted {
    /// Number of deals read.
    pub read: u64,
    /// Number of boards written in each format.
    pub written: Vec<u64>,
    /// What the files have and the boards do not, a sentence for each kind and format.
    pub losses: Vec<String>,
}

/// Receives a board and its record, and the index of their format.
type WriteBoard<'w> = &'w mut dyn FnMut(usize, &Board, &BoardRecord) -> Result<(), Error>;

/// A part of a record that formats may lack.
struct RecordPart {
    /// Its name, with `THEIR` for the boards'.
    name: &'static str,
    is_given: fn(&BoardRecord) -> bool,
    is_carried: fn(Carries) -> bool,
}

const PARTS: [RecordPart; 11] = [
    RecordPart {
        name: "THEIR event",
        is_given: |record| !record.event[0].is_empty(),
        is_carried: |carries| carries.event,
    },
    RecordPart {
        name: "THEIR site, date or round",
        is_given: |record| record.event[1..].iter().any(|part| !part.is_empty()),
        is_carried: |carries| carries.details,
    },
    RecordPart {
        name: "THEIR scoring",
        is_given: |record| !record.scoring.is_empty(),
        is_carried: |carries| carries.scoring,
    },
    RecordPart {
        name: "the names of THEIR players",
        is_given: |record| record.names.iter().any(|name| !name.is_empty()),
        is_carried: |carries| carries.names,
    },
    RecordPart {
        name: "THEIR auction or play",
        is_given: |record| !record.calls.is_empty() || !record.play.is_empty(),
        is_carried: |carries| carries.play,
    },
    RecordPart {
        name: CONTRACT,
        is_given: |record| !record.contract.is_empty() || !record.declarer.is_empty(),
        is_carried: |carries| carries.contract,
    },
    RecordPart {
        name: "THEIR result",
        is_given: |record| !record.result.is_empty(),
        is_carried: |carries| carries.result,
    },
    RecordPart {
        // Formats without a contract of its own have a place for a number only.
        name: "THEIR result, which is not a number",
        is_given: |record| !record.result.is_empty() && record.result.parse::<u8>().is_err(),
        is_carried: |carries| carries.contract || !carries.result,
    },
    RecordPart {
        name: "THEIR type",
        is_given: |record| !record.deal_type.is_empty(),
        is_carried: |carries| carries.deal_type,
    },
    RecordPart {
        name: "THEIR comment",
        is_given: |record| !record.comment.is_empty(),
        is_carried: |carries| carries.comment,
    },
    RecordPart {
        name: "other tags of PBN",
        is_given: |record| !record.other.is_empty(),
        is_carried: |carries| carries.other,
    },
];

/// The part that an auction implies.
const CONTRACT: &str = "THEIR contract";

impl Conversion<'_> {
    /// The maximum number of boards in a format, if there is one.
    pub fn wanted(&self) -> Option<u64> {
        let wanted = self.request.boards.map(DealCount::get);
        wanted.or(self.script.produce)
    }

    /// Passes the boards to `write`, in their order.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or has no deals, a deal lacks the tricks that the script asks, this
    /// program has no solver and one is needed, or `write` fails.
    pub fn write(
        &self,
        observer: &dyn Observer,
        write: WriteBoard<'_>,
    ) -> Result<Converted, Error> {
        let (request, script) = (self.request, self.script);
        let wanted = self.wanted().unwrap_or(u64::MAX);
        let team = || SolverTeam::new(rayon::current_num_threads());
        let team = request.solve.then(team).transpose()?;
        let unused = Aes128Ctr::new(0);
        let words = self.words.map_or(&unused as _, |words| &*words.generator);
        let together = |team: &SolverTeam| SOLVED_TOGETHER * team.threads();
        let size = team.as_ref().map_or(1, together);
        let formats = self.formats.iter().map(|format| {
            let labels = Labelling::new(request, script, words);
            FormatBoards::new(request, *format, labels)
        });
        let mut boards = ConvertedBoards {
            request,
            team,
            formats: formats.collect(),
            record_labels: &self.labels,
            seen: FixedHashMap::default(),
            has_forgotten: false,
            waiting: Vec::new(),
            write,
            observer,
        };
        let read = read_deals(script, &self.files, observer, &mut |deal: FileDeal| {
            boards.take(deal, wanted)?;
            let is_last = boards.formats.iter().all(|of| of.taken == wanted);
            if is_last || boards.waiting.len() == size {
                boards.write_all()?;
            }
            Ok(break_if(is_last))
        })?;
        boards.write_all()?;
        let (formats, has_forgotten) = (boards.formats, boards.has_forgotten);
        let written = formats.iter().map(|of| of.written).collect();
        let losses = formats.into_iter().flat_map(|of| of.losses(has_forgotten));
        Ok(Converted {
            read,
            written,
            losses: losses.collect(),
        })
    }
}

/// Solves, labels and writes boards.
struct ConvertedBoards<'a, 'w> {
    request: &'a BoardRequest,
    /// `None` if no deal is solved.
    team: Option<SolverTeam>,
    formats: Vec<FormatBoards<'a>>,
    /// Labels of all boards, which replace those of the files.
    record_labels: &'a BoardRecord,
    /// The boards so far: number, and the cards of north, east and south.
    seen: FixedHashMap<[u64; 4], ()>,
    has_forgotten: bool,
    /// Deals that become boards, and the indices of the formats.
    waiting: Vec<(FileDeal, Vec<usize>)>,
    write: WriteBoard<'w>,
    observer: &'a dyn Observer,
}

impl ConvertedBoards<'_, '_> {
    /// Adds a deal to those that wait, if it becomes a board of a format that has fewer than
    /// `wanted`.
    fn take(&mut self, deal: FileDeal, wanted: u64) -> Result<(), Error> {
        let is_repeat = self.is_repeat(&deal.dealt.deal, &deal.source)?;
        let record = deal.source.record.as_ref();
        let is_kept = !self.request.no_repeats && record.is_some_and(|record| record.has_table());
        let mut places = Vec::new();
        for (place, of) in self.formats.iter_mut().enumerate() {
            // A format with records of tables has the same board at each.
            let is_left_out = is_repeat && !(is_kept && of.format.carries().tables);
            match of.taken == wanted {
                true => {}
                false if is_left_out => of.repeats += 1,
                false => {
                    of.taken += 1;
                    places.push(place);
                }
            }
        }
        if !places.is_empty() {
            self.waiting.push((deal, places));
        }
        Ok(())
    }

    /// Whether the deal is a replay of an earlier board, with its number and its cards, or, if no
    /// deal may occur twice, has the cards of one. Otherwise it is remembered.
    ///
    /// # Errors
    ///
    /// If no deal may occur twice and there are too many deals to remember.
    fn is_repeat(&mut self, deal: &Deal, source: &SourceBoard) -> Result<bool, Error> {
        let number = match (self.request.no_repeats, source.number) {
            (true, _) => 0,
            (false, Some(number)) => number,
            (false, None) => return Ok(false),
        };
        let [north, east, south, _] = deal.hands().map(Hand::bits);
        let key = [number, north, east, south];
        if self.seen.len() == MOST_REMEMBERED && !self.seen.contains_key(&key) {
            if self.request.no_repeats {
                return Err(Error::input(format!(
                    "the files have more than {} different deals, the most whose repeats can be \
                     left out",
                    thousands(MOST_REMEMBERED as u64)
                )));
            }
            self.has_forgotten = true;
            return Ok(false);
        }
        Ok(self.seen.insert(key, ()).is_some())
    }

    /// Writes the boards that wait, after those without a table of tricks are solved; none of them
    /// if the observer asks to stop before.
    fn write_all(&mut self) -> Result<(), Error> {
        let waiting = std::mem::take(&mut self.waiting);
        let unsolved = waiting.iter().map(|(deal, _)| &deal.dealt);
        let unsolved = unsolved.filter(|dealt| dealt.tricks.is_none());
        let unsolved: Vec<Deal> = unsolved.map(|dealt| dealt.deal).collect();
        let mut tables = Vec::new().into_iter();
        if let Some(team) = &mut self.team {
            let Some(solved) = team.solve(&unsolved, &AskedTricks::All, self.observer) else {
                return Ok(());
            };
            tables = solved.into_iter();
        }
        for (
            FileDeal {
                mut dealt,
                mut source,
            },
            places,
        ) in waiting
        {
            dealt.tricks = dealt.tricks.or_else(|| tables.next());
            let mut told = *source.record.take().unwrap_or_default();
            told.replace(self.record_labels);
            let last = places.len() - 1;
            for (index, place) in places.into_iter().enumerate() {
                let of = &mut self.formats[place];
                let (board, comment) = of.labels.next(&source, of.written + 1, &dealt)?;
                let mut record = match index == last {
                    true => std::mem::take(&mut told),
                    false => told.clone(),
                };
                if !comment.is_empty() {
                    record.comment = comment.into();
                }
                of.moves(&board, &source, &mut record);
                (self.write)(place, &board, &record)?;
                of.wrote(&board, &source, &record);
            }
        }
        Ok(())
    }
}

/// The boards in one format, and what they lose.
struct FormatBoards<'r> {
    request: &'r BoardRequest,
    format: Format,
    labels: Labelling<'r>,
    /// Number of boards that are written or wait.
    taken: u64,
    written: u64,
    /// Number of repeats that are left out.
    repeats: u64,
    /// Boards of a file whose order is known at its end.
    waiting: Vec<(SourceBoard, Board)>,
    numbers: u64,
    dealers: u64,
    sides: u64,
    /// Numbers of boards that lost each of [`PARTS`].
    parts: [u64; PARTS.len()],
    /// Numbers of boards whose calls and cards depend on seats that have changed, and that have
    /// something that is not read.
    moved: u64,
    unread: u64,
    tricks: u64,
}

impl<'r> FormatBoards<'r> {
    fn new(request: &'r BoardRequest, format: Format, labels: Labelling<'r>) -> Self {
        Self {
            request,
            format,
            labels,
            taken: 0,
            written: 0,
            repeats: 0,
            waiting: Vec::new(),
            numbers: 0,
            dealers: 0,
            sides: 0,
            parts: [0; PARTS.len()],
            moved: 0,
            unread: 0,
            tricks: 0,
        }
    }

    /// Drops what a record says of seats that the board does not have there.
    fn moves(&mut self, board: &Board, source: &SourceBoard, record: &mut BoardRecord) {
        let is_turned = self.request.rotation.is_some();
        let is_other_dealer = source.dealer.is_some_and(|dealer| dealer != board.dealer);
        let has_moved = match (is_turned, is_other_dealer) {
            (true, _) => record.has_table(),
            (false, true) => !record.calls.is_empty(),
            (false, false) => false,
        };
        self.moved += u64::from(has_moved);
        if has_moved {
            record.calls.clear();
        }
        if has_moved && is_turned {
            *record = BoardRecord {
                event: std::mem::take(&mut record.event),
                scoring: std::mem::take(&mut record.scoring),
                comment: std::mem::take(&mut record.comment),
                ..BoardRecord::default()
            };
        }
    }

    /// Notes a board that is written.
    fn wrote(&mut self, board: &Board, source: &SourceBoard, record: &BoardRecord) {
        self.written += 1;
        let carries = self.format.carries();
        for (part, boards) in PARTS.iter().zip(&mut self.parts) {
            let is_implied =
                part.name == CONTRACT && carries.play && record.is_contract_implied(board.dealer);
            let is_lost = !(part.is_carried)(carries) && (part.is_given)(record) && !is_implied;
            *boards += u64::from(is_lost);
        }
        let has_unread = record.has_unread
            || (source.details.has_play || source.details.has_names) && !record.has_table();
        self.unread += u64::from(has_unread && self.request.rotation.is_none());
        self.tricks += u64::from(source.has_tricks && !carries.tricks);
        match self.format.is_written_at_end() && !carries.number {
            true => self.waiting.push((source.clone(), *board)),
            false => self.compare(source, board, self.written),
        }
    }

    /// Compares a board with its source, if its file has it at this place, counted from 1.
    fn compare(&mut self, source: &SourceBoard, board: &Board, place: u64) {
        let (carries, given) = (self.format.carries(), &self.request.labels);
        let number = match carries.number {
            true => board.number,
            false => place,
        };
        // The dealer and the vulnerability of a format without them are those of the number.
        let implied = Board::new(number, board.deal);
        let board = if carries.dealer { board } else { &implied };
        let is_lost = |number: u64| Some(number) != source.number;
        let numbers = source.number.is_some() && given.first.is_none() && is_lost(number);
        let dealer = source.dealer.filter(|_| given.dealer.is_none());
        let sides = source.details.vulnerable;
        let sides = sides.filter(|_| given.vulnerable.is_none());
        self.numbers += u64::from(numbers);
        self.dealers += u64::from(dealer.is_some_and(|seat| seat != board.dealer));
        self.sides += u64::from(sides.is_some_and(|sides| sides != board.vulnerable));
    }

    /// A sentence for each kind of loss.
    fn losses(mut self, has_forgotten: bool) -> Vec<String> {
        let waiting = std::mem::take(&mut self.waiting);
        let numbers: Vec<u64> = waiting.iter().map(|(_, board)| board.number).collect();
        let is_by_number = is_numbered_by_place(&numbers);
        for (place, (source, board)) in (1..).zip(&waiting) {
            let place = if is_by_number { board.number } else { place };
            self.compare(source, board, place);
        }
        let (carries, name) = (self.format.carries(), self.format.name());
        let because = |is_carried: bool, script: &str| match is_carried {
            true => format!("the script has {script}"),
            false if self.format.is_written_at_end() => {
                format!("the format {name} numbers boards from 1")
            }
            false => format!("the format {name} does not store it"),
        };
        let not_stored = |what: &str| {
            let it = if what.ends_with('s') { "them" } else { "it" };
            format!("the format {name} does not store {it}")
        };
        let labels = [
            (
                self.numbers,
                "THEIR number",
                because(carries.number, "`startboard`"),
            ),
            (
                self.dealers,
                "THEIR dealer",
                because(carries.dealer, "`dealer`"),
            ),
            (
                self.sides,
                "THEIR vulnerability",
                because(carries.dealer, "`vulnerable`"),
            ),
        ];
        let parts = PARTS.iter().zip(self.parts);
        let parts = parts.map(|(part, boards)| (boards, part.name, not_stored(part.name)));
        let (tricks, moved) = ("THEIR double-dummy tricks", "calls, cards or players");
        let others = [
            (self.tricks, tricks, not_stored(tricks)),
            (self.moved, moved, "the seats have changed".to_owned()),
            (
                self.unread,
                "names, calls or cards",
                "fairdeal does not read them".to_owned(),
            ),
        ];
        let kinds = labels.into_iter().chain(parts).chain(others);
        let repeats = self.repeats_left_out(has_forgotten);
        let lost = kinds.filter(|(boards, ..)| *boards > 0);
        let lost = lost.map(|(boards, what, why)| {
            let what = what.replace("THEIR", if boards == 1 { "its" } else { "their" });
            format!("{} lost {what}: {why}", with_noun(boards, "board"))
        });
        repeats.into_iter().chain(lost).collect()
    }

    /// The sentences about repeats.
    fn repeats_left_out(&self, has_forgotten: bool) -> Vec<String> {
        let mut sentences = Vec::new();
        if self.repeats > 0 {
            let (which, of) = match self.request.no_repeats {
                true => ("repeated deal", "the cards of an earlier board"),
                false => ("replay", "the number and the cards of an earlier board"),
            };
            let (records, written) = (
                with_noun(self.repeats, which),
                with_noun(self.written, "board"),
            );
            sentences.push(format!("left out {records}, with {of}; wrote {written}"));
        }
        if has_forgotten {
            sentences.push(format!(
                "replays of other boards than the first {} were not looked for",
                thousands(MOST_REMEMBERED as u64)
            ));
        }
        sentences
    }
}
