//! Statistics of perfect sets, which depend on the number of deals and not on the deals: made once,
//! and kept in the cache.

use std::fmt::Write as _;

use crate::battery::{Battery, Reference};
use crate::draw::{Dealer, STREAMS_VERSION};
use crate::error::Error;
use crate::observer::{Observer, Stage};
use crate::population::cases::CaseBytes;
use crate::population::{Listings, Population};
use crate::report::PROGRAM;
use crate::run;
use crate::tally::CountPlan;

/// Version of the statistics of perfect sets. Raise it if a test gives another statistic for the
/// same deals: the tests below then fail.
const SETS_VERSION: u32 = 2;

/// Perfect sets, and the tests that they are a reference for.
pub(super) struct PerfectSets<'s> {
    pub(super) population: &'s Population,
    /// The condition of the population; empty without one.
    pub(super) condition: &'s str,
    pub(super) plan: &'s CountPlan<'s>,
    pub(super) battery: &'s Battery,
    /// Number of sets, and of deals in each.
    pub(super) size: (u32, u64),
}

impl PerfectSets<'_> {
    /// Returns the statistics from the cache, or makes and keeps them.
    pub(super) fn reference(
        &self,
        kept: Option<&Listings>,
        observer: &dyn Observer,
    ) -> Result<Reference, Error> {
        let name = self.name();
        let found = kept.and_then(|kept| kept.find_result(&name));
        let found = found.and_then(|bytes| postcard::from_bytes::<Reference>(&bytes).ok());
        if let Some(found) = found {
            return Ok(found);
        }
        let made = self.made(observer)?;
        if let Some(kept) = kept
            && let Ok(bytes) = postcard::to_stdvec(&made)
        {
            kept.keep_result(&name, &bytes);
        }
        Ok(made)
    }

    fn made(&self, observer: &dyn Observer) -> Result<Reference, Error> {
        let (population, size) = (self.population, self.size);
        let stage = observer.stage(Stage::Sets, Some(size.0.into()));
        let dealer: Dealer<'_, CaseBytes> =
            Dealer::new(population).map_err(|error| error.of(population))?;
        let progress = |sets| stage.advance(sets);
        let made = run::reference(&dealer, self.plan, self.battery, size, &progress);
        made.map_err(|error| error.of(population))
    }

    /// A hash of everything that determines the statistics.
    fn name(&self) -> String {
        let (sets, deals) = self.size;
        let depth = self.plan.depth().name();
        let kept = self.plan.kept();
        let population = self.population.identity();
        let mut text = format!(
            "{PROGRAM} statistics {SETS_VERSION} streams {STREAMS_VERSION} sets {sets} deals {deals} \
             depth {depth} kept {kept} order {} part {:?} sampler {} condition {:?}",
            population.order, population.listed, population.sampler, self.condition
        );
        for row in self.battery.rows() {
            // Infallible: the text is in memory.
            let _ = write!(text, " {} {:?}", row.test.name(), row.subject);
        }
        blake3::hash(text.as_bytes()).to_hex()[..32].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::battery::Expected;
    use crate::observer::Silent;
    use crate::tally::Depth;

    const DEALS: u64 = 20;

    fn battery(plan: &CountPlan<'_>) -> Battery {
        let mut terms = run::terms(plan, DEALS, 1 << 16, 1_000_000);
        terms.referred = true;
        Battery::new(terms, Expected::every_deal().into())
    }

    #[test]
    fn statistics_are_made_once_for_a_number_of_deals() {
        let folder = tempfile::tempdir().unwrap();
        let kept = Listings::in_folder(folder.path().to_owned());
        let (population, plan) = (
            Population::every_deal(),
            CountPlan::unconstrained(Depth::Standard),
        );
        let battery = battery(&plan);
        let sets = |sets| PerfectSets {
            population: &population,
            condition: "",
            plan: &plan,
            battery: &battery,
            size: (sets, DEALS),
        };
        let files = || fs::read_dir(folder.path()).unwrap().count();
        let reference = |sets: &PerfectSets<'_>| sets.reference(Some(&kept), &Silent).unwrap();
        let made = reference(&sets(3));
        assert_eq!(made, sets(3).reference(None, &Silent).unwrap());
        let path = folder.path().join(format!("{}.sets", sets(3).name()));
        let bytes = fs::read(&path).unwrap();
        // The statistics of the file are used, if its checksum is right.
        let changed = {
            let of_other = sets(2).reference(None, &Silent).unwrap();
            kept.keep_result(&sets(2).name(), &postcard::to_stdvec(&of_other).unwrap());
            reference(&sets(2))
        };
        assert_eq!(changed, sets(2).reference(None, &Silent).unwrap());
        assert_eq!((reference(&sets(3)), files()), (made.clone(), 4));
        // Corrupted, truncated, of another number of sets: made and written again.
        let of_two = fs::read(folder.path().join(format!("{}.sets", sets(2).name()))).unwrap();
        let mut flipped = bytes.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for wrong in [&b""[..], &bytes[..bytes.len() / 2], &flipped, &of_two] {
            fs::write(&path, wrong).unwrap();
            assert_eq!(reference(&sets(3)), made);
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        assert_eq!(kept.prune().unwrap().files, 2);
        assert_eq!(files(), 0);
    }

    /// If this fails because a test gives another statistic, raise [`SETS_VERSION`].
    #[test]
    fn statistics_of_this_version_are_these() {
        let plan = CountPlan::unconstrained(Depth::Standard);
        let (population, battery) = (Population::every_deal(), battery(&plan));
        let sets = PerfectSets {
            population: &population,
            condition: "",
            plan: &plan,
            battery: &battery,
            size: (1, DEALS),
        };
        let made = sets.reference(None, &Silent).unwrap();
        let sum: f64 = made.all().map(|statistic| statistic.abs()).sum();
        assert_eq!(
            (SETS_VERSION, made.all().count(), format!("{sum:.3}")),
            (2, 72, "46696.486".to_owned())
        );
    }
}
