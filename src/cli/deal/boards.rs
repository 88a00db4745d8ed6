//! The boards of `deal` in their order, solved where the script, the format or `--solve` asks it.

use fairdeal::Error;
use fairdeal::language::{AskedTricks, DealWithDraws, Expression, Script};
use fairdeal::population::Population;
use fairdeal::population::cases::CaseBytes;
use fairdeal::run::{DealStream, SolvedStep, SolvedStream, StreamStep};
use fairdeal::solver::SolverTeam;
use fairdeal::tasks::ConditionInput;

use super::DealArguments;

/// What boards are solved for.
#[derive(Clone, Debug)]
pub(super) struct Solving {
    asked: AskedTricks,
    /// The terms of the condition that need tricks.
    terms: Vec<Expression>,
    /// The whole script; `None` for a case file.
    pub(super) script: Option<Box<Script>>,
}

impl Solving {
    /// The input from which deals are drawn, and what they are solved for; `None` if nothing asks
    /// tricks.
    pub(super) fn of(
        arguments: &DealArguments,
        input: ConditionInput,
    ) -> Result<(ConditionInput, Option<Self>), Error> {
        let script = match input {
            ConditionInput::Script(script) => script,
            file @ ConditionInput::CaseFile(_) => {
                let solving = arguments.solve.then_some(Self {
                    asked: AskedTricks::All,
                    terms: Vec::new(),
                    script: None,
                });
                return Ok((file, solving));
            }
        };
        let asked = match arguments.solve {
            true => Some(AskedTricks::All),
            false if arguments.dealer_output || arguments.sets.comment => script.asked_tricks(),
            // No action is carried out.
            false => script.condition.asked_tricks(),
        };
        let Some(asked) = asked else {
            return Ok((ConditionInput::Script(script), None));
        };
        let (before, terms) = script.before_solving()?;
        let solving = Self {
            asked,
            terms,
            script: Some(script),
        };
        Ok((ConditionInput::Script(Box::new(before)), Some(solving)))
    }

    /// Solvers on all cores, if anything asks tricks.
    pub(super) fn team(solving: Option<&Self>) -> Result<Option<SolverTeam>, Error> {
        let team = solving.map(|_| SolverTeam::new(rayon::current_num_threads()));
        team.transpose()
    }

    /// Whether each board has all twenty numbers of tricks.
    pub(super) fn is_whole(&self) -> bool {
        self.asked == AskedTricks::All
    }

    /// Whether a solved deal may not be a board.
    pub(super) fn is_filtered(&self) -> bool {
        !self.terms.is_empty()
    }
}

/// The boards of a population.
pub(super) struct BoardStream<'a, 'f> {
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

/// Result of a step of a stream of boards.
pub(super) enum BoardStep {
    /// The next deal.
    Deal(DealWithDraws),
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
        solving: Option<&Solving>,
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
    pub(super) fn step(
        &mut self,
        team: Option<&mut SolverTeam>,
        most: u64,
    ) -> Result<BoardStep, Error> {
        let population = self.population;
        let solved = match &mut self.deals {
            Deals::Dealt(stream) => {
                let step = stream.step().map_err(|error| error.of(population))?;
                return Ok(match step {
                    StreamStep::Deal(deal) => BoardStep::Deal(DealWithDraws {
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

    /// Number of deals tried so far.
    pub(super) fn tried(&self) -> u64 {
        self.unsolved().tried()
    }

    /// Number of deals drawn up to the last that was found.
    pub(super) fn generated(&self) -> u64 {
        self.unsolved().generated()
    }
}
