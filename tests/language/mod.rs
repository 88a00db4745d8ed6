//! Dealer's language: syntax, meaning and order of evaluation.

mod conditions;
mod dialect_operators;
mod dialects;
mod evaluation_order;
mod lints;
mod scripts;
mod small_stacks;
mod tricks;
