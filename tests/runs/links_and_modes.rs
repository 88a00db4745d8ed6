//! Symbolic links where the program writes, and the modes of its files.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "in a test, a failure to begin is a failure"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{code, complaint, fairdeal, folder};

const PRECIOUS: &[u8] = b"a file that nobody named";

/// Puts links to a precious file into a folder, at all these names.
fn links(folder: &Path, names: &[&str]) -> PathBuf {
    let precious = folder.join("precious");
    fs::write(&precious, PRECIOUS).unwrap();
    let precious = fs::canonicalize(precious).unwrap();
    for name in names {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        symlink(&precious, path).unwrap();
    }
    precious
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink())
}

/// The case files that are kept in a folder's cache.
fn kept(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder.join("cache/fairdeal")).unwrap();
    let is_listing = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "cases");
    let paths = files.map(|file| file.unwrap().path());
    paths.filter(is_listing).collect()
}

// A listing was written through a link in the cache, over whatever the link led to.
#[test]
fn a_link_in_the_cache_is_replaced() {
    let folder = folder();
    let run = crate::common::SHORT_LISTED_RUN;
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    let [path] = &kept(folder.path())[..] else {
        panic!("one file is kept");
    };
    let listing = fs::read(path).unwrap();
    let name = path.strip_prefix(folder.path()).unwrap().to_str().unwrap();
    let precious = links(folder.path(), &[name]);
    assert_eq!(code(&fairdeal(folder.path(), &run)), 0);
    assert!(!is_link(path));
    assert_eq!(fs::read(path).unwrap(), listing);
    assert_eq!(fs::read(&precious).unwrap(), PRECIOUS);

    // Pruning removes the link, and not its target.
    links(folder.path(), &[name]);
    assert_eq!(code(&fairdeal(folder.path(), "cases prune")), 0);
    assert!(kept(folder.path()).is_empty());
    assert_eq!(fs::read(&precious).unwrap(), PRECIOUS);
}

#[test]
fn a_link_that_the_user_names_is_followed() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("elsewhere")).unwrap();
    fs::write(at("elsewhere/old"), b"old").unwrap();
    for (link, target) in [("a.cases", "elsewhere/old"), ("b.cases", "elsewhere/new")] {
        symlink(target, at(link)).unwrap();
        let build = ["cases", "build", "nine-spades", "-q", "--force", "-o", link];
        assert_eq!(code(&fairdeal(folder.path(), &build)), 0);
        assert!(is_link(&at(link)));
        assert!(fs::read(at(target)).unwrap().starts_with(b"FDCASES1"));
    }
    symlink("elsewhere/rows", at("rows.csv")).unwrap();
    let bench = [
        "bench",
        "--deals",
        "8Ki",
        "--threads",
        "1",
        "--csv",
        "rows.csv",
    ];
    assert_eq!(code(&fairdeal(folder.path(), &bench)), 0);
    assert!(is_link(&at("rows.csv")));
    assert!(
        fs::read(at("elsewhere/rows"))
            .unwrap()
            .starts_with(b"program,")
    );
    symlink("loop.cases", at("loop.cases")).unwrap();
    let build = ["cases", "build", "nine-spades", "-o", "loop.cases"];
    let refused = fairdeal(folder.path(), &build);
    assert_eq!(code(&refused), 74);
    assert!(complaint(&refused).contains("loop.cases cannot be written"));
}

#[test]
fn links_in_a_report_folder_are_replaced() {
    let folder = folder();
    let names = [
        "out/run.json",
        "out/report.html",
        "out/patterns.csv",
        "out/tests.csv",
        "out/checkpoint",
        "out/checkpoint.previous",
        "out/checkpoint.damaged",
    ];
    let run = |more: &[&str]| {
        let run = [
            "run",
            "unconstrained",
            "--target=1",
            "--seed",
            "1",
            "-q",
            "--force",
        ];
        let out = ["--out", "out", "--checkpoint", "100ms"];
        fairdeal(folder.path(), &[&run[..], &out, more].concat())
    };
    for (more, exit) in [
        (&["--deals", "100000"][..], 0),
        (&["--deals", "1T", "--for", "1s"], 0),
    ] {
        let precious = links(folder.path(), &names);
        assert_eq!(code(&run(more)), exit);
        assert_eq!(fs::read(precious).unwrap(), PRECIOUS);
        for name in names {
            assert!(!is_link(&folder.path().join(name)), "{name}");
        }
    }
    assert!(folder.path().join("out/checkpoint").exists());
}

// The lock created the target of a dangling link.
#[test]
fn no_folder_is_locked_through_a_link() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("out")).unwrap();
    fs::write(at("precious"), PRECIOUS).unwrap();
    for target in ["../missing", "../precious"] {
        symlink(target, at("out/.fairdeal.lock")).unwrap();
        for command in [
            &crate::common::SHORT_LISTED_RUN[..],
            &["theory", "nine-spades"],
        ] {
            let refused = fairdeal(folder.path(), &[command, &["-q", "--out", "out"]].concat());
            assert_eq!(code(&refused), 74);
            let said = complaint(&refused);
            assert!(
                said.contains("out/.fairdeal.lock cannot be written: a symbolic link"),
                "{said}"
            );
        }
        fs::remove_file(at("out/.fairdeal.lock")).unwrap();
    }
    assert!(!at("missing").exists());
    assert_eq!(fs::read(at("precious")).unwrap(), PRECIOUS);
}

/// Runs the program under this umask.
fn under(umask: &str, folder: &Path, arguments: &[&str]) -> Output {
    Command::new("sh")
        .args(["-c", "umask $0 && exec \"$@\"", umask])
        .arg(crate::common::PROGRAM)
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .output()
        .unwrap()
}

// run.json and checkpoints hold the seed, and were readable by all whatever the umask.
#[test]
fn files_have_the_mode_that_the_umask_leaves() {
    for (umask, mode) in [("077", 0o600), ("022", 0o644), ("027", 0o640)] {
        let folder = folder();
        let listed = ["--sampler", "listing"];
        let run = ["run", "nine-spades", "--deals", "1T", "--seed", "1", "-q"];
        let more = ["--out", "out", "--for", "500ms", "--target", "1"];
        let stopped = under(umask, folder.path(), &[&run[..], &listed, &more].concat());
        assert_eq!(code(&stopped), 0, "{stopped:?}");
        let build = ["cases", "build", "nine-spades", "-q", "-o", "x.cases"];
        assert_eq!(code(&under(umask, folder.path(), &build)), 0);
        let files = fs::read_dir(folder.path().join("out")).unwrap();
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        for name in ["run.json", "checkpoint", "report.html", ".fairdeal.lock"] {
            assert!(
                files.contains(&folder.path().join("out").join(name)),
                "{name}"
            );
        }
        files.extend(kept(folder.path()));
        files.push(folder.path().join("x.cases"));
        for file in files {
            let found = fs::metadata(&file).unwrap().permissions().mode() & 0o777;
            assert_eq!(found, mode, "{} under {umask}", file.display());
        }
    }
}
