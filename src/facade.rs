//! The library in a few calls: from a script to deals, exact theory, and a run with its verdict;
//! and audits of deals from any source.
//!
//! Everything here uses the other modules with default options, and writes nothing to disk.
//! Programs with other needs can use the modules directly: [`tasks`](crate::tasks) for folders,
//! checkpoints and parts, [`sampler`](crate::sampler) for the choice of a sampler.

use std::iter;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use crate::bridge::Deal;
use crate::draw::Aes128Ctr;
use crate::error::Error;
use crate::language::{self, Condition, ConditionError};
use crate::observer::Silent;
use crate::population::{self, Listings};
use crate::run::{DealCount, DealRow, DealStream, fill_rows, mask_rows, values_of_rows};
use crate::sampler::{Sampling, Workload};
use crate::tasks::audit::{
    AuditCondition, AuditReport, AuditRequest, audit_deals, audit_in_memory,
};
use crate::tasks::run::{RunReport, RunRequest, run_in_memory};
use crate::tasks::{ConditionInput, ExactTheory, Prepared, RandomRequest, TheoryRequest, theory};
use crate::theory::{Theory, TheoryError};

/// Number of boards that a population is prepared for by default.
const BOARDS: u64 = 1_000;

/// A script in dealer's language: a condition, and actions on the deals that satisfy it.
///
/// It has the fields and methods of a [`language::Script`], and those that make deals of it.
#[derive(Clone, Debug)]
pub struct Script(language::Script);

impl Deref for Script {
    type Target = language::Script;

    fn deref(&self) -> &language::Script {
        &self.0
    }
}

impl From<language::Script> for Script {
    fn from(script: language::Script) -> Self {
        Self(script)
    }
}

impl From<Script> for language::Script {
    fn from(script: Script) -> Self {
        script.0
    }
}

impl Script {
    /// Parses a script as [`language::Script::parse`] does. The name appears in messages.
    ///
    /// # Errors
    ///
    /// [`ConditionError`] with the place and the expected syntax.
    pub fn parse(name: &str, text: &str) -> Result<Self, ConditionError> {
        language::Script::parse(name, text).map(Self)
    }

    /// Prepares the deals that satisfy the script's condition, for about a thousand boards.
    ///
    /// The sampler is chosen by cost: rejection where such deals are common, cells where they are
    /// rare. Nothing is written to disk.
    ///
    /// # Errors
    ///
    /// If no deal is found to satisfy the condition, or its arithmetic fails for a sampled deal.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Script, Seat};
    ///
    /// let script = Script::parse("strong club", "hcp(north) >= 17")?;
    /// for deal in script.population()?.deals(7)?.take(3) {
    ///     assert!(deal?.hand(Seat::North).hcp() >= 17);
    /// }
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn population(&self) -> Result<Population, Error> {
        self.population_for(Workload::boards(BOARDS, None))
    }

    /// Prepares the deals that satisfy the script's condition, for a given need: more deals repay
    /// more preparation.
    ///
    /// # Errors
    ///
    /// The same as [`Script::population`].
    pub fn population_for(&self, workload: Workload) -> Result<Population, Error> {
        Ok(Population(self.prepared(workload)?.population))
    }

    fn prepared(&self, workload: Workload) -> Result<Prepared, Error> {
        let (listings, sampling) = (Listings::in_memory(), Sampling::default());
        let input = ConditionInput::Script(Box::new(self.0.clone()));
        Prepared::new(input, &sampling, |_| workload, &listings, &Silent)
    }

    /// Computes the exact tables of the condition, without drawing a card.
    ///
    /// # Errors
    ///
    /// If no deal satisfies the condition, or exact tables are not available: the condition does not
    /// depend on the cards alone, or distinguishes too many deals.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Script, Seat};
    ///
    /// let script = Script::parse("example", "spades(west) == 9")?;
    /// let exact = script.theory()?;
    /// assert_eq!(exact.record.total, "58809465");
    /// assert_eq!(exact.theory.hcp(Seat::West).mean(), (10, 1));
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn theory(&self) -> Result<ExactTheory, Error> {
        self.theory_among(None)
    }

    /// Computes the exact tables of the deals that satisfy the condition among those that satisfy
    /// another: what is likely, given what is known.
    ///
    /// # Errors
    ///
    /// The same as [`Script::theory`], for either condition.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Script, language::Condition};
    ///
    /// let all = Script::parse("all aces", "aces(north) + aces(south) == 4")?;
    /// let two = Condition::parse("two aces", "aces(north) == 2")?;
    /// let exact = all.theory_given(&two)?;
    /// assert_eq!(exact.record.probability.fraction.as_deref(), Some("2/19"));
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn theory_given(&self, given: &Condition) -> Result<ExactTheory, Error> {
        self.theory_among(Some(given))
    }

    /// Returns whether the deal of each row of an array satisfies the condition, on all threads of
    /// the current rayon pool. A row is that of [`Population::fill`].
    ///
    /// # Errors
    ///
    /// If a row is not a deal, arithmetic fails for a deal, or the condition needs random draws or
    /// double-dummy tricks.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Population, Script};
    ///
    /// let mut hands = vec![[0u64; 4]; 1_000];
    /// Population::every_deal().fill(1, &mut hands)?;
    /// let strong = Script::parse("strong", "hcp(north) >= 17")?.mask(&hands)?;
    /// let points = Script::parse("points", "hcp(north)")?.values(&hands)?;
    /// assert!(strong.iter().zip(points).all(|(strong, points)| *strong == (points >= 17)));
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn mask<R: DealRow + Sync>(&self, rows: &[R]) -> Result<Vec<bool>, Error> {
        let mut mask = vec![false; rows.len()];
        mask_rows(&self.condition, rows, &mut mask, &Silent)?;
        Ok(mask)
    }

    /// Returns the value of the script's expression, such as `hcp(north) + 2*aces(south)`, for the
    /// deal of each row.
    ///
    /// # Errors
    ///
    /// As [`Script::mask`], and if the script has predealt cards.
    pub fn values<R: DealRow + Sync>(&self, rows: &[R]) -> Result<Vec<i64>, Error> {
        let mut values = vec![0; rows.len()];
        values_of_rows(&self.condition, rows, &mut values, &Silent)?;
        Ok(values)
    }

    fn theory_among(&self, given: Option<&Condition>) -> Result<ExactTheory, Error> {
        let input = ConditionInput::Script(Box::new(self.0.clone()));
        let sampling = Sampling::default();
        let request = TheoryRequest {
            given,
            ..TheoryRequest::new(input, &sampling)
        };
        theory(request, &Listings::in_memory(), &Silent)
    }

    /// Draws deals, counts and tests them, and computes the script's averages and frequencies.
    /// Returns a report in memory, with a verdict.
    ///
    /// The counts depend only on the script, the number of deals and the seed.
    ///
    /// # Errors
    ///
    /// The same as [`Script::population`]; or if the number of deals is 0 or above 10^16.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::Script;
    ///
    /// let script = Script::parse("example", "action average \"points\" hcp(north)")?;
    /// let report = script.run(100_000, 7)?;
    /// let (average, deals) = (&report.answered[0], report.counted.counts.deals());
    /// assert_eq!(average.exact.label, "points");
    /// assert_eq!(average.exact.mean(), Some(10.0));
    /// assert_eq!(deals, 100_000);
    /// assert!(report.verdict.is_some());
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn run(&self, deals: u64, seed: u128) -> Result<RunReport, Error> {
        let wanted = DealCount::new(deals).map_err(|error| error.named("the number of deals"))?;
        let request = RunRequest {
            deals: Some(wanted),
            random: RandomRequest::of_seed(seed),
            ..RunRequest::new(self.condition.name(), Path::new(""))
        };
        let prepared = self.prepared(Workload::statistics(deals))?;
        run_in_memory(&request, prepared, &Silent)
    }
}

/// The deals of a condition: a base to draw from, and a filter that each deal must pass.
///
/// It has the methods of a [`population::Population`], and those that draw and test.
///
/// # Examples
///
/// ```
/// use fairdeal::{Script, Workload};
///
/// let script = Script::parse("example", "hcp(north) >= 37")?;
/// let population = script.population_for(Workload::boards(1_000_000, None))?;
/// let (ways, of) = population.probability().expect("there is no filter");
/// assert_eq!(of / ways, 635_013_559_600 / 4);
/// # Ok::<(), fairdeal::Error>(())
/// ```
#[derive(Debug)]
pub struct Population(population::Population);

impl Deref for Population {
    type Target = population::Population;

    fn deref(&self) -> &population::Population {
        &self.0
    }
}

impl From<population::Population> for Population {
    fn from(population: population::Population) -> Self {
        Self(population)
    }
}

impl Population {
    /// Returns the population of all deals.
    pub fn every_deal() -> Self {
        Self(population::Population::every_deal())
    }

    /// Returns independent, uniform deals of the population, one after the other.
    ///
    /// The deals depend only on the population and the seed. The first ones are the same, however
    /// many are taken. They end when the filter rejects [`most_tries`](crate::run::most_tries)
    /// deals in a row.
    ///
    /// # Errors
    ///
    /// If the listing or the cells cannot be drawn from.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Deal, Error, Population};
    ///
    /// let every_deal = Population::every_deal();
    /// let deals: Vec<Deal> = every_deal.deals(1)?.take(36).collect::<Result<_, Error>>()?;
    /// assert_eq!(deals.len(), 36);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn deals(&self, seed: u128) -> Result<impl Iterator<Item = Result<Deal, Error>>, Error> {
        let mut stream = DealStream::of(self, Aes128Ctr::new(seed))?;
        Ok(iter::from_fn(move || {
            let next = stream.next_deal().map_err(|error| error.of(self));
            next.map(|next| next.map(|found| found.deal)).transpose()
        }))
    }

    /// Writes the deals of [`Population::deals`] with the same seed into the rows of an array, many
    /// times as fast as one by one, and returns their number: less than the number of rows only if
    /// the filter rejects [`most_tries`](crate::run::most_tries) deals in a row.
    ///
    /// A row is `[u64; 4]`, the hands clockwise from north as in
    /// [`Hand::bits`](crate::Hand::bits), or `[u8; 52]`, the seat of each card in deck order.
    ///
    /// # Errors
    ///
    /// As [`Population::deals`] and its iterator.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Hand, Population};
    ///
    /// let mut hands = vec![[0u64; 4]; 1_000];
    /// let every_deal = Population::every_deal();
    /// assert_eq!(every_deal.fill(1, &mut hands)?, 1_000);
    /// let first = every_deal.deals(1)?.next().expect("there is no filter")?;
    /// assert_eq!(hands[0], first.hands().map(Hand::bits));
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn fill<R: DealRow + Send>(&self, seed: u128, rows: &mut [R]) -> Result<usize, Error> {
        fill_rows(self, seed, rows, &Silent)
    }

    /// Computes the exact tables of the population.
    ///
    /// # Errors
    ///
    /// If the population has a filter, or too many deals around its predealt cards to count them.
    pub fn theory(&self) -> Result<Theory, Error> {
        if !self.is_exact() {
            return Err(Error::usage(
                "the population has a filter, so exact tables are not available; use `Script::theory`",
            ));
        }
        Theory::of(self).map_err(|error| match error {
            TheoryError::TooLong => error.into(),
            damage => self.altered(damage),
        })
    }

    /// Tests deals that should come from this population, in the order in which they were dealt.
    ///
    /// # Errors
    ///
    /// If there are no deals, or the population has a filter or fixed cards.
    ///
    /// # Examples
    ///
    /// ```
    /// use fairdeal::{Level, Population};
    ///
    /// let every_deal = Population::every_deal();
    /// let deals = every_deal.deals(3)?.take(20_000).collect::<Result<Vec<_>, _>>()?;
    /// let report = every_deal.audit(deals)?;
    /// // Twenty thousand deals are too few for a PASS.
    /// assert_eq!(report.level, Level::Inconclusive);
    /// # Ok::<(), fairdeal::Error>(())
    /// ```
    pub fn audit(&self, deals: impl IntoIterator<Item = Deal>) -> Result<AuditReport, Error> {
        if !self.is_exact() {
            return Err(Error::usage(
                "the population has a filter, so exact laws are not available; use `tasks::audit`",
            ));
        }
        let request = AuditRequest::new("deals", Path::new(""));
        audit_deals(&request, self, self.condition(), deals, &Silent)
    }
}

/// Tests whether unconstrained deals are fair, in the order in which they were dealt.
///
/// # Errors
///
/// If there are no deals.
///
/// # Examples
///
/// ```
/// use fairdeal::{Level, Population, audit};
///
/// // A dealer that deals every deal twice.
/// let fair = Population::every_deal();
/// let twice = fair.deals(3)?.map_while(Result::ok).flat_map(|deal| [deal; 2]);
/// assert_eq!(audit(twice.take(20_000))?.level, Level::Fail);
/// # Ok::<(), fairdeal::Error>(())
/// ```
pub fn audit(deals: impl IntoIterator<Item = Deal>) -> Result<AuditReport, Error> {
    Population::every_deal().audit(deals)
}

/// Tests whether the deals in files, or in the files of folders, are fair. Accepts any recognised
/// format.
///
/// Replays of a board at other tables count once. [`tasks::audit`](crate::tasks::audit) has a
/// condition, a format and the other options of the command.
///
/// # Errors
///
/// If no deal can be read.
pub fn audit_files<P: Into<PathBuf>>(
    files: impl IntoIterator<Item = P>,
) -> Result<AuditReport, Error> {
    let request = AuditRequest {
        files: files.into_iter().map(Into::into).collect(),
        ..AuditRequest::new("files", Path::new(""))
    };
    let (condition, listings) = (AuditCondition::None, Listings::in_memory());
    audit_in_memory(&request, condition, &listings, &Silent)
}
