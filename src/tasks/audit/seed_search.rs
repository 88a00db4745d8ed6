//! The search for known seeds.

use std::time::Instant;

use super::AuditRequest;
use crate::audit::BoardPlace;
use crate::bridge::Deal;
use crate::observer::{Observer, Stage};
use crate::report::SeedSearchRecord;
use crate::seeds::SeedSearch;
use crate::tally::Seeds;

/// Searches for the first deals among those of known seeds and generators, on the threads of the
/// current rayon pool, until the time limit or a stop request.
pub(super) fn search(
    request: &AuditRequest,
    first: &[(BoardPlace, Deal)],
    names: &[&str],
    observer: &dyn Observer,
) -> (SeedSearchRecord, Seeds) {
    let clock = Instant::now();
    let deals: Vec<Deal> = first.iter().map(|(_, deal)| *deal).collect();
    let search = SeedSearch {
        deals: &deals,
        days: request.seed_day.clone(),
    };
    let limit = request.seed_search.unwrap_or_default();
    let stop = || clock.elapsed() >= limit || observer.is_stop_asked();
    let stage = observer.stage(Stage::Seeds, Some(0));
    let searched = search.run(&stop, &|done, of| stage.reached(done, Some(of)));
    drop(stage);
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
        found: searched.deals_found(),
    };
    (record, seeds)
}
