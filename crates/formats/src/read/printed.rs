//! One deal per line, as dealer's `printoneline`, Thomas Andrews' `deal -l` and redeal print them.

use super::cards::{DisjointHands, outcome};
use super::notation::seat;
use super::records::quoted;
use super::text::words;
use super::{EntryKind, Fault, marked, other};
use crate::bridge::Seat;

/// The start of the lines that dealer prints at the end of its output.
const CLOSING: [&[u8]; 4] = [
    b"Generated ",
    b"Produced ",
    b"Initial random seed ",
    b"Time needed ",
];

/// Reads a line of dealer's, `n S.H.D.C e S.H.D.C s S.H.D.C w S.H.D.C `, with optional text of a
/// script before or after it; `None` for dealer's closing lines.
pub(super) fn oneline(line: &[u8]) -> Option<EntryKind> {
    // Pavlicek's lists have double-dummy results after a semicolon.
    let hands = line.split(|&byte| byte == b';').next().unwrap_or_default();
    if is_closing(line) {
        return None;
    }
    let words: Vec<&[u8]> = words(hands).collect();
    // The first hand, with or without its seat's letter.
    let first = words.iter().enumerate().position(|(place, word)| {
        let is_labelled = matches!(word, [letter] if seat(*letter).is_some())
            && words.get(place + 1).is_some_and(|next| dots(next) >= 2);
        is_labelled || is_hand(word)
    });
    Some(match first {
        None => EntryKind::Text,
        Some(first) => outcome(labelled(&words[first..])),
    })
}

/// Whether a word is four suits separated by dots.
fn is_hand(word: &[u8]) -> bool {
    dots(word) == 3
}

fn dots(word: &[u8]) -> usize {
    word.iter().filter(|&&byte| byte == b'.').count()
}

/// Whether a line is one that dealer prints at the end of its output.
pub(super) fn is_closing(line: &[u8]) -> bool {
    CLOSING.iter().any(|closing| line.starts_with(closing))
}

/// Reads a line of redeal: four hands from north clockwise, each with its suits' symbols. Lines
/// without such a hand, such as `Tries: 1`, are text.
pub(super) fn redeal(line: &[u8]) -> EntryKind {
    if !words(line).any(marked::is_hand) {
        return EntryKind::Text;
    }
    let count = words(line).count();
    if count != 4 {
        return EntryKind::Invalid(other(format!("{count} hands instead of 4")));
    }
    let mut hands = DisjointHands::default();
    let mut texts = Seat::ALL.into_iter().zip(words(line));
    outcome(
        texts
            .try_for_each(|(seat, text)| marked::add_hand(&mut hands, seat, text))
            .map(|()| hands),
    )
}

/// Reads a line of `deal -l`, `S H D C|S H D C|S H D C|S H D C`, from north clockwise.
pub(super) fn deal_list(line: &[u8]) -> EntryKind {
    outcome(listed(line))
}

/// The hands after their seats' letters. Text may follow the fourth hand, and a number fewer than
/// four hands.
fn labelled(words: &[&[u8]]) -> Result<DisjointHands, Fault> {
    let mut hands = DisjointHands::default();
    let mut seen = [false; 4];
    let mut words = words.iter();
    while seen != [true; 4]
        && let Some(word) = words.next()
    {
        let seat = match word {
            [letter] => seat(*letter),
            _ => None,
        };
        let Some(seat) = seat else {
            if is_number(word) && words.next().is_none() {
                break;
            }
            return Err(other(format!(
                "this is not a deal (found {}, expected n, e, s or w)",
                quoted(word)
            )));
        };
        if std::mem::replace(&mut seen[seat.index()], true) {
            return Err(other(format!("{seat} appears twice")));
        }
        let hand = words.next();
        let hand = hand.ok_or_else(|| other(format!("no hand follows {seat}'s letter")))?;
        hands.add_hand(seat, hand, b'.')?;
    }
    Ok(hands)
}

pub(super) fn is_number(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// The hands from north clockwise, separated by bars.
fn listed(line: &[u8]) -> Result<DisjointHands, Fault> {
    let count = 1 + line.iter().filter(|&&byte| byte == b'|').count();
    if count != 4 {
        return Err(other(format!(
            "{count} hands instead of 4, separated by bars"
        )));
    }
    let mut hands = DisjointHands::default();
    // The line is not trimmed: a void at its end is an empty text beside a space.
    for (seat, hand) in Seat::ALL.into_iter().zip(line.split(|&byte| byte == b'|')) {
        hands.add_hand(seat, hand, b' ')?;
    }
    Ok(hands)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use crate::Format as F;

    #[test]
    fn every_line_of_the_samples_is_a_deal() {
        let oneline = testing::deals(F::Oneline, &testing::sample("dealer-oneline-500.txt"));
        assert_eq!(oneline.len(), 500);
        assert_eq!(
            oneline[0].to_string(),
            "N:T6.K8.A642.T7643 J2.Q97653.87.AKQ AQ73.JT4.Q93.J82 K9854.A2.KJT5.95"
        );
        let list = testing::deals(F::DealList, &testing::sample("deal-l-200.txt"));
        assert_eq!(list.len(), 200);
        assert_eq!(
            list[0].to_string(),
            "N:QJT8653.93.T9.T8 K7.KQJ74.A6.A653 A92.T852.53.KQ94 4.A6.KQJ8742.J72"
        );
    }

    #[test]
    fn seats_come_in_any_order_and_voids_at_either_end() {
        let deal = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";
        let turned =
            b"W J64.QJT72.KJ7.Q9 n KQ73.K9843.T532. s 52.A5.A84.K86532 e AT98.6.Q96.AJT74 -7";
        assert_eq!(said(F::Oneline, turned), [deal]);
        let listed = b"KQ73 K9843 T532 |AT98 6 Q96 AJT74|52 A5 A84 K86532|J64 QJT72 KJ7 Q9\r\n";
        assert_eq!(said(F::DealList, listed), [deal]);
    }

    #[test]
    fn what_dealer_says_at_the_end_is_nothing() {
        let closing = b"Generated 500 hands\nProduced 500 hands\nInitial random seed 1\n\
            Time needed    0.005 sec\n\n";
        assert_eq!(said(F::Oneline, closing), [""; 0]);
    }

    #[test]
    fn text_of_a_script_is_passed_over_and_garbled_deals_are_not() {
        for text in [
            "Frequency hcp:\n",
            "a: 8.875\n",
            "n 7\n",
            "    0\t       3\n",
            "hcp of n: 12.\n",
            "hcp: 7 n 3.4\n",
        ] {
            assert_eq!(said(F::Oneline, text.as_bytes()), ["text"], "{text}");
        }
        let hands = "n 2.T98.K752.KJT84 e 5.J7642.986.9763 s AQ8.AQ5.QJT.AQ52 w KJT97643.K3.A43.";
        let deal = "N:2.T98.K752.KJT84 5.J7642.986.9763 AQ8.AQ5.QJT.AQ52 KJT97643.K3.A43.";
        let between = format!("board 3: {hands} hcp 7 n 3.4");
        assert_eq!(said(F::Oneline, between.as_bytes()), [deal]);
        let unlabelled = hands.strip_prefix("n ").unwrap();
        assert_eq!(
            said(F::Oneline, unlabelled.as_bytes()),
            ["invalid: this is not a deal (found `2.T98.K752.KJT84`, expected n, e, s or w)"]
        );
        let twice = hands.replace(" w ", " s ");
        assert_eq!(
            said(F::Oneline, twice.as_bytes()),
            ["invalid: south appears twice"]
        );
    }

    #[test]
    fn redeals_lines_have_suit_symbols() {
        let line = "\u{2660}KQ73\u{2665}K9843\u{2666}T532\u{2663} \u{2660}AT98\u{2665}6\u{2666}Q96\u{2663}AJT74 \
                    \u{2660}52\u{2665}A5\u{2666}A84\u{2663}K86532 \u{2660}J64\u{2665}QJT72\u{2666}KJ7\u{2663}Q9";
        let letters = line.replace('\u{2660}', "S").replace('\u{2665}', "H");
        let letters = letters.replace('\u{2666}', "D").replace('\u{2663}', "C");
        let deal = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";
        let text = format!("{line}\n(hand #1, found after 1 tries)\n{letters}\nTries: 2\n");
        assert_eq!(
            said(F::Redeal, text.as_bytes()),
            [deal, "text", deal, "text"]
        );
        assert_eq!(F::detect(text.as_bytes()), Some(F::Redeal));
        testing::cuts_change_nothing(F::Redeal, text.as_bytes());
        testing::truncations_are_read(F::Redeal, text.as_bytes());
        let three = line.rsplit_once(' ').unwrap().0;
        assert_eq!(
            said(F::Redeal, three.as_bytes()),
            ["invalid: 3 hands instead of 4"]
        );
        let doubled = line.replacen("AT98", "AK98", 1);
        assert_eq!(
            said(F::Redeal, doubled.as_bytes()),
            ["invalid: SK appears twice, the second time in east's hand"]
        );
    }

    #[test]
    fn cuts_change_nothing() {
        for (parser, sample) in [
            (F::Oneline, "dealer-oneline-500.txt"),
            (F::DealList, "deal-l-200.txt"),
        ] {
            let sample = &testing::sample(sample)[..5_000];
            testing::cuts_change_nothing(parser, sample);
            testing::truncations_are_read(parser, sample);
            testing::any_bytes_are_read(parser, b"nesw AKQJT98765432.| \r\n");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        testing::round_trip(F::Oneline);
    }
}
