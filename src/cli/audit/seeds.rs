//! `--seed-search`

use std::time::{Duration, Instant};

use fairdeal::audit::Place;
use fairdeal::cards::Deal;
use fairdeal::report::SeedSearchRecord;
use fairdeal::seeds;
use fairdeal::tally::Seeds;

use crate::cli::output;

/// Looks for the first deals among those that known dealers deal from their seeds, on the
/// threads of the current rayon pool, for so long at most.
pub(super) fn search(
    first: &[(Place, Deal)],
    names: &[String],
    limit: Duration,
    quiet: bool,
) -> (SeedSearchRecord, Seeds) {
    let clock = Instant::now();
    let deals: Vec<Deal> = first.iter().map(|(_, deal)| *deal).collect();
    let bar = output::progress("seeds", 0, quiet);
    let searched = seeds::search(&deals, clock.checked_add(limit), &|done, of| {
        bar.set_length(of);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    let hits = searched.hits.iter().map(|hit| {
        let (place, _) = first[hit.deal];
        let name = &names[place.input as usize];
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
