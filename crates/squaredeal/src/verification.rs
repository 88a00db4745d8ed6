//! Compares the boards of hand records with those of a tournament.

use crate::tournament::Tournament;
use crate::{HandSet, Keys, SessionBoards};
use fairdeal_base::fixed_hash::FixedHashMap;
use fairdeal_bridge::{Deal, Hand};

/// Sessions that are looked for in a phase of unknown length.
const OPEN_SESSIONS: u32 = 100;

/// Boards that are looked for in a session whose board numbers are not stated.
const OPEN_BOARDS: u32 = 100;

/// Maximum number of boards of a tournament, without its reserve sets.
const MOST_BOARDS: u64 = 1_000_000;

/// A board of a hand record.
#[derive(Clone, Copy, Debug)]
pub struct GivenBoard {
    /// The place of its file in the list of files.
    pub file: usize,
    /// Its line, or its record in a file without lines, from 1.
    pub line: u64,
    /// Its number, if the file has one; otherwise boards are compared in their order.
    pub number: Option<u64>,
    /// The cards.
    pub deal: Deal,
}

/// Where a board belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SessionPlace {
    phase: u32,
    session: u32,
    set: HandSet,
    /// Its place in the session, from 0.
    place: u32,
}

/// A board that does not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardCheck {
    /// The place of its file in the list of files.
    pub file: usize,
    /// Its line or record.
    pub line: u64,
    /// Its number.
    pub number: Option<u64>,
    /// What is wrong, in words.
    pub fault: String,
}

/// The boards of a phase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseCheck {
    /// Number of boards that agree, each counted once.
    pub equal: u64,
    /// The same, of reserve sets.
    pub reserve: u64,
    /// Number of boards of the sessions with boards that agree.
    pub boards: u64,
    /// Sessions of which boards were given, and not all: file names, with the numbers missing.
    pub incomplete: Vec<(String, Vec<u32>)>,
    /// File names of the sessions of which no board was given.
    pub absent: Vec<String>,
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Whether the key file has the hash that was published; `None` if none was.
    pub hash_agrees: Option<bool>,
    /// Number of boards given.
    pub given: u64,
    /// The phases, in order.
    pub phases: Vec<PhaseCheck>,
    /// The boards that do not agree, in the order of the files.
    pub wrong: Vec<BoardCheck>,
}

impl Verification {
    /// Returns whether the hash and every board given agree.
    pub fn agrees(&self) -> bool {
        self.hash_agrees == Some(true) && self.wrong.is_empty() && self.given > 0
    }

    /// Returns whether every board of every session was given. Sessions of a phase of unknown
    /// length count if any board was given.
    pub fn is_complete(&self) -> bool {
        let is_whole = |of: &PhaseCheck| of.incomplete.is_empty() && of.absent.is_empty();
        self.phases.iter().all(is_whole)
    }
}

/// The boards of a tournament, by their cards.
struct BoardIndex<'t> {
    tournament: &'t Tournament,
    keys: &'t Keys,
    places: FixedHashMap<[u64; 3], SessionPlace>,
}

fn cards(deal: &Deal) -> [u64; 3] {
    let [north, east, south, _] = deal.hands().map(Hand::bits);
    [north, east, south]
}

impl<'t> BoardIndex<'t> {
    fn new(tournament: &'t Tournament, keys: &'t Keys) -> Result<Self, String> {
        let mut index = Self {
            tournament,
            keys,
            places: FixedHashMap::default(),
        };
        let all: u64 = (1..)
            .zip(&tournament.phases)
            .map(|(phase, _)| index.boards_of(phase))
            .sum();
        if all > MOST_BOARDS {
            return Err(format!(
                "the tournament has {all} boards, more than {MOST_BOARDS}"
            ));
        }
        for phase in 1..=tournament.phases.len() as u32 {
            for session in 1..=index.sessions(phase) {
                for set in [HandSet::Original, HandSet::Reserve] {
                    let deals = tournament.deals(keys, (phase, session), set);
                    let deals = deals
                        .into_iter()
                        .flatten()
                        .take(index.size(phase, session) as usize);
                    for (place, deal) in (0..).zip(deals) {
                        let found = SessionPlace {
                            phase,
                            session,
                            set,
                            place,
                        };
                        index.places.insert(cards(&deal), found);
                    }
                }
            }
        }
        Ok(index)
    }

    /// The sessions of a phase, or those that are looked for.
    fn sessions(&self, phase: u32) -> u32 {
        let known = self.tournament.phase(phase).map_or(0, |of| of.sessions);
        if known == 0 { OPEN_SESSIONS } else { known }
    }

    /// The number of boards of a session, or those that are looked for.
    fn size(&self, phase: u32, session: u32) -> u32 {
        let range = self
            .tournament
            .phase(phase)
            .and_then(|of| of.range(session));
        range.map_or(OPEN_BOARDS, |range| range.boards())
    }

    fn boards_of(&self, phase: u32) -> u64 {
        let sessions = 1..=self.sessions(phase);
        sessions
            .map(|session| u64::from(self.size(phase, session)))
            .sum()
    }

    /// The name of a session: that of its file.
    fn name(&self, phase: u32, session: u32) -> String {
        let of = self.tournament.phase(phase);
        of.map_or_else(String::new, |of| of.file_of(session))
    }

    /// The deal that a session has at a place.
    fn deal(&self, at: SessionPlace) -> Option<Deal> {
        let mut deals = self
            .tournament
            .deals(self.keys, (at.phase, at.session), at.set)?;
        deals.nth(at.place as usize)
    }
}

/// First board numbers of the sessions whose numbers are not stated: those of the records.
type FirstNumbers = FixedHashMap<(u32, u32, HandSet), u32>;

/// Compares the boards of hand records, in the order of their files, with those of a tournament.
///
/// # Errors
///
/// If the value or a key is missing, or the tournament has more than a million boards.
pub fn verify(
    tournament: &Tournament,
    keys: &Keys,
    boards: &[GivenBoard],
) -> Result<Verification, String> {
    if tournament.value.is_none() {
        return Err("the description has no value (DV) yet".to_owned());
    }
    if let Some((phase, session)) = keys.first_missing(tournament) {
        return Err(format!(
            "there is no key of phase {phase}, session {session}"
        ));
    }
    let index = BoardIndex::new(tournament, keys)?;
    let found: Vec<Option<SessionPlace>> = boards
        .iter()
        .map(|board| index.places.get(&cards(&board.deal)).copied())
        .collect();
    let (mut firsts, mut wrong) = (FirstNumbers::default(), Vec::new());
    let mut seen: FixedHashMap<(u32, u32, HandSet, u32), ()> = FixedHashMap::default();
    for (place, (board, at)) in boards.iter().zip(&found).enumerate() {
        let fault = match at {
            Some(at) => {
                seen.insert((at.phase, at.session, at.set, at.place), ());
                let before = place
                    .checked_sub(1)
                    .filter(|before| boards[*before].file == board.file);
                let before = before.and_then(|before| found[before]);
                fault_of_number(&index, &mut firsts, board, *at, before)
            }
            None => Some(fault_of_cards(&index, &mut firsts, boards, &found, place)),
        };
        if let Some(fault) = fault {
            let GivenBoard {
                file, line, number, ..
            } = *board;
            wrong.push(BoardCheck {
                file,
                line,
                number,
                fault,
            });
        }
    }
    let phases = 1..=tournament.phases.len() as u32;
    Ok(Verification {
        hash_agrees: tournament.key_hash.map(|hash| hash == keys.hash()),
        given: boards.len() as u64,
        phases: phases
            .map(|phase| check_of_phase(&index, &seen, phase))
            .collect(),
        wrong,
    })
}

/// The number of a board of the tournament; `None` if nothing states it.
fn number_of(index: &BoardIndex<'_>, firsts: &FirstNumbers, at: SessionPlace) -> Option<u64> {
    let range = index.tournament.phase(at.phase)?.range(at.session);
    let first = match range {
        Some(range) => range.first,
        None => *firsts.get(&(at.phase, at.session, at.set))?,
    };
    Some(u64::from(first + at.place))
}

/// What is wrong with the number of a board whose cards are right.
fn fault_of_number(
    index: &BoardIndex<'_>,
    firsts: &mut FirstNumbers,
    board: &GivenBoard,
    at: SessionPlace,
    before: Option<SessionPlace>,
) -> Option<String> {
    let name = index.name(at.phase, at.session);
    let Some(number) = board.number else {
        // Without numbers, boards follow each other.
        let is_of_session =
            |other: &SessionPlace| (other.session, other.set) == (at.session, at.set);
        let before = before.filter(|other| other.phase == at.phase && is_of_session(other));
        let is_next = before.is_none_or(|before| before.place + 1 == at.place);
        let place = at.place + 1;
        return (!is_next)
            .then(|| format!("out of order: it is the board at place {place} of {name}"));
    };
    let key = (at.phase, at.session, at.set);
    let first = number
        .checked_sub(u64::from(at.place))
        .and_then(|first| u32::try_from(first).ok());
    if let Some(first) = first.filter(|first| *first > 0) {
        let is_open = matches!(
            index.tournament.phase(at.phase).map(|of| &of.boards),
            Some(SessionBoards::Asked)
        );
        if is_open {
            firsts.entry(key).or_insert(first);
        }
    }
    match number_of(index, firsts, at) {
        Some(expected) if expected != number => {
            Some(format!("it has the cards of board {expected} of {name}"))
        }
        _ => None,
    }
}

/// What is wrong with a board whose cards are those of no board: what the session around it has
/// there.
fn fault_of_cards(
    index: &BoardIndex<'_>,
    firsts: &mut FirstNumbers,
    boards: &[GivenBoard],
    found: &[Option<SessionPlace>],
    place: usize,
) -> String {
    let board = &boards[place];
    let of_file = |other: &usize| boards[*other].file == board.file;
    let before = (0..place).rev().take_while(of_file);
    let after = (place + 1..boards.len()).take_while(of_file);
    let near = before
        .chain(after)
        .find_map(|other| Some((other, found[other]?)));
    let unknown = "it is no board of this tournament";
    let Some((other, near)) = near else {
        return unknown.to_owned();
    };
    let wanted = match (board.number, number_of(index, firsts, near)) {
        (Some(number), Some(known)) => (u64::from(near.place) + number).checked_sub(known),
        _ => (near.place as usize + place)
            .checked_sub(other)
            .map(|place| place as u64),
    };
    let wanted = wanted.and_then(|place| u32::try_from(place).ok());
    let wanted = wanted.filter(|place| *place < index.size(near.phase, near.session));
    let wanted = wanted.map(|place| SessionPlace { place, ..near });
    let name = index.name(near.phase, near.session);
    match wanted.and_then(|at| index.deal(at)) {
        Some(deal) => format!("{unknown}; {name} has {deal} there"),
        None => format!("{unknown}, and not of {name}, which the boards around it are of"),
    }
}

/// The boards of a phase that were given.
fn check_of_phase(
    index: &BoardIndex<'_>,
    seen: &FixedHashMap<(u32, u32, HandSet, u32), ()>,
    phase: u32,
) -> PhaseCheck {
    let mut check = PhaseCheck::default();
    let is_open = index
        .tournament
        .phase(phase)
        .is_none_or(|of| of.sessions == 0);
    for session in 1..=index.sessions(phase) {
        let places = 0..index.size(phase, session);
        let is_given = |set, place| seen.contains_key(&(phase, session, set, place));
        let count = |set| places.clone().filter(|place| is_given(set, *place)).count() as u64;
        let (equal, reserve) = (count(HandSet::Original), count(HandSet::Reserve));
        (check.equal, check.reserve) = (check.equal + equal, check.reserve + reserve);
        let name = index.name(phase, session);
        let range = index
            .tournament
            .phase(phase)
            .and_then(|of| of.range(session));
        match (equal + reserve, range) {
            (0, _) if is_open => {}
            (0, _) => check.absent.push(name),
            (_, None) => check.boards += equal,
            (_, Some(range)) => {
                check.boards += u64::from(range.boards());
                let missing = places.filter(|place| {
                    !is_given(HandSet::Original, *place) && !is_given(HandSet::Reserve, *place)
                });
                let missing: Vec<u32> = missing.map(|place| range.first + place).collect();
                if !missing.is_empty() {
                    check.incomplete.push((name, missing));
                }
            }
        }
    }
    check
}
