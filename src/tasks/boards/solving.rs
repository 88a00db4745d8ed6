//! What the boards of a set are solved for.

use super::super::ConditionInput;
use super::BoardRequest;
use crate::error::Error;
use crate::language::{AskedTricks, Expression, Script};
use crate::solver::SolverTeam;

/// What boards are solved for.
#[derive(Clone, Debug)]
pub struct BoardSolving {
    pub(super) asked: AskedTricks,
    /// The terms of the condition that need tricks.
    pub(super) terms: Vec<Expression>,
    /// The whole script; `None` for a case file.
    pub(super) script: Option<Box<Script>>,
}

impl BoardSolving {
    /// The input from which deals are drawn, and what they are solved for; `None` if nothing asks
    /// tricks.
    ///
    /// # Errors
    ///
    /// If the condition uses tricks in a way that cannot be solved.
    pub fn of(
        request: &BoardRequest,
        input: ConditionInput,
    ) -> Result<(ConditionInput, Option<Self>), Error> {
        let script = match input {
            ConditionInput::Script(script) => script,
            file @ ConditionInput::CaseFile(_) => {
                let solving = request.solve.then_some(Self {
                    asked: AskedTricks::All,
                    terms: Vec::new(),
                    script: None,
                });
                return Ok((file, solving));
            }
        };
        let asked = match request.solve {
            true => Some(AskedTricks::All),
            false if request.has_actions || request.has_comments => script.asked_tricks(),
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
    ///
    /// # Errors
    ///
    /// If this program has no solver, or threads cannot be started.
    pub fn team(solving: Option<&Self>) -> Result<Option<SolverTeam>, Error> {
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
