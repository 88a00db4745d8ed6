//! The answers to a script's questions, as CSV: averages.csv and frequencies.csv.

use super::folder::{Folder, ReportError};
use super::number::significant;
use super::tables::writer;
use crate::condition::{Action, Axis, Condition, Expression};
use crate::tally::{Answer, Statistics, Sums};
use crate::theory::{Ratio, ValueLaw};

/// A question, its answer, and the exact law of what was asked, where there is one.
#[derive(Clone, Debug)]
pub struct Answered<'a> {
    /// What it is called: the script's name for it, or its text.
    pub label: String,
    /// The answer.
    pub found: Found<'a>,
    /// How the values of all deals of the condition are distributed.
    pub law: Option<ValueLaw>,
}

/// An answer with what was asked.
#[derive(Clone, Copy, Debug)]
pub enum Found<'a> {
    /// A mean.
    Average(&'a Sums),
    /// How often each cell came.
    Frequency(&'a [Axis], &'a [u64]),
}

impl<'a> Answered<'a> {
    /// The averages and frequencies among some actions, with their answers and laws.
    #[must_use]
    pub fn all(
        condition: &Condition,
        actions: &'a [Action],
        statistics: &'a Statistics,
    ) -> Vec<Self> {
        let asked = actions.iter().filter_map(|action| match action {
            Action::Average { label, .. } => Some((action, label, &[][..])),
            Action::Frequency { label, axes } => Some((action, label, &axes[..])),
            _ => None,
        });
        let mut all = Vec::new();
        for ((action, label, axes), answer) in asked.zip(statistics.answers()) {
            let values: Vec<&Expression> = action.values().collect();
            let texts = values.iter().map(|value| condition.text_of(value));
            let label = match label.as_str() {
                "" => texts.collect::<Vec<&str>>().join(", "),
                label => label.to_owned(),
            };
            let found = match answer {
                Answer::Average(sums) => Found::Average(sums),
                Answer::Frequency(cells) => Found::Frequency(axes, cells),
            };
            let law = ValueLaw::of(condition, &values);
            all.push(Self { label, found, law });
        }
        all
    }

    /// The exact mean of an average.
    #[must_use]
    pub fn exact(&self) -> Option<f64> {
        self.law.as_ref().and_then(ValueLaw::mean)
    }
}

/// A cell's name: the value, or that it is lower or higher than all that are counted.
fn cell_name(axis: &Axis, cell: usize) -> String {
    match cell {
        0 => "low".to_owned(),
        cell if cell + 1 == axis.cells() => "high".to_owned(),
        cell => (axis.low + cell as i64 - 1).to_string(),
    }
}

/// The names of all cells of a frequency; of two values with a space between.
fn cell_names(axes: &[Axis]) -> Vec<String> {
    let names = |axis: &Axis| {
        (0..axis.cells())
            .map(|cell| cell_name(axis, cell))
            .collect()
    };
    let mut all: Vec<String> = vec![String::new()];
    for axis in axes {
        let inner: Vec<String> = names(axis);
        all = all
            .iter()
            .flat_map(|outer| inner.iter().map(move |name| format!("{outer} {name}")))
            .collect();
    }
    all.iter()
        .map(|name| name.trim_start().to_owned())
        .collect()
}

/// The exact probability of every cell.
fn cell_chances(axes: &[Axis], law: &ValueLaw) -> Vec<Ratio> {
    let cells: usize = axes.iter().map(Axis::cells).product();
    let mut chances: Vec<Ratio> = Vec::new();
    for (values, ratio) in law.ways() {
        if chances.is_empty() {
            chances = vec![
                Ratio {
                    ways: 0,
                    of: ratio.of
                };
                cells
            ];
        }
        let cell = axes.iter().zip(values).fold(0, |cell, (axis, &value)| {
            cell * axis.cells() + axis.cell(value)
        });
        chances[cell].ways += ratio.ways;
    }
    chances
}

/// Writes averages.csv and frequencies.csv, each if there is anything in it.
///
/// # Errors
///
/// [`ReportError::Io`] if one cannot be written.
pub fn write_statistics(
    folder: &Folder,
    deals: u64,
    answered: &[Answered<'_>],
) -> Result<(), ReportError> {
    let number = |value: Option<f64>| value.map_or_else(String::new, significant);
    let mut averages = writer();
    let mut frequencies = writer();
    let row = |out: &mut csv::Writer<Vec<u8>>, fields: [&str; 5]| {
        out.write_record(fields)
            .expect("every row has five fields, and memory takes all");
    };
    row(&mut averages, ["label", "mean", "stderr", "n", "exact"]);
    row(
        &mut frequencies,
        ["label", "value", "observed", "expected", "probability"],
    );
    let (mut any_average, mut any_frequency) = (false, false);
    for Answered { label, found, law } in answered {
        match found {
            Found::Average(sums) => {
                any_average = true;
                let fields = [
                    number(sums.mean(deals)),
                    number(sums.standard_error(deals)),
                    deals.to_string(),
                    number(law.as_ref().and_then(ValueLaw::mean)),
                ];
                let [mean, error, n, exact] = fields.each_ref().map(String::as_str);
                row(&mut averages, [label, mean, error, n, exact]);
            }
            Found::Frequency(axes, cells) => {
                any_frequency = true;
                let chances = law.as_ref().map(|law| cell_chances(axes, law));
                for (cell, (name, observed)) in cell_names(axes).iter().zip(*cells).enumerate() {
                    let chance = chances.as_ref().map(|chances| chances[cell]);
                    let expected = number(chance.map(|chance| chance.times(deals)));
                    let probability = number(chance.map(Ratio::to_f64));
                    let observed = observed.to_string();
                    row(
                        &mut frequencies,
                        [label, name, &observed, &expected, &probability],
                    );
                }
            }
        }
    }
    for (name, out, any) in [
        ("averages.csv", averages, any_average),
        ("frequencies.csv", frequencies, any_frequency),
    ] {
        if any {
            let bytes = out.into_inner();
            folder.write(
                name,
                &bytes.expect("memory takes all that is written to it"),
            )?;
        }
    }
    Ok(())
}
