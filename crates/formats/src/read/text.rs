//! The lines of a piece, which end with LF, CR LF or CR, and predicates of a line.

use memchr::{memchr2, memrchr};

use super::FilePiece;
use crate::bridge::Rank;

/// Calls a function with each line without its line end. [`FilePiece::places`] is the position of the
/// line, and at the end the number of lines that ended.
pub(super) fn each_line(
    mut piece: &[u8],
    found: &mut FilePiece,
    mut read: impl FnMut(&mut FilePiece, &[u8]),
) {
    while let Some(end) = memchr2(b'\n', b'\r', piece) {
        read(found, &piece[..end]);
        found.places += 1;
        let length = if piece[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        piece = &piece[end + length..];
    }
    if !piece.is_empty() {
        read(found, piece);
    }
}

/// The end of the last complete line; 0 if there is none.
pub(super) fn whole_lines(bytes: &[u8]) -> usize {
    // An LF may follow a CR at the end of the bytes.
    let but_one = &bytes[..bytes.len().saturating_sub(1)];
    let last = memrchr(b'\n', bytes).or_else(|| memrchr(b'\r', but_one));
    last.map_or(0, |end| end + 1)
}

/// Number of lines that end in a text; the text must not end between CR and LF.
pub(super) fn ended_lines(text: &[u8]) -> u64 {
    let mut lines = 0;
    let mut rest = text;
    while let Some(end) = memchr2(b'\n', b'\r', rest) {
        lines += 1;
        let length = if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + length..];
    }
    lines
}

/// The words of a line, which white space separates.
pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// The lines of the start of a file, without what ends them.
pub(super) fn lines(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    head.split(|&byte| byte == b'\n' || byte == b'\r')
        .map(<[u8]>::trim_ascii_end)
}

/// Whether a line is a seat, a colon and four hands, of which some may be hidden.
pub(super) fn is_deal_string(line: &[u8]) -> bool {
    let [seat, b':', hands @ ..] = line.trim_ascii() else {
        return false;
    };
    let is_part = |word: &[u8]| {
        let dots = word.iter().filter(|&&byte| byte == b'.').count();
        word == b"-" || dots >= 2 && word.iter().all(|byte| is_rank(*byte) || is_other(byte))
    };
    is_seat(*seat)
        && hands.contains(&b'.')
        && words(hands).count() == 4
        && words(hands).all(is_part)
}

/// Whether a byte may be in a hand and is not a rank: a dot, part of a ten, or of a dash.
pub(super) fn is_other(byte: &u8) -> bool {
    b".10-\xE2\x80\x93\x94".contains(byte)
}

pub(super) fn is_seat(letter: u8) -> bool {
    b"NESWnesw".contains(&letter)
}

pub(super) fn is_rank(byte: u8) -> bool {
    Rank::from_letter(char::from(byte.to_ascii_uppercase())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_three_ways_and_the_last_in_none() {
        let mut lines = Vec::new();
        let text = b"one\ntwo\r\nthree\rfour\r\n\r\nsix";
        let mut found = FilePiece::default();
        each_line(text, &mut found, |found, line| {
            lines.push((found.places, String::from_utf8_lossy(line).into_owned()));
        });
        let expected = ["one", "two", "three", "four", "", "six"];
        assert_eq!(
            lines,
            Vec::from_iter((0..).zip(expected.map(str::to_owned)))
        );
        assert_eq!(found.places, 5);
    }

    #[test]
    fn a_piece_ends_with_a_line_and_never_within_its_end() {
        assert_eq!(whole_lines(b"one\ntwo"), 4);
        assert_eq!(whole_lines(b"one\r\ntwo"), 5);
        assert_eq!(whole_lines(b"one\rtwo\r"), 4);
        assert_eq!(whole_lines(b"one\r"), 0);
        assert_eq!(whole_lines(b""), 0);
    }

    #[test]
    fn ended_lines_are_counted() {
        assert_eq!(ended_lines(b"a\nb\r\nc\rd\r\n\r\n"), 5);
    }
}
