//! Merges the parts of a run, look by look.

use crate::run::{RunState, Surveyed};
use crate::tally::Survey;

/// Merged counts of a run's first parts.
///
/// It repeats every look of an undivided run; parts keep their surveys at the looks within them.
#[derive(Debug, Default)]
pub struct Merging {
    surveyed: Option<Surveyed>,
}

impl Merging {
    /// Adds the next part, which must be complete. `look` is called with the run's survey at each
    /// of its looks within the part.
    pub fn add(&mut self, part: RunState, is_last: bool, look: &mut dyn FnMut(&Survey)) {
        let (passed, end, theirs) = part.into_parts();
        for passed in passed {
            let so_far = match &self.surveyed {
                None => passed,
                Some(before) => {
                    let mut so_far = before.survey.clone();
                    so_far.append(passed);
                    so_far
                }
            };
            look(&so_far);
        }
        let surveyed = match self.surveyed.take() {
            None => theirs,
            Some(mut mine) => {
                mine.survey.append(theirs.survey);
                mine.kept_counts.merge(&theirs.kept_counts);
                mine.latency.merge(&theirs.latency);
                mine
            }
        };
        let surveyed = self.surveyed.insert(surveyed);
        if is_last || super::super::survey::is_global_look(end) {
            look(&surveyed.survey);
        }
    }

    /// Counts of all parts; `None` without parts.
    #[must_use]
    pub fn finish(self) -> Option<Surveyed> {
        self.surveyed
    }
}
