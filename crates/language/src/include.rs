//! Lines such as `#include "file"` and `Import,address`: comments or errors to dealer, but not to the
//! authors of scripts. The files that a reader finds take the places of their lines.

use std::ops::Range;

use super::error::SourceText;
use super::{ConditionError, ConditionWarning, MAX_CONDITION_BYTES};
use crate::printable::printable;

/// Maximum depth of files within files.
const DEEPEST: usize = 8;
/// Maximum number of warnings: each stores a copy of its file.
const MOST_WARNINGS: usize = 20;
/// Maximum number of lines that include files, in a script with its files.
const MOST_LINES: usize = 100;

/// Reads the file that such a line names: its name in messages and its text, or the reason why it
/// cannot be read.
pub type IncludeReader<'r> = &'r mut dyn FnMut(&str) -> Result<(String, String), String>;

/// A script with the files that it includes.
#[derive(Default)]
pub(super) struct Included {
    pub(super) text: String,
    files: Vec<(String, String)>,
    /// Number of lines that include files so far.
    lines: usize,
    /// The pieces of the text, in order: where each begins, its file, and its place there.
    pieces: Vec<(usize, usize, usize)>,
    pub(super) warnings: Vec<ConditionWarning>,
    /// The first line whose file is not read, and the reason.
    missing: Option<String>,
}

/// A line that names a file.
struct IncludeLine<'t> {
    range: Range<usize>,
    target: &'t str,
    /// Whether it is not a comment.
    is_import: bool,
}

/// Puts the files that a script includes in the places of their lines.
///
/// # Errors
///
/// If a line that is not a comment names a file that cannot be read, or the whole is too long.
pub(super) fn included(
    name: &str,
    text: &str,
    read: IncludeReader<'_>,
) -> Result<Included, ConditionError> {
    let mut whole = Included::default();
    whole.add(name, text, &mut Vec::new(), read)?;
    Ok(whole)
}

impl Included {
    /// Adds a file with those that it includes; `within` has the targets that are being added.
    fn add(
        &mut self,
        name: &str,
        text: &str,
        within: &mut Vec<String>,
        read: IncludeReader<'_>,
    ) -> Result<(), ConditionError> {
        let source = SourceText { name, text };
        let file = self.files.len();
        self.files.push((name.to_owned(), text.to_owned()));
        let mut done = 0;
        for line in include_lines(text) {
            let found = match () {
                () if within.iter().any(|target| target == line.target) => {
                    Err("it includes itself".to_owned())
                }
                () if within.len() == DEEPEST => Err(format!(
                    "files include others more than {DEEPEST} levels deep"
                )),
                () => read(line.target),
            };
            let said = printable(text[line.range.clone()].trim());
            let (place, column) = (
                source.line_and_column(line.range.start).0,
                line.range.clone(),
            );
            self.lines += 1;
            if self.lines > MOST_LINES {
                let message = format!("more than {MOST_LINES} lines include files");
                return Err(source.error(column, message, "the limit is here"));
            }
            match found {
                Ok((name, text)) => {
                    self.push(&source, file, done..line.range.start)?;
                    let message = format!("`{said}` reads {}", printable(&name));
                    let error = source.error(column, message, "dealer does not read it");
                    self.warn(error);
                    within.push(line.target.to_owned());
                    self.add(&name, &text, within, read)?;
                    within.pop();
                    done = line.range.end;
                }
                Err(why) if line.is_import => {
                    let message = format!("the file of `{said}` is not read: {why}");
                    let error = source.error(column, message, "put its text here");
                    return Err(error);
                }
                Err(why) => {
                    let message = format!("`{said}` is a comment, and the file is not read: {why}");
                    let error = source.error(column, message, "put its text here");
                    self.warn(error);
                    self.missing.get_or_insert_with(|| {
                        format!(
                            "line {place} of {} has `{said}`, and the file is not read: {why}",
                            printable(name)
                        )
                    });
                }
            }
        }
        self.push(&source, file, done..text.len())
    }

    fn warn(&mut self, error: ConditionError) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(ConditionWarning::new(error));
        }
    }

    /// Adds a part of a file.
    fn push(
        &mut self,
        source: &SourceText<'_>,
        file: usize,
        part: Range<usize>,
    ) -> Result<(), ConditionError> {
        // A file may end without a line end.
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.pieces.push((self.text.len(), file, part.start));
        self.text.push_str(&source.text[part.clone()]);
        if self.text.len() > MAX_CONDITION_BYTES {
            let message = "the script with the files that it includes is longer than 1 MiB";
            return Err(source.error(part.start..part.start, message, "the limit is in this file"));
        }
        Ok(())
    }

    /// Moves an error from its place in the whole text to that in its file. One about an unknown
    /// name says which line's file is not read.
    pub(super) fn located(&self, error: ConditionError) -> ConditionError {
        let place = error.start();
        let piece = self.pieces.iter().rfind(|(begin, ..)| *begin <= place);
        let error = match piece {
            Some(&(begin, file, at)) if self.files.len() > 1 => {
                let next = self.pieces.iter().find(|(next, ..)| *next > place);
                let end = next.map_or(self.text.len(), |(next, ..)| *next);
                let (name, text) = &self.files[file];
                error.moved((name, text), begin..end, at)
            }
            _ => error,
        };
        match &self.missing {
            Some(line) if error.is_unknown_name() => error.with_help(line.clone()),
            _ => error,
        }
    }
}

/// The lines that name a file, outside of strings and long comments.
fn include_lines(text: &str) -> Vec<IncludeLine<'_>> {
    let mut lines = Vec::new();
    // The end of a string or a long comment that has begun.
    let mut open: Option<&str> = None;
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let range = begin..begin + line.trim_end().len();
        begin += line.len();
        if open.is_none()
            && let Some((target, is_import)) = target(&text[range.clone()])
        {
            lines.push(IncludeLine {
                range,
                target,
                is_import,
            });
            continue;
        }
        open = open_after(line, open);
    }
    lines
}

/// The end of what is open after a line.
fn open_after<'o>(line: &str, mut open: Option<&'o str>) -> Option<&'o str> {
    let mut rest = line;
    while !rest.is_empty() {
        if let Some(end) = open {
            match rest.find(end) {
                Some(at) => (rest, open) = (&rest[at + end.len()..], None),
                None => return open,
            }
            continue;
        }
        open = match rest.as_bytes() {
            [b'#', ..] | [b'/', b'/', ..] => return None,
            [b'/', b'*', ..] => Some("*/"),
            [b'"', ..] => Some("\""),
            _ => None,
        };
        let length = match open {
            Some(end) => end.len(),
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
        rest = &rest[length..];
    }
    open
}

/// The file that a line names, and whether the line is not a comment.
fn target(line: &str) -> Option<(&str, bool)> {
    let line = line.trim();
    if let Some(target) = line.strip_prefix("Import,") {
        let target = target.rsplit(',').next().unwrap_or_default();
        return Some((target.trim(), true));
    }
    let comment = line.strip_prefix('#').or_else(|| line.strip_prefix("//"))?;
    let comment = comment.trim_start();
    let word = ["include", "import"];
    let rest = word.iter().find_map(|word| comment.strip_prefix(word))?;
    let rest = rest.trim().trim_end_matches(';').trim_end();
    let quoted = |open, close| rest.strip_prefix(open)?.strip_suffix(close);
    let target: &str = quoted('"', '"').or_else(|| quoted('<', '>'))?;
    (!target.is_empty()).then_some((target, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_name_a_file_are_found_outside_of_strings_and_comments() {
        for (line, expected) in [
            (
                "#include \"script/Leveling\"",
                Some(("script/Leveling", false)),
            ),
            ("  // import <a.dl> ;", Some(("a.dl", false))),
            ("Import,https://host/a/b", Some(("https://host/a/b", true))),
            ("# include the strong hands", None),
            ("#include \"\"", None),
            ("# \"include\"", None),
            ("hcp(north) > 3", None),
        ] {
            assert_eq!(target(line), expected, "{line}");
        }
        let text = "/*\n#include \"a\"\n*/\nb = \"\n#include c\n\" # \"\n#include \"d\"\n// /*\n#include \"e\"";
        let found: Vec<&str> = include_lines(text).iter().map(|line| line.target).collect();
        assert_eq!(found, ["d", "e"]);
    }
}
