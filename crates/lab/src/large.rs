//! A case file larger than memory: listed, verified and dealt from, beside `dd`.
//!
//! The memory of each command, without the pages of the mapped file, may be two gigabytes.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use std::{fs, thread};

use clap::Args;
use serde_json::json;
use tempfile::TempDir;

use crate::Failure;
use crate::program::{Finished, fairdeal, output};
use crate::sheet::{Column, Sheet, kept};

/// The file.
#[derive(Args)]
pub(crate) struct Options {
    /// Condition on one or two hands; a single word is a scenario
    #[arg(
        long = "where",
        default_value = "spades(north) >= 5 && hcp(north) >= 9 && hcp(south) >= 6"
    )]
    condition: String,
    /// Memory of each command with its pages of the file, by a control group (as root)
    #[arg(long, value_name = "MB")]
    within: Option<u64>,
    /// Folder with room for the file
    #[arg(long, default_value = "/tmp")]
    folder: PathBuf,
    /// Deals of a run
    #[arg(long, default_value = "10M")]
    deals: String,
}

impl Options {
    /// The name of the folder of reports.
    pub(crate) fn name(&self) -> &'static str {
        match self.within {
            None => "large",
            Some(_) => "large-within",
        }
    }
}

const MOST_CASES: &str = "2G";
const MOST_BYTES: u64 = 2_000_000_000;

/// A file of this size is read from the disk by each command.
const LARGE: u64 = 100_000_000;

const COLUMNS: &[Column] = &[
    ("step", -52),
    ("seconds", 9),
    ("cpu s", 9),
    ("MB a second", 11),
    ("own MB", 7),
    ("memory", -6),
];

/// The folder of control groups of Linux, version 1.
const GROUPS: &str = "/sys/fs/cgroup/memory";

/// A control group for memory, which is removed at the end.
struct ControlGroup(PathBuf);

impl ControlGroup {
    fn new(bytes: u64) -> Result<Self, Failure> {
        let folder = PathBuf::from(GROUPS).join(format!("fairdeal-{}", std::process::id()));
        let made = fs::create_dir(&folder)
            .and_then(|()| fs::write(folder.join("memory.limit_in_bytes"), bytes.to_string()));
        made.map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

pub(crate) fn measure(options: &Options, sheet: &mut Sheet) -> Result<(), Failure> {
    let fairdeal = fairdeal()?;
    let folder = TempDir::new_in(&options.folder)?;
    let Options {
        condition, deals, ..
    } = options;
    let file = folder.path().join("large.cases");
    let size = || fs::metadata(&file).map_or(0, |file| file.len());
    let group = options
        .within
        .map(|megabytes| ControlGroup::new(megabytes << 20));
    let group = group.transpose()?;
    let enter = group.as_ref().map_or_else(String::new, |group| {
        format!("echo $$ >{}/tasks; ", group.0.display())
    });
    sheet.section(condition, COLUMNS);
    let mut measure = |step: &str, command: String| -> Result<(), Failure> {
        let command = format!("{enter}{command}");
        let (finished, own) = with_memory(|| output(&command, folder.path()))?;
        let finished = finished.checked()?;
        sheet.row(vec![
            json!(step),
            json!(finished.seconds),
            json!(finished.cpu_seconds),
            json!(size() as f64 / 1e6 / finished.seconds),
            json!(own / 1_000_000),
            kept(own <= MOST_BYTES),
        ]);
        Ok(())
    };
    let input = match condition.contains(' ') {
        true => format!("--where '{condition}'"),
        false => condition.clone(),
    };
    let build =
        format!("exec {fairdeal} cases build {input} --max-cases {MOST_CASES} --out large.cases");
    measure("cases build", build)?;
    // Nothing of the file is in memory, if that is permitted.
    let forget = "sync; echo 3 2>/dev/null >/proc/sys/vm/drop_caches; true";
    for (step, command) in [
        (
            "dd reads it",
            "exec dd if=large.cases of=/dev/null bs=1M".to_owned(),
        ),
        (
            "cases verify",
            format!("exec {fairdeal} cases verify large.cases"),
        ),
        (
            "deal -n 36",
            format!("exec {fairdeal} deal large.cases -n 36 --seed 1"),
        ),
        (
            "run, standard battery",
            format!(
                "exec {fairdeal} run large.cases --deals {deals} --seed 1 --quiet --out report"
            ),
        ),
    ] {
        if size() >= LARGE {
            output(forget, folder.path())?;
        }
        measure(step, command)?;
    }
    measure(
        "dd writes as much",
        "exec dd if=/dev/zero of=large.cases bs=1M conv=notrunc,fsync count=$(($(stat -c %s large.cases) >> 20))".to_owned(),
    )
}

/// Runs a command, and returns the peak of the memory that its process has besides mapped files.
fn with_memory(
    command: impl FnOnce() -> Result<Finished, Failure>,
) -> Result<(Finished, u64), Failure> {
    let (is_done, peak) = (AtomicBool::new(false), AtomicU64::new(0));
    let finished = thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                peak.fetch_max(own_bytes_of_children(), Ordering::Relaxed);
                thread::sleep(Duration::from_millis(10));
            }
        });
        let finished = command();
        is_done.store(true, Ordering::Relaxed);
        finished
    });
    Ok((finished?, peak.into_inner()))
}

/// The memory of this process's children besides mapped files.
fn own_bytes_of_children() -> u64 {
    let tasks = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let children = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let own = |child: &str| {
        let status = fs::read_to_string(format!("/proc/{child}/status")).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
        Some(1024 * kilobytes)
    };
    let of_task = |children: String| children.split_whitespace().filter_map(own).sum::<u64>();
    children.map(of_task).sum()
}
