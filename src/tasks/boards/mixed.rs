//! Boards of a mix: of several types, in random order.

use super::super::{ConditionInput, Prepared, RandomWords};
use super::{
    BoardRequest, BoardSink, BoardSolving, BoardStep, BoardStream, DealtSet, Labelling, SearchEnd,
};
use crate::draw::{Dealer, OffsetStreams, Shares, TypeNumbers, different_deals};
use crate::error::{Error, Remedy};
use crate::language::{Mix, Script};
use crate::observer::Observer;
use crate::population::Listings;
use crate::population::cases::CaseBytes;
use crate::sampler::Need;
use crate::solver::SolverTeam;

/// A type of a mix and its population.
#[derive(Debug)]
pub struct PreparedType {
    name: String,
    prepared: Prepared,
    solving: Option<BoardSolving>,
    /// Maximum number of its boards.
    most: u64,
}

/// Boards to be dealt from a mix, each type from its own population and random streams.
#[derive(Debug)]
pub struct MixedSet<'s> {
    script: &'s Script,
    words: &'s RandomWords,
    numbers: TypeNumbers,
    types: Vec<PreparedType>,
}

impl<'s> MixedSet<'s> {
    /// Prepares the populations of all types.
    ///
    /// # Errors
    ///
    /// If the request is for one population, or a type has no deals.
    pub fn new(
        request: &BoardRequest,
        script: &'s Script,
        mix: &Mix,
        words: &'s RandomWords,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        // A type of few deals could be wanted more often than it has different deals.
        if request.no_repeats && request.shares == Shares::Random {
            return Err(
                Error::usage("different deals of a mix need fixed numbers of each type")
                    .with_remedy(Remedy::FixShares),
            );
        }
        let wanted = request.wanted(script);
        let numbers = TypeNumbers::new(mix, wanted, request.shares, &*words.generator)?;
        let prepare = |place: usize, most: u64| -> Result<_, Error> {
            let input = ConditionInput::Script(Box::new(script.of_type(place)?));
            let (input, solving) = BoardSolving::of(request, input)?;
            let need = |script: &Script| Need::boards(most, script.generate);
            let prepared = Prepared::new(input, &request.sampling, need, listings, observer)?;
            request.check_repeats(most, different_deals(&prepared.population))?;
            prepared.warn(observer);
            Ok((prepared, solving))
        };
        let types = mix.types().iter().zip(numbers.most()).enumerate();
        let types = types.map(|(place, (of, &most))| {
            let prepared = prepare(place, most);
            let (prepared, solving) =
                prepared.map_err(|error| error.context(format!("type `{}`", of.name)))?;
            Ok(PreparedType {
                name: of.name.clone(),
                prepared,
                solving,
                most,
            })
        });
        Ok(Self {
            script,
            words,
            types: types.collect::<Result<_, Error>>()?,
            numbers,
        })
    }

    /// The types.
    #[must_use]
    pub fn types(&self) -> &[PreparedType] {
        &self.types
    }

    /// What boards are solved for, if anything asks tricks.
    #[must_use]
    pub fn solving(&self) -> Option<&BoardSolving> {
        self.types.iter().find_map(|of| of.solving.as_ref())
    }

    /// Whether every deal drawn is a board.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.types.iter().all(|of| of.set(self.words).is_exact())
    }

    /// Dealers for the types.
    ///
    /// # Errors
    ///
    /// If a population cannot be drawn from.
    pub fn dealers(&self) -> Result<Vec<Dealer<'_, CaseBytes>>, Error> {
        let dealers = self.types.iter().map(|of| of.prepared.dealer(of.most));
        dealers.collect()
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
        dealers: &[Dealer<'_, CaseBytes>],
        mut team: Option<SolverTeam>,
        sink: &mut dyn BoardSink,
    ) -> Result<Option<(SearchEnd, String)>, Error> {
        let (wanted, generator) = (request.wanted(self.script), &*self.words.generator);
        let mut order = self.numbers.order(generator);
        // Population 0 is the order of the types.
        let streams: Vec<OffsetStreams<'_>> = (1..)
            .take(self.types.len())
            .map(|number| OffsetStreams::new(generator, number))
            .collect();
        let limit = self.script.generate.unwrap_or(u64::MAX);
        let types = self.types.iter().zip(dealers).zip(&streams);
        let mut types: Vec<TypeStream<'_, '_>> = types
            .map(|((of, dealer), generator)| TypeStream {
                of,
                stream: of.set(self.words).stream(request, dealer, generator, limit),
                found: 0,
            })
            .collect();
        let labels = Labelling::new(request, self.script, generator);
        let mut labels = labels.of_solved(self.solving());
        for place in 1..=wanted {
            let Some(of) = order.next_type()? else {
                break;
            };
            let of = &mut types[of];
            if !of.deal_next(&mut labels, place, team.as_mut(), sink)? {
                let end = SearchEnd::of(request, &of.stream, of.found);
                let message = end.message(of.found, of.of.most, &of.of.prepared);
                return Ok(Some((end, format!("type `{}`: {message}", of.of.name))));
            }
        }
        Ok(None)
    }

    /// Checks that no case file was modified since it was opened.
    ///
    /// # Errors
    ///
    /// If one was modified.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        let mut types = self.types.iter();
        types.try_for_each(|of| of.prepared.population.check_unchanged())
    }
}

impl PreparedType {
    fn set<'s>(&'s self, words: &'s RandomWords) -> DealtSet<'s> {
        DealtSet {
            prepared: &self.prepared,
            words,
            solving: self.solving.as_ref(),
        }
    }
}

/// The deals of a type.
struct TypeStream<'a, 'f> {
    of: &'f PreparedType,
    stream: BoardStream<'a, 'f>,
    found: u64,
}

impl TypeStream<'_, '_> {
    /// Deals the next board of this type; returns false if there is none.
    fn deal_next(
        &mut self,
        labels: &mut Labelling<'_>,
        place: u64,
        mut team: Option<&mut SolverTeam>,
        sink: &mut dyn BoardSink,
    ) -> Result<bool, Error> {
        loop {
            let most = self.of.most - self.found;
            match self.stream.step(team.as_deref_mut(), most)? {
                BoardStep::Deal(deal) => {
                    let (board, comment) = labels.next(place, &deal)?;
                    sink.board(&board, &comment)?;
                    self.found += 1;
                    return Ok(true);
                }
                BoardStep::Searching => sink.misses(self.stream.misses())?,
                BoardStep::End => return Ok(false),
            }
        }
    }
}
