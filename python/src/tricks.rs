//! Double-dummy tricks and par of arrays of deals.

use fairdeal::bridge::{Seat, Strain, TrickTable, Vulnerable};
use fairdeal::language::{AskedTricks, par as par_score};
use fairdeal::observer::{Observer, Stage};
use fairdeal::solver::SolverTeam;
use fairdeal::threads::Threads;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{DealChunk, unusable};
use crate::deal::seat_named;
use crate::error::{UsageError, argument};
use crate::report::bounded_threads;
use crate::work::run;

/// Number of deals per thread after which progress is reported.
const SOLVED_TOGETHER: usize = 16;

/// Returns the tricks by deal, declarer (from north) and strain (no-trumps, spades, hearts, diamonds
/// and clubs).
#[pyfunction]
#[pyo3(signature = (chunk, threads = None, progress = None))]
pub(crate) fn tricks<'py>(
    py: Python<'py>,
    chunk: DealChunk<'py>,
    threads: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let deals = chunk.deals(0, "deals")?;
    let shape = [deals.len(), 4, Strain::COUNT];
    let threads = bounded_threads(py, threads)?.unwrap_or_else(Threads::all);
    let tricks = run(py, progress.as_ref(), move |watch| {
        let stage = watch.stage(Stage::Solved, Some(deals.len() as u64));
        let mut team = SolverTeam::new(threads.get())?;
        let mut tricks = Vec::with_capacity(20 * deals.len());
        for deals in deals.chunks(SOLVED_TOGETHER * threads.get()) {
            let Some(solved) = team.solve(deals, &AskedTricks::All, watch) else {
                // An exception was raised: nobody takes the result.
                break;
            };
            for table in solved {
                let of_seat = |seat| Strain::ALL.map(|strain| table.tricks(seat, strain));
                tricks.extend(Seat::ALL.into_iter().flat_map(of_seat));
            }
            stage.advance(deals.len() as u64);
        }
        Ok(tricks)
    })?;
    PyArray1::from_vec(py, tricks).reshape(shape)
}

/// Returns north-south's score at par for each table of an array as `tricks` returns it.
#[pyfunction]
#[pyo3(signature = (tricks, dealer = "north", vulnerable = "none"))]
pub(crate) fn par<'py>(
    py: Python<'py>,
    tricks: &Bound<'py, PyAny>,
    dealer: &str,
    vulnerable: &str,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    const VULNERABLE: [Vulnerable; 4] = [
        Vulnerable::None,
        Vulnerable::NorthSouth,
        Vulnerable::EastWest,
        Vulnerable::All,
    ];
    let dealer =
        seat_named(dealer).map_err(|fault| UsageError::new_err(format!("dealer: {fault}")))?;
    let named = VULNERABLE.into_iter().find(|of| of.word() == vulnerable);
    let vulnerable = named.ok_or_else(|| {
        UsageError::new_err(format!(
            "vulnerable: `{vulnerable}` is not a vulnerability: none, ns, ew or both"
        ))
    })?;
    let tricks: Bound<'py, PyArray3<u8>> =
        argument("tricks", tricks, "an array (n, 4, 5) of uint8")?;
    let (seats, strains) = (tricks.shape()[1], tricks.shape()[2]);
    if (seats, strains) != (4, Strain::COUNT) {
        let message = format!("tricks: tables of {seats} x {strains} tricks instead of 4 x 5");
        return Err(UsageError::new_err(message));
    }
    let tricks = tricks.try_readonly();
    let tricks = tricks.map_err(|error| unusable("tricks", &error))?;
    let tables = tricks.as_array();
    let score = |(row, table): (usize, numpy::ndarray::ArrayView2<'_, u8>)| {
        let table = TrickTable::new(|seat, strain| table[[seat.index(), strain.index()]]);
        let table = table.ok_or_else(|| {
            UsageError::new_err(format!("tricks: row {row} has more than 13 tricks"))
        })?;
        Ok(par_score(table, dealer, vulnerable))
    };
    let scores = tables.outer_iter().enumerate().map(score);
    Ok(PyArray1::from_vec(
        py,
        scores.collect::<PyResult<Vec<i64>>>()?,
    ))
}
