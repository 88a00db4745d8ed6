//! Sets of boards: dealt from a condition or from a mix of types, or taken from files.
//!
//! - `request.rs`: what is asked for. `set.rs`: the populations of a set.
//! - `dealt_boards.rs`: its boards, one after the other. `search.rs`: the deals of one population.
//! - `command_filter.rs`: deals that a program accepts. `planted.rs`: the deals of a defect.
//! - `end.rs`: why a search ended.
//! - `labelling.rs`: numbers, turns and comments.
//! - `source.rs`: boards of files. `conversion.rs`: what is lost when they are written again.
//! - `files.rs`: the files of a set, one for each format.

mod command_filter;
mod conversion;
mod dealt_boards;
mod end;
mod files;
mod labelling;
mod planted;
mod request;
mod search;
mod set;
mod source;

pub use command_filter::{FilterCommand, FilterCounts};
pub use conversion::{Conversion, Converted};
pub use dealt_boards::{DealtBoard, SetBoards};
pub use end::SearchEnd;
pub(super) use files::refuse_existing;
pub use files::{BoardBytes, BoardFiles, board_paths};
pub use request::{BoardLabels, BoardNumber, BoardRequest, DEFAULT_BOARDS};
pub use set::Set;
pub use source::SourceBoard;
