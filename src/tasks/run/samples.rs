//! The first deals of a run, which `deal` prints with the same seed: samples for the report's page,
//! and the rows of `csvrpt`.

use crate::bridge::Deal;
use crate::draw::Generator;
use crate::error::Error;
use crate::report::CsvReport;
use crate::run::{DealStream, RunCounts};
use crate::tasks::Prepared;

/// Number of deals shown.
const SAMPLES: u64 = 4;
/// Maximum number of deals drawn to find them: up to half a second on one core.
const MOST_DRAWN: u64 = 1 << 22;
/// The same limit after an interruption, when the user waits for the end.
const MOST_DRAWN_INTERRUPTED: u64 = 1 << 18;
/// Maximum number of rows of `csvrpt`.
const MOST_ROWS: u64 = 1 << 16;

/// The first deals of a run.
#[derive(Debug, Default)]
pub(crate) struct FirstDeals {
    /// The first four, with their labels.
    pub(crate) samples: Vec<(String, Deal)>,
    /// A row for each of the first 65,536 deals, if the script has a `csvrpt`.
    pub(crate) rows: Option<CsvReport>,
}

impl FirstDeals {
    /// Finds the first deals that `deal` would print with the same seed.
    ///
    /// Finds fewer if the run kept fewer or the filter accepts hardly any, and none for a generator
    /// that is one sequence.
    ///
    /// # Errors
    ///
    /// If the population changed while it was read, or if the arithmetic of a `csvrpt` fails.
    pub(crate) fn find(
        prepared: &Prepared,
        generator: &dyn Generator,
        counted: &RunCounts,
        is_interrupted: bool,
    ) -> Result<Self, Error> {
        let items = prepared.script.csv_report();
        let mut found = Self {
            samples: Vec::new(),
            rows: (!items.is_empty()).then(|| CsvReport::new(&items, &prepared.script.condition)),
        };
        if generator.is_one_sequence() {
            return Ok(found);
        }
        let most = if found.rows.is_some() {
            MOST_ROWS
        } else {
            SAMPLES
        };
        let population = &prepared.population;
        let dealt = counted.counts.deals();
        let (limit, kept) = match (population.is_exact(), is_interrupted) {
            (true, _) => (most, dealt),
            (false, true) => (MOST_DRAWN_INTERRUPTED, counted.kept_counts.kept),
            (false, false) => (MOST_DRAWN, counted.kept_counts.kept),
        };
        let stream = DealStream::of(population, generator)?.limited_to(limit);
        let mut stream = stream.with_draws(prepared.script.has_draws());
        for number in 1..=most.min(kept) {
            let next = stream.next_deal().map_err(|error| error.of(population))?;
            let Some(deal) = next else { break };
            if number <= SAMPLES {
                found.samples.push((format!("Deal {number}"), deal.deal));
            }
            if let Some(rows) = &mut found.rows {
                if rows.is_full() {
                    break;
                }
                rows.add(&items, number, &deal)
                    .map_err(|error| population.evaluation_error(&error))?;
            }
        }
        Ok(found)
    }
}
