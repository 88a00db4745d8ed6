//! Percentile distributions of latency in the format of HdrHistogram's
//! `outputPercentileDistribution` (`.hgrm`), which its plotters read. The format is that of the
//! Java library.

use std::fmt::Write;

use crate::tally::Latency;

/// Steps from a percentile to half its distance to 100 %.
const TICKS_PER_HALF: u64 = 5;
/// Values are recorded in picoseconds and written in nanoseconds.
const SCALE: f64 = 1_000.0;
/// Percentiles have twelve decimals: after this many halvings all are 1.
const MOST_HALVINGS: u32 = 50;

/// The percentile distribution of all samples, in nanoseconds per deal.
pub(crate) fn percentile_distribution(latency: &Latency) -> String {
    let mut text = format!(
        "{:>12} {:>14} {:>10} {:>14}\n\n",
        "Value", "Percentile", "TotalCount", "1/(1-Percentile)"
    );
    let mut line = |level: f64, value: u64, count: u64| {
        let (value, share) = (value as f64 / SCALE, level / 100.0);
        let _ = match level < 100.0 {
            true => writeln!(
                text,
                "{value:12.3} {share:2.12} {count:10} {:14.2}",
                1.0 / (1.0 - share)
            ),
            false => writeln!(text, "{value:12.3} {share:2.12} {count:10}"),
        };
    };
    let total = latency.samples();
    let mut levels = Levels::default();
    let (mut count, mut longest) = (0, 0);
    for (value, times) in latency.recorded() {
        (count, longest) = (count + times, value);
        while levels.level <= 100.0 * count as f64 / total as f64 && levels.level < 100.0 {
            line(levels.level, value, count);
            levels.advance();
            if count == total {
                // The last value has one line below 100 % and one at 100 %.
                break;
            }
        }
    }
    if total > 0 {
        line(100.0, longest, total);
    }
    let (mean, deviation) = latency.moments();
    let (buckets, sub_buckets) = latency.buckets();
    let _ = write!(
        text,
        "#[Mean    = {:12.3}, StdDeviation   = {:12.3}]\n\
         #[Max     = {:12.3}, Total count    = {total:12}]\n\
         #[Buckets = {buckets:12}, SubBuckets     = {sub_buckets:12}]\n",
        mean / SCALE,
        deviation / SCALE,
        longest as f64 / SCALE,
    );
    text
}

/// The percentiles 0, 10 .. 50, 55 .. 75, 77.5 .. and so on. All are exact in binary except the
/// last of a great many.
#[derive(Default)]
struct Levels {
    level: f64,
    ticks: u64,
}

impl Levels {
    fn advance(&mut self) {
        self.ticks += 1;
        let (halvings, ticks) = (self.ticks / TICKS_PER_HALF, self.ticks % TICKS_PER_HALF);
        let halvings = u32::try_from(halvings).unwrap_or(MOST_HALVINGS);
        if halvings >= MOST_HALVINGS {
            self.level = 100.0;
            return;
        }
        // Distance to 100 % at the last halving, and the part of its half already passed.
        let left = 100.0 / (1u64 << halvings) as f64;
        let passed = left / 2.0 * ticks as f64 / TICKS_PER_HALF as f64;
        self.level = 100.0 - left + passed;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn levels_halve_the_distance_to_one_in_five_steps() {
        let mut levels = Levels::default();
        let mut found = Vec::new();
        while levels.level < 100.0 {
            found.push(levels.level);
            levels.advance();
        }
        let begin = [
            0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0, 77.5,
        ];
        assert_eq!(found[..12], begin);
        assert!(found.is_sorted_by(|a, b| a < b) && found.len() == 250);
    }

    #[test]
    fn the_distribution_of_four_samples_is_that_of_the_format() {
        let mut latency = Latency::default();
        for ns in [1, 1, 1, 2] {
            latency.record(Duration::from_nanos(ns), 1);
        }
        let text = percentile_distribution(&latency);
        let expected = "       Value     Percentile TotalCount 1/(1-Percentile)

       1.000 0.000000000000          3           1.00
       1.000 0.100000000000          3           1.11
       1.000 0.200000000000          3           1.25
       1.000 0.300000000000          3           1.43
       1.000 0.400000000000          3           1.67
       1.000 0.500000000000          3           2.00
       1.000 0.550000000000          3           2.22
       1.000 0.600000000000          3           2.50
       1.000 0.650000000000          3           2.86
       1.000 0.700000000000          3           3.33
       1.000 0.750000000000          3           4.00
       2.000 0.775000000000          4           4.44
       2.000 1.000000000000          4
#[Mean    =        1.250, StdDeviation   =        0.433]
#[Max     =        2.000, Total count    =            4]
#[Buckets =           42, SubBuckets     =         2048]
";
        assert_eq!(text, expected);
    }

    #[test]
    fn no_samples_have_no_percentiles() {
        let text = percentile_distribution(&Latency::default());
        assert_eq!(text.lines().count(), 5);
    }
}
