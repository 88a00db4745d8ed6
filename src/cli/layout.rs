//! Layout of summaries: terminal width, colours, labelled lines and bars.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use clap::builder::TypedValueParser;
use fairdeal::battery::Level;
use fairdeal::printable::printable;
pub(super) use textwrap::core::display_width as columns;
use textwrap::core::display_width;

use super::values::{self, NameParser};

/// Width of the label column; the texts of all labelled lines start there.
const LABEL: usize = 10;
/// Width without a terminal.
const DEFAULT_WIDTH: usize = 80;
/// Range of widths; narrower and wider terminals use the nearest.
const WIDTHS: std::ops::RangeInclusive<usize> = 40..=120;
/// Maximum width of a bar, in columns.
const LONGEST_BAR: usize = 24;
/// Fractions of a column, from one eighth to seven eighths.
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Parser of the values of `--color`.
pub(super) fn colours() -> NameParser<impl TypedValueParser<Value = ColorChoice>> {
    let auto = "On a terminal, unless NO_COLOR is set or TERM is dumb";
    values::described([
        (ColorChoice::Auto, "auto", auto),
        (ColorChoice::Always, "always", "Always"),
        (ColorChoice::Never, "never", "Never"),
    ])
}

/// Whether the output is good news, bad news, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Neutral,
    Doubtful,
    Bad,
}

impl Tone {
    fn style(self) -> Style {
        let colour = match self {
            Self::Good => AnsiColor::Green,
            Self::Neutral => return Style::new().bold(),
            Self::Doubtful => AnsiColor::Yellow,
            Self::Bad => AnsiColor::Red,
        };
        Style::new().bold().fg_color(Some(colour.into()))
    }
}

impl From<Level> for Tone {
    fn from(level: Level) -> Self {
        match level {
            Level::Pass => Self::Good,
            Level::Inconclusive => Self::Neutral,
            Level::Suspicious | Level::VerySuspicious => Self::Doubtful,
            Level::Fail | Level::Invalid => Self::Bad,
        }
    }
}

/// Writes a summary to standard output at its width.
pub(super) struct SummaryLayout<'o> {
    out: &'o mut dyn Write,
    width: usize,
}

/// Standard output, locked, with the chosen colours.
pub(super) fn stdout() -> AutoStream<io::StdoutLock<'static>> {
    anstream::stdout().lock()
}

/// Width of standard output: from `COLUMNS`, the terminal, or 80.
fn width() -> usize {
    let of_variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let of_terminal = || {
        let (width, _) = terminal_size::terminal_size_of(io::stdout())?;
        Some(usize::from(width.0))
    };
    let width = of_variable().or_else(of_terminal);
    width
        .unwrap_or(DEFAULT_WIDTH)
        .clamp(*WIDTHS.start(), *WIDTHS.end())
}

impl<'o> SummaryLayout<'o> {
    /// A summary at the width of standard output.
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        Self {
            out,
            width: width(),
        }
    }

    /// Width of a line, in columns.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Prints the first line: a word in colour, and parts that are kept on one line where they fit.
    pub(super) fn headline(&mut self, word: &str, tone: Tone, parts: &[String]) -> io::Result<()> {
        let indent = display_width(word) + 2;
        let lines = self.flow(parts, indent);
        let style = tone.style();
        write!(self.out, "{style}{word}{style:#}")?;
        if parts.is_empty() {
            return writeln!(self.out);
        }
        for (place, line) in lines.iter().enumerate() {
            let indent = if place == 0 { 2 } else { indent };
            writeln!(self.out, "{:indent$}{}", "", printable(line))?;
        }
        Ok(())
    }

    /// Joins parts with dots between them, in lines that fit beside an indentation.
    fn flow(&self, parts: &[String], indent: usize) -> Vec<String> {
        let mut lines = vec![String::new()];
        for part in parts {
            let line = lines.last_mut().expect("there is a line");
            let width = display_width(line) + 3 + display_width(part);
            match line.is_empty() {
                true => line.push_str(part),
                false if indent + width <= self.width => {
                    line.push_str(" · ");
                    line.push_str(part);
                }
                false => lines.push(part.clone()),
            }
        }
        lines
    }

    /// Prints a text with a label before it, wrapped.
    pub(super) fn line(&mut self, label: &str, text: &str) -> io::Result<()> {
        self.entry(label, LABEL, text)
    }

    /// Prints a text from this column on, with a label before it, wrapped.
    pub(super) fn entry(&mut self, label: &str, column: usize, text: &str) -> io::Result<()> {
        // Keeps numbers with their units, and p-values with their name.
        let text = printable(text).replace(" %", "\u{a0}%");
        let text = text.replace("p = ", "p\u{a0}=\u{a0}");
        let options = textwrap::Options::new(self.width.saturating_sub(column))
            .break_words(false)
            .word_splitter(textwrap::WordSplitter::NoHyphenation)
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit);
        let bold = Style::new().bold();
        for (place, line) in textwrap::wrap(&text, options).iter().enumerate() {
            let line = line.replace('\u{a0}', " ");
            match place {
                0 if label.is_empty() => writeln!(self.out, "{:column$}{line}", "")?,
                0 => {
                    let space = column.saturating_sub(display_width(label)).max(1);
                    writeln!(self.out, "{bold}{label}{bold:#}{:space$}{line}", "")?;
                }
                _ => writeln!(self.out, "{:column$}{line}", "")?,
            }
        }
        Ok(())
    }

    /// Prints the path of a report's page.
    pub(super) fn report(&mut self, folder: &Path, page: &str) -> io::Result<()> {
        self.line("Report", &folder.join(page).display().to_string())
    }

    /// Prints a text without a label, aligned with labelled texts.
    pub(super) fn more(&mut self, text: &str) -> io::Result<()> {
        self.line("", text)
    }

    /// Prints lines under one label; nothing without lines.
    pub(super) fn lines(
        &mut self,
        label: &str,
        lines: impl IntoIterator<Item = String>,
    ) -> io::Result<()> {
        for (place, line) in lines.into_iter().enumerate() {
            self.line(if place == 0 { label } else { "" }, &line)?;
        }
        Ok(())
    }

    /// Prints a line, truncated to the width.
    pub(super) fn row(&mut self, text: &str) -> io::Result<()> {
        let text = fitting(text.trim_end(), self.width);
        writeln!(self.out, "{}", printable(&text))
    }

    /// Prints a line without truncating it.
    pub(super) fn whole_row(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{}", printable(text.trim_end()))
    }

    /// Prints an empty line.
    pub(super) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }
}

/// Truncates a text to this width, with an ellipsis where something is missing.
pub(super) fn fitting(text: &str, width: usize) -> Cow<'_, str> {
    if display_width(text) <= width {
        return Cow::Borrowed(text);
    }
    let mut cut = String::new();
    for letter in text.chars() {
        cut.push(letter);
        if display_width(&cut) >= width {
            cut.pop();
            break;
        }
    }
    cut.push('…');
    Cow::Owned(cut)
}

/// Pads a text with spaces to this width.
pub(super) fn padded(text: &str, width: usize) -> String {
    let space = width.saturating_sub(display_width(text));
    format!("{text}{:space$}", "")
}

/// A bar for a share of the largest value, at most `room` columns wide.
pub(super) fn bar(share: f64, room: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (room.min(LONGEST_BAR) * 8) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if let Some(part) = (eighths % 8).checked_sub(1) {
        bar.push(EIGHTHS[part]);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(
        width: usize,
        print: impl FnOnce(&mut SummaryLayout<'_>) -> io::Result<()>,
    ) -> String {
        let mut out = Vec::new();
        let stream = &mut anstream::StripStream::new(&mut out);
        print(&mut SummaryLayout { out: stream, width }).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn parts_of_a_headline_stay_whole() {
        let parts = ["a script's name", "1,500,000 deals in 1.4 s", "seed 0x1"].map(str::to_owned);
        let shown = |width| printed(width, |layout| layout.headline("PASS", Tone::Good, &parts));
        assert_eq!(
            shown(80),
            "PASS  a script's name · 1,500,000 deals in 1.4 s · seed 0x1\n"
        );
        assert_eq!(
            shown(50),
            "PASS  a script's name · 1,500,000 deals in 1.4 s\n      seed 0x1\n"
        );
        assert_eq!(
            shown(40),
            "PASS  a script's name\n      1,500,000 deals in 1.4 s\n      seed 0x1\n"
        );
    }

    #[test]
    fn labelled_lines_fit_and_hang() {
        let text = "any card at any seat is within 2.0 % of its probability";
        let shown = printed(40, |layout| layout.line("Checked", text));
        let wanted =
            "Checked   any card at any seat is within\n          2.0 % of its probability\n";
        assert_eq!(shown, wanted);
        let long = "reports/runs/a-folder-with-a-long-name/report.html";
        let shown = printed(40, |layout| layout.line("Report", long));
        assert_eq!(shown, format!("Report    {long}\n"));
    }

    #[test]
    fn control_characters_are_escaped() {
        let shown = printed(40, |layout| layout.line("Report", "a\u{1b}[31m"));
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
    }

    #[test]
    fn bars_have_eighths_of_a_column() {
        assert_eq!(bar(1.0, 4), "████");
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(0.28, 4), "█▏");
        assert_eq!(bar(0.01, 4), "");
        assert_eq!(columns(&bar(1.0, 1_000)), LONGEST_BAR);
    }

    #[test]
    fn rows_are_cut_where_they_are_too_wide() {
        assert_eq!(fitting("four", 4), "four");
        assert_eq!(fitting("fives", 4), "fiv…");
    }
}
