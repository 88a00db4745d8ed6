//! Exactly uniform bridge deals under any constraint.

pub mod cards;
pub mod combinatorics;
pub mod condition;
