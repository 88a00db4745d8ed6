//! Listings that deals are drawn from: made in memory, or in a folder and used again.
//!
//! A folder of listings is a cache. A file in it is named after all that decides its bytes, and
//! nothing is dealt from it before it has been compared with its condition, as far as milliseconds
//! go ([`cells::recount`]).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use etcetera::BaseStrategy;

use crate::bridge::{Hand, Seat};
use crate::error::Error;
use crate::language::{Condition, Plan};
use crate::observer::Observer;
use crate::population::cases::{
    self, CaseBytes, CaseFile, Census, Listing, ListingError, OpenError, Recounted, Removal, Runs,
};
use crate::population::cells;
use crate::printable::shown;

/// The program and its version: a listing of another version is made again.
const PROGRAM: &str = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));

/// Most cases of a listing that is made in memory because its folder cannot be written: 256 MiB.
const MOST_IN_MEMORY: u64 = 1 << 24;

/// A listing that deals can be drawn from.
#[derive(Debug)]
pub struct Listed {
    /// Its records.
    pub file: CaseFile<CaseBytes>,
    /// Where they are; none if they were listed in memory.
    pub path: Option<PathBuf>,
    /// How much of it was compared with its condition.
    pub recounted: Recounted,
}

impl Listed {
    /// A case file that the user named, checked before anything relies on it. With `copy` it is
    /// read into memory instead of mapped.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is damaged, or is not the listing of its condition.
    pub fn open(path: &Path, copy: bool) -> Result<Self, Error> {
        let file = match copy {
            true => cases::read(path),
            false => cases::open(path),
        }?;
        let recounted = accepted(path, &file)?;
        Ok(Self {
            file,
            path: Some(path.to_owned()),
            recounted,
        })
    }

    /// The same file, read into memory instead of mapped.
    fn copied(self) -> Result<Self, Error> {
        let Some(path) = &self.path else {
            return Ok(self);
        };
        let file = cases::read(path)?;
        if file.header() == self.file.header() && file.records_are_sound() {
            return Ok(Self { file, ..self });
        }
        Self::open(path, true)
    }

    /// The seats that are listed.
    #[must_use]
    pub fn seats(&self) -> (Seat, Option<Seat>) {
        (self.file.header().first, self.file.header().second)
    }

    /// The path of the file, or that there is none.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "the listing in memory".to_owned(),
        }
    }

    /// The cards of a suit that are alike to the listing: all if no hand is listed by honours,
    /// otherwise the nine spots.
    pub(super) fn exchangeable(&self) -> Hand {
        Runs::new(&self.file).exchangeable()
    }
}

/// Where listings are made, and kept.
#[derive(Clone, Debug)]
pub struct Listings {
    /// None: in memory.
    folder: Option<PathBuf>,
    copy: bool,
}

/// The hands of a condition, listed one by one and counted together.
#[derive(Debug)]
pub struct Counted {
    /// The hands.
    pub listing: Listing,
    /// The cases and T.
    pub census: Census,
}

impl Counted {
    /// Lists the hands of a condition and counts their cases.
    ///
    /// # Errors
    ///
    /// If the condition cannot be listed, or has more than `max_cases` cases.
    pub fn new(
        condition: &Condition,
        order: Option<&[Seat]>,
        max_cases: u64,
    ) -> Result<Self, ListingError> {
        let listing = Listing::new(condition, order)?;
        let census = cases::census(condition, &listing)?.within(max_cases)?;
        Ok(Self { listing, census })
    }
}

/// What became of the files of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Files that were removed, and their bytes.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Files that are being written, and were left.
    pub being_written: u64,
    /// Files that are in use, and were left.
    pub in_use: u64,
}

impl Listings {
    /// Listings in memory alone: nothing is written.
    #[must_use]
    pub fn in_memory() -> Self {
        Self {
            folder: None,
            copy: false,
        }
    }

    /// Listings in this folder, which is made when something is written to it.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder: Some(folder),
            copy: false,
        }
    }

    /// Listings in the user's cache: `$XDG_CACHE_HOME/fairdeal`, or what the system has for it.
    ///
    /// # Errors
    ///
    /// If the user has no home.
    pub fn of_user() -> Result<Self, Error> {
        let strategy = etcetera::choose_base_strategy().map_err(Error::io)?;
        Ok(Self::in_folder(strategy.cache_dir().join("fairdeal")))
    }

    /// The same, but files are read into memory instead of mapped: for file systems whose files may be
    /// shortened while they are read.
    #[must_use]
    pub fn copied(self, copy: bool) -> Self {
        Self { copy, ..self }
    }

    /// The folder, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether case files are read into memory instead of mapped.
    #[must_use]
    pub fn copies(&self) -> bool {
        self.copy
    }

    /// The listing of a condition, if it is kept here and sound.
    ///
    /// # Errors
    ///
    /// If the condition has no listing, its listing has more than `max_cases` cases, or the file
    /// cannot be read into memory.
    pub fn find(
        &self,
        condition: &Condition,
        order: Option<&[Seat]>,
        max_cases: u64,
    ) -> Result<Option<Listed>, Error> {
        let seats = match Plan::new(condition, order)? {
            Plan::Listed { first, second } => (first.seat, second.map(|hand| hand.seat)),
            Plan::Impossible => return Err(ListingError::NoDeal.into()),
            Plan::Unconstrained => return Err(ListingError::Unconstrained.into()),
        };
        // One that is not sound is made again, with a warning then.
        let Some(Ok(kept)) = self.look_up(condition, seats) else {
            return Ok(None);
        };
        let (cases, total) = (kept.file.cases(), kept.file.total());
        Census { cases, total }.within(max_cases)?;
        self.owned(kept).map(Some)
    }

    /// The listing of a condition: as it is kept here, or made now.
    ///
    /// # Errors
    ///
    /// If it cannot be listed within `max_cases` or written.
    pub fn listing(
        &self,
        condition: &Condition,
        order: Option<&[Seat]>,
        max_cases: u64,
        observer: &dyn Observer,
    ) -> Result<Listed, Error> {
        if let Some(kept) = self.find(condition, order, max_cases)? {
            return Ok(kept);
        }
        let counting = observer.stage("count", None);
        let counted = Counted::new(condition, order, max_cases)?;
        drop(counting);
        self.make(condition, &counted, observer)
    }

    /// Makes the listing of a condition, unless it is kept here and sound. Warns if one that is
    /// kept has to be replaced, and lists in memory where the folder cannot be written and there
    /// are few cases.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn make(
        &self,
        condition: &Condition,
        counted: &Counted,
        observer: &dyn Observer,
    ) -> Result<Listed, Error> {
        let (listing, census) = (&counted.listing, counted.census);
        let Some(folder) = &self.folder else {
            return in_memory(condition, listing, census, observer);
        };
        match self.look_up(condition, listing.seats()) {
            Some(Ok(kept)) => return self.owned(kept),
            Some(Err(wrong)) => observer.warn(&format!("{wrong}; it is listed again")),
            None => {}
        }
        let path = folder.join(file_name(condition, listing.seats()));
        match written(condition, listing, census, &path, observer) {
            Err(error) if error.is_io() && census.cases <= MOST_IN_MEMORY => {
                observer.warn(&format!("{error}; the condition is listed in memory"));
                in_memory(condition, listing, census, observer)
            }
            written => self.owned(written?),
        }
    }

    /// Read into memory, if that is asked for.
    fn owned(&self, listed: Listed) -> Result<Listed, Error> {
        match self.copy {
            true => listed.copied(),
            false => Ok(listed),
        }
    }

    /// The listing of these seats, if it is kept; or why it is not sound.
    fn look_up(
        &self,
        condition: &Condition,
        seats: (Seat, Option<Seat>),
    ) -> Option<Result<Listed, String>> {
        let path = self.folder.as_ref()?.join(file_name(condition, seats));
        let file = match cases::open(&path) {
            Ok(file) => file,
            // Nothing is there, or nothing that can be read: writing says what is wrong.
            Err(OpenError::Io { .. }) => return None,
            Err(error) => return Some(Err(error.to_string())),
        };
        let header = file.header();
        let is_another =
            header.condition != condition.text() || (header.first, header.second) != seats;
        let recounted = match is_another {
            true => Err(format!("{} lists another condition", shown(&path))),
            false => checked(&path, &file),
        };
        let recounted = match recounted {
            Ok(recounted) => recounted,
            Err(wrong) => return Some(Err(wrong)),
        };
        let (cases, total, name) = (file.cases(), file.total(), path.display().to_string());
        let how = recounted.name();
        tracing::info!(target: "cases", file = name, cases, total, recounted = how, "case file taken from the cache");
        Some(Ok(Listed {
            file,
            path: Some(path),
            recounted,
        }))
    }

    /// Removes the case files of the folder that are not in use, and parts of files that nobody
    /// writes any more.
    ///
    /// # Errors
    ///
    /// If the folder or a file cannot be read or removed.
    pub fn prune(&self) -> Result<Pruned, Error> {
        let mut pruned = Pruned::default();
        let Some(folder) = &self.folder else {
            return Ok(pruned);
        };
        let failed = |error| Error::of(shown(folder), error);
        if !folder.try_exists().map_err(failed)? {
            return Ok(pruned);
        }
        let parts = cases::remove_abandoned_parts(folder).map_err(failed)?;
        (pruned.files, pruned.bytes) = (parts.removed, parts.bytes);
        pruned.being_written = parts.left;
        for entry in fs::read_dir(folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.extension().is_none_or(|ending| ending != "cases") {
                continue;
            }
            let removal = cases::remove_unless_in_use(&path);
            match removal.map_err(|error| Error::of(shown(&path), error))? {
                Removal::Removed { bytes } => {
                    pruned.files += 1;
                    pruned.bytes += bytes;
                }
                Removal::InUse => pruned.in_use += 1,
                Removal::Gone => {}
            }
        }
        Ok(pruned)
    }
}

/// Makes a listing in memory.
fn in_memory(
    condition: &Condition,
    listing: &Listing,
    census: Census,
    observer: &dyn Observer,
) -> Result<Listed, Error> {
    let stage = observer.stage("cases", Some(census.cases));
    let file = cases::list(condition, listing, census, &|cases| stage.advance(cases))?;
    Ok(Listed {
        file,
        path: None,
        recounted: Recounted::All,
    })
}

/// Writes a listing into a folder, and opens it.
fn written(
    condition: &Condition,
    listing: &Listing,
    census: Census,
    path: &Path,
    observer: &dyn Observer,
) -> Result<Listed, Error> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(folder).map_err(|error| {
        let folder = shown(folder);
        let advice = "set XDG_CACHE_HOME to a folder that can be written";
        Error::of(format!("{folder} cannot hold the listing: {advice}"), error)
    })?;
    let written = write_cases(condition, listing, census, path, observer)?;
    let file = cases::open(path)?;
    // What was written was counted; another process may have put its own there since.
    let recounted = match *file.header() == written.header {
        true => Recounted::All,
        false => accepted(path, &file)?,
    };
    Ok(Listed {
        file,
        path: Some(path.to_owned()),
        recounted,
    })
}

/// Writes the cases of a condition, from wherever they come, to `path`, as a stage of the work.
///
/// # Errors
///
/// If the condition has no listing, or the file cannot be written.
pub fn write_cases(
    condition: &Condition,
    source: &impl cases::Source,
    census: Census,
    path: &Path,
    observer: &dyn Observer,
) -> Result<cases::Written, Error> {
    let Census { cases, total } = census;
    let (clock, file) = (Instant::now(), path.display().to_string());
    tracing::info!(target: "cases", cases, total, "listing begun");
    let stage = observer.stage("cases", Some(cases));
    let written = cases::write(condition, source, census, path, &|cases| {
        stage.advance(cases);
    })?;
    drop(stage);
    let (seconds, bytes) = (clock.elapsed().as_secs_f64(), written.bytes);
    tracing::info!(target: "cases", file, cases, total, bytes, seconds, "listing finished");
    Ok(written)
}

/// Checks a file's records, and compares it with the listing of its condition, as far as that
/// takes milliseconds; or what is wrong with it.
fn checked(path: &Path, file: &CaseFile<CaseBytes>) -> Result<Recounted, String> {
    let path = shown(path);
    if !file.records_are_sound() {
        return Err(format!(
            "{path} was altered after it was written: its records do not have their checksum"
        ));
    }
    cells::recount(file)
        .map_err(|error| format!("{path} is not the listing of its condition: {error}"))
}

/// How much of a file was compared with its condition.
fn accepted(path: &Path, file: &CaseFile<CaseBytes>) -> Result<Recounted, Error> {
    checked(path, file).map_err(|wrong| Error::input(format!("{wrong}; build it again")))
}

/// The name of a listing's file: a hash of all that decides its bytes, the versions of the program
/// and of its listings among it.
fn file_name(condition: &Condition, seats: (Seat, Option<Seat>)) -> String {
    let mut hasher = blake3::Hasher::new();
    let (format, lister) = (cases::FORMAT_VERSION, cases::LISTER_VERSION);
    hasher.update(format!("FDCASES{format} {PROGRAM} lister {lister} ").as_bytes());
    hasher.update(format!("{} {} ", cases::DEFAULT_INTERVAL, order_of(seats)).as_bytes());
    hasher.update(condition.text().as_bytes());
    format!("{}.cases", &hasher.finalize().to_hex()[..32])
}

/// One seat or two, from their names separated by a comma.
#[must_use]
pub fn seats_of(order: &str) -> Option<Vec<Seat>> {
    let seats: Option<Vec<Seat>> = order.split(',').map(Seat::from_name).collect();
    seats.filter(|seats| seats.len() <= 2)
}

/// The names of seats, separated by a comma: `west,east`.
#[must_use]
pub fn order_of((first, second): (Seat, Option<Seat>)) -> String {
    match second {
        None => first.name().to_owned(),
        Some(second) => format!("{},{}", first.name(), second.name()),
    }
}
