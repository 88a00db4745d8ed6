//! A script's averages and frequencies, as tables.

use super::table::{Table, integer, real, text};
use super::table_name::TableName;
use crate::language::{Action, Axis, Condition, Expression};
use crate::tally::{Answer, Statistics, ValueSums};
use crate::theory::{Ratio, ValueLaw};

/// An average or a frequency, with its exact law where one is known.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its label: the script's name for it, or its text.
    pub label: String,
    /// The counts.
    pub found: AnswerCounts,
    /// The exact distribution over all deals of the condition.
    pub law: Option<ValueLaw>,
}

/// The counts of an average or a frequency.
#[derive(Clone, Debug)]
pub enum AnswerCounts {
    /// A mean.
    Average(ValueSums),
    /// The count of each cell.
    Frequency(Vec<Axis>, Vec<u64>),
}

impl Answered {
    /// Returns the averages and frequencies among `actions` with their results, and with the exact
    /// laws that can be computed in `exact_steps` steps.
    #[must_use]
    pub(crate) fn all(
        condition: &Condition,
        actions: &[Action],
        statistics: &Statistics,
        exact_steps: u64,
    ) -> Vec<Self> {
        let asked = actions.iter().filter_map(|action| match action {
            Action::Average { label, .. } => Some((action, label, &[][..])),
            Action::Frequency { label, axes } => Some((action, label, &axes[..])),
            _ => None,
        });
        let asked: Vec<_> = asked.collect();
        let questions: Vec<Vec<&Expression>> = asked
            .iter()
            .map(|(action, ..)| action.values().collect())
            .collect();
        let laws = ValueLaw::all(condition, &questions, exact_steps);
        let mut all = Vec::new();
        let asked = asked.into_iter().zip(questions).zip(laws);
        for ((((_, label, axes), values), law), answer) in asked.zip(statistics.answers()) {
            let texts = values.iter().map(|value| condition.text_of(value));
            let label = match label.as_str() {
                "" => texts.collect::<Vec<&str>>().join(", "),
                label => label.to_owned(),
            };
            let found = match answer {
                Answer::Average(sums) => AnswerCounts::Average(*sums),
                Answer::Frequency(cells) => AnswerCounts::Frequency(axes.to_vec(), cells.to_vec()),
            };
            all.push(Self { label, found, law });
        }
        all
    }

    /// Returns the exact share of each cell of a frequency, in the order of its cells.
    #[must_use]
    pub fn exact_shares(&self) -> Option<Vec<f64>> {
        let AnswerCounts::Frequency(axes, _) = &self.found else {
            return None;
        };
        let chances = cell_chances(axes, self.law.as_ref()?);
        Some(chances.into_iter().map(Ratio::to_f64).collect())
    }

    /// Returns the exact mean of an average, if its law is known.
    #[must_use]
    pub fn exact(&self) -> Option<f64> {
        self.law.as_ref().and_then(ValueLaw::mean)
    }
}

/// The names of all cells of a frequency. Two values are separated by a space.
fn cell_names(axes: &[Axis]) -> Vec<String> {
    let names = |axis: &Axis| (0..axis.cells()).map(|cell| axis.name(cell)).collect();
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

/// `averages` and `frequencies`, without empty tables.
#[must_use]
pub(crate) fn statistics_tables(deals: u64, answered: &[Answered]) -> Vec<Table> {
    let columns = [
        text("label"),
        real("mean"),
        real("stderr"),
        integer("n"),
        real("exact"),
    ];
    let mut averages = Table::new(TableName::Averages, &columns);
    let columns = [
        text("label"),
        text("value"),
        integer("observed"),
        real("expected"),
        real("probability"),
    ];
    let mut frequencies = Table::new(TableName::Frequencies, &columns);
    for Answered { label, found, law } in answered {
        match found {
            AnswerCounts::Average(sums) => averages.push(vec![
                label.clone().into(),
                sums.mean(deals).into(),
                sums.standard_error(deals).into(),
                deals.into(),
                law.as_ref().and_then(ValueLaw::mean).into(),
            ]),
            AnswerCounts::Frequency(axes, cells) => {
                let chances = law.as_ref().map(|law| cell_chances(axes, law));
                for (cell, (name, &observed)) in cell_names(axes).into_iter().zip(cells).enumerate()
                {
                    let chance = chances.as_ref().map(|chances| chances[cell]);
                    frequencies.push(vec![
                        label.clone().into(),
                        name.into(),
                        observed.into(),
                        chance.map(|chance| chance.times(deals)).into(),
                        chance.map(Ratio::to_f64).into(),
                    ]);
                }
            }
        }
    }
    let tables = [averages, frequencies].into_iter();
    tables.filter(|table| !table.rows().is_empty()).collect()
}
