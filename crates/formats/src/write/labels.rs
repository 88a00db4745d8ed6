//! Texts of records on lines.

/// A text on one line, without control characters and without these characters, which become
/// spaces.
pub(super) fn in_line(text: &str, without: &[char]) -> String {
    let is_wrong = |letter: char| letter.is_control() || without.contains(&letter);
    let words = text.split(|letter: char| letter.is_whitespace() || is_wrong(letter));
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
