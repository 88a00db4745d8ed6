//! Exactly uniform bridge deals under any constraint.

pub mod cards;
pub mod cases;
pub mod combinatorics;
pub mod condition;
