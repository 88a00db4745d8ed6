//! The range of a value: its minimum and maximum.
//!
//! Bounds have 32 bits, so no computation here exceeds 64 bits.

/// All integers from `least` to `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueInterval {
    pub(super) least: i64,
    pub(super) most: i64,
}

impl ValueInterval {
    /// False and true.
    pub(super) const TRUTH: Self = Self::new(0, 1);

    pub(super) const fn new(least: i64, most: i64) -> Self {
        Self { least, most }
    }

    /// Returns the smallest interval that contains all these values, or `None` if there are none.
    pub(super) fn of(values: impl IntoIterator<Item = i64>) -> Option<Self> {
        let points = values.into_iter().map(|value| Self::new(value, value));
        points.reduce(Self::or)
    }

    /// Returns the smallest interval that contains both.
    pub(super) fn or(self, other: Self) -> Self {
        Self::new(self.least.min(other.least), self.most.max(other.most))
    }

    pub(super) const fn contains(self, value: i64) -> bool {
        self.least <= value && value <= self.most
    }

    /// Returns the only member, if there is exactly one.
    pub(super) fn only(self) -> Option<i64> {
        (self.least == self.most).then_some(self.least)
    }

    /// Returns the number of members.
    pub(super) fn len(self) -> u64 {
        self.most.abs_diff(self.least) + 1
    }

    /// Returns both bounds as 32 bits, if they fit.
    pub(super) fn bounds(self) -> Option<[i32; 2]> {
        Some([self.least.try_into().ok()?, self.most.try_into().ok()?])
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self::new(self.least + other.least, self.most + other.most)
    }

    pub(super) fn negated(self) -> Self {
        Self::new(-self.most, -self.least)
    }

    pub(super) fn times(self, other: Self) -> Self {
        self.corners(other, |a, b| a * b)
    }

    /// Returns the quotients rounded towards zero, and 0 if the divisor may be 0.
    pub(super) fn divided_by(self, divisor: Self) -> Self {
        // For divisors of one sign, the quotients at the ends are the extremes.
        let negative = Self::new(divisor.least, divisor.most.min(-1));
        let positive = Self::new(divisor.least.max(1), divisor.most);
        let zero = divisor.contains(0).then_some(Self::new(0, 0));
        let quotients = [negative, positive]
            .into_iter()
            .filter(|part| part.least <= part.most)
            .map(|part| self.corners(part, |a, b| a / b));
        let all = quotients.chain(zero).reduce(Self::or);
        all.unwrap_or(Self::new(0, 0))
    }

    /// Returns the remainders, which have the sign of the dividend, and 0.
    pub(super) fn remainder_by(self, divisor: Self) -> Self {
        let largest = divisor.least.abs().max(divisor.most.abs()) - 1;
        let most = |value: i64| value.min(largest).max(0);
        Self::new(-most(-self.least), most(self.most))
    }

    fn corners(self, other: Self, of: impl Fn(i64, i64) -> i64) -> Self {
        let rows = [self.least, self.most].map(|a| [of(a, other.least), of(a, other.most)]);
        let [first, second] = rows.map(|[a, b]| Self::new(a.min(b), a.max(b)));
        first.or(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_is_within_its_interval() {
        let all = || {
            (-5..=5).flat_map(|least| (least..=5).map(move |most| ValueInterval::new(least, most)))
        };
        for a in all() {
            for b in all() {
                for x in a.least..=a.most {
                    for y in b.least..=b.most {
                        assert!(a.plus(b).contains(x + y));
                        assert!(a.plus(b.negated()).contains(x - y));
                        assert!(a.times(b).contains(x * y));
                        let (quotient, rest) = (x.checked_div(y), x.checked_rem(y));
                        assert!(a.divided_by(b).contains(quotient.unwrap_or(0)));
                        assert!(a.remainder_by(b).contains(rest.unwrap_or(0)));
                    }
                }
                let sums: Vec<i64> = (a.least..=a.most)
                    .flat_map(|x| (b.least..=b.most).map(move |y| x * y))
                    .collect();
                assert_eq!(ValueInterval::of(sums), Some(a.times(b)));
            }
        }
    }
}
