//! A run in parts, or by several processes, gives the same result as a run by one process.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::folder;
use crate::common::runs::{Kind, result};
use crate::common::team::{Member, each};
use fairdeal::battery::Battery;
use fairdeal::defect::{Defect, Defective};
use fairdeal::draw::{Aes128Ctr, DealSource, Dealer, Seeded};
use fairdeal::run::{
    BatchSize, Checkpoint, Contents, DealCount, KeepFilter, Merging, OtherProcesses, Part,
    PartRange, ProtocolError, RunError, RunState, RunStep, Running, Team, WorkerCalls, broadcast,
    reduce,
};
use fairdeal::tally::{CountPlan, Counts, Depth, Tally};

/// A run of this kind, looked at by its battery.
fn whole(kind: &Kind) -> Vec<String> {
    kind.with(|new, mut battery| {
        let mut running = new();
        go(&mut running, &mut battery, u64::MAX);
        result(&running.finish(), &battery)
    })
}

/// Takes so many steps of a run, and looks where it is to be looked at.
fn go(running: &mut Running<'_, '_>, battery: &mut Battery, steps: u64) {
    for _ in 0..steps {
        let mut look = |counts: &Counts| {
            battery.look(counts);
            ControlFlow::Continue(())
        };
        let step = running.step(&WorkerCalls::QUIET, &mut look).unwrap();
        if step == RunStep::Ended {
            break;
        }
    }
}

/// A look without tests.
fn go_on(_: &Counts) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn saved_and_read(state: &RunState) -> RunState {
    let (state, seen) = (state.clone(), None);
    let bytes = Checkpoint::to_bytes("{}", &Contents { state, seen });
    let contents = Checkpoint::from_bytes(&bytes)
        .unwrap()
        .contents::<Contents>();
    contents.unwrap().state
}

fn range_of(part: Part, (deals, batch): (u64, u64)) -> PartRange {
    let (deals, batch) = (DealCount::constant(deals), BatchSize::constant(batch));
    part.range(deals, batch).unwrap()
}

/// One part, saved and gone on from after about every `every`-th portion.
fn part(kind: &Kind, part: Part, every: u64) -> RunState {
    let range = range_of(part, kind.size);
    kind.with(|new, _| {
        let new = || new().part(range.clone());
        let (mut running, asked) = (new(), AtomicU64::new(0));
        while !running.is_over() {
            let work = WorkerCalls {
                pause: &|| asked.fetch_add(1, Ordering::Relaxed) % every == every - 1,
                progress: &|_| (),
            };
            running.step(&work, &mut go_on).unwrap();
            let state = saved_and_read(running.state());
            running = new().resumed(state).unwrap();
        }
        assert_eq!(running.counted(), range.count());
        running.into_state()
    })
}

/// So many parts, put together.
fn merged(kind: &Kind, of: u64) -> Vec<String> {
    kind.with(|_, mut battery| {
        let mut merging = Merging::default();
        for number in 1..=of {
            let state = part(kind, Part::new(number, of).unwrap(), 3 + number);
            let mut look = |counts: &_| _ = battery.look(counts);
            merging.add(state, number == of, &mut look);
        }
        result(&merging.finish().unwrap(), &battery)
    })
}

#[test]
#[ignore = "long"]
fn parts_put_together_are_the_run() {
    let folder = folder();
    for (number, kind) in Kind::all(folder.path()).iter().enumerate() {
        let whole = whole(kind);
        for of in [1, 5] {
            for (merged, whole) in merged(kind, of).iter().zip(&whole) {
                let start = &whole[..whole.len().min(80)];
                assert!(merged == whole, "kind {number}, {of} parts: {start}");
            }
        }
    }
}

/// Where a run of so many processes stands in the end. They go on from `state`, deal turns of
/// about so many deals, and stop after some of them.
fn dealt_by(
    kind: &Kind,
    processes: usize,
    turn: u64,
    turns: u64,
    from: Option<&(RunState, Battery)>,
) -> Option<(RunState, Battery)> {
    let ended = each(processes, |member: &Member| {
        kind.with(|new, mut battery| {
            let mut running = new();
            if member.place() > 0 {
                running.serve(member, &WorkerCalls::QUIET).unwrap();
                return None;
            }
            if let Some((state, seen)) = from {
                running = running.resumed(state.clone()).unwrap();
                battery = battery.having_seen(seen.seen().clone()).unwrap();
            }
            running = running.with_other_processes(OtherProcesses { team: member, turn });
            go(&mut running, &mut battery, turns);
            running.dismiss().unwrap();
            Some((running.into_state(), battery))
        })
    });
    ended.into_iter().next().flatten()
}

/// The result of a run that processes have dealt to its end.
fn result_of(kind: &Kind, (state, battery): (RunState, Battery)) -> Vec<String> {
    kind.with(|new, _| {
        let running = new().resumed(state).unwrap();
        assert!(running.is_over());
        result(&running.finish(), &battery)
    })
}

#[test]
#[ignore = "long"]
fn any_number_of_processes_come_to_the_same_result() {
    let folder = folder();
    for (number, kind) in Kind::all(folder.path()).iter().enumerate() {
        let whole = whole(kind);
        // Turns of many batches, of one, and of pieces of one.
        for (processes, turn) in [(2, 1 << 25), (3, 300_000), (5, 50_000)] {
            let ended = dealt_by(kind, processes, turn, u64::MAX, None).unwrap();
            for (found, whole) in result_of(kind, ended).iter().zip(&whole) {
                let start = &whole[..whole.len().min(80)];
                assert!(found == whole, "kind {number}, {processes}: {start}");
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn other_numbers_of_processes_go_on_from_each_other() {
    let folder = folder();
    for (number, kind) in Kind::all(folder.path()).iter().enumerate() {
        let whole = whole(kind);
        let (mut from, mut rounds) = (None, 0);
        let ended = loop {
            let (processes, turn) =
                [(2, 40_000), (5, 90_000), (1, 70_000), (3, 200_000)][rounds % 4];
            from = dealt_by(kind, processes, turn, 3, from.as_ref());
            rounds += 1;
            let (state, battery) = from.clone().unwrap();
            // One process goes on from any of them, too.
            let is_over = kind.with(|new, _| new().resumed(state.clone()).unwrap().is_over());
            if is_over {
                break (state, battery);
            }
        };
        assert!(rounds > 2, "{rounds}");
        for (found, whole) in result_of(kind, ended).iter().zip(&whole) {
            let start = &whole[..whole.len().min(80)];
            assert!(found == whole, "kind {number}: {start}");
        }
    }
}

#[test]
fn a_turn_that_one_process_stops_counts_for_nothing() {
    let kind = Kind::unconstrained(Depth::Standard, (3_000_000, 1 << 26));
    let counted = each(3, |member: &Member| {
        kind.with(|new, _| {
            let mut running = new();
            if member.place() > 0 {
                // The second is told to stop at once; its first portions are dealt all the same.
                let work = WorkerCalls {
                    pause: &|| member.place() == 1,
                    progress: &|_| (),
                };
                running.serve(member, &work).unwrap();
                return None;
            }
            let turn = 1 << 25;
            running = running.with_other_processes(OtherProcesses { team: member, turn });
            let mut steps = Vec::new();
            while !matches!(steps.last(), Some(RunStep::Stopped | RunStep::Ended)) {
                steps.push(running.step(&WorkerCalls::QUIET, &mut go_on).unwrap());
            }
            running.dismiss().unwrap();
            assert_eq!(steps.last(), Some(&RunStep::Stopped));
            // Whatever was whole before that turn is kept.
            assert_eq!(running.dealt(), running.counted());
            Some((steps.len(), running.counted()))
        })
    });
    let (steps, counted) = counted[0].unwrap();
    assert!(
        steps > 1 && (1 << 14..3_000_000).contains(&counted),
        "{counted}"
    );
}

#[test]
fn another_part_s_state_is_refused() {
    let kind = Kind::unconstrained(Depth::Standard, (400_000, 1 << 16));
    let [first, second] = [1, 2].map(|number| Part::new(number, 2).unwrap());
    let state = part(&kind, second, 4);
    kind.with(|new, _| {
        let of_part = |part: Part| new().part(range_of(part, kind.size));
        assert!(of_part(second).resumed(state.clone()).is_ok());
        for other in [of_part(first), new()] {
            let taken = other.resumed(state.clone());
            assert!(matches!(taken, Err(RunError::State(_))));
        }
    });
}

/// The tables of so many deals of a source.
fn tables(source: &dyn DealSource, deals: u64) -> Tally {
    let plan = CountPlan::unconstrained(Depth::Tables);
    let (keep_filter, size) = (KeepFilter::default(), (deals, 1 << 16));
    let mut running = Running::new(source, &plan, &keep_filter, size);
    while running.step(&WorkerCalls::QUIET, &mut go_on).unwrap() != RunStep::Ended {}
    running.finish().counts.tally()
}

#[test]
fn the_one_part_that_was_dealt_badly_is_found() {
    let dealer = Dealer::<Vec<u8>>::unconstrained();
    let well = |seed: u64| {
        let generator = Aes128Ctr::new(seed.into());
        let source = Seeded {
            dealer: &dealer,
            generator: &generator,
        };
        tables(&source, 50_000)
    };
    let kind = Kind::unconstrained(Depth::Tables, (800_000, 1 << 16));
    kind.with(|_, battery| {
        // Perfect parts: the mean of each statistic is its degrees of freedom.
        let rounds: Vec<_> = (0..12)
            .map(|round| {
                let parts: Vec<Tally> = (0..4).map(|part| well(4 * round + part)).collect();
                battery.heterogeneity(&parts)
            })
            .collect();
        for (place, first) in rounds[0].iter().enumerate() {
            let (sum, dof) = rounds.iter().fold((0.0, 0.0), |(sum, dof), round| {
                (sum + round[place].statistic, dof + round[place].dof)
            });
            let z = (sum - dof) / (2.0f64 * dof).sqrt();
            assert!(z.abs() < 4.0, "{} {}: {z}", first.quantity, first.subject);
        }
        let least = rounds.iter().flatten().map(|row| row.log10_p);
        assert!(least.fold(0.0, f64::min) > -5.0);
        // One of four with a shuffle that is far from well.
        let defect = Defect::named("transpositions-104").unwrap();
        let broken = Defective::<Vec<u8>>::new(defect, 7, None).unwrap();
        let parts = [well(100), well(101), tables(&broken, 50_000), well(102)];
        let found = battery.heterogeneity(&parts);
        assert_eq!(found[0].quantity, "seats of cards");
        assert!(found[0].log10_p < -20.0, "{:?}", found[0]);
        // With one part alone, or one of hardly any deals, there is nothing to compare.
        assert!(battery.heterogeneity(&parts[..1]).is_empty());
        let few = [well(103), tables(&broken, 100)];
        assert!(
            battery
                .heterogeneity(&few)
                .iter()
                .all(|row| row.quantity != "seats of cards")
        );
    });
}

#[test]
fn everybody_hears_the_leader() {
    for processes in 1..=9 {
        let heard = each(processes, |member| {
            let said = (member.place() == 0).then(|| "deal".to_owned());
            broadcast(member, said).unwrap()
        });
        assert_eq!(heard, vec!["deal"; processes]);
    }
}

#[test]
fn the_leader_gets_everything_once() {
    for processes in 1..=9u64 {
        let sums = each(processes as usize, |member| {
            let mine = vec![member.place() as u64];
            reduce(member, mine, |mine, theirs| mine.extend(theirs), |_| ()).unwrap()
        });
        let mut all = sums[0].clone().unwrap();
        all.sort_unstable();
        assert_eq!(all, (0..processes).collect::<Vec<u64>>());
        assert!(sums[1..].iter().all(Option::is_none));
    }
}

#[test]
fn another_language_is_an_error() {
    let results = each(2, |member| {
        if member.place() == 1 {
            member.send(0, &[255; 40]);
            return None;
        }
        Some(reduce(member, 1u64, |_, _| (), |_| ()).map(|_| ()))
    });
    assert_eq!(results[0], Some(Err(ProtocolError { from: 1 })));
}
