//! Dealer's language: what is accepted, what it means, and in which order it is asked.

#[path = "../common/mod.rs"]
mod common;

mod conditions;
mod evaluation_order;
mod lints;
mod scripts;
mod small_stacks;
