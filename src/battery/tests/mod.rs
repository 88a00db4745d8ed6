//! The tests, one file for each family: statistic, law and a slow definition.

use super::Battery;
use super::bounds::{Detectable, Detection};
use super::expected::Expected;
use super::look::Look;
use super::measure::summed;
use super::parameters::RunParameters;
use super::power::detectable_excess;
use super::row::MultinomialTest;
use super::subject::{Contrast, TestSubject};
use super::table_law::{CountProbabilities, Measured, TableLaw, beside_expected, two_sided};

pub(super) mod card_table;
pub(super) mod cases;
pub(super) mod filling;
pub(super) mod flatness;
pub(super) mod interchange;
pub(super) mod seeds;
pub(super) mod sessions;
pub(super) mod t10_heterogeneity;
pub(super) mod t1_card_seat;
pub(super) mod t2_second_order;
pub(super) mod t3_lengths;
pub(super) mod t4_patterns;
pub(super) mod t5_points;
pub(super) mod t6_overlap;
pub(super) mod t7_cross;
pub(super) mod t8_duplicates;
pub(super) mod t9_numbers;
