//! Validations that are repeated every night: their results, and the evidence of all nights together.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use askama::Template;
use serde::{Deserialize, Serialize};

use crate::battery::Level;
use crate::compare::{Comparison, Relation, Report};
use crate::error::Error;
use crate::printable::{display_path, thousands};
use crate::report::page::{STYLES, class, rendered};
use crate::report::{Lock, PROGRAM, ReportError, read_json, write_file};
use crate::run::Checkpoints;
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
}

/// The contents of nights.json.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Nights {
    /// The night that is not finished.
    unfinished: Option<String>,
    /// The results in the order of their nights.
    results: Vec<NightResult>,
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
    /// share deals with the one before is left out.
    pub combined_s: f64,
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
        } = nights.unwrap_or_default();
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
        })
    }

    /// The folder of a task's report.
    #[must_use]
    pub fn of_task(&self, task: &str) -> PathBuf {
        self.folder.join(&self.night).join(task)
    }

    /// The results of this night.
    pub fn results(&self) -> impl Iterator<Item = &NightResult> {
        let all = self.results.iter();
        all.filter(|result| result.night == self.night)
    }

    /// Whether a task of this night is done.
    #[must_use]
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
        let combined_s = match (last, &compared) {
            (Some(last), Some(found)) if found.relation != Relation::Independent => last.combined_s,
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
            nights: nights.into_iter().map(NightRow::new).collect(),
        });
        let tasks = tasks.collect();
        rendered(&NightsPage { tasks })
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
    #[must_use]
    pub fn level(&self) -> Level {
        let compared = self.compared.as_ref().map(|(_, level)| *level);
        // Two nights may be too short for a comparison.
        let compared = compared.filter(|level| *level != Level::Inconclusive);
        let together = Level::of_evidence(self.combined_s);
        let all = [Some(self.verdict), compared, Some(together)];
        all.into_iter().flatten().max().unwrap_or(self.verdict)
    }

    /// Deals per second; 0 if it took no time.
    #[must_use]
    pub fn rate(&self) -> f64 {
        match self.seconds > 0.0 {
            true => self.deals as f64 / self.seconds,
            false => 0.0,
        }
    }
}

#[derive(Template)]
#[template(path = "nights.html", config = "src/report/page/askama.toml")]
struct NightsPage<'n> {
    tasks: Vec<TaskSection<'n>>,
}

/// The nights of a task.
struct TaskSection<'n> {
    name: &'n str,
    /// The level of the last night.
    level: Level,
    /// The last night first.
    nights: Vec<NightRow<'n>>,
}

/// A night of a task, as text.
struct NightRow<'n> {
    night: &'n str,
    verdict: &'static str,
    s: String,
    combined_s: String,
    deals: String,
    rate: String,
    compared: &'n str,
}

impl TaskSection<'_> {
    fn class(&self) -> &'static str {
        class(self.level)
    }
}

impl<'n> NightRow<'n> {
    fn new(result: &'n NightResult) -> Self {
        let compared = result.compared.as_ref();
        Self {
            night: &result.night,
            verdict: result.verdict.name(),
            s: result.s.map_or_else(String::new, |s| format!("{s:.2}")),
            combined_s: format!("{:.2}", result.combined_s),
            deals: thousands(result.deals),
            rate: thousands(result.rate().round() as u64),
            compared: compared.map_or("", |(verdict, _)| verdict),
        }
    }
}
