//! MPI processes send and receive the right messages, and end together.
//!
//! Each test starts `mpirun`, which starts this program several times with the name of another
//! test. Every process runs that test, which is ignored otherwise.

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use fairdeal::run::{JoinError, Launched, Team, World, broadcast, reduce};

/// What so many processes of a test come to.
fn mpirun(processes: usize, test: &str) -> Output {
    let program = std::env::current_exe().expect("a test has a file");
    let mut mpirun = Command::new("mpirun");
    mpirun.args(["-n", &processes.to_string()]).arg(program);
    mpirun.args(["--exact", test, "--ignored", "--nocapture"]);
    // Open MPI wants a core a process, and another user than root; others know nothing of these.
    for (name, value) in [
        ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
        ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
        ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
        ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
    ] {
        mpirun.env(name, value);
    }
    mpirun
        .output()
        .expect("the feature mpi is tested with mpirun: install openmpi-bin, or mpich")
}

/// Every process ends well, and says so.
fn all_pass(processes: usize, test: &str) {
    let output = mpirun(processes, test);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said.matches("1 passed").count(), processes, "{said}");
}

/// Bytes that tell who sent them, and which.
fn bytes(from: usize, length: usize) -> Vec<u8> {
    let mixed = |at: usize| (at * 31 + at / 257 + from * 101) as u8;
    (0..length).map(mixed).collect()
}

#[test]
fn processes_send_any_length_in_order() {
    all_pass(3, "each_sends_any_length_in_order");
}

#[test]
#[ignore = "mpirun starts it"]
fn each_sends_any_length_in_order() {
    let team = World::join().unwrap().in_pieces_of(1000);
    assert_eq!(Launched::here().unwrap().processes, team.processes());
    assert_eq!(Launched::here().unwrap().place, team.place());
    let all = team.processes();
    for length in [0, 1, 999, 1000, 1001, 1024, 1025, 2000, 5001, 3_000_000] {
        // Around the ring, and everybody to the first.
        let (next, last) = ((team.place() + 1) % all, (team.place() + all - 1) % all);
        if team.place() == 0 {
            team.send(next, &bytes(0, length));
            assert_eq!(team.receive(last), bytes(last, length));
            for from in 1..all {
                assert_eq!(team.receive(from), bytes(from, length + 7));
            }
        } else {
            assert_eq!(team.receive(last), bytes(last, length));
            team.send(next, &bytes(team.place(), length));
            team.send(0, &bytes(team.place(), length + 7));
        }
    }
}

#[test]
fn processes_hear_the_leader_and_gather() {
    for processes in [1, 2, 5] {
        all_pass(processes, "each_hears_the_leader_and_gathers");
    }
}

#[test]
#[ignore = "mpirun starts it"]
fn each_hears_the_leader_and_gathers() {
    let team = World::join().unwrap();
    for round in 0..20u64 {
        let said = (team.place() == 0).then_some(round);
        assert_eq!(broadcast(&team, said), Ok(round));
        let mine = vec![team.place() as u64; 10_000];
        let add = |mine: &mut Vec<u64>, theirs: Vec<u64>| mine.extend(theirs);
        let all = reduce(&team, mine, add, |_| ()).unwrap();
        assert_eq!(all.is_some(), team.place() == 0);
        if let Some(mut all) = all {
            all.sort_unstable();
            let places = (0..team.processes() as u64).flat_map(|place| vec![place; 10_000]);
            assert!(all.into_iter().eq(places));
        }
    }
}

#[test]
fn processes_wait_for_the_last() {
    all_pass(3, "each_waits_for_the_last");
}

#[test]
#[ignore = "mpirun starts it"]
fn each_waits_for_the_last() {
    let team = World::join().unwrap();
    assert_eq!(World::join().err(), Some(JoinError::Again));
    let (begun, late) = (Instant::now(), Duration::from_millis(300));
    team.barrier();
    if team.place() == 1 {
        std::thread::sleep(late);
    }
    team.barrier();
    assert!(begun.elapsed() >= late);
}

#[test]
fn one_ends_all() {
    let output = mpirun(3, "each_waits_for_one_that_aborts");
    assert_eq!(output.status.code(), Some(74), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
#[ignore = "mpirun starts it"]
fn each_waits_for_one_that_aborts() {
    let team = World::join().unwrap();
    if team.place() == 2 {
        team.abort(74);
    }
    team.receive(2);
}

#[test]
fn one_that_panics_ends_all() {
    let output = mpirun(3, "each_waits_for_one_that_panics");
    assert_eq!(output.status.code(), Some(101), "{output:?}");
}

#[test]
#[ignore = "mpirun starts it"]
fn each_waits_for_one_that_panics() {
    let team = World::join().unwrap();
    assert_ne!(team.place(), 1, "on purpose");
    team.barrier();
}
