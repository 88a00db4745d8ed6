//! `--seed-search`

use std::time::Instant;

use fairdeal::audit::Place;
use fairdeal::cards::Deal;
use fairdeal::report::SeedSearchRecord;
use fairdeal::seeds::Search;
use fairdeal::tally::Seeds;

use super::Arguments;
use crate::cli::output;
use crate::cli::signals::Interrupt;

/// Looks for the first deals among those that known dealers deal from their seeds, on the
/// threads of the current rayon pool, until the time is over or somebody interrupts.
pub(super) fn search(
    arguments: &Arguments,
    first: &[(Place, Deal)],
    names: &[&str],
    interrupt: &Interrupt,
) -> (SeedSearchRecord, Seeds) {
    let clock = Instant::now();
    let deals: Vec<Deal> = first.iter().map(|(_, deal)| *deal).collect();
    let search = Search {
        deals: &deals,
        days: arguments.seed_day.clone(),
    };
    let limit = arguments.seed_search.unwrap_or_default();
    let stop = || clock.elapsed() >= limit || interrupt.is_asked();
    let bar = output::progress("seeds", 0, arguments.quiet);
    let searched = search.run(&stop, &|done, of| {
        bar.set_length(of);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let hits = searched.hits.iter().map(|hit| {
        let (place, _) = first[hit.deal];
        let name = names[place.input as usize];
        format!(
            "{name}:{} is dealt from seed {} by {}",
            place.line, hit.seed, hit.method
        )
    });
    let record = SeedSearchRecord {
        deals: deals.len(),
        tried: searched.tried.to_string(),
        complete: searched.complete,
        seconds: clock.elapsed().as_secs_f64(),
        found: hits.collect(),
    };
    let seeds = Seeds {
        deals: deals.len() as u64,
        tried: searched.tried,
        found: searched.hits.len() as u64,
    };
    (record, seeds)
}
