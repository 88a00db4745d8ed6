//! A script's averages and frequencies, as tables.

use super::table::{Cell, Table, table_of};
use super::table_name::TableName;
use crate::language::{Action, Axis, Condition, Expression};
use crate::tally::{Answer, ScriptAnswers};
use fairdeal_theory::{NoLaw, Ratio, ValueLaw};

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
    pub fn all(condition: &Condition, actions: &[Action], exact_steps: u64) -> Vec<Self> {
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
    pub fn mean(&self) -> Option<f64> {
        let is_average = self.axes.is_none();
        self.law.as_ref().ok().filter(|_| is_average)?.mean()
    }

    /// Returns the exact mean of an average as a fraction in lowest terms, if its law is known.
    pub fn mean_fraction(&self) -> Option<String> {
        let is_average = self.axes.is_none();
        let law = self.law.as_ref().ok().filter(|_| is_average)?;
        let (sum, of) = law.exact_mean()?;
        Some(format!("{sum}/{of}"))
    }

    /// Returns the exact share of each cell of a frequency, in the order of its cells.
    pub fn shares(&self) -> Option<Vec<Ratio>> {
        let axes = self.axes.as_deref()?;
        Some(cell_chances(axes, self.law.as_ref().ok()?))
    }

    /// Returns the names of all cells of a frequency. Two values are separated by a space.
    pub fn cells(&self) -> Vec<String> {
        self.axes.as_deref().map_or_else(Vec::new, cell_names)
    }

    /// The cells of a frequency with their exact shares, if its law is known.
    fn outcomes(&self) -> Vec<(String, Option<Ratio>)> {
        let shares = self.shares();
        let share = |cell: usize| shares.as_ref().map(|shares| shares[cell]);
        let cells = self.cells().into_iter().enumerate();
        cells.map(|(cell, name)| (name, share(cell))).collect()
    }

    /// Returns the reason why the exact value is not known; `None` if it is, or if nobody asked.
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
pub struct CountedAnswer {
    /// The question, with its exact law where one is known.
    pub exact: ExactAnswer,
    /// The counts.
    pub found: Answer,
}

impl CountedAnswer {
    /// Returns the averages and frequencies among `actions` with their results, and with the exact
    /// laws that can be computed in `exact_steps` steps each.
    pub fn all(
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
            chances = vec![Ratio { ways: 0, ..ratio }; cells];
        }
        let cell = axes.iter().zip(values).fold(0, |cell, (axis, &value)| {
            cell * axis.cells() + axis.cell(value)
        });
        chances[cell].ways += ratio.ways;
    }
    chances
}

/// `averages` and `frequencies`, without empty tables.
pub fn statistics_tables(deals: u64, answered: &[CountedAnswer]) -> Vec<Table> {
    let averages = answered.iter().filter_map(|answer| match &answer.found {
        Answer::Average(sums) => Some((&answer.exact, sums)),
        Answer::Frequency(_) => None,
    });
    let averages = table_of!(TableName::Averages, averages, |(exact, sums)| {
        text "label": exact.label.clone(),
        real "mean": sums.mean(deals),
        real "stderr": sums.standard_error(deals),
        integer "n": deals,
        real "exact": exact.mean(),
        text "no_exact": reason(exact),
    });
    let cells = answered.iter().flat_map(|CountedAnswer { exact, found }| {
        let counts = match found {
            Answer::Average(_) => &[][..],
            Answer::Frequency(counts) => counts,
        };
        let cells = exact.outcomes().into_iter().zip(counts);
        cells.map(move |(outcome, observed)| (exact, outcome, *observed))
    });
    let frequencies = table_of!(TableName::Frequencies, cells, |(exact, (value, share), observed)| {
        text "label": exact.label.clone(),
        text "value": value,
        integer "observed": observed,
        real "expected": share.map(|share| share.times(deals)),
        real "probability": share.map(Ratio::to_f64),
        text "no_exact": reason(exact),
    });
    without_empty([averages, frequencies])
}

/// `averages` and `frequencies` of exact values, without empty tables.
pub fn exact_answer_tables(answers: &[ExactAnswer]) -> Vec<Table> {
    let averages = answers.iter().filter(|answer| answer.axes.is_none());
    let averages = table_of!(TableName::Averages, averages, |answer| {
        text "label": answer.label.clone(),
        real "mean": answer.mean(),
        text "fraction": answer.mean_fraction(),
        text "no_exact": reason(answer),
    });
    let cells = answers.iter().flat_map(|answer| {
        let cells = answer.outcomes().into_iter();
        cells.map(move |(value, share)| (answer, value, share))
    });
    let frequencies = table_of!(TableName::Frequencies, cells, |(answer, value, share)| {
        text "label": answer.label.clone(),
        text "value": value,
        real "probability": share.map(Ratio::to_f64),
        text "fraction": share.map(super::fraction),
        text "no_exact": reason(answer),
    });
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
