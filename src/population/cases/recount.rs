//! Checks within milliseconds whether an opened case file is the listing of its condition.
//!
//! Checksums detect accidental damage. They do not detect a file that has correct checksums but
//! wrong contents, whether from a defect of an earlier version or from a forger. So a file is
//! recounted before anything is dealt or computed from it, within a budget of steps:
//!
//! - A file of up to 10,000,000 cases is compared with a new listing of its condition. This is a
//!   proof.
//! - If the file is larger, or the listing takes too many steps, a sample is checked record by
//!   record: order, weight, and whether the hands satisfy the condition. The sample is 16,384
//!   records in 128 runs over the whole file, including the first and the last record, or all
//!   records of a file with up to 131,072. The census then counts the cases and T.
//!
//! [`CaseFile::verify`] has no budget. [`cells::recount`](crate::population::cells::recount) counts
//! by cells if the census takes too long.

use rayon::prelude::*;

use super::census::{Census, census_within};
use super::file::CaseFile;
use super::joint;
use super::listing::{Listing, ListingError};
use super::record::{Case, CaseRecord};
use super::source::CaseChunk;
use super::verify::VerifyError;
use super::weight::weight;
use crate::bridge::Seat;
use crate::language::{Condition, HandCase, ListedHand, Plan};

/// How much of a case file was compared with its condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Recounted {
    /// A sample of its records; more would exceed the budget.
    Sample,
    /// Its number of cases, T and a sample of its records.
    Totals,
    /// Every record: the file is the listing of its condition.
    All,
}

impl Recounted {
    /// The name in run.json: `sample`, `totals` or `all`.
    #[must_use]
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sample => "sample",
            Self::Totals => "totals",
            Self::All => "all",
        }
    }

    /// Raises the level after the number of cases and T were compared too.
    #[must_use]
    pub(crate) fn with_totals<D: AsRef<[u8]>>(self, file: &CaseFile<D>) -> Self {
        match sample_size(file.cases()) == file.cases() {
            // Every record was checked and the count matches, so the cases are complete.
            true => Self::All,
            false => self.max(Self::Totals),
        }
    }
}

/// Maximum number of cases of a file that is compared whole.
const MOST_COMPARED: u64 = 10_000_000;
/// Maximum number of steps of a comparison: at worst a few tenths of a second, usually a tenth of
/// that.
const MOST_STEPS_COMPARED: u64 = 1 << 29;
/// Maximum number of steps for listing each hand: less than a tenth of a second if the file can be
/// compared whole, otherwise a few milliseconds.
const MOST_STEPS_LISTED: u64 = 1 << 24;
const MOST_STEPS_LISTED_TO_COUNT: u64 = 1 << 22;
/// Maximum number of steps of a census: about ten milliseconds.
const MOST_STEPS_COUNTED: u64 = 1 << 25;

/// Number of runs of consecutive records in a sample, and number of records in each run.
const RUNS: u64 = 128;
const RUN: u64 = 128;

/// Maximum number of cases of a file whose records are all checked one by one.
const MOST_CHECKED: u64 = 1 << 17;

/// Returns how many records are checked one by one in a file with this number of cases that is not
/// compared whole.
#[must_use]
pub const fn sample_size(cases: u64) -> u64 {
    if cases <= MOST_CHECKED {
        cases
    } else {
        RUNS * RUN
    }
}

/// The hands of a case and what is fixed of them, by the plan of the condition.
#[derive(Clone, Copy)]
struct CaseHands {
    first: ListedHand,
    second: Option<ListedHand>,
}

impl CaseHands {
    fn seats(&self) -> (Seat, Option<Seat>) {
        (self.first.seat, self.second.map(|hand| hand.seat))
    }

    /// Whether a case fixes exactly the pattern and honours that the plan fixes.
    fn are_fixed_by(&self, case: &Case) -> bool {
        let fixed = |hand: ListedHand, case: HandCase| {
            (hand.by_pattern, hand.by_honours) == (case.pattern.is_some(), case.honours.is_some())
        };
        fixed(self.first, case.first)
            && match (self.second, case.second) {
                (Some(hand), Some(case)) => fixed(hand, case),
                (second, case) => second.is_none() && case.is_none(),
            }
    }

    /// Returns all four hands of a case, to evaluate conditions on.
    fn at_table(&self, case: &Case) -> [HandCase; 4] {
        let mut hands = joint::at_table([(self.first.seat, case.first)]);
        if let Some((hand, case)) = self.second.zip(case.second) {
            hands[hand.seat.index()] = case;
        }
        hands
    }
}

/// Compares a case file with the listing of the condition in its header, within a budget of about a
/// tenth of a second. Does not check the checksum of the records.
///
/// # Errors
///
/// [`VerifyError`] with the first difference found.
pub fn recount<D: AsRef<[u8]> + Sync>(file: &CaseFile<D>) -> Result<Recounted, VerifyError> {
    let header = file.header();
    let order: Vec<Seat> = [Some(header.first), header.second]
        .into_iter()
        .flatten()
        .collect();
    let no_listing = |_| VerifyError::NoListing;
    let condition = Condition::parse("condition of the case file", &header.condition)
        .map_err(|_| VerifyError::NoListing)?;
    let hands = match Plan::new(&condition, Some(&order)).map_err(no_listing)? {
        Plan::Listed { first, second } => CaseHands { first, second },
        _ => return Err(VerifyError::NoListing),
    };
    if hands.seats() != (header.first, header.second) {
        return Err(VerifyError::NoListing);
    }
    file.verify_total()?;
    file.verify_index()?;
    let is_short = file.cases() <= MOST_COMPARED;
    let most_steps = match is_short {
        true => MOST_STEPS_LISTED,
        false => MOST_STEPS_LISTED_TO_COUNT,
    };
    let listing = match Listing::within(&condition, Some(&order), most_steps) {
        Ok(listing) => listing,
        Err(ListingError::Memory { .. }) => None,
        Err(_) => return Err(VerifyError::NoListing),
    };
    let can_be_compared = |listing: &&Listing| is_short && listing.steps() <= MOST_STEPS_COMPARED;
    if let Some(listing) = listing.as_ref().filter(can_be_compared) {
        file.compare(listing)?;
        return Ok(Recounted::All);
    }
    file.check_sample(&condition, &hands)?;
    let counted = listing.map(|listing| census_within(&condition, &listing, MOST_STEPS_COUNTED));
    match counted.transpose() {
        Ok(Some(Some(census))) => {
            file.compare_totals(census)?;
            Ok(Recounted::Sample.with_totals(file))
        }
        Ok(_) | Err(ListingError::Memory { .. }) => Ok(Recounted::Sample),
        Err(_) => Err(VerifyError::NoListing),
    }
}

impl<D: AsRef<[u8]> + Sync> CaseFile<D> {
    /// Checks that the header has this number of cases and this T.
    pub(crate) fn compare_totals(&self, census: Census) -> Result<(), VerifyError> {
        let (wanted, found) = (census.cases, self.cases());
        if wanted != found {
            return Err(VerifyError::NotAllCases { wanted, found });
        }
        let (wanted, found) = (census.total, self.total());
        if wanted != found {
            return Err(VerifyError::WrongTotal { wanted, found });
        }
        Ok(())
    }

    /// Compares every record with a listing, which is enumerated once. The position of each chunk
    /// in the file is found by a search for its first case.
    fn compare(&self, listing: &Listing) -> Result<(), VerifyError> {
        let records = self.records();
        let compare = |chunk: CaseChunk| {
            let mut stretch: Option<(usize, usize)> = None;
            let (mut total, mut wrong) = (0u128, None);
            listing.for_each(chunk.units, |case, weight| {
                if wrong.is_some() {
                    return;
                }
                let (_, place) = stretch.get_or_insert_with(|| {
                    let key = CaseRecord::new(0, case).order_key();
                    let start = records.partition_point(|record| record.order_key() < key);
                    total = self.total_before(start as u64);
                    (start, start)
                });
                let before = total;
                total += u128::from(weight);
                let wanted = CaseRecord::new(0, case).hands_bits();
                let is_wanted =
                    |record: &CaseRecord| record.hands_bits() == wanted && record.total() == total;
                let found = records.get(*place);
                *place += 1;
                if !found.is_some_and(is_wanted) {
                    wrong = Some(difference(*place as u64, case, (before, weight), found));
                }
            });
            wrong.map_or(Ok(stretch), Err)
        };
        let chunks = CaseChunk::of_units(listing.units());
        let stretches: Vec<_> = chunks.into_par_iter().map(compare).collect();
        let mut compared = 0;
        for stretch in stretches {
            if let Some((start, end)) = stretch? {
                if start != compared {
                    return Err(VerifyError::NotTheCondition(compared as u64 + 1));
                }
                compared = end;
            }
        }
        if compared == records.len() {
            return Ok(());
        }
        let (wanted, found) = (compared as u64, self.cases());
        Err(VerifyError::NotAllCases { wanted, found })
    }

    /// Checks records one by one: all records of a small file, or runs spread over a larger one.
    fn check_sample(&self, condition: &Condition, hands: &CaseHands) -> Result<(), VerifyError> {
        let cases = self.cases();
        let stretch = match sample_size(cases) == cases {
            true => RUN,
            false => cases.div_ceil(RUNS),
        };
        // The positions depend on the checksum of the records, so a forger who modifies one
        // record cannot tell beforehand whether it is checked.
        let mut places = blake3::Hasher::new();
        places.update(&self.header().records_hash);
        let mut places = places.finalize_xof();
        let mut starts = Vec::new();
        for run in 0..cases.div_ceil(stretch) {
            let mut word = [0; 8];
            places.fill(&mut word);
            let room = stretch - RUN + 1;
            starts.push(run * stretch + u64::from_le_bytes(word) % room);
        }
        if let [first, .., last] = &mut starts[..] {
            (*first, *last) = (0, cases - RUN);
        }
        let terms = condition.terms();
        let deck = self.deck();
        let check = |&start: &u64| -> Result<(), VerifyError> {
            let mut before = self.total_before(start);
            let previous = start
                .checked_sub(1)
                .map(|place| self.records()[place as usize]);
            let mut key = previous.map(CaseRecord::order_key);
            let end = (start + RUN).min(cases);
            for (case, record) in (start + 1..).zip(&self.records()[start as usize..end as usize]) {
                let found = record
                    .case()
                    .map_err(|damage| VerifyError::Record { case, damage })?;
                if !hands.are_fixed_by(&found) {
                    return Err(VerifyError::Fixed(case));
                }
                if key.is_some_and(|key| record.order_key() <= key) {
                    return Err(VerifyError::Order(case));
                }
                let wanted = weight(&deck, found.first, found.second);
                if record.total() <= before {
                    return Err(VerifyError::NotRising(case));
                }
                let risen = record.total() - before;
                if risen != u128::from(wanted) {
                    let found = risen;
                    return Err(VerifyError::Weight {
                        case,
                        wanted,
                        found,
                    });
                }
                let at_table = hands.at_table(&found);
                if !terms.iter().all(|term| term.holds(&at_table)) {
                    return Err(VerifyError::Unwanted(case));
                }
                (before, key) = (record.total(), Some(record.order_key()));
            }
            Ok(())
        };
        let first_wrong = starts.par_iter().find_map_first(|start| check(start).err());
        first_wrong.map_or(Ok(()), Err)
    }
}

/// Returns the error for a record that differs from the listed case at its position.
fn difference(
    place: u64,
    case: Case,
    (before, weight): (u128, u64),
    found: Option<&CaseRecord>,
) -> VerifyError {
    match found {
        Some(record) if record.case() == Ok(case) => VerifyError::Weight {
            case: place,
            wanted: weight,
            found: record.total().saturating_sub(before),
        },
        _ => VerifyError::NotTheCondition(place),
    }
}

#[cfg(test)]
mod tests {
    use super::super::header::{Header, checksum};
    use super::super::map::CaseBytes;
    use super::super::{DEFAULT_INTERVAL, census};
    use super::*;

    /// A condition with more cases than are all checked one by one.
    const LARGE: &str = "hcp(west) >= 15 && spades(west) >= 5";

    /// The cases of a condition with their weights.
    fn listed(text: &str) -> (Condition, Vec<(Case, u64)>) {
        let condition = Condition::parse("test", text).unwrap();
        let listing = Listing::new(&condition, None).unwrap();
        let mut cases = Vec::new();
        let visit = |case, weight| cases.push((case, weight));
        listing.for_each(0..listing.units(), visit);
        let census = census(&condition, &listing).unwrap();
        assert_eq!(census.cases, cases.len() as u64);
        (condition, cases)
    }

    fn file(condition: &Condition, cases: &[(Case, u64)]) -> CaseFile<CaseBytes> {
        let (mut total, mut records, mut index) = (0, Vec::new(), Vec::new());
        for (place, &(case, weight)) in cases.iter().enumerate() {
            if place.is_multiple_of(DEFAULT_INTERVAL as usize) {
                index.push(total);
            }
            total += u128::from(weight);
            records.push(CaseRecord::new(total, case));
        }
        let header = Header {
            total,
            cases: cases.len() as u64,
            interval: DEFAULT_INTERVAL,
            first: Seat::West,
            second: cases[0].0.second.map(|_| Seat::East),
            records_hash: checksum(bytemuck::cast_slice(&records)),
            index_hash: checksum(bytemuck::cast_slice(&index)),
            condition: condition.text().to_owned(),
        };
        let mut units: Vec<CaseRecord> = bytemuck::pod_collect_to_vec(&header.to_bytes());
        units.extend(records);
        units.extend(bytemuck::cast_slice::<u128, CaseRecord>(&index));
        CaseFile::new(CaseBytes::Copied(units.len() * 16, units)).unwrap()
    }

    fn sampled(condition: &Condition, cases: &[(Case, u64)]) -> Result<(), VerifyError> {
        let file = file(condition, cases);
        let order = [Some(file.header().first), file.header().second];
        let order: Vec<Seat> = order.into_iter().flatten().collect();
        let Plan::Listed { first, second } = Plan::new(condition, Some(&order)).unwrap() else {
            panic!("nothing is listed");
        };
        file.check_sample(condition, &CaseHands { first, second })
    }

    #[test]
    fn a_sample_of_sound_records_is_sound() {
        // All sizes: one run, several runs, and more records than are checked.
        for text in ["hcp(west) >= 37", "hcp(west) >= 25", LARGE] {
            let (condition, cases) = listed(text);
            assert!(sampled(&condition, &cases).is_ok(), "{text}");
            for count in [1, 2, 127, 128, 129, 255, 257].map(|count| count.min(cases.len())) {
                assert!(
                    sampled(&condition, &cases[..count]).is_ok(),
                    "{text}, {count}"
                );
            }
        }
    }

    #[test]
    fn every_record_of_a_small_file_is_in_its_sample() {
        // Otherwise the count and T would not prove it.
        let (condition, sound) = listed("hcp(west) >= 25");
        assert!(sound.len() < MOST_CHECKED as usize);
        for place in (0..sound.len()).step_by(97).chain([sound.len() - 1]) {
            let mut cases = sound.clone();
            cases[place].1 += 1;
            let wrong = sampled(&condition, &cases);
            assert!(
                matches!(wrong, Err(VerifyError::Weight { case, .. }) if case == place as u64 + 1),
                "{place}: {wrong:?}"
            );
            if place > 0 {
                let mut cases = sound.clone();
                cases.swap(place - 1, place);
                let wrong = sampled(&condition, &cases);
                assert!(
                    matches!(wrong, Err(VerifyError::Order(_))),
                    "{place}: {wrong:?}"
                );
            }
        }
    }

    #[test]
    fn records_that_are_wrong_all_over_a_large_file_are_found_in_its_sample() {
        // A file that is too large to be compared whole is still checked.
        let (condition, sound) = listed(LARGE);
        assert!(sound.len() > MOST_CHECKED as usize, "{}", sound.len());
        let heavier = sound.iter().map(|&(case, weight)| (case, weight + 1));
        let wrong = sampled(&condition, &heavier.collect::<Vec<_>>());
        assert!(
            matches!(wrong, Err(VerifyError::Weight { .. })),
            "{wrong:?}"
        );
        let (stronger, _) = listed("hcp(west) >= 20 && spades(west) >= 5");
        let wrong = sampled(&stronger, &sound);
        assert!(matches!(wrong, Err(VerifyError::Unwanted(_))), "{wrong:?}");
        let twice: Vec<_> = sound.iter().flat_map(|&case| [case, case]).collect();
        let wrong = sampled(&condition, &twice);
        assert!(matches!(wrong, Err(VerifyError::Order(_))), "{wrong:?}");
    }
}
