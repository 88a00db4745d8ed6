//! Any bytes as a checkpoint: either an error, or a state of a run.
//!
//! If the first byte is 0, the others are a whole file. Otherwise they are changes to a valid
//! checkpoint of four bytes each: three for a position and one for the new byte. Afterwards its
//! checksums are corrected.
#![no_main]

use std::ops::ControlFlow;
use std::sync::{Arc, LazyLock};

use fairdeal::battery::{Battery, Expected};
use fairdeal::draw::{Aes128Ctr, Dealer, Seeded};
use fairdeal::run::{self, Checkpoint, Contents, KeepFilter, RunStep, Running, WorkerCalls};
use fairdeal::tally::{CountPlan, Counts, Depth};
use libfuzzer_sys::fuzz_target;

/// Number of deals, and the cap on batches: the last is the first of two portions.
const SIZE: (u64, u64) = (1 << 18, 1 << 20);

/// Number of bytes before the description.
const HEADER: usize = 96;

static PLAN: LazyLock<CountPlan<'static>> =
    LazyLock::new(|| CountPlan::unconstrained(Depth::Standard).keeping(1 << 10));
static EXPECTED: LazyLock<Arc<Expected>> = LazyLock::new(|| Arc::new(Expected::every_deal()));
static SOUND: LazyLock<Vec<u8>> = LazyLock::new(sound);

fuzz_target!(|data: &[u8]| {
    let Some((&how, bytes)) = data.split_first() else {
        return;
    };
    let read = match how {
        0 => Checkpoint::from_bytes(bytes),
        _ => Checkpoint::from_bytes(&changed(bytes)),
    };
    let Ok(contents) = read.and_then(|checkpoint| checkpoint.contents::<Contents>()) else {
        return;
    };
    resume(contents);
});

/// The valid checkpoint with these changes and corrected checksums.
fn changed(changes: &[u8]) -> Vec<u8> {
    let mut bytes = SOUND.clone();
    for change in changes.chunks_exact(4) {
        let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
        let end = bytes.len();
        bytes[HEADER + place % (end - HEADER)] = change[3];
    }
    let hash = *blake3::hash(&bytes[HEADER..]).as_bytes();
    bytes[32..64].copy_from_slice(&hash);
    let hash = *blake3::hash(&bytes[..64]).as_bytes();
    bytes[64..HEADER].copy_from_slice(&hash);
    bytes
}

fn battery() -> Battery {
    let terms = run::terms(&PLAN, SIZE.0, SIZE.1, 1);
    Battery::new(terms, Arc::clone(&EXPECTED))
}

/// Resumes the run, if the state has the shape of such a run. Its counts are trusted, so it is not
/// completed.
fn resume(contents: Contents) {
    let (dealer, generator) = (Dealer::<Vec<u8>>::unconstrained(), Aes128Ctr::new(1));
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let keep_filter = KeepFilter::default();
    let running = Running::new(&source, &PLAN, &keep_filter, SIZE);
    if let Err(error) = running.resumed(contents.state) {
        assert!(!error.to_string().is_empty());
    }
    if let Some(seen) = contents.seen {
        let _ = battery().having_seen(seen);
    }
}

/// A valid checkpoint in the middle of a batch.
fn sound() -> Vec<u8> {
    let (dealer, generator) = (Dealer::<Vec<u8>>::unconstrained(), Aes128Ctr::new(1));
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let keep_filter = KeepFilter::default();
    let mut running = Running::new(&source, &PLAN, &keep_filter, SIZE);
    let mut battery = battery();
    let work = WorkerCalls {
        pause: &|| true,
        ..WorkerCalls::QUIET
    };
    while running.dealt() < 3 * SIZE.0 / 4 {
        let mut look = |counts: &Counts| {
            battery.look(counts);
            ControlFlow::Continue(())
        };
        if let Ok(RunStep::Ended) = running.step(&work, &mut look) {
            break;
        }
    }
    let contents = Contents {
        state: running.state().clone(),
        seen: Some(battery.seen().clone()),
    };
    Checkpoint::to_bytes("{}", &contents)
}
