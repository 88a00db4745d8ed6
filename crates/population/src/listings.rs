//! Listings that deals are drawn from: made in memory, or written to a folder and reused.
//!
//! A folder of listings is a cache ([`cache`]). A file's name is a hash of everything that
//! determines its bytes. The checksums of a file are compared when it is opened, once for each state
//! of the file ([`checked`]); they guard against damage. Only `cases verify` proves that a file is
//! the listing of its condition.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use super::cache::{self, Pruned};
use super::checked::{self, PROGRAM};

use etcetera::BaseStrategy;

use crate::atomic_file;
use crate::bridge::{Hand, Seat};
use crate::cases::{self, CaseBytes, CaseFile, Census, Listing, ListingError, OpenError, Runs};
use crate::error::Error;
use crate::language::{Condition, Plan};
use crate::observer::{Observer, Stage};
use crate::printable::display_path;

/// Maximum number of cases of a listing that is made in memory because its folder cannot be
/// written: 2 GiB.
const MOST_IN_MEMORY: u64 = 1 << 27;

/// Maximum size in bytes of all listings in a user's cache.
pub const DEFAULT_CACHE_LIMIT: u64 = 2 << 30;

/// A listing that deals can be drawn from.
#[derive(Debug)]
pub struct OpenListing {
    /// The case file.
    pub file: CaseFile<CaseBytes>,
    /// The path of the file; `None` if the cases were listed in memory.
    pub path: Option<PathBuf>,
    /// Shrinks the cache to its limit after use; dropped after the file.
    trim: Option<cache::Trim>,
}

impl OpenListing {
    /// The listed seats.
    pub fn seats(&self) -> (Seat, Option<Seat>) {
        (self.file.header().first, self.file.header().second)
    }

    /// The path of the file, or `the listing in memory`.
    pub fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "the listing in memory".to_owned(),
        }
    }

    /// The cards of a suit that the listing treats as interchangeable: all thirteen if no hand is
    /// listed by honours, otherwise the nine spot cards.
    pub(super) fn exchangeable(&self) -> Hand {
        Runs::new(&self.file).exchangeable()
    }
}

/// The place where listings are made and stored.
#[derive(Clone, Debug)]
pub struct Listings {
    /// `None` for listings in memory.
    folder: Option<PathBuf>,
    /// Maximum size of the folder in bytes.
    limit: u64,
    copy: bool,
}

/// A condition's hands, each listed separately, and the census of their combinations.
#[derive(Debug)]
pub struct CountedListing {
    /// The hands, each listed separately.
    pub listing: Listing,
    /// The number of cases, and T.
    pub census: Census,
}

impl CountedListing {
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

impl Listings {
    /// Makes listings in memory only; nothing is written.
    pub fn in_memory() -> Self {
        Self {
            folder: None,
            limit: u64::MAX,
            copy: false,
        }
    }

    /// Stores listings of any size in this folder, which is created by the first write.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder: Some(folder),
            ..Self::in_memory()
        }
    }

    /// Stores listings in the user's cache, `$XDG_CACHE_HOME/fairdeal` or the system's folder for
    /// caches, up to [`DEFAULT_CACHE_LIMIT`] bytes.
    ///
    /// # Errors
    ///
    /// If the user has no home folder.
    pub fn of_user() -> Result<Self, Error> {
        let strategy = etcetera::choose_base_strategy().map_err(Error::io)?;
        let folder = strategy.cache_dir().join("fairdeal");
        Ok(Self::in_folder(folder).limited(DEFAULT_CACHE_LIMIT))
    }

    /// Limits the folder to this number of bytes. The least recently used listings are removed
    /// first, and a listing larger than the limit after use. Processes that have mapped a listing
    /// keep it.
    #[must_use]
    pub fn limited(self, bytes: u64) -> Self {
        let limit = bytes;
        Self { limit, ..self }
    }

    /// Sets whether files are read into memory instead of mapped: for file systems on which files
    /// may be truncated while they are read.
    #[must_use]
    pub fn copied(self, copy: bool) -> Self {
        Self { copy, ..self }
    }

    /// The folder; `None` for listings in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Opens a case file that the user named, and compares its checksums.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is corrupted.
    pub fn open(&self, path: &Path) -> Result<OpenListing, Error> {
        let file = self.mapped_or_read(path)?;
        self.check(path, &file)
            .map_err(|wrong| Error::input(format!("{wrong}; rebuild it")))?;
        Ok(OpenListing {
            file,
            path: Some(path.to_owned()),
            trim: None,
        })
    }

    fn mapped_or_read(&self, path: &Path) -> Result<CaseFile<CaseBytes>, OpenError> {
        match self.copy {
            true => cases::read(path),
            false => cases::open(path),
        }
    }

    /// Compares the checksums of a file, unless the folder records that this was done. The error is
    /// a message without advice.
    fn check(&self, path: &Path, file: &CaseFile<CaseBytes>) -> Result<(), String> {
        let recorded = self.folder.as_deref().zip(file.stamp());
        if recorded.is_some_and(|(folder, stamp)| checked::contains(folder, stamp)) {
            return Ok(());
        }
        if !file.checksums_match() {
            return Err(format!(
                "{} was modified after it was written: its checksum does not match",
                display_path(path)
            ));
        }
        if let Some((folder, stamp)) = recorded {
            checked::add(folder, stamp, SystemTime::now());
        }
        Ok(())
    }

    /// Returns the stored listing of a condition; `None` if there is none or it is not valid.
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
    ) -> Result<Option<OpenListing>, Error> {
        let seats = match Plan::new(condition, order)? {
            Plan::Listed { first, second } => (first.seat, second.map(|hand| hand.seat)),
            Plan::Impossible => return Err(ListingError::NoDeal.into()),
            Plan::Unconstrained => return Err(ListingError::Unconstrained.into()),
        };
        // `make` replaces an invalid listing, and warns.
        let Some(Ok(kept)) = self.look_up(condition, seats) else {
            return Ok(None);
        };
        let (cases, total) = (kept.file.cases(), kept.file.total());
        Census { cases, total }.within(max_cases)?;
        Ok(Some(kept))
    }

    /// Returns the stored listing of a condition, or makes it.
    ///
    /// # Errors
    ///
    /// If the condition cannot be listed within `max_cases` cases, or the listing cannot be
    /// written.
    pub fn listing(
        &self,
        condition: &Condition,
        order: Option<&[Seat]>,
        max_cases: u64,
        observer: &dyn Observer,
    ) -> Result<OpenListing, Error> {
        if let Some(kept) = self.find(condition, order, max_cases)? {
            return Ok(kept);
        }
        let counting = observer.stage(Stage::Count, None);
        let counted = CountedListing::new(condition, order, max_cases)?;
        drop(counting);
        self.make(condition, &counted, observer)
    }

    /// Makes the listing of a condition, unless a valid one is stored. Warns if a stored listing
    /// has to be replaced. If the folder cannot be written, lists in memory up to 2 GiB, with a
    /// warning.
    ///
    /// # Errors
    ///
    /// If the listing cannot be written.
    pub fn make(
        &self,
        condition: &Condition,
        counted: &CountedListing,
        observer: &dyn Observer,
    ) -> Result<OpenListing, Error> {
        let (listing, census) = (&counted.listing, counted.census);
        let Some(folder) = &self.folder else {
            return in_memory(condition, listing, census, observer);
        };
        match self.look_up(condition, listing.seats()) {
            Some(Ok(kept)) => return Ok(kept),
            Some(Err(wrong)) => observer.warn(&format!("{wrong}; listing the condition again")),
            None => {}
        }
        let path = folder.join(file_name(condition, listing.seats()));
        match self.kept(condition, counted, &path, observer) {
            Err(error) if error.is_io() && census.cases <= MOST_IN_MEMORY => {
                observer.warn(&format!(
                    "{error}; the condition is listed in memory (set FAIRDEAL_CACHE to a folder that \
                     can be written)"
                ));
                in_memory(condition, listing, census, observer)
            }
            written => written,
        }
    }

    /// Makes room in the folder and writes a listing.
    fn kept(
        &self,
        condition: &Condition,
        counted: &CountedListing,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<OpenListing, Error> {
        let folder = atomic_file::folder_of(path);
        let records = counted.census.cases.saturating_mul(16);
        fs::create_dir_all(folder).map_err(|error| {
            let folder = display_path(folder);
            Error::of(format!("cannot create the cache folder {folder}"), error)
        })?;
        cache::make_room(folder, self.limit, records, None);
        // Marked before it is written, so that it counts as the most recently used at once.
        cache::mark_used(path);
        let mut listed = self.written(condition, counted, path, observer)?;
        let bytes = listed.file.bytes().len() as u64;
        if bytes > self.limit {
            observer.warn(&format!(
                "the listing takes {bytes} bytes and the cache holds at most {limit}: it is removed \
                 after use (raise FAIRDEAL_CACHE_LIMIT to keep it)",
                limit = self.limit
            ));
        }
        listed.trim = Some(cache::Trim::new(folder, self.limit));
        // Other processes may have written meanwhile.
        cache::make_room(folder, self.limit, 0, Some(path));
        Ok(listed)
    }

    /// Writes a listing into the existing folder, and opens it.
    fn written(
        &self,
        condition: &Condition,
        counted: &CountedListing,
        path: &Path,
        observer: &dyn Observer,
    ) -> Result<OpenListing, Error> {
        let (listing, census) = (&counted.listing, counted.census);
        let mut attempts = 0;
        let (written, file) = loop {
            let written = write_cases(condition, listing, census, path, observer)?;
            match self.mapped_or_read(path) {
                // Another process removed the file to make room for its own before it was opened.
                Err(OpenError::Io { .. }) if attempts < MOST_ATTEMPTS => attempts += 1,
                Err(OpenError::Io { source, .. }) => {
                    return Err(Error::of(display_path(path), source));
                }
                file => break (written, file?),
            }
        };
        if *file.header() != written.header {
            // Another process has replaced the file since.
            return self.open(path);
        }
        Ok(OpenListing {
            file,
            path: Some(path.to_owned()),
            trim: None,
        })
    }

    /// Looks up the stored listing of these seats. `None` if there is none; an error says why the
    /// stored listing is not valid.
    fn look_up(
        &self,
        condition: &Condition,
        seats: (Seat, Option<Seat>),
    ) -> Option<Result<OpenListing, String>> {
        let folder = self.folder.as_ref()?;
        let path = folder.join(file_name(condition, seats));
        let file = match self.mapped_or_read(&path) {
            Ok(file) => file,
            // Absent or unreadable: if it is unreadable, writing will report the error.
            Err(OpenError::Io { .. }) => return None,
            Err(error) => return Some(Err(error.to_string())),
        };
        let header = file.header();
        let is_another =
            header.condition != condition.text() || (header.first, header.second) != seats;
        let checked = match is_another {
            true => Err(format!(
                "{} is the listing of a different condition",
                display_path(&path)
            )),
            false => self.check(&path, &file),
        };
        if let Err(wrong) = checked {
            return Some(Err(wrong));
        }
        let (cases, total, name) = (file.cases(), file.total(), path.display().to_string());
        tracing::info!(target: "cases", file = name, cases, total, "case file taken from the cache");
        cache::mark_used(&path);
        Some(Ok(OpenListing {
            file,
            path: Some(path),
            trim: Some(cache::Trim::new(folder, self.limit)),
        }))
    }

    /// Returns the kept result of this name, a hash of everything that determines it; `None` if there
    /// is none.
    pub fn find_result(&self, name: &str) -> Option<Vec<u8>> {
        cache::find_result(self.folder.as_deref()?, name)
    }

    /// Keeps a result under its name, if there is a folder that can be written.
    pub fn keep_result(&self, name: &str, result: &[u8]) {
        if let Some(folder) = &self.folder
            && let Err(error) = cache::keep_result(folder, self.limit, name, result)
        {
            let folder = folder.display().to_string();
            tracing::info!(target: "cases", folder, %error, "result not kept in the cache");
        }
    }

    /// Removes the folder's case files and results, and incomplete files that no process is writing.
    /// On Unix, processes that have mapped a case file keep it.
    ///
    /// # Errors
    ///
    /// If the folder or a file cannot be read or removed.
    pub fn prune(&self) -> Result<Pruned, Error> {
        match &self.folder {
            Some(folder) => cache::prune(folder),
            None => Ok(Pruned::default()),
        }
    }
}

/// Makes a listing in memory.
fn in_memory(
    condition: &Condition,
    listing: &Listing,
    census: Census,
    observer: &dyn Observer,
) -> Result<OpenListing, Error> {
    let stage = observer.stage(Stage::Cases, Some(census.cases));
    let file = cases::list(condition, listing, census, &|cases| stage.advance(cases))?;
    Ok(OpenListing {
        file,
        path: None,
        trim: None,
    })
}

/// Maximum number of times a listing is rewritten because another process removed it.
const MOST_ATTEMPTS: u32 = 8;

/// Writes the cases of a condition to `path`, and reports progress as a stage of the work.
///
/// # Errors
///
/// If the condition has no listing, or the file cannot be written.
pub fn write_cases(
    condition: &Condition,
    source: &impl cases::CaseSource,
    census: Census,
    path: &Path,
    observer: &dyn Observer,
) -> Result<cases::Written, Error> {
    let Census { cases, total } = census;
    let (clock, file) = (Instant::now(), path.display().to_string());
    tracing::info!(target: "cases", cases, total, "listing begun");
    let stage = observer.stage(Stage::Cases, Some(cases));
    let written = cases::write(condition, source, census, path, &|cases| {
        stage.advance(cases);
    })?;
    drop(stage);
    let (seconds, bytes) = (clock.elapsed().as_secs_f64(), written.bytes);
    tracing::info!(target: "cases", file, cases, total, bytes, seconds, "listing finished");
    Ok(written)
}

/// The name of a listing's file: a hash of everything that determines its bytes, including the
/// versions of the program and of the lister.
fn file_name(condition: &Condition, seats: (Seat, Option<Seat>)) -> String {
    let mut hasher = blake3::Hasher::new();
    let (format, lister) = (cases::FORMAT_VERSION, cases::LISTER_VERSION);
    hasher.update(format!("FDCASES{format} {PROGRAM} lister {lister} ").as_bytes());
    hasher.update(format!("{} ", order_of(seats)).as_bytes());
    hasher.update(condition.text().as_bytes());
    format!("{}.cases", &hasher.finalize().to_hex()[..32])
}

/// Parses one or two seat names separated by a comma.
pub fn seats_of(order: &str) -> Option<Vec<Seat>> {
    let seats: Option<Vec<Seat>> = order.split(',').map(Seat::from_name).collect();
    seats.filter(|seats| seats.len() <= 2)
}

/// Returns the names of the seats separated by a comma: `west,east`.
pub fn order_of((first, second): (Seat, Option<Seat>)) -> String {
    match second {
        None => first.name().to_owned(),
        Some(second) => format!("{},{}", first.name(), second.name()),
    }
}
