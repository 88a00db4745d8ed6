//! Boards of one population.

use super::super::{Prepared, RandomWords};
use super::{BoardRequest, BoardSink, BoardSolving, BoardStep, BoardStream, Labelling, SearchEnd};
use crate::draw::{Dealer, Generator, different_deals};
use crate::error::Error;
use crate::filter::Filter;
use crate::language::Script;
use crate::population::cases::CaseBytes;
use crate::run::{DealStream, MOST_TRIES};
use crate::solver::SolverTeam;

/// Boards to be dealt from one population.
#[derive(Clone, Copy, Debug)]
pub struct DealtSet<'s> {
    /// The population.
    pub prepared: &'s Prepared,
    /// The random words.
    pub words: &'s RandomWords,
    /// What the boards are solved for.
    pub solving: Option<&'s BoardSolving>,
}

impl<'s> DealtSet<'s> {
    /// The script with its actions.
    #[must_use]
    pub fn script(&self) -> &'s Script {
        let whole = self.solving.and_then(|solving| solving.script.as_deref());
        whole.unwrap_or(&self.prepared.script)
    }

    /// Whether every deal drawn is a board.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let is_filtered = self.solving.is_some_and(BoardSolving::is_filtered);
        self.prepared.population.is_exact() && !is_filtered
    }

    /// The boards, at most `limit` of them before any filter.
    #[must_use]
    pub fn stream<'a>(
        &self,
        request: &BoardRequest,
        dealer: &'a Dealer<'s, CaseBytes>,
        generator: &'a dyn Generator,
        limit: u64,
    ) -> BoardStream<'a, 's> {
        let population = &self.prepared.population;
        let stream = DealStream::new(dealer, generator, Filter::of(population), limit);
        let mut stream = stream.with_draws(self.script().has_draws());
        if let Some(tries) = request.max_tries.filter(|_| request.gives_up) {
            stream = stream.giving_up_after(tries);
        }
        if request.no_repeats {
            stream = stream.without_repeats();
        }
        let most_misses = request.max_tries.unwrap_or(MOST_TRIES);
        BoardStream::new(stream, population, self.solving, most_misses)
    }

    /// A dealer for the boards of a request.
    ///
    /// # Errors
    ///
    /// If there are fewer different deals than are asked for, or the population cannot be drawn
    /// from.
    pub fn dealer(&self, request: &BoardRequest) -> Result<Dealer<'s, CaseBytes>, Error> {
        let wanted = request.wanted(self.script());
        request.check_repeats(wanted, different_deals(&self.prepared.population))?;
        self.prepared.dealer(wanted)
    }

    /// Deals the boards into a sink. Returns why there are fewer than asked for, in words too;
    /// `None` if all were found.
    ///
    /// # Errors
    ///
    /// If deals cannot be drawn, evaluated or solved, or the sink fails.
    pub fn deal(
        &self,
        request: &BoardRequest,
        dealer: &Dealer<'s, CaseBytes>,
        mut team: Option<&mut SolverTeam>,
        sink: &mut dyn BoardSink,
    ) -> Result<Option<(SearchEnd, String)>, Error> {
        let (script, generator) = (self.script(), &*self.words.generator);
        let wanted = request.wanted(script);
        // Without a filter every deal drawn is used; with one the script's limit applies.
        let limit = script.generate.unwrap_or(u64::MAX);
        let limit = match self.is_exact() && !request.no_repeats {
            true => limit.min(wanted),
            false => limit,
        };
        let mut stream = self.stream(request, dealer, generator, limit);
        let mut labels = Labelling::new(request, script, generator).of_solved(self.solving);
        let mut found = 0;
        while found < wanted {
            match stream.step(team.as_deref_mut(), wanted - found)? {
                BoardStep::Deal(deal) => {
                    found += 1;
                    let (board, comment) = labels.next(found, &deal)?;
                    sink.board(&board, &comment)?;
                }
                BoardStep::Searching => sink.misses(stream.misses())?,
                BoardStep::End => break,
            }
        }
        if found == wanted {
            return Ok(None);
        }
        let end = SearchEnd::of(request, &stream, found);
        Ok(Some((end, end.message(found, wanted, self.prepared))))
    }
}
