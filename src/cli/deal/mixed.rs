//! `deal` of a script with a mix: boards of several types in random order.

use fairdeal::Error;
use fairdeal::draw::{DrawError, OffsetStreams, TypeOrder};
use fairdeal::language::{Mix, MixType, Script};
use fairdeal::population::Population;
use fairdeal::sampler::Need;
use fairdeal::solver::SolverTeam;
use fairdeal::tasks::{ConditionInput, Prepared, RandomWords};

use super::boards::{BoardStep, BoardStream, Solving};
use super::{
    BoardLabels, BoardSearch, DealArguments, DealtSet, SearchEnd, SetWriter, Shares,
    different_deals,
};
use crate::cli::input::{needs_one_type, refuse_given};
use crate::cli::terminal::Terminal;
use crate::cli::{cache, failure, log, output};

/// Deals boards of each type from its own population and random streams, and returns the exit code.
pub(super) fn execute(
    arguments: &DealArguments,
    script: &Script,
    mix: &Mix,
    words: &RandomWords,
) -> Result<u8, Error> {
    refuse(arguments)?;
    let (wanted, generator) = (arguments.wanted(script), &*words.generator);
    let is_fresh = words.is_fresh;
    let numbers = mix.numbers(wanted);
    let (order, most) = match arguments.shares() {
        Shares::Exact => (TypeOrder::of_numbers(generator, numbers.clone()), numbers),
        Shares::Random => {
            let parts = mix.types().iter().map(|of| of.parts).collect();
            let most = vec![wanted; mix.types().len()];
            (TypeOrder::of_parts(generator, parts), most)
        }
    };
    let prepared = prepare(arguments, script, mix, &most)?;
    let solving = prepared.iter().find_map(|of| of.solving.as_ref());
    let team = Solving::team(solving)?;
    if is_fresh {
        log::tell(format!("seed {}", words.seed))?;
    }
    // Population 0 is the order of the types.
    let streams: Vec<_> = (1..)
        .take(prepared.len())
        .map(|number| OffsetStreams::new(generator, number))
        .collect();
    let dealers = output::during("guides", arguments.quiet, || {
        let dealers = prepared.iter().map(|of| of.prepared.dealer(of.most));
        dealers.collect::<Result<Vec<_>, Error>>()
    })?;
    let limit = script.generate.unwrap_or(u64::MAX);
    let types = prepared.iter().zip(&dealers).zip(&streams);
    let mut types: Vec<TypeStream<'_, '_>> = types
        .map(|((of, dealer), generator)| TypeStream {
            of,
            stream: of.set(words).stream(arguments, dealer, generator, limit),
            found: 0,
        })
        .collect();
    let is_exact = prepared.iter().all(|of| of.set(words).is_exact());
    let file = arguments.file(wanted, concat!("fairdeal ", env!("CARGO_PKG_VERSION")))?;
    let boards = SetWriter {
        labels: BoardLabels::new(arguments, script, generator).of_solved(solving),
        search: BoardSearch::new(arguments, file, wanted, is_exact),
    };
    let code = write(boards, order, &mut types, team)?;
    for of in &prepared {
        of.prepared.population.check_records()?;
    }
    Ok(code)
}

/// A type of a mix and its population.
struct PreparedType<'m> {
    of: &'m MixType,
    prepared: Prepared,
    solving: Option<Solving>,
    /// Maximum number of its boards.
    most: u64,
}

impl PreparedType<'_> {
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
    of: &'f PreparedType<'f>,
    stream: BoardStream<'a, 'f>,
    found: u64,
}

/// Writes boards until all are found or a type gives up, and returns the exit code.
fn write(
    mut boards: SetWriter<'_>,
    mut order: TypeOrder<'_>,
    types: &mut [TypeStream<'_, '_>],
    mut team: Option<SolverTeam>,
) -> Result<u8, Error> {
    while boards.search.found < boards.search.wanted {
        let next = order.next_type();
        let next = next.map_err(|error| DrawError::from(error).of(&Population::every_deal()))?;
        let Some(place) = next else {
            break;
        };
        let of = &mut types[place];
        if !of.write_next(&mut boards, team.as_mut())? {
            boards.search.finish()?;
            log::error(of.gave_up(boards.labels.arguments));
            return Ok(failure::GAVE_UP);
        }
    }
    boards.search.finish()?;
    Ok(0)
}

impl TypeStream<'_, '_> {
    /// Writes the next board of this type; returns false if there is none.
    fn write_next(
        &mut self,
        boards: &mut SetWriter<'_>,
        mut team: Option<&mut SolverTeam>,
    ) -> Result<bool, Error> {
        loop {
            let most = self.of.most - self.found;
            match self.stream.step(team.as_deref_mut(), most)? {
                BoardStep::Deal(deal) => {
                    boards.write(&deal)?;
                    self.found += 1;
                    return Ok(true);
                }
                BoardStep::Searching => boards.search.misses(self.stream.misses())?,
                BoardStep::End => return Ok(false),
            }
        }
    }

    fn gave_up(&self, arguments: &DealArguments) -> String {
        let end = SearchEnd::of(arguments, &self.stream, self.found);
        let message = end.message(self.found, self.of.most, &self.of.prepared);
        format!("type `{}`: {message}", self.of.of.name)
    }
}

/// Rejects options that are for one population.
fn refuse(arguments: &DealArguments) -> Result<(), Error> {
    let options = [
        ("--dealer-output", arguments.dealer_output),
        ("--defect", arguments.defect.is_some()),
        ("--explain", arguments.explain),
    ];
    refuse_given(&options, needs_one_type)?;
    // A type of few deals could be wanted more often than it has different deals.
    match arguments.sets.no_repeats && arguments.shares() == Shares::Random {
        true => Err(Error::usage(
            "--no-repeats needs fixed numbers of each type: leave out --shares random",
        )),
        false => Ok(()),
    }
}

/// Prepares the populations, at most `most` boards of each type.
fn prepare<'m>(
    arguments: &DealArguments,
    script: &Script,
    mix: &'m Mix,
    most: &[u64],
) -> Result<Vec<PreparedType<'m>>, Error> {
    let sampling = arguments.options.sampling();
    let (listings, terminal) = (cache::listings()?, Terminal::new(arguments.quiet));
    let prepare = |place: usize, most: u64| -> Result<(Prepared, Option<Solving>), Error> {
        let input = ConditionInput::Script(Box::new(script.of_type(place)?));
        let (input, solving) = Solving::of(arguments, input)?;
        let need = |script: &Script| Need::boards(most, script.generate);
        let prepared = Prepared::new(input, &sampling, need, &listings, &terminal)?;
        let different = different_deals(&prepared.population);
        arguments.sets.check_repeats(most, different)?;
        prepared.warn(&terminal);
        Ok((prepared, solving))
    };
    let types = mix.types().iter().zip(most).enumerate();
    let types = types.map(|(place, (of, &most))| {
        let prepared = prepare(place, most);
        let (prepared, solving) =
            prepared.map_err(|error| error.context(format!("type `{}`", of.name)))?;
        Ok(PreparedType {
            of,
            prepared,
            solving,
            most,
        })
    });
    types.collect()
}
