//! Detection of a file's format by its first bytes; its name is ignored.

use super::{layouts, pages, solved, zrd};
use crate::bridge::{Card, Rank};
use crate::formats::Format;

/// Number of digits for the cards of three hands, two digits each.
const BRI_DIGITS: usize = 78;

impl Format {
    /// Detects a file's format by its first bytes; 64 KiB are enough. Numbers are never
    /// detected, because they look the same in every scheme.
    #[must_use]
    pub fn detect(head: &[u8]) -> Option<Self> {
        let text = head.strip_prefix(super::source::MARK).unwrap_or(head);
        let is_text = !text.contains(&0);
        let found = of_records(head).or_else(|| of_lines(text).filter(|_| is_text));
        let found = found.or_else(|| zrd::is_zrd(head).then_some(Self::Zrd));
        found.or_else(|| is_cds(head).then_some(Self::Cds))
    }
}

/// The message about a file that was compressed three times.
const MORE_THAN_TWICE: &str = "compressed more than twice; unpack it first";

/// The kind of a file that is recognised but not readable as deals, and what to do with it.
pub(super) fn of_others(head: &[u8]) -> Option<&'static str> {
    const OTHERS: &[(&[u8], &str)] = &[
        #[cfg(feature = "cli")]
        (b"\xFD7zXZ\0", MORE_THAN_TWICE),
        #[cfg(feature = "cli")]
        (b"BZh", MORE_THAN_TWICE),
        #[cfg(not(feature = "cli"))]
        (b"\xFD7zXZ\0", "compressed with xz; unpack it first"),
        #[cfg(not(feature = "cli"))]
        (b"BZh", "compressed with bzip2; unpack it first"),
        (b"7z\xBC\xAF", "a 7-Zip archive; unpack it first"),
        (b"Rar!", "a RAR archive; unpack it first"),
        (b"PK\x03\x04", "an archive; unpack it first"),
        (b"\x1F\x8B\x08", MORE_THAN_TWICE),
        (b"\x28\xB5\x2F\xFD", MORE_THAN_TWICE),
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
    if head.get(2..13) == Some(&[b' '; 11]) && head.len() >= 13 && head[1] < b' ' {
        return Some(Format::Rzd);
    }
    // Records may be broken: one valid record among the first four is enough.
    for (format, size) in [(Format::Dup, 156), (Format::Bri, 128), (Format::Dge, 128)] {
        let mut records = head.chunks(size).take(4);
        if records.any(|record| is_record(format, record)) {
            return Some(format);
        }
    }
    if head.len() >= Card::COUNT
        && head[..Card::COUNT]
            .iter()
            .all(|byte| (b'1'..=b'4').contains(byte))
    {
        return Some(Format::Ber);
    }
    None
}

/// Whether the complete records among the first four are CDS: a board number and thirteen bytes
/// of owners. Checked last, because letters can look like owners too.
fn is_cds(head: &[u8]) -> bool {
    let mut records = head.chunks_exact(14).take(4).peekable();
    records.peek().is_some() && records.all(|record| is_rank_bytes(&record[1..]))
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

fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n' || byte == b'\r')
        .map(<[u8]>::trim_ascii_end)
}

/// Detects formats with lines, by the first line that only one of them can have.
fn of_lines(head: &[u8]) -> Option<Format> {
    let mut in_comment = false;
    for line in lines(head) {
        if !in_comment && is_object(line) {
            return Some(Format::Json);
        }
        if in_comment || line.starts_with(b"{") {
            in_comment = !line.contains(&b'}');
            continue;
        }
        if let Some(format) = of_line(line) {
            return Some(format);
        }
    }
    None
}

fn of_line(line: &[u8]) -> Option<Format> {
    let trimmed = line.trim_ascii_start();
    let count = |byte: u8| line.iter().filter(|&&other| other == byte).count();
    Some(match trimmed {
        _ if starts_with_word(trimmed, b"[Document]") => Format::Dlm,
        [b'[', tag @ ..] if is_tag(tag) => Format::Pbn,
        _ if line.starts_with(b"% PBN") => Format::Pbn,
        [a, b, b'|', ..] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => Format::Lin,
        [b'n' | b'N', b' ', rest @ ..] if is_oneline(rest) => Format::Oneline,
        _ if layouts::begins_compact(line) => Format::Compact,
        _ if layouts::begins_all(line) => Format::All,
        [b'H', b' ', seat, b':' | b';', ..] if is_seat(*seat) => Format::Rbn,
        _ if is_gib(line) => Format::Gib,
        _ if is_four_hands(line) => Format::Line,
        _ if is_ben(line) => Format::Ben,
        [seat, b':', rest @ ..] if is_seat(*seat) && rest.contains(&b'.') => Format::Line,
        _ if trimmed.starts_with(b"PBN ") && count(b'"') >= 1 => Format::Dds,
        _ if line.len() == Card::COUNT && line.iter().all(u8::is_ascii_alphabetic) => Format::Bhg,
        _ if count(b'|') == 3 && is_deal_list(line) => Format::DealList,
        _ if (16..=17).contains(&count(b',')) && is_suits(line) => Format::Csv,
        _ if is_row_of_names(trimmed) => Format::Csv,
        _ if pages::heading(line).is_some() => Format::Pages,
        _ if layouts::west_east(line).is_some() => Format::Ew,
        _ if trimmed.starts_with(b"http") && is_link(trimmed) => Format::Lin,
        _ => return None,
    })
}

/// Whether a line is a JSON object with a hand for north.
fn is_object(line: &[u8]) -> bool {
    let name = b"\"north\"";
    line.starts_with(b"{") && line.windows(name.len()).any(|window| window == name)
}

fn starts_with_word(line: &[u8], word: &[u8]) -> bool {
    let begin = line.get(..word.len());
    begin.is_some_and(|begin| begin.eq_ignore_ascii_case(word))
}

/// Whether the text after a bracket is a name and a quoted value.
fn is_tag(tag: &[u8]) -> bool {
    let tag = tag.trim_ascii_start();
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let (name, rest) = tag.split_at(tag.iter().take_while(is_letter).count());
    !name.is_empty() && rest.trim_ascii_start().first() == Some(&b'"')
}

/// Whether a line is a header row with a column `deal`.
fn is_row_of_names(line: &[u8]) -> bool {
    let mut names = line.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    line.contains(&b',') && names.any(|name| name.eq_ignore_ascii_case(b"deal"))
}

/// Whether a line is a link to a viewer that contains LIN or hands.
fn is_link(line: &[u8]) -> bool {
    let names = |name: &[u8]| line.windows(name.len()).any(|window| window == name);
    names(b"lin=")
        || [b"?n=", b"&n=", b"?s=", b"&s="]
            .iter()
            .any(|name| names(*name))
}

/// Whether a line is four hands without a seat.
fn is_four_hands(line: &[u8]) -> bool {
    solved::words(line).count() == 4 && solved::words(line).all(is_hand)
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
    let mut words = solved::words(line);
    words
        .next()
        .is_some_and(|word| word.len() == 1 && is_seat(word[0]))
        && words.next().is_some_and(solved::is_vulnerability)
        && words.by_ref().take(4).filter(|word| is_hand(word)).count() == 4
}

/// Whether a word is four suits separated by dots.
fn is_hand(word: &[u8]) -> bool {
    word.iter().filter(|&&byte| byte == b'.').count() == 3
        && word
            .iter()
            .all(|&byte| is_rank(byte) || b".-10".contains(&byte))
}

fn is_seat(letter: u8) -> bool {
    b"NESWnesw".contains(&letter)
}

fn is_rank(byte: u8) -> bool {
    Rank::from_letter(char::from(byte.to_ascii_uppercase())).is_some()
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
    line.iter()
        .all(|&byte| is_rank(byte) || byte == b' ' || byte == b'|')
        && line.split(|&byte| byte == b'|').all(|hand| {
            // The space before a void at the end of a line may have been trimmed.
            (2..=3).contains(&hand.iter().filter(|&&byte| byte == b' ').count())
        })
}

/// Whether the first sixteen fields are suits, with or without quotes.
fn is_suits(line: &[u8]) -> bool {
    line.split(|&byte| byte == b',').take(16).all(|field| {
        field
            .trim_ascii()
            .iter()
            .all(|&byte| is_rank(byte) || byte == b'"')
    })
}
