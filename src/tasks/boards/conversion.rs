//! Boards of files, written again: repeats that are left out, and what a format or the request
//! does not keep.

use std::ops::ControlFlow;

use super::labelling::Labelling;
use super::{BoardRequest, SourceBoard};
use crate::bridge::{Deal, Hand};
use crate::draw::Aes128Ctr;
use crate::error::Error;
use crate::fixed_hash::FixedHashMap;
use crate::formats::{Board, Format, SetLabels, is_numbered_by_place};
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

/// Boards of files to be written again.
#[derive(Debug)]
pub struct Conversion<'r> {
    /// The request; deals whose file has no tricks are solved if it says so.
    pub request: &'r BoardRequest,
    /// The script, whose condition the deals must satisfy.
    pub script: &'r Script,
    /// The files.
    pub files: DealFiles,
    /// The format in which the boards are written.
    pub format: Format,
    /// Labels of all boards, which replace those of the files.
    pub labels: SetLabels,
    /// The words of a random rotation.
    pub words: Option<&'r RandomWords>,
}

/// What a conversion read and wrote.
#[derive(Clone, Debug)]
pub struct Converted {
    /// Number of deals read.
    pub read: u64,
    /// Number of boards written.
    pub written: u64,
    /// What the files have and the boards do not, a sentence for each kind.
    pub losses: Vec<String>,
}

/// Receives a board and the comment on it.
type WriteBoard<'w> = &'w mut dyn FnMut(&Board, &str) -> Result<(), Error>;

impl Conversion<'_> {
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
        let wanted = request.boards.map(DealCount::get).or(script.produce);
        let team = || SolverTeam::new(rayon::current_num_threads());
        let team = request.solve.then(team).transpose()?;
        let unused = Aes128Ctr::new(0);
        let words = self.words.map_or(&unused as _, |words| &*words.generator);
        let together = |team: &SolverTeam| SOLVED_TOGETHER * team.threads();
        let (mut waiting, size) = (Vec::new(), team.as_ref().map_or(1, together));
        let mut boards = ConvertedBoards {
            team,
            labels: Labelling::new(request, script, words),
            losses: Losses::new(request, self.format, self.labels.clone()),
            write,
        };
        let read = read_deals(script, &self.files, observer, &mut |deal: &FileDeal| {
            if boards.losses.is_repeat(&deal.dealt.deal, &deal.source)? {
                return Ok(ControlFlow::Continue(()));
            }
            waiting.push(*deal);
            let taken = boards.losses.written + waiting.len() as u64;
            let is_last = wanted == Some(taken);
            if is_last || waiting.len() == size {
                boards.write_all(&mut waiting)?;
            }
            Ok(match is_last {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            })
        })?;
        boards.write_all(&mut waiting)?;
        Ok(Converted {
            read,
            written: boards.losses.written,
            losses: boards.losses.in_words(),
        })
    }
}

/// Solves, labels and writes boards.
struct ConvertedBoards<'a, 'w> {
    /// `None` if no deal is solved.
    team: Option<SolverTeam>,
    labels: Labelling<'a>,
    losses: Losses<'a>,
    write: WriteBoard<'w>,
}

impl ConvertedBoards<'_, '_> {
    /// Writes these boards, after those without a table of tricks are solved.
    fn write_all(&mut self, deals: &mut Vec<FileDeal>) -> Result<(), Error> {
        let unsolved = deals.iter().filter(|deal| deal.dealt.tricks.is_none());
        let unsolved: Vec<Deal> = unsolved.map(|deal| deal.dealt.deal).collect();
        let tables = self.team.as_mut();
        let tables = tables.map(|team| team.solve(&unsolved, &AskedTricks::All));
        let mut tables = tables.into_iter().flatten();
        for FileDeal { mut dealt, source } in deals.drain(..) {
            dealt.tricks = dealt.tricks.or_else(|| tables.next());
            let place = self.losses.written + 1;
            let (board, comment) = self.labels.next(&source, place, &dealt)?;
            (self.write)(&board, &comment)?;
            self.losses.wrote(&board, &source);
        }
        Ok(())
    }
}

/// Repeats that are left out, and what boards of files lose.
struct Losses<'r> {
    request: &'r BoardRequest,
    format: Format,
    labels: SetLabels,
    /// The boards so far: number, and the cards of north, east and south.
    seen: FixedHashMap<[u64; 4], ()>,
    repeats: u64,
    has_forgotten: bool,
    written: u64,
    /// Boards of a file whose order is known at its end.
    waiting: Vec<(SourceBoard, Board)>,
    numbers: u64,
    dealers: u64,
    sides: u64,
    events: u64,
    names: u64,
    plays: u64,
    tricks: u64,
}

impl<'r> Losses<'r> {
    fn new(request: &'r BoardRequest, format: Format, labels: SetLabels) -> Self {
        Self {
            request,
            format,
            labels,
            seen: FixedHashMap::default(),
            repeats: 0,
            has_forgotten: false,
            written: 0,
            waiting: Vec::new(),
            numbers: 0,
            dealers: 0,
            sides: 0,
            events: 0,
            names: 0,
            plays: 0,
            tricks: 0,
        }
    }

    /// Whether the deal is a replay of an earlier board, with its number and its cards, or, if no
    /// deal may occur twice, has the cards of one. It is counted then, and otherwise remembered.
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
        let is_repeat = self.seen.insert(key, ()).is_some();
        self.repeats += u64::from(is_repeat);
        Ok(is_repeat)
    }

    /// Notes a board that is written.
    fn wrote(&mut self, board: &Board, source: &SourceBoard) {
        self.written += 1;
        let carries = self.format.carries();
        self.events += u64::from(source.has_event && self.labels.event.is_none());
        self.names += u64::from(source.details.has_names && self.labels.names.is_none());
        self.plays += u64::from(source.details.has_play);
        self.tricks += u64::from(source.has_tricks && !carries.tricks);
        match self.format.is_written_at_end() && !carries.number {
            true => self.waiting.push((*source, *board)),
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
    fn in_words(mut self) -> Vec<String> {
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
        let not_kept = "a conversion does not keep";
        let kinds = [
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
            (self.events, "THEIR event", format!("{not_kept} it")),
            (
                self.names,
                "the names of THEIR players",
                format!("{not_kept} them"),
            ),
            (
                self.plays,
                "THEIR auction, contract, result or play",
                format!("{not_kept} it"),
            ),
            (
                self.tricks,
                "THEIR double-dummy tricks",
                format!("the format {name} does not store them"),
            ),
        ];
        let repeats = self.repeats_left_out();
        let lost = kinds.into_iter().filter(|(boards, ..)| *boards > 0);
        let lost = lost.map(|(boards, what, why)| {
            let what = what.replace("THEIR", if boards == 1 { "its" } else { "their" });
            format!("{} lost {what}: {why}", with_noun(boards, "board"))
        });
        repeats.into_iter().chain(lost).collect()
    }

    /// The sentences about repeats.
    fn repeats_left_out(&self) -> Vec<String> {
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
        if self.has_forgotten {
            sentences.push(format!(
                "replays of other boards than the first {} were not looked for",
                thousands(MOST_REMEMBERED as u64)
            ));
        }
        sentences
    }
}
