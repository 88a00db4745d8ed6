//! Draws in the order of their cases.

/// Cases per draw from which on draws are sorted: below, every case between them has a counter.
const SPARSE: usize = 32;

/// Counters of consecutive cases, which are 0 between calls.
#[derive(Clone, Debug, Default)]
pub(super) struct CaseOrder {
    counts: Vec<u32>,
    /// A bit for each counter that is not 0.
    drawn: Vec<u64>,
    /// The cases that were counted, with their numbers of draws.
    counted: Vec<(u32, u32)>,
}

impl CaseOrder {
    /// Returns every different case, in ascending order, with its number of draws. The draws may be
    /// reordered.
    pub(super) fn counted(&mut self, cases: &mut [u32]) -> &[(u32, u32)] {
        self.counted.clear();
        let (Some(&least), Some(&most)) = (cases.iter().min(), cases.iter().max()) else {
            return &self.counted;
        };
        let width = (most - least) as usize + 1;
        if width / SPARSE > cases.len() {
            cases.sort_unstable();
            let same = cases.chunk_by(|a, b| a == b);
            self.counted
                .extend(same.map(|same| (same[0], same.len() as u32)));
            return &self.counted;
        }
        let words = width.div_ceil(64);
        if self.drawn.len() < words {
            self.drawn.resize(words, 0);
            self.counts.resize(64 * words, 0);
        }
        for case in cases {
            let place = (*case - least) as usize;
            self.counts[place] += 1;
            self.drawn[place / 64] |= 1 << (place % 64);
        }
        for (word, drawn) in self.drawn[..words].iter_mut().enumerate() {
            let mut left = std::mem::take(drawn);
            while left != 0 {
                let place = 64 * word + left.trailing_zeros() as usize;
                left &= left - 1;
                let count = std::mem::take(&mut self.counts[place]);
                self.counted.push((least + place as u32, count));
            }
        }
        &self.counted
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_case_comes_once_in_order_with_its_draws() {
        let mut order = CaseOrder::default();
        let mut word = 5u64;
        for (draws, cases) in [(0, 1), (1, 1), (1, u32::MAX), (1_000, 3), (1_000, 9_000)] {
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
                let found = order.counted(&mut drawn).iter().copied();
                assert!(expected.into_iter().eq(found), "{draws} of {cases}");
            }
        }
    }
}
