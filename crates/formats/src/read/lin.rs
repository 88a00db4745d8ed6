//! Bridge Base Online's LIN: a sequence of tokens `xx|value|`.
//!
//! The token `md` has the deal: a digit for the dealer, then the cards of south, west, north and
//! east; one hand may be omitted, usually east's. The board number is in `qx` before it or in
//! `ah` after it; `vg` names the event and its segment. `sv` has the vulnerability, `pn` the players,
//! and `mb`, `pc` and `mc` are calls, cards played and claims; they follow the deal, except for `pn`,
//! which may precede it. For records, `an` explains the last call and `nt` is a comment; the eight
//! names of a match apply to its boards, by the room in `qx`. All other tokens are skipped. In a match, the boards of both
//! rooms are returned.
//!
//! Lines may end anywhere, except for three rules that keep one broken token from hiding deals.
//! A token's name is on one line. An `md` token goes on in the next line only if the text before
//! that line's first bar can be hands. A line that begins with `qx|` begins a board, whatever
//! precedes it. Text that is not a token is reported, and the rest of its line is skipped.

use memchr::memmem;

use super::cards::{DisjointHands, outcome};
use super::notation::decoded;
use super::records::{push, push_at, quoted};
use super::text::{each_line, whole_lines};
use super::{BoardDetails, Entry, EntryKind, Event, Fault, FilePiece, Parser, marked, other};
use crate::bridge::{Seat, Vulnerable};
use crate::record::{AuctionCall, BoardRecord, Call, card};

/// The start of a line that begins a board.
const BOARD: &[u8] = b"qx|";
/// What is said of text that is not a token.
const NO_TOKEN: &str = "is not a LIN token (xx|value|)";
/// The start of a deal.
const DEAL: &[u8] = b"md|";
/// Seats in the order of the hands and of the dealer's digit, which begins at 1.
const SEATS: [Seat; 4] = [Seat::South, Seat::West, Seat::North, Seat::East];
/// Maximum stored length of a name or number, in bytes; the rest is dropped.
const LONGEST_VALUE: usize = 1 << 10;
/// Tokens whose values are used.
const USED: [[u8; 2]; 10] = [
    *b"md", *b"qx", *b"ah", *b"vg", *b"pn", *b"mb", *b"an", *b"pc", *b"mc", *b"nt",
];
/// Maximum length of a board's comments, in bytes.
const LONGEST_COMMENT: usize = 1 << 16;
/// The bytes of hands: suits, ranks, and what may stand between them.
const OF_HANDS: &[u8] = b"SHDCshdcAKQJTakqjt1098765432,- ";
/// Maximum length of a board with its chat; a longer one is not LIN and is cut anywhere.
const LONGEST_BOARD_BYTES: usize = 1 << 20;

/// Bridge Base Online's LIN.
#[derive(Debug, Default)]
pub(crate) struct Lin {
    /// A token that continues in the next line.
    open: Option<LinToken>,
    /// The board number for the next deal.
    number: Option<u64>,
    /// The last deal, if its board number may still follow.
    held: Option<Entry>,
    /// Whether players were named for the next deal.
    has_names: bool,
    /// The players of the next deal, and a comment, if records are kept.
    record: Option<Box<BoardRecord>>,
    /// The players of both rooms of a match, in the order of [`SEATS`].
    rooms: Option<[[Box<str>; 4]; 2]>,
    /// Whether the board is of the closed room.
    is_closed: bool,
    /// The index among the entries of the piece of the last deal, if it is passed on, and nothing
    /// has begun the next board.
    passed: Option<usize>,
}

/// A token whose value has not ended.
#[derive(Debug)]
struct LinToken {
    /// Position of its line in the piece; wrapped below 0 if it began in an earlier piece.
    place: u64,
    name: [u8; 2],
    value: Vec<u8>,
}

impl LinToken {
    /// Appends to the value, if the token is used; other values, such as chat, may be endless.
    fn extend(&mut self, value: &[u8]) {
        if USED.contains(&self.name) {
            let room = LONGEST_VALUE.saturating_sub(self.value.len());
            self.value.extend(&value[..value.len().min(room)]);
        }
    }

    /// Whether the next line goes on with the token.
    fn goes_on(&self, line: &[u8]) -> bool {
        let (value, _) = until_bar(line);
        !line.starts_with(BOARD)
            && (self.name != *b"md" || value.iter().all(|byte| OF_HANDS.contains(byte)))
    }
}

impl Parser for Lin {
    fn is_fresh(&self) -> bool {
        let waits = self.number.is_some() || self.has_names || self.held.is_some();
        let waits = waits || self.record.is_some() || self.rooms.is_some() || self.is_closed;
        self.open.is_none() && !waits
    }

    /// Cuts before a line that begins a board or, if there is none, before a line with a deal.
    fn cut(&self, bytes: &[u8]) -> usize {
        let begins = |window: &[u8]| window[0] == b'\n' && window[1..] == *BOARD;
        if let Some(end) = bytes.windows(1 + BOARD.len()).rposition(begins) {
            return end + 1;
        }
        let deals = bytes.windows(3).rposition(|window| window == DEAL);
        match deals.map(|place| whole_lines(&bytes[..place])) {
            None | Some(0) if bytes.len() >= LONGEST_BOARD_BYTES => whole_lines(bytes),
            None => 0,
            Some(cut) => cut,
        }
    }

    fn read(&mut self, piece: &[u8], last: bool, found: &mut FilePiece) {
        self.passed = None;
        each_line(piece, found, |found, line| self.line(line, found));
        if last {
            self.drop_open(found);
            self.let_go(found);
        }
        if let Some(held) = &mut self.held {
            held.place = held.place.wrapping_sub(found.places);
        }
        if let Some(open) = &mut self.open {
            open.place = open.place.wrapping_sub(found.places);
        }
    }
}

impl Lin {
    /// Reads the tokens of a line.
    fn line(&mut self, line: &[u8], found: &mut FilePiece) {
        let mut rest = line;
        if self.open.as_ref().is_some_and(|open| !open.goes_on(line)) {
            self.drop_open(found);
        }
        // Pieces begin with such lines: nothing in them is about the board before.
        if line.starts_with(BOARD) || memmem::find(line, DEAL).is_some() {
            self.passed = None;
        }
        if let Some(mut token) = self.open.take() {
            let (value, after) = until_bar(line);
            if token.name != *b"md" {
                token.extend(b"\n");
            }
            token.extend(value);
            match after {
                Some(after) => rest = after,
                None => {
                    self.open = Some(token);
                    return;
                }
            }
            self.token(token.name, &token.value, token.place, found);
        }
        while let rest_of_line @ [_, ..] = rest.trim_ascii() {
            let (name, Some(after)) = until_bar(rest_of_line) else {
                return self.push(no_token(rest_of_line), found);
            };
            let &[first, second] = name.trim_ascii() else {
                return self.push(no_token(rest_of_line), found);
            };
            let (value, after) = until_bar(after);
            rest = match after {
                Some(after) => after,
                None => return self.unended([first, second], value, found),
            };
            self.token([first, second], value, found.places, found);
        }
    }

    /// Keeps a token that does not end on the line where it begins.
    fn unended(&mut self, name: [u8; 2], value: &[u8], found: &FilePiece) {
        let mut token = LinToken {
            place: found.places,
            name,
            value: Vec::new(),
        };
        token.extend(value);
        self.open = Some(token);
    }

    /// Gives up the token that has not ended; one with a deal is reported.
    fn drop_open(&mut self, found: &mut FilePiece) {
        if let Some(token) = self.open.take()
            && token.name == *b"md"
        {
            let unended = Err(other("the `md` token does not end"));
            self.deal(unended, None, token.place, found);
        }
    }

    fn token(&mut self, name: [u8; 2], value: &[u8], place: u64, found: &mut FilePiece) {
        match &name {
            b"qx" => {
                self.let_go(found);
                self.passed = None;
                self.number = first_number(value);
                self.is_closed = found.keeps_records && value.starts_with(b"c");
            }
            b"md" => {
                let (dealer, hands) = dealer(value);
                self.deal(self::hands(hands), dealer, place, found);
            }
            b"ah" => {
                if let Some(held) = &mut self.held {
                    held.board = first_number(value);
                    self.let_go(found);
                }
            }
            b"vg" => {
                self.let_go(found);
                self.passed = None;
                name_event(value, found);
            }
            b"pn" => {
                let is_named = value.iter().any(|byte| !matches!(byte, b',' | b' ' | b'~'));
                match self.described(found) {
                    Some(entry) => entry.details.has_names |= is_named,
                    None => self.has_names |= is_named,
                }
                if is_named && found.keeps_records {
                    self.players(value, found);
                }
            }
            b"sv" => {
                if let Some(entry) = self.described(found) {
                    entry.details.vulnerable = vulnerable(value);
                }
            }
            b"mb" | b"pc" | b"mc" => {
                let keeps_records = found.keeps_records;
                if let Some(entry) = self.described(found) {
                    entry.details.has_play |= !value.is_empty();
                    if keeps_records {
                        play(
                            entry.record.get_or_insert_default(),
                            name,
                            value.trim_ascii(),
                        );
                    }
                }
            }
            b"an" | b"nt" if found.keeps_records && !value.is_empty() => {
                // Before a deal, they are about the next one.
                let record = match self.described(found) {
                    Some(entry) => entry.record.get_or_insert_default(),
                    None => self.record.get_or_insert_default(),
                };
                let text = decoded(value);
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                match (name, record.calls.last_mut()) {
                    ([b'a', _], Some(last)) => last.note = Some(text.into()),
                    ([b'a', _], None) => record.has_unread = true,
                    _ if record.comment.is_empty() => record.comment = text.into(),
                    _ if record.comment.len() + text.len() > LONGEST_COMMENT => {
                        record.has_unread = true;
                    }
                    _ => record.comment = format!("{} {text}", record.comment).into(),
                }
            }
            _ => {}
        }
    }

    /// The last deal, if nothing has begun the next board.
    fn described<'d>(&'d mut self, found: &'d mut FilePiece) -> Option<&'d mut Entry> {
        match (&mut self.held, self.passed) {
            (Some(held), _) => Some(held),
            (None, Some(place)) => found.entries.get_mut(place),
            (None, None) => None,
        }
    }

    /// Keeps the players of the board, or of a match.
    fn players(&mut self, value: &[u8], found: &mut FilePiece) {
        let names = value.split(|&byte| byte == b',').map(|name| {
            let name = decoded(name.trim_ascii());
            Box::from(name.trim_start_matches('~'))
        });
        let mut names: Vec<Box<str>> = names.collect();
        let is_match = names.len() > 4;
        names.resize(8, Box::default());
        let mut names = names.into_iter();
        let [first, second] =
            [(); 2].map(|()| std::array::from_fn(|_| names.next().unwrap_or_default()));
        if is_match {
            self.rooms = Some([first, second]);
            return;
        }
        if let Some(entry) = self.described(found) {
            entry.record.get_or_insert_default().names = by_seat(first);
        } else {
            self.record.get_or_insert_default().names = by_seat(first);
        }
    }

    fn deal(
        &mut self,
        hands: Result<DisjointHands, Fault>,
        dealer: Option<Seat>,
        place: u64,
        found: &mut FilePiece,
    ) {
        let board = self.number.take();
        let what = outcome(hands);
        let mut record = Entry {
            board,
            dealer,
            details: BoardDetails {
                has_names: std::mem::take(&mut self.has_names),
                ..BoardDetails::default()
            },
            record: self.record.take(),
            ..what.into()
        };
        if let Some(rooms) = &self.rooms {
            let record = record.record.get_or_insert_default();
            if record.names.iter().all(|name| name.is_empty()) {
                record.names = by_seat(rooms[usize::from(self.is_closed)].clone());
            }
        }
        self.let_go(found);
        if board.is_some() {
            push_at(found, place, record);
            self.passed = Some(found.entries.len() - 1);
            return;
        }
        self.held = Some(Entry { place, ..record });
    }

    /// Adds a record, after the deal that waits for its number.
    fn push(&mut self, record: Entry, found: &mut FilePiece) {
        self.let_go(found);
        push(found, record);
    }

    /// Adds the deal that waits for its number, without a number.
    fn let_go(&mut self, found: &mut FilePiece) {
        if let Some(held) = self.held.take() {
            push_at(found, held.place, held);
            self.passed = Some(found.entries.len() - 1);
        }
    }
}

/// Names in the order of [`Seat::ALL`].
fn by_seat([south, west, north, east]: [Box<str>; 4]) -> [Box<str>; 4] {
    [north, east, south, west]
}

/// Keeps calls (`mb`), cards (`pc`) or the declarer's tricks (`mc`).
fn play(record: &mut BoardRecord, token: [u8; 2], value: &[u8]) {
    match &token {
        b"mb" => {
            let end = value.iter().rposition(|byte| *byte != b'!');
            let text = &value[..end.map_or(0, |end| end + 1)];
            let note = (text.len() < value.len()).then(Box::default);
            match Call::from_text(text) {
                Some(call) => record.calls.push(AuctionCall { call, note }),
                None => record.has_unread = true,
            }
        }
        b"pc" => {
            let cards = value.chunks(2).map(card);
            match cards.collect::<Option<Vec<_>>>() {
                Some(cards) => record.play.extend(cards),
                None => record.has_unread = true,
            }
        }
        _ if value.iter().all(u8::is_ascii_digit) => record.result = decoded(value).into(),
        _ => record.has_unread = true,
    }
}

/// The text before the next bar, and the text after it if there is one.
fn until_bar(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|&byte| byte == b'|') {
        Some(bar) => (&text[..bar], Some(&text[bar + 1..])),
        None => (text, None),
    }
}

fn no_token(text: &[u8]) -> Entry {
    Entry::invalid(format!("{} {NO_TOKEN}", quoted(text)))
}

/// Whether an entry is text that is not a token.
pub(super) fn is_no_token(what: &EntryKind) -> bool {
    matches!(what, EntryKind::Invalid(Fault::Other(reason)) if reason.ends_with(NO_TOKEN))
}

/// The first number in a text such as `o12` or `Board 12`.
pub(super) fn first_number(text: &[u8]) -> Option<u64> {
    let mut words = text.split(|byte| !byte.is_ascii_digit());
    let digits = words.find(|digits| !digits.is_empty())?;
    str::from_utf8(digits).ok()?.parse().ok()
}

/// The vulnerability in an `sv` token.
fn vulnerable(value: &[u8]) -> Option<Vulnerable> {
    Some(match value.trim_ascii() {
        b"o" | b"O" | b"0" => Vulnerable::None,
        b"n" | b"N" => Vulnerable::NorthSouth,
        b"e" | b"E" => Vulnerable::EastWest,
        b"b" | b"B" => Vulnerable::All,
        _ => return None,
    })
}

/// Sets the event's name and segment.
fn name_event(value: &[u8], found: &mut FilePiece) {
    let mut fields = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    let mut next = || {
        let field = fields.next().unwrap_or_default();
        Some(String::from_utf8_lossy(field).into())
    };
    let event = Event([next(), None, None, next()]);
    found.event(event);
}

/// The dealer, and the text of the hands.
pub(super) fn dealer(value: &[u8]) -> (Option<Seat>, &[u8]) {
    match value.trim_ascii_start().split_first() {
        Some((b'0', hands)) => (None, hands),
        Some((digit @ b'1'..=b'4', hands)) => (Some(SEATS[usize::from(digit - b'1')]), hands),
        _ => (None, value),
    }
}

/// The hands, separated by commas; an omitted hand gets the remaining cards.
fn hands(value: &[u8]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    let mut texts = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    for (seat, text) in SEATS.into_iter().zip(texts.by_ref()) {
        marked::add_hand(&mut hands, seat, text)?;
    }
    if let Some(more) = texts.find(|text| !text.is_empty()) {
        return Err(other(format!("{} follows the fourth hand", quoted(more))));
    }
    hands.give_rest();
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, SET1, SET4, said};
    use super::*;
    use crate::Format as F;

    const MATCH: &str = "usbf_sf_14502.lin";
    const DEAL: &str = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";
    const S: &str = "S52HA5DA84CK86532";
    const W: &str = "SJ64HQJT72DKJ7CQ9";
    const N: &str = "SKQ73HK9843DT532C";
    const E: &str = "SAT98H6DQ96CAJT74";

    fn dealt(hands: &str) -> String {
        said(F::Lin, format!("md|{hands}|").as_bytes()).join("; ")
    }

    fn boards(text: &str) -> Vec<Option<u64>> {
        let text = text.replace("DEAL", &format!("1{S},{W},{N}"));
        let entries = testing::whole(F::Lin, text.as_bytes());
        entries.iter().map(|entry| entry.board).collect()
    }

    #[test]
    fn bigdeals_files_hold_the_deals_of_its_pbn() {
        testing::holds_deals(F::Lin, "bigdeal/set1.lin", SET1);
        testing::holds_deals(F::Lin, "bigdeal/set4_blind.lin", SET4);
    }

    #[test]
    fn a_match_has_each_board_in_two_rooms() {
        let bytes = testing::sample(MATCH);
        let entries = testing::whole(F::Lin, &bytes);
        let text = String::from_utf8_lossy(&bytes);
        let lines = (0..).zip(text.lines());
        let expected = lines
            .filter(|(_, line)| line.contains("|md|"))
            .map(|(place, line)| {
                let room = line.strip_prefix("qx|").unwrap();
                let number = room[1..].split('|').next().unwrap();
                (place, Some(number.parse().unwrap()))
            });
        let found = entries.iter().map(|entry| (entry.place, entry.board));
        assert_eq!(Vec::from_iter(found), Vec::from_iter(expected));
        let deals = testing::deals(F::Lin, &bytes);
        assert_eq!(deals.len(), 30);
        assert!(deals.chunks(2).all(|rooms| rooms[0] == rooms[1]));
        let mut piece = FilePiece::default();
        Lin::default().read(&bytes, true, &mut piece);
        let event = ["2010 USBF SF A", "Segment 4 of 8"].map(|name| Some(name.into()));
        let [name, segment] = event;
        assert_eq!(piece.events[1..], [Event([name, None, None, segment])]);
        assert!(piece.entries.iter().all(|entry| entry.event == 1));
    }

    #[test]
    fn one_hand_is_left_out_or_none() {
        for hands in [
            format!("1{S},{W},{N}"),
            format!("2{S},{W},{N},"),
            format!("{S},{W},{N},{E}"),
            format!("0{S},{W},,{E}"),
            format!(",{W},{N},{E}"),
            format!("3{S},,{N},{E}").to_lowercase(),
            format!("3C235668KD48AHA5S25,{W},{N}").replacen('6', "", 1),
            format!("4{S},{W},{N}").replace('T', "10"),
        ] {
            assert_eq!(dealt(&hands), DEAL, "{hands}");
        }
        assert_eq!(dealt(""), "incomplete: only 0 of 52 cards are dealt");
        assert_eq!(
            dealt(&format!("1{S},{W}")),
            "incomplete: only 26 of 52 cards are dealt"
        );
        let short = S.replace("S52", "S5");
        assert_eq!(
            dealt(&format!("1{short},{W},{N}")),
            "incomplete: only 38 of 52 cards are dealt"
        );
    }

    #[test]
    fn a_void_may_be_dashes() {
        assert_eq!(dealt(&format!("1{S},{W},{N}-")), DEAL);
        assert_eq!(dealt(&format!("1{S},{W},{N}\u{2014}")), DEAL);
        let inside = dealt(&format!("1{S},{W},{}", N.replace("SK", "SK-")));
        assert_eq!(
            inside,
            "invalid: `-` in north's spades is not a rank (A K Q J T 9 .. 2)"
        );
    }

    #[test]
    fn lines_may_end_within_the_hands() {
        let text = format!("st||md|1{S},\n{W},\r\n {N}\n|ah|Board 8|\n").repeat(3);
        let entries = testing::whole(F::Lin, text.as_bytes());
        let places: Vec<_> = entries
            .iter()
            .map(|entry| (entry.place, entry.board))
            .collect();
        assert_eq!(places, [(0, Some(8)), (4, Some(8)), (8, Some(8))]);
        assert_eq!(said(F::Lin, text.as_bytes()), [DEAL; 3]);
        testing::cuts_change_nothing(F::Lin, text.as_bytes());
        testing::truncations_are_read(F::Lin, text.as_bytes());
    }

    #[test]
    fn what_is_wrong_is_said_exactly() {
        for (hands, reason) in [
            (
                format!("1{S},{S}"),
                "S5 appears twice, the second time in west's hand",
            ),
            (format!("1{S}7,{W}"), "south holds 14 cards instead of 13"),
            (
                format!("1X{S},{W}"),
                "south's hand begins with `X`, which is not a suit",
            ),
            (
                format!("1A{S},{W}"),
                "`A` in south's hand comes before any suit",
            ),
            (
                format!("1SX{S},{W}"),
                "`X` in south's spades is not a rank (A K Q J T 9 .. 2)",
            ),
            (format!("{S},{W},{N},{E},x"), "`x` follows the fourth hand"),
        ] {
            assert_eq!(dealt(&hands), format!("invalid: {reason}"));
        }
    }

    #[test]
    fn a_number_comes_before_the_deal_or_after_it() {
        assert_eq!(boards("qx|o7|md|DEAL|ah|Board 8|"), [Some(7)]);
        assert_eq!(boards("qx|c7|st||\n\nmd|DEAL|"), [Some(7)]);
        assert_eq!(
            boards("md|DEAL|sv|o|\nah|Board 8|\npn|a,b|md|DEAL|ah|Board 9|"),
            [Some(8), Some(9)]
        );
        assert_eq!(boards("md|DEAL|md|DEAL|ah|Board 9|"), [None, Some(9)]);
        assert_eq!(boards("md|DEAL|qx|o3|ah|Board 9|md|DEAL|"), [None, Some(3)]);
    }

    #[test]
    fn what_follows_a_deal_is_about_its_board() {
        let deal = format!("md|3{S},{W},{N}|");
        let text = format!(
            "pn|s,w,n,e|{deal}sv|n|mb|p|\nqx|o2|st||\n{deal}\nah|Board 2|sv|b|\nmb|1C|pc|CA|\n\
             {deal}ah|Board 3|sv|o|pg||\nsv|e|mb|p|{deal}sv|e|\npn|,,,|\n"
        );
        let entries = testing::whole(F::Lin, text.as_bytes());
        let told = |vulnerable, has_names, has_play| BoardDetails {
            vulnerable: Some(vulnerable),
            has_names,
            has_play,
        };
        use Vulnerable::{All, EastWest, None, NorthSouth};
        let expected = [
            told(NorthSouth, true, true),
            told(All, false, true),
            told(None, false, false),
            told(EastWest, false, false),
        ];
        let details = entries.iter().map(|entry| entry.details);
        assert_eq!(Vec::from_iter(details), expected);
        testing::cuts_change_nothing(F::Lin, text.as_bytes());
    }

    #[test]
    fn a_broken_token_hides_no_deal() {
        let with = |text: &str| {
            said(
                F::Lin,
                text.replace("DEAL", &format!("1{S},{W},{N}")).as_bytes(),
            )
        };
        assert_eq!(
            with("qx|o1|md|3S52HA5\nqx|o2|md|DEAL|"),
            ["invalid: the `md` token does not end", DEAL]
        );
        assert_eq!(with("nt|talk that does not end\nqx|o2|md|DEAL|"), [DEAL]);
        assert_eq!(with("nt|talk of\ntwo lines|md|DEAL|"), [DEAL]);
        assert_eq!(
            with("nt|a bar | too many|pg||\nmd|DEAL|"),
            [
                "invalid: `too many|pg||` is not a LIN token (xx|value|)",
                DEAL
            ]
        );
        assert_eq!(
            with("nt|talk\nst||md|DEAL|\nmd|DEAL|"),
            [
                "invalid: `|md|1S52HA5DA84CK86532,S...` is not a LIN token (xx|value|)",
                DEAL
            ]
        );
        assert_eq!(
            with("deals\n"),
            ["invalid: `deals` is not a LIN token (xx|value|)"]
        );
    }

    #[test]
    fn cuts_change_nothing() {
        let sample = testing::sample("bigdeal/set1.lin");
        let text = String::from_utf8(sample.clone()).unwrap();
        let numbered_after = text
            .lines()
            .map(|line| format!("pn||{}\n", &line[line.find("md|").unwrap()..]));
        let wrapped = text.replace("md|", "\nmd|").replace("rh|", "\r\nrh|");
        testing::cuts_change_nothing(F::Lin, &sample);
        testing::cuts_change_nothing(F::Lin, numbered_after.collect::<String>().as_bytes());
        testing::cuts_change_nothing(F::Lin, wrapped.as_bytes());
        testing::cuts_change_nothing(F::Lin, &testing::sample(MATCH)[..8_000]);
        testing::truncations_are_read(F::Lin, &sample);
        testing::truncations_are_read(F::Lin, &testing::sample(MATCH));
        testing::any_bytes_are_read(F::Lin, b"|||||mdqxahvgnt1234SHDCAKQJT98765432,,\n\n");
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Lin);
    }
}
