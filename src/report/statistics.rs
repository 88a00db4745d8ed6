//! A script's averages and frequencies, as tables.

use super::table::{Cell, Table, integer, real, text};
use super::table_name::TableName;
use crate::language::{Action, Axis, Condition, Expression};
use crate::tally::{Answer, ScriptAnswers};
use crate::theory::{NoLaw, Ratio, ValueLaw};

/// An average or a frequency of a script, with its exact law over all deals of the condition.
#[derive(Clone, Debug)]
pub struct ExactAnswer {
    /// Its label: the script's name for it, or its text.
    pub label: String,
    /// The values that a frequency counts; `None` for an average.
    pub axes: Option<Vec<Axis>>,
    /// The exact distribution, or the reason why it is not known.
    pub law: Result<ValueLaw, NoLaw>,
}

impl ExactAnswer {
    /// Returns the averages and frequencies among `actions`, with the exact laws that can be
    /// computed in `exact_steps` steps each.
    #[must_use]
    pub(crate) fn all(condition: &Condition, actions: &[Action], exact_steps: u64) -> Vec<Self> {
        let asked = actions.iter().filter_map(|action| match action {
            Action::Average { label, .. } => Some((action, label, None)),
            Action::Frequency { label, axes } => Some((action, label, Some(axes.clone()))),
            _ => None,
        });
        let asked: Vec<_> = asked.collect();
        let questions: Vec<Vec<&Expression>> = asked
            .iter()
            .map(|(action, ..)| action.values().collect())
            .collect();
        let laws = ValueLaw::all(condition, &questions, exact_steps);
        let answers = asked.into_iter().zip(questions).zip(laws);
        let answers = answers.map(|(((_, label, axes), values), law)| {
            let texts = values.iter().map(|value| condition.text_of(value));
            let label = match label.as_str() {
                "" => texts.collect::<Vec<&str>>().join(", "),
                label => label.to_owned(),
            };
            Self { label, axes, law }
        });
        answers.collect()
    }

    /// Returns the exact mean of an average, if its law is known.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        let is_average = self.axes.is_none();
        self.law.as_ref().ok().filter(|_| is_average)?.mean()
    }

    /// Returns the exact mean of an average as a fraction in lowest terms, if its law is known.
    #[must_use]
    pub fn mean_fraction(&self) -> Option<String> {
        let is_average = self.axes.is_none();
        let law = self.law.as_ref().ok().filter(|_| is_average)?;
        let (sum, of) = law.exact_mean()?;
        Some(format!("{sum}/{of}"))
    }

    /// Returns the exact share of each cell of a frequency, in the order of its cells.
    #[must_use]
    pub fn shares(&self) -> Option<Vec<Ratio>> {
        let axes = self.axes.as_deref()?;
        Some(cell_chances(axes, self.law.as_ref().ok()?))
    }

    /// Returns the names of all cells of a frequency. Two values are separated by a space.
    #[must_use]
    pub fn cells(&self) -> Vec<String> {
        self.axes.as_deref().map_or_else(Vec::new, cell_names)
    }

    /// Returns the reason why the exact value is not known; `None` if it is, or if nobody asked.
    #[must_use]
    pub fn reason(&self) -> Option<NoLaw> {
        match &self.law {
            Err(NoLaw::NotComputed) => None,
            Err(why) => Some(*why),
            Ok(law) => {
                let overflows = self.axes.is_none() && law.exact_mean().is_none();
                overflows.then_some(NoLaw::Arithmetic)
            }
        }
    }
}

/// An average or a frequency, with its counts.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The question, with its exact law where one is known.
    pub exact: ExactAnswer,
    /// The counts.
    pub found: Answer,
}

impl Answered {
    /// Returns the averages and frequencies among `actions` with their results, and with the exact
    /// laws that can be computed in `exact_steps` steps each.
    #[must_use]
    pub(crate) fn all(
        condition: &Condition,
        actions: &[Action],
        statistics: &ScriptAnswers,
        exact_steps: u64,
    ) -> Vec<Self> {
        let asked = ExactAnswer::all(condition, actions, exact_steps).into_iter();
        let answers = asked.zip(statistics.answers());
        let answers = answers.map(|(exact, answer)| Self {
            exact,
            found: answer.clone(),
        });
        answers.collect()
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
        text("no_exact"),
    ];
    let mut averages = Table::new(TableName::Averages, &columns);
    let columns = [
        text("label"),
        text("value"),
        integer("observed"),
        real("expected"),
        real("probability"),
        text("no_exact"),
    ];
    let mut frequencies = Table::new(TableName::Frequencies, &columns);
    for Answered { exact, found } in answered {
        let label = || Cell::from(exact.label.clone());
        match found {
            Answer::Average(sums) => averages.push(vec![
                label(),
                sums.mean(deals).into(),
                sums.standard_error(deals).into(),
                deals.into(),
                exact.mean().into(),
                reason(exact),
            ]),
            Answer::Frequency(cells) => {
                let chances = exact.shares();
                for (cell, (name, &observed)) in exact.cells().into_iter().zip(cells).enumerate() {
                    let chance = chances.as_ref().map(|chances| chances[cell]);
                    frequencies.push(vec![
                        label(),
                        name.into(),
                        observed.into(),
                        chance.map(|chance| chance.times(deals)).into(),
                        chance.map(Ratio::to_f64).into(),
                        reason(exact),
                    ]);
                }
            }
        }
    }
    without_empty([averages, frequencies])
}

/// `averages` and `frequencies` of exact values, without empty tables.
#[must_use]
pub(crate) fn exact_answer_tables(answers: &[ExactAnswer]) -> Vec<Table> {
    let [label, value, fraction, why] = ["label", "value", "fraction", "no_exact"].map(text);
    let mut averages = Table::new(TableName::Averages, &[label, real("mean"), fraction, why]);
    let columns = [label, value, real("probability"), fraction, why];
    let mut frequencies = Table::new(TableName::Frequencies, &columns);
    for answer in answers {
        if answer.axes.is_none() {
            averages.push(vec![
                answer.label.clone().into(),
                answer.mean().into(),
                answer.mean_fraction().into(),
                reason(answer),
            ]);
            continue;
        }
        let chances = answer.shares();
        for (cell, name) in answer.cells().into_iter().enumerate() {
            let chance = chances.as_ref().map(|chances| chances[cell]);
            frequencies.push(vec![
                answer.label.clone().into(),
                name.into(),
                chance.map(Ratio::to_f64).into(),
                chance.map(super::fraction).into(),
                reason(answer),
            ]);
        }
    }
    without_empty([averages, frequencies])
}

/// The reason why a value has no exact law, as a cell.
fn reason(answer: &ExactAnswer) -> Cell {
    answer.reason().map(|why| why.to_string()).into()
}

fn without_empty(tables: [Table; 2]) -> Vec<Table> {
    let tables = tables.into_iter();
    tables.filter(|table| !table.rows().is_empty()).collect()
}
