//! Joint tables: the deals of a condition by several values.

use fairdeal::Error;
use fairdeal::bridge::Seat;
use fairdeal::language::{BinaryOperator, Condition, Expression, Measure, Node, Script};
use fairdeal::population::cells::Budget;
use fairdeal::population::counting::{CountError, DealCounter};
use fairdeal::theory::{NoLaw, ValueLaw};

/// Steps of about a nanosecond, and bytes, to count in one pass.
const MOST_STEPS: u64 = 10_000_000_000;
const MOST_BYTES: u64 = 1 << 30;
/// Steps to list: those of each value again are several.
const MOST_STEPS_OF_LISTING: u64 = 1_000_000_000;
/// Maximum number of combinations, possible or not, that are counted in one pass.
const MOST_COMBINATIONS: usize = 1 << 23;

/// The ways of each combination of values.
pub(crate) type JointWays = Vec<(Vec<i64>, u128)>;

/// Returns the ways of each combination of these values among the deals of a condition, and their
/// sum.
pub(crate) fn joint_ways(
    condition: &Condition,
    values: &[Script],
) -> Result<(JointWays, u128), Error> {
    let values = values.iter().map(|value| value.condition.expression());
    let values: Vec<&Expression> = values.collect();
    let ways = match Digits::of(&values) {
        Some(digits) => digits.counted(condition),
        None => listed(condition, values),
    };
    let ways =
        ways.map_err(|why| Error::condition(format!("quantities: no exact joint table: {why}")))?;
    let of = ways.iter().map(|(_, ways)| ways).sum();
    Ok((ways, of))
}

/// The ways of values that a listing determines.
fn listed(condition: &Condition, values: Vec<&Expression>) -> Result<JointWays, NoLaw> {
    let law = ValueLaw::all(condition, &[values], MOST_STEPS_OF_LISTING).pop();
    let law = law.unwrap_or(Err(NoLaw::NotComputed))?;
    let ways = law.ways();
    Ok(ways
        .map(|(values, ways)| (values.to_vec(), ways.ways))
        .collect())
}

/// Values that are sums over the suits, as the digits of one number: it is a sum over the suits too,
/// by which deals are counted in one pass.
struct Digits {
    parts: Vec<(i64, Seat, Measure)>,
    /// The number of outcomes of each value.
    sizes: Vec<usize>,
    combinations: usize,
}

impl Digits {
    fn of(values: &[&Expression]) -> Option<Self> {
        let mut digits = Self {
            parts: Vec::new(),
            sizes: Vec::new(),
            combinations: 1,
        };
        for value in values {
            let [least, most] = value.bounds();
            let size = usize::try_from(most).ok().filter(|_| least >= 0)? + 1;
            let factor = digits.combinations as i64;
            let summed = summands(value)?.into_iter();
            digits
                .parts
                .extend(summed.map(|(seat, measure)| (factor, seat, measure)));
            digits.sizes.push(size);
            let combinations = digits.combinations.checked_mul(size)?;
            digits.combinations = Some(combinations).filter(|of| *of <= MOST_COMBINATIONS)?;
        }
        Some(digits)
    }

    fn counted(&self, condition: &Condition) -> Result<JointWays, NoLaw> {
        let budget = Budget::new(MOST_STEPS, MOST_BYTES);
        let counted = DealCounter::new(condition)
            .and_then(|counter| counter.by_sum(&self.parts, self.combinations, &budget));
        let counted = counted.map_err(|error| match error {
            CountError::Arithmetic(_) => NoLaw::Arithmetic,
            CountError::NoDeal => NoLaw::NoDeal,
            CountError::NotCards if condition.has_draws() => NoLaw::Draws,
            CountError::NotCards => NoLaw::Tricks,
            CountError::TooLarge(_) => NoLaw::Steps,
        })?;
        let ways = counted.into_iter().enumerate();
        let ways: JointWays = ways
            .filter(|(_, ways)| *ways > 0)
            .map(|(number, ways)| (self.values(number), ways))
            .collect();
        match ways.is_empty() {
            true => Err(NoLaw::NoDeal),
            false => Ok(ways),
        }
    }

    fn values(&self, mut number: usize) -> Vec<i64> {
        let sizes = self.sizes.iter();
        let digits = sizes.map(|size| {
            let digit = number % size;
            number /= size;
            digit as i64
        });
        digits.collect()
    }
}

/// The measures whose sum is a value; `None` if it is another value than a sum over the suits.
fn summands(value: &Expression) -> Option<Vec<(Seat, Measure)>> {
    let mut summed = Vec::new();
    let mut rest = value.clone();
    // Over the left operands, of which there may be thousands.
    loop {
        match rest.tree().node(rest.root()) {
            Node::Hand(
                seat,
                measure @ (Measure::Length(_) | Measure::Points { .. } | Measure::Holds(_)),
            ) => {
                summed.push((*seat, measure.clone()));
                return Some(summed);
            }
            Node::Binary(BinaryOperator::Plus, [left, right]) => {
                summed.extend(summands(&rest.part(*right))?);
                rest = rest.part(*left);
            }
            _ => return None,
        }
    }
}
