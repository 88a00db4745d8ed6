use proptest::prelude::*;

use crate::Format;
use crate::read::{EntryKind, read_bytes, read_cut};

const ONE: &str = "N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";
const TWO: &str = "E:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3";

/// The entries as text, one line each.
fn found(text: &[u8], cuts: &[usize]) -> Vec<String> {
    let mut lines = Vec::new();
    read_cut(text, Format::Pbn, cuts, &mut |found| {
        let what = match &found.what {
            EntryKind::Deal(deal) => deal.to_string(),
            EntryKind::Incomplete(fault) => format!("incomplete, {fault}"),
            EntryKind::Invalid(fault) => format!("invalid, {fault}"),
            EntryKind::Unused => "unused".to_owned(),
            EntryKind::Text => "text".to_owned(),
        };
        let board = found
            .board
            .map_or_else(String::new, |board| board.to_string());
        let dealer = found.dealer.map_or(' ', |dealer| dealer.letter());
        let (line, event) = (found.line, found.event.text());
        lines.push(format!("{line}|{board}|{dealer}|{event}|{what}"));
    });
    lines
}

fn one_deal(text: &str) -> String {
    let found = found(text.as_bytes(), &[]);
    assert_eq!(found.len(), 1, "{text}: {found:?}");
    found.into_iter().next().unwrap()
}

#[test]
fn a_game_tells_its_deal_in_any_order_of_tags() {
    for text in [
        format!("[Board \"7\"]\n[Dealer \"S\"] [Deal \"{ONE}\"]\n[Event \"Cup\"]\n\n"),
        format!("[Event \"Cup\"]\n\t[Deal {{\n}}\"{ONE}\"][Dealer\"S\"][Board ;c\n\"7\"]"),
    ] {
        assert_eq!(one_deal(&text), format!("2|7|S|Cup|{ONE}"));
    }
}

#[test]
fn names_of_tags_may_be_in_any_case() {
    let text = format!("[board \"7\"]\n[DEALER \"S\"]\n[deal \"{ONE}\"]\n[event \"Cup\"]\n");
    assert_eq!(one_deal(&text), format!("3|7|S|Cup|{ONE}"));
}

#[test]
fn games_end_with_an_empty_line_or_with_a_tag_that_was_there() {
    let text = format!(
        "[Board \"1\"]\n[Deal \"{ONE}\"]\n[Auction \"N\"]\n1NT =1= Pass {{\n\n}} \"[Deal\"\n\
         [Note \"1:a\"]\n[Note \"2:b\"]\n \t\n[Deal \"{TWO}\"]\n[Deal \"{ONE}\"]\n[Board \"3\"]\n\
         [Board \"4\"]\n"
    );
    let turned = "N:A6543.987.753.A3 8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6";
    assert_eq!(
        found(text.as_bytes(), &[]),
        [
            format!("2|1| ||{ONE}"),
            format!("10|| ||{turned}"),
            format!("11|3| ||{ONE}"),
            "13|4| ||incomplete, board 4 has no Deal tag".to_owned(),
        ]
    );
}

#[test]
fn what_is_as_before_is_taken_from_before() {
    let text = format!(
        "[Event \"##Cup\"][Site \"?\"][Date \"1\"][Board \"9\"][Deal \"{ONE}\"]\n\n\
         [Site \"Lyon\"][Date \"#\"][Board \"#\"][Deal \"{ONE}\"]\n\n\
         [Event \"#\"][Site \"#\"][Deal \"{ONE}\"]\n"
    );
    let found = found(text.as_bytes(), &[]);
    assert_eq!(
        found,
        [
            format!("1|9| |Cup, 1|{ONE}"),
            format!("3|9| |Cup, Lyon, 1|{ONE}"),
            format!("5|| |Cup, Lyon|{ONE}"),
        ]
    );
}

#[test]
fn comments_and_escape_lines_hide_tags() {
    let text =
        format!("% [Deal \"x\"]\n; [Deal \"x\"]\n{{ [Deal \"x\"]\n% }}\n % [Deal \"{ONE}\"]\n");
    assert_eq!(one_deal(&text), format!("5|| ||{ONE}"));
    let text = format!("[Deal \"{ONE}\"]\n{{ [Deal \"x\"]\n\n");
    assert_eq!(
        found(text.as_bytes(), &[])[1],
        "2|| ||invalid, a comment that begins with `{` is not closed by `}`"
    );
}

#[test]
fn text_may_be_latin_1_have_a_mark_and_any_ends_of_lines() {
    for end in ["\n", "\r\n", "\r"] {
        let mut text = b"\xEF\xBB\xBF".to_vec();
        text.extend_from_slice(format!("%{end}[Event \"M").as_bytes());
        text.extend_from_slice(b"\xFCnchen \\\"A\\\"\"]");
        text.extend_from_slice(format!("{end}[Deal \"{ONE}\"]{end}{end}[Board \"2\"]").as_bytes());
        assert_eq!(
            found(&text, &[]),
            [
                format!("3|| |München \"A\"|{ONE}"),
                "5|2| ||incomplete, board 2 has no Deal tag".to_owned()
            ]
        );
    }
}

#[test]
fn deal_tags_that_are_no_deals_are_said() {
    for (text, said) in [
        ("[Deal \"\"]", "incomplete, the Deal tag is empty"),
        ("[Deal \"?\"]", "incomplete, the Deal tag is empty"),
        (
            "[Deal \"#\"]",
            "invalid, a Deal tag cannot be `#` (the previous deal)",
        ),
        ("[Deal N:]", "invalid, the Deal tag has no value in quotes"),
        (
            "[Deal \"N:",
            "invalid, the value of the Deal tag has no closing quote on its line",
        ),
        (
            "[Deal \"N:\"\n[",
            "invalid, the Deal tag is not closed by ]",
        ),
        ("[Deal", "invalid, the Deal tag has no value in quotes"),
    ] {
        assert_eq!(one_deal(text), format!("1|| ||{said}"));
    }
}

/// Texts of parts that exercise the states of the scanner.
fn texts() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "\n",
        "\r\n",
        "\r",
        " ",
        "[",
        "]",
        "\"",
        "{",
        "}",
        ";",
        "%",
        "\\",
        "#",
        "x",
        "Deal",
        "[Deal \"",
        "[Board \"3\"]",
        "[Board \"#\"]",
        "[Event \"##Cup\"]",
        "[Event \"a\"]",
        "[Dealer \"E\"]",
        "[Site \"#\"]",
        "\n\n",
        "\r\n\r\n",
        "\n% c\n",
        "[Deal \"?\"]\n",
        ONE,
        "[Deal \"N:8.AKQT4.AJ6.T742 9.J53.KQ92.QJ985 KQJT72.62.T84.K6 A6543.987.753.A3\"]\n",
    ]);
    prop::collection::vec(words, 0..40).prop_map(|words| words.concat().into_bytes())
}

proptest! {
    #[test]
    fn cuts_change_nothing(text in texts(), cuts in prop::collection::vec(0usize..400, 0..12)) {
        let whole = found(&text, &[]);
        prop_assert_eq!(found(&text, &cuts), whole.clone());
        let everywhere: Vec<usize> = (0..text.len()).collect();
        prop_assert_eq!(found(&text, &everywhere), whole);
    }
}

#[test]
fn a_tag_that_never_ends_is_given_up_alike() {
    let mut text = format!("[Board \"1\"]\n[Deal{}", " \n".repeat(40_000)).into_bytes();
    text.extend_from_slice(format!("\"{ONE}\"]\n\n[Deal \"{ONE}\"]").as_bytes());
    let whole = found(&text, &[]);
    assert_eq!(whole.len(), 2);
    let cuts: Vec<usize> = (0..text.len()).step_by(1_000).collect();
    assert_eq!(found(&text, &cuts), whole);
    assert_eq!(read_bytes(&text, Format::Pbn).len(), 2);
}

#[test]
fn a_table_of_tricks_belongs_to_its_game_wherever_a_piece_ends() {
    use crate::bridge::{Seat, Strain};
    let rows: String = Seat::ALL
        .into_iter()
        .flat_map(|seat| {
            Strain::ALL.map(|strain| {
                let tricks = 3 * seat.index() + strain.index();
                format!("{} {strain:>2} {tricks:>2}\n", seat.letter())
            })
        })
        .collect();
    let text = format!(
        "[Board \"1\"]\n[Deal \"{ONE}\"]\n\
         [OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n{rows}[Note \"x\"]\n\n\
         [Board \"2\"]\n[Deal \"{TWO}\"]\n\n\
         [Board \"3\"]\n[OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\n\
         {{N NT 9}}\n{rows}% escaped\n[Deal \"{TWO}\"]"
    );
    let tricks = |cuts: &[usize]| {
        let mut tables = Vec::new();
        read_cut(text.as_bytes(), Format::Pbn, cuts, &mut |found| {
            tables.push(found.tricks);
        });
        tables
    };
    let whole = tricks(&[]);
    let table = whole[0].unwrap();
    assert_eq!(table.tricks(Seat::West, Strain::ALL[4]), 13);
    assert_eq!(table.tricks(Seat::North, Strain::NoTrumps), 0);
    assert_eq!(whole, [Some(table), None, Some(table)]);
    for step in 1..200 {
        let cuts: Vec<usize> = (step..text.len()).step_by(step).collect();
        assert_eq!(tricks(&cuts), whole, "shown {step} bytes more each time");
    }
}
