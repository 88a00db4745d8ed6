//! The labels of the boards of a set in their order.

use super::{BoardRequest, BoardSolving, SourceBoard};
use crate::draw::{DrawError, Generator, Turns};
use crate::error::Error;
use crate::formats::{Board, printed_text};
use crate::language::{DealContext, Script};
use crate::population::Population;

/// Labels the boards of a set in their order.
#[derive(Debug)]
pub struct Labelling<'a> {
    request: &'a BoardRequest,
    script: &'a Script,
    turns: Option<Turns<'a>>,
    /// Whether the tables of tricks are complete.
    has_tables: bool,
}

impl<'a> Labelling<'a> {
    /// Random turns take their words from the generator.
    #[must_use]
    pub fn new(
        request: &'a BoardRequest,
        script: &'a Script,
        generator: &'a dyn Generator,
    ) -> Self {
        let rotation = request.rotation;
        Self {
            request,
            script,
            turns: rotation.map(|how| Turns::new(how, generator)),
            has_tables: true,
        }
    }

    /// The labels of boards that are solved for these tricks.
    #[must_use]
    pub fn of_solved(mut self, solving: Option<&BoardSolving>) -> Self {
        self.has_tables = solving.is_some_and(BoardSolving::is_whole);
        self
    }

    /// The board at the next place, counted from 1, and the comment on it: what the script's
    /// `printes` prints.
    ///
    /// # Errors
    ///
    /// If the random words end, or the arithmetic of `printes` fails.
    pub fn next(&mut self, place: u64, deal: &DealContext) -> Result<(Board, String), Error> {
        self.next_from(&SourceBoard::default(), place, deal)
    }

    /// As [`Labelling::next`], for a board of a file.
    ///
    /// # Errors
    ///
    /// As [`Labelling::next`].
    pub fn next_from(
        &mut self,
        source: &SourceBoard,
        place: u64,
        deal: &DealContext,
    ) -> Result<(Board, String), Error> {
        let (labels, script) = (&self.request.labels, self.script);
        let turned = match &mut self.turns {
            Some(turns) => turns.next(labels.number(script, place, source)),
            None => Ok(0),
        };
        let turned =
            turned.map_err(|error| DrawError::from(error).of(&Population::every_deal()))?;
        let mut board = labels.board_from(source, script, place, deal.deal, turned);
        let tricks = deal.tricks.filter(|_| self.has_tables);
        board.tricks = tricks.map(|tricks| tricks.turned(turned));
        let actions = script.actions.as_deref().unwrap_or_default();
        let comment = match self.request.has_comments {
            true => printed_text(actions, deal)
                .map_err(|error| Error::from(script.condition.evaluation_error(&error)))?,
            false => String::new(),
        };
        Ok((board, comment))
    }
}
