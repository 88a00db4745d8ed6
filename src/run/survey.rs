//! A run that is tested: batch by batch, with a look at every power of two.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::plan::batches_between;
use super::sieve::{Sieve, Sifted, Sifter};
use super::together::{Counter, Together, Work};
use super::{RunError, batches, batches_before};
use crate::battery::{FIRST_LOOK, Origin, Terms, counts_agree};
use crate::draw::{BLOCK_DEALS, Packet, Portion, Source};
use crate::tally::{
    Batch, CLOSE_SHARE, Depth, GROUPS, Latency, NUMBER_SHARE, Share, Survey, SurveyPlan, Surveying,
};

/// Deals that PASS takes unless `--target` says otherwise.
pub const DEFAULT_TARGET: u64 = 1 << 20;

/// What a run has counted in whole batches, and how long its deals took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Surveyed {
    /// Everything that tests look at.
    pub survey: Survey,
    /// What a script asked of the deals.
    pub sifted: Sifted,
    /// Time a deal, by portion.
    pub latency: Latency,
}

/// Where a run stands between two portions: everything that it takes to go on, but for
/// what it deals from and what it looks at.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct State {
    /// Batches that were counted whole.
    batches: u64,
    /// Their deals.
    dealt: u64,
    /// What they came to.
    pub surveyed: Surveyed,
    /// Portions of the batches in hand that were dealt.
    portions: usize,
    /// What those came to.
    part: Option<Part>,
}

/// What some portions of the batches in hand came to: no report sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    share: Share,
    sifted: Sifted,
}

/// What a run has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The workers have paused, maybe within a batch.
    Paused,
    /// More batches were counted.
    Counted,
    /// More batches were counted, and tests are to be made now.
    Look,
    /// Every deal was counted that is to be.
    Ended,
}

/// A state that no such run can have come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no state of such a run")]
pub struct UnsoundState;

/// A run on its way: deals exactly so many deals, and counts them into a survey.
///
/// The survey is a function of the source, the sieve, the number of deals and the cap
/// alone, however often the run is paused, saved and taken up again.
pub struct Running<'r, 'f> {
    source: &'r dyn Source,
    plan: &'r SurveyPlan<'f>,
    sieve: &'r Sieve,
    deals: u64,
    batch_cap: u64,
    state: State,
    /// The batches in hand.
    together: Option<Together>,
}

impl<'r, 'f> Running<'r, 'f> {
    /// A run of so many deals, in batches of at most `batch_cap`, before its first deal.
    #[must_use]
    pub fn new(
        source: &'r dyn Source,
        plan: &'r SurveyPlan<'f>,
        sieve: &'r Sieve,
        (deals, batch_cap): (u64, u64),
    ) -> Self {
        let state = State {
            batches: 0,
            dealt: 0,
            surveyed: Surveyed {
                survey: plan.survey(),
                sifted: Sifted::default(),
                latency: Latency::default(),
            },
            portions: 0,
            part: None,
        };
        Self {
            source,
            plan,
            sieve,
            deals,
            batch_cap,
            state,
            together: None,
        }
    }

    /// The same run from where it stood.
    ///
    /// # Errors
    ///
    /// [`RunError::State`] if that cannot be a state of this run; [`RunError::Draw`] if what
    /// the batches in hand hold cannot be had.
    pub fn resumed(mut self, state: State) -> Result<Self, RunError> {
        let survey = &state.surveyed.survey;
        if state.dealt > self.deals
            || batches_before(state.dealt, self.deals, self.batch_cap) != Some(state.batches)
            || !survey.is_sound(self.plan, state.dealt)
            || !counts_agree(survey)
            || !state.surveyed.sifted.is_sound(self.sieve, state.dealt)
        {
            return Err(UnsoundState.into());
        }
        self.state = state;
        if self.state.portions == 0 && self.state.part.is_none() {
            return Ok(self);
        }
        self.take_up()?;
        let (portions, part) = (self.state.portions, self.state.part.as_ref());
        let in_hand = |together: &Together| {
            let deals = together.deals_of(portions);
            portions < together.portions()
                && part.is_some_and(|part| {
                    part.share.is_sound(self.plan, deals) && part.sifted.is_sound(self.sieve, deals)
                })
        };
        match &self.together {
            Some(together) if in_hand(together) => Ok(self),
            _ => Err(UnsoundState.into()),
        }
    }

    /// Where it stands.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Deals that were counted in whole batches.
    #[must_use]
    pub fn counted(&self) -> u64 {
        self.state.dealt
    }

    /// Deals that were dealt so far, those of the batches in hand with them.
    #[must_use]
    pub fn dealt(&self) -> u64 {
        let together = self.together.as_ref();
        let in_hand = together.map_or(0, |together| together.deals_of(self.state.portions));
        self.state.dealt + in_hand
    }

    /// What was counted in whole batches, in order to be looked at.
    #[must_use]
    pub fn finish(self) -> Surveyed {
        let mut surveyed = self.state.surveyed;
        surveyed.survey.settle();
        surveyed
    }

    /// Whether every deal was counted that is to be.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.state.dealt == self.deals || self.sieve.is_enough(self.state.surveyed.sifted.kept)
    }

    /// Deals on the threads of the current rayon pool, up to the end of some batches or
    /// until the workers are to pause.
    ///
    /// # Errors
    ///
    /// [`RunError`] if the case file was altered during the run, the random words ended, or
    /// the sieve's arithmetic failed for some deal.
    pub fn step(&mut self, work: &Work<'_>) -> Result<Step, RunError> {
        if self.is_over() {
            return Ok(Step::Ended);
        }
        if self.together.is_none() {
            self.take_up()?;
        }
        let Some(together) = &self.together else {
            return Ok(Step::Ended);
        };
        let surveyed = &mut self.state.surveyed;
        let (plan, sieve, path) = (self.plan, self.sieve, self.source.path());
        let (dealt, counted) = together.deal(
            self.source,
            self.state.portions,
            work,
            || Both {
                surveying: Surveying::new(plan, &surveyed.survey, path),
                sifter: (!sieve.is_idle()).then(|| sieve.sifter(path)),
            },
            &mut surveyed.latency,
        )?;
        let is_whole = dealt == together.portions();
        let (batches, end) = (together.batches, together.end);
        self.state.portions = dealt;
        let parts = counted.into_iter().map(Both::finish);
        let parts = parts.collect::<Result<Vec<Part>, RunError>>()?;
        if !is_whole {
            self.state.keep(parts);
            return Ok(Step::Paused);
        }
        self.together = None;
        self.state.add(parts, batches, end);
        if self.is_over() || is_look(end, self.deals) {
            self.state.surveyed.survey.settle();
            return Ok(Step::Look);
        }
        Ok(Step::Counted)
    }

    /// Takes the next batches in hand.
    fn take_up(&mut self) -> Result<(), RunError> {
        let State { batches, dealt, .. } = self.state;
        let following = batches_between(dealt, self.deals, self.batch_cap);
        let mut following = (batches..).zip(following);
        let is_end = |end| is_look(end, self.deals);
        self.together = Together::next(self.source, &mut following, is_end)?;
        Ok(())
    }
}

impl State {
    /// Keeps what workers counted before a pause.
    fn keep(&mut self, parts: Vec<Part>) {
        for part in parts {
            match &mut self.part {
                Some(kept) => {
                    kept.share.merge(part.share);
                    kept.sifted.merge(&part.sifted);
                }
                none => *none = Some(part),
            }
        }
    }

    /// Adds what workers counted up to the end of the batches in hand.
    fn add(&mut self, parts: Vec<Part>, batches: u64, end: u64) {
        let mut shares = Vec::with_capacity(parts.len() + 1);
        for part in self.part.take().into_iter().chain(parts) {
            shares.push(part.share);
            self.surveyed.sifted.merge(&part.sifted);
        }
        self.surveyed.survey.add(shares);
        self.portions = 0;
        self.batches += batches;
        self.dealt = end;
    }
}

/// Counts for the tests, and for a script.
struct Both<'p> {
    surveying: Surveying<'p>,
    sifter: Option<Sifter<'p>>,
}

impl Both<'_> {
    fn finish(self) -> Result<Part, RunError> {
        let sifted = self.sifter.map(Sifter::finish).transpose()?;
        Ok(Part {
            share: self.surveying.finish(),
            sifted: sifted.unwrap_or_default(),
        })
    }
}

impl Counter for Both<'_> {
    fn begin(&mut self, batch: Batch, portion: &Portion) {
        self.surveying.begin(batch, portion);
    }

    fn count(&mut self, packet: &Packet) {
        self.surveying.count(packet);
        if let Some(sifter) = &mut self.sifter {
            sifter.sift(packet);
        }
    }

    fn end(&mut self) {
        self.surveying.end();
    }
}

/// What a battery has to know of such a run before its first deal.
#[must_use]
pub fn terms(plan: &SurveyPlan<'_>, deals: u64, batch_cap: u64, target: u64) -> Terms {
    let listed = plan.runs().is_some();
    let of_blocks = |share: u64| {
        let period = share * BLOCK_DEALS;
        deals / period * BLOCK_DEALS + (deals % period).min(BLOCK_DEALS)
    };
    let (mut of_batches, mut compared, mut groups) = (0, 0.0, [0; GROUPS]);
    if listed {
        for (number, batch) in (0..).zip(batches(deals, batch_cap)) {
            let deals = batch.end - batch.start;
            let batch = Batch { number, deals };
            groups[(number % GROUPS as u64) as usize] += deals;
            if plan.is_close(batch) {
                of_batches += deals;
            }
            if plan.is_compared(batch) {
                compared += deals as f64 * (deals - 1) as f64 / 2.0;
            }
        }
    }
    let (close, numbered) = match (plan.depth(), plan.is_whole()) {
        (Depth::Tables, _) => (0, 0),
        (Depth::Full, true) => (deals, deals),
        (Depth::Full, false) => (deals, 0),
        (Depth::Standard, true) => (of_blocks(CLOSE_SHARE), of_blocks(NUMBER_SHARE)),
        (Depth::Standard, false) if listed => (of_batches, 0),
        (Depth::Standard, false) => (of_blocks(CLOSE_SHARE), 0),
    };
    Terms {
        depth: plan.depth(),
        deals,
        target,
        close,
        numbered,
        kept: plan.kept(),
        longest: deals.min(batch_cap).min(BLOCK_DEALS),
        compared,
        batches: batches(deals, batch_cap).take(2).count() as u64,
        smallest_group: groups
            .into_iter()
            .filter(|deals| *deals > 0)
            .min()
            .unwrap_or(0),
        origin: match plan.runs() {
            Some(runs) => Origin::Cases(runs.seats().0, runs.seats().1),
            None if plan.is_whole() => Origin::Whole,
            None => Origin::Unknown(Vec::new()),
        },
        sessions: 0,
        session_pairs: 0,
        seeds: false,
        referred: false,
        open: false,
    }
}

/// Deals exactly so many deals, on the threads of the current rayon pool, and
/// counts them into a survey.
///
/// `look` is called with it at 2^14, 2^15, 2^16 .. deals and at the end, always
/// after a whole batch, and may end the run there, as a sieve may that has kept enough;
/// `progress` is told of deals as portions are done. [`Running`] can be paused, too.
///
/// # Errors
///
/// As [`Running::step`].
pub fn survey(
    source: &dyn Source,
    plan: &SurveyPlan<'_>,
    sieve: &Sieve,
    size: (u64, u64),
    progress: &(dyn Fn(u64) + Sync),
    look: &mut dyn FnMut(&Survey) -> ControlFlow<()>,
) -> Result<Surveyed, RunError> {
    let work = Work {
        progress,
        ..Work::QUIET
    };
    let mut running = Running::new(source, plan, sieve, size);
    loop {
        match running.step(&work)? {
            Step::Paused | Step::Counted => {}
            Step::Ended => break,
            Step::Look => {
                if look(&running.state().surveyed.survey).is_break() {
                    break;
                }
            }
        }
    }
    Ok(running.finish())
}

/// Whether tests are made after so many of a run's deals.
pub(crate) fn is_look(end: u64, deals: u64) -> bool {
    end == deals || end >= FIRST_LOOK && end.is_power_of_two()
}
