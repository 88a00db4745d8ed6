//! In which order seeds are tried: small ones, time stamps, the rest.

use std::ops::Range;

use super::dictionary::SOURCES;
use super::generator::Generator;

/// Some seeds of one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Its place in the dictionary.
    pub(super) source: usize,
    pub(super) range: Range<i64>,
}

impl Chunk {
    /// Seeds that are tried in one go.
    const SEEDS: i64 = 1 << 18;

    pub(super) fn seeds(&self) -> u64 {
        (self.range.end - self.range.start) as u64
    }
}

/// Chunks that are tried before hits are looked at: some seconds' work.
const ROUND: usize = 256;

/// Seeds that people choose, and that small programs count.
const SMALL: i64 = 1 << 20;
/// Unix time from the beginning of 1990 to the end of 2027.
const STAMPS: Range<i64> = 631_152_000..1_830_297_600;
const SIGN: i64 = 1 << 31;

/// The seeds of a search in their order.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Which sources try which seeds; no range goes beyond a sign.
    stages: Vec<(usize, Range<i64>)>,
}

impl Plan {
    /// All seeds of all sources; Java's by the milliseconds of some seconds too.
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

    /// The milliseconds of some seconds, for Java.
    pub(super) fn milliseconds(seconds: Range<i64>) -> Self {
        let range = seconds.start.saturating_mul(1_000)..seconds.end.saturating_mul(1_000);
        let sources =
            (0..SOURCES.len()).filter(|&source| SOURCES[source].generator == Generator::Java);
        Self {
            stages: sources.map(|source| (source, range.clone())).collect(),
        }
    }

    /// The same seeds for all sources.
    #[cfg(test)]
    pub(super) fn of(range: &Range<i64>) -> Self {
        let stages = (0..SOURCES.len()).map(|source| (source, range.clone()));
        Self {
            stages: stages.collect(),
        }
    }

    /// Only this source.
    #[cfg(test)]
    pub(super) fn only(mut self, source: usize) -> Self {
        self.stages.retain(|stage| stage.0 == source);
        self
    }

    /// How many there are.
    pub(super) fn seeds(&self) -> u64 {
        self.chunks().map(|chunk| chunk.seeds()).sum()
    }

    /// The chunks, some at a time.
    pub(super) fn rounds(&self) -> impl Iterator<Item = Vec<Chunk>> {
        let mut chunks = self.chunks();
        std::iter::from_fn(move || {
            let round: Vec<Chunk> = chunks.by_ref().take(ROUND).collect();
            (!round.is_empty()).then_some(round)
        })
    }

    fn chunks(&self) -> impl Iterator<Item = Chunk> {
        self.stages.iter().flat_map(|(source, range)| {
            let Range { start, end } = *range;
            let starts = (start..end).step_by(Chunk::SEEDS as usize);
            starts.map(move |start| Chunk {
                source: *source,
                range: start..end.min(start + Chunk::SEEDS),
            })
        })
    }
}
