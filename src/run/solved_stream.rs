//! Deals of a stream with their double-dummy tricks.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::{DealStream, RunError, StreamStep};
use crate::bridge::Deal;
use crate::draw::{PACKET, Packet, Path};
use crate::filter::{Filter, FilterScratch};
use crate::language::{AskedTricks, DealWithDraws, Expression};
use crate::solver::SolverTeam;

/// Number of deals for each thread that are solved together, once the first have been solved.
const SHARE: usize = 32;

/// Time after which the deals found so far are solved, although there could be more.
const PATIENCE: Duration = Duration::from_millis(200);

/// A solved deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolvedDeal {
    /// The deal with its tricks.
    pub deal: DealWithDraws,
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

/// The deals of a stream in their order, solved some at a time on all cores.
///
/// How many are solved together changes no deal.
#[derive(Debug)]
pub struct SolvedStream<'a, 'f, D> {
    stream: DealStream<'a, 'f, D>,
    asked: AskedTricks,
    /// The terms of the condition that need tricks, if there are any.
    filter: Option<Filter>,
    path: Path,
    scratch: FilterScratch,
    /// Number of deals that are solved together next.
    share: usize,
    solved: VecDeque<SolvedDeal>,
}

impl<'a, 'f, D: AsRef<[u8]> + Sync> SolvedStream<'a, 'f, D> {
    /// The deals of a stream, solved for these tricks; `terms` are those that need them.
    #[must_use]
    pub fn new(stream: DealStream<'a, 'f, D>, asked: AskedTricks, terms: &[Expression]) -> Self {
        Self {
            stream,
            asked,
            filter: (!terms.is_empty()).then(|| Filter::new(terms)),
            path: Path::chosen(),
            scratch: FilterScratch::default(),
            share: 1,
            solved: VecDeque::new(),
        }
    }

    /// The stream of deals before they are solved.
    #[must_use]
    pub fn unsolved(&self) -> &DealStream<'a, 'f, D> {
        &self.stream
    }

    /// Whether every solved deal holds.
    #[must_use]
    pub fn is_unfiltered(&self) -> bool {
        self.filter.is_none()
    }

    /// Leaves out the next deal, which is not solved. Returns `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`DealStream::next_deal`].
    ///
    /// # Panics
    ///
    /// If deals have been solved.
    pub(crate) fn skip(&mut self) -> Result<Option<Deal>, RunError> {
        assert!(self.share == 1, "deals are left out before any is solved");
        self.stream.next_deal()
    }

    /// Returns the next deal; solves at most `most` deals, and at least one, if it has none.
    ///
    /// # Errors
    ///
    /// As [`DealStream::step`], or if the arithmetic of a term fails.
    pub fn step(&mut self, team: &mut SolverTeam, most: usize) -> Result<SolvedStep, RunError> {
        if let Some(next) = self.solved.pop_front() {
            return Ok(SolvedStep::Deal(next));
        }
        let wanted = (self.share * team.threads()).min(most).max(1);
        let (begun, mut found, mut is_end) = (Instant::now(), Vec::new(), false);
        while found.len() < wanted {
            match self.stream.step()? {
                StreamStep::Deal(deal) => found.push(DealWithDraws {
                    deal,
                    draws: self.stream.draws().expect("a deal was given"),
                    tricks: None,
                }),
                StreamStep::Searching if found.is_empty() => return Ok(SolvedStep::Searching),
                StreamStep::Searching if begun.elapsed() < PATIENCE => {}
                StreamStep::Searching => break,
                StreamStep::End => {
                    is_end = true;
                    break;
                }
            }
        }
        if found.is_empty() && is_end {
            return Ok(SolvedStep::End);
        }
        self.share = (2 * self.share).min(SHARE);
        self.solve(team, found)?;
        Ok(match self.solved.pop_front() {
            Some(next) => SolvedStep::Deal(next),
            None => SolvedStep::Searching,
        })
    }

    /// Solves deals and appends them to those that wait.
    fn solve(
        &mut self,
        team: &mut SolverTeam,
        mut found: Vec<DealWithDraws>,
    ) -> Result<(), RunError> {
        let deals: Vec<Deal> = found.iter().map(|it| it.deal).collect();
        let tables = team.solve(&deals, &self.asked);
        for (deal, table) in found.iter_mut().zip(tables) {
            deal.tricks = Some(table);
        }
        for part in found.chunks(PACKET) {
            let mut packet = Packet::default();
            part.iter().for_each(|deal| packet.push_with_draws(deal));
            let accepted = match &self.filter {
                None => u128::MAX,
                Some(filter) => filter.accept(self.path, &packet, &mut self.scratch)?,
            };
            let solved = part.iter().enumerate().map(|(place, &deal)| SolvedDeal {
                deal,
                holds: accepted >> place & 1 == 1,
            });
            self.solved.extend(solved);
        }
        Ok(())
    }
}
