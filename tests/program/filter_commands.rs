//! `deal --filter-command`: a program that accepts or refuses deals.
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::{code, complaint, fairdeal, folder, printed, program, stderr, stdout};

/// Writes a program of a shell.
fn write_judge(folder: &Path, text: &str) {
    let path = folder.join("judge");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Accepts deals in which north has the ace of spades.
const ACE: &str = "while read -r deal; do
case \"$deal\" in N:A*) echo 1;; *) echo 0;; esac
done";

#[test]
fn boards_are_those_that_a_program_accepts() {
    let folder = folder();
    let folder = folder.path();
    write_judge(folder, ACE);
    let all = "deal unconstrained --seed 7 --sampler rejection -n";
    let drawn = printed(folder, &format!("{all} 100"));
    let has_ace = |deal: &&str| deal.starts_with("N:A");
    let accepted: Vec<&str> = drawn.lines().filter(has_ace).take(9).collect();
    let last = drawn.lines().position(|deal| deal == accepted[8]).unwrap();
    for threads in ["1", "2", "5"] {
        let command = format!("{all} 9 --filter-command ./judge");
        let threads = [("RAYON_NUM_THREADS", threads)];
        let done = program(folder, &*command).envs(threads).output();
        let done = done.unwrap();
        assert_eq!(stdout(&done).lines().collect::<Vec<_>>(), accepted);
        let told = format!("`./judge` accepted 9 of {} deals, a share of ", last + 1);
        assert!(stderr(&done).contains(&told), "{}", stderr(&done));
    }
    // Solving comes after it.
    let solved = format!("{all} 2 --filter-command ./judge --solve --format pbn");
    let solved = printed(folder, &solved);
    for deal in &accepted[..2] {
        assert!(solved.contains(&format!("[Deal \"{deal}\"]")), "{solved}");
    }
    assert_eq!(solved.matches("OptimumScore").count(), 2);
}

#[test]
fn the_types_of_a_mix_share_the_program() {
    let folder = folder();
    let folder = folder.path();
    write_judge(folder, ACE);
    let mix = "strong = hcp(south) >= 20\nweak = hcp(south) <= 5\n#mix: strong 50%, weak 50%\n";
    fs::write(folder.join("mix.dl"), mix).unwrap();
    let deal = "deal mix.dl --seed 3 -n 8 --interleave --filter-command ./judge";
    let done = fairdeal(folder, deal);
    assert_eq!(stdout(&done).lines().count(), 8, "{}", stderr(&done));
    assert!(stdout(&done).lines().all(|deal| deal.starts_with("N:A")));
    for name in ["strong", "weak"] {
        let told = format!("type `{name}`: `./judge` accepted 4 of ");
        assert!(stderr(&done).contains(&told), "{}", stderr(&done));
    }
    let again = program(folder, deal).env("RAYON_NUM_THREADS", "1").output();
    assert_eq!(stdout(&again.unwrap()), stdout(&done));
}

#[test]
fn a_program_that_fails_is_one_line() {
    let folder = folder();
    let folder = folder.path();
    for (text, words) in [
        (
            "read -r d; echo 1; read -r d; echo boom >&2; exit 7",
            "it ended with exit status: 7: its standard error ends with `boom`",
        ),
        ("read -r d; echo 1", "it ended with exit status: 0"),
        (
            "read -r d; echo maybe; sleep 60",
            "it has printed `maybe`: expected a line `1` or `0`",
        ),
        ("read -r d; yes 1 | tr -d '\\n'", "it has printed `1111"),
        (
            "read -r d; echo 1; echo 1; echo 1; echo 1; echo 1; echo 1; echo 1; echo 1; echo 1; sleep 60",
            "more answers than it was asked",
        ),
        (
            "sleep 60",
            "it has printed nothing for 300ms (a program that answers must flush",
        ),
    ] {
        write_judge(folder, text);
        let command = "deal unconstrained -n 40 --seed 1 --filter-command ./judge --stall 300ms";
        let done = program(folder, command)
            .env("RAYON_NUM_THREADS", "1")
            .output();
        let done = done.unwrap();
        assert_eq!(code(&done), 65, "{text}: {}", stderr(&done));
        let told = complaint(&done);
        assert!(
            told.contains(words) && told.contains("`./judge`: "),
            "{text}: {told}"
        );
    }
    let missing = fairdeal(
        folder,
        "deal unconstrained --seed 1 --filter-command ./none",
    );
    assert!(complaint(&missing).contains("`./none` cannot be started"));
    write_judge(folder, "while read -r d; do echo 0; done");
    let refused = "deal unconstrained -n 2 --seed 1 --filter-command ./judge --max-tries 30";
    let refused = fairdeal(folder, refused);
    assert_eq!(code(&refused), 5);
    let told = stderr(&refused);
    assert!(
        told.contains("gave up after 30 tries in a row without one that `./judge` accepts"),
        "{told}"
    );
    for other in ["--explain", "--dealer-output", "--from x.pbn"] {
        let command = format!("deal unconstrained --filter-command ./judge {other}");
        let done = fairdeal(folder, &*command);
        assert_eq!(code(&done), 64, "{}", stderr(&done));
    }
}
