//! A PBN tag: `[Name "value"]`, with white space and comments wherever the standard allows them.

use memchr::{memchr, memchr2};

/// Maximum length of a tag in bytes; a longer text is not a tag.
pub(super) const LONGEST_TAG: usize = 1 << 16;

/// The text that begins with a `[`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket<'t> {
    /// A tag.
    Tag(Tag<'t>),
    /// Only a bracket: no name follows.
    Only,
    /// More bytes are needed to decide.
    More,
}

/// A tag, complete or with a flaw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t [u8],
    /// The text between the quotes, not unescaped.
    pub(super) value: Result<&'t [u8], Flaw>,
    /// Length in bytes from the bracket, up to the flaw if there is one.
    pub(super) length: usize,
}

/// The reason why a tag has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// No quote follows the name.
    NoQuote,
    /// The closing quote is missing on the line.
    Unquoted,
    /// The closing bracket is missing.
    Unclosed,
}

impl Flaw {
    /// The message for a Deal tag with this flaw.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::NoQuote => "the Deal tag has no value in quotes",
            Self::Unquoted => "the value of the Deal tag has no closing quote on its line",
            Self::Unclosed => "the Deal tag is not closed by ]",
        }
    }
}

/// Reads a text that begins with a `[`; `last` says whether no more bytes follow.
pub(super) fn read(text: &[u8], last: bool) -> Bracket<'_> {
    let is_all = last || text.len() >= LONGEST_TAG;
    let text = &text[..text.len().min(LONGEST_TAG)];
    let mut cursor = Cursor {
        text,
        is_all,
        at: 1,
    };
    let name = cursor.name();
    let value = cursor.value();
    if value.is_err() && cursor.at == text.len() && !is_all {
        Bracket::More
    } else if name.is_empty() {
        Bracket::Only
    } else {
        Bracket::Tag(Tag {
            name,
            value,
            length: cursor.at,
        })
    }
}

struct Cursor<'t> {
    text: &'t [u8],
    /// Whether the text is complete.
    is_all: bool,
    at: usize,
}

impl<'t> Cursor<'t> {
    /// The name after the bracket; empty if there is none.
    fn name(&mut self) -> &'t [u8] {
        self.skip();
        let rest = &self.text[self.at..];
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().position(|byte| !is_name(byte));
        let name = &rest[..length.unwrap_or(rest.len())];
        self.at += name.len();
        name
    }

    /// The value and the bracket after it.
    fn value(&mut self) -> Result<&'t [u8], Flaw> {
        self.skip();
        if self.text.get(self.at) != Some(&b'"') {
            return Err(Flaw::NoQuote);
        }
        self.at += 1;
        let begin = self.at;
        loop {
            let byte = self.text.get(self.at).ok_or(Flaw::Unquoted)?;
            match byte {
                b'"' => break,
                b'\n' | b'\r' => return Err(Flaw::Unquoted),
                b'\\' if matches!(self.text.get(self.at + 1), Some(b'"' | b'\\')) => self.at += 2,
                // The escaped byte is not available yet.
                b'\\' if self.at + 1 == self.text.len() => {
                    self.at += 1;
                    return Err(Flaw::Unquoted);
                }
                _ => self.at += 1,
            }
        }
        let value = &self.text[begin..self.at];
        self.at += 1;
        self.skip();
        if self.text.get(self.at) != Some(&b']') {
            return Err(Flaw::Unclosed);
        }
        self.at += 1;
        Ok(value)
    }

    /// Skips white space, comments and escape lines.
    fn skip(&mut self) {
        while let Some(&byte) = self.text.get(self.at) {
            let rest = &self.text[self.at..];
            let column_one = matches!(self.text[self.at - 1], b'\n' | b'\r');
            let length = match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C => Some(1),
                b'{' => memchr(b'}', rest).map(|end| end + 1),
                b';' => memchr2(b'\n', b'\r', rest),
                b'%' if column_one => memchr2(b'\n', b'\r', rest),
                _ => return,
            };
            if length.is_none() && byte == b'{' && self.is_all {
                // The comment has no end, so it is not part of the tag.
                return;
            }
            self.at += length.unwrap_or(rest.len());
        }
    }
}

/// A value without its escapes.
pub(super) fn unescaped(value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match (byte, rest.peek()) {
            (b'\\', Some(&escaped @ (b'"' | b'\\'))) => {
                bytes.push(escaped);
                rest.next();
            }
            _ => bytes.push(byte),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag<'t>(text: &'t str) -> (&'t str, Result<&'t str, Flaw>) {
        let Bracket::Tag(tag) = read(text.as_bytes(), true) else {
            panic!("{text} is no tag");
        };
        let string = |bytes: &'t [u8]| std::str::from_utf8(bytes).unwrap();
        (string(tag.name), tag.value.map(string))
    }

    #[test]
    fn space_and_comments_may_be_anywhere_in_a_tag() {
        assert_eq!(tag(r#"[Deal "N:..."]"#), ("Deal", Ok("N:...")));
        assert_eq!(tag("[ \tDeal\r\n\"x\"\n] y"), ("Deal", Ok("x")));
        assert_eq!(tag("[{a]}Deal{\n\"}\"x\";]\n%]\n]"), ("Deal", Ok("x")));
        assert_eq!(
            tag(r#"[Event "a \"b\" \\"]"#),
            ("Event", Ok(r#"a \"b\" \\"#))
        );
        assert_eq!(unescaped(br#"a \"b\" \\ \c"#), br#"a "b" \ \c"#);
    }

    #[test]
    fn flaws_are_told_apart() {
        assert_eq!(tag("[Deal N:...]").1, Err(Flaw::NoQuote));
        assert_eq!(tag("[Deal \"N:...\n\"]").1, Err(Flaw::Unquoted));
        assert_eq!(tag("[Deal \"N:...\"\n[Board \"1\"]").1, Err(Flaw::Unclosed));
        assert_eq!(tag("[Deal").1, Err(Flaw::NoQuote));
        assert_eq!(read(b"[", true), Bracket::Only);
        assert_eq!(read(b"[]", false), Bracket::Only);
    }

    #[test]
    fn a_tag_that_may_go_on_waits_for_more() {
        let text = br#"[Deal {c} "N: \" x" ]"#;
        for end in 1..text.len() {
            assert_eq!(read(&text[..end], false), Bracket::More, "{end} bytes");
        }
        assert!(matches!(read(text, false), Bracket::Tag(tag) if tag.length == text.len()));
    }
}
