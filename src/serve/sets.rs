//! Sets of boards, from one population or from the types of a mix.

use crate::error::Error;
use crate::language::Script;
use crate::observer::Observer;
use crate::population::Listings;
use crate::sampler::Need;
use crate::tasks::boards::{BoardRequest, BoardSink, BoardSolving, DealtSet, MixedSet, SearchEnd};
use crate::tasks::{ConditionInput, Prepared, RandomWords};

/// A set to be dealt.
#[derive(Clone, Copy, Debug)]
pub(super) struct RequestedSet<'r> {
    pub(super) request: &'r BoardRequest,
    pub(super) words: &'r RandomWords,
    pub(super) listings: &'r Listings,
    /// Whether deals may be solved. A set that needs it has no boards otherwise.
    pub(super) may_solve: bool,
}

impl RequestedSet<'_> {
    /// Deals the boards of a script. Returns why there are fewer than asked for, in words too.
    ///
    /// # Errors
    ///
    /// If no deal satisfies the condition, deals cannot be solved, or the sink fails.
    pub(super) fn deal(
        &self,
        script: Box<Script>,
        observer: &dyn Observer,
        sink: &mut dyn BoardSink,
    ) -> Result<Option<(SearchEnd, String)>, Error> {
        let (request, listings) = (self.request, self.listings);
        if let Some(mix) = &script.mix {
            let set = MixedSet::new(request, &script, mix, self.words, listings, observer)?;
            if self.is_refused(set.solving()) {
                return Ok(None);
            }
            let team = BoardSolving::team(set.solving())?;
            let ended = set.deal(request, &set.dealers()?, team, sink)?;
            set.check_unchanged()?;
            return Ok(ended);
        }
        let (input, solving) = BoardSolving::of(request, ConditionInput::Script(script))?;
        if self.is_refused(solving.as_ref()) {
            return Ok(None);
        }
        let mut team = BoardSolving::team(solving.as_ref())?;
        let need = |script: &Script| Need::boards(request.wanted(script), script.generate);
        let prepared = Prepared::new(input, &request.sampling, need, listings, observer)?;
        prepared.warn(observer);
        let set = DealtSet {
            prepared: &prepared,
            words: self.words,
            solving: solving.as_ref(),
        };
        let ended = set.deal(request, &set.dealer(request)?, team.as_mut(), sink)?;
        prepared.population.check_unchanged()?;
        Ok(ended)
    }

    fn is_refused(&self, solving: Option<&BoardSolving>) -> bool {
        solving.is_some() && !self.may_solve
    }
}
