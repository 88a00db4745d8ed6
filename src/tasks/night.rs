//! Validations that are repeated every night: their results, and the evidence of all nights together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::audit::DealerCommand;
use crate::battery::Level;
use crate::compare::{Comparison, Relation, Report};
use crate::error::Error;
use crate::printable::{display_path, thousands};
use crate::report::page::{NightRow, NightsPage, TaskSection};
use crate::report::{AnyRecord, Lock, ReportError, read_json, write_file};
use crate::run::{Checkpoints, Part};
use crate::utc::UtcTime;

/// The file with the results of all nights.
const RESULTS: &str = "nights.json";
/// The page with them.
const PAGE: &str = "index.html";
/// The link to the last finished night.
const LATEST: &str = "latest";
/// Number of nights that are always kept: the next one is compared with the last.
const FEWEST_KEPT: usize = 2;

/// The folder of all nights, while one of them runs.
#[derive(Debug)]
pub struct NightFolder {
    folder: PathBuf,
    _lock: Lock,
    /// The night that runs: its date, and a number if it is not the first of that day.
    night: String,
    results: Vec<NightResult>,
    /// What determines the deals of each result.
    origins: Vec<DealOrigin>,
}

/// The contents of nights.json.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Nights {
    /// The night that is not finished.
    unfinished: Option<String>,
    /// The results in the order of their nights.
    results: Vec<NightResult>,
    /// What determines the deals of each result.
    #[serde(default)]
    origins: Vec<DealOrigin>,
}

/// The result of a task in one night.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NightResult {
    /// The night, by its date.
    pub night: String,
    /// Name of the task.
    pub task: String,
    /// Number of tested deals.
    pub deals: u64,
    /// The verdict.
    pub verdict: Level,
    /// S at the end.
    pub s: Option<f64>,
    /// Time taken, in seconds.
    pub seconds: f64,
    /// The verdict of the comparison with the night before, and its level.
    pub compared: Option<(String, Level)>,
    /// log10 of the product of the e-values of this night and those before it. A night that may
    /// share deals with an earlier one is left out.
    pub combined_s: f64,
}

/// What determines the deals of a night. Two nights that have a part of it in common may share
/// deals.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct DealOrigin {
    /// The seed of a run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    /// Of a command, the numbers that determine the seeds of its processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    processes: Option<Range<u64>>,
    /// The hashes of the deals of files, and of those of a command's first process.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    hashes: BTreeSet<String>,
}

impl DealOrigin {
    fn of(record: &AnyRecord) -> Self {
        match record {
            AnyRecord::Run(run) => Self {
                seed: Some(run.identity.seed.clone()),
                ..Self::default()
            },
            AnyRecord::Audit(audit) => {
                let command = audit.identity.command.as_ref();
                let processes = command.map(|command| {
                    let first = u64::from(command.seed);
                    let of = command.part.map_or(1, Part::of);
                    first..first + of * audit.processes.unwrap_or(0)
                });
                let read = audit
                    .sources
                    .iter()
                    .filter(|source| source.counts.valid > 0);
                let most = if command.is_some() { 1 } else { usize::MAX };
                Self {
                    seed: None,
                    processes,
                    hashes: read
                        .take(most)
                        .map(|source| source.blake3.clone())
                        .collect(),
                }
            }
        }
    }

    fn may_share(&self, other: &Self) -> bool {
        let is_seed = self.seed.is_some() && self.seed == other.seed;
        let both = self.processes.as_ref().zip(other.processes.as_ref());
        is_seed
            || both.is_some_and(|(one, other)| shares_seed(one, other))
            || !self.hashes.is_disjoint(&other.hashes)
    }
}

/// Whether two ranges of numbers have one in common, of those that give the same seed.
fn shares_seed(one: &Range<u64>, other: &Range<u64>) -> bool {
    let seeds = u64::from(DealerCommand::MOST_SEED) + 1;
    let distance = |from: u64, to: u64| (to % seeds + seeds - from % seeds) % seeds;
    let length = |range: &Range<u64>| range.end.saturating_sub(range.start);
    distance(one.start, other.start) < length(one)
        || distance(other.start, one.start) < length(other)
}

impl NightFolder {
    /// Locks a folder, and begins a night or goes on with the one that is not finished.
    ///
    /// # Errors
    ///
    /// If another process has locked it, or it cannot be read or written.
    pub fn begin(folder: PathBuf) -> Result<Self, Error> {
        let lock = Lock::take(&folder).map_err(|error| match &error {
            ReportError::Busy { .. } => Error::usage(error),
            _ => error.into(),
        })?;
        let file = || display_path(&folder.join(RESULTS));
        let nights = read_json::<Nights>(&folder, RESULTS);
        let nights = nights.map_err(|error| Error::of(file(), error))?;
        let Nights {
            unfinished,
            results,
            mut origins,
        } = nights.unwrap_or_default();
        origins.resize_with(results.len(), DealOrigin::default);
        let mut named = results
            .iter()
            .map(|result| &result.night)
            .chain(&unfinished);
        if let Some(night) = named.find(|night| !is_night(night)) {
            let message = format!("`{night}` is not the name of a night");
            return Err(Error::input(message).context(file()));
        }
        let night = unfinished.unwrap_or_else(|| {
            let (year, month, day) = UtcTime::now().date();
            let today = format!("{year}-{month:02}-{day:02}");
            let numbered = (2..).map(|number| format!("{today}-{number:02}"));
            let mut names = std::iter::once(today.clone()).chain(numbered);
            let is_free = |name: &String| {
                !folder.join(name).exists() && results.iter().all(|result| result.night != *name)
            };
            names.find(is_free).unwrap_or(today)
        });
        Ok(Self {
            folder,
            _lock: lock,
            night,
            results,
            origins,
        })
    }

    /// The folder of a task's report.
    pub fn of_task(&self, task: &str) -> PathBuf {
        self.folder.join(&self.night).join(task)
    }

    /// The results of this night.
    pub fn results(&self) -> impl Iterator<Item = &NightResult> {
        let all = self.results.iter();
        all.filter(|result| result.night == self.night)
    }

    /// Whether a task of this night is done.
    pub fn is_done(&self, task: &str) -> bool {
        self.results().any(|result| result.task == task)
    }

    /// Adds the result of a task that has written its report.
    ///
    /// # Errors
    ///
    /// If the report cannot be read, or the results cannot be written.
    pub fn add(&mut self, task: &str) -> Result<(), Error> {
        let report = Report::read(&self.of_task(task))?;
        let common = report.record.common();
        let s = common.evidence.as_ref().and_then(|evidence| evidence.s);
        let last = self.results.iter().rfind(|result| result.task == task);
        let before = last.map(|last| self.folder.join(&last.night).join(task));
        let before = before.and_then(|folder| Report::read(&folder).ok());
        let compared = before.and_then(|before| Comparison::of(&before, &report).ok());
        let origin = DealOrigin::of(&report.record);
        let mut earlier = self.results.iter().zip(&self.origins);
        let is_repeated = earlier.any(|(result, of)| result.task == task && of.may_share(&origin));
        let combined_s = match (last, &compared) {
            (Some(last), Some(found)) if is_repeated || found.relation != Relation::Independent => {
                last.combined_s
            }
            (Some(last), Some(_)) => last.combined_s + s.unwrap_or(0.0),
            // Another condition begins anew.
            _ => s.unwrap_or(0.0),
        };
        self.results.push(NightResult {
            night: self.night.clone(),
            task: task.to_owned(),
            deals: report.record.deals(),
            verdict: common.verdict,
            s,
            seconds: common.seconds,
            compared: compared.map(|found| {
                let verdict = found.verdict;
                (verdict.name().to_owned(), verdict.level())
            }),
            combined_s,
        });
        self.origins.push(origin);
        self.save()?;
        // A task whose time is over is not continued.
        Ok(Checkpoints::of(&self.of_task(task)).remove()?)
    }

    /// Writes the results of all nights and their page, with this night as unfinished.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn save(&self) -> Result<(), Error> {
        self.write(Some(&self.night))
    }

    fn write(&self, unfinished: Option<&str>) -> Result<(), Error> {
        let nights = Nights {
            unfinished: unfinished.map(str::to_owned),
            results: self.results.clone(),
            origins: self.origins.clone(),
        };
        let json = serde_json::to_vec_pretty(&nights).map_err(Error::io)?;
        write_file(&self.folder.join(RESULTS), &json)?;
        Ok(write_file(&self.folder.join(PAGE), self.page().as_bytes())?)
    }

    /// Ends the night: `latest` names it, and only the reports of the last `keep` nights stay. The
    /// results of all nights stay.
    ///
    /// # Errors
    ///
    /// If a file cannot be written or removed.
    pub fn finish(&self, keep: Option<usize>) -> Result<(), Error> {
        self.write(None)?;
        let latest = self.folder.join(LATEST);
        remove(&latest, fs::remove_file(&latest))?;
        #[cfg(unix)]
        let linked = std::os::unix::fs::symlink(&self.night, &latest);
        #[cfg(not(unix))]
        let linked = fs::write(&latest, &self.night);
        linked.map_err(|error| Error::of(display_path(&latest), error))?;
        let nights: BTreeSet<&str> = self.results.iter().map(|result| &*result.night).collect();
        let kept = keep.map_or(usize::MAX, |keep| keep.max(FEWEST_KEPT));
        for night in nights.into_iter().rev().skip(kept) {
            let folder = self.folder.join(night);
            remove(&folder, fs::remove_dir_all(&folder))?;
        }
        Ok(())
    }

    /// The page with all nights, by task.
    fn page(&self) -> String {
        let mut tasks: BTreeMap<&str, Vec<&NightResult>> = BTreeMap::new();
        for result in self.results.iter().rev() {
            tasks.entry(&result.task).or_default().push(result);
        }
        let tasks = tasks.into_iter().map(|(name, nights)| TaskSection {
            name,
            level: nights[0].level(),
            nights: nights.into_iter().map(NightResult::row).collect(),
        });
        let tasks = tasks.collect();
        NightsPage { tasks }.html()
    }
}

/// Whether this may be the name of a night, such as `2026-11-28-02`. Its folder is removed one day.
fn is_night(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// The result of removing a file or a folder, which may be missing.
fn remove(path: &Path, removed: io::Result<()>) -> Result<(), Error> {
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Error::of(display_path(path), error))
        }
        _ => Ok(()),
    }
}

impl NightResult {
    /// The worst of the night's verdict, its comparison and the evidence of all nights.
    pub fn level(&self) -> Level {
        let compared = self.compared.as_ref().map(|(_, level)| *level);
        // Two nights may be too short for a comparison.
        let compared = compared.filter(|level| *level != Level::Inconclusive);
        let together = Level::of_evidence(self.combined_s);
        let all = [Some(self.verdict), compared, Some(together)];
        all.into_iter().flatten().max().unwrap_or(self.verdict)
    }

    /// Deals per second; 0 if it took no time.
    pub fn rate(&self) -> f64 {
        match self.seconds > 0.0 {
            true => self.deals as f64 / self.seconds,
            false => 0.0,
        }
    }
}

impl NightResult {
    fn row(&self) -> NightRow<'_> {
        let compared = self.compared.as_ref();
        NightRow {
            night: &self.night,
            verdict: self.verdict.name(),
            s: self.s.map_or_else(String::new, |s| format!("{s:.2}")),
            combined_s: format!("{:.2}", self.combined_s),
            deals: thousands(self.deals),
            rate: thousands(self.rate().round() as u64),
            compared: compared.map_or("", |(verdict, _)| verdict),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processes(range: Range<u64>) -> DealOrigin {
        DealOrigin {
            processes: Some(range),
            ..DealOrigin::default()
        }
    }

    #[test]
    fn nights_share_deals_if_they_share_seeds_or_contents() {
        let one = processes(10..20);
        for (range, is_shared) in [
            (5..10, false),
            (5..11, true),
            (19..25, true),
            (20..25, false),
            (12..13, true),
            (0..100, true),
            // The numbers begin again after 2^30.
            ((1 << 30) - 5..(1 << 30) + 10, false),
            ((1 << 30) - 5..(1 << 30) + 11, true),
        ] {
            let other = processes(range.clone());
            assert_eq!(one.may_share(&other), is_shared, "{range:?}");
            assert_eq!(other.may_share(&one), is_shared, "{range:?}");
        }
        let seeded = |seed: &str| DealOrigin {
            seed: Some(seed.to_owned()),
            ..DealOrigin::default()
        };
        assert!(seeded("1").may_share(&seeded("1")) && !seeded("1").may_share(&seeded("2")));
        assert!(!seeded("1").may_share(&one));
        let read = |hashes: &[&str]| DealOrigin {
            hashes: hashes.iter().map(|hash| (*hash).to_owned()).collect(),
            ..DealOrigin::default()
        };
        assert!(read(&["a", "b"]).may_share(&read(&["c", "a"])));
        assert!(!read(&["a"]).may_share(&read(&["b"])) && !read(&[]).may_share(&read(&[])));
    }
}
