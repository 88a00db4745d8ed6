//! The ways to lay a half's honours for two hands, by what each of them has of it.

use std::ops::Range;

use super::Cells;
use super::suit::Holders;

/// Ways to lay the honours of a half that leave the first hand the same ones and come to the
/// same state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// The state: its classes of shapes and of vectors.
    pub(super) shapes: u32,
    pub(super) vectors: u32,
    /// Where its entries end.
    end: u32,
    /// The sum of their ways.
    pub(super) ways: u64,
}

/// What a second hand has of a half, and in how many ways the half can be dealt with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) honours: u8,
    pub(super) ways: u64,
}

/// Every way to lay the honours of a half of one shape, or of all shapes where no pattern is
/// fixed.
#[derive(Debug)]
pub(super) struct Placed {
    /// By the first hand's honours, where the runs begin; and the end.
    starts: Vec<u32>,
    runs: Vec<Run>,
    entries: Vec<Entry>,
}

impl Placed {
    /// The ways for these shapes of a half by the honours of a first
    /// and a second role; those of a role that is none are not told.
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
            let entry = |&(.., honours, ways): &(u8, u32, u32, u8, u64)| Entry { honours, ways };
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

    /// The runs that leave the first hand these honours, with their entries.
    pub(super) fn runs(&self, outer: u8) -> impl Iterator<Item = (&Run, &[Entry])> + Clone {
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
