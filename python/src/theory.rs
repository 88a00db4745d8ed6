//! Exact tables.

use fairdeal::bridge::{Card, Pattern, Seat, Shape, Side, Suit};
use fairdeal::tasks::ExactTheory;
use fairdeal::theory::{Distribution, Theory, null_laws};
use fairdeal::threads::on_workers;
use pyo3::prelude::*;

use crate::error::{ConditionError, UnknownNameError};
use crate::work::run;

/// Numerators and the common denominator of a distribution.
type Ways = (Vec<u128>, u128);
/// A fraction.
type Fraction = (u128, u128);
/// A type of a mix: its name, its share of the mix, its share of the deals of the condition, and
/// its probability.
type TypeShares = (String, Fraction, Fraction, Fraction);

/// The exact tables of a condition.
#[pyclass(frozen, module = "fairdeal._fairdeal")]
pub(crate) struct ExactTables {
    /// `None` if no deal satisfies the condition.
    theory: Option<Theory>,
    #[pyo3(get)]
    total: u128,
    #[pyo3(get)]
    probability: Fraction,
    #[pyo3(get)]
    types: Vec<TypeShares>,
}

impl ExactTables {
    pub(crate) fn new(exact: ExactTheory) -> Self {
        let fraction = |ratio: fairdeal::theory::Ratio| {
            let reduced = ratio.reduced();
            (reduced.ways, reduced.of)
        };
        let types = exact.types.iter().map(|of| {
            let (share, natural) = (fraction(of.share), fraction(of.natural_share));
            (of.name.clone(), share, natural, fraction(of.probability))
        });
        Self {
            types: types.collect(),
            total: exact.total,
            probability: fraction(exact.probability),
            theory: Some(exact.theory),
        }
    }

    /// Those of a condition that no deal satisfies.
    pub(crate) fn impossible() -> Self {
        Self {
            types: Vec::new(),
            total: 0,
            probability: (0, 1),
            theory: None,
        }
    }

    /// The distributions of a table, in the order of its subjects.
    fn distributions(&self, table: &str) -> PyResult<Vec<Distribution>> {
        let theory = self.theory.as_ref();
        let none = || ConditionError::new_err("no deal satisfies the condition: it has no tables");
        let theory = theory.ok_or_else(none)?;
        let by_seat = |of: &dyn Fn(Seat) -> Distribution| Seat::ALL.into_iter().map(of).collect();
        let suits = |seat: Seat| Suit::ALL.map(|suit| theory.suit_lengths(seat, suit));
        let fits = |side: Side| Suit::ALL.map(|suit| theory.fits(side, suit));
        Ok(match table {
            "patterns" => by_seat(&|seat| theory.patterns(seat).clone()),
            "shapes" => by_seat(&|seat| theory.shapes(seat)),
            "hcp" => by_seat(&|seat| theory.hcp(seat).clone()),
            "aces" => by_seat(&|seat| theory.aces(seat).clone()),
            "controls" => by_seat(&|seat| theory.controls(seat).clone()),
            "suit_lengths" => Seat::ALL.into_iter().flat_map(suits).collect(),
            "fits" => Side::ALL.into_iter().flat_map(fits).collect(),
            "side_hcp" => Side::ALL.map(|side| theory.side_hcp(side)).into(),
            "cards" => Card::all().map(|card| theory.card(card).clone()).collect(),
            other => return Err(UnknownNameError::new_err(format!("no table `{other}`"))),
        })
    }
}

#[pymethods]
impl ExactTables {
    /// The probabilities of a table, each rounded once: a list for each subject.
    fn values(&self, table: &str) -> PyResult<Vec<Vec<f64>>> {
        Ok(self.distributions(table)?.iter().map(rounded).collect())
    }

    /// The numerators and the denominator of one subject of a table.
    fn ways(&self, table: &str, subject: usize) -> PyResult<Ways> {
        let all = self.distributions(table)?;
        let of = all.get(subject);
        of.map(ways)
            .ok_or_else(|| UnknownNameError::new_err(format!("no subject {subject}")))
    }

    /// The mean of a subject's outcomes.
    fn mean(&self, table: &str, subject: usize) -> PyResult<Fraction> {
        let all = self.distributions(table)?;
        let of = all.get(subject);
        of.map(Distribution::mean)
            .ok_or_else(|| UnknownNameError::new_err(format!("no subject {subject}")))
    }
}

fn rounded(of: &Distribution) -> Vec<f64> {
    let outcomes = 0..of.ways().len();
    outcomes
        .map(|outcome| of.probability(outcome).to_f64())
        .collect()
}

fn ways(of: &Distribution) -> Ways {
    (of.ways().to_vec(), of.of())
}

/// A law of unconstrained deals: rounded probabilities, numerators and denominator.
#[pyfunction]
pub(crate) fn null_law(py: Python<'_>, name: &str) -> PyResult<(Vec<f64>, Ways)> {
    let laws = run(py, None, |_| on_workers(None, || Ok(null_laws())))?;
    let law = match name {
        "joint_shapes" => laws.joint_shapes,
        "joint_hcp" => laws.joint_hcp,
        "flatness" => laws.flatness,
        "voids" => laws.voids,
        "overlap" => laws.overlap,
        "longest_suit" => laws.longest_suit,
        "longest_of_hand" => laws.longest_of_hand,
        "best_fit" => laws.best_fit,
        other => return Err(UnknownNameError::new_err(format!("no law `{other}`"))),
    };
    Ok((rounded(&law), ways(&law)))
}

/// The names of the shapes, in the order of the tables.
pub(crate) fn shape_names() -> Vec<String> {
    Shape::all().map(|shape| shape.to_string()).collect()
}

/// The names of the patterns, in the order of the tables.
pub(crate) fn pattern_names() -> Vec<String> {
    Pattern::all().map(|pattern| pattern.to_string()).collect()
}
