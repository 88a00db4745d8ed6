//! The smallest detectable excess of a binomial count.

use crate::stats::binomial_interval;

/// Probability that a printed effect is detected.
const POWER: f64 = 0.9;

/// Returns the smallest relative excess of an outcome of probability `p` that is detected in nine
/// of ten samples of `deals`; `None` if even an outcome in every deal is not. `is_detected` says
/// whether a count is; all larger counts are, too.
///
/// The power is an exact binomial tail, because in small samples a count of a rarer outcome spreads
/// further than the normal law of the null hypothesis.
pub(super) fn detectable_excess(
    deals: u64,
    p: f64,
    is_detected: impl Fn(u64) -> bool,
) -> Option<f64> {
    if !is_detected(deals) {
        return None;
    }
    let (mut fewer, mut least) = ((deals as f64 * p) as u64, deals);
    while least - fewer > 1 {
        let middle = fewer + (least - fewer) / 2;
        match is_detected(middle) {
            true => least = middle,
            false => fewer = middle,
        }
    }
    // The frequency below which fewer deals than these have a probability above 1 - POWER.
    let (_, frequency) = binomial_interval(least - 1, deals, 1.0 - 2.0 * (1.0 - POWER));
    Some(frequency / p - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::elementary::powf;
    use crate::stats::{binomial_lower_log10, binomial_upper_log10};

    #[test]
    fn nine_of_ten_samples_reach_the_count() {
        for (deals, p, least) in [(16, 0.25, 16), (1_008, 0.25, 370), (20_000, 0.2155, 4_900)] {
            let excess = detectable_excess(deals, p, |count| count >= least).unwrap();
            let power = binomial_upper_log10(least, deals, p * (1.0 + excess));
            assert!((powf(10.0, power) - 0.9).abs() < 1e-6, "{deals}: {power}");
            let missed = binomial_lower_log10(least - 1, deals, p * (1.0 + excess));
            assert!((powf(10.0, missed) - 0.1).abs() < 1e-6, "{deals}: {missed}");
        }
        assert_eq!(detectable_excess(36, 0.25, |_| false), None);
    }
}
