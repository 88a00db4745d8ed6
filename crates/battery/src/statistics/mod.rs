//! The tests, one file for each family: statistic, law and a slow definition.

use super::Battery;
use super::bounds::bisected;
use super::detectable::{DetectableEffect, Detection, Outcome};
use super::expected::Expected;
use super::look::Look;
use super::measure::summed;
use super::parameters::RunParameters;
use super::power::detectable_excess;
use super::row::MultinomialTest;
use super::subject::{Contrast, TestSubject};
use super::table_law::{CountProbabilities, Measured, TableLaw, beside_expected, two_sided};

pub(super) mod card_seat;
pub(super) mod card_table;
pub(super) mod cases;
pub(super) mod cross;
pub(super) mod duplicates;
pub(super) mod filling;
pub(super) mod flatness;
pub(super) mod hands;
pub(super) mod heterogeneity;
pub(super) mod interchange;
pub(super) mod lengths;
pub(super) mod numbers;
pub(super) mod overlap;
pub(super) mod patterns;
pub(super) mod places;
pub(super) mod points;
pub(super) mod second_order;
pub(super) mod seeds;
pub(super) mod sessions;
