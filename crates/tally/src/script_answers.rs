//! Counts for a script's `average` and `frequency` actions.

use serde::{Deserialize, Serialize};

use crate::draw::MOST_DEALS;
use crate::filter::CompiledValues;
use crate::language::{Action, Axis};

/// The values to count in each deal: averages and frequencies, in the script's order.
#[derive(Clone, Debug)]
pub struct ScriptQuestions {
    questions: Vec<ScriptQuestion>,
    values: CompiledValues,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ScriptQuestion {
    /// The mean of the value with this index.
    Average { value: usize },
    /// The counts of each cell of the values from this index on.
    Frequency { value: usize, axes: Vec<Axis> },
}

impl ScriptQuestions {
    /// Selects the averages and frequencies of these actions.
    pub fn of(actions: &[Action]) -> Self {
        let (mut questions, mut values) = (Vec::new(), Vec::new());
        for action in actions {
            let value = values.len();
            questions.push(match action {
                Action::Average { .. } => ScriptQuestion::Average { value },
                Action::Frequency { axes, .. } => ScriptQuestion::Frequency {
                    value,
                    axes: axes.clone(),
                },
                _ => continue,
            });
            values.extend(action.values().cloned());
        }
        Self {
            questions,
            values: CompiledValues::new(&values),
        }
    }

    /// Returns whether there are no questions.
    pub fn is_empty(&self) -> bool {
        self.questions.is_empty()
    }

    /// Returns the values to evaluate on each deal, compiled.
    pub fn values(&self) -> &CompiledValues {
        &self.values
    }
}

/// Each deal adds at most 2^63, of either sign.
const _: () = assert!((MOST_DEALS as i128).checked_mul(1 << 63).is_some());

/// The sums of a value over deals.
///
/// Sums of squares saturate at 2^128 - 1, which only values of 2^32 or more can reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueSums {
    sum: i128,
    squares: u128,
}

impl ValueSums {
    fn add(&mut self, values: &[i64]) {
        for &value in values {
            self.sum += i128::from(value);
            let square = i128::from(value).unsigned_abs().pow(2);
            self.squares = self.squares.saturating_add(square);
        }
    }

    /// Returns the mean over this number of deals; `None` for no deals.
    pub fn mean(&self, deals: u64) -> Option<f64> {
        (deals > 0).then(|| self.sum as f64 / deals as f64)
    }

    /// Returns the standard error of the mean; `None` for fewer than two deals.
    pub fn standard_error(&self, deals: u64) -> Option<f64> {
        let n = deals as f64;
        // Around the integer part of the mean, so that no digits cancel.
        let near = self.sum.checked_div(i128::from(deals))?;
        let off = (self.sum - near * i128::from(deals)) as f64;
        let crossed = near.checked_mul(2)?.checked_mul(self.sum)?;
        let around = i128::from(deals).checked_mul(near.checked_mul(near)?)?;
        let squares = i128::try_from(self.squares).ok()?;
        let squares = squares.checked_sub(crossed)?.checked_add(around)? as f64;
        (deals > 1).then(|| ((squares - off * off / n) / (n - 1.0) / n).max(0.0).sqrt())
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The sums of an average.
    Average(ValueSums),
    /// The counts of a frequency: by cell of the first value, then of the second; see
    /// `Axis::cell`.
    Frequency(Vec<u64>),
}

/// The answers to questions over a number of deals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScriptAnswers {
    deals: u64,
    answers: Vec<Answer>,
}

impl ScriptAnswers {
    /// Creates answers for no deals.
    pub fn new(questions: &ScriptQuestions) -> Self {
        let answer = |question: &ScriptQuestion| match question {
            ScriptQuestion::Average { .. } => Answer::Average(ValueSums::default()),
            ScriptQuestion::Frequency { axes, .. } => {
                Answer::Frequency(vec![0; axes.iter().map(Axis::cells).product()])
            }
        };
        Self {
            deals: 0,
            answers: questions.questions.iter().map(answer).collect(),
        }
    }

    /// Returns whether these are empty or have an answer of the right shape to each question.
    pub fn fit(&self, questions: &ScriptQuestions) -> bool {
        let shape = |answer: &Answer| match answer {
            Answer::Average(_) => None,
            Answer::Frequency(cells) => Some(cells.len()),
        };
        let wanted = Self::new(questions);
        let shapes = self.answers.iter().map(shape);
        self.answers.is_empty() || shapes.eq(wanted.answers.iter().map(shape))
    }

    /// Counts deals by the columns of their values, in the order of [`ScriptQuestions::values`].
    pub fn count<'c>(
        &mut self,
        questions: &ScriptQuestions,
        deals: usize,
        column: impl Fn(usize) -> &'c [i64],
    ) {
        self.deals += deals as u64;
        for (question, answer) in questions.questions.iter().zip(&mut self.answers) {
            match (question, answer) {
                (ScriptQuestion::Average { value }, Answer::Average(sums)) => {
                    sums.add(&column(*value)[..deals]);
                }
                (ScriptQuestion::Frequency { value, axes }, Answer::Frequency(cells)) => {
                    let first = &column(*value)[..deals];
                    match &axes[..] {
                        [axis] => {
                            for &value in first {
                                cells[axis.cell(value)] += 1;
                            }
                        }
                        [rows, columns, ..] => {
                            let second = &column(*value + 1)[..deals];
                            for (&row, &column) in first.iter().zip(second) {
                                cells[rows.cell(row) * columns.cells() + columns.cell(column)] += 1;
                            }
                        }
                        [] => {}
                    }
                }
                _ => unreachable!("answers were made for these questions"),
            }
        }
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> u64 {
        self.deals
    }

    /// Returns the answers, in the order of the questions.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Adds the counts of other deals.
    pub fn merge(&mut self, other: &Self) {
        if self.answers.is_empty() {
            self.answers.clone_from(&other.answers);
            self.deals = other.deals;
            return;
        }
        self.deals += other.deals;
        for (mine, theirs) in self.answers.iter_mut().zip(&other.answers) {
            match (mine, theirs) {
                (Answer::Average(mine), Answer::Average(theirs)) => {
                    mine.sum += theirs.sum;
                    mine.squares = mine.squares.saturating_add(theirs.squares);
                }
                (Answer::Frequency(mine), Answer::Frequency(theirs)) => super::add(mine, theirs),
                _ => unreachable!("both answer the same questions"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Script;

    fn questions(text: &str) -> ScriptQuestions {
        let script = Script::parse("test", text).unwrap_or_else(|error| panic!("{error}"));
        ScriptQuestions::of(&script.actions.unwrap_or_default())
    }

    #[test]
    fn values_are_summed_and_fall_into_their_cells() {
        let text = "action average hcp(west), printall, frequency (hcp(west), 2, 4), \
                    frequency (hcp(west), 1, 2, hcp(east), 0, 1)";
        let questions = questions(text);
        let columns: [&[i64]; 4] = [&[4, -7, 3, 9], &[1, 2, 4, 5], &[0, 1, 2, 3], &[-1, 0, 1, 2]];
        let mut statistics = ScriptAnswers::new(&questions);
        statistics.count(&questions, 3, |value| columns[value]);
        let mut more = ScriptAnswers::new(&questions);
        more.count(&questions, 1, |value| &columns[value][3..]);
        statistics.merge(&more);
        assert_eq!(statistics.deals(), 4);
        let [
            Answer::Average(sums),
            Answer::Frequency(one),
            Answer::Frequency(two),
        ] = statistics.answers()
        else {
            panic!("{statistics:?}");
        };
        assert_eq!(sums.mean(4), Some(2.25));
        // The squares of 1.75, -9.25, 0.75 and 6.75, divided by 3 and 4.
        let squares: f64 = 1.75 * 1.75 + 9.25 * 9.25 + 0.75 * 0.75 + 6.75 * 6.75;
        let error = sums.standard_error(4).unwrap_or_default();
        assert!((error - (squares / 12.0).sqrt()).abs() < 1e-12);
        assert_eq!(one, &[1, 1, 0, 1, 1]);
        let mut cells = vec![0; 16];
        for place in [0, 4 + 1, 8 + 2, 12 + 3] {
            cells[place] = 1;
        }
        assert_eq!(two, &cells);
    }

    #[test]
    fn a_large_mean_costs_the_standard_error_no_digits() {
        let mut sums = ValueSums::default();
        sums.add(&[1_000_000_000, 1_000_000_001, 1_000_000_002]);
        assert_eq!(sums.standard_error(3), Some((1.0f64 / 3.0).sqrt()));
        assert_eq!(ValueSums::default().mean(0), None);
        assert_eq!(ValueSums::default().standard_error(0), None);
    }
}
