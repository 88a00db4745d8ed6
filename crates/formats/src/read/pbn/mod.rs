//! Portable Bridge Notation, version 2.1: the standard's import format.
//!
//! Tags may be anywhere and in any order. A game ends with an empty line, or with a tag that it
//! already has. Text that is neither a tag nor a comment (calls, cards, rows of tables) is
//! skipped, unless records are kept. The state between two bytes is `reader::Inside`, and an incomplete tag is kept until its
//! end is read: so a file can be cut anywhere.

mod game;
mod kept;
mod reader;
mod result_table;
mod tag;
#[cfg(test)]
mod tests;

pub(crate) use reader::Pbn;
