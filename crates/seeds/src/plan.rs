//! The order in which seeds are tried: small seeds, time stamps, then all others.

use std::ops::Range;

use super::dictionary::SOURCES;
use super::generator::KnownGenerator;

/// A range of seeds of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SeedRange {
    /// Place of the source in the dictionary.
    pub(super) source: usize,
    pub(super) range: Range<i64>,
}

impl SeedRange {
    /// Number of seeds tried in one go.
    const SEEDS: i64 = 1 << 18;

    pub(super) fn seeds(&self) -> u64 {
        (self.range.end - self.range.start) as u64
    }
}

/// Number of chunks tried before hits end the search: a few seconds of work.
const ROUND: usize = 256;

/// Seeds that people choose, and that small programs count up.
const SMALL: i64 = 1 << 20;
/// Unix time from the beginning of 1990 to the end of 2027.
const STAMPS: Range<i64> = 631_152_000..1_830_297_600;
const SIGN: i64 = 1 << 31;

/// The seeds of a search, in order.
#[derive(Clone, Debug)]
pub(super) struct SearchPlan {
    /// Sources with their ranges of seeds; a range contains one sign only.
    pub(super) stages: Vec<(usize, Range<i64>)>,
}

impl SearchPlan {
    /// Plans all seeds of all sources and, for Java, the milliseconds of `days`.
    pub(super) fn all(days: Option<Range<i64>>) -> Self {
        let mut stages = Vec::new();
        let mut stage = |ranges: &[Range<i64>]| {
            for range in ranges {
                let those = (0..SOURCES.len()).map(|source| {
                    let end = SOURCES[source].generator.seeds() as i64;
                    (source, range.start..range.end.min(end))
                });
                stages.extend(those.filter(|(_, range)| !range.is_empty()));
            }
        };
        stage(&[0..SMALL, STAMPS]);
        stage(&[SMALL..STAMPS.start, STAMPS.end..SIGN]);
        let numbers = |source: usize| SOURCES[source].generator;
        for source in 0..SOURCES.len() {
            let generator = numbers(source);
            if generator.seeds() > SIGN as u64 {
                let first = generator.seed(1 << 31);
                stages.push((source, first..first + SIGN));
            }
        }
        if let Some(days) = days {
            stages.extend(Self::milliseconds(days).stages);
        }
        Self { stages }
    }

    /// Plans the milliseconds of these seconds, for Java.
    pub(super) fn milliseconds(seconds: Range<i64>) -> Self {
        let range = seconds.start.saturating_mul(1_000)..seconds.end.saturating_mul(1_000);
        let sources =
            (0..SOURCES.len()).filter(|&source| SOURCES[source].generator == KnownGenerator::Java);
        Self {
            stages: sources.map(|source| (source, range.clone())).collect(),
        }
    }

    /// Returns the number of seeds.
    pub(super) fn seeds(&self) -> u64 {
        self.chunks().map(|chunk| chunk.seeds()).sum()
    }

    /// Returns the chunks, grouped into rounds.
    pub(super) fn rounds(&self) -> impl Iterator<Item = Vec<SeedRange>> {
        let mut chunks = self.chunks();
        std::iter::from_fn(move || {
            let round: Vec<SeedRange> = chunks.by_ref().take(ROUND).collect();
            (!round.is_empty()).then_some(round)
        })
    }

    fn chunks(&self) -> impl Iterator<Item = SeedRange> {
        self.stages.iter().flat_map(|(source, range)| {
            let Range { start, end } = *range;
            let starts = (start..end).step_by(SeedRange::SEEDS as usize);
            starts.map(move |start| SeedRange {
                source: *source,
                range: start..end.min(start + SeedRange::SEEDS),
            })
        })
    }
}
