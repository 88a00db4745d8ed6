//! Conversion of a graph to a list of steps that reuses columns once they are no longer needed.

use super::compile::CompiledPart;
use super::graph::Graph;
use crate::kernels::{ColumnIndex, ColumnWork, Step, Steps};

/// The use of a requested part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProgramUse {
    /// Its value decides whether a deal passes.
    Pass,
    /// Its values are output.
    Give,
}

/// Columns of one type.
#[derive(Default)]
struct ColumnPool {
    free: Vec<ColumnIndex>,
    count: usize,
}

impl ColumnPool {
    fn take(&mut self) -> ColumnIndex {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// Returns the first part that needs each work, or the number of parts.
fn first_parts(works: &mut [ColumnWork], parts: &[CompiledPart]) -> Vec<usize> {
    let mut first = vec![parts.len(); works.len()];
    for (turn, part) in parts.iter().enumerate() {
        for place in part.places() {
            first[place] = first[place].min(turn);
        }
    }
    for (place, work) in works.iter_mut().enumerate().rev() {
        let needed = first[place];
        work.each_place(|of| first[*of] = first[*of].min(needed));
    }
    first
}

/// Counts the steps that use each work's column.
fn takers(works: &mut [ColumnWork], parts: &[CompiledPart], order: &[ColumnIndex]) -> Vec<usize> {
    let mut takers = vec![0; works.len()];
    for &place in order {
        works[place].each_place(|of| takers[*of] += 1);
    }
    for part in parts {
        for place in part.places() {
            takers[place] += 1;
        }
    }
    takers
}

/// Returns the steps for these parts in turn. Works that the first part needs come first, and works
/// that no part needs are left out.
pub(super) fn lay_out(graph: Graph, parts: &[CompiledPart], usage: ProgramUse) -> Steps {
    let mut works = graph.into_parts();
    let never = parts.len();
    let first = first_parts(&mut works, parts);
    let mut order: Vec<ColumnIndex> = (0..works.len()).filter(|&it| first[it] < never).collect();
    order.sort_by_key(|&place| first[place]);
    let mut takers = takers(&mut works, parts, &order);
    let (mut words, mut values) = (ColumnPool::default(), ColumnPool::default());
    let mut columns = vec![0; works.len()];
    let mut steps = Vec::with_capacity(order.len() + parts.len());
    let mut waiting = order.into_iter().peekable();
    for (turn, part) in parts.iter().enumerate() {
        while let Some(place) = waiting.next_if(|&place| first[place] == turn) {
            let mut work = works[place].clone();
            let taken = if work.takes_words() {
                &mut words
            } else {
                &mut values
            };
            work.each_place(|of| {
                takers[*of] -= 1;
                if takers[*of] == 0 {
                    taken.free.push(columns[*of]);
                }
                *of = columns[*of];
            });
            let given = if work.gives_words() {
                &mut words
            } else {
                &mut values
            };
            columns[place] = given.take();
            steps.push(Step::Make {
                to: columns[place],
                work,
            });
        }
        let failing = part.failing.map(|failing| columns[failing]);
        let of_values = columns[part.values];
        steps.push(match usage {
            ProgramUse::Pass => Step::Pass {
                values: of_values,
                failing,
            },
            ProgramUse::Give => Step::Give {
                values: of_values,
                failing,
            },
        });
        for place in part.places() {
            takers[place] -= 1;
            if takers[place] == 0 {
                values.free.push(columns[place]);
            }
        }
    }
    Steps {
        list: steps,
        words: words.count,
        values: values.count,
        given: if usage == ProgramUse::Give {
            parts.len()
        } else {
            0
        },
    }
}
