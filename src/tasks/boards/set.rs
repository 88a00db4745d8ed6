//! The populations from which the boards of a set are dealt.

use super::super::{ConditionInput, Prepared, RandomWords};
use super::{BoardRequest, SetBoards};
use crate::draw::{Shares, TypeNumbers};
use crate::error::{Error, Remedy};
use crate::language::{AskedTricks, Expression, Mix, Script};
use crate::observer::Observer;
use crate::population::Listings;
use crate::sampler::Workload;

/// Boards to be dealt, from one population or from those of the types of a mix.
#[derive(Debug)]
pub struct Set {
    pub(super) request: BoardRequest,
    /// The script with its actions.
    pub(super) script: Script,
    pub(super) words: RandomWords,
    /// Numbers of boards of each type of a mix.
    pub(super) numbers: Option<TypeNumbers>,
    /// The types of a mix, or one without a name.
    pub(super) types: Vec<BoardType>,
}

/// A type of boards and its population.
#[derive(Debug)]
pub(super) struct BoardType {
    pub(super) name: Option<String>,
    pub(super) prepared: Prepared,
    pub(super) solving: Option<BoardSolving>,
    /// Whether deals have random draws (`rnd`).
    pub(super) has_draws: bool,
    /// Whether a program accepts or refuses deals.
    has_command: bool,
    /// Maximum number of its boards.
    pub(super) most: u64,
}

/// What boards are solved for.
#[derive(Clone, Debug)]
pub(super) struct BoardSolving {
    pub(super) asked: AskedTricks,
    /// The terms of the condition that need tricks.
    pub(super) terms: Vec<Expression>,
}

impl Set {
    /// Chooses the samplers and prepares all populations.
    ///
    /// # Errors
    ///
    /// If the request contradicts itself, or no deal satisfies the condition.
    pub fn new(
        request: BoardRequest,
        input: ConditionInput,
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let script = match &input {
            ConditionInput::Script(script) => Some(Script::clone(script)),
            ConditionInput::CaseFile(_) => None,
        };
        let random = script.as_ref().map(|of| request.random.of_script(of));
        let words = random.as_ref().unwrap_or(&request.random).words()?;
        let prepare =
            |name, input, most| BoardType::new(&request, (name, input, most), listings, observer);
        let (script, numbers, types) = match script {
            Some(script) if script.mix.is_some() => {
                let mix = script.mix.as_ref().expect("a mix");
                let numbers = type_numbers(&request, &script, mix, &words)?;
                let types = mix.types().iter().zip(numbers.most()).enumerate();
                let types = types.map(|(place, (of, most))| {
                    let prepared = script
                        .of_type(place)
                        .map_err(Error::from)
                        .and_then(|script| {
                            let input = ConditionInput::Script(Box::new(script));
                            prepare(Some(of.name.clone()), input, Some(*most))
                        });
                    prepared.map_err(|error| of_type(error, Some(&of.name)))
                });
                let types = types.collect::<Result<_, Error>>()?;
                (script, Some(numbers), types)
            }
            script => {
                let mut of = prepare(None, input, None)?;
                let script = script.unwrap_or_else(|| of.prepared.script.clone());
                of.most = request.wanted(&script);
                (script, None, vec![of])
            }
        };
        Ok(Self {
            request,
            script,
            words,
            numbers,
            types,
        })
    }

    /// The script with its actions.
    pub fn script(&self) -> &Script {
        &self.script
    }

    /// The random words.
    pub fn words(&self) -> &RandomWords {
        &self.words
    }

    /// The population, or that of the first type.
    pub fn prepared(&self) -> &Prepared {
        &self.types[0].prepared
    }

    /// Number of boards wanted.
    pub fn wanted(&self) -> u64 {
        self.request.wanted(&self.script)
    }

    /// Whether every deal drawn is a board.
    pub fn is_exact(&self) -> bool {
        self.types.iter().all(BoardType::is_exact)
    }

    /// Whether boards are solved double-dummy.
    pub fn is_solved(&self) -> bool {
        self.solving().is_some()
    }

    /// What boards are solved for.
    pub(super) fn solving(&self) -> Option<&BoardSolving> {
        self.types.iter().find_map(|of| of.solving.as_ref())
    }

    /// The boards, from the first on.
    ///
    /// # Errors
    ///
    /// If this program has no solver and one is needed, there are fewer different deals than are
    /// asked for, a population cannot be drawn from, or the defect does not support it.
    pub fn boards(&self, observer: &dyn Observer) -> Result<SetBoards<'_>, Error> {
        SetBoards::new(self, observer)
    }

    /// Checks that case files still have the records that they had when they were opened.
    pub(super) fn check_unchanged(&self) -> Result<(), Error> {
        let mut types = self.types.iter();
        types.try_for_each(|of| of.prepared.population.check_unchanged())
    }
}

/// An error about a type of a mix.
pub(super) fn of_type(error: Error, name: Option<&str>) -> Error {
    match name {
        Some(name) => error.context(format!("type `{name}`")),
        None => error,
    }
}

/// The numbers of boards of the types of a mix.
fn type_numbers(
    request: &BoardRequest,
    script: &Script,
    mix: &Mix,
    words: &RandomWords,
) -> Result<TypeNumbers, Error> {
    // A type of few deals could be wanted more often than it has different deals.
    if request.no_repeats && request.shares == Shares::Random {
        return Err(
            Error::usage("different deals of a mix need fixed numbers of each type")
                .with_remedy(Remedy::FixShares),
        );
    }
    if request.defect.is_some() {
        return Err(Error::usage("a defect cannot deal the types of a mix"));
    }
    let (wanted, generator) = (request.wanted(script), &*words.generator);
    Ok(TypeNumbers::new(mix, wanted, request.shares, generator)?)
}

impl BoardType {
    /// Prepares the population of a type; `most` is the maximum number of its boards, unless it is
    /// the number of all.
    fn new(
        request: &BoardRequest,
        (name, input, most): (Option<String>, ConditionInput, Option<u64>),
        listings: &Listings,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (input, solving, has_draws) = match input {
            ConditionInput::Script(script) => {
                let has_draws = script.has_draws();
                let (script, solving) = BoardSolving::of(request, script)?;
                (ConditionInput::Script(script), solving, has_draws)
            }
            file @ ConditionInput::CaseFile(_) => {
                let (asked, terms) = (AskedTricks::All, Vec::new());
                let solving = request.solve.then_some(BoardSolving { asked, terms });
                (file, solving, false)
            }
        };
        let wanted = |script: &Script| most.unwrap_or_else(|| request.wanted(script));
        let workload = |script: &Script| Workload::boards(wanted(script), request.limit(script));
        let sampling = request.sampling.with_defect(request.defect.is_some());
        let prepared = Prepared::new(input, &sampling, workload, listings, observer)?;
        prepared.warn(observer);
        Ok(Self {
            name,
            most: wanted(&prepared.script),
            prepared,
            solving,
            has_draws,
            has_command: request.filter.is_some(),
        })
    }

    /// Whether every deal drawn is a board.
    pub(super) fn is_exact(&self) -> bool {
        let is_filtered = self.solving.as_ref().is_some_and(|of| !of.terms.is_empty());
        self.prepared.population.is_exact() && !is_filtered && !self.has_command
    }
}

impl BoardSolving {
    /// The script from which deals are drawn before they are solved, and what they are solved for.
    fn of(
        request: &BoardRequest,
        script: Box<Script>,
    ) -> Result<(Box<Script>, Option<Self>), Error> {
        let Some(asked) = request.asked_tricks(&script) else {
            return Ok((script, None));
        };
        let (before, terms) = script.before_solving()?;
        Ok((Box::new(before), Some(Self { asked, terms })))
    }

    /// Whether each board has all twenty numbers of tricks.
    pub(super) fn is_whole(&self) -> bool {
        self.asked == AskedTricks::All
    }
}
