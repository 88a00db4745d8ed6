//! The honour placements of a half for two hands, by the honours of each hand.

use std::ops::Range;

use super::Cells;
use super::suit::Holders;

/// The honour placements of a half with the same honours of the first hand and the same state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The state: its classes of shapes and of vectors.
    pub(super) shapes: u32,
    pub(super) vectors: u32,
    /// The end of its entries.
    end: u32,
    /// The total ways of its entries.
    pub(super) ways: u64,
}

/// The second hand's honours in a half, and the number of ways to deal the half with them.
#[derive(Clone, Copy, Debug)]
pub(super) struct HonourWays {
    pub(super) honours: u8,
    pub(super) ways: u64,
}

/// All honour placements of a half of one shape, or of all shapes if no pattern is fixed.
#[derive(Debug)]
pub(super) struct PlacedHonours {
    /// The start of the runs by the first hand's honours, and the end.
    starts: Vec<u32>,
    runs: Vec<Run>,
    entries: Vec<HonourWays>,
}

impl PlacedHonours {
    /// Finds the placements for these shapes of a half by the honours of a first and a second role.
    /// The honours of a role that is `None` are 0.
    pub(super) fn new(
        cells: &Cells,
        half: usize,
        shapes: Range<u32>,
        roles: [Option<usize>; 2],
    ) -> Self {
        let side = &cells.halves.sides[half];
        let held = |holders: Holders| roles.map(|role| role.map_or(0, |role| holders.of(role)));
        let mut all = Vec::new();
        for shape in shapes {
            let class = side.of_shape[shape as usize];
            cells.each_way(half, shape, |vectors, holders, ways| {
                let [outer, inner] = held(holders);
                all.push((outer, class, vectors, inner, ways));
            });
        }
        all.sort_unstable();
        let mut placed = Self {
            starts: vec![0],
            runs: Vec::new(),
            entries: Vec::with_capacity(all.len()),
        };
        for of_run in all.chunk_by(|a, b| (a.0, a.1, a.2) == (b.0, b.1, b.2)) {
            let (outer, shapes, vectors, ..) = of_run[0];
            let before = placed.runs.len() as u32;
            placed.starts.resize(usize::from(outer) + 1, before);
            let entry =
                |&(.., honours, ways): &(u8, u32, u32, u8, u64)| HonourWays { honours, ways };
            placed.entries.extend(of_run.iter().map(entry));
            placed.runs.push(Run {
                shapes,
                vectors,
                end: placed.entries.len() as u32,
                ways: of_run.iter().map(|(.., ways)| ways).sum(),
            });
        }
        let end = placed.runs.len() as u32;
        placed.starts.resize((1 << 8) + 1, end);
        placed
    }

    /// Returns the runs with these honours of the first hand, with their entries.
    pub(super) fn runs(&self, outer: u8) -> impl Iterator<Item = (&Run, &[HonourWays])> + Clone {
        let [from, to] = [0, 1].map(|after| self.starts[usize::from(outer) + after] as usize);
        let mut start = match from.checked_sub(1) {
            Some(before) => self.runs[before].end as usize,
            None => 0,
        };
        self.runs[from..to].iter().map(move |run| {
            let entries = &self.entries[start..run.end as usize];
            start = run.end as usize;
            (run, entries)
        })
    }
}
