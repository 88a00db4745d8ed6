//! Detection of a file's format by its first bytes; its name is ignored.

use std::collections::BTreeSet;

use memchr::memmem;

use super::text::{is_deal_string, is_other, is_rank, is_seat, lines, words};
use super::{csv, evidence, layouts, links, marked, pages, solved, zrd};
use crate::Format;
use crate::bridge::Card;

/// Number of digits for the cards of three hands, two digits each.
const BRI_DIGITS: usize = 78;

impl Format {
    /// Detects a file's format by its first bytes; 64 KiB are enough, or 4 MiB of HTML. Numbers are
    /// never detected, because they look the same in every scheme.
    ///
    /// One line that looks like a deal is not enough: half of the boards must have hands that can
    /// be read.
    pub fn detect(head: &[u8]) -> Option<Self> {
        let text = head.strip_prefix(super::source::MARK).unwrap_or(head);
        let start = &text[..text.len().min(HEAD)];
        let is_text = !start.contains(&0);
        let found = of_records(head).or_else(|| of_text(text, start).filter(|_| is_text));
        found.or_else(|| of_any_bytes(&head[..head.len().min(HEAD)]))
    }
}

/// Maximum number of bytes for detecting a format.
const HEAD: usize = 1 << 16;

/// Maximum number of bytes for detecting links in HTML, which may have long scripts before them.
const HTML: usize = 4 << 20;

/// Maximum number of bytes for detecting the format of a file that begins with these.
pub(super) fn most(head: &[u8]) -> usize {
    let text = head.strip_prefix(super::source::MARK).unwrap_or(head);
    match text.trim_ascii_start().starts_with(b"<") {
        true => HTML,
        false => HEAD,
    }
}

/// The program by which a file is compressed, if it is one whose files are not decompressed.
pub(super) fn compressor(head: &[u8]) -> Option<&'static str> {
    let is_bzip2 = head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY");
    match head {
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz"),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some("zstd"),
        _ => is_bzip2.then_some("bzip2"),
    }
}

/// The kind of a file that is recognised but not readable as deals, and what to do with it.
pub(super) fn of_others(head: &[u8]) -> Option<&'static str> {
    const OTHERS: &[(&[u8], &str)] = &[
        (b"7z\xBC\xAF", "a 7-Zip archive; unpack it first"),
        (b"Rar!", "a RAR archive; unpack it first"),
        (b"PK\x03\x04", "an archive; unpack it first"),
        (
            b"\x1F\x8B\x08",
            "compressed more than twice; unpack it first",
        ),
        (b"\x7FELF", "an executable, not a file of deals"),
        (b"MZ\x90", "an executable, not a file of deals"),
        (b"RIFF", "an audio or video file, not a file of deals"),
        (b"\xFF\xD8\xFF", "an image, not a file of deals"),
        (b"\x89PNG", "an image, not a file of deals"),
        (b"GIF8", "an image, not a file of deals"),
        (
            b"%PDF",
            "a PDF; save its text, or export the deals in another format",
        ),
        (
            b"FDCASES",
            "a case file, which contains a condition and not deals",
        ),
    ];
    let found = OTHERS.iter().find(|(sign, _)| head.starts_with(sign));
    let is_tar = head.get(257..262) == Some(b"ustar");
    let tar = is_tar.then_some("a tar archive; unpack it first");
    found.map(|(_, what)| *what).or(tar)
}

/// Whether the first non-empty line is a number or hex words.
pub(super) fn is_numbers(head: &[u8]) -> bool {
    let mut lines = lines(head);
    let Some(line) = lines.find(|line| !line.trim_ascii().is_empty()) else {
        return false;
    };
    let is_digit = |byte: &u8| byte.is_ascii_hexdigit() || b",_ \txX".contains(byte);
    let line = line.trim_ascii_start();
    line.first().is_some_and(u8::is_ascii_digit) && line.iter().all(is_digit)
}

/// Detects formats without lines, by their first records.
fn of_records(head: &[u8]) -> Option<Format> {
    let is_rzd = head.get(2..13) == Some(&[b' '; 11]) && head[1] < b' ';
    if is_rzd && evidence::of_deals(Format::Rzd, head) {
        return Some(Format::Rzd);
    }
    // Records may be broken: one valid record among the first four is enough.
    for (format, size) in [(Format::Dup, 156), (Format::Bri, 128), (Format::Dge, 128)] {
        let mut records = head.chunks(size).take(4);
        if records.any(|record| is_record(format, record)) {
            return Some(format);
        }
    }
    let is_digits = |digits: &[u8]| digits.iter().all(|byte| (b'1'..=b'4').contains(byte));
    let is_ber = head.get(..Card::COUNT).is_some_and(is_digits);
    (is_ber && evidence::of_deals(Format::Ber, head)).then_some(Format::Ber)
}

/// Detects formats in which any bytes may be deals, by their first records. Text is never one of
/// them, nor is a record of a few bytes that occur again and again.
fn of_any_bytes(head: &[u8]) -> Option<Format> {
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\n\x0c\r".contains(byte);
    let is_text = str::from_utf8(head).is_ok() && !head.iter().any(is_control);
    let is_monotonous = |size: usize| {
        let distinct = |record: &[u8]| record.iter().collect::<BTreeSet<_>>().len();
        let mut records = head.chunks_exact(size).take(4);
        records.any(|record| distinct(record) < LEAST_DISTINCT)
    };
    let found = [
        (Format::Zrd, zrd::is_zrd(head) && !is_monotonous(zrd::SIZE)),
        (Format::Cds, is_cds(head) && !is_monotonous(CDS)),
    ];
    let mut found = found
        .into_iter()
        .filter(|(_, is_like)| *is_like && !is_text);
    let found = found.find(|(format, _)| evidence::of_deals(*format, head));
    found.map(|(format, _)| format)
}

/// Size of a record of CDS in bytes.
const CDS: usize = 14;

/// Minimum number of different bytes in a record.
const LEAST_DISTINCT: usize = 4;

/// Whether the complete records among the first four are CDS: a board number, one more than that
/// of the record before, and thirteen bytes of owners.
fn is_cds(head: &[u8]) -> bool {
    let mut records = head.chunks_exact(CDS).take(4).peekable();
    let mut last = None;
    let mut is_next = |board: u8| {
        let before = last.replace(board);
        before.is_none_or(|before: u8| before.wrapping_add(1) == board)
    };
    records.peek().is_some()
        && records.all(|record| is_next(record[0]) && is_rank_bytes(&record[1..]))
}

/// Whether these bytes begin like a record. The byte after the card numbers decides, because
/// digits of BER can look like card numbers too.
fn is_record(format: Format, record: &[u8]) -> bool {
    let after = record.get(BRI_DIGITS);
    match format {
        Format::Dup => is_three_hands(record) && after == Some(&6),
        Format::Bri => is_three_hands(record) && after == Some(&b' '),
        _ => is_symbols(record),
    }
}

/// Whether the bytes begin with thirty-nine card numbers.
fn is_three_hands(head: &[u8]) -> bool {
    let Some(digits) = head.get(..BRI_DIGITS) else {
        return false;
    };
    digits.chunks_exact(2).all(|pair| {
        let [tens, ones] = [pair[0], pair[1]].map(|digit| digit.wrapping_sub(b'0'));
        tens <= 5 && ones <= 9 && (1..=52).contains(&(tens * 10 + ones))
    })
}

/// Whether the bytes begin with a hand with the suit symbols of code page 437.
fn is_symbols(head: &[u8]) -> bool {
    let Some(hand) = head.get(..17) else {
        return false;
    };
    let symbols: Vec<u8> = hand.iter().copied().filter(|&byte| byte < b' ').collect();
    hand[0] == 6 && symbols == [6, 3, 4, 5]
}

/// Whether thirteen bytes, with two bits per card, give thirteen cards to each seat.
fn is_rank_bytes(bytes: &[u8]) -> bool {
    let mut cards = [0; 4];
    for byte in bytes {
        for shift in [0, 2, 4, 6] {
            cards[usize::from(byte >> shift & 3)] += 1;
        }
    }
    cards == [13; 4]
}

/// Detects formats of text: by lines that only one of them can have, then by what needs more than
/// one line. `start` is the start of the text.
fn of_text(text: &[u8], start: &[u8]) -> Option<Format> {
    let mut refused = Vec::new();
    let mut is_found = |format: Format| {
        let is_new = !refused.contains(&format);
        let is_found = is_new && evidence::of_format(format, start);
        if is_new && !is_found {
            refused.push(format);
        }
        is_found
    };
    let is_json = start.trim_ascii_start().starts_with(b"[") && is_object(start);
    if is_json && is_found(Format::Json) {
        return Some(Format::Json);
    }
    let mut in_comment = false;
    for line in lines(start) {
        if !in_comment && line.starts_with(b"{") && is_object(line) && is_found(Format::Json) {
            return Some(Format::Json);
        }
        if in_comment || line.starts_with(b"{") {
            in_comment = !line.contains(&b'}');
            continue;
        }
        let mut found = LINES.iter().filter(|(_, is_like)| is_like(line));
        if let Some((format, _)) = found.find(|(format, _)| is_found(*format)) {
            return Some(*format);
        }
    }
    if links::has_link(text) {
        return Some(Format::Links);
    }
    // An object may have its members on lines of their own.
    let last = [Format::Json, Format::Diagram, Format::Ew];
    last.into_iter().find(|format| is_found(*format))
}

/// Whether a line may be one of a format.
type LineTest = fn(&[u8]) -> bool;

/// Formats, and whether a line may be one of theirs.
const LINES: &[(Format, LineTest)] = &[
    (Format::Dlm, |line| {
        starts_with_word(line.trim_ascii_start(), b"[Document]")
    }),
    (Format::Pbn, |line| {
        line.starts_with(b"% PBN")
            || line
                .trim_ascii_start()
                .strip_prefix(b"[")
                .is_some_and(is_tag)
    }),
    (Format::Lin, |line| {
        matches!(line.trim_ascii_start(), [a, b, b'|', ..]
            if a.is_ascii_alphabetic() && b.is_ascii_alphabetic())
    }),
    (
        Format::Oneline,
        |line| matches!(line.trim_ascii_start(), [b'n' | b'N', b' ', rest @ ..] if is_oneline(rest)),
    ),
    (Format::Compact, layouts::begins_compact),
    (Format::All, layouts::begins_all),
    (Format::Rbn, |line| {
        matches!(line.trim_ascii_start(), [b'H', b' ', seat, b':' | b';', hands @ ..]
            if is_seat(*seat) && hands.contains(&b'.') && hands.iter().all(|byte| is_rank(*byte) || b".:;-10x".contains(byte)))
    }),
    (Format::Gib, is_gib),
    (Format::Line, is_four_hands),
    (Format::Ben, is_ben),
    (Format::Line, is_deal_string),
    (Format::Dds, |line| {
        line.trim_ascii_start().starts_with(b"PBN ") && line.contains(&b'"')
    }),
    (Format::Bhg, |line| {
        line.len() == Card::COUNT && line.iter().all(u8::is_ascii_alphabetic)
    }),
    (Format::DealList, is_deal_list),
    (Format::DdLine, |line| {
        let parts = line.split(|&byte| byte == b'|').map(<[u8]>::trim_ascii);
        parts.take(4).filter(|part| is_hand(part)).count() == 4
    }),
    (Format::Redeal, |line| {
        words(line).count() == 4 && words(line).all(marked::is_hand)
    }),
    (Format::Csv, csv::is_row),
    (Format::Pages, |line| pages::heading(line).is_some()),
];

/// Whether a text has a member for north's hand.
fn is_object(text: &[u8]) -> bool {
    memmem::find(text, b"\"north\"").is_some()
}

fn starts_with_word(line: &[u8], word: &[u8]) -> bool {
    let begin = line.get(..word.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// Whether the text after a bracket is the name of a tag about a board and a quoted value.
fn is_tag(tag: &[u8]) -> bool {
    const ABOUT_BOARDS: [&[u8]; 4] = [b"Deal", b"Board", b"Dealer", b"Vulnerable"];
    let tag = tag.trim_ascii_start();
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let (name, rest) = tag.split_at(tag.iter().take_while(is_letter).count());
    rest.trim_ascii_start().first() == Some(&b'"')
        && ABOUT_BOARDS
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a line is four hands without a seat.
fn is_four_hands(line: &[u8]) -> bool {
    words(line).count() == 4 && words(line).all(is_hand)
}

/// Whether a line has four hands before a colon, and results or nothing after it.
fn is_gib(line: &[u8]) -> bool {
    let colon = line.iter().position(|&byte| byte == b':');
    colon.is_some_and(|colon| {
        let (hands, results) = (&line[..colon], &line[colon + 1..]);
        is_four_hands(hands) && solved::is_results(results.trim_ascii())
    })
}

/// Whether a line begins with a dealer, a vulnerability and four hands.
fn is_ben(line: &[u8]) -> bool {
    let mut words = words(line);
    words
        .next()
        .is_some_and(|word| word.len() == 1 && is_seat(word[0]))
        && words.next().is_some_and(solved::is_vulnerability)
        && words.by_ref().take(4).filter(|word| is_hand(word)).count() == 4
}

/// Whether a word is four suits separated by dots.
fn is_hand(word: &[u8]) -> bool {
    word.iter().filter(|&&byte| byte == b'.').count() == 3
        && word.iter().all(|byte| is_rank(*byte) || is_other(byte))
}

/// Whether the text after north's hand has the other three hands.
fn is_oneline(rest: &[u8]) -> bool {
    let hands = rest.split(|&byte| byte == b';').next().unwrap_or_default();
    let seats = hands
        .split(u8::is_ascii_whitespace)
        .filter(|word| word.len() == 1)
        .map(|word| word[0].to_ascii_lowercase());
    seats.eq(*b"esw")
}

/// Whether a line has four hands of four suits each.
fn is_deal_list(line: &[u8]) -> bool {
    line.iter().filter(|&&byte| byte == b'|').count() == 3
        && line
            .iter()
            .all(|&byte| is_rank(byte) || b" |-10".contains(&byte))
        && line.split(|&byte| byte == b'|').all(|hand| {
            // The space before a void at the end of a line may have been trimmed.
            (2..=3).contains(&hand.iter().filter(|&&byte| byte == b' ').count())
        })
}
