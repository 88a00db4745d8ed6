//! The boards of a set, one after the other.

use std::sync::{Arc, Mutex};

use super::command_filter::{FilterCounts, FilterProcesses};
use super::labelling::Labelling;
use super::search::TypeSearch;
use super::{SearchEnd, Set, SourceBoard};
use crate::draw::TypeOrder;
use crate::error::Error;
use crate::formats::Board;
use crate::language::DealContext;
use crate::observer::{Observer, Stage, during};
use crate::run::SearchEvent;
use crate::solver::SolverTeam;

/// A board of a set.
#[derive(Clone, Debug)]
pub struct DealtBoard {
    /// The board with its labels, after its turn.
    pub board: Board,
    /// The comment on it: what the script's `printes` prints.
    pub comment: String,
    /// The deal before its turn.
    pub dealt: DealContext,
    /// The place of its type in the mix.
    pub deal_type: usize,
    /// The name of the type; empty without a mix.
    pub label: String,
}

/// The boards of a set in their order; ends after the boards that are wanted, an error, or when
/// too few are found.
///
/// It reports a search after some thousand tries, so that its caller can stop it. At its end, it
/// has checked that the case files were not modified.
#[derive(Debug)]
pub struct SetBoards<'s> {
    set: &'s Set,
    searches: Vec<TypeSearch<'s>>,
    team: Option<SolverTeam>,
    /// The types of the boards of a mix.
    order: Option<TypeOrder<'s>>,
    /// The type of the board that is being searched for.
    current: Option<usize>,
    labels: Labelling<'s>,
    wanted: u64,
    found: u64,
    end: Option<SearchEnd>,
    is_over: bool,
}

impl<'s> SetBoards<'s> {
    pub(super) fn new(set: &'s Set, observer: &dyn Observer) -> Result<Self, Error> {
        let threads = rayon::current_num_threads();
        let team = set.solving().map(|_| SolverTeam::new(threads));
        let team = team.transpose()?;
        let command = set.request.filter.as_ref();
        let filter = command.map(|command| FilterProcesses::start(command, threads));
        let filter = filter.transpose()?.map(|of| Arc::new(Mutex::new(of)));
        let searches = set.types.iter().zip(0..);
        let searches = searches.map(|of| TypeSearch::new(set, of, filter.as_ref()));
        let searches = during(observer, Stage::Guides, || {
            searches.collect::<Result<_, Error>>()
        })?;
        let (generator, numbers) = (&*set.words.generator, set.numbers.as_ref());
        Ok(Self {
            set,
            searches,
            team,
            order: numbers.map(|numbers| numbers.order(generator)),
            current: None,
            labels: Labelling::new(&set.request, &set.script, generator)
                .with_tables(set.solving().is_some_and(|solving| solving.is_whole())),
            wanted: set.wanted(),
            found: 0,
            end: None,
            is_over: false,
        })
    }

    /// Number of boards so far.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Number of deals drawn up to the last board, or in total at the end.
    pub fn generated(&self) -> u64 {
        self.searches.iter().map(TypeSearch::generated).sum()
    }

    /// Numbers of deals that the program of a filter was asked about, by type; none without one.
    pub fn filter_counts(&self) -> Vec<FilterCounts> {
        let searches = self.searches.iter();
        let searches = searches.filter(|_| self.set.request.filter.is_some());
        searches.map(TypeSearch::filter_counts).collect()
    }

    /// Why there are fewer boards than are wanted; `None` if there are not.
    pub fn end(&self) -> Option<&SearchEnd> {
        self.end.as_ref()
    }

    fn step(&mut self) -> Result<Option<SearchEvent<DealtBoard>>, Error> {
        if self.found == self.wanted {
            return Ok(None);
        }
        let place = match (self.current, &mut self.order) {
            (Some(place), _) => place,
            (None, None) => 0,
            (None, Some(order)) => match order.next_type()? {
                Some(place) => place,
                None => return Ok(None),
            },
        };
        self.current = Some(place);
        let search = &mut self.searches[place];
        let dealt = match search.step(self.team.as_mut())? {
            Some(SearchEvent::Next(dealt)) => dealt,
            Some(SearchEvent::Misses(misses)) => return Ok(Some(SearchEvent::Misses(misses))),
            None => {
                self.end = Some(search.end());
                return Ok(None);
            }
        };
        self.current = None;
        self.found += 1;
        let script = &self.set.script;
        let label = match &script.mix {
            Some(mix) => mix
                .label(place, &dealt)
                .map_err(|error| Error::from(script.condition.evaluation_error(&error)))?
                .to_owned(),
            None => String::new(),
        };
        let (board, comment) = self
            .labels
            .next(&SourceBoard::default(), self.found, &dealt)?;
        Ok(Some(SearchEvent::Next(DealtBoard {
            board,
            comment,
            dealt,
            deal_type: place,
            label,
        })))
    }
}

impl Iterator for SetBoards<'_> {
    type Item = Result<SearchEvent<DealtBoard>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let step = self.step();
        self.is_over = !matches!(step, Ok(Some(_)));
        match step {
            Ok(None) => self.set.check_unchanged().err().map(Err),
            other => other.transpose(),
        }
    }
}
