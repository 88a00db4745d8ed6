//! Draws of consecutive cases, by case.

use std::ops::RangeInclusive;

/// Cases per draw from which on draws are sorted: below, every case between them has a counter.
const SPARSE: usize = 32;

/// Counters of consecutive cases, which are 0 between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct CaseCounters(Vec<u32>);

impl CaseCounters {
    /// Returns the counters of these cases.
    fn of(&mut self, range: &RangeInclusive<u32>) -> &mut [u32] {
        let width = (range.end() - range.start()) as usize + 1;
        if self.0.len() < width {
            self.0.resize(width, 0);
        }
        &mut self.0[..width]
    }

    /// Visits every different case of the range, in ascending order, with its number of draws. May
    /// sort the draws.
    pub(super) fn each_case(
        &mut self,
        range: RangeInclusive<u32>,
        cases: &mut [u32],
        mut visit: impl FnMut(u32, u32),
    ) {
        if is_sparse(&range, cases) {
            return sorted_cases(cases).for_each(|(case, count)| visit(case, count));
        }
        let counters = self.of(&range);
        for case in cases {
            counters[(*case - range.start()) as usize] += 1;
        }
        for (case, count) in range.zip(counters) {
            match std::mem::take(count) {
                0 => {}
                count => visit(case, count),
            }
        }
    }

    /// Returns the number of pairs of draws with the same case, except those of the first and of
    /// the last case, whose numbers of draws are added to `ends`. May sort the draws.
    pub(super) fn inner_pairs(
        &mut self,
        range: RangeInclusive<u32>,
        cases: &mut [u32],
        ends: &mut Vec<(u32, u32)>,
    ) -> u128 {
        let (least, most) = (*range.start(), *range.end());
        if is_sparse(&range, cases) {
            let mut inner = 0;
            for (case, count) in sorted_cases(cases) {
                match case == least || case == most {
                    true => ends.push((case, count)),
                    false => inner += pairs_of(count.into()),
                }
            }
            return inner;
        }
        let counters = self.of(&range);
        // A draw forms a pair with each earlier draw of its case.
        let mut pairs = 0;
        for case in cases {
            let count = &mut counters[(*case - least) as usize];
            pairs += u64::from(*count);
            *count += 1;
        }
        let mut inner = u128::from(pairs);
        for case in [least, most].into_iter().take(counters.len()) {
            let count = counters[(case - least) as usize];
            ends.push((case, count));
            inner -= pairs_of(count.into());
        }
        counters.fill(0);
        inner
    }
}

fn is_sparse(range: &RangeInclusive<u32>, cases: &[u32]) -> bool {
    (range.end() - range.start()) as usize / SPARSE > cases.len()
}

/// Returns every different case, in ascending order, with its number of draws. Sorts the draws.
pub(super) fn sorted_cases(cases: &mut [u32]) -> impl Iterator<Item = (u32, u32)> {
    cases.sort_unstable();
    let same = cases.chunk_by(|a, b| a == b);
    same.map(|same| (same[0], same.len() as u32))
}

/// Returns C(n, 2).
pub(super) fn pairs_of(n: u64) -> u128 {
    u128::from(n) * u128::from(n.saturating_sub(1)) / 2
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn draws_are_counted_by_case_and_paired() {
        let mut counters = CaseCounters::default();
        let mut word = 5u64;
        for (draws, cases) in [
            (1, 1),
            (1, u32::MAX),
            (1_000, 3),
            (1_000, 9_000),
            (9, 9_000),
        ] {
            for far in [cases, u32::MAX] {
                let mut drawn: Vec<u32> = std::iter::repeat_with(|| {
                    word = word.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
                    far - 1 - (word >> 32) as u32 % cases
                })
                .take(draws)
                .collect();
                let mut expected = BTreeMap::new();
                for case in &drawn {
                    *expected.entry(*case).or_insert(0) += 1;
                }
                let range = expected.keys().min().copied().unwrap()
                    ..=expected.keys().max().copied().unwrap();
                let mut found = BTreeMap::new();
                counters.each_case(range.clone(), &mut drawn, |case, count| {
                    assert_eq!(found.insert(case, count), None);
                });
                assert_eq!(found, expected, "{draws} of {cases}");
                let ends: Vec<_> = expected
                    .pop_first()
                    .into_iter()
                    .chain(expected.pop_last())
                    .collect();
                let inner: u128 = expected
                    .into_values()
                    .map(|count| pairs_of(count.into()))
                    .sum();
                let mut found = Vec::new();
                assert_eq!(
                    counters.inner_pairs(range, &mut drawn, &mut found),
                    inner,
                    "{draws} of {cases}"
                );
                assert_eq!(found, ends, "{draws} of {cases}");
            }
        }
    }
}
