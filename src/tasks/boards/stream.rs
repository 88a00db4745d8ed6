//! The deals of a set in their order, solved where the script, the format or the request asks it.

use std::fmt;

use super::BoardSolving;
use crate::error::Error;
use crate::language::DealContext;
use crate::population::Population;
use crate::population::cases::CaseBytes;
use crate::run::{DealStream, SolvedStep, SolvedStream, StreamStep};
use crate::solver::SolverTeam;

/// The boards of a population.
pub struct BoardStream<'a, 'f> {
    deals: Deals<'a, 'f>,
    population: &'f Population,
    /// Number of solved deals since the last that satisfied the terms with tricks.
    misses: u64,
    /// Number of them after which it gives up.
    most_misses: u64,
}

enum Deals<'a, 'f> {
    Dealt(Box<DealStream<'a, 'f, CaseBytes>>),
    Solved(Box<SolvedStream<'a, 'f, CaseBytes>>),
}

impl fmt::Debug for BoardStream<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardStream").finish_non_exhaustive()
    }
}

/// Result of a step of a stream of boards.
#[derive(Clone, Debug)]
pub enum BoardStep {
    /// The next deal.
    Deal(DealContext),
    /// Some deals were tried, and none passed.
    Searching,
    /// There are no more.
    End,
}

impl<'a, 'f> BoardStream<'a, 'f> {
    /// The deals of a stream from this population.
    pub(super) fn new(
        stream: DealStream<'a, 'f, CaseBytes>,
        population: &'f Population,
        solving: Option<&BoardSolving>,
        most_misses: u64,
    ) -> Self {
        let deals = match solving {
            None => Deals::Dealt(Box::new(stream)),
            Some(of) => {
                let solved = SolvedStream::new(stream, of.asked.clone(), &of.terms);
                Deals::Solved(Box::new(solved))
            }
        };
        Self {
            deals,
            population,
            misses: 0,
            most_misses,
        }
    }

    /// Returns the next deal. Without one that is solved already, the team solves at most `most`
    /// deals.
    ///
    /// # Errors
    ///
    /// If a deal cannot be drawn, evaluated or solved.
    ///
    /// # Panics
    ///
    /// If boards are to be solved and `team` is `None`.
    pub fn step(&mut self, team: Option<&mut SolverTeam>, most: u64) -> Result<BoardStep, Error> {
        let population = self.population;
        let solved = match &mut self.deals {
            Deals::Dealt(stream) => {
                let step = stream.step().map_err(|error| error.of(population))?;
                return Ok(match step {
                    StreamStep::Deal(deal) => BoardStep::Deal(DealContext {
                        deal,
                        draws: stream.draws().expect("a deal was given"),
                        tricks: None,
                    }),
                    StreamStep::Searching => BoardStep::Searching,
                    StreamStep::End => BoardStep::End,
                });
            }
            Deals::Solved(_) if self.misses >= self.most_misses => return Ok(BoardStep::End),
            Deals::Solved(stream) => {
                let team = team.expect("a command that solves has a team");
                stream.step(team, most)
            }
        };
        Ok(match solved.map_err(|error| error.of(population))? {
            SolvedStep::Deal(solved) if solved.holds => {
                self.misses = 0;
                BoardStep::Deal(solved.deal)
            }
            SolvedStep::Deal(_) => {
                self.misses += 1;
                BoardStep::Searching
            }
            SolvedStep::Searching => BoardStep::Searching,
            SolvedStep::End => BoardStep::End,
        })
    }

    /// The stream of deals before they are solved.
    fn unsolved(&self) -> &DealStream<'a, 'f, CaseBytes> {
        match &self.deals {
            Deals::Dealt(stream) => stream,
            Deals::Solved(stream) => stream.unsolved(),
        }
    }

    /// Number of deals tried since the last board, or, where they are solved, of deals solved.
    pub(super) fn misses(&self) -> u64 {
        match self.misses {
            0 => self.unsolved().misses(),
            misses => misses,
        }
    }

    /// Whether it gave up.
    pub(super) fn gave_up(&self) -> bool {
        self.misses >= self.most_misses || self.misses == 0 && self.unsolved().gave_up()
    }

    /// Number of deals tried so far.
    pub(super) fn tried(&self) -> u64 {
        self.unsolved().tried()
    }

    /// Number of deals drawn up to the last that was found.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.unsolved().generated()
    }
}
