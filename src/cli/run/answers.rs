//! Answers to a script's averages and frequencies, with their exact values.

use std::io;

use fairdeal::language::Axis;
use fairdeal::printable::with_noun;
use fairdeal::printable::{error_decimals, rounded};
use fairdeal::report::{CountedAnswer, ExactAnswer};
use fairdeal::tally::Answer;
use fairdeal::theory::{NoLaw, Ratio};

use crate::cli::layout::{SummaryLayout, bar, columns, fitting, padded};

/// Maximum number of averages printed; averages.csv has all of them.
const AVERAGES_PRINTED: usize = 40;
/// Decimals of a mean without an error.
const DECIMALS: usize = 3;
/// Maximum number of decimals of a mean.
const MOST_DECIMALS: usize = 9;
/// Maximum number of rows of a frequency printed; frequencies.csv has all of them.
const ROWS_PRINTED: usize = 40;
/// Column of the reason for a missing exact value.
const REASON: usize = 6;
/// Width of a cell in a frequency of two values.
const CELL: usize = 7;

/// Prints all averages, then all frequencies.
pub(in crate::cli) fn print(
    layout: &mut SummaryLayout<'_>,
    deals: u64,
    answered: &[CountedAnswer],
) -> io::Result<()> {
    averages(layout, deals, answered)?;
    for answered in answered {
        if let Answer::Frequency(cells) = &answered.found {
            let label = &answered.exact.label;
            match answered.exact.axes.as_deref().unwrap_or_default() {
                [axis] => frequency(layout, axis, cells, &answered.exact)?,
                [down, across] => crossed(layout, label, [down, across], cells)?,
                _ => {}
            }
            if let Some(why) = answered.exact.reason() {
                layout.entry("", REASON, &no_exact(why))?;
            }
        }
    }
    Ok(())
}

/// Prints a row for each average: label, mean with standard error, and exact mean.
fn averages(
    layout: &mut SummaryLayout<'_>,
    deals: u64,
    answered: &[CountedAnswer],
) -> io::Result<()> {
    let averages = answered
        .iter()
        .filter_map(|answered| match &answered.found {
            Answer::Average(sums) => Some((answered, sums)),
            Answer::Frequency(_) => None,
        });
    let averages: Vec<_> = averages.collect();
    let widest = averages
        .iter()
        .map(|(answered, _)| columns(&answered.exact.label))
        .max();
    let width = widest.unwrap_or(0).min(layout.width() / 2);
    for (answered, sums) in averages.iter().take(AVERAGES_PRINTED) {
        let error = sums.standard_error(deals);
        let digits = error.and_then(error_decimals).unwrap_or(DECIMALS);
        let digits = digits.min(MOST_DECIMALS);
        let value = match (sums.mean(deals), error) {
            (None, _) => "no deal".to_owned(),
            (Some(mean), None) => format!("{mean:.digits$}"),
            (Some(mean), Some(error)) => format!("{mean:.digits$} ± {error:.digits$}"),
        };
        let exact = answered.exact.mean();
        let exact = exact.map_or_else(String::new, |exact| format!("   (exact {exact:.digits$})"));
        let label = padded(&fitting(&answered.exact.label, width), width);
        layout.whole_row(&format!("{label}   {value}{exact}"))?;
        if let Some(why) = answered.exact.reason() {
            layout.entry("", REASON, &no_exact(why))?;
        }
    }
    if averages.len() > AVERAGES_PRINTED {
        let more = averages.len() - AVERAGES_PRINTED;
        layout.row(&format!(
            "{} more in averages.csv",
            with_noun(more as u64, "average")
        ))?;
    }
    Ok(())
}

/// Prints a row for each value of a frequency: observed share, exact share, and a bar.
fn frequency(
    layout: &mut SummaryLayout<'_>,
    axis: &Axis,
    cells: &[u64],
    answer: &ExactAnswer,
) -> io::Result<()> {
    let label = answer.label.as_str();
    let exact = answer.shares();
    let exact: Option<Vec<f64>> =
        exact.map(|shares| shares.into_iter().map(Ratio::to_f64).collect());
    let all: u64 = cells.iter().sum();
    if all == 0 {
        return layout.row(&format!("{label}   no deal"));
    }
    let is_shown = |cell: &usize| {
        cells[*cell] > 0
            || exact
                .as_ref()
                .is_some_and(|exact| exact[*cell] >= 0.5 / all as f64)
    };
    let shown: Vec<usize> = (0..cells.len()).filter(is_shown).collect();
    let share = |cell: usize| cells[cell] as f64 / all as f64;
    let largest = shown.iter().map(|&cell| share(cell)).fold(0.0, f64::max);
    let names: Vec<String> = shown.iter().map(|&cell| name(axis, cell)).collect();
    let name_width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
    let label_width = columns(label).min(layout.width() / 3);
    for (place, (&cell, name)) in shown.iter().zip(&names).take(ROWS_PRINTED).enumerate() {
        let label = if place == 0 { label } else { "" };
        let label = padded(&fitting(label, label_width), label_width);
        let observed = format!("{:>7} %", share_text(share(cell)));
        let exact = exact.as_ref().map_or_else(String::new, |exact| {
            format!("  (exact {:>5} %)", share_text(exact[cell]))
        });
        let row = format!("{label}   {name:>name_width$}  {observed}{exact}  ");
        let room = layout.width().saturating_sub(columns(&row));
        layout.row(&format!("{row}{}", bar(share(cell) / largest, room)))?;
    }
    if shown.len() > ROWS_PRINTED {
        let more = (shown.len() - ROWS_PRINTED) as u64;
        layout.row(&format!(
            "{} more in frequencies.csv",
            with_noun(more, "row")
        ))?;
    }
    Ok(())
}

/// Prints the joint percentages of two values, if they fit.
fn crossed(
    layout: &mut SummaryLayout<'_>,
    label: &str,
    [down, across]: [&Axis; 2],
    cells: &[u64],
) -> io::Result<()> {
    let all: u64 = cells.iter().sum();
    let share = |row: usize, column: usize| cells[row * across.cells() + column];
    let is_column = |&column: &usize| (0..down.cells()).any(|row| share(row, column) > 0);
    let is_row = |&row: &usize| (0..across.cells()).any(|column| share(row, column) > 0);
    let across_shown: Vec<usize> = (0..across.cells()).filter(is_column).collect();
    let down_shown: Vec<usize> = (0..down.cells()).filter(is_row).collect();
    let width = 6 + CELL * across_shown.len();
    layout.row(&format!("{label} (%)"))?;
    if width > layout.width() || down_shown.len() > ROWS_PRINTED {
        let size = format!("{} by {} values", down_shown.len(), across_shown.len());
        return layout.row(&format!("      {size}, in frequencies.csv"));
    }
    let heading = across_shown.iter().map(|&column| name(across, column));
    let heading: String = heading.map(|name| format!("{name:>CELL$}")).collect();
    layout.row(&format!("      {heading}"))?;
    for row in down_shown {
        let cells = across_shown.iter().map(|&column| match share(row, column) {
            0 => format!("{:>CELL$}", "-"),
            count => format!("{:>CELL$}", share_text(count as f64 / all as f64)),
        });
        let cells: String = cells.collect();
        layout.row(&format!("{:>6}{cells}", name(down, row)))?;
    }
    Ok(())
}

/// The reason why an exact value is missing.
fn no_exact(why: NoLaw) -> String {
    let remedy = match why {
        NoLaw::Steps => "; --exact lifts it",
        _ => "",
    };
    format!("no exact value: {why}{remedy}")
}

/// Name of a value, or of the values below or above the counted range.
fn name(axis: &Axis, cell: usize) -> String {
    match cell {
        0 => format!("<{}", axis.low),
        cell if cell + 1 == axis.cells() => format!(">{}", axis.high + axis.width - 1),
        cell => axis.name(cell),
    }
}

/// A share in per cent, with two decimals or three significant digits.
fn share_text(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0".to_owned(),
        percent if percent >= 0.1 => format!("{percent:.2}"),
        percent => rounded(percent, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_all_sizes_are_short() {
        let shares = [0.0, 0.1218, 0.001, 0.000_05, 1e-8].map(share_text);
        assert_eq!(shares, ["0", "12.18", "0.10", "0.0050", "1.0e-6"]);
    }
}
