//! The labels of the boards of a set in their order.

use super::{BoardNumber, BoardRequest, SourceBoard};
use crate::draw::{DrawError, Generator, Turns};
use crate::error::Error;
use crate::formats::{Board, printed_text};
use crate::language::{DealContext, Script};
use crate::population::Population;

/// Labels the boards of a set in their order.
#[derive(Debug)]
pub(super) struct Labelling<'a> {
    request: &'a BoardRequest,
    script: &'a Script,
    turns: Option<Turns<'a>>,
    /// Whether the tables of tricks are complete.
    has_tables: bool,
}

impl<'a> Labelling<'a> {
    /// Random turns take their words from the generator.
    pub(super) fn new(
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

    /// Sets whether the tables of tricks are complete.
    pub(super) fn with_tables(self, has_tables: bool) -> Self {
        Self { has_tables, ..self }
    }

    /// The board at the next place, counted from 1, and the comment on it: what the script's
    /// `printes` prints.
    ///
    /// Hands and the labels of the request or the script move. A label that neither states is that
    /// of the source, which does not move, or that of the board number.
    ///
    /// # Errors
    ///
    /// If the random words end, or the arithmetic of `printes` fails.
    pub(super) fn next(
        &mut self,
        source: &SourceBoard,
        place: u64,
        deal: &DealContext,
    ) -> Result<(Board, String), Error> {
        let (labels, script) = (&self.request.labels, self.script);
        let number = match labels.first.map(BoardNumber::get).or(script.start_board) {
            Some(first) => first + (place - 1),
            None => source.number.unwrap_or(place),
        };
        let turns = match &mut self.turns {
            Some(turns) => turns.next(number),
            None => Ok(0),
        };
        let turns = turns.map_err(|error| DrawError::from(error).of(&Population::every_deal()))?;
        let mut board = Board::new(number, deal.deal.turned(turns));
        let dealer = labels.dealer.or(script.dealer);
        let dealer = dealer.map(|seat| seat.turned(turns)).or(source.dealer);
        let vulnerable = labels.vulnerable.or(script.vulnerable);
        let vulnerable = vulnerable.map(|sides| sides.turned(turns));
        let vulnerable = vulnerable.or(source.details.vulnerable);
        board.dealer = dealer.unwrap_or(board.dealer);
        board.vulnerable = vulnerable.unwrap_or(board.vulnerable);
        let tricks = deal.tricks.filter(|_| self.has_tables);
        board.tricks = tricks.map(|tricks| tricks.turned(turns));
        let actions = script.actions.as_deref().unwrap_or_default();
        let comment = match self.request.has_comments {
            true => printed_text(actions, deal)
                .map_err(|error| Error::from(script.condition.evaluation_error(&error)))?,
            false => String::new(),
        };
        Ok((board, comment))
    }
}
