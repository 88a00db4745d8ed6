//! Deals of files, and files of deals.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use fairdeal::bridge::{Seat, Strain, TrickTable, Vulnerable};
use fairdeal::formats::{Board, BoardRecord, Format, Writer};
use fairdeal::language::Script;
use fairdeal::observer::Observer;
use fairdeal::report::PROGRAM;
use fairdeal::tasks::boards::{BoardFiles, BoardRequest, Conversion, board_paths};
use fairdeal::tasks::{DealFiles, FileDeal, read_deals};
use fairdeal::threads::on_workers;
use fairdeal::{Error, Hand};
use numpy::{Element, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{DealArray, unusable};
use crate::error::UsageError;
use crate::work::run;

/// The vulnerabilities in the order of their numbers.
const VULNERABLE: [Vulnerable; 4] = [
    Vulnerable::None,
    Vulnerable::NorthSouth,
    Vulnerable::EastWest,
    Vulnerable::All,
];
/// The number of tricks that a file does not tell.
const UNKNOWN_TRICKS: u8 = 255;
/// Numbers of a table of tricks.
const TRICKS: usize = 4 * Strain::COUNT;

/// The boards of files, column by column; a number below 0 is unknown.
#[derive(Default)]
struct BoardColumns {
    hands: Vec<u64>,
    boards: Vec<i64>,
    dealers: Vec<i8>,
    vulnerable: Vec<i8>,
    /// Indices of `names`.
    events: Vec<u32>,
    names: Vec<String>,
    indices: BTreeMap<String, u32>,
    tricks: Vec<u8>,
}

impl BoardColumns {
    fn add(&mut self, read: FileDeal) {
        let (deal, source) = (read.dealt.deal, read.source);
        self.hands.extend(deal.hands().map(Hand::bits));
        let number = source.number.and_then(|number| number.try_into().ok());
        self.boards.push(number.unwrap_or(-1));
        let dealer = source.dealer.map_or(-1, |seat| seat.index() as i8);
        self.dealers.push(dealer);
        let sides = source.details.vulnerable;
        let sides = VULNERABLE.iter().position(|of| Some(*of) == sides);
        self.vulnerable.push(sides.map_or(-1, |sides| sides as i8));
        let name = source.record.map(|record| record.event[0].to_string());
        let names = &mut self.names;
        let index = self.indices.entry(name.unwrap_or_default());
        self.events.push(*index.or_insert_with_key(|name| {
            names.push(name.clone());
            names.len() as u32 - 1
        }));
        match read.dealt.tricks {
            None => self.tricks.extend([UNKNOWN_TRICKS; TRICKS]),
            Some(table) => {
                let of_seat = |seat| Strain::ALL.map(|strain| table.tricks(seat, strain));
                self.tricks.extend(Seat::ALL.into_iter().flat_map(of_seat));
            }
        }
    }
}

/// Hands, boards, dealers, vulnerabilities, events with their names, and tricks.
type ReadColumns<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u32>>,
    Vec<String>,
    Bound<'py, PyArray3<u8>>,
);

/// Reads the deals of files in any format.
#[pyfunction]
#[pyo3(signature = (files, format, progress = None))]
pub(crate) fn read_files<'py>(
    py: Python<'py>,
    files: Vec<PathBuf>,
    format: Option<&str>,
    progress: Option<Py<PyAny>>,
) -> PyResult<ReadColumns<'py>> {
    let request = request(files, format)?;
    let read = run(py, progress.as_ref(), move |watch| {
        let mut columns = BoardColumns::default();
        let every_deal = Script::parse("every deal", "1")?;
        on_workers(None, || {
            read_deals(&every_deal, &request, watch, &mut |read| {
                columns.add(read);
                Ok(ControlFlow::Continue(()))
            })?;
            Ok(columns)
        })
    })?;
    let deals = read.boards.len();
    Ok((
        PyArray1::from_vec(py, read.hands).reshape([deals, 4])?,
        PyArray1::from_vec(py, read.boards),
        PyArray1::from_vec(py, read.dealers),
        PyArray1::from_vec(py, read.vulnerable),
        PyArray1::from_vec(py, read.events),
        read.names,
        PyArray1::from_vec(py, read.tricks).reshape([deals, 4, Strain::COUNT])?,
    ))
}

/// Writes deals into a file; the columns are those that [`read_files`] returns.
#[pyfunction]
#[pyo3(signature = (path, format, overwrite, hands, boards, dealers, vulnerable, events, names, tricks))]
pub(crate) fn write_file(
    py: Python<'_>,
    path: PathBuf,
    format: Option<&str>,
    overwrite: bool,
    hands: DealArray<'_>,
    boards: Bound<'_, PyArray1<i64>>,
    dealers: Bound<'_, PyArray1<i8>>,
    vulnerable: Bound<'_, PyArray1<i8>>,
    events: Bound<'_, PyArray1<u32>>,
    names: Vec<String>,
    tricks: Bound<'_, PyArray1<u8>>,
) -> PyResult<()> {
    let format = written_format(&path, format)?;
    let deals = hands.deals(0, "hands")?;
    let boards = column("board", &boards)?;
    let dealers = column("dealer", &dealers)?;
    let vulnerable = column("vulnerable", &vulnerable)?;
    let events = column("event", &events)?;
    let tricks = column("tricks", &tricks)?;
    let lengths = [boards.len(), dealers.len(), vulnerable.len(), events.len()];
    if lengths != [deals.len(); 4] || tricks.len() != TRICKS * deals.len() {
        return Err(UsageError::new_err("deals: the columns differ in length"));
    }
    let mut written = Vec::with_capacity(deals.len());
    for (place, deal) in deals.into_iter().enumerate() {
        let number = u64::try_from(boards[place]).ok().filter(|of| *of > 0);
        let mut board = Board::new(number.unwrap_or(place as u64 + 1), deal);
        let dealer = usize::try_from(dealers[place]).ok();
        board.dealer = dealer.and_then(Seat::from_index).unwrap_or(board.dealer);
        let sides = usize::try_from(vulnerable[place]).ok();
        let sides = sides.and_then(|sides| VULNERABLE.get(sides));
        board.vulnerable = sides.copied().unwrap_or(board.vulnerable);
        let table = &tricks[TRICKS * place..];
        board.tricks =
            TrickTable::new(|seat, strain| table[Strain::COUNT * seat.index() + strain.index()]);
        written.push((board, events[place] as usize));
    }
    run(py, None, move |_| {
        let paths = board_paths(&path, &[format], overwrite)?;
        let mut files = BoardFiles::default();
        files.add(&paths[0], overwrite, |out| {
            Ok(Writer::new(out, format, written.len() as u64, PROGRAM)?)
        })?;
        for (board, event) in &written {
            let mut record = BoardRecord::default();
            if let Some(name) = names.get(*event) {
                record.event[0] = name.as_str().into();
            }
            files.write_record(0, board, &record)?;
        }
        files.finish()
    })
}

/// Writes the boards of files in another format, with everything that it stores; returns the numbers
/// of boards read and written. Warnings say what is lost.
#[pyfunction]
#[pyo3(signature = (files, path, format, from_format, overwrite, progress = None))]
pub(crate) fn convert_files(
    py: Python<'_>,
    files: Vec<PathBuf>,
    path: PathBuf,
    format: Option<&str>,
    from_format: Option<&str>,
    overwrite: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64)> {
    let format = written_format(&path, format)?;
    let files = request(files, from_format)?;
    run(py, progress.as_ref(), move |watch| {
        let paths = board_paths(&path, &[format], overwrite)?;
        let conversion = Conversion {
            request: &BoardRequest::default(),
            script: &Script::parse("every board", "1")?,
            files,
            formats: &[format],
            labels: BoardRecord::default(),
            words: None,
        };
        let mut written = BoardFiles::default();
        written.add(&paths[0], overwrite, |out| {
            Ok(Writer::new(out, format, 0, PROGRAM)?)
        })?;
        let done = conversion.write(watch, &mut |place, board, record| {
            written.write_record(place, board, record)
        })?;
        if watch.is_stopped() {
            return Err(Error::usage("the conversion was stopped"));
        }
        written.finish()?;
        done.losses
            .iter()
            .for_each(|loss| Observer::warn(watch, loss));
        Ok((done.read, done.written[0]))
    })
}

/// The names of the formats that can be read, and of those that can be written.
pub(crate) fn format_names() -> (Vec<&'static str>, Vec<&'static str>) {
    let read = Format::read().map(Format::name);
    let written = Format::written().map(Format::name);
    (read.collect(), written.collect())
}

fn request(files: Vec<PathBuf>, format: Option<&str>) -> PyResult<DealFiles> {
    Ok(DealFiles {
        files,
        format: format.map(|name| named("format", name)).transpose()?,
        keeps_records: true,
        ..DealFiles::default()
    })
}

/// The format with this name, or that of the path's ending.
fn written_format(path: &Path, format: Option<&str>) -> PyResult<Format> {
    if let Some(name) = format {
        return named("format", name);
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.and_then(Format::of_ending).ok_or_else(|| {
        UsageError::new_err("format: the ending of the path does not tell it: name the format")
    })
}

fn named(argument: &str, name: &str) -> PyResult<Format> {
    let wrong = || UsageError::new_err(format!("{argument}: `{name}` is not a format"));
    Format::named(name).ok_or_else(wrong)
}

/// The values of a column.
fn column<T: Element + Copy>(name: &str, array: &Bound<'_, PyArray1<T>>) -> PyResult<Vec<T>> {
    let array = array.try_readonly();
    let array = array.map_err(|error| unusable(name, &error))?;
    Ok(array.as_array().iter().copied().collect())
}
