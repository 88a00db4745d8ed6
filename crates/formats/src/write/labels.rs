//! What a file says about its boards besides the cards.

/// Labels of all boards of a file, for formats that store them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetLabels {
    /// The event's name.
    pub event: Option<String>,
    /// The place of the event.
    pub site: Option<String>,
    /// The date of the event, such as `2026.11.26`.
    pub date: Option<String>,
    /// The method of scoring, such as `IMP` or `MatchPoints`.
    pub scoring: Option<String>,
    /// The players' names, in the order of [`Seat::ALL`](crate::bridge::Seat::ALL).
    pub names: Option<[String; 4]>,
}

/// The labels of a board, and its comment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BoardNotes<'n> {
    pub(crate) labels: &'n SetLabels,
    /// The comment; empty for none.
    pub(crate) comment: &'n str,
}

/// A comment on one line, without control characters and without these characters, which become
/// spaces.
pub(super) fn in_line(comment: &str, without: &[char]) -> String {
    let is_wrong = |letter: char| letter.is_control() || without.contains(&letter);
    let words = comment.split(|letter: char| letter.is_whitespace() || is_wrong(letter));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_becomes_one_line() {
        assert_eq!(in_line(" a\n\tb|c \x1b d\n", &['|']), "a b c d");
        assert_eq!(in_line("\n", &[]), "");
    }
}
