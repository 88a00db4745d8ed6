//! INPUT: a scenario, a condition file, a case file, standard input or `--where`.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use etcetera::BaseStrategy;

use fairdeal::cards::Seat;
use fairdeal::cases::{
    self, CaseBytes, CaseFile, Census, DEFAULT_MAX_CASES, Listing, ListingError, OpenError,
    Recounted,
};
use fairdeal::cells::{self, Cells};
use fairdeal::condition::{Condition, MAX_CONDITION_BYTES, Plan, SCENARIOS, Scenario, Script};
use fairdeal::report::{PROGRAM, grouped};

use super::{log, output, values};
use fairdeal::Error;

/// What to deal or list.
#[derive(Args, Clone, Debug)]
#[group(multiple = false, id = "what")]
pub(super) struct Input {
    /// A scenario's name, a condition file (.dl), a case file (.cases), or - for a condition on
    /// standard input
    #[arg(value_name = "INPUT")]
    input: Option<String>,

    /// A condition in dealer's language
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,
}

/// How a condition is listed.
#[derive(Args, Clone, Debug)]
pub(super) struct ListingOptions {
    /// The order of the hands in the listing, such as east,west [default: as the condition
    /// mentions them]
    #[arg(long, value_name = "A,B", value_parser = values::order)]
    pub(super) order: Option<Seats>,

    /// List no more cases than this; each takes 16 bytes on disk
    #[arg(long, value_name = "N", default_value_t = DEFAULT_MAX_CASES, value_parser = values::count)]
    pub(super) max_cases: u64,
}

// clap would read `Option<Vec<T>>` as an option that is given many times.
type Seats = Vec<Seat>;

/// An input that has been found and read.
pub(super) enum Source {
    Script(Box<Script>),
    CaseFile(PathBuf),
}

impl Input {
    /// What goes by this name.
    pub(super) fn named(name: &str) -> Self {
        Self {
            input: Some(name.to_owned()),
            condition: None,
        }
    }

    /// `--where` with this text.
    pub(super) fn of_condition(text: &str) -> Self {
        Self {
            input: None,
            condition: Some(text.to_owned()),
        }
    }

    /// Whether anything was named.
    pub(super) fn is_given(&self) -> bool {
        self.input.is_some() || self.condition.is_some()
    }

    /// Whether the condition is read from standard input.
    pub(super) fn reads_stdin(&self) -> bool {
        self.input.as_deref() == Some("-")
    }

    /// Finds and reads what was named.
    pub(super) fn resolve(&self) -> Result<(String, Source), Error> {
        if let Some(text) = &self.condition {
            let (name, script) = unnamed("--where", text)?;
            return match script.notes.first() {
                // Two conditions on a command line are one that lacks an `and`.
                Some(note) => Err(note.clone().into()),
                None => Ok((name, Source::Script(script))),
            };
        }
        let Some(name) = self.input.as_deref() else {
            return Err(Error::usage(
                "no INPUT: name a scenario, a condition file (.dl), a case file (.cases), - for \
                 standard input, or give --where 'CONDITION'",
            ));
        };
        if name == "-" {
            let text = read_condition(io::stdin().lock(), "standard input")?;
            let (name, script) = unnamed("standard input", &text)?;
            return Ok((name, Source::Script(script)));
        }
        if let Some(scenario) = Scenario::named(name) {
            let script = Script::parse(name, scenario.text)?;
            return Ok((name.to_owned(), Source::Script(Box::new(script))));
        }
        let path = Path::new(name);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let stem = stem.trim_start_matches('.').to_owned();
        let stem = if stem.is_empty() {
            "run".to_owned()
        } else {
            stem
        };
        if path
            .extension()
            .is_some_and(|extension| extension == "cases")
        {
            return Ok((stem, Source::CaseFile(path.to_owned())));
        }
        let file = fs::File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::input(format!(
                "`{name}` is neither a scenario nor a file; the scenarios are {}",
                SCENARIOS.map(|scenario| scenario.name).join(", ")
            )),
            _ => Error::of(name, error),
        })?;
        let text = read_condition(file, name)?;
        if text.starts_with("FDCASES") {
            return Ok((stem, Source::CaseFile(path.to_owned())));
        }
        Ok((stem, Source::Script(Box::new(Script::parse(name, &text)?))))
    }
}

/// A script that no file names goes by its hash.
fn unnamed(origin: &str, text: &str) -> Result<(String, Box<Script>), Error> {
    let script = Script::parse(origin, text)?;
    let hash = blake3::hash(text.as_bytes()).to_hex();
    Ok((format!("condition-{}", &hash[..12]), Box::new(script)))
}

fn read_condition(reader: impl Read, name: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    let limit = MAX_CONDITION_BYTES as u64 + 1;
    reader
        .take(limit)
        .read_to_end(&mut bytes)
        .map_err(|error| Error::of(name, error))?;
    if bytes.starts_with(b"FDCASES") {
        return Ok("FDCASES".to_owned());
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Error::input(format!(
            "{name} is no condition: byte {at} is not text"
        )));
    }
    // Old scripts have comments and texts in Latin-1, whose bytes are its characters.
    let text = String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        bytes.into_iter().map(char::from).collect()
    });
    if text.trim().is_empty() {
        // A pipe that broke must not deal every hand there is.
        return Err(Error::input(format!(
            "{name} is empty: every deal is `condition 1`, or the scenario unconstrained"
        )));
    }
    let unmarked = text.strip_prefix('\u{feff}').map(str::to_owned);
    Ok(unmarked.unwrap_or(text))
}

/// What a condition lists, counted and within the limit, not yet written.
pub(super) struct Counted {
    pub(super) listing: Listing,
    pub(super) census: Census,
}

/// A case file that deals are drawn from.
pub(super) struct Opened {
    pub(super) path: PathBuf,
    pub(super) file: CaseFile<CaseBytes>,
    /// How much of it was compared with its condition.
    pub(super) recounted: Recounted,
}

impl ListingOptions {
    /// Lists the hands and counts the cases; refuses too many. `order` holds
    /// where the options do not say another.
    pub(super) fn count(
        &self,
        condition: &Condition,
        order: Option<Vec<Seat>>,
        quiet: bool,
    ) -> Result<Counted, Error> {
        let order = self.order.clone().or(order);
        output::during("count", quiet, || {
            let listing = Listing::new(condition, order.as_deref())?;
            let census = cases::census(condition, &listing)?.within(self.max_cases)?;
            Ok(Counted { listing, census })
        })
    }

    /// Whether the condition allows every deal, so that nothing is listed.
    pub(super) fn is_unconstrained(&self, condition: &Condition) -> Result<bool, Error> {
        let plan = Plan::new(condition, self.order.as_deref()).map_err(ListingError::from)?;
        Ok(matches!(plan, Plan::Unconstrained))
    }

    /// A case file has its own order.
    pub(super) fn refuse_order(&self) -> Result<(), Error> {
        match self.order {
            Some(_) => Err(Error::usage(
                "a case file has its own order: --order needs a condition",
            )),
            None => Ok(()),
        }
    }

    /// The condition's case file in the user's cache folder, listed now unless
    /// it is there and sound.
    ///
    /// `ready` is called with the seats listed when it is known that there is
    /// something to list, and before anything is written.
    pub(super) fn listed(
        &self,
        condition: &Condition,
        quiet: bool,
        ready: impl FnOnce(&str) -> Result<(), Error>,
    ) -> Result<Opened, Error> {
        if let Some(kept) = self.kept(condition)? {
            let header = kept.file.header();
            ready(&order_of((header.first, header.second)))?;
            return Ok(kept);
        }
        let counted = self.count(condition, None, quiet)?;
        ready(&order_of(counted.listing.seats()))?;
        counted.keep(condition, quiet)
    }

    /// The condition's case file, if it is in the cache folder and sound.
    pub(super) fn kept(&self, condition: &Condition) -> Result<Option<Opened>, Error> {
        let plan = Plan::new(condition, self.order.as_deref()).map_err(ListingError::from)?;
        let seats = match plan {
            Plan::Listed { first, second } => (first.seat, second.map(|hand| hand.seat)),
            Plan::Impossible => return Err(ListingError::NoDeal.into()),
            Plan::Unconstrained => return Err(ListingError::Unconstrained.into()),
        };
        // What is not sound is listed again, and said by who writes that.
        let Some(kept) = find(condition, seats)?.ok() else {
            return Ok(None);
        };
        let (cases, total) = (kept.file.cases(), kept.file.total());
        Census { cases, total }.within(self.max_cases)?;
        Ok(Some(kept))
    }
}

/// Where a condition's listing is kept.
fn place_of(condition: &Condition, seats: (Seat, Option<Seat>)) -> Result<PathBuf, Error> {
    Ok(cache_folder()?.join(cache_name(condition, &order_of(seats))))
}

/// The condition's listing of these seats, if it is kept and sound; otherwise why it is not,
/// or nothing if there is none.
fn find(
    condition: &Condition,
    seats: (Seat, Option<Seat>),
) -> Result<Result<Opened, Option<String>>, Error> {
    let path = place_of(condition, seats)?;
    let file = match cases::open(&path) {
        Ok(file) => file,
        // Nothing is there, or nothing that can be read: writing says what is wrong.
        Err(OpenError::Io { .. }) => return Ok(Err(None)),
        Err(error) => return Ok(Err(Some(error.to_string()))),
    };
    let header = file.header();
    let wrong = if header.condition != condition.text() || (header.first, header.second) != seats {
        Err(format!("{} lists another condition", path.display()))
    } else {
        checked(&path, &file)
    };
    let recounted = match wrong {
        Ok(recounted) => recounted,
        Err(wrong) => return Ok(Err(Some(wrong))),
    };
    let (cases, total, name) = (file.cases(), file.total(), path.display().to_string());
    let how = recounted.name();
    tracing::info!(target: "cases", file = name, cases, total, recounted = how, "case file taken from the cache");
    Ok(Ok(Opened {
        path,
        file,
        recounted,
    }))
}

/// Checks a file's records, and compares it with the listing of its condition, as far as that
/// takes milliseconds; or what is wrong with it.
fn checked(path: &Path, file: &CaseFile<CaseBytes>) -> Result<Recounted, String> {
    let path = path.display();
    if !file.records_are_sound() {
        return Err(format!(
            "{path} was altered after it was written: its records do not have their checksum"
        ));
    }
    cells::recount(file)
        .map_err(|error| format!("{path} is not the listing of its condition: {error}"))
}

/// What a listing is kept under: a hash of all that decides its bytes, the versions of the
/// program and of its listings among it.
fn cache_name(condition: &Condition, order: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    let (format, lister) = (cases::FORMAT_VERSION, cases::LISTER_VERSION);
    hasher.update(format!("FDCASES{format} {PROGRAM} lister {lister} ").as_bytes());
    hasher.update(format!("{} {order} ", cases::DEFAULT_INTERVAL).as_bytes());
    hasher.update(condition.text().as_bytes());
    format!("{}.cases", &hasher.finalize().to_hex()[..32])
}

impl Counted {
    /// The case file in the cache folder, written now unless it is there and sound. Says on
    /// standard error why one that is there is replaced.
    pub(super) fn keep(&self, condition: &Condition, quiet: bool) -> Result<Opened, Error> {
        let seats = self.listing.seats();
        match find(condition, seats)? {
            Ok(kept) => return Ok(kept),
            Err(Some(wrong)) => log::warning(format!("{wrong}; it is listed again"))?,
            Err(None) => {}
        }
        let path = place_of(condition, seats)?;
        let folder = cache_folder()?;
        fs::create_dir_all(&folder).map_err(|error| {
            let folder = folder.display();
            let advice = "set XDG_CACHE_HOME to a folder that can be written";
            Error::of(format!("{folder} cannot hold the listing: {advice}"), error)
        })?;
        let written = self.write(condition, &path, quiet)?;
        let file = cases::open(&path)?;
        // What was written was counted; another process may have put its own there since.
        let recounted = match *file.header() == written.header {
            true => Recounted::All,
            false => accepted(&path, &file)?,
        };
        Ok(Opened {
            path,
            file,
            recounted,
        })
    }

    /// Writes the cases to `path`.
    pub(super) fn write(
        &self,
        condition: &Condition,
        path: &Path,
        quiet: bool,
    ) -> Result<cases::Written, Error> {
        write_cases(condition, &self.listing, self.census, path, quiet)
    }
}

/// Writes the cases of a condition, from wherever they come, to `path`.
pub(super) fn write_cases(
    condition: &Condition,
    source: &impl cases::Source,
    census: Census,
    path: &Path,
    quiet: bool,
) -> Result<cases::Written, Error> {
    let Census { cases, total } = census;
    let (clock, file) = (Instant::now(), path.display().to_string());
    tracing::info!(target: "cases", cases, total, "listing begun");
    let bar = output::progress("cases", cases, quiet);
    let progress = |cases| bar.inc(cases);
    let written = cases::write(condition, source, census, path, &progress);
    bar.finish_and_clear();
    let written = written?;
    let (seconds, bytes) = (clock.elapsed().as_secs_f64(), written.bytes);
    tracing::info!(target: "cases", file, cases, total, bytes, seconds, "listing finished");
    Ok(written)
}

/// Seats separated by a comma.
pub(super) fn order_of((first, second): (Seat, Option<Seat>)) -> String {
    let names: Vec<&str> = [Some(first), second]
        .into_iter()
        .flatten()
        .map(Seat::name)
        .collect();
    names.join(",")
}

/// `$XDG_CACHE_HOME/fairdeal`, or the system's like.
pub(super) fn cache_folder() -> Result<PathBuf, Error> {
    let strategy = etcetera::choose_base_strategy().map_err(Error::io)?;
    Ok(strategy.cache_dir().join("fairdeal"))
}

/// Opens a case file that the user named, and checks it before anything relies on it.
pub(super) fn open_sound(path: &Path, copy: bool) -> Result<Opened, Error> {
    let file = if copy {
        cases::read(path)
    } else {
        cases::open(path)
    }?;
    let recounted = accepted(path, &file)?;
    Ok(Opened {
        path: path.to_owned(),
        file,
        recounted,
    })
}

/// How much of a file was compared with its condition; a failure if it is not its listing.
fn accepted(path: &Path, file: &CaseFile<CaseBytes>) -> Result<Recounted, Error> {
    checked(path, file).map_err(|wrong| Error::input(format!("{wrong}; build it again")))
}

impl Opened {
    /// The same file, read into memory instead of mapped.
    pub(super) fn copied(self) -> Result<Self, Error> {
        let file = cases::read(&self.path)?;
        if file.header() == self.file.header() && file.records_are_sound() {
            return Ok(Self { file, ..self });
        }
        open_sound(&self.path, true)
    }
}

/// `15,748 cells (west,east), T = 1,975,..`.
pub(super) fn size_of_cells(cells: Option<&Cells>) -> String {
    cells.map_or_else(String::new, |cells| {
        let seats: Vec<&str> = cells.seats().iter().map(|seat| seat.name()).collect();
        let (count, total) = (grouped(cells.cells()), grouped(cells.total()));
        format!("{count} cells ({}), T = {total}", seats.join(","))
    })
}

/// `61,700,584 cases, T = 1,975,..`.
pub(super) fn size_of(cases: u64, total: u128) -> String {
    format!("{} cases, T = {}", grouped(cases), grouped(total))
}
