//! Links to Bridge Base Online's hand viewer, in pages of HTML, tables or other text, and the pages
//! that Bridge Base saves (`hv_popuplin('...')`).
//!
//! A link has LIN (`..?lin=pn|..|md|..`) or hands (`..?n=..&e=..&s=..&w=..`), with percent signs,
//! HTML's entities, both or neither. The text around links is skipped. A link that occurs again
//! in a file is counted as text.

use std::borrow::Cow;

use memchr::memmem;

use super::lin;
use super::records::push;
use super::text::each_line;
use super::{Entry, EntryKind, FilePiece, Parser, marked};
use crate::fixed_hash::FixedHashMap;

/// Maximum number of links that are remembered, to find those that occur again.
const MOST_KNOWN: usize = 1 << 20;

/// Maximum length of a link in bytes.
const LONGEST: usize = 1 << 14;

/// What comes before LIN or the parameters of a viewer.
const SIGNS: [&[u8]; 5] = [POPUP, b"lin=", b"LIN=", b"viewer.html?", b"viewer.php?"];

/// What comes before LIN in the pages that Bridge Base saves; a quote ends it.
const POPUP: &[u8] = b"hv_popuplin('";

/// Bytes that end a link.
const ENDS: &[u8] = b"\"<>";

/// Reads links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    /// Hashes of the links so far.
    known: FixedHashMap<[u8; 16], ()>,
}

impl Parser for Links {
    fn is_fresh(&self) -> bool {
        self.known.is_empty()
    }

    fn read(&mut self, piece: &[u8], _last: bool, found: &mut FilePiece) {
        each_line(piece, found, |found, line| {
            each_link(line, &mut |link, record| {
                let mut key = [0; 16];
                key.copy_from_slice(&blake3::hash(link).as_bytes()[..16]);
                let is_new = self.known.len() >= MOST_KNOWN || self.known.insert(key, ()).is_none();
                push(
                    found,
                    if is_new {
                        record
                    } else {
                        EntryKind::Text.into()
                    },
                );
            });
        });
    }
}

/// Whether a text has a link with a deal.
pub(super) fn has_link(text: &[u8]) -> bool {
    let mut has_deal = false;
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        each_link(line, &mut |_, record| {
            has_deal |= matches!(record.what, EntryKind::Deal(_));
        });
        if has_deal {
            return true;
        }
    }
    false
}

/// Calls a function with each link of a line, decoded, and its record.
fn each_link(line: &[u8], take: &mut dyn FnMut(&[u8], Entry)) {
    let mut signs = Signs::of(line);
    let mut from = 0;
    while let Some((begin, is_popup)) = signs.next(from) {
        let end = begin + length(&line[begin..], is_popup);
        let link = decoded(&line[begin..end]);
        // The same LIN may be there with and without other parameters.
        let link = memmem::find(&link, b"lin=").map_or(&link[..], |at| &link[at + 4..]);
        if let Some(record) = of_lin(link).or_else(|| of_hands(link)) {
            take(link, record);
        }
        from = end;
    }
}

/// The places of a line behind which a link may begin, found one after another.
struct Signs<'l> {
    line: &'l [u8],
    /// The next place of each sign; the length of the line if there is none.
    places: [usize; SIGNS.len()],
}

impl<'l> Signs<'l> {
    fn of(line: &'l [u8]) -> Self {
        let places = SIGNS.map(|sign| memmem::find(line, sign).unwrap_or(line.len()));
        Self { line, places }
    }

    /// The end of the first sign from a byte on, and whether it is that of a saved page.
    fn next(&mut self, from: usize) -> Option<(usize, bool)> {
        for (place, sign) in self.places.iter_mut().zip(SIGNS) {
            if *place < from {
                let next = memmem::find(&self.line[from..], sign);
                *place = next.map_or(self.line.len(), |next| from + next);
            }
        }
        let firsts = self.places.iter().zip(SIGNS);
        let (place, sign) = firsts.min_by_key(|(place, _)| **place)?;
        (*place < self.line.len()).then(|| (place + sign.len(), sign == POPUP))
    }
}

/// Length of the link that begins a text.
fn length(text: &[u8], is_popup: bool) -> usize {
    let text = &text[..text.len().min(LONGEST)];
    let ends = |(at, byte): (usize, &u8)| {
        let is_quote = is_popup && *byte == b'\'' && text[..at].last() != Some(&b'\\');
        is_quote || ENDS.contains(byte)
    };
    let end = text.iter().enumerate().position(ends);
    let text = &text[..end.unwrap_or(text.len())];
    // A space ends a link too, unless its bars are not percent signs, and so its spaces neither.
    let space = text.iter().position(u8::is_ascii_whitespace);
    let is_plain = |text: &[u8]| text.contains(&b'|') || memmem::find(text, b"&#").is_some();
    let space = space.filter(|&space| !is_plain(&text[..space]));
    let end = space.or_else(|| memmem::find(text, b"http"));
    end.unwrap_or(text.len())
}

/// The record of a link with LIN; `None` if it has no hands.
fn of_lin(link: &[u8]) -> Option<Entry> {
    if !link.starts_with(b"md|") && memmem::find(link, b"|md|").is_none() {
        return None;
    }
    let mut found = FilePiece {
        keeps_records: true,
        ..FilePiece::default()
    };
    lin::Lin::default().read(link, true, &mut found);
    // Text behind the LIN comes after its board.
    found.entries.into_iter().next()
}

/// The record of a link with a hand in each of several parameters; `None` if it has none.
fn of_hands(link: &[u8]) -> Option<Entry> {
    let value = |wanted: u8| {
        let mut pairs = link.split(|&byte| matches!(byte, b'&' | b'?'));
        let found = pairs.find_map(|pair| match pair {
            [name, b'=', value @ ..] if name.to_ascii_lowercase() == wanted => Some(value),
            _ => None,
        });
        found.unwrap_or_default()
    };
    let hands = [b's', b'w', b'n', b'e'].map(value);
    let is_hand = |hand: &&&[u8]| marked::marker(hand).is_some();
    if hands.iter().filter(is_hand).count() < 2 {
        return None;
    }
    let dealer = match value(b'd').to_ascii_lowercase()[..] {
        [b's', ..] => "1",
        [b'w', ..] => "2",
        [b'n', ..] => "3",
        [b'e', ..] => "4",
        _ => "",
    };
    let parts = [
        b"md|",
        dealer.as_bytes(),
        &hands.join(&b","[..]),
        b"|sv|",
        value(b'v'),
        b"|ah|Board ",
        value(b'b'),
        b"|",
    ];
    of_lin(&parts.concat())
}

/// A link without percent signs, entities and backslashes before quotes.
fn decoded(link: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(link);
    if text.iter().any(|byte| matches!(byte, b'&' | b'\\')) {
        text = without_entities(&text).into();
    }
    // Some pages encode twice.
    for _ in 0..2 {
        if text.contains(&b'%') {
            text = without_percent(&text).into();
        }
    }
    text
}

fn without_entities(text: &[u8]) -> Vec<u8> {
    const NAMED: [(&[u8], u8); 7] = [
        (b"\\'", b'\''),
        (b"&amp;", b'&'),
        (b"&quot;", b'"'),
        (b"&#39;", b'\''),
        (b"&apos;", b'\''),
        (b"&#124;", b'|'),
        (b"&#x7C;", b'|'),
    ];
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((&byte, after)) = rest.split_first() {
        let entity = NAMED.iter().find(|(entity, _)| {
            let begin = rest.get(..entity.len());
            matches!(byte, b'&' | b'\\')
                && begin.is_some_and(|begin| begin.eq_ignore_ascii_case(entity))
        });
        match entity {
            Some((entity, letter)) => {
                out.push(*letter);
                rest = &rest[entity.len()..];
            }
            None => {
                out.push(byte);
                rest = after;
            }
        }
    }
    out
}

/// A text in which `%7C` is a bar, and so on; what is not an encoded byte stays.
fn without_percent(text: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::with_capacity(text.len()), text);
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| byte == b'%');
        let digit = |digit: u8| char::from(digit).to_digit(16);
        let encoded =
            digits.and_then(|digits| Some((digit(digits[0])? * 16 + digit(digits[1])?) as u8));
        out.push(encoded.unwrap_or(byte));
        rest = if encoded.is_some() {
            &after[2..]
        } else {
            after
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::testing::{self, said};
    use crate::Format as F;

    const DEAL: &str = "N:KQ73.K9843.T532. AT98.6.Q96.AJT74 52.A5.A84.K86532 J64.QJT72.KJ7.Q9";
    const LIN: &str = "pn|Ann Bee,O'Cee,c,d|st||md|3S52HA5DA84CK86532,SJ64HQJT72DKJ7CQ9,\
                       SKQ73HK9843DT532C|sv|o|ah|Board 7|mb|p|pg||";

    fn encoded(lin: &str) -> String {
        lin.replace('|', "%7C")
            .replace(',', "%2c")
            .replace(' ', "%20")
    }

    fn found(text: &str) -> Vec<String> {
        let entries = testing::whole(F::Links, text.as_bytes());
        let whats = said(F::Links, text.as_bytes());
        let each = entries.iter().zip(whats).map(|(entry, what)| {
            let board = entry.board.map_or(String::new(), |board| board.to_string());
            let dealer = entry.dealer.map_or(' ', |dealer| dealer.letter());
            format!("{} {board}{dealer} {what}", entry.place)
        });
        each.collect()
    }

    #[test]
    fn links_are_found_in_text_of_any_kind() {
        let plain = format!("https://a.example/viewer.html?x=1&lin={LIN}");
        let coded = format!("https://a.example/viewer.html?bbo=y&lin={}", encoded(LIN));
        let twice = coded.replace('%', "%25");
        for text in [
            plain.clone(),
            coded.clone(),
            format!("see {coded} and say"),
            format!("<a href=\"{}\">7</a>", coded.replace('&', "&amp;")),
            format!(
                "<a href=\"{}\">7</a>",
                plain.replace('&', "&amp;").replace('|', "&#124;")
            ),
            format!("1;\"{twice}\";x"),
            format!("1,{coded},x"),
            format!(
                "onclick=\"hv_popuplin('{}');return false\"",
                LIN.replace('\'', "\\'")
            ),
            format!(
                "onclick=\"hv_popuplin('{}');\"",
                encoded(LIN).replace('\'', "%27")
            ),
        ] {
            assert_eq!(found(&text), [format!("0 7N {DEAL}")], "{text}");
            assert_eq!(F::detect(text.as_bytes()), Some(F::Links), "{text}");
        }
    }

    #[test]
    fn hands_may_be_parameters() {
        let link = "http://b.example/handviewer.html?n=skq73hk9843dt532c-&amp;e=sat98h6dq96cajt74\
                    &s=s52ha5da84ck86532&w=sj64hqjt72dkj7cq9&d=e&v=b&b=12";
        assert_eq!(found(link), [format!("0 12E {DEAL}")]);
        let three = link.replace("&w=sj64hqjt72dkj7cq9", "");
        assert_eq!(found(&three), [format!("0 12E {DEAL}")]);
        for other in [
            "http://b.example/viewer.html?s=shoes&n=news",
            "lin=eage",
            "?lin=md",
        ] {
            assert_eq!(found(other), [""; 0], "{other}");
            assert_eq!(F::detect(other.as_bytes()), None);
        }
    }

    #[test]
    fn a_link_that_occurs_again_is_counted_once() {
        let link = format!("<a href=\"x?lin={}\">", encoded(LIN));
        let popup = encoded(LIN).replace('\'', "\\'");
        let popup = format!("<a onclick=\"hv_popuplin('{popup}')\">");
        let other = link.replace("Board%207", "Board%208");
        let text = format!("{link}{popup}\n{other} {link}\n");
        assert_eq!(
            found(&text),
            [
                format!("0 7N {DEAL}"),
                "0   text".to_owned(),
                format!("1 8N {DEAL}"),
                "1   text".to_owned()
            ]
        );
        testing::cuts_change_nothing(F::Links, text.as_bytes());
        testing::truncations_are_read(F::Links, text.as_bytes());
        testing::any_bytes_are_read(F::Links, b"lin=md|3S2HADK,C|%7C&\"'<> \n");
    }
}
