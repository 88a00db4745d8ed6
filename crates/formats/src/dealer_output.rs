//! The output of a script in dealer's layout, for programs that parse dealer's output.

use std::io::{self, Write};

use super::write::text;
use super::{Board, dealer};
use crate::bridge::{Hand, Seat};
use crate::language::{Action, Axis, DealContext, Draws, EvaluationError, OutputPiece, ReportItem};

/// Prints the output of a script's actions as dealer does: deals immediately; pages, averages and
/// frequencies at the end.
#[derive(Debug)]
pub struct DealerPrinter<'a, W> {
    out: W,
    actions: &'a [Action],
    event: String,
    title: Option<String>,
    date: String,
    /// Number of deals printed so far.
    printed: u64,
    /// For each action, the seats of a `print` and their hands.
    pages: Vec<Vec<(Seat, Vec<Hand>)>>,
}

/// The reason why a deal cannot be printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// The arithmetic of a value fails.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The answer to an `average` or a `frequency`.
#[derive(Clone, Copy, Debug)]
pub enum ActionAnswer<'a> {
    /// The mean; `None` without deals.
    Average(Option<f64>),
    /// The counts by cell of the first value, then of the second; see `Axis::cell`.
    Frequency(&'a [u64]),
}

/// How the deals were generated, for the last lines of the output.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Number of deals drawn.
    pub generated: u64,
    /// Number of deals that satisfy the condition.
    pub produced: u64,
    /// The seed.
    pub seed: u128,
    /// Elapsed time in seconds.
    pub seconds: f64,
}

impl<'a, W: Write> DealerPrinter<'a, W> {
    /// Creates a printer that writes to `out`; `event` and `date` are for PBN.
    pub fn new(out: W, actions: &'a [Action], event: String, date: String) -> Self {
        let pages = actions.iter().map(|action| match action {
            Action::Print(seats) => {
                // In the order of seats, not that of the script.
                let asked = Seat::ALL.into_iter().filter(|seat| seats.contains(seat));
                asked.map(|seat| (seat, Vec::new())).collect()
            }
            _ => Vec::new(),
        });
        Self {
            out,
            actions,
            event,
            title: None,
            date,
            printed: 0,
            pages: pages.collect(),
        }
    }

    /// Sets the title of the deals, for PBN.
    #[must_use]
    pub fn with_title(self, title: Option<&str>) -> Self {
        let title = title.map(|title| title.replace(char::is_control, " "));
        Self { title, ..self }
    }

    /// Prints one deal; `draws` gives the values of `rnd`.
    ///
    /// # Errors
    ///
    /// [`PrintError`] if the arithmetic of a value or writing fails.
    pub fn print(&mut self, board: &Board, draws: Draws) -> Result<(), PrintError> {
        self.printed += 1;
        let (out, deal) = (&mut self.out, &board.deal);
        let hands = &DealContext {
            deal: *deal,
            draws,
            tricks: board.tricks,
        };
        for (action, pages) in self.actions.iter().zip(&mut self.pages) {
            match action {
                Action::PrintAll => dealer::write_all(out, board)?,
                Action::PrintSide(side) => text::write_side(out, deal, *side)?,
                Action::PrintPbn => {
                    let title = self.title.as_deref();
                    dealer::write_pbn(out, board, &self.event, title, &self.date)?;
                }
                Action::PrintReport(items) | Action::CsvReport(items) => {
                    write_report(out, items, hands, self.printed)?;
                }
                Action::Export(seats) => dealer::write_export(out, deal, seats)?,
                Action::PrintCompact(value) => {
                    let value = value.as_ref().map(|value| value.value(hands)).transpose()?;
                    text::write_compact(out, board)?;
                    if let Some(value) = value {
                        writeln!(out, "{value}")?;
                    }
                }
                Action::PrintOneline(value) => {
                    let value = value.as_ref().map(|value| value.value(hands)).transpose()?;
                    text::write_in_line(out, deal, &Seat::ALL)?;
                    writeln!(
                        out,
                        "{}",
                        value.map_or_else(String::new, |it| it.to_string())
                    )?;
                }
                Action::Print(_) => {
                    for (seat, hands) in pages {
                        hands.push(deal.hand(*seat));
                    }
                }
                Action::PrintEs(pieces) => write!(out, "{}", text_of(pieces, hands)?)?,
                Action::Average { .. } | Action::Frequency { .. } => {}
            }
        }
        Ok(())
    }

    /// Prints pages, averages and frequencies, and how the deals were generated. The answers are
    /// in the order of the actions.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish<'b>(
        mut self,
        answers: impl IntoIterator<Item = ActionAnswer<'b>>,
        effort: &Effort,
    ) -> io::Result<()> {
        let out = &mut self.out;
        let mut answers = answers.into_iter();
        for (action, pages) in self.actions.iter().zip(&self.pages) {
            match action {
                Action::Print(_) => {
                    for (seat, hands) in pages {
                        dealer::write_page(out, *seat, hands)?;
                    }
                }
                Action::Average { label, .. } => {
                    if !label.is_empty() {
                        write!(out, "{label}: ")?;
                    }
                    if let Some(ActionAnswer::Average(mean)) = answers.next() {
                        writeln!(out, "{}", mean.map_or_else(|| "-nan".to_owned(), general))?;
                    }
                }
                Action::Frequency { label, axes } => {
                    writeln!(out, "Frequency {label}:")?;
                    if let Some(ActionAnswer::Frequency(cells)) = answers.next() {
                        match &axes[..] {
                            [axis] => write_frequency(out, axis, cells)?,
                            [rows, columns, ..] => write_joint(out, rows, columns, cells)?,
                            [] => {}
                        }
                    }
                }
                _ => {}
            }
        }
        writeln!(out, "Generated {} hands", effort.generated)?;
        writeln!(out, "Produced {} hands", effort.produced)?;
        writeln!(out, "Initial random seed {}", effort.seed)?;
        writeln!(out, "Time needed {:8.3} sec", effort.seconds)?;
        out.flush()
    }
}

/// The texts and values of a `printes`.
fn text_of(pieces: &[OutputPiece], hands: &DealContext) -> Result<String, EvaluationError> {
    let pieces = pieces.iter().map(|piece| match piece {
        OutputPiece::Text(text) => Ok(text.clone()),
        OutputPiece::Value(value) => value.value(hands).map(|value| value.to_string()),
    });
    pieces.collect()
}

/// Returns what all `printes` of a script print for a deal.
///
/// # Errors
///
/// [`EvaluationError`] if the arithmetic of a value fails.
pub fn printed_text(actions: &[Action], hands: &DealContext) -> Result<String, EvaluationError> {
    let texts = actions.iter().filter_map(|action| match action {
        Action::PrintEs(pieces) => Some(text_of(pieces, hands)),
        _ => None,
    });
    texts.collect()
}

/// Writes the items of `printrpt` or `csvrpt` as DealerV2_4 does: a space, and commas between them.
fn write_report(
    out: &mut impl Write,
    items: &[ReportItem],
    hands: &DealContext,
    number: u64,
) -> Result<(), PrintError> {
    for (place, item) in items.iter().enumerate() {
        let separator = if place == 0 { ' ' } else { ',' };
        write!(out, "{separator}")?;
        match item {
            ReportItem::Hands(seats) => text::write_in_line(out, &hands.deal, seats)?,
            ReportItem::Text(text) => write!(out, "'{text}'")?,
            ReportItem::DealNumber => write!(out, "{number}")?,
            ReportItem::Tricks(seats) => {
                let tricks: Vec<String> = hands.tricks_of(seats).map(|it| it.to_string()).collect();
                write!(out, "{}", tricks.join(","))?;
            }
            ReportItem::ParContract(vulnerable) => {
                let contract = hands.par_contract(*vulnerable);
                write!(out, "'{contract} {}'", vulnerable.word())?;
            }
            ReportItem::Value(value) => write!(out, "{}", value.value(hands)?)?,
        }
    }
    Ok(writeln!(out)?)
}

/// Writes the frequencies of one value: a line per value, and lines for lower and higher values if
/// there are any.
fn write_frequency(out: &mut impl Write, axis: &Axis, cells: &[u64]) -> io::Result<()> {
    let last = axis.cells() - 1;
    if cells[0] > 0 {
        writeln!(out, "Low\t{:8}", cells[0])?;
    }
    for (value, count) in axis.beginnings().zip(&cells[1..last]) {
        writeln!(out, "{value:5}\t{count:8}")?;
    }
    if cells[last] > 0 {
        writeln!(out, "High\t{:8}", cells[last])?;
    }
    Ok(())
}

/// Writes the frequencies of two values: a table with sums.
fn write_joint(out: &mut impl Write, rows: &Axis, columns: &Axis, cells: &[u64]) -> io::Result<()> {
    let row = |out: &mut dyn Write, name: &str, counts: &[u64]| {
        write!(out, "{name}")?;
        for count in counts {
            write!(out, "{count:7}")?;
        }
        writeln!(out, "{:7}", counts.iter().sum::<u64>())
    };
    write!(out, "        Low")?;
    for value in columns.beginnings() {
        write!(out, "{value:7}")?;
    }
    writeln!(out, "   High    Sum")?;
    let width = columns.cells();
    let mut sums = vec![0; width];
    let values = rows.beginnings().map(|value| format!("{value:4}"));
    let names = std::iter::once("Low ".to_owned()).chain(values);
    let names = names.chain(["High".to_owned()]);
    for (name, counts) in names.zip(cells.chunks(width)) {
        row(out, &name, counts)?;
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    row(out, "Sum ", &sums)?;
    writeln!(out)
}

/// A number with six significant digits, as C's `%g` writes it.
fn general(value: f64) -> String {
    const DIGITS: i32 = 6;
    let trimmed = |digits: &str| match digits.contains('.') {
        true => digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        false => digits.to_owned(),
    };
    let scientific = format!("{value:.*e}", DIGITS as usize - 1);
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..DIGITS).contains(&exponent) {
        let decimals = (DIGITS - 1 - exponent) as usize;
        return trimmed(&format!("{value:.decimals$}"));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_look_as_c_prints_them() {
        for (value, expected) in [
            (0.0, "0"),
            (10.0005, "10.0005"),
            (10.00049, "10.0005"),
            (6.0, "6"),
            (-6999.0, "-6999"),
            (7_000_000.0, "7e+06"),
            (123_456_789.0, "1.23457e+08"),
            (999_999.5, "1e+06"),
            (0.573_633, "0.573633"),
            (0.000_012_345_67, "1.23457e-05"),
            (0.000_123_456_7, "0.000123457"),
            (14.333_333_333, "14.3333"),
        ] {
            assert_eq!(general(value), expected);
        }
    }

    #[test]
    fn frequencies_look_as_dealer_prints_them() {
        let axis = |low, high| {
            let text = format!("action frequency (hcp(north), {low}, {high})");
            let script = crate::language::Script::parse("test", &text);
            let actions = script.map(|script| script.actions.unwrap_or_default());
            match actions.as_deref() {
                Ok([Action::Frequency { axes, .. }]) => axes[0].clone(),
                other => panic!("{other:?}"),
            }
        };
        let text = |write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| {
            let mut out = Vec::new();
            write(&mut out).unwrap_or_else(|error| panic!("{error}"));
            String::from_utf8(out).unwrap_or_else(|error| panic!("{error}"))
        };
        let one = text(&|out| write_frequency(out, &axis(9, 10), &[32, 10, 10, 48]));
        assert_eq!(
            one,
            "Low\t      32\n    9\t      10\n   10\t      10\nHigh\t      48\n"
        );
        let one = text(&|out| write_frequency(out, &axis(9, 10), &[0, 1, 2, 0]));
        assert_eq!(one, "    9\t       1\n   10\t       2\n");
        let cells = [1, 0, 0, 0, 2, 0, 5, 10, 21];
        let two = text(&|out| write_joint(out, &axis(3, 3), &axis(2, 2), &cells));
        assert_eq!(
            two,
            "        Low      2   High    Sum\n\
             Low       1      0      0      1\n   \
                3      0      2      0      2\n\
             High      5     10     21     36\n\
             Sum       6     12     21     39\n\n"
        );
    }
}
