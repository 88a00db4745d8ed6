//! Merges the parts of a run, look by look.

use crate::tally::Counts;
use crate::{RunCounts, RunState};

/// Merged counts of a run's first parts.
///
/// It repeats every look of an undivided run; parts keep their counts at the looks within them.
#[derive(Debug, Default)]
pub struct Merging {
    counted: Option<RunCounts>,
}

impl Merging {
    /// Adds the next part, which must be complete. `look` is called with the run's counts at each
    /// of its looks within the part.
    pub fn add(&mut self, part: RunState, is_last: bool, look: &mut dyn FnMut(&Counts)) {
        let (passed, end, theirs) = part.into_parts();
        for passed in passed {
            let so_far = match &self.counted {
                None => passed,
                Some(before) => {
                    let mut so_far = before.counts.clone();
                    so_far.append(passed);
                    so_far
                }
            };
            look(&so_far);
        }
        let counted = match self.counted.take() {
            None => theirs,
            Some(mut mine) => {
                mine.counts.append(theirs.counts);
                mine.kept_counts.merge(&theirs.kept_counts);
                mine.latency.merge(&theirs.latency);
                mine
            }
        };
        let counted = self.counted.insert(counted);
        if is_last || super::super::running::is_global_look(end) {
            look(&counted.counts);
        }
    }

    /// Counts of all parts; `None` without parts.
    pub fn finish(self) -> Option<RunCounts> {
        self.counted
    }
}
