//! Parts of a run, put together look by look.

use crate::run::{State, Surveyed};
use crate::tally::Survey;

/// What the parts of a run have come to so far, the first of them first.
///
/// It goes through every look that the run would have had in one piece: those within a part
/// were kept with it.
#[derive(Debug, Default)]
pub struct Merging {
    surveyed: Option<Surveyed>,
}

impl Merging {
    /// Adds the next part, which must have been dealt to its end; `look` is called with what
    /// the run had surveyed at each of its looks within the part.
    pub fn add(&mut self, part: State, is_last: bool, look: &mut dyn FnMut(&Survey)) {
        let (passed, end, theirs) = part.into_parts();
        for passed in passed {
            let mut so_far = match &self.surveyed {
                None => passed,
                Some(before) => {
                    let mut so_far = before.survey.clone();
                    so_far.append(passed);
                    so_far
                }
            };
            so_far.settle();
            look(&so_far);
        }
        let surveyed = match self.surveyed.take() {
            None => theirs,
            Some(mut mine) => {
                mine.survey.append(theirs.survey);
                mine.sifted.merge(&theirs.sifted);
                mine.latency.merge(&theirs.latency);
                mine
            }
        };
        let surveyed = self.surveyed.insert(surveyed);
        surveyed.survey.settle();
        if is_last || crate::run::is_global_look(end) {
            look(&surveyed.survey);
        }
    }

    /// What all parts came to; none if there was none.
    #[must_use]
    pub fn finish(self) -> Option<Surveyed> {
        self.surveyed
    }
}
