//! Deals of a stream with their double-dummy tricks.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{DealStream, RunError, StreamStep};
use crate::bridge::Deal;
use crate::language::{AskedTricks, DealContext, Expression};
use crate::solver::SolverTeam;

/// Number of deals for each thread that are being solved or wait for it.
const AHEAD: usize = 4;

/// A solved deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedDeal {
    /// The deal with its tricks.
    pub deal: DealContext,
    /// Whether it satisfies the terms of the condition that need tricks.
    pub holds: bool,
}

/// Result of a step of a stream of solved deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolvedStep {
    /// The next deal.
    Deal(SolvedDeal),
    /// Some deals were tried, and none passed.
    Searching,
    /// The stream has no more deals.
    End,
}

/// The deals of a stream in their order, several of which are solved at a time.
#[derive(Debug)]
pub struct SolvedStream<'a, 'f, D> {
    stream: DealStream<'a, 'f, D>,
    asked: Arc<AskedTricks>,
    /// The terms of the condition that need tricks.
    terms: Vec<Expression>,
    /// Deals that have been submitted, by their numbers.
    submitted: VecDeque<(u64, DealContext)>,
}

impl<'a, 'f, D: AsRef<[u8]> + Sync> SolvedStream<'a, 'f, D> {
    /// The deals of a stream, solved for these tricks; `terms` are those that need them.
    #[must_use]
    pub fn new(stream: DealStream<'a, 'f, D>, asked: AskedTricks, terms: &[Expression]) -> Self {
        Self {
            stream,
            asked: Arc::new(asked),
            terms: terms.to_vec(),
            submitted: VecDeque::new(),
        }
    }

    /// The stream of deals before they are solved.
    #[must_use]
    pub fn unsolved(&self) -> &DealStream<'a, 'f, D> {
        &self.stream
    }

    /// Leaves out the next deal, which is not solved. Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`DealStream::next_deal`].
    ///
    /// # Panics
    ///
    /// If deals are being solved.
    pub(crate) fn skip(&mut self) -> Result<Option<Deal>, RunError> {
        assert!(self.submitted.is_empty(), "deals are being solved");
        self.stream.next_deal()
    }

    /// Returns the next deal when it is solved. If every solved deal holds, at most `most` deals
    /// are solved together.
    ///
    /// # Errors
    ///
    /// As [`DealStream::step`], or if the arithmetic of a term fails.
    pub fn step(&mut self, team: &mut SolverTeam, most: u64) -> Result<SolvedStep, RunError> {
        let ahead = AHEAD * team.threads();
        let wanted = match self.terms.is_empty() {
            true => usize::try_from(most).unwrap_or(ahead).clamp(1, ahead),
            false => ahead,
        };
        while self.submitted.len() < wanted {
            match self.stream.step()? {
                StreamStep::Deal(deal) => {
                    let draws = self.stream.draws().expect("a deal was given");
                    let number = team.submit(deal, &self.asked);
                    let deal = DealContext {
                        deal,
                        draws,
                        tricks: None,
                    };
                    self.submitted.push_back((number, deal));
                }
                StreamStep::Searching if self.submitted.is_empty() => {
                    return Ok(SolvedStep::Searching);
                }
                StreamStep::Searching | StreamStep::End => break,
            }
        }
        let Some((number, mut deal)) = self.submitted.pop_front() else {
            return Ok(SolvedStep::End);
        };
        deal.tricks = Some(team.take(number));
        let mut holds = true;
        for term in &self.terms {
            holds = holds && term.holds(&deal)?;
        }
        Ok(SolvedStep::Deal(SolvedDeal { deal, holds }))
    }
}
