//! The works that compute columns, each of which is done once.
//!
//! A column of values also has an interval that contains the values of every deal, including deals
//! that fail. No value therefore exceeds 32 bits, and results that an interval determines are not
//! computed.

use std::collections::BTreeMap;

use crate::kernels::{ColumnIndex, ColumnWork, MeasureWork, Pairing, ValueWork, WordWork};
use crate::language::ValueBounds;

/// Maximum number of values for which a table is made.
const MAX_TABLE: u64 = 1 << 12;
/// More than any value, for the open side of a comparison.
const OPEN: i64 = 1 << 40;

#[derive(Debug, Default)]
pub(super) struct Graph {
    parts: Vec<(ColumnWork, ValueBounds)>,
    known: BTreeMap<ColumnWork, ColumnIndex>,
}

impl Graph {
    /// Returns the works, each after those that it uses.
    pub(super) fn into_parts(self) -> Vec<ColumnWork> {
        self.parts.into_iter().map(|(work, _)| work).collect()
    }

    pub(super) fn interval(&self, place: ColumnIndex) -> ValueBounds {
        self.parts[place].1
    }

    fn intern(&mut self, work: ColumnWork, interval: ValueBounds) -> ColumnIndex {
        let next = self.parts.len();
        let place = *self.known.entry(work.clone()).or_insert(next);
        if place == next {
            self.parts.push((work, interval));
        }
        place
    }

    pub(super) fn words(&mut self, work: WordWork) -> ColumnIndex {
        self.intern(ColumnWork::Words(work), ValueBounds::new(0, 0))
    }

    /// Adds a column of values in this interval; returns `None` if the interval exceeds 32 bits.
    fn values(&mut self, work: ColumnWork, interval: ValueBounds) -> Option<ColumnIndex> {
        interval.in_32_bits()?;
        match interval.only() {
            Some(number) => self.number(number),
            None => Some(self.intern(work, interval)),
        }
    }

    pub(super) fn measure(
        &mut self,
        work: MeasureWork,
        interval: ValueBounds,
    ) -> Option<ColumnIndex> {
        self.values(ColumnWork::Measure(work), interval)
    }

    /// Adds a question about each value. The answer must not decrease as the value increases.
    pub(super) fn ask(
        &mut self,
        values: ColumnIndex,
        question: usize,
        answer: impl Fn(i64) -> i64,
    ) -> Option<ColumnIndex> {
        let ValueBounds { least, most, .. } = self.interval(values);
        self.tabulated(values, &answer).or_else(|| {
            let interval = ValueBounds::new(answer(least), answer(most));
            self.values(
                ColumnWork::Values(ValueWork::Ask { values, question }),
                interval,
            )
        })
    }

    /// Adds a table of results by value; returns `None` if it would be too long or too wide.
    fn tabulated(
        &mut self,
        values: ColumnIndex,
        give: &impl Fn(i64) -> i64,
    ) -> Option<ColumnIndex> {
        let interval = self.interval(values);
        if interval.count() > MAX_TABLE {
            return None;
        }
        let all = || (interval.least..=interval.most).map(give);
        let table = all().map(|value| i32::try_from(value).ok());
        let work = ValueWork::Table {
            values,
            least: interval.in_32_bits()?[0],
            table: table.collect::<Option<_>>()?,
        };
        self.values(
            ColumnWork::Values(work),
            ValueBounds::of(all().map(i128::from)),
        )
    }

    pub(super) fn number(&mut self, number: i64) -> Option<ColumnIndex> {
        let work = ValueWork::Number(number.try_into().ok()?);
        Some(self.intern(ColumnWork::Values(work), ValueBounds::new(number, number)))
    }

    pub(super) fn known_truth(&mut self, truth: bool) -> ColumnIndex {
        let work = ColumnWork::Values(ValueWork::Number(truth.into()));
        self.intern(work, ValueBounds::new(truth.into(), truth.into()))
    }

    /// Returns the values and limits of a `Between` column.
    fn limits(&self, place: ColumnIndex) -> Option<(ColumnIndex, ValueBounds)> {
        match &self.parts[place].0 {
            &ColumnWork::Values(ValueWork::Between {
                values,
                least,
                most,
            }) => Some((values, ValueBounds::new(least.into(), most.into()))),
            _ => None,
        }
    }

    /// Adds the test whether values are in the interval.
    pub(super) fn between(&mut self, values: ColumnIndex, wanted: ValueBounds) -> ColumnIndex {
        let all = self.interval(values);
        let within = ValueBounds::new(wanted.least.max(all.least), wanted.most.min(all.most));
        if within.least > within.most {
            return self.known_truth(false);
        }
        if within == all {
            return self.known_truth(true);
        }
        if all == ValueBounds::TRUTH && within.only() == Some(1) {
            return values;
        }
        if all == ValueBounds::TRUTH
            && let Some(opposite) = self.opposite(values)
        {
            return opposite;
        }
        let [least, most] = within.in_32_bits().unwrap_or([i32::MIN, i32::MAX]);
        let work = ValueWork::Between {
            values,
            least,
            most,
        };
        self.intern(ColumnWork::Values(work), ValueBounds::TRUTH)
    }

    /// Returns the negation of a truth value, if that takes no extra step.
    fn opposite(&mut self, truth: ColumnIndex) -> Option<ColumnIndex> {
        if let Some((inner, limits)) = self.limits(truth) {
            // Values outside limits that touch one end are beyond the other limit.
            let all = self.interval(inner);
            if limits.least == all.least {
                return Some(self.between(inner, ValueBounds::new(limits.most + 1, all.most)));
            }
            if limits.most == all.most {
                return Some(self.between(inner, ValueBounds::new(all.least, limits.least - 1)));
            }
            return None;
        }
        let ColumnWork::Values(ValueWork::Pair(pairing, [a, b])) = self.parts[truth].0 else {
            return None;
        };
        let (pairing, a, b) = match pairing {
            Pairing::Equal => (Pairing::NotEqual, a, b),
            Pairing::NotEqual => (Pairing::Equal, a, b),
            Pairing::Less => (Pairing::LessOrEqual, b, a),
            Pairing::LessOrEqual => (Pairing::Less, b, a),
            _ => return None,
        };
        Some(self.pair(pairing, a, b, ValueBounds::TRUTH))
    }

    /// Adds the test whether values are 0.
    pub(super) fn not(&mut self, values: ColumnIndex) -> ColumnIndex {
        self.between(values, ValueBounds::new(0, 0))
    }

    /// Adds the test whether values are not 0.
    pub(super) fn truth(&mut self, values: ColumnIndex) -> ColumnIndex {
        let ValueBounds { least, most, .. } = self.interval(values);
        if least >= 0 {
            return self.between(values, ValueBounds::new(1, OPEN));
        }
        if most <= 0 {
            return self.between(values, ValueBounds::new(-OPEN, -1));
        }
        let zero = self.not(values);
        self.not(zero)
    }

    /// Adds the conjunction of two truth values.
    pub(super) fn and(&mut self, a: ColumnIndex, b: ColumnIndex) -> ColumnIndex {
        match [a, b].map(|side| self.interval(side).only()) {
            [Some(0), _] | [_, Some(1)] => return a,
            [_, Some(0)] | [Some(1), _] => return b,
            _ if a == b => return a,
            _ => {}
        }
        if let (Some((x, one)), Some((y, other))) = (self.limits(a), self.limits(b))
            && x == y
        {
            let (least, most) = (one.least.max(other.least), one.most.min(other.most));
            return self.between(x, ValueBounds::new(least, most));
        }
        self.pair(Pairing::And, a, b, ValueBounds::TRUTH)
    }

    /// Adds the disjunction of two truth values.
    pub(super) fn or(&mut self, a: ColumnIndex, b: ColumnIndex) -> ColumnIndex {
        match [a, b].map(|side| self.interval(side).only()) {
            [Some(1), _] | [_, Some(0)] => return a,
            [_, Some(1)] | [Some(0), _] => return b,
            _ if a == b => return a,
            _ => {}
        }
        self.pair(Pairing::Or, a, b, ValueBounds::TRUTH)
    }

    /// Adds an operation on two values; the interval must fit in 32 bits.
    fn pair(
        &mut self,
        pairing: Pairing,
        a: ColumnIndex,
        b: ColumnIndex,
        interval: ValueBounds,
    ) -> ColumnIndex {
        let either_way = !matches!(
            pairing,
            Pairing::Less
                | Pairing::LessOrEqual
                | Pairing::Minus
                | Pairing::Divide
                | Pairing::Remainder
        );
        let places = if either_way && b < a { [b, a] } else { [a, b] };
        self.intern(
            ColumnWork::Values(ValueWork::Pair(pairing, places)),
            interval,
        )
    }

    /// Adds the comparison of two values: whether they are equal, less, or less or equal.
    pub(super) fn compare(
        &mut self,
        pairing: Pairing,
        a: ColumnIndex,
        b: ColumnIndex,
    ) -> ColumnIndex {
        // The range of the difference.
        let wanted = match pairing {
            Pairing::Less => ValueBounds::new(-OPEN, -1),
            Pairing::LessOrEqual => ValueBounds::new(-OPEN, 0),
            _ => ValueBounds::new(0, 0),
        };
        let (of_a, of_b) = (self.interval(a), self.interval(b));
        if of_b.only().is_some() {
            return self.between(a, wanted.plus(of_b));
        }
        if of_a.only().is_some() {
            return self.between(b, of_a.minus(wanted));
        }
        let difference = of_a.minus(of_b);
        if a == b || difference.most < wanted.least || difference.least > wanted.most {
            return self.known_truth(a == b && wanted.contains(0));
        }
        if wanted.least <= difference.least && difference.most <= wanted.most {
            return self.known_truth(true);
        }
        self.pair(pairing, a, b, ValueBounds::TRUTH)
    }

    pub(super) fn negated(&mut self, values: ColumnIndex) -> Option<ColumnIndex> {
        let interval = ValueBounds::new(0, 0).minus(self.interval(values));
        self.values(ColumnWork::Values(ValueWork::Negate(values)), interval)
    }

    /// Adds a sum, difference, product, quotient or remainder; division by 0 gives 0.
    pub(super) fn arithmetic(
        &mut self,
        pairing: Pairing,
        a: ColumnIndex,
        b: ColumnIndex,
    ) -> Option<ColumnIndex> {
        let (of_a, of_b) = (self.interval(a), self.interval(b));
        let (known_a, known_b) = (of_a.only(), of_b.only());
        let interval = match pairing {
            Pairing::Plus => of_a.plus(of_b),
            Pairing::Minus => of_a.minus(of_b),
            Pairing::Times => of_a.times(of_b),
            Pairing::Divide => of_a.divided_by(of_b),
            Pairing::Remainder => of_a.remainder_by(of_b),
            _ => return None,
        };
        interval.in_32_bits()?;
        match (pairing, known_a, known_b) {
            (Pairing::Plus, Some(0), _) | (Pairing::Times, Some(1), _) => return Some(b),
            (Pairing::Plus | Pairing::Minus, _, Some(0))
            | (Pairing::Times | Pairing::Divide, _, Some(1)) => return Some(a),
            _ => {}
        }
        let by_table = match (pairing, known_b) {
            (Pairing::Divide, Some(by)) if by != 0 => self.tabulated(a, &|value| value / by),
            (Pairing::Remainder, Some(by)) if by != 0 => self.tabulated(a, &|value| value % by),
            _ => None,
        };
        if by_table.is_some() {
            return by_table;
        }
        match interval.only() {
            Some(number) => self.number(number),
            None => Some(self.pair(pairing, a, b, interval)),
        }
    }

    /// Adds the choice between two values by a truth value.
    pub(super) fn choose(
        &mut self,
        test: ColumnIndex,
        yes: ColumnIndex,
        no: ColumnIndex,
    ) -> ColumnIndex {
        match self.interval(test).only() {
            Some(0) => return no,
            Some(_) => return yes,
            None if yes == no => return yes,
            None => {}
        }
        let (of_yes, of_no) = (self.interval(yes), self.interval(no));
        if let (Some(1), Some(0)) = (of_yes.only(), of_no.only()) {
            return test;
        }
        let work = ValueWork::Choose([test, yes, no]);
        self.intern(ColumnWork::Values(work), of_yes.either(of_no))
    }
}
