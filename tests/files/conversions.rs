//! Records of random boards in every written format and back, and from each format into each other:
//! the parts that both store are kept.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use fairdeal::bridge::combinatorics::DEALS;
use fairdeal::bridge::{Card, Deal, Seat, Strain, TrickTable, Vulnerable};
use fairdeal::formats::read::{EntryKind, read_cut};
use fairdeal::formats::{AuctionCall, Board, BoardRecord, Call, Carries, Format, Writer};
use fairdeal::number::pavlicek;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// Words without characters that LIN or PBN use for themselves; in a third of cases, nothing.
    fn text(&mut self) -> Box<str> {
        const WORDS: [&str; 8] = [
            "Ann", "d'Or", "\"Cup\"", "a\\b", "Łódź", "é", "1=2", "[x] 50%",
        ];
        let words = self.below(4).saturating_sub(self.below(2));
        let words: Vec<&str> = (0..words).map(|_| WORDS[self.below(8)]).collect();
        words.join(" ").into()
    }

    fn card(&mut self, deal: &Deal, seat: Seat, played: &[Card]) -> Option<Card> {
        let left = deal
            .hand(seat)
            .cards()
            .filter(|card| !played.contains(card));
        let left: Vec<Card> = left.collect();
        (!left.is_empty()).then(|| left[self.below(left.len())])
    }
}

/// A board, and what its file says about it.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    number: Option<u64>,
    dealer: Option<Seat>,
    vulnerable: Option<Vulnerable>,
    deal: Deal,
    tricks: Option<TrickTable>,
    record: BoardRecord,
}

/// A complete auction with its contract and declarer, or one that is passed out.
fn auction(random: &mut Random, dealer: Seat) -> (Vec<AuctionCall>, Box<str>, Box<str>) {
    let (mut calls, mut last) = (Vec::new(), None);
    let mut doubled = 0;
    let all = (1..=7).flat_map(|level| {
        Strain::ALL
            .into_iter()
            .rev()
            .map(move |strain| (level, strain))
    });
    let bids: Vec<(u8, Strain)> = all.collect();
    let (mut place, mut passes, mut notes) = (0, 0, 0);
    while passes < if last.is_some() { 3 } else { 4 } {
        let seat = dealer.turned(calls.len() % 4);
        let call = match (random.below(5), last) {
            (0, _) if place < 30 => {
                place += 1 + random.below(4);
                doubled = 0;
                last = Some((seat, bids[place]));
                Call::Bid(bids[place].0, bids[place].1)
            }
            (1, Some((of, _))) if doubled == 0 && of.side() != seat.side() => {
                doubled = 1;
                Call::Double
            }
            (2, Some((of, _))) if doubled == 1 && of.side() == seat.side() => {
                doubled = 2;
                Call::Redouble
            }
            _ => Call::Pass,
        };
        passes = if call == Call::Pass { passes + 1 } else { 0 };
        // RBN has nine explanations at most.
        let note = (random.below(6) == 0 && notes < 9).then(|| random.text());
        notes += usize::from(note.is_some());
        calls.push(AuctionCall { call, note });
    }
    let Some((seat, (level, strain))) = last else {
        return (calls, "Pass".into(), Box::default());
    };
    let bidders = calls
        .iter()
        .enumerate()
        .filter(|(_, of)| matches!(of.call, Call::Bid(_, named) if named == strain));
    let mut bidders = bidders.map(|(place, _)| dealer.turned(place % 4));
    let declarer = bidders.find(|bidder| bidder.side() == seat.side()).unwrap();
    let contract = format!("{level}{}{}", strain.name(), "X".repeat(doubled));
    (calls, contract.into(), declarer.letter().to_string().into())
}

/// Some tricks of a contract, the last of which may be incomplete.
fn play(random: &mut Random, deal: &Deal, strain: Strain, declarer: Seat) -> Vec<Card> {
    let (mut play, wanted) = (Vec::new(), random.below(53));
    let mut leader = declarer.turned(1);
    while play.len() < wanted {
        let begin = play.len();
        for place in 0..4.min(wanted - begin) {
            play.extend(random.card(deal, leader.turned(place), &play));
        }
        let trick = &play[begin..];
        let mut best = 0;
        for (place, card) in trick.iter().enumerate() {
            let is_higher = card.suit() == trick[best].suit()
                && card.rank().index() < trick[best].rank().index();
            let is_ruff =
                card.suit() != trick[best].suit() && strain == Strain::Trumps(card.suit());
            if is_higher || is_ruff {
                best = place;
            }
        }
        leader = leader.turned(best);
    }
    play
}

fn told(random: &mut Random, number: u64) -> Told {
    let deal = (u128::from(random.next()) << 64 | u128::from(random.next())) % DEALS;
    let deal = pavlicek::decode(deal).unwrap();
    let dealer = Seat::ALL[random.below(4)];
    let sides = [
        Vulnerable::None,
        Vulnerable::NorthSouth,
        Vulnerable::EastWest,
        Vulnerable::All,
    ];
    let mut record = BoardRecord {
        event: [(); 4].map(|()| random.text()),
        scoring: random.text(),
        names: [(); 4].map(|()| random.text()),
        comment: random.text(),
        deal_type: ["", "NT 15-17"][random.below(2)].into(),
        ..BoardRecord::default()
    };
    match random.below(4) {
        0 => {}
        1 => {
            record.contract = "4S".into();
            record.declarer = "E".into();
        }
        _ => {
            (record.calls, record.contract, record.declarer) = auction(random, dealer);
            let strain = Strain::ALL
                .into_iter()
                .find(|strain| record.contract.trim_end_matches('X')[1..] == *strain.name());
            if let (Some(strain), Some(letter)) = (strain, record.declarer.chars().next()) {
                record.play = play(random, &deal, strain, Seat::from_letter(letter).unwrap());
            }
        }
    }
    if !record.contract.is_empty() && random.below(2) == 0 {
        record.result = random.below(14).to_string().into();
    }
    if random.below(3) == 0 {
        record.other = "[Room \"Open\"]\n[ScoreTable \"Rank;Name\"]\n1 \"A B\"\n2 x".into();
    }
    Told {
        number: Some(number),
        dealer: Some(dealer),
        vulnerable: Some(sides[random.below(4)]),
        deal,
        tricks: TrickTable::new(|seat, strain| {
            (number as usize + 3 * seat.index() + strain.index()) as u8 % 14
        }),
        record,
    }
}

fn written(format: Format, boards: &[Told]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, format, boards.len() as u64, "test").unwrap();
    for (place, told) in (1..).zip(boards) {
        let mut board = Board::new(told.number.unwrap_or(place), told.deal);
        board.dealer = told.dealer.unwrap_or(board.dealer);
        board.vulnerable = told.vulnerable.unwrap_or(board.vulnerable);
        board.tricks = told.tricks.or_else(|| TrickTable::new(|_, _| 7));
        writer.write_record(&board, &told.record).unwrap();
    }
    writer.finish().unwrap();
    out
}

fn read(format: Format, bytes: &[u8]) -> Vec<Told> {
    let mut boards = Vec::new();
    read_cut(bytes, format, &[], &mut |entry| {
        let EntryKind::Deal(deal) = entry.what else {
            panic!("{format:?}: {entry:?}");
        };
        boards.push(Told {
            number: entry.board,
            dealer: entry.dealer,
            vulnerable: entry.details.vulnerable,
            deal,
            tricks: entry.tricks,
            record: entry.record.map(|record| *record).unwrap_or_default(),
        });
    });
    boards
}

/// The parts of a board that formats with all of `carries` store.
fn stored(told: &Told, carries: &[Carries]) -> Told {
    let all = |is_stored: fn(&Carries) -> bool| carries.iter().all(is_stored);
    let texts = |is_stored, texts: &[Box<str>; 4]| match is_stored {
        true => texts.clone(),
        false => Default::default(),
    };
    let text = |is_stored, text: &str| {
        if is_stored {
            text.into()
        } else {
            Box::default()
        }
    };
    let record = &told.record;
    let [event, details @ ..] = record.event.each_ref();
    let is_play = all(|carries| carries.play);
    // An auction implies a contract.
    let is_contract = all(|carries| carries.contract) || is_play && !record.calls.is_empty();
    let [site, date, round] = details.map(|part| text(all(|carries| carries.details), part));
    Told {
        number: told.number.filter(|_| all(|carries| carries.number)),
        dealer: told.dealer.filter(|_| all(|carries| carries.dealer)),
        vulnerable: told.vulnerable.filter(|_| all(|carries| carries.dealer)),
        deal: told.deal,
        tricks: told.tricks.filter(|_| all(|carries| carries.tricks)),
        record: BoardRecord {
            event: [text(all(|carries| carries.event), event), site, date, round],
            scoring: text(all(|carries| carries.scoring), &record.scoring),
            names: texts(all(|carries| carries.names), &record.names),
            calls: if is_play {
                record.calls.clone()
            } else {
                Vec::new()
            },
            contract: text(is_contract, &record.contract),
            declarer: text(is_contract, &record.declarer),
            result: text(all(|carries| carries.result), &record.result),
            play: if is_play {
                record.play.clone()
            } else {
                Vec::new()
            },
            comment: text(all(|carries| carries.comment), &record.comment),
            other: text(all(|carries| carries.other), &record.other),
            deal_type: text(all(|carries| carries.deal_type), &record.deal_type),
            has_unread: false,
        },
    }
}

/// What a format stores and reads again: tables and LIN show the type of a deal to people only.
fn read_again(format: Format) -> Carries {
    let carries = format.carries();
    let shows_type = matches!(format, Format::Csv | Format::Lin);
    Carries {
        deal_type: carries.deal_type && !shows_type,
        ..carries
    }
}

/// A board that was written in the first format and then in others has what all of them store.
fn check(formats: &[Format], boards: &[Told]) {
    let (mut converted, mut carries) = (boards.to_vec(), Vec::new());
    for &format in formats {
        converted = read(format, &written(format, &converted));
        carries.push(read_again(format));
    }
    let all = |is_stored: fn(&Carries) -> bool| carries.iter().all(is_stored);
    assert_eq!(converted.len(), boards.len(), "{formats:?}");
    for (found, told) in converted.iter().zip(boards) {
        let mut found = stored(found, &carries);
        let expected = stored(told, &carries);
        // A format after one without numbers has those of the places.
        found.number = found.number.filter(|_| all(|carries| carries.number));
        // LIN has the type before the comment.
        let comment = found.record.comment.strip_prefix(&*told.record.deal_type);
        let comment = comment.filter(|_| formats.contains(&Format::Lin));
        if let Some(comment) = comment {
            found.record.comment = comment.trim_start_matches(": ").into();
        }
        assert_eq!(found, expected, "{formats:?}");
    }
}

/// The formats that are written and read with whole deals.
fn formats() -> Vec<Format> {
    let both = Format::written().filter(|format| Format::read().any(|of| of == *format));
    both.filter(|format| *format != Format::Ew).collect()
}

fn check_sets(sets: u64, boards: usize) {
    let mut random = Random(62);
    let formats = formats();
    assert!(formats.len() >= 20);
    for _ in 0..sets {
        let mut number = 0;
        let boards: Vec<Told> = (0..boards)
            .map(|_| {
                number += 1 + random.below(3) as u64;
                told(&mut random, number)
            })
            .collect();
        for &first in &formats {
            check(&[first], &boards);
            for &second in &formats {
                check(&[first, second], &boards);
            }
        }
    }
}

#[test]
fn every_pair_of_formats_keeps_what_both_store() {
    check_sets(4, 3);
}

#[test]
#[ignore = "long"]
fn every_pair_of_formats_keeps_what_both_store_in_200_sets() {
    check_sets(200, 12);
}

#[test]
fn a_game_keeps_its_calls_cards_notes_and_tables() {
    let game = "[Event \"#\"]\n[Site \"?\"]\n[Board \"7\"]\n[West \"W\"]\n[North \"N\"]\n[East \"E\"]\n[South \"##S\"]\n\
        [Dealer \"S\"]\n[Vulnerable \"All\"]\n\
        [Deal \"N:T9.K976.A85.A943 8754.Q.T763.KQT5 AKQ3.J42.QJ9.J72 J62.AT853.K42.86\"]\n\
        [Scoring \"IMP\"]\n[Declarer \"S\"]\n[Contract \"1NT\"]\n[Result \"9\"]\n{one\n two} ; three\n\
        [Auction \"S\"]\n1NT =1= Pass AP\n[Note \"1:15-17\"]\n\
        [Play \"W\"]\nH5 H6 HQ H2\nH3 H7 - HJ\n*\n[Room \"Open\"]\n\n\
        [Board \"7\"]\n[West \"#\"]\n[Dealer \"S\"]\n\
        [Deal \"N:T9.K976.A85.A943 8754.Q.T763.KQT5 AKQ3.J42.QJ9.J72 J62.AT853.K42.86\"]\n[Auction \"S\"]\n^S 1C\n";
    let boards = read(Format::Pbn, game.as_bytes());
    let record = &boards[0].record;
    assert_eq!(
        record.names.each_ref().map(|name| &**name),
        ["N", "E", "S", "W"]
    );
    assert_eq!(&*record.comment, "one two three");
    assert_eq!(record.calls.len(), 4);
    assert_eq!(record.calls[0].note.as_deref(), Some("15-17"));
    // East's queen won the first trick, so the second row is not in the order of a play.
    assert!(record.play.is_empty() && record.other.contains("[Play \"W\"]\nH5 H6 HQ H2"));
    assert!(
        record.other.ends_with("[Room \"Open\"]"),
        "{}",
        record.other
    );
    let record = &boards[1].record;
    assert_eq!(
        (&*record.names[3], &*record.other),
        ("W", "[Auction \"S\"]\n^S 1C")
    );
}

/// The closed room's players of a match are those after the fourth name.
#[test]
fn a_match_keeps_its_players_calls_and_claims() {
    let bytes = include_bytes!("../../fixtures/records/usbf_sf_14502.lin");
    let boards = read(Format::Lin, bytes);
    assert_eq!(boards.len(), 30);
    let [open, closed] = [&boards[0].record, &boards[1].record];
    let names = |of: &BoardRecord| of.names.each_ref().map(|name| name.to_string());
    assert_eq!(names(open), ["Rodwell", "Weinstein", "Meckstroth", "Levin"]);
    assert_eq!(names(closed), ["Martel", "Mahmood", "Stansby", "Hamman"]);
    assert_eq!(
        (&*open.contract, &*open.declarer, &*open.result),
        ("4H", "E", "10")
    );
    assert_eq!(open.calls[2].note.as_deref(), Some("jacoby 2N"));
    assert_eq!(&*open.event[0], "2010 USBF SF A");
    assert!(
        boards
            .iter()
            .all(|told| !told.record.has_unread && !told.record.calls.is_empty())
    );
    check(&[Format::Lin, Format::Pbn, Format::Json], &boards);
}
