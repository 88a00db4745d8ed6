//! A run that is paused, saved and resumed gives the same result, and only an intact checkpoint of
//! that run can be resumed.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::folder;
use crate::common::runs::{Kind, result};
use fairdeal::battery::{Battery, BatteryState};
use fairdeal::draw::{Aes128Ctr, Seeded};
use fairdeal::run::{
    self, Checkpoint, CheckpointError, Checkpoints, Contents, Damage, Durability, RunState,
    RunStep, Running, WorkerCalls,
};
use fairdeal::tally::{Counts, Depth};

/// Runs to the end, and after about every `every`-th portion saves, forgets everything and
/// goes on from what was saved, each time with another number of threads.
fn run_in_pieces(kind: &Kind, every: Option<u64>) -> (Vec<String>, u32) {
    let (dealer, generator) = (kind.dealer(), Aes128Ctr::new(9));
    let source = Seeded {
        dealer: &dealer,
        generator: &generator,
    };
    let ((plan, expected), keep_filter) = (kind.plan(), kind.keep_filter());
    let terms = run::terms(&plan, kind.size.0, kind.size.1, 1);
    let new = || {
        let battery = Battery::new(terms.clone(), Arc::clone(&expected));
        (
            Running::new(&source, &plan, &keep_filter, kind.size),
            battery,
        )
    };
    let (mut running, mut battery) = new();
    let (mut resumed, asked) = (0, AtomicU64::new(0));
    loop {
        let work = WorkerCalls {
            pause: &|| every.is_some_and(|n| asked.fetch_add(1, Ordering::Relaxed) % n == n - 1),
            progress: &|_| (),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + resumed as usize % 3);
        let mut look = |counts: &Counts| {
            battery.look(counts);
            ControlFlow::Continue(())
        };
        let step = pool
            .build()
            .unwrap()
            .install(|| running.step(&work, &mut look))
            .unwrap();
        if step == RunStep::Ended {
            break;
        }
        if every.is_some() {
            let contents = Contents {
                state: running.state().clone(),
                seen: Some(battery.seen().clone()),
            };
            let bytes = Checkpoint::to_bytes("{}", &contents);
            let contents = Checkpoint::from_bytes(&bytes)
                .unwrap()
                .contents::<Contents>()
                .unwrap();
            let dealt = running.dealt();
            (running, battery) = new();
            running = running.resumed(contents.state).unwrap();
            battery = battery.having_seen(contents.seen.unwrap()).unwrap();
            assert_eq!(running.dealt(), dealt);
            resumed += 1;
        }
    }
    assert_eq!(running.counted(), kind.size.0);
    (result(&running.finish(), &battery), resumed)
}

#[test]
#[ignore = "long"]
fn a_run_in_pieces_comes_to_the_same_result() {
    let folder = folder();
    for (number, kind) in Kind::all(folder.path()).iter().enumerate() {
        let (whole, _) = run_in_pieces(kind, None);
        for every in [1, 3, 11] {
            let (parts, resumed) = run_in_pieces(kind, Some(every));
            assert!(resumed >= 4, "{number}: {resumed}");
            for (part, whole) in parts.iter().zip(&whole) {
                let start = &whole[..whole.len().min(80)];
                assert!(part == whole, "kind {number}, every {every}: {start}");
            }
        }
    }
}

/// A state in the middle of a batch of a small run, and what a whole checkpoint of it is.
fn small() -> (Kind, RunState, Vec<u8>) {
    let kind = Kind::unconstrained(Depth::Standard, (400_000, 1 << 26));
    let state = {
        let (dealer, generator) = (kind.dealer(), Aes128Ctr::new(1));
        let source = Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        let ((plan, _), keep_filter) = (kind.plan(), kind.keep_filter());
        let mut running = Running::new(&source, &plan, &keep_filter, kind.size);
        let work = WorkerCalls {
            pause: &|| true,
            progress: &|_| (),
        };
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1);
        let alone = alone.build().unwrap();
        while running.dealt() < 300_000 {
            let mut go_on = |_: &Counts| ControlFlow::Continue(());
            alone.install(|| running.step(&work, &mut go_on)).unwrap();
        }
        assert!(running.dealt() > running.counted());
        running.state().clone()
    };
    let contents = Contents { state, seen: None };
    let bytes = Checkpoint::to_bytes("{\"seed\":\"0x1\"}", &contents);
    (kind, contents.state, bytes)
}

/// Numbers that are the same in every run of the tests.
fn numbers(mut state: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % below
    }
}

#[test]
#[ignore = "long"]
fn every_flipped_bit_is_found() {
    let (_, _, bytes) = small();
    assert!(Checkpoint::from_bytes(&bytes).is_ok());
    let header = 8 * 96;
    let mut number = numbers(1);
    let places = (0..header).chain((0..10_000).map(|_| {
        let rest = 8 * bytes.len() as u64 - header;
        header + number(rest)
    }));
    let mut damaged = bytes.clone();
    for place in places {
        let (byte, bit) = ((place / 8) as usize, 1 << (place % 8));
        damaged[byte] ^= bit;
        assert!(Checkpoint::from_bytes(&damaged).is_err(), "bit {place}");
        damaged[byte] ^= bit;
    }
    for _ in 0..200 {
        let length = number(bytes.len() as u64) as usize;
        assert!(Checkpoint::from_bytes(&bytes[..length]).is_err());
    }
    damaged.push(0);
    assert!(matches!(
        Checkpoint::from_bytes(&damaged),
        Err(Damage::Length { .. })
    ));
}

#[test]
fn another_run_s_state_is_refused() {
    let (kind, state, _) = small();
    let others = [
        Kind::unconstrained(Depth::Standard, (400_000, 1 << 15)),
        Kind::unconstrained(Depth::Standard, (150_000, 1 << 26)),
        Kind::unconstrained(Depth::Full, (400_000, 1 << 26)),
    ];
    let try_with = |kind: &Kind| {
        let (dealer, generator) = (kind.dealer(), Aes128Ctr::new(1));
        let source = Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        let ((plan, _), keep_filter) = (kind.plan(), kind.keep_filter());
        let running = Running::new(&source, &plan, &keep_filter, kind.size);
        running.resumed(state.clone()).is_ok()
    };
    assert!(try_with(&kind));
    for other in &others {
        assert!(!try_with(other), "{:?} {:?}", other.depth, other.size);
    }
}

#[test]
fn the_newest_whole_checkpoint_is_gone_on_from() {
    let (_, state, bytes) = small();
    let folder = folder();
    let mut checkpoints = Checkpoints::of(folder.path());
    assert!(!checkpoints.exist() && checkpoints.newest().unwrap().is_none());
    let (synced, unsynced) = (Durability::Synced, Durability::Unsynced);
    for (description, durability) in [("first", synced), ("second", synced), ("third", unsynced)] {
        checkpoints
            .save(description, &(&state, None::<&BatteryState>), durability)
            .unwrap();
    }
    checkpoints.finish().unwrap();
    let newest = |checkpoints: &Checkpoints| {
        let found = checkpoints.newest().unwrap().unwrap();
        (found.checkpoint.description, found.passed_over.is_some())
    };
    assert_eq!(newest(&checkpoints), ("third".to_owned(), false));
    let [now, before] = ["checkpoint", "checkpoint.previous"].map(|name| folder.path().join(name));
    let mut names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["checkpoint", "checkpoint.previous"]);

    // Cut off where a power cut may have left it.
    let whole = fs::read(&now).unwrap();
    for length in [0, 7, 95, 96, 1000, whole.len() - 1] {
        fs::write(&now, &whole[..length]).unwrap();
        assert_eq!(
            newest(&checkpoints),
            ("second".to_owned(), true),
            "{length}"
        );
    }
    // One byte flipped in the header, in the description and in the state.
    for place in [20, 97, whole.len() / 2, whole.len() - 1] {
        let mut flipped = whole.clone();
        flipped[place] ^= 1;
        fs::write(&now, flipped).unwrap();
        assert_eq!(newest(&checkpoints), ("second".to_owned(), true), "{place}");
    }
    fs::remove_file(&now).unwrap();
    assert_eq!(newest(&checkpoints), ("second".to_owned(), false));
    fs::write(&before, &whole[..100]).unwrap();
    let error = checkpoints.newest().unwrap_err();
    assert!(matches!(error, CheckpointError::Damaged(_)), "{error}");

    // The damaged one never takes the place of the one that is gone on from.
    fs::write(&now, &whole[..100]).unwrap();
    fs::write(&before, &whole).unwrap();
    let found = checkpoints.newest().unwrap().unwrap();
    checkpoints.put_aside(&found).unwrap();
    assert!(!now.exists());
    assert_eq!(newest(&checkpoints), ("third".to_owned(), false));
    checkpoints
        .save(
            "fourth",
            &(&state, None::<&BatteryState>),
            Durability::Synced,
        )
        .unwrap();
    checkpoints.finish().unwrap();
    fs::remove_file(&now).unwrap();
    assert_eq!(newest(&checkpoints), ("third".to_owned(), false));
    fs::remove_file(&before).unwrap();
    fs::create_dir(&now).unwrap();
    assert!(checkpoints.newest().is_err());
    fs::remove_dir(&now).unwrap();

    // Of another version, the one before it is not what anyone wants to go on from.
    let with = |at: usize, bytes: &[u8]| {
        let mut other = whole.clone();
        other[at..][..bytes.len()].copy_from_slice(bytes);
        sealed(other)
    };
    fs::write(&before, &whole).unwrap();
    for (at, bytes, message) in [
        (8, 1u32.to_le_bytes(), "version 1"),
        (12, 0x0403_0201u32.to_ne_bytes(), "a different byte order"),
    ] {
        fs::write(&now, with(at, &bytes)).unwrap();
        let error = checkpoints.newest().unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    fs::write(&now, b"FDCASES1 and whatever").unwrap();
    assert_eq!(newest(&checkpoints), ("third".to_owned(), true));
    // Lengths that no file can have are not believed.
    let huge = with(24, &u64::MAX.to_le_bytes());
    assert!(Checkpoint::from_bytes(&huge).is_err());
    let huge = with(24, &(1u64 << 39).to_le_bytes());
    assert!(matches!(
        Checkpoint::from_bytes(&huge),
        Err(Damage::Length { .. })
    ));
    assert!(Checkpoint::from_bytes(&bytes).is_ok());
    checkpoints.remove().unwrap();
    assert!(!checkpoints.exist());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// The bytes of a checkpoint with checksums that are right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let hash = *blake3::hash(&bytes[96..]).as_bytes();
    bytes[32..64].copy_from_slice(&hash);
    let hash = *blake3::hash(&bytes[..64]).as_bytes();
    bytes[64..96].copy_from_slice(&hash);
    bytes
}
