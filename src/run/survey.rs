//! A run that is tested: batch by batch, with a look at every power of two.

use std::ops::ControlFlow;

use super::sieve::{Sieve, Sifted, Sifter};
use super::together::{Counter, deal_together};
use super::{RunError, batches};
use crate::battery::{FIRST_LOOK, Origin, Terms};
use crate::draw::{BLOCK_DEALS, Packet, Portion, Source};
use crate::tally::{
    Batch, CLOSE_SHARE, Depth, GROUPS, Latency, NUMBER_SHARE, Survey, SurveyPlan, Surveying,
};

/// Deals that PASS takes unless `--target` says otherwise.
pub const DEFAULT_TARGET: u64 = 1 << 20;

/// What a run has counted, and how long its deals took.
#[derive(Clone, Debug)]
pub struct Surveyed {
    /// Everything that tests look at.
    pub survey: Survey,
    /// What a script asked of the deals.
    pub sifted: Sifted,
    /// Time a deal, by portion.
    pub latency: Latency,
}

/// Counts for the tests, and for a script.
struct Both<'p> {
    surveying: Surveying<'p>,
    sifter: Option<Sifter<'p>>,
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
/// `progress` is told of deals as portions are done. The survey is a function of the
/// source, the sieve, the number of deals and the cap alone.
///
/// # Errors
///
/// [`RunError`] if the case file was altered during the run, the random words ended, or
/// the sieve's arithmetic failed for some deal.
pub fn survey(
    source: &dyn Source,
    plan: &SurveyPlan<'_>,
    sieve: &Sieve,
    (deals, batch_cap): (u64, u64),
    progress: &(dyn Fn(u64) + Sync),
    look: &mut dyn FnMut(&Survey) -> ControlFlow<()>,
) -> Result<Surveyed, RunError> {
    let mut surveyed = Surveyed {
        survey: plan.survey(),
        sifted: Sifted::default(),
        latency: Latency::default(),
    };
    let mut batches = (0..).zip(batches(deals, batch_cap));
    while let Some((dealt, counted)) = deal_together(
        source,
        &mut batches,
        |end| is_look(end, deals),
        || Both {
            surveying: Surveying::new(plan, &surveyed.survey, source.path()),
            sifter: (!sieve.is_idle()).then(|| sieve.sifter(source.path())),
        },
        progress,
        &mut surveyed.latency,
    )? {
        let mut shares = Vec::with_capacity(counted.len());
        for both in counted {
            shares.push(both.surveying.finish());
            if let Some(sifter) = both.sifter {
                surveyed.sifted.merge(&sifter.finish()?);
            }
        }
        surveyed.survey.add(shares);
        let enough = sieve.is_enough(surveyed.sifted.kept);
        if enough || is_look(dealt, deals) {
            surveyed.survey.settle();
            if look(&surveyed.survey).is_break() || enough {
                break;
            }
        }
    }
    Ok(surveyed)
}

/// Whether tests are made after so many of a run's deals.
pub(crate) fn is_look(end: u64, deals: u64) -> bool {
    end == deals || end >= FIRST_LOOK && end.is_power_of_two()
}
