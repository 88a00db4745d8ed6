//! The shelf: the folder of reports.
//!
//! Names from clients are never joined to a path before they are compared with the folder's own
//! entries. Links are not followed, and of a report only the files that a report has are sent.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::conditions::beginning;
use crate::language::Scenario;
use crate::printable::{printable, thousands};
use crate::regular_file;
use crate::report::{AuditRecord, Folder, Lock, RunRecord, record_in};
use crate::run::Checkpoints;

/// Longest name of a report, in bytes.
const LONGEST_NAME: usize = 200;

/// Maximum length of a condition in a table, in characters.
const LONGEST_SUBJECT: usize = 160;

/// The folder of reports.
#[derive(Clone, Debug)]
pub(super) struct Shelf {
    folder: PathBuf,
}

/// A report on the shelf.
#[derive(Clone, Debug)]
pub(super) struct ShelfEntry {
    pub(super) name: String,
    /// What it is about: a condition in a line, or files; its name if that is not known.
    pub(super) subject: String,
    pub(super) kind: &'static str,
    pub(super) verdict: String,
    pub(super) deals: String,
    /// When it began, UTC, to the second.
    pub(super) start: String,
    /// The file of its page, if there is one.
    pub(super) page: Option<&'static str>,
    /// `running`, `stopped` or `finished`; empty if that is not known.
    pub(super) state: &'static str,
    /// Whether a run can go on from a checkpoint.
    pub(super) can_resume: bool,
    /// Whether it can be compared with others.
    pub(super) can_compare: bool,
}

impl Shelf {
    /// The shelf in this folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder of a report that is there, or `None`.
    pub(super) fn report(&self, name: &str) -> Option<PathBuf> {
        if !is_name(name) {
            return None;
        }
        let path = self.folder.join(name);
        let there = fs::symlink_metadata(&path).ok()?;
        there.is_dir().then_some(path)
    }

    /// The report of this name, if it is there.
    pub(super) fn entry(&self, name: &str) -> Option<ShelfEntry> {
        ShelfEntry::of(name.to_owned(), &self.report(name)?)
    }

    /// A file of a report, opened, and its size; `None` if the report has no such file.
    pub(super) fn file(&self, report: &str, file: &str) -> Option<(File, u64)> {
        let known = Folder::file_names().any(|known| known == file);
        let path = self.report(report).filter(|_| known)?.join(file);
        let opened = regular_file::open(&path, OpenOptions::new().read(true)).ok()?;
        let length = opened.metadata().ok()?.len();
        Some((opened, length))
    }

    /// The reports, the latest first, at most this many.
    pub(super) fn entries(&self, most: usize) -> Vec<ShelfEntry> {
        let Ok(folders) = fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let folders = folders.filter_map(Result::ok).filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let path = self.report(&name)?;
            let written = entry.metadata().and_then(|there| there.modified()).ok()?;
            Some((written, name, path))
        });
        let mut folders: Vec<_> = folders.collect();
        folders.sort_by(|a, b| b.cmp(a));
        let entries = folders
            .into_iter()
            .filter_map(|(_, name, path)| ShelfEntry::of(name, &path));
        entries.take(most).collect()
    }
}

/// Whether a name is that of an entry of a folder, and of no other place.
fn is_name(name: &str) -> bool {
    let is_part = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
    !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with('.')
        && name.chars().all(is_part)
}

/// A condition in a line: the name of a scenario, or the text without its comments.
fn in_a_line(condition: &str) -> String {
    if let Some(scenario) = Scenario::of_text(condition) {
        return scenario.name.to_owned();
    }
    let lines = condition.lines().map(str::trim);
    let lines: Vec<&str> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    beginning(&lines.join("; "), LONGEST_SUBJECT)
}

/// A time to the second, such as `2026-11-26 19:30:00`.
fn second(time: &str) -> String {
    time.chars()
        .take(19)
        .map(|letter| if letter == 'T' { ' ' } else { letter })
        .collect()
}

impl ShelfEntry {
    fn of(name: String, path: &Path) -> Option<Self> {
        let has =
            |file: &str| fs::symlink_metadata(path.join(file)).is_ok_and(|there| there.is_file());
        let page = |file: &'static str| has(file).then_some(file);
        let has_checkpoint = Checkpoints::of(path).exist();
        let is_running = has_checkpoint && Lock::is_held(path);
        let can_resume = has_checkpoint && !is_running;
        let plain = Self {
            subject: name.clone(),
            name,
            kind: "run",
            verdict: String::new(),
            deals: String::new(),
            start: String::new(),
            page: page("report.html"),
            state: if is_running { "running" } else { "finished" },
            can_resume,
            can_compare: false,
        };
        match record_in::<RunRecord>(path) {
            Ok(Some(run)) => return Some(plain.of_run(&run)),
            Ok(None) => {}
            Err(error) => return Some(plain.unreadable("run.json", &error)),
        }
        match record_in::<AuditRecord>(path) {
            Ok(Some(audit)) => return Some(plain.of_audit(&audit)),
            Ok(None) => {}
            Err(error) => return Some(plain.unreadable("audit.json", &error)),
        }
        match (has("comparison.json"), has_checkpoint) {
            (true, _) => Some(Self {
                kind: "comparison",
                page: page("compare.html"),
                can_resume: false,
                ..plain
            }),
            (false, true) => Some(Self {
                verdict: "unfinished".to_owned(),
                ..plain
            }),
            (false, false) => None,
        }
    }

    fn of_run(self, run: &RunRecord) -> Self {
        Self {
            verdict: run.common.verdict.name().to_owned(),
            state: match (self.state, &run.stopped) {
                ("finished", Some(_)) => "stopped",
                (state, _) => state,
            },
            deals: thousands(run.dealt),
            subject: in_a_line(&run.identity.condition),
            start: second(&run.common.start),
            can_resume: self.can_resume && run.stopped.is_some() && run.part.is_none(),
            can_compare: run.part.is_none(),
            ..self
        }
    }

    fn of_audit(self, audit: &AuditRecord) -> Self {
        Self {
            kind: "audit",
            verdict: audit.common.verdict.name().to_owned(),
            deals: thousands(audit.deals),
            start: second(&audit.common.start),
            can_resume: false,
            can_compare: true,
            ..self
        }
    }

    /// The entry of a report whose record cannot be read.
    fn unreadable(self, record: &str, error: &io::Error) -> Self {
        Self {
            kind: "unreadable",
            state: "",
            verdict: format!("{record}: {}", printable(&error.to_string())),
            page: None,
            can_resume: false,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("report.html"), "secret").expect("a file");
        let reports = outside.path().join("reports");
        fs::create_dir_all(reports.join("fine")).expect("a folder");
        fs::write(reports.join("fine/report.html"), "fine").expect("a file");
        fs::write(reports.join("fine/other.txt"), "other").expect("a file");
        let shelf = Shelf::new(reports.clone());
        assert!(shelf.file("fine", "report.html").is_some());
        assert!(shelf.file("fine", "other.txt").is_none());
        assert!(shelf.file("fine", "../../report.html").is_none());
        for name in [
            "",
            ".",
            "..",
            "../reports/fine",
            "fine/",
            "fine/.",
            "./fine",
            "fine\0",
            "fi\\ne",
            "/",
            "//",
            ".hidden",
            "C:fine",
        ] {
            assert!(shelf.report(name).is_none(), "{name:?}");
            assert!(shelf.file(name, "report.html").is_none(), "{name:?}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            symlink(outside.path(), reports.join("link")).expect("a link");
            assert!(shelf.file("link", "report.html").is_none());
            let file = reports.join("fine/run.json");
            symlink(outside.path().join("report.html"), file).expect("a link");
            assert!(shelf.file("fine", "run.json").is_none());
        }
    }
}
