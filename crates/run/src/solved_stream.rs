//! Deals of a stream with their double-dummy tricks.

use std::collections::VecDeque;
use std::sync::Arc;

use super::SearchEvent;
use crate::language::{AskedTricks, DealContext, EvaluationError, Expression};
use crate::solver::SolverTeam;

/// Number of deals for each thread that are being solved or wait for it.
const AHEAD: usize = 4;

/// The deals of a stream in their order, several of which are solved at a time.
#[derive(Debug)]
pub struct SolvedStream<S> {
    stream: S,
    asked: Arc<AskedTricks>,
    /// Deals that have been submitted, by their numbers.
    submitted: VecDeque<(u64, DealContext)>,
    /// Whether the first of them was not solved when it was last asked for.
    is_waiting: bool,
}

impl<S: Iterator<Item = Result<SearchEvent<DealContext>, E>>, E> SolvedStream<S> {
    /// The deals of a stream, solved for these tricks.
    pub fn new(stream: S, asked: AskedTricks) -> Self {
        Self {
            stream,
            asked: Arc::new(asked),
            submitted: VecDeque::new(),
            is_waiting: false,
        }
    }

    /// The stream of deals before they are solved.
    pub fn unsolved(&self) -> &S {
        &self.stream
    }

    /// Returns the next deal when it is solved, or reports its search after a short wait; at most
    /// `most` deals are solved together.
    ///
    /// # Errors
    ///
    /// Those of the stream.
    pub fn next(
        &mut self,
        team: &mut SolverTeam,
        most: u64,
    ) -> Result<Option<SearchEvent<DealContext>>, E> {
        let ahead = AHEAD * team.threads();
        let wanted = usize::try_from(most).unwrap_or(ahead).clamp(1, ahead);
        // While it waits it draws no more, so that the deals drawn do not depend on time.
        while !self.is_waiting && self.submitted.len() < wanted {
            match self.stream.next().transpose()? {
                Some(SearchEvent::Next(deal)) => {
                    let number = team.submit(deal.deal, &self.asked);
                    self.submitted.push_back((number, deal));
                }
                misses @ Some(_) if self.submitted.is_empty() => return Ok(misses),
                Some(_) | None => break,
            }
        }
        let Some((number, mut deal)) = self.submitted.pop_front() else {
            return Ok(None);
        };
        deal.tricks = team.take(number);
        self.is_waiting = deal.tricks.is_none();
        if self.is_waiting {
            self.submitted.push_front((number, deal));
            return Ok(Some(SearchEvent::Misses(0)));
        }
        Ok(Some(SearchEvent::Next(deal)))
    }
}

/// Whether a deal satisfies all terms.
///
/// # Errors
///
/// If the arithmetic of a term fails.
pub fn hold(terms: &[Expression], deal: &DealContext) -> Result<bool, EvaluationError> {
    for term in terms {
        if !term.holds(deal)? {
            return Ok(false);
        }
    }
    Ok(true)
}
